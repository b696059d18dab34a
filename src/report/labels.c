/* SPDX-License-Identifier: Apache-2.0
 * labels.c - where the label of a line stands: close to it, on no line, on no other label.
 * The panel is a raster of cells, one bit per line; each label tries places along its own line and takes the
 * one that covers least. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../base/alloc.h"
#include "plot.h"

enum { W = 160, H = 100, TRIES = 48, SIDES = 6 };
static const double CHAR = 8, LINE = 16; /* pixels of a character of the 14 point font */
#define FAINT ((uint64_t)1 << 63)        /* lines that a label may cross */
#define BIT(line) ((uint64_t)1 << ((line) % 63))

typedef struct {
  uint64_t cell[H][W];
  unsigned char region[H][W];                              /* 1 + line of the region that is there; 0: none */
  double mark_x[BRI_MOST_LABELS], mark_y[BRI_MOST_LABELS]; /* single points, in parts of the panel */
  size_t nmarks;
  double depth[H][W]; /* work space of name_region() */
} raster;

typedef struct {
  double x0, y0, x1, y1; /* in parts of the panel */
} box;

static void mark(raster *r, double x, double y, uint64_t bit)
{
  if (x >= 0 && x < 1 && y >= 0 && y < 1) r->cell[(int)(y * H)][(int)(x * W)] |= bit;
}

static void draw(raster *r, const br_plot_line *line, const bri_axis *ax, const bri_axis *ay, uint64_t bit)
{
  const int kind = bri_plot_kind_of(line), joined = bri_plot_joined(kind), pairs = bri_plot_in_pairs(kind);
  double px = NAN, py = NAN;
  for (size_t j = 0; j < line->n; j++) {
    const double x = bri_axis_part(ax, line->x[j]), y = bri_axis_part(ay, line->y[j]);
    const double steps = fmin(ceil(2 * fmax(fabs(x - px) * W, fabs(y - py) * H)), 1000);
    const int join = (joined || (pairs && j % 2 == 1)) && steps > 0;
    for (double k = 0; join && k < steps; k++)
      mark(r, px + (x - px) * k / steps, py + (y - py) * k / steps, bit);
    if (isfinite(x) && isfinite(y)) {
      for (int k = joined || pairs ? 4 : 0; k < 5; k++) { /* a marker is wider than a point */
        static const double DX[] = {-1, 1, 0, 0, 0}, DY[] = {0, 0, -1, 1, 0};
        mark(r, x + DX[k] / W, y + DY[k] / H, bit);
      }
    }
    px = x;
    py = y;
  }
}

static int clamp(double x, int most) { return x < 0 ? 0 : x > most ? most : (int)x; }

/* The raster's cells whose middle a rectangle holds; corners in parts of the panel. */
static void fill_box(raster *r, double x0, double y0, double x1, double y1, size_t index)
{
  if (!isfinite(x0 + x1 + y0 + y1)) return;
  for (int i = clamp(ceil(y0 * H - 0.5), H); i < clamp(ceil(y1 * H - 0.5), H); i++)
    for (int k = clamp(ceil(x0 * W - 0.5), W); k < clamp(ceil(x1 * W - 0.5), W); k++)
      r->region[i][k] = (unsigned char)(index < 254 ? index + 1 : 0);
}

static void fill(raster *r, const br_plot_line *line, const bri_axis *ax, const bri_axis *ay, size_t index)
{
  for (size_t j = 0; j + 1 < line->n; j += 2)
    fill_box(r, bri_axis_part(ax, line->x[j]), bri_axis_part(ay, line->y[j]),
             bri_axis_part(ax, line->x[j + 1]), bri_axis_part(ay, line->y[j + 1]), index);
}

/* Each piece between two columns by the rectangle that lies inside it. */
static void fill_strips(raster *r, const br_plot_line *line, const bri_axis *ax, const bri_axis *ay,
                        size_t index)
{
  for (size_t j = 0; j + 3 < line->n; j += 2)
    fill_box(r, bri_axis_part(ax, line->x[j]), bri_axis_part(ay, fmax(line->y[j], line->y[j + 2])),
             bri_axis_part(ax, line->x[j + 2]), bri_axis_part(ay, fmin(line->y[j + 1], line->y[j + 3])),
             index);
}

/* Dark levels of a heat map: no label can be read there. */
static void darken(raster *r, const br_plot_line *line, const bri_axis *ax, const bri_axis *ay)
{
  if ((int)line->kind / BR_PLOT_KINDS > BR_PLOT_LEVELS * 6 / 10) return; /* the upper levels are light */
  for (size_t j = 0; j + 1 < line->n; j += 2) {
    const int x0 = clamp(bri_axis_part(ax, line->x[j]) * W, W),
              x1 = clamp(bri_axis_part(ax, line->x[j + 1]) * W, W),
              y0 = clamp(bri_axis_part(ay, line->y[j]) * H, H),
              y1 = clamp(bri_axis_part(ay, line->y[j + 1]) * H, H);
    for (int i = y0; i < y1; i++)
      for (int k = x0; k < x1; k++) r->cell[i][k] |= BIT(61);
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
      if (r->cell[j][i] == FAINT) cost += inside ? 0.7 : 0; /* nothing but what stands behind */
      else cost += inside ? 3 : (r->cell[j][i] & ~own) ? 0.5 : 0;
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
  const double over = fmax(0, -b->x0) + fmax(0, b->x1 - 1) + fmax(0, -b->y0) + fmax(0, b->y1 - 1);
  return over > 0 ? 40 + 2000 * over : 0;
}

/* Is the box over the region?  Part of its cells that are not. */
static double beside(const raster *r, const box *b, size_t index)
{
  int cells = 0, others = 0;
  for (int j = clamp(b->y0 * H, H - 1); j <= clamp(b->y1 * H, H - 1); j++) {
    for (int i = clamp(b->x0 * W, W - 1); i <= clamp(b->x1 * W, W - 1); i++) {
      cells++;
      others += r->region[j][i] != index + 1;
    }
  }
  return (double)others / cells;
}

/* Distance of every cell of the region from the nearest one outside it or from the frame, in cells; 0
 * outside.  Cells are about square. */
static void distances(const raster *r, size_t index, double d[H][W])
{
  for (int j = 0; j < H; j++) {
    for (int i = 0; i < W; i++) {
      const double before = i > 0 && j > 0 ? fmin(d[j - 1][i], d[j][i - 1]) : 0;
      d[j][i] = r->region[j][i] == index + 1 ? before + 1 : 0;
    }
  }
  for (int j = H - 1; j >= 0; j--) {
    for (int i = W - 1; i >= 0; i--) {
      const double behind = i < W - 1 && j < H - 1 ? fmin(d[j + 1][i], d[j][i + 1]) : 0;
      d[j][i] = fmin(d[j][i], behind + 1);
    }
  }
}

static double taken_cost(const box *b, const box *taken, size_t n)
{
  double cost = 0;
  for (size_t q = 0; q < n; q++) cost += overlap(b, &taken[q]);
  return cost;
}

/* Does the way from a point to a box lead over labels?  Marks where it leads when `marks` is given. */
static double leads(double px, double py, const box *to, const box *taken, size_t n, raster *marks)
{
  const double x = px < to->x0   ? to->x0
                   : px > to->x1 ? to->x1
                                 : px,
               y = py < to->y0   ? to->y0
                   : py > to->y1 ? to->y1
                                 : py;
  double cost = 0;
  for (int k = 1; k <= 24; k++) {
    const double qx = px + (x - px) * k / 24, qy = py + (y - py) * k / 24;
    if (marks) mark(marks, qx, qy, BIT(62));
    for (size_t i = 0; i < n; i++)
      cost += qx > taken[i].x0 && qx < taken[i].x1 && qy > taken[i].y0 && qy < taken[i].y1 ? 20 : 0;
  }
  return cost;
}

/* A label that stands nearer to another single point than to its own reads as that one's. */
static double mistaken(const raster *r, const box *b, double px, double py)
{
  const double dx = fmax(0, fmax(b->x0 - px, px - b->x1)), dy = fmax(0, fmax(b->y0 - py, py - b->y1));
  const double own = bri_hypot(dx * W, dy * H);
  double cost = 0;
  for (size_t i = 0; i < r->nmarks; i++) {
    if (r->mark_x[i] == px && r->mark_y[i] == py) continue;
    const double ex = fmax(0, fmax(b->x0 - r->mark_x[i], r->mark_x[i] - b->x1)),
                 ey = fmax(0, fmax(b->y0 - r->mark_y[i], r->mark_y[i] - b->y1)),
                 other = bri_hypot(ex * W, ey * H);
    if (other < 12 && other < own + 1.5) cost += 25;
  }
  return cost;
}

/* A place away from its point, with a leader to it: near, on no line, on no other label, not inside region
 * `avoid`.  w, h: of the text. */
static box aside(raster *r, double px, double py, double w, double h, size_t avoid, const box *taken,
                 size_t n, bri_label *label)
{
  enum { NX = 64, NY = 48 };
  double best = INFINITY;
  box at = {0, 0, 0, 0};
  for (int j = 1; j < NY; j++) {
    for (int i = 1; i < NX; i++) {
      const double x = (double)i / NX, y = (double)j / NY;
      const box b = {x - w / 2, y - h / 2, x + w / 2, y + h / 2};
      const double dx = fmax(0, fmax(b.x0 - px, px - b.x1)), dy = fmax(0, fmax(b.y0 - py, py - b.y1));
      const double cost = covered(r, &b, 0) + outside(&b) + taken_cost(&b, taken, n) +
                          140 * bri_hypot(dx, dy) + (avoid < 254 ? 40 * (1 - beside(r, &b, avoid)) : 0) +
                          (dx + dy > 0 ? 0 : 40) + leads(px, py, &b, taken, n, NULL) +
                          mistaken(r, &b, px, py);
      if (cost < best) best = cost, at = b;
    }
  }
  label->shown = label->leader = 1;
  (void)leads(px, py, &at, taken, n, r);
  label->from_x = px, label->from_y = py;
  label->to_x = px < at.x0 ? at.x0 - 0.004 : px > at.x1 ? at.x1 + 0.004 : px;
  label->to_y = py < at.y0 ? at.y0 : py > at.y1 ? at.y1 : py;
  return at;
}

/* The name of a region: where there is most room in it; else outside, with a leader from its deepest
 * place. */
static box name_region(raster *r, size_t index, double w, double h, const box *taken, size_t n,
                       bri_label *label)
{
  double(*d)[W] = r->depth, best = INFINITY, deepest = 0, px = 0.5, py = 0.5;
  box at = {0, 0, 0, 0};
  distances(r, index, d);
  for (int j = 0; j < H; j++) {
    for (int i = 0; i < W; i++) {
      const double x = (i + 0.5) / W, y = (j + 0.5) / H;
      const box b = {x - w / 2, y - h / 2, x + w / 2, y + h / 2};
      if (d[j][i] > deepest) deepest = d[j][i], px = x, py = y;
      const box wide = {b.x0 - 0.02, b.y0, b.x1 + 0.02, b.y1};
      if (i % 2 || d[j][i] < h / 2 * H || outside(&wide) > 0 || beside(r, &b, index) > 0) continue;
      const double cost =
          covered(r, &b, 0) + taken_cost(&b, taken, n) - 0.5 * fmin(d[j][i], 20) - 0.1 * d[j][i];
      if (cost < best) best = cost, at = b;
    }
  }
  label->shown = deepest > 0;
  return best < 25 || deepest <= 0 ? at : aside(r, px, py, w, h, index, taken, n, label);
}

/* The label of a line: at one of its points that are seen, where it covers least; with a leader when that is
 * still much.  Nothing is written when no point is seen. */
static box name_line(raster *r, const br_plot_line *line, size_t index, const bri_axis *ax,
                     const bri_axis *ay, double width, double height, const box *taken, size_t n,
                     bri_label *label)
{
  const double w = CHAR * (double)length(line->label) / width, h = LINE / height;
  const int joined = bri_plot_joined(bri_plot_kind_of(line)) && line->n > 1;
  const size_t tries = line->n < TRIES && !joined ? line->n : TRIES;
  double best = INFINITY, px = NAN, py = NAN;
  box at = {0, 0, 0, 0};
  for (size_t k = 0; k < tries; k++) {
    /* between two points of a line as well: long straight pieces have few */
    const double along = tries > 1 ? (double)(line->n - 1) * (double)k / (double)(tries - 1) : 0;
    const size_t j = (size_t)along, next = joined && j + 1 < line->n ? j + 1 : j;
    const double part = joined ? along - (double)j : 0;
    const double x = bri_axis_part(ax, line->x[j] + part * (line->x[next] - line->x[j])),
                 y = bri_axis_part(ay, line->y[j] + part * (line->y[next] - line->y[j]));
    if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) continue;
    for (int side = 0; side < SIDES; side++) {
      const box b = placed(x, y, side, w, h, 6 / width, 4 / height);
      const double cost = covered(r, &b, BIT(index)) + outside(&b) + taken_cost(&b, taken, n) +
                          0.02 * (double)(tries - 1 - k) + 0.01 * side +
                          (line->n == 1 ? mistaken(r, &b, x, y) : 0);
      if (cost < best) best = cost, at = b, px = x, py = y;
    }
  }
  label->shown = isfinite(best);
  return best > (line->n == 1 ? 6 : 20) && isfinite(best) ? aside(r, px, py, w, h, 255, taken, n, label) : at;
}

br_status bri_labels_place(const br_plot_panel *panel, const bri_axis *ax, const bri_axis *ay, double width,
                           double height, bri_label *labels)
{
  raster *r = bri_calloc(1, sizeof *r); /* too large for a small stack */
  box taken[BRI_MOST_LABELS];
  size_t n = 0;
  memset(labels, 0, panel->nlines * sizeof *labels);
  if (!r) return BR_E_NOMEM;
  for (size_t i = 0; i < panel->nlines; i++) {
    const int kind = bri_plot_kind_of(&panel->lines[i]);
    if (kind == BR_PLOT_STRIP) fill_strips(r, &panel->lines[i], ax, ay, i);
    else if (kind == BR_PLOT_REGION) fill(r, &panel->lines[i], ax, ay, i);
    else if (kind == BR_PLOT_LEVEL) darken(r, &panel->lines[i], ax, ay);
    else {
      const br_plot_line *line = &panel->lines[i];
      const int faint = (kind == BR_PLOT_FINE || kind == BR_PLOT_BACK) && !(line->label && line->label[0]);
      draw(r, line, ax, ay, faint ? FAINT : BIT(i));
      if (line->n == 1 && r->nmarks < BRI_MOST_LABELS) {
        r->mark_x[r->nmarks] = bri_axis_part(ax, line->x[0]);
        r->mark_y[r->nmarks++] = bri_axis_part(ay, line->y[0]);
      }
    }
  }
  for (size_t i = 0; i < panel->nlines; i++) {
    const br_plot_line *line = &panel->lines[i];
    int again = 0; /* one label serves all lines of that name */
    if (!line->label || !line->label[0] || n == BRI_MOST_LABELS) continue;
    if (line->n < 2 && bri_plot_joined(bri_plot_kind_of(line)))
      continue; /* one point of a line is not seen */
    for (size_t k = 0; k < i && !again; k++)
      again = labels[k].shown && panel->lines[k].label && strcmp(panel->lines[k].label, line->label) == 0;
    if (again) continue;
    const double w = CHAR * (double)length(line->label) / width, h = LINE / height;
    const box at = bri_plot_named_area(bri_plot_kind_of(line))
                       ? name_region(r, i, w, h, taken, n, &labels[i])
                       : name_line(r, line, i, ax, ay, width, height, taken, n, &labels[i]);
    if (!labels[i].shown) continue;
    labels[i].x = at.x0;
    labels[i].y = (at.y0 + at.y1) / 2;
    taken[n++] = at;
  }
  bri_free(r);
  return BR_OK;
}
