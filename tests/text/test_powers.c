/* SPDX-License-Identifier: Apache-2.0
 * The table of powers of ten against exact integers, and the roads of reading and writing that use it against
 * the C library: millions of numbers of every size. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bristle/text.h"
#include "text/decimal.h"

/* Natural numbers below 2^1664, 32 bits a word, lowest first. */
enum { WORDS = 52 };
typedef struct {
  uint32_t w[WORDS];
} natural;

static void times(natural *x, uint32_t factor)
{
  uint64_t carry = 0;
  for (int i = 0; i < WORDS; i++) {
    carry += (uint64_t)x->w[i] * factor;
    x->w[i] = (uint32_t)carry;
    carry >>= 32;
  }
  assert_int_equal(carry, 0);
}

static int compare(const natural *a, const natural *b)
{
  for (int i = WORDS - 1; i >= 0; i--) {
    if (a->w[i] != b->w[i]) return a->w[i] < b->w[i] ? -1 : 1;
  }
  return 0;
}

static natural power_of_two(int n)
{
  natural x = {{0}};
  x.w[n / 32] = (uint32_t)1 << n % 32;
  return x;
}

/* (high 2^64 + low + add) 2^shift 10^tens */
static natural scaled(const uint64_t *f, int add, int shift, int tens)
{
  natural x = {{0}};
  const uint64_t low = f[1] + (uint64_t)add, high = f[0] + (add > 0 && low == 0) - (add < 0 && f[1] == 0);
  const uint64_t part[2] = {low, high};
  for (int i = 0; i < 4; i++) x.w[i] = (uint32_t)(part[i / 2] >> 32 * (i % 2));
  for (int i = 0; i < shift; i++) times(&x, 2);
  for (int i = 0; i < tens; i++) times(&x, 10);
  return x;
}

/* 10^k lies between the entry and the next 128-bit number, or the one before where it is rounded up. */
static void table_holds_powers_of_ten(void **state)
{
  (void)state;
  for (int k = BRI_POWER_FIRST; k <= BRI_POWER_LAST; k++) {
    const uint64_t *f = bri_powers[k - BRI_POWER_FIRST];
    const int shift = bri_log2_pow10(k) - 127, up = k < 0 && k >= -27; /* 10^k = f 2^shift */
    const int right = shift < 0 ? -shift : 0, left = shift < 0 ? 0 : shift, tens = k < 0 ? -k : 0;
    natural want = power_of_two(right);
    for (int i = 0; i < k; i++) times(&want, 10);
    const natural below = scaled(f, up ? -1 : 0, left, tens), above = scaled(f, up ? 0 : 1, left, tens);
    assert_true(f[0] >> 63);
    if (compare(&below, &want) > 0 || compare(&want, &above) >= 0) fail_msg("entry of 10^%d", k);
    if (k >= 0 && k <= 55) assert_int_equal(compare(&below, &want), 0); /* exact: 5^55 < 2^128 */
    if (k < 0 || k > 55) assert_int_not_equal(compare(&below, &want), 0);
  }
}

static uint64_t seed = 0x2545f4914f6cdd1du;
static uint64_t rnd(void)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed;
}

static uint64_t bits(double x)
{
  uint64_t b = 0;
  memcpy(&b, &x, sizeof b);
  return b;
}

static void same_as_strtod(const char *text)
{
  double x = NAN;
  const double want = strtod(text, NULL);
  const size_t n = strlen(text);
  if (br_parse_double(text, n, &x) != n || bits(x) != bits(want))
    fail_msg("'%s': read %a, strtod says %a", text, x, want);
}

/* Any bits, subnormal ones, short decimals, neighbours of powers of two. */
static double draw(int kind)
{
  uint64_t b = rnd();
  double x = 0.0;
  if (kind == 1) b &= 0x800fffffffffffffu;
  if (kind == 3) b = (b & 0xfff0000000000000u) + rnd() % 5 - 2;
  memcpy(&x, &b, sizeof x);
  if (kind == 2) x = (double)((int64_t)b >> rnd() % 60) / pow(10.0, (double)(rnd() % 20));
  return x;
}

enum { MANY = 2000000 };

static void millions_survive_writing_and_reading(void **state)
{
  (void)state;
  char text[BR_DOUBLE_TEXT];
  long finite = 0;
  for (long i = 0; i < MANY; i++) {
    const double x = draw((int)(i % 4));
    double back = NAN;
    if (!isfinite(x)) continue;
    const size_t n = br_format_double(x, text);
    if (n != strlen(text) || n > 24 || br_parse_double(text, n, &back) != n || bits(back) != bits(x))
      fail_msg("%a was written as '%s' and read as %a", x, text, back);
    if (bits(strtod(text, NULL)) != bits(x)) fail_msg("%a was written as '%s'", x, text);
    finite++;
  }
  assert_true(finite > MANY / 2);
}

static void reads_any_decimal_like_strtod(void **state)
{
  (void)state;
  char text[400];
  for (long i = 0; i < MANY / 4; i++) {
    const double x = draw((int)(i % 4));
    if (!isfinite(x)) continue;
    const int digits = (int)(rnd() % 24);
    (void)snprintf(text, sizeof text, "%.*e", digits, x);
    same_as_strtod(text);
    (void)snprintf(text, sizeof text, "%llue%d", (unsigned long long)(rnd() >> rnd() % 60),
                   (int)(rnd() % 720) - 370);
    same_as_strtod(text);
    if (fabs(x) < 1e18) {
      (void)snprintf(text, sizeof text, "%.*f", digits, x);
      same_as_strtod(text);
    }
  }
}

/* Halfway between neighbours, exactly and one in the last of 17 to 25 digits beside it. */
static void halfway_cases(void **state)
{
  (void)state;
  char text[64];
  for (int i = 0; i < 20000; i++) {
    const uint64_t m = ((uint64_t)1 << 53) + rnd() % ((uint64_t)1 << 53); /* odd: halfway of 2^53 .. 2^54 */
    for (int zeros = 0; zeros < 6; zeros++) {
      (void)snprintf(text, sizeof text, "%llu%.*s", (unsigned long long)(m | 1), zeros, "000000");
      same_as_strtod(text);
      (void)snprintf(text, sizeof text, "%llu.%.*s1", (unsigned long long)(m | 1), zeros, "000000");
      same_as_strtod(text);
      (void)snprintf(text, sizeof text, "%llue-%d", (unsigned long long)(m | 1), zeros);
      same_as_strtod(text);
    }
  }
  /* 2^-1074 / 2 and its neighbours: to zero, to even, up */
  same_as_strtod("2.4703282292062327208299998e-324");
  same_as_strtod("2.470328229206232720e-324");
  same_as_strtod("2.470328229206232721e-324");
  same_as_strtod("1.797693134862315807e308");
  same_as_strtod("1.797693134862315808e308");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_holds_powers_of_ten),
      cmocka_unit_test(millions_survive_writing_and_reading),
      cmocka_unit_test(reads_any_decimal_like_strtod),
      cmocka_unit_test(halfway_cases),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
