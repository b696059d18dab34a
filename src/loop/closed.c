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
#include "../table/alloc.h"
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
  if (slow && fabs(f->q) < 1e-100) f->q = 0; /* what fades with the speed is gone, a jump at rest is not */
  return f->sigma > 0;
}

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
  double dissipation; /* integral of Y^2 / g drho, J */
} arc_sums;

static arc_sums arc_integrals(const bri_affine *f, double Y, double s, double length, double m)
{
  const double x = f->a * length;
  arc_sums r;
  r.fall = Y * m + s * f->sigma * length * bend(x, m);
  r.dissipation =
      (0.5 * Y * Y * m * (2 - m) / f->sigma + s * Y * m * m / f->a) + f->sigma * square(x, m) / f->a / f->a;
  return r;
}

static double arc_length(const bri_path *p, size_t i) { return fabs(p->u[i + 1] - p->u[i]); }

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

/* Fill one minor loop from the running sums; s is the direction of arrival at its start (and at its end). */
static void fill_minor(const br_loop *loop, const sum2 *fall, const sum2 *diss, size_t end_arc, br_minor *m)
{
  const bri_path *p = &loop->path;
  const bri_affine *f = &loop->affine;
  const size_t i = m->start_reversal, j = end_arc;
  const double s = bri_path_dir(p, j), back = fabs(m->u_start - p->u[j]);
  const int wraps = j < i; /* the loop runs over the end of the period */
  arc_sums last = arc_integrals(f, loop->Y[j], s, back, lost(f->a * back));
  const double rounds_fall = wraps ? sum2_diff(fall[p->n], fall[0]) : 0.0;
  const double rounds_diss = wraps ? sum2_diff(diss[p->n], diss[0]) : 0.0;
  const double gap =
      -((sum2_diff(fall[j], fall[i]) + rounds_fall) + last.fall); /* u comes back: only the lag moved */
  const double D = (sum2_diff(diss[j], diss[i]) + rounds_diss) + last.dissipation;
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

br_status bri_closed_solve(br_loop *loop, const size_t *end_arc)
{
  const bri_path *p = &loop->path;
  const bri_affine *f = &loop->affine;
  sum2 *fall = bri_malloc_array(p->n + 1, sizeof *fall), *diss = bri_malloc_array(p->n + 1, sizeof *diss);
  double *m = bri_malloc_array(p->n, sizeof *m);
  loop->Y = bri_malloc_array(p->n + 1, sizeof(double));
  if (!fall || !diss || !m || !loop->Y) {
    bri_free(fall);
    bri_free(diss);
    bri_free(m);
    return BR_E_NOMEM;
  }
  for (size_t i = 0; i < p->n; i++) m[i] = lost(f->a * arc_length(p, i));
  if (f->a * p->total < 1) corners_short(p, f, m, loop->Y);
  else corners_long(p, f, m, loop->Y);
  fall[0] = diss[0] = (sum2){0, 0};
  loop->sum.y_min = INFINITY, loop->sum.y_max = -INFINITY;
  for (size_t i = 0; i < p->n; i++) {
    const double s = bri_path_dir(p, i), arrived = bri_path_dir(p, i == 0 ? p->n - 1 : i - 1);
    const arc_sums r = arc_integrals(f, loop->Y[i], s, arc_length(p, i), m[i]);
    fall[i + 1] = sum2_add(fall[i], r.fall);
    diss[i + 1] = sum2_add(diss[i], r.dissipation);
    loop->turning[i] = (br_turning){p->u[i], f->p * loop->Y[i] + arrived * f->q, p->rho[i]};
    see(loop, loop->turning[i].y);
    see(loop, f->p * loop->Y[i] + s * f->q);
  }
  loop->sum.work = f->p * diss[p->n].hi + f->q * p->total; /* closed: the stored energy returns */
  loop->sum.dissipation = loop->sum.work;
  loop->sum.contraction = brn_exp_f64(-f->a * p->total);
  loop->sum.error = 8 * 0x1p-53 * fmax(fabs(loop->sum.y_min), fabs(loop->sum.y_max));
  loop->sum.iterations = 0;
  for (size_t k = 0; k < loop->sum.n_minor; k++) fill_minor(loop, fall, diss, end_arc[k], &loop->minor[k]);
  bri_free(fall);
  bri_free(diss);
  bri_free(m);
  return BR_OK;
}
