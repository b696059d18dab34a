/* SPDX-License-Identifier: Apache-2.0
 * test_kinds.c - what every kind of input must be: rate and curvature the derivatives of the motion, from
 * both sides of a corner; the path the sum of its ways; the normalised input the motion; times far away; what
 * sums of sines refuse. */
#include "kit.h"

static void put(const char *path, const char *text)
{
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  (void)fputs(text, f);
  assert_int_equal(fclose(f), 0);
}

static const char *const SPECS[] = {"step:1.5,0.5",
                                    "ramp:-2",
                                    "sine:1,0.7,0.4,0.3",
                                    "sine:-1,0.7,-2",
                                    "triangle:-1,0.5",
                                    "chirp:1,0.5,2,3",
                                    "chirp:1,2,0.5,3",
                                    "multisine:sines.csv",
                                    "bimodal:0,1,0.5,1.5",
                                    "bimodal:0,1,0.5,1.5,0.3,0.7,1.5,2",
                                    "turning:0,3,1,2,-1",
                                    "pwl:-3,1,-2,5,-1,2",
                                    "pwl:0.3,1,1,5,2,2,2.5,2,4,-1",
                                    "csv:record.csv",
                                    "smooth:record.csv",
                                    "smooth:three.csv",
                                    "expr:sin(3*t) + abs(t - 1)",
                                    "expr:(t > 1 ? 2 : 1)*t",
                                    "expr:t*abs(t - 1)",
                                    "expr:(t > 1 ? t^3 : t^2)",
                                    "expr:(t < 1 ? t^3 : t^2)",
                                    "trapezoid:1,2,3,0.4",
                                    "trapezoid:-1,0.4,3",
                                    "scurve:1,2,3,9,0.4",
                                    "scurve:-1,0.5,1,5",
                                    "filtered_step:1,0.3,0.2",
                                    "v:triangle:1,0.5",
                                    "v:sine:1,0.7,0.4,0.2",
                                    "v:smooth:record.csv",
                                    "v:pwl:-1,2,0,1,2,-1",
                                    "v:step:1.5,0.5",
                                    "v:step:-2,1",
                                    "a:step:2,0.5",
                                    "a:pwl:0,0,1,6,2,6"};
enum { NSPECS = sizeof SPECS / sizeof SPECS[0] };

static int files(void **state)
{
  (void)state;
  put("record.csv", "t,u\n-1,0\n-0.5,0.2\n0,1\n0.4,2\n1,2.5\n1.5,1\n2,-1\n2.2,-1.2\n3,0\n");
  put("three.csv", "t,u\n0,0\n1,1\n3,0.5\n");
  put("sines.csv", "amplitude,frequency_Hz,phase_rad\n1,0.5,0.3\n0.4,1.5,2\n-0.2,2,0\n");
  return 0;
}

/* Distance from t to the nearest corner. */
static double room(const br_signal *s, double t)
{
  double d = INFINITY, c = br_signal_next_corner(s, t - 1);
  for (int k = 0; k < 100 && c < t + 1; k++, c = br_signal_next_corner(s, c)) d = fmin(d, fabs(c - t));
  return d;
}

static void every_kind_is_here(void **state)
{
  const br_signal_kind *k = NULL;
  (void)state;
  for (size_t i = 0; (k = br_signal_kinds(i)) != NULL; i++) {
    size_t j = 0;
    const size_t n = strlen(k->name);
    while (j < NSPECS && !(strncmp(SPECS[j], k->name, n) == 0 && SPECS[j][n] == ':')) j++;
    if (j == NSPECS) fail_msg("no %s", k->name);
  }
}

static void derivatives(void **state)
{
  (void)state;
  for (size_t i = 0; i < NSPECS; i++) {
    br_signal *s = parse(SPECS[i]);
    int judged = 0;
    for (int k = 0; k < 300; k++) {
      const double t = uniform(-3, 6), h = 1e-6;
      if (room(s, t) < 4 * h) continue;
      const double v = (br_signal_value(s, t + h) - br_signal_value(s, t - h)) / (2 * h),
                   a = (br_signal_rate(s, t + h, 1) - br_signal_rate(s, t - h, 1)) / (2 * h);
      for (int side = -1; side <= 1; side += 2) {
        const double V = br_signal_rate(s, t, side), A = br_signal_curvature(s, t, side);
        if (!(fabs(V - v) <= 1e-7 * (1 + fabs(v))))
          fail_msg("%s: rate %.12g at %.9g, %.12g", SPECS[i], V, t, v);
        if (!(fabs(A - a) <= 1e-6 * (1 + fabs(a))))
          fail_msg("%s: curvature %.12g at %.9g, %.12g", SPECS[i], A, t, a);
      }
      judged++;
    }
    assert_true(judged > 200);
    br_signal_destroy(s);
  }
}

/* At a corner, and at times that are the corner to rounding, each side is what is seen on that side. */
static void sides(void **state)
{
  (void)state;
  for (size_t i = 0; i < NSPECS; i++) {
    br_signal *s = parse(SPECS[i]);
    double c = br_signal_next_corner(s, -3.1);
    for (int k = 0; k < 20 && c < 8; k++, c = br_signal_next_corner(s, c)) {
      const double next = br_signal_next_corner(s, c), h = 1e-7;
      assert_true(next > c);
      for (int side = -1; side <= 1; side += 2) {
        const double beside = c + side * h, v = br_signal_rate(s, beside, side),
                     a = br_signal_curvature(s, beside, side);
        const double V = br_signal_rate(s, c, side), A = br_signal_curvature(s, c, side);
        if (!(fabs(V - v) <= 1e-5 * (1 + fabs(v) + fabs(a))))
          fail_msg("%s: rate %.9g at corner %.9g from %d, beside it %.9g", SPECS[i], V, c, side, v);
        if (!(fabs(A - a) <= 1e-4 * (1 + fabs(a))))
          fail_msg("%s: curvature %.9g at corner %.9g from %d, beside it %.9g", SPECS[i], A, c, side, a);
        if (strstr(SPECS[i], "expr") || strncmp(SPECS[i], "v:", 2) == 0 || strncmp(SPECS[i], "a:", 2) == 0)
          continue;
        for (int step = -1; step <= 1; step += 2) { /* the other side of the same time */
          const double t = c + step * DBL_EPSILON * fabs(c), near = br_signal_rate(s, t, side),
                       bent = br_signal_curvature(s, t, side);
          if (!(fabs(near - V) <= 1e-9 * (1 + fabs(V))) || !(fabs(bent - A) <= 1e-9 * (1 + fabs(A))))
            fail_msg("%s: %.9g and %.9g a rounding from corner %.17g, side %d; at it %.9g and %.9g", SPECS[i],
                     near, bent, c, side, V, A);
        }
      }
    }
    br_signal_destroy(s);
  }
}

/* Between corners a motion goes one way: the path is the sum of the ways from corner to corner, before t = 0
 * as behind it. */
static void paths(void **state)
{
  (void)state;
  for (size_t i = 0; i < NSPECS; i++) {
    br_signal *s = parse(SPECS[i]);
    double t = -2.7, sum = 0, before = br_signal_value(s, t);
    const double first = br_signal_variation(s, t);
    assert_true(first <= 0 && fabs(br_signal_variation(s, 0)) <= 1e-14);
    for (int k = 0; k < 400 && t < 6; k++) {
      double next = fmin(br_signal_next_corner(s, t), t + 0.1);
      sum += fabs(br_signal_value(s, next) - before);
      before = br_signal_value(s, next), t = next;
      const double rho = br_signal_variation(s, t) - first;
      if (!(fabs(rho - sum) <= 1e-12 * (1 + sum)))
        fail_msg("%s: path %.15g at %.9g, %.15g", SPECS[i], rho, t, sum);
      const double u = br_signal_normalised(s, br_signal_variation(s, t));
      if (!(fabs(u - before) <= 1e-12 * (1 + fabs(before))))
        fail_msg("%s: normalised %.15g at %.9g, not %.15g", SPECS[i], u, t, before);
    }
    assert_true(br_signal_duration(s) >= 0);
    br_signal_destroy(s);
  }
}

/* Far away, where a period is below the rounding of the time: still a place of the motion, found at once. */
static void far_away(void **state)
{
  (void)state;
  for (size_t i = 0; i < NSPECS; i++) {
    br_signal *s = parse(SPECS[i]);
    const double T = br_signal_period(s);
    double lo = INFINITY, hi = -INFINITY, fast = 0;
    for (int k = 0; k <= 2000 && T > 0; k++) {
      const double t = T * k / 2000;
      lo = fmin(lo, br_signal_value(s, t)), hi = fmax(hi, br_signal_value(s, t));
      fast = fmax(fast, fabs(br_signal_rate(s, t, 1)));
      if (k % 100 == 0)
        assert_true(fabs(br_signal_value(s, t + 7 * T) - br_signal_value(s, t)) <= 1e-13 * (1 + fast));
    }
    for (int k = 17; k < 40 && T > 0; k++)
      for (int back = 0; back < 2; back++) {
        const double t = (back ? -1 : 1) * pow(10, k), u = br_signal_value(s, t), v = br_signal_rate(s, t, 1);
        const double slack = 1e-3 * (hi - lo);
        if (!(u >= lo - slack && u <= hi + slack)) fail_msg("%s: %g at %g", SPECS[i], u, t);
        if (!(fabs(v) <= 1.01 * fast + 1e-9)) fail_msg("%s: rate %g at %g", SPECS[i], v, t);
      }
    br_signal_destroy(s);
  }
  br_signal *s = parse("sine:1,1");
  for (int k = 10; k < 300; k += 7) /* a cycle before a tiny time is the same place */
    assert_true(fabs(br_signal_value(s, -pow(10, -k))) <= 6.3 * pow(10, -k));
  br_signal_destroy(s);
}

/* A (1 - (1 + s) exp(-s)): what is left of the way, to its own precision as long as numbers express it. */
static void filtered_tail(void **state)
{
  br_signal *s = parse("filtered_step:2,0.5,1");
  (void)state;
  for (int k = 1; k < 60; k++) {
    const double x = 0.5 * k, left = 2 - br_signal_value(s, 1 + 0.5 * x);
    assert_true(fabs(left - 2 * (1 + x) * exp(-x)) <= 1e-15);
    assert_true(fabs(br_signal_rate(s, 1 + 0.5 * x, 1) - 4 * x * exp(-x)) <= 1e-14);
  }
  br_signal_destroy(s);
}

/* Names of files may have colons; the force beside a motion is found by itself, and steps of one column leave
 * the other. */
static void files_of_records(void **state)
{
  static const char BOTH[] = "t_s,x_m,F_N\n0,1,5\n1,2,6\n2,4,9\n";
  const br_signal_need way = {"m", "the motion", 0, 0, 0}, force = {"N", "the force", 0, 0, 0};
  static const struct {
    const char *motion, *text;
    double x, F; /* at t = 1 */
  } CASES[] = {{"csv:both.csv", "auto", 2, 6},
               {"csv:both.csv", "F", 2, 6},
               {"csv:both.csv:t,x", "auto", 2, 6},
               {"csv:a:b.csv", "auto", 2, 6},
               {"csv:a:b.csv:t,x", "F", 2, 6},
               {"csv:a:b.csv:x", "csv:both.csv:t,F", 2, 6},
               {"smooth:both.csv", "auto", 2, 6},
               {"csv:both.csv|offset:3", "auto", 5, 6}, /* a number alone is for the motion */
               {"csv:both.csv|scale:2", "F", 4, 6},
               {"csv:both.csv|offset:3N", "F", 2, 9}};
  (void)state;
  put("both.csv", BOTH), put("a:b.csv", BOTH);
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_signal *x = NULL, *F = NULL;
    br_err err = {BR_OK, -1, ""};
    if (strstr(CASES[i].motion, "3N") == NULL && br_signal_parse_for(CASES[i].motion, &way, &x, &err))
      fail_msg("%s: %s", CASES[i].motion, err.msg);
    if (br_signal_beside(CASES[i].motion, &way, CASES[i].text, &force, &F, &err))
      fail_msg("%s beside %s: %s", CASES[i].text, CASES[i].motion, err.msg);
    if (x && !(fabs(br_signal_value(x, 1) - CASES[i].x) < 1e-14))
      fail_msg("%s: %g", CASES[i].motion, br_signal_value(x, 1));
    if (!(fabs(br_signal_value(F, 1) - CASES[i].F) < 1e-14))
      fail_msg("%s beside %s: %g", CASES[i].text, CASES[i].motion, br_signal_value(F, 1));
    br_signal_destroy(x), br_signal_destroy(F);
  }
}

/* At the time of a sample a record has its value, to the last bit, however the samples lie. */
static void samples_are_met(void **state)
{
  enum { N = 200 };
  double t[N], u[N];
  (void)state;
  for (int trial = 0; trial < 60; trial++) {
    br_signal *s = NULL;
    br_err err;
    double at = uniform(-3, 3);
    for (int i = 0; i < N; i++) {
      t[i] = at, u[i] = uniform(-1, 1) * pow(10, (int)uniform(-8, 8));
      at += pow(10, uniform(-6, trial % 4)); /* crowded and far apart */
    }
    for (int shape = 0; shape < 2; shape++) {
      if (br_signal_from_samples(N, t, u, shape ? BR_SIGNAL_PCHIP : BR_SIGNAL_LINEAR, 0, &s, &err))
        fail_msg("%s", err.msg);
      for (int i = 0; i < N; i++)
        if (br_signal_value(s, t[i]) != u[i] && t[i] - t[0] + t[0] == t[i])
          fail_msg("%.17g at sample %d, %.17g", br_signal_value(s, t[i]), i, u[i]);
      br_signal_destroy(s);
    }
  }
}

/* Within a jump behind the table the normalised input goes the jump's way. */
static void within_jumps(void **state)
{
  static const char *const TEXT[] = {"expr:floor(t)", "expr:-floor(t)", "expr:floor(t)*(-1)^floor(t)"};
  (void)state;
  for (int i = 0; i < 3; i++) {
    br_signal *s = parse(TEXT[i]);
    for (double T = 90.5; T < 240; T += 7) {
      const double lo = br_signal_value(s, T), hi = br_signal_value(s, T + 1),
                   rho = br_signal_variation(s, T);
      for (int k = 0; k <= 4; k++) {
        const double u = br_signal_normalised(s, rho + 0.25 * k * fabs(hi - lo));
        if (!(fabs(u - (lo + 0.25 * k * (hi - lo))) <= 1e-9 * fabs(hi)))
          fail_msg("%s: %g of the jump at %g: %.12g", TEXT[i], 0.25 * k, T, u);
      }
    }
    br_signal_destroy(s);
  }
}

static void sums_of_sines(void **state)
{
  enum { MANY = 10001 };
  static double A[MANY], f[MANY], p[MANY];
  static const struct {
    double A, f, p;
    br_status st;
  } CASES[] = {{1, -0.5, 0, BR_E_RANGE},   {1, 2e15, 0, BR_E_RANGE},    {NAN, 1, 0, BR_E_NAN},
               {1, INFINITY, 0, BR_E_NAN}, {1, 1, NAN, BR_E_NAN},       {1, 0, 0.5, BR_OK},
               {-1, 1, 0, BR_OK},          {1e300, 1e15, 0, BR_E_RANGE}};
  br_signal *s = NULL;
  br_err err;
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const double a[2] = {1, CASES[i].A}, g[2] = {1, CASES[i].f}, q[2] = {0, CASES[i].p};
    if (br_signal_from_sines(2, a, g, q, &s, &err) != CASES[i].st) fail_msg("case %zu", i);
    assert_int_equal(s == NULL, CASES[i].st != BR_OK);
    br_signal_destroy(s);
    s = NULL;
  }
  for (int i = 0; i < MANY; i++) A[i] = 1, f[i] = 1;
  assert_int_equal(br_signal_from_sines(MANY, A, f, p, &s, &err), BR_E_SIZE);
  assert_int_equal(br_signal_from_sines(0, A, f, p, &s, &err), BR_E_ARG);
  assert_null(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind_is_here),
                                     cmocka_unit_test(derivatives),
                                     cmocka_unit_test(sides),
                                     cmocka_unit_test(paths),
                                     cmocka_unit_test(far_away),
                                     cmocka_unit_test(filtered_tail),
                                     cmocka_unit_test(files_of_records),
                                     cmocka_unit_test(samples_are_met),
                                     cmocka_unit_test(within_jumps),
                                     cmocka_unit_test(sums_of_sines)};
  return cmocka_run_group_tests(tests, files, NULL);
}
