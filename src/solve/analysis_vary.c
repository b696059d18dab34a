/* SPDX-License-Identifier: Apache-2.0
 * analysis_vary.c - loads as inputs and parameters that switch, from the texts of a job to its plant. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "bristle/expr.h"
#include "bristle/text.h"
#include "bristle/unit.h"
#include "param/param.h"
#include "text/buf.h"
#include "signal/samples.h"
#include "text/fail.h"
#include "varied.h"

enum { MOST = 1000 }; /* switches in a run */

int bri_load_name(const char *name, size_t len, size_t n)
{
  size_t c = 0;
  if (len == 0 || name[0] != 'N' || len > 4) return -1;
  for (size_t i = 1; i < len; i++) {
    if (name[i] < '0' || name[i] > '9' || (i == 1 && name[i] == '0')) return -1;
    c = 10 * c + (size_t)(name[i] - '0');
  }
  return c <= n && c <= 64 ? (int)c : -1;
}

br_status bri_load_parse(const char *text, const br_signal_need *need, br_signal **out, br_err *err)
{
  const double t = 0;
  double x = 0, code[512];
  size_t n = 0;
  if (strncmp(text, "u:", 2) == 0) return bri_signal_along(text + 2, need, out, err);
  if (strncmp(text, "expr:", 5) == 0 &&
      br_expr_compile(text + 5, strlen(text + 5), "t", 512, code, &n, NULL) &&
      !br_expr_compile(text + 5, strlen(text + 5), "u", 512, code, &n, NULL))
    return bri_signal_along(text, need, out, err); /* a formula of u */
  if (!text[0] || br_parse_double(text, strlen(text), &x) != strlen(text))
    return br_signal_parse_for(text, need, out, err);
  if (!(x >= 0 && isfinite(x)))
    return bri_fail(err, BR_E_RANGE, "N = %.9g is out of range: must be >= 0 and finite", x);
  return br_signal_from_arrays(1, &t, &x, out, err);
}

/* A number, or straight lines that never leave it. */
static int stays(const br_signal *s)
{
  return bri_signal_straight(s) && br_signal_next_corner(s, -1e-300) == INFINITY &&
         br_signal_rate(s, 0, 1) == 0;
}

static br_status drive_loads(const br_job *job, br_plant *plant, br_err *err)
{
  const size_t n = br_plant_ncontact(plant) / (size_t)br_job_system(job)->axes;
  br_status st = BR_OK;
  for (size_t c = 0; c < n && !st; c++) {
    br_signal *load = br_job_load(job, c);
    br_drive drive = load ? br_drive_signal(load) : (br_drive){0};
    if (load && bri_signal_is_along(load)) {
      st = br_plant_load_along(plant, c, &drive, err);
      continue;
    }
    if (load && stays(load)) drive = (br_drive){.value = br_signal_value(load, 0)};
    if (load) st = br_plant_load(plant, c, &drive, err);
  }
  return st;
}

/* ---- switches: "0.5s:load=10,k=3,1s:Fc=2" ---- */

/* A stretch of the list that begins with a time. */
typedef struct {
  double t;         /* s */
  const char *text; /* NAME=VALUE,... */
  size_t n;
} stage;

static int read_time(const char *s, size_t n, double *t)
{
  br_unit unit, seconds;
  int has_unit = 0;
  if (n == 0 || br_quantity_parse(s, n, t, &unit, &has_unit, NULL)) return 0;
  return !has_unit || (!br_unit_parse("s", 1, &seconds, NULL) && br_unit_same(&unit, &seconds));
}

static br_status read_stages(const br_job *job, const char *text, stage *list, size_t *count, br_err *err)
{
  const char *dash = br_job_dash(job);
  for (const char *s = text; *s;) {
    const size_t n = bri_item_length(s), colon = strcspn(s, ":=");
    if (colon < n && s[colon] == ':') {
      stage *at = &list[*count];
      if (*count == MOST) return bri_fail(err, BR_E_SIZE, "%sswitch: more than %d of them", dash, MOST);
      if (!read_time(s, colon, &at->t) || !(at->t > 0 && isfinite(at->t)))
        return bri_fail(err, BR_E_PARSE, "%sswitch %.40s: '%.*s' is no time > 0 in s", dash, text,
                        bri_text_width(colon), s);
      if (*count && !(at->t > list[*count - 1].t))
        return bri_fail(err, BR_E_ARG, "%sswitch: times must ascend: %.9g s behind %.9g s", dash, at->t,
                        list[*count - 1].t);
      if (colon + 1 >= n)
        return bri_fail(err, BR_E_PARSE, "%sswitch %.40s: expected T:NAME=VALUE,..., e.g. 0.5s:Fc=2", dash,
                        text);
      at->text = s + colon + 1;
      ++*count;
    } else if (!*count) {
      return bri_fail(err, BR_E_PARSE, "%sswitch %.60s: expected T:NAME=VALUE,..., e.g. 0.5s:Fc=2", dash,
                      text);
    }
    s += n;
    list[*count - 1].n = (size_t)(s - list[*count - 1].text);
    s += *s == ',';
  }
  return BR_OK;
}

/* Loads that switches have set, by contact; NaN: none. */
typedef struct {
  double n[64];
} loads;

/* "load=2", "N=2" or "N1=2", where the mechanism has no such parameter: taken; else into the list b. */
static br_status take_item(const br_job *job, const br_params *p, const char *s, size_t n, size_t contacts,
                           loads *l, bri_buf *b, br_err *err)
{
  const char *eq = memchr(s, '=', n);
  const size_t len = eq ? (size_t)(eq - s) : 0;
  char name[24];
  double x = 0;
  (void)snprintf(name, sizeof name, "%.*s", len < 20 ? (int)len : 0, s);
  int c = len == 4 && memcmp(s, "load", 4) == 0 ? 0 : bri_load_name(s, len, contacts);
  if (c < 0 || br_params_row(p, name)) {
    if (b->used) bri_buf_text(b, ",");
    bri_buf_add(b, s, n);
    return BR_OK;
  }
  if (br_parse_double(eq + 1, n - len - 1, &x) != n - len - 1 || n == len + 1 || !(x >= 0 && isfinite(x)))
    return bri_fail(err, BR_E_RANGE, "%sswitch %.*s: the load must be a number >= 0", br_job_dash(job),
                    bri_text_width(n), s);
  for (size_t k = 0; k < contacts && k < 64; k++)
    if (c == 0 || k + 1 == (size_t)c) {
      if (br_job_load(job, k))
        return bri_fail(err, BR_E_ARG, "%sswitch %.*s: an input drives that load", br_job_dash(job),
                        bri_text_width(n), s);
      l->n[k] = x;
    }
  return BR_OK;
}

/* The values of a job with the changes of all stages up to `last`: into p, and the loads of n contacts. */
static br_status change(const br_job *job, const stage *list, size_t last, size_t n, br_params *p, loads *l,
                        br_err *err)
{
  bri_buf b = {0};
  br_status st = br_job_values(job, p, err);
  for (size_t c = 0; c < 64; c++) l->n[c] = NAN;
  for (size_t i = 0; i <= last && !st; i++) {
    b.used = 0;
    for (const char *s = list[i].text, *end = s + list[i].n; s < end && !st;) {
      const size_t w = bri_item_length(s) < (size_t)(end - s) ? bri_item_length(s) : (size_t)(end - s);
      st = take_item(job, p, s, w, n, l, &b, err);
      s += w + 1;
    }
    if (!st && b.failed) st = bri_no_memory(err, "switch");
    if (!st && b.used) st = br_params_set_list(p, b.text, err);
  }
  bri_buf_free(&b);
  return st ? st : br_params_finish(p, err);
}

/* The plant with the changes of all stages up to `last`. */
static br_status plant_of(const br_job *job, const br_drive *drives, const stage *list, size_t last,
                          br_plant **out, br_err *err)
{
  const br_system *sys = br_job_system(job);
  br_param_table t[BR_PLANT_TABLES];
  br_param *inputs = bri_calloc(sys->ninput + 1, sizeof *inputs);
  br_drive *own = bri_calloc(sys->ninput + 1, sizeof *own);
  br_params *p = NULL;
  loads l;
  const size_t n = br_plant_ncontact(br_job_plant(job)) / (size_t)sys->axes;
  br_status st = inputs && own ? BR_OK : bri_no_memory(err, "switch");
  if (!st) st = br_params_create_tables(t, br_plant_tables(sys, br_job_model(job), inputs, t), &p, err);
  if (!st) st = change(job, list, last, n, p, &l, err);
  const double *held = st ? NULL : br_params_block(p, "input");
  for (size_t k = 0; k < sys->ninput && !st; k++) {
    own[k] = drives[k];
    if (!own[k].eval && held) own[k].value = held[k];
  }
  if (!st) st = br_plant_of(sys, br_job_model(job), p, own, out, err);
  if (!st) st = drive_loads(job, *out, err);
  for (size_t c = 0; c < n && c < 64 && !st; c++) {
    const br_drive at = {.value = l.n[c]};
    if (!isnan(l.n[c])) st = br_plant_load(*out, c, &at, err);
  }
  if (st) br_plant_destroy(*out), *out = NULL;
  br_params_destroy(p);
  bri_free(inputs);
  bri_free(own);
  return st;
}

/* What was wrong, with the name of the option. */
static br_status said(const br_job *job, br_status st, const br_err *why, br_err *err)
{
  const char *dash = br_job_dash(job);
  if (st && strncmp(why->msg, dash, strlen(dash)) == 0 && strstr(why->msg, "switch"))
    return bri_fail(err, st, "%s", why->msg);
  return st ? bri_fail(err, st, "%sswitch: %.200s", dash, why->msg) : BR_OK;
}

/* One plant for each stage, the last first: each becomes the next. */
static br_status switch_plant(const br_job *job, const br_drive *drives, const char *text, br_plant *plant,
                              br_err *err)
{
  stage *list = bri_calloc(MOST, sizeof *list);
  br_plant *next = NULL, *made = NULL;
  size_t n = 0;
  br_err why = {BR_OK, -1, ""};
  if (!list) return bri_no_memory(err, "switch");
  br_status st = read_stages(job, text, list, &n, &why);
  for (size_t i = n; i-- > 0 && !st; next = made) {
    st = plant_of(job, drives, list, i, &made, &why);
    if (st) br_plant_destroy(next), next = NULL;
    else if (next) st = br_plant_switch(made, list[i + 1].t, next, &why);
    if (st) br_plant_destroy(made), made = NULL;
  }
  if (!st && next) st = br_plant_switch(plant, list[0].t, next, &why);
  bri_free(list);
  return said(job, st, &why, err);
}

/* ---- an element without a mechanism ---- */

/* Its block and load from the stage `last` on. */
static br_status element_of(const br_job *job, const stage *list, size_t last, bri_element_stage *to,
                            br_err *err)
{
  const br_model *m = br_job_model(job);
  br_params *p = NULL;
  loads l = {{NAN}};
  to->t = list[last].t, to->load = br_job_number(job, "load");
  to->par = bri_calloc(m->slots + 1, sizeof *to->par);
  br_status st = to->par ? br_params_create(m, &p, err) : bri_no_memory(err, "switch");
  if (!st) st = change(job, list, last, 1, p, &l, err);
  if (!st) memcpy(to->par, br_params_block(p, "model"), m->slots * sizeof *to->par);
  if (!st && !isnan(l.n[0])) to->load = l.n[0];
  if (!st &&
      (m->nstate(to->par) != m->nstate(br_job_par(job)) || m->nmode(to->par) != m->nmode(br_job_par(job))))
    st = bri_fail(err, BR_E_UNSUPPORTED,
                  "at t = %.9g s it gives %s another number of states: not inside one run", to->t, m->name);
  br_params_destroy(p);
  return st;
}

br_status bri_job_element_stages(const br_job *job, bri_element_stage **out, size_t *count, br_err *err)
{
  const char *text = br_job_text(job, "switch");
  br_err why = {BR_OK, -1, ""};
  *out = NULL, *count = 0;
  if (!text) return BR_OK;
  stage *list = bri_calloc(MOST, sizeof *list);
  if (!list) return bri_no_memory(err, "switch");
  size_t n = 0;
  br_status st = read_stages(job, text, list, &n, &why);
  if (!st && !(*out = bri_calloc(n + 1, sizeof **out))) st = bri_no_memory(&why, "switch");
  for (size_t i = 0; i < n && !st; i++) st = element_of(job, list, i, &(*out)[(*count)++], &why);
  bri_free(list);
  if (st) bri_element_stages_free(*out, *count), *out = NULL, *count = 0;
  return said(job, st, &why, err);
}

void bri_element_stages_free(bri_element_stage *list, size_t n)
{
  for (size_t i = 0; list && i < n; i++) bri_free(list[i].par);
  bri_free(list);
}

br_status bri_job_vary(const br_job *job, const br_drive *drives, br_plant *plant, br_err *err)
{
  const char *text = br_job_text(job, "switch");
  const br_status st = drive_loads(job, plant, err);
  return st || !text ? st : switch_plant(job, drives, text, plant, err);
}
