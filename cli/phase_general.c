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

/* The cycle that is reached from rest, where there is one; the general solver finds it. */
static int cycle_from_rest(phase_job *b, const br_phase_plant *p, br_vary_where where, int slot, double value)
{
  enum { MOST = 16 };
  const cli_command *c = b->call->command;
  double mpar[4096], spar[256], lo[MOST], hi[MOST], x0[MOST];
  br_drive drives[PLANT_INPUTS];
  br_plant *plant = NULL;
  br_cycle y;
  br_err err;
  if (p->model->slots > 4096 || p->system->slots > 256) return CLI_OK;
  memcpy(mpar, p->mpar, p->model->slots * sizeof *mpar);
  memcpy(spar, p->spar, p->system->slots * sizeof *spar);
  memcpy(drives, b->plant.drives, sizeof drives);
  if (where == BR_VARY_MODEL) mpar[slot] = value;
  else if (where == BR_VARY_SYSTEM) spar[slot] = value;
  else drives[slot].value = value;
  p->model->prepare(mpar);
  p->system->prepare(spar);
  if (br_plant_create(p->system, spar, p->model, mpar, drives, &plant, &err)) return cli_bad_input(c, &err);
  br_cycle_settings set = br_cycle_settings_default();
  const size_t n = br_plant_nstate(plant);
  const br_status st = n + br_plant_ncontact(plant) <= MOST
                           ? br_cycle_find(plant, NULL, &set, NULL, &y, x0, lo, hi, &err)
                           : BR_E_CONVERGE;
  const int v = br_plant_velocity(plant, 0), z = br_plant_index(plant, "z");
  if (st == BR_OK && v >= 0 && z >= 0) {
    br_phase_cycle *k = &b->cycle[b->ncycle++];
    memset(k, 0, sizeof *k);
    k->at = value;
    k->period = y.period;
    k->v_min = lo[v], k->v_max = hi[v];
    k->z_min = lo[z], k->z_max = hi[z];
    k->multiplier = k->lag_total = k->lag_elastic = k->v_mean = NAN; /* attracting; not computed */
    k->stable = 1;
    (void)snprintf(k->loop, sizeof k->loop, "reached from rest");
  }
  br_plant_destroy(plant);
  return CLI_OK; /* no cycle is an answer too */
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
    code = cycle_from_rest(b, &p, where, slot, b->at[i]);
    if (code) return code;
  }
  return CLI_OK;
}
