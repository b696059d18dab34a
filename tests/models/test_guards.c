/* SPDX-License-Identifier: Apache-2.0
 * test_guards.c - corners of single models: gms elements at rest, vectors that do not fit each other, tables
 * under load. */
#include "kit.h"

/* At rest an element holds, also above its level, and no element slips. */
static void gms_at_rest(void **state)
{
  static const double stiff[] = {3e4, 1e4}, share[] = {0.25, 0.75};
  kit k = kit_open("gms");
  (void)state;
  kit_put_vector(&k, "k", 2, stiff);
  kit_put_vector(&k, "alpha", 2, share);
  kit_ready(&k);
  const double level = 0.25 * kit_get(&k, "Fs") / 3e4, u = 0, rest = 0, v = 1e-9;
  for (double h = 0; h <= 1; h++) {
    double z[4] = {2 * level, -3 * level, 1, 1};
    k.m->step(k.par, 1, &u, &rest, h, z);
    assert_true(z[0] == 2 * level && z[1] == -3 * level && z[2] == 0 && z[3] == 0);
  }
  double z[4] = {2 * level, 0, 0, 0};
  k.m->step(k.par, 1, &u, &v, 0, z); /* in motion it slips at once */
  assert_true(z[0] == 2 * level && z[2] == 1 && z[3] == 0);
  double dz[4] = {0};
  k.m->rate(k.par, 1, &u, &rest, z, dz);
  assert_true(dz[0] == 0 && dz[1] == 0);
}

/* What slides keeps its deflection, also below a limit that the load has raised; what sticks stretches up to
 * it. */
static void sliding_bonds_stay(void **state)
{
  kit k = kit_open("reset_integrator");
  (void)state;
  kit_ready(&k);
  const double end = kit_get(&k, "z0"), u = 0;
  for (int side = -1; side <= 1; side += 2)
    for (int slides = 0; slides < 2; slides++) {
      const double v = side;
      double z[2] = {side * end, slides}, dz[2];
      k.m->rate(k.par, 2, &u, &v, z, dz);
      assert_true(dz[0] == (slides ? 0 : v));
      k.m->step(k.par, 2, &u, &v, 10 * end, z);
      assert_true(z[0] == side * (slides ? 1 : 2) * end && z[1] == 1);
    }
}

/* Vectors of one model have one length, in every model; shares add up. */
static void vectors_fit(void **state)
{
  static const struct {
    const char *model, *name;
    size_t n;
    double x[3];
  } WRONG[] = {{"maxwell_slip", "Delta", 2, {1, 1}},
               {"maxwell_slip", "k", 2, {1, 1}},
               {"maxwell_slip", "k", 0, {0}},
               {"gms", "alpha", 3, {0.2, 0.3, 0.4}},
               {"gms", "alpha", 2, {0.5, 0.5 + 1e-7}},
               {"gms", "k", 1, {1}},
               {"lugre", "g_v", 2, {0, 1}},
               {"lugre", "f_F", 3, {0, 1, 2}},
               {"lugre", "f_v", 1, {0}}};
  (void)state;
  for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
    kit k = kit_open(WRONG[i].model);
    br_err err = {BR_OK, -1, ""};
    assert_int_equal(k.m->check(k.par, &err), BR_OK);
    kit_put_vector(&k, WRONG[i].name, WRONG[i].n, WRONG[i].x);
    if (strcmp(WRONG[i].model, "gms") == 0 && WRONG[i].name[0] == 'a') { /* as many stiffnesses as shares */
      static const double one[] = {1e4, 1e4, 1e4};
      kit_put_vector(&k, "k", WRONG[i].n, one);
    }
    if (k.m->check(k.par, &err) == BR_OK)
      fail_msg("%s: %zu numbers of %s are taken", WRONG[i].model, WRONG[i].n, WRONG[i].name);
  }
}

static void at_least_one_element(void **state)
{
  kit k = kit_open("maxwell_slip");
  br_err err = {BR_OK, -1, ""};
  (void)state;
  kit_put_vector(&k, "k", 0, NULL);
  kit_put_vector(&k, "Delta", 0, NULL);
  assert_int_equal(k.m->check(k.par, &err), BR_E_RANGE);
}

/* A tabulated level grows with the load as the formula's does; twice the load, twice the settled force. */
static void tables_under_load(void **state)
{
  static const double gv[] = {0, 0.1, 1}, gF[] = {3, 2, 1.5}, fv[] = {0, 1}, fF[] = {0, 4};
  kit k = kit_open("lugre");
  (void)state;
  kit_put_vector(&k, "g_v", 3, gv), kit_put_vector(&k, "g_F", 3, gF);
  kit_put_vector(&k, "f_v", 2, fv), kit_put_vector(&k, "f_F", 2, fF);
  kit_ready(&k);
  for (double n = 0.5; n < 5; n *= 2) {
    for (int side = -1; side <= 1; side += 2) {
      const double u = 0, v = side * 0.1;
      double z = 0, dz = 0, F = 0;
      k.m->step(k.par, n, &u, &v, 1e3, &z); /* settled */
      k.m->rate(k.par, n, &u, &v, &z, &dz);
      k.m->force(k.par, n, &u, &v, &z, &dz, &F);
      assert_near(kit_get(&k, "sigma0") * z, side * n * 2, 1e-12);
      assert_near(dz, 0, 1e-12);
      assert_near(F, side * (n * 2 + 0.4), 1e-12 * 1e3);
      z = 0.3e-5, k.m->rate(k.par, n, &u, &v, &z, &dz);
      assert_near(dz, v - kit_get(&k, "sigma0") * 0.1 / (2 * n) * z, 1e-15);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(sliding_bonds_stay), cmocka_unit_test(gms_at_rest),
                                     cmocka_unit_test(vectors_fit), cmocka_unit_test(at_least_one_element),
                                     cmocka_unit_test(tables_under_load)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
