/* SPDX-License-Identifier: Apache-2.0
 * phase_general.c - bristle phase for a mechanism other than the driven block. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/text.h"
#include "phase_job.h"

/* Where a name lives: block and slot. */
static int locate(const phase_job *b, br_vary_where *where, int *slot)
{
  const cli_command *c = b->call->command;
  const br_system *s = b->plant.sys;
  const char *name = b->vary.name, *names[96];
  size_t n = 0;
  const br_param *row = br_model_param(b->model, name);
  *where = BR_VARY_MODEL;
  for (size_t i = 0; i < s->nparam && !row; i++) {
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

enum { MOST_STATES = 16 };

/* Largest Floquet multiplier besides the 1 along the motion: derivative of the state after one period by the
 * state at its start, central differences.  Three states: what trace and determinant leave when 1 is taken
 * out; its size when the pair is complex.  NaN when it cannot be computed. */
static double multiplier(const br_plant *plant, const double *x0, double period, const double *lo,
                         const double *hi)
{
  enum { N = 3 };
  br_solver *solver = NULL;
  br_solve_settings set = br_solve_settings_default();
  br_err err;
  double M[N][N];
  int good = br_plant_nstate(plant) == N && br_solver_create(plant, &set, &solver, &err) == BR_OK;
  for (size_t j = 0; j < N && good; j++) {
    const double d = 1e-6 * (hi[j] - lo[j]);
    double x[2][N], y[N];
    for (int side = 0; side < 2 && good; side++) {
      memcpy(y, x0, sizeof y);
      y[j] += side ? d : -d;
      good = br_solver_start(solver, 0, y, &err) == BR_OK &&
             br_solver_advance(solver, period, x[side], &err) == BR_OK;
    }
    for (size_t i = 0; i < N && good; i++) M[i][j] = (x[1][i] - x[0][i]) / (2 * d);
  }
  br_solver_destroy(solver);
  if (!good) return NAN;
  const double sum = M[0][0] + M[1][1] + M[2][2] - 1;
  const double product = M[0][0] * (M[1][1] * M[2][2] - M[1][2] * M[2][1]) -
                         M[0][1] * (M[1][0] * M[2][2] - M[1][2] * M[2][0]) +
                         M[0][2] * (M[1][0] * M[2][1] - M[1][1] * M[2][0]);
  const double square = 0.25 * sum * sum - product;
  if (square < 0) return sqrt(product);
  return 0.5 * sum + (sum < 0 ? -sqrt(square) : sqrt(square));
}

/* The cycle that is reached from rest, where there is one; the general solver finds it.  0: none. */
static int cycle_from_rest(const phase_job *b, const br_phase_plant *p, br_vary_where where, int slot,
                           double value, br_phase_cycle *k)
{
  double mpar[4096], spar[256], lo[MOST_STATES], hi[MOST_STATES], x0[MOST_STATES];
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
  br_cycle_settings set = br_cycle_settings_default();
  const int fits = br_plant_nstate(plant) + br_plant_ncontact(plant) <= MOST_STATES;
  const br_status st = fits ? br_cycle_find(plant, NULL, &set, NULL, &y, x0, lo, hi, &err) : BR_E_CONVERGE;
  const int v = br_plant_velocity(plant, 0), z = br_plant_index(plant, "z"),
            found = st == BR_OK && v >= 0 && z >= 0;
  if (found) {
    memset(k, 0, sizeof *k);
    k->at = value;
    k->period = y.period;
    k->v_min = lo[v], k->v_max = hi[v];
    k->z_min = lo[z], k->z_max = hi[z];
    k->lag_total = k->lag_elastic = k->v_mean = NAN;
    k->multiplier = multiplier(plant, x0, y.period, lo, hi);
    k->stable = !(fabs(k->multiplier) > 1);
    (void)snprintf(k->loop, sizeof k->loop, "reached from rest");
  }
  br_plant_destroy(plant);
  return found; /* no cycle is an answer too */
}

/* Value between lo and hi (ascending or not) where the answer of test() changes from that at lo; test: does
 * the cycle exist (0), does it exist with a multiplier above -1 (1)? */
static double border(const phase_job *b, const br_phase_plant *p, br_vary_where where, int slot, double lo,
                     double hi, int kind)
{
  br_phase_cycle k;
  for (int i = 0; i < 40 && fabs(hi - lo) > 1e-9 * fabs(hi); i++) {
    const double mid = 0.5 * (lo + hi);
    const int yes = cycle_from_rest(b, p, where, slot, mid, &k) && (kind == 0 || k.multiplier > -1);
    if (yes) lo = mid;
    else hi = mid;
  }
  return lo;
}

/* Where the cycle that is reached from rest ends along the range, and where it doubles its period before
 * that. */
static void follow_cycle(phase_job *b, const br_phase_plant *p, br_vary_where where, int slot)
{
  enum { SAMPLES = 24 };
  br_phase_cycle k;
  int before = 0;
  double at = b->vary.a;
  for (int i = 0; i <= SAMPLES && !cli_stop; i++) {
    const double x = b->vary.a + (b->vary.b - b->vary.a) * i / SAMPLES;
    const int now = cycle_from_rest(b, p, where, slot, x, &k) && k.multiplier > -1;
    if (i > 0 && now != before && b->nend < PHASE_MOST_HOPF && b->nevent < PHASE_MOST_HOPF) {
      const double in = now ? x : at, out = now ? at : x;
      const double doubling = border(b, p, where, slot, in, out, 1),
                   end = border(b, p, where, slot, doubling, out, 0);
      b->end[b->nend++] = end;
      /* doubled, not ended: just beyond, the cycle is there with a multiplier below -1 */
      if (cycle_from_rest(b, p, where, slot, doubling + 1e-6 * (out - in), &k) && k.multiplier < -1) {
        br_phase_event e;
        memset(&e, 0, sizeof e);
        e.type = BR_PHASE_PERIOD_DOUBLING;
        e.value = doubling;
        e.value2 = e.v = e.omega = e.lyapunov = e.saddle_quantity = e.distance = NAN;
        (void)snprintf(e.loop, sizeof e.loop, "cycle reached from rest");
        b->hopf[b->nevent++] = e;
      }
    }
    before = now;
    at = x;
  }
}

int phase_general(phase_job *b)
{
  const cli_command *c = b->call->command;
  br_vary_where where = BR_VARY_MODEL;
  int slot = -1;
  br_err err;
  int code = locate(b, &where, &slot);
  if (code) return code;
  static const double nothing[1] = {0};
  const br_phase_plant p = {
      b->plant.sys, b->plant.sys->nparam ? br_params_block(b->plant.params, "system") : nothing, b->model,
      br_params_block(b->plant.params, "model"), br_params_block(b->plant.params, "input")};
  if (br_phase_hopf_points(&p, where, slot, b->vary.a, b->vary.b, PHASE_MOST_HOPF, b->hopf, &b->nevent,
                           &err)) {
    return cli_bad_input(c, &err);
  }
  if (b->nevent > PHASE_MOST_HOPF) b->nevent = PHASE_MOST_HOPF;
  b->event = b->hopf;
  follow_cycle(b, &p, where, slot);
  for (size_t i = 0; i < b->nat; i++) {
    br_phase_steady *s = &b->steady[b->neq];
    const br_status st = br_phase_steady_at(&p, where, slot, b->at[i], s, &err);
    if (st && st != BR_E_CONVERGE) return cli_bad_input(c, &err);
    if (!st) {
      br_equilibrium *q = &b->eq[b->neq];
      memset(q, 0, sizeof *q);
      q->kind = BR_EQUILIBRIUM_SLIP;
      q->v = s->v, q->z = s->z, q->type = s->type;
      b->eq_at[b->neq++] = b->at[i];
    }
    if (!phase_option(b, PHASE_O_AT)->given) continue; /* cycles cost time: only where asked for */
    if (cycle_from_rest(b, &p, where, slot, b->at[i], &b->cycle[b->ncycle])) b->ncycle++;
  }
  return CLI_OK;
}
