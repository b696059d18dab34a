/* SPDX-License-Identifier: Apache-2.0
 * samples.c - what rooms that step along a signal ask: the times of a record, straight lines, jumps. */
#include "samples.h"
#include "signal_internal.h"

const double *bri_signal_samples(const br_signal *signal, size_t *n, double *origin)
{
  if (!signal || signal->ops != &bri_pwl_ops || signal->period > 0 || signal->knots.n < 2) return NULL;
  *n = signal->knots.n;
  *origin = signal->knots.origin;
  return signal->knots.s;
}

int bri_signal_straight(const br_signal *signal)
{
  if (signal->ops == &bri_pwl_ops) return !signal->slope;
  return signal->ops == &bri_step_ops || signal->ops == &bri_ramp_ops;
}

int bri_signal_jump(const br_signal *signal, double t, double *before, double *behind)
{
  *before = *behind = br_signal_value(signal, t);
  if (signal->ops == &bri_step_ops) *before = t == signal->f0 ? 0 : *behind;
  else if (signal->ops != &bri_formula_ops) return 0;
  else bri_formula_sides(signal, t, before, behind);
  return *before != *behind;
}
