/* SPDX-License-Identifier: Apache-2.0
 * analysis_table.c - 'sweep', the rows: a member each, or a point of its section each. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "answer.h"
#include "base/alloc.h"

static void column(bri_answer_sweep *b, const char *name, const char *unit)
{
  (void)snprintf(b->names[b->ncol], BRI_SWEEP_NAME, "%s", name);
  b->columns[b->ncol] = (br_column){b->names[b->ncol], unit, NULL};
  b->ncol++;
}

br_status bri_sweep_columns(bri_answer_sweep *b, br_err *err)
{
  const bri_sweep *s = &b->s;
  const br_plant *plant = br_job_plant(s->job);
  const size_t most = 4 + s->design.naxis + s->nmeasure + (s->points ? s->nstate : 0);
  b->names = bri_calloc(most, sizeof *b->names);
  b->columns = bri_calloc(most, sizeof *b->columns);
  if (!b->names || !b->columns) return bri_no_memory(err, "sweep");
  column(b, "member", "1");
  for (size_t i = 0; i < s->design.naxis; i++) column(b, s->design.axis[i].name, s->design.axis[i].unit);
  if (s->points) {
    char name[BRI_SWEEP_NAME];
    column(b, "point", "1"), column(b, "t", "s");
    for (size_t i = 0; i < s->nstate; i++) {
      (void)snprintf(name, sizeof name, "at.%.50s", br_plant_state(plant, i));
      column(b, name, br_plant_unit(plant, i));
    }
  }
  for (size_t i = 0; i < s->nmeasure; i++) column(b, s->measure[i].name, s->measure[i].unit);
  column(b, "status", "1");
  return BR_OK;
}

br_status bri_sweep_get(const bri_answer_sweep *b, uint64_t block, uint64_t *first, size_t *n, double *rows,
                        br_err *err)
{
  *first = block * b->how.block;
  const uint64_t left = b->s.design.members - *first;
  *n = (size_t)(left < b->how.block ? left : b->how.block);
  br_err why = {BR_OK, -1, ""};
  const br_status st = bri_journal_get(b->j, block, *n, rows, &why);
  if (st == BR_E_NAN) return bri_sweep_block(&b->s, *first, *n, rows, err); /* a damaged one, once more */
  return st ? bri_fail(err, st, "%s", why.msg) : BR_OK;
}

typedef struct {
  bri_output *file;
  br_sink *sink; /* NULL: it wants no rows */
} target;

static br_status put(const target *to, const double *row, br_err *err)
{
  br_status st = to->file ? bri_output_row(to->file, row, err) : BR_OK;
  if (!st && to->sink) st = br_put_row(to->sink, row, err);
  return st;
}

/* A member as one row, or one for each point; who has none has one row without. */
static br_status put_member(const bri_answer_sweep *b, const target *to, uint64_t member, const double *x,
                            double *row, br_err *err)
{
  const bri_sweep *s = &b->s;
  const size_t one = 1 + s->nstate, naxis = s->design.naxis, lead = 1 + naxis, more = s->points ? 1 + one : 0;
  const double *points = x + s->nmeasure;
  br_status st = BR_OK;
  size_t n = 0;
  while (n < s->points && !isnan(points[n * one])) n++;
  row[0] = (double)member;
  bri_design_values(&s->design, member, row + 1);
  memcpy(row + lead + more, x, s->nmeasure * sizeof *row);
  row[b->ncol - 1] = x[s->width - 1];
  for (size_t i = 0; i < more; i++) row[lead + i] = i ? (double)NAN : 0;
  if (n == 0) return put(to, row, err);
  for (size_t k = 0; k < n && !st; k++) {
    row[lead] = (double)k + 1;
    memcpy(row + lead + 1, points + k * one, one * sizeof *row);
    st = put(to, row, err);
  }
  return st;
}

static br_status all_rows(bri_answer_sweep *b, const target *to, br_err *err)
{
  double *rows = bri_malloc_array((size_t)b->how.block, b->s.width * sizeof *rows),
         *row = bri_calloc(b->ncol + 1, sizeof *row);
  br_status st = rows && row ? BR_OK : bri_no_memory(err, "sweep");
  for (uint64_t k = 0; k < b->how.count && !st; k++) {
    uint64_t first = 0;
    size_t n = 0;
    st = bri_sweep_get(b, b->how.first + k, &first, &n, rows, err);
    for (size_t i = 0; i < n && !st; i++) {
      const double *x = rows + i * b->s.width;
      b->ends[(size_t)x[b->s.width - 1] % BRI_MEMBER_ENDS]++;
      st = put_member(b, to, first + i, x, row, err);
    }
    if (!st && b->s.stop.asked && b->s.stop.asked(b->s.stop.ctx))
      st = bri_fail(err, BR_INTERRUPTED, "sweep: stopped");
  }
  bri_free(rows);
  bri_free(row);
  return st;
}

/* "0 ok, 1 range, ..." */
static const char *numbered(const char *const *names, size_t n, size_t size, char *buf)
{
  size_t used = 0;
  for (size_t i = 0; i < n && used < size; i++)
    used += (size_t)snprintf(buf + used, size - used, "%s%zu %s", i ? ", " : "", i, names[i]);
  return buf;
}

static br_status open_file(const bri_answer_sweep *b, bri_output **file, br_err *err)
{
  char status[120], regime[120];
  const bri_sweep_about about = {b->plan.text,
                                 numbered(bri_member_end, BRI_MEMBER_ENDS, sizeof status, status),
                                 numbered(bri_regime, BRI_REGIMES, sizeof regime, regime),
                                 (double)b->s.design.members,
                                 (double)b->first,
                                 (double)b->count,
                                 b->part};
  const char **names = bri_calloc(2 * b->ncol, sizeof *names);
  if (!names) return bri_no_memory(err, "sweep");
  for (size_t i = 0; i < b->ncol; i++) {
    names[i] = b->columns[i].name;
    names[b->ncol + i] = strcmp(b->columns[i].unit, "1") == 0 ? "" : b->columns[i].unit;
  }
  const br_status st = bri_output_create(b->out, b->ncol, names, names + b->ncol, &about, file, err);
  bri_free((void *)names);
  return st;
}

br_status bri_sweep_table(bri_answer_sweep *b, br_sink *out, br_err *err)
{
  const br_table_head head = {"sweep", BR_TABLE_MAIN | BR_TABLE_FILE, b->ncol, b->columns,
                              b->s.points ? 0 : (size_t)b->count};
  const int wanted = br_sink_wants(out, "sweep");
  target to = {NULL, wanted ? out : NULL};
  br_status st = wanted ? br_put_table(out, &head, err) : BR_OK;
  if (!st && b->out) st = open_file(b, &to.file, err);
  if (!st) st = all_rows(b, &to, err);
  if (!st && wanted) st = br_put_end(out, err);
  if (st) bri_output_abort(to.file);
  else if (to.file) st = bri_output_close(to.file, err);
  return st;
}
