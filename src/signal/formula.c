/* SPDX-License-Identifier: Apache-2.0
 * formula.c - "expr:TEXT": an input given as a formula of t.
 * Corners, jumps and reversals come from the search of the expr room, which misses none.  Those of one
 * period, or of the first stretch of time, are kept in a table of knots; others are looked for when asked. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "../expr/expr.h"
#include "../base/alloc.h"
#include "../text/fail.h"
#include "signal_internal.h"

/* CODE: numbers of a tape.  MANY, FAR: corners and time kept in the table of an input without period;
 * MOST: corners of one period.  EFFORT: evaluations spent on the table of a period, and EACH for every corner
 * found; ONCE: on one question outside of a table. */
enum { CODE = 1024, MANY = 1000, MOST = 100000, EFFORT = 300000, EACH = 100, ONCE = 20000 };
static const double FAR = 100;       /* s */
static const double INSTANT = 1e-18; /* s: times closer than this to each other are one, also near 0 */

static void jet_at(const br_signal *sig, double t, double j[3])
{
  double periods = 0, x = t;
  if (sig->period > 0) x = sig->knots.origin + bri_knots_local(&sig->knots, t, &periods);
  br_expr_jet(sig->code, sig->ncode, &x, 0, j);
}

static double formula_value(const br_signal *sig, double t)
{
  double periods = 0, x = t;
  if (isnan(t)) return t;
  if (sig->period > 0) x = sig->knots.origin + bri_knots_local(&sig->knots, t, &periods);
  return br_expr_value(sig->code, sig->ncode, &x);
}

static double table_end(const br_signal *sig) { return sig->knots.origin + sig->knots.s[sig->knots.n - 1]; }

static int in_table(const br_signal *sig, double t)
{
  return sig->period > 0 || (t >= sig->knots.origin && t <= table_end(sig));
}

/* The knot of the table that t is at, to rounding; -1: none, or no corner. */
static long knot_at(const br_signal *sig, double t)
{
  const bri_knots *k = &sig->knots;
  double periods = 0;
  if (!isfinite(t) || !in_table(sig, t) || k->n < 3) return -1;
  const double x = bri_knots_local(k, t, &periods), tol = bri_knots_tolerance(k, t);
  const size_t i = bri_knots_segment(k, x);
  for (size_t j = i; j <= i + 1; j++)
    if (j > 0 && j + 1 < k->n && fabs(x - k->s[j]) <= tol) return (long)j;
  return -1;
}

/* Derivatives beside t; a formula such as sqrt(t^2) has none at a single point. */
static void beside(const br_signal *sig, double t, int side, double j[3])
{
  const double step = 4 * bri_knots_tolerance(&sig->knots, t) + DBL_MIN;
  jet_at(sig, side < 0 ? t - step : t + step, j);
}

static double formula_rate(const br_signal *sig, double t, int side)
{
  double j[3];
  if (isnan(t)) return t;
  if (!isfinite(t)) return 0.0;
  const long knot = knot_at(sig, t);
  if (knot >= 0) return sig->sides[2 * knot + (side >= 0)];
  jet_at(sig, t, j);
  if (isnan(j[1]) && !isnan(j[0])) beside(sig, t, side, j);
  return j[1];
}

static double formula_curvature(const br_signal *sig, double t, int side)
{
  double j[3];
  jet_at(sig, t, j);
  if (isnan(j[2]) || knot_at(sig, t) >= 0) beside(sig, t, side, j);
  return j[2];
}

/* The first time behind a jump near `at`, to the last bit: a period more or less moves it by roundings. */
static double behind_jump(const br_signal *sig, double at, double left, double right)
{
  const double tol = 2 * bri_knots_tolerance(&sig->knots, at);
  double a = at - tol, b = at + tol;
  if (fabs(formula_value(sig, a) - left) > fabs(formula_value(sig, a) - right) ||
      fabs(formula_value(sig, b) - left) < fabs(formula_value(sig, b) - right))
    return at;
  for (;;) {
    const double m = a + 0.5 * (b - a), u = formula_value(sig, m);
    if (m <= a || m >= b) return b;
    if (fabs(u - left) < fabs(u - right)) a = m;
    else b = m;
  }
}

/* First corner in (t, limit] by search. */
static double search(const br_signal *sig, double t, double limit)
{
  bri_corner c = {0};
  const double from = t + 4 * DBL_EPSILON * fabs(t) + INSTANT;
  size_t budget = ONCE;
  const int found = bri_expr_corner(sig->code, sig->ncode, 1, from, limit, &budget, &c);
  if (!found) return INFINITY;
  /* not decided: a corner where nothing happens does no harm, one that is missed does */
  return c.at > from || (found > 0 && c.at > t) ? c.at : (double)NAN;
}

static double formula_next_corner(const br_signal *sig, double t)
{
  const bri_knots *k = &sig->knots;
  if (!isfinite(t)) return INFINITY;
  if (sig->period == 0 && t < k->origin) {
    const double at = search(sig, t, k->origin);
    if (!isinf(at)) return at;
    t = k->origin;
  }
  if (sig->period > 0 || t < table_end(sig)) {
    const double at = bri_knots_next_corner(k, t);
    if (isfinite(at)) {
      const long i = knot_at(sig, at);
      const double u = i >= 0 ? k->u[i] : 0;
      const double other = i > 0 && k->s[i - 1] == k->s[i] ? k->u[i - 1] : u;
      const double exact = other != u ? behind_jump(sig, at, other, u) : at;
      return exact > t ? exact : at;
    }
    if (sig->period > 0) return INFINITY;
    t = table_end(sig);
  }
  return search(sig, t, INFINITY);
}

void bri_formula_sides(const br_signal *sig, double t, double *before, double *behind)
{
  const bri_knots *k = &sig->knots;
  const long knot = knot_at(sig, t);
  if (knot >= 0) { /* at a jump there are two knots of one time */
    const size_t i = (size_t)knot, first = i > 0 && k->s[i - 1] == k->s[i] ? i - 1 : i;
    *before = *behind = k->u[first];
    if (first + 1 < k->n && k->s[first + 1] == k->s[first]) *behind = k->u[first + 1];
    return;
  }
  const double step = 4 * DBL_EPSILON * fabs(t) + DBL_MIN, p = formula_value(sig, t - step),
               q = formula_value(sig, t + step);
  const double slope = bri_expr_slope(formula_rate(sig, t - step, -1), formula_rate(sig, t + step, 1));
  *before = *behind = formula_value(sig, t);
  if (fabs(q - p) > 16 * slope * step + 0x1p-44 * fmax(fabs(p), fabs(q))) *before = p, *behind = q;
}

/* Path length of f(direction s) from s = a, where it is u, to s = b.  NaN where it has too many corners. */
static double walk(const br_signal *sig, int direction, double a, double u, double b)
{
  double rho = 0;
  size_t budget = ONCE;
  bri_corner c = {0};
  while (a < b) {
    const int found = bri_expr_corner(sig->code, sig->ncode, direction, a, b, &budget, &c);
    if (found < 0) return NAN;
    if (!found) break;
    const double left = formula_value(sig, direction * c.before),
                 right = formula_value(sig, direction * c.after);
    rho += fabs(left - u) + fabs(right - left);
    u = right;
    a = c.after + 4 * DBL_EPSILON * fabs(c.after) + INSTANT;
  }
  return rho + fabs(formula_value(sig, direction * b) - u);
}

static double formula_variation(const br_signal *sig, double t)
{
  const bri_knots *k = &sig->knots;
  if (!isfinite(t)) return t;
  const double u = formula_value(sig, t);
  /* without a rate (1^y where y is infinite) no search can tell the directions that lead here */
  if (!isfinite(u) || (isnan(formula_rate(sig, t, -1)) && isnan(formula_rate(sig, t, 1)))) return NAN;
  if (in_table(sig, t)) return bri_knots_variation(k, t, u);
  if (t < k->origin) return -walk(sig, -1, -k->origin, k->u[0], -t);
  return k->rho[k->n - 1] - k->rho_zero + walk(sig, 1, table_end(sig), k->u[k->n - 1], t);
}

static double formula_normalised(const br_signal *sig, double rho)
{
  const bri_knots *k = &sig->knots;
  const double total = k->rho[k->n - 1];
  if (sig->period > 0 || !isfinite(rho) || (rho >= 0 && rho <= total)) return bri_knots_normalised(k, rho);
  const int direction = rho < 0 ? -1 : 1;
  double left = rho < 0 ? -rho : rho - total, a = rho < 0 ? -k->origin : table_end(sig);
  double u = rho < 0 ? k->u[0] : k->u[k->n - 1];
  for (size_t budget = ONCE;;) { /* from corner to corner; behind the last one as far as the formula goes */
    bri_corner c = {0};
    const int more = bri_expr_corner(sig->code, sig->ncode, direction, a, INFINITY, &budget, &c);
    if (more < 0) return NAN;
    const double far = formula_value(sig, direction * (more ? c.before : 1e15));
    if (isnan(far)) return u;
    if (left <= fabs(far - u) || !more) return far >= u ? fmin(u + left, far) : fmax(u - left, far);
    left -= fabs(far - u);
    u = formula_value(sig, direction * c.after);
    if (left <= fabs(u - far)) return u >= far ? far + left : far - left;
    left -= fabs(u - far);
    a = c.after + 4 * DBL_EPSILON * fabs(c.after) + INSTANT;
  }
}

const bri_signal_ops bri_formula_ops = {formula_value,     formula_rate,       formula_next_corner,
                                        formula_variation, formula_normalised, formula_curvature};

/* ---- making the table ---- */

/* A place in the period where u moves and nothing happens, at or before t = 0. */
static double quiet_start(const br_signal *sig)
{
  double best = 0, most = -1;
  for (int k = 0; k < 64; k++) {
    const double t = ((double)k + 0.3819660112501051) / 64 * sig->period, h = sig->period / 256;
    bri_bounds r;
    double j[3];
    bri_expr_bounds(sig->code, sig->ncode, t - h, t + h, &r);
    br_expr_jet(sig->code, sig->ncode, &t, 0, j);
    const double score = r.switches || isnan(j[1]) ? 0 : 1 + fabs(j[1]);
    if (score > most) most = score, best = t;
  }
  return best - sig->period;
}

typedef struct {
  bri_corner *list;
  size_t n, room;
} corners;

/* A corner that is the start itself, where t sqrt(t) has its least value; a jump there is none. */
static int is_start(const br_signal *sig, double start, const bri_corner *c)
{
  double p[3], q[3];
  if (!(c->at - start <= INSTANT)) return 0;
  br_expr_jet(sig->code, sig->ncode, &start, 0, p);
  br_expr_jet(sig->code, sig->ncode, &c->after, 0, q);
  return fabs(q[0] - p[0]) <= 4 * fabs(q[1]) * (c->after - start) + 1e-12 * fabs(p[0]);
}

static br_status collect(const br_signal *sig, double start, double *end, corners *all, br_err *err)
{
  const size_t most = sig->period > 0 ? MOST : MANY;
  size_t budget = sig->period > 0 ? EFFORT : ONCE;
  double a = start;
  while (all->n < most) {
    bri_corner c = {0};
    const int found = bri_expr_corner(sig->code, sig->ncode, 1, a, *end, &budget, &c);
    if (found < 0 && (sig->period > 0 || (all->n < 10 && c.at < 1e-3)))
      return bri_fail(err, BR_E_CONVERGE,
                      "expr: near t = %.9g s conditions or directions cannot be told from rounding", c.at);
    if (found < 0) *end = c.at;
    if (found <= 0 || !(c.after < *end)) return BR_OK;
    if (sig->period == 0 && is_start(sig, start, &c)) {
      a = c.after + INSTANT;
      continue;
    }
    if (all->n == all->room) {
      all->room = all->room ? 2 * all->room : 64;
      bri_corner *more = bri_realloc(all->list, all->room * sizeof *more);
      if (!more) return bri_fail(err, BR_E_NOMEM, "expr: no memory for %zu corners", all->room);
      all->list = more;
    }
    all->list[all->n++] = c;
    if (sig->period > 0) budget += EACH;
    a = c.after + 4 * DBL_EPSILON * (fabs(c.after) + fabs(start)) + INSTANT;
  }
  *end = a;
  if (sig->period > 0) return bri_fail(err, BR_E_SIZE, "expr: more than %zu corners in one period", most);
  return BR_OK;
}

/* Limit of u' at a corner from one side.  Most formulas have it right there; others, such as asin(sin(t)) at
 * its tips, lose it to rounding close by: then it is taken from where u' has become steady, within `room`. */
static double limit_rate(const br_signal *sig, double at, double beside_it, int side, double room)
{
  double near = 0, far = 0, j[3];
  for (double h = 4 * DBL_EPSILON * fabs(at) + 1e-14 * room; h < 0.02 * room; h *= 4) {
    double t = at + side * h;
    br_expr_jet(sig->code, sig->ncode, &t, 0, j);
    near = j[1];
    t = at + side * 2 * h;
    br_expr_jet(sig->code, sig->ncode, &t, 0, j);
    far = j[1];
    if (near == far && near == 0) return 0;
    if (fabs(far - near) <= 1e-6 * fabs(near) && isfinite(near)) {
      br_expr_jet(sig->code, sig->ncode, &beside_it, 0, j);
      return fabs(j[1] - near) <= 1e-5 * fabs(near) ? j[1] : 2 * near - far;
    }
  }
  return 0; /* it goes to 0 with the distance */
}

/* Knots at start, at every corner (two at a jump) and at end. */
static br_status tabulate(br_signal *sig, double start, double end, const corners *all, br_err *err)
{
  br_status st = bri_knots_create(&sig->knots, 2 * all->n + 2, err);
  bri_knots *k = &sig->knots;
  if (st) return st;
  sig->sides = bri_calloc(2 * (2 * all->n + 2), sizeof *sig->sides);
  if (!sig->sides) return bri_fail(err, BR_E_NOMEM, "expr: no memory for %zu corners", all->n);
  k->origin = start;
  k->s[0] = 0;
  k->u[0] = br_expr_value(sig->code, sig->ncode, &start);
  k->n = 1;
  for (size_t i = 0; i < all->n; i++) {
    const bri_corner *c = &all->list[i];
    double p[3], q[3];
    br_expr_jet(sig->code, sig->ncode, &c->before, 0, p);
    br_expr_jet(sig->code, sig->ncode, &c->after, 0, q);
    const double slope = bri_expr_slope(p[1], q[1]) * (c->after - c->before);
    const int jump = fabs(q[0] - p[0]) > 4 * slope + 1e-12 * fmax(fabs(p[0]), fabs(q[0]));
    const double before = c->at - (i ? all->list[i - 1].at : start);
    const double behind = (i + 1 < all->n ? all->list[i + 1].at : end) - c->at;
    const double left = c->smooth ? 0 : limit_rate(sig, c->at, c->before, -1, before);
    const double right = c->smooth ? 0 : limit_rate(sig, c->at, c->after, 1, behind);
    for (int side = !jump; side < 2; side++) {
      k->s[k->n] = c->at - start;
      k->u[k->n] = side ? q[0] : p[0];
      sig->sides[2 * k->n] = left;
      sig->sides[2 * k->n + 1] = right;
      k->n++;
    }
    k->corner[k->ncorner++] = k->n - 1;
  }
  k->s[k->n] = end - start;
  k->u[k->n] = sig->period > 0 ? k->u[0] : br_expr_value(sig->code, sig->ncode, &end);
  k->n++;
  bri_knots_measure(k);
  if (!isfinite(k->rho[k->n - 1]))
    return bri_fail(err, BR_E_RANGE, "expr: the path length between t = %.9g s and %.9g s is not finite",
                    start, end);
  k->period = sig->period;
  sig->path = sig->period > 0 ? k->rho[k->n - 1] : 0.0;
  k->rho_zero = bri_knots_variation(k, 0.0, formula_value(sig, 0.0));
  return BR_OK;
}

static br_status make_table(br_signal *sig, br_err *err)
{
  corners all = {NULL, 0, 0};
  const double start = sig->period > 0 ? quiet_start(sig) : 0;
  double end = sig->period > 0 ? start + sig->period : FAR;
  br_status st = collect(sig, start, &end, &all, err);
  /* without a period: only as far as there is a finite value */
  for (double u = NAN; !st && sig->period == 0 && end > start;) {
    u = br_expr_value(sig->code, sig->ncode, &end);
    if (isfinite(u)) break;
    end = start + 0.5 * (end - start);
    while (all.n && all.list[all.n - 1].after >= end) all.n--;
  }
  if (!st) st = tabulate(sig, start, end, &all, err);
  bri_free(all.list);
  return st;
}

br_status bri_signal_formula(const char *text, br_signal **out, br_err *err)
{
  double code[CODE];
  size_t n = 0;
  br_err why = {BR_OK, -1, ""};
  br_signal *sig = NULL;
  const double zero = 0;
  br_status st = br_expr_compile(text, strlen(text), "t", CODE, code, &n, &why);
  if (st) return bri_text_fail(err, st, why.index, "expr:1:%d: %s", why.index + 1, why.msg);
  const double u = br_expr_value(code, n, &zero);
  if (!isfinite(u))
    return bri_text_fail(err, BR_E_RANGE, 0, "expr: '%.*s' is %g at t = 0", bri_text_width(strlen(text)),
                         text, u);
  st = bri_signal_new(&bri_formula_ops, &sig, err);
  if (st) return st;
  sig->code = bri_malloc_array(n, sizeof *sig->code);
  if (!sig->code) {
    br_signal_destroy(sig);
    return bri_fail(err, BR_E_NOMEM, "expr: no memory for a formula");
  }
  memcpy(sig->code, code, n * sizeof *code);
  sig->ncode = n;
  sig->period = bri_expr_period(code, n);
  sig->duration = sig->period;
  return bri_signal_done(make_table(sig, err), sig, out);
}
