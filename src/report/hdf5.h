/* SPDX-License-Identifier: Apache-2.0
 * hdf5.h - tables and texts into one HDF5 file.  Without HDF5 in the build every call fails with
 * BR_E_UNSUPPORTED.  Files carry no dates: the same content gives the same bytes. */
#ifndef BRI_REPORT_HDF5_H
#define BRI_REPORT_HDF5_H
#include <stddef.h>

#include "bristle/status.h"

typedef struct bri_hdf5 bri_hdf5;
/* Written beside path, renamed by close. */
br_status bri_hdf5_create(const char *path, bri_hdf5 **out, br_err *err);
br_status bri_hdf5_group(bri_hdf5 *h, const char *group, br_err *err);
/* Variable-length UTF-8 attribute, number attribute, of a group or dataset. */
br_status bri_hdf5_attribute(bri_hdf5 *h, const char *object, const char *name, const char *text,
                             br_err *err);
br_status bri_hdf5_number(bri_hdf5 *h, const char *object, const char *name, double x, br_err *err);
/* A CSV file of `rows` rows as a group: one dataset per column, with its unit as attribute "unit". */
br_status bri_hdf5_table(bri_hdf5 *h, const char *group, const char *csv, size_t rows, br_err *err);
br_status bri_hdf5_close(bri_hdf5 *h, br_err *err);
void bri_hdf5_abort(bri_hdf5 *h); /* NULL is fine */

#endif
