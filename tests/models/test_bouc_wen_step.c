/* SPDX-License-Identifier: Apache-2.0
 * test_bouc_wen_step.c - one step of Bouc-Wen of any length: exact for eta = 1 and 2, bounded for the others.
 * */
#include "kit.h"

static const double WEIGHTS[][2] = {{0.5, 0.5},  {0.9, 0.1}, {0.1, 0.9}, {1, 0},
                                    {0.3, -0.2}, {2, 1.5},   {0.4, 3}};
enum { SETS = sizeof WEIGHTS / sizeof WEIGHTS[0] };

static kit element(double A, double beta, double gamma, double eta)
{
  kit k = kit_open("bouc_wen");
  kit_put(&k, "A", A);
  kit_put(&k, "beta", beta);
  kit_put(&k, "gamma", gamma);
  kit_put(&k, "eta", eta);
  kit_put(&k, "uy", 0.01);
  kit_ready(&k);
  return k;
}

static double limit_of(const kit *k)
{
  return pow(kit_get(k, "A") / (kit_get(k, "beta") + kit_get(k, "gamma")), 1 / kit_get(k, "eta"));
}

/* Many classical Runge-Kutta steps of the rate itself, ending a step at z = 0: independent of step(). */
static void integrate(const kit *k, double du, double *z)
{
  const double u = 0, v = du < 0 ? -1 : 1, small = 5e-4 * kit_get(k, "uy");
  double left = fabs(du);
  while (left > 0) {
    double a[2], b[2], c[2], d[2], y[2], h = fmin(small, left);
    for (int pass = 0; pass < 60;
         pass++) { /* shorten it until it does not cross z = 0 by more than rounding */
      k->m->rate(k->par, 1, &u, &v, z, a);
      for (int i = 0; i < 2; i++) y[i] = z[i] + 0.5 * h * a[i];
      k->m->rate(k->par, 1, &u, &v, y, b);
      for (int i = 0; i < 2; i++) y[i] = z[i] + 0.5 * h * b[i];
      k->m->rate(k->par, 1, &u, &v, y, c);
      for (int i = 0; i < 2; i++) y[i] = z[i] + h * c[i];
      k->m->rate(k->par, 1, &u, &v, y, d);
      for (int i = 0; i < 2; i++) y[i] = z[i] + h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
      if (!(v * z[0] < -1e-15 && v * y[0] > 1e-15)) break;
      h *= z[0] / (z[0] - y[0]);
    }
    z[0] = y[0];
    z[1] = y[1];
    left = left - h > 1e-16 * fabs(du) ? left - h : 0;
  }
}

static void closed_forms(void **state)
{
  static const double WAY[] = {1e-6, 0.01, 0.3, 1.1, 4, 6}; /* uy */
  double worst = 0, worst_D = 0;
  for (int eta = 1; eta <= 2; eta++)
    for (size_t i = 0; i < SETS; i++)
      for (double A = 0.7; A < 2; A += 0.9)
        for (int q = -9; q <= 9; q += 3)
          for (size_t w = 0; w < 12; w++) {
            kit k = element(A, WEIGHTS[i][0], WEIGHTS[i][1], eta);
            const double top = limit_of(&k), du = (w % 2 ? -0.01 : 0.01) * WAY[w / 2], v = du / 0.1, u = 0;
            double z[2] = {0.1 * q * top, 0.2}, y[2] = {0.1 * q * top, 0.2};
            k.m->step(k.par, 1, &u, &v, 0.1, z);
            integrate(&k, du, y);
            worst = fmax(worst, fabs(z[0] - y[0]) / top);
            worst_D = fmax(worst_D, fabs(z[1] - y[1]) / (0.2 + y[1]));
            if (!(fabs(z[0] - y[0]) <= 1e-12 * top && fabs(z[1] - y[1]) <= 1e-12 * (0.2 + y[1])))
              fail_msg(
                  "eta %d, A %g, beta %g, gamma %g, z0 %g, du %g uy: z %.17g for %.17g, D %.17g for %.17g",
                  eta, A, WEIGHTS[i][0], WEIGHTS[i][1], 0.1 * q * top, 100 * du, z[0], y[0], z[1], y[1]);
          }
  print_message("closed forms against Runge-Kutta: z %.1e of its limit, D %.1e\n", worst, worst_D);
}

/* |z| within its limit, and in the end at it, for steps up to 1e12 uy. */
static void never_beyond_the_limit(void **state)
{
  static const double ETA[] = {0.3, 0.5, 0.9, 1, 1.0000001, 1.7, 2, 2.5, 5, 12};
  for (size_t e = 0; e < sizeof ETA / sizeof ETA[0]; e++)
    for (size_t i = 0; i < SETS; i++)
      for (int q = -10; q <= 10; q += 2)
        for (double way = 1e-4; way < 1e12; way *= 3.7) {
          kit k = element(1.3, WEIGHTS[i][0], WEIGHTS[i][1], ETA[e]);
          const double top = limit_of(&k), u = 0, v = q % 4 ? -0.01 * way : 0.01 * way;
          double z[2] = {0.1 * q * top, 0}, D = 0;
          for (int step = 0; step < 4; step++) {
            const double before = z[0];
            k.m->step(k.par, 1, &u, &v, 1, z);
            if (!(fabs(z[0]) <= top * (1 + 1e-15) && z[1] >= D))
              fail_msg("eta %g, beta %g, gamma %g, way %g uy: z %g of %g, D %g", ETA[e], WEIGHTS[i][0],
                       WEIGHTS[i][1], way, z[0], top, z[1]);
            assert_true(v > 0 ? z[0] >= before - 1e-15 * top : z[0] <= before + 1e-15 * top);
            D = z[1];
          }
          if (way * 4 > 1e5 && ETA[e] >= 0.5) assert_true(fabs(z[0]) > 0.999 * top);
        }
}

/* Halving small steps brings the fourth order, away from the kink at z = 0. */
static void order(void **state)
{
  static const double ETA[] = {0.6, 1.7, 3.2};
  for (size_t e = 0; e < 3; e++) {
    kit k = element(1.3, 0.7, 0.2, ETA[e]);
    double error[3], exact[2] = {0.2, 0};
    integrate(&k, 0.008, exact);
    for (int r = 0; r < 3; r++) {
      const int steps = 4 << r;
      const double u = 0, v = 0.008;
      double z[2] = {0.2, 0};
      for (int i = 0; i < steps; i++) k.m->step(k.par, 1, &u, &v, 1.0 / steps, z);
      error[r] = fabs(z[0] - exact[0]) + fabs(z[1] - exact[1]);
    }
    print_message("eta %g: errors %.2e %.2e %.2e\n", ETA[e], error[0], error[1], error[2]);
    assert_true(error[1] < error[0] / 11 && error[2] < error[1] / 11 && error[2] < 2e-6);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closed_forms),
      cmocka_unit_test(never_beyond_the_limit),
      cmocka_unit_test(order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
