/* SPDX-License-Identifier: Apache-2.0
 * integral.c - "v:SPEC", "a:SPEC": a motion by its rate.
 * The rate's own corners, and the zeros between them (a rate is monotone from corner to corner), are the
 * knots of a table with the sums up to them; from a knot on Gauss's rule with five nodes goes, which is exact
 * for the lines and cubics of records, and is halved for other rates until it stays. */
#include <math.h>

#include "../../core/elementary.h"
#include "../base/alloc.h"
#include "../base/root.h"
#include "../text/fail.h"
#include "samples.h"
#include "signal_internal.h"

/* MOST: knots of a table; STEPS: corners walked for one question outside of it */
enum { MOST = 10000000, STEPS = 1000000, DEEP = 24 };
static const double FAR = 100; /* s, of the table of a rate that has no end */

static double rule(const br_signal *w, double a, double b)
{
  static const double node[] = {0.5384693101056831, 0.9061798459386640},
                      weight[] = {0.4786286704993665, 0.2369268850561891};
  const double mid = a + 0.5 * (b - a), half = 0.5 * (b - a);
  double sum = 0.5688888888888889 * br_signal_value(w, mid);
  for (int i = 0; i < 2; i++)
    sum += weight[i] * (br_signal_value(w, mid - half * node[i]) + br_signal_value(w, mid + half * node[i]));
  return sum * half;
}

static double halve(const br_signal *w, double a, double b, double whole, double size, int depth)
{
  const double mid = a + 0.5 * (b - a), left = rule(w, a, mid), right = rule(w, mid, b);
  if (depth == 0 || !(fabs(left + right - whole) > 1e-15 * size)) return left + right;
  return halve(w, a, mid, left, size, depth - 1) + halve(w, mid, b, right, size, depth - 1);
}

/* Is it a polynomial of at most degree 9 between corners? */
static int is_polynomial(const br_signal *w)
{
  if (w->inner) return is_polynomial(w->inner);
  return w->ops == &bri_pwl_ops || bri_signal_straight(w);
}

/* Over a piece without corner inside. */
static double smooth(const br_signal *w, double a, double b)
{
  const double whole = rule(w, a, b);
  if (is_polynomial(w)) return whole;
  const double size =
      fabs(whole) + 1e-3 * (b - a) * (fabs(br_signal_value(w, a)) + fabs(br_signal_value(w, b)));
  return halve(w, a, b, whole, size, DEEP);
}

/* From a to b > a; NaN: too many corners. */
static double along(const br_signal *w, double a, double b)
{
  double sum = 0;
  for (size_t n = 0; a < b; n++) {
    const double corner = br_signal_next_corner(w, a), to = corner < b ? corner : b;
    if (n == STEPS || isnan(corner)) return NAN;
    sum += smooth(w, a, to);
    a = to;
  }
  return sum;
}

static double end_of(const bri_knots *k) { return k->s[k->n - 1]; }
static double drift(const bri_knots *k) { return k->period > 0 ? k->u[k->n - 1] - k->u[0] : 0; }

static double integral_value(const br_signal *sig, double t)
{
  const bri_knots *k = &sig->knots;
  double periods = 0;
  if (isnan(t)) return t;
  if (!isfinite(t)) return sig->period > 0 ? NAN : k->u[k->n - 1];
  const double x = bri_knots_local(k, t, &periods);
  if (x < 0) return k->u[0] - along(sig->inner, t, k->origin);
  if (x > end_of(k)) return k->u[k->n - 1] + along(sig->inner, k->origin + end_of(k), t);
  const size_t i = bri_knots_segment(k, x);
  const double u = periods * drift(k) + k->u[i];
  return x > k->s[i] ? u + smooth(sig->inner, k->origin + k->s[i], k->origin + x) : u;
}

static double integral_rate(const br_signal *sig, double t, int side)
{
  double before = 0, behind = 0;
  if (side < 0 && isfinite(t) && bri_signal_jump(sig->inner, t, &before, &behind)) return before;
  return isfinite(t) || isnan(t) ? br_signal_value(sig->inner, t) : 0;
}

static double integral_curvature(const br_signal *sig, double t, int side)
{
  return br_signal_rate(sig->inner, t, side);
}

static double before_end(const br_signal *w, double b)
{
  double before = 0, behind = 0;
  return bri_signal_jump(w, b, &before, &behind) ? before : br_signal_value(w, b);
}

/* Where the rate passes zero between a and b, which have no corner between them; b: nowhere inside. */
static double zero_between(const br_signal *w, double a, double b)
{
  const double fa = br_signal_value(w, a), fb = before_end(w, b);
  if (!(fa * fb < 0)) return b;
  bri_bracket r = bri_bracket_of(a, fa, b, fb);
  double x = b;
  for (int i = 0; i < 80; i++) {
    x = bri_bracket_next(&r);
    const double f = br_signal_value(w, x);
    if (f == 0 || x == r.a || x == r.b) break;
    bri_bracket_take(&r, x, f);
  }
  return x > a && x < b ? x : b;
}

/* The next sample behind t of a smooth record: its cubics meet there without a corner. */
static double next_piece(const br_signal *w, double t)
{
  const bri_knots *k = &w->knots;
  double periods = 0;
  if (w->ops != &bri_pwl_ops || !w->slope || k->n < 2 || !isfinite(t)) return INFINITY;
  const double x = bri_knots_local(k, t, &periods), tol = bri_knots_tolerance(k, t);
  for (size_t i = bri_knots_segment(k, x); i < k->n; i++) {
    const double at = fma(periods, k->period, k->s[i]) + k->origin;
    if (at > t + tol) return at;
  }
  return INFINITY;
}

/* The next knot behind t. */
static double next_knot(const br_signal *w, double t)
{
  const double corner = fmin(br_signal_next_corner(w, t), next_piece(w, t));
  if (isfinite(corner)) return zero_between(w, t, corner);
  if (isnan(corner)) return corner;
  for (double far = fmax(1, 2 * fabs(t)); far < 1e12; far *= 2) { /* monotone from here on: does it turn? */
    const double z = zero_between(w, t, t + far);
    if (z < t + far) return z;
  }
  return INFINITY;
}

static double integral_next_corner(const br_signal *sig, double t)
{
  const bri_knots *k = &sig->knots;
  double before = 0, behind = 0;
  if (!isfinite(t)) return INFINITY;
  if (!(k->period > 0) && t < k->origin) { /* in front of the table, or where it begins with a jump */
    const double at = next_knot(sig->inner, t);
    if (at < k->origin || isnan(at) || (at == k->origin && bri_signal_jump(sig->inner, at, &before, &behind)))
      return at;
  }
  const double at = bri_knots_next_corner(k, t);
  if (k->period > 0 || at < INFINITY) return at;
  return next_knot(sig->inner, t < k->origin + end_of(k) ? k->origin + end_of(k) : t);
}

/* Path from a on to b > a, behind the table. */
static double path_along(const br_signal *w, double a, double b)
{
  double sum = 0;
  for (size_t n = 0; a < b; n++) {
    const double knot = next_knot(w, a), to = knot < b ? knot : b;
    if (n == STEPS || isnan(knot)) return NAN;
    sum += fabs(along(w, a, to));
    a = to;
  }
  return sum;
}

static double integral_variation(const br_signal *sig, double t)
{
  const bri_knots *k = &sig->knots;
  double periods = 0;
  if (!isfinite(t)) return t;
  const double x = bri_knots_local(k, t, &periods);
  if (x < 0) return -path_along(sig->inner, t, k->origin) - k->rho_zero;
  if (x > end_of(k)) return k->rho[k->n - 1] + path_along(sig->inner, k->origin + end_of(k), t) - k->rho_zero;
  return bri_knots_variation(k, t, integral_value(sig, t) - periods * drift(k));
}

/* The motion when it has gone a way of `left` behind the end of the table, or (side < 0) has it to go to its
 * start. */
static double outside(const br_signal *sig, double left, int side)
{
  const bri_knots *k = &sig->knots;
  const double edge = side < 0 ? k->origin : k->origin + end_of(k);
  double in = 0, out = 1;
  for (int found = 0, i = 0; i < 1000; i++) {
    const double d = found ? in + 0.5 * (out - in) : out, t = edge + side * d;
    if (found && (d <= in || d >= out)) break;
    const double way = side < 0 ? path_along(sig->inner, t, edge) : path_along(sig->inner, edge, t);
    if (isnan(way)) return NAN;
    if (way >= left) out = d, found = 1;
    else if (in = d, !found && (out *= 2) > 1e15) return integral_value(sig, t); /* it never goes as far */
  }
  return integral_value(sig, edge + side * out);
}

static double integral_normalised(const br_signal *sig, double rho)
{
  const bri_knots *k = &sig->knots;
  const double total = k->rho[k->n - 1], r = rho + k->rho_zero;
  if (!(k->period > 0) && isfinite(r) && (r > total || r < 0))
    return r < 0 ? outside(sig, -r, -1) : outside(sig, r - total, 1);
  if (k->period > 0 && total > 0 && isfinite(r) && drift(k) != 0) {
    const double whole = floor(r / total);
    bri_knots once = *k;
    once.period = 0;
    return whole * drift(k) + bri_knots_normalised(&once, r - whole * total - k->rho_zero);
  }
  return bri_knots_normalised(k, rho);
}

static const bri_signal_ops OPS = {integral_value,     integral_rate,       integral_next_corner,
                                   integral_variation, integral_normalised, integral_curvature};

/* ---- making the table ---- */

typedef struct {
  double *t;
  size_t n, room;
} times;

static br_status add(times *all, double t, br_err *err)
{
  double *more = bri_grown(all->t, all->n, &all->room, sizeof *more);
  if (!more) return bri_fail(err, BR_E_NOMEM, "no memory for a motion of %zu pieces", all->n);
  all->t = more;
  all->t[all->n++] = t;
  return BR_OK;
}

static br_status find_knots(const br_signal *w, double start, double end, times *all, br_err *err)
{
  br_status st = add(all, start, err);
  for (double t = start; t < end && !st;) {
    double next = next_knot(w, t);
    if (isnan(next) || all->n == MOST)
      return bri_fail(err, BR_E_CONVERGE, "the rate turns or jumps too often behind t = %.9g s", t);
    if (!(next < end)) next = end;
    st = add(all, next, err);
    t = next;
  }
  return st;
}

/* Does the rate, or its own rate, jump where the table ends, as that of a step does? */
static int jumps_at_end(const br_signal *w, double end)
{
  double before = 0, behind = 0;
  const bri_knots *k = &w->knots;
  return w->inner ? k->ncorner && k->corner[k->ncorner - 1] + 1 == k->n
                  : bri_signal_jump(w, end, &before, &behind);
}

static br_status tabulate(br_signal *sig, const times *all, double period, br_err *err)
{
  bri_knots *k = &sig->knots;
  double carry = 0;
  const br_status st = bri_knots_create(k, all->n, err);
  if (st) return st;
  k->origin = all->t[0];
  k->s[0] = k->u[0] = 0;
  for (size_t i = 1; i < all->n; i++) { /* compensated, as path lengths are */
    const double term = smooth(sig->inner, all->t[i - 1], all->t[i]) - carry, next = k->u[i - 1] + term;
    carry = (next - k->u[i - 1]) - term;
    k->u[i] = next, k->s[i] = all->t[i] - k->origin;
  }
  for (size_t i = period > 0 ? 0 : 1; i + 1 < all->n; i++) k->corner[k->ncorner++] = i;
  if (!(period > 0) && jumps_at_end(sig->inner, all->t[all->n - 1])) k->corner[k->ncorner++] = all->n - 1;
  bri_knots_measure(k);
  if (!isfinite(k->rho[k->n - 1]))
    return bri_fail(err, BR_E_RANGE, "the motion is not finite: its rate has no finite integral");
  if (period > 0 &&
      fabs(k->u[k->n - 1] - k->u[0]) <= 1e-13 * k->rho[k->n - 1]) { /* it comes back: rounding alone */
    k->u[k->n - 1] = k->u[0];
    sig->period = period, sig->path = k->rho[k->n - 1];
  }
  k->period = period;
  k->rho_zero = 0;
  k->rho_zero = integral_variation(sig, 0);
  return BR_OK;
}

/* A sine stays one. */
static br_status of_sine(const br_signal *w, br_signal **out, br_err *err)
{
  const double turns = 2 * 3.14159265358979323846 * w->f0, A = w->amplitude / turns;
  return bri_signal_sine(A, w->f0, w->phase - 0.5 * 3.14159265358979323846, A * bri_cos(w->phase), out, err);
}

br_status bri_signal_integral(br_signal *rate, br_signal **out, br_err *err)
{
  br_signal *sig = NULL;
  times all = {NULL, 0, 0};
  size_t n = 0;
  double start = 0;
  br_status st = BR_OK;
  if (bri_signal_is_sine(rate) && rate->offset == 0) {
    st = of_sine(rate, out, err);
    br_signal_destroy(rate);
    return st;
  }
  if (br_signal_timeless(rate))
    st = bri_fail(err, BR_E_UNSUPPORTED, "a record without time has no rates: v: and a: need its times");
  if (!st) st = bri_signal_new(&OPS, &sig, err);
  if (st) return br_signal_destroy(rate), st;
  sig->inner = rate;
  (void)bri_signal_samples(rate, &n, &start);
  if (rate->inner) start = rate->knots.origin;
  sig->duration = rate->duration;
  sig->notes = rate->notes, rate->notes = NULL;
  const double end = rate->period > 0         ? start + rate->period
                     : rate->duration > start ? rate->duration
                                              : start + FAR;
  st = find_knots(rate, start, end, &all, err);
  if (!st) st = tabulate(sig, &all, rate->period, err);
  bri_free(all.t);
  if (st) br_signal_destroy(sig);
  else *out = sig;
  return st;
}
