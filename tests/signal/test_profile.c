/* SPDX-License-Identifier: Apache-2.0
 * test_profile.c - moves with limited velocity, acceleration and jerk: limits kept and used, derivatives,
 * exact ends, the shortest time against formulas written here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "bristle/signal.h"
#include "support/rng.h"

static br_signal *parse(const char *spec)
{
  br_signal *s = NULL;
  br_err err;
  if (br_signal_parse(spec, &s, &err)) fail_msg("%s: %s", spec, err.msg);
  return s;
}

/* Integrals of the one-sided curvature and rate, corner by corner, must give rate and value. */
static void check_calculus(const char *spec, const br_signal *s, double t0, double end, double A)
{
  double t = t0 - 0.1, u = br_signal_value(s, t), v = br_signal_rate(s, t, 1);
  assert_true(u == 0 && v == 0);
  while (t < end) {
    double next = br_signal_next_corner(s, t);
    if (next > end) next = end;
    const double h = next - t, m = t + h / 2;
    /* a is linear between corners: Simpson is exact for v, and v is a parabola */
    const double a0 = br_signal_curvature(s, t, 1), a1 = br_signal_curvature(s, m, 1),
                 a2 = br_signal_curvature(s, next, -1);
    const double v1 = br_signal_rate(s, m, 1), v2 = br_signal_rate(s, next, -1);
    const double dv = h / 6 * (a0 + 4 * a1 + a2), du = h / 6 * (v + 4 * v1 + v2);
    if (!(fabs(v + dv - v2) < 1e-12 * (1 + fabs(v2))))
      fail_msg("%s: v at %.9g: %.15g, by a %.15g", spec, next, v2, v + dv);
    const double u2 = br_signal_value(s, next);
    if (!(fabs(u + du - u2) < 1e-12 * (fabs(A) + 1)))
      fail_msg("%s: u at %.9g: %.15g, by v %.15g", spec, next, u2, u + du);
    if (!(fabs(a0 + a2 - 2 * a1) < 1e-9 * (1 + fabs(a1)))) fail_msg("%s: a bends at %.9g", spec, m);
    t = next, u = u2, v = br_signal_rate(s, t, 1);
  }
}

static void limits(const char *spec, const br_signal *s, double t0, double end, double v, double a, double j)
{
  double top_v = 0, top_a = 0, top_j = 0;
  for (int i = 0; i <= 4000; i++) {
    const double t = t0 + (end - t0) * i / 4000, h = (end - t0) * 1e-6;
    top_v = fmax(top_v, fabs(br_signal_rate(s, t, 1)));
    top_a = fmax(top_a, fabs(br_signal_curvature(s, t, 1)));
    if (j > 0) top_j = fmax(top_j, fabs(br_signal_curvature(s, t + h, 1) - br_signal_curvature(s, t, 1)) / h);
  }
  if (!(top_v <= v * (1 + 1e-9) && top_a <= a * (1 + 1e-9) &&
        top_j <= j * (1 + 1e-4) + (j > 0 ? 0 : INFINITY)))
    fail_msg("%s: v %.9g of %.9g, a %.9g of %.9g, j %.9g of %.9g", spec, top_v, v, top_a, a, top_j, j);
}

static void trapezoids(void **state)
{
  (void)state;
  rng g = {11};
  for (int i = 0; i < 300; i++) {
    const double A = rng_range(&g, -3, 3), v = exp(rng_range(&g, -3, 3)), a = exp(rng_range(&g, -3, 3)),
                 t0 = i % 3 ? rng_range(&g, -1, 1) : 0;
    char spec[160];
    snprintf(spec, sizeof spec, "trapezoid:%.17g,%.17g,%.17g,%.17g", A, v, a, t0);
    br_signal *s = parse(spec);
    /* shortest time by hand */
    const double way = fabs(A), T = way > v * v / a ? way / v + v / a : 2 * sqrt(way / a), end = t0 + T;
    if (!(fabs(br_signal_duration(s) - fmax(0, end)) < 1e-9 * (1 + T)))
      fail_msg("%s: %.15g s, by hand %.15g", spec, br_signal_duration(s), end);
    assert_true(br_signal_value(s, end + 1e-9 * (1 + T)) == A);
    assert_true(br_signal_value(s, 1e9) == A && br_signal_rate(s, 1e9, 1) == 0);
    check_calculus(spec, s, t0, end + 0.3, A);
    limits(spec, s, t0, end, v, a, 0);
    br_signal_destroy(s);
  }
}

static void scurves(void **state)
{
  (void)state;
  rng g = {12};
  int shapes[4] = {0};
  for (int i = 0; i < 600; i++) {
    const double A = rng_range(&g, -3, 3), v = exp(rng_range(&g, -3, 3)), a = exp(rng_range(&g, -3, 3)),
                 j = exp(rng_range(&g, -1, 6)), t0 = i % 3 ? rng_range(&g, -1, 1) : 0;
    char spec[200];
    snprintf(spec, sizeof spec, "scurve:%.17g,%.17g,%.17g,%.17g,%.17g", A, v, a, j, t0);
    br_signal *s = parse(spec);
    /* the shortest time, by the four shapes */
    const double way = fabs(A), Ta = v * j < a * a ? 2 * sqrt(v / j) : a / j + v / a;
    double T;
    if (way >= v * Ta) T = way / v + Ta, shapes[v * j < a * a]++;
    else if (way >= 2 * a * a * a / (j * j)) {
      const double q = a / j;
      T = 2 * (q + 0.5 * (sqrt(q * q + 4 * way / a) - q)), shapes[2]++;
    } else T = 4 * cbrt(way / (2 * j)), shapes[3]++;
    const double end = t0 + T;
    if (!(fabs(br_signal_duration(s) - fmax(0, end)) < 1e-9 * (1 + T)))
      fail_msg("%s: %.15g s, by hand %.15g", spec, br_signal_duration(s), end);
    assert_true(br_signal_value(s, end + 1e-9 * (1 + T)) == A);
    check_calculus(spec, s, t0, end + 0.3, A);
    limits(spec, s, t0, end, v, a, j);
    br_signal_destroy(s);
  }
  for (int k = 0; k < 4; k++) assert_true(shapes[k] > 20);
}

/* Two equal poles: tau^2 u'' + 2 tau u' + u = A behind the step. */
static void filtered(void **state)
{
  (void)state;
  br_signal *s = parse("filtered_step:-1.7,0.3,0.5");
  for (int i = 1; i < 4000; i++) {
    const double t = 0.5 + 0.003 * i;
    const double left =
        0.09 * br_signal_curvature(s, t, 1) + 0.6 * br_signal_rate(s, t, 1) + br_signal_value(s, t);
    if (!(fabs(left + 1.7) < 1e-13)) fail_msg("at %g: %.17g", t, left);
  }
  assert_true(br_signal_value(s, 0.5) == 0 && br_signal_rate(s, 0.5, 1) == 0 && br_signal_value(s, 0.2) == 0);
  assert_true(br_signal_curvature(s, 0.5, -1) == 0 &&
              fabs(br_signal_curvature(s, 0.5, 1) + 1.7 / 0.09) < 1e-12);
  assert_true(br_signal_value(s, 1e300) == -1.7);
  /* small arguments do not cancel: u ~ A s^2 / 2 */
  const double u = br_signal_value(s, 0.5 + 0.3e-6);
  assert_true(fabs(u / (-1.7 * 0.5e-12) - 1) < 1e-6);
  br_signal_destroy(s);
}

static void refused(void **state)
{
  (void)state;
  static const char *const bad[] = {"trapezoid:1,0,1",      "trapezoid:1,1,-1",     "trapezoid:1,1",
                                    "scurve:1,1,1",         "scurve:1,1,1,0",       "filtered_step:1,0",
                                    "trapezoid:1,1e-300,1", "trapezoid:1,1,1e-320", "scurve:nan,1,1,1",
                                    "filtered_step:1",      "trapezoid:1,1,1,2,3"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    br_signal *s = NULL;
    br_err err;
    const br_status st = br_signal_parse(bad[i], &s, &err);
    /* extreme but possible limits give a long move, not an error */
    if (st == BR_OK && strstr(bad[i], "e-3") && br_signal_duration(s) > 1e100) {
      br_signal_destroy(s);
      continue;
    }
    if (!(st == BR_E_RANGE || st == BR_E_PARSE || st == BR_E_NAN) || s) fail_msg("%s: %d", bad[i], (int)st);
  }
  br_signal *s = parse("trapezoid:0,1,1");
  assert_true(br_signal_value(s, 5) == 0 && br_signal_next_corner(s, -5) == INFINITY);
  br_signal_destroy(s);
  s = parse("scurve:1mm,10mm/s,1,100");
  assert_true(fabs(br_signal_value(s, 100) - 1e-3) < 1e-18);
  assert_true(isnan(br_signal_value(s, NAN)) && isnan(br_signal_variation(s, NAN)));
  br_signal_destroy(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(trapezoids), cmocka_unit_test(scurves),
                                     cmocka_unit_test(filtered), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
