/* SPDX-License-Identifier: Apache-2.0
 * regions.c - a map over two columns as rectangles: neighbours of the same kind joined, borders between. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "maps.h"
#include "text/fail.h"

enum { MOST_SIDE = 4000 };

/* The different values of a column, and the edges half way between them. */
static br_status edges(const bri_store *store, const double *x, size_t n, double **middle, double **edge,
                       size_t *count, br_err *err)
{
  double *v = store->get(store->ctx, (n + 1) * sizeof *v);
  size_t k = 0;
  if (!v) return bri_no_memory(err, "map");
  memcpy(v, x, n * sizeof *v);
  bri_sort(n, v);
  const double near = 1e-9 * fabs(v[n - 1] - v[0]);
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(v[i])) return bri_fail(err, BR_E_NAN, "map: a coordinate is not a number");
    if (k == 0 || v[i] - v[k - 1] > near) v[k++] = v[i];
  }
  double *e = store->get(store->ctx, (k + 1) * sizeof *e);
  if (!e) return bri_no_memory(err, "map");
  for (size_t i = 1; i < k; i++) e[i] = 0.5 * (v[i - 1] + v[i]);
  const double half = k > 1 ? 0.5 : fmax(0.5 * fabs(v[0]), 0.5);
  e[0] = v[0] - half * (k > 1 ? v[1] - v[0] : 1);
  e[k] = v[k - 1] + half * (k > 1 ? v[k - 1] - v[k - 2] : 1);
  *middle = v;
  *edge = e;
  *count = k;
  return BR_OK;
}

static size_t place(const double *edge, size_t n, double x)
{
  size_t lo = 0, hi = n;
  while (hi - lo > 1) {
    const size_t mid = (lo + hi) / 2;
    if (x < edge[mid]) hi = mid;
    else lo = mid;
  }
  return lo;
}

br_status bri_cells_make(const bri_store *store, const bri_map_data *m,
                         unsigned char (*index)(void *ctx, double), void *ctx, bri_cells *out, br_err *err)
{
  double *x = NULL, *y = NULL;
  memset(out, 0, sizeof *out);
  if (m->n == 0) return bri_fail(err, BR_E_SIZE, "map: the table is empty");
  br_status st = edges(store, m->x, m->n, &x, &out->xe, &out->nx, err);
  if (!st) st = edges(store, m->y, m->n, &y, &out->ye, &out->ny, err);
  if (st) return st;
  if (out->nx > MOST_SIDE || out->ny > MOST_SIDE || out->nx * out->ny > 4 * m->n + 64)
    return bri_fail(err, BR_E_SIZE, "map: %zu points at %zu places along and %zu upwards do not form a grid",
                    m->n, out->nx, out->ny);
  out->cell = store->get(store->ctx, out->nx * out->ny);
  if (!out->cell) return bri_no_memory(err, "map");
  memset(out->cell, 255, out->nx * out->ny);
  for (size_t i = 0; i < m->n; i++) {
    const size_t k = place(out->xe, out->nx, m->x[i]) * out->ny + place(out->ye, out->ny, m->y[i]);
    out->cell[k] = isnan(m->value[i]) ? 255 : index(ctx, m->value[i]);
  }
  return BR_OK;
}

static int at(const bri_cells *c, size_t i, size_t j) { return c->cell[i * c->ny + j]; }

/* Runs along x, each continued upwards while the row above has the same. */
br_status bri_cells_region(const bri_store *store, const bri_cells *c, unsigned char index, br_plot_line *out,
                           br_err *err)
{
  size_t cells = 0, n = 0;
  for (size_t k = 0; k < c->nx * c->ny; k++) cells += c->cell[k] == index;
  memset(out, 0, sizeof *out);
  double *x = store->get(store->ctx, (2 * cells + 2) * sizeof *x), *y = x;
  if (x) y = store->get(store->ctx, (2 * cells + 2) * sizeof *y);
  unsigned char *done = store->get(store->ctx, c->nx * c->ny);
  if (!x || !y || !done) return bri_no_memory(err, "map");
  for (size_t j = 0; j < c->ny; j++) {
    for (size_t i = 0; i < c->nx; i++) {
      if (at(c, i, j) != index || done[i * c->ny + j]) continue;
      size_t to = i, top = j;
      while (to < c->nx && at(c, to, j) == index && !done[to * c->ny + j]) to++;
      for (int same = 1; same; top += (size_t)same) {
        same = top + 1 < c->ny;
        for (size_t k = i; k < to && same; k++)
          same = at(c, k, top + 1) == index && !done[k * c->ny + top + 1];
      }
      for (size_t k = i; k < to; k++) memset(done + k * c->ny + j, 1, top - j + 1);
      x[n] = c->xe[i], y[n++] = c->ye[j];
      x[n] = c->xe[to], y[n++] = c->ye[top + 1];
    }
  }
  out->x = x;
  out->y = y;
  out->n = n;
  out->kind = BR_PLOT_REGION;
  return BR_OK;
}

/* One border line for each row and column of edges; NaN where neighbours are the same. */
br_status bri_cells_border(const bri_store *store, const bri_cells *c, br_plot_line *out, br_err *err)
{
  const size_t most = 3 * 2 * (c->nx * (c->ny + 1) + c->ny * (c->nx + 1));
  size_t n = 0;
  double *x = store->get(store->ctx, most * sizeof *x), *y = x;
  if (x) y = store->get(store->ctx, most * sizeof *y);
  if (!x || !y) return bri_no_memory(err, "map");
  for (int across = 0; across < 2;
       across++) { /* borders along y between columns, then along x between rows */
    const size_t outer = across ? c->ny : c->nx, inner = across ? c->nx : c->ny;
    const double *fixed = across ? c->ye : c->xe, *along = across ? c->xe : c->ye;
    for (size_t i = 1; i < outer; i++) {
      for (size_t j = 0; j < inner; j++) {
        const int one = across ? at(c, j, i - 1) : at(c, i - 1, j), two = across ? at(c, j, i) : at(c, i, j);
        if (one == two) continue;
        size_t to = j;
        while (to < inner && (across ? at(c, to, i - 1) != at(c, to, i) : at(c, i - 1, to) != at(c, i, to)))
          to++;
        for (int end = 0; end < 2; end++) {
          x[n] = across ? along[end ? to : j] : fixed[i];
          y[n++] = across ? fixed[i] : along[end ? to : j];
        }
        x[n] = y[n] = NAN;
        n++;
        j = to;
      }
    }
  }
  memset(out, 0, sizeof *out);
  out->x = x;
  out->y = y;
  out->n = n;
  out->kind = BR_PLOT_BORDER;
  return BR_OK;
}
