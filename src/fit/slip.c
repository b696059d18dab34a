/* SPDX-License-Identifier: Apache-2.0
 * slip.c - where the elements of a Maxwell-slip model start: each dead band of a grid is one column (the
 * deflection of an element with unit stiffness), non-negative least squares finds the stiffnesses, and
 * elements are taken one after the other, each time the one that lowers the rest most. */
#include <math.h>

#include "../../core/elementary.h"
#include "base/alloc.h"
#include "fit.h"

enum { GRID = 40 };

/* Deflection of an element with this dead band along the motion. */
static void deflection(const bri_fit_data *d, size_t to, double began, double Delta, double *z)
{
  double at = fmin(fmax(began, -Delta), Delta);
  for (size_t k = 0; k < to; k++) {
    const double width = Delta * (d->load && k ? d->load[k - 1] : 1);
    if (k) at = fmin(fmax(at + d->v[k - 1] * d->h[k - 1], -width), width);
    z[k] = at;
  }
}

/* The sum of squares that a choice of columns leaves; x receives their weights. */
static double rest(size_t n, const double *A, const double *b, double yy, const size_t *at, size_t m,
                   size_t q, double *x)
{
  double a[BRI_FIT_MOST * BRI_FIT_MOST], y[BRI_FIT_MOST] = {0};
  unsigned char bound[BRI_FIT_MOST] = {0};
  a[0] = 0;
  for (size_t i = 0; i < m; i++) {
    y[i] = b[at[i]], bound[i] = at[i] >= q;
    for (size_t j = 0; j < m; j++) a[i * m + j] = A[at[i] * n + at[j]];
  }
  if (!bri_nnls(m, a, y, bound, x)) return INFINITY;
  double cost = yy;
  for (size_t i = 0; i < m; i++) {
    cost -= 2 * x[i] * y[i];
    for (size_t j = 0; j < m; j++) cost += x[i] * a[i * m + j] * x[j];
  }
  return cost;
}

/* Extras first, then elements as long as they help. */
static size_t take(size_t n, const double *A, const double *b, double yy, size_t q, size_t elements,
                   size_t *at, double *x)
{
  size_t m = 0;
  for (; m < q; m++) at[m] = m;
  for (size_t e = 0; e < elements; e++) {
    size_t best = n;
    double least = INFINITY;
    for (size_t j = q; j < n; j++) {
      int there = 0;
      for (size_t i = 0; i < m; i++) there = there || at[i] == j;
      at[m] = j;
      const double cost = there ? INFINITY : rest(n, A, b, yy, at, m + 1, q, x);
      if (cost < least) least = cost, best = j;
    }
    if (best == n) break;
    at[m++] = best;
  }
  return m;
}

/* Exchanges one element after the other for a better one, as long as there is one. */
static void exchange(size_t n, const double *A, const double *b, double yy, size_t q, size_t m, size_t *at,
                     double *x)
{
  double cost = rest(n, A, b, yy, at, m, q, x);
  for (int round = 0, changed = 1; round < 6 && changed; round++) {
    changed = 0;
    for (size_t i = q; i < m; i++) {
      const size_t here = at[i];
      size_t best = here;
      for (size_t j = q; j < n; j++) {
        int there = 0;
        for (size_t k = q; k < m; k++) there = there || (k != i && at[k] == j);
        at[i] = j;
        const double other = there ? INFINITY : rest(n, A, b, yy, at, m, q, x);
        if (other < cost * (1 - 1e-9)) cost = other, best = j;
      }
      at[i] = best;
      changed = changed || best != here;
    }
  }
  (void)rest(n, A, b, yy, at, m, q, x);
}

/* Normal equations of the extras and of elements with the dead bands Delta. */
typedef struct {
  size_t n, q;
  double A[BRI_FIT_MOST * BRI_FIT_MOST], b[BRI_FIT_MOST], yy;
} normal;

static br_status equations(const bri_fit_data *d, const double *const *columns, size_t q, double began,
                           const double *Delta, size_t bands, normal *e, br_err *err)
{
  const size_t n = q + bands, from = d->train[0], to = d->train[1], rows = to - from;
  const double *column[BRI_FIT_MOST];
  double *z = bri_malloc_array(bands * to + 1, sizeof *z);
  if (!z) return bri_no_memory(err, "fit");
  e->n = n, e->q = q;
  for (size_t g = 0; g < bands; g++) deflection(d, to, began, Delta[g], z + g * to);
  for (size_t j = 0; j < n; j++) column[j] = (j < q ? columns[j] : z + (j - q) * to) + from;
  for (size_t i = 0; i < n; i++) {
    e->b[i] = bri_dot(rows, column[i], d->F + from);
    for (size_t j = 0; j <= i; j++) e->A[i * n + j] = e->A[j * n + i] = bri_dot(rows, column[i], column[j]);
  }
  e->yy = bri_dot(rows, d->F + from, d->F + from);
  bri_free(z);
  return BR_OK;
}

/* Ascending dead bands. */
static void order(size_t elements, double *k, double *Delta)
{
  for (size_t e = 1; e < elements; e++)
    for (size_t i = e; i > 0 && Delta[i] < Delta[i - 1]; i--) {
      const double D = Delta[i], K = k[i];
      Delta[i] = Delta[i - 1], k[i] = k[i - 1], Delta[i - 1] = D, k[i - 1] = K;
    }
}

br_status bri_slip_start(const bri_fit_data *d, const double *const *columns, size_t q, size_t elements,
                         double *k, double *Delta, br_err *err)
{
  normal e;
  double x[BRI_FIT_MOST], grid[GRID];
  size_t at[BRI_FIT_MOST];
  for (size_t g = 0; g < GRID; g++) /* from beyond the stroke down to its thousandth part */
    grid[g] = 1.2 * d->stroke * bri_pow(10, -3.3 * (double)g / (GRID - 1));
  const br_status st = equations(d, columns, q, 0, grid, GRID, &e, err);
  if (st) return st;
  const size_t m = take(e.n, e.A, e.b, e.yy, q, elements, at, x);
  exchange(e.n, e.A, e.b, e.yy, q, m, at, x);
  for (size_t i = 0; i < elements; i++) {
    Delta[i] = q + i < m ? grid[at[q + i] - q] : d->stroke / (3 + (double)i);
    k[i] = q + i < m && x[q + i] > 0 ? x[q + i] : 1e-3 * d->level / d->stroke;
  }
  order(elements, k, Delta);
  return BR_OK;
}

br_status bri_slip_polish(const bri_fit_data *d, const double *const *columns, size_t q, size_t elements,
                          double began, double *k, double *Delta, br_err *err)
{
  enum { POINTS = 5 };
  for (double ratio = 1.25; ratio > 1.01; ratio = 1 + (ratio - 1) / 3) {
    normal e;
    double x[BRI_FIT_MOST], grid[BRI_FIT_MOST];
    size_t at[BRI_FIT_MOST];
    const size_t bands = elements * POINTS;
    if (q + bands > BRI_FIT_MOST) return BR_OK;
    for (size_t g = 0; g < bands; g++)
      grid[g] = Delta[g / POINTS] * bri_pow(ratio, (double)(g % POINTS) - POINTS / 2);
    const br_status st = equations(d, columns, q, began, grid, bands, &e, err);
    if (st) return st;
    for (size_t i = 0; i < q; i++) at[i] = i;
    for (size_t i = 0; i < elements; i++) at[q + i] = q + i * POINTS + POINTS / 2;
    exchange(e.n, e.A, e.b, e.yy, q, q + elements, at, x);
    for (size_t i = 0; i < elements; i++)
      Delta[i] = grid[at[q + i] - q], k[i] = x[q + i] > 0 ? x[q + i] : 1e-3 * d->level / d->stroke;
    order(elements, k, Delta);
  }
  return BR_OK;
}
