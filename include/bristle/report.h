/* SPDX-License-Identifier: Apache-2.0
 * report.h - pictures of lines and points, drawn by gnuplot.
 *
 * For picture.svg (or .png) the script picture.gp and the data picture.dat stay beside it, so that it can
 * be restyled and drawn again with "gnuplot picture.gp".  All three appear together when the picture is
 * complete, or none.
 *
 * Alloc: none that lasts.  Threads: functions are independent; they start a process and wait for it. */
#ifndef BR_REPORT_H
#define BR_REPORT_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/status.h"
#ifdef __cplusplus
extern "C" {
#endif

/* LINE: colour and dashes by its place in the panel; POINTS: dots.  BACK: thin and grey, what stands behind;
 * DOTS: a fine dotted line in its colour; THICK: solid and heavy, what is to be seen; CIRCLES, SQUARES: open
 * markers on top of everything. */
typedef enum {
  BR_PLOT_LINE,
  BR_PLOT_POINTS,
  BR_PLOT_BACK,
  BR_PLOT_DOTS,
  BR_PLOT_THICK,
  BR_PLOT_CIRCLES,
  BR_PLOT_SQUARES
} br_plot_kind;

typedef struct {
  const double *x, *y; /* n each; NaN leaves a gap */
  size_t n;
  const char *label; /* of the only labelled line: written at its end; of several: in a key; NULL: none */
  br_plot_kind kind;
} br_plot_line;

typedef struct {
  const char *title;           /* NULL: none */
  const char *xlabel, *ylabel; /* "displacement u" */
  const char *xunit, *yunit; /* SI, "m"; drawn with a prefix where that reads better (um); "1", NULL: none */
  const br_plot_line *lines;
  size_t nlines;
} br_plot_panel;

typedef struct {
  const char *title; /* over all panels; NULL: none */
  const br_plot_panel *panels;
  size_t npanels; /* side by side, 1..4 */
} br_plot;

/* Can pictures be drawn here (gnuplot on the PATH), and is this a name for one (.svg or .png)?
 * Returns BR_OK, BR_E_UNSUPPORTED, BR_E_ARG.  Cheap: ask before a long computation. */
BR_API br_status br_plot_check(const char *path, br_err *err);

/* Draw.  Returns BR_OK, as above, BR_E_IO (a file cannot be written, or gnuplot failed). */
BR_API br_status br_plot_write(const char *path, const br_plot *plot, br_err *err);

#ifdef __cplusplus
}
#endif
#endif
