/* SPDX-License-Identifier: Apache-2.0
 * picture.c - the usual picture of an analysis, from the tables of an answer in memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/result.h"
#include "bristle/report.h"
#include "styles.h"
#include "table/alloc.h"
#include "text/fail.h"

enum { LINES = 96, PANELS = 8 };

/* A panel under construction; its columns are copies. */
typedef struct {
  const br_result *result;
  br_plot_panel panel;
  br_plot_line lines[LINES];
  double *owned[2 * LINES];
  size_t nowned;
  int failed; /* out of memory */
} sheet;

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

static int column_of(const br_result_table *t, const char *name, const char *axis)
{
  char full[64];
  if (name[0] == '#') { /* by number; a table may have fewer */
    const int k = atoi(name + 1);
    return axis[0] || (size_t)k >= t->ncol ? -1 : k;
  }
  (void)snprintf(full, sizeof full, "%s%s", name, axis);
  for (size_t i = 0; i < t->ncol; i++)
    if (strcmp(t->columns[i].name, full) == 0) return (int)i;
  return -1;
}

/* n more numbers of a column behind `to`, which may be NULL. */
static double *gather(sheet *s, double *to, size_t used, const br_result_table *t, int column)
{
  double *p = bri_malloc((used + t->rows + 1) * sizeof *p);
  if (!p || s->nowned == 2 * LINES) {
    bri_free(p);
    s->failed = 1;
    return NULL;
  }
  if (used) memcpy(p, to, used * sizeof *p);
  for (size_t i = 0; i < t->rows; i++) p[used + i] = t->data[i * t->ncol + (size_t)column];
  s->owned[s->nowned++] = p;
  return p;
}

/* One table as a line of its own, or behind the line that is being joined.  axis: "" or "x", "y" of a model with
 * two, which name the line then. */
static void add(sheet *s, const br_picture_panel *p, const br_picture_line *l, const br_result_table *t,
                const char *axis, int join)
{
  const int x = column_of(t, p->x, p->x[0] == 't' && !p->x[1] ? "" : axis), y = column_of(t, p->y, axis);
  if (x < 0 || y < 0 || !t->data || s->panel.nlines == LINES || t->rows == 0) return;
  br_plot_line *line = join ? &s->lines[s->panel.nlines - 1] : &s->lines[s->panel.nlines];
  if (!join) {
    memset(line, 0, sizeof *line);
    line->label = axis[0] ? axis : l->label ? l->label : t->label;
    line->kind = kind_of(l->style ? l->style : t->style);
  }
  double *px = gather(s, (double *)line->x, line->n, t, x), *py = gather(s, (double *)line->y, line->n, t, y);
  if (!px || !py) return;
  line->x = px, line->y = py;
  line->n += t->rows;
  s->panel.nlines += !join;
  if (!s->panel.xunit) s->panel.xunit = t->columns[x].unit, s->panel.yunit = t->columns[y].unit;
  if (!s->panel.ylabel) s->panel.ylabel = t->columns[y].name;
}

static void add_line(sheet *s, const br_picture_panel *p, const br_picture_line *l)
{
  const br_result_table *t = NULL;
  size_t drawn = 0;
  for (size_t i = 0; (t = br_result_tables(s->result, i)) != NULL; i++) {
    if (!bri_name_fits(t->name, l->table) || !t->data || !(t->shape & BR_TABLE_FILE)) continue;
    if (l->most && drawn == l->most) break;
    if (column_of(t, p->y, "") >= 0) add(s, p, l, t, "", l->joined && drawn > 0);
    else add(s, p, l, t, "x", 0), add(s, p, l, t, "y", 0);
    drawn++;
  }
}

static int is_there(const br_result *r, const char *pattern)
{
  const br_result_table *t = NULL;
  for (size_t i = 0; (t = br_result_tables(r, i)) != NULL; i++)
    if (bri_name_fits(t->name, pattern) && t->rows && (t->shape & BR_TABLE_FILE)) return 1;
  return 0;
}

static void make(sheet *s, const br_picture_panel *p)
{
  s->panel.xlabel = p->xlabel;
  s->panel.ylabel = p->ylabel;
  for (size_t i = 0; i < p->nlines; i++) add_line(s, p, &p->lines[i]);
  s->panel.lines = s->lines;
}

void br_picture_want(const br_picture *picture, br_result *result)
{
  for (size_t k = 0; k < picture->npanels; k++)
    for (size_t i = 0; i < picture->panels[k].nlines; i++)
      br_result_want(result, picture->panels[k].lines[i].table);
}

br_status br_picture_write(const char *path, const char *title, const br_picture *picture,
                           const br_result *result, br_err *err)
{
  br_plot_panel panels[PANELS];
  size_t n = 0;
  int failed = 0;
  sheet *sheets = bri_calloc(PANELS, sizeof *sheets);
  if (!sheets) return bri_text_fail(err, BR_E_NOMEM, -1, "picture: out of memory");
  for (size_t k = 0; k < picture->npanels && n < PANELS; k++) {
    const br_picture_panel *p = &picture->panels[k];
    if (p->when && !is_there(result, p->when)) continue;
    sheets[n].result = result;
    make(&sheets[n], p);
    failed = failed || sheets[n].failed;
    if (sheets[n].panel.nlines || n == 0) panels[n] = sheets[n].panel, n++;
  }
  const br_plot plot = {title, panels, n};
  const br_status st =
      failed ? bri_text_fail(err, BR_E_NOMEM, -1, "picture: out of memory") : br_plot_write(path, &plot, err);
  for (size_t k = 0; k < PANELS; k++)
    for (size_t i = 0; i < sheets[k].nowned; i++) bri_free(sheets[k].owned[i]);
  bri_free(sheets);
  return st;
}
