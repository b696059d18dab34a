/* SPDX-License-Identifier: Apache-2.0
 * data.c - the data file of a picture: one block per line, separated by two blank lines ("index k" in
 * gnuplot). */
#include <math.h>
#include <stdio.h>

#include "../text/escape.h"
#include "bristle/text.h"
#include "plot.h"

static void write_row(FILE *f, const double *row, size_t n)
{
  for (size_t k = 0; k < n; k++) {
    char text[BR_DOUBLE_TEXT];
    (void)br_format_double(row[k], text);
    (void)fprintf(f, "%s%c", isfinite(row[k]) ? text : "NaN", k + 1 < n ? ' ' : '\n');
  }
}

/* Pairs of points: arrows as tail and difference, rectangles as their corners. */
static void write_pairs(FILE *f, const br_plot_line *line, int corners)
{
  for (size_t j = 0; j + 1 < line->n; j += 2) {
    const double *x = line->x + j, *y = line->y + j;
    const double arrow[] = {x[0], y[0], x[1] - x[0], y[1] - y[0]}, box[] = {x[0], y[0], x[1], y[1]};
    write_row(f, corners ? box : arrow, 4);
  }
}

/* "# index 0: place [m] | force [N] | label" */
static void write_heading(FILE *f, size_t index, const br_plot_panel *panel, const br_plot_line *line)
{
  const char *const text[] = {panel->xlabel, panel->xunit, panel->ylabel, panel->yunit, line->label};
  static const char *const BEFORE[] = {"", " [", "] | ", " [", " | "};
  (void)fprintf(f, "# index %zu: ", index);
  for (size_t i = 0; i < 5; i++) {
    if (i == 4) (void)fputc(']', f);
    if (i == 4 && !text[i]) break;
    (void)fputs(BEFORE[i], f);
    bri_gnuplot_comment(f, text[i] ? text[i] : "");
  }
  (void)fputc('\n', f);
}

br_status bri_plot_data(FILE *f, const void *what, const bri_plot_names *names)
{
  const br_plot *plot = what;
  size_t k = 0;
  (void)names;
  for (size_t p = 0; p < plot->npanels; p++) {
    const br_plot_panel *panel = &plot->panels[p];
    for (size_t i = 0; i < panel->nlines; i++, k++) {
      const br_plot_line *line = &panel->lines[i];
      const int kind = bri_plot_kind_of(line);
      if (k) (void)fputs("\n\n", f);
      write_heading(f, k, panel, line);
      if (bri_plot_in_pairs(kind)) {
        write_pairs(f, line, bri_plot_filled(kind));
        continue;
      }
      for (size_t j = 0; j < line->n; j++) {
        const double row[] = {line->x[j], line->y[j]};
        write_row(f, row, 2);
      }
    }
  }
  return BR_OK;
}
