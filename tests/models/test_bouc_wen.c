/* SPDX-License-Identifier: Apache-2.0
 * test_bouc_wen.c - the Bouc-Wen family: the three energy classes, levels and slopes, isotropy in the
 * plane, the exact
 * pieces of duhem_lugre. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/sample.h"

/* ---- bouc_wen: the energy classes for beta + gamma = 1 ---- */

typedef struct {
  double cycle_work, least_rate, least_other, z_top;
} energy_class;

/* Third cycle of +-U from rest: work; least of z v - z z' (stored energy z^2/2), and of z v - V' z' with
 * V' = z / (1 - gamma |z|^eta). */
static energy_class classify(double beta, double gamma, double eta, double U)
{
  motion q;
  energy_class c = {0, INFINITY, INFINITY, 0};
  motion_init(&q, "bouc_wen");
  motion_set(&q, "beta", beta), motion_set(&q, "gamma", gamma), motion_set(&q, "eta", eta);
  motion_ready(&q);
  for (int leg = 0; leg < 13; leg++) {
    const double v[2] = {leg % 2 == 0 ? 1 : -1, 0}, way = leg == 0 ? U : 2 * U;
    if (leg == 11) q.work = 0;
    for (int i = 0; i < 400; i++) {
      double dz[2];
      q.m->rate(q.par, 1, q.u, v, q.z, dz);
      c.least_rate = fmin(c.least_rate, q.z[0] * v[0] - q.z[0] * dz[0]);
      c.least_other =
          fmin(c.least_other, q.z[0] * v[0] - q.z[0] / (1 - gamma * pow(fabs(q.z[0]), eta)) * dz[0]);
      c.z_top = fmax(c.z_top, fabs(q.z[0]));
      const double before = q.z[0];
      motion_hold(&q, v[0], way / 800);
      const double middle = q.z[0];
      motion_hold(&q, v[0], way / 800);
      q.work += way / 400 * v[0] * (before + 4 * middle + q.z[0]) / 6;
    }
  }
  c.cycle_work = q.work;
  return c;
}

static void test_bouc_wen_classes(void **state)
{
  static const double etas[] = {1, 1.7, 2, 4}, widths[] = {0.4, 1.1, 3};
  (void)state;
  for (size_t e = 0; e < 4; e++)
    for (size_t w = 0; w < 3; w++) {
      const double eta = etas[e], U = widths[w];
      for (double beta = 0.5; beta <= 1.5; beta += 0.25) { /* dissipative at every moment */
        const energy_class c = classify(beta, 1 - beta, eta, U);
        assert_true(c.cycle_work > 0 && c.least_rate >= -1e-12 && c.z_top <= 1);
      }
      for (double beta = 0.1; beta < 0.45; beta += 0.1) { /* passive, but with another stored energy */
        const energy_class c = classify(beta, 1 - beta, eta, U);
        assert_true(c.cycle_work > 0 && c.least_rate < -1e-6 && c.least_other >= -1e-12 && c.z_top <= 1);
      }
      near(classify(0, 1, eta, U).cycle_work, 0, 1e-7); /* z is a function of u */
    }
  /* beta < 0 creates energy: the offending cycle is a small one, larger ones escape */
  for (size_t e = 0; e < 4; e++) {
    const energy_class c = classify(-0.25, 1.25, etas[e], 0.2);
    assert_true(c.cycle_work < -1e-6 && c.least_rate < 0);
    motion q;
    motion_init(&q, "bouc_wen");
    motion_set(&q, "beta", -0.25), motion_set(&q, "gamma", 1.25), motion_set(&q, "eta", etas[e]);
    motion_ready(&q);
    assert_false(q.m->passive(q.par));
    q.tol = 1e-8;
    motion_to(&q, 3, 1);
    for (int i = 0; i < 1000 && fabs(q.z[0]) < 2; i++)
      motion_hold(&q, -1, 0.01); /* unloading runs away upwards */
    assert_true(fabs(q.z[0]) > 1.5);
  }
}

/* Saturation (A/(beta+gamma))^(1/eta), first slope A fp/uy, hardening slope kappa fp/uy. */
static void test_bouc_wen_levels(void **state)
{
  rng r = {37};
  (void)state;
  for (int k = 0; k < 60; k++) {
    motion q;
    double F[3], v[2] = {1, 0};
    sample_element(&q, "bouc_wen", &r);
    motion_set(&q, "inv_d0", 0);
    motion_ready(&q);
    const double A = motion_get(&q, "A"), bg = motion_get(&q, "beta") + motion_get(&q, "gamma"),
                 uy = motion_get(&q, "uy"), kappa = motion_get(&q, "kappa");
    const double top = pow(A / bg, 1 / motion_get(&q, "eta")), fp = q.load * motion_get(&q, "fp");
    motion_hold(&q, 1, 1e-6 * uy);
    motion_force(&q, v, &F[0]);
    near(F[0], fp * 1e-6 * ((1 - kappa) * A + kappa), 2e-2 * fp * 1e-6 * A);
    for (int i = 0; i < 40000; i++) {
      motion_hold(&q, 1, 1e-3 * uy);
      assert_true(fabs(q.z[0]) <= top * (1 + 1e-12));
    }
    near(q.z[0], top, 1e-6 * top);
    motion_force(&q, v, &F[1]);
    motion_hold(&q, 1, uy);
    motion_force(&q, v, &F[2]);
    near(F[2] - F[1], fp * kappa, 1e-5 * fp);
  }
}

/* ---- bouc_wen_biaxial ---- */

/* Along a straight line both forms are bouc_wen, for every direction and exponent; rest at z = 0 is no
 * trap. */
static void test_biaxial_line(void **state)
{
  (void)state;
  for (double eta = 0.25; eta < 5; eta *= 1.7)
    for (int form = 0; form < 2; form++)
      for (double angle = 0; angle < 6.2; angle += 0.37) {
        motion two, one;
        motion_init(&two, "bouc_wen_biaxial");
        motion_init(&one, "bouc_wen");
        motion_set(&two, "form", form);
        for (int i = 0; i < 2; i++) {
          motion *q = i == 0 ? &two : &one;
          motion_set(q, "eta", eta), motion_set(q, "beta", 0.8), motion_set(q, "gamma", 0.3),
              motion_set(q, "inv_d0", 0.07);
          motion_ready(q);
          q->tol = 1e-12;
        }
        for (int leg = 0; leg < 3; leg++) {
          const double v = leg % 2 == 0 ? 1 : -1, time = 1.3 + leg;
          motion_move(&two, v * cos(angle), v * sin(angle), time);
          motion_move(&one, v, 0, time);
        }
        near(two.z[0], one.z[0] * cos(angle), 1e-9);
        near(two.z[1], one.z[0] * sin(angle), 1e-9);
        near(two.z[2], one.z[1], 1e-8);
        near(two.work, one.work, 1e-8);
      }
}

/* The isotropic form turns with the path; the printed one does not. */
static void test_biaxial_isotropy(void **state)
{
  double worst[2] = {0, 0};
  (void)state;
  for (int form = 0; form < 2; form++) {
    rng r = {41};
    for (int k = 0; k < 20; k++) {
      motion a, b;
      motion_init(&a, "bouc_wen_biaxial");
      motion_set(&a, "form", form), motion_set(&a, "eta", rng_range(&r, 0.5, 4)), motion_set(&a, "beta", 0.7);
      motion_ready(&a);
      a.tol = 1e-12;
      b = a;
      const double turn = rng_range(&r, 0.1, 1.4), c = cos(turn), s = sin(turn);
      for (int leg = 0; leg < 6; leg++) {
        double v[2];
        const double time = sample_leg(&a, &r, 1, 1, v);
        motion_move(&a, v[0], v[1], time);
        motion_move(&b, c * v[0] - s * v[1], s * v[0] + c * v[1], time);
        worst[form] = fmax(worst[form], fabs(c * a.z[0] - s * a.z[1] - b.z[0]));
      }
    }
  }
  printf("turned paths: isotropic form differs by %.2g, printed form by %.2g\n", worst[0], worst[1]);
  assert_true(worst[0] < 1e-9 && worst[1] > 0.01);
}

/* A z so small that its square is zero still gives finite rates, for every exponent. */
static void test_biaxial_tiny(void **state)
{
  static const double tiny[] = {0, 5e-324, 1e-308, 1e-200, 1e-160, 1e-30};
  (void)state;
  for (double eta = 0.1; eta < 4; eta += 0.3)
    for (size_t i = 0; i < 6; i++)
      for (size_t j = 0; j < 6; j++) {
        motion q;
        double dz[3], v[2] = {0.3, -1.1};
        motion_init(&q, "bouc_wen_biaxial");
        motion_set(&q, "eta", eta);
        motion_ready(&q);
        q.z[0] = tiny[i], q.z[1] = -tiny[j];
        q.m->rate(q.par, 1, q.u, v, q.z, dz);
        near(dz[0], v[0], 2 * pow(fmax(tiny[i], tiny[j]), eta) * 1.2 + 1e-15);
        near(dz[1], v[1], 2 * pow(fmax(tiny[i], tiny[j]), eta) * 1.2 + 1e-15);
        assert_true(dz[2] >= 0 && isfinite(dz[2]));
      }
}

/* ---- duhem_lugre ---- */

/* eta = 1: one exact step over any path equals many, through z = 0 too; |z| < (2/(g0
 * (beta+gamma)))^(1/eta). */
static void test_duhem_lugre_exact(void **state)
{
  rng r = {43};
  (void)state;
  for (int k = 0; k < 200; k++) {
    motion q, fine;
    motion_init(&q, "duhem_lugre");
    motion_set(&q, "beta", rng_range(&r, 0.1, 1.5));
    motion_set(&q, "gamma",
               k % 4 == 0 ? motion_get(&q, "beta") : 1 - motion_get(&q, "beta")); /* b = 0 as well */
    motion_set(&q, "g0", rng_range(&r, 0.5, 3));
    motion_ready(&q);
    const double top = 2 / (motion_get(&q, "g0") * (motion_get(&q, "beta") + motion_get(&q, "gamma")));
    q.z[0] = rng_range(&r, -1, 1) * 0.9 * top / 2;
    fine = q;
    const double v = 0.001 * exp2(rng_range(&r, -3, 3)) * (k % 2 ? 1 : -1),
                 time = rng_range(&r, 0.1, 4) / fabs(v);
    motion_hold(&q, v, time);
    for (int i = 0; i < 1000; i++) motion_hold(&fine, v, time / 1000);
    near(q.z[0], fine.z[0], 2e-13);
    assert_true(fabs(q.z[0]) <= top * (1 + 1e-14));
  }
}

/* The general rule near eta = 1 runs into the exact one. */
static void test_duhem_lugre_continuity(void **state)
{
  motion exact, near_one;
  (void)state;
  motion_init(&exact, "duhem_lugre");
  near_one = exact;
  motion_set(&near_one, "eta", 1 + 1e-9);
  motion_ready(&near_one);
  for (int i = 0; i < 4000; i++) {
    const double v = i / 1000 % 2 == 0 ? 0.002 : -0.0007;
    motion_hold(&exact, v, 1), motion_hold(&near_one, v, 1);
    near(exact.z[0], near_one.z[0], 2e-7);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bouc_wen_classes),       cmocka_unit_test(test_bouc_wen_levels),
      cmocka_unit_test(test_biaxial_line),           cmocka_unit_test(test_biaxial_isotropy),
      cmocka_unit_test(test_biaxial_tiny),           cmocka_unit_test(test_duhem_lugre_exact),
      cmocka_unit_test(test_duhem_lugre_continuity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
