/* SPDX-License-Identifier: Apache-2.0
 * figure.c - panels with styled lines, marks, arrows, texts and cells, drawn by gnuplot. */
#include "bristle/figure.h"

#include <math.h>
#include <string.h>

#include "../text/fail.h"
#include "bristle/text.h"
#include "plot.h"

typedef struct {
  const char *title;
  const br_figure_panel *panels;
  size_t n;
} figure;

/* Okabe and Ito's palette; cells use light versions, so that lines and texts stay readable on them. */
static const char *const COLOURS[] = {"#000000", "#0072B2", "#D55E00", "#009E73",
                                      "#CC79A7", "#56B4E9", "#E69F00", "#888888"};
static const char *const DASHES[] = {"1", "(10,4)", "(2,3)", "(10,3,2,3)"};
static const int MARKS[] = {7, 6, 5, 4, 2, 3, 8};
static const char *const CELLS[] = {"#E8E8E8", "#9CC9E8", "#F2B38F", "#9FD8C3", "#E9C6D8", "#F5E79E",
                                    "#C9B8E6", "#C8DD94", "#F7C4C4", "#B5D8D8", "#D9C9A8", "#A8B8D9"};
enum { NCELLS = sizeof CELLS / sizeof CELLS[0] };

static void number(FILE *f, double x)
{
  char text[BR_DOUBLE_TEXT];
  (void)br_format_double(x, text);
  (void)fputs(isfinite(x) ? text : "NaN", f);
}

static void write_items(FILE *f, const br_figure_panel *p, size_t *k)
{
  for (size_t i = 0; i < p->nitems; i++, ++*k) {
    const br_figure_item *it = &p->items[i];
    if (*k) (void)fputs("\n\n", f);
    (void)fprintf(f, "# index %zu: %s | %s%s%s\n", *k, p->xlabel, p->ylabel, it->label ? " | " : "",
                  it->label ? it->label : "");
    const size_t step = it->kind == BR_FIGURE_ARROWS ? 2 : 1;
    for (size_t j = 0; j + step <= it->n; j += step) {
      number(f, it->x[j]);
      (void)fputc(' ', f);
      number(f, it->y[j]);
      if (step == 2) {
        (void)fputc(' ', f);
        number(f, it->x[j + 1] - it->x[j]);
        (void)fputc(' ', f);
        number(f, it->y[j + 1] - it->y[j]);
      }
      (void)fputc('\n', f);
    }
    if (it->n < step) (void)fputs("NaN NaN NaN NaN\n", f);
  }
}

static void write_cells(FILE *f, const br_figure_panel *p, size_t *k)
{
  const br_figure_cells *c = p->cells;
  if (!c) return;
  if (*k) (void)fputs("\n\n", f);
  (void)fprintf(f, "# index %zu: cells %s | %s | index\n", *k, p->xlabel, p->ylabel);
  for (size_t i = 0; i < c->nx; i++) {
    for (size_t j = 0; j < c->ny; j++) {
      const double x = c->nx > 1 ? c->x0 + (c->x1 - c->x0) * (double)i / (double)(c->nx - 1) : c->x0;
      const double y = c->ny > 1 ? c->y0 + (c->y1 - c->y0) * (double)j / (double)(c->ny - 1) : c->y0;
      const int index = c->cell[i * c->ny + j];
      (void)fprintf(f, "%.9g %.9g ", x, y);
      if (index == 255) (void)fputs("NaN\n", f);
      else (void)fprintf(f, "%d\n", index % NCELLS);
    }
  }
  ++*k;
}

static void write_data(FILE *f, const void *what, const bri_plot_names *names)
{
  const figure *g = what;
  size_t k = 0;
  (void)names;
  for (size_t p = 0; p < g->n; p++) {
    write_items(f, &g->panels[p], &k);
    write_cells(f, &g->panels[p], &k);
  }
}

static void text_setting(FILE *f, const char *name, const char *text)
{
  if (!text) {
    (void)fprintf(f, "unset %s\n", name);
    return;
  }
  (void)fprintf(f, "set %s ", name);
  bri_plot_quoted(f, text);
  (void)fputc('\n', f);
}

static void range(FILE *f, const char *axis, double a, double b)
{
  if (a < b) (void)fprintf(f, "set %srange [%.12g:%.12g]\n", axis, a, b);
  else (void)fprintf(f, "set %srange [*:*]\n", axis);
}

static void style(FILE *f, const br_figure_item *it)
{
  const char *colour = COLOURS[it->colour % 8];
  const double width = it->width > 0 ? it->width : 1;
  if (it->kind == BR_FIGURE_LINE) {
    (void)fprintf(f, "using 1:2 with lines linewidth %g dashtype %s linecolor rgb '%s'", width,
                  DASHES[it->dash % 4], colour);
  } else if (it->kind == BR_FIGURE_MARKS) {
    (void)fprintf(f, "using 1:2 with points pointtype %d pointsize %g linewidth 1.4 linecolor rgb '%s'",
                  MARKS[it->mark % 7], width, colour);
  } else {
    (void)fprintf(
        f,
        "using 1:2:3:4 with vectors head filled size screen 0.012,20 fixed linewidth %g linecolor rgb '%s'",
        width, colour);
  }
}

/* small: font size of everything but the titles, in the unit of the terminal */
static void write_panel(FILE *f, const br_figure_panel *p, int with_key, int small, size_t *k)
{
  const char *sep = "plot ";
  (void)fprintf(f, "set xlabel font ',%d'\nset ylabel font ',%d'\nset title font ',%d'\n", small, small,
                small + small / 6);
  text_setting(f, "title", p->title);
  text_setting(f, "xlabel", p->xlabel);
  text_setting(f, "ylabel", p->ylabel);
  range(f, "x", p->x0, p->x1);
  range(f, "y", p->y0, p->y1);
  if (with_key)
    (void)fprintf(f, "set key below horizontal maxcols 3 samplen 2.5 spacing 1.05 font ',%d'\n",
                  small - small / 8);
  else (void)fputs("set key off\n", f);
  (void)fputs("unset label\nunset colorbox\n", f);
  for (size_t i = 0; i < p->ntexts; i++) {
    (void)fputs("set label ", f);
    bri_plot_quoted(f, p->texts[i].text);
    (void)fprintf(f, " at %.12g,%.12g center front font ',%d'\n", p->texts[i].x, p->texts[i].y, small);
  }
  if (p->cells) {
    (void)fprintf(f, "set cbrange [0:%d]\nset palette maxcolors %d defined (", NCELLS - 1, NCELLS);
    for (int i = 0; i < NCELLS; i++) (void)fprintf(f, "%s%d '%s'", i ? ", " : "", i, CELLS[i]);
    (void)fprintf(f, ")\n%sdat index %zu using 1:2:3 with image notitle", sep, *k + p->nitems);
    sep = ", \\\n     ";
  }
  for (size_t i = 0; i < p->nitems; i++) {
    (void)fprintf(f, "%sdat index %zu ", sep, *k + i);
    style(f, &p->items[i]);
    if (with_key && p->items[i].label) {
      (void)fputs(" title ", f);
      bri_plot_quoted(f, p->items[i].label);
    } else {
      (void)fputs(" notitle", f);
    }
    sep = ", \\\n     ";
  }
  for (size_t i = 0; p->cells && p->cells->names && i < p->cells->n_names; i++) {
    if (!p->cells->names[i][0]) continue;
    (void)fprintf(f, "%sNaN with points pointtype 5 pointsize 2 linecolor rgb '%s' title ", sep,
                  CELLS[i % NCELLS]);
    bri_plot_quoted(f, p->cells->names[i]);
  }
  (void)fputc('\n', f);
  *k += p->nitems + (p->cells ? 1 : 0);
}

static void write_script(FILE *f, const void *what, const bri_plot_names *names)
{
  const figure *g = what;
  size_t k = 0;
  bri_plot_open(f, names, g->n > 1 ? 520 * (int)g->n : 760, 560);
  const int small = names->svg ? 12 : 20;
  (void)fprintf(f, "set tics font ',%d'\nunset grid\n", small);
  if (g->n > 1) {
    (void)fprintf(f, "set multiplot layout 1,%zu", g->n);
    if (g->title) {
      (void)fputs(" title ", f);
      bri_plot_quoted(f, g->title);
      (void)fprintf(f, " font ',%d'", small + small / 4);
    }
    (void)fputc('\n', f);
  }
  for (size_t p = 0; p < g->n; p++) {
    br_figure_panel panel = g->panels[p];
    if (g->n == 1 && !panel.title) panel.title = g->title;
    int keyed = panel.cells && panel.cells->names;
    for (size_t i = 0; i < panel.nitems; i++) keyed = keyed || panel.items[i].label;
    write_panel(f, &panel, keyed, small, &k);
  }
  if (g->n > 1) (void)fputs("unset multiplot\n", f);
  (void)fputs("unset output\n", f);
}

br_status br_figure_write(const char *path, const char *title, const br_figure_panel *panels, size_t npanels,
                          br_err *err)
{
  int good = panels && npanels >= 1 && npanels <= 4;
  for (size_t p = 0; good && p < npanels; p++) {
    good = panels[p].xlabel && panels[p].ylabel && (panels[p].nitems > 0 || panels[p].cells);
    for (size_t i = 0; good && i < panels[p].nitems; i++) good = panels[p].items[i].x && panels[p].items[i].y;
  }
  if (!good)
    return bri_text_fail(err, BR_E_ARG, -1, "br_figure_write: panels, axis labels or items are missing");
  const figure g = {title, panels, npanels};
  return bri_plot_store(path, write_data, write_script, &g, err);
}
