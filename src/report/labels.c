/* SPDX-License-Identifier: Apache-2.0
 * labels.c - where the label of a line stands: close to it, on no line, on no other label.
 * The panel is a raster of cells, one bit per line; each label tries places along its own line and takes the
 * one that covers least. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "plot.h"

enum { W = 160, H = 100, TRIES = 48, SIDES = 6 };

typedef struct {
  uint64_t cell[H][W];
} raster;

typedef struct {
  double x0, y0, x1, y1; /* in parts of the panel */
} box;

static void mark(raster *r, double x, double y, uint64_t bit)
{
  if (x >= 0 && x < 1 && y >= 0 && y < 1) r->cell[(int)(y * H)][(int)(x * W)] |= bit;
}

static double part(double value, const bri_axis *a)
{
  return (value * a->factor - a->from) / (a->to - a->from);
}

static void draw(raster *r, const br_plot_line *line, const bri_axis *ax, const bri_axis *ay, uint64_t bit)
{
  const int kind = (int)line->kind % BR_PLOT_KINDS;
  const int joined =
      kind == BR_PLOT_LINE || kind == BR_PLOT_THICK || kind == BR_PLOT_BACK || kind == BR_PLOT_DOTS;
  double px = NAN, py = NAN;
  for (size_t j = 0; j < line->n; j++) {
    const double x = part(line->x[j], ax), y = part(line->y[j], ay);
    const double steps = fmin(ceil(2 * fmax(fabs(x - px) * W, fabs(y - py) * H)), 1000);
    const int join = (joined || (kind == BR_PLOT_VECTORS && j % 2 == 1)) && steps > 0;
    for (double k = 0; join && k < steps; k++)
      mark(r, px + (x - px) * k / steps, py + (y - py) * k / steps, bit);
    if (isfinite(x) && isfinite(y)) mark(r, x, y, bit);
    px = x;
    py = y;
  }
}

/* Characters of UTF-8 text. */
static size_t length(const char *s)
{
  size_t n = 0;
  for (; *s; s++) n += ((unsigned char)*s & 0xc0) != 0x80;
  return n;
}

/* Cells of the box that hold a line; those a little outside count less, and only of other lines. */
static double covered(const raster *r, const box *b, uint64_t own)
{
  double cost = 0;
  for (int j = (int)(b->y0 * H) - 2; j <= (int)(b->y1 * H) + 2; j++) {
    for (int i = (int)(b->x0 * W) - 2; i <= (int)(b->x1 * W) + 2; i++) {
      if (i < 0 || j < 0 || i >= W || j >= H || !r->cell[j][i]) continue;
      const int inside =
          i >= (int)(b->x0 * W) && i <= (int)(b->x1 * W) && j >= (int)(b->y0 * H) && j <= (int)(b->y1 * H);
      cost += inside ? 3 : (r->cell[j][i] & ~own) ? 0.5 : 0;
    }
  }
  return cost;
}

static double overlap(const box *a, const box *b)
{
  const double w = fmin(a->x1, b->x1) - fmax(a->x0, b->x0), h = fmin(a->y1, b->y1) - fmax(a->y0, b->y0);
  return w > 0 && h > 0 ? 400 : 0;
}

/* Box of a label at a point: right or left of it or centred, above or below. */
static box placed(double x, double y, int side, double w, double h, double gap_x, double gap_y)
{
  const double left = side % 3 == 0 ? x + gap_x : side % 3 == 1 ? x - gap_x - w : x - w / 2;
  const double low = side < 3 ? y + gap_y : y - gap_y - h;
  const box b = {left, low, left + w, low + h};
  return b;
}

static double outside(const box *b)
{
  return 2000 * (fmax(0, -b->x0) + fmax(0, b->x1 - 1) + fmax(0, -b->y0) + fmax(0, b->y1 - 1));
}

void bri_labels_place(const br_plot_panel *panel, const bri_axis *ax, const bri_axis *ay, double width,
                      double height, bri_label *labels)
{
  static const double CHAR = 7.6, LINE = 16; /* pixels of a character of the 14 point font */
  raster r;
  box taken[BRI_MOST_LABELS];
  size_t n = 0;
  memset(&r, 0, sizeof r);
  for (size_t i = 0; i < panel->nlines; i++) draw(&r, &panel->lines[i], ax, ay, (uint64_t)1 << (i % 64));
  for (size_t i = 0; i < panel->nlines; i++) {
    const br_plot_line *line = &panel->lines[i];
    labels[i].shown = 0;
    if (!line->label || !line->label[0] || n == BRI_MOST_LABELS) continue;
    const double w = CHAR * (double)length(line->label) / width, h = LINE / height;
    double best = INFINITY;
    box at = {0, 0, 0, 0};
    for (int k = 0; k < TRIES; k++) {
      const size_t j = (size_t)((double)(line->n - 1) * k / (TRIES - 1) + 0.5);
      const double x = part(line->x[j], ax), y = part(line->y[j], ay);
      for (int side = 0; side < SIDES && isfinite(x) && isfinite(y); side++) {
        const box b = placed(x, y, side, w, h, 6 / width, 4 / height);
        double cost =
            covered(&r, &b, (uint64_t)1 << (i % 64)) + outside(&b) + 0.02 * (TRIES - 1 - k) + 0.01 * side;
        for (size_t q = 0; q < n; q++) cost += overlap(&b, &taken[q]);
        if (cost < best) best = cost, at = b;
      }
    }
    if (!isfinite(best)) continue;
    labels[i].shown = 1;
    labels[i].x = at.x0;
    labels[i].y = (at.y0 + at.y1) / 2;
    taken[n++] = at;
  }
}
