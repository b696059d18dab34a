/* SPDX-License-Identifier: Apache-2.0
 * pictures.c - the pictures of a study, one after the other: into files, the terminal, a page.
 * A study that names none gets the picture of each of its analyses. */
#include <stdio.h>
#include <string.h>

#include "analysis/result.h"
#include "ask.h"
#include "bristle/report.h"
#include "draw.h"
#include "kinds.h"

enum { MOST_PANELS = 24 };

/* ---- kinds: keys that a plot's own come on top of ---- */

/* Of any table: columns as the plot says. */
static const br_picture_line HEAT[] = {{.style = "heat"}};
static const br_picture_line MARKED[] = {{.style = "marked"}};
static const br_picture_line FIT[] = {{.style = "points", .colour = 1, .label = "data"},
                                      {.y = "$fit", .style = "bold", .colour = 2, .label = "fit"}};
static const br_picture_line RESIDUAL[] = {{.minus = "$fit", .style = "points", .colour = 1, .label = ""}};
static const br_picture_panel HEAT_PANELS[] = {{.value = "value", .lines = HEAT, .nlines = 1}};
static const br_picture_panel PRECISION_PANELS[] = {{.scale = "loglog", .lines = MARKED, .nlines = 1}};
static const br_picture_panel FIT_PANELS[] = {
    {.lines = FIT, .nlines = 2}, {.ylabel = "residual", .under = 1, .lines = RESIDUAL, .nlines = 1}};
static const br_picture OWN[] = {
    {HEAT_PANELS, 1, "heatmap"}, {PRECISION_PANELS, 1, "work-precision"}, {FIT_PANELS, 2, "fit"}};

const br_picture *bri_kind_find(const char *kind)
{
  for (size_t i = 0; kind && i < sizeof OWN / sizeof OWN[0]; i++)
    if (strcmp(OWN[i].name, kind) == 0) return &OWN[i];
  return br_picture_find(kind);
}

/* What a node leaves to its 'kind'; where it is one panel among others, the first panel of that picture. */
static br_status complete(const br_study *s, bri_arena *arena, const bri_node *node, int panel,
                          const bri_node **out, br_err *err)
{
  const br_picture *kind = bri_kind_find(bri_node_text(node, "kind", NULL));
  *out = node;
  if (!kind) return BR_OK;
  br_picture shown = *kind;
  if (panel) shown.npanels = 1;
  bri_node *base = bri_picture_keys(s, arena, &shown, bri_node_text(node, "run", NULL), NULL),
           *merged = base ? bri_node_merge(arena, base, node) : NULL;
  if (!merged) return bri_no_memory(err, "plot");
  merged->at = node->at;
  *out = merged;
  return BR_OK;
}

/* ---- one picture: its panels, then the caller's function ---- */

static br_status make_plot(const br_study *s, const bri_node *own, const br_analysis *only, const char *name,
                           bri_plot_fn *fn, void *ctx, br_err *err)
{
  br_plot_panel panels[MOST_PANELS];
  bri_arena *arena = bri_arena_create();
  const bri_node *node = NULL;
  br_status st = arena ? BR_OK : bri_study_no_memory(s, err);
  if (!st) st = complete(s, arena, own, 0, &node, err);
  const bri_node *list = st ? NULL : bri_node_find(node, "panels");
  br_plot plot = {bri_node_text(node, "title", s->title), panels, 0};
  bri_frame f = {s, arena, node, node, NULL, only};
  if (!list && !st) st = bri_panel_make(&f, &panels[plot.npanels++], err);
  for (const bri_node *p = list ? list->first : NULL; p && !st; p = p->next) {
    if (plot.npanels == MOST_PANELS) {
      st = bri_fail(err, BR_E_SIZE, "%s:%zu:%zu: more than %d panels", p->at.file, p->at.line, p->at.column,
                    MOST_PANELS);
      break;
    }
    st = complete(s, arena, p, 1, &f.panel, err);
    if (!st) st = bri_panel_make(&f, &panels[plot.npanels], err);
    plot.npanels += !st && panels[plot.npanels].nlines > 0;
  }
  if (!st && plot.npanels && panels[0].nlines) st = fn(ctx, name, &plot, err);
  bri_arena_destroy(arena);
  return st;
}

/* The picture an analysis brings along, over all its runs, or of one. */
static br_status default_plot(const br_study *s, const br_analysis *an, const char *run, bri_plot_fn *fn,
                              void *ctx, br_err *err)
{
  char name[160];
  bri_arena *arena = bri_arena_create();
  const bri_node *root = arena ? bri_picture_keys(s, arena, &an->picture, run, an) : NULL;
  (void)snprintf(name, sizeof name, "%s%s%.64s", an->name, run ? "-" : "", run ? run : "");
  const br_status st = root ? make_plot(s, root, an, name, fn, ctx, err) : bri_study_no_memory(s, err);
  bri_arena_destroy(arena);
  return st;
}

/* The first table of a run that a panel draws; NULL: none. */
static const bri_table *drawn_of(const bri_run *r, const br_picture_panel *p)
{
  for (size_t l = 0; l < p->nlines; l++)
    for (size_t k = 0; k < r->res.ntables && p->lines[l].table; k++)
      if (bri_name_fits(r->res.tables[k].name, p->lines[l].table)) return &r->res.tables[k];
  return NULL;
}

/* Do the runs of an analysis fit on the same axes?  A map and a curve do not, nor do curves over other
 * columns. */
static int together(const br_study *s, const br_analysis *an)
{
  for (size_t i = 0; i < an->picture.npanels; i++) {
    const bri_table *first = NULL;
    for (size_t k = 0; k < s->nruns && !an->picture.panels[i].x; k++) {
      const bri_table *t = s->runs[k].an == an ? drawn_of(&s->runs[k], &an->picture.panels[i]) : NULL;
      if (t && first &&
          (t->ncol != first->ncol || strcmp(t->names[0], first->names[0]) != 0 ||
           (t->ncol > 1 && strcmp(t->names[1], first->names[1]) != 0)))
        return 0;
      first = first ? first : t;
    }
  }
  return 1;
}

br_status bri_study_each_plot(const br_study *s, bri_plot_fn *fn, void *ctx, br_err *err)
{
  const bri_node *plots = bri_node_find(s->root, "plots");
  br_status st = BR_OK;
  if (plots && plots->kind == BRI_MAP) {
    for (const bri_node *p = plots->first; p && !st; p = p->next)
      st = make_plot(s, p, NULL, p->key, fn, ctx, err);
    return st;
  }
  const br_analysis *a = NULL;
  for (size_t i = 0; (a = br_catalogue(i)) != NULL && !st; i++)
    if (a->picture.npanels && bri_study_uses(s, a)) {
      const int one = together(s, a);
      if (one) st = default_plot(s, a, NULL, fn, ctx, err);
      for (size_t k = 0; k < s->nruns && !one && !st; k++)
        if (s->runs[k].an == a) st = default_plot(s, a, s->runs[k].name, fn, ctx, err);
    }
  return st;
}

/* ---- to files, to the terminal ---- */

typedef struct {
  const br_study *s;
  const br_study_options *opt;
  double part;
} drawing;

static br_status draw(void *ctx, const char *name, const br_plot *plot, br_err *err)
{
  drawing *d = ctx;
  char path[BRI_STUDY_PATH];
  br_status st = BR_OK;
  if (d->opt->stop && d->opt->stop(d->opt->ctx)) return BR_INTERRUPTED;
  const int kinds = d->opt->png > 0 ? 2 : 1; /* svg, then png */
  for (int png = 0; png < kinds && !st; png++) {
    char file[160];
    (void)snprintf(file, sizeof file, "%.140s.%s", name, png ? "png" : "svg");
    bri_study_path(d->s, file, path);
    st = br_plot_write(path, plot, err);
  }
  d->part += 0.5 * (1 - d->part);
  if (d->opt->progress) d->opt->progress(d->opt->ctx, d->part, name);
  return st;
}

br_status bri_study_draw(const br_study *s, const br_study_options *opt, br_err *err)
{
  drawing d = {s, opt, 0.9};
  if (br_plot_check("x.svg", NULL)) return BR_OK; /* no gnuplot: tables only */
  return bri_study_each_plot(s, draw, &d, err);
}

typedef struct {
  const char *name, *path;
  int drawn;
} single;

static br_status draw_single(void *ctx, const char *name, const br_plot *plot, br_err *err)
{
  single *w = ctx;
  if (strcmp(name, w->name) != 0) return BR_OK;
  w->drawn = 1;
  return br_plot_write(w->path, plot, err);
}

br_status br_study_picture(const br_study *s, const char *name, const char *path, br_err *err)
{
  single w = {name, path, 0};
  if (!s || !s->folder || !name || !path)
    return bri_fail(err, BR_E_ARG, "br_study_picture: no study that was run, or no name");
  const br_status st = bri_study_each_plot(s, draw_single, &w, err);
  if (st || w.drawn) return st;
  return bri_fail(err, BR_E_NAME, "%s: there is nothing to draw for picture '%.60s'", s->name, name);
}

typedef struct {
  size_t columns, rows;
  void (*print)(void *ctx, const char *text);
  void *ctx;
} sketching;

static br_status sketch(void *ctx, const char *name, const br_plot *plot, br_err *err)
{
  const sketching *k = ctx;
  (void)name;
  return br_plot_sketch(plot, k->columns, k->rows, k->print, k->ctx, err);
}

br_status br_study_sketch(const br_study *s, size_t columns, size_t rows,
                          void (*print)(void *ctx, const char *text), void *ctx, br_err *err)
{
  sketching k = {columns, rows, print, ctx};
  if (!s || !s->folder || !print) return bri_fail(err, BR_E_ARG, "br_study_sketch: no study that was run");
  return bri_study_each_plot(s, sketch, &k, err);
}

static br_status count(void *ctx, const char *name, const br_plot *plot, br_err *err)
{
  (void)name, (void)plot, (void)err;
  ++*(size_t *)ctx;
  return BR_OK;
}

size_t br_study_plots(const br_study *s)
{
  size_t n = 0;
  return bri_study_each_plot(s, count, &n, NULL) ? 0 : n;
}
