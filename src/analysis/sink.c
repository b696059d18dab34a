/* SPDX-License-Identifier: Apache-2.0
 * sink.c - what analyses call to give their answer; several back ends as one. */
#include <stdarg.h>
#include <stdio.h>

#include "text/fail.h"
#include "base/alloc.h"
#include "bristle/analysis.h"
#include "param/turns.h"
#include "text/stop.h"

enum { PATH = 160 };

void br_put_value(br_sink *out, const br_value *v, const char *path)
{
  if (!out->value || out->failed) return;
  br_value turned = *v;
  if (out->rotary) turned.unit = bri_unit_turned(v->unit);
  const br_status st = out->value(out->ctx, path, &turned, NULL);
  if (st) out->failed = st;
}

#define FULL_PATH(full, path)                     \
  char full[PATH];                                \
  va_list args;                                   \
  va_start(args, path);                           \
  (void)vsnprintf(full, sizeof full, path, args); \
  va_end(args)

void br_put_number(br_sink *out, const char *unit, double x, const char *path, ...)
{
  FULL_PATH(full, path);
  const br_value v = {BR_VALUE_NUMBER, x + 0.0, NULL, unit}; /* no -0 */
  br_put_value(out, &v, full);
}

void br_put_text(br_sink *out, const char *text, const char *path, ...)
{
  FULL_PATH(full, path);
  const br_value v = {text ? BR_VALUE_TEXT : BR_VALUE_NULL, 0, text};
  br_put_value(out, &v, full);
}

void br_put_flag(br_sink *out, int x, const char *path, ...)
{
  FULL_PATH(full, path);
  const br_value v = {BR_VALUE_FLAG, x != 0};
  br_put_value(out, &v, full);
}

void br_put(br_sink *out, br_value_kind kind, double x, const char *path)
{
  const br_value v = {kind, x, NULL, kind == BR_VALUE_TIME ? "s" : NULL};
  br_put_value(out, &v, path);
}

int br_sink_wants(const br_sink *out, const char *table)
{
  return !out->wants || out->wants(out->ctx, table);
}

br_status br_put_table(br_sink *out, const br_table_head *head, br_err *err)
{
  if (!out->table) return BR_OK;
  if (!out->rotary || !head->ncol) return out->table(out->ctx, head, err);
  br_column *columns = bri_malloc_array(head->ncol, sizeof *columns);
  br_table_head turned = *head;
  if (!columns) return bri_no_memory(err, head->name);
  for (size_t i = 0; i < head->ncol; i++)
    columns[i] = head->columns[i], columns[i].unit = bri_unit_turned(columns[i].unit);
  turned.columns = columns;
  const br_status st = out->table(out->ctx, &turned, err);
  bri_free(columns);
  return st;
}

br_status br_put_row(br_sink *out, const double *row, br_err *err)
{
  const br_status st = bri_stop_status(&out->stop, "row", err); /* what is behind it may be cut short */
  return st || !out->row ? st : out->row(out->ctx, row, err);
}

br_status br_put_end(br_sink *out, br_err *err) { return out->end ? out->end(out->ctx, err) : BR_OK; }

br_status br_sink_alive(br_sink *out, double part, br_err *err)
{
  if (out->progress) out->progress(out->ctx, part);
  return bri_stop_status(&out->stop, "analysis", err);
}

void br_sink_note(br_sink *out, const char *text)
{
  if (out->note) out->note(out->ctx, text);
}

void br_sink_amount(br_sink *out, double count, const char *what, double seconds_each)
{
  if (out->amount) out->amount(out->ctx, count, what, seconds_each);
}

/* ---- several as one ---- */

static br_status tee_value(void *ctx, const char *path, const br_value *v, br_err *err)
{
  br_tee *t = ctx;
  br_status st = BR_OK;
  for (size_t i = 0; i < t->n && !st; i++)
    if (t->to[i]->value) st = t->to[i]->value(t->to[i]->ctx, path, v, err);
  return st;
}

static int tee_wants(void *ctx, const char *table)
{
  const br_tee *t = ctx;
  for (size_t i = 0; i < t->n; i++)
    if (br_sink_wants(t->to[i], table)) return 1;
  return 0;
}

static br_status tee_table(void *ctx, const br_table_head *head, br_err *err)
{
  br_tee *t = ctx;
  br_status st = BR_OK;
  for (size_t i = 0; i < t->n && !st; i++) st = br_put_table(t->to[i], head, err);
  return st;
}

static br_status tee_row(void *ctx, const double *row, br_err *err)
{
  br_tee *t = ctx;
  br_status st = BR_OK;
  for (size_t i = 0; i < t->n && !st; i++)
    if (t->to[i]->row) st = t->to[i]->row(t->to[i]->ctx, row, err);
  return st;
}

static br_status tee_end(void *ctx, br_err *err)
{
  br_tee *t = ctx;
  br_status st = BR_OK;
  for (size_t i = 0; i < t->n && !st; i++) st = br_put_end(t->to[i], err);
  return st;
}

static void tee_progress(void *ctx, double part)
{
  const br_tee *t = ctx;
  for (size_t i = 0; i < t->n; i++)
    if (t->to[i]->progress) t->to[i]->progress(t->to[i]->ctx, part);
}

br_sink br_sink_tee(br_tee *tee)
{
  return (br_sink){.ctx = tee,
                   .value = tee_value,
                   .wants = tee_wants,
                   .table = tee_table,
                   .row = tee_row,
                   .end = tee_end,
                   .progress = tee_progress};
}
