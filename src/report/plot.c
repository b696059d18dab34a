/* SPDX-License-Identifier: Apache-2.0
 * plot.c - line plots: data, gnuplot script and picture, put in place together. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../text/fail.h"
#include "bristle/report.h"
#include "bristle/text.h"
#include "colours.h"
#include "plot.h"

/* The dashes tell lines apart without colour. */
static const char *const DASHES[] = {"1", "(12,4)", "(4,3)", "(12,3,3,3)"};
enum { NDASHES = 4, MOST_PANELS = 24, MOST_LINES = 256 };

/* ---- data: one block per line, separated by two blank lines ("index k" in gnuplot) ---- */

/* Pairs of points as tail and difference. */
static void write_vectors(FILE *f, const br_plot_line *line)
{
  for (size_t j = 0; j + 1 < line->n; j += 2) {
    const double row[] = {line->x[j], line->y[j], line->x[j + 1] - line->x[j], line->y[j + 1] - line->y[j]};
    for (size_t k = 0; k < 4; k++) {
      char text[BR_DOUBLE_TEXT];
      (void)br_format_double(row[k], text);
      (void)fprintf(f, "%s%c", text, k < 3 ? ' ' : '\n');
    }
  }
}

static void write_data(FILE *f, const void *what, const bri_plot_names *names)
{
  const br_plot *plot = what;
  size_t k = 0;
  (void)names;
  for (size_t p = 0; p < plot->npanels; p++) {
    const br_plot_panel *panel = &plot->panels[p];
    for (size_t i = 0; i < panel->nlines; i++, k++) {
      const br_plot_line *line = &panel->lines[i];
      char x[BR_DOUBLE_TEXT], y[BR_DOUBLE_TEXT];
      if (k) (void)fputs("\n\n", f);
      (void)fprintf(f, "# index %zu: %s [%s] | %s [%s]%s%s\n", k, panel->xlabel,
                    panel->xunit ? panel->xunit : "", panel->ylabel, panel->yunit ? panel->yunit : "",
                    line->label ? " | " : "", line->label ? line->label : "");
      if ((int)line->kind % BR_PLOT_KINDS == BR_PLOT_VECTORS) {
        write_vectors(f, line);
        continue;
      }
      for (size_t j = 0; j < line->n; j++) {
        (void)br_format_double(line->x[j], x);
        (void)br_format_double(line->y[j], y);
        (void)fprintf(f, "%s %s\n", x, y);
      }
    }
  }
}

/* ---- script ---- */

/* Text in single quotes, where gnuplot knows only '' for '. */
static void quoted(FILE *f, const char *s)
{
  (void)fputc('\'', f);
  for (; *s; s++) {
    if (*s == '\'') (void)fputc('\'', f);
    (void)fputc(*s == '\n' ? ' ' : *s, f);
  }
  (void)fputc('\'', f);
}

static void setting(FILE *f, const char *what, const char *text)
{
  (void)fprintf(f, "set %s ", what);
  quoted(f, text);
  (void)fputc('\n', f);
}

static int kind_of(const br_plot_line *line) { return (int)line->kind % BR_PLOT_KINDS; }

/* Colour and dash: by order, unless the line brings a colour. */
static size_t colour_of(const br_plot_line *line, size_t order)
{
  const int c = (int)line->kind / BR_PLOT_KINDS;
  return c > 0 ? (size_t)(c - 1) : order;
}

static void write_axis(FILE *f, const char *axis, const char *label, const bri_axis *a)
{
  char text[256], what[16];
  (void)snprintf(text, sizeof text, "%.200s%s%s", label, a->unit[0] ? ", " : "", a->unit);
  (void)snprintf(what, sizeof what, "%slabel", axis);
  setting(f, what, text);
  (void)fprintf(f, "set %srange [%.12g:%.12g]\nset %stics %.12g\n", axis, a->from, a->to, axis, a->step);
}

static void write_line(FILE *f, const br_plot_line *line, size_t style)
{
  const char *colour = bri_colours[style % BRI_PALETTE].light;
  switch (kind_of(line)) {
  case BR_PLOT_POINTS:
    (void)fprintf(f, "points pointtype 7 pointsize 0.6 linecolor rgb '%s' notitle", colour);
    break;
  case BR_PLOT_CIRCLES:
    (void)fprintf(f, "points pointtype 6 pointsize 1.1 linewidth 1.8 linecolor rgb '%s' notitle", colour);
    break;
  case BR_PLOT_SQUARES:
    (void)fprintf(f, "points pointtype 4 pointsize 1.0 linewidth 1.8 linecolor rgb '%s' notitle", colour);
    break;
  case BR_PLOT_DOTS:
    (void)fprintf(f, "lines linewidth 1.1 dashtype (2,3) linecolor rgb '%s' notitle", colour);
    break;
  case BR_PLOT_THICK:
    (void)fprintf(f, "lines linewidth 2.6 dashtype 1 linecolor rgb '%s' notitle", colour);
    break;
  case BR_PLOT_BACK:
    (void)fprintf(f, "lines linewidth 1.2 dashtype 1 linecolor rgb '%s' notitle",
                  bri_colours[BRI_MUTED].light);
    break;
  default:
    (void)fprintf(f, "lines linewidth 1.6 dashtype %s linecolor rgb '%s' notitle", DASHES[style % NDASHES],
                  colour);
    break;
  }
}

/* Labels stand at their lines instead of in a legend. */
static void write_labels(FILE *f, const br_plot_panel *panel, const bri_axis *x, const bri_axis *y,
                         int several)
{
  bri_label labels[MOST_LINES];
  size_t order = 0;
  (void)fputs("unset label\n", f);
  if (panel->nlines > MOST_LINES) return;
  /* what gnuplot leaves for drawing, about: of 640 x 440, or of a panel of 440 x 340 */
  bri_labels_place(panel, x, y, several ? 330 : 535, several ? 230 : 330, labels);
  for (size_t i = 0; i < panel->nlines; i++) {
    const br_plot_line *line = &panel->lines[i];
    const size_t style = colour_of(line, order);
    order += kind_of(line) != BR_PLOT_BACK;
    if (!labels[i].shown) continue;
    (void)fprintf(f, "set label ");
    quoted(f, line->label);
    (void)fprintf(f, " at graph %.4f,%.4f left front textcolor rgb '%s'\n", labels[i].x, labels[i].y,
                  bri_colours[kind_of(line) == BR_PLOT_BACK ? (size_t)BRI_MUTED : style % BRI_PALETTE].light);
  }
}

static void write_panel(FILE *f, const br_plot_panel *panel, size_t first, int several)
{
  size_t order = 0;
  if (panel->title) setting(f, "title", panel->title);
  else (void)fputs("unset title\n", f);
  const bri_axis x = bri_axis_of(panel, 0), y = bri_axis_of(panel, 1);
  write_axis(f, "x", panel->xlabel, &x);
  write_axis(f, "y", panel->ylabel, &y);
  write_labels(f, panel, &x, &y, several);
  (void)fputs("plot ", f);
  for (size_t i = 0; i < panel->nlines; i++) {
    const br_plot_line *line = &panel->lines[i];
    const size_t style = colour_of(line, order);
    if (kind_of(line) == BR_PLOT_VECTORS) { /* the data block has tail and difference in one row */
      (void)fprintf(
          f,
          "%sdat index %zu using ($1*%g):($2*%g):($3*%g):($4*%g) with vectors head size graph 0.012,20 "
          "filled linewidth 1.1 linecolor rgb '%s' notitle",
          i ? ", \\\n     " : "", first + i, x.factor, y.factor, x.factor, y.factor,
          bri_colours[style % BRI_PALETTE].light);
    } else {
      (void)fprintf(f, "%sdat index %zu using ($1*%g):($2*%g) with ", i ? ", \\\n     " : "", first + i,
                    x.factor, y.factor);
      write_line(f, line, style);
    }
    order += kind_of(line) != BR_PLOT_BACK;
  }
  (void)fputc('\n', f);
}

void bri_plot_open(FILE *f, const bri_plot_names *names, int width, int height)
{
  (void)fputs("# Redraw: gnuplot ", f);
  (void)fprintf(f, "%s\n", names->script);
  (void)fputs("if (!exists('out')) out = ", f);
  quoted(f, names->picture);
  (void)fputs("\nif (!exists('dat')) dat = ", f);
  quoted(f, names->data);
  if (names->svg) {
    (void)fprintf(f, "\nset terminal svg size %d,%d font 'Helvetica,14' background rgb 'white'\n", width,
                  height);
  } else {
    (void)fprintf(f,
                  "\nif (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {\n"
                  "  set terminal pngcairo size %d,%d font 'Helvetica,24' linewidth 2\n"
                  "} else {\n  set terminal png size %d,%d font 'Helvetica,24' linewidth 2\n}\n",
                  2 * width, 2 * height, 2 * width, 2 * height);
  }
  (void)fprintf(
      f,
      "set output out\nset encoding utf8\nset termoption noenhanced\nset border 3 linecolor rgb '%s'\n"
      "set tics nomirror out scale 0.6 textcolor rgb '%s'\nset grid linetype 1 linecolor rgb '%s'\n"
      "set format '%%g'\nset key off\nset title font ',15' textcolor rgb '%s'\n",
      bri_colours[BRI_AXIS].light, bri_colours[BRI_TEXT].light, bri_colours[BRI_GRID].light,
      bri_colours[BRI_TITLE].light);
}

static void write_script(FILE *f, const void *what, const bri_plot_names *names)
{
  const br_plot *plot = what;
  const int n = (int)plot->npanels,
            columns = n <= 3   ? n
                      : n == 4 ? 2
                      : n <= 9 ? 3
                               : 4,
            rows = (n + columns - 1) / columns;
  bri_plot_open(f, names, n > 1 ? 440 * columns : 640, n > 3 ? 340 * rows + 30 : 440);
  if (plot->npanels > 1) {
    (void)fprintf(f, "set multiplot layout %d,%d", rows, columns);
    if (plot->title) {
      (void)fputs(" title ", f);
      quoted(f, plot->title);
    }
    (void)fputc('\n', f);
  }
  size_t first = 0;
  for (size_t p = 0; p < plot->npanels; p++) {
    if (plot->npanels == 1 && plot->title && !plot->panels[p].title) {
      br_plot_panel named = plot->panels[p];
      named.title = plot->title;
      write_panel(f, &named, first, 0);
    } else {
      write_panel(f, &plot->panels[p], first, plot->npanels > 1);
    }
    first += plot->panels[p].nlines;
  }
  if (plot->npanels > 1) (void)fputs("unset multiplot\n", f);
  (void)fputs("unset output\n", f);
}

/* ---- files ---- */

static br_status finish(FILE *f, const char *path, br_err *err)
{
  const int bad = ferror(f), closed = fclose(f);
  if (!bad && closed == 0) return BR_OK;
  return bri_text_fail(err, BR_E_IO, -1, "cannot write '%s': %s", path, strerror(errno ? errno : EIO));
}

static br_status write_parts(const bri_plot_names *names, bri_plot_part *data, bri_plot_part *script,
                             const void *what, br_err *err)
{
  errno = 0;
  FILE *f = fopen(names->data_part, "w");
  if (!f) return bri_text_fail(err, BR_E_IO, -1, "cannot write '%s': %s", names->data_part, strerror(errno));
  data(f, what, names);
  br_status st = finish(f, names->data_part, err);
  if (st) return st;
  f = fopen(names->script_part, "w");
  if (!f)
    return bri_text_fail(err, BR_E_IO, -1, "cannot write '%s': %s", names->script_part, strerror(errno));
  script(f, what, names);
  return finish(f, names->script_part, err);
}

static br_status put_in_place(const bri_plot_names *n, br_err *err)
{
  if (rename(n->data_part, n->data_path) == 0 && rename(n->script_part, n->script_path) == 0 &&
      rename(n->picture_part, n->path) == 0) {
    return BR_OK;
  }
  return bri_text_fail(err, BR_E_IO, -1, "cannot write '%s': %s", n->path, strerror(errno));
}

static br_status check_plot(const br_plot *plot, br_err *err)
{
  int good = plot && plot->panels && plot->npanels >= 1 && plot->npanels <= MOST_PANELS;
  for (size_t p = 0; good && p < plot->npanels; p++) {
    const br_plot_panel *panel = &plot->panels[p];
    good = panel->xlabel && panel->ylabel && panel->lines && panel->nlines >= 1;
    for (size_t i = 0; good && i < panel->nlines; i++) {
      good = panel->lines[i].n >= 1 && panel->lines[i].x && panel->lines[i].y;
    }
  }
  return good ? BR_OK
              : bri_text_fail(err, BR_E_ARG, -1, "br_plot_write: panels, axis labels or lines are missing");
}

br_status br_plot_check(const char *path, br_err *err)
{
  bri_plot_names names;
  const br_status st = bri_plot_names_of(path, &names, err);
  return st ? st : bri_plot_find_gnuplot(err);
}

br_status bri_plot_store(const char *path, bri_plot_part *data, bri_plot_part *script, const void *what,
                         br_err *err)
{
  bri_plot_names names;
  br_status st = bri_plot_names_of(path, &names, err);
  if (!st) st = bri_plot_find_gnuplot(err);
  if (st) return st;
  st = write_parts(&names, data, script, what, err);
  if (!st) st = bri_plot_run(&names, err);
  if (!st) st = put_in_place(&names, err);
  if (st) {
    (void)remove(names.data_part);
    (void)remove(names.script_part);
    (void)remove(names.picture_part);
  }
  return st;
}

void bri_plot_quoted(FILE *f, const char *s) { quoted(f, s); }

br_status br_plot_write(const char *path, const br_plot *plot, br_err *err)
{
  br_status st = br_plot_check(path, err);
  if (!st) st = check_plot(plot, err);
  return st ? st : bri_plot_store(path, write_data, write_script, plot, err);
}
