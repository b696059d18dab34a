/* SPDX-License-Identifier: Apache-2.0
 * plot.h - file names of a picture, and the gnuplot process. */
#ifndef BRI_REPORT_PLOT_H
#define BRI_REPORT_PLOT_H
#include <stdio.h>

#include "bristle/report.h"

enum { BRI_PLOT_PATH = 1024 };

/* The ending says what a picture is; TEX needs no gnuplot. */
typedef enum { BRI_PLOT_SVG, BRI_PLOT_PNG, BRI_PLOT_PDF, BRI_PLOT_TEX } bri_plot_form;
#define BRI_PLOT_ENDS ".svg, .png, .pdf or .tex"

/* For dir/x.svg: what the three files are called, in full and as seen from dir. */
typedef struct {
  char path[BRI_PLOT_PATH], data_path[BRI_PLOT_PATH], script_path[BRI_PLOT_PATH];
  char dir[BRI_PLOT_PATH];
  const char *picture, *data, *script; /* tails of the first three */
  bri_plot_form form;
  /* temporary names of the three, as seen from dir, while the picture is drawn */
  const char *picture_part, *data_part, *script_part;
} bri_plot_names;

/* Range, distance of tics and prefixed unit of an axis (0: x, 1: y), all in that unit; factor: from SI. */
typedef struct {
  double factor, from, to, step;
  int log;
  char unit[32];
} bri_axis;
bri_axis bri_axis_of(const br_plot_panel *panel, int which);
double bri_axis_part(const bri_axis *a, double value); /* 0 at its start, 1 at its end */
bri_axis bri_axis_scale(const br_plot_look *look);     /* unit and factor of the scale of a heat map */

/* Kind of a line without its colour; which kinds take points in pairs; which join their points. */
int bri_plot_kind_of(const br_plot_line *line);
int bri_plot_in_pairs(int kind);
int bri_plot_filled(int kind);     /* areas, ... */
int bri_plot_named_area(int kind); /* ... and those with a tint and a name */
int bri_plot_joined(int kind);

/* What a line looks like: width in px, dashes as gnuplot writes them ("1": solid), marker of gnuplot (0: a
 * line), its size, "#rrggbb".  order counts the lines before it that take part in the order. */
typedef struct {
  double width;
  const char *dash;
  int point;
  double size;
  const char *colour;
} bri_line_look;
bri_line_look bri_plot_look_of(const br_plot_line *line, size_t order);
int bri_plot_counts(const br_plot_line *line); /* does it take part? */

/* Rows and columns of panels; where panels stand under others each column is one stack of them. */
typedef struct {
  int columns, rows;
  int stack;         /* panels of the longest column, 0: none stands under another */
  int width, height; /* of the picture, px */
} bri_layout;
bri_layout bri_plot_layout(const br_plot *plot);
int bri_plot_under(const br_plot *plot, size_t p); /* does panel p stand under the one before? */

/* Place of a line's label, left end and middle height, in parts of the panel; a region that is too small for
 * its name has it outside, with a leader between. */
typedef struct {
  double x, y;
  int shown, leader;
  double from_x, from_y, to_x, to_y;
} bri_label;
enum { BRI_MOST_LABELS = 64 };
/* labels[panel->nlines]; width and height of the drawing area in pixels.  BR_OK, BR_E_NOMEM. */
BR_CHECKED br_status bri_labels_place(const br_plot_panel *panel, const bri_axis *ax, const bri_axis *ay,
                                      double width, double height, bri_label *labels);
/* Data, script and picture put in place together, or none; data() and script() write the first two
 * and return BR_OK or BR_E_NOMEM. */
typedef br_status bri_plot_part(FILE *f, const void *what, const bri_plot_names *names);
BR_CHECKED br_status bri_plot_store(const char *path, bri_plot_part *data, bri_plot_part *script,
                                    const void *what, br_err *err);
bri_plot_part bri_plot_data, bri_plot_script, bri_plot_tex; /* of a br_plot */

/* The same picture with at most about so many points (thin.c).  bri_thin_free() also after an error. */
typedef struct {
  br_plot plot;
  br_plot_panel *panels;
  br_plot_line *lines;
  struct bri_thin_block {
    struct bri_thin_block *next;
    double align;
  } * owned;
} bri_thin;
BR_CHECKED br_status bri_plot_thin(const br_plot *plot, size_t points, bri_thin *to); /* BR_OK, BR_E_NOMEM */
void bri_thin_free(bri_thin *to);
double *bri_thin_get(bri_thin *to, size_t n); /* n numbers that last as long */

/* BR_E_ARG where a title, label or unit has a control character. */
BR_CHECKED br_status bri_plot_texts(const br_plot *plot, br_err *err);

BR_CHECKED br_status bri_plot_names_of(const char *path, bri_plot_names *names, br_err *err);
BR_CHECKED br_status bri_plot_find_gnuplot(br_err *err);
/* What gnuplot is told in front of the script (-e): the names of this time.  free() it; NULL: out of memory.
 * */
char *bri_plot_assignments(const bri_plot_names *names);
/* Run the script part on the data part, into the picture part, inside dir.  What the picture holds then is
 * for the caller to see. */
BR_CHECKED br_status bri_plot_run(const bri_plot_names *names, br_err *err);

#endif
