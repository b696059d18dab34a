/* SPDX-License-Identifier: Apache-2.0
 * test_rest.c - a block at rest costs nothing and does not drift, and what sets in behind it is not missed.
 * */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kit.h"
#include "support/near.h"

#define MILLION 1e6

typedef struct {
  const char *system, *model, *set, *input;
  size_t most; /* steps */
} resting;

static const resting cases[] = {
    {"mass_spring", "lugre", "m=1,ks=0,Fc=1,Fs=1.5", "pwl:0,0,1,0.9", 500},
    {"mass_spring", "lugre", "m=1,ks=0,Fc=1,Fs=1.5", "pwl:0,0,1,1.3", 500},
    {"mass_spring", "lugre", "m=1,ks=3,Fc=1,Fs=1.5", "pwl:0,0,1,100", 2000},
    {"mass_spring", "lugre", "m=1e3,ks=0,Fc=1e6,Fs=1.5e6,sigma0=1e11,sigma1=1e6,vs=1e-4", "pwl:0,0,1,9e5",
     4000},
    {"mass_spring", "lugre", "m=1e-9,ks=0,Fc=1e-6,Fs=1.5e-6,sigma0=0.01,sigma1=1e-6,vs=1e-6,sigma2=1e-9",
     "pwl:0,0,1,-9e-7", 4000},
    {"mass_spring", "lugre_elastoplastic", "m=1,ks=0,Fc=1,Fs=1.5", "pwl:0,0,1,0.9", 500},
    {"mass_spring", "gms", "m=1,ks=0,Fc=1,Fs=1.5,sigma2=300", "pwl:0,0,1,0.9", 1000},
    {"driven_block", "lugre", "m=1,Fc=1,Fs=1.5", "pwl:0,0,1,0.9", 500},
    {"driven_block", "gms", "m=1,Fc=1,Fs=1.5,sigma2=30", "pwl:0,0,1,-0.9", 5000},
    {"dc_motor", "lugre", "sigma0=1000,sigma1=1,sigma2=0.01,Fc=1,Fs=1.5", "pwl:0,0,1,0.03", 500},
    {"pulled_block", "lugre", "m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1",
     "pwl:0,1,3,1,3.1,0", 600},
    {"filtered", "lugre", "Fc=1,Fs=1.5", "pwl:0,0,1,0.001", 300},
    /* nothing but the friction's own path damps these: a damper beside them, so that they do come to rest */
    {"chain", "dahl", "m=1,2,k=100,50,c=1,1,Fc=1", "pwl:0,0,1,0.9", 6000},
    {"chain", "bouc_wen", "m=1,2,k=100,50,c=1,1", "pwl:0,0,1,0.9", 6000},
    {"chain", "bliman_sorine", "m=1,2,k=100,50,c=300,300", "pwl:0,0,1,0.9", 2000},
    {"chain", "semilinear_duhem", "m=1,2,k=100,50,c=1,1", "pwl:0,0,1,0.9", 6000},
};

/* From the time when the motion has died down to the million: hardly a step, and no state moves. */
static void test_rest_costs_nothing(void **state)
{
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    kit k;
    double early[80], late[80];
    br_solve_settings set = br_solve_settings_default();
    set.t_stop = MILLION, set.max_steps = 100000; /* chasing noise, it would not end */
    const char *specs[4] = {cases[c].input, NULL, NULL, NULL};
    kit_plant(&k, cases[c].system, cases[c].model, cases[c].set, specs, NULL);
    kit_solver(&k, &set, NULL);
    kit_to(&k, 5e3, early);
    const br_solve_stats before = br_solver_stats(k.solver);
    kit_to(&k, MILLION, late);
    const br_solve_stats after = br_solver_stats(k.solver);
    if (after.steps > cases[c].most || after.steps - before.steps > 40 || after.events != before.events)
      fail_msg("%s on %s, case %zu: %zu steps and %zu events, %zu and %zu of them at rest", cases[c].model,
               cases[c].system, c, after.steps, after.events, after.steps - before.steps,
               after.events - before.events);
    assert_true(after.rounded > 0);
    assert_memory_equal(early, late, br_plant_nstate(k.plant) * sizeof *early);
    kit_end(&k);
  }
}

/* Little damps here, and the rounding of many steps adds up: it still ends. */
static void test_weakly_damped_rest_ends(void **state)
{
  kit k;
  const char *spec = "pwl:0,0,1,0.9";
  br_solve_settings set = br_solve_settings_default();
  set.t_stop = MILLION, set.max_steps = 100000;
  kit_plant(&k, "mass_spring", "lugre", "m=1,ks=0,Fc=1,Fs=1.5,sigma1=3", &spec, NULL);
  kit_solver(&k, &set, NULL);
  kit_to(&k, MILLION, NULL);
  assert_true(br_solver_stats(k.solver).steps < 30000);
  double F;
  br_solver_force(k.solver, &F);
  near(F, 0.9, 2e-13);
  kit_end(&k);
}

/* The same load behind a long rest: the block answers as it did without waiting, slip and ringing included.
 * */
static void test_wakes_up(void **state)
{
  static const char *const spec[2] = {"pwl:0,0,1,0.9,8,0.9,9,1.9", "pwl:0,0,1,0.9,262144,0.9,262145,1.9"};
  double x[2][3];
  for (int i = 0; i < 2; i++) {
    kit k;
    kit_plant(&k, "mass_spring", "lugre", "m=1,ks=3,Fc=1,Fs=1.5", &spec[i], NULL);
    kit_solver(&k, NULL, NULL);
    kit_to(&k, i ? 262145.4 : 9.4, x[i]);
    kit_end(&k);
  }
  for (int l = 0; l < 3; l++) assert_true(fabs(x[1][l] - x[0][l]) <= 1e-8 * fabs(x[0][l]));
}

/* A load that grows by 1e-7 N in a second is slow, not at rest: the force follows it. */
static void test_slow_drift_is_kept(void **state)
{
  static const double load[3] = {0.5, 0.55, 0.6};
  kit k;
  const char *spec = "pwl:0,0,1,0.5,10,0.5,1000010,0.6";
  kit_plant(&k, "mass_spring", "lugre", "m=1,ks=0,Fc=1,Fs=1.5,sigma0=1e5", &spec, NULL);
  kit_solver(&k, NULL, NULL);
  for (int i = 0; i < 3; i++) {
    double F;
    kit_to(&k, 10 + 5e5 * i, NULL);
    br_solver_force(k.solver, &F);
    near(F, load[i], 1e-12);
  }
  kit_end(&k);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rest_costs_nothing),
      cmocka_unit_test(test_weakly_damped_rest_ends),
      cmocka_unit_test(test_wakes_up),
      cmocka_unit_test(test_slow_drift_is_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
