/* SPDX-License-Identifier: Apache-2.0
 * drive.c - a br_signal as the drive of an input. */
#include "../signal/samples.h"
#include "bristle/signal.h"
#include "solver.h"

static void eval(const void *ctx, double t, int side, double *w, double *dw)
{
  const br_signal *s = (const br_signal *)ctx;
  *w = br_signal_value(s, t);
  *dw = br_signal_rate(s, t, side);
}

int bri_drive_sides(const br_drive *d, double t, double *before, double *behind)
{
  double a, b;
  if (d->eval != eval || !bri_signal_jump((const br_signal *)d->ctx, t, &a, &b)) return 0;
  *before = a, *behind = b;
  return 1;
}

int bri_drive_is_signal(const br_drive *d) { return d->eval == eval; }

static double next_corner(const void *ctx, double t)
{
  return br_signal_next_corner((const br_signal *)ctx, t);
}

br_drive br_drive_signal(const br_signal *signal)
{
  const br_drive d = {0, eval, next_corner, br_signal_period(signal), signal};
  return d;
}
