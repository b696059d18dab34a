/* SPDX-License-Identifier: Apache-2.0
 * motion_space.c - the unknowns of a motion: parameters of the model (space.c), of the mechanism, a bias of
 * its input. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "bristle/param.h"
#include "motion.h"
#include "text/buf.h"
#include "text/fail.h"

typedef struct {
  br_params *p;
  br_param inputs[BRI_MOTION_INPUTS + 1];
} named;

/* A list over the names of model, mechanism and inputs. */
static br_status read_list(const bri_motion_space *s, const char *list, const char *what, named *x,
                           br_err *err)
{
  br_param_table tables[BR_PLANT_TABLES];
  br_err why = {BR_OK, -1, ""};
  br_status st =
      br_params_create_tables(tables, br_plant_tables(s->sys, s->m, x->inputs, tables), &x->p, err);
  if (st) return st;
  st = br_params_set_list(x->p, list, &why);
  return st ? bri_fail(err, st, "%s: %.230s", what, why.msg) : BR_OK;
}

static int listed(const char *list, const char *name)
{
  char whole[80];
  (void)snprintf(whole, sizeof whole, "system.%.60s", name);
  return bri_fit_listed(list, name) || bri_fit_listed(list, whole);
}

static br_status check_free(const bri_motion_space *s, const char *list, br_err *err)
{
  for (const char *t = list ? list : ""; *t; t += strcspn(t, ","), t += *t == ',') {
    char name[64], hint[BRI_HINT];
    const char *names[128], *bare = name;
    size_t n = 0;
    (void)snprintf(name, sizeof name, "%.*s", (int)fmin((double)strcspn(t, ","), 60), t);
    if (strncmp(name, "system.", 7) == 0 || strncmp(name, "model.", 6) == 0) bare = strchr(name, '.') + 1;
    for (size_t i = 0; i < s->m->nparam && n < 64; i++) names[n++] = s->m->params[i].name;
    for (size_t i = 0; i < s->sys->nparam && n < 128; i++) names[n++] = s->sys->params[i].name;
    size_t k = 0;
    while (k < n && strcmp(names[k], bare) != 0) k++;
    if (k == n)
      return bri_fail(err, BR_E_NAME, "free: neither %s nor %s has a parameter '%s'%s", s->m->name,
                      s->sys->name, name, bri_hint(bare, names, n, "", hint));
  }
  return BR_OK;
}

/* The parameters of the mechanism: known, or unknown from here. */
static br_status add_mechanism(bri_motion_space *s, const br_motion_options *o, const br_params *fixed,
                               const br_params *start, br_err *err)
{
  int some = 0;
  for (size_t i = 0; i < s->sys->nparam; i++) some |= listed(o->free_names, s->sys->params[i].name);
  for (size_t i = 0; i < s->sys->nparam; i++) {
    const br_param *row = &s->sys->params[i];
    char name[64];
    double x[BRI_FIT_SLOTS];
    size_t n = 0;
    (void)snprintf(name, sizeof name, "system.%s", row->name);
    const int known = br_params_given(fixed, name), told = br_params_given(start, name);
    br_status st = br_params_get(known ? fixed : start, name, BRI_FIT_SLOTS, x, &n, err);
    if (st) return st;
    for (size_t e = 0; e < n; e++) s->spar[row->slot + e] = x[e];
    if (row->max_len > 1) s->spar[row->len_slot] = (double)n;
    if (known && listed(o->free_names, row->name))
      return bri_fail(err, BR_E_ARG, "'%s' is both fixed and free: choose one", row->name);
    if (known || row->choices || br_param_formula(row) || (some && !listed(o->free_names, row->name)))
      continue;
    for (size_t e = 0; e < n; e++) {
      if (s->nmech >= BRI_FIT_MOST / 2)
        return bri_fail(err, BR_E_SIZE, "%s: more than %d parameters to fit: fix some", s->sys->name,
                        BRI_FIT_MOST / 2);
      const double v = x[e], size = v != 0 ? fabs(v) : 1;
      const int log_scale = row->lo >= 0 && (row->lo_open || v > 0);
      s->mech[s->nmech++] =
          (bri_motion_coord){row->slot + e,
                             e,
                             log_scale,
                             log_scale ? 1 : size,
                             log_scale ? bri_log(size) - 30 : row->lo / size,
                             log_scale ? fmin(bri_log(size) + 30, bri_log(row->hi)) : row->hi / size,
                             log_scale ? bri_log(size) : v / size,
                             told,
                             row};
    }
  }
  return BR_OK;
}

/* The input that a bias is sought of: the first that is driven. */
static void add_bias(bri_motion_space *s, const br_motion_record *r, const br_motion_options *o)
{
  s->bias = -1, s->swing = 1;
  for (size_t k = 0; k < s->sys->ninput && !o->no_bias && s->bias < 0; k++) {
    double low = INFINITY, high = -INFINITY;
    if (!r->inputs[k]) continue;
    for (size_t i = 0; i < r->n; i++) low = fmin(low, r->inputs[k][i]), high = fmax(high, r->inputs[k][i]);
    if (high > low) s->bias = (int)k, s->swing = 0.5 * (high - low);
  }
}

/* Which state is the position of the first contact, which its velocity?  Motion is affine in the states. */
static void find_contact(bri_motion_space *s)
{
  double w[BRI_MOTION_INPUTS] = {0}, q[BRI_MOTION_LOCALS] = {0}, u0[128], v0[128], u[128], v[128];
  s->at_u = s->at_v = -1;
  s->sys->motion(s->spar, w, w, q, u0, v0);
  int nu = 0, nv = 0;
  for (size_t i = 0; i < s->nq; i++) {
    q[i] = 1;
    s->sys->motion(s->spar, w, w, q, u, v);
    q[i] = 0;
    if (u[0] != u0[0]) nu++, s->at_u = u[0] - u0[0] == 1 ? (int)i : -1;
    if (v[0] != v0[0]) nv++, s->at_v = v[0] - v0[0] == 1 ? (int)i : -1;
  }
  if (nu != 1) s->at_u = -1;
  if (nv != 1) s->at_v = -1;
}

br_status bri_motion_space_make(bri_motion_space *s, const br_motion_record *r, const br_motion_options *o,
                                const br_model *m, br_err *err)
{
  named fixed = {0}, start = {0};
  memset(s, 0, sizeof *s);
  s->sys = r->system, s->m = m;
  if (m->axes != s->sys->axes)
    return bri_fail(err, BR_E_UNSUPPORTED, "fit: %s has %d axes, %s %d", m->name, m->axes, s->sys->name,
                    s->sys->axes);
  if (s->sys->slots > BRI_FIT_SLOTS || m->slots > BRI_FIT_SLOTS || s->sys->ninput > BRI_MOTION_INPUTS)
    return bri_fail(err, BR_E_SIZE, "fit: %s has too many parameters or inputs", s->sys->name);
  br_status st = read_list(s, o->fix, "fix", &fixed, err);
  if (!st) st = read_list(s, o->start, "start", &start, err);
  if (!st) st = check_free(s, o->free_names, err);
  if (!st && s->sys->defaults) s->sys->defaults(s->spar);
  else if (!st && s->sys->initial) memcpy(s->spar, s->sys->initial, s->sys->slots * sizeof *s->spar);
  if (!st) st = add_mechanism(s, o, fixed.p, start.p, err);
  for (size_t k = 0; k < s->sys->ninput && !st; k++) {
    char name[64];
    size_t n = 0;
    (void)snprintf(name, sizeof name, "input.%s", s->sys->inputs[k].name);
    st = br_params_get(fixed.p, name, 1, &s->held[k], &n, err);
  }
  br_params_destroy(fixed.p);
  br_params_destroy(start.p);
  if (st) return st;
  add_bias(s, r, o);
  st = s->sys->check ? s->sys->check(s->spar, err) : BR_OK;
  if (st) return st;
  if (s->sys->prepare) s->sys->prepare(s->spar);
  s->nq = s->sys->nstate ? s->sys->nstate(s->spar) : s->sys->nq;
  if (s->nq + 1 > BRI_MOTION_LOCALS)
    return bri_fail(err, BR_E_SIZE, "fit: %s has %zu states; at most %d can be started freely", s->sys->name,
                    s->nq, BRI_MOTION_LOCALS - 1);
  if (s->sys->flags & BR_SYSTEM_GIVEN)
    return bri_fail(err, BR_E_UNSUPPORTED,
                    "fit: the motion of %s is given, so there is none to predict; leave the mechanism out",
                    s->sys->name);
  find_contact(s);
  return BR_OK;
}

/* What is known of the model, as a list that has its names alone. */
static br_status known_of_model(const bri_motion_space *s, const br_params *p, bri_buf *b, br_err *err)
{
  for (size_t i = 0; i < s->m->nparam; i++) {
    const br_param *row = &s->m->params[i];
    char name[64];
    double x[BRI_FIT_SLOTS];
    size_t n = 0;
    (void)snprintf(name, sizeof name, "model.%s", row->name);
    if (!br_params_given(p, name)) continue;
    if (row->choices || br_param_formula(row))
      return bri_fail(err, BR_E_UNSUPPORTED, "fit: %s is no number", row->name);
    const br_status st = br_params_get(p, name, BRI_FIT_SLOTS, x, &n, err);
    if (st) return st;
    bri_buf_printf(b, "%s%s=", b->used ? "," : "", row->name);
    for (size_t e = 0; e < n; e++) {
      if (e) bri_buf_text(b, ",");
      bri_buf_number(b, x[e], "0");
    }
  }
  return b->failed ? bri_no_memory(err, "fit") : BR_OK;
}

/* The user's values of the model as a block. */
static br_status told_of_model(bri_motion_space *s, const br_params *p, br_err *err)
{
  memcpy(s->from, s->model.base, sizeof s->from);
  memset(s->given, 0, sizeof s->given);
  for (size_t i = 0; i < s->m->nparam; i++) {
    const br_param *row = &s->m->params[i];
    char name[64];
    size_t n = 0;
    (void)snprintf(name, sizeof name, "model.%s", row->name);
    if (!br_params_given(p, name) || row->choices || br_param_formula(row)) continue;
    const br_status st = br_params_get(p, name, BRI_FIT_SLOTS - row->slot, s->from + row->slot, &n, err);
    if (st) return st;
    for (size_t j = 0; j < s->model.n; j++)
      if (s->model.c[j].row == row && s->model.c[j].element < n) s->given[j] = 1;
    int free_one = 0;
    for (size_t j = 0; j < s->model.all; j++) free_one |= s->model.c[j].row == row;
    for (size_t e = 0; e < n && !free_one; e++) s->model.base[row->slot + e] = s->from[row->slot + e];
  }
  return BR_OK;
}

br_status bri_motion_space_scale(bri_motion_space *s, const br_motion_options *o, double level, double stroke,
                                 double speed, br_err *err)
{
  const bri_fit_data d = {.level = level, .stroke = stroke, .fast = speed, .timed = 1};
  named fixed = {0}, start = {0};
  bri_buf known = {0};
  br_fit_options mine = br_fit_options_default();
  br_status st = read_list(s, o->fix, "fix", &fixed, err);
  if (!st) st = read_list(s, o->start, "start", &start, err);
  if (!st) st = known_of_model(s, fixed.p, &known, err);
  mine.fix = known.text, mine.free_names = o->free_names;
  if (!st) st = bri_space_make(s->m, &d, &mine, o->elements ? o->elements : 2, &s->model, err);
  if (st == BR_E_ARG && s->model.m && !s->model.all && s->nmech) st = BR_OK; /* all of the model is known */
  if (!st) st = told_of_model(s, start.p, err);
  s->p = s->model.n + s->nmech + (s->bias >= 0);
  if (!st && s->p > BRI_FIT_MOST) st = bri_fail(err, BR_E_SIZE, "fit: more than %d unknowns", BRI_FIT_MOST);
  br_params_destroy(fixed.p);
  br_params_destroy(start.p);
  bri_buf_free(&known);
  return st;
}

void bri_motion_space_blocks(const bri_motion_space *s, const double *g, bri_motion_blocks *b)
{
  const double *mech = g + s->model.n;
  bri_space_block(&s->model, g, b->mpar, NULL);
  memcpy(b->spar, s->spar, s->sys->slots * sizeof *b->spar);
  for (size_t j = 0; j < s->nmech; j++)
    b->spar[s->mech[j].slot] = s->mech[j].log ? bri_exp(mech[j]) : s->mech[j].scale * mech[j];
  if (s->sys->prepare) s->sys->prepare(b->spar);
  b->bias = s->bias >= 0 ? s->swing * g[s->p - 1] : 0;
}

void bri_motion_space_start(const bri_motion_space *s, const bri_fit_scales *at, double *g)
{
  bri_space_start(&s->model, at, g);
  for (size_t j = 0; j < s->model.n; j++) {
    const bri_coord *c = &s->model.c[j];
    if (s->given[j]) g[j] = fmin(fmax(bri_space_coordinate(c, s->from), c->lo), c->hi);
  }
  for (size_t j = 0; j < s->nmech; j++) g[s->model.n + j] = s->mech[j].start;
  if (s->bias >= 0) g[s->p - 1] = 0;
}

void bri_motion_space_bounds(const bri_motion_space *s, size_t j, double *lo, double *hi)
{
  const size_t n = s->model.n;
  *lo = j < n ? s->model.c[j].lo : j < n + s->nmech ? s->mech[j - n].lo : -1e3;
  *hi = j < n ? s->model.c[j].hi : j < n + s->nmech ? s->mech[j - n].hi : 1e3;
}

const char *bri_motion_space_name(const bri_motion_space *s, size_t j, size_t size, char *text)
{
  const size_t n = s->model.n;
  const br_param *row = j < n ? s->model.c[j].row : j < n + s->nmech ? s->mech[j - n].row : NULL;
  const size_t e = j < n ? s->model.c[j].element : j < n + s->nmech ? s->mech[j - n].element : 0;
  if (row && row->max_len > 1) (void)snprintf(text, size, "%s%zu", row->name, e + 1);
  else (void)snprintf(text, size, "%s", row ? row->name : "bias");
  return text;
}

size_t bri_motion_space_values(const bri_motion_space *s, const double *g, const double *C,
                               br_fit_value *values, size_t most)
{
  double G[BRI_FIT_MOST], low[BRI_FIT_SLOTS], high[BRI_FIT_SLOTS], at[BRI_FIT_SLOTS], x[BRI_FIT_MOST];
  const size_t n = s->model.n;
  size_t count = 0;
  bri_space_block(&s->model, g, at, NULL);
  for (size_t j = 0; j < s->model.all && count < most; j++) {
    const bri_coord *c = &s->model.c[j];
    br_fit_value *v = &values[count++];
    double var = 0;
    *v = (br_fit_value){
        c->row->name, c->row->unit, c->row->max_len > 1 ? (int)c->element : -1, at[c->slot], NAN, NAN, 0};
    for (size_t a = 0; a < n; a++) { /* slope of the slot by each coordinate */
      const double h = 1e-6;
      memcpy(x, g, n * sizeof *x);
      x[a] = g[a] + h, bri_space_block(&s->model, x, high, NULL);
      x[a] = g[a] - h, bri_space_block(&s->model, x, low, NULL);
      G[a] = (high[c->slot] - low[c->slot]) / (2 * h);
    }
    for (size_t a = 0; C && a < n; a++)
      for (size_t b = 0; b < n; b++)
        if (G[a] != 0 && G[b] != 0) var += G[a] * C[a * s->p + b] * G[b];
    const int positive = c->kind == BRI_COORD_LOG && v->value > 0;
    if (C) bri_fit_interval(v, sqrt(var), positive, NULL);
    if (!isnan(v->low)) v->low = fmax(v->low, c->row->lo), v->high = fmin(v->high, c->row->hi);
  }
  for (size_t j = 0; j < s->nmech && count < most; j++) {
    const bri_motion_coord *c = &s->mech[j];
    br_fit_value *v = &values[count++];
    const double sd = C ? sqrt(C[(n + j) * s->p + n + j]) : NAN;
    *v = (br_fit_value){c->row->name,
                        c->row->unit,
                        c->row->max_len > 1 ? (int)c->element : -1,
                        c->log ? bri_exp(g[n + j]) : c->scale * g[n + j],
                        NAN,
                        NAN,
                        0};
    bri_fit_interval(v, sd * (c->log ? v->value : c->scale), c->log, NULL);
  }
  if (s->bias >= 0 && count < most) {
    br_fit_value *v = &values[count++];
    *v = (br_fit_value){"bias", s->sys->inputs[s->bias].unit, -1, s->swing * g[s->p - 1], NAN, NAN, 1};
    if (C) bri_fit_interval(v, s->swing * sqrt(C[s->p * s->p - 1]), 0, NULL);
  }
  return count;
}
