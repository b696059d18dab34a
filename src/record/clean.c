/* SPDX-License-Identifier: Apache-2.0
 * clean.c - order of time, repeated stamps, gaps: named, bridged up to a limit, refused beyond it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/order.h"
#include "record.h"

enum { GAP_FACTOR = 3, GAP_ROWS = 10 };
static const double GAP_PART = 0.01; /* of the record: gaps up to this are bridged unless told otherwise */

typedef struct {
  size_t count;
  struct {
    double at, length;
  } longest, first[3];
  char longest_name[48];
} gaps;

const char *bri_record_clock(const br_record *r) { return r->timed ? "s" : "rows"; }

static void copy_row(br_record *r, size_t to, size_t from)
{
  for (size_t k = 0; k < r->n; k++)
    if (r->ch[k].x) r->ch[k].x[to] = r->ch[k].x[from];
}

static br_status all_finite(const br_record *r, br_err *err)
{
  for (size_t k = 0; k < r->n; k++)
    for (size_t i = 0; r->ch[k].x && i < r->rows; i++)
      if (isinf(r->ch[k].x[i]))
        return bri_text_fail(err, BR_E_NAN, (int)i, "%.80s: column '%.40s' is infinite in row %zu", r->label,
                             r->ch[k].name, i + 1);
  return BR_OK;
}

/* Into the mean of a row whose numbers had[] counts. */
static void merge_row(br_record *r, size_t to, size_t from, size_t *had)
{
  for (size_t k = 1; k < r->n; k++) {
    double *x = r->ch[k].x;
    if (!x || isnan(x[from])) continue;
    x[to] = had[k]++ ? x[to] + (x[from] - x[to]) / (double)had[k] : x[from];
  }
}

/* Rows without a time are left out, rows with the time of the row before are merged into it. */
static br_status order(br_record *r, br_err *err)
{
  double *t = r->ch[0].x;
  size_t kept = 0, lost = 0, merged = 0, had[BR_RECORD_CHANNELS] = {0};
  double first_merged = 0;
  for (size_t i = 0; i < r->rows; i++) {
    if (isnan(t[i])) {
      lost++;
      continue;
    }
    if (kept && t[i] < t[kept - 1])
      return bri_text_fail(
          err, BR_E_RANGE, (int)i,
          "%.80s: time runs back from %.9g s to %.9g s in row %zu (a record that was started anew?); "
          "choose one part by |window:A:B",
          r->label, t[kept - 1], t[i], i + 1);
    if (kept && t[i] == t[kept - 1]) {
      if (merged++ == 0) first_merged = t[i];
      merge_row(r, kept - 1, i, had);
      continue;
    }
    copy_row(r, kept++, i);
    for (size_t k = 1; k < r->n; k++) had[k] = r->ch[k].x && !isnan(r->ch[k].x[i]);
  }
  r->rows = kept;
  if (lost) bri_record_note(r, "%zu row%s without a time left out", lost, lost == 1 ? "" : "s");
  if (merged)
    bri_record_note(r, "%zu repeated time stamp%s merged to the mean, the first at %.9g s", merged,
                    merged == 1 ? "" : "s", first_merged);
  return BR_OK;
}

static br_status usual_interval(br_record *r, br_err *err)
{
  const double *t = r->ch[0].x;
  if (r->rows < 2) return BR_OK;
  double *d = bri_malloc_array(r->rows - 1, sizeof *d);
  if (!d) return bri_no_memory(err, r->label);
  for (size_t i = 0; i + 1 < r->rows; i++) d[i] = t[i + 1] - t[i];
  bri_sort(r->rows - 1, d);
  r->dt = d[(r->rows - 1) / 2];
  bri_free(d);
  return BR_OK;
}

static void count(gaps *g, double at, double length, const char *name)
{
  if (g->count < 3) g->first[g->count].at = at, g->first[g->count].length = length;
  if (g->count++ && length <= g->longest.length) return;
  g->longest.at = at, g->longest.length = length;
  (void)snprintf(g->longest_name, sizeof g->longest_name, "%.40s", name);
}

/* Missing cells at the ends cannot be bridged: those rows go. */
static void trim(br_record *r)
{
  size_t from = 0, to = r->rows;
  for (size_t k = 0; k < r->n; k++) {
    const double *x = r->ch[k].x;
    while (x && from < to && isnan(x[from])) from++;
    while (x && from < to && isnan(x[to - 1])) to--;
  }
  if (from == 0 && to == r->rows) return;
  bri_record_note(r, "%zu row%s at the ends left out: no numbers", from + r->rows - to,
                  from + r->rows - to == 1 ? "" : "s");
  for (size_t i = from; i < to; i++) copy_row(r, i - from, i);
  r->rows = to - from;
}

static void fill(const br_record *r, size_t k, gaps *g)
{
  const double *t = r->ch[0].x;
  double *x = r->ch[k].x;
  for (size_t i = 1; x && i + 1 < r->rows; i++) {
    size_t end = i;
    while (end < r->rows && isnan(x[end])) end++;
    if (end == i || end == r->rows) continue;
    count(g, t[i - 1], t[end] - t[i - 1], r->ch[k].name);
    for (size_t j = i; j < end; j++)
      x[j] = x[i - 1] + (x[end] - x[i - 1]) * ((t[j] - t[i - 1]) / (t[end] - t[i - 1]));
    i = end;
  }
}

static br_status judge(br_record *r, const gaps *g, br_err *err)
{
  const double whole = r->rows ? r->ch[0].x[r->rows - 1] - r->ch[0].x[0] : 0,
               usual = fmax(GAP_PART * whole, GAP_ROWS * r->dt),
               limit = r->gap_limit > 0 ? r->gap_limit : usual;
  const char *clock = bri_record_clock(r);
  char text[160] = "";
  size_t used = 0;
  if (!g->count) return BR_OK;
  if (g->longest.length > limit * (1 + 1e-12))
    return bri_fail(
        err, BR_E_RANGE,
        "%.60s: a gap of %.6g %s behind %s%.9g%s (%.40s) is longer than the limit of %.6g %s; allow it by "
        "|gaps:%.3g%s or cut it off by |window:A:B",
        r->label, g->longest.length, clock, r->timed ? "" : "row ", g->longest.at, r->timed ? " s" : "",
        g->longest_name, limit, clock, g->longest.length * 1.01, r->timed ? "s" : "");
  for (size_t i = 0; i < g->count && i < 3 && used < sizeof text; i++) {
    const int w = snprintf(text + used, sizeof text - used, "%s%.6g (%.4g)", i ? ", " : "", g->first[i].at,
                           g->first[i].length);
    used += w > 0 ? (size_t)w : 0;
  }
  bri_record_note(r, "%zu gap%s bridged by straight lines, behind %s %s%s: longest %.4g %s, limit %.4g %s",
                  g->count, g->count == 1 ? "" : "s", text, clock, g->count > 3 ? ", ..." : "",
                  g->longest.length, clock, limit, clock);
  return BR_OK;
}

br_status bri_record_sound(const br_record *r, br_err *err)
{
  const double *t = r->ch[0].x;
  for (size_t k = 0; k < r->n; k++)
    for (size_t i = 0; r->ch[k].x && i < r->rows; i++)
      if (!isfinite(r->ch[k].x[i]) || (k == 0 && i && !(t[i] > t[i - 1])))
        return bri_text_fail(err, BR_E_NAN, (int)i,
                             "%.80s: behind its steps column '%.40s' is no use in row %zu: %g", r->label,
                             r->ch[k].name, i + 1, r->ch[k].x[i]);
  return BR_OK;
}

br_status bri_record_clean(br_record *r, br_err *err)
{
  gaps g = {0};
  if (r->clean) return BR_OK;
  r->clean = 1;
  br_status st = all_finite(r, err);
  if (!st && r->timed) st = order(r, err);
  if (!st) trim(r);
  if (!st && r->rows == 0) st = bri_fail(err, BR_E_PARSE, "%.80s: no row has all numbers", r->label);
  if (!st) st = usual_interval(r, err);
  if (st) return st;
  for (size_t i = 0; r->timed && i + 1 < r->rows; i++) {
    const double h = r->ch[0].x[i + 1] - r->ch[0].x[i];
    if (h > GAP_FACTOR * r->dt) count(&g, r->ch[0].x[i], h, r->ch[0].name ? r->ch[0].name : "time");
  }
  for (size_t k = 1; k < r->n; k++) fill(r, k, &g);
  return judge(r, &g, err);
}
