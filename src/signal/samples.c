/* SPDX-License-Identifier: Apache-2.0
 * samples.c - the sample times of a recorded signal, for rooms that want to step as it was recorded. */
#include "samples.h"
#include "signal_internal.h"

const double *bri_signal_samples(const br_signal *signal, size_t *n, double *origin)
{
  if (!signal || signal->ops != &bri_pwl_ops || signal->period > 0 || signal->knots.n < 2) return NULL;
  *n = signal->knots.n;
  *origin = signal->knots.origin;
  return signal->knots.s;
}
