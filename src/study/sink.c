/* SPDX-License-Identifier: Apache-2.0
 * sink.c - results on their way: quantities into memory, tables row by row into CSV files. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis.h"
#include "bristle/table.h"
#include "base/alloc.h"

enum { NAME = 128 };

struct bri_sink {
  br_study *study;
  bri_run *run;
  const br_study_options *opt;
  double from, to; /* part of the whole study that this run is */
  br_table_writer *writer;
  bri_table table; /* the open one */
  double *lo, *hi, *last;
  int no_memory;
};

/* ---- result lists ---- */

bri_quantity *bri_result_add(bri_arena *arena, bri_result *res, const char *name, const char *unit)
{
  if (res->nquantities == res->quantity_room) {
    const size_t room = res->quantity_room ? 2 * res->quantity_room : 64;
    bri_quantity *p = bri_realloc(res->quantities, room * sizeof *p);
    if (!p) return NULL;
    res->quantities = p;
    res->quantity_room = room;
  }
  bri_quantity *q = &res->quantities[res->nquantities];
  memset(q, 0, sizeof *q);
  q->name = bri_arena_text(arena, name, strlen(name));
  q->unit = unit && strcmp(unit, "1") != 0 ? bri_arena_text(arena, unit, strlen(unit)) : "";
  q->shown = 1;
  if (!q->name || !q->unit) return NULL;
  res->nquantities++;
  return q;
}

bri_table *bri_result_table(bri_arena *arena, bri_result *res)
{
  (void)arena;
  if (res->ntables == res->table_room) {
    const size_t room = res->table_room ? 2 * res->table_room : 8;
    bri_table *p = bri_realloc(res->tables, room * sizeof *p);
    if (!p) return NULL;
    res->tables = p;
    res->table_room = room;
  }
  bri_table *t = &res->tables[res->ntables++];
  memset(t, 0, sizeof *t);
  return t;
}

const bri_quantity *bri_result_find(const bri_result *res, const char *name)
{
  for (size_t i = 0; i < res->nquantities; i++) {
    if (strcmp(res->quantities[i].name, name) == 0) return &res->quantities[i];
  }
  return NULL;
}

/* ---- for analyses ---- */

void bri_sink_number(bri_sink *out, const char *unit, double x, const char *name, ...)
{
  char full[NAME];
  va_list args;
  va_start(args, name);
  (void)vsnprintf(full, sizeof full, name, args);
  va_end(args);
  bri_quantity *q = bri_result_add(out->study->arena, &out->run->res, full, unit);
  if (q) q->value = x;
  else out->no_memory = 1;
}

static void add_text(bri_sink *out, const char *text, int shown, const char *name, va_list args)
{
  char full[NAME];
  (void)vsnprintf(full, sizeof full, name, args);
  bri_quantity *q = bri_result_add(out->study->arena, &out->run->res, full, NULL);
  if (q) q->text = bri_arena_text(out->study->arena, text, strlen(text));
  if (q) q->shown = shown;
  if (!q || !q->text) out->no_memory = 1;
}

void bri_sink_text(bri_sink *out, const char *text, const char *name, ...)
{
  va_list args;
  va_start(args, name);
  add_text(out, text, 1, name, args);
  va_end(args);
}

void bri_sink_hide(bri_sink *out)
{
  bri_result *res = &out->run->res;
  if (res->nquantities) res->quantities[res->nquantities - 1].shown = 0;
}

void bri_sink_label(bri_sink *out, const char *text, const char *name, ...)
{
  va_list args;
  va_start(args, name);
  add_text(out, text, 0, name, args);
  va_end(args);
}

static br_status no_memory(bri_sink *out, br_err *err)
{
  return bri_text_fail(err, BR_E_NOMEM, -1, "run '%s': out of memory", out->run->name);
}

static int copy_heads(bri_arena *arena, bri_table *t, const char *const *names, const char *const *units)
{
  t->names = bri_arena_get(arena, t->ncol * sizeof *t->names);
  t->units = bri_arena_get(arena, t->ncol * sizeof *t->units);
  if (!t->names || !t->units) return 0;
  for (size_t i = 0; i < t->ncol; i++) {
    const char *unit = units && units[i] && strcmp(units[i], "1") != 0 ? units[i] : "";
    t->names[i] = bri_arena_text(arena, names[i], strlen(names[i]));
    t->units[i] = bri_arena_text(arena, unit, strlen(unit));
    if (!t->names[i] || !t->units[i]) return 0;
  }
  return 1;
}

/* Run 'a' with table 'b' and run 'a-b' would write the same file. */
static const bri_run *other_with(const bri_sink *out, const char *file)
{
  for (size_t i = 0; i < out->study->nruns; i++) {
    const bri_run *r = &out->study->runs[i];
    for (size_t k = 0; r != out->run && k < r->res.ntables; k++)
      if (strcmp(r->res.tables[k].file, file) == 0) return r;
  }
  return NULL;
}

br_status bri_sink_table(bri_sink *out, const char *name, size_t ncol, const char *const *names,
                         const char *const *units, br_err *err)
{
  bri_arena *arena = out->study->arena;
  const int main_table = strcmp(name, out->run->an->face.name) == 0;
  char file[2 * NAME], path[BRI_STUDY_PATH];
  (void)snprintf(file, sizeof file, "%.64s%s%.64s.csv", out->run->name, main_table ? "" : "-",
                 main_table ? "" : name);
  const bri_run *other = other_with(out, file);
  if (other)
    return bri_text_fail(err, BR_E_NAME, -1,
                         "runs '%.60s' and '%.60s' both write the table '%.80s': rename one", other->name,
                         out->run->name, file);
  memset(&out->table, 0, sizeof out->table);
  out->table.ncol = ncol;
  out->table.name = bri_arena_text(arena, name, strlen(name));
  out->table.file = bri_arena_text(arena, file, strlen(file));
  out->lo = bri_arena_get(arena, ncol * sizeof *out->lo);
  out->hi = bri_arena_get(arena, ncol * sizeof *out->hi);
  out->last = bri_arena_get(arena, ncol * sizeof *out->last);
  if (!out->table.name || !out->table.file || !out->lo || !out->hi || !out->last ||
      !copy_heads(arena, &out->table, names, units))
    return no_memory(out, err);
  for (size_t i = 0; i < ncol; i++) out->lo[i] = INFINITY, out->hi[i] = -INFINITY, out->last[i] = NAN;
  bri_study_path(out->study, file, path);
  return br_table_writer_create(path, ncol, out->table.names, out->table.units, &out->writer, err);
}

br_status bri_sink_row(bri_sink *out, const double *row, br_err *err)
{
  for (size_t i = 0; i < out->table.ncol; i++) {
    out->lo[i] = fmin(out->lo[i], row[i]);
    out->hi[i] = fmax(out->hi[i], row[i]);
    out->last[i] = row[i];
  }
  out->table.rows++;
  if (out->opt->stop && out->opt->stop(out->opt->ctx)) return BR_INTERRUPTED; /* the row may be cut short */
  return br_table_writer_row(out->writer, row, err);
}

br_status bri_sink_end(bri_sink *out, br_err *err)
{
  static const char *const WHAT[] = {"min", "max", "last"};
  char path[BRI_STUDY_PATH], name[2 * NAME];
  br_table_writer *w = out->writer;
  out->writer = NULL;
  br_status st = br_table_writer_close(w, err);
  bri_study_path(out->study, out->table.file, path);
  if (!st) st = bri_sha256_file(path, out->table.sha, err);
  if (st) return st;
  bri_table *t = bri_result_table(out->study->arena, &out->run->res);
  if (!t) return no_memory(out, err);
  *t = out->table;
  for (size_t i = 0; i < t->ncol && t->rows; i++) {
    const double value[] = {out->lo[i], out->hi[i], out->last[i]};
    for (size_t k = 0; k < 3; k++) {
      (void)snprintf(name, sizeof name, "%.64s.%.64s.%s", t->name, t->names[i], WHAT[k]);
      bri_quantity *q = bri_result_add(out->study->arena, &out->run->res, name, t->units[i]);
      if (!q) return no_memory(out, err);
      q->value = value[k];
      q->shown = 0;
    }
  }
  return BR_OK;
}

br_status bri_sink_alive(bri_sink *out, double part)
{
  const br_study_options *o = out->opt;
  if (o->progress) o->progress(o->ctx, out->from + part * (out->to - out->from), out->run->name);
  return o->stop && o->stop(o->ctx) ? BR_INTERRUPTED : BR_OK;
}

br_stop bri_sink_stop(const bri_sink *out) { return (br_stop){out->opt->stop, out->opt->ctx}; }

/* ---- for the runner ---- */

bri_sink *bri_sink_create(br_study *s, bri_run *r, const br_study_options *opt, double from, double to)
{
  bri_sink *out = bri_calloc(1, sizeof *out);
  if (!out) return NULL;
  out->study = s;
  out->run = r;
  out->opt = opt;
  out->from = from;
  out->to = to;
  return out;
}

br_status bri_sink_finish(bri_sink *out, br_err *err) { return out->no_memory ? no_memory(out, err) : BR_OK; }

void bri_sink_destroy(bri_sink *out)
{
  if (!out) return;
  br_table_writer_abort(out->writer);
  bri_free(out);
}
