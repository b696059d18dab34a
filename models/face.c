/* SPDX-License-Identifier: Apache-2.0
 * face.c - the shared part of the run-time faces: defaults, ranges, lookup, messages. */
#include "face.h"

#include <stdio.h>
#include <string.h>

void bri_defaults(const br_param *rows, size_t n, size_t slots, double *block)
{
  for (size_t i = 0; i < slots; i++) block[i] = 0;
  for (size_t r = 0; r < n; r++) {
    const br_param *row = &rows[r];
    if (row->max_len == 1 && !row->defs) {
      block[row->slot] = row->def;
      continue;
    }
    for (size_t i = 0; i < row->ndef; i++) block[row->slot + i] = row->defs[i];
    block[row->len_slot] = (double)row->ndef;
  }
}

void bri_range_text(const br_param *row, char *buf, size_t size)
{
  const int has_lo = row->lo > -__builtin_inf(), has_hi = row->hi < __builtin_inf();
  char lo[48] = "", hi[48] = "";
  if (row->choices) {
    snprintf(buf, size, row->choices[0] == '=' ? "a formula of %s" : "one of %s",
             row->choices + (row->choices[0] == '='));
    return;
  }
  if (has_lo) snprintf(lo, sizeof lo, "%s %.9g", row->lo_open ? ">" : ">=", row->lo);
  if (has_hi) snprintf(hi, sizeof hi, "%s %.9g", row->hi_open ? "<" : "<=", row->hi);
  if (has_lo && has_hi) snprintf(buf, size, "%s and %s", lo, hi);
  else if (has_lo || has_hi) snprintf(buf, size, "%s", has_lo ? lo : hi);
  else snprintf(buf, size, "any finite number");
}

static size_t choice_count(const char *choices)
{
  size_t n = 1;
  for (const char *c = choices; *c; c++) n += *c == '|';
  return n;
}

/* Is x a whole number from 0 to top? */
static int is_count(double x, size_t top) { return x >= 0 && x <= (double)top && x == (double)(size_t)x; }

static int in_range(const br_param *row, double x)
{
  if (!(x - x == 0)) return 0; /* NaN or infinite */
  if (row->choices && row->choices[0] != '=') return is_count(x, choice_count(row->choices) - 1);
  if (row->lo_open ? !(x > row->lo) : !(x >= row->lo)) return 0;
  return row->hi_open ? x < row->hi : x <= row->hi;
}

static br_status range_error(const char *model, const br_param *row, size_t i, double x, br_err *err)
{
  char range[112], where[24] = "";
  if (!err) return BR_E_RANGE;
  bri_range_text(row, range, sizeof range);
  if (row->max_len > 1) snprintf(where, sizeof where, "[%zu]", i + 1);
  err->code = BR_E_RANGE;
  err->index = (int)row->slot;
  snprintf(err->msg, sizeof err->msg, "%s: parameter %s%s = %.9g %s is out of range: must be %s", model,
           row->name, where, x, strcmp(row->unit, "1") == 0 ? "" : row->unit, range);
  return BR_E_RANGE;
}

static br_status length_error(const char *model, const br_param *row, double len, br_err *err)
{
  if (!err) return BR_E_RANGE;
  err->code = BR_E_RANGE;
  err->index = (int)row->slot;
  snprintf(err->msg, sizeof err->msg, "%s: parameter %s with %.9g value(s): it takes 0 to %zu", model,
           row->name, len, row->max_len);
  return BR_E_RANGE;
}

br_status bri_check_ranges(const char *model, const br_param *rows, size_t n, const double *block,
                           br_err *err)
{
  for (size_t r = 0; r < n; r++) {
    const br_param *row = &rows[r];
    if (row->max_len > 1 && !is_count(block[row->len_slot], row->max_len))
      return length_error(model, row, block[row->len_slot], err);
    const size_t len = row->max_len == 1 ? 1 : (size_t)block[row->len_slot];
    for (size_t i = 0; i < len; i++)
      if (!in_range(row, block[row->slot + i])) return range_error(model, row, i, block[row->slot + i], err);
  }
  return BR_OK;
}

br_status bri_rule_error(const char *model, const br_param *rows, size_t n, const char *name,
                         const char *rule, const double *block, br_err *err)
{
  if (!err) return BR_E_RANGE;
  err->code = BR_E_RANGE;
  err->index = -1;
  for (size_t r = 0; r < n; r++) {
    if (strcmp(rows[r].name, name) != 0) continue;
    err->index = (int)rows[r].slot;
    if (rows[r].max_len > 1)
      snprintf(err->msg, sizeof err->msg, "%s: parameter %s with %d value(s) breaks the rule: %s", model,
               name, (int)block[rows[r].len_slot], rule);
    else
      snprintf(err->msg, sizeof err->msg, "%s: parameter %s = %.9g %s breaks the rule: %s", model, name,
               block[rows[r].slot], rows[r].unit, rule);
  }
  return BR_E_RANGE;
}

const br_model *br_model_find(const char *name)
{
  size_t n;
  const br_model *const *all = br_models(&n);
  for (size_t i = 0; name && i < n; i++)
    if (strcmp(all[i]->name, name) == 0) return all[i];
  return NULL;
}

const br_param *br_model_param(const br_model *m, const char *name)
{
  for (size_t i = 0; m && name && i < m->nparam; i++)
    if (strcmp(m->params[i].name, name) == 0) return &m->params[i];
  return NULL;
}
