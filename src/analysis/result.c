/* SPDX-License-Identifier: Apache-2.0
 * result.c - an answer in memory: a tree of values, tables whose rows are kept or only summed up. */
#include "result.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "text/fail.h"

int bri_name_fits(const char *name, const char *pattern)
{
  const size_t n = strcspn(pattern, "|");
  if (n && pattern[n - 1] == '*') return strncmp(name, pattern, n - 1) == 0;
  return strncmp(name, pattern, n) == 0 && !name[n];
}

/* ---- the tree ---- */

static int is_number(const char *s, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (s[i] < '0' || s[i] > '9') return 0;
  return n > 0 && n < 10;
}

static size_t number_of(const char *s, size_t n)
{
  size_t x = 0;
  for (size_t i = 0; i < n; i++) x = 10 * x + (size_t)(s[i] - '0');
  return x;
}

static size_t find(const bri_tree *t, const char *name, size_t n)
{
  if (t->kind == BRI_LIST) return is_number(name, n) ? number_of(name, n) : t->n;
  for (size_t k = 0; k < t->n; k++) {
    const size_t i = (t->last + k) % t->n;
    if (strncmp(t->member[i].name, name, n) == 0 && !t->member[i].name[n]) return i;
  }
  return t->n;
}

/* The member of this name, made where there is none.  NULL: out of memory, or a list with a gap. */
static bri_tree *member(bri_tree *t, const char *name, size_t n)
{
  if (t->n == 0 && t->kind == BRI_OBJECT && is_number(name, n)) t->kind = BRI_LIST;
  const size_t i = find(t, name, n);
  if (i < t->n) {
    t->last = i;
    return &t->member[i];
  }
  if (t->kind == BRI_LIST && i > t->n) return NULL;
  bri_tree *list = bri_grown(t->member, t->n, &t->room, sizeof *list);
  if (!list) return NULL;
  t->member = list;
  bri_tree *m = memset(&list[t->n], 0, sizeof *m);
  m->kind = BRI_OBJECT;
  m->name = t->kind == BRI_LIST ? NULL : bri_copy_n(name, n);
  if (t->kind != BRI_LIST && !m->name) return NULL;
  t->last = t->n++;
  return m;
}

static bri_tree *make(br_result *r, const char *path)
{
  bri_tree *t = &r->root;
  while (t && *path) {
    const int quoted = *path == '\'';
    const char *name = path + quoted;
    const size_t n = strcspn(name, quoted ? "'" : ".");
    if (t->kind != BRI_OBJECT && t->kind != BRI_LIST) return NULL;
    t = member(t, name, n);
    path = name + n + (quoted && name[n]);
    path += *path == '.';
  }
  return t;
}

const char *bri_path_plain(const char *path, size_t size, char *buf)
{
  size_t n = 0;
  for (; *path && n + 1 < size; path++)
    if (*path != '\'') buf[n++] = *path;
  buf[n] = '\0';
  return buf;
}

static br_status take_value(void *ctx, const char *path, const br_value *v, br_err *err)
{
  br_result *r = ctx;
  bri_tree *t = make(r, path);
  if (!t) return bri_no_memory(err, "result");
  if (v->kind == BR_VALUE_OBJECT) return BR_OK; /* made, and empty where it was not there */
  t->kind = v->kind == BR_VALUE_LIST ? BRI_LIST : BRI_VALUE;
  t->value = *v;
  t->value.unit = v->unit && strcmp(v->unit, "1") != 0 ? v->unit : "";
  if (v->text) {
    bri_free(t->text);
    t->text = bri_copy(v->text);
    if (!t->text) return bri_no_memory(err, "result");
    t->value.text = t->text;
  }
  return BR_OK;
}

static void clear(bri_tree *t)
{
  for (size_t i = 0; i < t->n; i++) clear(&t->member[i]);
  bri_free(t->member);
  bri_free(t->name);
  bri_free(t->text);
}

/* ---- tables ---- */

static int wanted(const br_result *r, const char *name)
{
  for (size_t i = 0; i < r->nwant; i++)
    if (bri_name_fits(name, r->want[i])) return 1;
  return 0;
}

static int wants(void *ctx, const char *table) { return wanted(ctx, table); }

static void free_table(br_result_table *t)
{
  for (size_t i = 0; t->columns && i < t->ncol; i++) {
    bri_free((void *)t->columns[i].name);
    bri_free((void *)t->columns[i].path);
  }
  for (size_t i = 0; t->names && i < t->nnames; i++) bri_free((void *)t->names[i]);
  bri_free((void *)t->names);
  bri_free((void *)t->name);
  bri_free((void *)t->label);
  bri_free((void *)t->columns);
  bri_free((void *)t->data);
  bri_free((void *)t->min);
}

static int copy_names(br_result_table *t, const br_table_head *h)
{
  char **names = h->nnames ? bri_calloc(h->nnames, sizeof *names) : NULL;
  t->names = (const char *const *)names;
  t->nnames = names ? h->nnames : 0;
  for (size_t i = 0; i < t->nnames; i++) {
    if (h->names[i]) names[i] = bri_copy(h->names[i]);
    if (h->names[i] && !names[i]) return 0;
  }
  return names || !h->nnames;
}

/* Copies of the head; extremes and last row stand in one block. */
static int copy_head(br_result_table *t, const br_table_head *h)
{
  br_column *c = bri_calloc(h->ncol + 1, sizeof *c);
  double *x = bri_malloc_array(3 * h->ncol + 1, sizeof *x);
  t->columns = c;
  t->ncol = h->ncol;
  t->min = x;
  t->max = x ? x + h->ncol : NULL;
  t->last = x ? x + 2 * h->ncol : NULL;
  t->shape = h->shape;
  t->style = h->style;
  t->name = bri_copy(h->name);
  t->label = bri_copy(h->label);
  if (!c || !x || !t->name || (h->label && !t->label) || !copy_names(t, h)) return 0;
  for (size_t i = 0; i < h->ncol; i++) {
    const char *path = h->columns[i].path ? h->columns[i].path : h->columns[i].name;
    c[i].name = bri_copy(h->columns[i].name);
    c[i].path = bri_copy(path);
    c[i].unit = h->columns[i].unit && strcmp(h->columns[i].unit, "1") != 0 ? h->columns[i].unit : "";
    if (!c[i].name || !c[i].path) return 0;
    x[i] = INFINITY, x[h->ncol + i] = -INFINITY, x[2 * h->ncol + i] = NAN;
  }
  return 1;
}

/* Where the tree has it. */
static int plant(br_result *r, const br_result_table *t, size_t index)
{
  bri_tree *n = NULL;
  if (t->shape & BR_TABLE_LIST) {
    n = make(r, t->name);
    if (!n) return 0;
    n->kind = BRI_ROWS;
    n->table = index;
  }
  for (size_t i = 0; (t->shape & BR_TABLE_ARRAYS) && i < t->ncol; i++) {
    n = make(r, t->columns[i].path);
    if (!n) return 0;
    n->kind = BRI_COLUMN;
    n->table = index;
    n->column = i;
  }
  return 1;
}

/* Foreseen rows that are believed, and taken in one block; memory that is not written costs nothing. */
enum { MOST_ROWS = 1 << 28 };

static br_status take_table(void *ctx, const br_table_head *head, br_err *err)
{
  br_result *r = ctx;
  br_result_table *list = bri_grown(r->tables, r->ntables, &r->room, sizeof *list);
  if (!list) return bri_no_memory(err, "result");
  r->tables = list;
  br_result_table *t = memset(&list[r->ntables++], 0, sizeof *t);
  r->open = (head->shape & r->keep) || wanted(r, head->name);
  r->data_room = r->open && head->ncol && head->rows < MOST_ROWS ? head->rows : 0;
  if (r->data_room) t->data = bri_malloc_array(r->data_room, head->ncol * sizeof *t->data);
  if (!t->data) r->data_room = 0; /* grows, then */
  return copy_head(t, head) && plant(r, t, r->ntables - 1) ? BR_OK : bri_no_memory(err, "result");
}

static br_status take_row(void *ctx, const double *row, br_err *err)
{
  br_result *r = ctx;
  br_result_table *t = &r->tables[r->ntables - 1];
  const size_t n = t->ncol;
  double *lo = (double *)t->min, *hi = lo + n, *last = hi + n, *to = last;
  if (r->open) {
    double *data = bri_grown((void *)t->data, t->rows, &r->data_room, n * sizeof *data);
    if (!data) return bri_no_memory(err, "result");
    t->data = data, to = data + t->rows * n;
  }
  /* in one go: rows are short, and a copy by a call costs as much as all of this */
  for (size_t i = 0; i < n; i++) {
    const double x = row[i] + 0.0; /* no -0 */
    to[i] = row[i];
    lo[i] = x < lo[i] ? x : lo[i]; /* NaN counts for neither */
    hi[i] = x > hi[i] ? x : hi[i];
    last[i] = x;
  }
  t->rows++;
  return BR_OK;
}

/* ---- for callers ---- */

br_status br_result_create(unsigned keep, br_result **out, br_err *err)
{
  if (!out) return bri_fail(err, BR_E_ARG, "br_result_create: out is NULL");
  br_result *r = *out = bri_calloc(1, sizeof *r);
  if (!r) return bri_no_memory(err, "result");
  r->keep = keep;
  r->root.kind = BRI_OBJECT;
  return BR_OK;
}

void br_result_destroy(br_result *r)
{
  if (!r) return;
  for (size_t i = 0; i < r->ntables; i++) free_table(&r->tables[i]);
  bri_free(r->tables);
  clear(&r->root);
  bri_json_free(&r->json);
  bri_free(r);
}

br_sink br_result_sink(br_result *r)
{
  return (br_sink){.ctx = r, .value = take_value, .wants = wants, .table = take_table, .row = take_row};
}

void br_result_want(br_result *r, const char *table)
{
  if (r->nwant < sizeof r->want / sizeof r->want[0]) r->want[r->nwant++] = table;
}

/* ---- by path ---- */

/* Behind a table: "3", "3.gap".  row or column (size_t)-1: the path ends before. */
static int in_table(const br_result_table *t, const char *path, size_t *row, size_t *column)
{
  const size_t n = strcspn(path, ".");
  if (!*path) return 1;
  if (!is_number(path, n)) return 0;
  *row = number_of(path, n);
  if (*row >= t->rows) return 0;
  if (!path[n]) return 1;
  for (size_t i = 0; i < t->ncol; i++)
    if (strcmp(t->columns[i].name, path + n + 1) == 0) return *column = i, 1;
  return 0;
}

static const bri_tree *tree_at(const br_result *r, const char *path, size_t *row, size_t *column)
{
  const bri_tree *t = &r->root;
  *row = *column = (size_t)-1;
  while (*path) {
    size_t n = strcspn(path, ".");
    if (t->kind == BRI_ROWS) return in_table(&r->tables[t->table], path, row, column) ? t : NULL;
    if (t->kind != BRI_OBJECT && t->kind != BRI_LIST) return NULL;
    size_t i = find(t, path, n);
    while (i >= t->n && path[n]) { /* a name that has dots itself: "contact1.z" */
      n += 1 + strcspn(path + n + 1, ".");
      i = find(t, path, n);
    }
    if (i >= t->n) return NULL;
    t = &t->member[i];
    path += n + (path[n] == '.');
  }
  return t;
}

br_node_kind br_result_kind(const br_result *r, const char *path)
{
  size_t row = 0, column = 0;
  const bri_tree *t = tree_at(r, path, &row, &column);
  if (!t) return BR_NODE_NONE;
  if (t->kind == BRI_ROWS)
    return column != (size_t)-1 ? BR_NODE_VALUE : row != (size_t)-1 ? BR_NODE_OBJECT : BR_NODE_LIST;
  return t->kind == BRI_VALUE    ? BR_NODE_VALUE
         : t->kind == BRI_LIST   ? BR_NODE_LIST
         : t->kind == BRI_COLUMN ? BR_NODE_ARRAY
                                 : BR_NODE_OBJECT;
}

/* "loop.y.max": an extreme of a table's column. */
static int extreme(const br_result *r, const char *path, double *value, const char **unit)
{
  for (size_t k = 0; k < r->ntables; k++) {
    const br_result_table *t = &r->tables[k];
    const size_t n = strlen(t->name);
    if (strncmp(path, t->name, n) != 0 || path[n] != '.') continue;
    for (size_t i = 0; i < t->ncol; i++) {
      const size_t m = strlen(t->columns[i].name);
      if (strncmp(path + n + 1, t->columns[i].name, m) != 0 || path[n + 1 + m] != '.') continue;
      const char *which = path + n + m + 2;
      const double *x = strcmp(which, "min") == 0    ? t->min
                        : strcmp(which, "max") == 0  ? t->max
                        : strcmp(which, "last") == 0 ? t->last
                                                     : NULL;
      if (!x) continue;
      *value = x[i];
      if (unit) *unit = t->columns[i].unit;
      return 1;
    }
  }
  return 0;
}

int br_result_number(const br_result *r, const char *path, double *value, const char **unit)
{
  size_t row = 0, column = 0;
  const bri_tree *t = tree_at(r, path, &row, &column);
  if (!t) return extreme(r, path, value, unit);
  if (t->kind == BRI_ROWS && column != (size_t)-1) {
    const br_result_table *k = &r->tables[t->table];
    if (!k->data) return 0;
    *value = k->data[row * k->ncol + column];
    if (unit) *unit = k->columns[column].unit;
    return 1;
  }
  if (t->kind != BRI_VALUE || t->value.kind == BR_VALUE_TEXT || t->value.kind == BR_VALUE_NULL) return 0;
  *value = t->value.number;
  if (unit) *unit = t->value.unit;
  return 1;
}

double br_result_real(const br_result *r, const char *path)
{
  double x = NAN;
  return br_result_number(r, path, &x, NULL) ? x : NAN;
}

const char *br_result_text(const br_result *r, const char *path)
{
  size_t row = 0, column = 0;
  const bri_tree *t = tree_at(r, path, &row, &column);
  return t && t->kind == BRI_VALUE && t->value.text ? t->value.text : "";
}

size_t br_result_length(const br_result *r, const char *path)
{
  size_t row = 0, column = 0;
  const bri_tree *t = tree_at(r, path, &row, &column);
  if (!t) return 0;
  if (t->kind == BRI_ROWS || t->kind == BRI_COLUMN) return r->tables[t->table].rows;
  return t->n;
}

const br_result_table *br_result_table_find(const br_result *r, const char *name)
{
  for (size_t i = 0; i < r->ntables; i++)
    if (strcmp(r->tables[i].name, name) == 0) return &r->tables[i];
  return NULL;
}

const br_result_table *br_result_tables(const br_result *r, size_t index)
{
  return index < r->ntables ? &r->tables[index] : NULL;
}
