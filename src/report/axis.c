/* SPDX-License-Identifier: Apache-2.0
 * axis.c - range, tics and unit of a plot axis from its data. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "bristle/unit.h"
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
  br_unit chosen; /* "mm": someone has asked for it */
  const int asked = plain && !br_unit_parse(unit, strlen(unit), &chosen, NULL) && chosen.factor != 1;
  const int fixed =
      !plain || asked || strncmp(unit, "kg", 2) == 0 || unit[0] == '1' || strncmp(unit, "rad", 3) == 0;
  if (!fixed && largest > 0 && (largest < 0.1 || largest >= 1e4)) {
    k = 0;
    while (k < 6 && largest * PREFIXES[k].factor >= 1000) k++;
  }
  a->factor = PREFIXES[k].factor;
  if (!plain) unit = "";
  const int micro = asked && unit[0] == 'u' && unit[1] && !strchr("^/ ", unit[1]);
  size_t n = (size_t)snprintf(a->unit, sizeof a->unit, "%s", micro ? PREFIXES[1].prefix : PREFIXES[k].prefix);
  for (const char *s = unit + micro; *s && n + 4 < sizeof a->unit; s++) {
    const int raised = s[0] == '^' && (s[1] == '2' || s[1] == '3');
    n += (size_t)snprintf(a->unit + n, sizeof a->unit - n, raised ? "\xc2%c" : "%c",
                          raised ? s[1] == '2' ? 0xb2 : 0xb3 : *s);
    s += raised;
  }
}

/* 1, 2 or 5 times a power of ten, about a fifth of the span. */
static double tic_step(double span)
{
  const double raw = span / 5, power = bri_pow(10, floor(bri_log10(raw))), r = raw / power;
  return power * (r < 1.5 ? 1 : r < 3.5 ? 2 : r < 7.5 ? 5 : 10);
}

/* Least and greatest finite value of the lines; on a logarithmic axis only positive ones count. */
static void span(const br_plot_panel *panel, int which, int log, double *lo, double *hi)
{
  *lo = INFINITY, *hi = -INFINITY;
  for (size_t i = 0; i < panel->nlines; i++) {
    const double *x = which ? panel->lines[i].y : panel->lines[i].x;
    for (size_t j = 0; j < panel->lines[i].n; j++) {
      if (!isfinite(x[j]) || (log && !(x[j] > 0))) continue;
      *lo = fmin(*lo, x[j]);
      *hi = fmax(*hi, x[j]);
    }
  }
  if (!(*lo <= *hi)) *lo = *hi = log ? 1 : 0;
}

/* Maps reach their frame; lines keep some room. */
static double margin_of(const br_plot_panel *panel)
{
  for (size_t i = 0; i < panel->nlines; i++)
    if (bri_plot_filled(bri_plot_kind_of(&panel->lines[i]))) return 0;
  return 0.04;
}

bri_axis bri_axis_of(const br_plot_panel *panel, int which)
{
  const br_plot_look *look = panel->look;
  const char *unit = which ? panel->yunit : panel->xunit;
  const int log = look && (which ? look->ylog : look->xlog),
            fixed = look && (which ? look->y0 < look->y1 : look->x0 < look->x1);
  bri_axis a;
  double lo, hi, margin = margin_of(panel);
  memset(&a, 0, sizeof a);
  if (fixed) lo = which ? look->y0 : look->x0, hi = which ? look->y1 : look->x1, margin = 0;
  else span(panel, which, log, &lo, &hi);
  if (log) { /* decades need no prefix */
    choose_unit(&a, unit, 1);
    a.log = 1;
    a.from = fixed ? lo : lo / 1.5;
    a.to = fixed ? hi : hi * 1.5;
    a.step = 10;
    return a;
  }
  if (unit && strcmp(unit, "rad") == 0 && fmax(fabs(lo), fabs(hi)) < 1e-12)
    lo = hi = 0; /* rounding of a phase */
  choose_unit(&a, unit, fmax(fabs(lo), fabs(hi)));
  lo *= a.factor;
  hi *= a.factor;
  if (!(hi - lo >
        3e-6 * fmax(fabs(lo), fabs(hi)))) { /* one value, as far as its tics can say: some room around it */
    const double room = lo != 0 ? 0.1 * fabs(lo) : 1;
    lo -= room;
    hi += room;
  }
  a.step = tic_step(hi - lo);
  a.from = lo - margin * (hi - lo);
  a.to = hi + margin * (hi - lo);
  return a;
}

double bri_axis_part(const bri_axis *a, double value)
{
  if (a->log) return value > 0 ? bri_log(value / a->from) / bri_log(a->to / a->from) : NAN;
  return (value * a->factor - a->from) / (a->to - a->from);
}

bri_axis bri_axis_scale(const br_plot_look *look)
{
  bri_axis a;
  memset(&a, 0, sizeof a);
  choose_unit(&a, look->scale_unit, fmax(fabs(look->bounds[0]), fabs(look->bounds[BR_PLOT_LEVELS])));
  return a;
}
