/* SPDX-License-Identifier: Apache-2.0
 * columns.h - rows of numbers on their way out: into memory, into a CSV or HDF5 file. */
#ifndef BRI_CLI_COLUMNS_H
#define BRI_CLI_COLUMNS_H
#include <stddef.h>

#include "bristle/report.h"
#include "bristle/table.h"

enum { COLUMN_NAME = 48 };

typedef struct {
  char name[COLUMN_NAME];
  const char *unit;
  double *data; /* [rows], NULL unless kept */
} column;

typedef struct {
  column *list;
  size_t n, rows, used; /* rows: room; used: rows so far */
  double *memory, *row;
  br_table_writer *writer; /* NULL: no CSV file */
  br_hdf5 *hdf5;           /* NULL: no HDF5 file */
} columns;

/* n columns of at most `rows` rows; keep 1: in memory.  Returns 0 when memory is short. */
int columns_create(columns *c, size_t n, size_t rows, int keep);
void columns_name(columns *c, size_t index, const char *name, const char *axis, const char *unit);
/* Open a CSV or HDF5 file beside the final name; columns must have their names. */
br_status columns_open(columns *c, const char *path, br_err *err);
br_status columns_open_hdf5(columns *c, const char *path, br_err *err);
/* Take c->row[0..n-1]. */
br_status columns_push(columns *c, br_err *err);
/* Put the files in place. */
br_status columns_close(columns *c, br_err *err);
/* Kept rows as CSV to stdout. */
br_status columns_print(const columns *c, br_err *err);
/* Free all; open files are given up. */
void columns_release(columns *c);

#endif
