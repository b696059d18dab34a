/* SPDX-License-Identifier: Apache-2.0
 * axis.c - range, tics and unit of a plot axis from its data. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot.h"

static const struct {
  double factor;
  const char *prefix;
} PREFIXES[] = {{1e9, "n"}, {1e6, "\xc2\xb5"}, {1e3, "m"}, {1, ""}, {1e-3, "k"}, {1e-6, "M"}, {1e-9, "G"}};

/* Numbers below 0.1 or from 10000 on read better with a prefix.  It needs a symbol to stand before: units
 * that have a prefix already (kg) or none at all (1) stay. */
static void choose_unit(bri_axis *a, const char *unit, double largest)
{
  size_t k = 3;
  const int plain = unit && unit[0] && strcmp(unit, "1") != 0;
  const int fixed = !plain || strncmp(unit, "kg", 2) == 0 || unit[0] == '1' || strncmp(unit, "rad", 3) == 0;
  if (!fixed && largest > 0 && (largest < 0.1 || largest >= 1e4)) {
    k = 0;
    while (k < 6 && largest * PREFIXES[k].factor >= 1000) k++;
  }
  a->factor = PREFIXES[k].factor;
  (void)snprintf(a->unit, sizeof a->unit, "%s%s", PREFIXES[k].prefix, plain ? unit : "");
}

/* 1, 2 or 5 times a power of ten, about a fifth of the span. */
static double tic_step(double span)
{
  const double raw = span / 5, power = pow(10, floor(log10(raw))), r = raw / power;
  return power * (r < 1.5 ? 1 : r < 3.5 ? 2 : r < 7.5 ? 5 : 10);
}

bri_axis bri_axis_of(const br_plot_panel *panel, int which)
{
  bri_axis a;
  double lo = INFINITY, hi = -INFINITY;
  for (size_t i = 0; i < panel->nlines; i++) {
    const double *x = which ? panel->lines[i].y : panel->lines[i].x;
    for (size_t j = 0; j < panel->lines[i].n; j++) {
      if (!isfinite(x[j])) continue;
      lo = fmin(lo, x[j]);
      hi = fmax(hi, x[j]);
    }
  }
  if (!(lo <= hi)) lo = hi = 0;
  choose_unit(&a, which ? panel->yunit : panel->xunit, fmax(fabs(lo), fabs(hi)));
  lo *= a.factor;
  hi *= a.factor;
  if (!(hi - lo > 1e-12 * fmax(fabs(lo), fabs(hi)))) { /* one value: some room around it */
    const double room = lo != 0 ? 0.1 * fabs(lo) : 1;
    lo -= room;
    hi += room;
  }
  const double margin = 0.04 * (hi - lo);
  a.step = tic_step(hi - lo);
  a.from = lo - margin;
  a.to = hi + margin;
  return a;
}
