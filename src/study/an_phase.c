/* SPDX-License-Identifier: Apache-2.0
 * an_phase.c - analysis 'phase': which motions exist, which are stable, where they are born and die.
 * Options and quantities have the names of 'bristle phase'. */
#include <stdio.h>
#include <string.h>

#include "bristle/text.h"
#include "bristle/unit.h"
#include "phase_study.h"

enum { GRID, THREADS, DIAGRAM, PORTRAIT, MAP, HOPF, STRIBECK, EVENTS, LOOPS, SLOTS };
enum { VARY, VARY2, AT = BRI_PHASE_AT, LAG };

static const br_param OPTIONS[] = {
    BRI_OPT_REAL(GRID, "grid", "1", 0, 0, 0,
                 "points per side of 'map' and 'hopf', or along 'vary2'; 0: 60, 200 and 120"),
    BRI_OPT_REAL(THREADS, "threads", "1", 0, 0, 0, "threads of 'map'; 0: as many as processors"),
    BRI_OPT_CHOICE(DIAGRAM, "diagram", "no|yes", 1, 1,
                   "equilibria and cycles along 'vary'; with 'vary2' the curves of events over both"),
    BRI_OPT_CHOICE(PORTRAIT, "portrait", "no|yes", 1, 0, "phase plane at the first value of 'at'"),
    BRI_OPT_CHOICE(LOOPS, "loops", "no|yes", 1, 0,
                   "friction force against velocity along the stable cycles at the first value of 'at'"),
    BRI_OPT_CHOICE(MAP, "map", "no|yes", 1, 0, "case map over 'vary' and 'vary2' (neither is sigma1)"),
    BRI_OPT_CHOICE(HOPF, "hopf", "no|yes", 1, 0,
                   "Hopf diagram over velocity and force; 'vary' F=A:B gives the forces"),
    BRI_OPT_CHOICE(
        STRIBECK, "stribeck", "no|yes", 1, 0,
        "sliding equilibria over force and velocity for many sigma2; 'vary' F=A:B gives the forces"),
    BRI_OPT_CHOICE(EVENTS, "events", "no|yes", 1, 1,
                   "events along 'vary' and cycles at 'at'; no: only the maps 'map', 'hopf', 'stribeck'"),
    BRI_OPT_TEXT(VARY, "vary", "parameter to vary, and its range: NAME=A:B"),
    BRI_OPT_TEXT(VARY2, "vary2", "second parameter, for 'map' and curves of events: NAME=A:B"),
    BRI_OPT_TEXT(AT, "at",
                 "values of the varied parameter at which equilibria and cycles are listed: NAME=V1,V2"),
    BRI_OPT_TEXT(LAG, "lag", "frictional lag under the velocity V0 + A sin(2 pi F t): V0,A,F in m/s and Hz"),
};

/* ---- options that are texts ---- */

static br_status wrong(const char *option, const char *text, const char *expected, br_err *err)
{
  return bri_text_fail(err, BR_E_PARSE, -1, "phase: %s '%.60s': expected %s", option, text, expected);
}

/* One number with an optional unit, up to one of `stop`. */
static int number(const char **s, const char *stop, double *x)
{
  br_unit unit;
  const size_t n = strcspn(*s, stop);
  if (br_quantity_parse(*s, n, x, &unit, NULL, NULL)) return 0;
  *s += n;
  return 1;
}

/* Unit of a number that can be varied; NULL: there is none of that name. */
static const char *unit_of(const bri_run *r, const char *name)
{
  const br_param *row = br_model_param(r->m, name);
  if (row) return row->unit;
  for (size_t i = 0; i < r->sys->nparam; i++) {
    if (strcmp(r->sys->params[i].name, name) == 0) return r->sys->params[i].unit;
  }
  for (size_t i = 0; i < r->sys->ninput; i++) {
    if (strcmp(r->sys->inputs[i].name, name) == 0) return r->sys->inputs[i].unit;
  }
  return NULL;
}

static br_status unknown_name(const bri_run *r, const char *option, const char *name, br_err *err)
{
  const char *names[128];
  size_t n = 0;
  for (size_t i = 0; i < r->m->nparam && n < 100; i++) names[n++] = r->m->params[i].name;
  for (size_t i = 0; i < r->sys->nparam && n < 116; i++) names[n++] = r->sys->params[i].name;
  for (size_t i = 0; i < r->sys->ninput && n < 128; i++) names[n++] = r->sys->inputs[i].name;
  const char *near = br_nearest_name(name, names, n);
  return bri_text_fail(err, BR_E_NAME, -1, "phase: %s: neither %s nor %s has a '%s'%s%s%s", option,
                       r->sys->name, r->m->name, name, near ? "; did you mean '" : "", near ? near : "",
                       near ? "'?" : "");
}

static br_status read_range(const bri_run *r, const char *option, const char *text, bri_range *out,
                            br_err *err)
{
  static const char FORM[] = "NAME=A:B with A < B, e.g. sigma1=0.1:12";
  const char *s = strchr(text, '=');
  const size_t n = s ? (size_t)(s - text) : 0;
  if (!s || n == 0 || n >= sizeof out->name) return wrong(option, text, FORM, err);
  memcpy(out->name, text, n);
  out->name[n] = '\0';
  s++;
  if (!number(&s, ":", &out->a) || *s++ != ':' || !number(&s, "", &out->b) || !(out->a < out->b))
    return wrong(option, text, FORM, err);
  out->unit = unit_of(r, out->name);
  return out->unit ? BR_OK : unknown_name(r, option, out->name, err);
}

static br_status read_at(bri_phase_job *b, br_err *err)
{
  const char *text = b->r->text[AT], *s = text;
  const size_t n = strlen(b->vary.name);
  b->at[0] = b->vary.a;
  b->nat = 1;
  if (!text) return BR_OK;
  if (strncmp(s, b->vary.name, n) != 0 || s[n] != '=')
    return wrong("at", text, "the varied parameter, NAME=V1,V2", err);
  s += n;
  for (b->nat = 0; *s; b->nat++) {
    if (b->nat == BRI_PHASE_MOST_AT) return wrong("at", text, "at most 16 values", err);
    s++;
    if (!number(&s, ",", &b->at[b->nat])) return wrong("at", text, "NAME=V1,V2", err);
  }
  return BR_OK;
}

/* ---- what the files share ---- */

br_status bri_phase_table(bri_phase_job *b, const char *name, size_t ncol, const char *const *names,
                          const char *const *units, const double *const *columns, size_t n, br_err *err)
{
  br_status st = bri_sink_table(b->out, name, ncol, names, units, err);
  for (size_t i = 0; i < n && !st; i++) {
    double row[16];
    for (size_t k = 0; k < ncol && k < 16; k++) row[k] = columns[k][i];
    st = bri_sink_row(b->out, row, err);
  }
  return st ? st : bri_sink_end(b->out, err);
}

const double *bri_phase_block(const bri_phase_job *b, double value)
{
  const br_param *row = br_model_param(b->r->m, b->vary.name);
  double *par = bri_arena_get(b->arena, b->r->m->slots * sizeof *par);
  if (!par) return NULL;
  memcpy(par, b->r->par, b->r->m->slots * sizeof *par);
  if (row) par[row->slot] = value;
  b->r->m->prepare(par);
  return par;
}

/* ---- quantities, under the names of 'bristle phase --json' ---- */

static void number_if(bri_sink *out, const char *unit, double x, const char *list, size_t i, const char *key)
{
  if (!isnan(x)) bri_sink_number(out, unit, x, "%s.%zu.%s", list, i, key);
}

static void put_eigenvalues(bri_sink *out, size_t i, const double *re, const double *im, size_t n)
{
  for (size_t k = 0; k < n; k++) {
    bri_sink_number(out, "1/s", re[k], "equilibria.%zu.eigenvalues.%zu.re", i, k);
    bri_sink_number(out, "1/s", im[k], "equilibria.%zu.eigenvalues.%zu.im", i, k);
  }
}

static void put_equilibrium(bri_phase_job *b, size_t i, double at, const br_equilibrium *q)
{
  bri_sink *out = b->out;
  bri_sink_text(out, q->kind == BR_EQUILIBRIUM_STICK ? "stick" : "slip", "equilibria.%zu.kind", i);
  bri_sink_text(out, q->type, "equilibria.%zu.type", i);
  bri_sink_number(out, b->vary.unit, at, "equilibria.%zu.at", i);
  bri_sink_number(out, "m/s", q->v, "equilibria.%zu.v", i);
  bri_sink_number(out, "m", q->z, "equilibria.%zu.z", i);
  number_if(out, "1/s2", q->a0, "equilibria", i, "a0");
  number_if(out, "1/s", q->a1, "equilibria", i, "a1");
  put_eigenvalues(out, i, q->re, q->im, 2);
}

static void put_event(bri_phase_job *b, size_t i, const br_phase_event *e)
{
  bri_sink *out = b->out;
  bri_sink_text(out, br_phase_event_name(e->type), "events.%zu.type", i);
  bri_sink_number(out, b->vary.unit, e->value, "events.%zu.value", i);
  number_if(out, "m/s", e->v, "events", i, "v");
  number_if(out, "1/s", e->omega, "events", i, "omega");
  number_if(out, "1", e->lyapunov, "events", i, "lyapunov");
  number_if(out, "1/s", e->saddle_quantity, "events", i, "saddle_quantity");
  number_if(out, b->vary.unit, e->distance, "events", i, "distance");
  if (e->loop[0]) bri_sink_text(out, e->loop, "events.%zu.loop", i);
}

static void put_cycle(bri_phase_job *b, size_t i, const br_phase_cycle *k)
{
  bri_sink *out = b->out;
  bri_sink_number(out, b->vary.unit, k->at, "cycles.%zu.at", i);
  bri_sink_number(out, "s", k->period, "cycles.%zu.period", i);
  bri_sink_number(out, "m/s", k->v_min, "cycles.%zu.v_min", i);
  bri_sink_number(out, "m/s", k->v_max, "cycles.%zu.v_max", i);
  bri_sink_number(out, "m", k->z_min, "cycles.%zu.z_min", i);
  bri_sink_number(out, "m", k->z_max, "cycles.%zu.z_max", i);
  bri_sink_number(out, "1", k->multiplier, "cycles.%zu.multiplier", i);
  bri_sink_text(out, k->stable ? "yes" : "no", "cycles.%zu.stable", i);
  bri_sink_text(out, k->loop, "cycles.%zu.loop", i);
  number_if(out, "m/s", k->v_mean, "cycles", i, "v_mean");
  number_if(out, "W", k->lag_total, "cycles", i, "lag_total");
  number_if(out, "W", k->lag_elastic, "cycles", i, "lag_elastic");
}

br_status bri_phase_put_events(bri_phase_job *b, const br_phase_event *e, size_t n, br_err *err)
{
  const char *const names[] = {b->vary.name, "type", "v", "omega", "lyapunov", "saddle_quantity", "distance"};
  const char *const units[] = {b->vary.unit, "1", "m/s", "1/s", "1", "1/s", b->vary.unit};
  br_status st = bri_sink_table(b->out, "events", 7, names, units, err);
  for (size_t i = 0; i < n && !st; i++) {
    const double row[] = {e[i].value,    (double)e[i].type,    e[i].v,       e[i].omega,
                          e[i].lyapunov, e[i].saddle_quantity, e[i].distance};
    put_event(b, i, &e[i]);
    st = bri_sink_row(b->out, row, err);
  }
  return st ? st : bri_sink_end(b->out, err);
}

/* With events the analysis along the range knows them; without, one along a touch of sigma1 is made for each
 * value, which costs next to nothing. */
br_status bri_phase_equilibria(bri_phase_job *b, double value, br_equilibrium *q, size_t *n, br_err *err)
{
  br_phase_problem at = b->problem;
  br_phase *one = NULL;
  const br_param *row = br_model_param(b->r->m, "sigma1");
  if (b->phase) return br_phase_equilibria(b->phase, value, BR_PHASE_MOST_EQUILIBRIA, q, n, err);
  if (strcmp(b->vary.name, "F") == 0) at.F = value;
  else if (strcmp(b->vary.name, "m") == 0) at.m = value;
  else at.par = bri_phase_block(b, value);
  if (!at.par || !row) return bri_text_fail(err, BR_E_NOMEM, -1, "phase: out of memory");
  const double s1 = at.par[row->slot];
  br_status st = br_phase_create(&at, "sigma1", s1, s1 + 1e-6 * (s1 + 1), &one, err);
  if (!st) st = br_phase_equilibria(one, s1, BR_PHASE_MOST_EQUILIBRIA, q, n, err);
  br_phase_destroy(one);
  return st;
}

/* Equilibria and cycles at the values of 'at'. */
static br_status put_states(bri_phase_job *b, br_err *err)
{
  size_t nq = 0, nc = 0;
  for (size_t i = 0; i < b->nat; i++) {
    br_equilibrium q[BR_PHASE_MOST_EQUILIBRIA];
    br_phase_cycle k[BR_PHASE_MOST_CYCLES];
    size_t n = 0, m = 0;
    br_status st = bri_phase_equilibria(b, b->at[i], q, &n, err);
    if (!st && b->phase) st = br_phase_cycles(b->phase, b->at[i], BR_PHASE_MOST_CYCLES, k, &m, err);
    if (!st) st = bri_sink_alive(b->out, 0.1 + 0.2 * (double)i / (double)b->nat);
    if (st) return st;
    for (size_t j = 0; j < n && j < BR_PHASE_MOST_EQUILIBRIA; j++) put_equilibrium(b, nq++, b->at[i], &q[j]);
    for (size_t j = 0; j < m && j < BR_PHASE_MOST_CYCLES; j++) put_cycle(b, nc++, &k[j]);
  }
  bri_sink_number(b->out, "1", (double)nq, "equilibria.count");
  bri_sink_number(b->out, "1", (double)nc, "cycles.count");
  return BR_OK;
}

void bri_phase_put_steady(bri_phase_job *b, size_t i, double at, const br_phase_steady *s)
{
  bri_sink_text(b->out, "slip", "equilibria.%zu.kind", i);
  bri_sink_text(b->out, s->type, "equilibria.%zu.type", i);
  bri_sink_number(b->out, b->vary.unit, at, "equilibria.%zu.at", i);
  bri_sink_number(b->out, "m/s", s->v, "equilibria.%zu.v", i);
  bri_sink_number(b->out, "m", s->z, "equilibria.%zu.z", i);
  put_eigenvalues(b->out, i, s->re, s->im, s->n);
}

void bri_phase_put_row(bri_phase_job *b, size_t i, const br_phase_row *r)
{
  bri_sink *out = b->out;
  bri_sink_number(out, b->vary.unit, r->value, "cycles.%zu.at", i);
  bri_sink_number(out, "s", r->period, "cycles.%zu.period", i);
  bri_sink_number(out, "m/s", r->v_min, "cycles.%zu.v_min", i);
  bri_sink_number(out, "m/s", r->v_max, "cycles.%zu.v_max", i);
  bri_sink_number(out, "m", r->z_min, "cycles.%zu.z_min", i);
  bri_sink_number(out, "m", r->z_max, "cycles.%zu.z_max", i);
  for (size_t k = 0; k < r->n; k++) {
    bri_sink_number(out, "1", r->re[k], "cycles.%zu.multipliers.%zu.re", i, k);
    bri_sink_number(out, "1", r->im[k], "cycles.%zu.multipliers.%zu.im", i, k);
  }
  bri_sink_text(out, r->stable ? "yes" : "no", "cycles.%zu.stable", i);
}

/* ---- run ---- */

static br_status lag(bri_phase_job *b, br_err *err)
{
  const char *text = b->r->text[LAG], *s = text;
  double x[3] = {0};
  if (!text) return BR_OK;
  for (int i = 0; i < 3; i++) {
    if (!number(&s, ",", &x[i]) || (*s == ',') != (i < 2)) return wrong("lag", text, "V0,A,F", err);
    if (*s) s++;
  }
  return bri_phase_imposed(b, x, err);
}

static br_status tables(bri_phase_job *b, br_err *err)
{
  const double *o = b->r->opt;
  const int forces = strcmp(b->vary.name, "F") == 0 && b->vary.a >= 0;
  br_status st = BR_OK;
  if ((o[HOPF] > 0 || o[STRIBECK] > 0) && !forces)
    return bri_text_fail(err, BR_E_ARG, -1, "phase: %s needs vary: F=A:B with A >= 0 (the range of forces)",
                         o[HOPF] > 0 ? "hopf" : "stribeck");
  if (!b->phase && o[PORTRAIT] + o[LOOPS] > 0)
    return bri_text_fail(err, BR_E_ARG, -1, "phase: portrait and loops need events: 'yes'");
  if (o[MAP] > 0 && !b->vary2.name[0])
    return bri_text_fail(err, BR_E_ARG, -1, "phase: map needs vary2: NAME=A:B");
  if (b->phase && o[DIAGRAM] > 0 && !b->vary2.name[0]) st = bri_phase_diagram(b, err);
  if (!st && o[DIAGRAM] > 0 && b->vary2.name[0] && o[MAP] == 0) st = bri_phase_curve_tables(b, err);
  if (!st && b->phase && o[PORTRAIT] > 0) st = bri_phase_portrait(b, err);
  if (!st && b->phase && o[LOOPS] > 0) st = bri_phase_lag_loops(b, err);
  if (!st && (o[HOPF] > 0 || o[STRIBECK] > 0)) st = bri_phase_levels(b, err);
  if (!st && o[HOPF] > 0) st = bri_phase_hopf(b, err);
  if (!st && o[MAP] > 0) st = bri_phase_map(b, err);
  return st;
}

static br_status work(bri_phase_job *b, br_err *err)
{
  const bri_run *r = b->r;
  if (!r->text[VARY])
    return bri_text_fail(err, BR_E_ARG, -1, "phase: 'vary' is missing, e.g. vary: sigma1=0.1:12");
  if (r->opt[GRID] > 2000 || r->opt[THREADS] > 64)
    return bri_text_fail(err, BR_E_RANGE, -1, "phase: at most 2000 points per side and 64 threads");
  br_status st = read_range(r, "vary", r->text[VARY], &b->vary, err);
  if (!st && r->text[VARY2]) st = read_range(r, "vary2", r->text[VARY2], &b->vary2, err);
  if (!st) st = read_at(b, err);
  b->diagram = r->opt[DIAGRAM] > 0;
  if (!st && strcmp(r->sys->name, "driven_block") != 0) return bri_phase_general(b, err);
  if (st) return st;
  b->problem.stop = bri_sink_stop(b->out);
  b->problem.model = r->m;
  b->problem.par = r->par;
  b->problem.m = r->spar[0];
  b->problem.F = r->held[0];
  if (!(r->opt[GRID] <= BRI_PHASE_MOST_GRID) || !(r->opt[THREADS] <= 1024))
    return bri_text_fail(err, BR_E_RANGE, -1, "grid = %.9g, threads = %.9g: at most %d and 1024",
                         r->opt[GRID], r->opt[THREADS], BRI_PHASE_MOST_GRID);
  b->grid = (size_t)r->opt[GRID];
  b->threads = (int)r->opt[THREADS];
  if (r->opt[EVENTS] > 0) {
    size_t n = 0;
    st = br_phase_create(&b->problem, b->vary.name, b->vary.a, b->vary.b, &b->phase, err);
    if (st) return st;
    const br_phase_event *e = br_phase_events(b->phase, &n);
    bri_sink_text(b->out, br_phase_case(b->phase), "case");
    bri_sink_number(b->out, "1", (double)n, "events.count");
    st = bri_phase_put_events(b, e, n, err);
  }
  if (!st) st = put_states(b, err);
  if (!st) st = tables(b, err);
  return st ? st : lag(b, err);
}

static br_status run(const bri_run *r, bri_sink *out, br_err *err)
{
  bri_arena *arena = bri_arena_create();
  bri_phase_job *b = arena ? bri_arena_get(arena, sizeof *b) : NULL;
  br_status st = BR_E_NOMEM;
  if (b) {
    b->r = r;
    b->out = out;
    b->arena = arena;
    st = work(b, err);
    br_phase_destroy(b->phase);
  } else {
    (void)bri_text_fail(err, BR_E_NOMEM, -1, "phase: out of memory");
  }
  bri_arena_destroy(arena);
  return st;
}

const bri_analysis bri_an_phase = {
    {"phase", "equilibria, Hopf points, limit cycles, homoclinic orbits of a mechanism with friction",
     OPTIONS, sizeof OPTIONS / sizeof OPTIONS[0], 0, 1},
    SLOTS,
    1,
    "phase: {kind: bifurcation}",
    run,
};
