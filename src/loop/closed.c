/* SPDX-License-Identifier: Apache-2.0
 * closed.c - closed-form loops of models whose single state obeys dx/drho = s b - a x (Dahl gamma = 1,
 * LuGre).
 *
 * In the elastic force Y an arc of length L in direction s is  Y -> Y + (s g - Y) (1 - e^-x),  x = a L, g =
 * sigma/a, and everything asked for is a sum over arcs, so the cost is proportional to the number of
 * reversals.  Only decaying exponentials appear (no overflow), and small x is handled by series (no
 * cancellation). */
#include <math.h>

#include "../../core/num.h"
#include "../base/alloc.h"
#include "loop_internal.h"

/* ---- the model's coefficients, measured from its own rate and force ---- */

static double rate1(const br_model *m, const double *par, double load, double v, double x)
{
  double dx[1], u = 0;
  m->rate(par, load, &u, &v, &x, dx);
  return dx[0];
}

static double force1(const br_model *m, const double *par, double load, double v, double x)
{
  double dx[1], F[1], u = 0;
  m->rate(par, load, &u, &v, &x, dx);
  m->force(par, load, &u, &v, &x, dx, F);
  return F[0];
}

/* Is rate(x) = speed (s b - a x) for both directions, on the whole range of x that matters? */
static int is_affine(const br_model *m, const double *par, double load, double speed, double a, double b)
{
  static const double part[] = {-0.97, -0.31, 0.05, 0.5, 0.83, 0.999};
  for (size_t k = 0; k < sizeof part / sizeof part[0]; k++)
    for (int s = -1; s <= 1; s += 2) {
      const double x = part[k] * b / a, want = speed * (s * b - a * x);
      if (!(fabs(rate1(m, par, load, s * speed, x) - want) <= 1e-13 * speed * fabs(b))) return 0;
    }
  return 1;
}

/* A huge x isolates the term -a x, a zero x the term s b: no cancellation in either. */
int bri_affine_measure(const br_model *m, const double *par, double load, double speed, int slow,
                       bri_affine *f)
{
  const double far = 0x1p80, u = 0, one = 1;
  if (m->axes != 1 || m->nstate(par) != 1 || m->nmode(par) != 0 || !m->energy) return 0;
  const double b = rate1(m, par, load, speed, 0) / speed;
  const double a = (rate1(m, par, load, speed, 0) - rate1(m, par, load, speed, far)) / far / speed;
  if (!(a > 0) || !(b > 0) || !is_affine(m, par, load, speed, a, b)) return 0;
  const double curvature = 2 * m->energy(par, load, &u, &one); /* stored energy = curvature x^2 / 2 */
  f->a = a;
  f->to_y = curvature * b;
  f->sigma = curvature * b * b;
  f->level = f->sigma / a;
  f->p = slow ? 1.0 : (force1(m, par, load, speed, far) - force1(m, par, load, speed, 0)) / far / f->to_y;
  f->q = force1(m, par, load, speed, 0);
  if (slow && fabs(f->q) < BRI_FADED) f->q = 0; /* what fades with the speed is gone, a jump at rest is not */
  return f->sigma > 0;
}

#define UNIT 0x1p-52 /* rounding of a product or sum, with a margin */

/* ---- functions of x = a L that lose no digits ---- */

/* 1 - e^-x */
static double lost(double x) { return -brn_expm1_f64(-x); }

/* (x - m) / x with m = lost(x), -> x/2 for small x */
static double bend(double x, double m)
{
  double term = 0.5 * x, sum = term;
  if (x > 0.5) return 1 - m / x;
  for (int k = 3; fabs(term) > 1e-18 * sum; k++) {
    term *= -x / k;
    sum += term;
  }
  return sum;
}

/* integral of (1 - e^-r)^2 over r in [0, x] = x - 2 m + m (2 - m) / 2, -> x^3/3 for small x */
static double square(double x, double m)
{
  double sum = 0, power = x * x / 2, two = 2, term = 1; /* x^k / k!, 2^(k-1) */
  if (x > 0.5) return (x - 2 * m) + 0.5 * m * (2 - m);
  for (int k = 3; fabs(term) > 1e-18 * fabs(sum); k++) {
    power *= x / k;
    two *= 2;
    term = (k % 2 ? 1 : -1) * (two - 2) * power;
    sum += term;
  }
  return sum;
}

double bri_affine_move(const bri_affine *f, double Y, double s, double length)
{
  return Y + (s * f->level - Y) * lost(f->a * length);
}

/* ---- sums over arcs ---- */

typedef struct {
  double hi, lo;
} sum2; /* an accumulator of twice the working precision: small loops are differences of long sums */

static sum2 sum2_add(sum2 a, double x)
{
  const double s = a.hi + x, t = s - a.hi, e = (a.hi - (s - t)) + (x - t), lo = a.lo + e, hi = s + lo;
  return (sum2){hi, lo - (hi - s)};
}

static double sum2_diff(sum2 a, sum2 b) { return (a.hi - b.hi) + (a.lo - b.lo); }

typedef struct {
  double fall;        /* integral of a Y drho: what friction takes from the elastic force, N */
  double rounding;    /* of the fall, N */
  double dissipation; /* integral of Y^2 / g drho, J */
} arc_sums;

static arc_sums arc_integrals(const bri_affine *f, double Y, double s, double length, double m)
{
  const double x = f->a * length;
  arc_sums r;
  const double kept = Y * m, added = f->sigma * length * bend(x, m);
  r.fall = kept + s * added;
  r.rounding = UNIT * (fabs(kept) + added);
  r.dissipation =
      (0.5 * Y * Y * m * (2 - m) / f->sigma + s * Y * m * m / f->a) + f->sigma * square(x, m) / f->a / f->a;
  return r;
}

static double arc_length(const bri_path *p, size_t i) { return fabs(p->u[i + 1] - p->u[i]); }

static int is_short(const bri_path *p, const bri_affine *f) { return f->a * p->total < 1; }

/* Short paths (a R < 1): Y = sigma (u - u_ref) - w, where the lag w relaxes towards sigma (u - u_ref); with
 * u_ref the mean over the path the elastic part carries no error.  m[i] is lost() of arc i. */
static double lag_after(const bri_path *p, const bri_affine *f, const double *m, size_t i, double u_ref,
                        double w)
{
  const double L = arc_length(p, i);
  return w + (f->sigma * (p->u[i] - u_ref) - w) * m[i] +
         bri_path_dir(p, i) * f->sigma * L * bend(f->a * L, m[i]);
}

static void corners_short(const bri_path *p, const bri_affine *f, const double *m, double *Y)
{
  double u_ref = 0, w = 0;
  for (size_t i = 0; i < p->n; i++) u_ref += 0.5 * (p->u[i] + p->u[i + 1]) * (arc_length(p, i) / p->total);
  for (size_t i = 0; i < p->n; i++) w = lag_after(p, f, m, i, u_ref, w);
  w /= lost(f->a *
            p->total); /* periodic: what one period adds to a zero lag, summed over all periods before */
  for (size_t i = 0; i <= p->n; i++) {
    Y[i] = f->sigma * (p->u[i] - u_ref) - w;
    if (i < p->n) w = lag_after(p, f, m, i, u_ref, w);
  }
}

/* Long paths: the same sum over all periods before, directly in Y. */
static void corners_long(const bri_path *p, const bri_affine *f, const double *m, double *Y)
{
  double y = 0;
  for (size_t i = 0; i < p->n; i++) y += (bri_path_dir(p, i) * f->level - y) * m[i];
  Y[0] = y / lost(f->a * p->total);
  for (size_t i = 0; i < p->n; i++) Y[i + 1] = Y[i] + (bri_path_dir(p, i) * f->level - Y[i]) * m[i];
}

/* Largest error of Y over the loop from rounding alone.  Long paths: every arc adds its own and hands on the
 * rest, and the periods before add up to what a period does not forget.  Short paths: the lag is a sum of n
 * terms, none larger than the elastic force, and loses nothing else. */
static double corner_error(const bri_path *p, const bri_affine *f, const double *m, const double *Y)
{
  double e = 0, most = 0, lo = p->u[0], hi = p->u[0];
  for (size_t i = 1; i < p->n; i++) lo = fmin(lo, p->u[i]), hi = fmax(hi, p->u[i]);
  if (is_short(p, f)) return 2 * UNIT * (double)(p->n + 4) * f->sigma * (hi - lo);
  for (int round = 0; round < 2; round++) {
    for (size_t i = 0; i < p->n; i++) {
      e = (1 - m[i]) * e + 2 * UNIT * (fabs(Y[i]) + f->level * m[i]);
      most = fmax(most, e);
    }
    if (round == 0) e /= lost(f->a * p->total);
  }
  return most;
}

/* What the closed form works with. */
typedef struct {
  double *m;         /* [n]: lost() of the arcs */
  sum2 *fall, *diss; /* [n + 1]: sums up to each corner */
  double *rounding;  /* [n + 1], N: of the fall */
} sums;

/* What the force loses over a minor loop.  u comes back, so only the lag has moved: the sum of the falls
 * gives a tiny gap all its digits.  Over very many arcs their rounding is more than that of the two ends. */
static double gap_of(const br_loop *loop, const sums *w, size_t i, size_t j, double back, double corner,
                     const arc_sums *last)
{
  const size_t n = loop->path.n;
  const int wraps = j < i; /* the loop runs over the end of the period */
  const double falls = sum2_diff(w->fall[j], w->fall[i]) + (wraps ? sum2_diff(w->fall[n], w->fall[0]) : 0.0);
  const double rounding = (w->rounding[j] - w->rounding[i]) + (wraps ? w->rounding[n] : 0.0) + last->rounding;
  if (rounding <= 2 * corner) return -(falls + last->fall);
  return bri_affine_move(&loop->affine, loop->Y[j], bri_path_dir(&loop->path, j), back) - loop->Y[i];
}

/* Fill one minor loop from the running sums; s is the direction of arrival at its start (and at its end). */
static void fill_minor(const br_loop *loop, const sums *w, size_t end_arc, double corner, br_minor *m)
{
  const bri_path *p = &loop->path;
  const bri_affine *f = &loop->affine;
  const size_t i = m->start_reversal, j = end_arc;
  const double s = bri_path_dir(p, j), back = fabs(m->u_start - p->u[j]);
  const arc_sums last = arc_integrals(f, loop->Y[j], s, back, lost(f->a * back));
  const double gap = gap_of(loop, w, i, j, back, corner, &last);
  const double rounds = j < i ? sum2_diff(w->diss[p->n], w->diss[0]) : 0.0;
  const double D = (sum2_diff(w->diss[j], w->diss[i]) + rounds) + last.dissipation;
  const double Y1 = loop->Y[i], stored = gap * (2 * Y1 + gap) / (2 * f->sigma);
  m->y_start = f->p * Y1 + s * f->q;
  m->gap = f->p * gap;
  m->y_end = m->y_start + m->gap;
  m->work = f->p * (D + stored) + f->q * (m->rho_end - m->rho_start);
  m->dissipation = f->p == 1 && f->q == 0 ? D : m->work - stored;
}

/* Between two turning points the force is monotone: its range is that of the limits from both sides. */
static void see(br_loop *loop, double y)
{
  loop->sum.y_min = fmin(loop->sum.y_min, y);
  loop->sum.y_max = fmax(loop->sum.y_max, y);
}

/* Corners, running sums and the range; the loop's Y is there. */
static void add_up(br_loop *loop, const sums *w)
{
  const bri_path *p = &loop->path;
  const bri_affine *f = &loop->affine;
  w->fall[0] = w->diss[0] = (sum2){0, 0};
  w->rounding[0] = 0;
  loop->sum.y_min = INFINITY, loop->sum.y_max = -INFINITY;
  for (size_t i = 0; i < p->n; i++) {
    const double s = bri_path_dir(p, i), arrived = bri_path_dir(p, i == 0 ? p->n - 1 : i - 1);
    const arc_sums r = arc_integrals(f, loop->Y[i], s, arc_length(p, i), w->m[i]);
    w->fall[i + 1] = sum2_add(w->fall[i], r.fall);
    w->diss[i + 1] = sum2_add(w->diss[i], r.dissipation);
    w->rounding[i + 1] = w->rounding[i] + r.rounding;
    loop->turning[i] = (br_turning){p->u[i], f->p * loop->Y[i] + arrived * f->q, p->rho[i]};
    see(loop, loop->turning[i].y);
    see(loop, f->p * loop->Y[i] + s * f->q);
  }
}

static void solve(br_loop *loop, const sums *w, const size_t *end_arc)
{
  const bri_path *p = &loop->path;
  const bri_affine *f = &loop->affine;
  for (size_t i = 0; i < p->n; i++) w->m[i] = lost(f->a * arc_length(p, i));
  if (is_short(p, f)) corners_short(p, f, w->m, loop->Y);
  else corners_long(p, f, w->m, loop->Y);
  add_up(loop, w);
  const double corner = corner_error(p, f, w->m, loop->Y);
  const double peak = fmax(fabs(loop->sum.y_min), fabs(loop->sum.y_max));
  double top = 0;
  for (size_t i = 0; i < p->n; i++) top = fmax(top, fabs(loop->Y[i]));
  loop->sum.work = f->p * w->diss[p->n].hi + f->q * p->total; /* closed: the stored energy returns */
  loop->sum.dissipation = loop->sum.work;
  loop->sum.contraction = brn_exp_f64(-f->a * p->total);
  /* of Y, of p and q (p = 1 - a share may be what is left of two large parts), of the sum; twice for a gap */
  loop->sum.error =
      2 * (fabs(f->p) * corner + UNIT * (4 * (1 + fabs(1 - f->p)) * top + 2 * fabs(f->q) + peak));
  loop->sum.iterations = 0;
  for (size_t k = 0; k < loop->sum.n_minor; k++) fill_minor(loop, w, end_arc[k], corner, &loop->minor[k]);
}

br_status bri_closed_solve(br_loop *loop, const size_t *end_arc)
{
  const size_t n = loop->path.n;
  const sums w = {bri_malloc_array(n, sizeof(double)), bri_malloc_array(n + 1, sizeof(sum2)),
                  bri_malloc_array(n + 1, sizeof(sum2)), bri_malloc_array(n + 1, sizeof(double))};
  loop->Y = bri_malloc_array(n + 1, sizeof(double));
  const int ready = w.m && w.fall && w.diss && w.rounding && loop->Y;
  if (ready) solve(loop, &w, end_arc);
  bri_free(w.m);
  bri_free(w.fall);
  bri_free(w.diss);
  bri_free(w.rounding);
  return ready ? BR_OK : BR_E_NOMEM;
}
