/* SPDX-License-Identifier: Apache-2.0
 * hdf5_writer.c - one table as an HDF5 file of its own: the public face of hdf5.c. */
#include "../base/alloc.h"
#include "../text/fail.h"
#include "../text/path.h"
#include "bri_config.h"
#include "bristle/report.h"
#include "report/hdf5.h"

struct br_hdf5 {
  bri_hdf5 *file;
  bri_hdf5_rows *rows;
};

br_status br_hdf5_check(const char *path, br_err *err)
{
  if (!path || !path[0]) return bri_fail(err, BR_E_ARG, "br_hdf5_check: no path");
  if (bri_path_is_stdout(path))
    return bri_fail(err, BR_E_ARG, "an HDF5 table cannot go to standard output: give a file name (CSV can)");
#if BR_WITH_HDF5
  return BR_OK;
#else
  bri_hdf5 *none = NULL;
  return bri_hdf5_create(path, &none, err); /* says what is missing */
#endif
}

br_status br_hdf5_create(const char *path, size_t ncol, const char *const *names, const char *const *units,
                         size_t rows, br_hdf5 **out, br_err *err)
{
  if (!out) return bri_fail(err, BR_E_ARG, "br_hdf5_create: NULL argument");
  *out = NULL;
  if (!names || ncol == 0) return bri_fail(err, BR_E_ARG, "br_hdf5_create: no columns");
  br_status st = br_hdf5_check(path, err);
  if (st) return st;
  br_hdf5 *t = bri_calloc(1, sizeof *t);
  if (!t) return bri_no_memory(err, path);
  st = bri_hdf5_create(path, &t->file, err);
  if (!st) st = bri_hdf5_rows_create(t->file, "/", ncol, names, units, rows, &t->rows, err);
  if (st) br_hdf5_abort(t);
  else *out = t;
  return st;
}

br_status br_hdf5_text(br_hdf5 *t, const char *name, const char *text, br_err *err)
{
  if (!t || !name || !text) return bri_fail(err, BR_E_ARG, "br_hdf5_text: NULL argument");
  return bri_hdf5_attribute(t->file, "/", name, text, err);
}

br_status br_hdf5_numbers(br_hdf5 *t, const char *name, size_t n, const double *x, br_err *err)
{
  if (!t || !name || (n && !x)) return bri_fail(err, BR_E_ARG, "br_hdf5_numbers: NULL argument");
  return n == 1 ? bri_hdf5_number(t->file, "/", name, *x, err)
                : bri_hdf5_numbers(t->file, "/", name, n, x, err);
}

br_status br_hdf5_row(br_hdf5 *t, const double *row, br_err *err)
{
  if (!t || !row) return bri_fail(err, BR_E_ARG, "br_hdf5_row: NULL argument");
  return bri_hdf5_rows_put(t->rows, row, err);
}

br_status br_hdf5_close(br_hdf5 *t, br_err *err)
{
  if (!t) return bri_fail(err, BR_E_ARG, "br_hdf5_close: NULL argument");
  br_status st = bri_hdf5_rows_close(t->rows, err);
  if (st) bri_hdf5_abort(t->file);
  else st = bri_hdf5_close(t->file, err);
  bri_free(t);
  return st;
}

void br_hdf5_abort(br_hdf5 *t)
{
  if (!t) return;
  const br_status closed = bri_hdf5_rows_close(t->rows, NULL);
  (void)closed; /* given up in any case */
  bri_hdf5_abort(t->file);
  bri_free(t);
}
