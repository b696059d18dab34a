/* SPDX-License-Identifier: Apache-2.0
 * test_steady.c - force of steady sliding against closed forms; what has none says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "bristle/expr.h"
#include "bristle/param.h"
#include "bristle/trace.h"

static br_status force(const char *model, const char *list, double load, double v, int side, double *F,
                       br_err *err)
{
  const br_model *m = br_expr_variant(br_all_models_find(model), list);
  br_params *p = NULL;
  assert_non_null(m);
  assert_int_equal(br_params_create(m, &p, err), BR_OK);
  assert_int_equal(br_params_set_list(p, list, err), BR_OK);
  assert_int_equal(br_params_finish(p, err), BR_OK);
  const br_status st = br_steady_force(m, br_params_block(p, "model"), load, v, side, F, err);
  br_params_destroy(p);
  return st;
}

static void is(const char *model, const char *list, double load, double v, int side, double expected)
{
  br_err err = {BR_OK, -1, ""};
  double F = NAN;
  if (force(model, list, load, v, side, &F, &err)) fail_msg("%s at %g: %s", model, v, err.msg);
  if (!(fabs(F - expected) <= 2e-13 * fabs(expected)))
    fail_msg("%s at v = %g: %.17g, expected %.17g", model, v, F, expected);
}

/* Level times load, and the viscous part: Fc + (Fs - Fc) exp(-|v/vs|^delta). */
static double stribeck(double v, double vs, double delta) { return 1 + 0.5 * exp(-pow(fabs(v) / vs, delta)); }

static void closed_forms(void **state)
{
  static const char LIST[] = "Fc=1,Fs=1.5,vs=0.01,delta=1.5,sigma2=0.4";
  static const char *const MODELS[] = {"coulomb", "lugre", "lugre_elastoplastic", "gms"};
  (void)state;
  for (size_t i = 0; i < sizeof MODELS / sizeof MODELS[0]; i++) {
    for (double v = -0.05; v < 0.06; v += 0.0125) {
      if (fabs(v) < 1e-9) continue;
      is(MODELS[i], LIST, 1, v, 0, copysign(stribeck(v, 0.01, 1.5), v) + 0.4 * v);
    }
    is(MODELS[i], LIST, 1, 0, 1, 1.5);
    is(MODELS[i], LIST, 1, 0, -1, -1.5);
  }
  is("dahl", "sigma0=7.5,Fc=0.75", 1, 0.3, 0, 0.75);
  is("dahl", "sigma0=7.5,Fc=0.75", 2, -0.3, 0, -1.5);
  is("maxwell_slip", "k=1,2,Delta=1mm,2mm", 1, 0, -1, -(1e-3 + 4e-3));
  is("duhem", "c=7.5,0.75", 1, 0.1, 0, 0.75); /* no exact step: integrated */
  is("duhem", "c=750,0.75", 1, 0, -1, -0.75);
}

static void none(void **state)
{
  br_err err = {BR_OK, -1, ""};
  double F = 0;
  (void)state;
  assert_int_equal(force("duhem", "f11=1,f12=1", 1, 0.1, 0, &F, &err), BR_E_CONVERGE); /* a spring */
  assert_non_null(strstr(err.msg, "duhem comes to no steady force at v = 0.1 m/s"));
  assert_int_equal(force("dahl", "Fc=1", 1, 0, 0, &F, &err), BR_E_ARG); /* which side? */
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms), cmocka_unit_test(none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
