/* SPDX-License-Identifier: Apache-2.0
 * hdf5.c - tables and texts into one HDF5 file. */
#include "report/hdf5.h"

#include "../text/fail.h"
#include "bri_config.h"

#if BR_WITH_HDF5
#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

#include "../table/alloc.h"
#include "bristle/table.h"

enum { CHUNK = 4096 };

struct bri_hdf5 {
  hid_t file;
  char *path, *part;
};

static br_status failed(const bri_hdf5 *h, const char *what, br_err *err)
{
  return bri_text_fail(err, BR_E_IO, -1, "cannot write '%s': HDF5 refuses %s", h->path, what);
}

/* HDF5 prints its own errors unless told not to; the library never prints. */
static void quiet(void) { (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL); }

br_status bri_hdf5_create(const char *path, bri_hdf5 **out, br_err *err)
{
  const size_t n = strlen(path);
  bri_hdf5 *h = bri_calloc(1, sizeof *h + 2 * n + 16);
  *out = NULL;
  if (!h) return bri_text_fail(err, BR_E_NOMEM, -1, "%s: out of memory", path);
  quiet();
  h->path = (char *)(h + 1);
  h->part = h->path + n + 1;
  memcpy(h->path, path, n + 1);
  (void)snprintf(h->part, n + 8, "%s.part", path);
  const hid_t fcpl = H5Pcreate(H5P_FILE_CREATE);
  (void)H5Pset_obj_track_times(fcpl, 0);
  h->file = H5Fcreate(h->part, H5F_ACC_TRUNC, fcpl, H5P_DEFAULT);
  (void)H5Pclose(fcpl);
  if (h->file < 0) {
    const br_status st = failed(h, "the file", err);
    bri_free(h);
    return st;
  }
  *out = h;
  return BR_OK;
}

br_status bri_hdf5_group(bri_hdf5 *h, const char *group, br_err *err)
{
  const hid_t gcpl = H5Pcreate(H5P_GROUP_CREATE);
  (void)H5Pset_obj_track_times(gcpl, 0);
  const hid_t g = H5Gcreate2(h->file, group, H5P_DEFAULT, gcpl, H5P_DEFAULT);
  (void)H5Pclose(gcpl);
  if (g < 0) return failed(h, group, err);
  (void)H5Gclose(g);
  return BR_OK;
}

static int put_attribute(hid_t object, const char *name, hid_t type, const void *value)
{
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t a = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  const int good = a >= 0 && H5Awrite(a, type, value) >= 0;
  if (a >= 0) (void)H5Aclose(a);
  (void)H5Sclose(space);
  return good;
}

static int put_text(hid_t object, const char *name, const char *text)
{
  const hid_t type = H5Tcopy(H5T_C_S1);
  (void)H5Tset_size(type, H5T_VARIABLE);
  (void)H5Tset_cset(type, H5T_CSET_UTF8);
  const int good = put_attribute(object, name, type, (const void *)&text);
  (void)H5Tclose(type);
  return good;
}

br_status bri_hdf5_attribute(bri_hdf5 *h, const char *object, const char *name, const char *text, br_err *err)
{
  const hid_t o = H5Oopen(h->file, object, H5P_DEFAULT);
  const int good = o >= 0 && put_text(o, name, text);
  if (o >= 0) (void)H5Oclose(o);
  return good ? BR_OK : failed(h, name, err);
}

br_status bri_hdf5_number(bri_hdf5 *h, const char *object, const char *name, double x, br_err *err)
{
  const hid_t o = H5Oopen(h->file, object, H5P_DEFAULT);
  const int good = o >= 0 && put_attribute(o, name, H5T_NATIVE_DOUBLE, &x);
  if (o >= 0) (void)H5Oclose(o);
  return good ? BR_OK : failed(h, name, err);
}

static hid_t make_column(hid_t group, const char *name, const char *unit, size_t rows)
{
  const hsize_t size = rows, chunk = rows < CHUNK ? (rows ? rows : 1) : CHUNK;
  const hid_t space = H5Screate_simple(1, &size, NULL), dcpl = H5Pcreate(H5P_DATASET_CREATE);
  (void)H5Pset_obj_track_times(dcpl, 0);
  (void)H5Pset_chunk(dcpl, 1, &chunk);
  const hid_t d = H5Dcreate2(group, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  (void)H5Pclose(dcpl);
  (void)H5Sclose(space);
  if (d >= 0 && !put_text(d, "unit", unit[0] ? unit : "1")) {
    (void)H5Dclose(d);
    return -1;
  }
  return d;
}

static int put_piece(hid_t column, size_t at, const double *x, size_t n)
{
  const hsize_t start = at, count = n;
  const hid_t file = H5Dget_space(column), memory = H5Screate_simple(1, &count, NULL);
  const int good = H5Sselect_hyperslab(file, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0 &&
                   H5Dwrite(column, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, x) >= 0;
  (void)H5Sclose(file);
  (void)H5Sclose(memory);
  return good;
}

/* Chunk by chunk: memory does not grow with the table. */
static br_status fill(bri_hdf5 *h, const hid_t *columns, size_t ncol, br_table_reader *reader, size_t rows,
                      br_err *err)
{
  double *block = bri_malloc_array(2 * CHUNK, ncol * sizeof *block);
  br_status st = block ? BR_OK : bri_text_fail(err, BR_E_NOMEM, -1, "%s: out of memory", h->path);
  for (size_t at = 0; !st;) {
    size_t got = 0;
    st = br_table_reader_next(reader, CHUNK, block, &got, err);
    if (st || got == 0) break;
    if (at + got > rows) st = failed(h, "more rows than the record says", err);
    for (size_t c = 0; c < ncol && !st; c++) {
      double *x = block + CHUNK * ncol;
      for (size_t k = 0; k < got; k++) x[k] = block[k * ncol + c];
      if (!put_piece(columns[c], at, x, got)) st = failed(h, "a column", err);
    }
    at += got;
  }
  bri_free(block);
  return st;
}

br_status bri_hdf5_table(bri_hdf5 *h, const char *group, const char *csv, size_t rows, br_err *err)
{
  br_table_reader *reader = NULL;
  br_status st = bri_hdf5_group(h, group, err);
  if (!st) st = br_table_reader_create(csv, NULL, &reader, err);
  const size_t ncol = st ? 0 : br_table_reader_columns(reader);
  hid_t *columns = bri_calloc(ncol + 1, sizeof *columns);
  if (!st && !columns) st = bri_text_fail(err, BR_E_NOMEM, -1, "%s: out of memory", h->path);
  const hid_t g = st ? -1 : H5Gopen2(h->file, group, H5P_DEFAULT);
  size_t made = 0;
  for (; made < ncol && !st; made++) {
    columns[made] =
        make_column(g, br_table_reader_name(reader, made), br_table_reader_unit(reader, made), rows);
    if (columns[made] < 0) st = failed(h, br_table_reader_name(reader, made), err);
  }
  if (!st) st = fill(h, columns, ncol, reader, rows, err);
  for (size_t c = 0; columns && c < made; c++) {
    if (columns[c] >= 0) (void)H5Dclose(columns[c]);
  }
  if (g >= 0) (void)H5Gclose(g);
  bri_free(columns);
  br_table_reader_destroy(reader);
  return st;
}

br_status bri_hdf5_close(bri_hdf5 *h, br_err *err)
{
  br_status st = H5Fclose(h->file) >= 0 ? BR_OK : failed(h, "the end of the file", err);
  if (!st && rename(h->part, h->path) != 0)
    st = bri_text_fail(err, BR_E_IO, -1, "cannot write '%s': %s", h->path, strerror(errno));
  if (st) (void)remove(h->part);
  bri_free(h);
  return st;
}

void bri_hdf5_abort(bri_hdf5 *h)
{
  if (!h) return;
  (void)H5Fclose(h->file);
  (void)remove(h->part);
  bri_free(h);
}

#else

static br_status missing(br_err *err)
{
  return bri_text_fail(
      err, BR_E_UNSUPPORTED, -1,
      "this build writes no HDF5 (it was not there; Debian package libhdf5-dev); CSV needs nothing");
}

br_status bri_hdf5_create(const char *path, bri_hdf5 **out, br_err *err)
{
  (void)path;
  *out = NULL;
  return missing(err);
}
br_status bri_hdf5_group(bri_hdf5 *h, const char *group, br_err *err)
{
  (void)h, (void)group;
  return missing(err);
}
br_status bri_hdf5_attribute(bri_hdf5 *h, const char *object, const char *name, const char *text, br_err *err)
{
  (void)h, (void)object, (void)name, (void)text;
  return missing(err);
}
br_status bri_hdf5_number(bri_hdf5 *h, const char *object, const char *name, double x, br_err *err)
{
  (void)h, (void)object, (void)name, (void)x;
  return missing(err);
}
br_status bri_hdf5_table(bri_hdf5 *h, const char *group, const char *csv, size_t rows, br_err *err)
{
  (void)h, (void)group, (void)csv, (void)rows;
  return missing(err);
}
br_status bri_hdf5_close(bri_hdf5 *h, br_err *err)
{
  (void)h;
  return missing(err);
}
void bri_hdf5_abort(bri_hdf5 *h) { (void)h; }
#endif
