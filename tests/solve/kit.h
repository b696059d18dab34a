/* SPDX-License-Identifier: Apache-2.0
 * kit.h - plants and runs in a few lines, for the tests of this room; include cmocka.h first. */
#ifndef SOLVE_KIT_H
#define SOLVE_KIT_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/param.h"
#include "bristle/signal.h"
#include "bristle/solve.h"

#define KIT_PI 3.14159265358979323846

typedef struct {
  br_params *params;
  br_param inputs[4];
  br_signal *signals[4];
  br_plant *plant;
  br_solver *solver;
} kit;

/* Plant from names, one parameter list for model and system, and one spec per input (NULL: held at value). */
static inline void kit_plant(kit *k, const char *system, const char *model, const char *set,
                             const char *const *specs, const double *values)
{
  const br_system *s = br_system_find(system);
  const br_model *m = br_model_find(model);
  br_drive drives[4];
  br_err err;
  br_param_table t[BR_PLANT_TABLES];
  memset(k, 0, sizeof *k);
  memset(drives, 0, sizeof drives);
  assert_non_null(s);
  assert_non_null(m);
  if (br_params_create_tables(t, br_plant_tables(s, m, k->inputs, t), &k->params, &err) ||
      br_params_set_list(k->params, set, &err) || br_params_finish(k->params, &err))
    fail_msg("%s", err.msg);
  for (size_t i = 0; i < s->ninput; i++) {
    drives[i].value = values ? values[i] : 0;
    if (!specs || !specs[i]) continue;
    if (br_signal_parse(specs[i], &k->signals[i], &err)) fail_msg("%s", err.msg);
    drives[i] = br_drive_signal(k->signals[i]);
  }
  if (br_plant_of(s, m, k->params, drives, &k->plant, &err)) fail_msg("%s", err.msg);
}

static inline void kit_solver(kit *k, const br_solve_settings *set, const double *x0)
{
  br_err err;
  br_solver_destroy(k->solver);
  k->solver = NULL;
  if (br_solver_create(k->plant, set, &k->solver, &err)) fail_msg("%s", err.msg);
  if (br_solver_start(k->solver, 0, x0, &err)) fail_msg("%s", err.msg);
}

static inline void kit_to(kit *k, double t, double *x)
{
  br_err err;
  if (br_solver_advance(k->solver, t, x, &err)) fail_msg("%s", err.msg);
}

static inline void kit_end(kit *k)
{
  br_solver_destroy(k->solver);
  br_plant_destroy(k->plant);
  for (int i = 0; i < 4; i++) br_signal_destroy(k->signals[i]);
  br_params_destroy(k->params);
}

#endif
