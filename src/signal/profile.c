/* SPDX-License-Identifier: Apache-2.0
 * profile.c - moves from 0 to A with the derivatives a control law needs: trapezoid (limited velocity and
 * acceleration), S-curve (limited jerk too), and a step through a filter.
 *
 * The first two are one shape: velocity rises within Ta, of which Tj at each end are at constant jerk (0 for
 * the trapezoid), is held for Tv, and falls the same way.  Only the first half is written down; the second
 * one is its mirror image, so the move ends at A to the last bit. */
#include <math.h>

#include "../../core/elementary.h"
#include "../text/fail.h"
#include "signal_internal.h"

typedef struct {
  double u, v, a;
} point;

static double total(const bri_profile *p) { return 2 * p->Ta + p->Tv; }

/* First half, s from its start, size 1 in direction.  Where the acceleration jumps, before != 0 asks for the
 * limit from earlier times; times closer than `same` are the same. */
static point half(const bri_profile *p, double s, double same, int before)
{
  const double where = before ? s - same : s + same;
  const double held = p->Ta - p->Tj, up = p->Ta * p->v / 2; /* path until the velocity is reached */
  point x = {0, 0, 0};
  if (where < p->Tj) {
    x.a = p->j * s, x.v = p->j * s * s / 2, x.u = p->j * s * s * s / 6;
  } else if (where < held) {
    const double d = s - p->Tj, v1 = p->a * p->Tj / 2;
    x.a = p->a, x.v = v1 + p->a * d, x.u = p->a * p->Tj * p->Tj / 6 + v1 * d + p->a * d * d / 2;
  } else if (where < p->Ta) {
    const double d = p->Ta - s;
    x.a = p->j * d, x.v = p->v - p->j * d * d / 2, x.u = up - p->v * d + p->j * d * d * d / 6;
  } else {
    x.a = 0, x.v = p->v, x.u = up + p->v * (s - p->Ta);
  }
  if (where < 0) x.a = 0; /* before the start */
  return x;
}

static point at(const br_signal *sig, double t, int side)
{
  const bri_profile *p = &sig->profile;
  const double s = t - p->t0, T = total(p);
  point x = {0, 0, 0};
  if (isnan(t)) {
    x.u = x.v = x.a = t;
    return x;
  }
  const double same = 1e-14 * (fabs(t) + fabs(p->t0) + T), mid = s - T / 2;
  if (s < -same || T == 0) x.u = 0;
  else if (s > T + same) x.u = fabs(p->height);
  else if (mid < -same || (mid <= same && side < 0)) x = half(p, fmax(0, s), same, side < 0);
  else { /* mirrored: later is earlier */ x = half(p, fmax(0, T - s), same, side >= 0);
    x.u = fabs(p->height) - x.u, x.a = -x.a;
  }
  if (p->height < 0 && T > 0) x.u = -x.u, x.v = -x.v, x.a = -x.a;
  return x;
}

static double value(const br_signal *sig, double t) { return at(sig, t, 1).u; }
static double rate(const br_signal *sig, double t, int side) { return at(sig, t, side).v; }
static double curvature(const br_signal *sig, double t, int side) { return at(sig, t, side).a; }

static double next_of(const double *s, size_t n, double t0, double t)
{
  const double tiny = 1e-14 * fmax(fabs(t), fabs(t0) + (n ? s[n - 1] : 0));
  for (size_t i = 0; i < n; i++)
    if (t0 + s[i] > t + tiny) return t0 + s[i];
  return INFINITY;
}

/* Where the acceleration or the jerk jumps. */
static double next_corner(const br_signal *sig, double t)
{
  const bri_profile *p = &sig->profile;
  const double T = total(p);
  const double s[8] = {0, p->Tj, p->Ta - p->Tj, p->Ta, T - p->Ta, T - p->Ta + p->Tj, T - p->Tj, T};
  return T > 0 ? next_of(s, 8, p->t0, t) : INFINITY;
}

/* u is monotone. */
static double variation(const br_signal *sig, double t)
{
  const double d = fabs(sig->ops->value(sig, t)) - fabs(sig->ops->value(sig, 0));
  return isnan(t) ? t : d;
}

static double normalised(const br_signal *sig, double rho)
{
  const double h = sig->profile.height, r = rho + fabs(sig->ops->value(sig, 0));
  if (isnan(rho)) return rho;
  return r <= 0 ? 0 : r >= fabs(h) ? h : copysign(r, h);
}

static const bri_signal_ops profile_ops = {value, rate, next_corner, variation, normalised, curvature};

static br_status make(const bri_profile *p, const char *name, double duration, const bri_signal_ops *ops,
                      br_signal **out, br_err *err)
{
  if (!isfinite(duration) || !isfinite(p->v) || !isfinite(p->a) || !isfinite(p->j))
    return bri_fail(err, BR_E_RANGE, "%s: a move of %g takes no finite time with these limits", name,
                    p->height);
  const br_status st = bri_signal_new(ops, out, err);
  if (st) return st;
  (*out)->profile = *p;
  (*out)->duration = fmax(0, duration);
  return BR_OK;
}

br_status bri_signal_trapezoid(double height, double v, double a, double t0, br_signal **out, br_err *err)
{
  const double way = fabs(height);
  bri_profile p = {.height = height, .t0 = t0, .v = v, .a = a};
  if (way < v * (v / a)) p.v = sqrt(way) * sqrt(a); /* the velocity is not reached: a triangle */
  p.Ta = p.v / a;
  p.Tv = p.v > 0 ? fmax(0, way / p.v - p.Ta) : 0;
  return make(&p, "trapezoid", t0 + total(&p), &profile_ops, out, err);
}

br_status bri_signal_scurve(double height, double v, double a, double j, double t0, br_signal **out,
                            br_err *err)
{
  const double way = fabs(height);
  bri_profile p = {.height = height, .t0 = t0, .v = v, .a = a, .j = j};
  p.Tj = a / j;
  p.Ta = p.Tj + v / a;
  if (v * j < a * a) p.Tj = sqrt(v / j), p.Ta = 2 * p.Tj; /* the acceleration is not reached */
  if (way < v * p.Ta) {                                   /* nor the velocity */
    p.Tj = a / j;
    p.v = 0.5 * a * (sqrt(p.Tj * p.Tj + 4 * way / a) - p.Tj);
    p.Ta = p.Tj + p.v / a;
    if (p.v * j < a * a) p.Tj = bri_cbrt(way / (2 * j)), p.v = j * p.Tj * p.Tj, p.Ta = 2 * p.Tj;
  }
  p.a = j * p.Tj;
  p.Tv = p.v > 0 ? fmax(0, way / p.v - p.Ta) : 0;
  return make(&p, "scurve", t0 + total(&p), &profile_ops, out, err);
}

/* ---- A (1 - (1 + s) e^-s), s = (t - t0) / tau: two equal poles, so that u and u' are continuous ---- */

static point filtered(const br_signal *sig, double t)
{
  const bri_profile *p = &sig->profile;
  const double s = (t - p->t0) / p->Ta;
  point x = {0, 0, 0};
  if (isnan(t)) x.u = x.v = x.a = t;
  if (!(s >= 0)) return x;
  if (s > 700) {
    x.u = p->height;
    return x;
  }
  const double e = bri_exp(-s);
  /* 1 - (1 + s) e^-s cancels for small s: its series s^2/2 - s^3/3 + s^4/8 - ... */
  const double rise = s < 1e-2 ? s * s * (0.5 - s * (1.0 / 3 - s * (0.125 - s * (1.0 / 30 - s / 144))))
                               : -bri_expm1(-s) - s * e;
  x.u = p->height * rise;
  x.v = p->height * s * e / p->Ta;
  x.a = p->height * (1 - s) * e / (p->Ta * p->Ta);
  return x;
}

static double filtered_value(const br_signal *sig, double t) { return filtered(sig, t).u; }
static double filtered_rate(const br_signal *sig, double t, int side)
{
  (void)side;
  return filtered(sig, t).v;
}
static double filtered_curvature(const br_signal *sig, double t, int side)
{
  const double t0 = sig->profile.t0, at = fabs(t - t0) <= 1e-14 * (fabs(t) + fabs(t0)) ? t0 : t;
  return side < 0 && at <= t0 ? 0 : filtered(sig, at).a;
}
static double filtered_corner(const br_signal *sig, double t)
{
  const double zero = 0;
  return sig->profile.height != 0 ? next_of(&zero, 1, sig->profile.t0, t) : INFINITY;
}

static const bri_signal_ops filtered_ops = {filtered_value, filtered_rate, filtered_corner,
                                            variation,      normalised,    filtered_curvature};

br_status bri_signal_filtered_step(double height, double tau, double t0, br_signal **out, br_err *err)
{
  const bri_profile p = {.height = height, .t0 = t0, .Ta = tau};
  return make(&p, "filtered_step", t0 + 40 * tau, &filtered_ops, out, err);
}
