/* SPDX-License-Identifier: Apache-2.0
 * test_memory.c - every allocation of a plant, of each solver and of the cycle search refused in turn: the
 * status says so, with a message, nothing leaks, and the object that was not made is NULL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bri_config.h"
#include "kit.h"
#include "base/alloc.h"

static const char *const MODELS[] = {"lugre", "coulomb", "maxwell_slip", "gms"};
enum { NMODEL = sizeof MODELS / sizeof MODELS[0], MOST = 500 };

/* A refused run: out of memory with a text, and as many blocks as before. */
static int refused(br_status st, const br_err *err, long before)
{
  bri_alloc_fail_after(-1);
  if (st != BR_OK) {
    if (st != BR_E_NOMEM) fail_msg("%s", err->msg);
    assert_int_equal(err->code, BR_E_NOMEM);
    assert_non_null(strstr(err->msg, "memory"));
  }
  assert_int_equal(bri_alloc_live(), before);
  return st != BR_OK;
}

static void test_plant(void **state)
{
  const br_system *sys = br_system_find("chain");
  for (size_t q = 0; q < NMODEL; q++) {
    const br_model *mod = br_model_find(MODELS[q]);
    double *spar = calloc(sys->slots, sizeof *spar), *mpar = calloc(mod->slots, sizeof *mpar);
    sys->defaults(spar), sys->prepare(spar);
    mod->defaults(mpar), mod->prepare(mpar);
    const long before = bri_alloc_live();
    long n = 0;
    for (int again = 1; again; n++) {
      br_plant *p = NULL;
      br_err err = {0};
      bri_alloc_fail_after(n);
      const br_status st = br_plant_create(sys, spar, mod, mpar, NULL, &p, &err);
      assert_int_equal(p != NULL, st == BR_OK);
      br_plant_destroy(p);
      again = refused(st, &err, before);
      assert_true(n < MOST);
    }
    assert_true(n > 10);
    free(spar);
    free(mpar);
  }
}

/* Creating may allocate, running must not: the budget is still at zero then. */
static void test_solvers(void **state)
{
  static const br_solver_kind kinds[] = {BR_SOLVER_NATIVE, BR_SOLVER_RODAS, BR_SOLVER_RADAU5, BR_SOLVER_FIXED,
                                         BR_SOLVER_CVODE};
  for (size_t q = 0; q < NMODEL; q++) {
    const char *input = "sine:3,0.5";
    kit k;
    kit_plant(&k, "mass_spring", MODELS[q], NULL, &input, NULL);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
      br_solve_settings set = br_solve_settings_default();
      const long before = bri_alloc_live();
      long n = 0;
      if (kinds[i] == BR_SOLVER_CVODE && !BR_WITH_SUNDIALS) {
        print_message("skip: built without SUNDIALS\n");
        continue;
      }
      set.kind = kinds[i], set.energy = 1, set.rtol = 1e-7;
      for (int again = 1; again; n++) {
        br_err err = {0};
        br_solver *s = NULL;
        bri_alloc_fail_after(n);
        br_status st = br_solver_create(k.plant, &set, &s, &err);
        bri_alloc_fail_after(0);
        assert_int_equal(s != NULL, st == BR_OK);
        if (s && (br_solver_start(s, 0, NULL, &err) || br_solver_advance(s, 2, NULL, &err)))
          fail_msg("%s, solver %d: %s", MODELS[q], (int)kinds[i], err.msg);
        br_solver_destroy(s);
        again = refused(st, &err, before);
        assert_true(n < MOST);
      }
      assert_true(n > 5);
    }
    kit_end(&k);
  }
}

static void cycle_of(const char *system, const char *set, const char *input, double value)
{
  kit k;
  double x[8], lo[9], hi[9];
  kit_plant(&k, system, "lugre", set, input ? &input : NULL, &value);
  br_solve_settings s = br_solve_settings_default();
  br_cycle_settings c = br_cycle_settings_default();
  s.rtol = 1e-11;
  c.t_transient = 20;
  const long before = bri_alloc_live();
  long n = 0;
  for (int again = 1; again; n++) {
    br_err err = {0};
    br_cycle found;
    bri_alloc_fail_after(n);
    again = refused(br_cycle_find(k.plant, &s, &c, NULL, &found, x, lo, hi, &err), &err, before);
    assert_true(n < MOST);
  }
  assert_true(n > 15); /* three solvers are made on the way */
  kit_end(&k);
}

static void test_cycles(void **state)
{
  cycle_of("pulled_block", "m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1", NULL, 2);
  cycle_of("mass_spring", "sigma0=1e4", "sine:4,0.5", 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plant),
      cmocka_unit_test(test_solvers),
      cmocka_unit_test(test_cycles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
