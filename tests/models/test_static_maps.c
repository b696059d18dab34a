/* SPDX-License-Identifier: Apache-2.0
 * test_static_maps.c - coulomb and karnopp: static maps with true stick. */
#include "kit.h"

static void coulomb_is_the_stribeck_curve(void **state)
{
  const double deltas[] = {2.0, 1.0, 0.5, 1.37, 4.0};
  (void)state;
  for (size_t d = 0; d < sizeof deltas / sizeof deltas[0]; d++) {
    kit k = kit_open("coulomb");
    kit_put(&k, "Fc", 2.385);
    kit_put(&k, "Fs", 3.71);
    kit_put(&k, "vs", 0.013);
    kit_put(&k, "sigma2", 0.87);
    kit_set(&k, "delta", deltas[d]);
    k.n = 1.9;
    for (double v = 1e-7; v < 3; v *= 1.83) {
      const double F = 1.9 * (2.385 + (3.71 - 2.385) * exp(-pow(v / 0.013, deltas[d]))) + 0.87 * v;
      assert_near(kit_step(&k, v, 0.1), F, 4e-15 * F);
      assert_true(kit_force(&k, -v) == -kit_force(&k, v)); /* odd to the bit */
    }
  }
}

static void coulomb_has_no_smoothing(void **state)
{
  kit k = kit_open("coulomb");
  const double tiny[] = {1e-3, 1e-100, 4.9e-324};
  (void)state;
  kit_set(&k, "sigma2", 0);
  kit_set(&k, "Fs", 1);
  for (size_t i = 0; i < 3; i++)
    assert_true(kit_force(&k, tiny[i]) == 1.0 && kit_force(&k, -tiny[i]) == -1.0);
  assert_true(kit_force(&k, 0.0) == 0 && kit_force(&k, -0.0) == 0);
}

static void karnopp_has_a_stick_band(void **state)
{
  kit k = kit_open("karnopp");
  (void)state;
  kit_put(&k, "Fs", 2.2);
  kit_put(&k, "Fc", 1.7);
  kit_put(&k, "sigma2", 3.1);
  kit_set(&k, "dv", 0.01);
  k.n = 0.6;
  assert_true(kit_force(&k, nextafter(0.01, 0)) == 0 && kit_force(&k, -0.0099) == 0 && kit_force(&k, 0) == 0);
  assert_near(kit_force(&k, 0.01), 0.6 * 1.7 + 3.1 * 0.01, 1e-15);
  assert_near(kit_force(&k, -2.5), -0.6 * 1.7 - 3.1 * 2.5, 1e-14);
}

static void stick_is_declared(void **state)
{
  const char *names[] = {"coulomb", "karnopp"};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    kit k = kit_open(names[i]);
    br_class c;
    assert_true(k.m->flags & BR_MODEL_TRUE_STICK);
    assert_true(k.m->nz == 0 && k.m->nstates_rows == 0 && k.m->states[0].name == NULL);
    assert_true(k.m->nstate(k.par) == 0 && k.m->nmode(k.par) == 0);
    assert_near(k.m->breakaway(k.par, 2.5), 2.5 * kit_get(&k, "Fs"), 1e-15);
    assert_true(k.m->passive(k.par) && kit_energy(&k) == 0);
    k.m->classify(k.par, &c);
    assert_true(c.duhem == BR_DUHEM_NONE && c.rate_dependent && c.continuity == BR_DISCONTINUOUS);
    assert_true(isnan(kit_force(&k, NAN)));
    assert_true(kit_force(&k, INFINITY) == INFINITY && kit_force(&k, -INFINITY) == -INFINITY);
    kit_put(&k, "Fs", kit_get(&k, "Fc") * (1 - 1e-12));
    kit_refused(&k, "Fs >= Fc");
  }
}

static void only_pure_coulomb_is_rate_independent(void **state)
{
  kit k = kit_open("coulomb");
  br_class c;
  (void)state;
  kit_set(&k, "Fs", kit_get(&k, "Fc"));
  k.m->classify(k.par, &c);
  assert_true(c.rate_dependent);
  kit_set(&k, "sigma2", 0);
  k.m->classify(k.par, &c);
  assert_false(c.rate_dependent);
}

static void bad_parameters_are_named(void **state)
{
  const struct {
    const char *model, *name;
    double value;
  } bad[] = {
      {"coulomb", "Fc", 0},         {"coulomb", "vs", 0},  {"coulomb", "delta", -1},
      {"coulomb", "sigma2", -1e-9}, {"karnopp", "dv", 0},  {"karnopp", "dv", INFINITY},
      {"karnopp", "Fc", NAN},       {"karnopp", "Fs", -2},
  };
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    kit k = kit_open(bad[i].model);
    kit_put(&k, bad[i].name, bad[i].value);
    kit_refused(&k, bad[i].name);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coulomb_is_the_stribeck_curve),
      cmocka_unit_test(coulomb_has_no_smoothing),
      cmocka_unit_test(karnopp_has_a_stick_band),
      cmocka_unit_test(stick_is_declared),
      cmocka_unit_test(only_pure_coulomb_is_rate_independent),
      cmocka_unit_test(bad_parameters_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
