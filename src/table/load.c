/* SPDX-License-Identifier: Apache-2.0
 * load.c - whole columns: the reader's rows, turned and kept. */
#include <string.h>

#include "../text/fail.h"
#include "../base/alloc.h"
#include "bristle/text.h"
#include "reader.h"

enum { CHUNK = 4096 }; /* numbers read at a time */

struct br_table {
  size_t rows, capacity, ncol;
  double **data;
  br_table_reader *reader; /* owns names and units; its buffer and file are released after loading */
};

static br_status grow(br_table *t, size_t need, br_err *err)
{
  if (need <= t->capacity) return BR_OK;
  size_t capacity = t->capacity ? t->capacity * 2 : 256;
  while (capacity < need) capacity *= 2;
  for (size_t j = 0; j < t->ncol; j++) {
    double *p =
        capacity > SIZE_MAX / sizeof(double) ? NULL : bri_realloc(t->data[j], capacity * sizeof(double));
    if (!p) return bri_fail(err, BR_E_NOMEM, "%s: no memory for %zu rows", t->reader->label, capacity);
    t->data[j] = p;
  }
  t->capacity = capacity;
  return BR_OK;
}

static br_status read_all(br_table *t, br_err *err)
{
  const size_t step = t->ncol < CHUNK ? CHUNK / t->ncol : 1;
  double *chunk = bri_malloc_array(step * t->ncol, sizeof *chunk);
  if (!chunk) return bri_no_memory(err, t->reader->label);
  br_status st = BR_OK;
  size_t got = 1;
  while (!st && got) {
    st = br_table_reader_next(t->reader, step, chunk, &got, err);
    if (!st) st = grow(t, t->rows + got + 1, err); /* one spare: data is never NULL */
    for (size_t j = 0; !st && j < t->ncol; j++) {
      double *to = t->data[j];
      for (size_t i = 0; to && i < got; i++) to[t->rows + i] = chunk[i * t->ncol + j];
    }
    if (!st) t->rows += got;
  }
  bri_free(chunk);
  return st;
}

static br_status load(br_table_reader *reader, br_table **out, br_table_report *report, br_err *err)
{
  br_status st = BR_OK;
  br_table *t = bri_calloc(1, sizeof *t);
  if (t) {
    t->reader = reader;
    t->ncol = reader->ncol;
    t->data = bri_calloc(t->ncol, sizeof *t->data);
  }
  if (!t || !t->data) {
    st = bri_no_memory(err, reader->label);
  } else {
    st = read_all(t, err);
  }
  if (report) *report = reader->report;
  if (st) {
    if (t) {
      br_table_destroy(t);
    } else {
      br_table_reader_destroy(reader);
    }
    return st;
  }
  if (reader->close_file) (void)fclose(reader->file);
  reader->close_file = 0;
  reader->file = NULL;
  reader->data = NULL;
  bri_free(reader->buffer);
  reader->buffer = NULL;
  *out = t;
  return BR_OK;
}

static void clear_report(br_table_report *report)
{
  if (!report) return;
  memset(report, 0, sizeof *report);
  report->time_column = -1;
}

br_status br_table_load(const char *path, const br_table_options *opt, br_table **out,
                        br_table_report *report, br_err *err)
{
  br_table_reader *reader = NULL;
  clear_report(report);
  if (!out) return bri_fail(err, BR_E_ARG, "br_table_load: NULL argument");
  *out = NULL;
  const br_status st = br_table_reader_create(path, opt, &reader, err);
  return st ? st : load(reader, out, report, err);
}

br_status br_table_load_memory(const char *text, size_t n, const char *name, const br_table_options *opt,
                               br_table **out, br_table_report *report, br_err *err)
{
  br_table_reader *reader = NULL;
  clear_report(report);
  if (!out) return bri_fail(err, BR_E_ARG, "br_table_load_memory: NULL argument");
  *out = NULL;
  const br_status st = br_table_reader_create_memory(text, n, name, opt, &reader, err);
  return st ? st : load(reader, out, report, err);
}

void br_table_destroy(br_table *t)
{
  if (!t) return;
  for (size_t j = 0; t->data && j < t->ncol; j++) bri_free(t->data[j]);
  bri_free(t->data);
  br_table_reader_destroy(t->reader);
  bri_free(t);
}

size_t br_table_rows(const br_table *t) { return t ? t->rows : 0; }

size_t br_table_columns(const br_table *t) { return t ? t->ncol : 0; }

int br_table_find(const br_table *t, const char *name, br_err *err)
{
  const char *best = NULL;
  int with_unit = -1;
  if (!t || !name) {
    (void)bri_fail(err, BR_E_ARG, "br_table_find: NULL argument");
    return -1;
  }
  for (size_t j = 0; j < t->ncol; j++) {
    const char *own = t->reader->columns[j].name;
    if (strcmp(own, name) == 0) return (int)j;
    if (strcmp(t->reader->columns[j].heading, name) == 0) with_unit = (int)j;
    const char *pair[2] = {best ? best : own, own};
    best = br_nearest_name(name, pair, 2);
  }
  if (with_unit >= 0) return with_unit;
  (void)bri_fail(err, BR_E_NAME, "%s: no column '%s'%s%s%s", t->reader->label, name,
                 best ? ", did you mean '" : "", best ? best : "", best ? "'?" : "");
  return -1;
}

const double *br_table_data(const br_table *t, size_t column)
{
  return t && column < t->ncol ? t->data[column] : NULL;
}

const char *br_table_name(const br_table *t, size_t column)
{
  return t ? br_table_reader_name(t->reader, column) : NULL;
}

const char *br_table_unit_of(const br_table *t, size_t column)
{
  return t ? br_table_reader_unit(t->reader, column) : NULL;
}

const char *br_table_text_of(const br_table *t, size_t column, br_table_mark *mark)
{
  if (mark) memset(mark, 0, sizeof *mark);
  if (!t || column >= t->ncol || !t->reader->columns[column].text.count) return NULL;
  if (mark) *mark = t->reader->columns[column].text;
  return t->reader->columns[column].sample;
}
