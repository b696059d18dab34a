/* SPDX-License-Identifier: Apache-2.0
 * phase_general.c - analysis 'phase' for a mechanism other than the driven block: its sliding equilibria,
 * Hopf points and folds, and the branches of cycles that leave the Hopf points or hold the cycle reached from
 * rest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "phase_study.h"

enum { MOST_EVENTS = 48, MOST_BRANCHES = 12, MOST_STEADY = 8, SAMPLES = 60, MOST_STATES = 16 };

typedef struct {
  bri_phase_job *b;
  br_phase_plant p;
  br_vary_where where;
  int slot;
  br_phase_event event[MOST_EVENTS];
  size_t nevent;
  br_phase_branch *branch[MOST_BRANCHES];
  size_t nbranch;
} job;

static void locate(job *g)
{
  const bri_run *r = g->b->r;
  const char *name = g->b->vary.name;
  const br_param *row = br_model_param(r->m, name);
  g->where = BR_VARY_MODEL;
  g->slot = row ? (int)row->slot : -1;
  for (size_t i = 0; i < r->sys->nparam && g->slot < 0; i++) {
    if (strcmp(r->sys->params[i].name, name) == 0)
      g->where = BR_VARY_SYSTEM, g->slot = (int)r->sys->params[i].slot;
  }
  for (size_t i = 0; i < r->sys->ninput && g->slot < 0; i++) {
    if (strcmp(r->sys->inputs[i].name, name) == 0) g->where = BR_VARY_INPUT, g->slot = (int)i;
  }
}

static void add_events(job *g, const br_phase_event *e, size_t n)
{
  for (size_t i = 0; i < n && g->nevent < MOST_EVENTS; i++) g->event[g->nevent++] = e[i];
}

static int by_value(const void *a, const void *b)
{
  const double x = ((const br_phase_event *)a)->value, y = ((const br_phase_event *)b)->value;
  return (x > y) - (x < y);
}

/* ---- branches ---- */

static int stop(void *ctx, double value)
{
  const job *g = ctx;
  const bri_range *r = &g->b->vary;
  return bri_sink_alive(g->b->out, 0.2 + 0.6 * fmin(1, fmax(0, (value - r->a) / (r->b - r->a)))) != BR_OK;
}

static br_phase_branch_settings settings(job *g)
{
  br_phase_branch_settings s = br_phase_branch_settings_default();
  s.progress = stop;
  s.ctx = g;
  s.at = g->b->at;
  s.nat = g->b->r->text[BRI_PHASE_AT] ? g->b->nat : 0;
  return s;
}

/* Is there a row of a known branch with about this value and amplitude? */
static int known(const job *g, double value, double v_max)
{
  const double near = 0.02 * (g->b->vary.b - g->b->vary.a);
  for (size_t i = 0; i < g->nbranch; i++) {
    size_t n = 0;
    const br_phase_row *row = br_phase_branch_rows(g->branch[i], &n);
    for (size_t k = 1; k < n; k++) {
      const double lo = fmin(row[k - 1].value, row[k].value), hi = fmax(row[k - 1].value, row[k].value);
      if (value > lo - near && value < hi + near && fabs(row[k].v_max - v_max) < 0.05 * fabs(v_max)) return 1;
    }
  }
  return 0;
}

/* The plant with the varied number at a value; NULL: it cannot be made. */
static br_plant *plant_at(const job *g, double value)
{
  const bri_run *r = g->b->r;
  br_drive drives[BRI_STUDY_INPUTS];
  br_plant *plant = NULL;
  double *mpar = bri_arena_get(g->b->arena, (r->m->slots + 1) * sizeof *mpar),
         *spar = bri_arena_get(g->b->arena, (r->sys->slots + 1) * sizeof *spar);
  if (!mpar || !spar) return NULL;
  memcpy(mpar, r->par, r->m->slots * sizeof *mpar);
  memcpy(spar, r->spar, r->sys->slots * sizeof *spar);
  memset(drives, 0, sizeof drives);
  for (size_t i = 0; i < r->ninput; i++) drives[i].value = r->held[i];
  if (g->where == BR_VARY_MODEL) mpar[g->slot] = value;
  else if (g->where == BR_VARY_SYSTEM) spar[g->slot] = value;
  else drives[g->slot].value = value;
  r->m->prepare(mpar);
  if (r->sys->prepare) r->sys->prepare(spar);
  return br_plant_create(r->sys, spar, r->m, mpar, drives, &plant, NULL) ? NULL : plant;
}

static int asked(void *ctx, double t)
{
  const br_stop *stop = ctx;
  (void)t;
  return stop->asked && stop->asked(stop->ctx);
}

/* The branch through the cycle that is reached from rest at a value, when it is not yet known. */
static void branch_from_rest(job *g, double value)
{
  double x[MOST_STATES], lo[MOST_STATES], hi[MOST_STATES];
  br_cycle cycle;
  br_cycle_settings set = br_cycle_settings_default();
  br_solve_settings solve = br_solve_settings_default();
  solve.on_step = asked;
  solve.ctx = &g->p.stop;
  const br_phase_branch_settings s = settings(g);
  br_plant *plant = plant_at(g, value);
  const int v = plant ? br_plant_velocity(plant, 0) : -1;
  const int found = plant && v >= 0 && g->nbranch < MOST_BRANCHES &&
                    br_plant_nstate(plant) + br_plant_ncontact(plant) <= MOST_STATES &&
                    br_cycle_find(plant, &solve, &set, NULL, &cycle, x, lo, hi, NULL) == BR_OK;
  if (found && !known(g, value, hi[v]) &&
      br_phase_branch_from_cycle(&g->p, g->where, g->slot, g->b->vary.a, g->b->vary.b, value, x, cycle.period,
                                 &s, &g->branch[g->nbranch], NULL) == BR_OK)
    g->nbranch++;
  br_plant_destroy(plant);
}

static br_status branches(job *g, size_t nhopf)
{
  const br_phase_branch_settings s = settings(g);
  const bri_range *r = &g->b->vary;
  for (size_t i = 0; i < nhopf && g->nbranch < MOST_BRANCHES; i++) {
    const br_status st = br_phase_branch_from_hopf(&g->p, g->where, g->slot, r->a, r->b, &g->event[i], &s,
                                                   &g->branch[g->nbranch], NULL);
    if (st == BR_E_NOMEM) return st;
    g->nbranch += st == BR_OK;
  }
  for (int i = 0; i < 3; i++) {
    const br_status st = bri_sink_alive(g->b->out, 0.6 + 0.1 * i);
    if (st) return st;
    branch_from_rest(g, r->a + (r->b - r->a) * (0.1 + 0.3 * i));
  }
  for (size_t i = 0; i < g->nbranch; i++) {
    size_t n = 0;
    const br_phase_event *e = br_phase_branch_events(g->branch[i], &n);
    add_events(g, e, n);
  }
  return BR_OK;
}

/* ---- tables of the diagram ---- */

/* Rows of one stability; the row behind the last joins it to what follows. */
static br_status cycle_table(job *g, int stable, br_err *err)
{
  bri_phase_job *b = g->b;
  const char *const names[] = {b->vary.name, "v_min", "v_max", "period"}, *const units[] = {b->vary.unit,
                                                                                            "m/s", "m/s",
                                                                                            "s"};
  const double gap[] = {NAN, NAN, NAN, NAN};
  br_status st = bri_sink_table(b->out, stable ? "cycles-stable" : "cycles-unstable", 4, names, units, err);
  for (size_t i = 0; i < g->nbranch && !st; i++) {
    size_t n = 0;
    const br_phase_row *row = br_phase_branch_rows(g->branch[i], &n);
    for (size_t k = 0; k < n && !st; k++) {
      const int here = row[k].stable == stable, before = k > 0 && row[k - 1].stable == stable;
      const double r[] = {row[k].value, row[k].v_min, row[k].v_max, row[k].period};
      if (here || before) st = bri_sink_row(b->out, r, err);
      if (!st && !here && before) st = bri_sink_row(b->out, gap, err);
    }
    if (!st) st = bri_sink_row(b->out, gap, err);
  }
  return st ? st : bri_sink_end(b->out, err);
}

static int class_of(const br_phase_steady *s)
{
  return strncmp(s->type, "stable", 6) == 0 ? 0 : strcmp(s->type, "saddle") == 0 ? 2 : 1;
}

/* Sliding equilibria along the range, a table per class; they are sorted by speed, so that the k-th of one
 * value joins the k-th of the next. */
static br_status steady_tables(job *g, br_err *err)
{
  static const char *const NAME[] = {"equilibria-stable", "equilibria-unstable", "equilibria-saddle"};
  bri_phase_job *b = g->b;
  const char *const names[] = {b->vary.name, "v", "z"}, *const units[] = {b->vary.unit, "m/s", "m"};
  const double gap[] = {NAN, NAN, NAN};
  br_phase_steady *s = bri_arena_get(b->arena, (size_t)SAMPLES * MOST_STEADY * sizeof *s);
  size_t n[SAMPLES] = {0};
  double x[SAMPLES];
  if (!s) return bri_text_fail(err, BR_E_NOMEM, -1, "phase: out of memory");
  for (int i = 0; i < SAMPLES; i++) {
    x[i] = b->vary.a + (b->vary.b - b->vary.a) * i / (SAMPLES - 1);
    const br_status st =
        br_phase_steady_all(&g->p, g->where, g->slot, x[i], MOST_STEADY, s + i * MOST_STEADY, &n[i], err);
    if (st && st != BR_E_CONVERGE) return st;
    if (n[i] > MOST_STEADY) n[i] = MOST_STEADY;
  }
  for (int class = 0; class < 3; class ++) {
    br_status st = bri_sink_table(b->out, NAME[class], 3, names, units, err);
    for (size_t k = 0; k < MOST_STEADY; k++) {
      int open = 0;
      for (int i = 0; i < SAMPLES && !st; i++) {
        const br_phase_steady *e = &s[(size_t)i * MOST_STEADY + k];
        const int here = k < n[i] && class_of(e) == class && (i == 0 || n[i] == n[i - 1] || !open);
        const double row[] = {x[i], e->v, e->z};
        if (here) st = bri_sink_row(b->out, row, err);
        else if (open) st = bri_sink_row(b->out, gap, err);
        open = here;
      }
      if (!st && open) st = bri_sink_row(b->out, gap, err);
    }
    if (!st) st = bri_sink_end(b->out, err);
    if (st) return st;
  }
  return BR_OK;
}

/* Where an event lies in the diagram: its equilibrium, or the largest velocity of the nearest cycle. */
static double height(const job *g, const br_phase_event *e)
{
  double best = INFINITY, v = e->v;
  if (!isnan(v)) return v;
  for (size_t i = 0; i < g->nbranch; i++) {
    size_t n = 0;
    const br_phase_row *row = br_phase_branch_rows(g->branch[i], &n);
    for (size_t k = 0; k < n; k++) {
      if (fabs(row[k].value - e->value) < best) best = fabs(row[k].value - e->value), v = row[k].v_max;
    }
  }
  return v;
}

/* ---- equilibria and cycles at the values of 'at' ---- */

static br_status states(job *g, br_err *err)
{
  bri_phase_job *b = g->b;
  size_t nq = 0, nc = 0;
  for (size_t i = 0; i < b->nat; i++) {
    br_phase_steady s[MOST_STEADY];
    size_t n = 0;
    const br_status st = br_phase_steady_all(&g->p, g->where, g->slot, b->at[i], MOST_STEADY, s, &n, err);
    if (st && st != BR_E_CONVERGE) return st;
    for (size_t k = 0; k < n && k < MOST_STEADY; k++, nq++) bri_phase_put_steady(b, nq, b->at[i], &s[k]);
    for (size_t j = 0; j < g->nbranch; j++) {
      size_t rows = 0;
      const br_phase_row *row = br_phase_branch_rows(g->branch[j], &rows);
      for (size_t k = 0; k < rows; k++) {
        if (row[k].value == b->at[i]) bri_phase_put_row(b, nc++, &row[k]);
      }
    }
  }
  bri_sink_number(b->out, "1", (double)nq, "equilibria.count");
  bri_sink_number(b->out, "1", (double)nc, "cycles.count");
  return BR_OK;
}

/* Where rounding hides Hopf points, as the command says it. */
static void put_doubt(job *g, const br_phase_doubt *doubt)
{
  char text[240];
  if (!doubt->n) return;
  (void)snprintf(
      text, sizeof text,
      "between %s = %.9g and %.9g rounding decides the stability of sliding at some values: a Hopf point "
      "there is not listed",
      g->b->vary.name, doubt->from, doubt->to);
  bri_sink_text(g->b->out, text, "notes.0");
}

static br_status work(job *g, br_err *err)
{
  bri_phase_job *b = g->b;
  br_phase_event e[16];
  br_phase_doubt doubt;
  size_t n = 0, nhopf = 0;
  br_status st =
      br_phase_hopf_points_searched(&g->p, g->where, g->slot, b->vary.a, b->vary.b, 16, e, &n, &doubt, err);
  if (st) return st;
  put_doubt(g, &doubt);
  add_events(g, e, n < 16 ? n : 16);
  nhopf = g->nevent;
  if (b->diagram) st = branches(g, nhopf);
  if (!st) st = br_phase_fold_points(&g->p, g->where, g->slot, b->vary.a, b->vary.b, 16, e, &n, err);
  if (st) return st;
  add_events(g, e, n < 16 ? n : 16);
  qsort(g->event, g->nevent, sizeof *g->event, by_value);
  st = bri_phase_put_events(b, g->event, g->nevent, err);
  if (!st) st = states(g, err);
  if (st || !b->diagram) return st;
  st = steady_tables(g, err);
  if (!st) st = cycle_table(g, 1, err);
  if (!st) st = cycle_table(g, 0, err);
  for (size_t i = 0; i < g->nevent && !st; i++)
    st = bri_phase_event_point(b, i, &g->event[i], height(g, &g->event[i]), err);
  return st;
}

br_status bri_phase_general(bri_phase_job *b, br_err *err)
{
  const bri_run *r = b->r;
  job *g = bri_arena_get(b->arena, sizeof *g);
  if (!g) return bri_text_fail(err, BR_E_NOMEM, -1, "phase: out of memory");
  const br_phase_plant p = {r->sys, r->spar, r->m, r->par, r->held, bri_sink_stop(b->out)};
  g->b = b;
  g->p = p;
  locate(g);
  const br_status st = work(g, err);
  for (size_t i = 0; i < g->nbranch; i++) br_phase_branch_destroy(g->branch[i]);
  return st;
}
