/* SPDX-License-Identifier: Apache-2.0
 * reversals.c - how often an input turns, roughly. */
#include "reversals.h"

#include <math.h>

enum { PLACES = 16, TURNS = 4 };

double bri_signal_reversals(const br_signal *input, double t_end)
{
  double sum = 0;
  if (!input || !(t_end > 0)) return 0;
  for (int i = 0; i < PLACES; i++) {
    double t = br_signal_next_corner(input, t_end * (i + 0.5) / PLACES);
    const double first = t;
    for (int k = 0; k < TURNS; k++) t = br_signal_next_corner(input, t);
    if (t > first && isfinite(t)) sum += TURNS * (t_end / (t - first)) / PLACES;
  }
  return sum;
}
