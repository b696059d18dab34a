/* SPDX-License-Identifier: Apache-2.0
 * phase.c - one sine of a growing phase: sine and chirp, all in closed form.
 *
 * u = A sin(theta) + offset, theta = 2 pi p(t) + phase, p' >= 0.  Reversals lie at theta = pi/2 + k pi.
 * With V(theta) = integral of |cos| from 0 = 2k + (-1)^k sin(theta), k = floor(theta/pi + 1/2),
 * the path length is rho = |A| (V(theta(t)) - V(theta(0))), and V can be inverted without an arc sine. */
#include <float.h>
#include <math.h>

#include "../../core/elementary.h"
#include "signal_internal.h"

#define BRI_PI 3.14159265358979323846

/* p(t) in cycles: whole cycles and a rest in [0, 1), so that long times lose no digits in the sine. */
static double cycles(const br_signal *sig, double t, double *whole, double *frequency)
{
  double p = 0.0;
  if (sig->sweep > 0.0 && t > 0.0) {
    const double x = t < sig->sweep ? t : sig->sweep;
    const double c = (sig->f1 - sig->f0) / sig->sweep;
    *frequency = t < sig->sweep ? sig->f0 + c * t : sig->f1;
    p = x * (sig->f0 + 0.5 * c * x) + sig->f1 * (t - x);
  } else {
    *frequency = sig->f0;
    p = sig->f0 * t;
  }
  *whole = floor(p);
  const double rest = p - *whole;
  if (!(rest >= 1.0)) return rest;
  *whole += 1.0; /* a tiny negative p rounds up to a full cycle */
  return 0.0;
}

static double phase_value(const br_signal *sig, double t)
{
  double whole = 0.0, f = 0.0;
  return sig->amplitude * bri_sin(2.0 * BRI_PI * cycles(sig, t, &whole, &f) + sig->phase) + sig->offset;
}

/* Half cycles since the reversal theta = -pi/2: reversals are the integers. */
static double half_cycles(const br_signal *sig, double t)
{
  double whole = 0.0, f = 0.0;
  const double rest = cycles(sig, t, &whole, &f);
  return 2.0 * whole + (2.0 * rest + sig->phase / BRI_PI + 0.5);
}

static double half_tolerance(double h) { return 8.0 * DBL_EPSILON * (fabs(h) + 1.0); }

static double phase_rate(const br_signal *sig, double t, int side)
{
  double whole = 0.0, f = 0.0;
  (void)side;
  if (isnan(t)) return t;
  if (!isfinite(t)) return 0.0;
  const double rest = cycles(sig, t, &whole, &f);
  const double h = half_cycles(sig, t);
  if (fabs(h - rint(h)) <= half_tolerance(h)) return 0.0;
  return sig->amplitude * 2.0 * BRI_PI * f * bri_cos(2.0 * BRI_PI * rest + sig->phase);
}

/* u'' = A (theta'' cos theta - theta'^2 sin theta); theta'' jumps at both ends of a sweep. */
static double phase_curvature(const br_signal *sig, double t, int side)
{
  double whole = 0.0, f = 0.0;
  const double theta = 2.0 * BRI_PI * cycles(sig, t, &whole, &f) + sig->phase;
  const int sweeping =
      sig->sweep > 0.0 && (side < 0 ? t > 0.0 && t <= sig->sweep : t >= 0.0 && t < sig->sweep);
  const double w = 2.0 * BRI_PI * f, dw = sweeping ? 2.0 * BRI_PI * (sig->f1 - sig->f0) / sig->sweep : 0.0;
  return sig->amplitude * (dw * bri_cos(theta) - w * w * bri_sin(theta));
}

/* Time at which p(t) = goal, or INFINITY. */
static double time_of(const br_signal *sig, double goal)
{
  if (sig->sweep == 0.0 || goal <= 0.0) return sig->f0 > 0.0 ? goal / sig->f0 : INFINITY;
  const double c = (sig->f1 - sig->f0) / sig->sweep, end = 0.5 * (sig->f0 + sig->f1) * sig->sweep;
  if (goal > end) return sig->f1 > 0.0 ? sig->sweep + (goal - end) / sig->f1 : INFINITY;
  double under = sig->f0 * sig->f0 + 2.0 * c * goal;
  if (under < 0.0) under = 0.0;
  return 2.0 * goal / (sig->f0 + sqrt(under)); /* the root that does not cancel */
}

static double phase_next_corner(const br_signal *sig, double t)
{
  if (!isfinite(t) || sig->amplitude == 0.0) return INFINITY;
  const double h = half_cycles(sig, t);
  double k = floor(h + half_tolerance(h)) + 1.0;
  for (int more = 0; more < 3; more++, k += 1.0) {
    const double at = time_of(sig, 0.5 * (k - 0.5 - sig->phase / BRI_PI));
    if (at > t) return at;
  }
  return INFINITY; /* t so large that a cycle is below its rounding */
}

/* V(theta) of theta = 2 pi (whole + rest) + phase. */
static double sine_path(const br_signal *sig, double t)
{
  double whole = 0.0, f = 0.0;
  const double theta = 2.0 * BRI_PI * cycles(sig, t, &whole, &f) + sig->phase;
  const double k = floor(theta / BRI_PI + 0.5);
  const double s = bri_sin(theta);
  return 4.0 * whole + (2.0 * k + (fmod(k, 2.0) == 0.0 ? s : -s));
}

static double phase_variation(const br_signal *sig, double t)
{
  return fabs(sig->amplitude) * (sine_path(sig, t) - sine_path(sig, 0.0));
}

static double phase_normalised(const br_signal *sig, double rho)
{
  if (sig->amplitude == 0.0) return sig->offset;
  const double v = rho / fabs(sig->amplitude) + sine_path(sig, 0.0);
  const double k = floor(0.5 * (v + 1.0));
  const double s = v - 2.0 * k;
  return sig->amplitude * (fmod(k, 2.0) == 0.0 ? s : -s) + sig->offset;
}

static const bri_signal_ops PHASE_OPS = {phase_value,     phase_rate,       phase_next_corner,
                                         phase_variation, phase_normalised, phase_curvature};

int bri_signal_is_sine(const br_signal *sig) { return sig->ops == &PHASE_OPS && !(sig->sweep > 0); }

br_status bri_signal_sine(double amplitude, double frequency, double phase, double offset, br_signal **out,
                          br_err *err)
{
  const br_status st = bri_signal_new(&PHASE_OPS, out, err);
  if (st) return st;
  br_signal *sig = *out;
  sig->amplitude = amplitude;
  sig->f0 = sig->f1 = frequency;
  sig->phase = fmod(phase, 2.0 * BRI_PI);
  sig->offset = offset;
  sig->period = sig->duration = 1.0 / frequency;
  sig->path = 4.0 * fabs(amplitude);
  return BR_OK;
}

br_status bri_signal_chirp(double amplitude, double f0, double f1, double sweep, br_signal **out, br_err *err)
{
  const br_status st = bri_signal_new(&PHASE_OPS, out, err);
  if (st) return st;
  br_signal *sig = *out;
  sig->amplitude = amplitude;
  sig->f0 = f0;
  sig->f1 = f1;
  sig->sweep = sig->duration = sweep;
  return BR_OK;
}
