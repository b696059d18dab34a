/* SPDX-License-Identifier: Apache-2.0
 * distance.c - how far a column of one run lies from that of another: for checks that compare models. */
#include <math.h>
#include <string.h>

#include "columns.h"

static br_status column(br_study *s, const bri_run *r, const bri_node *at, const char *name,
                        br_plot_line *out, br_err *err)
{
  const bri_table *t = NULL;
  for (size_t i = 0; i < r->res.ntables; i++)
    if (strcmp(r->res.tables[i].name, r->an->name) == 0) t = &r->res.tables[i];
  const int y = t ? bri_table_column(t, name) : -1;
  const bri_columns c = {0, y, -1, -1, 1, 1, 0};
  if (y < 0)
    return bri_fail(err, BR_E_NAME, "%s:%zu:%zu: run '%s' has no column '%.60s' in its table", at->at.file,
                    at->at.line, at->at.column, r->name, name);
  return bri_columns_line(s, s->arena, t, &c, 1, out, err);
}

/* Root mean square of the difference, row by row, in parts of the range of the other. */
br_status bri_study_distance(br_study *s, const bri_run *r, const bri_node *check, double *out, br_err *err)
{
  const bri_node *from = bri_node_find(check, "from"), *at = bri_node_find(check, "quantity");
  const bri_run *other = bri_study_run_named(s, from->text);
  const char *name = bri_node_text(check, "quantity", "");
  br_plot_line a, b;
  double lo = INFINITY, hi = -INFINITY, sum = 0;
  if (!other)
    return bri_fail(err, BR_E_NAME, "%s:%zu:%zu: there is no run '%.60s'", from->at.file, from->at.line,
                    from->at.column, from->text);
  br_status st = column(s, r, at, name, &a, err);
  if (!st) st = column(s, other, at, name, &b, err);
  if (st) return st;
  if (a.n != b.n || a.n == 0)
    return bri_fail(err, BR_E_SIZE, "%s:%zu:%zu: run '%s' has %zu rows, '%s' %zu: nothing to compare",
                    from->at.file, from->at.line, from->at.column, r->name, a.n, other->name, b.n);
  for (size_t i = 0; i < a.n; i++) {
    sum += (a.y[i] - b.y[i]) * (a.y[i] - b.y[i]);
    lo = fmin(lo, b.y[i]), hi = fmax(hi, b.y[i]);
  }
  *out = sqrt(sum / (double)a.n) / (hi - lo);
  return BR_OK;
}
