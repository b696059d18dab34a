/* SPDX-License-Identifier: Apache-2.0
 * The shortest decimal against printf and strtod: reads back exactly, never longer than needed, and of the
 * decimals of that length the nearest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/text.h"

static uint64_t seed = 88172645463325252u;
static uint64_t rnd(void)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed;
}

/* Significant digits of a text, without outer zeros. */
static size_t digits_of(const char *text, char *out)
{
  size_t n = 0;
  for (; *text && *text != 'e'; text++) {
    if (*text >= '0' && *text <= '9' && (n || *text != '0')) out[n++] = *text;
  }
  while (n > 1 && out[n - 1] == '0') n--;
  return n;
}

static void check(double x)
{
  char ours[BR_DOUBLE_TEXT], theirs[40], a[40], b[40];
  const size_t len = br_format_double(x, ours);
  const double back = strtod(ours, NULL);
  if (len != strlen(ours) || memcmp(&x, &back, sizeof x) != 0) fail_msg("%.17g became '%s'", x, ours);
  int p = 0;
  do (void)snprintf(theirs, sizeof theirs, "%.*e", p, x);
  while (strtod(theirs, NULL) != x && ++p < 17);
  const size_t na = digits_of(ours, a), nb = digits_of(theirs, b);
  if (na > nb) fail_msg("%.17g: '%s' is longer than '%s'", x, ours, theirs);
  if (na == nb && memcmp(a, b, na) != 0) fail_msg("%.17g: '%s' is not nearest, '%s' is", x, ours, theirs);
}

static void random_numbers(void **state)
{
  (void)state;
  for (int i = 0; i < 200000; i++) {
    check(ldexp((double)(rnd() >> 11), (int)(rnd() % 130) - 105));               /* any bits, any size */
    check((double)(rnd() % 1000000000) / pow(10, (double)(rnd() % 14)) + 1e-13); /* short decimals and near */
    check((double)(rnd() % 1000000) / 1000);
  }
}

/* Powers of two have a nearer neighbour below than above; both neighbours of each. */
static void powers_of_two(void **state)
{
  (void)state;
  for (int e = -60; e < 70; e++) {
    const double x = ldexp(1, e);
    check(x);
    check(nextafter(x, 0));
    check(nextafter(x, INFINITY));
  }
}

static void edges(void **state)
{
  (void)state;
  static const double X[] = {
      1e-11, 1e16, 1e15, 9007199254740993.0, 0.1, 0.3, 5e-324, 1.7976931348623157e308, 123456789012345680.0};
  for (size_t i = 0; i < sizeof X / sizeof X[0]; i++) {
    check(X[i]);
    check(nextafter(X[i], 0) > 0 ? nextafter(X[i], 0) : X[i]);
  }
  for (int k = -12; k <= 17; k++) {
    const double x = strtod(
        (char[]){'1', 'e', k < 0 ? '-' : '+', (char)('0' + abs(k) / 10), (char)('0' + abs(k) % 10), 0}, NULL);
    check(x);
    check(nextafter(x, 0));
    check(nextafter(x, INFINITY));
  }
}

/* What is no number has no sign, whatever its bits; infinities and zeros have theirs. */
static void no_numbers(void **state)
{
  (void)state;
  static const struct {
    uint64_t bits;
    const char *text;
  } CASES[] = {{0x7ff8000000000000u, "nan"},
               {0xfff8000000000000u, "nan"},
               {0x7ff0000000000001u, "nan"},
               {0xffffffffffffffffu, "nan"},
               {0x7ff0000000000000u, "inf"},
               {0xfff0000000000000u, "-inf"},
               {0, "0"},
               {0x8000000000000000u, "-0"}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    double x = 0;
    char text[BR_DOUBLE_TEXT];
    memcpy(&x, &CASES[i].bits, sizeof x);
    assert_int_equal(br_format_double(x, text), strlen(CASES[i].text));
    assert_string_equal(text, CASES[i].text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_numbers), cmocka_unit_test(powers_of_two),
                                     cmocka_unit_test(edges), cmocka_unit_test(no_numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
