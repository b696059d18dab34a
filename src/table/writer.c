/* SPDX-License-Identifier: Apache-2.0
 * writer.c - tables out: written beside the final name, renamed when complete. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../text/fail.h"
#include "../text/file.h"
#include "../base/alloc.h"
#include "bristle/table.h"
#include "printer.h"
#include "writer.h"

struct br_table_writer {
  FILE *stream;
  bri_file *file; /* NULL: standard output */
  char *path;
  size_t ncol;
  int why; /* errno of the first failure, sticky; 0: none */
  bri_printer printer;
};

static br_status io_failed(br_table_writer *w, br_err *err)
{
  return bri_fail(err, BR_E_IO, "cannot write '%s': %s", w->path, strerror(w->why));
}

static void put(br_table_writer *w, const char *s, size_t n) { bri_printer_text(&w->printer, s, n); }

/* "name [unit]", in quotes where a separator, quote, line end, comment sign or outer blank would be misread.
 * */
static void put_heading(br_table_writer *w, const char *name, const char *unit)
{
  const size_t n = strlen(name);
  const int quote = n == 0 || strpbrk(name, ",;\t\"\r\n#") || name[0] == ' ' || name[n - 1] == ' ';
  if (quote) put(w, "\"", 1);
  for (size_t k = 0; k < n; k++) {
    const char c = name[k] == '\n' || name[k] == '\r' ? ' ' : name[k];
    if (c == '"') put(w, "\"", 1);
    put(w, &c, 1);
  }
  if (unit && unit[0]) {
    put(w, " [", 2);
    put(w, unit, strlen(unit));
    put(w, "]", 1);
  }
  if (quote) put(w, "\"", 1);
}

static br_status open_target(br_table_writer *w, br_err *err)
{
  if (strcmp(w->path, "-") == 0) {
    w->stream = stdout;
    return BR_OK;
  }
  const br_status st = bri_file_open(w->path, BRI_FILE_STREAM, &w->file, err);
  if (st) return st;
  w->stream = bri_file_stream(w->file);
  return w->stream ? BR_OK : bri_no_memory(err, w->path);
}

br_status bri_table_writer_create(const char *path, const char *note, size_t ncol, const char *const *names,
                                  const char *const *units, br_table_writer **out, br_err *err)
{
  if (!out) return bri_fail(err, BR_E_ARG, "br_table_writer_create: NULL argument");
  *out = NULL;
  if (!path || !path[0] || !names || ncol == 0)
    return bri_fail(err, BR_E_ARG, "br_table_writer_create: no path, or no columns");
  for (size_t j = 0; j < ncol; j++)
    if (!names[j])
      return bri_text_fail(err, BR_E_ARG, (int)j, "br_table_writer_create: column %zu has no name", j);
  br_table_writer *w = bri_malloc(sizeof *w);
  if (!w) return bri_no_memory(err, path);
  memset(w, 0, offsetof(br_table_writer, printer));
  bri_printer_start(&w->printer, NULL, ncol);
  w->ncol = ncol;
  w->path = bri_copy(path);
  const br_status st = w->path ? open_target(w, err) : bri_no_memory(err, path);
  if (st) {
    br_table_writer_abort(w);
    return st;
  }
  bri_printer_start(&w->printer, w->stream, ncol);
  if (note) put(w, note, strlen(note)), put(w, "\n", 1);
  for (size_t j = 0; j < ncol; j++) {
    if (j) put(w, ",", 1);
    put_heading(w, names[j], units ? units[j] : NULL);
  }
  put(w, "\n", 1);
  *out = w;
  return BR_OK;
}

br_status br_table_writer_create(const char *path, size_t ncol, const char *const *names,
                                 const char *const *units, br_table_writer **out, br_err *err)
{
  return bri_table_writer_create(path, NULL, ncol, names, units, out, err);
}

br_status br_table_writer_row(br_table_writer *w, const double *row, br_err *err)
{
  if (!w || !row) return bri_fail(err, BR_E_ARG, "br_table_writer_row: NULL argument");
  if (!w->why) w->why = bri_printer_row(&w->printer, row);
  return w->why ? io_failed(w, err) : BR_OK;
}

static void release(br_table_writer *w)
{
  bri_free(w->path);
  bri_free(w);
}

br_status br_table_writer_close(br_table_writer *w, br_err *err)
{
  if (!w) return bri_fail(err, BR_E_ARG, "br_table_writer_close: NULL argument");
  const int why = bri_printer_finish(&w->printer, !w->why);
  br_status st = BR_OK;
  if (!w->why) w->why = why;
  errno = 0;
  if (!w->file && fflush(stdout) != 0 && !w->why) w->why = errno ? errno : EIO;
  if (w->why) {
    bri_file_abort(w->file);
    st = io_failed(w, err);
  } else if (w->file) {
    st = bri_file_commit(w->file, err);
  }
  release(w);
  return st;
}

void br_table_writer_abort(br_table_writer *w)
{
  if (!w) return;
  if (w->printer.file) (void)bri_printer_finish(&w->printer, 0);
  bri_file_abort(w->file);
  release(w);
}

br_status br_table_save(const char *path, size_t ncol, const char *const *names, const char *const *units,
                        size_t nrow, const double *const *columns, br_err *err)
{
  br_table_writer *w = NULL;
  if (!columns && nrow) return bri_fail(err, BR_E_ARG, "br_table_save: NULL columns");
  br_status st = br_table_writer_create(path, ncol, names, units, &w, err);
  if (st || !w) return st;
  for (size_t i = 0; i < nrow && !w->why; i++)
    for (size_t j = 0; j < ncol && !w->why; j++) w->why = bri_printer_number(&w->printer, columns[j][i]);
  return br_table_writer_close(w, err);
}
