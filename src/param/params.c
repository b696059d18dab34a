/* SPDX-License-Identifier: Apache-2.0
 * params.c - the parameter set: create, find, set and read numbers, finish. */
#include <stdio.h>
#include <string.h>

#include "../../models/face.h"
#include "../base/alloc.h"
#include "../text/fail.h"
#include "bristle/text.h"
#include "param.h"

br_param_table br_param_table_of(const br_model *m)
{
  const br_param_table t = {"model",     m->name,  m->params,  m->nparam, m->slots, 1,
                            m->defaults, m->check, m->prepare, NULL,      NULL};
  return t;
}

static void fill_defaults(br_params *p)
{
  for (size_t i = 0; i < p->ntables; i++) {
    const br_param_table *t = &p->tables[i];
    if (t->defaults) t->defaults(p->block + p->slot0[i]);
    else if (t->initial) memcpy(p->block + p->slot0[i], t->initial, t->slots * sizeof *t->initial);
    else bri_defaults(t->rows, t->nrows, t->slots, p->block + p->slot0[i]);
  }
}

/* The table in front of i that it is like: same rows, same slots; NULL: there is none. */
static const br_param_table *like_of(const br_param_table *tables, size_t i)
{
  for (size_t j = 0; j < i; j++)
    if (strcmp(tables[j].prefix, tables[i].like) == 0)
      return tables[j].rows == tables[i].rows && tables[j].slots == tables[i].slots ? &tables[j] : NULL;
  return NULL;
}

static br_status check_tables(const br_param_table *tables, size_t n, br_err *err)
{
  for (size_t i = 0; i < n; i++) {
    if (!tables[i].prefix || !tables[i].owner || (tables[i].nrows && !tables[i].rows))
      return bri_text_fail(err, BR_E_ARG, (int)i,
                           "br_params_create_tables: table %zu lacks prefix, owner or rows", i);
    for (size_t j = 0; j < i; j++)
      if (strcmp(tables[i].prefix, tables[j].prefix) == 0)
        return bri_text_fail(err, BR_E_ARG, (int)i, "br_params_create_tables: prefix '%s' is used twice",
                             tables[i].prefix);
    if (i > 0 && tables[i - 1].like && !tables[i].like)
      return bri_text_fail(err, BR_E_ARG, (int)i,
                           "br_params_create_tables: '%s' stands behind a table like another",
                           tables[i].prefix);
    if (tables[i].like && !like_of(tables, i))
      return bri_text_fail(err, BR_E_ARG, (int)i,
                           "br_params_create_tables: '%s' is like '%s', which is not there", tables[i].prefix,
                           tables[i].like);
  }
  return BR_OK;
}

br_status br_params_create_tables(const br_param_table *tables, size_t ntables, br_params **out, br_err *err)
{
  if (!out) return bri_fail(err, BR_E_ARG, "br_params_create_tables: NULL argument");
  *out = NULL;
  if (!tables || ntables == 0) return bri_fail(err, BR_E_ARG, "br_params_create_tables: no tables");
  const br_status st = check_tables(tables, ntables, err);
  if (st) return st;
  br_params *p = bri_calloc(1, sizeof *p);
  if (!p) return bri_no_memory(err, "parameters");
  for (size_t i = 0; i < ntables; i++) {
    p->rows += tables[i].nrows;
    p->slots += tables[i].slots;
  }
  p->ntables = ntables;
  p->tables = bri_malloc_array(ntables, sizeof *p->tables);
  p->row0 = bri_malloc_array(ntables, sizeof *p->row0);
  p->slot0 = bri_malloc_array(ntables, sizeof *p->slot0);
  p->block = bri_calloc(p->slots, sizeof *p->block);
  p->trial = bri_calloc(p->slots, sizeof *p->trial);
  p->given = bri_calloc(p->rows, 1);
  p->seen = bri_calloc(p->rows, 1);
  p->names = bri_calloc(p->rows, sizeof *p->names);
  if (!p->tables || !p->row0 || !p->slot0 || !p->block || !p->trial || !p->given || !p->seen || !p->names) {
    br_params_destroy(p);
    return bri_no_memory(err, "parameters");
  }
  memcpy(p->tables, tables, ntables * sizeof *tables);
  size_t row = 0, slot = 0;
  for (size_t i = 0; i < ntables; i++) {
    p->row0[i] = row;
    p->slot0[i] = slot;
    for (size_t r = 0; r < tables[i].nrows; r++) p->names[row + r] = tables[i].rows[r].name;
    row += tables[i].nrows;
    slot += tables[i].slots;
  }
  fill_defaults(p);
  *out = p;
  return BR_OK;
}

br_status br_params_create(const br_model *m, br_params **out, br_err *err)
{
  if (out) *out = NULL;
  if (!m) return bri_fail(err, BR_E_ARG, "br_params_create: NULL model");
  const br_param_table t = br_param_table_of(m);
  return br_params_create_tables(&t, 1, out, err);
}

void br_params_destroy(br_params *p)
{
  if (!p) return;
  bri_free(p->tables);
  bri_free(p->row0);
  bri_free(p->slot0);
  bri_free(p->block);
  bri_free(p->trial);
  bri_free(p->given);
  bri_free(p->seen);
  bri_free(p->names);
  bri_free(p);
}

/* ---- names ---- */

static int same(const char *name, const char *text, size_t n)
{
  return strlen(name) == n && memcmp(name, text, n) == 0;
}

/* "lugre" or "maxwell_slip and pulled_block": who could have had the name. */
static void owners(const br_params *p, size_t first, size_t last, size_t size, char *buf)
{
  size_t used = 0;
  buf[0] = '\0';
  for (size_t i = first; i < last && used < size; i++) {
    if (i > first && strcmp(p->tables[i].owner, p->tables[i - 1].owner) == 0)
      continue; /* parameters, then inputs */
    const int k = snprintf(buf + used, size - used, "%s%s", used ? " or " : "", p->tables[i].owner);
    used += k > 0 ? (size_t)k : 0;
  }
}

/* Unknown in the tables first..last-1: say so, with the nearest name. */
static br_status unknown(const br_params *p, size_t first, size_t last, const char *name, size_t n,
                         br_err *err)
{
  char copy[64], who[96];
  const size_t row = p->row0[first];
  const size_t end = last < p->ntables ? p->row0[last] : p->rows;
  (void)snprintf(copy, sizeof copy, "%.*s", (int)(n < sizeof copy ? n : sizeof copy - 1), name);
  owners(p, first, last, sizeof who, who);
  const char *near = br_nearest_name(copy, p->names + row, end - row);
  if (near)
    return bri_fail(err, BR_E_NAME, "%s has no parameter '%.*s'; did you mean '%s'?", who, bri_text_width(n),
                    name, near);
  char list[128];
  size_t used = 0;
  list[0] = '\0';
  for (size_t r = row; r < end; r++) {
    const int k = snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", p->names[r]);
    if (k < 0 || (size_t)k >= sizeof list - used) {
      list[used] = '\0';
      break;
    }
    used += (size_t)k;
  }
  return bri_fail(err, BR_E_NAME, "%s has no parameter '%.*s'; it has %s", who,
                  bri_text_width(n < 40 ? n : 40), name, used ? list : "none");
}

/* A row that has a dot in its own name, such as the state "contact1.z" of a plant. */
static int find_dotted(const br_params *p, const char *name, size_t n, bri_param_at *at)
{
  for (size_t i = 0; i < p->ntables; i++) {
    for (size_t r = 0; r < p->tables[i].nrows; r++) {
      if (!same(p->tables[i].rows[r].name, name, n)) continue;
      at->table = i;
      at->row = r;
      return 1;
    }
  }
  return 0;
}

/* Are there such rows?  Then a name that is not found is compared as a whole. */
static int has_dotted(const br_params *p)
{
  for (size_t r = 0; r < p->rows; r++)
    if (strchr(p->names[r], '.')) return 1;
  return 0;
}

br_status bri_param_find(const br_params *p, const char *name, size_t n, bri_param_at *at, br_err *err)
{
  const char *dot = memchr(name, '.', n);
  if (dot && find_dotted(p, name, n, at)) return BR_OK;
  size_t first = 0, last = p->ntables;
  if (dot) {
    const size_t len = (size_t)(dot - name);
    while (first < p->ntables && !same(p->tables[first].prefix, name, len)) first++;
    if (first == p->ntables && has_dotted(p)) return unknown(p, 0, last, name, n, err);
    if (first == p->ntables)
      return bri_fail(err, BR_E_NAME, "'%.*s': no table '%.*s'; there is '%s%s%s'", bri_text_width(n), name,
                      bri_text_width(len), name, p->tables[0].prefix, p->ntables > 1 ? "' and '" : "",
                      p->ntables > 1 ? p->tables[1].prefix : "");
    last = first + 1;
    name = dot + 1;
    n -= len + 1;
  }
  while (!dot && last > 0 && p->tables[last - 1].like) last--; /* these need their prefix */
  size_t hits = 0;
  bri_param_at found[2] = {{0, 0}, {0, 0}};
  for (size_t i = first; i < last; i++) {
    for (size_t r = 0; r < p->tables[i].nrows && hits < 2; r++) {
      if (!same(p->tables[i].rows[r].name, name, n)) continue;
      found[hits].table = i;
      found[hits++].row = r;
    }
  }
  if (hits == 0) return unknown(p, first, last, name, n, err);
  if (hits == 2) {
    const br_param_table *a = &p->tables[found[0].table], *b = &p->tables[found[1].table];
    return bri_fail(err, BR_E_NAME, "parameter '%.*s' is in two tables: write %s.%.*s (%s) or %s.%.*s (%s)",
                    bri_text_width(n), name, a->prefix, bri_text_width(n), name, a->owner, b->prefix,
                    bri_text_width(n), name, b->owner);
  }
  *at = found[0];
  return BR_OK;
}

/* ---- numbers ---- */

br_status br_params_set(br_params *p, const char *name, const double *values, size_t n, br_err *err)
{
  bri_param_at at = {0, 0};
  if (!p || !name || (n && !values)) return bri_fail(err, BR_E_ARG, "br_params_set: NULL argument");
  br_status st = bri_param_find(p, name, strlen(name), &at, err);
  if (st) return st;
  const br_param_table *t = &p->tables[at.table];
  const br_param *row = bri_param_row(p, at);
  if (n > row->max_len || (n == 0 && row->max_len == 1))
    return bri_text_fail(err, BR_E_SIZE, (int)row->slot, "%s: parameter %s takes %s%zu value(s), not %zu",
                         t->owner, row->name, row->max_len > 1 ? "at most " : "", row->max_len, n);
  if (br_param_formula(row) && n)
    return bri_text_fail(err, BR_E_ARG, (int)row->slot, "%s: parameter %s is a formula: set it as text",
                         t->owner, row->name);
  for (size_t i = 0; i < n; i++) {
    st = bri_param_check(t, row, i, values[i], err);
    if (st) return st;
  }
  double *block = p->block + p->slot0[at.table];
  if (n) memcpy(block + row->slot, values, n * sizeof *values);
  if (row->max_len > 1) block[row->len_slot] = (double)n;
  p->given[p->row0[at.table] + at.row] = 1;
  p->finished = 0;
  return BR_OK;
}

br_status br_params_get(const br_params *p, const char *name, size_t max, double *values, size_t *n,
                        br_err *err)
{
  bri_param_at at = {0, 0};
  if (!p || !name || !n || (max && !values)) return bri_fail(err, BR_E_ARG, "br_params_get: NULL argument");
  const br_status st = bri_param_find(p, name, strlen(name), &at, err);
  if (st) return st;
  const br_param *row = bri_param_row(p, at);
  const double *block = p->block + p->slot0[at.table];
  *n = row->max_len == 1 ? 1 : (size_t)block[row->len_slot];
  for (size_t i = 0; i < *n && i < max; i++) values[i] = block[row->slot + i];
  return BR_OK;
}

const br_param *br_params_row(const br_params *p, const char *name)
{
  bri_param_at at = {0, 0};
  if (!p || !name || bri_param_find(p, name, strlen(name), &at, NULL) != BR_OK) return NULL;
  return bri_param_row(p, at);
}

int br_params_given(const br_params *p, const char *name)
{
  bri_param_at at = {0, 0};
  if (!p || !name || bri_param_find(p, name, strlen(name), &at, NULL) != BR_OK) return 0;
  return p->given[p->row0[at.table] + at.row] & 1;
}

int bri_params_own(const br_params *p, const char *name)
{
  bri_param_at at = {0, 0};
  if (!p || !name || bri_param_find(p, name, strlen(name), &at, NULL) != BR_OK) return 0;
  return p->given[p->row0[at.table] + at.row] != 0;
}

const br_param *br_params_at(const br_params *p, size_t index, size_t size, char *name)
{
  for (size_t i = 0; p && i < p->ntables; i++) {
    const br_param_table *t = &p->tables[i];
    for (size_t r = 0; r < t->nrows; r++) {
      if ((t->like && !p->given[p->row0[i] + r]) || index-- > 0) continue;
      if (name && size) (void)snprintf(name, size, "%s.%s", t->prefix, t->rows[r].name);
      return &t->rows[r];
    }
  }
  return NULL;
}

/* What a table like another was not given it takes from there. */
static void take_over(br_params *p, size_t i)
{
  const br_param_table *t = &p->tables[i];
  const size_t from = t->like ? (size_t)(like_of(p->tables, i) - p->tables) : i;
  const double *src = p->block + p->slot0[from];
  double *dst = p->block + p->slot0[i];
  for (size_t r = 0; r < t->nrows && t->like; r++) {
    const br_param *row = &t->rows[r];
    if (p->given[p->row0[i] + r]) continue;
    memcpy(dst + row->slot, src + row->slot, row->max_len * sizeof *dst);
    if (row->max_len > 1) dst[row->len_slot] = src[row->len_slot];
  }
}

br_status br_params_finish(br_params *p, br_err *err)
{
  if (!p) return bri_fail(err, BR_E_ARG, "br_params_finish: NULL argument");
  for (size_t i = 0; i < p->ntables; i++) {
    const br_param_table *t = &p->tables[i];
    take_over(p, i);
    const double *block = p->block + p->slot0[i];
    const br_status st =
        t->check ? t->check(block, err) : bri_check_ranges(t->owner, t->rows, t->nrows, block, err);
    if (st) return st;
  }
  for (size_t i = 0; i < p->ntables; i++)
    if (p->tables[i].prepare) p->tables[i].prepare(p->block + p->slot0[i]);
  p->finished = 1;
  return BR_OK;
}

const double *br_params_block(const br_params *p, const char *prefix)
{
  if (!p || !prefix || !p->finished) return NULL;
  for (size_t i = 0; i < p->ntables; i++)
    if (strcmp(p->tables[i].prefix, prefix) == 0) return p->block + p->slot0[i];
  return NULL;
}
