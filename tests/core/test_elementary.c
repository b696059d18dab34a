/* SPDX-License-Identifier: Apache-2.0
 * test_elementary.c - sine, exponential, power and their kin against long double, over all magnitudes; where
 * they are exact, odd, at their ends; the worst arguments of a reduction modulo pi/2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/elementary_complex.h"

typedef struct {
  const char *name;
  double (*f)(double);
  long double (*want)(long double);
  double from, to; /* magnitudes; negative numbers too where both are set below */
  int negative;
} one;

static const one ONES[] = {
    {"exp", bri_exp, expl, 1e-20, 709.7, 1},
    {"exp", bri_exp, expl, 700, 745, 2},
    {"exp2", bri_exp2, exp2l, 1e-20, 1023.9, 1},
    {"expm1", bri_expm1, expm1l, 1e-300, 709.7, 1},
    {"log", bri_log, logl, 5e-324, 1.7e308, 0},
    {"log", bri_log, logl, 0.5, 2, 0},
    {"log2", bri_log2, log2l, 5e-324, 1.7e308, 0},
    {"log2", bri_log2, log2l, 0.5, 2, 0},
    {"log10", bri_log10, log10l, 5e-324, 1.7e308, 0},
    {"log10", bri_log10, log10l, 0.5, 2, 0},
    {"log1p", bri_log1p, log1pl, 1e-300, 1e300, 0},
    {"log1p", bri_log1p, log1pl, 1e-18, 0.9999, 1},
    {"cbrt", bri_cbrt, cbrtl, 5e-324, 1.7e308, 1},
    {"sinh", bri_sinh, sinhl, 1e-300, 710.4, 1},
    {"sinh", bri_sinh, sinhl, 0.01, 3, 1},
    {"cosh", bri_cosh, coshl, 1e-10, 710.4, 1},
    {"tanh", bri_tanh, tanhl, 1e-300, 30, 1},
    {"tanh", bri_tanh, tanhl, 0.01, 3, 1},
    {"sin", bri_sin, sinl, 1e-300, 1.7e308, 1},
    {"sin", bri_sin, sinl, 1e-3, 100, 1},
    {"sin", bri_sin, sinl, 1e3, 1e7, 1},
    {"cos", bri_cos, cosl, 1e-300, 1.7e308, 1},
    {"cos", bri_cos, cosl, 1e-3, 100, 1},
    {"cos", bri_cos, cosl, 1e3, 1e7, 1},
    {"tan", bri_tan, tanl, 1e-300, 1.7e308, 1},
    {"tan", bri_tan, tanl, 1e-3, 100, 1},
    {"asin", bri_asin, asinl, 1e-300, 1, 1},
    {"asin", bri_asin, asinl, 0.01, 1, 1},
    {"acos", bri_acos, acosl, 1e-300, 1, 1},
    {"acos", bri_acos, acosl, 0.01, 1, 1},
    {"atan", bri_atan, atanl, 1e-300, 1e300, 1},
    {"atan", bri_atan, atanl, 0.01, 100, 1},
};

typedef struct {
  const char *name;
  double (*f)(double, double);
  long double (*want)(long double, long double);
  double x0, x1, y0, y1;
} two;

static const two TWOS[] = {
    {"pow", bri_pow, powl, 1e-3, 1e3, 1e-3, 100}, {"pow", bri_pow, powl, 5e-324, 1.7e308, 1e-6, 1},
    {"pow", bri_pow, powl, 0.99, 1.01, 1, 5e4},   {"hypot", bri_hypot, hypotl, 5e-324, 1e308, 5e-324, 1e308},
    {"hypot", bri_hypot, hypotl, 0.1, 1, 0.1, 1}, {"atan2", bri_atan2, atan2l, 1e-300, 1e300, 1e-300, 1e300},
    {"atan2", bri_atan2, atan2l, 0.1, 1, 0.1, 1},
};

static double uniform(uint64_t *s)
{
  *s ^= *s << 13, *s ^= *s >> 7, *s ^= *s << 17;
  return (double)(*s >> 11) * 0x1p-53;
}

/* A magnitude, evenly over its logarithm where the range is wide. */
static double between(uint64_t *s, double lo, double hi)
{
  const double u = uniform(s);
  if (hi < 1e3 * lo) return lo + (hi - lo) * u;
  return (double)fminl(fmaxl(expl(logl(lo) + (logl(hi) - logl(lo)) * u), lo), hi);
}

static double ulps(double got, long double want)
{
  int e;
  if ((long double)got == want) return 0;
  if (!isfinite(want)) return INFINITY;
  frexpl(want, &e);
  if (e < -1021) e = -1021; /* subnormal: the last place is 2^-1074 */
  return (double)(fabsl(got - want) / ldexpl(1, e - 53));
}

#define TRIES 20000
#define LIMIT 0.9 /* a promise of 1, with some room for arguments that were not tried */

static void largest_error_of_one(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof ONES / sizeof *ONES; i++) {
    const one *o = &ONES[i];
    uint64_t seed = 0x9e3779b97f4a7c15u + i;
    double worst = 0, at = 0;
    for (int k = 0; k < TRIES; k++) {
      const double m = between(&seed, o->from, o->to),
                   x = o->negative == 2 || (o->negative && k & 1) ? -m : m;
      const double e = ulps(o->f(x), o->want(x));
      if (!(e <= worst)) worst = e, at = x;
    }
    print_message("%-6s %8.2g .. %-8.2g worst %.3f ulp at %.17g\n", o->name, o->from, o->to, worst, at);
    if (!(worst <= LIMIT)) fail_msg("%s(%.17g): %.3f ulp", o->name, at, worst);
  }
}

static void largest_error_of_two(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof TWOS / sizeof *TWOS; i++) {
    const two *o = &TWOS[i];
    uint64_t seed = 0x2545f4914f6cdd1du + i;
    double worst = 0, ax = 0, ay = 0;
    for (int k = 0; k < TRIES; k++) {
      double x = between(&seed, o->x0, o->x1), y = between(&seed, o->y0, o->y1);
      if (o->f == bri_hypot && k & 4) y = x * (y / o->y1); /* of one size, too */
      if (k & 1) y = -y;
      if (k & 2 && o->f != bri_pow) x = -x;
      const long double want = o->want(x, y);
      if (fabsl(want) > DBL_MAX || fabsl(want) < 4e-324L) continue;
      const double e = ulps(o->f(x, y), want);
      if (!(e <= worst)) worst = e, ax = x, ay = y;
    }
    print_message("%-6s worst %.3f ulp at %.17g, %.17g\n", o->name, worst, ax, ay);
    if (!(worst <= LIMIT)) fail_msg("%s(%.17g, %.17g): %.3f ulp", o->name, ax, ay, worst);
  }
}

/* The double whose angle is nearest to a multiple of pi/2 (Kahan), neighbours of multiples of pi, and huge
 * ones: values from mpmath with 1200 digits. */
static void hard_angles(void **state)
{
  (void)state;
  static const struct {
    double x, sine, cosine;
  } HARD[] = {
      {0x1.6ac5b262ca1ffp+849, 0x1.0000000000000p+0, -0x1.14ae72e6ba22fp-61},
      {-0x1.6ac5b262ca1ffp+849, -0x1.0000000000000p+0, -0x1.14ae72e6ba22fp-61},
      {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, -0x1.0000000000000p+0},
      {0x1.921fb54442d18p+2, -0x1.1a62633145c07p-52, 0x1.0000000000000p+0},
      {0x1.921fb54442d18p+0, 0x1.0000000000000p+0, 0x1.1a62633145c07p-54},
      {-0x1.2d97c7f3321d2p+2, 0x1.0000000000000p+0, -0x1.a79394c9e8a0ap-53},
      {0x1.f6a7a2955385ep+4, -0x1.60fafbfd97309p-50, 0x1.0000000000000p+0},
      {0x1.32cbd0fba43a7p+18, -0x1.2ab89826c3c3bp-35, 0x1.0000000000000p+0},
      {0x1.7f7ec53a8d491p+21, -0x1.eacd7c60e9693p-33, 0x1.0000000000000p+0},
      {0x1.0f0cf064dd592p+73, -0x1.b453ab76bf397p-1, 0x1.0be2cef01c8f4p-1},
      {0x1.7e43c8800759cp+996, -0x1.a2c16b010e385p-1, -0x1.2699022adc4c1p-1},
      {0x1.fffffffffffffp+1023, 0x1.452fc98b34e97p-8, -0x1.fffe62ecfab75p-1},
      {0x1.93c05c9ed3cbcp+19, -0x1.065d73720c4f9p-51, -0x1.0000000000000p+0},
      {0x1.bf9b3c6059d24p+19, -0x1.6c8132f84c309p-50, 0x1.0000000000000p+0},
      {0x1.79ca10c924223p-67, 0x1.79ca10c924223p-67, 0x1.0000000000000p+0},
      {0x1.921fb54442d18p-1, 0x1.6a09e667f3bccp-1, 0x1.6a09e667f3bcdp-1},
      {0x1.2d97c7f3321d2p+1, 0x1.6a09e667f3bcdp-1, -0x1.6a09e667f3bccp-1},
      {0x1.8000000000000p+20, 0x1.efa20e26f443fp-2, 0x1.c007b4fb8f9b0p-1},
      {0x1.7ffffe6666666p+20, 0x1.93b33eb079b69p-2, 0x1.d6883d9fb1e15p-1},
  };
  for (size_t i = 0; i < sizeof HARD / sizeof *HARD; i++) {
    double s = 0, c = 0;
    bri_sincos(HARD[i].x, &s, &c);
    if (ulps(bri_sin(HARD[i].x), HARD[i].sine) > 0 || ulps(bri_cos(HARD[i].x), HARD[i].cosine) > 0)
      fail_msg("x = %a: sine %a, cosine %a", HARD[i].x, bri_sin(HARD[i].x), bri_cos(HARD[i].x));
    assert_true(s == bri_sin(HARD[i].x) && c == bri_cos(HARD[i].x));
  }
}

static void both_at_once(void **state)
{
  (void)state;
  uint64_t seed = 7;
  for (int k = 0; k < 5000; k++) {
    const double x = (k & 1 ? 1 : -1) * between(&seed, 1e-12, 1e9);
    double s = 0, c = 0;
    bri_sincos(x, &s, &c);
    assert_true(s == bri_sin(x) && c == bri_cos(x));
    assert_true(bri_sin(-x) == -s && bri_cos(-x) == c);
  }
}

/* Results that a number can hold are met to the bit. */
static void exact_values(void **state)
{
  (void)state;
  double ten = 1;
  for (int k = 0; k <= 22; k++, ten *= 10) {
    assert_true(bri_pow(10, k) == ten);
    assert_true(bri_log10(ten) == k);
  }
  for (int k = -1074; k <= 1023; k++) {
    assert_true(bri_log2(ldexp(1, k)) == k);
    assert_true(bri_exp2(k) == ldexp(1, k));
    assert_true(bri_pow(2, k) == ldexp(1, k));
  }
  for (int k = 1; k < 2000; k++) {
    assert_true(bri_cbrt((double)k * k * k) == k);
    assert_true(bri_hypot(3.0 * k, 4.0 * k) == 5.0 * k);
    assert_true(bri_pow(k, 2) == (double)k * k && bri_pow(-k, 3) == -(double)k * k * k);
    assert_true(bri_pow((double)k * k, 0.5) == k);
  }
  assert_true(bri_exp(0) == 1 && bri_cos(0) == 1 && bri_cosh(0) == 1 && bri_log(1) == 0 && bri_acos(1) == 0);
}

/* Zeros keep their sign, infinities and NaN go where Annex F sends them: as the C library says. */
static int alike(double a, double b)
{
  return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

/* Infinity is close to nothing, not even to itself with the other sign. */
static int close_to(double got, double want)
{
  return isfinite(want) && fabs(got - want) <= 3e-16 * fabs(want);
}

static void ends(void **state)
{
  (void)state;
  static const double EDGE[] = {0.0, -0.0, INFINITY, -INFINITY, NAN,    1,       -1,      2,       -2,
                                0.5, -0.5, 3,        -3,        5e-324, -5e-324, 1.7e308, -1.7e308};
  static double (*const F[][2])(double) = {
      {bri_exp, exp},     {bri_exp2, exp2},   {bri_expm1, expm1}, {bri_log, log},   {bri_log2, log2},
      {bri_log10, log10}, {bri_log1p, log1p}, {bri_cbrt, cbrt},   {bri_sinh, sinh}, {bri_cosh, cosh},
      {bri_tanh, tanh},   {bri_sin, sin},     {bri_cos, cos},     {bri_tan, tan},   {bri_asin, asin},
      {bri_acos, acos},   {bri_atan, atan}};
  static double (*const G[][2])(double, double) = {{bri_pow, pow}, {bri_hypot, hypot}, {bri_atan2, atan2}};
  const size_t n = sizeof EDGE / sizeof *EDGE;
  for (size_t i = 0; i < n; i++) {
    const double x = EDGE[i];
    for (size_t k = 0; k < sizeof F / sizeof *F; k++) {
      const double got = F[k][0](x), want = F[k][1](x);
      if (!alike(got, want) && !close_to(got, want))
        fail_msg("function %zu at %g: %g, not %g", k, x, got, want);
    }
    for (size_t j = 0; j < n; j++)
      for (size_t k = 0; k < 3; k++) {
        const double got = G[k][0](x, EDGE[j]), want = G[k][1](x, EDGE[j]);
        if (!alike(got, want) && !close_to(got, want))
          fail_msg("function %zu at %g, %g: %g, not %g", k, x, EDGE[j], got, want);
      }
  }
  assert_true(bri_exp(709.9) == INFINITY && bri_exp(-746) == 0 && bri_exp(-744) > 0);
  for (double x = 709.01; x < 709.78;
       x += 0.05) /* the last ones that are finite; of expm1 those where 1 still counts */
    assert_true(fabs(bri_exp(x) / exp(x) - 1) < 3e-16);
  for (double x = 28.3; x < 46; x += 0.7) assert_true(fabs(bri_expm1(x) / expm1(x) - 1) < 3e-16);
  for (double x = 709.1; x < 710.47; x += 0.03)
    assert_true(fabs(bri_cosh(x) / cosh(x) - 1) < 4e-16 && fabs(bri_sinh(-x) / sinh(-x) - 1) < 4e-16);
  for (double x = 1022.1; x < 1024; x += 0.09) assert_true(fabs(bri_exp2(x) / exp2(x) - 1) < 3e-16);
  assert_true(bri_cosh(710.48) == INFINITY && bri_sinh(-710.48) == -INFINITY && bri_exp2(1024) == INFINITY);
  for (int way = -1; way <= 1; way += 2) /* far beyond what a double holds an odd power keeps its sign */
    for (int odd = 0; odd < 2; odd++) {
      const double got = bri_pow(-1e300, way * (4000 + odd)), want = way > 0 ? INFINITY : 0;
      assert_true(fabs(got) == want && (signbit(got) != 0) == odd);
    }
  assert_true(bri_hypot(INFINITY, NAN) == INFINITY && bri_pow(NAN, 0) == 1 && bri_pow(1, NAN) == 1);
}

/* Modulus, angle, exponential and quotient in all quadrants, against the C library's. */
static void complex_numbers(void **state)
{
  static const double PART[] = {-3, -0.7, -1e-9, 0, 1e-9, 0.7, 3, 1e200};
  const size_t n = sizeof PART / sizeof *PART;
  (void)state;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      const double complex z = bri_complex(PART[i], PART[j]);
      assert_true(creal(z) == PART[i] && cimag(z) == PART[j]);
      assert_true(fabs(bri_cabs(z) - cabs(z)) <= 4e-16 * cabs(z));
      assert_true(fabs(bri_carg(z) - carg(z)) <= 4e-16 * fabs(carg(z)));
      if (PART[i] < 100 && PART[j] < 100) assert_true(cabs(bri_cexp(z) - cexp(z)) <= 1e-15 * cabs(cexp(z)));
      for (size_t k = 0; k + 1 < n; k++)
        for (size_t l = 0; l + 1 < n; l++) { /* a quotient times what it was divided by */
          const double complex w = bri_complex(PART[k], PART[l]);
          if (w == 0) continue;
          const double complex back = bri_cdiv(z, w) * w;
          if (PART[i] < 100 && PART[j] < 100) assert_true(cabs(back - z) <= 2e-15 * cabs(z));
        }
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(largest_error_of_one), cmocka_unit_test(largest_error_of_two),
      cmocka_unit_test(hard_angles),          cmocka_unit_test(both_at_once),
      cmocka_unit_test(exact_values),         cmocka_unit_test(ends),
      cmocka_unit_test(complex_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
