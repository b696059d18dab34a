/* SPDX-License-Identifier: Apache-2.0
 * test_integral.c - motions by their rates, v: and a:, against closed forms. */
#include "kit.h"

static void near(const br_signal *s, double t, double u, double tol)
{
  const double x = br_signal_value(s, t);
  if (!(fabs(x - u) <= tol)) fail_msg("at %g: %.17g, not %.17g", t, x, u);
}

/* Straight lines between samples of a velocity are parabolas of the position, of an acceleration cubics. */
static void records(void **state)
{
  FILE *f = fopen("rate.csv", "w");
  assert_non_null(f);
  (void)fputs("t [s],v [mm/s]\n1,0\n2,2000\n4,-2000\n5,0\n", f);
  assert_int_equal(fclose(f), 0);
  br_signal *s = parse("v:csv:rate.csv");
  near(s, 1, 0, 0), near(s, 1.5, 0.25, 1e-15), near(s, 2, 1, 1e-15), near(s, 3, 2, 1e-15);
  near(s, 3.5, 1.75, 1e-15), near(s, 5, 0, 1e-15), near(s, 9, 0, 1e-15);
  assert_true(br_signal_rate(s, 3.5, 1) == -1 && br_signal_curvature(s, 3.5, 1) == -2);
  assert_true(fabs(br_signal_next_corner(s, 2) - 3) < 1e-14); /* it turns where the velocity passes zero */
  assert_true(fabs(br_signal_variation(s, 5) - br_signal_variation(s, 1) - 4) < 1e-14);
  assert_true(br_signal_duration(s) == 5);
  br_signal_destroy(s);
  s = parse("a:pwl:0,0,1,6,2,6");
  near(s, 0.5, 0.125, 1e-15), near(s, 1, 1, 1e-15), near(s, 2, 1 + 3 + 3, 1e-14),
      near(s, 3, 1 + 6 + 12, 1e-13);
  assert_true(fabs(br_signal_rate(s, 2, -1) - 9) < 1e-14);
  br_signal_destroy(s);
  (void)state;
}

static void analytic(void **state)
{
  const double w = 2 * 3.14159265358979323846 * 3;
  br_signal *s = parse("v:sine:2,3,0.4");
  for (int i = 0; i < 50; i++) near(s, 0.13 * i, 2 / w * (cos(0.4) - cos(w * 0.13 * i + 0.4)), 1e-14);
  assert_true(br_signal_period(s) == 1.0 / 3);
  br_signal_destroy(s);
  s = parse("v:sine:2,3,0.4,0.5"); /* a drift */
  for (int i = -9; i < 50; i++)
    near(s, 0.13 * i, 2 / w * (cos(0.4) - cos(w * 0.13 * i + 0.4)) + 0.5 * 0.13 * i, 1e-14);
  assert_true(br_signal_period(s) == 0);
  near(s, 1e6, 2 / w * (cos(0.4) - cos(fmod(w * 1e6, 2 * 3.14159265358979323846) + 0.4)) + 5e5, 1e-6);
  assert_true(fabs(br_signal_normalised(s, br_signal_variation(s, 0.9)) - br_signal_value(s, 0.9)) < 1e-12);
  br_signal_destroy(s);
  s = parse("v:expr:exp(-t)*cos(3*t)");
  for (int i = 0; i < 60; i++) {
    const double t = 0.37 * i;
    near(s, t, (1 + exp(-t) * (3 * sin(3 * t) - cos(3 * t))) / 10, 1e-14);
  }
  assert_true(fabs(br_signal_next_corner(s, 0.5) - 3.14159265358979323846 / 6) < 1e-12);
  br_signal_destroy(s);
  s = parse("v:triangle:1,0.5"); /* comes back every period */
  near(s, 0.5, 0.25, 1e-15), near(s, 1, 0.5, 1e-15), near(s, 2, 0, 1e-15), near(s, 2001, 0.5, 1e-12);
  assert_true(br_signal_period(s) == 2);
  br_signal_destroy(s);
  s = parse("a:step:2,1");
  near(s, 1, 0, 0), near(s, 4, 9, 1e-14), near(s, 1000001, 1e12, 1e-2);
  br_signal_destroy(s);
  s = parse("v:chirp:1,1,5,4");
  double sum = 0;
  br_signal *rate = parse("chirp:1,1,5,4");
  for (int i = 0; i < 40000; i++) sum += br_signal_value(rate, (i + 0.5) * 1e-4) * 1e-4;
  near(s, 4, sum, 3e-8);
  br_signal_destroy(rate), br_signal_destroy(s);
  (void)state;
}

/* A rate that jumps, wherever: a corner of the motion, its velocity on both sides, and none that is not
 * there. */
static void jumps(void **state)
{
  static const struct {
    const char *spec;
    double at, before, behind; /* s, 1/s; acceleration where the spec is one */
  } CASES[] = {{"v:step:1.5,0.5", 0.5, 0, 1.5},
               {"v:step:-2,1", 1, 0, -2},
               {"v:step:3", 0, 0, 3},
               {"v:step:3,-2", -2, 0, 3},
               {"v:expr:if(t<0,1,2)", 0, 1, 2},
               {"v:expr:if(t<0.5,-1,1.5)", 0.5, -1, 1.5},
               {"v:expr:if(t<100,1,2)", 100, 1, 2}, /* where the table of a rate without end stops */
               {"v:expr:if(t<150,1,-2)", 150, 1, -2},
               {"a:step:1.5,0.5", 0.5, 0, 1.5},
               {"a:step:-2,1", 1, 0, -2}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const double at = CASES[i].at;
    br_signal *s = parse(CASES[i].spec);
    double (*const slope)(const br_signal *, double, int) =
        CASES[i].spec[0] == 'a' ? br_signal_curvature : br_signal_rate;
    for (int k = 0; k < 5; k++) { /* from in front of t = 0, too */
      const double corner = br_signal_next_corner(s, at > 0 ? at * (k - 2) / 3 : at - 0.5 * (k + 1));
      if (!(fabs(corner - at) <= 1e-13 * fabs(at) + 1e-15))
        fail_msg("%s: corner %.17g", CASES[i].spec, corner);
    }
    assert_true(isinf(br_signal_next_corner(s, at)) && isinf(br_signal_next_corner(s, at + 9)));
    for (int k = -2; k <= 2; k++)
      for (int side = -1; side <= 1; side += 2) {
        const double t = at + 0.2 * k, got = slope(s, t, side),
                     want = k < 0 || (k == 0 && side < 0) ? CASES[i].before : CASES[i].behind;
        if (!(fabs(got - want) <= 1e-12)) fail_msg("%s: %g at %g from %d", CASES[i].spec, got, t, side);
      }
    br_signal_destroy(s);
  }
}

/* A motion turns where its rate passes zero, in front of t = 0 as behind it, up to rounding. */
static void turns(void **state)
{
  static const struct {
    const char *spec;
    size_t n;
    double at[6];
  } CASES[] = {{"v:expr:abs(t + 1) - 0.5", 3, {-1.5, -1, -0.5}},
               {"v:chirp:1,1,5,4", 4, {-2.5, -2.25, -2, -1.75}}, /* the rate's own turns are corners, too */
               {"v:expr:t^2 - 4", 3, {-2, 0, 2}},
               {"v:pwl:0,1,2,-1", 2, {1, INFINITY}},
               {"v:pwl:-3,1,-1,-1,1,1,2,1", 4, {-2, -1, 0, 1}}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_signal *s = parse(CASES[i].spec);
    double t = -2.75;
    for (size_t k = 0; k < CASES[i].n; k++) {
      t = br_signal_next_corner(s, t);
      if (!(fabs(t - CASES[i].at[k]) <= 1e-9) && !(isinf(t) && isinf(CASES[i].at[k])))
        fail_msg("%s: corner %zu at %.17g, not %g", CASES[i].spec, k + 1, t, CASES[i].at[k]);
    }
    br_signal_destroy(s);
  }
}

static void refused(void **state)
{
  static const char *const SPECS[] = {"v:v:sine:1,1", "v:", "a:nothing:1"};
  const br_signal_need need = {"m", "the motion", 0, 0, 0};
  br_signal *s = NULL;
  br_err err;
  for (size_t i = 0; i < sizeof SPECS / sizeof SPECS[0]; i++) {
    assert_int_not_equal(br_signal_parse(SPECS[i], &s, &err), BR_OK);
    assert_null(s);
  }
  assert_int_equal(br_signal_parse_for("v:sine:1mm,1Hz", &need, &s, &err), BR_E_PARSE);
  assert_non_null(strstr(err.msg, "m/s"));
  assert_int_equal(br_signal_parse_for("v:sine:1mm/s,1Hz", &need, &s, &err), BR_OK);
  br_signal_destroy(s);
  assert_int_equal(br_signal_parse_for("a:ramp:1mm/s^3", &need, &s, &err), BR_OK);
  br_signal_destroy(s);
  (void)state;
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(records), cmocka_unit_test(analytic),
                                     cmocka_unit_test(jumps), cmocka_unit_test(turns),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
