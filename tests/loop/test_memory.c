/* SPDX-License-Identifier: Apache-2.0
 * test_memory.c - return-point memory and congruency: Maxwell-slip has both, Dahl and LuGre neither. */
#include "loopkit.h"

#include "bristle/classify.h"

static br_memory_report memory(const char *model, const char *set, double U)
{
  element e = element_open(model);
  br_memory_report r;
  br_err err;
  if (set[0]) element_set(&e, set);
  if (br_memory(e.m, e.par, U, &r, &err)) fail_msg("%s: %s", model, err.msg);
  return r;
}

static void preisach(void **state)
{
  static const char *const models[] = {"maxwell_slip", "gms", "coulomb"};
  for (size_t k = 0; k < 3; k++) {
    const br_memory_report r = memory(models[k], "", 0);
    near(r.return_point, 0, 1e-12);
    near(r.congruency, 0, 1e-12);
    near(r.closure, 0, 1e-12);
  }
}

static void no_preisach(void **state)
{
  static const char *const models[] = {"dahl", "lugre", "bouc_wen", "duhem_lugre", "bliman_sorine"};
  for (size_t k = 0; k < 5; k++) {
    const br_memory_report r = memory(models[k], "", 0);
    assert_true(fabs(r.return_point) > 1e-3);
    assert_true(r.congruency > 1e-3);
  }
}

/* The closure of a Dahl minor loop is the gap formula of docs/corrections.md#000-3: (1-E) (g (1-E) - y
 * (1+E)), E = e^-a d.
 */
static void dahl_gap(void **state)
{
  const double U = 0.2, a = 10, g = 0.75, turn = 0.35 * U, down = -0.15 * U;
  const br_memory_report r = memory("dahl", "sigma0=7.5,Fc=0.75,gamma=1", U);
  const double corner = g * tanh(a * U), y1 = g + (-corner - g) * exp(-a * (turn + U)),
               E = exp(-a * (turn - down));
  const double gap = (1 - E) * (g * (1 - E) - y1 * (1 + E)), height = (y1 + g) * (1 - E);
  near(r.closure, gap / height, 1e-10);
}

static void refuses(void **state)
{
  br_memory_report r;
  br_err err;
  const element two = element_open("bouc_wen_biaxial"), k = element_open("karnopp");
  assert_int_equal(br_memory(two.m, two.par, 0, &r, &err), BR_E_UNSUPPORTED);
  assert_int_equal(br_memory(k.m, k.par, 0, &r, &err),
                   BR_OK); /* its stick band has no meaning on a given path */
  assert_true(r.return_point == 0 && r.congruency == 0);
  assert_int_equal(br_memory(NULL, NULL, 0, &r, &err), BR_E_ARG);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(preisach), cmocka_unit_test(no_preisach),
                                     cmocka_unit_test(dahl_gap), cmocka_unit_test(refuses)};
  return cmocka_run_group_tests_name("loop/memory", tests, NULL, NULL);
}
