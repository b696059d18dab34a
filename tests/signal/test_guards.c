/* SPDX-License-Identifier: Apache-2.0
 * test_guards.c - inputs at their limits: spans that overflow, columns that are both time and input, formulas
 * that turn too often, common periods of frequencies that are no exact multiples. */
#include "base/alloc.h"
#include "kit.h"
#include "signal/nest.h"

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

/* The same cycle begun at another of its reversals has the same minor loops, and each starts within the
 * period. */
static void nests_of_a_turned_cycle(void **state)
{
  enum { N = 12 };
  static const double U[N] = {0, 9, 3, 7, 4, 6, 1, 8, 2, 5, 2.5, 8.5};
  bri_nest *own = NULL, *found = NULL;
  size_t count = 0, n = 0;
  (void)state;
  assert_int_equal(bri_nests(N, U, &own, &count), BR_OK);
  assert_true(count >= 4);
  for (size_t by = 0; by < N; by++) {
    double u[N];
    for (size_t i = 0; i < N; i++) u[i] = U[(i + by) % N];
    assert_int_equal(bri_nests(N, u, &found, &n), BR_OK);
    assert_int_equal(n, count);
    for (size_t j = 0; j < n; j++) {
      const bri_nest c = found[j];
      size_t k = 0;
      assert_true(c.start < N && c.turn > c.start && c.from >= c.turn && c.from < c.start + N);
      assert_true(j == 0 || c.start > found[j - 1].start);
      while (k < count && own[k].start != (c.start + by) % N) k++;
      assert_true(k < count);
      assert_int_equal(c.turn - c.start, own[k].turn - own[k].start);
      assert_int_equal(c.from - c.start, own[k].from - own[k].start);
      const size_t outer = own[k].parent;
      if (outer == BRI_NO_NEST) assert_true(c.parent == BRI_NO_NEST);
      else assert_int_equal((found[c.parent].start + by) % N, own[outer].start);
    }
    bri_free(found);
  }
  bri_free(own);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(overflowing_span), cmocka_unit_test(columns_of_a_record),
      cmocka_unit_test(too_many_corners), cmocka_unit_test(nests_of_a_turned_cycle),
      cmocka_unit_test(common_periods)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
