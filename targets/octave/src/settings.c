/* SPDX-License-Identifier: Apache-2.0
 * settings.c - values of Octave as the texts that every front end gives to a job. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verbs.h"

/* A text that grows; failed: out of memory. */
typedef struct {
  char *text;
  size_t used, room;
  int failed;
} buffer;

static void put(buffer *b, const char *s, size_t n)
{
  if (b->used + n + 1 > b->room) {
    const size_t room = 2 * (b->used + n + 1);
    char *more = realloc(b->text, room);
    if (!more) {
      b->failed = 1;
      return;
    }
    b->text = more;
    b->room = room;
  }
  memcpy(b->text + b->used, s, n);
  b->used += n;
  b->text[b->used] = '\0';
}

static void put_text(buffer *b, const char *s) { put(b, s, strlen(s)); }

static void put_number(buffer *b, double x)
{
  char text[BR_DOUBLE_TEXT];
  put(b, text, br_format_double(x, text));
}

static void put_value(buffer *b, const mxArray *v, const char *between);

static void put_struct(buffer *b, const mxArray *v, const char *between)
{
  for (int i = 0; i < mxGetNumberOfFields(v); i++) {
    const mxArray *x = mxGetFieldByNumber(v, 0, i);
    put_text(b, i ? "," : "");
    put_text(b, mxGetFieldNameByNumber(v, i));
    put_text(b, "=");
    if (x) put_value(b, x, between);
  }
}

static void put_value(buffer *b, const mxArray *v, const char *between)
{
  const size_t n = mxGetNumberOfElements(v);
  if (mxIsChar(v)) {
    char *s = mxArrayToString(v);
    if (s) put_text(b, s);
    else b->failed = 1;
    mxFree(s);
  } else if (mxIsLogical(v) && n == 1) {
    put_text(b, mxIsLogicalScalarTrue(v) ? "yes" : "no");
  } else if (mxIsStruct(v)) {
    put_struct(b, v, between);
  } else if (mxIsCell(v)) {
    for (size_t i = 0; i < n; i++) {
      const mxArray *x = mxGetCell(v, i);
      put_text(b, i ? between : "");
      if (x) put_value(b, x, between);
    }
  } else if (mxIsDouble(v)) {
    const double *x = mxGetPr(v);
    for (size_t i = 0; i < n; i++) put_text(b, i ? between : ""), put_number(b, x[i]);
  } else if (mxIsNumeric(v) && n == 1) {
    put_number(b, mxGetScalar(v));
  } else {
    put_text(b, "?"); /* whoever reads it says what was expected */
  }
}

int settings_same(const char *given_name, const char *option)
{
  for (; *given_name && *option; given_name++, option++)
    if (*given_name != *option && !(*given_name == '_' && *option == '-')) return 0;
  return !*option && (!*given_name || strcmp(given_name, "_") == 0); /* from_ is from */
}

static const br_option *row_of(const br_analysis *a, const char *name)
{
  for (size_t i = 0; i < a->noptions; i++)
    if (settings_same(name, a->options[i].name) ||
        (a->options[i].alias && settings_same(name, a->options[i].alias)))
      return &a->options[i];
  return NULL;
}

static br_status set(br_job *job, const char *name, const buffer *b, br_err *err)
{
  char where[80];
  if (b->failed) {
    if (err) *err = (br_err){BR_E_NOMEM, -1, "out of memory"};
    return BR_E_NOMEM;
  }
  (void)snprintf(where, sizeof where, "--%.60s", name);
  return br_job_set(job, name, b->text ? b->text : "", where, err);
}

/* ---- inputs: a text, an N x 2 matrix [t u], or a struct of them by name ---- */

static br_status set_record(br_job *job, const char *name, const mxArray *v, br_err *err)
{
  const size_t n = mxGetM(v);
  const double *x = mxGetPr(v);
  return br_job_set_array(job, name, n, x, x + n, BR_SIGNAL_LINEAR, 0, err);
}

static br_status set_input(br_job *job, const char *name, const mxArray *v, br_err *err)
{
  char full[96];
  buffer b = {0};
  if (mxIsStruct(v) && !name) {
    br_status st = BR_OK;
    for (int i = 0; i < mxGetNumberOfFields(v) && !st; i++)
      st = set_input(job, mxGetFieldNameByNumber(v, i), mxGetFieldByNumber(v, 0, i), err);
    return st;
  }
  if (mxIsCell(v) && !name) {
    br_status st = BR_OK;
    for (size_t i = 0; i < mxGetNumberOfElements(v) && !st; i++)
      st = set_input(job, NULL, mxGetCell(v, i), err);
    return st;
  }
  (void)snprintf(full, sizeof full, name ? "input.%.80s" : "input", name);
  if (mxIsDouble(v) && !mxIsComplex(v) && mxGetN(v) == 2 && mxGetNumberOfDimensions(v) == 2)
    return set_record(job, full, v, err);
  if (name) put_text(&b, name), put_text(&b, ":");
  put_value(&b, v, ",");
  const br_status st = set(job, "input", &b, err);
  free(b.text);
  return st;
}

br_status settings_apply(br_job *job, const br_analysis *a, const given *list, size_t n, br_err *err)
{
  static const char *const OWN[] = {"model", "preset", "system", "init"};
  buffer all = {0}; /* 'set' first, then parameters by name, as one list */
  br_status st = BR_OK;
  for (size_t i = 0; i < n; i++)
    if (strcmp(list[i].name, "set") == 0) put_value(&all, list[i].value, ",");
  for (size_t i = 0; i < n && !st; i++) {
    const br_option *row = row_of(a, list[i].name);
    const char *name = row ? row->name : NULL;
    buffer b = {0};
    for (size_t k = 0; k < sizeof OWN / sizeof OWN[0] && !name; k++)
      if (strcmp(list[i].name, OWN[k]) == 0) name = OWN[k];
    if (strcmp(list[i].name, "set") == 0) continue;
    if (!row && strcmp(list[i].name, "input") == 0) {
      st = set_input(job, NULL, list[i].value, err);
      continue;
    }
    if (!name) {
      put_text(&all, all.used ? "," : ""), put_text(&all, list[i].name), put_text(&all, "=");
      put_value(&all, list[i].value, ",");
      continue;
    }
    const int ranged = row && (row->kind == BR_OPTION_RANGE || (row->arg && strchr(row->arg, ':')));
    put_value(&b, list[i].value, ranged ? ":" : ",");
    st = set(job, name, &b, err);
    free(b.text);
  }
  if (!st && all.used) st = set(job, "set", &all, err);
  free(all.text);
  return st;
}
