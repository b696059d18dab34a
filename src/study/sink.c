/* SPDX-License-Identifier: Apache-2.0
 * sink.c - the answer of a run: values into its list of quantities, tables row by row into CSV files. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/result.h"
#include "base/alloc.h"
#include "bristle/table.h"
#include "kinds.h"
#include "study.h"

enum { NAME = 160 };

/* An answer on its way, with the table that is open. */
typedef struct {
  br_study *study;
  bri_run *run;
  const br_study_options *opt;
  double from, to; /* part of the whole study that this run is */
  bri_table table;
  unsigned shape;          /* of it: a file, a list of objects, or both */
  br_table_writer *writer; /* NULL: it has no file */
  double *lo, *hi, *last;  /* per column */
  double *factor, *row;    /* what the file's numbers are divided by; a row of it */
  const char **si;         /* units of the numbers themselves */
} answer;

/* ---- result lists ---- */

static const char *unit_of(const char *unit) { return unit && strcmp(unit, "1") != 0 ? unit : ""; }

bri_quantity *bri_result_add(bri_arena *arena, bri_result *res, const char *name, const char *unit)
{
  bri_quantity *list = bri_grown(res->quantities, res->nquantities, &res->quantity_room, sizeof *list);
  if (!list) return NULL;
  res->quantities = list;
  bri_quantity *q = &list[res->nquantities];
  memset(q, 0, sizeof *q);
  q->name = bri_arena_text(arena, name, strlen(name));
  q->unit = bri_arena_text(arena, unit_of(unit), strlen(unit_of(unit)));
  q->shown = 1;
  if (!q->name || !q->unit) return NULL;
  res->nquantities++;
  return q;
}

bri_table *bri_result_table(bri_result *res)
{
  bri_table *list = bri_grown(res->tables, res->ntables, &res->table_room, sizeof *list);
  if (!list) return NULL;
  res->tables = list;
  return memset(&list[res->ntables++], 0, sizeof *list);
}

const bri_quantity *bri_result_find(const bri_result *res, const char *name)
{
  for (size_t i = 0; i < res->nquantities; i++)
    if (strcmp(res->quantities[i].name, name) == 0) return &res->quantities[i];
  return NULL;
}

/* ---- values ---- */

static br_status no_memory(const answer *a, br_err *err)
{
  return bri_fail(err, BR_E_NOMEM, "run '%s': out of memory", a->run->name);
}

/* shown: on pages too, not only for checks and pictures. */
static br_status add_number(const answer *a, const char *name, const char *unit, double x, int shown,
                            br_err *err)
{
  bri_quantity *q = bri_result_add(a->study->arena, &a->run->res, name, unit);
  if (!q) return no_memory(a, err);
  q->value = x;
  q->shown = shown;
  return BR_OK;
}

static br_status add_text(const answer *a, const char *name, const char *text, int shown, br_err *err)
{
  bri_quantity *q = bri_result_add(a->study->arena, &a->run->res, name, NULL);
  if (q) q->text = bri_arena_text(a->study->arena, text, strlen(text));
  if (!q || !q->text) return no_memory(a, err);
  q->shown = shown;
  return BR_OK;
}

/* Behind the first of a list: for checks, not for the page. */
static int in_long_list(const char *name)
{
  enum { SHOWN = 20 };
  for (const char *s = strchr(name, '.'); s; s = strchr(s + 1, '.'))
    if (s[1] >= '0' && s[1] <= '9' && strtoul(s + 1, NULL, 10) >= SHOWN) return 1;
  return 0;
}

static br_status take_value(void *ctx, const char *path, const br_value *v, br_err *err)
{
  char name[NAME];
  const int shown = !in_long_list(bri_path_plain(path, sizeof name, name));
  switch (v->kind) {
  case BR_VALUE_NUMBER:
  case BR_VALUE_ASIDE: return add_number(ctx, name, v->unit, v->number, shown, err);
  case BR_VALUE_TEXT: return add_text(ctx, name, v->text, shown, err);
  case BR_VALUE_FLAG: return add_text(ctx, name, v->number != 0 ? "yes" : "no", shown, err);
  default: return BR_OK;
  }
}

/* ---- tables ---- */

static int shows(const br_picture *p, const char *table)
{
  for (size_t k = 0; p && k < p->npanels; k++)
    for (size_t l = 0; l < p->panels[k].nlines; l++)
      if (p->panels[k].lines[l].table && bri_name_fits(table, p->panels[k].lines[l].table)) return 1;
  return 0;
}

/* Does a plot of the study ask for the table, by its kind or by its name? */
static int asks(const bri_node *n, const char *table)
{
  for (const bri_node *c = n && n->kind != BRI_SCALAR ? n->first : NULL; c; c = c->next) {
    const char *key = c->kind == BRI_SCALAR && c->key ? c->key : "";
    if (strcmp(key, "kind") == 0    ? shows(bri_kind_find(c->text), table)
        : strcmp(key, "table") == 0 ? bri_name_fits(table, c->text)
                                    : asks(c, table))
      return 1;
  }
  return 0;
}

/* Tables for the usual picture alone are made where this section's picture shows them. */
static int wants(void *ctx, const char *table)
{
  const br_analysis *a = ((const answer *)ctx)->run->an;
  const bri_node *plots = bri_node_find(((const answer *)ctx)->study->root, "plots");
  for (size_t i = 0; i < a->nresults; i++) {
    if (a->results[i].kind == BR_RESULT_USUAL && bri_name_fits(table, a->results[i].name))
      return !plots || bri_node_is_empty(plots);
    if (a->results[i].kind == BR_RESULT_DETAIL && strcmp(table, a->results[i].name) == 0) return 0;
    if (a->results[i].kind != BR_RESULT_PICTURE || !bri_name_fits(table, a->results[i].name)) continue;
    return shows(&a->picture, table) || asks(plots, table);
  }
  return 1;
}

int bri_table_room(bri_arena *arena, bri_table *t, size_t ncol)
{
  t->ncol = ncol;
  t->names = bri_arena_get(arena, (ncol + 1) * sizeof *t->names);
  t->units = bri_arena_get(arena, (ncol + 1) * sizeof *t->units);
  return t->names && t->units;
}

int bri_table_head(bri_arena *arena, bri_table *t, size_t i, const char *name, const char *unit)
{
  t->names[i] = bri_arena_text(arena, name, strlen(name));
  t->units[i] = bri_arena_text(arena, unit, strlen(unit));
  return t->names[i] && t->units[i];
}

/* Run 'a' with table 'b' and run 'a-b' would write the same file. */
static const bri_run *other_with(const answer *a, const char *file)
{
  for (size_t i = 0; i < a->study->nruns; i++) {
    const bri_run *r = &a->study->runs[i];
    for (size_t k = 0; r != a->run && k < r->res.ntables; k++)
      if (strcmp(r->res.tables[k].file, file) == 0) return r;
  }
  return NULL;
}

static br_status create_file(answer *a, br_err *err)
{
  bri_table *t = &a->table;
  const int main_table = strcmp(t->name, a->run->an->name) == 0;
  char file[NAME], path[BRI_STUDY_PATH];
  (void)snprintf(file, sizeof file, "%.64s%s%.64s.csv", a->run->name, main_table ? "" : "-",
                 main_table ? "" : t->name);
  const bri_run *other = other_with(a, file);
  if (other)
    return bri_fail(err, BR_E_NAME, "runs '%.60s' and '%.60s' both write the table '%.80s': rename one",
                    other->name, a->run->name, file);
  t->file = bri_arena_text(a->study->arena, file, strlen(file));
  if (!t->file) return no_memory(a, err);
  bri_study_path(a->study, file, path);
  return br_table_writer_create(path, t->ncol, t->names, t->units, &a->writer, err);
}

/* Texts that only pictures show: "TABLE.label", "TABLE.name.3". */
static br_status add_labels(const answer *a, const br_table_head *h, br_err *err)
{
  char name[NAME];
  (void)snprintf(name, sizeof name, "%.120s.label", h->name);
  br_status st = h->label ? add_text(a, name, h->label, 0, err) : BR_OK;
  for (size_t i = 0; i < h->nnames && !st; i++) {
    (void)snprintf(name, sizeof name, "%.120s.name.%zu", h->name, i);
    if (h->names[i]) st = add_text(a, name, h->names[i], 0, err);
  }
  return st;
}

static br_status take_table(void *ctx, const br_table_head *h, br_err *err)
{
  answer *a = ctx;
  bri_arena *arena = a->study->arena;
  memset(&a->table, 0, sizeof a->table);
  a->shape = h->shape;
  a->table.name = bri_arena_text(arena, h->name, strlen(h->name));
  a->lo = bri_arena_get(arena, (5 * h->ncol + 1) * sizeof *a->lo);
  a->si = bri_arena_get(arena, (h->ncol + 1) * sizeof *a->si);
  int good = a->table.name && a->lo && a->si && bri_table_room(arena, &a->table, h->ncol);
  for (size_t i = 0; i < h->ncol && good; i++)
    good = bri_table_head(arena, &a->table, i, h->columns[i].name, unit_of(h->columns[i].unit));
  if (!good) return no_memory(a, err);
  a->hi = a->lo + h->ncol;
  a->last = a->hi + h->ncol;
  a->factor = a->last + h->ncol;
  a->row = a->factor + h->ncol;
  for (size_t i = 0; i < h->ncol; i++) {
    a->lo[i] = INFINITY, a->hi[i] = -INFINITY, a->last[i] = NAN;
    a->si[i] = a->table.units[i];
    a->factor[i] = br_units_factor(a->study->units, &a->table.units[i]);
  }
  if (!(h->shape & BR_TABLE_FILE)) return BR_OK;
  const br_status st = add_labels(a, h, err);
  return st ? st : create_file(a, err);
}

static br_status take_row(void *ctx, const double *row, br_err *err)
{
  answer *a = ctx;
  const bri_table *t = &a->table;
  br_status st = BR_OK;
  for (size_t i = 0; i < t->ncol && !st; i++) {
    char name[NAME];
    a->lo[i] = fmin(a->lo[i], row[i]);
    a->hi[i] = fmax(a->hi[i], row[i]);
    a->last[i] = row[i];
    if (!(a->shape & BR_TABLE_LIST)) continue;
    (void)snprintf(name, sizeof name, "%.63s.%zu.%.63s", t->name, t->rows, t->names[i]);
    st = add_number(a, name, a->si[i], row[i], 1, err);
  }
  a->table.rows++;
  for (size_t i = 0; i < t->ncol; i++) a->row[i] = row[i] / a->factor[i];
  return st || !a->writer ? st : br_table_writer_row(a->writer, a->row, err);
}

/* Extremes and last values of its columns become quantities NAME.COLUMN.min, .max, .last. */
static br_status add_extremes(const answer *a, const bri_table *t, br_err *err)
{
  static const char *const WHAT[] = {"min", "max", "last"};
  br_status st = BR_OK;
  for (size_t i = 0; i < t->ncol && t->rows; i++) {
    const double value[] = {a->lo[i], a->hi[i], a->last[i]};
    for (size_t k = 0; k < 3 && !st; k++) {
      char name[NAME];
      (void)snprintf(name, sizeof name, "%.64s.%.64s.%s", t->name, t->names[i], WHAT[k]);
      st = add_number(a, name, a->si[i], value[k], 0, err);
    }
  }
  return st;
}

static br_status take_end(void *ctx, br_err *err)
{
  answer *a = ctx;
  char path[BRI_STUDY_PATH];
  br_table_writer *w = a->writer;
  if (!w) return BR_OK;
  a->writer = NULL;
  br_status st = br_table_writer_close(w, err);
  bri_study_path(a->study, a->table.file, path);
  if (!st) st = bri_sha256_file(path, a->table.sha, err);
  if (st) return st;
  bri_table *t = bri_result_table(&a->run->res);
  if (!t) return no_memory(a, err);
  *t = a->table;
  return add_extremes(a, t, err);
}

/* ---- the run ---- */

static void progress(void *ctx, double part)
{
  const answer *a = ctx;
  if (a->opt->progress) a->opt->progress(a->opt->ctx, a->from + part * (a->to - a->from), a->run->name);
}

br_status bri_run_answer(br_study *s, bri_run *r, const br_study_options *opt, double from, double to,
                         br_err *err)
{
  answer a = {.study = s, .run = r, .opt = opt, .from = from, .to = to};
  br_sink out = {.ctx = &a,
                 .stop = {opt->stop, opt->ctx},
                 .value = take_value,
                 .wants = wants,
                 .table = take_table,
                 .row = take_row,
                 .end = take_end,
                 .progress = progress};
  br_status st = br_sink_alive(&out, 0, err);
  if (!st) st = br_job_run(r->job, &out, err);
  br_table_writer_abort(a.writer);
  return st;
}
