/* SPDX-License-Identifier: Apache-2.0
 * step.c - the two signals without knots: a step of height A at t0 and a ramp through the origin. */
#include <math.h>

#include "signal_internal.h"

/* 0 before t0, amplitude from t0 on. */
static double step_value(const br_signal *sig, double t)
{
  return isnan(t) ? t : t >= sig->f0 ? sig->amplitude : 0.0;
}

static double step_rate(const br_signal *sig, double t, int side)
{
  (void)sig, (void)side;
  return isnan(t) ? t : 0.0;
}

static double step_next_corner(const br_signal *sig, double t)
{
  return sig->amplitude != 0.0 && t < sig->f0 ? sig->f0 : INFINITY;
}

/* The jump belongs to the path: counted from u(0), so a step at t0 = 0 is over before it is seen. */
static double step_variation(const br_signal *sig, double t)
{
  if (isnan(t)) return t;
  const double done = t >= sig->f0 ? 1.0 : 0.0, before = 0.0 >= sig->f0 ? 1.0 : 0.0;
  return (done - before) * fabs(sig->amplitude);
}

static double step_normalised(const br_signal *sig, double rho)
{
  const double height = fabs(sig->amplitude), r = rho + (0.0 >= sig->f0 ? height : 0.0);
  if (isnan(rho)) return rho;
  if (r <= 0.0) return 0.0;
  return r >= height ? sig->amplitude : copysign(r, sig->amplitude);
}

const bri_signal_ops bri_step_ops = {step_value,     step_rate,       step_next_corner,
                                     step_variation, step_normalised, NULL};

br_status bri_signal_step(double height, double t0, br_signal **out, br_err *err)
{
  const br_status st = bri_signal_new(&bri_step_ops, out, err);
  if (st) return st;
  (*out)->amplitude = height;
  (*out)->f0 = t0;
  (*out)->duration = t0 > 0.0 ? t0 : 0.0;
  return BR_OK;
}

static double ramp_value(const br_signal *sig, double t) { return sig->ramp * t; }

static double ramp_rate(const br_signal *sig, double t, int side)
{
  (void)side;
  return isnan(t) ? t : sig->ramp;
}

static double ramp_next_corner(const br_signal *sig, double t)
{
  (void)sig, (void)t;
  return INFINITY;
}

static double ramp_variation(const br_signal *sig, double t) { return fabs(sig->ramp) * t; }

static double ramp_normalised(const br_signal *sig, double rho)
{
  return sig->ramp == 0.0 ? rho * 0.0 : copysign(1.0, sig->ramp) * rho;
}

const bri_signal_ops bri_ramp_ops = {ramp_value,     ramp_rate,       ramp_next_corner,
                                     ramp_variation, ramp_normalised, NULL};

br_status bri_signal_ramp(double slope, br_signal **out, br_err *err)
{
  const br_status st = bri_signal_new(&bri_ramp_ops, out, err);
  if (!st) (*out)->ramp = slope;
  return st;
}
