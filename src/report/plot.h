/* SPDX-License-Identifier: Apache-2.0
 * plot.h - file names of a picture, and the gnuplot process. */
#ifndef BRI_REPORT_PLOT_H
#define BRI_REPORT_PLOT_H
#include <stdio.h>

#include "bristle/report.h"

enum { BRI_PLOT_PATH = 1024 };

/* For dir/x.svg: what the three files are called, in full and as seen from dir. */
typedef struct {
  char path[BRI_PLOT_PATH], data_path[BRI_PLOT_PATH], script_path[BRI_PLOT_PATH];
  char dir[BRI_PLOT_PATH];
  const char *picture, *data, *script; /* tails of the first three */
  int svg;                             /* else png */
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
int bri_plot_joined(int kind);

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
bri_plot_part bri_plot_data, bri_plot_script; /* of a br_plot */

/* BR_E_ARG where a title, label or unit has a control character. */
BR_CHECKED br_status bri_plot_texts(const br_plot *plot, br_err *err);

BR_CHECKED br_status bri_plot_names_of(const char *path, bri_plot_names *names, br_err *err);
BR_CHECKED br_status bri_plot_find_gnuplot(br_err *err);
/* What gnuplot is told in front of the script (-e): the names of this time.  free() it; NULL: out of memory. */
char *bri_plot_assignments(const bri_plot_names *names);
/* Run the script part on the data part, into the picture part, inside dir.  What the picture holds then is for
 * the caller to see. */
BR_CHECKED br_status bri_plot_run(const bri_plot_names *names, br_err *err);

#endif
