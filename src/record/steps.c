/* SPDX-License-Identifier: Apache-2.0
 * steps.c - what is done to a record, in the order of its text: "window:1s:9s|offset:-3mm|lowpass:20Hz". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "bristle/text.h"
#include "record.h"

enum { MOST_ROWS = 100000000, ARGS = 2 };

typedef struct step step;
typedef struct {
  br_record *r;
  const step *row;
  const char *text; /* the step as written */
  size_t n;
  int only;  /* channel that it names; -1: none is named */
  int aside; /* it names a column of the file that is not in use */
  double x[ARGS];
  br_unit unit[ARGS];
  int has_unit[ARGS];
  br_err *err;
} act;

struct step {
  br_record_step face;
  int args;    /* numbers that must follow */
  char kind;   /* of them: 't' time or rows, 'f' frequency, 'p' plain, 'v' unit of the channel */
  int channel; /* 1: done to channels, one by one; 0: to the whole record */
  int dirty;   /* 1: may be done before gaps are judged */
  br_status (*all)(act *a);
  br_status (*one)(act *a, size_t k);
};

static const br_unit SECOND = {1.0, {0, 0, 1, 0, 0, 0}}, HERTZ = {1.0, {0, 0, -1, 0, 0, 0}};

static br_status bad(const act *a, br_status code, const char *why)
{
  return bri_fail(a->err, code, "%.60s: step '%.*s': %s", a->r->label, bri_text_width(a->n), a->text, why);
}

/* ---- steps of the whole record ---- */

static br_status window(act *a)
{
  br_record *r = a->r;
  size_t kept = 0;
  const double *t = r->ch[0].x, lo = a->x[0], hi = a->x[1], slack = 1e-9 * (hi - lo);
  if (!(lo < hi)) return bad(a, BR_E_RANGE, "must be A:B with A < B");
  const double first = r->rows ? t[0] : 0, last = r->rows ? t[r->rows - 1] : 0;
  for (size_t i = 0; i < r->rows; i++) {
    if (!(t[i] >= lo - slack && t[i] <= hi + slack)) continue;
    for (size_t k = 0; k < r->n; k++)
      if (r->ch[k].x) r->ch[k].x[kept] = r->ch[k].x[i];
    kept++;
  }
  if (kept < 2)
    return bri_fail(a->err, BR_E_RANGE,
                    "%.60s: step '%.*s' leaves %zu rows of the record, which goes from %.6g to %.6g %s",
                    r->label, bri_text_width(a->n), a->text, kept, first, last, bri_record_clock(r));
  r->rows = kept;
  return BR_OK;
}

static br_status gaps(act *a)
{
  if (!(a->x[0] > 0)) return bad(a, BR_E_RANGE, "must be > 0");
  a->r->gap_limit = a->x[0];
  return BR_OK;
}

static br_status shift(act *a)
{
  if (!a->r->timed) return bad(a, BR_E_UNSUPPORTED, "the record has no time");
  for (size_t i = 0; i < a->r->rows; i++) a->r->ch[0].x[i] += a->x[0];
  return BR_OK;
}

static br_status resample(act *a)
{
  br_record *r = a->r;
  double *t = r->ch[0].x;
  const double h = a->x[0], start = r->rows ? t[0] : 0, whole = r->rows ? t[r->rows - 1] - start : 0;
  if (!r->timed) return bad(a, BR_E_UNSUPPORTED, "the record has no time");
  if (!(h > 0)) return bad(a, BR_E_RANGE, "must be > 0");
  if (!(whole / h + 2 < MOST_ROWS)) return bad(a, BR_E_SIZE, "that would be more than 100 million rows");
  const size_t rows = (size_t)floor(whole / h * (1 + 1e-12) + 1e-9) + 1;
  for (size_t k = r->n; k-- > 0;) { /* the time last: the others need it */
    if (!r->ch[k].x) continue;
    double *y = bri_malloc_array(rows + 1, sizeof *y);
    if (!y) return bri_fail(a->err, BR_E_NOMEM, "%s: no memory for %zu rows", r->label, rows);
    for (size_t i = 0, j = 0; i < rows; i++) {
      const double s = start + h * (double)i;
      while (j + 2 < r->rows && t[j + 1] <= s) j++;
      const double d = j + 1 < r->rows ? t[j + 1] - t[j] : 0, w = d > 0 ? fmin((s - t[j]) / d, 1) : 0;
      const double *x = r->ch[k].x;
      y[i] = k == 0 ? s : w > 0 ? x[j] + (x[j + 1] - x[j]) * w : x[j];
    }
    bri_free(r->ch[k].x);
    r->ch[k].x = y;
  }
  r->rows = rows;
  r->dt = h;
  return BR_OK;
}

/* ---- steps of a channel ---- */

static br_status scale(act *a, size_t k)
{
  if (a->x[0] == 0) return bad(a, BR_E_RANGE, "a factor of 0 leaves nothing");
  for (size_t i = 0; i < a->r->rows; i++) a->r->ch[k].x[i] *= a->x[0];
  return BR_OK;
}

static br_status offset(act *a, size_t k)
{
  for (size_t i = 0; i < a->r->rows; i++) a->r->ch[k].x[i] += a->x[0];
  return BR_OK;
}

static br_status detrend(act *a, size_t k)
{
  bri_record_detrend(a->r->rows, a->r->ch[0].x, a->r->ch[k].x);
  return BR_OK;
}

static br_status centre(act *a, size_t k)
{
  double *x = a->r->ch[k].x, lo = INFINITY, hi = -INFINITY;
  for (size_t i = 0; i < a->r->rows; i++) lo = fmin(lo, x[i]), hi = fmax(hi, x[i]);
  const double middle = lo + 0.5 * (hi - lo);
  for (size_t i = 0; i < a->r->rows && isfinite(middle); i++) x[i] -= middle;
  return BR_OK;
}

static br_status lowpass(act *a, size_t k)
{
  char why[120];
  const double most = a->r->dt > 0 ? 0.5 / a->r->dt : INFINITY;
  if (!a->r->timed) return bad(a, BR_E_UNSUPPORTED, "the record has no time");
  (void)snprintf(why, sizeof why, "must be > 0 and at most half the sampling rate, %.6g Hz", most);
  if (!(a->x[0] > 0 && a->x[0] <= most * (1 + 1e-6))) return bad(a, BR_E_RANGE, why);
  return bri_record_lowpass(a->r->rows, a->r->ch[0].x, a->r->ch[k].x, a->x[0], a->err);
}

#define STEP(name, grammar, doc, ...) \
  {                                   \
    {name, grammar, doc}, __VA_ARGS__ \
  }
static const step STEPS[] = {
    STEP("window", "window:A:B",
         "rows from A to B, in s (row numbers from 0 without time); A:B alone is the same", 2, 't', 0, 1,
         window),
    STEP("gaps", "gaps:L", "bridges gaps up to L, in s (rows without time)", 1, 't', 0, 1, gaps),
    STEP("shift", "shift:T", "adds T to the time", 1, 't', 0, 0, shift),
    STEP("offset", "offset:X", "adds X", 1, 'v', 1, 1, NULL, offset),
    STEP("scale", "scale:K", "multiplies by K", 1, 'p', 1, 1, NULL, scale),
    STEP("centre", "centre", "takes the middle between smallest and largest value off", 0, 0, 1, 0, NULL,
         centre),
    STEP("detrend", "detrend", "takes the least-squares line off", 0, 0, 1, 0, NULL, detrend),
    STEP("lowpass", "lowpass:F", "no phase, 3 dB down at F in Hz: Butterworth there and back", 1, 'f', 1, 0,
         NULL, lowpass),
    STEP("resample", "resample:H", "every H s, along straight lines", 1, 't', 0, 0, resample),
};
enum { NSTEPS = sizeof STEPS / sizeof STEPS[0] };

const br_record_step *br_record_steps(size_t i) { return i < NSTEPS ? &STEPS[i].face : NULL; }

/* ---- reading ---- */

static br_status unknown(const act *a, size_t n)
{
  const char *names[NSTEPS];
  char word[32] = "", all[160] = "", hint[BRI_HINT];
  size_t used = 0;
  for (size_t i = 0; i < NSTEPS; i++) {
    names[i] = STEPS[i].face.name;
    used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", names[i]);
  }
  if (n < sizeof word) memcpy(word, a->text, n);
  return bri_fail(a->err, BR_E_NAME, "%.60s: unknown step '%.*s'%s; steps are %s", a->r->label,
                  bri_text_width(n), a->text, bri_hint(word, names, NSTEPS, "", hint), all);
}

/* "NAME=" in front: the column, or the channel as messages call it. */
static br_status find_channel(act *a, const char *s, size_t n)
{
  char why[120], name[80];
  for (size_t k = 1; k < a->r->n; k++) {
    const bri_channel *ch = &a->r->ch[k];
    if (!ch->x) continue;
    if ((strlen(ch->what) == n && memcmp(ch->what, s, n) == 0) ||
        (strlen(ch->name) == n && memcmp(ch->name, s, n) == 0))
      return a->only = (int)k, BR_OK;
  }
  (void)snprintf(name, sizeof name, "%.*s", n < 79 ? (int)n : 79, s);
  if (br_table_find(a->r->table, name, NULL) >= 0) return a->aside = 1, BR_OK;
  (void)snprintf(why, sizeof why, "'%.*s' is no column in use", bri_text_width(n) < 40 ? (int)n : 40, s);
  return bad(a, BR_E_NAME, why);
}

/* Numbers behind the name, as many as the row says. */
static br_status read_numbers(act *a, const char *s, size_t n)
{
  const char *end = s + n, *equals = n ? memchr(s, '=', n) : NULL;
  br_err why = {BR_OK, -1, ""};
  char text[200];
  if (a->row->channel && equals) {
    const br_status st = find_channel(a, s, (size_t)(equals - s));
    if (st) return st;
    s = equals + 1;
  } else if (a->row->channel && a->row->args == 0 && n) {
    return find_channel(a, s, n);
  }
  for (int i = 0; i < a->row->args; i++) {
    const char *colon = i + 1 < a->row->args && s < end ? memchr(s, ':', (size_t)(end - s)) : end;
    if (!colon) colon = end;
    if (s >= end || br_quantity_parse(s, (size_t)(colon - s), &a->x[i], &a->unit[i], &a->has_unit[i], &why)) {
      (void)snprintf(text, sizeof text, "expected %s%s%.90s", a->row->face.grammar, why.msg[0] ? "; " : "",
                     why.msg);
      return bad(a, BR_E_PARSE, text);
    }
    const br_unit *needed = a->row->kind == 't' ? &SECOND : a->row->kind == 'f' ? &HERTZ : NULL;
    if (a->has_unit[i] && (a->row->kind == 'p' || (needed && !br_unit_same(needed, &a->unit[i])) ||
                           (needed == &SECOND && !a->r->timed))) {
      (void)snprintf(text, sizeof text, "its unit is not that of %s",
                     a->row->kind == 'p'   ? "a factor: write a number alone"
                     : a->row->kind == 'f' ? "a frequency (Hz)"
                     : a->r->timed         ? "a time (s)"
                                           : "a row number: the record has no time");
      return bad(a, BR_E_PARSE, text);
    }
    s = colon + (colon < end);
  }
  if (s < end) {
    (void)snprintf(text, sizeof text, "expected %s", a->row->face.grammar);
    return bad(a, BR_E_PARSE, text);
  }
  return BR_OK;
}

/* Is the step meant for this channel?  A unit that is written chooses; a number alone needs one channel or a
 * name. */
static int meant(const act *a, size_t k)
{
  const bri_channel *ch = &a->r->ch[k];
  if (!ch->x) return 0;
  if (a->only >= 0) return (size_t)a->only == k;
  return a->row->kind != 'v' || !a->has_unit[0] || br_unit_fits(&ch->needed, &a->unit[0], ch->rotary);
}

static br_status on_channels(act *a)
{
  size_t values = 0, done = 0;
  char why[160], dim[48];
  for (size_t k = 1; k < a->r->n; k++) values += a->r->ch[k].x != NULL;
  const int bare = a->row->args && a->row->kind != 'f' && !a->has_unit[0];
  if (a->only < 0 && bare && a->r->main) a->only = (int)a->r->main;
  if (a->only < 0 && bare && values > 1) {
    (void)snprintf(why, sizeof why, "which of the %zu columns? write %s:COLUMN=...", values,
                   a->row->face.name);
    return bad(a, BR_E_PARSE, why);
  }
  for (size_t k = 1; k < a->r->n; k++) {
    if (!meant(a, k)) continue;
    if (a->only >= 0 && a->row->kind == 'v' && a->has_unit[0] &&
        !br_unit_fits(&a->r->ch[k].needed, &a->unit[0], a->r->ch[k].rotary))
      break;
    const br_status st = a->row->one(a, k);
    if (st) return st;
    done++;
  }
  if (done) return BR_OK;
  (void)snprintf(why, sizeof why, "no column in use has the dimension %s",
                 br_unit_text(&a->unit[0], sizeof dim, dim));
  return bad(a, BR_E_PARSE, why);
}

static br_status one_step(br_record *r, const char *s, size_t n, br_err *err)
{
  act a = {.r = r, .text = s, .n = n, .only = -1, .err = err};
  const char *colon = n ? memchr(s, ':', n) : NULL;
  const size_t name = colon ? (size_t)(colon - s) : n;
  const int number = n && strchr("+-.0123456789", s[0]) != NULL; /* "1s:9s" */
  for (size_t i = 0; i < NSTEPS && !number; i++)
    if (strlen(STEPS[i].face.name) == name && memcmp(STEPS[i].face.name, s, name) == 0) a.row = &STEPS[i];
  if (number) a.row = &STEPS[0];
  if (!a.row) return unknown(&a, name);
  br_status st = number || !colon ? read_numbers(&a, s + (number ? 0 : n), number ? n : 0)
                                  : read_numbers(&a, colon + 1, n - name - 1);
  if (!st && !a.row->dirty) st = bri_record_clean(r, err);
  if (!st && !a.aside) st = a.row->channel ? on_channels(&a) : a.row->all(&a);
  if (!st)
    bri_record_note(r, "%.*s%s", bri_text_width(n), s, a.aside ? " (a column that is not in use here)" : "");
  return st;
}

br_status bri_record_walk(br_record *r, const char *steps, br_err *err)
{
  br_status st = BR_OK;
  for (const char *s = steps; s && !st;) {
    const size_t n = strcspn(s, "|");
    st = one_step(r, s, n, err);
    s = s[n] ? s + n + 1 : NULL;
  }
  if (!st) st = bri_record_clean(r, err);
  return st ? st : bri_record_sound(r, err);
}
