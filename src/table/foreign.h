/* SPDX-License-Identifier: Apache-2.0
 * foreign.h - records in other files than CSV.
 * libmatio and libhdf5 read what strangers have written, and both have crashed on such files before: a child
 * does the reading, with limits of time and memory, and hands the columns over as a table of text.  If it
 * dies, that is an error of the file and nothing more. */
#ifndef BRI_TABLE_FOREIGN_H
#define BRI_TABLE_FOREIGN_H
#include <stdio.h>
#include <sys/types.h>

#include "bristle/status.h"

typedef enum { BRI_FILE_CSV, BRI_FILE_MAT, BRI_FILE_HDF5 } bri_file_kind;
/* By the first bytes; CSV where it cannot be read or is no regular file. */
bri_file_kind bri_foreign_kind(const char *path);

typedef struct {
  pid_t child;
  int messages; /* what the child has to say */
} bri_foreign;
/* A stream with a table: names in quotes, commas, decimal points. */
BR_CHECKED br_status bri_foreign_open(const char *path, bri_file_kind kind, FILE **stream, bri_foreign *f,
                                      br_err *err);
/* After the end of the stream: has the child said so, or died?  Once. */
BR_CHECKED br_status bri_foreign_end(bri_foreign *f, const char *path, br_err *err);
/* Before the end: the child goes.  Nothing where it is gone. */
void bri_foreign_stop(bri_foreign *f);

/* ---- in the child ---- */

enum { BRI_FOREIGN_COLUMNS = 256, BRI_FOREIGN_NAME = 120 };
typedef struct {
  char name[BRI_FOREIGN_NAME], unit[32];
  size_t n;
  double *x;
} bri_foreign_column;
typedef struct {
  bri_foreign_column list[BRI_FOREIGN_COLUMNS];
  size_t n, numbers; /* numbers of all columns: limited */
} bri_foreign_set;
/* Room for another column; NULL: there are too many, or there is no memory. */
bri_foreign_column *bri_foreign_add(bri_foreign_set *set, const char *name, const char *unit, size_t n);
BR_CHECKED br_status bri_foreign_mat(const char *path, bri_foreign_set *set, br_err *err);
BR_CHECKED br_status bri_foreign_hdf5(const char *path, bri_foreign_set *set, br_err *err);

#endif
