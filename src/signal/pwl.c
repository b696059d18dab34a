/* SPDX-License-Identifier: Apache-2.0
 * pwl.c - signals through knots: straight lines, monotone cubics, steps and ramps. */
#include <math.h>

#include "../base/alloc.h"
#include "../text/fail.h"
#include "signal_internal.h"

static double line_slope(const br_signal *sig, size_t i)
{
  const bri_knots *k = &sig->knots;
  const double du = k->u[i + 1] - k->u[i];
  if (sig->speed > 0.0) return du > 0.0 ? sig->speed : du < 0.0 ? -sig->speed : 0.0;
  return du / (k->s[i + 1] - k->s[i]);
}

/* Cubic through two knots with given rates, x in [0, h]. */
static double cubic(double u0, double u1, double d0, double d1, double h, double x, double *rate)
{
  const double a = (u1 - u0) / h;
  const double c2 = (3.0 * a - 2.0 * d0 - d1) / h, c3 = (d0 + d1 - 2.0 * a) / (h * h);
  *rate = d0 + x * (2.0 * c2 + 3.0 * x * c3);
  return u0 + x * (d0 + x * (c2 + x * c3));
}

static double between(double x, double a, double b)
{
  const double low = a < b ? a : b, high = a < b ? b : a;
  return x < low ? low : x > high ? high : x;
}

static double pwl_value(const br_signal *sig, double t)
{
  const bri_knots *k = &sig->knots;
  double periods = 0.0;
  if (isnan(t)) return t;
  const double x = bri_knots_local(k, t, &periods);
  if (k->n < 2 || x <= 0.0) return k->u[0];
  if (x >= k->s[k->n - 1]) return k->u[k->n - 1];
  const size_t i = bri_knots_segment(k, x);
  const double h = k->s[i + 1] - k->s[i], rest = x - k->s[i];
  double u = 0.0, rate = 0.0;
  if (sig->slope) {
    u = cubic(k->u[i], k->u[i + 1], sig->slope[i], sig->slope[i + 1], h, rest, &rate);
  } else {
    u = k->u[i] + (k->u[i + 1] - k->u[i]) * (rest / h);
  }
  return between(u, k->u[i], k->u[i + 1]); /* monotone to the last bit */
}

static double pwl_rate(const br_signal *sig, double t, int side)
{
  const bri_knots *k = &sig->knots;
  double periods = 0.0;
  if (isnan(t)) return t;
  if (k->n < 2 || !isfinite(t)) return 0.0;
  const double tol = bri_knots_tolerance(k, t), end = k->s[k->n - 1];
  const double x = bri_knots_local(k, t, &periods);
  size_t i = x > 0.0 ? bri_knots_segment(k, x) : 0;
  /* A time that equals a knot to rounding is at the knot: its side decides. */
  const int at_right = fabs(x - k->s[i + 1]) <= tol;
  const int at_left = !at_right && fabs(x - k->s[i]) <= tol;
  const size_t knot = at_right ? i + 1 : i;
  if (!at_right && !at_left) {
    if (x < 0.0 || x > end) return 0.0;
    if (!sig->slope) return line_slope(sig, i);
    double rate = 0.0;
    (void)cubic(k->u[i], k->u[i + 1], sig->slope[i], sig->slope[i + 1], k->s[i + 1] - k->s[i], x - k->s[i],
                &rate);
    return rate;
  }
  size_t right = knot, left = knot;
  if (k->period > 0.0) {
    if (knot == k->n - 1) right = 0;
    if (knot == 0) left = k->n - 1;
  }
  if (side < 0 ? left == 0 : right == k->n - 1) return 0.0; /* outside of a signal that rests there */
  if (sig->slope) return sig->slope[knot];
  return line_slope(sig, side < 0 ? left - 1 : right);
}

/* Only cubics are curved: c2 and c3 of cubic() give u'' = 2 c2 + 6 c3 x, linear between the two ends of the
 * piece. */
static double pwl_curvature(const br_signal *sig, double t, int side)
{
  const bri_knots *k = &sig->knots;
  double periods = 0.0;
  if (!sig->slope || k->n < 2) return 0.0;
  const double tol = bri_knots_tolerance(k, t), end = k->s[k->n - 1];
  double x = bri_knots_local(k, t, &periods);
  if (k->period > 0.0 && side < 0 && x <= tol) x = end;
  if (k->period > 0.0 && side >= 0 && x >= end - tol) x = 0.0;
  if (x < -tol || x > end + tol || (side < 0 ? x <= tol : x >= end - tol)) return 0.0;
  size_t i = bri_knots_segment(k, x < end ? x : end);
  if (side < 0 && i > 0 && fabs(x - k->s[i]) <= tol) i--;
  if (side >= 0 && i + 2 < k->n && fabs(x - k->s[i + 1]) <= tol) i++;
  const double h = k->s[i + 1] - k->s[i], a = (k->u[i + 1] - k->u[i]) / h;
  const double left = (6.0 * a - 4.0 * sig->slope[i] - 2.0 * sig->slope[i + 1]) / h;
  const double right = (2.0 * sig->slope[i] + 4.0 * sig->slope[i + 1] - 6.0 * a) / h;
  return left + (right - left) * ((x - k->s[i]) / h);
}

static double pwl_next_corner(const br_signal *sig, double t)
{
  return bri_knots_next_corner(&sig->knots, t);
}

static double pwl_variation(const br_signal *sig, double t)
{
  return isnan(t) ? t : bri_knots_variation(&sig->knots, t, pwl_value(sig, t));
}

static double pwl_normalised(const br_signal *sig, double rho)
{
  return bri_knots_normalised(&sig->knots, rho);
}

const bri_signal_ops bri_pwl_ops = {pwl_value,     pwl_rate,       pwl_next_corner,
                                    pwl_variation, pwl_normalised, pwl_curvature};

/* Rates of the monotone cubic: weighted harmonic mean of the neighbouring slopes, 0 at a reversal
 * (Fritsch-Butland). */
static double inner_rate(double h0, double h1, double a0, double a1)
{
  if (!(a0 * a1 > 0.0))
    return (a0 > 0.0 && a1 > 0.0) || (a0 < 0.0 && a1 < 0.0) ? (fabs(a0) < fabs(a1) ? a0 : a1) : 0.0;
  const double w0 = 2.0 * h1 + h0, w1 = h1 + 2.0 * h0;
  return (w0 + w1) / (w0 / a0 + w1 / a1);
}

/* One-sided three-point rate, limited so that the cubic stays monotone. */
static double end_rate(double h0, double h1, double a0, double a1)
{
  const double d = ((2.0 * h0 + h1) * a0 - h0 * a1) / (h0 + h1);
  if (d * a0 <= 0.0) return 0.0;
  if (a0 * a1 <= 0.0 && fabs(d) > 3.0 * fabs(a0)) return 3.0 * a0;
  return d;
}

static double secant(const bri_knots *k, size_t i)
{
  return (k->u[i + 1] - k->u[i]) / (k->s[i + 1] - k->s[i]);
}

static double width(const bri_knots *k, size_t i) { return k->s[i + 1] - k->s[i]; }

static void pchip_rates(br_signal *sig)
{
  const bri_knots *k = &sig->knots;
  const size_t last = k->n - 1;
  for (size_t i = 1; i < last; i++)
    sig->slope[i] = inner_rate(width(k, i - 1), width(k, i), secant(k, i - 1), secant(k, i));
  if (k->period > 0.0) {
    sig->slope[0] = inner_rate(width(k, last - 1), width(k, 0), secant(k, last - 1), secant(k, 0));
    sig->slope[last] = sig->slope[0];
  } else if (last == 1) {
    sig->slope[0] = sig->slope[1] = secant(k, 0);
  } else {
    sig->slope[0] = end_rate(width(k, 0), width(k, 1), secant(k, 0), secant(k, 1));
    sig->slope[last] =
        end_rate(width(k, last - 1), width(k, last - 2), secant(k, last - 1), secant(k, last - 2));
  }
}

static int sign_of(double x) { return (x > 0.0) - (x < 0.0); }

/* Once knots.s, u, origin, period are set: corners, rho, ends. */
static br_status pwl_finish(br_signal *sig, br_err *err)
{
  bri_knots *k = &sig->knots;
  bri_knots_measure(k);
  if (!isfinite(k->rho[k->n - 1]))
    return bri_fail(err, BR_E_RANGE, "the path length of the signal overflows");
  if (sig->slope && k->n > 1) pchip_rates(sig);
  for (size_t i = 0; i < k->n && k->n > 1; i++) {
    const int first = i == 0, last = i == k->n - 1;
    double left = 0.0, right = 0.0;
    if (last && k->period > 0.0) break; /* the same corner as knot 0 */
    if (!first || k->period > 0.0) left = line_slope(sig, first ? k->n - 2 : i - 1);
    if (!last) right = line_slope(sig, i);
    /* A cubic has no corners inside, only changes of direction; its rate does jump where a record ends. */
    const int edge = (first || last) && k->period == 0.0;
    const int corner = sig->slope && !edge ? sign_of(left) != sign_of(right)
                       : sig->slope        ? sig->slope[i] != 0.0 || sign_of(left) != sign_of(right)
                                           : left != right;
    if (corner) k->corner[k->ncorner++] = i;
  }
  sig->period = k->period;
  sig->path = k->period > 0.0 ? k->rho[k->n - 1] : 0.0;
  const double end = k->origin + k->s[k->n - 1];
  sig->duration = k->period > 0.0 ? k->period : end > 0.0 ? end : 0.0;
  k->rho_zero = 0.0;
  k->rho_zero = bri_knots_variation(k, 0.0, pwl_value(sig, 0.0));
  return BR_OK;
}

static br_status new_pwl(size_t n, br_signal **out, br_err *err)
{
  br_status st = bri_signal_new(&bri_pwl_ops, out, err);
  if (st) return st;
  st = bri_knots_create(&(*out)->knots, n, err);
  if (st) {
    br_signal_destroy(*out);
    *out = NULL;
  }
  return st;
}

static br_status check_samples(size_t n, const double *t, const double *u, int periodic, br_err *err)
{
  if (n == 0 || !t || !u) return bri_fail(err, BR_E_ARG, "a recorded signal needs at least one sample");
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(t[i]) || !isfinite(u[i]))
      return bri_text_fail(err, BR_E_NAN, (int)i, "sample %zu (t = %g, u = %g) is not finite", i, t[i], u[i]);
    if (i && !(t[i] > t[i - 1]))
      return bri_text_fail(err, BR_E_RANGE, (int)i, "sample %zu: time %.9g does not come after %.9g", i, t[i],
                           t[i - 1]);
  }
  if (periodic && n < 2) return bri_fail(err, BR_E_RANGE, "a periodic signal needs at least two samples");
  if (periodic && u[n - 1] != u[0])
    return bri_text_fail(err, BR_E_RANGE, (int)n - 1,
                         "periodic signal does not close: starts at %.9g, ends at %.9g", u[0], u[n - 1]);
  if (!isfinite(t[n - 1] - t[0])) return bri_fail(err, BR_E_RANGE, "the time span overflows");
  return BR_OK;
}

br_status br_signal_from_samples(size_t n, const double *t, const double *u, br_signal_shape shape,
                                 int periodic, br_signal **out, br_err *err)
{
  if (!out) return bri_fail(err, BR_E_ARG, "br_signal_from_samples: NULL argument");
  *out = NULL;
  br_status st = check_samples(n, t, u, periodic, err);
  if (st) return st;
  if (shape != BR_SIGNAL_LINEAR && shape != BR_SIGNAL_PCHIP)
    return bri_fail(err, BR_E_ARG, "unknown signal shape %d", (int)shape);
  br_signal *sig = NULL;
  st = new_pwl(n, &sig, err);
  if (st) return st;
  bri_knots *k = &sig->knots;
  k->origin = t[0];
  for (size_t i = 0; i < n; i++) {
    k->s[i] = t[i] - t[0];
    k->u[i] = u[i];
  }
  if (periodic) k->period = k->s[n - 1];
  if (shape == BR_SIGNAL_PCHIP && n > 1) {
    sig->slope = bri_malloc_array(n, sizeof(double));
    if (!sig->slope) st = bri_fail(err, BR_E_NOMEM, "no memory for a signal of %zu points", n);
  }
  if (!st) st = pwl_finish(sig, err);
  return bri_signal_done(st, sig, out);
}

br_status br_signal_from_arrays(size_t n, const double *t, const double *u, br_signal **out, br_err *err)
{
  return br_signal_from_samples(n, t, u, BR_SIGNAL_LINEAR, 0, out, err);
}

br_status br_signal_from_turning(size_t n, const double *u, double speed, br_signal **out, br_err *err)
{
  if (!out) return bri_fail(err, BR_E_ARG, "br_signal_from_turning: NULL argument");
  *out = NULL;
  if (n == 0 || !u) return bri_fail(err, BR_E_ARG, "no turning points");
  if (!(speed > 0.0) || !isfinite(speed))
    return bri_fail(err, BR_E_RANGE, "speed %g: expected a finite number > 0", speed);
  for (size_t i = 0; i < n; i++)
    if (!isfinite(u[i]))
      return bri_text_fail(err, BR_E_NAN, (int)i, "turning point %zu (%g) is not finite", i, u[i]);
  if (n > SIZE_MAX / 64) return bri_fail(err, BR_E_SIZE, "too many turning points");
  br_signal *sig = NULL;
  br_status st = new_pwl(n + 1, &sig, err);
  if (st) return st;
  bri_knots *k = &sig->knots;
  size_t m = 0;
  for (size_t i = 0; i < n; i++)
    if (m == 0 || u[i] != k->u[m - 1]) k->u[m++] = u[i];
  if (k->u[m - 1] != u[0] || m == 1)
    k->u[m++] = u[0]; /* close; a list that repeats its first point is closed already */
  k->n = m;
  sig->speed = speed;
  k->s[0] = k->s[m - 1] = 0.0;
  bri_knots_measure(k);
  for (size_t i = 0; i < m; i++) k->s[i] = k->rho[i] / speed;
  k->period = k->s[m - 1];
  if (!(k->period > 0.0) || !isfinite(k->period))
    st = bri_fail(err, BR_E_RANGE, "turning points: at least two must differ, and the path must be finite");
  for (size_t i = 1; !st && i < m; i++)
    if (!(k->s[i] > k->s[i - 1]))
      st = bri_text_fail(err, BR_E_RANGE, (int)i,
                         "turning points %.17g and %.17g are too close for a path of %g", k->u[i - 1],
                         k->u[i], k->rho[m - 1]);
  if (!st) st = pwl_finish(sig, err);
  return bri_signal_done(st, sig, out);
}

/* A triangle that starts at 0 rising: its period is laid out from the minimum before t = 0. */
br_status bri_signal_triangle(double amplitude, double frequency, br_signal **out, br_err *err)
{
  br_signal *sig = NULL;
  br_status st = new_pwl(3, &sig, err);
  if (st) return st;
  const double period = 1.0 / frequency;
  bri_knots *k = &sig->knots;
  k->origin = -0.25 * period;
  k->s[0] = 0.0, k->s[1] = 0.5 * period, k->s[2] = period;
  k->u[0] = -amplitude, k->u[1] = amplitude, k->u[2] = -amplitude;
  k->period = period;
  return bri_signal_done(pwl_finish(sig, err), sig, out);
}
