/* SPDX-License-Identifier: Apache-2.0
 * maps.h - maps over two columns on their way into pictures: cells, regions with names, heat. */
#ifndef BRI_REPORT_MAPS_H
#define BRI_REPORT_MAPS_H
#include "bristle/report.h"

/* Memory that lasts until the picture is drawn: zeroed, NULL when there is none. */
typedef struct {
  void *(*get)(void *ctx, size_t size);
  void *ctx;
} bri_store;

/* Points with a value each, or (top not NULL) pieces of columns at x, from y to top, that follow each other.
 * */
typedef struct {
  double *x, *y, *value, *top;
  size_t n;
} bri_map_data;
int bri_map_strips(const char *y,
                   const char *next); /* are columns of these names such pieces: "v", "v_to"? */

/* ---- regions.c: cells of a map as rectangles ---- */
enum { BRI_MOST_REGIONS = 48 };
typedef struct {
  size_t nx, ny;
  double *xe, *ye;     /* nx + 1 and ny + 1 edges, ascending */
  unsigned char *cell; /* nx * ny, cell[i * ny + j]; 255: nothing there */
} bri_cells;
/* The points as a grid (they must form one); index() gives the number of a value's cell, 255: none. */
BR_CHECKED br_status bri_cells_make(const bri_store *store, const bri_map_data *m,
                                    unsigned char (*index)(void *ctx, double), void *ctx, bri_cells *out,
                                    br_err *err);
/* Rectangles of the cells with this number, as pairs of corners; n = 0: there are none. */
BR_CHECKED br_status bri_cells_region(const bri_store *store, const bri_cells *c, unsigned char index,
                                      br_plot_line *out, br_err *err);
/* The lines between cells of different number. */
BR_CHECKED br_status bri_cells_border(const bri_store *store, const bri_cells *c, br_plot_line *out,
                                      br_err *err);

/* ---- strips.c: columns cut at borders ---- */
/* Pieces of this number as polygons of kind STRIP; n = 0: there are none. */
BR_CHECKED br_status bri_strips_region(const bri_store *store, const bri_map_data *m, int number,
                                       br_plot_line *out, br_err *err);
BR_CHECKED br_status bri_strips_border(const bri_store *store, const bri_map_data *m, br_plot_line *out,
                                       br_err *err);

/* ---- maps.c: their lines in a panel ---- */
typedef struct {
  void *ctx;
  br_status (*push)(void *ctx, const br_plot_line *line, br_err *err);
  const char *(*name)(void *ctx, int number); /* of a region; NULL: none */
} bri_map_to;
/* One tint and one name per whole number, 0 the lightest; border: lines between. */
BR_CHECKED br_status bri_map_regions(const bri_store *store, const bri_map_data *m, int border,
                                     const bri_map_to *to, br_err *err);
/* Levels of equal width with round bounds, which the look takes too. */
BR_CHECKED br_status bri_map_heat(const bri_store *store, const bri_map_data *m, br_plot_look *look,
                                  const bri_map_to *to, br_err *err);
/* The extent of a line as the ranges of a panel. */
void bri_map_frame(const br_plot_line *line, br_plot_look *look);

#endif
