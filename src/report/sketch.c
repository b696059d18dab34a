/* SPDX-License-Identifier: Apache-2.0
 * sketch.c - a plot as Braille dots: two across and four down per character. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../base/alloc.h"
#include "../text/fail.h"
#include "plot.h"

typedef struct {
  size_t columns, rows;
  unsigned char *dots; /* one byte per character */
} canvas;

/* Bit of the dot (x, y) within its character, as Unicode counts them. */
static const unsigned char BIT[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

static void dot(canvas *c, double x, double y)
{
  if (!(x >= 0 && y >= 0 && x < 2 * (double)c->columns && y < 4 * (double)c->rows)) return;
  const size_t i = (size_t)x, j = 4 * c->rows - 1 - (size_t)y;
  c->dots[j / 4 * c->columns + i / 2] |= BIT[j % 4][i % 2];
}

static void stroke(canvas *c, double x0, double y0, double x1, double y1)
{
  const double n = ceil(fmax(fabs(x1 - x0), fabs(y1 - y0)));
  if (!(n < 1e4)) return;
  for (double k = 0; k <= n; k++)
    dot(c, x0 + (x1 - x0) * (n > 0 ? k / n : 0), y0 + (y1 - y0) * (n > 0 ? k / n : 0));
}

static void draw_line(canvas *c, const br_plot_line *line, const bri_axis *ax, const bri_axis *ay)
{
  const int kind = bri_plot_kind_of(line), joined = bri_plot_joined(kind), arrows = kind == BR_PLOT_VECTORS;
  double px = NAN, py = NAN;
  if (bri_plot_filled(kind)) return; /* their borders are lines of their own */
  for (size_t j = 0; j < line->n; j++) {
    const double x = bri_axis_part(ax, line->x[j]) * (2 * (double)c->columns - 1);
    const double y = bri_axis_part(ay, line->y[j]) * (4 * (double)c->rows - 1);
    const int join = joined || (arrows && j % 2 == 1);
    if (join && isfinite(px + py) && isfinite(x + y)) stroke(c, px, py, x, y);
    else if (isfinite(x + y)) dot(c, x, y);
    px = x;
    py = y;
  }
}

static void print_panel(const canvas *c, const br_plot_panel *panel, const bri_axis *x, const bri_axis *y,
                        void (*print)(void *, const char *), void *ctx)
{
  char text[512];
  (void)snprintf(text, sizeof text, "%.200s%s%s against %.200s%s%s\n", panel->ylabel, y->unit[0] ? ", " : "",
                 y->unit, panel->xlabel, x->unit[0] ? ", " : "", x->unit);
  print(ctx, text);
  for (size_t r = 0; r < c->rows; r++) {
    if (r == 0) (void)snprintf(text, sizeof text, "%10.4g ", y->to);
    else if (r == c->rows - 1) (void)snprintf(text, sizeof text, "%10.4g ", y->from);
    else (void)snprintf(text, sizeof text, "%11s", "");
    print(ctx, text);
    for (size_t k = 0; k < c->columns; k++) {
      const unsigned b = c->dots[r * c->columns + k];
      const char braille[] = {(char)0xe2, (char)(0xa0 | (b >> 6)), (char)(0x80 | (b & 0x3f)), '\0'};
      print(ctx, b ? braille : " ");
    }
    print(ctx, "\n");
  }
  (void)snprintf(text, sizeof text, "%11s%-*.4g%*.4g\n", "", (int)(c->columns / 2), x->from,
                 (int)(c->columns - c->columns / 2), x->to);
  print(ctx, text);
}

br_status br_plot_sketch(const br_plot *plot, size_t columns, size_t rows,
                         void (*print)(void *ctx, const char *text), void *ctx, br_err *err)
{
  if (!plot || !print || columns < 8 || rows < 2 || columns > 1000 || rows > 1000)
    return bri_fail(err, BR_E_ARG, "br_plot_sketch: 8..1000 columns and 2..1000 rows");
  const br_status st = bri_plot_texts(plot, err);
  if (st) return st;
  canvas c = {columns, rows, bri_malloc_array(columns, rows)};
  if (!c.dots) return bri_no_memory(err, "sketch");
  if (plot->title) {
    print(ctx, plot->title);
    print(ctx, "\n");
  }
  for (size_t p = 0; p < plot->npanels; p++) {
    const br_plot_panel *panel = &plot->panels[p];
    const bri_axis x = bri_axis_of(panel, 0), y = bri_axis_of(panel, 1);
    memset(c.dots, 0, columns * rows);
    for (size_t i = 0; i < panel->nlines; i++) draw_line(&c, &panel->lines[i], &x, &y);
    if (panel->title) {
      print(ctx, panel->title);
      print(ctx, ": ");
    }
    print_panel(&c, panel, &x, &y, print, ctx);
  }
  bri_free(c.dots);
  return BR_OK;
}
