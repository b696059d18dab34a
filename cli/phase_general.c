/* SPDX-License-Identifier: Apache-2.0
 * phase_general.c - bristle phase for a mechanism other than the driven block. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/text.h"
#include "phase_job.h"

/* Where a name lives: block and slot. */
static int locate(const phase_job *b, br_vary_where *where, int *slot)
{
  const cli_command *c = b->call->command;
  const br_system *s = b->plant.sys;
  const char *name = b->vary.name, *names[96];
  const int only_model = strncmp(name, "model.", 6) == 0, only_system = strncmp(name, "system.", 7) == 0;
  size_t n = 0;
  name += only_model ? 6 : only_system ? 7 : 0;
  const br_param *row = only_system ? NULL : br_model_param(b->model, name);
  *where = BR_VARY_MODEL;
  for (size_t i = 0; i < s->nparam && !row && !only_model; i++) {
    if (strcmp(s->params[i].name, name) == 0) row = &s->params[i], *where = BR_VARY_SYSTEM;
  }
  if (row) {
    *slot = (int)row->slot;
    const int low = row->lo_open ? !(b->vary.a > row->lo) : !(b->vary.a >= row->lo);
    const int high = row->hi_open ? !(b->vary.b < row->hi) : !(b->vary.b <= row->hi);
    char range[96];
    if (row->max_len > 1) return cli_usage(c, "--vary: '%s' is a vector", name);
    if (low || high)
      return cli_usage(c, "--vary %s=%.9g:%.9g is out of range: must be %s", name, b->vary.a, b->vary.b,
                       br_param_range(row, sizeof range, range));
    return CLI_OK;
  }
  for (size_t i = 0; i < s->ninput; i++) {
    if (strcmp(s->inputs[i].name, name) != 0) continue;
    *where = BR_VARY_INPUT;
    *slot = (int)i;
    return CLI_OK;
  }
  for (size_t i = 0; i < b->model->nparam && n < 80; i++) names[n++] = b->model->params[i].name;
  for (size_t i = 0; i < s->nparam && n < 88; i++) names[n++] = s->params[i].name;
  for (size_t i = 0; i < s->ninput && n < 96; i++) names[n++] = s->inputs[i].name;
  const char *near = br_nearest_name(name, names, n);
  if (near) return cli_usage(c, "--vary: unknown name '%s'; did you mean '%s'?", name, near);
  return cli_usage(c, "--vary: neither %s nor %s has a '%s'", s->name, b->model->name, name);
}

static int stop_asked(void *ctx, double value)
{
  (void)ctx;
  (void)value;
  return cli_stop;
}

/* Does the plant come to a cycle from rest at this value? */
static int cycle_from_rest(const phase_job *b, const br_phase_plant *p, br_vary_where where, int slot,
                           double value)
{
  double mpar[4096], spar[256];
  br_drive drives[PLANT_INPUTS];
  br_plant *plant = NULL;
  br_cycle y;
  br_err err;
  if (p->model->slots > 4096 || p->system->slots > 256) return 0;
  memcpy(mpar, p->mpar, p->model->slots * sizeof *mpar);
  memcpy(spar, p->spar, p->system->slots * sizeof *spar);
  memcpy(drives, b->plant.drives, sizeof drives);
  if (where == BR_VARY_MODEL) mpar[slot] = value;
  else if (where == BR_VARY_SYSTEM) spar[slot] = value;
  else drives[slot].value = value;
  p->model->prepare(mpar);
  p->system->prepare(spar);
  if (br_plant_create(p->system, spar, p->model, mpar, drives, &plant, &err)) return 0;
  const br_cycle_settings set = br_cycle_settings_default();
  br_solve_settings solve = br_solve_settings_default();
  solve.max_steps = 100000; /* a cycle takes some thousand */
  solve.on_step = stop_asked;
  const br_status st = br_cycle_find(plant, &solve, &set, NULL, &y, NULL, NULL, NULL, &err);
  br_plant_destroy(plant);
  return st == BR_OK; /* no cycle is an answer too */
}

/* Where the cycle that is reached from rest ends along the range. */
static void ends_from_rest(phase_job *b, const br_phase_plant *p, br_vary_where where, int slot)
{
  enum { SAMPLES = 24 };
  int before = 0;
  double at = b->vary.a;
  for (int i = 0; i <= SAMPLES && !cli_stop; i++) {
    const double x = b->vary.a + (b->vary.b - b->vary.a) * i / SAMPLES;
    const int now = cycle_from_rest(b, p, where, slot, x);
    if (i > 0 && now != before && b->nend < PHASE_MOST_ENDS) {
      double in = now ? x : at, out = now ? at : x;
      for (int k = 0; k < 40 && fabs(out - in) > 1e-9 * fabs(out) && !cli_stop; k++) {
        const double mid = 0.5 * (in + out);
        if (cycle_from_rest(b, p, where, slot, mid)) in = mid;
        else out = mid;
      }
      b->end[b->nend++] = in;
    }
    before = now;
    at = x;
  }
}

static void keep_events(phase_job *b, const br_phase_event *e, size_t n)
{
  for (size_t i = 0; i < n && b->nevent < PHASE_MOST_EVENTS; i++) {
    size_t k = b->nevent++;
    for (; k > 0 && b->found[k - 1].value > e[i].value; k--) b->found[k] = b->found[k - 1];
    b->found[k] = e[i];
  }
}

/* Rows at the values of --at, as cycles. */
static void keep_cycles(phase_job *b, const br_phase_branch *branch)
{
  size_t n;
  const br_phase_row *r = br_phase_branch_rows(branch, &n);
  for (size_t i = 0; i < n; i++) {
    int wanted = 0;
    for (size_t k = 0; k < b->nat; k++) wanted = wanted || r[i].value == b->at[k];
    if (!wanted || b->ncycle == sizeof b->cycle / sizeof b->cycle[0]) continue;
    size_t place = b->ncycle++;
    for (; place > 0 && b->cycle[place - 1].at > r[i].value; place--) b->cycle[place] = b->cycle[place - 1];
    br_phase_cycle *c = &b->cycle[place];
    memset(c, 0, sizeof *c);
    c->at = r[i].value;
    c->period = r[i].period;
    c->v_min = r[i].v_min, c->v_max = r[i].v_max;
    c->z_min = r[i].z_min, c->z_max = r[i].z_max;
    c->multiplier = r[i].im[0] == 0 ? r[i].re[0] : hypot(r[i].re[0], r[i].im[0]);
    c->stable = r[i].stable;
    c->lag_total = c->lag_elastic = c->v_mean = NAN;
    (void)snprintf(c->loop, sizeof c->loop, "%s",
                   c->v_min > 0   ? "sliding"
                   : c->v_max < 0 ? "sliding backward"
                                  : "with reversals");
  }
}

/* Is there a stable cycle, and a stable sliding equilibrium, at a value? */
static int both_stable(const phase_job *b, const br_phase_plant *p, br_vary_where where, int slot,
                       double value)
{
  br_phase_steady s[BR_PHASE_MOST_EQUILIBRIA];
  br_err err;
  size_t n = 0;
  int cycle = 0, rest = 0;
  if (br_phase_steady_all(p, where, slot, value, BR_PHASE_MOST_EQUILIBRIA, s, &n, &err)) return 0;
  for (size_t i = 0; i < n && i < BR_PHASE_MOST_EQUILIBRIA; i++) {
    rest = rest || strncmp(s[i].type, "stable", 6) == 0;
  }
  for (size_t k = 0; k < b->nbranch; k++) {
    const br_phase_row *r = br_phase_branch_rows(b->branch[k], &n);
    for (size_t i = 0; i + 1 < n; i++) {
      cycle =
          cycle || (r[i].stable && r[i + 1].stable && (r[i].value - value) * (r[i + 1].value - value) <= 0);
    }
  }
  return cycle && rest;
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Ranges where sliding and oscillation are both stable: between events nothing changes. */
static void find_bistable(phase_job *b, const br_phase_plant *p, br_vary_where where, int slot)
{
  double x[PHASE_MOST_EVENTS + 2 * PHASE_MOST_BRANCHES + 2];
  size_t n = 0, rows;
  x[n++] = b->vary.a;
  x[n++] = b->vary.b;
  for (size_t i = 0; i < b->nevent; i++) x[n++] = b->found[i].value;
  for (size_t k = 0; k < b->nbranch; k++) {
    const br_phase_row *r = br_phase_branch_rows(b->branch[k], &rows);
    x[n++] = r[0].value;
    x[n++] = r[rows - 1].value;
  }
  qsort(x, n, sizeof *x, ascending);
  for (size_t i = 0; i + 1 < n; i++) {
    if (x[i + 1] - x[i] <= 1e-9 * (b->vary.b - b->vary.a)) continue;
    if (!both_stable(b, p, where, slot, 0.5 * (x[i] + x[i + 1]))) continue;
    if (b->nbistable && x[i] - b->bistable[b->nbistable - 1][1] <= 1e-9 * (b->vary.b - b->vary.a)) {
      b->bistable[b->nbistable - 1][1] = x[i + 1];
    } else if (b->nbistable < PHASE_MOST_ENDS) {
      b->bistable[b->nbistable][0] = x[i];
      b->bistable[b->nbistable++][1] = x[i + 1];
    }
  }
}

/* What is not known, in words: where rounding hides Hopf points, and branches that were given up. */
static void add_notes(phase_job *b, const br_phase_doubt *doubt)
{
  enum { SIZE = sizeof b->note[0] };
  if (doubt->n)
    (void)snprintf(
        b->note[b->nnote++], SIZE,
        "between %s = %.9g and %.9g rounding decides the stability of sliding at some values: a Hopf "
        "point there is not listed",
        b->vary.name, doubt->from, doubt->to);
  for (size_t i = 0; i < b->nbranch && b->nnote < PHASE_MOST_NOTES; i++) {
    size_t n;
    const br_phase_row *r = br_phase_branch_rows(b->branch[i], &n);
    for (int last = 0; last < 2 && b->nnote < PHASE_MOST_NOTES; last++) {
      const br_phase_end end = br_phase_branch_end(b->branch[i], last);
      if (!n || (end != BR_PHASE_END_STEP && end != BR_PHASE_END_ROWS)) continue;
      (void)snprintf(b->note[b->nnote++], SIZE,
                     "a branch of cycles was followed to %s = %.9g only: events beyond may be missing",
                     b->vary.name, r[last ? n - 1 : 0].value);
    }
  }
}

int phase_general(phase_job *b)
{
  const cli_command *c = b->call->command;
  br_vary_where where = BR_VARY_MODEL;
  int slot = -1;
  br_err err;
  br_phase_event e[PHASE_MOST_ENDS];
  br_phase_doubt doubt;
  size_t n;
  int code = locate(b, &where, &slot);
  if (code) return code;
  static const double nothing[1] = {0};
  const br_phase_plant p = {b->plant.sys,
                            b->plant.sys->nparam ? br_params_block(b->plant.params, "system") : nothing,
                            b->model,
                            br_params_block(b->plant.params, "model"),
                            br_params_block(b->plant.params, "input"),
                            {cli_stop_asked, NULL}};
  br_phase_branch_settings set = br_phase_branch_settings_default();
  set.at = b->at, set.nat = b->nat;
  set.progress = stop_asked;
  if (br_phase_hopf_points_searched(&p, where, slot, b->vary.a, b->vary.b, PHASE_MOST_ENDS, e, &n, &doubt,
                                    &err)) {
    return cli_bad_input(c, &err);
  }
  keep_events(b, e, n < PHASE_MOST_ENDS ? n : PHASE_MOST_ENDS);
  if (br_phase_fold_points(&p, where, slot, b->vary.a, b->vary.b, PHASE_MOST_ENDS, e, &n, &err)) {
    return cli_bad_input(c, &err);
  }
  keep_events(b, e, n < PHASE_MOST_ENDS ? n : PHASE_MOST_ENDS);
  if (br_phase_branch_all(&p, where, slot, b->vary.a, b->vary.b, &set, PHASE_MOST_BRANCHES, b->branch,
                          &b->nbranch, &err)) {
    return cli_failed(c, &err);
  }
  for (size_t i = 0; i < b->nbranch; i++) {
    const br_phase_event *f = br_phase_branch_events(b->branch[i], &n);
    keep_events(b, f, n);
    keep_cycles(b, b->branch[i]);
  }
  b->event = b->found;
  add_notes(b, &doubt);
  find_bistable(b, &p, where, slot);
  if (b->nbranch) ends_from_rest(b, &p, where, slot);
  for (size_t i = 0; i < b->nat; i++) {
    br_phase_steady s[BR_PHASE_MOST_EQUILIBRIA];
    if (br_phase_steady_all(&p, where, slot, b->at[i], BR_PHASE_MOST_EQUILIBRIA, s, &n, &err)) {
      return cli_bad_input(c, &err);
    }
    for (size_t k = 0; k < n && k < BR_PHASE_MOST_EQUILIBRIA; k++) {
      br_equilibrium *q = &b->eq[b->neq];
      memset(q, 0, sizeof *q);
      q->kind = BR_EQUILIBRIUM_SLIP;
      q->v = s[k].v, q->z = s[k].z, q->type = s[k].type;
      b->steady[b->neq] = s[k];
      b->eq_at[b->neq++] = b->at[i];
    }
  }
  return CLI_OK;
}
