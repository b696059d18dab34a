/* SPDX-License-Identifier: Apache-2.0
 * files.c - the main table of an answer on its way into files. */
#include <string.h>

#include "bristle/report.h"
#include "bristle/table.h"
#include "base/alloc.h"
#include "text/fail.h"

struct br_files {
  const char *csv, *hdf5, *tables;
  br_status (*attributes)(void *ctx, br_hdf5 *file, br_err *err);
  void *ctx;
  br_table_writer *writer;
  br_hdf5 *table;
  int open; /* the present table is the one */
};

br_status br_files_create(const char *csv, const char *hdf5, const char *tables,
                          br_status (*attributes)(void *ctx, br_hdf5 *file, br_err *err), void *ctx,
                          br_files **out, br_err *err)
{
  br_files *f = *out = bri_calloc(1, sizeof *f);
  if (!f) return bri_no_memory(err, "files");
  *f = (br_files){csv, hdf5, tables, attributes, ctx, NULL, NULL, 0};
  return BR_OK;
}

static int wants(void *ctx, const char *table)
{
  const br_files *f = ctx;
  const size_t n = strlen(table);
  if (!f->csv && !f->hdf5) return 0;
  for (const char *s = f->tables ? f->tables : ""; *s; s += strcspn(s, "|"), s += *s == '|')
    if (strcspn(s, "|") == n && memcmp(s, table, n) == 0) return 1;
  return 0;
}

static br_status begin(br_files *f, const br_table_head *head, const char **names, br_err *err)
{
  const char **units = names + head->ncol;
  br_status st = BR_OK;
  for (size_t i = 0; i < head->ncol; i++) {
    names[i] = head->columns[i].name;
    units[i] = strcmp(head->columns[i].unit, "1") == 0 ? "" : head->columns[i].unit;
  }
  if (f->csv) st = br_table_writer_create(f->csv, head->ncol, names, units, &f->writer, err);
  if (!st && f->hdf5) st = br_hdf5_create(f->hdf5, head->ncol, names, units, head->rows, &f->table, err);
  if (!st && f->table && f->attributes) st = f->attributes(f->ctx, f->table, err);
  return st;
}

static br_status table(void *ctx, const br_table_head *head, br_err *err)
{
  br_files *f = ctx;
  f->open = (head->shape & BR_TABLE_MAIN) != 0 && !f->writer && !f->table;
  if (!f->open) return BR_OK;
  const char **names = bri_calloc(2 * head->ncol, sizeof *names);
  if (!names) return bri_no_memory(err, "files");
  const br_status st = begin(f, head, names, err);
  bri_free((void *)names);
  return st;
}

static br_status row(void *ctx, const double *x, br_err *err)
{
  const br_files *f = ctx;
  if (!f->open) return BR_OK;
  const br_status st = f->writer ? br_table_writer_row(f->writer, x, err) : BR_OK;
  return st || !f->table ? st : br_hdf5_row(f->table, x, err);
}

static br_status end(void *ctx, br_err *err)
{
  br_files *f = ctx;
  (void)err;
  f->open = 0;
  return BR_OK;
}

br_sink br_files_sink(br_files *files)
{
  return (br_sink){.ctx = files, .wants = wants, .table = table, .row = row, .end = end};
}

br_status br_files_close(br_files *f, br_err *err)
{
  if (!f) return BR_OK;
  br_table_writer *w = f->writer;
  br_hdf5 *h = f->table;
  f->writer = NULL;
  br_status st = w ? br_table_writer_close(w, err) : BR_OK;
  if (!st) f->table = NULL;
  if (!st && h) st = br_hdf5_close(h, err);
  br_files_abort(f);
  return st;
}

void br_files_abort(br_files *f)
{
  if (!f) return;
  br_table_writer_abort(f->writer);
  br_hdf5_abort(f->table);
  bri_free(f);
}
