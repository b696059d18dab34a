/* SPDX-License-Identifier: Apache-2.0
 * test_progress.c - the search for a cycle reports to its caller, with the caller's own context, and stops
 * when told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "bristle/param.h"
#include "bristle/solve.h"

typedef struct {
  int magic, calls, most;
} watch;

static int on_step(void *ctx, double t)
{
  watch *w = ctx;
  assert_int_equal(w->magic, 4711);
  assert_true(t >= 0);
  return ++w->calls > w->most;
}

/* A block pulled slowly: stick-slip with thousands of steps. */
static br_status find(watch *w, br_cycle *cycle)
{
  const br_system *sys = br_system_find("pulled_block");
  const br_model *mod = br_model_find("lugre");
  double mpar[256], spar[16];
  br_drive drive = {.value = 0.1};
  br_plant *plant = NULL;
  br_err err;
  br_params *p = NULL;
  assert_int_equal(br_params_create(mod, &p, &err), BR_OK);
  assert_int_equal(
      br_params_set_list(p, "sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1", &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  assert_true(mod->slots <= 256 && sys->slots <= 16);
  memcpy(mpar, br_params_block(p, "model"), mod->slots * sizeof *mpar);
  br_params_destroy(p);
  sys->defaults(spar);
  spar[0] = 1, spar[1] = 2;
  sys->prepare(spar);
  assert_int_equal(br_plant_create(sys, spar, mod, mpar, &drive, &plant, &err), BR_OK);
  br_solve_settings set = br_solve_settings_default();
  set.on_step = on_step;
  set.ctx = w;
  br_cycle_settings cs = br_cycle_settings_default();
  cs.level = 0.1;
  cs.threshold = 0.001;
  cs.t_transient = 3000; /* some ten thousand steps */
  const br_status st = br_cycle_find(plant, &set, &cs, NULL, cycle, NULL, NULL, NULL, &err);
  br_plant_destroy(plant);
  return st;
}

static void reports(void **state)
{
  (void)state;
  br_cycle cycle;
  watch w = {4711, 0, 1 << 30};
  assert_int_equal(find(&w, &cycle), BR_OK);
  assert_true(w.calls > 0);
  watch early = {4711, 0, 0};
  assert_int_not_equal(find(&early, &cycle), BR_OK);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(reports)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
