/* SPDX-License-Identifier: Apache-2.0
 * lab.c - the WebAssembly module of the browser lab: the catalogue, and one call that answers a job.
 * Texts go in and out as addresses in the module's memory; an answer stays until the next call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/catalogue.h"
#include "bristle/mechanism.h"
#include "bristle/report.h"
#include "bristle/table.h"
#include "catalogue/rows.h"
#include "lab.h"
#include "report/equations.h"

#define LAB_EXPORT(name) __attribute__((export_name(#name), used))

static struct {
  br_job *job;
  br_result *result;
  bri_buf reply, notes;
} now;

static void forget(void)
{
  br_result_destroy(now.result);
  br_job_destroy(now.job);
  bri_buf_free(&now.reply);
  bri_buf_free(&now.notes);
  now.result = NULL, now.job = NULL;
}

LAB_EXPORT(lab_room) void *lab_room(size_t size) { return malloc(size); }
LAB_EXPORT(lab_drop) void lab_drop(void *p) { free(p); }

LAB_EXPORT(lab_catalogue) const char *lab_catalogue(void)
{
  static char *text;
  br_err err;
  if (!text && br_catalogue_json(BR_CATALOGUE_WHOLE, NULL, &text, NULL, &err)) return "{}";
  return text;
}

/* Where the sources of exported headers belong (packed.list of the build, one behind the other): before
 * "header". */
extern unsigned char bri_packed_bytes[];
extern const size_t bri_packed_size;
LAB_EXPORT(lab_sources) unsigned char *lab_sources(size_t size)
{
  return size == bri_packed_size ? bri_packed_bytes : NULL; /* others are those of another build */
}

/* The equations of a model or mechanism as MathML. */
LAB_EXPORT(lab_equations) const char *lab_equations(const char *name)
{
  static bri_buf math;
  bri_buf_free(&math);
  bri_equations_mathml(&math, name);
  return math.text ? math.text : "";
}

/* A mechanism as text, a file: {status: 0, system, model} as the catalogue has systems, model "" where its
 * contacts name none, or {status, message}. */
LAB_EXPORT(lab_system) const char *lab_system(const char *path)
{
  static bri_buf out;
  br_mechanism *m = NULL;
  br_err err = {BR_OK, -1, ""};
  bri_json j;
  size_t n = 0;
  bri_buf_free(&out);
  const br_status st = br_mechanism_load(path, &m, &err);
  bri_json_init(&j);
  if (!st) bri_json_system(&j, br_mechanism_system(m));
  bri_buf_printf(&out, "{\"status\":%d,\"message\":", (int)st);
  bri_buf_json(&out, err.msg);
  if (!st && bri_json_finish(&j, &n)) bri_buf_text(&out, ",\"system\":"), bri_buf_text(&out, j.out.text);
  const char *model = st ? NULL : br_mechanism_model(m);
  bri_buf_text(&out, ",\"model\":"), bri_buf_json(&out, model ? model : "");
  bri_buf_text(&out, "}");
  bri_json_free(&j);
  br_mechanism_destroy(m);
  return out.text;
}

/* The columns of a record as JSON: {columns: [{name, unit}], rows}, or {status, message}. */
LAB_EXPORT(lab_columns) const char *lab_columns(const char *path)
{
  static bri_buf out;
  br_table *t = NULL;
  br_err err = {BR_OK, -1, ""};
  bri_buf_free(&out);
  const br_status st = br_table_load(path, NULL, &t, NULL, &err);
  if (st) {
    bri_buf_printf(&out, "{\"status\":%d,\"message\":", (int)st);
    bri_buf_json(&out, err.msg);
  } else {
    bri_buf_printf(&out, "{\"status\":0,\"rows\":%zu,\"columns\":[", br_table_rows(t));
    for (size_t k = 0; k < br_table_columns(t); k++) {
      bri_buf_text(&out, k ? ",{\"name\":" : "{\"name\":"), bri_buf_json(&out, br_table_name(t, k));
      bri_buf_text(&out, ",\"unit\":"), bri_buf_json(&out, br_table_unit_of(t, k)), bri_buf_text(&out, "}");
    }
    bri_buf_text(&out, "]");
  }
  br_table_destroy(t);
  bri_buf_text(&out, "}");
  return out.text ? out.text : "{\"status\":1,\"message\":\"out of memory\"}";
}

br_status lab_job(const lab_pairs *p, br_job **out, br_err *err)
{
  const char *name = lab_get(p, "$analysis");
  const br_analysis *a = name ? br_analysis_find(name) : NULL;
  char where[80];
  if (!a) return bri_fail(err, BR_E_NAME, "job: unknown analysis '%.40s'", name ? name : "");
  br_status st = br_job_create(a, out, err);
  for (size_t i = 0; i < p->n && !st; i++) {
    if (p->list[i].name[0] == '$') continue;
    (void)snprintf(where, sizeof where, "%.60s", p->list[i].name);
    st = br_job_set(*out, p->list[i].name, p->list[i].text, where, err);
  }
  return st ? st : br_job_check(*out, err);
}

static void note(void *ctx, const char *text)
{
  (void)ctx;
  if (now.notes.used) bri_buf_text(&now.notes, ",");
  bri_buf_json(&now.notes, text);
}

/* Tables that are kept: of the catalogue's pictures (all), of the JSON object. */
static void want(const br_analysis *a, int all)
{
  for (const char *s = all && a->tables ? a->tables : ""; *s; s += strcspn(s, "|"), s += *s == '|')
    br_result_want(now.result, s);
  for (size_t i = 0; i < a->nresults; i++)
    if (a->results[i].kind == BR_RESULT_DETAIL) br_result_want(now.result, a->results[i].name);
  if (all) br_picture_want(&a->picture, now.result);
  for (size_t i = 0; all && i < a->npictures; i++)
    if (a->pictures[i].option && br_job_flag(now.job, a->pictures[i].option))
      br_picture_want(&a->pictures[i], now.result);
}

/* Only tables of a list, "a*|b": what a page does not draw is not computed. */
static const char *only;
static int (*wants_all)(void *ctx, const char *table);
static int wants_some(void *ctx, const char *table)
{
  for (const char *s = only; *s; s += strcspn(s, "|"), s += *s == '|') {
    const size_t n = strcspn(s, "|"), stem = strcspn(s, "*|");
    if (stem < n ? strncmp(s, table, stem) == 0 : strlen(table) == n && strncmp(s, table, n) == 0)
      return wants_all(ctx, table);
  }
  return 0;
}

static br_status answer(const lab_pairs *p, br_err *err)
{
  const char *csv = lab_get(p, "$csv"), *json = lab_get(p, "$json");
  const br_analysis *a = br_job_analysis(now.job);
  br_files *files = NULL;
  const unsigned keep = BR_TABLE_LIST | BR_TABLE_ARRAYS | (json ? 0u : BR_TABLE_MAIN | BR_TABLE_FILE);
  br_status st = br_result_create(keep, &now.result, err);
  if (!st) st = br_files_create(csv, NULL, a->tables, NULL, NULL, &files, err);
  if (st) return st;
  want(a, !json);
  br_sink memory = br_result_sink(now.result), table = br_files_sink(files);
  only = lab_get(p, "$tables");
  wants_all = memory.wants;
  if (only) memory.wants = wants_some;
  br_tee tee = {{&memory, &table}, csv ? 2 : 1};
  br_sink out = br_sink_tee(&tee);
  out.note = note;
  st = br_job_run(now.job, &out, err);
  if (st) br_files_abort(files);
  else st = br_files_close(files, err);
  return st;
}

static br_status reply(const lab_pairs *p, br_err *err)
{
  const char *as = lab_get(p, "$take"), *json = lab_get(p, "$json");
  bri_buf text = {0};
  br_status st = lab_job(p, &now.job, err);
  if (!st && as) {
    st = lab_take(p, now.job, as, &text, err);
    if (!st)
      bri_buf_text(&now.reply, "{\"status\":0,\"text\":"),
          bri_buf_json(&now.reply, text.text ? text.text : "");
    bri_buf_free(&text);
  } else if (!st && !lab_get(p, "$check")) {
    st = answer(p, err);
    if (!st && json) {
      bri_buf_text(&now.reply, "{\"status\":0,\"answer\":"),
          bri_buf_text(&now.reply, br_result_json(now.result, NULL));
    } else if (!st) {
      bri_buf_text(&now.reply, "{\"status\":0,"), lab_put_answer(&now.reply, now.result);
    }
  } else if (!st) {
    bri_buf_text(&now.reply, "{\"status\":0");
  }
  if (!st) {
    bri_buf_text(&now.reply, ",\"notes\":["), bri_buf_text(&now.reply, now.notes.text);
    bri_buf_text(&now.reply, "]}");
  }
  return st;
}

/* A job in, its answer out: {status: 0, answer, tables, notes} or {status, message}.  Members that start with
 * '$':
 * $analysis (its name), $csv (file that takes the main table), $tables ("a*|b": no others are computed),
 * $json (the answer as the command line prints it, without tables), $check (only look), $take (the question
 * as "command", "study", "python", "header": {status, text}). */
LAB_EXPORT(lab_ask) const char *lab_ask(const char *json)
{
  lab_pairs p = {0};
  br_err err = {BR_OK, -1, ""};
  forget();
  br_status st = lab_read(json, &p, &err);
  if (!st) st = reply(&p, &err);
  lab_pairs_free(&p);
  if (st) {
    bri_buf_free(&now.reply);
    bri_buf_printf(&now.reply, "{\"status\":%d,\"message\":", (int)st);
    bri_buf_json(&now.reply, err.msg[0] ? err.msg : br_status_text(st));
    bri_buf_text(&now.reply, "}");
  }
  return now.reply.failed || !now.reply.text ? "{\"status\":1,\"message\":\"out of memory\"}"
                                             : now.reply.text;
}
