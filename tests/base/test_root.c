/* SPDX-License-Identifier: Apache-2.0
 * A zero between two places: found for functions that are steep, flat, kinked or one-sided, in few
 * evaluations, and never outside. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../src/base/root.h"

typedef double fn(double x);
static double cubic(double x) { return x * x * x - 2; }
static double falling(double x) { return 0.3 - exp(3 * x) + 1; }
static double flat(double x) { return pow(x - 0.7, 9); }
static double kink(double x) { return x < 0.25 ? 1e-6 * (x - 0.25) : 5 * (x - 0.25); }
static double jump(double x) { return x < 1.0 / 3 ? -1e-9 : 4; }
static double steep(double x) { return tanh(1e6 * (x - 0.123456789)); }

static const struct {
  fn *f;
  double a, b, zero;
} CASES[] = {{cubic, 0, 5, 1.2599210498948732},
             {cubic, 5, 0, 1.2599210498948732},
             {falling, -2, 3, 0.08745475482249702},
             {flat, -1, 2, 0.7},
             {kink, 0, 9, 0.25},
             {jump, 0, 1, 1.0 / 3},
             {steep, -3, 2, 0.123456789}};

static void false_position(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    fn *f = CASES[i].f;
    bri_bracket k = bri_bracket_of(CASES[i].a, f(CASES[i].a), CASES[i].b, f(CASES[i].b));
    double x = CASES[i].a;
    int n = 0;
    for (; n < 300 && fabs(k.b - k.a) > 1e-14; n++) {
      x = bri_bracket_next(&k);
      assert_true(x >= fmin(k.a, k.b) && x <= fmax(k.a, k.b));
      bri_bracket_take(&k, x, f(x));
      if (f(x) == 0) break;
      assert_true(k.fa * k.fb < 0);
    }
    const double off = f == flat ? 1e-2 : 1e-13; /* (x - 0.7)^9 underflows far from its zero */
    if (fabs(x - CASES[i].zero) > off || n > 260) fail_msg("case %zu: x = %.17g after %d", i, x, n);
  }
}

static double cubic_slope(double x) { return 3 * x * x; }

static void newton(void **state)
{
  (void)state;
  bri_bracket k = bri_bracket_of(0, -1, 1e6, 1);
  double x = 0, next = 5e5; /* slope 0 at x = 0 must not send it away */
  int n = 0;
  for (; n < 100 && fabs(next - x) > 1e-15; n++)
    x = next, next = bri_bracket_newton(&k, x, cubic(x), cubic_slope(x));
  if (fabs(next - 1.2599210498948732) > 1e-15 || n > 50) /* halving alone takes 69 */
    fail_msg("x = %.17g after %d", next, n);
  k = bri_bracket_of(0, -1, 2, 1);
  assert_true(bri_bracket_newton(&k, 0.5, -1, 0) == 1.25); /* no slope: the middle of what is left */
  assert_true(bri_bracket_newton(&k, 1.0, -1, NAN) == 1.5);
}

static void sides(void **state)
{
  (void)state;
  bri_bracket k = bri_bracket_of(0, 0, 1, -1); /* a zero end belongs to the other sign */
  bri_bracket_take(&k, 0.5, 0.25);
  assert_true(k.a == 0.5 && k.b == 1);
  k = bri_bracket_of(0, -8, 1, 8);
  bri_bracket_take(&k, 0.5, -4);
  assert_true(k.fb == 8); /* once is no habit */
  bri_bracket_take(&k, 0.6, -2);
  assert_true(k.fb == 4 && k.fa == -2 && k.a == 0.6);
  bri_bracket_take(&k, 0.9, 1);
  assert_true(k.b == 0.9 && k.fa == -2);
  assert_true(bri_bracket_inside(&k, 0.6) == 0.75 && bri_bracket_inside(&k, NAN) == 0.75 &&
              bri_bracket_inside(&k, 0.61) == 0.61);
  k = bri_bracket_of(1, -8, 0, 8); /* the first end is the upper one, and it is the other end that stays */
  assert_true(bri_bracket_inside(&k, 0.3) == 0.3 && bri_bracket_inside(&k, 1.2) == 0.5);
  bri_bracket_take(&k, 0.4, 4);
  assert_true(k.b == 0.4 && k.fa == -8);
  bri_bracket_take(&k, 0.6, 2);
  assert_true(k.b == 0.6 && k.fa == -4 && k.fb == 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(false_position), cmocka_unit_test(newton),
                                     cmocka_unit_test(sides)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
