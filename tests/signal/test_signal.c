/* SPDX-License-Identifier: Apache-2.0
 * test_signal.c - what must hold for every kind of signal, over fixed and random ones. */
#define _POSIX_C_SOURCE 200809L
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../src/table/alloc.h"
#include "bristle/signal.h"

static uint64_t seed = 0x2545f4914f6cdd1du;
static double uniform(double a, double b)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return a + (b - a) * (double)(seed >> 11) * 0x1p-53;
}

static br_signal *parse(const char *spec)
{
  br_signal *s = NULL;
  br_err err = {BR_OK, -1, ""};
  if (br_signal_parse(spec, &s, &err)) fail_msg("%s: %s", spec, err.msg);
  return s;
}

/* Path length by brute force: sum of |differences| on a fine grid, corners included. */
static double brute_path(const br_signal *s, double a, double b, int n)
{
  double sum = 0.0, t = a, u = br_signal_value(s, a), corner = br_signal_next_corner(s, a);
  for (int k = 1; k <= n; k++) {
    const double next = a + (b - a) * k / n;
    while (corner < next) {
      const double uc = br_signal_value(s, corner);
      sum += fabs(uc - u);
      u = uc;
      t = corner;
      corner = br_signal_next_corner(s, t);
    }
    const double un = br_signal_value(s, next);
    sum += fabs(un - u);
    u = un;
  }
  return sum;
}

/* The laws, on [0, end]; scale: size of u. */
static void check_laws(const char *name, const br_signal *s, double end, double scale, int jumps)
{
  double last_rho = 0.0;
  const double tol = 1e-12 * scale;
  const double T = br_signal_period(s);
  for (int k = 0; k <= 400; k++) {
    const double t = end * k / 400.0, u = br_signal_value(s, t), rho = br_signal_variation(s, t);
    const double psi = br_signal_normalised(s, rho);
    if (!(fabs(psi - u) <= tol * (1.0 + t / (end + 1)) * 8)) {
      fail_msg("%s: psi(rho(%.17g)) = %.17g, u = %.17g", name, t, psi, u);
    }
    if (k && !(rho >= last_rho - 1e-14 * fabs(rho))) fail_msg("%s: rho falls at t = %.17g", name, t);
    last_rho = rho;
    if (T > 0.0) {
      const double more = br_signal_variation(s, t + T) - rho;
      if (fabs(more - br_signal_path(s)) > 1e-11 * scale + 1e-12 * fabs(rho)) {
        fail_msg("%s: rho(t+T)-rho(t) = %.17g at t = %g, path is %.17g", name, more, t, br_signal_path(s));
      }
      if (fabs(br_signal_value(s, t + T) - u) > 1e-10 * scale) fail_msg("%s: not periodic at %g", name, t);
    }
  }
  assert_true(fabs(br_signal_variation(s, 0.0)) <= tol);
  if (!jumps) { /* between corners u is monotone: a grid that holds all corners misses nothing */
    const double brute = brute_path(s, 0.0, end, 3000), rho = br_signal_variation(s, end);
    if (fabs(brute - rho) > 1e-10 * (rho + scale))
      fail_msg("%s: path %.15g, brute force %.15g", name, rho, brute);
  }
}

/* Rates against differences, away from corners; one-sided rates against one-sided differences at corners. */
static void check_rates(const char *name, const br_signal *s, double end, double fastest)
{
  for (int k = 0; k < 200; k++) {
    const double t = uniform(0.0, end), h = 1e-5 / fastest;
    if (br_signal_next_corner(s, t - 2 * h) < t + 2 * h) continue;
    const double slope = (br_signal_value(s, t + h) - br_signal_value(s, t - h)) / (2 * h);
    const double rate = br_signal_rate(s, t, 1);
    if (fabs(slope - rate) > 1e-5 * (fabs(rate) + fastest))
      fail_msg("%s: u'(%.9g) = %g, slope %g", name, t, rate, slope);
    assert_true(br_signal_rate(s, t, -1) == rate);
  }
  double t = -1e-9;
  for (int k = 0; k < 20; k++) {
    t = br_signal_next_corner(s, t);
    if (!(t < end)) break;
    const double h = 1e-6 / fastest;
    const double right = (br_signal_value(s, t + h) - br_signal_value(s, t)) / h;
    const double left = (br_signal_value(s, t) - br_signal_value(s, t - h)) / h;
    if (fabs(right - br_signal_rate(s, t, 1)) > 1e-3 * (fabs(right) + fastest) ||
        fabs(left - br_signal_rate(s, t, -1)) > 1e-3 * (fabs(left) + fastest)) {
      fail_msg("%s: at corner %.12g rates %g, %g, slopes %g, %g", name, t, br_signal_rate(s, t, -1),
               br_signal_rate(s, t, 1), left, right);
    }
  }
}

/* Corners against brute force: sign changes of the difference on a fine grid, bracketed by one grid step. */
static void check_corners(const char *name, const br_signal *s, double end, int n)
{
  size_t brute = 0, found = 0;
  const double h = end / n;
  int dir = 0;
  double extreme = br_signal_next_corner(s, 0.0);
  for (int k = 0; k < n; k++) {
    const double d = br_signal_value(s, (k + 1) * h) - br_signal_value(s, k * h);
    const int now = (d > 0) - (d < 0);
    if (now && dir && now != dir) brute++;
    if (now) dir = now;
  }
  dir = 0;
  double t = 0.0, u = br_signal_value(s, 0.0);
  while (extreme < end) { /* corners that turn, found by the signal itself */
    const double ue = br_signal_value(s, extreme);
    const int now = (ue > u) - (ue < u);
    if (now && dir && now != dir) found++;
    if (now) dir = now;
    if (!(extreme > t)) fail_msg("%s: corner %.17g does not come after %.17g", name, extreme, t);
    t = extreme;
    u = ue;
    extreme = br_signal_next_corner(s, t);
  }
  const double ue = br_signal_value(s, end);
  const int now = (ue > u) - (ue < u);
  if (now && dir && now != dir) found++;
  if (found != brute) fail_msg("%s: %zu reversals in [0, %g], brute force %zu", name, found, end, brute);
}

static void laws_of_fixed_signals(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    double end, scale, fastest;
    int jumps;
  } CASES[] = {
      {"sine:2.385,0.7", 6.3, 3, 11, 0},
      {"sine:-1.7,3.1,0.4,0.9", 2.0, 3, 34, 0},
      {"sine:1,1,90deg", 5.0, 1, 7, 0},
      {"sine:1,1,-200,5", 5.0, 6, 7, 0},
      {"triangle:1.3,0.37", 9.0, 2, 2, 0},
      {"triangle:-1.3,0.37", 9.0, 2, 2, 0},
      {"chirp:1.1,0.2,5,7", 9.0, 2, 40, 0},
      {"chirp:1.1,5,0.2,7", 11.0, 2, 40, 0},
      {"chirp:2,0,3,4", 6.0, 2, 40, 0},
      {"chirp:2,3,0,4", 9.0, 2, 40, 0},
      {"bimodal:0,1,0.5,1.5", 9.1, 2, 1, 0},
      {"turning:0,1,0.5,0.7,-3,2", 25.0, 3, 1, 0},
      {"turning:0,1,2,1,0", 11.0, 3, 1, 0},
      {"pwl:0,0,1,1,2,1,3,-2.5", 4.0, 3, 4, 0},
      {"pwl:-1,5,0.5,1,2,1.5,3,-2.5", 4.0, 5, 4, 0},
      {"pwl:0.5,2,0.75,3", 2.0, 3, 4, 0},
      {"step:3", 2.0, 3, 1, 1},
      {"step:-3,0.5", 2.0, 3, 1, 1},
      {"ramp:-0.3", 4.0, 2, 1, 0},
      {"pwl:1,2", 3.0, 2, 1, 0},
      {"trapezoid:2,0.7,1.3", 5.0, 2, 2, 0},
      {"trapezoid:-2,7,1.3,0.4", 5.0, 2, 2, 0},
      {"scurve:2,0.7,1.3,9", 5.0, 2, 2, 0},
      {"scurve:-0.01,0.7,1.3,9,0.4", 2.0, 1, 1, 0},
      {"filtered_step:1.3,0.2,0.5", 9.0, 2, 3, 0},
  };
  for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; k++) {
    br_signal *s = parse(CASES[k].spec);
    check_laws(CASES[k].spec, s, CASES[k].end, CASES[k].scale, CASES[k].jumps);
    if (!CASES[k].jumps) {
      check_rates(CASES[k].spec, s, CASES[k].end, CASES[k].fastest);
      check_corners(CASES[k].spec, s, CASES[k].end, 7919);
    }
    br_signal_destroy(s);
  }
}

static void laws_of_random_signals(void **state)
{
  (void)state;
  for (int round = 0; round < 40; round++) {
    double t[60], u[60] = {0};
    const size_t n = 3 + (size_t)uniform(0, 57);
    t[0] = uniform(-1, 1);
    for (size_t i = 0; i < n; i++) {
      if (i) t[i] = t[i - 1] + uniform(0.05, 1.0);
      u[i] = i && uniform(0, 1) < 0.2 ? u[i - 1] : uniform(-2, 2);
    }
    char name[64];
    for (int form = 0; form < 5; form++) {
      br_signal *s = NULL;
      br_err err = {BR_OK, -1, ""};
      br_status st = BR_OK;
      (void)snprintf(name, sizeof name, "round %d form %d", round, form);
      if (form < 4) {
        const double keep = u[n - 1];
        if (form & 2) u[n - 1] = u[0];
        st = br_signal_from_samples(n, t, u, form & 1 ? BR_SIGNAL_PCHIP : BR_SIGNAL_LINEAR, (form & 2) != 0,
                                    &s, &err);
        u[n - 1] = keep;
      } else {
        st = br_signal_from_turning(n, u, 1.0, &s, &err);
      }
      if (st) fail_msg("%s: %s", name, err.msg);
      const double end = form == 4 ? 1.3 * br_signal_period(s) : t[n - 1] + 3.0;
      check_laws(name, s, end, 2.0, 0);
      check_rates(name, s, end, 200.0);
      br_signal_destroy(s);
    }
  }
}

static void laws_of_random_sums_of_sines(void **state)
{
  (void)state;
  for (int round = 0; round < 30; round++) {
    double a[8], f[8], p[8];
    const size_t n = 1 + (size_t)uniform(0, 7);
    const int periodic = round % 3 != 0;
    const double base = uniform(0.05, 0.4);
    double fastest = 0.0, slowest = 1e9;
    for (size_t i = 0; i < n; i++) {
      a[i] = uniform(-1, 1);
      f[i] = periodic ? base * (1.0 + floor(uniform(0, 12))) : uniform(0.1, 3.0);
      p[i] = round % 4 == 1 ? acos(-1.0) / 2 : uniform(-10, 10);
      fastest += fabs(a[i]) * f[i] * 6.3;
      slowest = fmin(slowest, f[i]);
    }
    char name[64];
    (void)snprintf(name, sizeof name, "sines round %d", round);
    br_signal *s = NULL;
    br_err err = {BR_OK, -1, ""};
    if (br_signal_from_sines(n, a, f, p, &s, &err)) fail_msg("%s", err.msg);
    assert_true((br_signal_period(s) > 0.0) == (periodic || n == 1));
    const double end = 7.7 / slowest;
    double direct = 0.0;
    for (size_t i = 0; i < n; i++) direct += a[i] * sin(2 * acos(-1.0) * f[i] * end + p[i]);
    assert_true(fabs(direct - br_signal_value(s, end)) < 1e-11);
    check_laws(name, s, end, (double)n, 0);
    check_rates(name, s, end, fastest + 1.0);
    check_corners(name, s, end, 40009);
    if (!periodic && n > 1) { /* beyond the table the walk must agree with it */
      const double far = 33.0 / slowest, u = br_signal_value(s, far), rho = br_signal_variation(s, far);
      assert_true(fabs(br_signal_normalised(s, rho) - u) < 1e-9);
      const double near = 29.9 / slowest;
      const double brute = brute_path(s, near, far, 200);
      if (fabs(rho - br_signal_variation(s, near) - brute) > 1e-9)
        fail_msg("%s: walk and table disagree", name);
      const double before = br_signal_variation(s, -1.3 / slowest);
      assert_true(before < 0.0);
      assert_true(fabs(br_signal_normalised(s, before) - br_signal_value(s, -1.3 / slowest)) < 1e-9);
    }
    br_signal_destroy(s);
  }
}

/* A single sine is also a sum of one sine and, sampled, a record: three roads to the same numbers. */
static void three_forms_of_a_sine_agree(void **state)
{
  (void)state;
  const double a = 1.385, f = 0.83, p = 0.6;
  br_signal *one = parse("sine:1.385,0.83,0.6"), *sum = NULL;
  assert_int_equal(br_signal_from_sines(1, &a, &f, &p, &sum, NULL), BR_OK);
  for (int k = -20; k < 200; k++) {
    const double t = 0.0377 * k;
    assert_true(fabs(br_signal_value(one, t) - br_signal_value(sum, t)) < 1e-13);
    assert_true(fabs(br_signal_rate(one, t, 1) - br_signal_rate(sum, t, 1)) < 1e-12);
    assert_true(fabs(br_signal_variation(one, t) - br_signal_variation(sum, t)) < 1e-12);
    assert_true(fabs(br_signal_next_corner(one, t) - br_signal_next_corner(sum, t)) < 1e-13);
  }
  assert_true(br_signal_rate(one, br_signal_next_corner(one, 0.1), 1) == 0.0);
  /* 1e9 cycles on: no digits are lost in the reduction (0.83 t is exact to 1 ulp of 8.3e8) */
  assert_true(fabs(br_signal_value(one, 1e9 / f) - br_signal_value(one, 0.0)) < 1e-5);
  br_signal_destroy(one);
  br_signal_destroy(sum);
}

/* rho_1 .. rho_4 and psi of the minor-loop theory for the input 0, 1, 0.5, 1.5. */
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

static void refuse(const char *spec, br_status code, const char *needle)
{
  br_signal *s = (br_signal *)1;
  br_err err = {BR_OK, -1, ""};
  const br_status st = br_signal_parse(spec, &s, &err);
  if (st != code) fail_msg("'%s': status %d (%s), expected %d", spec, (int)st, err.msg, (int)code);
  assert_null(s);
  if (!strstr(err.msg, needle)) fail_msg("'%s': message '%s' lacks '%s'", spec, err.msg, needle);
}

static void bad_specs_are_explained(void **state)
{
  (void)state;
  refuse("sin:1,2", BR_E_PARSE, "did you mean 'sine'?");
  refuse("qqq:1", BR_E_PARSE, "expected step, ramp");
  refuse("", BR_E_PARSE, "unknown input kind");
  refuse("sine", BR_E_PARSE, "sine:A,f[,phase,offset]");
  refuse("sine:", BR_E_PARSE, "sine:A,f[,phase,offset]");
  refuse("sine:1", BR_E_PARSE, "1 field");
  refuse("sine:1,2,3,4,5", BR_E_PARSE, "5 fields");
  refuse("sine:1,x", BR_E_PARSE, "field 2 (f): 'x' is not a number");
  refuse("sine:1,,2", BR_E_PARSE, "field 2 (f)");
  refuse("sine:1,0", BR_E_RANGE, "f = 0, expected a number > 0");
  refuse("sine:1,-2", BR_E_RANGE, "f = -2");
  refuse("sine:1,1e-320", BR_E_RANGE, "too small");
  refuse("sine:nan,1", BR_E_NAN, "field 1 (A)");
  refuse("sine:1,2s", BR_E_PARSE, "not that of a frequency");
  refuse("sine:1mm,2Hz,0,3s", BR_E_PARSE, "another dimension");
  refuse("sine:1mmm,2Hz", BR_E_PARSE, "unknown unit 'mmm'");
  refuse("triangle:1,-1", BR_E_RANGE, "f = -1");
  refuse("chirp:1,-1,2,3", BR_E_RANGE, "f0 = -1");
  refuse("chirp:1,0,0,3", BR_E_RANGE, "both 0");
  refuse("chirp:1,1,2,0", BR_E_RANGE, "T = 0");
  refuse("bimodal:0,1,1.5,2", BR_E_RANGE, "umin1 <= umin2 < umax1 <= umax2");
  refuse("bimodal:0,1,0,1", BR_E_RANGE, "both pairs are equal");
  refuse("bimodal:0,1,0.5", BR_E_PARSE, "3 fields");
  refuse("turning:1", BR_E_PARSE, "1 field");
  refuse("turning:1,1,1", BR_E_RANGE, "at least two must differ");
  refuse("turning:1e300,1e300,0,1e-300", BR_E_RANGE, "too close");
  refuse("turning:1e308,-1e308", BR_E_RANGE, "finite");
  refuse("pwl:0,1,0,2", BR_E_RANGE, "does not come after");
  refuse("pwl:0,1,2", BR_E_PARSE, "pairs");
  refuse("csv:/nonexistent.csv", BR_E_IO, "/nonexistent.csv");
  br_err err = {BR_OK, -1, ""};
  br_signal *s = NULL;
  assert_int_equal(br_signal_parse(NULL, &s, &err), BR_E_ARG);
  assert_int_equal(br_signal_parse("ramp:1", NULL, &err), BR_E_ARG);
  const double t[] = {0, 1}, u[] = {0, NAN};
  assert_int_equal(br_signal_from_arrays(2, t, u, &s, &err), BR_E_NAN);
  assert_int_equal(br_signal_from_arrays(0, t, u, &s, &err), BR_E_ARG);
  const double open[] = {0, 1};
  assert_int_equal(br_signal_from_samples(2, t, open, BR_SIGNAL_LINEAR, 1, &s, &err), BR_E_RANGE);
  assert_int_equal(br_signal_from_turning(2, open, 0.0, &s, &err), BR_E_RANGE);
  for (size_t k = 0; br_signal_kinds(k); k++) { /* the help's own grammar starts with the kind's name */
    assert_int_equal(
        strncmp(br_signal_kinds(k)->grammar, br_signal_kinds(k)->name, strlen(br_signal_kinds(k)->name)), 0);
  }
}

static void units_in_specs(void **state)
{
  (void)state;
  br_signal *s = parse("sine:0.3mm,2kHz,90deg,1um");
  assert_true(br_signal_period(s) == 1.0 / 2000.0);
  assert_true(fabs(br_signal_value(s, 0.0) - 0.000301) < 1e-19);
  br_signal_destroy(s);
  s = parse("pwl:0ms,0mm,500ms,2mm");
  assert_true(br_signal_value(s, 0.25) == 0.001 && br_signal_duration(s) == 0.5);
  br_signal_destroy(s);
}

static void odd_times_are_harmless(void **state)
{
  (void)state;
  static const char *const SPECS[] = {"sine:1,1", "triangle:1,1", "chirp:1,1,2,3", "bimodal:0,1,0.5,1.5",
                                      "step:1,1", "ramp:1",       "pwl:0,0,1,1"};
  for (size_t k = 0; k < sizeof SPECS / sizeof SPECS[0]; k++) {
    br_signal *s = parse(SPECS[k]);
    assert_true(isnan(br_signal_value(s, NAN)) && isnan(br_signal_rate(s, NAN, 1)));
    assert_true(isnan(br_signal_variation(s, NAN)) && isnan(br_signal_normalised(s, NAN)));
    (void)br_signal_value(s, INFINITY);
    (void)br_signal_rate(s, -INFINITY, 1);
    (void)br_signal_variation(s, INFINITY);
    (void)br_signal_normalised(s, -INFINITY);
    assert_true(br_signal_next_corner(s, INFINITY) == INFINITY);
    (void)br_signal_value(s, 1e300);
    (void)br_signal_next_corner(s, 1e300);
    (void)br_signal_next_corner(s, -1e300);
    br_signal_destroy(s);
  }
  br_signal_destroy(NULL);
  assert_true(isnan(br_signal_value(NULL, 0.0)) && br_signal_period(NULL) == 0.0);
}

static char folder[] = "/tmp/br_signal_XXXXXX";

static void write_file(const char *name, const char *text, char *path, size_t size)
{
  (void)snprintf(path, size, "%s/%s", folder, name);
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static void signals_from_files(void **state)
{
  (void)state;
  char path[128], spec[200];
  assert_non_null(mkdtemp(folder));
  write_file("a.csv", "t_ms,F_N,x_mm\n0,9,0\n500,9,2\n1000,9,1\n", path, sizeof path);
  (void)snprintf(spec, sizeof spec, "csv:%s:t,x", path);
  br_signal *s = parse(spec);
  assert_true(br_signal_value(s, 0.25) == 0.001 && br_signal_duration(s) == 1.0 &&
              br_signal_period(s) == 0.0);
  br_signal_destroy(s);
  (void)snprintf(spec, sizeof spec, "csv:%s:1,3", path);
  s = parse(spec);
  assert_true(br_signal_value(s, 0.75) == 0.0015);
  br_signal_destroy(s);
  (void)snprintf(spec, sizeof spec, "csv:%s", path);
  s = parse(spec);
  assert_true(br_signal_value(s, 0.25) == 9.0);
  br_signal_destroy(s);
  (void)snprintf(spec, sizeof spec, "csv:%s:t,xx", path);
  refuse(spec, BR_E_NAME, "did you mean 'x'?");
  write_file("a.csv", "u\n0\n1\n0.5\n1.5\n", path, sizeof path);
  (void)snprintf(spec, sizeof spec, "csv:%s", path);
  s = parse(spec);
  assert_true(br_signal_period(s) == 4.0);
  br_signal_destroy(s);
  write_file("a.csv", "t,u\n0,0\n1,\n2,3\n", path, sizeof path);
  refuse(spec, BR_E_NAN, "sample 1");
  write_file("a.csv", "t,u\n0,0\n1,1\n1,3\n", path, sizeof path);
  refuse(spec, BR_E_RANGE, "does not come after");
  write_file("a.csv", "amplitude,frequency_Hz,phase_rad\n1,1,0\n0.5,2,1\n", path, sizeof path);
  (void)snprintf(spec, sizeof spec, "multisine:%s", path);
  s = parse(spec);
  assert_true(fabs(br_signal_value(s, 0.0) - 0.5 * sin(1.0)) < 1e-15 && br_signal_period(s) == 1.0);
  br_signal_destroy(s);
  write_file("a.csv", "1,1,0\n0.5,1.41421356237,1\n", path, sizeof path);
  s = parse(spec);
  assert_true(br_signal_period(s) == 0.0);
  br_signal_destroy(s);
  write_file("a.csv", "amplitud,frequency_Hz,phase_rad\n1,1,0\n", path, sizeof path);
  refuse(spec, BR_E_NAME, "'amplitud'");

#ifdef BR_TESTING
  static const char *const SPECS[] = {"sine:1,1", "turning:0,1,2", "pwl:0,0,1,1", "triangle:1,1"};
  write_file("a.csv", "amplitude,frequency_Hz,phase_rad\n1,1,0\n0.5,2,1\n", path, sizeof path);
  const long live = bri_alloc_live();
  for (size_t k = 0; k < 6; k++) { /* every allocation may fail: no crash, no leak, the right code */
    const char *text = k < 4 ? SPECS[k] : k == 4 ? spec : "csv:";
    char csv[200];
    if (k == 5) {
      (void)snprintf(csv, sizeof csv, "csv:%s:2,1", path);
      text = csv;
    }
    int done = 0;
    for (long n = 0; n < 200 && !done; n++) {
      br_signal *out = NULL;
      bri_alloc_fail_after(n);
      const br_status st = br_signal_parse(text, &out, NULL);
      bri_alloc_fail_after(-1);
      done = st == BR_OK;
      if (!done) assert_true(st == BR_E_NOMEM && out == NULL);
      br_signal_destroy(out);
      assert_int_equal(bri_alloc_live(), live);
    }
    assert_true(done);
  }
#else
  print_message("SKIP: library built without BR_TESTING\n");
#endif
  remove(path);
  assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laws_of_fixed_signals),
      cmocka_unit_test(laws_of_random_signals),
      cmocka_unit_test(laws_of_random_sums_of_sines),
      cmocka_unit_test(three_forms_of_a_sine_agree),
      cmocka_unit_test(bimodal_is_the_normalised_input),
      cmocka_unit_test(turning_points_of_signals),
      cmocka_unit_test(turning_points_of_sequences),
      cmocka_unit_test(walks_through_many_corners),
      cmocka_unit_test(pchip_is_monotone_and_smooth),
      cmocka_unit_test(bad_specs_are_explained),
      cmocka_unit_test(units_in_specs),
      cmocka_unit_test(odd_times_are_harmless),
      cmocka_unit_test(signals_from_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
