/* SPDX-License-Identifier: Apache-2.0
 * hdf5.h - tables and texts into one HDF5 file.  Without HDF5 in the build every call fails with
 * BR_E_UNSUPPORTED.  Files carry no dates: the same content gives the same bytes. */
#ifndef BRI_REPORT_HDF5_H
#define BRI_REPORT_HDF5_H
#include <stddef.h>

#include "bristle/status.h"

typedef struct bri_hdf5 bri_hdf5;
/* Written beside path, renamed by close. */
BR_CHECKED br_status bri_hdf5_create(const char *path, bri_hdf5 **out, br_err *err);
/* Columns from here on are packed: shuffled bytes, deflate.  For large tables. */
void bri_hdf5_pack(bri_hdf5 *h);
BR_CHECKED br_status bri_hdf5_group(bri_hdf5 *h, const char *group, br_err *err);
/* Variable-length UTF-8 attribute, number attribute, attribute of n numbers, of a group or dataset. */
BR_CHECKED br_status bri_hdf5_attribute(bri_hdf5 *h, const char *object, const char *name, const char *text,
                                        br_err *err);
BR_CHECKED br_status bri_hdf5_number(bri_hdf5 *h, const char *object, const char *name, double x,
                                     br_err *err);
BR_CHECKED br_status bri_hdf5_numbers(bri_hdf5 *h, const char *object, const char *name, size_t n,
                                      const double *x, br_err *err);
/* Columns of a table in an existing group, row by row: one dataset per column, with its unit as attribute
 * "unit".  rows: how many are expected, 0 when unknown.  Memory does not grow with the table. */
typedef struct bri_hdf5_rows bri_hdf5_rows;
BR_CHECKED br_status bri_hdf5_rows_create(bri_hdf5 *h, const char *group, size_t ncol,
                                          const char *const *names, const char *const *units, size_t rows,
                                          bri_hdf5_rows **out, br_err *err);
BR_CHECKED br_status bri_hdf5_rows_put(bri_hdf5_rows *r, const double *row, br_err *err);
/* Write what is left; r is gone in any case.  NULL is fine. */
BR_CHECKED br_status bri_hdf5_rows_close(bri_hdf5_rows *r, br_err *err);
/* A CSV file of `rows` rows as a group of columns. */
BR_CHECKED br_status bri_hdf5_table(bri_hdf5 *h, const char *group, const char *csv, size_t rows,
                                    br_err *err);
BR_CHECKED br_status bri_hdf5_close(bri_hdf5 *h, br_err *err);
void bri_hdf5_abort(bri_hdf5 *h); /* NULL is fine */

#endif
