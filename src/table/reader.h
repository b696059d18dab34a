/* SPDX-License-Identifier: Apache-2.0
 * reader.h - inside of the table room: the streaming reader and its parts. */
#ifndef BRI_TABLE_READER_H
#define BRI_TABLE_READER_H
#include <stdio.h>

#include "bristle/table.h"
#include "foreign.h"

enum {
  BRI_TABLE_FIRST_BUFFER = 65536,
  BRI_TABLE_LONGEST_LINE = 1 << 20,
  BRI_TABLE_INTERVALS = 101 /* odd: the median is one of them */
};

/* One cell as bytes of the line buffer, blanks and outer quotes removed. */
typedef struct {
  const char *s;
  size_t n;
  int quoted; /* doubled quotes inside still stand for one */
} bri_cell;

typedef struct {
  char *name, *unit; /* unit "" when none */
  char *heading;     /* both as written, "" when there is no header */
  br_table_mark text;
  char sample[24]; /* the first cell that is no number (text_as_gap) */
  int scaled;      /* to_si and a unit is known */
  br_unit factor;
} bri_column;

/* Time stamps seen so far; see times.c. */
typedef struct {
  int any;
  double latest; /* largest time so far */
  double previous;
  size_t pending; /* intervals kept until the usual one is known */
  struct {
    double dt;
    size_t row, line;
  } first[BRI_TABLE_INTERVALS];
} bri_times;

struct br_table_reader {
  br_table_options opt; /* units and time_column are not kept beyond create */
  char *label;          /* what messages call the source */
  FILE *file;           /* NULL when reading memory */
  int close_file;
  bri_foreign foreign; /* who writes the file, where it is a pipe */
  char *buffer;
  size_t capacity;
  const char *data; /* unread bytes: data[pos..end) */
  size_t pos, end;
  int at_end; /* no more bytes behind end */
  size_t line;
  size_t ncol;
  bri_column *columns;
  int scale;                /* some column is scaled */
  const char *pending_line; /* first data row met while looking for a header */
  size_t pending_length;
  int failed;
  bri_times times;
  br_table_report report;
};

/* Split the next cell off [*p, end); *more = 1 when a separator followed.  Returns 0 for a quote that is not
 * closed. */
int bri_table_cell(const char **p, const char *end, char separator, bri_cell *cell, int *more);

/* Name and unit of a header cell: "x [mm]", "x (mm)" or "x_mm".  Lengths of both parts; unit_n = 0: none. */
typedef struct {
  const char *name;
  size_t name_n;
  char unit[64]; /* as text br_unit_parse() reads */
} bri_heading;
void bri_table_heading(const char *s, size_t n, bri_heading *out);

void bri_times_add(br_table_report *report, bri_times *times, double gap_factor, double t, size_t row,
                   size_t line);
void bri_times_finish(br_table_report *report, bri_times *times, double gap_factor);
void bri_table_count(br_table_mark *mark, size_t row, size_t line);

#endif
