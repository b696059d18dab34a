/* SPDX-License-Identifier: Apache-2.0
 * test_guards.c - inputs at their limits: spans that overflow, columns that are both time and input, formulas that
 * turn too often, common periods of frequencies that are no exact multiples. */
#include "kit.h"

static void overflowing_span(void **state)
{
  const double t[] = {-1.5e308, 0, 1.5e308}, u[] = {0, 1, 0};
  br_signal *s = NULL;
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(br_signal_from_samples(3, t, u, BR_SIGNAL_LINEAR, 0, &s, &err), BR_E_RANGE);
  assert_non_null(strstr(err.msg, "time span"));
  assert_null(s);
  assert_int_equal(br_signal_from_samples(1, t, u, BR_SIGNAL_LINEAR, 1, &s, &err), BR_E_RANGE);
  assert_non_null(strstr(err.msg, "two samples"));
}

static void put(const char *path, const char *text)
{
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  (void)fputs(text, f);
  assert_int_equal(fclose(f), 0);
}

/* Without names: the time column and u, else the first other one; never the time as input. */
static void columns_of_a_record(void **state)
{
  static const struct {
    const char *text;
    double u1; /* at t = 1 */
  } ROWS[] = {
      {"t,u,x\n0,1,5\n1,2,6\n2,3,7\n", 2},
      {"t,x,u\n0,5,1\n1,6,2\n2,7,3\n", 2},
      {"t,x,y\n0,5,1\n1,6,2\n2,7,3\n", 6},
      {"x,t\n5,0\n6,1\n7,2\n", 6},
      {"u [s],x [mm]\n0,5000\n1,6000\n2,7000\n", 6}, /* the column u is the time */
      {"x [mm],u [s]\n5000,0\n6000,1\n7000,2\n", 6},
      {"4,5\n5,6\n6,7\n", NAN}, /* no names: the first is the time, which begins at 4 */
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    put("record.csv", ROWS[i].text);
    br_signal *s = parse("csv:record.csv");
    const double got = br_signal_value(s, isnan(ROWS[i].u1) ? 5 : 1),
                 want = isnan(ROWS[i].u1) ? 6 : ROWS[i].u1;
    if (!(fabs(got - want) < 1e-12)) fail_msg("record %zu: u(1) = %.17g, not %g", i, got, want);
    br_signal_destroy(s);
  }
  (void)remove("record.csv");
}

/* sin(t^2) has 3e9 corners before t = 1e5: no path length is better than one of the first part. */
static void too_many_corners(void **state)
{
  br_signal *s = parse("expr:sin(t^2)");
  assert_true(br_signal_variation(s, 3) > 4);
  assert_true(isnan(br_signal_variation(s, 1e5)));
  assert_true(isnan(br_signal_variation(s, -1e5)));
  assert_true(isnan(br_signal_normalised(s, 1e9)));
  br_signal_destroy(s);
}

/* Frequencies typed as decimals are no exact multiples of their base in binary. */
static void common_periods(void **state)
{
  static const struct {
    double f[3], period;
  } ROWS[] = {{{0.1, 0.3, 0.7}, 10},      {{0.3, 0.1, 0.7}, 10},    {{0.6, 0.2, 1.4}, 5},
              {{1.1, 2.2, 3.3}, 1 / 1.1}, {{0.7, 0.1, 0.3}, 10},    {{4.35, 1.45, 2.9}, 1 / 1.45},
              {{0.15, 0.2, 0.25}, 20},    {{268.8, 25.4, 2.3}, 10}, {{1, 1.4142135623730951, 2}, 0}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    const double a[] = {1, 0.5, 0.25}, phase[] = {0, 1, 2};
    br_signal *s = NULL;
    br_err err = {BR_OK, -1, ""};
    if (br_signal_from_sines(3, a, ROWS[i].f, phase, &s, &err)) fail_msg("%s", err.msg);
    const double p = br_signal_period(s);
    if (!(fabs(p - ROWS[i].period) <= 1e-12 * ROWS[i].period))
      fail_msg("%g %g %g Hz: period %.17g, not %.17g", ROWS[i].f[0], ROWS[i].f[1], ROWS[i].f[2], p,
               ROWS[i].period);
    br_signal_destroy(s);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(overflowing_span),
                                     cmocka_unit_test(columns_of_a_record),
                                     cmocka_unit_test(too_many_corners), cmocka_unit_test(common_periods)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
