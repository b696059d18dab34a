/* SPDX-License-Identifier: Apache-2.0
 * test_num.c - the number layer against long double (f64) and double (f32) over the ranges documented in
 * core/num.h, its edges, and the derivatives of the complex instance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "core/num.h"
#include "support/rng.h"

static const long double pi_l = 3.14159265358979323846264338327950288L;

static double uniform(uint64_t *s, double lo, double hi)
{
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return lo + (hi - lo) * ((double)(*s >> 11) * 0x1p-53);
}

/* Distance in units of the last place of the reference value, for a type with `digits` mantissa bits. */
static double ulps(long double got, long double want, int digits)
{
  int e;
  if (got == want) return 0;
  if (!isfinite(got) || !isfinite(want) || want == 0) return INFINITY;
  frexpl(want, &e);
  return (double)(fabsl(got - want) / ldexpl(1, e - digits));
}

typedef struct {
  double worst, x, y;
} record;

static void note(record *r, double err, double x, double y)
{
  if (!(err <= r->worst)) r->worst = err, r->x = x, r->y = y;
}

static void report(const record *r, const char *name, double limit)
{
  print_message("%-10s worst %.3f ulp at x = %.17g, y = %.17g\n", name, r->worst, r->x, r->y);
  if (!(r->worst <= limit)) fail_msg("%s: %.3f ulp at x = %.17g, y = %.17g", name, r->worst, r->x, r->y);
}

/* A sweep: `count` arguments, half of them uniform on [lo, hi], half with random magnitude from `tiny` up. */
static double argument(uint64_t *s, int i, double lo, double hi, double tiny)
{
  if (i & 1) return uniform(s, lo, hi);
  const double far = fmax(fabs(lo), fabs(hi)), m = exp(uniform(s, log(tiny), log(far)));
  const double x = (i & 2) ? m : -m;
  return x < lo ? lo : x > hi ? hi : x;
}

#define SWEEP(label, count, lo, hi, tiny, limit, type, digits, got, want)              \
  do {                                                                                 \
    record rec = {-1, 0, 0};                                                           \
    uint64_t seed = 88172645463325252u;                                                \
    for (int i = 0; i < (count); i++) {                                                \
      const type x = (type)argument(&seed, i, lo, hi, tiny);                           \
      note(&rec, ulps((long double)(got), (long double)(want), digits), (double)x, 0); \
    }                                                                                  \
    report(&rec, label, limit);                                                        \
  } while (0)

static void f64_one_argument(void **state)
{
  enum { N = 200000 };
  (void)state;
  SWEEP("exp", N, -708, 709.78, 1e-20, 2, double, 53, brn_exp_f64(x), expl(x));
  SWEEP("expm1", N, -708, 709.78, 1e-300, 2, double, 53, brn_expm1_f64(x), expm1l(x));
  SWEEP("expm1", N, -1, 1, 1e-20, 2, double, 53, brn_expm1_f64(x), expm1l(x));
  SWEEP("log", N, DBL_MIN, 1e3, DBL_MIN, 2, double, 53, brn_log_f64(x), logl(x));
  SWEEP("log", N, DBL_MIN, DBL_MAX, DBL_MIN, 2, double, 53, brn_log_f64(x), logl(x));
  SWEEP("log at 1", N, -0.4, 0.6, 1e-15, 2, double, 53, brn_log_f64(1 + x), logl((long double)(1 + x)));
  SWEEP("log1p", N, -1 + 0x1p-53, 1, 1e-300, 2, double, 53, brn_log1p_f64(x), log1pl(x));
  SWEEP("log1p", N, -1 + 0x1p-53, 1e300, 1e-20, 2, double, 53, brn_log1p_f64(x), log1pl(x));
  SWEEP("sinq", N, -1, 1, 1e-300, 2, double, 53, brn_sinq_f64(x), sinl(pi_l * x / 2));
  SWEEP("sincq", N, -1, 1, 1e-30, 2, double, 53, brn_sincq_f64(x),
        x == 0 ? pi_l / 2 : sinl(pi_l * x / 2) / x);
  SWEEP("sqrt", N, 0x1p-1000, 1e300, 1e-300, 0.5, double, 53, brn_sqrt_f64(x), sqrtl(x));
}

/* The square root by digits, for processors without one, is the hardware's to the last bit: random bit
 * patterns of every kind, each fourth a subnormal number, the smallest numbers and those around infinity. */
#define SAME_ROOT(sfx, uint, mant, root)                                                       \
  do {                                                                                         \
    const uint one = 1, infinite = ((one << (sizeof(uint) * 8 - 1 - (mant))) - 1) << (mant);   \
    rng r = {1};                                                                               \
    for (uint i = 0; i < 400000; i++) {                                                        \
      uint b = (uint)rng_next(&r);                                                             \
      if (i % 4 == 0) b &= (one << (mant)) - 1;                                                \
      if (i < 128) b = i < 64 ? i : infinite + i - 96;                                         \
      const uint got = brn_bits##sfx(brn_sqrt_digits##sfx(brn_from_bits##sfx(b)));             \
      const uint want = brn_bits##sfx(root(brn_from_bits##sfx(b)));                            \
      if (got != want && !(isnan(brn_from_bits##sfx(got)) && isnan(brn_from_bits##sfx(want)))) \
        fail_msg("sqrt of the bits %#llx: %#llx, expected %#llx", (unsigned long long)b,       \
                 (unsigned long long)got, (unsigned long long)want);                           \
    }                                                                                          \
  } while (0)

static void roots_by_digits(void **state)
{
  (void)state;
  SAME_ROOT(_f64, uint64_t, 52, sqrt);
  SAME_ROOT(_f32, uint32_t, 23, sqrtf);
  assert_true(signbit(brn_sqrt_digits_f64(-0.0)) && signbit(brn_sqrt_digits_f32(-0.0F)));
}

/* Does the tail of the last sweep, x next to the documented borders, hold too? */
static void f64_borders(void **state)
{
  double x = -708;
  (void)state;
  for (int i = 0; i < 1000; i++, x = nextafter(x, 0)) assert_true(ulps(brn_exp_f64(x), expl(x), 53) <= 2);
  x = 709.78;
  for (int i = 0; i < 1000; i++, x = nextafter(x, 0)) {
    assert_true(ulps(brn_exp_f64(x), expl(x), 53) <= 2);
    assert_true(ulps(brn_expm1_f64(x), expm1l(x), 53) <= 2);
  }
  x = 1;
  for (int i = 0; i < 1000; i++, x = nextafter(x, 2)) assert_true(ulps(brn_log_f64(x), logl(x), 53) <= 2);
  for (int k = -1022; k < 1024; k++) { /* every binade, both sides of its split */
    const double p = ldexp(1, k), q = p * 0.70710678118654752;
    assert_true(ulps(brn_log_f64(p), logl(p), 53) <= 2);
    if (k > -1021)
      assert_true(ulps(brn_log_f64(q), logl(q), 53) <= 2 &&
                  ulps(brn_log_f64(nextafter(q, 0)), logl(nextafter(q, 0)), 53) <= 2);
  }
}

/* x and y so that the result stays in [3.3e-308, 1.7e308]: x over all magnitudes, near 1 with large y. */
static void f64_pow(void **state)
{
  record wide = {-1, 0, 0}, near1 = {-1, 0, 0}, kernel = {-1, 0, 0}, absolute = {-1, 0, 0};
  uint64_t s = 424242;
  (void)state;
  for (int i = 0; i < 150000; i++) {
    double x = exp(uniform(&s, -708, 709)), l = uniform(&s, -707.9, 709.7), y = l / log(x);
    if (isfinite(y)) note(&wide, ulps(brn_pow_f64(x, y), powl(x, y), 53), x, y);
    x = 1 + uniform(&s, -1, 1) * exp(uniform(&s, -30, -1)), y = l / log(x);
    if (x != 1) note(&near1, ulps(brn_pow_f64(x, y), powl(x, y), 53), x, y);
    x = uniform(&s, 0, 3) + 1e-9, y = uniform(&s, 0, 12);
    note(&kernel, ulps(brn_pow_f64(x, y), powl(x, y), 53), x, y);
    x = uniform(&s, 0, 1), y = uniform(&s, 0.01, 50);
    note(&absolute, (double)fabsl(brn_pow_abs_f64(x, y) - powl(x, y)) / DBL_EPSILON, x, y);
  }
  report(&wide, "pow", 2);
  report(&near1, "pow at 1", 2);
  report(&kernel, "pow small", 2);
  report(&absolute, "pow_abs", 2); /* ulp of 1 */
}

static void f32_one_argument(void **state)
{
  enum { N = 200000 };
  (void)state;
  SWEEP("expf", N, -86.5, 88.7, 1e-10, 2, float, 24, brn_exp_f32(x), exp((double)x));
  SWEEP("expm1f", N, -86.5, 88.7, 1e-36, 2, float, 24, brn_expm1_f32(x), expm1((double)x));
  SWEEP("expm1f", N, -1, 1, 1e-10, 2, float, 24, brn_expm1_f32(x), expm1((double)x));
  SWEEP("logf", N, 1.2e-38, 3.4e38, 1.2e-38, 2, float, 24, brn_log_f32(x), log((double)x));
  SWEEP("logf at 1", N, -0.4, 0.6, 1e-7, 2, float, 24, brn_log_f32(1 + x), log((double)(1 + x)));
  SWEEP("log1pf", N, -0.99999994, 1, 1e-36, 2, float, 24, brn_log1p_f32(x), log1p((double)x));
  SWEEP("log1pf", N, -0.99999994, 1e37, 1e-10, 2, float, 24, brn_log1p_f32(x), log1p((double)x));
  SWEEP("sinqf", N, -1, 1, 1e-36, 2, float, 24, brn_sinq_f32(x), sin((double)(pi_l * x / 2)));
  SWEEP("sqrtf", N, 1e-30, 1e30, 1e-30, 0.5, float, 24, brn_sqrt_f32(x), sqrt((double)x));
}

static void f32_pow(void **state)
{
  record wide = {-1, 0, 0}, kernel = {-1, 0, 0};
  uint64_t s = 424243;
  (void)state;
  for (int i = 0; i < 200000; i++) {
    float x = (float)exp(uniform(&s, -86, 88)), y = (float)(uniform(&s, -86.3, 88.6) / log((double)x));
    const double want = pow((double)x, (double)y);
    if (isfinite(y) && want > 2.8e-38 && want < 3.3e38)
      note(&wide, ulps(brn_pow_f32(x, y), want, 24), (double)x, (double)y);
    x = (float)uniform(&s, 0, 3) + 1e-5f, y = (float)uniform(&s, 0, 6);
    note(&kernel, ulps(brn_pow_f32(x, y), pow((double)x, (double)y), 24), (double)x, (double)y);
  }
  report(&wide, "powf", 4);
  report(&kernel, "powf small", 4);
}

/* The same edges for both types. */
#define EDGES(sfx, real, tiny_normal, huge)                                                                 \
  do {                                                                                                      \
    const real inf = (real)INFINITY, nan = (real)NAN, zero = 0, one = 1, two = 2, minus = -1;               \
    assert_true(isnan(brn_exp##sfx(nan)) && isnan(brn_expm1##sfx(nan)) && isnan(brn_log##sfx(nan)));        \
    assert_true(isnan(brn_log1p##sfx(nan)) && isnan(brn_pow##sfx(nan, one)) &&                              \
                isnan(brn_pow##sfx(two, nan)));                                                             \
    assert_true(isnan(brn_sinq##sfx(nan)) && isnan(brn_sincq##sfx(nan)) && isnan(brn_abs##sfx(nan)));       \
    assert_true(isnan(brn_pow_abs##sfx(nan, two)) && isnan(brn_sqrt##sfx(nan)) &&                           \
                isnan(brn_sqrt##sfx(minus)));                                                               \
    assert_true(brn_exp##sfx(zero) == 1 && brn_exp##sfx(-zero) == 1 && brn_expm1##sfx(zero) == 0);          \
    assert_true(brn_exp##sfx(inf) == inf && brn_exp##sfx(-inf) == 0 && brn_exp##sfx(huge) == inf);          \
    assert_true(brn_exp##sfx(-huge) == 0 && brn_expm1##sfx(-huge) == -1 && brn_expm1##sfx(-inf) == -1);     \
    assert_true(brn_expm1##sfx(inf) == inf && brn_expm1##sfx(huge) == inf &&                                \
                brn_expm1##sfx((real)-40) == -1);                                                           \
    assert_true(brn_log##sfx(one) == 0 && brn_log##sfx(zero) == -inf && brn_log##sfx(inf) == inf);          \
    assert_true(brn_log##sfx(tiny_normal / 2) == -inf && brn_log##sfx(tiny_normal) > -inf);                 \
    assert_true(isnan(brn_log##sfx(minus)) && isnan(brn_log##sfx(-inf)));                                   \
    assert_true(brn_log1p##sfx(zero) == 0 && brn_log1p##sfx(minus) == -inf && isnan(brn_log1p##sfx(-two))); \
    assert_true(brn_log1p##sfx(inf) == inf && isnan(brn_log1p##sfx(-inf)));                                 \
    assert_true(brn_log1p##sfx(tiny_normal) == tiny_normal);                                                \
    assert_true(brn_pow##sfx(zero, two) == 0 && brn_pow##sfx(zero, minus) == inf &&                         \
                brn_pow##sfx(zero, zero) == 1);                                                             \
    assert_true(brn_pow##sfx(nan, zero) == 1 && brn_pow##sfx(inf, two) == inf &&                            \
                brn_pow##sfx(inf, minus) == 0);                                                             \
    assert_true(isnan(brn_pow##sfx(minus, two)) && isnan(brn_pow##sfx(-inf, two)));                         \
    assert_true(brn_pow##sfx(huge, two) == inf && brn_pow##sfx(huge, -two) == 0 &&                          \
                brn_pow##sfx(one, huge) == 1);                                                              \
    assert_true(brn_pow##sfx((real)0.5, huge) == 0 && brn_pow##sfx(two, huge) == inf);                      \
    assert_true(brn_pow_abs##sfx(zero, two) == 0 && brn_pow_abs##sfx(zero, one / 1024) == 0 &&              \
                brn_pow_abs##sfx(one, huge) == 1);                                                          \
    assert_true(brn_sinq##sfx(zero) == 0 && fabs((double)brn_sinq##sfx(one) - 1) < 1e-6);                   \
    assert_true(brn_sinq##sfx(minus) == -brn_sinq##sfx(one));                                               \
    assert_true(brn_sgn##sfx(nan) == 0 && brn_sgn##sfx(-zero) == 0 && brn_sgn##sfx(-inf) == -1);            \
    assert_true(brn_sgn##sfx(tiny_normal / 2) == 1);                                                        \
    assert_true(brn_copysign##sfx(two, -zero) == -2 && brn_copysign##sfx(-two, one) == 2);                  \
    assert_true(isnan(brn_min##sfx(brn_max##sfx(nan, zero), one))); /* a clip lets NaN through */           \
    assert_true(brn_min##sfx(brn_max##sfx(-inf, zero), one) == 0 && brn_min##sfx(inf, one) == 1);           \
    assert_true(brn_to_int##sfx((real)63) == 63);                                                           \
  } while (0)

static void edges(void **state)
{
  (void)state;
  EDGES(_f64, double, DBL_MIN, DBL_MAX);
  EDGES(_f32, float, FLT_MIN, FLT_MAX);
  assert_true(brn_exp_f64(709.79) == INFINITY && brn_exp_f64(709.78) < INFINITY);
  assert_true(brn_exp_f64(-708.0) > 0 && brn_exp_f64(nextafter(-708.0, -1e9)) == 0);
  assert_true(brn_exp_f32(88.73f) == INFINITY && brn_exp_f32(88.7f) < INFINITY);
  assert_true(brn_exp_f32(-86.5f) > 0 && brn_exp_f32(nextafterf(-86.5f, -1e9f)) == 0);
}

/* exp grows from sample to sample, and expm1 keeps the sign of the smallest numbers. */
static void shape(void **state)
{
  double last = -1;
  (void)state;
  for (int i = 0; i < 100000; i++) {
    const double y = brn_exp_f64(-700 + 0.014 * i);
    assert_true(y > last);
    last = y;
  }
  for (double x = 1e-320; x < 1; x *= 3.7) assert_true(brn_expm1_f64(x) > 0 && brn_expm1_f64(-x) < 0);
}

/* f(x + i t) = f(x) + i t f'(x), t = 1e-150, against the derivative from libm. */
#define DERIVATIVE(f, x, slope)                                                                           \
  do {                                                                                                    \
    const double at = (x), want = (slope);                                                                \
    const double _Complex y = brn_##f##_c64(brn_make_c64(at, t));                                         \
    if (!(fabs(__imag__ y / t - want) <= 1e-13 * fabs(want) + 1e-300) || __real__ y != brn_##f##_f64(at)) \
      fail_msg(#f "'(%g) = %.17g, expected %.17g", at, __imag__ y / t, want);                             \
  } while (0)

static void complex_step(void **state)
{
  const double half_pi = (double)(pi_l / 2), t = 1e-150;
  (void)state;
  for (double x = 1e-6; x < 1; x *= 1.31) {
    DERIVATIVE(exp, x, exp(x));
    DERIVATIVE(exp, -50 * x, exp(-50 * x));
    DERIVATIVE(expm1, -x, exp(-x));
    DERIVATIVE(decay, 30 * x, -exp(-30 * x));
    DERIVATIVE(cover, 30 * x, exp(-30 * x));
    DERIVATIVE(log, 30 * x, 1 / (30 * x));
    DERIVATIVE(log1p, -0.9 * x, 1 / (1 - 0.9 * x));
    DERIVATIVE(sqrt, x, 0.5 / sqrt(x));
    DERIVATIVE(abs, x, 1);
    DERIVATIVE(abs, -x, -1);
    if (x < 0.9) DERIVATIVE(sinq, -x, half_pi * cos(half_pi * x));
    if (x > 0.1) DERIVATIVE(sincq, x, (half_pi * cos(half_pi * x) - sin(half_pi * x) / x) / x);
    for (double y = 0.3; y < 9; y *= 2.1) {
      const double _Complex dx = brn_pow_c64(brn_make_c64(x, t), y), dy = brn_pow_c64(x, brn_make_c64(y, t));
      assert_true(fabs(__imag__ dx / t - y * pow(x, y - 1)) <= 1e-13 * y * pow(x, y - 1));
      assert_true(fabs(__imag__ dy / t - pow(x, y) * log(x)) <= 1e-13 * fabs(pow(x, y) * log(x)));
      const double _Complex ax = brn_pow_abs_c64(brn_make_c64(x, t), y);
      assert_true(fabs(__imag__ ax / t - y * pow(x, y - 1)) <= 1e-12 * y * pow(x, y - 1));
    }
  }
  /* at 0: |x|^y has slope 0 for y > 1, 1 for y = 1 */
  assert_true(__imag__ brn_pow_c64(brn_make_c64(0, t), 2.5) == 0 &&
              __imag__ brn_pow_c64(brn_make_c64(0, t), 1) == t);
  assert_true(__imag__ brn_pow_abs_c64(brn_make_c64(0, t), 1) == t);
  assert_true(__imag__ brn_sqrt_c64(brn_make_c64(0, t)) == 0);
  /* comparisons look at the real part, selections keep the derivative */
  const double _Complex a = brn_make_c64(1, 3 * t), b = brn_make_c64(2, 5 * t);
  assert_true(__imag__ brn_min_c64(a, b) == 3 * t && __imag__ brn_max_c64(a, b) == 5 * t);
  assert_true(__imag__ brn_copysign_c64(a, -b) == -3 * t && __imag__ brn_sgn_c64(a) == 0);
  assert_true(__imag__ brn_xorsign_c64(a, b) == 3 * t && __imag__ brn_xorsign_c64(a, -b) == -3 * t);
  assert_true(__real__ brn_xorsign_c64(a, brn_make_c64(-0.0, t)) == -1); /* the sign bit counts */
  assert_true(brn_to_int_c64(b) == 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(f64_one_argument),
      cmocka_unit_test(f64_borders),
      cmocka_unit_test(roots_by_digits),
      cmocka_unit_test(f64_pow),
      cmocka_unit_test(f32_one_argument),
      cmocka_unit_test(f32_pow),
      cmocka_unit_test(edges),
      cmocka_unit_test(shape),
      cmocka_unit_test(complex_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
