/* SPDX-License-Identifier: Apache-2.0
 * hdf5.c - tables and texts into one HDF5 file. */
#define _POSIX_C_SOURCE 200809L /* stat */
#include "report/hdf5.h"

#include "../text/fail.h"
#include "bri_config.h"

#if BR_WITH_HDF5
#include <errno.h>
#include <hdf5.h>
#include <string.h>
#include <sys/stat.h>

#include "../base/alloc.h"
#include "../text/file.h"
#include "bristle/table.h"
#include "report/hdf5_file.h"

enum { CHUNK = 4096 };

struct bri_hdf5 {
  bri_hdf5_disk disk;
  hid_t file;
  bri_file *out;
  char *path;
  int packed;
};

static br_status failed(const bri_hdf5 *h, const char *what, br_err *err)
{
  if (h->disk.why) return bri_fail(err, BR_E_IO, "cannot write '%.160s': %s", h->path, strerror(h->disk.why));
  return bri_fail(err, BR_E_IO, "cannot write '%.120s': HDF5 refuses %.60s", h->path, what);
}

/* What became of a call: HDF5 does not learn of a full disk (hdf5_file.h), we do. */
static br_status outcome(const bri_hdf5 *h, int good, const char *what, br_err *err)
{
  return good && !h->disk.why ? BR_OK : failed(h, what, err);
}

/* A device or a pipe takes no bytes out of their order. */
static int is_special(const char *path)
{
  struct stat info;
  return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

/* HDF5 prints its own errors unless told not to; the library never prints. */
static void quiet(void) { (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL); }

static br_status create(bri_hdf5 *h, br_err *err)
{
  const br_status st = bri_file_open(h->path, BRI_FILE_NAMED, &h->out, err);
  if (st) return st;
  h->disk.fd = bri_file_descriptor(h->out);
  const hid_t fcpl = H5Pcreate(H5P_FILE_CREATE);
  (void)H5Pset_obj_track_times(fcpl, 0);
  h->file = bri_hdf5_file_create(&h->disk, bri_file_temporary(h->out), fcpl);
  (void)H5Pclose(fcpl);
  return h->file >= 0 ? BR_OK : failed(h, "the file", err);
}

br_status bri_hdf5_create(const char *path, bri_hdf5 **out, br_err *err)
{
  const size_t n = strlen(path);
  *out = NULL;
  if (is_special(path))
    return bri_fail(err, BR_E_IO, "cannot write '%.160s': HDF5 needs a regular file", path);
  bri_hdf5 *h = bri_calloc(1, sizeof *h + n + 1);
  if (!h) return bri_fail(err, BR_E_NOMEM, "%.160s: out of memory", path);
  quiet();
  h->path = (char *)(h + 1);
  memcpy(h->path, path, n + 1);
  const br_status st = create(h, err);
  if (st) {
    bri_file_abort(h->out);
    bri_free(h);
    return st;
  }
  *out = h;
  return BR_OK;
}

void bri_hdf5_pack(bri_hdf5 *h) { h->packed = 1; }

br_status bri_hdf5_group(bri_hdf5 *h, const char *group, br_err *err)
{
  const hid_t gcpl = H5Pcreate(H5P_GROUP_CREATE);
  (void)H5Pset_obj_track_times(gcpl, 0);
  const hid_t g = H5Gcreate2(h->file, group, H5P_DEFAULT, gcpl, H5P_DEFAULT);
  (void)H5Pclose(gcpl);
  if (g >= 0) (void)H5Gclose(g);
  return outcome(h, g >= 0, group, err);
}

/* n = 0: a single value */
static int put_attribute(hid_t object, const char *name, hid_t type, size_t n, const void *value)
{
  const hsize_t size = n;
  const hid_t space = n ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
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
  const int good = put_attribute(object, name, type, 0, (const void *)&text);
  (void)H5Tclose(type);
  return good;
}

br_status bri_hdf5_attribute(bri_hdf5 *h, const char *object, const char *name, const char *text, br_err *err)
{
  const hid_t o = H5Oopen(h->file, object, H5P_DEFAULT);
  const int good = o >= 0 && put_text(o, name, text);
  if (o >= 0) (void)H5Oclose(o);
  return outcome(h, good, name, err);
}

static br_status put_numbers(bri_hdf5 *h, const char *object, const char *name, size_t n, const double *x,
                             br_err *err)
{
  const hid_t o = H5Oopen(h->file, object, H5P_DEFAULT);
  const int good = o >= 0 && put_attribute(o, name, H5T_NATIVE_DOUBLE, n, x);
  if (o >= 0) (void)H5Oclose(o);
  return outcome(h, good, name, err);
}

br_status bri_hdf5_number(bri_hdf5 *h, const char *object, const char *name, double x, br_err *err)
{
  return put_numbers(h, object, name, 0, &x, err);
}

br_status bri_hdf5_numbers(bri_hdf5 *h, const char *object, const char *name, size_t n, const double *x,
                           br_err *err)
{
  return n ? put_numbers(h, object, name, n, x, err) : BR_OK; /* an empty vector has no attribute */
}

/* ---- columns ---- */

struct bri_hdf5_rows {
  bri_hdf5 *h;
  size_t ncol, made, at, used; /* columns, of these open, rows in the file, rows in the block */
  hid_t *columns;
  double *block; /* [CHUNK][ncol], then one column of it */
};

static hid_t make_column(hid_t group, const char *name, const char *unit, size_t rows, int packed)
{
  const hsize_t none = 0, most = H5S_UNLIMITED, chunk = rows > 0 && rows < CHUNK ? rows : CHUNK;
  const hid_t space = H5Screate_simple(1, &none, &most), dcpl = H5Pcreate(H5P_DATASET_CREATE);
  (void)H5Pset_obj_track_times(dcpl, 0);
  (void)H5Pset_chunk(dcpl, 1, &chunk);
  if (packed && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
    (void)H5Pset_shuffle(dcpl);
    (void)H5Pset_deflate(dcpl, 4);
  }
  const hid_t d = H5Dcreate2(group, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  (void)H5Pclose(dcpl);
  (void)H5Sclose(space);
  if (d >= 0 && !put_text(d, "unit", unit && unit[0] ? unit : "1")) {
    (void)H5Dclose(d);
    return -1;
  }
  return d;
}

static int put_piece(hid_t column, size_t at, const double *x, size_t n)
{
  const hsize_t start = at, count = n, size = at + n;
  if (H5Dset_extent(column, &size) < 0) return 0;
  const hid_t file = H5Dget_space(column), memory = H5Screate_simple(1, &count, NULL);
  const int good = H5Sselect_hyperslab(file, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0 &&
                   H5Dwrite(column, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, x) >= 0;
  (void)H5Sclose(file);
  (void)H5Sclose(memory);
  return good;
}

static br_status flush(bri_hdf5_rows *r, br_err *err)
{
  double *x = r->block + CHUNK * r->ncol;
  for (size_t c = 0; c < r->ncol && r->used; c++) {
    for (size_t k = 0; k < r->used; k++) x[k] = r->block[k * r->ncol + c];
    const br_status st = outcome(r->h, put_piece(r->columns[c], r->at, x, r->used), "a column", err);
    if (st) return st;
  }
  r->at += r->used;
  r->used = 0;
  return BR_OK;
}

static void rows_free(bri_hdf5_rows *r)
{
  for (size_t c = 0; c < r->made; c++) (void)H5Dclose(r->columns[c]);
  bri_free(r->columns);
  bri_free(r->block);
  bri_free(r);
}

br_status bri_hdf5_rows_create(bri_hdf5 *h, const char *group, size_t ncol, const char *const *names,
                               const char *const *units, size_t rows, bri_hdf5_rows **out, br_err *err)
{
  bri_hdf5_rows *r = bri_calloc(1, sizeof *r);
  *out = NULL;
  if (r) {
    r->h = h, r->ncol = ncol, r->made = 0;
    r->columns = bri_calloc(ncol + 1, sizeof *r->columns);
    r->block = bri_malloc_array(CHUNK, (ncol + 1) * sizeof *r->block);
  }
  if (!r || !r->columns || !r->block) {
    if (r) rows_free(r);
    return bri_no_memory(err, h->path);
  }
  br_status st = BR_OK;
  const hid_t g = H5Gopen2(h->file, group, H5P_DEFAULT);
  if (g < 0) st = failed(h, group, err);
  while (!st && r->made < ncol) {
    const hid_t d = make_column(g, names[r->made], units ? units[r->made] : NULL, rows, h->packed);
    if (d < 0) st = failed(h, names[r->made], err);
    else r->columns[r->made++] = d;
  }
  if (g >= 0) (void)H5Gclose(g);
  if (st) rows_free(r);
  else *out = r;
  return st;
}

br_status bri_hdf5_rows_put(bri_hdf5_rows *r, const double *row, br_err *err)
{
  memcpy(r->block + r->used * r->ncol, row, r->ncol * sizeof *row);
  return ++r->used == CHUNK ? flush(r, err) : BR_OK;
}

br_status bri_hdf5_rows_close(bri_hdf5_rows *r, br_err *err)
{
  if (!r) return BR_OK;
  const br_status st = flush(r, err);
  rows_free(r);
  return st;
}

br_status bri_hdf5_table(bri_hdf5 *h, const char *group, const char *csv, size_t rows, br_err *err)
{
  br_table_reader *reader = NULL;
  bri_hdf5_rows *to = NULL;
  br_status st = bri_hdf5_group(h, group, err);
  if (!st) st = br_table_reader_create(csv, NULL, &reader, err);
  const size_t ncol = st ? 0 : br_table_reader_columns(reader);
  const char **heads = bri_calloc(2 * ncol + 1, sizeof *heads);
  double *block = bri_malloc_array(CHUNK, (ncol + 1) * sizeof *block);
  if (!st && (!heads || !block)) st = bri_no_memory(err, h->path);
  for (size_t c = 0; c < ncol && !st; c++) {
    heads[c] = br_table_reader_name(reader, c);
    heads[ncol + c] = br_table_reader_unit(reader, c);
  }
  if (!st) st = bri_hdf5_rows_create(h, group, ncol, heads, heads + ncol, rows, &to, err);
  for (size_t got = 1; !st && got;) {
    st = br_table_reader_next(reader, CHUNK, block, &got, err);
    for (size_t k = 0; k < got && !st; k++) st = bri_hdf5_rows_put(to, block + k * ncol, err);
  }
  const br_status end = bri_hdf5_rows_close(to, st ? NULL : err);
  bri_free((void *)heads);
  bri_free(block);
  br_table_reader_destroy(reader);
  return st ? st : end;
}

/* HDF5 lets go of the file.  Should it refuse, it keeps what it has for ever and writes to memory only. */
static int let_go(bri_hdf5 *h)
{
  if (bri_hdf5_file_close(&h->disk, h->file)) return 1;
  if (!h->disk.why) h->disk.why = EIO;
  h->disk.fd = -1;
  return 0;
}

br_status bri_hdf5_close(bri_hdf5 *h, br_err *err)
{
  const int gone = let_go(h);
  br_status st = outcome(h, gone, "the end of the file", err);
  if (st) bri_file_abort(h->out);
  else st = bri_file_commit(h->out, err);
  if (gone) bri_free(h);
  return st;
}

void bri_hdf5_abort(bri_hdf5 *h)
{
  if (!h) return;
  h->disk.why = ECANCELED; /* nothing more needs to reach the disk */
  const int gone = let_go(h);
  bri_file_abort(h->out);
  if (gone) bri_free(h);
}

#else

static br_status missing(br_err *err)
{
  return bri_fail(
      err, BR_E_UNSUPPORTED,
      "this build writes no HDF5 (it was not there; Debian package libhdf5-dev); CSV needs nothing");
}

br_status bri_hdf5_create(const char *path, bri_hdf5 **out, br_err *err)
{
  (void)path;
  *out = NULL;
  return missing(err);
}
void bri_hdf5_pack(bri_hdf5 *h) { (void)h; }
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
br_status bri_hdf5_numbers(bri_hdf5 *h, const char *object, const char *name, size_t n, const double *x,
                           br_err *err)
{
  (void)h, (void)object, (void)name, (void)n, (void)x;
  return missing(err);
}
br_status bri_hdf5_rows_create(bri_hdf5 *h, const char *group, size_t ncol, const char *const *names,
                               const char *const *units, size_t rows, bri_hdf5_rows **out, br_err *err)
{
  (void)h, (void)group, (void)ncol, (void)names, (void)units, (void)rows;
  *out = NULL;
  return missing(err);
}
br_status bri_hdf5_rows_put(bri_hdf5_rows *r, const double *row, br_err *err)
{
  (void)r, (void)row;
  return missing(err);
}
br_status bri_hdf5_rows_close(bri_hdf5_rows *r, br_err *err) { return r ? missing(err) : BR_OK; }
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
