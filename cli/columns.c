/* SPDX-License-Identifier: Apache-2.0
 * columns.c - rows of numbers on their way out. */
#include "columns.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int columns_create(columns *c, size_t n, size_t rows, int keep)
{
  memset(c, 0, sizeof *c);
  c->n = n;
  c->rows = rows;
  c->list = calloc(n, sizeof *c->list);
  c->row = calloc(n, sizeof *c->row);
  const int fits = rows <= SIZE_MAX / sizeof(double) / n;
  if (keep && fits) c->memory = malloc(n * rows * sizeof *c->memory);
  if (!c->list || !c->row || (keep && !c->memory)) return 0;
  for (size_t i = 0; i < n; i++) {
    c->list[i].data = keep ? c->memory + i * rows : NULL;
  }
  return 1;
}

void columns_name(columns *c, size_t index, const char *name, const char *axis, const char *unit)
{
  (void)snprintf(c->list[index].name, COLUMN_NAME, "%s%s", name, axis);
  c->list[index].unit = strcmp(unit, "1") == 0 ? "" : unit;
}

/* Names, then units, of all columns; free() it. */
static const char **headings(const columns *c, br_err *err)
{
  const char **names = calloc(2 * c->n, sizeof *names);
  if (!names) {
    err->code = BR_E_NOMEM;
    err->msg[0] = '\0';
    return NULL;
  }
  for (size_t i = 0; i < c->n; i++) {
    names[i] = c->list[i].name;
    names[c->n + i] = c->list[i].unit;
  }
  return names;
}

br_status columns_open(columns *c, const char *path, br_err *err)
{
  const char **names = headings(c, err);
  if (!names) return BR_E_NOMEM;
  const br_status st = br_table_writer_create(path, c->n, names, names + c->n, &c->writer, err);
  free((void *)names);
  return st;
}

br_status columns_open_hdf5(columns *c, const char *path, br_err *err)
{
  const char **names = headings(c, err);
  if (!names) return BR_E_NOMEM;
  const br_status st = br_hdf5_create(path, c->n, names, names + c->n, c->rows, &c->hdf5, err);
  free((void *)names);
  return st;
}

br_status columns_push(columns *c, br_err *err)
{
  for (size_t i = 0; i < c->n; i++) {
    column *k = &c->list[i];
    const double x = c->row[i];
    if (k->data && c->used < c->rows) k->data[c->used] = x;
  }
  c->used++;
  br_status st = c->writer ? br_table_writer_row(c->writer, c->row, err) : BR_OK;
  if (!st && c->hdf5) st = br_hdf5_row(c->hdf5, c->row, err);
  return st;
}

br_status columns_close(columns *c, br_err *err)
{
  br_table_writer *w = c->writer;
  br_hdf5 *h = c->hdf5;
  c->writer = NULL;
  br_status st = w ? br_table_writer_close(w, err) : BR_OK;
  if (st) return st;
  c->hdf5 = NULL;
  return h ? br_hdf5_close(h, err) : BR_OK;
}

br_status columns_print(const columns *c, br_err *err)
{
  columns out = *c;
  out.hdf5 = NULL;
  br_status st = columns_open(&out, "-", err);
  for (size_t k = 0; k < c->used && !st; k++) {
    for (size_t i = 0; i < c->n; i++) c->row[i] = c->list[i].data[k];
    st = br_table_writer_row(out.writer, c->row, err);
  }
  if (st) br_table_writer_abort(out.writer);
  return st ? st : columns_close(&out, err);
}

void columns_release(columns *c)
{
  br_table_writer_abort(c->writer);
  br_hdf5_abort(c->hdf5);
  free(c->list);
  free(c->row);
  free(c->memory);
  memset(c, 0, sizeof *c);
}
