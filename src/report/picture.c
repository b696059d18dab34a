/* SPDX-License-Identifier: Apache-2.0
 * picture.c - a picture of an analysis, from the tables of an answer in memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/result.h"
#include "bristle/report.h"
#include "maps.h"
#include "styles.h"
#include "base/alloc.h"
#include "text/fail.h"

enum { LINES = 192, PANELS = 24 };

/* Columns are copies, kept until the picture is drawn. */
typedef struct block {
  struct block *next;
} block;

/* A panel under construction. */
typedef struct {
  const br_result *result;
  const char *front; /* of the names of its tables: "", "at1_" */
  char front_text[28];
  br_plot_panel panel;
  br_plot_look look;
  br_plot_line lines[LINES];
  block *owned;
  br_err err; /* what went wrong first */
} sheet;

static void *get(void *ctx, size_t size)
{
  sheet *s = ctx;
  block *b = bri_calloc(1, sizeof *b + 16 + size);
  if (!b) return NULL;
  b->next = s->owned;
  s->owned = b;
  return (char *)b + 16;
}

static void fail_memory(sheet *s)
{
  if (!s->err.code) (void)bri_no_memory(&s->err, "picture");
}

static br_plot_kind kind_of(const char *style)
{
#define ROW(name, kind) {name, kind},
  static const struct {
    const char *name;
    br_plot_kind kind;
  } STYLES[] = {BRI_STYLES(ROW)};
#undef ROW
  for (size_t i = 0; style && i < sizeof STYLES / sizeof STYLES[0]; i++)
    if (strcmp(STYLES[i].name, style) == 0) return STYLES[i].kind;
  return BR_PLOT_LINE;
}

/* A column by name; NULL: the one of this index. */
static int column_of(const br_result_table *t, const char *name, const char *axis, size_t other)
{
  char full[64];
  if (!name) return other < t->ncol ? (int)other : -1;
  if (name[0] == '#') { /* by number; a table may have fewer */
    const int k = atoi(name + 1);
    return axis[0] || (size_t)k >= t->ncol ? -1 : k;
  }
  (void)snprintf(full, sizeof full, "%s%s", name, axis);
  for (size_t i = 0; i < t->ncol; i++)
    if (strcmp(t->columns[i].name, full) == 0) return (int)i;
  return -1;
}

/* The numbers of a column behind n others, which may be none. */
static double *gather(sheet *s, const double *to, size_t n, const br_result_table *t, int column)
{
  double *p = get(s, (n + t->rows + 1) * sizeof *p);
  if (!p) fail_memory(s);
  if (p && n) memcpy(p, to, n * sizeof *p);
  for (size_t i = 0; p && i < t->rows; i++) p[n + i] = t->data[i * t->ncol + (size_t)column];
  return p;
}

static void name_axes(sheet *s, const br_result_table *t, int x, int y)
{
  if (s->panel.xunit) return;
  s->panel.xunit = t->columns[x].unit, s->panel.yunit = t->columns[y].unit;
  if (!s->panel.xlabel) s->panel.xlabel = t->columns[x].name;
  if (!s->panel.ylabel) s->panel.ylabel = t->columns[y].name;
}

/* ---- maps ---- */

typedef struct {
  sheet *s;
  const br_result_table *t;
} mapping;

static br_status push_map(void *ctx, const br_plot_line *line, br_err *err)
{
  sheet *s = ((mapping *)ctx)->s;
  if (s->panel.nlines == LINES)
    return bri_fail(err, BR_E_SIZE, "picture: more than %d lines in one panel", LINES);
  s->lines[s->panel.nlines++] = *line;
  return BR_OK;
}

static const char *region_name(void *ctx, int k)
{
  const br_result_table *t = ((const mapping *)ctx)->t;
  return (size_t)k < t->nnames ? t->names[k] : NULL;
}

static void add_map(sheet *s, const br_picture_panel *p, const br_picture_line *l, const br_result_table *t,
                    int x, int y)
{
  const int value = column_of(t, l->value ? l->value : p->value, "", t->ncol - 1);
  const br_plot_kind kind = kind_of(l->style);
  mapping m = {s, t};
  const bri_map_to to = {&m, push_map, region_name};
  const bri_store store = {get, s};
  if (value < 0) return;
  const int strips = (size_t)y + 1 < t->ncol && bri_map_strips(t->columns[y].name, t->columns[y + 1].name);
  const bri_map_data data = {gather(s, NULL, 0, t, x), gather(s, NULL, 0, t, y), gather(s, NULL, 0, t, value),
                             strips ? gather(s, NULL, 0, t, y + 1) : NULL, t->rows};
  if (!data.x || !data.y || !data.value || s->err.code) return;
  br_err err = {BR_OK, -1, ""};
  if (kind == BR_PLOT_REGION ? bri_map_regions(&store, &data, strcmp(l->style, "areas") != 0, &to, &err)
                             : bri_map_heat(&store, &data, &s->look, &to, &err))
    s->err = err;
  if (kind != BR_PLOT_REGION)
    s->look.scale = t->columns[value].name, s->look.scale_unit = t->columns[value].unit;
}

/* Names of what a map's numbers mean, at the upward axis: each at the height of its first row. */
static void add_ticks(sheet *s, const br_picture_line *l, const br_result_table *t, int y)
{
  const int value = column_of(t, l->value, "", t->ncol - 1);
  const char **names = get(s, (t->nnames + 1) * sizeof *names);
  double *at = get(s, (t->nnames + 1) * sizeof *at);
  if (!names || !at) fail_memory(s);
  for (size_t k = 0; value >= 0 && names && at && k < t->nnames; k++) {
    size_t i = 0;
    while (i < t->rows && t->data[i * t->ncol + (size_t)value] != (double)k) i++;
    if (i == t->rows || !t->names[k]) continue;
    names[s->look.nnames] = t->names[k];
    at[s->look.nnames++] = t->data[i * t->ncol + (size_t)y];
  }
  s->look.names = names;
  s->look.at = at;
}

/* ---- lines ---- */

static void take_minus(const br_result_table *t, const char *minus, double *y)
{
  const int k = minus ? column_of(t, minus, "", 0) : -1;
  for (size_t i = 0; k >= 0 && i < t->rows; i++) y[i] -= t->data[i * t->ncol + (size_t)k];
}

/* One table as a line of its own, or behind the line that is being joined.  axis: "" or "x", "y" of a model
 * with two, which name the line then. */
static void add(sheet *s, const br_picture_panel *p, const br_picture_line *l, const br_result_table *t,
                const char *axis, int join)
{
  const char *nx = l->x ? l->x : p->x, *ny = l->y ? l->y : p->y;
  const int x = column_of(t, nx, nx && strcmp(nx, "t") == 0 ? "" : axis, 0), y = column_of(t, ny, axis, 1);
  const char *style = l->style ? l->style : t->style;
  const br_plot_kind kind = kind_of(style);
  if (x < 0 || y < 0 || s->panel.nlines == LINES || t->rows == 0) return;
  name_axes(s, t, x, y);
  if (kind == BRI_PLOT_TICKS) {
    add_ticks(s, l, t, y);
    return;
  }
  if (kind == BR_PLOT_REGION || kind == BR_PLOT_LEVEL) {
    add_map(s, p, l, t, x, y);
    return;
  }
  br_plot_line *line = join ? &s->lines[s->panel.nlines - 1] : &s->lines[s->panel.nlines];
  if (!join) {
    memset(line, 0, sizeof *line);
    line->label = axis[0] ? axis : l->label ? l->label : t->label;
    line->kind = l->colour ? BR_PLOT_COLOURED(kind, l->colour - 1) : kind;
  }
  double *px = gather(s, line->x, line->n, t, x), *py = gather(s, line->y, line->n, t, y);
  if (!px || !py) return;
  take_minus(t, l->minus, py + line->n);
  line->x = px, line->y = py;
  line->n += t->rows;
  if (kind == BR_PLOT_LAST) bri_map_frame(line, &s->look); /* sets the ranges, is not drawn */
  else s->panel.nlines += !join;
}

/* Does a table's name fit the pattern behind the front of this panel? */
static int fits(const sheet *s, const br_result_table *t, const char *pattern)
{
  const size_t n = strlen(s->front);
  return t->rows && t->data && (t->shape & BR_TABLE_FILE) && strncmp(t->name, s->front, n) == 0 &&
         (pattern ? bri_name_fits(t->name + n, pattern) : (t->shape & BR_TABLE_MAIN) != 0);
}

static void add_line(sheet *s, const br_picture_panel *p, const br_picture_line *l)
{
  const br_result_table *t = NULL;
  const char *ny = l->y ? l->y : p->y;
  size_t drawn = 0;
  for (size_t i = 0; (t = br_result_tables(s->result, i)) != NULL; i++) {
    if (!fits(s, t, l->table)) continue;
    if (l->most && drawn == l->most) break;
    if (column_of(t, ny, "", 1) >= 0) add(s, p, l, t, "", l->joined && drawn > 0);
    else add(s, p, l, t, "x", 0), add(s, p, l, t, "y", 0);
    drawn++;
  }
}

/* The first table that a pattern fits; NULL: none. */
static const br_result_table *find(const sheet *s, const char *pattern)
{
  const br_result_table *t = NULL;
  for (size_t i = 0; (t = br_result_tables(s->result, i)) != NULL; i++)
    if (fits(s, t, pattern)) return t;
  return NULL;
}

static void make(sheet *s, const br_picture_panel *p)
{
  const char *scale = p->scale ? p->scale : "";
  s->panel.xlabel = p->xlabel;
  s->panel.ylabel = p->ylabel;
  for (size_t i = 0; i < p->nlines; i++) add_line(s, p, &p->lines[i]);
  s->panel.lines = s->lines;
  s->look.xlog = strcmp(scale, "logx") == 0 || strcmp(scale, "loglog") == 0;
  s->look.ylog = strcmp(scale, "logy") == 0 || strcmp(scale, "loglog") == 0;
  s->look.under = p->under;
  s->panel.look = &s->look;
}

/* ---- a picture ---- */

void br_picture_want(const br_picture *picture, br_result *result)
{
  for (size_t k = 0; k < picture->npanels; k++) {
    const br_picture_panel *p = &picture->panels[k];
    for (size_t i = 0; i < p->nlines; i++)
      if (p->lines[i].table) br_result_want(result, p->lines[i].table);
    if (p->series) br_result_want(result, "at*");
  }
}

typedef struct {
  sheet *sheets[PANELS];
  size_t n;
} drawing;

/* Is there a table for one of the panel's lines? */
static int any(const sheet *s, const br_picture_panel *p)
{
  for (size_t i = 0; i < p->nlines; i++)
    if (find(s, p->lines[i].table)) return 1;
  return 0;
}

/* A panel with one front of names; 0: there is nothing for it. */
static int add_panel(drawing *d, const br_picture_panel *p, const br_result *result, size_t number,
                     br_err *err)
{
  if (d->n == PANELS) return 0;
  sheet *s = d->sheets[d->n] = bri_calloc(1, sizeof *s);
  if (!s) {
    (void)bri_no_memory(err, "picture");
    return 0;
  }
  s->result = result;
  if (number) (void)snprintf(s->front_text, sizeof s->front_text, "at%zu_", number);
  s->front = s->front_text;
  d->n++;
  if (!any(s, p) || (p->when && !find(s, p->when))) return 0;
  make(s, p);
  if (s->err.code) *err = s->err;
  return s->panel.nlines > 0 && !s->err.code;
}

/* Panels of a series are told apart by what their frame is called. */
static void name_series(drawing *d, size_t from, const br_picture_panel *p)
{
  for (size_t k = from; k < d->n && d->n - from > 1; k++)
    for (size_t i = 0; i < p->nlines; i++) {
      const br_result_table *t = find(d->sheets[k], p->lines[i].table);
      if (t && kind_of(p->lines[i].style) == BR_PLOT_LAST) d->sheets[k]->panel.title = t->label;
    }
}

static void drop(drawing *d)
{
  sheet *s = d->n ? d->sheets[--d->n] : NULL;
  for (block *b = s ? s->owned : NULL, *next = NULL; b; b = next) next = b->next, bri_free(b);
  bri_free(s);
}

br_status br_picture_write(const char *path, const char *title, const br_picture *picture,
                           const br_result *result, br_err *err)
{
  br_plot_panel panels[PANELS];
  drawing d = {.n = 0};
  br_err why = {BR_OK, -1, ""};
  br_status st = BR_OK;
  for (size_t k = 0; k < picture->npanels && !why.code; k++) {
    const size_t from = d.n, most = picture->panels[k].series ? PANELS : 1;
    for (size_t i = 0; i < most; i++) {
      const size_t before = d.n;
      if (add_panel(&d, &picture->panels[k], result, i, &why)) continue;
      if (d.n > before) drop(&d);
      break;
    }
    name_series(&d, from, &picture->panels[k]);
  }
  for (size_t k = 0; k < d.n; k++) panels[k] = d.sheets[k]->panel;
  const br_plot plot = {title, panels, d.n};
  if (why.code) st = bri_fail(err, why.code, "%s", why.msg);
  else if (d.n == 0) st = bri_fail(err, BR_E_NAME, "picture '%.80s': there is nothing to draw", path);
  else st = br_plot_write(path, &plot, err);
  while (d.n) drop(&d);
  return st;
}
