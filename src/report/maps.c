/* SPDX-License-Identifier: Apache-2.0
 * maps.c - a map as lines of a panel: regions with a tint and a name each, or levels of a scale. */
#include "../../core/elementary.h"
#include "maps.h"

#include <math.h>
#include <string.h>

#include "text/fail.h"

int bri_map_strips(const char *y, const char *next)
{
  const size_t n = strlen(y);
  return strncmp(y, next, n) == 0 && strcmp(next + n, "_to") == 0;
}

static unsigned char whole_number(void *ctx, double x)
{
  (void)ctx;
  return x >= 0 && x < BRI_MOST_REGIONS - 0.5 ? (unsigned char)lround(x) : 255;
}

br_status bri_map_regions(const bri_store *store, const bri_map_data *m, int border, const bri_map_to *to,
                          br_err *err)
{
  bri_cells cells;
  br_plot_line line;
  br_status st = m->top ? BR_OK : bri_cells_make(store, m, whole_number, NULL, &cells, err);
  for (int k = 0; k < BRI_MOST_REGIONS && !st; k++) {
    st = m->top ? bri_strips_region(store, m, k, &line, err)
                : bri_cells_region(store, &cells, (unsigned char)k, &line, err);
    if (st || line.n == 0) continue;
    line.label = to->name ? to->name(to->ctx, k) : NULL;
    line.kind = BR_PLOT_COLOURED(line.kind, k);
    st = to->push(to->ctx, &line, err);
  }
  if (st || !border) return st;
  st = m->top ? bri_strips_border(store, m, &line, err) : bri_cells_border(store, &cells, &line, err);
  return st || line.n == 0 ? st : to->push(to->ctx, &line, err);
}

static unsigned char level_of(void *ctx, double x)
{
  const br_plot_look *look = ctx;
  for (int k = BR_PLOT_LEVELS - 1; k > 0; k--)
    if (x >= look->bounds[k]) return (unsigned char)k;
  return 0;
}

/* Round bounds of equal levels around lo..hi: steps are round numbers. */
static void set_bounds(br_plot_look *look, double lo, double hi)
{
  static const double ROUND[] = {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
  if (!(hi > lo)) hi = lo + (lo != 0 ? fabs(lo) : 1);
  const double power = bri_pow(10, floor(bri_log10((hi - lo) / BR_PLOT_LEVELS)));
  double step = power, from = lo;
  for (int k = 0; k < 20; k++) { /* the second ten: lo lies just below a bound of every step */
    step = (k < 10 ? 1 : 10) * ROUND[k % 10] * power;
    from = floor(lo / step + 1e-9) * step;
    if (from + BR_PLOT_LEVELS * step >= hi - 1e-9 * step) break;
  }
  for (int k = 0; k <= BR_PLOT_LEVELS; k++) look->bounds[k] = from + step * k;
}

br_status bri_map_heat(const bri_store *store, const bri_map_data *m, br_plot_look *look,
                       const bri_map_to *to, br_err *err)
{
  bri_cells cells;
  double lo = INFINITY, hi = -INFINITY;
  for (size_t i = 0; i < m->n; i++) lo = fmin(lo, m->value[i]), hi = fmax(hi, m->value[i]);
  if (!(isfinite(lo) && isfinite(hi)))
    return bri_fail(err, BR_E_NAN, "map: there are no finite values for the colours");
  set_bounds(look, lo, hi);
  br_status st = bri_cells_make(store, m, level_of, look, &cells, err);
  for (int k = 0; k < BR_PLOT_LEVELS && !st; k++) {
    br_plot_line line;
    st = bri_cells_region(store, &cells, (unsigned char)k, &line, err);
    line.kind = BR_PLOT_COLOURED(BR_PLOT_LEVEL, k);
    if (!st && line.n) st = to->push(to->ctx, &line, err);
  }
  return st;
}

void bri_map_frame(const br_plot_line *line, br_plot_look *look)
{
  look->x0 = look->y0 = INFINITY;
  look->x1 = look->y1 = -INFINITY;
  for (size_t i = 0; i < line->n; i++) {
    look->x0 = fmin(look->x0, line->x[i]), look->x1 = fmax(look->x1, line->x[i]);
    look->y0 = fmin(look->y0, line->y[i]), look->y1 = fmax(look->y1, line->y[i]);
  }
}
