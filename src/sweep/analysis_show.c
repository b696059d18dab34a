/* SPDX-License-Identifier: Apache-2.0
 * analysis_show.c - 'sweep', tables of the usual picture: maps, curves, fans of quantiles, histograms,
 * points.  Memory is bounded: of larger ensembles every n-th value of a grid is shown; histograms count all
 * members. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "base/alloc.h"
#include "base/order.h"

enum { SHOWN = 3, BINS = 40, QUANTILES = 5, CELLS = 300000, DRAWS = 2000000, POINTS = 200000 };

/* ---- the picture: of the tables that are there ---- */

#define LINES(k)                                                                           \
  {                                                                                        \
    {.table = "map-" k, .style = "heat"}, {.table = "kinds-" k, .style = "areas"},         \
        {.table = "line-" k, .style = "line"}, {.table = "histogram-" k, .style = "bold"}, \
        {.table = "fan-" k, .style = "fine", .label = "5 %", .colour = 1, .y = "#1"},      \
        {.table = "fan-" k, .style = "line", .label = "25 %", .colour = 1, .y = "#2"},     \
        {.table = "fan-" k, .style = "bold", .label = "50 %", .colour = 1, .y = "#3"},     \
        {.table = "fan-" k, .style = "line", .label = "75 %", .colour = 1, .y = "#4"},     \
        {.table = "fan-" k, .style = "fine", .label = "95 %", .colour = 1, .y = "#5"},     \
  }
static const br_picture_line ONE[] = LINES("1"), TWO[] = LINES("2"), THREE[] = LINES("3");
#undef LINES
static const br_picture_line DOTS[] = {{.table = "points", .style = "points"}};
const br_picture_panel bri_sweep_panels[BRI_SWEEP_PANELS] = {
    {.lines = DOTS, .nlines = 1},
    {.lines = ONE, .nlines = sizeof ONE / sizeof ONE[0]},
    {.lines = TWO, .nlines = sizeof TWO / sizeof TWO[0]},
    {.lines = THREE, .nlines = sizeof THREE / sizeof THREE[0]}};

/* ---- all members once more ---- */

typedef br_status member_fn(void *ctx, uint64_t member, const double *row, br_err *err);

static br_status walk(const bri_answer_sweep *b, member_fn *fn, void *ctx, br_err *err)
{
  double *rows = bri_malloc_array((size_t)b->how.block, b->s.width * sizeof *rows);
  br_status st = rows ? BR_OK : bri_no_memory(err, "sweep");
  for (uint64_t k = 0; k < b->how.count && !st; k++) {
    uint64_t first = 0;
    size_t n = 0;
    st = bri_sweep_get(b, b->how.first + k, &first, &n, rows, err);
    for (size_t i = 0; i < n && !st; i++) st = fn(ctx, first + i, rows + i * b->s.width, err);
  }
  bri_free(rows);
  return st;
}

typedef struct {
  const bri_answer_sweep *b;
  br_sink *out;
  size_t n;                  /* measures shown */
  uint64_t step[2], size[2]; /* of the grids: every step-th value, so many */
  double *cells[SHOWN];      /* [size[0] * size[1]] */
  double lo[SHOWN], hi[SHOWN];
  double *bins;          /* [SHOWN][BINS] */
  double *draws;         /* of one value of the grid, of one measure */
  uint64_t ndraws, each; /* in it; every each-th is kept */
  uint64_t rows;         /* points put */
} show;

static br_status put_table(const show *w, const char *kind, size_t k, size_t ncol, const br_column *columns,
                           char name[32], br_err *err)
{
  (void)snprintf(name, 32, "%s-%zu", kind, k + 1);
  const int kinds = strcmp(kind, "kinds") == 0;
  const br_table_head head = {.name = name,
                              .shape = BR_TABLE_FILE,
                              .ncol = ncol,
                              .columns = columns,
                              .names = kinds ? bri_regime : NULL,
                              .nnames = kinds ? BRI_REGIMES : 0};
  return br_put_table(w->out, &head, err);
}

static br_column of_axis(const show *w, size_t factor)
{
  const bri_axis *a = &w->b->s.design.axis[w->b->s.design.factor[factor].first];
  return (br_column){a->name, a->unit, NULL};
}

static br_column of_measure(const show *w, size_t k)
{
  return (br_column){w->b->s.measure[k].name, w->b->s.measure[k].unit, NULL};
}

/* ---- over grids ---- */

static br_status take_cell(void *ctx, uint64_t member, const double *row, br_err *err)
{
  const show *w = ctx;
  const bri_design *d = &w->b->s.design;
  const uint64_t n = d->nfactor > 1 ? d->factor[1].n : 1, i = member / n, k = member % n;
  (void)err;
  if (i % w->step[0] || k % w->step[1]) return BR_OK;
  for (size_t m = 0; m < w->n; m++) w->cells[m][i / w->step[0] * w->size[1] + k / w->step[1]] = row[m];
  return BR_OK;
}

static int any_number(const double *x, uint64_t n)
{
  for (uint64_t i = 0; i < n; i++)
    if (isfinite(x[i])) return 1;
  return 0;
}

static br_status put_cells(const show *w, size_t m, br_err *err)
{
  const bri_design *d = &w->b->s.design;
  const int two = d->nfactor > 1;
  const br_column columns[] = {of_axis(w, 0), two ? of_axis(w, 1) : of_measure(w, m), of_measure(w, m)};
  const char *kind = !two ? "line" : w->b->s.measure[m].kind == BRI_MEASURE_REGIME ? "kinds" : "map";
  double values[BRI_SWEEP_AXES];
  char name[32];
  if (!any_number(w->cells[m], w->size[0] * w->size[1])) return BR_OK;
  br_status st = put_table(w, kind, m, two ? 3 : 2, columns, name, err);
  for (uint64_t i = 0; i < w->size[0]; i++)
    for (uint64_t k = 0; k < w->size[1] && !st; k++) {
      const uint64_t member = i * w->step[0] * (two ? d->factor[1].n : 1) + k * w->step[1];
      bri_design_values(d, member, values);
      const double x = w->cells[m][i * w->size[1] + k],
                   row[] = {values[d->factor[0].first], two ? values[d->factor[1].first] : x, x};
      st = br_put_row(w->out, row, err);
    }
  return st ? st : br_put_end(w->out, err);
}

static br_status show_grids(show *w, br_err *err)
{
  const bri_design *d = &w->b->s.design;
  for (size_t f = 0; f < 2; f++) {
    const uint64_t n = f < d->nfactor ? d->factor[f].n : 1;
    const double most = d->nfactor > 1 ? floor(sqrt(CELLS)) : CELLS;
    w->step[f] = (uint64_t)ceil((double)n / most);
    w->size[f] = (n + w->step[f] - 1) / w->step[f];
  }
  br_status st = BR_OK;
  for (size_t m = 0; m < w->n && !st; m++) {
    w->cells[m] = bri_calloc((size_t)(w->size[0] * w->size[1]), sizeof **w->cells);
    if (!w->cells[m]) st = bri_no_memory(err, "sweep");
  }
  if (!st) st = walk(w->b, take_cell, w, err);
  for (size_t m = 0; m < w->n && !st; m++) st = put_cells(w, m, err);
  for (size_t m = 0; m < w->n; m++) bri_free(w->cells[m]);
  return st;
}

/* ---- fans ---- */

/* Between the two draws beside it. */
static double quantile(const double *x, uint64_t n, double share)
{
  const double at = share * (double)(n - 1), k = floor(at);
  const double next = x[(uint64_t)k + (at > k)];
  return x[(uint64_t)k] + (at - k) * (next - x[(uint64_t)k]);
}

static br_status take_draw(void *ctx, uint64_t member, const double *row, br_err *err)
{
  static const double SHARES[QUANTILES] = {0.05, 0.25, 0.5, 0.75, 0.95};
  show *w = ctx;
  const bri_design *d = &w->b->s.design;
  const uint64_t n = d->factor[1].n, k = member % n;
  if (k % w->each == 0 && isfinite(row[w->rows])) w->draws[w->ndraws++] = row[w->rows];
  if (k + 1 < n) return BR_OK;
  double values[BRI_SWEEP_AXES], line[1 + QUANTILES];
  bri_design_values(d, member, values);
  line[0] = values[d->factor[0].first];
  bri_sort((size_t)w->ndraws, w->draws);
  for (int q = 0; q < QUANTILES; q++)
    line[1 + q] = w->ndraws ? quantile(w->draws, w->ndraws, SHARES[q]) : (double)NAN;
  w->ndraws = 0;
  return br_put_row(w->out, line, err);
}

static br_status show_fans(show *w, br_err *err)
{
  const uint64_t n = w->b->s.design.factor[1].n;
  br_status st = BR_OK;
  w->each = (n + DRAWS - 1) / DRAWS;
  w->draws = bri_malloc_array((size_t)(n / w->each) + 1, sizeof *w->draws);
  if (!w->draws) return bri_no_memory(err, "sweep");
  for (size_t m = 0; m < w->n && !st; m++) {
    static const char *const NAMES[QUANTILES] = {"5 %", "25 %", "50 %", "75 %", "95 %"};
    br_column columns[1 + QUANTILES] = {of_axis(w, 0)};
    char name[32], texts[QUANTILES][BRI_SWEEP_NAME + 8];
    for (int q = 0; q < QUANTILES; q++) {
      (void)snprintf(texts[q], sizeof texts[q], q ? "%s of %s" : "%.0s%s", NAMES[q], w->b->s.measure[m].name);
      columns[1 + q] = (br_column){texts[q], w->b->s.measure[m].unit, NULL};
    }
    st = put_table(w, "fan", m, 1 + QUANTILES, columns, name, err);
    w->rows = m, w->ndraws = 0;
    if (!st) st = walk(w->b, take_draw, w, err);
    if (!st) st = br_put_end(w->out, err);
  }
  bri_free(w->draws);
  return st;
}

/* ---- histograms ---- */

static br_status take_range(void *ctx, uint64_t member, const double *row, br_err *err)
{
  show *w = ctx;
  (void)member, (void)err;
  for (size_t m = 0; m < w->n; m++)
    if (isfinite(row[m])) w->lo[m] = fmin(w->lo[m], row[m]), w->hi[m] = fmax(w->hi[m], row[m]);
  return BR_OK;
}

static br_status take_bin(void *ctx, uint64_t member, const double *row, br_err *err)
{
  const show *w = ctx;
  (void)member, (void)err;
  for (size_t m = 0; m < w->n; m++) {
    if (!isfinite(row[m])) continue;
    const double part = (row[m] - w->lo[m]) / (w->hi[m] - w->lo[m]);
    const size_t bin = part > 0 ? (size_t)(part * BINS) : 0;
    w->bins[m * BINS + (bin < BINS ? bin : BINS - 1)]++;
  }
  return BR_OK;
}

/* The outline of the bars. */
static br_status put_bins(const show *w, size_t m, br_err *err)
{
  const br_column columns[] = {of_measure(w, m), {"members", "1"}};
  const double width = (w->hi[m] - w->lo[m]) / BINS;
  char name[32];
  br_status st = put_table(w, "histogram", m, 2, columns, name, err);
  double row[2] = {w->lo[m], 0};
  if (!st) st = br_put_row(w->out, row, err);
  for (int i = 0; i < BINS && !st; i++) {
    row[1] = w->bins[m * BINS + (size_t)i];
    st = br_put_row(w->out, row, err);
    row[0] = w->lo[m] + width * (i + 1);
    if (!st) st = br_put_row(w->out, row, err);
  }
  row[1] = 0;
  if (!st) st = br_put_row(w->out, row, err);
  return st ? st : br_put_end(w->out, err);
}

static br_status show_bins(show *w, br_err *err)
{
  for (size_t m = 0; m < w->n; m++) w->lo[m] = INFINITY, w->hi[m] = -INFINITY;
  w->bins = bri_calloc((size_t)SHOWN * BINS, sizeof *w->bins);
  br_status st = w->bins ? walk(w->b, take_range, w, err) : bri_no_memory(err, "sweep");
  for (size_t m = 0; m < w->n; m++)
    if (!(w->hi[m] > w->lo[m])) { /* all the same: one bar around it */
      const double wide = fmax(fabs(w->lo[m]) * 1e-3, 1e-12);
      w->lo[m] -= wide, w->hi[m] += wide;
    }
  if (!st) st = walk(w->b, take_bin, w, err);
  for (size_t m = 0; m < w->n && !st; m++)
    if (isfinite(w->lo[m]) && w->lo[m] < w->hi[m]) st = put_bins(w, m, err);
  bri_free(w->bins);
  return st;
}

/* ---- points ---- */

static br_status take_points(void *ctx, uint64_t member, const double *row, br_err *err)
{
  show *w = ctx;
  const bri_sweep *s = &w->b->s;
  const size_t one = 1 + s->nstate, y = 1 + (size_t)(s->v >= 0 && (s->driven || s->strobe > 0) ? s->v : 0);
  double values[BRI_SWEEP_AXES];
  br_status st = BR_OK;
  if (member % w->each) return BR_OK;
  bri_design_values(&s->design, member, values);
  for (size_t k = 0; k < s->points && !st; k++) {
    const double *p = row + s->nmeasure + k * one, point[] = {values[0], p[y]};
    if (!isnan(p[0])) st = br_put_row(w->out, point, err), w->rows++;
  }
  return st;
}

static br_status show_points(show *w, br_err *err)
{
  const bri_sweep *s = &w->b->s;
  const br_plant *plant = br_job_plant(s->job);
  const size_t y = (size_t)(s->v >= 0 && (s->driven || s->strobe > 0) ? s->v : 0);
  const br_column columns[] = {{s->design.axis[0].name, s->design.axis[0].unit},
                               {br_plant_state(plant, y), br_plant_unit(plant, y)}};
  const br_table_head head = {"points", BR_TABLE_FILE, 2, columns};
  const double all = (double)s->design.members * (double)s->points;
  w->each = (uint64_t)ceil(all / POINTS);
  w->rows = 0;
  br_status st = br_put_table(w->out, &head, err);
  if (!st) st = walk(w->b, take_points, w, err);
  return st ? st : br_put_end(w->out, err);
}

br_status bri_sweep_show(const bri_answer_sweep *b, br_sink *out, br_err *err)
{
  const bri_design *d = &b->s.design;
  show w = {.b = b, .out = out, .n = b->s.nmeasure < SHOWN ? b->s.nmeasure : SHOWN};
  size_t grids = 0;
  br_status st = BR_OK;
  while (grids < d->nfactor && d->factor[grids].kind <= BRI_FACTOR_LIST) grids++;
  if (b->s.points && br_sink_wants(out, "points")) st = show_points(&w, err);
  if (st || !br_sink_wants(out, "map-1")) return st;
  if (grids == d->nfactor && grids <= 2) return show_grids(&w, err);
  return grids == 1 && d->nfactor == 2 ? show_fans(&w, err) : show_bins(&w, err);
}
