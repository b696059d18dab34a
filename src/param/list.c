/* SPDX-License-Identifier: Apache-2.0
 * list.c - "a=1,b=2,3" into the blocks, all or nothing. */
#include <string.h>

#include "../text/fail.h"
#include "bristle/expr.h"
#include "param.h"
#include "valid.h"

size_t bri_item_length(const char *s)
{
  size_t n = 0;
  for (int depth = 0; s[n] && (s[n] != ',' || depth > 0); n++) depth += (s[n] == '(') - (s[n] == ')');
  return n;
}

static void trim(const char **s, size_t *n)
{
  while (*n && ((*s)[0] == ' ' || (*s)[0] == '\t')) (*s)++, (*n)--;
  while (*n && ((*s)[*n - 1] == ' ' || (*s)[*n - 1] == '\t')) (*n)--;
}

/* What is being read: the parameter that further items continue. */
typedef struct {
  br_params *p;
  bri_param_at at;
  size_t count; /* values so far */
  int open;     /* a parameter has been named */
} cursor;

static br_status start(cursor *c, const char *name, size_t n, br_err *err)
{
  const br_status st = bri_param_find(c->p, name, n, &c->at, err);
  if (st) return st;
  const size_t row = c->p->row0[c->at.table] + c->at.row;
  if (c->p->seen[row])
    return bri_text_fail(err, BR_E_PARSE, (int)c->at.row, "parameter '%.*s' is given twice",
                         bri_text_width(n), name);
  c->p->seen[row] = 1;
  c->count = 0;
  c->open = 1;
  return BR_OK;
}

/* A formula fills the vector with its tape. */
static br_status add_formula(cursor *c, const br_param *row, const char *text, size_t n, br_err *err)
{
  double *block = c->p->trial + c->p->slot0[c->at.table];
  const char *owner = c->p->tables[c->at.table].owner;
  br_err why = {BR_OK, -1, ""};
  size_t len = 0;
  if (c->count++)
    return bri_text_fail(err, BR_E_PARSE, (int)row->slot,
                         "%s: '%.*s' after %s: a formula has no list behind it", owner,
                         bri_text_width(n < 60 ? n : 60), text, row->name);
  const br_status st =
      n ? br_expr_compile(text, n, br_param_formula(row), row->max_len, block + row->slot, &len, &why)
        : BR_OK;
  if (st)
    return bri_text_fail(err, st, (int)row->slot, "%s: parameter %s: %s:1:%d: %.180s", owner, row->name,
                         row->name, why.index + 1, why.msg);
  block[row->len_slot] = (double)len;
  return BR_OK;
}

static br_status add(cursor *c, const char *text, size_t n, br_err *err)
{
  const br_param_table *t = &c->p->tables[c->at.table];
  const br_param *row = bri_param_row(c->p, c->at);
  double *block = c->p->trial + c->p->slot0[c->at.table], x = 0;
  if (br_param_formula(row)) return add_formula(c, row, text, n, err);
  if (n == 0 && c->count == 0 && row->max_len > 1) { /* "k=" empties a vector */
    block[row->len_slot] = 0;
    return BR_OK;
  }
  if (c->count == row->max_len) {
    if (row->max_len > 1)
      return bri_text_fail(err, BR_E_SIZE, (int)row->slot, "%s: parameter %s takes at most %zu values",
                           t->owner, row->name, row->max_len);
    return bri_text_fail(err, BR_E_PARSE, (int)row->slot,
                         "%s: '%.*s' after %s has no '=' and %s is one number, not a vector", t->owner,
                         bri_text_width(n < 60 ? n : 60), text, row->name, row->name);
  }
  int turns = 0;
  br_status st = bri_param_value(t, row, text, n, &x, &turns, err);
  if (!st && turns && (strcmp(t->prefix, "model") == 0 || t->like)) {
    if (turns + c->p->turns == 0)
      st = bri_text_fail(
          err, BR_E_PARSE, (int)row->slot,
          "%s: parameter %s = %.*s is of %s, but others were given for %s: N and N m do not mix", t->owner,
          row->name, bri_text_width(n), text, turns > 0 ? "rotation" : "translation",
          turns > 0 ? "translation" : "rotation");
    c->p->turns = turns;
  }
  if (!st) st = bri_param_check(t, row, c->count, x, err);
  if (st) return st;
  block[row->slot + c->count++] = x;
  if (row->max_len > 1) block[row->len_slot] = (double)c->count;
  return BR_OK;
}

static br_status item(cursor *c, const char *s, size_t n, br_err *err)
{
  const char *eq = memchr(s, '=', n);
  trim(&s, &n);
  if (eq) {
    const char *name = s, *value = eq + 1;
    size_t name_len = (size_t)(eq - s), value_len = n - name_len - 1;
    trim(&name, &name_len);
    trim(&value, &value_len);
    if (name_len == 0)
      return bri_fail(err, BR_E_PARSE, "'%.*s' has no parameter name before '='", bri_text_width(n), s);
    const br_status st = start(c, name, name_len, err);
    return st ? st : add(c, value, value_len, err);
  }
  if (!c->open)
    return bri_fail(err, BR_E_PARSE, "'%.*s' is not of the form NAME=VALUE", bri_text_width(n), s);
  if (n == 0)
    return bri_fail(err, BR_E_PARSE, "empty item after parameter %s (two commas, or one at the end)",
                    bri_param_row(c->p, c->at)->name);
  return add(c, s, n, err);
}

/* counts: 1, the caller has given what stands there; 2, it is a new default. */
static br_status take_list(br_params *p, const char *list, unsigned char counts, br_err *err)
{
  if (!p) return bri_fail(err, BR_E_ARG, "br_params_set_list: NULL argument");
  if (!list || !list[0]) return BR_OK;
  cursor c = {p, {0, 0}, 0, 0};
  memcpy(p->trial, p->block, p->slots * sizeof *p->trial);
  memset(p->seen, 0, p->rows);
  for (const char *s = list;;) {
    const size_t n = bri_item_length(s);
    const br_status st = item(&c, s, n, err);
    if (st) return st;
    if (!s[n]) break;
    s += n + 1;
  }
  memcpy(p->block, p->trial, p->slots * sizeof *p->block);
  for (size_t r = 0; r < p->rows; r++) p->given[r] |= p->seen[r] ? counts : 0;
  p->finished = 0;
  return BR_OK;
}

br_status br_params_set_list(br_params *p, const char *list, br_err *err)
{
  return take_list(p, list, 1, err);
}
br_status br_params_ground(br_params *p, const char *list, br_err *err) { return take_list(p, list, 2, err); }

int bri_params_turn(const br_params *params) { return params ? params->turns : 0; }
