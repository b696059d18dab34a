/* SPDX-License-Identifier: Apache-2.0
 * input.c - the file of an ensemble read back by pieces, for merging. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "bri_config.h"
#include "bristle/table.h"
#include "output.h"

#if BR_WITH_HDF5
#include <hdf5.h>
#endif

enum { PIECE = 4096, MOST_COLUMNS = 512 };

struct bri_input {
  char *path;
  br_table_reader *csv;
  size_t ncol;
  char *texts[4]; /* columns, sweep, status, regime */
  double numbers[3];
  char **names, **units;
#if BR_WITH_HDF5
  hid_t file, *data;
  unsigned long long at, rows;
  double *column;
#endif
};

#if BR_WITH_HDF5
/* A text attribute; NULL: there is none, or no memory.  Ours are of variable length. */
static char *text_of(hid_t object, const char *name)
{
  char *text = NULL, *out = NULL;
  if (H5Aexists(object, name) <= 0) return NULL;
  const hid_t a = H5Aopen(object, name, H5P_DEFAULT), type = a >= 0 ? H5Aget_type(a) : -1,
              space = a >= 0 ? H5Aget_space(a) : -1;
  if (type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0 &&
      H5Sget_simple_extent_npoints(space) == 1) {
    const hid_t as = H5Tcopy(H5T_C_S1);
    (void)H5Tset_size(as, H5T_VARIABLE);
    (void)H5Tset_cset(as, H5Tget_cset(type));
    if (H5Aread(a, as, (void *)&text) >= 0 && text) {
      const size_t n = strlen(text) + 1;
      out = bri_malloc(n);
      if (out) memcpy(out, text, n);
      (void)H5free_memory(text);
    }
    (void)H5Tclose(as);
  }
  if (space >= 0) (void)H5Sclose(space);
  if (type >= 0) (void)H5Tclose(type);
  if (a >= 0) (void)H5Aclose(a);
  return out;
}

static double number_of(hid_t object, const char *name)
{
  double x = -1;
  if (H5Aexists(object, name) <= 0) return -1;
  const hid_t a = H5Aopen(object, name, H5P_DEFAULT), space = a >= 0 ? H5Aget_space(a) : -1;
  if (space < 0 || H5Sget_simple_extent_npoints(space) != 1 || H5Aread(a, H5T_NATIVE_DOUBLE, &x) < 0) x = -1;
  if (space >= 0) (void)H5Sclose(space);
  if (a >= 0) (void)H5Aclose(a);
  return x;
}

static br_status no_sweep(const bri_input *in, const char *what, br_err *err)
{
  return bri_fail(err, BR_E_PARSE, "'%.120s' %s", in->path, what);
}

/* The names stand one a line in the order of the columns. */
static br_status open_columns(bri_input *in, br_err *err)
{
  size_t n = 1, k = 0;
  for (const char *s = in->texts[0]; *s; s++) n += *s == '\n';
  if (n > MOST_COLUMNS) return no_sweep(in, "has too many columns", err);
  in->names = bri_calloc(n, sizeof *in->names);
  in->units = bri_calloc(n, sizeof *in->units);
  in->data = bri_calloc(n, sizeof *in->data);
  in->column = bri_malloc_array(PIECE, sizeof *in->column);
  if (!in->names || !in->units || !in->data || !in->column) return bri_no_memory(err, "merge");
  for (char *s = in->texts[0]; k < n; k++, in->ncol++) {
    char *end = strchr(s, '\n');
    if (end) *end = '\0';
    in->names[k] = s;
    s = end ? end + 1 : s;
    in->data[k] = in->names[k][0] ? H5Dopen2(in->file, in->names[k], H5P_DEFAULT) : -1;
    if (in->data[k] < 0) return no_sweep(in, "lacks one of its columns", err);
    const hid_t space = H5Dget_space(in->data[k]);
    const long long rows = space >= 0 && H5Sget_simple_extent_ndims(space) == 1
                               ? (long long)H5Sget_simple_extent_npoints(space)
                               : -1;
    if (space >= 0) (void)H5Sclose(space);
    if (rows < 0 || (k && (unsigned long long)rows != in->rows)) {
      in->ncol++;
      return no_sweep(in, "has columns of different length", err);
    }
    in->rows = (unsigned long long)rows;
    in->units[k] = text_of(in->data[k], "unit");
    if (in->units[k] && strcmp(in->units[k], "1") == 0) in->units[k][0] = '\0';
  }
  return BR_OK;
}

static br_status open_hdf5(bri_input *in, br_err *err)
{
  static const char *const TEXTS[] = {"columns", "sweep", "status", "regime"}, *const NUMBERS[] = {"members",
                                                                                                   "first",
                                                                                                   "count"};
  (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  in->file = H5Fopen(in->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (in->file < 0) return bri_fail(err, BR_E_IO, "'%.120s' is not there, or no HDF5 file", in->path);
  for (int i = 0; i < 4; i++) in->texts[i] = text_of(in->file, TEXTS[i]);
  for (int i = 0; i < 3; i++) in->numbers[i] = number_of(in->file, NUMBERS[i]);
  if (!in->texts[0] || !in->texts[1] || !in->texts[2] || !in->texts[3] || in->numbers[2] < 0)
    return no_sweep(in, "was not written by 'bristle sweep'", err);
  return open_columns(in, err);
}
#endif

static int is_count(double x) { return x >= 0 && x <= 0x1p53 && x == floor(x); }

/* The first line says which part it is. */
static br_status open_csv(bri_input *in, br_err *err)
{
  char line[160] = "", sum[17] = "";
  double *x = in->numbers;
  int used = 0;
  errno = 0;
  FILE *f = fopen(in->path, "rb");
  if (!f) return bri_fail(err, BR_E_IO, "cannot read '%.120s': %s", in->path, strerror(errno));
  if (!fgets(line, sizeof line, f)) line[0] = '\0';
  (void)fclose(f);
  if (sscanf(line, BRI_PART_SCAN, &x[1], &x[2], &x[0], sum, &used) != 4 || strlen(sum) != 16 ||
      line[used + (line[used] == '\r')] != '\n' || !is_count(x[0]) || !is_count(x[1]) || !is_count(x[2]))
    return bri_fail(err, BR_E_PARSE,
                    "'%.120s' does not say which part of a sweep it is: make it with 'bristle sweep "
                    "--shard I/N --out FILE.csv'",
                    in->path);
  in->texts[1] = bri_malloc(sizeof sum);
  if (!in->texts[1]) return bri_no_memory(err, "merge");
  memcpy(in->texts[1], sum, sizeof sum);
  const br_status st = br_table_reader_create(in->path, NULL, &in->csv, err);
  if (!st) in->ncol = br_table_reader_columns(in->csv);
  return st;
}

br_status bri_input_open(const char *path, bri_input **out, br_err *err)
{
  const size_t n = strlen(path) + 1;
  bri_input *in = *out = bri_calloc(1, sizeof *in);
  if (in) in->path = bri_malloc(n);
  if (!in || !in->path) {
    bri_free(in);
    *out = NULL;
    return bri_no_memory(err, "merge");
  }
  memcpy(in->path, path, n);
  for (int i = 0; i < 3; i++) in->numbers[i] = -1;
  br_status st = BR_OK;
#if BR_WITH_HDF5
  in->file = -1;
  if (!bri_output_is_csv(path)) st = open_hdf5(in, err);
  else
#else
  if (!bri_output_is_csv(path))
    st = bri_fail(err, BR_E_UNSUPPORTED, "'%.120s': this build reads no HDF5", path);
  else
#endif
    st = open_csv(in, err);
  if (st) bri_input_close(in), *out = NULL;
  return st;
}

void bri_input_close(bri_input *in)
{
  if (!in) return;
  br_table_reader_destroy(in->csv);
#if BR_WITH_HDF5
  for (size_t k = 0; k < in->ncol && in->data; k++) {
    if (in->data[k] > 0) (void)H5Dclose(in->data[k]);
    bri_free(in->units[k]);
  }
  if (in->file >= 0) (void)H5Fclose(in->file);
  bri_free(in->data);
  bri_free(in->column);
#endif
  for (int i = 0; i < 4; i++) bri_free(in->texts[i]);
  bri_free(in->names);
  bri_free(in->units);
  bri_free(in->path);
  bri_free(in);
}

size_t bri_input_columns(const bri_input *in) { return in->ncol; }

const char *bri_input_name(const bri_input *in, size_t k)
{
  return in->csv ? br_table_reader_name(in->csv, k) : in->names[k];
}

const char *bri_input_unit(const bri_input *in, size_t k)
{
  return in->csv ? br_table_reader_unit(in->csv, k) : in->units[k] ? in->units[k] : "";
}

bri_sweep_about bri_input_about(const bri_input *in)
{
  return (bri_sweep_about){in->texts[1] ? in->texts[1] : "",
                           in->texts[2] ? in->texts[2] : "",
                           in->texts[3] ? in->texts[3] : "",
                           in->numbers[0],
                           in->numbers[1],
                           in->numbers[2],
                           0};
}

br_status bri_input_next(bri_input *in, size_t max, double *rows, size_t *got, br_err *err)
{
  if (in->csv) return br_table_reader_next(in->csv, max, rows, got, err);
  *got = 0;
#if BR_WITH_HDF5
  const unsigned long long left = in->rows - in->at;
  const size_t most = max < PIECE ? max : PIECE, n = left < most ? (size_t)left : most;
  const hsize_t start = in->at, count = n;
  for (size_t k = 0; k < in->ncol && n; k++) {
    const hid_t file = H5Dget_space(in->data[k]), memory = H5Screate_simple(1, &count, NULL);
    const int good = H5Sselect_hyperslab(file, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0 &&
                     H5Dread(in->data[k], H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, in->column) >= 0;
    (void)H5Sclose(file);
    (void)H5Sclose(memory);
    if (!good) return bri_fail(err, BR_E_IO, "'%.120s' is damaged", in->path);
    for (size_t i = 0; i < n; i++) rows[i * in->ncol + k] = in->column[i];
  }
  in->at += n;
  *got = n;
#else
  (void)max, (void)rows, (void)err;
#endif
  return BR_OK;
}
