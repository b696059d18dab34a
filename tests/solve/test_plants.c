/* SPDX-License-Identifier: Apache-2.0
 * test_plants.c - plants as they are made: inputs that nobody drives, forces that are always there in
 * large ones, fixed steps to any time; against closed forms. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
/* cmocka needs the headers above first */
#include <cmocka.h>

#include "bri_config.h"
#include "bristle/mechanism.h"
#include "kit.h"
#include "solve/plant.h"
#include "support/near.h"

/* ---- inputs that nobody drives ---- */

static void two_forces(const void *par, const double *w, const double *dw, const double *q, const double *F,
                       double *dq)
{
  (void)dw, (void)q;
  dq[0] = (w[0] + 10 * w[1] - F[0]) / *(const double *)par;
}

/* They have the values that the mechanism gives them. */
static void inputs_as_they_come(void **state)
{
  static const br_system_input INPUTS[] = {{"F", "N", "", 3}, {"G", "N", "", -0.05}};
  br_system s = *br_system_find("driven_block");
  const br_model *m = br_model_find("viscous");
  double spar[8], mpar[64];
  (void)state;
  s.inputs = INPUTS, s.ninput = 2, s.rate = two_forces;
  s.defaults(spar), m->defaults(mpar);
  spar[0] = 2, mpar[br_model_param(m, "sigma2")->slot] = 0;
  s.prepare(spar), m->prepare(mpar);
  const br_drive held[2] = {{.value = 1}, {.value = 0.5}};
  for (int driven = 0; driven < 2; driven++) {
    br_plant *p = NULL;
    br_solver *solver = NULL;
    br_err err = {BR_OK, -1, ""};
    double x[4];
    if (br_plant_create(&s, spar, m, mpar, driven ? held : NULL, &p, &err)) fail_msg("%s", err.msg);
    assert_int_equal(br_solver_create(p, NULL, &solver, &err), BR_OK);
    assert_int_equal(br_solver_start(solver, 0, NULL, &err), BR_OK);
    assert_int_equal(br_solver_advance(solver, 4, x, &err), BR_OK);
    near(x[0], (driven ? 1 + 5 : 3 - 0.5) * 4 / 2, 1e-9);
    br_solver_destroy(solver);
    br_plant_destroy(p);
  }
}

/* ---- constant forces ---- */

/* Masses that hang on springs with a rest length and a preload, each in its own oil: one alone and many,
 * whose matrices are kept by their band, move alike: m x'' = -k (x - rest) - preload - m g - d x'. */
static void hanging_masses(void **state)
{
  static const int MANY[] = {1, 4, 59, 60, 75};
  (void)state;
  if (!BR_WITH_YAML) skip();
  for (size_t c = 0; c < sizeof MANY / sizeof *MANY; c++) {
    const int n = MANY[c];
    const double m = 2, k = 50, d = 1.5, rest = 0.02, preload = 0.7, g = 9.80665;
    char text[700];
    br_mechanism *mech = NULL;
    br_err err = {BR_OK, -1, ""};
    kit room;
    memset(&room, 0, sizeof room);
    (void)snprintf(
        text, sizeof text,
        "mechanism:\n  bodies: {w: fixed, b: {mass: 2, repeat: %d}}\n  connections:\n"
        "    - spring: {between: ['b{i}', w], stiffness: 50, rest: 2 cm, preload: 0.7, repeat: %d}\n"
        "    - gravity: {on: 'b{i}', repeat: %d}\n"
        "  contacts:\n    - {between: ['b{i}', w], repeat: %d}\n",
        n, n, n, n);
    if (br_mechanism_parse("text", text, strlen(text), &mech, &err)) fail_msg("%s", err.msg);
    const br_system *s = br_mechanism_system(mech);
    const br_model *mod = br_model_find("viscous");
    double mpar[64];
    static double spar[8192], x[160];
    assert_true(s->slots <= 8192 && n <= 80);
    memcpy(spar, s->initial, s->slots * sizeof *spar);
    mod->defaults(mpar), mpar[br_model_param(mod, "sigma2")->slot] = d;
    s->prepare(spar), mod->prepare(mpar);
    if (br_plant_create(s, spar, mod, mpar, NULL, &room.plant, &err)) fail_msg("%s", err.msg);
    assert_int_equal(br_plant_nstate(room.plant), 2 * n);
    assert_int_equal(room.plant->band != NULL, 2 * n >= 120);
    br_solve_settings set = br_solve_settings_default();
    set.rtol = 1e-10;
    kit_solver(&room, &set, NULL);
    const double level = rest - (preload + m * g) / k, a = 0.5 * d / m, w = sqrt(k / m - a * a);
    for (int i = 1; i <= 4; i++) {
      const double t = 0.4 * i, e = exp(-a * t);
      kit_to(&room, t, x);
      for (int b = 0; b < n; b++) {
        near(x[b], level * (1 - e * (cos(w * t) + a / w * sin(w * t))), 1e-7);
        near(x[n + b], level * e * sin(w * t) * (w + a * a / w), 1e-7);
      }
    }
    br_solver_destroy(room.solver);
    br_plant_destroy(room.plant);
    br_mechanism_destroy(mech);
  }
}

/* ---- fixed steps ---- */

/* They end where they are asked to, by a shorter one at last, wherever the one before has ended. */
static void fixed_steps_to_any_time(void **state)
{
  static const double TIMES[] = {0.25, 0.3, 0.3000001, 0.95, 1, 2.01, 2.0101};
  static const double value[1] = {3};
  static const double STEPS[] = {0.1, 0.07, 5};
  (void)state;
  for (int q = 0; q < 3; q++) {
    kit k;
    size_t steps = 0;
    double before = 0, x[4];
    br_solve_settings set = br_solve_settings_default();
    set.kind = BR_SOLVER_FIXED, set.dt = STEPS[q];
    kit_plant(&k, "driven_block", "viscous", "m=2,sigma2=0", NULL, value);
    kit_solver(&k, &set, NULL);
    for (size_t i = 0; i < sizeof TIMES / sizeof *TIMES; i++) {
      kit_to(&k, TIMES[i], x);
      assert_true(br_solver_time(k.solver) == TIMES[i]);
      near(x[0], 3 * TIMES[i] / 2, 1e-12); /* a constant force: exact in steps of any length */
      steps += (size_t)ceil((TIMES[i] - before) / STEPS[q] - 1e-9), before = TIMES[i];
      assert_int_equal(br_solver_stats(k.solver).steps, steps);
    }
    kit_end(&k);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(inputs_as_they_come), cmocka_unit_test(hanging_masses),
                                     cmocka_unit_test(fixed_steps_to_any_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
