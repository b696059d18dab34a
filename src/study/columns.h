/* SPDX-License-Identifier: Apache-2.0
 * columns.h - columns of tables on their way into pictures. */
#ifndef BRI_STUDY_COLUMNS_H
#define BRI_STUDY_COLUMNS_H
#include "bristle/report.h"
#include "report/maps.h"
#include "study.h"

/* Which columns of a table, and what is done to them: x0 + fx x, fy (y - minus). */
typedef struct {
  int x, y, value, minus; /* value and minus: -1 for none */
  double fx, fy, x0;
} bri_columns;

int bri_table_column(const bri_table *t, const char *name); /* -1: none */
/* A CSV file that is no result of the study. */
BR_CHECKED br_status bri_table_outside(const br_study *s, bri_arena *arena, const char *path, bri_table *t,
                                       br_err *err);
/* all: every row; else long tables are thinned out. */
BR_CHECKED br_status bri_columns_line(const br_study *s, bri_arena *arena, const bri_table *t,
                                      const bri_columns *c, int all, br_plot_line *out, br_err *err);

/* distance.c: of a check with 'from', its column in run r from that in the other run. */
BR_CHECKED br_status bri_study_distance(br_study *s, const bri_run *r, const bri_node *check, double *out,
                                        br_err *err);
BR_CHECKED br_status bri_columns_map(const br_study *s, bri_arena *arena, const bri_table *t,
                                     const bri_columns *c, bri_map_data *out, br_err *err);

#endif
