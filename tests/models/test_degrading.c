/* SPDX-License-Identifier: Apache-2.0
 * test_degrading.c - corners of bouc_wen_baber_noori and bouc_wen_asymmetric: what is refused, what is
 * stored, which class and passivity they claim.  Their motion: tests/trace/test_degrading.c. */
#include "kit.h"

/* The rate of z at the state (z, e) and speed v. */
static double rate_at(const kit *k, double z, double e, double v)
{
  const double u = 0, state[2] = {z, e};
  double dz[2];
  k->m->rate(k->par, 1, &u, &v, state, dz);
  return dz[0];
}

static void corners(void **state)
{
  kit k = kit_open("bouc_wen_baber_noori");
  (void)state;
  /* energy below zero (it may be given back at first) repairs nothing */
  kit_put(&k, "delta_nu", 0.1), kit_put(&k, "delta_eta", 0.2), kit_put(&k, "delta_A", 0.05),
      kit_set(&k, "zeta_s", 0.5);
  for (double v = -1; v <= 1; v += 2) {
    assert_true(rate_at(&k, 0.3, -2, v) == rate_at(&k, 0.3, 0, v));
    assert_true(fabs(rate_at(&k, 0.3, 2, v)) < 0.9 * fabs(rate_at(&k, 0.3, 0, v)));
  }
  kit_put(&k, "beta", -0.5), kit_put(&k, "gamma", 0.5); /* no limit: no place for a pinch */
  kit_refused(&k, "zeta_s");
  kit_set(&k, "zeta_s", 0);
  /* while next to nothing slips what is stored is what is put in, at any stiffness that is left */
  for (double soft = 0; soft <= 0.5; soft += 0.5) {
    k = kit_open("bouc_wen_baber_noori");
    kit_put(&k, "A", 1.5), kit_put(&k, "fp", 4), kit_put(&k, "uy", 0.3), kit_set(&k, "delta_eta", soft);
    k.z[0] = 1e-4, k.z[1] = 2;
    kit a = k, b = k;
    const double v = 1, h = 1e-6, slope = rate_at(&k, k.z[0], k.z[1], v);
    a.z[0] -= h * slope, b.z[0] += h * slope;
    assert_near((kit_energy(&b) - kit_energy(&a)) / (2 * h), kit_force(&k, v) * v,
                1e-6 * fabs(kit_force(&k, v)));
  }
  /* the spring beside it: kappa fp u / uy, and half of that times u stored */
  kit_set(&k, "kappa", 0.25);
  k.z[0] = 0, k.u = 0.6;
  assert_near(kit_force(&k, 1), 0.25 * 4 * 2, 1e-15);
  assert_near(kit_energy(&k), 0.5 * 2 * 0.6, 1e-15);
}

/* However long a step, z ends at the limit of the side that it goes to: A / (beta + gamma +- 2 phi) to the
 * power 1/eta. */
static void long_steps(void **state)
{
  (void)state;
  for (int side = -1; side <= 1; side += 2) {
    kit k = kit_open("bouc_wen_asymmetric");
    kit_put(&k, "A", 2), kit_put(&k, "beta", 0.6), kit_put(&k, "gamma", 0.2), kit_put(&k, "eta", 1.5);
    kit_set(&k, "phi", 0.3);
    for (int i = 0; i < 3; i++) kit_step(&k, side, 1e6);
    assert_near(k.z[0], side * pow(2 / (0.8 + 0.6 * side), 1 / 1.5), 1e-9);
  }
}

static void classes(void **state)
{
  static const struct {
    const char *model, *name;
    double x;
    int passive;
  } ROWS[] = {{"bouc_wen_baber_noori", "uy", 1, 1},        {"bouc_wen_baber_noori", "zeta_s", 0.5, 0},
              {"bouc_wen_baber_noori", "delta_A", 0.1, 0}, {"bouc_wen_baber_noori", "delta_eta", 0.1, 0},
              {"bouc_wen_baber_noori", "gamma", -0.6, 0},  {"bouc_wen_baber_noori", "delta_nu", 0.1, 1},
              {"bouc_wen_asymmetric", "phi", 0.5, 1},      {"bouc_wen_asymmetric", "phi", -0.51, 0},
              {"bouc_wen_asymmetric", "gamma", 0.6, 0},    {"bouc_wen_asymmetric", "beta", -0.1, 0}};
  br_class c;
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
    kit k = kit_open(ROWS[i].model);
    kit_set(&k, ROWS[i].name, ROWS[i].x);
    if (k.m->passive(k.par) != ROWS[i].passive)
      fail_msg("%s %s = %g", ROWS[i].model, ROWS[i].name, ROWS[i].x);
  }
  kit k = kit_open("bouc_wen_asymmetric"); /* a lean alone slips, too */
  kit_put(&k, "beta", 0), kit_set(&k, "gamma", 0);
  k.m->classify(k.par, &c);
  assert_true(c.duhem == BR_DUHEM_GENERALIZED && !c.rate_dependent);
  kit_set(&k, "phi", 0);
  k.m->classify(k.par, &c);
  assert_true(c.duhem == BR_DUHEM_SEMILINEAR && c.continuity == BR_LIPSCHITZ);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(corners), cmocka_unit_test(long_steps),
                                     cmocka_unit_test(classes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
