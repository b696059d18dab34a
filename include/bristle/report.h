/* SPDX-License-Identifier: Apache-2.0
 * report.h - pictures of lines, points and regions, drawn by gnuplot; tables as HDF5.
 *
 * For picture.svg (.png, .pdf) the script picture.gp and the data picture.dat stay beside it, so that it can
 * be restyled and drawn again with "gnuplot picture.gp".  All three appear together when the picture is
 * complete, or none.  picture.tex is LaTeX (pgfplots), one file, made without gnuplot.  Lines of more points
 * than there are places are thinned: extremes, gaps and bends stay, pictures stay below 2 MB.
 *
 * Alloc: only br_hdf5_create(); nothing else lasts.  Threads: plot functions are independent, they start a
 * process and wait for it; HDF5 itself serves one thread at a time. */
#ifndef BR_REPORT_H
#define BR_REPORT_H
#include <stddef.h>

#include "bristle/analysis.h"
#include "bristle/export.h"
#include "bristle/status.h"
BR_C_BEGIN

/* LINE: colour and dashes by its place in the panel; MARKED: the same with a marker at each point; POINTS:
 * dots.  BACK: thin and grey, what stands behind; DOTS: a fine dotted line in its colour; THICK: solid and
 * heavy, what is to be seen; DASHED: heavy and dashed, what is unstable; FINE: thin and solid; DASHDOT: thin,
 * dashes and dots; BORDER: thin and dark, between regions.  CIRCLES, SQUARES: open markers on top of
 * everything; DISCS, CROSSES, STARS, TRIANGLES: more of them; RINGS, BOXES: small and open, for many.
 * The following take their points in pairs.  VECTORS: arrows from tail to head; HEADS: only heads of one
 * size, at the second point, in the direction from the first.  REGION: rectangles by opposite corners, in a
 * light tint, the label inside; LEVEL: the same in the colour of a scale, by its colour 0..9.
 * BR_PLOT_COLOURED(kind, 0..6) gives a colour of the palette (a tint 0..9 for REGION) instead of the one by
 * order. */
typedef enum {
  BR_PLOT_LINE,
  BR_PLOT_POINTS,
  BR_PLOT_BACK,
  BR_PLOT_DOTS,
  BR_PLOT_THICK,
  BR_PLOT_CIRCLES,
  BR_PLOT_SQUARES,
  BR_PLOT_VECTORS,
  BR_PLOT_DASHED,
  BR_PLOT_FINE,
  BR_PLOT_DASHDOT,
  BR_PLOT_DISCS,
  BR_PLOT_CROSSES,
  BR_PLOT_STARS,
  BR_PLOT_TRIANGLES,
  BR_PLOT_RINGS,
  BR_PLOT_BOXES,
  BR_PLOT_HEADS,
  BR_PLOT_REGION,
  BR_PLOT_LEVEL,
  BR_PLOT_BORDER,
  BR_PLOT_MARKED,
  BR_PLOT_STRIP,
  BR_PLOT_LAST,
  BR_PLOT_KINDS = 256 /* room for more; a colour stands above it */
} br_plot_kind;
#define BR_PLOT_COLOURED(kind, colour) ((br_plot_kind)((int)(kind) + 256 * ((int)(colour) + 1)))

typedef struct {
  const double *x, *y; /* n each; NaN leaves a gap */
  size_t n;
  const char *label; /* written at the line in its colour; NULL: none */
  br_plot_kind kind;
} br_plot_line;

/* How a panel departs from the usual: ranges from the data, linear axes, beside its neighbours. */
enum { BR_PLOT_LEVELS = 10 };
typedef struct {
  double x0, x1, y0, y1; /* ranges in the units of the data; a pair that does not ascend: from the data */
  int xlog, ylog;
  int under; /* 1: below the panel before it, with the same x axis, lower; several make a stack */
  const char *scale, *scale_unit;    /* what LEVEL colours mean; NULL: no scale */
  double bounds[BR_PLOT_LEVELS + 1]; /* of the levels, ascending */
  const char *const *names; /* upward axis: these at `at` instead of numbers, nnames of them; NULL: numbers */
  const double *at;
  size_t nnames;
} br_plot_look;

typedef struct {
  const char *title;           /* NULL: none */
  const char *xlabel, *ylabel; /* "displacement u" */
  const char *xunit, *yunit; /* SI, "m"; drawn with a prefix where that reads better (um); "1", NULL: none */
  const br_plot_line *lines;
  size_t nlines;
  const br_plot_look *look; /* NULL: the usual */
} br_plot_panel;

typedef struct {
  const char *title; /* over all panels; NULL: none */
  const br_plot_panel *panels;
  size_t npanels; /* 1..24: up to three side by side, more in rows */
} br_plot;

/* Can pictures be drawn here (gnuplot on the PATH), and is this a name for one (.svg, .png, .pdf, .tex)?
 * Returns BR_OK, BR_E_UNSUPPORTED, BR_E_ARG.  Cheap: ask before a long computation. */
BR_TRY br_status br_plot_check(const char *path, br_err *err);

/* Draw.  Returns BR_OK, as above, BR_E_IO (a file cannot be written, or gnuplot failed). */
BR_TRY br_status br_plot_write(const char *path, const br_plot *plot, br_err *err);

/* The same as a sketch of Braille dots for a terminal: columns x rows characters (each 2 x 4 dots) and axis
 * texts, one panel under the other, through print().  Needs no gnuplot.  BR_E_ARG, BR_E_NOMEM. */
BR_TRY br_status br_plot_sketch(const br_plot *plot, size_t columns, size_t rows,
                                void (*print)(void *ctx, const char *text), void *ctx, br_err *err);

/* ---- tables as HDF5 ------------------------------------------------------------------------------------ */

/* A table on its way into a file: one dataset per column at the root, its unit as attribute "unit", further
 * attributes on the root.  Texts are variable-length UTF-8.  Written beside the final name and renamed by
 * br_hdf5_close(); files carry no dates, so the same content gives the same bytes. */
typedef struct br_hdf5 br_hdf5;

/* Can this file be written here?  BR_OK, BR_E_UNSUPPORTED (built without HDF5), BR_E_ARG ("-": HDF5 cannot go
 * to standard output).  Cheap: ask before a long computation. */
BR_TRY br_status br_hdf5_check(const char *path, br_err *err);

/* units: NULL, or "" for numbers without one.  rows: how many are expected, 0 when unknown.
 * *out is NULL on error: as above, BR_E_IO, BR_E_NOMEM. */
BR_TRY br_status br_hdf5_create(const char *path, size_t ncol, const char *const *names,
                                const char *const *units, size_t rows, br_hdf5 **out, br_err *err);
/* Attributes: a text; n numbers (1: a single value; 0: none is written). */
BR_TRY br_status br_hdf5_text(br_hdf5 *table, const char *name, const char *text, br_err *err);
BR_TRY br_status br_hdf5_numbers(br_hdf5 *table, const char *name, size_t n, const double *x, br_err *err);
BR_TRY br_status br_hdf5_row(br_hdf5 *table, const double *row, br_err *err);
/* Put it in place.  The table is gone in any case, and so is its file after an error. */
BR_TRY br_status br_hdf5_close(br_hdf5 *table, br_err *err);
BR_API void br_hdf5_abort(br_hdf5 *table); /* give it up; NULL is fine */

/* ---- answers of analyses ------------------------------------------------------------------------------- */

/* The main table of an answer row by row into CSV, HDF5 or both (NULL: not), in bounded memory.  tables:
 * names of those that count, br_analysis.tables.  attributes: called once for an HDF5 file that was begun;
 * NULL: none. */
typedef struct br_files br_files;
BR_TRY br_status br_files_create(const char *csv, const char *hdf5, const char *tables,
                                 br_status (*attributes)(void *ctx, br_hdf5 *file, br_err *err), void *ctx,
                                 br_files **out, br_err *err);
BR_API br_sink br_files_sink(br_files *files);
/* Tables in other units on their way to `to`: "mm,kN,deg", one for each dimension; what has none of these
 * stays.  Values of the answer stay in SI.  BR_E_PARSE for a list that is none; destroy after the answer;
 * NULL is fine. */
typedef struct br_units br_units;
BR_TRY br_status br_units_create(const char *list, br_sink *to, br_units **out, br_err *err);
BR_API br_sink br_units_sink(br_units *units);
/* What a number in the SI unit *unit is divided by to be in the unit of the list, which *unit becomes; 1 and
 * untouched where the list (NULL: none) has no unit of that dimension. */
BR_API double br_units_factor(const br_units *units, const char **unit);
BR_API void br_units_destroy(br_units *units);
/* Put them in place.  The files are gone in any case. */
BR_TRY br_status br_files_close(br_files *files, br_err *err);
BR_API void br_files_abort(br_files *files); /* NULL is fine */

/* The usual picture of an analysis from the tables that the answer kept (br_picture_want).  Errors as
 * br_plot_write(). */
BR_API void br_picture_want(const br_picture *picture, br_result *result);
BR_TRY br_status br_picture_write(const char *path, const char *title, const br_picture *picture,
                                  const br_result *result, br_err *err);

/* A motion as one page that moves (.html, nothing else is fetched): block, spring, bristles, live loop, from
 * the tables contact1, contact2, ... of 'simulate' (columns t, u, v, F, z; l: a spring that pulls).  spring:
 * "wall" for one to the ground, NULL: none.  BR_E_ARG, BR_E_NAME (no such tables were kept), BR_E_IO,
 * BR_E_NOMEM. */
BR_TRY br_status br_animation_check(const char *path, br_err *err);
BR_TRY br_status br_animation_write(const char *path, const char *title, const char *spring,
                                    const br_result *result, br_err *err);

BR_C_END
#endif
