/* SPDX-License-Identifier: Apache-2.0
 * value.c - one parameter value: text to number, unit and range. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../models/face.h"
#include "../text/choice.h"
#include "../text/fail.h"
#include "bristle/text.h"
#include "bristle/unit.h"
#include "param.h"

const char *br_param_range(const br_param *row, size_t size, char *buf)
{
  if (!buf || size == 0) return "";
  buf[0] = '\0';
  if (row) bri_range_text(row, buf, size);
  return buf;
}

const char *br_param_formula(const br_param *row)
{
  return row && row->choices && row->choices[0] == '=' ? row->choices + 1 : NULL;
}

const char *br_param_choice(const br_param *row, size_t index, size_t *len)
{
  const char *s = row && !br_param_formula(row) ? row->choices : NULL;
  while (s) {
    const char *end = strchr(s, '|');
    if (index-- == 0) {
      if (len) *len = end ? (size_t)(end - s) : strlen(s);
      return s;
    }
    s = end ? end + 1 : NULL;
  }
  return NULL;
}

const char *bri_param_default(const br_param *row, const char *gap, size_t most, size_t size, char *buf)
{
  size_t used = 0, len = 0;
  const char *choice = row->choices ? br_param_choice(row, (size_t)row->def, &len) : NULL;
  const size_t n = row->choices ? 0 : row->max_len == 1 ? 1 : row->ndef;
  (void)snprintf(buf, size, "%.*s", (int)len, choice ? choice : "");
  for (size_t i = 0; i < n && used < size; i++) {
    char number[BR_DOUBLE_TEXT] = "..";
    if (n > most && i == 2) i = n - 2;
    else (void)br_format_double(row->max_len == 1 ? row->def : row->defs[i], number);
    used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? gap : "", number);
  }
  return buf;
}

size_t br_param_choices(const br_param *row)
{
  size_t n = 0;
  while (br_param_choice(row, n, NULL)) n++;
  return n;
}

br_status bri_param_check(const br_param_table *table, const br_param *row, size_t element, double x,
                          br_err *err)
{
  char range[112], where[24] = "";
  const int above = row->lo_open ? x > row->lo : x >= row->lo;
  const int below = row->hi_open ? x < row->hi : x <= row->hi;
  const size_t choices = br_param_choices(row);
  const int known = choices == 0 || (x >= 0 && x < (double)choices && x == floor(x));
  if (isfinite(x) && above && below && known) return BR_OK;
  bri_range_text(row, range, sizeof range);
  if (row->max_len > 1) (void)snprintf(where, sizeof where, "[%zu]", element + 1);
  const char *unit = strcmp(row->unit, "1") == 0 ? "" : row->unit;
  return bri_text_fail(err, isnan(x) ? BR_E_NAN : BR_E_RANGE, (int)row->slot,
                       "%s: parameter %s%s = %.9g%s%s is out of range: must be %s", table->owner, row->name,
                       where, x, unit[0] ? " " : "", unit, range);
}

static br_status choice_value(const br_param_table *table, const br_param *row, const char *text, size_t n,
                              double *x, br_err *err)
{
  char buf[BRI_CHOICE];
  const int index = bri_choice_index(row->choices, text, n);
  if (index >= 0) return *x = index, BR_OK;
  const char *near = bri_choice_near(row->choices, text, n, buf);
  return bri_text_fail(err, BR_E_NAME, (int)row->slot, "%s: parameter %s = '%.*s' must be one of %s%s%s%s",
                       table->owner, row->name, bri_text_width(n), text, row->choices,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

br_status bri_param_value(const br_param_table *table, const br_param *row, const char *text, size_t n,
                          double *x, int *turns, br_err *err)
{
  br_unit wanted, written;
  int has_unit = 0;
  br_err why = {BR_OK, -1, ""};
  if (row->choices) return choice_value(table, row, text, n, x, err);
  br_status st = br_quantity_parse(text, n, x, &written, &has_unit, &why);
  if (st)
    return bri_text_fail(err, st, (int)row->slot, "%s: parameter %s: %.160s", table->owner, row->name,
                         n ? why.msg : "has no value");
  if (!has_unit) return BR_OK;
  st = br_unit_parse(row->unit, strlen(row->unit), &wanted, &why);
  if (st)
    return bri_text_fail(err, BR_E_ARG, (int)row->slot, "%s: table of %s: %.160s", table->owner, row->name,
                         why.msg);
  if (br_unit_fits(&wanted, &written, table->rotary)) {
    const int same = br_unit_same(&wanted, &written),
              plain = wanted.dim[BR_DIM_LENGTH] == 0 && wanted.dim[BR_DIM_MASS] == 0;
    *turns = !table->rotary || plain ? 0 : same ? -1 : 1;
    return BR_OK;
  }
  char dim[64];
  return bri_text_fail(err, BR_E_PARSE, (int)row->slot,
                       "%s: parameter %s = %.*s has dimension %s, but %s is in %s", table->owner, row->name,
                       bri_text_width(n), text, br_unit_text(&written, sizeof dim, dim), row->name,
                       row->unit);
}
