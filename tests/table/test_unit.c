/* SPDX-License-Identifier: Apache-2.0
 * test_unit.c - unit text, factors and dimensions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bristle/unit.h"
#include "table/range.h"
#include "table/turned.h"

static br_unit parse(const char *text)
{
  br_unit u;
  br_err err = {BR_OK, -1, ""};
  if (br_unit_parse(text, strlen(text), &u, &err)) fail_msg("'%s': %s", text, err.msg);
  return u;
}

static void check(const char *text, double factor, const char *dimension)
{
  char buf[64];
  const br_unit u = parse(text);
  if (fabs(u.factor - factor) > 4e-16 * fabs(factor))
    fail_msg("'%s': factor %.17g, expected %.17g", text, u.factor, factor);
  assert_string_equal(br_unit_text(&u, sizeof buf, buf), dimension);
}

static void knows_units(void **state)
{
  (void)state;
  const double pi = acos(-1.0);
  check("mm", 1e-3, "m");
  check("um", 1e-6, "m");
  check("\xc2\xb5m", 1e-6, "m");
  check("\xce\xbcm", 1e-6, "m");
  check("nm", 1e-9, "m");
  check("in", 0.0254, "m");
  check("min", 60, "s");
  check("kN", 1e3, "m kg s^-2");
  check("lbf", 4.4482216152605, "m kg s^-2");
  check("MPa", 1e6, "m^-1 kg s^-2");
  check("psi", 6894.757293168361, "m^-1 kg s^-2");
  check("bar", 1e5, "m^-1 kg s^-2");
  check("deg/s", pi / 180, "s^-1 rad");
  check("rpm", pi / 30, "s^-1 rad");
  check("g", 9.80665, "m s^-2");
  check("m/s^2", 1, "m s^-2");
  check("m/s2", 1, "m s^-2");
  check("m s^-2", 1, "m s^-2");
  check("N m/deg", 180 / pi, "m^2 kg s^-2 rad^-1");
  check("Nm/deg", 180 / pi, "m^2 kg s^-2 rad^-1");
  check("N\xc2\xb7m", 1, "m^2 kg s^-2");
  check("N*s/mm", 1e3, "kg s^-1");
  check("N/(mm s)", 1e3, "kg s^-3");
  check("N/mm s", 1e3, "kg s^-1");
  check("(m/s)^2", 1, "m^2 s^-2");
  check("((((((((m))))))))^2", 1, "m^2");                                 /* eight deep, and no more */
  check("(m) (mm) (N) (1/m) (s) (1/N) (A) (1/s) (1/A) (1/m)", 1e-3, "1"); /* ten, none in another */
  check("1/s", 1, "s^-1");
  check("1/mm", 1e3, "m^-1");
  check(" mA ", 1e-3, "A");
  check("%", 0.01, "1");
  check("", 1, "1");
  check("-", 1, "1");
  check("1", 1, "1");
}

/* Units that are combinations must equal what the base units give. */
static void definitions_agree(void **state)
{
  (void)state;
  static const char *const PAIRS[][2] = {
      {"N", "kg m/s^2"},   {"Pa", "N/m^2"}, {"J", "N m"},       {"W", "V A"},   {"W", "J/s"},
      {"psi", "lbf/in^2"}, {"Hz", "1/s"},   {"rpm", "rev/min"}, {"inch", "in"}, {"ft", "in"}};
  for (size_t k = 0; k < sizeof PAIRS / sizeof PAIRS[0]; k++) {
    const br_unit a = parse(PAIRS[k][0]), b = parse(PAIRS[k][1]);
    assert_true(br_unit_same(&a, &b));
    const double ratio = strcmp(PAIRS[k][0], "ft") == 0 ? 12.0 : 1.0;
    assert_true(fabs(a.factor - ratio * b.factor) <= 1e-15 * a.factor);
  }
  const br_unit hz = parse("Hz"), omega = parse("rad/s");
  assert_false(br_unit_same(&hz, &omega)); /* a factor of 2 pi lies between them */
}

static void rejects_bad_units(void **state)
{
  (void)state;
  static const char *const BAD[] = {"foo",
                                    "N m/",
                                    "/s",
                                    "m^",
                                    "m^x",
                                    "m^99",
                                    "(m",
                                    "m)",
                                    "N//m",
                                    "kkg",
                                    "mmin",
                                    "5",
                                    "m^12 m",
                                    "((((((((((m))))))))))",
                                    "\xc2",
                                    "\xff\xfe",
                                    "N^",
                                    "*",
                                    "nm^12/GN^12/GPa"};
  for (size_t k = 0; k < sizeof BAD / sizeof BAD[0]; k++) {
    br_unit u;
    br_err err = {BR_OK, -1, ""};
    if (br_unit_parse(BAD[k], strlen(BAD[k]), &u, &err) != BR_E_PARSE) fail_msg("'%s' was accepted", BAD[k]);
    assert_true(err.msg[0] != '\0' && u.factor == 1.0);
  }
  br_err err = {BR_OK, -1, ""};
  br_unit u;
  assert_int_equal(br_unit_parse("N m/degs", 8, &u, &err), BR_E_PARSE);
  assert_non_null(strstr(err.msg, "'degs'"));
  assert_non_null(strstr(err.msg, "'deg'"));
  assert_int_equal(br_unit_parse(NULL, 3, &u, &err), BR_E_ARG);
  assert_int_equal(br_unit_parse("m", 1, NULL, NULL), BR_E_ARG);
}

static void reads_quantities(void **state)
{
  (void)state;
  double x = 0.0;
  br_unit u;
  int has = -1;
  assert_int_equal(br_quantity_parse("0.3mm", 5, &x, &u, &has, NULL), BR_OK);
  assert_true(x == 0.0003 && has == 1);
  assert_int_equal(br_quantity_parse(" 20 N/um ", 9, &x, &u, &has, NULL), BR_OK);
  assert_true(fabs(x - 2e7) < 1e-8);
  assert_int_equal(br_quantity_parse("1e3", 3, &x, &u, &has, NULL), BR_OK);
  assert_true(x == 1000.0 && has == 0);
  assert_int_equal(br_quantity_parse("nan", 3, &x, &u, &has, NULL), BR_E_NAN);
  assert_int_equal(br_quantity_parse("inf m", 5, &x, &u, &has, NULL), BR_E_NAN);
  assert_int_equal(br_quantity_parse("1e308km", 7, &x, &u, &has, NULL), BR_E_NAN);
  assert_int_equal(br_quantity_parse("mm", 2, &x, &u, &has, NULL), BR_E_PARSE);
  assert_int_equal(br_quantity_parse("", 0, &x, &u, &has, NULL), BR_E_PARSE);
  assert_int_equal(br_quantity_parse("1 2", 3, &x, &u, &has, NULL), BR_E_PARSE);
  char tiny[4];
  const br_unit n = parse("N");
  assert_string_equal(br_unit_text(&n, sizeof tiny, tiny), "m k"); /* cut, terminated */
}

/* "NAME=A:B": each end has its own number and unit. */
static void ranges(void **state)
{
  static const struct {
    const char *text;
    double x[2];
    int has_unit[2];
  } CASES[] = {{"a=1:2mm", {1, 0.002}, {0, 1}},
               {"a=1mm:2", {0.001, 2}, {1, 0}},
               {"a=3kN:-2N", {3000, -2}, {1, 1}},
               {"a=-1:1", {-1, 1}, {0, 0}}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    bri_range r;
    assert_int_equal(bri_range_split(CASES[i].text, &r), 1);
    assert_true(r.n == 1 && r.name[0] == 'a');
    assert_int_equal(bri_range_numbers(&r, NULL), BR_OK);
    for (int k = 0; k < 2; k++) {
      const br_unit mm = parse(i == 2 ? "N" : "mm");
      assert_true(r.x[k] == CASES[i].x[k] && r.has_unit[k] == CASES[i].has_unit[k]);
      if (r.has_unit[k]) assert_true(br_unit_same(&r.unit[k], &mm));
    }
  }
  static const char *const NONE[] = {"a", "a=1", "a:1=2", "=1:2", "a=:2", "a=1:", ""};
  for (size_t i = 0; i < sizeof NONE / sizeof NONE[0]; i++) {
    bri_range r;
    if (bri_range_split(NONE[i], &r)) fail_msg("'%s' is a range", NONE[i]);
  }
  static const char *const BAD[] = {"a=x:1", "a=1:x", "a=1 foo:2", "a=1:2:3"};
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
    bri_range r;
    assert_int_equal(bri_range_split(BAD[i], &r), 1);
    assert_int_equal(bri_range_numbers(&r, NULL), BR_E_PARSE);
  }
}

/* What is in SI has one rounding: of a reciprocal of a whole number the quotient, of others the product. */
static void one_rounding(void **state)
{
  (void)state;
  static const double X[] = {0.3, 0.7, 1.1, 2.3, 4.7, 123.456};
  const br_unit mm = parse("mm"), us = parse("us"), km = parse("km"), percent = parse("%");
  for (size_t i = 0; i < sizeof X / sizeof X[0]; i++) {
    assert_true(br_unit_to_si(&mm, X[i]) == X[i] / 1e3 && br_unit_to_si(&us, X[i]) == X[i] / 1e6);
    assert_true(br_unit_to_si(&km, X[i]) == X[i] * 1e3 && br_unit_to_si(&percent, X[i]) == X[i] / 100);
  }
  assert_true(br_unit_to_si(&mm, 0.7) == 0.0007 && br_unit_to_si(&us, 4.7) == 4.7e-6);
}

/* N^a m^b s^c in rotation is (N m)^a rad^b s^c, and nothing else; every unit that is turned by name fits the
 * one it comes from. */
static void rotation(void **state)
{
  (void)state;
  static const char *const FITS[][2] = {{"N", "N m"},           {"m", "rad"},         {"N/m", "N m/rad"},
                                        {"N s/m", "N m s/rad"}, {"m/s", "rad/s"},     {"1/m", "1/rad"},
                                        {"N/s", "N m/s"},       {"m/s^2", "rad/s^2"}, {"kg", "N m s^2/rad"},
                                        {"m", "deg"},           {"N/m", "Nm/deg"}},
                           *const NOT[][2] = {
                               {"N", "N/m"}, {"N", "rad"}, {"m", "N m"}, {"s", "rad"}, {"N/m", "N m"}};
  for (size_t i = 0; i < sizeof FITS / sizeof FITS[0]; i++) {
    const br_unit needed = parse(FITS[i][0]), written = parse(FITS[i][1]);
    if (!br_unit_fits(&needed, &written, 1)) fail_msg("%s for %s", FITS[i][1], FITS[i][0]);
    assert_true(!br_unit_fits(&needed, &written, 0) && br_unit_fits(&needed, &needed, 0));
    const br_unit turned = parse(bri_unit_turned(FITS[i][0]));
    assert_true(strcmp(FITS[i][0], "kg") == 0 || br_unit_same(&turned, &written));
  }
  for (size_t i = 0; i < sizeof NOT / sizeof NOT[0]; i++) {
    const br_unit needed = parse(NOT[i][0]), written = parse(NOT[i][1]);
    assert_false(br_unit_fits(&needed, &written, 1));
  }
  assert_string_equal(bri_unit_turned("kg"), "kg m^2"); /* an angle is a number there */
  assert_string_equal(bri_unit_turned("s"), "s");
  assert_null(bri_unit_turned(NULL));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(knows_units),
      cmocka_unit_test(definitions_agree),
      cmocka_unit_test(rejects_bad_units),
      cmocka_unit_test(reads_quantities),
      cmocka_unit_test(one_rounding),
      cmocka_unit_test(rotation),
      cmocka_unit_test(ranges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
