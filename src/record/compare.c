/* SPDX-License-Identifier: Apache-2.0
 * compare.c - errors and energies of a computed quantity beside the measured one. */
#include "compare.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "text/fail.h"

void bri_compare_add(bri_compare *c, const bri_compare_row *at)
{
  const double measured = at->value[1], e = at->value[0] - measured;
  double *rows = bri_grown(c->rows, c->n, &c->room, 3 * sizeof *rows);
  if (!rows) {
    c->failed = 1;
    return;
  }
  c->rows = rows;
  double *row = rows + 3 * c->n;
  const double *before = c->n ? row - 3 : row;
  row[0] = at->along;
  for (int k = 0; k < 2; k++)
    row[1 + k] = c->n ? before[1 + k] + 0.5 * (at->F[k] + c->last[2 + k]) * (at->x[k] - c->last[k]) : 0;
  const double d = measured - c->mean;
  c->n++;
  c->mean += d / (double)c->n;
  c->square += d * (measured - c->mean);
  c->error += (e - c->error) / (double)c->n;
  c->errors += e * e;
  c->largest = fmax(c->largest, fabs(e));
  memcpy(c->last, at->x, sizeof at->x);
  memcpy(c->last + 2, at->F, sizeof at->F);
}

/* First and last passage upwards through the middle of the motion; noise of a tenth of its height does not
 * count. */
static size_t passages(const bri_compare *c, size_t *first, size_t *last)
{
  double lo = INFINITY, hi = -INFINITY;
  size_t n = 0;
  int below = 0;
  for (size_t i = 0; i < c->n; i++) lo = fmin(lo, c->rows[3 * i]), hi = fmax(hi, c->rows[3 * i]);
  const double middle = lo + 0.5 * (hi - lo), band = 0.1 * (hi - lo);
  for (size_t i = 0; i < c->n && band > 0; i++) {
    const double u = c->rows[3 * i];
    if (u < middle - band) below = 1;
    if (!below || u < middle + band) continue;
    below = 0;
    if (n++ == 0) *first = i;
    *last = i;
  }
  return n;
}

br_status bri_compare_end(bri_compare *c, bri_comparison *out, br_err *err)
{
  size_t first = 0, last = 0;
  memset(out, 0, sizeof *out);
  out->cycle_model = out->cycle_measured = NAN;
  const size_t n = c->failed ? 0 : passages(c, &first, &last);
  if (c->n && !c->failed) {
    const double *end = c->rows + 3 * (c->n - 1), *a = c->rows + 3 * first, *b = c->rows + 3 * last;
    out->samples = c->n;
    out->rms = sqrt(c->errors / (double)c->n);
    out->relative = c->square > 0 ? sqrt(c->errors / c->square) : NAN;
    out->bias = c->error;
    out->largest = c->largest;
    out->work_model = end[1], out->work_measured = end[2];
    out->cycles = n > 1 ? n - 1 : 0;
    if (n > 1)
      out->cycle_model = (b[1] - a[1]) / (double)(n - 1),
      out->cycle_measured = (b[2] - a[2]) / (double)(n - 1);
  }
  const int failed = c->failed;
  bri_free(c->rows);
  memset(c, 0, sizeof *c);
  return failed ? bri_no_memory(err, "measured") : BR_OK;
}
