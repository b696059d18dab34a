/* SPDX-License-Identifier: Apache-2.0
 * test_classic.c - viscous, reset_integrator, and duhem_lugre with hardening and degradation: what only they
 * promise. */
#include "kit.h"

static double force(kit *k, double v)
{
  double dz[KIT_STATES] = {0}, F = 0;
  k->m->rate(k->par, k->n, &k->u, &v, k->z, dz);
  k->m->force(k->par, k->n, &k->u, &v, k->z, dz, &F);
  return F;
}

static void move(kit *k, double v, double h)
{
  k->m->step(k->par, k->n, &k->u, &v, h, k->z);
  k->u += v * h;
}

static void test_viscous(void **state)
{
  (void)state;
  kit k = kit_open("viscous");
  kit_put(&k, "sigma2", 3);
  kit_ready(&k);
  k.n = 5; /* the load has no meaning here */
  assert_true(force(&k, 2) == 6 && force(&k, -0.5) == -1.5 && force(&k, 0) == 0);
  assert_int_equal(k.m->nstate(k.par), 0);
}

/* Levels, the drop where the bond gives way, and the work of a cycle: 4 sigma0 z0 (U - z0) whatever a is. */
static void test_reset(void **state)
{
  (void)state;
  kit k = kit_open("reset_integrator");
  kit_put(&k, "sigma1", 0);
  kit_ready(&k);
  move(&k, 1, 0.999e-5);
  assert_true(fabs(force(&k, 1) - 1.5 * 0.999) < 1e-12); /* holds: (1 + a) sigma0 z */
  move(&k, 1, 1e-5);
  assert_true(k.z[0] == 1e-5 && fabs(force(&k, 1) - 1) < 1e-12); /* slides: sigma0 z0 */
  move(&k, -1, 1e-8);
  assert_true(fabs(force(&k, -1) - 1.5 * 0.999) < 1e-12); /* and rises at once when it turns back */
  k.n = 2;                                                /* twice the load: twice as far */
  move(&k, 1, 1);
  assert_true(k.z[0] == 2e-5);
  k.n = 1;
  for (double a = 0; a < 2; a += 0.75) {
    kit_put(&k, "a", a);
    kit_ready(&k);
    const double U = 1e-4, h = U / 5000;
    double work = 0;
    k.z[0] = -1e-5, k.u = -U;
    for (int turn = 0; turn < 4; turn++) { /* the first two are the way to the cycle */
      const double v = turn % 2 ? -1 : 1;
      for (int i = 0; i < 10000; i++) {
        const double before = force(&k, v);
        move(&k, v, h);
        if (turn >= 2) work += 0.5 * (before + force(&k, v)) * v * h;
      }
    }
    assert_true(fabs(work - 4 * 1.0 * (U - 1e-5)) <
                4 * 2 * h); /* a trapezoid over the drop errs by a h / 2 */
  }
}

/* sigma1 = 0, a = 0 is a single Maxwell-slip element, to the bit. */
static void test_reset_is_maxwell(void **state)
{
  (void)state;
  kit r = kit_open("reset_integrator"), w = kit_open("maxwell_slip");
  const br_param *k = kit_param(&w, "k"), *d = kit_param(&w, "Delta");
  kit_put(&r, "sigma1", 0), kit_put(&r, "a", 0), kit_put(&r, "z0", 3e-3), kit_put(&r, "sigma0", 7);
  w.par[k->slot] = 7, w.par[k->len_slot] = 1, w.par[d->slot] = 3e-3, w.par[d->len_slot] = 1;
  kit_ready(&r), kit_ready(&w);
  for (int i = 0; i < 1000; i++) {
    const double v = sin(0.1 * i) + 0.4 * sin(0.37 * i);
    move(&r, v, 1e-3), move(&w, v, 1e-3);
    assert_true(r.z[0] == w.z[0] && force(&r, v) == force(&w, v));
  }
}

/* States and force of duhem_lugre against tiny steps of its rate, through many reversals. */
static void test_damage(void **state)
{
  (void)state;
  for (int c = 0; c < 4; c++) {
    kit k = kit_open("duhem_lugre");
    uint64_t seed = 5;
    kit_put(&k, "inv_d0", 0.1), kit_put(&k, "kappa", 0.2), kit_put(&k, "uy", 0.5), kit_put(&k, "vs", 1);
    kit_put(&k, "beta", c & 1 ? 0.7 : 1), kit_put(&k, "gamma", c & 1 ? 0.3 : 0);
    kit_set(&k, "eta", c & 2 ? 1.5 : 1);
    assert_int_equal(k.m->nstate(k.par), 2);
    kit fine = k;
    for (int leg = 0; leg < 30; leg++) {
      const double v = kit_random(&seed, -2, 2);
      const int parts = c & 2 ? 400 : 1; /* eta = 1: one step whatever its length */
      double F = 0;
      for (int i = 0; i < parts; i++) F = kit_step(&k, v, 1.0 / parts);
      for (int i = 0; i < 4000; i++) { /* midpoint rule */
        const double h = 1.0 / 4000;
        double d[2], mid[2];
        fine.m->rate(fine.par, 1, &fine.u, &v, fine.z, d);
        for (int j = 0; j < 2; j++) mid[j] = fine.z[j] + 0.5 * h * d[j];
        fine.m->rate(fine.par, 1, &fine.u, &v, mid, d);
        for (int j = 0; j < 2; j++) fine.z[j] += h * d[j];
        fine.u += h * v;
      }
      assert_near(k.z[0], fine.z[0], 2e-6);
      assert_near(k.z[1], fine.z[1], 2e-5);
      assert_near(F, kit_force(&fine, v), 2e-6);
    }
    assert_true(k.z[1] > 10); /* damage that shows: half of the strength is gone */
  }
}

/* Lengths scale with uy, and hardening and strength stand where the equation says. */
static void test_yield_displacement(void **state)
{
  (void)state;
  kit a = kit_open("duhem_lugre"), b = kit_open("duhem_lugre");
  kit_set(&b, "uy", 0.25);
  for (int i = 0; i < 200; i++) {
    const double v = sin(0.3 * i) * 0.002;
    const double F = kit_step(&a, v, 1), G = kit_step(&b, 0.25 * v, 1);
    assert_true(F == G && a.z[0] == b.z[0]);
  }
  kit_put(&a, "inv_d0", 0.5);
  kit_set(&a, "kappa", 0.25);
  a.z[0] = 0.4, a.z[1] = 2, a.u = 3;
  assert_near(kit_force(&a, 0), (0.75 * 0.4 + 0.25 * 3) / 2, 1e-15);
  assert_near(kit_energy(&a), 0.5 * (0.75 * 0.16 + 0.25 * 9) / 2, 1e-15);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_viscous), cmocka_unit_test(test_reset),
                                     cmocka_unit_test(test_reset_is_maxwell), cmocka_unit_test(test_damage),
                                     cmocka_unit_test(test_yield_displacement)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
