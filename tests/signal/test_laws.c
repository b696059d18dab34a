/* SPDX-License-Identifier: Apache-2.0
 * test_laws.c - what must hold for every kind of signal, over fixed and random ones. */
#include "kit.h"

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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laws_of_fixed_signals),
      cmocka_unit_test(laws_of_random_signals),
      cmocka_unit_test(laws_of_random_sums_of_sines),
      cmocka_unit_test(three_forms_of_a_sine_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
