/* SPDX-License-Identifier: Apache-2.0
 * arc.c - any single-axis model along one monotone arc at constant speed.
 * Models with an exact step are moved in one call and their work is a quadrature of the known curve; the
 * others are integrated over the path length by extrapolation (modified midpoint, orders up to 12), which
 * needs no starting values, reaches rounding and is stopped by a kink only as long as it takes to shrink the
 * step onto it. */
#include <math.h>
#include <string.h>

#include "../solve/fixpoint.h"
#include "../text/fail.h"
#include "loop_internal.h"

#define MAX_DIM 72          /* (re, im) pairs of the largest integrated model, and the work */
#define DERIVATIVE_TOL 1e-9 /* relative error of the derivative of the period map that Newton is given */
#define COLUMNS 6           /* extrapolation sequence 2, 4, ... 2 * COLUMNS */

double bri_arc_force(const bri_arc_model *a, double u, double s, const double *z)
{
  double dz[2 * BR_LOOP_MAX_STATE], F[2];
  const double v = s * a->speed;
  a->model->rate(a->par, a->load, &u, &v, z, dz);
  a->model->force(a->par, a->load, &u, &v, z, dz, F);
  return F[0];
}

int bri_arc_force_depends(const bri_arc_model *a, double u, const double *z, size_t j)
{
  if (!a->par_pair) return bri_arc_force_moves(a, u, z, j);
  const double u2[2] = {u, 0}, v2[2] = {a->speed, 0}, n2[2] = {a->load, 0};
  double z2[4 * BR_LOOP_MAX_STATE], dz[4 * BR_LOOP_MAX_STATE], F[4];
  for (size_t i = 0; i < a->nz; i++) z2[2 * i] = z[i], z2[2 * i + 1] = i == j ? BRI_IMAG_STEP : 0;
  a->model->rate_pair(a->par_pair, n2, u2, v2, z2, dz);
  a->model->force_pair(a->par_pair, n2, u2, v2, z2, dz, F);
  return F[1] != 0;
}

/* ---- quadrature of the force along an exactly known arc ---- */

typedef struct {
  const bri_arc_model *a;
  const double *z0;
  double u, s;
  long *budget; /* rules left: rounding noise in a force of cancelling terms must not be halved for ever */
} curve;

static double curve_force(const curve *c, double r)
{
  double z[2 * BR_LOOP_MAX_STATE];
  const double v = c->s * c->a->speed;
  memcpy(z, c->z0, c->a->nz * sizeof(double));
  c->a->model->step(c->a->par, c->a->load, &c->u, &v, r / c->a->speed, z);
  return bri_arc_force(c->a, c->u + c->s * r, c->s, z);
}

/* Gauss-Legendre with 10 nodes; the rule on the two halves is its error estimate. */
static double gauss(const curve *c, double lo, double hi)
{
  static const double node[] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                0.8650633666889845, 0.9739065285171717};
  static const double weight[] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                  0.1494513491505806, 0.0666713443086881};
  const double mid = 0.5 * (lo + hi), half = 0.5 * (hi - lo);
  double sum = 0;
  for (int i = 0; i < 5; i++)
    sum += weight[i] * (curve_force(c, mid - half * node[i]) + curve_force(c, mid + half * node[i]));
  return sum * half;
}

/* Halve until two halves agree with the whole, to tol or to what rounding in the force leaves of this part.
 */
static double quadrature(const curve *c, double lo, double hi, double whole, double tol, int depth)
{
  const double mid = 0.5 * (lo + hi), left = gauss(c, lo, mid), right = gauss(c, mid, hi);
  const double off = fabs(left + right - whole);
  *c->budget -= 2;
  if (depth <= 0 || *c->budget <= 0 || off <= tol || off <= 1e-13 * (fabs(left) + fabs(right)))
    return left + right;
  return quadrature(c, lo, mid, left, 0.5 * tol, depth - 1) +
         quadrature(c, mid, hi, right, 0.5 * tol, depth - 1);
}

/* ---- extrapolation over the path length ---- */

typedef struct {
  const bri_arc_model *a;
  double u, s;
  int pair;      /* 1: (re, im) pairs; 0: real numbers */
  int with_work; /* the last component is the work (a force measured by the filter, where there is one) */
  size_t dim;
  const bri_wave *wave; /* NULL: arc at constant speed over r metres; else r is the wave's own time, s */
} ode;

/* Position, velocity and physical seconds per unit of r. */
static double motion(const ode *o, double r, double *u, double *v)
{
  if (o->wave) {
    *u = br_signal_value(o->wave->input, r);
    *v = br_signal_rate(o->wave->input, r, r > o->wave->middle ? -1 : 1) / o->wave->scale;
    return o->wave->scale;
  }
  *u = o->u + o->s * r;
  *v = o->s * o->a->speed;
  return 1 / o->a->speed;
}

static void slope(const ode *o, double r, const double *x, double *dx)
{
  const bri_arc_model *a = o->a;
  const size_t extra = a->nz; /* filter output, then work, behind the states */
  double u, v, F[4];
  const double seconds = motion(o, r, &u, &v);
  if (o->pair) {
    const double n2[2] = {a->load, 0}, u2[2] = {u, 0}, v2[2] = {v, 0};
    a->model->rate_pair(a->par_pair, n2, u2, v2, x, dx);
    if (o->wave && o->wave->tau > 0) {
      a->model->force_pair(a->par_pair, n2, u2, v2, x, dx, F);
      dx[2 * extra] = (F[0] - x[2 * extra]) / o->wave->tau;
      dx[2 * extra + 1] = (F[1] - x[2 * extra + 1]) / o->wave->tau;
    }
  } else {
    const int filtered = o->wave && o->wave->tau > 0;
    a->model->rate(a->par, a->load, &u, &v, x, dx);
    if (filtered || o->with_work) a->model->force(a->par, a->load, &u, &v, x, dx, F);
    if (filtered) dx[extra] = (F[0] - x[extra]) / o->wave->tau;
    if (o->with_work) dx[o->dim - 1] = (filtered ? x[extra] : F[0]) * v;
  }
  for (size_t i = 0; i < o->dim; i++) dx[i] *= seconds;
}

/* Modified midpoint rule with n sub-steps over H. */
static void midpoint(const ode *o, double r, double H, int n, const double *x0, const double *dx0,
                     double *out)
{
  double before[MAX_DIM], now[MAX_DIM], dx[MAX_DIM];
  const double h = H / n;
  for (size_t i = 0; i < o->dim; i++) before[i] = x0[i], now[i] = x0[i] + h * dx0[i];
  for (int k = 1; k < n; k++) {
    slope(o, r + k * h, now, dx);
    for (size_t i = 0; i < o->dim; i++) {
      const double next = before[i] + 2 * h * dx[i];
      before[i] = now[i];
      now[i] = next;
    }
  }
  slope(o, r + H, now, dx);
  for (size_t i = 0; i < o->dim; i++) out[i] = 0.5 * (now[i] + before[i] + h * dx[i]);
}

/* The work may pass zero anywhere: its yardstick is the present force times the path of the whole arc or
 * period. */
static double work_scale(const ode *o, double r, double end, const double *x)
{
  double u, v, dz[MAX_DIM], F[4];
  motion(o, r, &u, &v);
  o->a->model->rate(o->a->par, o->a->load, &u, &v, x, dz);
  o->a->model->force(o->a->par, o->a->load, &u, &v, x, dz, F);
  return fabs(F[0]) * (o->wave ? br_signal_path(o->wave->input) : end - r);
}

/* The derivative jumps where the equations switch (|z| at z = 0) although the state does not: it has its own
 * error. */
static double imaginary_error(const ode *o, const double *x, const double *best, const double *second)
{
  double off = 0, size = 0;
  for (size_t i = 1; i < o->dim; i += 2) {
    off = fmax(off, fabs(best[i] - second[i]));
    size = fmax(size, fmax(fabs(best[i]), fabs(x[i])));
  }
  return size > 0 ? off / size : 0.0;
}

/* One extrapolated step; x becomes the new value, the result is the largest scaled error. */
static double extrapolate(const ode *o, double r, double H, double *x, const double *scale)
{
  double T[COLUMNS][MAX_DIM], dx0[MAX_DIM], worst = 0;
  slope(o, r, x, dx0);
  for (int j = 0; j < COLUMNS; j++) {
    midpoint(o, r, H, 2 * (j + 1), x, dx0, T[j]);
    /* Neville in place: T[j] holds the diagonal, T[j-1].. the previous row's entries */
    for (int k = j - 1; k >= 0; k--) {
      const double q = (double)(j + 1) / (k + 1), factor = 1 / (q * q - 1);
      for (size_t i = 0; i < o->dim; i++) T[k][i] = T[k + 1][i] + (T[k + 1][i] - T[k][i]) * factor;
    }
  }
  for (size_t i = 0; i < o->dim; i += o->pair ? 2 : 1)
    worst = fmax(worst, fabs(T[0][i] - T[1][i]) / fmax(scale[i], fabs(T[0][i])));
  if (o->pair) worst = fmax(worst, imaginary_error(o, x, T[0], T[1]) * o->a->rtol / DERIVATIVE_TOL);
  memcpy(x, T[0], o->dim * sizeof *x);
  return worst;
}

/* Component whose real part changes its sign between x and trial, dim when none.  Models switch where a state
 * passes zero (|z|, sgn z): a step must end there, not straddle it. */
static size_t crossing(const ode *o, const double *x, const double *trial)
{
  const size_t step = o->pair ? 2 : 1, states = o->a->nz * step;
  for (size_t i = 0; i < states; i += step)
    if (x[i] * trial[i] < 0) return i;
  return o->dim;
}

/* Shorten the step so that component i ends on zero (Illinois rule); trial and the error follow. */
static double stop_at_zero(const ode *o, double r, double *H, const double *x, double *trial,
                           const double *scale, size_t i)
{
  double lo = 0, hi = *H, f_lo = x[i], f_hi = trial[i], e = 0;
  for (int k = 0; k < 60; k++) {
    const double h = lo + (hi - lo) * f_lo / (f_lo - f_hi);
    memcpy(trial, x, o->dim * sizeof *x);
    e = extrapolate(o, r, h, trial, scale);
    *H = h;
    if (fabs(trial[i]) <= 1e-15 * scale[i] || !(h > lo) || !(h < hi)) break;
    if (trial[i] * f_hi < 0) {
      lo = hi, f_lo = f_hi; /* keep the two newest points on either side */
    } else {
      f_lo *= 0.5;
    }
    hi = h, f_hi = trial[i];
    if (lo > hi) {
      const double t = lo, ft = f_lo;
      lo = hi, f_lo = f_hi, hi = t, f_hi = ft;
    }
  }
  trial[i] =
      copysign(1e-18 * scale[i], -x[i]); /* just beyond, so that sgn and its derivative are those ahead */
  return e;
}

/* Largest change of a state over the step, against the largest state so far.  A step that more than turns the
 * state over may jump across a switching place with a clean error estimate (the field is piecewise linear
 * there): it is not to be trusted. */
static double turnover(const ode *o, const double *x, const double *trial, const double *scale)
{
  const size_t step = o->pair ? 2 : 1;
  double change = 0, size = 0;
  for (size_t i = 0; i < o->a->nz * step; i += step) {
    change = fmax(change, fabs(trial[i] - x[i]));
    size = fmax(size, scale[i]);
  }
  return change / size;
}

static br_status integrate(const ode *o, double r, double end, double *x, br_err *err)
{
  const double length = end - r, smallest = 0x1p-46 * length;
  double H = length / 8, scale[MAX_DIM] = {0}, trial[MAX_DIM] = {0}, dx[MAX_DIM], u = 0, v = 0;
  slope(o, r, x, dx);
  for (size_t i = 0; i < o->dim; i++) scale[i] = fmax(fabs(x[i]), fabs(dx[i]) * length * 0.01);
  if (o->with_work) scale[o->dim - 1] = 0;
  for (long count = 0; r < end; count++) {
    double e;
    if (count > 4000)
      return bri_text_fail(err, BR_E_CONVERGE, -1,
                           "%s: integration along an arc needs too many steps at u = %.9g m",
                           o->a->model->name, (motion(o, r, &u, &v), u));
    if (r + H > end) H = end - r;
    for (size_t i = 0; i < o->dim; i++) {
      trial[i] = x[i];
      scale[i] = fmax(scale[i], fabs(x[i]));
      if (!(scale[i] > 1e-290)) scale[i] = 1e-290;
    }
    if (o->with_work) {
      double *w = &scale[o->dim - 1];
      *w = fmax(*w, fmax(work_scale(o, r, end, x), fabs(dx[o->dim - 1]) * length));
    }
    e = extrapolate(o, r, H, trial, scale) / o->a->rtol;
    if (!(e < 1e300)) {
      if (H <= smallest)
        return bri_text_fail(err, BR_E_NAN, -1, "%s: the state runs away at u = %.9g m", o->a->model->name,
                             (motion(o, r, &u, &v), u));
      H *= 0.25;
      continue;
    }
    if (H > smallest && turnover(o, x, trial, scale) > 0.7) {
      H = fmax(smallest, H * fmax(0.1, 0.5 / turnover(o, x, trial, scale)));
      continue;
    }
    if (e <= 1e4 && H > smallest) { /* near enough to trust the sign at the end */
      const size_t i = crossing(o, x, trial);
      if (i < o->dim) e = stop_at_zero(o, r, &H, x, trial, scale, i) / o->a->rtol;
    }
    if (e <= 1 || H <= smallest) {
      r = H == end - r ? end : r + H;
      memcpy(x, trial, o->dim * sizeof *x);
    }
    H *= fmin(4.0, fmax(0.1, 0.85 * pow(e + 1e-30, -1.0 / (2 * COLUMNS - 1))));
    H = fmax(H, smallest);
  }
  return BR_OK;
}

br_status bri_arc_move(const bri_arc_model *a, double u, double s, double length, double *z, double *work,
                       br_err *err)
{
  if (a->model->flags & BR_MODEL_EXACT_STEP || a->nz == 0) {
    const double v = s * a->speed;
    if (work) {
      long budget = 4000;
      const curve c = {a, z, u, s, &budget};
      const double whole = gauss(&c, 0, length);
      const double size = length * fmax(fabs(curve_force(&c, length)), fabs(curve_force(&c, 0)));
      *work += s * quadrature(&c, 0, length, whole, 2e-15 * fmax(size, fabs(whole)), 40);
    }
    a->model->step(a->par, a->load, &u, &v, length / a->speed, z);
    return BR_OK;
  }
  if (a->nz + 1 > MAX_DIM)
    return bri_text_fail(err, BR_E_UNSUPPORTED, -1, "%s has too many states to integrate", a->model->name);
  double x[MAX_DIM] = {0};
  const ode o = {a, u, s, 0, work != NULL, a->nz + (work ? 1 : 0), NULL};
  memcpy(x, z, a->nz * sizeof *z);
  const br_status st = integrate(&o, 0, length, x, err);
  if (st != BR_OK) return st;
  memcpy(z, x, a->nz * sizeof *z);
  if (work) *work += x[a->nz];
  return BR_OK;
}

br_status bri_arc_move_pair(const bri_arc_model *a, double u, double s, double length, double *z, br_err *err)
{
  const double n2[2] = {a->load, 0}, u2[2] = {u, 0}, v2[2] = {s * a->speed, 0},
               h2[2] = {length / a->speed, 0};
  if (a->model->flags & BR_MODEL_EXACT_STEP || a->nz == 0) {
    a->model->step_pair(a->par_pair, n2, u2, v2, h2, z);
    return BR_OK;
  }
  if (2 * a->nz > MAX_DIM)
    return bri_text_fail(err, BR_E_UNSUPPORTED, -1, "%s has too many states to integrate", a->model->name);
  const ode o = {a, u, s, 1, 0, 2 * a->nz, NULL};
  return integrate(&o, 0, length, z, err);
}

/* ---- a wave in its own time ---- */

/* Is u(t) straight on [t0, t1]?  Then the velocity is held and an exact step is exact. */
static int is_straight(const bri_wave *w, double t0, double t1)
{
  const double a = br_signal_rate(w->input, t0, 1), b = br_signal_rate(w->input, t1, -1);
  const double c = br_signal_rate(w->input, t0 + 0.37 * (t1 - t0), 1);
  return a == b && a == c;
}

/* Integrate a curved piece in decades towards both ends: near a reversal the speed falls through every scale,
 * and a Stribeck hump at a thousandth of the peak speed must not lie between two evaluations of a large step.
 */
static br_status in_decades(const ode *o, double t0, double t1, double *x, br_err *err)
{
  static const double part[] = {1e-7, 1e-6, 1e-5,  1e-4,   1e-3,    1e-2,     0.1,       0.5,
                                0.9,  0.99, 0.999, 0.9999, 0.99999, 0.999999, 0.9999999, 1};
  br_status st = BR_OK;
  double t = t0;
  for (size_t k = 0; st == BR_OK && k < sizeof part / sizeof part[0]; k++) {
    const double next = part[k] < 1 ? t0 + part[k] * (t1 - t0) : t1;
    if (next > t) st = integrate(o, t, next, x, err);
    t = next;
  }
  return st;
}

br_status bri_wave_move(const bri_arc_model *a, bri_wave *w, double t0, double t1, double *x, double *work,
                        br_err *err)
{
  const size_t dim = a->nz + (w->tau > 0) + (work != NULL);
  double y[MAX_DIM] = {0};
  if (t1 <= t0) return BR_OK;
  if (is_straight(w, t0, t1) && !(w->tau > 0) && a->model->flags & BR_MODEL_EXACT_STEP) {
    const double v = br_signal_rate(w->input, t0, 1) / w->scale;
    bri_arc_model held = *a;
    held.speed = fabs(v);
    if (v == 0) return BR_OK; /* at rest nothing moves: every exact model holds its state */
    return bri_arc_move(&held, br_signal_value(w->input, t0), v > 0 ? 1.0 : -1.0,
                        fabs(v) * w->scale * (t1 - t0), x, work, err);
  }
  if (dim > MAX_DIM)
    return bri_text_fail(err, BR_E_UNSUPPORTED, -1, "%s has too many states", a->model->name);
  const ode o = {a, 0, 0, 0, work != NULL, dim, w};
  w->middle = 0.5 * (t0 + t1);
  memcpy(y, x, (a->nz + (w->tau > 0)) * sizeof *x);
  const br_status st = in_decades(&o, t0, t1, y, err);
  memcpy(x, y, (a->nz + (w->tau > 0)) * sizeof *x);
  if (work) *work += y[dim - 1];
  return st;
}

br_status bri_wave_move_pair(const bri_arc_model *a, bri_wave *w, double t0, double t1, double *x,
                             br_err *err)
{
  const size_t dim = 2 * (a->nz + (w->tau > 0));
  if (t1 <= t0) return BR_OK;
  if (dim > MAX_DIM)
    return bri_text_fail(err, BR_E_UNSUPPORTED, -1, "%s has too many states", a->model->name);
  const ode o = {a, 0, 0, 1, 0, dim, w};
  w->middle = 0.5 * (t0 + t1);
  return in_decades(&o, t0, t1, x, err);
}
