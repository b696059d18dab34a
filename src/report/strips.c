/* SPDX-License-Identifier: Apache-2.0
 * strips.c - a map given as columns that are cut at its borders: polygons between columns with the same
 * pieces, lines along the borders. */
#include <math.h>
#include <string.h>

#include "maps.h"
#include "text/fail.h"

/* Columns from..to - 1 of rows that follow each other and have the same pieces; half: how far they reach
 * beyond the first and the last, to the middle of the next. */
typedef struct {
  const bri_map_data *m;
  size_t first, last, pieces; /* rows of the first and the last column, pieces of each */
  double from, to;
} run;

static size_t pieces_at(const bri_map_data *m, size_t row)
{
  size_t n = 1;
  while (row + n < m->n && m->x[row + n] == m->x[row]) n++;
  return n;
}

static int same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

/* The run that begins at a row. */
static run run_at(const bri_map_data *m, size_t row)
{
  run r = {m, row, row, pieces_at(m, row), m->x[row], m->x[row]};
  if (row) r.from = 0.5 * (m->x[row - 1] + m->x[row]);
  for (;;) {
    const size_t next = r.last + r.pieces;
    int alike = next < m->n && pieces_at(m, next) == r.pieces;
    for (size_t k = 0; alike && k < r.pieces; k++) alike = same(m->value[next + k], m->value[r.last + k]);
    if (!alike) break;
    r.last = next;
  }
  const size_t next = r.last + r.pieces;
  r.to = next < m->n ? 0.5 * (m->x[r.last] + m->x[next]) : m->x[r.last];
  return r;
}

typedef struct {
  double *x, *y;
  size_t n;
} points;

static void add(points *p, double x, double y) { p->x[p->n] = x, p->y[p->n++] = y; }

br_status bri_strips_region(const bri_store *store, const bri_map_data *m, int number, br_plot_line *out,
                            br_err *err)
{
  points p = {0};
  const size_t most = 8 * m->n + 8;
  size_t seen = 0;
  memset(out, 0, sizeof *out);
  while (seen < m->n && !(fabs(m->value[seen] - number) < 0.5)) seen++;
  if (seen == m->n) return BR_OK;
  p.x = store->get(store->ctx, 2 * most * sizeof *p.x);
  if (!p.x) return bri_no_memory(err, "map");
  p.y = p.x + most;
  for (size_t row = 0; row < m->n;) {
    const run r = run_at(m, row);
    for (size_t k = 0; k < r.pieces; k++) {
      if (!(fabs(m->value[r.first + k] - number) < 0.5)) continue;
      add(&p, r.from, m->y[r.first + k]), add(&p, r.from, m->top[r.first + k]);
      for (size_t i = r.first + k; i <= r.last + k; i += r.pieces)
        add(&p, m->x[i], m->y[i]), add(&p, m->x[i], m->top[i]);
      add(&p, r.to, m->y[r.last + k]), add(&p, r.to, m->top[r.last + k]);
      add(&p, NAN, NAN), add(&p, NAN, NAN);
    }
    row = r.last + r.pieces;
  }
  *out = (br_plot_line){p.x, p.y, p.n, NULL, BR_PLOT_STRIP};
  return BR_OK;
}

/* Value of the column that begins at row, at a height. */
static double value_at(const bri_map_data *m, size_t row, size_t pieces, double y)
{
  size_t k = 0;
  while (k + 1 < pieces && y > m->top[row + k]) k++;
  return m->value[row + k];
}

/* Upright pieces between two runs, where both sides differ; specks are left out. */
static void upright(const run *a, const run *b, points *p)
{
  const bri_map_data *m = a->m;
  double y = m->y[a->last];
  const double end = m->top[a->last + a->pieces - 1], speck = 0.004 * (end - y);
  while (y < end) {
    double next = end;
    for (size_t k = 0; k < a->pieces; k++)
      if (m->top[a->last + k] > y) next = fmin(next, m->top[a->last + k]);
    for (size_t k = 0; k < b->pieces; k++)
      if (m->top[b->first + k] > y) next = fmin(next, m->top[b->first + k]);
    const double middle = 0.5 * (y + next);
    if (next - y > speck &&
        !same(value_at(m, a->last, a->pieces, middle), value_at(m, b->first, b->pieces, middle)))
      add(p, a->to, y), add(p, a->to, next), add(p, NAN, NAN);
    y = next;
  }
}

br_status bri_strips_border(const bri_store *store, const bri_map_data *m, br_plot_line *out, br_err *err)
{
  points p = {0};
  const size_t most = 10 * m->n + 8;
  memset(out, 0, sizeof *out);
  p.x = store->get(store->ctx, 2 * most * sizeof *p.x);
  if (!p.x) return bri_no_memory(err, "map");
  p.y = p.x + most;
  for (size_t row = 0; row < m->n;) {
    const run r = run_at(m, row);
    for (size_t k = 1; k < r.pieces; k++) {
      add(&p, r.from, m->y[r.first + k]);
      for (size_t i = r.first + k; i <= r.last + k; i += r.pieces) add(&p, m->x[i], m->y[i]);
      add(&p, r.to, m->y[r.last + k]);
      add(&p, NAN, NAN);
    }
    row = r.last + r.pieces;
    if (row < m->n) {
      const run next = run_at(m, row);
      upright(&r, &next, &p);
    }
  }
  *out = (br_plot_line){p.x, p.y, p.n, NULL, BR_PLOT_BORDER};
  return BR_OK;
}
