/* SPDX-License-Identifier: Apache-2.0
 * rows.h - the table of a run (rows.c).  Internal. */
#ifndef BRI_CONTROL_ROWS_H
#define BRI_CONTROL_ROWS_H
#include "analysis.h"

enum { BRI_CONTROL_COLUMNS = 6 + BR_CONTROL_MAX_Q + BR_CONTROL_MAX_Z + 3 };
typedef struct bri_control_rows {
  bri_control_question *q;
  br_column columns[BRI_CONTROL_COLUMNS];
  char names[BR_CONTROL_MAX_Z][48];
  size_t n;
  int vector; /* e1, e2, e3 stand last */
  double t, r_pos, r2[BR_CONTROL_MAX_Z];
} bri_control_rows;

br_status bri_control_rows_open(bri_control_question *q, bri_control_rows *rows, br_err *err);
/* Non-zero stops: q->why says it. */
int bri_control_rows_put(bri_control_rows *w, const br_control_row *r);

#endif
