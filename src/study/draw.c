/* SPDX-License-Identifier: Apache-2.0
 * draw.c - panels of pictures from the CSV tables of the runs: which tables, which columns, how they look. */
#include "draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study.h"
#include "analysis/result.h"
#include "bristle/text.h"
#include "columns.h"
#include "kinds.h"
#include "text/choice.h"

enum { MOST_LINES = 192 };

static double number_of(const bri_node *map, const char *key, double other)
{
  double x = other;
  const char *text = bri_node_text(map, key, "");
  return text[0] && br_parse_double(text, strlen(text), &x) ? x : other;
}

int bri_range_parse(const char *text, double *a, double *b)
{
  const size_t n = br_parse_double(text, strlen(text), a);
  if (!n || text[n] != ':') return 0;
  const size_t rest = strlen(text + n + 1);
  return rest > 0 && br_parse_double(text + n + 1, rest, b) == rest && *a < *b;
}

/* A panel under construction. */
typedef struct {
  br_plot_panel *panel;
  br_plot_line *lines;
  br_plot_look *look;
} sheet;

static const char *key_of(const bri_frame *f, const char *key, const char *other)
{
  return bri_node_text(f->line, key, bri_node_text(f->panel, key, bri_node_text(f->plot, key, other)));
}

/* A column by name; "$fit" is the one that the plot names under 'fit'. */
static const char *column_name(const bri_frame *f, const char *key, const char *other)
{
  const char *name = key_of(f, key, other);
  return name && name[0] == '$' ? bri_node_text(f->panel, name + 1, bri_node_text(f->plot, name + 1, "?"))
                                : name;
}

static br_status unknown_column(const bri_frame *f, const bri_table *t, const char *axis, const char *name,
                                br_err *err)
{
  char list[160];
  const bri_node *at = f->line && f->line->at.file ? f->line : f->panel;
  return bri_fail(err, BR_E_NAME, "%s:%zu:%zu: table '%.60s' has no column '%.40s' for %s; it has %.100s",
                  at->at.file, at->at.line, at->at.column, t->name, name, axis,
                  bri_join(t->names, t->ncol, sizeof list, list));
}

/* The picture that an analysis brings along speaks of 'u'; with two axes the first one stands for it: 'ux'.
 * */
static int column_of(const bri_frame *f, const bri_table *t, const char *name)
{
  char first[64];
  const int k = bri_table_column(t, name);
  if (k >= 0 || !f->only) return k;
  if (name[0] == '#') return (size_t)atoi(name + 1) < t->ncol ? atoi(name + 1) : -1;
  (void)snprintf(first, sizeof first, "%sx", name);
  return bri_table_column(t, first);
}

static br_status columns_of(const bri_frame *f, const bri_table *t, int map, bri_columns *c, br_err *err)
{
  const char *x = column_name(f, "x", t->names[0]), *y = column_name(f, "y", t->names[t->ncol > 1 ? 1 : 0]);
  const char *value = map ? column_name(f, "value", t->names[t->ncol - 1]) : NULL;
  const char *minus = column_name(f, "minus", NULL);
  c->x = column_of(f, t, x);
  c->y = column_of(f, t, y);
  c->value = value ? bri_table_column(t, value) : -1;
  c->minus = minus ? bri_table_column(t, minus) : -1;
  c->fx = number_of(f->line, "xfactor", 1);
  c->fy = number_of(f->line, "yfactor", 1);
  c->x0 = number_of(f->line, "xoffset", 0);
  if (c->x < 0) return unknown_column(f, t, "x", x, err);
  if (c->y < 0) return unknown_column(f, t, "y", y, err);
  if (value && c->value < 0) return unknown_column(f, t, "value", value, err);
  if (minus && c->minus < 0) return unknown_column(f, t, "minus", minus, err);
  return BR_OK;
}

/* A text that a run gives for a table: "TABLE.label", "map.name.2". */
static const char *text_of_run(const bri_run *r, const char *name)
{
  const bri_quantity *q = r ? bri_result_find(&r->res, name) : NULL;
  return q ? q->text : NULL;
}

/* What stands at the line: as given (an empty text: nothing), else what the table calls itself, else the
 * run's label where there are several; marks and arrows have none. */
static const char *label_of(const bri_frame *f, const bri_run *r, const bri_table *t, br_plot_kind kind,
                            int several)
{
  char name[160];
  const bri_node *label = bri_node_find(f->line, "label");
  if (label) return label->text;
  (void)snprintf(name, sizeof name, "%.100s.label", t->name);
  const char *own = text_of_run(r, name);
  if (own) return own;
  const int plain = kind == BR_PLOT_POINTS || kind == BR_PLOT_LINE || kind == BR_PLOT_THICK ||
                    kind == BR_PLOT_BACK || kind == BR_PLOT_DOTS || kind == BR_PLOT_DASHED ||
                    kind == BR_PLOT_FINE || kind == BR_PLOT_DASHDOT || kind == BR_PLOT_MARKED;
  return plain && several && r ? r->label : NULL;
}

static br_status push(const bri_frame *f, sheet *p, const br_plot_line *line, br_err *err)
{
  if (p->panel->nlines == MOST_LINES)
    return bri_fail(err, BR_E_SIZE, "%s: more than %d lines in one panel", f->s->name, MOST_LINES);
  p->lines[p->panel->nlines++] = *line;
  return BR_OK;
}

/* ---- maps ---- */

static void *get(void *ctx, size_t size) { return bri_arena_get(ctx, size); }

/* A map on its way into a sheet. */
typedef struct {
  const bri_frame *f;
  const bri_run *r;
  const bri_table *t;
  sheet *p;
} mapping;

static br_status push_map(void *ctx, const br_plot_line *line, br_err *err)
{
  const mapping *m = ctx;
  return push(m->f, m->p, line, err);
}

/* "TABLE.name.K" */
static const char *region_name(void *ctx, int k)
{
  const mapping *m = ctx;
  char name[160];
  (void)snprintf(name, sizeof name, "%.100s.name.%d", m->t->name, k);
  return text_of_run(m->r, name);
}

static br_status add_map(const bri_frame *f, const bri_run *r, const bri_table *t, const bri_columns *c,
                         br_plot_kind kind, sheet *p, br_err *err)
{
  mapping m = {f, r, t, p};
  const bri_map_to to = {&m, push_map, region_name};
  const bri_store store = {get, f->arena};
  bri_map_data data = {0};
  const int border = strcmp(bri_node_text(f->line, "style", ""), "areas") != 0; /* areas: no lines between */
  br_err why = {BR_OK, -1, ""};
  br_status st = bri_columns_map(f->s, f->arena, t, c, &data, err);
  if (st || kind == BR_PLOT_REGION) return st ? st : bri_map_regions(&store, &data, border, &to, err);
  p->look->scale = key_of(f, "valuelabel", t->names[c->value]);
  p->look->scale_unit = t->units[c->value];
  st = bri_map_heat(&store, &data, p->look, &to, &why);
  return st ? bri_fail(err, st, "%s: table '%.60s': %s", f->s->name, t->name, why.msg) : BR_OK;
}

/* Names of regions at the upward axis, each at the height of its first row. */
static br_status add_ticks(const bri_frame *f, const bri_run *r, const bri_table *t, const bri_columns *c,
                           sheet *p, br_err *err)
{
  mapping m = {f, r, t, p};
  bri_map_data data = {0};
  br_status st = bri_columns_map(f->s, f->arena, t, c, &data, err);
  const char **names = bri_arena_get(f->arena, BRI_MOST_REGIONS * sizeof *names);
  double *at = bri_arena_get(f->arena, BRI_MOST_REGIONS * sizeof *at);
  if (!st && (!names || !at)) st = bri_study_no_memory(f->s, err);
  for (int k = 0; k < BRI_MOST_REGIONS && !st; k++) {
    size_t i = 0;
    while (i < data.n && data.value[i] != (double)k) i++;
    const char *name = i < data.n ? region_name(&m, k) : NULL;
    if (name) names[p->look->nnames] = name, at[p->look->nnames++] = data.y[i];
  }
  p->look->names = names, p->look->at = at;
  return st;
}

/* ---- lines ---- */

static br_plot_kind style_of(const bri_frame *f)
{
#define STYLE_KIND(name, kind) kind,
  static const br_plot_kind KIND[] = {BR_PLOT_LINE, BRI_STYLES(STYLE_KIND)};
#undef STYLE_KIND
  const char *style = bri_node_text(f->line, "style", "line");
  const int k = bri_choice_index(BRI_STYLE_CHOICES, style, strlen(style));
  return KIND[k < 0 ? 0 : k];
}

static void name_axes(const bri_frame *f, const bri_table *t, const bri_columns *c, br_plot_panel *panel)
{
  panel->xlabel = key_of(f, "xlabel", t->names[c->x]);
  panel->ylabel = key_of(f, "ylabel", t->names[c->y]);
  panel->xunit = key_of(f, "xunit", t->units[c->x]);
  panel->yunit = key_of(f, "yunit", t->units[c->y]);
}

/* Behind the line that was drawn last, as one. */
static br_status join(const bri_frame *f, sheet *p, const br_plot_line *more, br_err *err)
{
  br_plot_line *line = &p->lines[p->panel->nlines - 1];
  double *x = bri_arena_get(f->arena, 2 * (line->n + more->n) * sizeof *x),
         *y = x ? x + line->n + more->n : NULL;
  if (!x) return bri_study_no_memory(f->s, err);
  memcpy(x, line->x, line->n * sizeof *x), memcpy(x + line->n, more->x, more->n * sizeof *x);
  memcpy(y, line->y, line->n * sizeof *y), memcpy(y + line->n, more->y, more->n * sizeof *y);
  line->x = x, line->y = y;
  line->n += more->n;
  return BR_OK;
}

/* joined: behind the line before it. */
static br_status add_line(const bri_frame *f, const bri_run *r, const bri_table *t, int several, int joined,
                          sheet *p, br_err *err)
{
  const br_plot_kind kind = style_of(f);
  const int map = kind == BR_PLOT_REGION || kind == BR_PLOT_LEVEL || kind == BRI_PLOT_TICKS;
  bri_columns c;
  br_plot_line line;
  memset(&line, 0, sizeof line);
  const char *y = key_of(f, "y", "");
  if (f->only && y[0] == '#' && column_of(f, t, y) < 0) return BR_OK; /* of a table with fewer columns */
  br_status st = t->rows ? columns_of(f, t, map, &c, err) : BR_OK;
  if (st || t->rows == 0) return st;
  if (!p->panel->xlabel) name_axes(f, t, &c, p->panel);
  if (kind == BRI_PLOT_TICKS) return add_ticks(f, r, t, &c, p, err);
  if (map) return add_map(f, r, t, &c, kind, p, err);
  const int all = kind == BR_PLOT_VECTORS || kind == BR_PLOT_HEADS;
  st = bri_columns_line(f->s, f->arena, t, &c, all, &line, err);
  if (st || line.n == 0) return st;
  if (kind == BR_PLOT_LAST) {
    bri_map_frame(&line, p->look);
    return BR_OK;
  }
  if (joined) return join(f, p, &line, err);
  const bri_node *colour = bri_node_find(f->line, "colour");
  line.kind = colour ? BR_PLOT_COLOURED(kind, number_of(f->line, "colour", 0)) : kind;
  line.label = label_of(f, r, t, kind, several);
  return push(f, p, &line, err);
}

static int takes(const bri_frame *f, const bri_run *r)
{
  const char *name = key_of(f, "run", NULL);
  return (!name || strcmp(r->name, name) == 0) && (!f->only || r->an == f->only);
}

static br_status add_file(const bri_frame *f, const char *file, sheet *p, br_err *err)
{
  const bri_node *at = bri_node_find(f->line, "file");
  if (!at) at = bri_node_find(f->panel, "file");
  if (!at) at = bri_node_find(f->plot, "file");
  const char *path = bri_study_beside(f->arena, at->at.file, file, strlen(file));
  bri_table *t = path ? bri_arena_get(f->arena, sizeof *t) : NULL;
  if (!t) return bri_study_no_memory(f->s, err);
  const br_status st = bri_table_outside(f->s, f->arena, path, t, err);
  return st ? st : add_line(f, NULL, t, 0, 0, p, err);
}

/* One entry of 'lines' may draw several tables of several runs. */
static br_status add_entry(const bri_frame *f, sheet *p, br_err *err)
{
  const char *pattern = key_of(f, "table", NULL), *file = key_of(f, "file", NULL);
  const double most = number_of(f->line, "most", 0);
  const int joined = strcmp(bri_node_text(f->line, "joined", "no"), "yes") == 0;
  size_t runs = 0, found = 0;
  if (file && !bri_node_text(f->line, "table", NULL)) return add_file(f, file, p, err);
  for (size_t i = 0; i < f->s->nruns; i++) runs += (size_t)takes(f, &f->s->runs[i]);
  for (size_t i = 0; i < f->s->nruns; i++) {
    const bri_run *r = &f->s->runs[i];
    int labelled = runs > 1 || (f->s->nruns > 1 && bri_node_text(f->line, "run", NULL));
    size_t drawn = 0, before = p->panel->nlines;
    for (size_t k = 0; k < r->res.ntables && takes(f, r); k++) {
      if (!bri_name_fits(r->res.tables[k].name, pattern ? pattern : r->an->name) ||
          (most > 0 && (double)drawn >= most))
        continue;
      const br_status st =
          add_line(f, r, &r->res.tables[k], labelled, joined && p->panel->nlines > before, p, err);
      if (st) return st;
      labelled = 0;
      drawn++;
      found++;
    }
  }
  if (found || f->only || (pattern && pattern[0] && pattern[strlen(pattern) - 1] == '*')) return BR_OK;
  const bri_node *at = f->line && f->line->at.file ? f->line : f->panel;
  return bri_fail(err, BR_E_NAME, "%s:%zu:%zu: no run has a table '%.60s' for this line", at->at.file,
                  at->at.line, at->at.column, pattern ? pattern : "(main)");
}

static br_status add_list(bri_frame *f, const bri_node *list, sheet *p, br_err *err)
{
  br_status st = BR_OK;
  for (const bri_node *l = list ? list->first : NULL; l && !st; l = l->next) {
    f->line = l;
    st = add_entry(f, p, err);
  }
  f->line = NULL;
  return st;
}

br_status bri_panel_make(bri_frame *f, br_plot_panel *panel, br_err *err)
{
  const bri_node *list = bri_node_find(f->panel, "lines"), *also = bri_node_find(f->panel, "also");
  const char *scale = key_of(f, "scale", "linear"), *xrange = key_of(f, "xrange", NULL),
             *yrange = key_of(f, "yrange", NULL);
  if (!list) list = bri_node_find(f->plot, "lines");
  memset(panel, 0, sizeof *panel);
  sheet p = {panel, bri_arena_get(f->arena, MOST_LINES * sizeof *p.lines),
             bri_arena_get(f->arena, sizeof *p.look)};
  br_status st = p.lines && p.look ? BR_OK : bri_study_no_memory(f->s, err);
  f->line = NULL;
  if (!list && !st) st = add_entry(f, &p, err);
  if (!st) st = add_list(f, list, &p, err);
  if (!st) st = add_list(f, also, &p, err);
  if (st) return st;
  p.look->xlog = strcmp(scale, "logx") == 0 || strcmp(scale, "loglog") == 0;
  p.look->ylog = strcmp(scale, "logy") == 0 || strcmp(scale, "loglog") == 0;
  p.look->under = strcmp(bri_node_text(f->panel, "under", "no"), "yes") == 0;
  if (xrange) (void)bri_range_parse(xrange, &p.look->x0, &p.look->x1);
  if (yrange) (void)bri_range_parse(yrange, &p.look->y0, &p.look->y1);
  panel->lines = p.lines;
  panel->look = p.look;
  panel->title = f->panel == f->plot ? NULL : bri_node_text(f->panel, "title", NULL);
  return BR_OK;
}
