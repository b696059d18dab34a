/* SPDX-License-Identifier: Apache-2.0
 * option.c - values of options: text to numbers by the rows, rules between them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/text.h"
#include "bristle/unit.h"
#include "job.h"
#include "base/alloc.h"
#include "text/choice.h"

enum { RANGE = 96 };

/* "--load" on a command line, 'load' where the place is told by file and line. */
static const char *shown(const br_job *job, const br_option *row, size_t size, char *buf)
{
  (void)snprintf(buf, size, "%s%s", job->dashes, row->name);
  return buf;
}

static const char *range_text(const br_option *row, char buf[RANGE])
{
  const char *whole = row->kind == BR_OPTION_COUNT ? "a whole number, " : "";
  if (isfinite(row->hi) && row->hi > row->lo)
    (void)snprintf(buf, RANGE, "%s%s %.9g and <= %.9g", whole, row->lo_open ? ">" : ">=", row->lo, row->hi);
  else (void)snprintf(buf, RANGE, "%s%s %.9g", whole, row->lo_open ? ">" : ">=", row->lo);
  return buf;
}

static int in_range(const br_option *row, double x)
{
  if (row->kind == BR_OPTION_COUNT && x != floor(x)) return 0;
  if (row->lo == 0 && row->hi == 0 && row->kind != BR_OPTION_COUNT) return 1;
  return (row->lo_open ? x > row->lo : x >= row->lo) && (row->hi <= row->lo || x <= row->hi);
}

static br_status read_number(const br_job *job, const br_option *row, const char *s, size_t n, double *x,
                             br_err *err)
{
  br_unit unit, wanted;
  br_err why = {BR_OK, -1, ""};
  char name[80], dim[64], range[RANGE];
  const char *unit_text = row->unit && strcmp(row->unit, "1") != 0 ? row->unit : "",
             *gap = unit_text[0] ? " " : "";
  int has_unit = 0;
  (void)shown(job, row, sizeof name, name);
  if (br_quantity_parse(s, n, x, &unit, &has_unit, &why))
    return bri_fail(err, why.code, "%s: %.180s", name, why.msg);
  if (has_unit && row->unit && !br_unit_parse(row->unit, strlen(row->unit), &wanted, &why) &&
      !br_unit_same(&unit, &wanted))
    return bri_fail(err, BR_E_PARSE, "%s = %.*s has dimension %s, but %s is in %s", name, bri_text_width(n),
                    s, br_unit_text(&unit, sizeof dim, dim), name, row->unit);
  if (!in_range(row, *x))
    return bri_fail(err, BR_E_RANGE, "%s = %.*s%s%s is out of range: must be %s", name, bri_text_width(n), s,
                    has_unit ? "" : gap, has_unit ? "" : unit_text, range_text(row, range));
  return BR_OK;
}

/* Numbers between commas. */
static br_status read_list(const br_job *job, const br_option *row, const char *text, bri_option_value *v,
                           br_err *err)
{
  const size_t len = strlen(text);
  char name[80];
  v->x = bri_malloc_array(len + 1, sizeof *v->x);
  if (!v->x) return bri_no_memory(err, row->name);
  for (size_t at = 0; at <= len;) {
    const size_t n = strcspn(text + at, ",");
    br_err why = {BR_OK, -1, ""};
    const br_status st = read_number(job, row, text + at, n, &v->x[v->n++], &why);
    if (st == BR_E_PARSE)
      return bri_fail(err, st, "%s = %.60s is not a list of numbers: '%.*s'",
                      shown(job, row, sizeof name, name), text, bri_text_width(n), text + at);
    if (st) return bri_fail(err, st, "%s", why.msg);
    at += n + 1;
  }
  return BR_OK;
}

static br_status read_choice(const br_job *job, const br_option *row, const char *choices, const char *text,
                             double *x, br_err *err)
{
  const int index = bri_choice_index(choices, text, strlen(text));
  char name[80], buf[BRI_CHOICE];
  if (index >= 0) return *x = index, BR_OK;
  const char *near = bri_choice_near(choices, text, strlen(text), buf);
  const int fits = strlen(choices) < 100; /* the message has room for so much */
  return bri_fail(err, BR_E_NAME, "%s = %.60s: %s%s%s%s%s", shown(job, row, sizeof name, name), text,
                  near ? "did you mean '" : "", near ? near : "", near ? fits ? "'? It " : "'?" : "",
                  near && !fits ? "" : "must be one of ", near && !fits ? "" : choices);
}

static br_status read_range(const br_job *job, const br_option *row, const char *text, double *x, br_err *err)
{
  const size_t n = strcspn(text, ":");
  char name[80];
  br_status st = text[n] ? read_number(job, row, text, n, &x[0], err) : BR_E_PARSE;
  if (!st) st = read_number(job, row, text + n + 1, strlen(text + n + 1), &x[1], err);
  if (st && text[n]) return st;
  if (st || !(x[0] < x[1]))
    return bri_fail(err, BR_E_PARSE, "%s = %.60s: must be A:B with A < B", shown(job, row, sizeof name, name),
                    text);
  return BR_OK;
}

br_status bri_option_read(const br_job *job, const br_option *row, const char *text, bri_option_value *v,
                          br_err *err)
{
  const size_t n = strlen(text);
  v->text = bri_copy_n(text, n);
  if (row->kind != BR_OPTION_LIST) v->x = bri_calloc(2, sizeof *v->x);
  if (!v->text || (row->kind != BR_OPTION_LIST && !v->x)) return bri_no_memory(err, row->name);
  v->n = row->kind == BR_OPTION_LIST ? 0 : 1;
  switch (row->kind) {
  case BR_OPTION_NUMBER:
  case BR_OPTION_COUNT: return read_number(job, row, text, n, v->x, err);
  case BR_OPTION_CHOICE: return read_choice(job, row, row->choices, text, v->x, err);
  case BR_OPTION_FLAG: return read_choice(job, row, "no|yes", text, v->x, err);
  case BR_OPTION_LIST: return read_list(job, row, text, v, err);
  case BR_OPTION_RANGE: return v->n = 2, read_range(job, row, text, v->x, err);
  case BR_OPTION_TEXT:
  case BR_OPTION_PAIRS:
  case BR_OPTION_SIGNAL: break;
  }
  return BR_OK;
}

void bri_option_free(bri_option_value *v)
{
  bri_free(v->text);
  bri_free(v->where);
  bri_free(v->x);
  memset(v, 0, sizeof *v);
}

const bri_option_value *bri_option_of(const br_job *job, const char *name)
{
  const br_option *row = br_analysis_option(job->an, name);
  return row ? &job->values[row - job->an->options] : NULL;
}

/* ---- rules ---- */

/* Is an option in force?  A flag that says no is not. */
static int in_force(const br_job *job, const char *name, size_t n)
{
  char copy[64];
  (void)snprintf(copy, sizeof copy, "%.*s", (int)n, name);
  const bri_option_value *v = bri_option_of(job, copy);
  const br_option *row = br_analysis_option(job->an, copy);
  return v && v->given && !(row->kind == BR_OPTION_FLAG && v->x[0] == 0);
}

/* "--waveform or --scales" */
static const char *names_of(const br_job *job, const char *list, size_t size, char *buf)
{
  size_t used = 0;
  for (const char *s = list; *s && used < size; s += strcspn(s, "|"), s += *s == '|') {
    const int w = snprintf(buf + used, size - used, "%s%s%.*s", used ? " or " : "", job->dashes,
                           (int)strcspn(s, "|"), s);
    used += w > 0 ? (size_t)w : 0;
  }
  return buf;
}

br_status bri_option_fail(const br_job *job, const char *where, const br_err *why, br_err *err)
{
  const int told =
      !where || !where[0] || (job->dashes[0] && strncmp(where, job->dashes, strlen(job->dashes)) == 0);
  return bri_text_fail(err, why->code, why->index, "%.80s%s%.170s", told ? "" : where, told ? "" : ": ",
                       why->msg);
}

static br_status check_row(const br_job *job, const br_option *row, br_err *err)
{
  char name[80], others[160];
  int found = 0;
  if (!in_force(job, row->name, strlen(row->name))) return BR_OK;
  (void)shown(job, row, sizeof name, name);
  for (const char *s = row->excludes ? row->excludes : ""; *s; s += strcspn(s, "|"), s += *s == '|') {
    if (!in_force(job, s, strcspn(s, "|"))) continue;
    return bri_text_fail(err, BR_E_ARG, (int)(row - job->an->options), "%s and %s%.*s exclude each other: %s",
                         name, job->dashes, (int)strcspn(s, "|"), s, row->clash);
  }
  for (const char *s = row->needs ? row->needs : ""; *s; s += strcspn(s, "|"), s += *s == '|')
    found = found || in_force(job, s, strcspn(s, "|"));
  if (row->needs && !found)
    return bri_text_fail(err, BR_E_ARG, (int)(row - job->an->options), "%s %s: add %s", name, row->why,
                         names_of(job, row->needs, sizeof others, others));
  return BR_OK;
}

br_status bri_option_rules(const br_job *job, br_err *err)
{
  br_status st = BR_OK;
  for (size_t i = 0; i < job->an->noptions && !st; i++) {
    br_err why = {BR_OK, -1, ""};
    st = check_row(job, &job->an->options[i], &why);
    if (st) st = bri_option_fail(job, job->values[i].where, &why, err);
  }
  return st;
}
