/* SPDX-License-Identifier: Apache-2.0
 * output.c - rows of an ensemble into its file. */
#include "output.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "bristle/report.h"
#include "bristle/table.h"
#include "report/hdf5.h"
#include "table/writer.h"
#include "text/buf.h"
#include "text/sha256.h"

struct bri_output {
  br_table_writer *csv;
  bri_hdf5 *file;
  bri_hdf5_rows *rows;
};

static int ends_with(const char *path, const char *tail)
{
  const size_t n = strlen(path), k = strlen(tail);
  return n > k && strcmp(path + n - k, tail) == 0;
}

int bri_output_is_csv(const char *path) { return ends_with(path, ".csv"); }

br_status bri_output_check(const char *path, br_err *err)
{
  if (bri_output_is_csv(path)) return BR_OK;
  if (!ends_with(path, ".h5") && !ends_with(path, ".hdf5"))
    return bri_fail(err, BR_E_ARG, "'%.120s': the name must end in .h5 or .csv, which says what is written",
                    path);
  return br_hdf5_check(path, err);
}

static br_status describe(bri_hdf5 *h, size_t ncol, const char *const *names, const bri_sweep_about *about,
                          br_err *err)
{
  bri_buf columns = {0};
  for (size_t i = 0; i < ncol; i++) bri_buf_printf(&columns, "%s%s", i ? "\n" : "", names[i]);
  br_status st = columns.failed ? bri_no_memory(err, "sweep") : BR_OK;
  if (!st) st = bri_hdf5_attribute(h, "/", "columns", columns.text, err);
  if (!st) st = bri_hdf5_attribute(h, "/", "sweep", about->question, err);
  if (!st) st = bri_hdf5_attribute(h, "/", "status", about->status, err);
  if (!st) st = bri_hdf5_attribute(h, "/", "regime", about->regime, err);
  if (!st) st = bri_hdf5_number(h, "/", "members", about->members, err);
  if (!st) st = bri_hdf5_number(h, "/", "first", about->first, err);
  if (!st) st = bri_hdf5_number(h, "/", "count", about->count, err);
  bri_buf_free(&columns);
  return st;
}

static br_status create_csv(const char *path, size_t ncol, const char *const *names, const char *const *units,
                            const bri_sweep_about *about, br_table_writer **csv, br_err *err)
{
  char sum[BRI_SHA_TEXT], note[160];
  bri_sha256_text(about->question, strlen(about->question), sum);
  (void)snprintf(note, sizeof note, BRI_PART_PRINT, about->first, about->count, about->members, sum);
  return bri_table_writer_create(path, about->part ? note : NULL, ncol, names, units, csv, err);
}

br_status bri_output_create(const char *path, size_t ncol, const char *const *names, const char *const *units,
                            const bri_sweep_about *about, bri_output **out, br_err *err)
{
  bri_output *o = *out = bri_calloc(1, sizeof *o);
  if (!o) return bri_no_memory(err, "sweep");
  br_status st = BR_OK;
  if (bri_output_is_csv(path)) st = create_csv(path, ncol, names, units, about, &o->csv, err);
  else {
    st = bri_hdf5_create(path, &o->file, err);
    if (!st) bri_hdf5_pack(o->file);
    if (!st) st = describe(o->file, ncol, names, about, err);
    if (!st) st = bri_hdf5_rows_create(o->file, "/", ncol, names, units, 0, &o->rows, err);
  }
  if (st) bri_output_abort(o), *out = NULL;
  return st;
}

br_status bri_output_row(bri_output *o, const double *row, br_err *err)
{
  return o->csv ? br_table_writer_row(o->csv, row, err) : bri_hdf5_rows_put(o->rows, row, err);
}

br_status bri_output_close(bri_output *o, br_err *err)
{
  br_status st = BR_OK;
  if (o->csv) st = br_table_writer_close(o->csv, err);
  else {
    st = bri_hdf5_rows_close(o->rows, err);
    if (st) bri_hdf5_abort(o->file);
    else st = bri_hdf5_close(o->file, err);
  }
  bri_free(o);
  return st;
}

void bri_output_abort(bri_output *o)
{
  if (!o) return;
  br_table_writer_abort(o->csv);
  const br_status closed = bri_hdf5_rows_close(o->rows, NULL);
  (void)closed; /* given up in any case */
  bri_hdf5_abort(o->file);
  bri_free(o);
}
