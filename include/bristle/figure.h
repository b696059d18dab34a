/* SPDX-License-Identifier: Apache-2.0
 * figure.h - pictures whose colours, dashes and markers carry meaning: phase portraits, bifurcation diagrams,
 * maps. For plain curves report.h is enough.  Files and rules are the same: picture, script and data appear
 * together.
 *
 * Alloc: none that lasts.  Threads: functions are independent; they start a process and wait for it. */
#ifndef BR_FIGURE_H
#define BR_FIGURE_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/status.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  BR_FIGURE_LINE,  /* NaN leaves a gap */
  BR_FIGURE_MARKS, /* a marker at each point */
  BR_FIGURE_ARROWS /* from point 2k to point 2k + 1 */
} br_figure_kind;
typedef enum { BR_BLACK, BR_BLUE, BR_RED, BR_GREEN, BR_PINK, BR_SKY, BR_ORANGE, BR_GREY } br_figure_colour;
typedef enum { BR_SOLID, BR_DASHED, BR_DOTTED, BR_DASHDOT } br_figure_dash;
typedef enum { BR_DISC, BR_CIRCLE, BR_SQUARE, BR_BOX, BR_CROSS, BR_STAR, BR_TRIANGLE } br_figure_mark;

typedef struct {
  const double *x, *y;
  size_t n;
  const char *label; /* in the key; NULL: none */
  br_figure_kind kind;
  br_figure_colour colour;
  br_figure_dash dash; /* of lines */
  br_figure_mark mark; /* of marks: DISC and SQUARE are filled, CIRCLE and BOX open */
  double width;        /* line width, or size of marks; 0: 1 */
} br_figure_item;

typedef struct {
  double x, y;
  const char *text; /* centred on the point */
} br_figure_text;

/* A grid of cells behind everything: cell[i * ny + j] at column i, row j is an index into names (in the key;
 * "" or a NULL list: not there); 255 stays white. */
typedef struct {
  const unsigned char *cell;
  size_t nx, ny;
  double x0, x1, y0, y1; /* centres of the outermost cells */
  const char *const *names;
  size_t n_names;
} br_figure_cells;

typedef struct {
  const char *title;           /* NULL: none */
  const char *xlabel, *ylabel; /* with unit */
  double x0, x1, y0, y1;       /* ranges; x0 = x1: from the data */
  const br_figure_item *items;
  size_t nitems;
  const br_figure_text *texts;
  size_t ntexts;
  const br_figure_cells *cells; /* NULL: none */
} br_figure_panel;

/* Side by side, 1..4.  The key of the first panel serves all. */
BR_API br_status br_figure_write(const char *path, const char *title, const br_figure_panel *panels,
                                 size_t npanels, br_err *err);

#ifdef __cplusplus
}
#endif
#endif
