/* SPDX-License-Identifier: Apache-2.0
 * test_text.c - numbers against the C library, names against known slips. */
#include <locale.h>
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

static uint64_t seed = 0x9e3779b97f4a7c15u;
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
  double x = 0.0;
  char *end = NULL;
  const double want = strtod(text, &end);
  const size_t used = br_parse_double(text, strlen(text), &x);
  if (used != (size_t)(end - text) || bits(x) != bits(want)) {
    fail_msg("'%s': read %.17g (%zu characters), strtod says %.17g (%zu)", text, x, used, want,
             (size_t)(end - text));
  }
}

static void reads_like_strtod(void **state)
{
  (void)state;
  static const char *const TEXT[] = {"0",
                                     "-0",
                                     "+1",
                                     "1.",
                                     ".5",
                                     "-.5e1",
                                     "1e",
                                     "1e+",
                                     "1e5x",
                                     "12.34.5",
                                     "9007199254740993",
                                     "9007199254740992.5",
                                     "18446744073709551615",
                                     "18446744073709551616",
                                     "99999999999999999999",
                                     "0.1",
                                     "1e22",
                                     "1e23",
                                     "1e-22",
                                     "1e-23",
                                     "8.5e-27",
                                     "1.7976931348623157e308",
                                     "1.7976931348623159e308",
                                     "1e309",
                                     "-1e400",
                                     "4.9e-324",
                                     "2.4703282292062327e-324",
                                     "2.4703282292062328e-324",
                                     "1e-400",
                                     "2.2250738585072011e-308",
                                     "2.2250738585072014e-308",
                                     "000000000000000000000000123.456",
                                     "0.000000000000000000000000000001234",
                                     "1e99999999999999999999",
                                     "1e-99999999999999999999",
                                     "0e999999999",
                                     "123456789012345678e-27",
                                     "9223372036854775807e27",
                                     "5e-27",
                                     "3.14159265358979323846264338327950288419716939937510582097494459"};
  for (size_t k = 0; k < sizeof TEXT / sizeof TEXT[0]; k++) same_as_strtod(TEXT[k]);
}

static void reads_random_numbers_like_strtod(void **state)
{
  (void)state;
  for (int k = 0; k < 200000; k++) {
    char text[96];
    const int digits = (int)(rnd() % 22);
    const uint64_t b = rnd();
    double x = 0.0;
    memcpy(&x, &b, sizeof x);
    if (!isfinite(x)) continue;
    if (k & 1) x = (double)(int64_t)rnd() / 1e9 * pow(10.0, (double)(rnd() % 40) - 25.0);
    (void)snprintf(text, sizeof text, k & 2 ? "%.*e" : "%.*g", digits, x);
    same_as_strtod(text);
  }
}

/* Exactly between two doubles, and one digit beyond: the digits of 1 + 2^-53 end in ...625. */
static void rounds_half_way_cases(void **state)
{
  (void)state;
  same_as_strtod("1.00000000000000011102230246251565404236316680908203125");
  same_as_strtod("1.00000000000000011102230246251565404236316680908203124");
  same_as_strtod("1.00000000000000011102230246251565404236316680908203126");
  char text[1200];
  strcpy(text, "1.00000000000000011102230246251565404236316680908203125");
  memset(text + strlen(text), '0', 900);
  text[955] = '\0';
  same_as_strtod(text);
  text[954] = '1'; /* beyond the 768 digits that are kept */
  same_as_strtod(text);
}

static void rejects_what_is_no_number(void **state)
{
  (void)state;
  static const char *const TEXT[] = {"",   "-",   "+",  ".",  "-.",  "e5", "x",
                                     " 1", ".e3", "na", "in", "--1", "0x"};
  for (size_t k = 0; k + 1 < sizeof TEXT / sizeof TEXT[0]; k++) {
    double x = 7.0;
    assert_int_equal(br_parse_double(TEXT[k], strlen(TEXT[k]), &x), 0);
    assert_true(x == 7.0);
  }
  double x = 0.0;
  assert_int_equal(br_parse_double("0x10", 4, &x), 1); /* no hexadecimal: the zero only */
  assert_int_equal(br_parse_double("NaN", 3, &x), 3);
  assert_true(isnan(x));
  assert_int_equal(br_parse_double("-Infinity", 9, &x), 9);
  assert_true(isinf(x) && x < 0);
  assert_int_equal(br_parse_double("123", 2, &x), 2); /* never reads beyond n */
  assert_true(x == 12.0);
  assert_int_equal(br_parse_double_mark("1,5", 3, ',', &x), 3);
  assert_true(x == 1.5);
}

static void written_numbers_read_back_and_are_short(void **state)
{
  (void)state;
  char text[BR_DOUBLE_TEXT];
  static const struct {
    double x;
    const char *text;
  } KNOWN[] = {{0.1, "0.1"},
               {0.3, "0.3"},
               {1.0, "1"},
               {-2.5, "-2.5"},
               {1e22, "1e22"},
               {100.0, "100"},
               {1e15, "1000000000000000"},
               {1e16, "1e16"},
               {1e-5, "0.00001"},
               {1e-6, "1e-6"},
               {5e-324, "5e-324"},
               {1.7976931348623157e308, "1.7976931348623157e308"},
               {0.1 + 0.2, "0.30000000000000004"},
               {-0.0, "-0"},
               {123456.789, "123456.789"}};
  for (size_t k = 0; k < sizeof KNOWN / sizeof KNOWN[0]; k++) {
    const size_t n = br_format_double(KNOWN[k].x, text);
    assert_string_equal(text, KNOWN[k].text);
    assert_int_equal(n, strlen(text));
  }
  for (int k = 0; k < 200000; k++) {
    const uint64_t b = rnd();
    double x = 0.0, back = 0.0;
    memcpy(&x, &b, sizeof x);
    if (k & 1) x = (double)((int64_t)rnd() >> (rnd() % 60)) / pow(10.0, (double)(rnd() % 18));
    if (!isfinite(x)) continue;
    const size_t n = br_format_double(x, text);
    assert_true(n < BR_DOUBLE_TEXT && n == strlen(text));
    assert_int_equal(br_parse_double(text, n, &back), n);
    if (bits(back) != bits(x)) fail_msg("%.17g was written as %s", x, text);
    char plain[40];
    int digits = 0; /* no more significant digits than the shortest %.15g .. %.17g needs */
    for (int precision = 15; precision <= 17; precision++) {
      (void)snprintf(plain, sizeof plain, "%.*g", precision, x);
      digits = precision;
      if (strtod(plain, NULL) == x) break;
    }
    int own = 0, leading = 1;
    for (const char *p = text; *p && *p != 'e'; p++) {
      if (*p >= '1' && *p <= '9') leading = 0;
      if (*p >= '0' && *p <= '9' && !leading) own++;
    }
    if (own > digits && own > 17) fail_msg("%.17g was written as %s", x, text);
    if (strchr(text, '.') && own > digits) fail_msg("%.17g was written as %s, %d digits do", x, text, digits);
  }
}

static void locale_has_no_say(void **state)
{
  (void)state;
  static const char *const COMMA[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8",
                                      "fr_FR.utf8",  "pt_BR.UTF-8", "de_DE"};
  const char *set = NULL;
  for (size_t k = 0; k < sizeof COMMA / sizeof COMMA[0] && !set; k++) set = setlocale(LC_ALL, COMMA[k]);
  if (!set) {
    print_message("SKIP: no locale with a decimal comma is installed\n");
    skip();
  }
  double x = 0.0;
  char text[BR_DOUBLE_TEXT];
  assert_int_equal(br_parse_double("3.1415926535897932384626", 24, &x), 24); /* 23 digits: the slow road */
  assert_true(x == 3.1415926535897931);
  (void)br_format_double(0.1 + 0.2, text);
  assert_string_equal(text, "0.30000000000000004");
  setlocale(LC_ALL, "C");
}

static void finds_the_nearest_name(void **state)
{
  (void)state;
  static const char *const KINDS[] = {"step",      "ramp",   "sine",   "triangle", "chirp",
                                      "multisine", "sigma0", "sigma1", "Fc"};
  const size_t n = sizeof KINDS / sizeof KINDS[0];
  assert_string_equal(br_nearest_name("sin", KINDS, n), "sine");
  assert_string_equal(br_nearest_name("setp", KINDS, n), "step");
  assert_string_equal(br_nearest_name("SINE", KINDS, n), "sine");
  assert_string_equal(br_nearest_name("trangle", KINDS, n), "triangle");
  assert_string_equal(br_nearest_name("simga1", KINDS, n), "sigma1");
  assert_string_equal(br_nearest_name("fc", KINDS, n), "Fc");
  assert_null(br_nearest_name("qqqqqq", KINDS, n));
  assert_null(br_nearest_name("", KINDS, n));
  assert_null(br_nearest_name(NULL, KINDS, n));
  assert_null(br_nearest_name("sine", NULL, 3));
  assert_null(br_nearest_name("sine", KINDS, 0));
  char longer[200];
  memset(longer, 'a', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  assert_null(br_nearest_name(longer, KINDS, n));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_like_strtod),
      cmocka_unit_test(reads_random_numbers_like_strtod),
      cmocka_unit_test(rounds_half_way_cases),
      cmocka_unit_test(rejects_what_is_no_number),
      cmocka_unit_test(written_numbers_read_back_and_are_short),
      cmocka_unit_test(locale_has_no_say),
      cmocka_unit_test(finds_the_nearest_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
