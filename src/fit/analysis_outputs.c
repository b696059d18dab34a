/* SPDX-License-Identifier: Apache-2.0
 * analysis_outputs.c - what a fit leaves behind: a study that shows the data against the fit, a C header of
 * the element. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis_parts.h"
#include "bristle/control.h"
#include "sample.h"
#include "text/buf.h"
#include "text/fail.h"
#include "text/path.h"

br_status bri_fit_outputs_check(const br_job *job, br_err *err)
{
  static const char *const OPTIONS[] = {"study", "header", "resume"};
  const char *file = br_job_text(job, "file"), *d = br_job_dash(job);
  for (size_t i = 0; i < 3; i++) {
    const char *path = br_job_text(job, OPTIONS[i]);
    if (!path) continue;
    if (!d[0])
      return bri_fail(err, BR_E_ARG, "%s: a file for the command 'bristle fit'; a study has its own results",
                      OPTIONS[i]);
    if (!path[0] || bri_path_is_stdout(path))
      return bri_fail(err, BR_E_ARG, "%s%s must name a file", d, OPTIONS[i]);
    if (i < 2 && file && strchr(file, '\n') && !br_job_text(job, "per-file"))
      return bri_fail(err, BR_E_ARG, "%s%s: one file at a time; %zu were named", d, OPTIONS[i], (size_t)2);
    if (i == 0 && file && bri_fit_is_sample(file))
      return bri_fail(err, BR_E_ARG, "%sstudy: a sample has no file that a study could read", d);
  }
  return BR_OK;
}

/* ---- header ---- */

static int put(void *ctx, const char *text, size_t n)
{
  bri_buf *to = ctx;
  bri_buf_add(to, text, n);
  return to->failed;
}

/* The name of a file as a C identifier. */
static void identifier(const char *path, char *name, size_t room)
{
  const char *base = strrchr(path, '/');
  size_t n = 0;
  base = base ? base + 1 : path;
  if (!isalpha((unsigned char)*base)) name[n++] = 'c';
  for (; *base && *base != '.' && n + 1 < room; base++)
    name[n++] = (char)(isalnum((unsigned char)*base) ? *base : '_');
  name[n] = '\0';
}

br_status bri_fit_write_header(const br_job *job, const br_model *m, const double *block, br_err *err)
{
  const char *path = br_job_text(job, "header");
  char name[41], about[200];
  bri_buf b = {0};
  br_control_export_options o = br_control_export_default();
  if (!path) return BR_OK;
  identifier(path, name, sizeof name);
  (void)snprintf(about, sizeof about, "parameters from 'bristle fit'");
  o.name = name, o.about = about;
  br_status st = br_model_export(m, block, &o, put, &b, err);
  if (b.failed) st = bri_no_memory(err, "fit");
  if (!st) st = bri_buf_save(&b, path, err);
  bri_buf_free(&b);
  return st;
}

/* ---- study ---- */

static void put_set(bri_buf *b, const br_param *rows, size_t n, const double *block)
{
  for (size_t i = 0; i < n; i++) {
    const br_param *row = &rows[i];
    const size_t len = row->max_len > 1 ? (size_t)block[row->len_slot] : 1;
    if (row->choices || !len) continue;
    bri_buf_printf(b, "  %s: %s", row->name, row->max_len > 1 ? "[" : "");
    for (size_t k = 0; k < len; k++) {
      if (k) bri_buf_text(b, ", ");
      bri_buf_number(b, block[row->slot + k], "0");
    }
    bri_buf_text(b, row->max_len > 1 ? "]\n" : "\n");
  }
}

/* A file as a study finds it: as given where it stands beside it, else with its whole path; NULL: there is
 * none. */
static const char *found_by(const char *study, const char *file, char full[PATH_MAX], br_err *err)
{
  const int beside = !strchr(study, '/') || file[0] == '/';
  if (beside || realpath(file, full)) return beside ? file : full;
  (void)bri_fail(err, BR_E_IO, "study: cannot find '%.100s'", file);
  return NULL;
}

/* "csv:FILE:time,column|steps|more" as a quoted scalar; files are looked for beside the study, so they go in
 * full where that is elsewhere. */
static br_status spec(bri_buf *b, const char *record, const char *study, const char *time, const char *column,
                      const char *more, br_err *err)
{
  const size_t n = strcspn(record, "|");
  char file[PATH_MAX], full[PATH_MAX];
  bri_buf text = {0};
  if (n >= sizeof file) return bri_fail(err, BR_E_SIZE, "fit: the name of the record is too long");
  memcpy(file, record, n), file[n] = '\0';
  if (strpbrk(time, ",|:") || strpbrk(column, ",|:") || strchr(file, ':'))
    return bri_fail(err, BR_E_ARG, "study: '%.60s' or a column of it has a comma, bar or colon in its name",
                    file);
  const char *name = found_by(study, file, full, err);
  if (!name) return BR_E_IO;
  bri_buf_printf(&text, "csv:%s:%s,%s%s%s", name, time, column, record + n, more);
  if (!text.failed) bri_buf_json(b, text.text);
  b->failed |= text.failed;
  bri_buf_free(&text);
  return BR_OK;
}

/* A mechanism by its name, or by its file. */
static br_status put_system(bri_buf *b, const bri_fit_study *s, const char *study, br_err *err)
{
  const char *file = s->system_file;
  char full[PATH_MAX];
  if (!file) return bri_buf_printf(b, "system: %s\n", s->system->name), BR_OK;
  const char *name = found_by(study, file, full, err);
  if (!name) return BR_E_IO;
  bri_buf_text(b, "system: ");
  bri_buf_json(b, name);
  bri_buf_text(b, "\n");
  return BR_OK;
}

static void put_plot(bri_buf *b, const char *name, const char *table, const char *x, const char *y)
{
  bri_buf_printf(b,
                 "  %s: {table: %s, x: %s, lines: [{y: %s, label: measured, style: muted}, {y: model, label: "
                 "fitted}]}\n",
                 name, table, x, y);
}

/* Data against fit, the loop where there is one, what is left. */
static void put_plots(bri_buf *b, const bri_fit_study *s)
{
  const char *table = s->system ? "measured_state" : "measured";
  bri_buf_text(b, "plots:\n");
  put_plot(b, s->system ? "motion" : "force", table, "t", s->system ? s->state : "F");
  if (!s->system) put_plot(b, "loop", table, "u", "F");
  bri_buf_printf(b, "  residual: {table: %s, x: t, y: residual}\n", table);
}

br_status bri_fit_write_study(const br_job *job, const bri_fit_study *s, br_err *err)
{
  const char *path = br_job_text(job, "study");
  bri_buf b = {0}, about = {0};
  br_status st = BR_OK;
  if (!path) return BR_OK;
  if (!s->time) return bri_fail(err, BR_E_ARG, "study: the record has no time, which 'bristle run' needs");
  bri_buf_printf(&about, "%s%s%s fitted to %.200s by 'bristle fit'.%s%s", s->model->name,
                 s->system ? " in " : "", s->system ? s->system->name : "", s->record,
                 s->left_out ? " Not shown, since the model has no such term: " : "",
                 s->left_out ? s->left_out : "");
  bri_buf_text(&b, "title: ");
  bri_buf_json(&b, s->system ? "Measured motion against the fitted mechanism"
                             : "Measured force against the fitted model");
  bri_buf_text(&b, "\nabout: ");
  if (about.text) bri_buf_json(&b, about.text);
  bri_buf_printf(&b, "\nmodel: %s\n", s->model->name);
  if (s->system) st = put_system(&b, s, path, err);
  bri_buf_text(&b, "set:\n");
  if (s->system) put_set(&b, s->system->params, s->system->nparam, s->system_block);
  put_set(&b, s->model->params, s->model->nparam, s->model_block);
  bri_buf_text(&b, "input: ");
  if (!st) st = spec(&b, s->record, path, s->time, s->input, s->input_steps, err);
  if (!st && s->init) bri_buf_printf(&b, "\ninit: {%s}", s->init);
  bri_buf_printf(&b, "\n%s:\n  t-end: ", s->system ? "simulate" : "trace");
  bri_buf_number(&b, s->t_end, "1");
  if (!st && s->measured) {
    bri_buf inner = {0};
    st = spec(&inner, s->record, path, s->time, s->measured, s->measured_steps, err);
    bri_buf_text(&b, "\n  measured: ");
    if (!st && inner.text) { /* the name of the state goes inside the quotes */
      bri_buf_text(&b, "\"");
      bri_buf_text(&b, s->state ? s->state : "");
      bri_buf_text(&b, s->state ? ":" : "");
      bri_buf_text(&b, inner.text + 1);
    }
    b.failed |= inner.failed;
    bri_buf_free(&inner);
  }
  bri_buf_text(&b, "\n");
  if (s->measured) put_plots(&b, s);
  if (!st && (b.failed || about.failed)) st = bri_no_memory(err, "fit");
  if (!st) st = bri_buf_save(&b, path, err);
  bri_buf_free(&b);
  bri_buf_free(&about);
  return st;
}
