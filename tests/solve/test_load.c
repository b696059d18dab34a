/* SPDX-License-Identifier: Apache-2.0
 * test_load.c - normal loads that vary in time and parameters that switch inside a run: against closed forms,
 * against equations marched by plain Runge-Kutta steps, against runs glued by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bri_config.h"
#include "kit.h"

static void drive(kit *k, size_t slot, size_t contact, const char *spec)
{
  br_err err;
  if (br_signal_parse(spec, &k->signals[slot], &err)) fail_msg("%s", err.msg);
  const br_drive d = br_drive_signal(k->signals[slot]);
  if (br_plant_load(k->plant, contact, &d, &err)) fail_msg("%s", err.msg);
}

typedef struct {
  br_event all[64];
  size_t n;
} seen;

static int keep(void *ctx, const br_event *ev)
{
  seen *s = ctx;
  if (s->n < 64) s->all[s->n++] = *ev;
  return 0;
}

/* A block pushed by 1 N sticks below 1.5 N (1 - t/2) and slips at t = 2/3; from there m v' = 1 - 1.5 (1 -
 * t/2). */
static void ramp_releases(void **state)
{
  static const br_solver_kind kinds[] = {BR_SOLVER_NATIVE, BR_SOLVER_RADAU5, BR_SOLVER_CVODE};
  for (int q = 0; q < 3; q++) {
    const double F[1] = {1}, t0 = 2.0 / 3, t = 1.5;
    seen s = {.n = 0};
    double x[1];
    kit k;
    br_solve_settings set = br_solve_settings_default();
    if (kinds[q] == BR_SOLVER_CVODE && !BR_WITH_SUNDIALS) continue;
    set.kind = kinds[q], set.on_event = keep, set.ctx = &s, set.energy = 1;
    if (kinds[q] != BR_SOLVER_NATIVE) set.rtol = 1e-10;
    kit_plant(&k, "driven_block", "coulomb", "m=1,Fc=1.5,Fs=1.5,sigma2=0", NULL, F);
    drive(&k, 1, 0, "expr:1-t/2");
    kit_solver(&k, &set, NULL);
    kit_to(&k, t, x);
    assert_int_equal(s.n, 1);
    assert_int_equal(s.all[0].type, BR_EVENT_SLIP);
    assert_true(fabs(s.all[0].t - t0) < (q ? 1e-8 : 1e-13));
    assert_true(fabs(x[0] - (-0.5 * (t - t0) + 0.375 * (t * t - t0 * t0))) < (q ? 1e-8 : 1e-13));
    assert_true(fabs(br_solver_energy(k.solver).residual) < 1e-9);
    br_err err;
    assert_int_equal(br_solver_advance(k.solver, 2.5, x, &err), BR_E_RANGE); /* negative from t = 2 on */
    assert_non_null(strstr(err.msg, "negative"));
    kit_end(&k);
  }
  (void)state;
}

/* Dahl dragged at 1 m/s under n(t): F' = sigma0 (1 - F / (n Fc)). */
static double dahl(double t, double F) { return 7.5 * (1 - F / (0.75 * (1 + 0.5 * sin(2 * KIT_PI * t)))); }

static void dahl_follows(void **state)
{
  static const br_solver_kind kinds[] = {BR_SOLVER_NATIVE, BR_SOLVER_RODAS, BR_SOLVER_FIXED, BR_SOLVER_CVODE};
  static const double allowed[] = {1e-13, 1e-6, 1e-3, 1e-6};
  static const char *const RAMP[] = {"ramp:1"};
  const int n = 4000;
  double F = 0, h = 1.0 / n;
  for (int i = 0; i < n; i++) {
    const double t = i * h, a = dahl(t, F), b = dahl(t + h / 2, F + h / 2 * a),
                 c = dahl(t + h / 2, F + h / 2 * b);
    F += h / 6 * (a + 2 * b + 2 * c + dahl(t + h, F + h * c));
  }
  for (int q = 0; q < 4; q++) {
    br_solve_settings set = br_solve_settings_default();
    double x[1];
    kit k;
    if (kinds[q] == BR_SOLVER_CVODE && !BR_WITH_SUNDIALS) continue;
    set.kind = kinds[q], set.dt = 1e-4;
    if (q == 1 || q == 3) set.rtol = 1e-8;
    kit_plant(&k, "prescribed", "dahl", "sigma0=7.5,Fc=0.75", RAMP, NULL);
    drive(&k, 1, 0, "sine:0.5,1,0,1");
    kit_solver(&k, &set, NULL);
    kit_to(&k, 1, x);
    assert_true(fabs(x[0] - F) < allowed[q]);
    kit_end(&k);
  }
  (void)state;
}

/* One element, k = 1, Delta = 1, dragged at 1 m/s: it slips at 1; follows its limit down to 0.25; sticks
 * while the limit rises by 2 per s; slips again where it meets it at 2.25.  At rest a falling limit takes it
 * along. */
static void limits_move(void **state)
{
  static const char *const RAMP[] = {"pwl:0,0,6,6", "pwl:0,0,6,-6"};
  static const double at[][2] = {{0.5, 0.5},  {1.5, 1},    {2.5, 0.625}, {3.5, 0.75},  {4, 1.25},
                                 {4.5, 1.75}, {5.5, 2.25}, {6.5, 2.25},  {7.5, 1.125}, {8.5, 0}};
  for (int run = 0; run < 4; run++) { /* and to the other side */
    const int q = run % 2, down = run / 2;
    br_solve_settings set = br_solve_settings_default();
    seen s = {.n = 0};
    double x[1];
    kit k;
    set.kind = q ? BR_SOLVER_FIXED : BR_SOLVER_NATIVE, set.dt = 1e-3;
    set.on_event = keep, set.ctx = &s, set.energy = 1;
    kit_plant(&k, "prescribed", "maxwell_slip", "k=1,Delta=1", &RAMP[down], NULL);
    drive(&k, 1, 0, "pwl:2,1,3,0.25,4,2.25,7,2.25,8,0");
    kit_solver(&k, &set, NULL);
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
      kit_to(&k, at[i][0], x);
      assert_true(fabs((down ? -x[0] : x[0]) - at[i][1]) < (q ? 3e-3 : 1e-13));
    }
    if (!q) {
      assert_int_equal(s.n, 2); /* slips twice by itself; at rest the limit comes to it at a corner */
      assert_true(fabs(s.all[0].t - 1) < 1e-12 && fabs(s.all[1].t - 5) < 1e-12);
      assert_true(fabs(br_solver_energy(k.solver).residual) < 1e-12);
    }
    kit_end(&k);
  }
  (void)state;
}

/* The whole against CVODE, for the kinds of models that differ in how they are moved. */
static void agrees_with_cvode(void **state)
{
  static const char *const models[] = {"lugre", "gms", "bouc_wen", "karnopp", "semilinear_duhem"};
  static const char *const PUSH[] = {"sine:3,0.5"};
  if (!BR_WITH_SUNDIALS) skip();
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    double x[2][32];
    for (int q = 0; q < 2; q++) {
      br_solve_settings set = br_solve_settings_default();
      kit k;
      set.kind = q ? BR_SOLVER_CVODE : BR_SOLVER_NATIVE, set.rtol = q ? 1e-10 : 1e-12;
      kit_plant(&k, "mass_spring", models[i], "", PUSH, NULL);
      drive(&k, 1, 0, "sine:0.9,0.3,0,1");
      kit_solver(&k, &set, NULL);
      kit_to(&k, 4, x[q]);
      kit_end(&k);
    }
    assert_true(fabs(x[0][0] - x[1][0]) < 1e-7 && fabs(x[0][1] - x[1][1]) < 1e-7);
  }
  (void)state;
}

/* Loads by contact: the first slips at 1 s, the second never. */
static void by_contact(void **state)
{
  static const char *const PUSH[] = {"step:1", NULL};
  seen s = {.n = 0};
  br_solve_settings set = br_solve_settings_default();
  double x[4];
  kit k;
  set.on_event = keep, set.ctx = &s;
  kit_plant(&k, "chain", "coulomb",
            "m=1,1,k=0,0,c=0,0,contact=1,2,against=0,0,load=1,1,at=1,Fc=2,Fs=2,sigma2=0", PUSH, NULL);
  drive(&k, 2, 0, "expr:1-t/2");
  kit_solver(&k, &set, NULL);
  kit_to(&k, 1.5, x);
  assert_int_equal(s.n, 1);
  assert_true(s.all[0].index == 0 && fabs(s.all[0].t - 1) < 1e-12);
  assert_true(x[2] > 0 && x[3] == 0);
  kit_end(&k);
  (void)state;
}

/* No load at all, nobody pushes: nothing happens for a million seconds, at no cost; then the brake closes. */
static void rests_without_load(void **state)
{
  static const char *const PUSH[] = {"step:1,1e6"};
  br_solve_settings set = br_solve_settings_default();
  double x[1];
  kit k;
  kit_plant(&k, "driven_block", "coulomb", "m=1,Fc=2,Fs=2,sigma2=0", PUSH, NULL);
  drive(&k, 1, 0, "step:1,1000001");
  kit_solver(&k, &set, NULL);
  kit_to(&k, 1e6, x);
  assert_true(x[0] == 0);
  assert_true(br_solver_stats(k.solver).steps < 100);
  kit_to(&k, 1e6 + 0.5, x);
  assert_true(fabs(x[0] - 0.5) < 1e-9);
  kit_to(&k, 1e6 + 3, x); /* slows down by 1 m/s^2 from 1 m/s, and stays */
  assert_true(x[0] == 0);
  kit_end(&k);
  (void)state;
}

/* A switch is a run that ends and another that starts there. */
static void glued(const char *system, const char *model, const char *before, const char *after,
                  const double *w)
{
  kit a, b, c;
  br_err err;
  double x[32], y[32], z[32];
  br_solve_settings set = br_solve_settings_default();
  set.energy = 1;
  kit_plant(&a, system, model, before, NULL, w);
  kit_plant(&b, system, model, after, NULL, w);
  kit_plant(&c, system, model, before, NULL, w);
  const size_t n = br_plant_nstate(a.plant);
  memset(x, 0, sizeof x);
  x[0] = 0.7;
  kit_solver(&a, &set, x);
  kit_to(&a, 0.5, y);
  kit_solver(&b, &set, y);
  kit_to(&b, 1.5, y);
  if (br_plant_switch(c.plant, 0.5, b.plant, &err)) fail_msg("%s", err.msg);
  b.plant = NULL;                           /* it belongs to c now */
  for (int again = 0; again < 2; again++) { /* a second start begins with the first parameters */
    if (!again) kit_solver(&c, &set, x);
    else if (br_solver_start(c.solver, 0, x, &err)) fail_msg("%s", err.msg);
    kit_to(&c, 0.5, z);
    kit_to(&c, 2, z);
    for (size_t i = 0; i < n; i++) assert_true(fabs(z[i] - y[i]) <= 1e-11 * (1 + fabs(y[i])));
    assert_true(fabs(br_solver_energy(c.solver).residual) < 1e-11);
  }
  kit_end(&c), kit_end(&b), kit_end(&a);
}

static void switches(void **state)
{
  const double vp[1] = {0.3};
  glued("mass_spring", "dahl", "m=1,ks=2", "m=2,ks=5,Fc=0.4", NULL);
  glued("mass_spring", "coulomb", "m=1,ks=4,Fc=1,Fs=1.2", "m=1,ks=4,Fc=3,Fs=4", NULL);
  glued("pulled_block", "maxwell_slip", "m=1,system.k=9,model.k=30,40,Delta=0.01,0.02",
        "m=1,system.k=9,model.k=60,40,Delta=0.03,0.01", vp);
  glued("pulled_block", "gms", "m=1,system.k=9,Fc=1,Fs=1.5", "m=1,system.k=20,Fc=2,Fs=2.2", vp);
  (void)state;
}

static void refused(void **state)
{
  kit a, b;
  br_err err;
  const br_drive low = {.value = -1}, held = {.value = 2};
  kit_plant(&a, "mass_spring", "maxwell_slip", "k=1,Delta=1", NULL, NULL);
  kit_plant(&b, "mass_spring", "maxwell_slip", "k=1,2,Delta=1,1", NULL, NULL);
  assert_int_equal(br_plant_load(a.plant, 1, &held, &err), BR_E_ARG);
  assert_int_equal(br_plant_load(a.plant, 0, &low, &err), BR_E_RANGE);
  assert_int_equal(br_plant_load(NULL, 0, &held, &err), BR_E_ARG);
  assert_int_equal(br_plant_load(a.plant, 0, &held, &err), BR_OK);
  assert_int_equal(br_plant_switch(a.plant, 1, b.plant, &err), BR_E_UNSUPPORTED);
  b.plant = NULL;
  assert_int_equal(br_plant_switch(a.plant, 1, NULL, &err), BR_E_ARG);
  kit_end(&b), kit_end(&a);
  kit_plant(&a, "mass_spring", "reset_integrator", "", NULL, NULL);
  if (br_signal_parse("sine:0.5,1,0,1", &a.signals[1], &err)) fail_msg("%s", err.msg);
  const br_drive moves = br_drive_signal(a.signals[1]);
  assert_int_equal(br_plant_load(a.plant, 0, &moves, &err), BR_E_UNSUPPORTED);
  kit_end(&a);
  (void)state;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ramp_releases), cmocka_unit_test(dahl_follows),
      cmocka_unit_test(limits_move),   cmocka_unit_test(agrees_with_cvode),
      cmocka_unit_test(by_contact),    cmocka_unit_test(rests_without_load),
      cmocka_unit_test(switches),      cmocka_unit_test(refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
