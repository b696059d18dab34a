/* SPDX-License-Identifier: Apache-2.0
 * draw.c - the pictures of a study, from the CSV tables of its runs.
 * A study that names none gets the picture of each of its analyses. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis.h"
#include "bristle/report.h"
#include "bristle/table.h"
#include "bristle/text.h"
#include "draw.h"

enum { POINTS = 4000, CHUNK = 1024, MOST_LINES = 64, MOST_PANELS = 24 };

static const char *text_of(const bri_node *map, const char *key, const char *other)
{
  const bri_node *e = bri_node_find(map, key);
  return e && e->kind == BRI_SCALAR && e->text[0] ? e->text : other;
}

static double number_of(const bri_node *map, const char *key, double other)
{
  double x = other;
  const char *text = text_of(map, key, "");
  return text[0] && br_parse_double(text, strlen(text), &x) ? x : other;
}

/* ---- a line: two columns of a CSV file, thinned out where it is long ---- */

static int column_of(const bri_table *t, const char *name)
{
  for (size_t i = 0; i < t->ncol; i++) {
    if (strcmp(t->names[i], name) == 0) return (int)i;
  }
  return -1;
}

/* Of every `bucket` rows the lowest and the highest stay, in their order; the first and the last row too. */
typedef struct {
  double *x, *y;
  size_t n, bucket, k;
  double lo[2], hi[2];
  int lo_first;
} thinner;

static void thin(thinner *t, double x, double y)
{
  if (t->bucket == 1) {
    t->x[t->n] = x;
    t->y[t->n++] = y;
    return;
  }
  if (t->k == 0) {
    t->lo[0] = t->hi[0] = x;
    t->lo[1] = t->hi[1] = y;
    t->lo_first = 1;
  }
  if (y < t->lo[1]) t->lo[0] = x, t->lo[1] = y, t->lo_first = 0;
  if (y > t->hi[1]) t->hi[0] = x, t->hi[1] = y, t->lo_first = 1;
  if (++t->k < t->bucket) return;
  const double *one = t->lo_first ? t->lo : t->hi, *two = t->lo_first ? t->hi : t->lo;
  t->x[t->n] = one[0], t->y[t->n++] = one[1];
  t->x[t->n] = two[0], t->y[t->n++] = two[1];
  t->k = 0;
}

static br_status read_line(const br_study *s, bri_arena *arena, const bri_table *t, const bri_node *line,
                           const char *xname, const char *yname, int all, br_plot_line *out, br_err *err)
{
  char path[BRI_STUDY_PATH];
  const int cx = column_of(t, xname), cy = column_of(t, yname);
  const double fx = number_of(line, "xfactor", 1), fy = number_of(line, "yfactor", 1),
               x0 = number_of(line, "xoffset", 0);
  br_table_reader *reader = NULL;
  thinner thin_out = {0};
  thin_out.bucket = all || t->rows <= POINTS ? 1 : t->rows / (POINTS / 2) + 1;
  const size_t room = thin_out.bucket == 1 ? t->rows : 2 * (t->rows / thin_out.bucket + 1);
  thin_out.x = bri_arena_get(arena, (room + 1) * sizeof *thin_out.x);
  thin_out.y = bri_arena_get(arena, (room + 1) * sizeof *thin_out.y);
  double *rows = bri_arena_get(arena, CHUNK * t->ncol * sizeof *rows);
  if (!thin_out.x || !thin_out.y || !rows)
    return bri_text_fail(err, BR_E_NOMEM, -1, "%s: out of memory", s->name);
  bri_study_path(s, t->file, path);
  br_status st = br_table_reader_create(path, NULL, &reader, err);
  for (size_t done = 0; !st;) {
    size_t got = 0;
    st = br_table_reader_next(reader, CHUNK, rows, &got, err);
    if (st || got == 0 || done + got > t->rows) break;
    for (size_t k = 0; k < got; k++)
      thin(&thin_out, x0 + fx * rows[k * t->ncol + (size_t)cx], fy * rows[k * t->ncol + (size_t)cy]);
    done += got;
  }
  br_table_reader_destroy(reader);
  if (thin_out.k) thin_out.x[thin_out.n] = thin_out.hi[0], thin_out.y[thin_out.n++] = thin_out.hi[1];
  out->x = thin_out.x;
  out->y = thin_out.y;
  out->n = thin_out.n;
  return st;
}

/* ---- panels ---- */

/* What a panel is made from: its own keys, those of the plot around it, the line being drawn. */
typedef struct {
  const br_study *s;
  bri_arena *arena;
  const bri_node *plot, *panel, *line; /* line NULL: the default one */
  const bri_analysis *only;            /* default picture: runs of this analysis; NULL: all */
} frame;

static const char *key_of(const frame *f, const char *key, const char *other)
{
  return text_of(f->line, key, text_of(f->panel, key, text_of(f->plot, key, other)));
}

static br_status unknown_column(const frame *f, const bri_table *t, const char *axis, const char *name,
                                br_err *err)
{
  char list[160] = "";
  for (size_t k = 0, used = 0; k < t->ncol && used < sizeof list; k++) {
    const int w = snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", t->names[k]);
    used += w > 0 ? (size_t)w : 0;
  }
  const bri_node *at = f->line ? f->line : f->panel;
  return bri_text_fail(err, BR_E_NAME, -1,
                       "%s:%zu:%zu: table '%s' has no column '%.40s' for %s; it has %.100s", at->at.file,
                       at->at.line, at->at.column, t->name, name, axis, list);
}

/* What stands at the line: as given (an empty text: nothing), or the run's label where there are several;
 * marks and arrows have none. */
static const char *label_of(const frame *f, const bri_run *r, br_plot_kind kind, int several)
{
  const bri_node *label = bri_node_find(f->line, "label");
  if (label) return label->text;
  const int plain = kind != BR_PLOT_CIRCLES && kind != BR_PLOT_SQUARES && kind != BR_PLOT_VECTORS;
  return plain && several ? r->label : NULL;
}

static br_status add_line(const frame *f, const bri_run *r, const bri_table *t, int several,
                          br_plot_panel *panel, br_plot_line *lines, br_err *err)
{
  static const br_plot_kind KIND[] = {BR_PLOT_LINE,   BR_PLOT_THICK,   BR_PLOT_BACK,    BR_PLOT_DOTS,
                                      BR_PLOT_POINTS, BR_PLOT_CIRCLES, BR_PLOT_SQUARES, BR_PLOT_VECTORS};
  const char *x = key_of(f, "x", t->names[0]), *y = key_of(f, "y", t->names[t->ncol > 1 ? 1 : 0]);
  const char *style = text_of(f->line, "style", "line");
  const int k = bri_choice_index(bri_study_key_of(BR_KEYS_LINE, "style")->choices, style);
  const int cx = column_of(t, x), cy = column_of(t, y);
  if (cx < 0 || cy < 0) return unknown_column(f, t, cx < 0 ? "x" : "y", cx < 0 ? x : y, err);
  if (panel->nlines == MOST_LINES)
    return bri_text_fail(err, BR_E_SIZE, -1, "%s: more than %d lines in one panel", f->s->name, MOST_LINES);
  br_plot_line *line = &lines[panel->nlines];
  const br_plot_kind kind = KIND[k < 0 ? 0 : k];
  const br_status st = read_line(f->s, f->arena, t, f->line, x, y, kind == BR_PLOT_VECTORS, line, err);
  if (st || line->n == 0) return st;
  const bri_node *colour = bri_node_find(f->line, "colour");
  line->kind = colour ? BR_PLOT_COLOURED(kind, number_of(f->line, "colour", 0)) : kind;
  line->label = label_of(f, r, kind, several);
  if (panel->nlines == 0) {
    panel->xlabel = key_of(f, "xlabel", x);
    panel->ylabel = key_of(f, "ylabel", y);
    panel->xunit = key_of(f, "xunit", t->units[cx]);
    panel->yunit = key_of(f, "yunit", t->units[cy]);
  }
  panel->nlines++;
  return BR_OK;
}

/* Does a table's name fit "minor*", "turning" or, NULL, the main table of the analysis? */
static int fits(const bri_run *r, const bri_table *t, const char *pattern)
{
  if (!pattern) return strcmp(t->name, r->an->face.name) == 0;
  const size_t n = strlen(pattern);
  if (n && pattern[n - 1] == '*') return strncmp(t->name, pattern, n - 1) == 0;
  return strcmp(t->name, pattern) == 0;
}

static int takes(const frame *f, const bri_run *r)
{
  const char *name = text_of(f->line, "run", NULL);
  return (!name || strcmp(r->name, name) == 0) && (!f->only || r->an == f->only);
}

/* One entry of 'lines' may draw several tables of several runs. */
static br_status add_entry(const frame *f, br_plot_panel *panel, br_plot_line *lines, br_err *err)
{
  const char *pattern = text_of(f->line, "table", NULL);
  size_t runs = 0, found = 0;
  for (size_t i = 0; i < f->s->nruns; i++) runs += (size_t)takes(f, &f->s->runs[i]);
  for (size_t i = 0; i < f->s->nruns; i++) {
    const bri_run *r = &f->s->runs[i];
    int labelled = runs > 1 || (f->s->nruns > 1 && text_of(f->line, "run", NULL));
    for (size_t k = 0; k < r->res.ntables && takes(f, r); k++) {
      if (!fits(r, &r->res.tables[k], pattern)) continue;
      const br_status st = add_line(f, r, &r->res.tables[k], labelled, panel, lines, err);
      if (st) return st;
      labelled = 0;
      found++;
    }
  }
  if (found || (pattern && pattern[0] && pattern[strlen(pattern) - 1] == '*')) return BR_OK;
  const bri_node *at = f->line ? f->line : f->panel;
  return bri_text_fail(err, BR_E_NAME, -1, "%s:%zu:%zu: no run has a table '%.60s' for this line",
                       at->at.file, at->at.line, at->at.column, pattern ? pattern : "(main)");
}

static br_status make_panel(frame *f, br_plot_panel *panel, br_err *err)
{
  const bri_node *list = bri_node_find(f->panel, "lines");
  if (!list) list = bri_node_find(f->plot, "lines");
  br_plot_line *lines = bri_arena_get(f->arena, MOST_LINES * sizeof *lines);
  br_status st = lines ? BR_OK : bri_text_fail(err, BR_E_NOMEM, -1, "%s: out of memory", f->s->name);
  memset(panel, 0, sizeof *panel);
  f->line = NULL;
  if (!list && !st) st = add_entry(f, panel, lines, err);
  for (const bri_node *l = list ? list->first : NULL; l && !st; l = l->next) {
    f->line = l;
    st = add_entry(f, panel, lines, err);
  }
  panel->lines = lines;
  panel->title = f->panel == f->plot ? NULL : text_of(f->panel, "title", NULL);
  return st;
}

/* One picture: its panels, then the caller's function. */
static br_status make_plot(const br_study *s, const bri_node *node, const bri_analysis *only,
                           const char *name, bri_plot_fn *fn, void *ctx, br_err *err)
{
  const bri_node *list = bri_node_find(node, "panels");
  br_plot_panel panels[MOST_PANELS];
  bri_arena *arena = bri_arena_create();
  br_status st = arena ? BR_OK : bri_text_fail(err, BR_E_NOMEM, -1, "%s: out of memory", s->name);
  br_plot plot = {text_of(node, "title", s->title), panels, 0};
  frame f = {s, arena, node, node, NULL, only};
  if (!list && !st) st = make_panel(&f, &panels[plot.npanels++], err);
  for (const bri_node *p = list ? list->first : NULL; p && !st; p = p->next) {
    if (plot.npanels == MOST_PANELS) {
      st = bri_text_fail(err, BR_E_SIZE, -1, "%s:%zu:%zu: more than %d panels", p->at.file, p->at.line,
                         p->at.column, MOST_PANELS);
      break;
    }
    f.panel = p;
    st = make_panel(&f, &panels[plot.npanels], err);
    plot.npanels += panels[plot.npanels].nlines > 0;
  }
  if (!st && plot.npanels && panels[0].nlines) st = fn(ctx, name, &plot, err);
  bri_arena_destroy(arena);
  return st;
}

/* The picture an analysis brings along, over all its runs. */
static br_status default_plot(const br_study *s, const bri_analysis *an, bri_plot_fn *fn, void *ctx,
                              br_err *err)
{
  bri_node *root = NULL;
  bri_arena *arena = bri_arena_create();
  bri_notes *notes = arena ? bri_arena_get(arena, sizeof *notes) : NULL;
  br_status st = notes ? BR_OK : bri_text_fail(err, BR_E_NOMEM, -1, "%s: out of memory", s->name);
  if (!st) {
    notes->arena = arena;
    st = bri_yaml_read(arena, an->face.name, an->plot, strlen(an->plot), notes, &root, err);
  }
  if (!st && root && root->first) st = make_plot(s, root->first, an, an->face.name, fn, ctx, err);
  bri_arena_destroy(arena);
  return st;
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
  for (size_t i = 0; bri_analyses[i] && !st; i++) {
    int used = 0;
    for (size_t k = 0; k < s->nruns; k++) used = used || s->runs[k].an == bri_analyses[i];
    if (used && bri_analyses[i]->plot) st = default_plot(s, bri_analyses[i], fn, ctx, err);
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
  if (!s || !s->folder || !print)
    return bri_text_fail(err, BR_E_ARG, -1, "br_study_sketch: no study that was run");
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
  (void)bri_study_each_plot(s, count, &n, NULL);
  return n;
}
