/* SPDX-License-Identifier: Apache-2.0
 * script.c - the gnuplot script of a picture: the house style. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../text/escape.h"
#include "colours.h"
#include "plot.h"
#include "symbols.h"

/* The dashes tell lines apart without colour. */
static const char *const DASHES[] = {"1", "(12,4)", "(4,3)", "(12,3,3,3)"};
enum { NDASHES = 4, MOST_LINES = 256 };

/* What the kinds look like.  dash NULL: by order; point 0: a line. */
static const struct {
  double width;
  const char *dash;
  int point;
  double size;
} LOOKS[BR_PLOT_LAST] = {
    [BR_PLOT_LINE] = {1.6, NULL, 0, 0},
    [BR_PLOT_POINTS] = {1, "1", 7, 0.6},
    [BR_PLOT_BACK] = {1.2, "1", 0, 0},
    [BR_PLOT_DOTS] = {1.5, "(2,3)", 0, 0},
    [BR_PLOT_THICK] = {2.6, "1", 0, 0},
    [BR_PLOT_CIRCLES] = {1.8, "1", 6, 1.1},
    [BR_PLOT_SQUARES] = {1.8, "1", 4, 1},
    [BR_PLOT_VECTORS] = {1.1, "1", 0, 0},
    [BR_PLOT_DASHED] = {2.2, "(6,4)", 0, 0},
    [BR_PLOT_FINE] = {1.1, "1", 0, 0},
    [BR_PLOT_DASHDOT] = {1.1, "(8,3,2,3)", 0, 0},
    [BR_PLOT_DISCS] = {1, "1", 7, 1.1},
    [BR_PLOT_CROSSES] = {2, "1", 2, 1.1},
    [BR_PLOT_STARS] = {1.6, "1", 3, 1.3},
    [BR_PLOT_TRIANGLES] = {1.8, "1", 8, 1.2},
    [BR_PLOT_HEADS] = {1.1, "1", 0, 0},
    [BR_PLOT_REGION] = {0.5, "1", 0, 0},
    [BR_PLOT_LEVEL] = {0.5, "1", 0, 0},
    [BR_PLOT_STRIP] = {0.5, "1", 0, 0},
    [BR_PLOT_MARKED] = {1.6, NULL, 0, 0},
    [BR_PLOT_RINGS] = {1.1, "1", 6, 0.6},
    [BR_PLOT_BOXES] = {1.1, "1", 4, 0.6},
    [BR_PLOT_BORDER] = {0.8, "1", 0, 0},
};

int bri_plot_kind_of(const br_plot_line *line)
{
  const int kind = (int)line->kind % BR_PLOT_KINDS;
  return kind >= 0 && kind < BR_PLOT_LAST ? kind : BR_PLOT_LINE;
}

int bri_plot_named_area(int kind) { return kind == BR_PLOT_REGION || kind == BR_PLOT_STRIP; }

int bri_plot_filled(int kind) { return bri_plot_named_area(kind) || kind == BR_PLOT_LEVEL; }

int bri_plot_in_pairs(int kind)
{
  return kind == BR_PLOT_VECTORS || kind == BR_PLOT_HEADS || bri_plot_filled(kind);
}

int bri_plot_joined(int kind) { return !bri_plot_in_pairs(kind) && LOOKS[kind].point == 0; }

/* ---- words of the script ---- */

static void setting(FILE *f, const char *what, const char *text)
{
  (void)fprintf(f, "set %s ", what);
  bri_symbols_gnuplot(f, text);
  (void)fputc('\n', f);
}

int bri_plot_counts(const br_plot_line *line)
{
  const int kind = bri_plot_kind_of(line);
  return kind != BR_PLOT_BACK && kind != BR_PLOT_BORDER && !bri_plot_filled(kind);
}

/* Place in the palette: by order, unless the line brings a colour. */
static size_t style_of(const br_plot_line *line, size_t order)
{
  const int c = (int)line->kind / BR_PLOT_KINDS;
  return c > 0 ? (size_t)(c - 1) : order;
}

static const char *colour_of(const br_plot_line *line, size_t style)
{
  switch (bri_plot_kind_of(line)) {
  case BR_PLOT_BACK: return bri_colours[BRI_MUTED].light;
  case BR_PLOT_BORDER: return bri_colours[BRI_AXIS].light;
  case BR_PLOT_STRIP:
  case BR_PLOT_REGION: return bri_colours[BRI_TINT + style % BRI_TINTS].light;
  case BR_PLOT_LEVEL: return bri_colours[BRI_RAMP + style % BRI_RAMPS].light;
  default: return bri_colours[style % BRI_PALETTE].light;
  }
}

bri_line_look bri_plot_look_of(const br_plot_line *line, size_t order)
{
  static const int POINTS[] = {7, 4, 9, 2, 6, 5, 8};
  const int kind = bri_plot_kind_of(line);
  const size_t style = style_of(line, order);
  const int marked = kind == BR_PLOT_MARKED;
  return (bri_line_look){LOOKS[kind].width, LOOKS[kind].dash ? LOOKS[kind].dash : DASHES[style % NDASHES],
                         marked ? POINTS[style % 7] : LOOKS[kind].point, marked ? 0.8 : LOOKS[kind].size,
                         colour_of(line, style)};
}

static void write_axis(FILE *f, const char *axis, const char *label, const bri_axis *a, int shown)
{
  char text[256], what[16];
  (void)snprintf(text, sizeof text, "%.200s%s%s", label, a->unit[0] ? ", " : "", a->unit);
  (void)snprintf(what, sizeof what, "%slabel", axis);
  if (shown) setting(f, what, text);
  else (void)fprintf(f, "unset %s\n", what);
  (void)fprintf(f, "set %srange [%.12g:%.12g]\n", axis, a->from, a->to);
  const int powers = a->log && (a->from < 1e-3 || a->to > 1e5); /* of ten: 1e-06 beside 0.0001 reads badly */
  (void)fprintf(f, "set format %s '%s'\n", axis, !shown ? "" : powers ? "10^{%T}" : "%g");
  if (a->log)
    (void)fprintf(f, "set logscale %s\nset %stics autofreq %senhanced\n", axis, axis, powers ? "" : "no");
  else (void)fprintf(f, "unset logscale %s\nset %stics %.12g noenhanced\n", axis, axis, a->step);
}

/* Letters of room that names need in place of numbers; 0: there are none.  gnuplot's own estimate for svg is
 * a third too large, and what the axis is called goes without saying. */
static double room_of_names(const br_plot_look *look)
{
  size_t longest = 0;
  for (size_t i = 0; look && look->names && i < look->nnames; i++)
    longest = strlen(look->names[i]) > longest ? strlen(look->names[i]) : longest;
  return longest ? 0.68 * (double)longest + 2 : 0;
}

/* Names in place of numbers at the upward axis. */
static void write_names(FILE *f, const br_plot_look *look, const bri_axis *y)
{
  if (!look || !look->names) return;
  (void)fprintf(f, "unset ylabel\nset lmargin %.1f\nset ytics (", room_of_names(look));
  for (size_t i = 0; i < look->nnames; i++) {
    (void)fputs(i ? ", " : "", f);
    bri_gnuplot_text(f, look->names[i]);
    (void)fprintf(f, " %.12g", look->at[i] * y->factor);
  }
  (void)fputs(") noenhanced\n", f);
}

static void write_line(FILE *f, const br_plot_line *line, size_t index, size_t order, const bri_axis *x,
                       const bri_axis *y)
{
  const int kind = bri_plot_kind_of(line);
  const bri_line_look look = bri_plot_look_of(line, order);
  const double fx = x->factor, fy = y->factor;
  (void)fprintf(f, "dat index %zu using ", index);
  if (kind == BR_PLOT_STRIP) {
    (void)fprintf(f,
                  "($1*%g):($2*%g):($4*%g) with filledcurves fillcolor rgb '%s' fillstyle solid border "
                  "linecolor rgb '%s' linewidth %g notitle",
                  fx, fy, fy, look.colour, look.colour, look.width);
    return;
  }
  if (kind == BR_PLOT_REGION || kind == BR_PLOT_LEVEL) {
    (void)fprintf(f,
                  "(($1+$3)/2*%g):(($2+$4)/2*%g):($1*%g):($3*%g):($2*%g):($4*%g) with boxxyerror linecolor "
                  "rgb '%s' linewidth %g fillstyle solid notitle",
                  fx, fy, fx, fx, fy, fy, look.colour, look.width);
    return;
  }
  if (kind == BR_PLOT_VECTORS || kind == BR_PLOT_HEADS) {
    (void)fprintf(f,
                  "($1*%g):($2*%g):($3*%g):($4*%g) with vectors head size %s filled linewidth %g linecolor "
                  "rgb '%s' notitle",
                  fx, fy, fx, fy, kind == BR_PLOT_HEADS ? "graph 0.022,20,90 fixed" : "graph 0.012,20",
                  look.width, look.colour);
    return;
  }
  (void)fprintf(f, "($1*%g):($2*%g) with %s linewidth %g linecolor rgb '%s'", fx, fy,
                kind == BR_PLOT_MARKED ? "linespoints"
                : look.point           ? "points"
                                       : "lines",
                look.width, look.colour);
  if (look.point) (void)fprintf(f, " pointtype %d pointsize %g", look.point, look.size);
  if (!look.point || kind == BR_PLOT_MARKED) (void)fprintf(f, " dashtype %s", look.dash);
  (void)fputs(" notitle", f);
}

/* ---- labels stand at their lines instead of in a legend ---- */

static br_status write_labels(FILE *f, const br_plot_panel *panel, const bri_axis *x, const bri_axis *y,
                              double width, double height)
{
  bri_label labels[MOST_LINES];
  size_t order = 0;
  (void)fputs("unset label\nunset arrow\nunset object\n", f);
  if (panel->nlines > MOST_LINES) return BR_OK;
  const br_status st = bri_labels_place(panel, x, y, width, height, labels);
  if (st) return st;
  for (size_t i = 0; i < panel->nlines; i++) {
    const br_plot_line *line = &panel->lines[i];
    const int region = bri_plot_named_area(bri_plot_kind_of(line));
    const char *colour = region ? bri_colours[BRI_TITLE].light : colour_of(line, style_of(line, order));
    order += (size_t)bri_plot_counts(line);
    if (!labels[i].shown) continue;
    if (labels[i].leader)
      (void)fprintf(f,
                    "set arrow from graph %.4f,%.4f to graph %.4f,%.4f nohead front linewidth 0.8 "
                    "linecolor rgb '%s'\n",
                    labels[i].from_x, labels[i].from_y, labels[i].to_x, labels[i].to_y,
                    bri_colours[BRI_AXIS].light);
    (void)fprintf(f, "set label ");
    bri_symbols_gnuplot(f, line->label);
    (void)fprintf(f, " at graph %.4f,%.4f left front textcolor rgb '%s'\n", labels[i].x, labels[i].y, colour);
  }
  return BR_OK;
}

/* Font size of a title or label, for svg: smaller where it would be wider than its picture. */
static int title_size(const char *text, int usual, double width)
{
  const double wide = 0.56 * usual * (double)strlen(text), room = width - 24;
  const int size = wide > room ? (int)(usual * room / wide) : usual;
  return size < 9 ? 9 : size;
}

/* The scale of a heat map at the right edge: one box per level, numbers at the bounds. */
static void write_scale(FILE *f, const br_plot_panel *panel)
{
  const br_plot_look *look = panel->look;
  if (!look || !look->scale) {
    (void)fputs("unset rmargin\n", f);
    return;
  }
  const bri_axis a = bri_axis_scale(look);
  (void)fprintf(f, "set rmargin 13\n");
  for (int k = 0; k < BR_PLOT_LEVELS; k++)
    (void)fprintf(
        f,
        "set object rectangle from graph 1.04,%.4f to graph 1.09,%.4f noclip fillcolor rgb '%s' fillstyle "
        "solid border linecolor rgb '%s'\n",
        (double)k / BR_PLOT_LEVELS, (k + 1.0) / BR_PLOT_LEVELS, bri_colours[BRI_RAMP + k].light,
        bri_colours[BRI_RAMP + k].light);
  for (int k = 0; k <= BR_PLOT_LEVELS; k += 2)
    (void)fprintf(f, "set label '%.3g' at graph 1.09,%.4f left offset character 0.6,0 textcolor rgb '%s'\n",
                  look->bounds[k] * a.factor, (double)k / BR_PLOT_LEVELS, bri_colours[BRI_TEXT].light);
  char text[256];
  (void)snprintf(text, sizeof text, "%.200s%s%s", look->scale, a.unit[0] ? ", " : "", a.unit);
  (void)fputs("set label ", f);
  bri_symbols_gnuplot(f, text);
  (void)fprintf(f, " at graph 1.09,0.5 center offset character 6.4,0 rotate by 90 textcolor rgb '%s'\n",
                bri_colours[BRI_TEXT].light);
}

/* ---- panels ---- */

typedef struct {
  double width, height; /* of the drawing area, about, px */
  int bare;             /* 1: the x axis belongs to the panel below */
  double full;          /* width of the panel, px */
  int zoom;             /* fonts of the terminal, tenths of those of svg */
} place;

/* px: width of a letter as margins count, the usual left margin, a low panel, what a label may be longer than
 * its axis */
enum { LETTER = 10, USUAL = 80, LOW = 150, OVERHANG = 60 };

static br_status write_panel(FILE *f, const br_plot_panel *panel, size_t first, const place *at)
{
  size_t order = 0;
  const double names = LETTER * room_of_names(panel->look);
  if (panel->title) {
    setting(f, "title", panel->title);
    (void)fprintf(f, "set title font ',%d'\n",
                  title_size(panel->title, 15, at->full - names) * at->zoom / 10);
  } else {
    (void)fputs("unset title\n", f);
  }
  const bri_axis x = bri_axis_of(panel, 0);
  bri_axis y = bri_axis_of(panel, 1);
  if (at->height < LOW && !y.log && y.to - y.from > 4 * y.step) y.step *= 2;
  write_axis(f, "x", panel->xlabel, &x, !at->bare);
  write_axis(f, "y", panel->ylabel, &y, 1);
  (void)fprintf(f, "set ylabel font ',%d'\n",
                title_size(panel->ylabel, 14, at->height + OVERHANG - LETTER * (double)strlen(y.unit)) *
                    at->zoom / 10);
  write_names(f, panel->look, &y);
  const br_status st =
      write_labels(f, panel, &x, &y, at->width - (names > USUAL ? names - USUAL : 0), at->height);
  write_scale(f, panel);
  (void)fputs("plot ", f);
  for (size_t i = 0; i < panel->nlines; i++) {
    const br_plot_line *line = &panel->lines[i];
    if (i) (void)fputs(", \\\n     ", f);
    write_line(f, line, first + i, order, &x, &y);
    order += (size_t)bri_plot_counts(line);
  }
  (void)fputs(names > 0 ? "\nunset lmargin\n" : "\n", f);
  return st;
}

/* A name as gnuplot is to take it: "./" in front, as "|x" and "<x" would be commands and "-" a keyboard. */
static void file_name(FILE *f, const char *variable, const char *name)
{
  char path[BRI_PLOT_PATH + 2];
  (void)snprintf(path, sizeof path, "./%s", name);
  (void)fprintf(f, "if (!exists('%s')) %s = ", variable, variable);
  bri_gnuplot_text(f, path);
  (void)fputc('\n', f);
}

/* Fonts of the terminal, tenths of those of svg. */
static int zoom_of(const bri_plot_names *names)
{
  return names->form == BRI_PLOT_SVG ? 10 : names->form == BRI_PLOT_PDF ? 8 : 15;
}

static void write_open(FILE *f, const bri_plot_names *names, int width, int height)
{
  (void)fputs("# Redraw: gnuplot with this file, in its folder\n", f);
  file_name(f, "out", names->picture);
  file_name(f, "dat", names->data);
  if (names->form == BRI_PLOT_SVG) {
    (void)fprintf(f, "set terminal svg size %d,%d font 'Helvetica,14' background rgb 'white'\n", width,
                  height);
  } else if (names->form == BRI_PLOT_PDF) { /* 96 px an inch, fonts in points */
    (void)fprintf(f, "set terminal pdfcairo size %.3fin,%.3fin font 'Helvetica,10.5' linewidth 0.75\n",
                  width / 96.0, height / 96.0);
  } else {
    (void)fprintf(f,
                  "if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {\n"
                  "  set terminal pngcairo size %d,%d font 'Helvetica,21' linewidth 2 pointscale 2\n"
                  "} else {\n  set terminal png size %d,%d font 'Helvetica,21' linewidth 2\n}\n",
                  2 * width, 2 * height, 2 * width, 2 * height);
  }
  (void)fprintf(
      f,
      "set output out\nset encoding utf8\nset termoption enhanced\nset border 3 linecolor rgb '%s'\n"
      "set tics nomirror out scale 0.6 textcolor rgb '%s'\nset grid linetype 1 linecolor rgb '%s'\n"
      "set format '%%g'\nset key off\nset title font ',%d' textcolor rgb '%s'\n",
      bri_colours[BRI_AXIS].light, bri_colours[BRI_TEXT].light, bri_colours[BRI_GRID].light,
      15 * zoom_of(names) / 10, bri_colours[BRI_TITLE].light);
}

/* Panels one under the other, px: the title over all, the first of a column, one between, the last with the
 * numbers of the axis. */
enum { TITLE = 39, UPPER = 308, BETWEEN = 160, LOWER = 213 };

int bri_plot_under(const br_plot *plot, size_t p)
{
  return p > 0 && p < plot->npanels && plot->panels[p].look && plot->panels[p].look->under;
}

bri_layout bri_plot_layout(const br_plot *plot)
{
  const int n = (int)plot->npanels;
  bri_layout l = {n < 1 ? 1 : n <= 3 ? n : n == 4 ? 2 : n <= 9 ? 3 : 4, 1, 0, 0, 0};
  int deep = 1, columns = 0;
  for (int p = 0; p < n; p++) {
    deep = bri_plot_under(plot, (size_t)p) ? deep + 1 : 1;
    columns += deep == 1;
    l.stack = deep > l.stack ? deep : l.stack;
  }
  if (l.stack > 1) {
    l.columns = columns > 0 ? columns : 1;
    l.rows = l.stack;
    l.width = l.columns > 1 ? 440 * l.columns : 640;
    l.height = TITLE + UPPER + (l.stack - 2) * BETWEEN + LOWER;
    return l;
  }
  l.stack = 0;
  l.rows = (n + l.columns - 1) / l.columns;
  l.width = l.columns == 2 ? 1040 : n > 1 ? 440 * l.columns : 640;
  l.height = n == 4 ? 790 : n > 3 ? 340 * l.rows + 30 : n == 3 ? 400 : 440;
  return l;
}

/* Where a panel of a column stands, in parts of the picture: row counts from above, the last one has its axis
 * below. */
static void write_place(FILE *f, const bri_layout *l, int column, int row, int last)
{
  const double top = row ? LOWER + (l->stack - 1 - row) * BETWEEN : l->height - TITLE, high = !row ? UPPER
                                                                                              : last
                                                                                                  ? LOWER
                                                                                                  : BETWEEN;
  (void)fprintf(f, "set size %.4f,%.4f\nset origin %.4f,%.4f\nset lmargin 11\n", 1.0 / l->columns,
                high / l->height, (double)column / l->columns, (top - high) / l->height);
}

br_status bri_plot_script(FILE *f, const void *what, const bri_plot_names *names)
{
  const br_plot *plot = what;
  const bri_layout l = bri_plot_layout(plot);
  const int several = plot->npanels > 1, zoom = zoom_of(names);
  write_open(f, names, l.width, l.height);
  if (several) {
    if (l.stack) (void)fputs("set multiplot", f);
    else (void)fprintf(f, "set multiplot layout %d,%d", l.rows, l.columns);
    if (plot->title) {
      (void)fputs(" title ", f);
      bri_symbols_gnuplot(f, plot->title);
      (void)fprintf(f, " font ',%d' textcolor rgb '%s'", title_size(plot->title, 16, l.width) * zoom / 10,
                    bri_colours[BRI_TITLE].light);
    }
    (void)fputc('\n', f);
  }
  size_t first = 0;
  int column = -1, row = 0;
  br_status st = BR_OK;
  for (size_t p = 0; p < plot->npanels; p++) {
    br_plot_panel panel = plot->panels[p];
    const int under = bri_plot_under(plot, p), over = bri_plot_under(plot, p + 1);
    /* what gnuplot leaves for drawing, about: of 640 x 440, of 520 x 440 or of a panel of 440 x 340 */
    const int two = l.columns == 2;
    place at = {two       ? 420
                : several ? 330
                          : 535,
                two       ? 280
                : several ? 230
                          : 330,
                over, (double)l.width / l.columns, zoom};
    if (l.stack) {
      column += !under;
      row = under ? row + 1 : 0;
      if (l.columns == 1) at.width = 535;
      at.height = under ? 130 : 260;
      write_place(f, &l, column, row, !over);
    }
    if (panel.look && panel.look->scale) at.width -= 90;
    if (!several && plot->title && !panel.title) panel.title = plot->title;
    const br_status drawn = write_panel(f, &panel, first, &at);
    if (!st) st = drawn;
    first += panel.nlines;
  }
  if (several) (void)fputs("unset multiplot\n", f);
  (void)fputs("unset output\n", f);
  return st;
}
