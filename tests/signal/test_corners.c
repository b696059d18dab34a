/* SPDX-License-Identifier: Apache-2.0
 * test_corners.c - turning points, walks from corner to corner, monotone slopes, the normalised input. */
#include "kit.h"

/* rho_1 .. rho_4 and psi of the minor-loop theory for the input 0, 1, 0.5, 1.5. */
/* Definition 1 with its times: the same turning points, reached when they are asked for. */
static void bimodal_with_times(void **state)
{
  static const double T[] = {0, 1000, 2.5e3, 3e3}, U[] = {0, 1e-3, 0.5e-3, 1.5e-3};
  br_signal *s = parse("bimodal:0,1mm,0.5mm,1.5mm,1000,2500,3000,5000");
  double u[4], t[4];
  size_t n = 0;
  br_err err;
  assert_int_equal(br_signal_turning(s, 4, u, t, &n, &err), BR_OK);
  assert_int_equal(n, 4);
  for (size_t i = 0; i < 4; i++) {
    assert_true(t[i] == T[i]);
    assert_true(u[i] == U[i]);
  }
  assert_true(br_signal_period(s) == 5000);
  assert_true(fabs(br_signal_path(s) - 4e-3) < 1e-17);
  assert_true(fabs(br_signal_value(s, 5000 + 2750) - 1e-3) < 1e-17); /* t5 */
  br_signal_destroy(s);
}

static void bimodal_is_the_normalised_input(void **state)
{
  (void)state;
  br_signal *s = parse("bimodal:0,1,0.5,1.5");
  const double rho[4] = {1.0, 1.5, 2.5, 4.0}, u[4] = {1.0, 0.5, 1.5, 0.0};
  double t = 0.0, points[8], times[8];
  size_t n = 0;
  assert_true(br_signal_period(s) == 4.0 && br_signal_path(s) == 4.0);
  for (int k = 0; k < 8; k++) {
    t = br_signal_next_corner(s, t);
    assert_true(t == rho[k % 4] + (k < 4 ? 0.0 : 4.0));
    assert_true(br_signal_value(s, t) == u[k % 4]);
    assert_true(br_signal_rate(s, t, -1) == (k % 2 ? -1.0 : 1.0) &&
                br_signal_rate(s, t, 1) == (k % 2 ? 1.0 : -1.0));
  }
  assert_int_equal(br_signal_turning(s, 8, points, times, &n, NULL), BR_OK);
  assert_int_equal(n, 4);
  assert_true(points[0] == 0.0 && points[1] == 1.0 && points[2] == 0.5 && points[3] == 1.5);
  assert_true(times[0] == 0.0 && times[1] == 1.0 && times[2] == 1.5 && times[3] == 2.5);
  assert_int_equal(br_signal_turning(s, 3, points, times, &n, NULL), BR_E_SIZE);
  assert_int_equal(n, 4);
  assert_int_equal(br_signal_turning(s, 0, NULL, NULL, &n, NULL), BR_E_SIZE);
  br_signal_destroy(s);
}

static void turning_points_of_signals(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    size_t n;
    double u[6];
  } CASES[] = {
      {"sine:2,0.5", 2, {2, -2}},
      {"sine:2,0.5,90deg,1", 2, {3, -1}}, /* a reversal at t = 0 is counted once */
      {"sine:2,0.5,-90deg", 2, {-2, 2}},
      {"triangle:1,3", 2, {1, -1}},
      {"turning:0,1,1,2,1.5,0", 2, {0, 2}},
      {"turning:1,2,3,2", 2, {1, 3}},
      {"turning:2,3,1", 2, {3, 1}},
      {"pwl:0,0,1,1,2,2,3,1,4,1,5,3", 4, {0, 2, 1, 3}},
      {"pwl:-2,0,-1,4,1,2,2,3", 3, {3, 2, 3}},
      {"pwl:1,7", 1, {7}},
      {"step:2,1", 2, {0, 2}},
      {"step:2", 1, {2}},
      {"chirp:1,1,1,1", 4, {0, 1, -1, 0}},
      {"sine:0,1", 0, {0}},
  };
  for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; k++) {
    br_signal *s = parse(CASES[k].spec);
    double u[8] = {0}, t[8] = {0};
    size_t n = 0;
    assert_int_equal(br_signal_turning(s, 8, u, t, &n, NULL), BR_OK);
    if (n != CASES[k].n) fail_msg("%s: %zu points, expected %zu", CASES[k].spec, n, CASES[k].n);
    for (size_t i = 0; i < n; i++) {
      if (fabs(u[i] - CASES[k].u[i]) > 1e-14) fail_msg("%s: point %zu is %.17g", CASES[k].spec, i, u[i]);
      if (fabs(br_signal_value(s, t[i]) - u[i]) > 1e-14)
        fail_msg("%s: time %zu is %g", CASES[k].spec, i, t[i]);
    }
    br_signal_destroy(s);
  }
  size_t n = 0;
  br_signal *fast = parse("chirp:1,1e22,0,3"); /* more reversals than anybody can count: stops, and says so */
  assert_int_equal(br_signal_turning(fast, 0, NULL, NULL, &n, NULL), BR_E_SIZE);
  assert_true(n > 1000000);
  br_signal_destroy(fast);
  br_signal *ramp = parse("ramp:1");
  assert_int_equal(br_signal_turning(ramp, 0, NULL, NULL, &n, NULL), BR_E_UNSUPPORTED);
  br_signal_destroy(ramp);
}

/* The reduced sequence alternates, keeps the extremes and the path length. */
static void turning_points_of_sequences(void **state)
{
  (void)state;
  for (int round = 0; round < 300; round++) {
    double u[50] = {0};
    size_t keep[50] = {0};
    const size_t n = 1 + (size_t)uniform(0, 49);
    const int cyclic = round & 1;
    for (size_t i = 0; i < n; i++) u[i] = floor(uniform(0, 4));
    const size_t m = br_turning_points(n, u, cyclic, keep);
    assert_true(m == br_turning_points(n, u, cyclic, NULL) && m <= n);
    double path = 0.0, reduced = 0.0;
    for (size_t i = 0; i + 1 < n; i++) path += fabs(u[i + 1] - u[i]);
    for (size_t i = 0; i + 1 < m; i++) reduced += fabs(u[keep[i + 1]] - u[keep[i]]);
    if (cyclic) path += fabs(u[0] - u[n - 1]);
    if (cyclic && m) reduced += fabs(u[keep[0]] - u[keep[m - 1]]);
    assert_true(path == reduced);
    for (size_t i = 1; i + 1 < m; i++) {
      assert_true((u[keep[i]] - u[keep[i - 1]]) * (u[keep[i + 1]] - u[keep[i]]) < 0.0);
      assert_true(keep[i] > keep[i - 1]);
    }
    if (cyclic) assert_true(m % 2 == 0);
  }
  assert_int_equal(br_turning_points(0, NULL, 1, NULL), 0);
  const double flat[] = {3, 3, 3};
  assert_int_equal(br_turning_points(3, flat, 1, NULL), 0);
  assert_int_equal(br_turning_points(3, flat, 0, NULL), 1);
}

/* Far from t = 0 corner times are rounded: none may come twice or be skipped, and the sides must be told
 * apart. */
static void walks_through_many_corners(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    double spacing;
  } CASES[] = {{"triangle:1,0.37", 0.5 / 0.37},
               {"sine:1,0.37,0.3", 0.5 / 0.37},
               {"turning:0.1,0.4", 0.3},
               {"chirp:1,0.37,0.37,5", 0.5 / 0.37}};
  for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; k++) {
    br_signal *s = parse(CASES[k].spec);
    double t = br_signal_next_corner(s, 0.0);
    for (int i = 0; i < 100000; i++) {
      const double next = br_signal_next_corner(s, t);
      if (fabs(next - t - CASES[k].spacing) > 1e-9)
        fail_msg("%s: %.17g is followed by %.17g", CASES[k].spec, t, next);
      if (k == 0 || k == 2) assert_true(br_signal_rate(s, next, -1) == -br_signal_rate(s, next, 1));
      t = next;
      if (i % 1000 == 0) { /* one rounding before a corner is at the corner */
        const double near = br_signal_next_corner(s, nextafter(t, 0.0));
        if (!(near > t + 0.5 * CASES[k].spacing)) fail_msg("%s: corner %.17g comes twice", CASES[k].spec, t);
      }
    }
    br_signal_destroy(s);
  }
  /* A knot that falls on t = 0 only to rounding: 0.3 - (0.4 - 0.1). */
  const double t[] = {0.1, 0.3, 0.4}, u[] = {0, 1, 0};
  double points[4], times[4];
  size_t n = 0;
  br_signal *s = NULL;
  assert_int_equal(br_signal_from_samples(3, t, u, BR_SIGNAL_LINEAR, 1, &s, NULL), BR_OK);
  assert_int_equal(br_signal_turning(s, 4, points, times, &n, NULL), BR_OK);
  assert_int_equal(n, 2);
  assert_true(points[0] == 1.0 && points[1] == 0.0 && fabs(times[0]) < 1e-15 && fabs(times[1] - 0.1) < 1e-15);
  br_signal_destroy(s);
}

/* A signal that comes to rest: its normalised input stays there however much farther it is asked for, and
 * before its first move it is where it began. */
static void normalised_comes_to_rest(void **state)
{
  static const char *const SPECS[] = {"pwl:0,1,1,3,2,-1",     "pwl:-1,2,1,-3,2,4,3,4",
                                      "pwl:-3,1,-2,5,-1,2",   "pwl:1,7",
                                      "step:3,0.5",           "step:-3",
                                      "trapezoid:2,1,3",      "trapezoid:-2,1,3,0.5",
                                      "scurve:-1,0.5,1,5",    "scurve:1,2,3,9,0.4",
                                      "filtered_step:-2,0.3", "v:pwl:0,0,1,2,2,-1,3,0"};
  static const double MORE[] = {1e-9, 0.1, 2.5, 1e3, 1e12, INFINITY};
  (void)state;
  for (size_t i = 0; i < sizeof SPECS / sizeof SPECS[0]; i++) {
    br_signal *s = parse(SPECS[i]);
    const double last = br_signal_value(s, 1e6), first = br_signal_value(s, -1e6),
                 end = br_signal_variation(s, 1e6), start = br_signal_variation(s, -1e6);
    for (size_t k = 0; k < sizeof MORE / sizeof MORE[0]; k++) {
      const double on = br_signal_normalised(s, end + MORE[k]),
                   back = br_signal_normalised(s, start - MORE[k]);
      if (!(fabs(on - last) <= 1e-12 && fabs(back - first) <= 1e-12))
        fail_msg("%s: %.17g behind its end by %g, %.17g before its start", SPECS[i], on, MORE[k], back);
    }
    br_signal_destroy(s);
  }
  const double t[] = {-1, 0.5, 2, 3}, up[] = {0, 1, 3, 4}, down[] = {0, -1, 2, -3};
  for (int shape = 0; shape < 2; shape++)
    for (int sense = 0; sense < 2; sense++) {
      br_signal *s = NULL;
      const double *u = sense ? up : down, way = sense ? 4 : 9;
      assert_int_equal(
          br_signal_from_samples(4, t, u, shape ? BR_SIGNAL_PCHIP : BR_SIGNAL_LINEAR, 0, &s, NULL), BR_OK);
      assert_true(br_signal_normalised(s, way) == u[3] && br_signal_normalised(s, 2 * way) == u[3]);
      assert_true(br_signal_normalised(s, -way) == 0);
      br_signal_destroy(s);
    }
}

static void pchip_is_monotone_and_smooth(void **state)
{
  (void)state;
  const double t[] = {0, 1, 1.5, 3, 4, 6}, u[] = {0, 2, 2.1, 2.1, 5, 4};
  br_signal *s = NULL;
  assert_int_equal(br_signal_from_samples(6, t, u, BR_SIGNAL_PCHIP, 0, &s, NULL), BR_OK);
  for (size_t i = 0; i < 6; i++) assert_true(br_signal_value(s, t[i]) == u[i]);
  double last = 0.0;
  for (int k = 1; k <= 4000; k++) {
    const double x = 4.0 * k / 4000, v = br_signal_value(s, x);
    assert_true(v >= last && v <= 5.0);
    last = v;
  }
  assert_true(br_signal_rate(s, 4.0, 1) == 0.0); /* the reversal is at the sample */
  for (size_t i = 1; i < 5; i++) {
    assert_true(fabs(br_signal_rate(s, t[i] - 1e-9, 1) - br_signal_rate(s, t[i] + 1e-9, 1)) < 1e-7);
  }
  assert_true(br_signal_next_corner(s, 3.5) == 4.0);
  /* interior rate at t = 1: harmonic mean of slopes 2 and 0.2, weights 2*0.5+1 and 0.5+2 */
  assert_true(fabs(br_signal_rate(s, 1.0, 1) - 4.5 / (2.0 / 2.0 + 2.5 / 0.2)) < 1e-14);
  br_signal_destroy(s);
}

/* Samples from crowds to deserts, asked in order and at random: the place is the one that counting from the
 * front finds. */
static void samples_are_found_wherever_they_are(void **state)
{
  enum { MOST = 300 };
  (void)state;
  for (int k = 0; k < 200; k++) {
    double t[MOST], u[MOST];
    const size_t n = k < 4 ? (size_t)k + 2 : (size_t)uniform(2, MOST);
    t[0] = uniform(-5, 5), u[0] = 0;
    for (size_t i = 1; i < n; i++) {
      t[i] = t[i - 1] + exp(uniform(k % 3 ? -12 : -1, k % 3 ? 3 : -0.9));
      u[i] = u[i - 1] +
             uniform(0.1, 1) * (uniform(0, 1) < (k % 2 ? 0.5 : 0.05) ? -1 : 1); /* few or many reversals */
    }
    br_signal *s = NULL;
    assert_int_equal(br_signal_from_arrays(n, t, u, &s, NULL), BR_OK);
    for (int q = 0; q < 300; q++) {
      const size_t near = (size_t)uniform(0, (double)n);
      const double x = q % 2 ? uniform(t[0] - 1, t[n - 1] + 1) : t[near] + (q % 4 ? 0 : uniform(0, 1e-9));
      size_t i = 0;
      while (i + 2 < n && t[i + 1] <= x) i++;
      const double want = x <= t[0]       ? u[0]
                          : x >= t[n - 1] ? u[n - 1]
                                          : u[i] + (u[i + 1] - u[i]) * ((x - t[i]) / (t[i + 1] - t[i]));
      const double steep = fabs(u[i + 1] - u[i]) / (t[i + 1] - t[i]);
      assert_true(fabs(br_signal_value(s, x) - want) <= 1e-12 * n + steep * 1e-15 * (fabs(x) + fabs(t[0])));
      if (x >= t[0] && x < t[n - 1]) { /* the rate behind a sample is that of its piece */
        const double rate = (u[i + 1] - u[i]) / (t[i + 1] - t[i]);
        assert_true(fabs(br_signal_rate(s, x, 1) - rate) <= 1e-5 * fabs(rate));
      }
      double first = INFINITY; /* every sample bends the line, but for those that lie on it */
      for (size_t c = n; c-- > 0;)
        if (t[c] > x + 1e-13 * (1 + fabs(x))) first = t[c];
      const double corner = br_signal_next_corner(s, x);
      if (fabs(corner - first) > 1e-12 * (1 + fabs(first)) || isinf(corner) != isinf(first))
        fail_msg("of %zu samples: corner behind %.17g is %.17g, not %.17g", n, x, corner, first);
    }
    br_signal_destroy(s);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bimodal_is_the_normalised_input),     cmocka_unit_test(bimodal_with_times),
      cmocka_unit_test(turning_points_of_signals),           cmocka_unit_test(turning_points_of_sequences),
      cmocka_unit_test(walks_through_many_corners),          cmocka_unit_test(pchip_is_monotone_and_smooth),
      cmocka_unit_test(samples_are_found_wherever_they_are), cmocka_unit_test(normalised_comes_to_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
