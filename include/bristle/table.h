/* SPDX-License-Identifier: Apache-2.0
 * table.h - tables of numbers as CSV files, in and out.
 * Reading: any column names, units in the header, comments, gaps; nothing is repaired silently, everything
 * odd is counted in a br_table_report.  Writing: a file appears under its name only when it is complete.
 * Alloc: *_create and *_load.  Threads: a loaded br_table is read-only and may be shared; readers and writers
 * belong to one thread at a time.  The file format is described in docs/table.md. */
#ifndef BR_TABLE_H
#define BR_TABLE_H
#include <stddef.h>

#include "bristle/status.h"
#include "bristle/unit.h"
BR_C_BEGIN

typedef struct br_table br_table;               /* whole columns in memory */
typedef struct br_table_reader br_table_reader; /* row by row, bounded memory */
typedef struct br_table_writer br_table_writer;

/* Unit of a column given by the caller; it overrides the header. */
typedef struct {
  const char *column;
  const char *unit;
} br_table_unit;

typedef struct {
  char separator;  /* ',' ';' tab or ' ' (runs of blanks); 0 = detect (default) */
  char decimal;    /* '.' or ','; 0 = detect in the first 64 KiB (default); '.' where commas separate */
  int header;      /* 1 first row holds names, 0 it does not, -1 detect (default) */
  int to_si;       /* 1 scale each column with a unit to SI, 2 those whose unit is known; default 0 */
  int text_as_gap; /* 1 cells that are no numbers become NaN and are counted; default 0: an error */
  const char *time_column;    /* column checked for order; NULL: t, time, or the first whose unit is a time */
  double gap_factor;          /* an interval longer than this times the usual one is a time gap; default 3 */
  const br_table_unit *units; /* nunits entries, or NULL */
  size_t nunits;
} br_table_options;

BR_API br_table_options br_table_options_default(void);

/* How often something was seen and where first.  row: 0-based data row; line: 1-based line of the file. */
typedef struct {
  size_t count, row, line;
} br_table_mark;

typedef struct {
  size_t rows, comments;   /* data rows; comment lines */
  br_table_mark gaps;      /* empty or nan cells */
  br_table_mark text;      /* cells that are no numbers (text_as_gap) */
  br_table_mark infinite;  /* inf, or a number beyond the range of a double */
  int time_column;         /* index, -1: none; then the fields below are zero */
  br_table_mark duplicate; /* rows whose time equals the one before */
  br_table_mark backward;  /* rows whose time is before the latest seen */
  br_table_mark time_gaps; /* rows that come more than gap_factor usual intervals after the one before */
  double dt_usual;         /* upper median of the first (at most 101) positive intervals */
  double dt_min, dt_max;   /* over all positive intervals */
  double t_first, t_last;  /* first and last finite time */
  char separator, decimal; /* in use */
} br_table_report;

/* ---- whole columns ---- */

/* Load a file ("-" is stdin) or n bytes of memory (name: what messages call it).  opt NULL: defaults.  report
 * may be NULL and is filled also when an error stops the reading.
 * Returns BR_OK; BR_E_IO; BR_E_PARSE with name:line:column in the message; BR_E_NAME for an unknown column in
 * opt; BR_E_SIZE for a line beyond 1 MiB; BR_E_NOMEM.  *out is NULL on error. */
BR_TRY br_status br_table_load(const char *path, const br_table_options *opt, br_table **out,
                               br_table_report *report, br_err *err);
BR_TRY br_status br_table_load_memory(const char *text, size_t n, const char *name,
                                      const br_table_options *opt, br_table **out, br_table_report *report,
                                      br_err *err);
BR_API void br_table_destroy(br_table *table); /* NULL is fine */
BR_API size_t br_table_rows(const br_table *table);
BR_API size_t br_table_columns(const br_table *table);
/* Index by exact name, or by the whole heading ("x_mm"); -1 when absent, with the nearest name in err. */
BR_API int br_table_find(const br_table *table, const char *name, br_err *err);
/* For column < columns (else NULL): br_table_rows() numbers, NaN where there is a gap. */
BR_API const double *br_table_data(const br_table *table, size_t column);
/* Name without its unit; unit as written, "" when none. */
BR_API const char *br_table_name(const br_table *table, size_t column);
BR_API const char *br_table_unit_of(const br_table *table, size_t column);
/* text_as_gap: the first cell that is no number, and how many there are (mark may be NULL); NULL: all are. */
BR_API const char *br_table_text_of(const br_table *table, size_t column, br_table_mark *mark);

/* ---- streaming ---- */

BR_TRY br_status br_table_reader_create(const char *path, const br_table_options *opt, br_table_reader **out,
                                        br_err *err);
BR_TRY br_status br_table_reader_create_memory(const char *text, size_t n, const char *name,
                                               const br_table_options *opt, br_table_reader **out,
                                               br_err *err);
BR_API void br_table_reader_destroy(br_table_reader *reader); /* NULL is fine */
BR_API size_t br_table_reader_columns(const br_table_reader *reader);
BR_API const char *br_table_reader_name(const br_table_reader *reader, size_t column);
BR_API const char *br_table_reader_unit(const br_table_reader *reader, size_t column);
/* Up to max rows, row-major, into rows[max * columns]; *got = 0 at the end of the file.  Memory does not grow
 * with the file: one buffer of 64 KiB, or as long as the longest line (at most 1 MiB). */
BR_TRY br_status br_table_reader_next(br_table_reader *reader, size_t max, double *rows, size_t *got,
                                      br_err *err);
BR_API const br_table_report *br_table_reader_report(const br_table_reader *reader);

/* ---- writing ---- */

/* Open a table of ncol columns.  units may be NULL, or hold NULL or "" for a column without one.  path "-" is
 * stdout. A regular file is written under a temporary name beside it and renamed by close; a device or pipe
 * is written directly.
 * Returns BR_OK, BR_E_ARG, BR_E_IO, BR_E_NOMEM. */
BR_TRY br_status br_table_writer_create(const char *path, size_t ncol, const char *const *names,
                                        const char *const *units, br_table_writer **out, br_err *err);
/* One row of ncol numbers, shortest text that reads back exactly; NaN is written as nan.  After BR_E_IO every
 * further call returns BR_E_IO. */
BR_TRY br_status br_table_writer_row(br_table_writer *writer, const double *row, br_err *err);
/* Finish: flush, check, rename.  Frees the writer in every case; on an error no file stays under either name.
 * */
BR_TRY br_status br_table_writer_close(br_table_writer *writer, br_err *err);
/* Give up: remove what was written and free.  NULL is fine. */
BR_API void br_table_writer_abort(br_table_writer *writer);
/* All at once: column j is columns[j][0..nrow-1]. */
BR_TRY br_status br_table_save(const char *path, size_t ncol, const char *const *names,
                               const char *const *units, size_t nrow, const double *const *columns,
                               br_err *err);

BR_C_END
#endif
