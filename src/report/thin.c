/* SPDX-License-Identifier: Apache-2.0
 * thin.c - a picture has no use for more points than it has places: of long lines the least and the greatest
 * value of every narrow strip stay, of curves that turn back what bends them, of markers one a place, of maps
 * one colour a place.  What is short is not touched.  Points of a line that lie on it anyway are left out
 * first. */
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../base/alloc.h"
#include "plot.h"

enum {
  LEAST = 200,  /* of one line, however many there are */
  BOXES = 9000, /* of all maps of a panel */
  ACROSS = 130,
  UP = 90 /* places of a map that is too fine */
};
static const double WIDE = 1200;                   /* px of a panel, generously */
static const double NEAR = 0.04;                   /* px that nobody sees */
static const double HALF = 3.14159265358979323846; /* of a turn */

/* A line on its way: which of its points stay. */
typedef struct {
  const br_plot_line *line;
  const bri_axis *ax, *ay;
  size_t most;
  unsigned char *keep;
} thinning;

static double px(const thinning *t, size_t i) { return WIDE * bri_axis_part(t->ax, t->line->x[i]); }
static double py(const thinning *t, size_t i) { return WIDE * bri_axis_part(t->ay, t->line->y[i]); }

/* A point that is none: the line breaks there. */
static int is_gap(const br_plot_line *l, size_t i) { return !isfinite(l->x[i]) || !isfinite(l->y[i]); }

/* Do the points come one behind the other along x? */
static int forward(const br_plot_line *l)
{
  double last = -INFINITY;
  for (size_t i = 0; i < l->n; i++) {
    if (is_gap(l, i)) continue;
    if (l->x[i] < last) return 0;
    last = l->x[i];
  }
  return 1;
}

/* Gaps stay: a break and the points beside it. */
static void keep_gaps(thinning *t)
{
  const br_plot_line *l = t->line;
  for (size_t i = 0; i < l->n; i++) {
    if (!is_gap(l, i)) continue;
    const int again = i > 0 && is_gap(l, i - 1);
    t->keep[i] = !again;
    if (i > 0 && !again) t->keep[i - 1] = 1;
    if (i + 1 < l->n && !is_gap(l, i + 1)) t->keep[i + 1] = 1;
  }
  t->keep[0] = t->keep[l->n - 1] = 1;
}

/* Strips along x: first, least, greatest and last of each. */
static void strips(thinning *t)
{
  const br_plot_line *l = t->line;
  const size_t count = t->most / 4;
  const double n = (double)count;
  size_t first = 0;
  while (first < l->n && is_gap(l, first)) first++;
  const double from = first < l->n ? l->x[first] : 0;
  double to = from;
  for (size_t i = first; i < l->n; i++) to = is_gap(l, i) ? to : fmax(to, l->x[i]);
  for (size_t i = first; i < l->n;) {
    const double strip = to > from ? floor((l->x[i] - from) / (to - from) * n) : 0;
    size_t low = i, high = i, last = i, j = i;
    for (; j < l->n; j++) {
      if (is_gap(l, j)) continue;
      if ((to > from ? floor((l->x[j] - from) / (to - from) * n) : 0) > strip) break;
      if (!(l->y[low] <= l->y[j])) low = j;
      if (!(l->y[high] >= l->y[j])) high = j;
      last = j;
    }
    t->keep[i] = t->keep[low] = t->keep[high] = t->keep[last] = 1;
    i = j > i ? j : i + 1;
  }
}

/* Curves: a point stays where the line from the last one that stayed would pass by another in between by more
 * than `far` px; the extremes of both axes stay. */
static size_t bends(thinning *t, double far)
{
  const br_plot_line *l = t->line;
  size_t kept = 0;
  double reach = 0;
  memset(t->keep, 0, l->n);
  keep_gaps(t);
  double ax = px(t, 0), ay = py(t, 0), lo = -INFINITY,
         hi = INFINITY; /* slopes that still pass by all of them */
  for (size_t i = 1; i < l->n; i++) {
    const double dx = px(t, i) - ax, dy = py(t, i) - ay, d = bri_hypot(dx, dy);
    const double angle = bri_atan2(dy, dx), room = bri_asin(fmin(1, far / d));
    const double middle = isinf(lo) ? angle : 0.5 * (lo + hi);
    double a = angle;
    while (a - middle > HALF) a -= 2 * HALF;
    while (a - middle < -HALF) a += 2 * HALF;
    const int fits =
        isnan(d) || isinf(lo) || (a >= lo && a <= hi && d >= reach - far) || (d <= far && !t->keep[i]);
    if (fits && (t->keep[i] || isnan(d))) {
      ax = px(t, i), ay = py(t, i), lo = -INFINITY, hi = INFINITY, reach = 0;
      continue;
    }
    if (fits && d <= far) continue;
    if (!fits) {
      const size_t from = i - 1;
      t->keep[from] = 1;
      ax = px(t, from), ay = py(t, from), lo = -INFINITY, hi = INFINITY, reach = 0;
      i--; /* seen again from there */
      continue;
    }
    lo = isinf(lo) ? a - room : fmax(lo, a - room), hi = isinf(hi) ? a + room : fmin(hi, a + room);
    reach = fmax(reach, d);
  }
  size_t end[4] = {0, 0, 0, 0};
  for (size_t i = 0; i < l->n; i++) {
    const double *const x[] = {l->x, l->y};
    for (int k = 0; k < 2; k++) {
      if (!(x[k][end[2 * k]] <= x[k][i])) end[2 * k] = i;
      if (!(x[k][end[2 * k + 1]] >= x[k][i])) end[2 * k + 1] = i;
    }
  }
  for (int k = 0; k < 4; k++) t->keep[end[k]] = 1;
  for (size_t i = 0; i < l->n; i++) kept += t->keep[i];
  return kept;
}

/* Markers: the first at each place. */
static size_t places(thinning *t, double size)
{
  const size_t side = (size_t)(WIDE / size) + 1;
  unsigned char *seen = bri_calloc(side * side, 1);
  size_t kept = 0;
  if (!seen) return 0;
  for (size_t i = 0; i < t->line->n; i++) {
    const double x = px(t, i) / size, y = py(t, i) / size;
    t->keep[i] = x >= 0 && y >= 0 && x < (double)side && y < (double)side;
    if (!t->keep[i]) continue;
    unsigned char *at = &seen[(size_t)y * side + (size_t)x];
    t->keep[i] = !*at, *at = 1;
    kept += t->keep[i];
  }
  bri_free(seen);
  return kept + 1;
}

static br_status thin_line(br_plot_line *l, const bri_axis *ax, const bri_axis *ay, size_t most, bri_thin *to)
{
  const int joined = bri_plot_joined(bri_plot_kind_of(l));
  thinning t = {l, ax, ay, most, bri_calloc(l->n, 1)};
  size_t kept = 1;
  if (!t.keep) return BR_E_NOMEM;
  if (joined) {
    const int along = forward(l);
    kept = bends(&t, NEAR);
    if (kept > most && along) memset(t.keep, 0, l->n), keep_gaps(&t), strips(&t);
    for (double far = 2 * NEAR; !along && kept > most && far < 20; far *= 2) kept = bends(&t, far);
  } else {
    for (double size = 1; (kept = places(&t, size)) > most && size < 100; size *= 2) {}
  }
  double *x = kept ? bri_thin_get(to, 2 * l->n) : NULL, *y = x ? x + l->n : NULL;
  size_t n = 0;
  for (size_t i = 0; x && i < l->n; i++)
    if (t.keep[i]) x[n] = l->x[i], y[n++] = l->y[i];
  bri_free(t.keep);
  if (!x) return BR_E_NOMEM;
  l->x = x, l->y = y, l->n = n;
  return BR_OK;
}

/* ---- maps ---- */

static int is_box(const br_plot_line *l)
{
  const int kind = bri_plot_kind_of(l);
  return kind == BR_PLOT_REGION || kind == BR_PLOT_LEVEL;
}

static double at_part(const bri_axis *a, double part)
{
  return a->log ? a->from * bri_pow(a->to / a->from, part) : (a->from + part * (a->to - a->from)) / a->factor;
}

/* All boxes of a panel on a grid of places, joined along each row. */
static br_status coarsen(br_plot_line *lines, size_t n, const bri_axis *ax, const bri_axis *ay, bri_thin *to)
{
  unsigned short *cell = bri_calloc((size_t)ACROSS * UP, sizeof *cell);
  if (!cell) return BR_E_NOMEM;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; is_box(&lines[i]) && j + 1 < lines[i].n; j += 2) {
      const double x0 = bri_axis_part(ax, lines[i].x[j]) * ACROSS,
                   x1 = bri_axis_part(ax, lines[i].x[j + 1]) * ACROSS,
                   y0 = bri_axis_part(ay, lines[i].y[j]) * UP, y1 = bri_axis_part(ay, lines[i].y[j + 1]) * UP;
      for (int r = 0; r < UP; r++)
        for (int c = 0; r + 0.5 >= y0 && r + 0.5 < y1 && c < ACROSS; c++)
          if (c + 0.5 >= x0 && c + 0.5 < x1) cell[r * ACROSS + c] = (unsigned short)(i + 1);
    }
  }
  br_status st = BR_OK;
  for (size_t i = 0; i < n && !st; i++) {
    if (!is_box(&lines[i])) continue;
    double *x = bri_thin_get(to, 4 * (size_t)ACROSS * UP), *y = x ? x + 2 * (size_t)ACROSS * UP : NULL;
    size_t k = 0;
    if (!x) st = BR_E_NOMEM;
    for (int r = 0; r < UP && x; r++) {
      for (int c = 0; c < ACROSS; c++) {
        int e = c;
        while (e < ACROSS && cell[r * ACROSS + e] == i + 1) e++;
        if (e == c) continue;
        x[k] = at_part(ax, (double)c / ACROSS), y[k++] = at_part(ay, (double)r / UP);
        x[k] = at_part(ax, (double)e / ACROSS), y[k++] = at_part(ay, (r + 1.0) / UP);
        c = e;
      }
    }
    if (x) lines[i].x = x, lines[i].y = y, lines[i].n = k;
  }
  bri_free(cell);
  return st;
}

/* ---- a picture ---- */

double *bri_thin_get(bri_thin *to, size_t n)
{
  struct bri_thin_block *b = bri_malloc(sizeof *b + (n + 1) * sizeof(double));
  if (!b) return NULL;
  b->next = to->owned;
  to->owned = b;
  return (double *)(void *)(b + 1);
}

void bri_thin_free(bri_thin *to)
{
  for (struct bri_thin_block *b = to->owned, *next = NULL; b; b = next) next = b->next, bri_free(b);
  bri_free(to->panels);
  bri_free(to->lines);
  memset(to, 0, sizeof *to);
}

br_status bri_plot_thin(const br_plot *plot, size_t points, bri_thin *to)
{
  size_t all = 0, used = 0;
  memset(to, 0, sizeof *to);
  for (size_t p = 0; p < plot->npanels; p++) all += plot->panels[p].nlines;
  to->panels = bri_calloc(plot->npanels + 1, sizeof *to->panels);
  to->lines = bri_calloc(all + 1, sizeof *to->lines);
  if (!to->panels || !to->lines) return BR_E_NOMEM;
  const bri_layout layout = bri_plot_layout(plot);
  const size_t width = (size_t)(layout.width / layout.columns), fair = points / (all ? all : 1),
               most = fair < LEAST       ? LEAST
                      : fair > 8 * width ? 8 * width
                                         : fair; /* eight a pixel are plenty */
  br_status st = BR_OK;
  for (size_t p = 0; p < plot->npanels && !st; p++) {
    const br_plot_panel *from = &plot->panels[p];
    const bri_axis ax = bri_axis_of(from, 0), ay = bri_axis_of(from, 1);
    br_plot_line *lines = to->lines + used;
    size_t boxes = 0;
    memcpy(lines, from->lines, from->nlines * sizeof *lines);
    for (size_t i = 0; i < from->nlines && !st; i++) {
      boxes += is_box(&lines[i]) ? lines[i].n / 2 : 0;
      const int kind = bri_plot_kind_of(&lines[i]);
      if (!bri_plot_in_pairs(kind) && lines[i].n > (bri_plot_joined(kind) ? LEAST : most))
        st = thin_line(&lines[i], &ax, &ay, most, to);
    }
    if (!st && boxes > BOXES) st = coarsen(lines, from->nlines, &ax, &ay, to);
    to->panels[p] = *from;
    to->panels[p].lines = lines;
    used += from->nlines;
  }
  to->plot = (br_plot){plot->title, to->panels, plot->npanels};
  return st;
}
