/* SPDX-License-Identifier: Apache-2.0
 * tikz.c - a picture as LaTeX: one document with pgfplots that compiles alone, or the part between
 * \begin{tikzpicture} and \end{tikzpicture} for a paper.  Texts in the paper's fonts, symbols as mathematics.
 * */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "colours.h"
#include "plot.h"
#include "symbols.h"

enum { MOST_LINES = 256 };

/* "#rrggbb" as a colour of xcolor */
static void colour(FILE *f, const char *hex)
{
  (void)fprintf(f, "{rgb,255:red,%d;green,%d;blue,%d}", (int)strtol((char[]){hex[1], hex[2], 0}, NULL, 16),
                (int)strtol((char[]){hex[3], hex[4], 0}, NULL, 16),
                (int)strtol((char[]){hex[5], hex[6], 0}, NULL, 16));
}

static void option(FILE *f, const char *name, const char *text)
{
  (void)fprintf(f, ", %s={", name);
  bri_symbols_tex(f, text);
  (void)fputc('}', f);
}

static void axis(FILE *f, char which, const char *label, const bri_axis *a, int shown)
{
  char text[256], name[8];
  (void)snprintf(text, sizeof text, "%.200s%s%s", label, a->unit[0] ? ", " : "", a->unit);
  (void)snprintf(name, sizeof name, "%clabel", which);
  if (shown) option(f, name, text);
  (void)fprintf(f, ", %cmin=%.8g, %cmax=%.8g", which, a->from, which, a->to);
  if (a->log) (void)fprintf(f, ", %cmode=log", which);
}

/* "(12,4)" of gnuplot as "on 9pt off 3pt" */
static void dashes(FILE *f, const char *dash)
{
  double x = 0;
  int used = 0;
  if (dash[0] != '(') return;
  (void)fputs(", dash pattern=", f);
  const char *s = dash + 1;
  for (int k = 0; sscanf(s, "%lf%n", &x, &used) == 1; k++) {
    (void)fprintf(f, "%s%s %.2fpt", k ? " " : "", k % 2 ? "off" : "on", 0.6 * x);
    s += used;
    if (*s == ',') s++;
  }
}

static const char *mark_of(int point)
{
  static const char *const MARKS[] = {"none",    "+", "x", "star",     "square",
                                      "square*", "o", "*", "triangle", "triangle*"};
  return MARKS[point > 0 && point < 10 ? point : 0];
}

static void boxes(FILE *f, const br_plot_line *l, const bri_axis *x, const bri_axis *y,
                  const bri_line_look *look)
{
  for (size_t j = 0; j + 1 < l->n; j += 2) {
    (void)fputs("\\fill[color=", f);
    colour(f, look->colour);
    (void)fprintf(f, "] (axis cs:%.6g,%.6g) rectangle (axis cs:%.6g,%.6g);\n", l->x[j] * x->factor,
                  l->y[j] * y->factor, l->x[j + 1] * x->factor, l->y[j + 1] * y->factor);
  }
}

/* Strips: there along their lower edges, back along the upper ones. */
static void polygons(FILE *f, const br_plot_line *l, const bri_axis *x, const bri_axis *y,
                     const bri_line_look *look)
{
  for (size_t from = 0, to = 0; from + 1 < l->n; from = to + 2) {
    for (to = from; to + 1 < l->n && isfinite(l->x[to]);) to += 2;
    if (to == from) continue;
    (void)fputs("\\fill[color=", f);
    colour(f, look->colour);
    (void)fputs("]", f);
    for (size_t j = from; j < to; j += 2)
      (void)fprintf(f, " (axis cs:%.6g,%.6g) --\n", l->x[j] * x->factor, l->y[j] * y->factor);
    for (size_t j = to; j > from; j -= 2)
      (void)fprintf(f, " (axis cs:%.6g,%.6g) --\n", l->x[j - 1] * x->factor, l->y[j - 1] * y->factor);
    (void)fputs(" cycle;\n", f);
  }
}

static void arrows(FILE *f, const br_plot_line *l, const bri_axis *x, const bri_axis *y,
                   const bri_line_look *look)
{
  for (size_t j = 0; j + 1 < l->n; j += 2) {
    if (!isfinite(l->x[j] + l->y[j] + l->x[j + 1] + l->y[j + 1])) continue;
    (void)fputs("\\draw[-latex, line width=0.5pt, color=", f);
    colour(f, look->colour);
    (void)fprintf(f, "] (axis cs:%.6g,%.6g) -- (axis cs:%.6g,%.6g);\n", l->x[j] * x->factor,
                  l->y[j] * y->factor, l->x[j + 1] * x->factor, l->y[j + 1] * y->factor);
  }
}

static void line(FILE *f, const br_plot_line *l, size_t order, const bri_axis *x, const bri_axis *y)
{
  const bri_line_look look = bri_plot_look_of(l, order);
  const int kind = bri_plot_kind_of(l), joined = bri_plot_joined(kind);
  if (kind == BR_PLOT_STRIP) {
    polygons(f, l, x, y, &look);
    return;
  }
  if (kind == BR_PLOT_REGION || kind == BR_PLOT_LEVEL) {
    boxes(f, l, x, y, &look);
    return;
  }
  if (bri_plot_in_pairs(kind)) {
    arrows(f, l, x, y, &look);
    return;
  }
  (void)fputs("\\addplot[color=", f);
  colour(f, look.colour);
  (void)fprintf(f, ", line width=%.2fpt, mark=%s, mark size=%.1fpt, mark options={solid}", 0.5 * look.width,
                mark_of(look.point), 2 * look.size);
  if (joined) dashes(f, look.dash);
  else (void)fputs(", only marks", f);
  (void)fputs("] coordinates {", f);
  for (size_t j = 0; j < l->n; j++) {
    const double a = l->x[j] * x->factor, b = l->y[j] * y->factor;
    if (!isfinite(a) || !isfinite(b)) (void)fputs("(nan,nan)", f);
    else (void)fprintf(f, "(%.6g,%.6g)", a, b);
    (void)fputs(j % 8 == 7 ? "\n" : " ", f);
  }
  (void)fputs("};\n", f);
}

static br_status labels(FILE *f, const br_plot_panel *p, const bri_axis *x, const bri_axis *y, double width,
                        double height)
{
  bri_label at[MOST_LINES];
  if (p->nlines > MOST_LINES) return BR_OK;
  const br_status st = bri_labels_place(p, x, y, width, height, at);
  size_t order = 0;
  for (size_t i = 0; i < p->nlines && !st; i++) {
    const br_plot_line *l = &p->lines[i];
    const bri_line_look look = bri_plot_look_of(l, order);
    order += (size_t)bri_plot_counts(l);
    if (!at[i].shown) continue;
    if (at[i].leader)
      (void)fprintf(f, "\\draw[gray, line width=0.4pt] (rel axis cs:%.4f,%.4f) -- (rel axis cs:%.4f,%.4f);\n",
                    at[i].from_x, at[i].from_y, at[i].to_x, at[i].to_y);
    (void)fputs("\\node[anchor=west, inner sep=0pt, font=\\footnotesize, text=", f);
    colour(f, bri_plot_named_area(bri_plot_kind_of(l)) ? bri_colours[BRI_TITLE].light : look.colour);
    (void)fprintf(f, "] at (rel axis cs:%.4f,%.4f) {", at[i].x, at[i].y);
    bri_symbols_tex(f, l->label);
    (void)fputs("};\n", f);
  }
  return st;
}

/* The scale of a heat map, right of its panel. */
static void scale(FILE *f, const br_plot_look *look)
{
  const bri_axis a = bri_axis_scale(look);
  char text[256];
  for (int k = 0; k < BR_PLOT_LEVELS; k++) {
    (void)fputs("\\fill[color=", f);
    colour(f, bri_colours[BRI_RAMP + k].light);
    (void)fprintf(f, "] (rel axis cs:1.03,%.3f) rectangle (rel axis cs:1.07,%.3f);\n",
                  (double)k / BR_PLOT_LEVELS, (k + 1.0) / BR_PLOT_LEVELS);
  }
  for (int k = 0; k <= BR_PLOT_LEVELS; k += 2)
    (void)fprintf(f, "\\node[anchor=west, font=\\scriptsize] at (rel axis cs:1.07,%.3f) {%.3g};\n",
                  (double)k / BR_PLOT_LEVELS, look->bounds[k] * a.factor);
  (void)snprintf(text, sizeof text, "%.200s%s%s", look->scale, a.unit[0] ? ", " : "", a.unit);
  (void)fputs("\\node[rotate=90, font=\\footnotesize] at (rel axis cs:1.22,0.5) {", f);
  bri_symbols_tex(f, text);
  (void)fputs("};\n", f);
}

static br_status panel(FILE *f, const br_plot_panel *p, const char *title, int bare, double width,
                       double height)
{
  const bri_axis x = bri_axis_of(p, 0), y = bri_axis_of(p, 1);
  size_t order = 0;
  (void)fprintf(f, "\\nextgroupplot[width=%.2fcm, height=%.2fcm", width / 60, height / 60);
  if (title) option(f, "title", title);
  axis(f, 'x', p->xlabel, &x, !bare);
  axis(f, 'y', p->ylabel, &y, 1);
  if (bare) (void)fputs(", xticklabels={}", f);
  const br_plot_look *look = p->look;
  for (int names = 0; look && look->names && names < 2; names++) {
    (void)fputs(names ? ", yticklabels={" : ", ytick={", f);
    for (size_t i = 0; i < look->nnames; i++) {
      (void)fputs(i ? "," : "", f);
      if (!names) (void)fprintf(f, "%.8g", look->at[i] * y.factor);
      else (void)fputc('{', f), bri_symbols_tex(f, look->names[i]), (void)fputc('}', f);
    }
    (void)fputc('}', f);
  }
  (void)fputs("]\n", f);
  for (size_t i = 0; i < p->nlines; i++) {
    line(f, &p->lines[i], order, &x, &y);
    order += (size_t)bri_plot_counts(&p->lines[i]);
  }
  if (p->look && p->look->scale) scale(f, p->look);
  return labels(f, p, &x, &y, width - 90, height - 60);
}

br_status bri_plot_tex(FILE *f, const void *what, const bri_plot_names *names)
{
  const br_plot *plot = what;
  const bri_layout l = bri_plot_layout(plot);
  const int several = plot->npanels > 1, rows = l.rows;
  const double width = several ? (double)l.width / l.columns : l.width, height = (double)l.height / rows;
  br_status st = BR_OK;
  (void)names;
  (void)fputs("\\documentclass[border=3pt]{standalone}\n\\usepackage[T1]{fontenc}\n\\IfFileExists{lmodern."
              "sty}{\\usepackage{lmodern}}{}\n\\usepackage[utf8]{inputenc}\n"
              "\\usepackage{textcomp}\n\\usepackage{pgfplots}\n\\usepgfplotslibrary{groupplots}\n"
              "\\pgfplotsset{compat=1.16}\n\\begin{document}\n\\begin{tikzpicture}\n",
              f);
  (void)fprintf(
      f,
      "\\begin{groupplot}[group style={group size=%d by %d, horizontal sep=2cm, vertical sep=%s}, axis "
      "lines=left, axis line style={-}, grid=major, grid style={gray!20}, unbounded coords=jump, clip "
      "mode=individual, tick label style={font=\\footnotesize}, label style={font=\\small}, title "
      "style={font=\\small}]\n",
      l.columns, rows, l.stack ? "0.6cm" : "2cm");
  /* rows of the group from left to right; stacks: all first panels, then all second ones, gaps where a stack
   * ended */
  for (int row = 0; row < (l.stack ? l.stack : 1); row++) {
    for (size_t p = 0, deep = 0; p < plot->npanels && !st; p++) {
      const int above = bri_plot_under(plot, p + 1);
      deep = bri_plot_under(plot, p) ? deep + 1 : 0;
      if (l.stack && !above && (int)deep < row) (void)fputs("\\nextgroupplot[hide axis]\n", f);
      if (l.stack && (int)deep != row) continue;
      const char *title = plot->panels[p].title ? plot->panels[p].title : several ? NULL : plot->title;
      st = panel(f, &plot->panels[p], title, above, width, deep ? 0.7 * height : height);
    }
  }
  (void)fputs("\\end{groupplot}\n", f);
  if (several && plot->title) {
    (void)fputs("\\node[anchor=south, yshift=8mm] at (current bounding box.north) {", f);
    bri_symbols_tex(f, plot->title);
    (void)fputs("};\n", f);
  }
  (void)fputs("\\end{tikzpicture}\n\\end{document}\n", f);
  return st;
}
