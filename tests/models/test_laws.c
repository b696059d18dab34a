/* SPDX-License-Identifier: Apache-2.0
 * test_laws.c - what dahl, lugre, maxwell_slip and semilinear_duhem promise: closed forms, the Stribeck
 * curve, presliding stiffness, bounds of the states, exact steps. */
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

/* ---- dahl ---- */

/* w = 1 - F sgn(v)/Fc over the path x (in Fc/sigma0), written as in the theory, for all three continuity
 * classes. */
static double dahl_path(double w, double gamma, double x)
{
  if (gamma == 1) return w * exp(-x);
  const double power = pow(fabs(w), 1 - gamma) - (1 - gamma) * x;
  return power <= 0 ? 0 : copysign(pow(power, 1 / (1 - gamma)), w);
}

static void test_dahl_closed_form(void **state)
{
  static const double gammas[] = {0, 0.3, 0.5, 0.999, 1, 1.001, 1.5, 2, 3.7};
  rng r = {11};
  (void)state;
  for (size_t g = 0; g < sizeof gammas / sizeof gammas[0]; g++)
    for (int k = 0; k < 200; k++) {
      motion q;
      motion_init(&q, "dahl");
      motion_set(&q, "gamma", gammas[g]);
      motion_set(&q, "sigma0", exp2(rng_range(&r, -10, 20)));
      motion_set(&q, "Fc", exp2(rng_range(&r, -6, 6)));
      motion_ready(&q);
      const double Fc = motion_get(&q, "Fc"), unit = Fc / motion_get(&q, "sigma0"),
                   side = rng_next(&r) % 2 ? 1 : -1;
      const double F0 = q.z[0] = Fc * rng_range(&r, -0.99, 0.99), x = exp2(rng_range(&r, -12, 4));
      motion_hold(&q, side * 0.37, x * unit / 0.37);
      const double w = dahl_path(1 - side * F0 / Fc, gammas[g], x);
      near(q.z[0], side * Fc * (1 - w), 4e-13 * Fc);
      assert_true(fabs(q.z[0]) <= Fc * (1 + 1e-15)); /* |F| <= Fc */
    }
}

/* gamma < 1 reaches Fc after the finite path Fc / (sigma0 (1 - gamma)); gamma >= 1 never does. */
static void test_dahl_reach(void **state)
{
  (void)state;
  for (double gamma = 0; gamma < 2; gamma += 0.25) {
    motion q;
    motion_init(&q, "dahl");
    motion_set(&q, "gamma", gamma);
    motion_ready(&q);
    const double far = motion_get(&q, "Fc") / motion_get(&q, "sigma0") / (gamma < 1 ? 1 - gamma : 1);
    motion_hold(&q, 1, 0.999 * far);
    assert_true(q.z[0] < motion_get(&q, "Fc"));
    motion_hold(&q, 1, 0.002 * far);
    assert_true(gamma < 1 ? q.z[0] == motion_get(&q, "Fc") : q.z[0] < motion_get(&q, "Fc"));
  }
}

/* ---- lugre ---- */

static void test_lugre_stribeck(void **state)
{
  rng r = {23};
  (void)state;
  for (int k = 0; k < 300; k++) {
    motion q;
    sample_element(&q, "lugre", &r);
    const double v = motion_get(&q, "vs") * exp2(rng_range(&r, -8, 8)) * (rng_next(&r) % 2 ? 1 : -1),
                 vv[2] = {v, 0};
    const double Fc = q.load * motion_get(&q, "Fc"), Fs = q.load * motion_get(&q, "Fs"),
                 s0 = motion_get(&q, "sigma0");
    const double g = Fc + (Fs - Fc) * exp(-pow(fabs(v) / motion_get(&q, "vs"), motion_get(&q, "delta")));
    const double viscous = copysign(motion_get(&q, "sigma2") * pow(fabs(v), motion_get(&q, "f_exp")), v);
    double F;
    q.z[0] = rng_range(&r, -1, 1) * Fs / s0;
    motion_hold(&q, v, 60 * Fs / s0 / fabs(v));
    motion_force(&q, vv, &F);
    near(F, copysign(g, v) + viscous, 1e-12 * (Fs + fabs(viscous)));
    assert_true(fabs(q.z[0]) <= Fs / s0 * (1 + 1e-15));
  }
}

/* |z| <= Fs/sigma0 for any motion; the presliding stiffness is sigma0; a held step is the closed form. */
static void test_lugre_state(void **state)
{
  rng r = {29};
  (void)state;
  for (int k = 0; k < 40; k++) {
    motion q;
    sample_element(&q, "lugre", &r);
    const double s0 = motion_get(&q, "sigma0"), top = q.load * motion_get(&q, "Fs") / s0,
                 V = motion_get(&q, "vs");
    for (int leg = 0; leg < 200; leg++) {
      double v[2];
      const double time = sample_leg(&q, &r, top, V, v), z = q.z[0];
      motion_hold(&q, v[0], time);
      const double g =
          q.load * (motion_get(&q, "Fc") + (motion_get(&q, "Fs") - motion_get(&q, "Fc")) *
                                               exp(-pow(fabs(v[0]) / V, motion_get(&q, "delta"))));
      const double end = copysign(g / s0, v[0]);
      near(q.z[0], end + (z - end) * exp(-s0 * fabs(v[0]) * time / g), 2e-14 * top);
      assert_true(fabs(q.z[0]) <= top * (1 + 1e-15));
    }
    motion_ready(&q);
    motion_hold(&q, 1e-9 * V, 1e-6 * top / (1e-9 * V));
    near(s0 * q.z[0], s0 * 1e-6 * top, 1e-5 * s0 * 1e-6 * top);
  }
}

static void test_lugre_tables(void **state)
{
  const double gv[] = {0, 0.01, 0.1}, gF[] = {3, 2, 1.5}, fv[] = {0, 1}, fF[] = {0, 0.7};
  motion q;
  double F;
  (void)state;
  motion_init(&q, "lugre");
  motion_set_vector(&q, "g_v", 3, gv), motion_set_vector(&q, "g_F", 3, gF);
  motion_set_vector(&q, "f_v", 2, fv), motion_set_vector(&q, "f_F", 2, fF);
  motion_ready(&q);
  for (double v = -2; v <= 2; v += 0.0371) {
    const double a = fabs(v), vv[2] = {v, 0};
    const double g = a < 0.01  ? 3 - a / 0.01
                     : a < 0.1 ? 2 - 0.5 * (a - 0.01) / 0.09
                               : 1.5,
                 f = 0.7 * fmin(a, 1);
    motion_hold(&q, v, 1);
    motion_force(&q, vv, &F);
    near(F, copysign(g + f, v), 1e-12);
  }
}

/* ---- maxwell_slip ---- */

static void test_maxwell(void **state)
{
  rng r = {31};
  (void)state;
  for (int k = 0; k < 100; k++) {
    motion q;
    double F, sum_k = 0, sum = 0, v[2] = {1, 0};
    sample_element(&q, "maxwell_slip", &r);
    const double *ks = q.par + br_model_param(q.m, "k")->slot,
                 *ds = q.par + br_model_param(q.m, "Delta")->slot;
    const size_t n = motion_count(&q);
    for (size_t i = 0; i < n; i++) sum_k += ks[i], sum += q.load * ks[i] * ds[i];
    motion_hold(&q, 1, 1e-6);
    motion_force(&q, v, &F);
    near(F, sum_k * 1e-6, 1e-14 * sum_k);
    for (int leg = 0; leg < 50; leg++) {
      motion_hold(&q, rng_range(&r, -1, 1), 0.02);
      for (size_t i = 0; i < n; i++) assert_true(fabs(q.z[i]) <= q.load * ds[i]);
    }
    motion_hold(&q, -1, 1);
    motion_force(&q, v, &F);
    near(F, -sum, 1e-14 * sum);
  }
}

/* ---- semilinear_duhem ---- */

static void test_semilinear_is_dahl(void **state)
{
  motion s, d;
  rng r = {47};
  (void)state;
  motion_init(&s, "semilinear_duhem");
  motion_init(&d, "dahl");
  for (int i = 0; i < 20000; i++) {
    const double v = rng_range(&r, -1, 1), time = exp2(rng_range(&r, -30, 10));
    motion_hold(&s, v, time), motion_hold(&d, v, time);
    near(s.z[0], d.z[0], 2e-14);
  }
}

/* Any order: the exact step against an integration of rate(), with input and constant terms in play. */
static void path_of(const void *ctx, double t, double *u, double *v)
{
  const double *p = (const double *)ctx;
  u[0] = p[0] + p[1] * t, u[1] = 0, v[0] = p[1], v[1] = 0;
}

static void test_semilinear_step(void **state)
{
  rng r = {53};
  (void)state;
  for (size_t n = 1; n <= 8; n++)
    for (int k = 0; k < 12; k++) {
      motion q, fine;
      double x[64], top = 0;
      motion_init(&q, "semilinear_duhem");
      motion_set(&q, "n", (double)n);
      static const char *const names[] = {"Ap", "Am", "Bp", "Bm", "Ep", "Em", "C"};
      for (size_t j = 0; j < 7; j++) {
        const size_t len = j < 2 ? n * n : n;
        for (size_t i = 0; i < len; i++) {
          const int diagonal = j < 2 && i % (n + 1) == 0;
          x[i] = rng_range(&r, -1, 1) + (diagonal ? (j == 0 ? -2.0 : 2.0) : 0);
        }
        motion_set_vector(&q, names[j], len, x);
      }
      motion_ready(&q);
      for (size_t i = 0; i < n; i++) q.z[i] = rng_range(&r, -1, 1);
      const double along[2] = {q.u[0] = rng_range(&r, -3, 3), rng_range(&r, 0.2, 2) * (k % 2 ? 1 : -1)};
      fine = q;
      fine.tol = 1e-14;
      motion_drive(&fine, path_of, along, 0, 1.3);
      motion_hold(&q, along[1], 1.3);
      for (size_t i = 0; i < n; i++) top = fmax(top, fabs(fine.z[i]));
      for (size_t i = 0; i < n; i++) near(q.z[i], fine.z[i], 3e-12 * top);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_dahl_closed_form),   cmocka_unit_test(test_dahl_reach),
      cmocka_unit_test(test_lugre_stribeck),     cmocka_unit_test(test_lugre_state),
      cmocka_unit_test(test_lugre_tables),       cmocka_unit_test(test_maxwell),
      cmocka_unit_test(test_semilinear_is_dahl), cmocka_unit_test(test_semilinear_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
