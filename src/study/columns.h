/* SPDX-License-Identifier: Apache-2.0
 * columns.h - columns of tables on their way into pictures. */
#ifndef BRI_STUDY_COLUMNS_H
#define BRI_STUDY_COLUMNS_H
#include "bristle/report.h"
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

/* Points with a value each, in the order of the file. */
typedef struct {
  double *x, *y, *value;
  size_t n;
} bri_map_data;
BR_CHECKED br_status bri_columns_map(const br_study *s, bri_arena *arena, const bri_table *t,
                                     const bri_columns *c, bri_map_data *out, br_err *err);

/* ---- regions.c: cells of a map as rectangles ---- */
enum { BRI_MOST_REGIONS = 48 };
typedef struct {
  size_t nx, ny;
  double *xe, *ye;     /* nx + 1 and ny + 1 edges, ascending */
  unsigned char *cell; /* nx * ny, cell[i * ny + j]; 255: nothing there */
} bri_cells;
/* The points as a grid (they must form one); index() gives the number of a value's cell, 255: none. */
BR_CHECKED br_status bri_cells_make(bri_arena *arena, const bri_map_data *m,
                                    unsigned char (*index)(void *ctx, double), void *ctx, bri_cells *out,
                                    br_err *err);
/* Rectangles of the cells with this number, as pairs of corners; n = 0: there are none. */
BR_CHECKED br_status bri_cells_region(bri_arena *arena, const bri_cells *c, unsigned char index,
                                      br_plot_line *out, br_err *err);
/* The lines between cells of different number. */
BR_CHECKED br_status bri_cells_border(bri_arena *arena, const bri_cells *c, br_plot_line *out, br_err *err);

#endif
