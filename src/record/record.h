/* SPDX-License-Identifier: Apache-2.0
 * record.h - what the files of a record share. */
#ifndef BRI_RECORD_H
#define BRI_RECORD_H
#include "bristle/record.h"
#include "text/fail.h"

/* One chosen column.  x NULL: absent. */
typedef struct {
  const char *what; /* of the caller's row, for messages while loading */
  br_unit needed;   /* SI unit of the numbers; factor 1 */
  int any;          /* the caller takes any unit: needed is that of the column */
  int rotary;
  char *name, *unit;
  double *x;
} bri_channel;

struct br_record {
  char *label;
  size_t n, rows, columns, main;
  int timed, clean;
  double dt;        /* usual interval, s or rows; 0 before bri_record_clean() */
  double gap_limit; /* 0: the usual one */
  bri_channel ch[BR_RECORD_CHANNELS];
  char **notes;
  size_t nnotes, room;
  const br_table *table; /* while loading: all columns of the file */
  int failed;            /* a note found no memory */
};

void bri_record_note(br_record *r, const char *fmt, ...) BRI_PRINTF(2, 3);
/* "s", or rows where there is no time. */
const char *bri_record_clock(const br_record *r);

/* clean.c: order of time, gaps.  Does nothing the second time. */
BR_CHECKED br_status bri_record_clean(br_record *r, br_err *err);
/* Is all finite, and does time go on? */
BR_CHECKED br_status bri_record_sound(const br_record *r, br_err *err);

/* steps.c: "window:1s:9s|offset:-3mm"; steps NULL: none. */
BR_CHECKED br_status bri_record_walk(br_record *r, const char *steps, br_err *err);

/* filter.c: n samples of x at times t, in place; zero phase, -3 dB at f Hz. */
BR_CHECKED br_status bri_record_lowpass(size_t n, const double *t, double *x, double f, br_err *err);
/* The least-squares line is taken from x. */
void bri_record_detrend(size_t n, const double *t, double *x);

#endif
