/* SPDX-License-Identifier: Apache-2.0
 * test_formula.c - inputs given as formulas, against the kinds of which they are formulas and against hand
 * calculation. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../src/base/alloc.h"
#include "bristle/signal.h"
#include "support/near.h"

static const double PI = 3.14159265358979323846;

static br_signal *parse(const char *spec)
{
  br_signal *s = NULL;
  br_err err = {BR_OK, -1, ""};
  if (br_signal_parse(spec, &s, &err)) fail_msg("%s: %s", spec, err.msg);
  return s;
}

typedef struct {
  double u, v, a, corner, rho, psi;
} gaps;

static double more(double a, double b) { return isnan(b) ? INFINITY : fmax(a, b); }

/* Two signals that are the same function, on [from, to]. */
static gaps compare(const char *one, const char *two, double from, double to, double scale)
{
  br_signal *a = parse(one), *b = parse(two);
  gaps g = {0, 0, 0, 0, 0, 0};
  const double omega = 2 * PI / (to - from) * 16;
  if (fabs(br_signal_period(a) - br_signal_period(b)) > 1e-14)
    fail_msg("%s: period %g", two, br_signal_period(b));
  for (int k = 0; k <= 1000; k++) {
    const double t = from + (to - from) * (k + 0.137) / 1001;
    g.u = more(g.u, fabs(br_signal_value(a, t) - br_signal_value(b, t)) / scale);
    g.v = more(g.v, fabs(br_signal_rate(a, t, 1) - br_signal_rate(b, t, 1)) / scale / omega);
    g.a =
        more(g.a, fabs(br_signal_curvature(a, t, 1) - br_signal_curvature(b, t, 1)) / scale / omega / omega);
    const double rho = br_signal_variation(a, t);
    g.rho = more(g.rho, fabs(rho - br_signal_variation(b, t)) / scale);
    g.psi = more(g.psi, fabs(br_signal_normalised(a, rho) - br_signal_normalised(b, rho)) / scale);
  }
  for (double t = from, s = from; t < to && s < to;) {
    t = br_signal_next_corner(a, t);
    s = br_signal_next_corner(b, s);
    if (t > to && s > to) break;
    g.corner = more(g.corner, fabs(t - s) / (to - from));
    for (int side = -1; side <= 1; side += 2)
      g.v = more(g.v, fabs(br_signal_rate(a, t, side) - br_signal_rate(b, s, side)) / scale / omega);
  }
  br_signal_destroy(a);
  br_signal_destroy(b);
  return g;
}

static void against_kinds(void **state)
{
  (void)state;
  static const struct {
    const char *kind, *formula;
    double from, to, scale, tol;
  } rows[] = {
      {"sine:1,1", "expr:sin(2*pi*t)", -1, 7, 1, 1e-13},
      {"sine:1mm,50,0.3,2mm", "expr:2e-3 + 1e-3*sin(100*pi*t + 0.3)", 0, 0.2, 1e-3, 1e-12},
      {"triangle:2,0.5", "expr:4/pi*asin(sin(pi*t))", -1, 9, 2, 1e-3}, /* u' is lost near the tips */
      {"triangle:2,0.5", "expr:abs(mod(2*t + 3, 4) - 2)*2 - 2", -1, 9, 2, 1e-13},
      {"chirp:1,1,5,10", "expr:sin(2*pi*(t + 0.2*t^2))", 0, 9.9, 1, 1e-12},
      {"ramp:0.25", "expr:t/4", -5, 5, 1, 1e-14},
      {"pwl:0,0,1,2,3,-1,4,0", "expr:if(t < 0 || t > 4, 0, t < 1 ? 2*t : t < 3 ? 3.5 - 1.5*t : t - 4)", 0.01,
       5, 2, 1e-13},
      {"step:3,0.5", "expr:if(t < 0.5, 0, 3)", 0, 2, 3, 1e-15},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const gaps g = compare(rows[i].kind, rows[i].formula, rows[i].from, rows[i].to, rows[i].scale);
    const double worst = fmax(fmax(fmax(g.u, g.v), fmax(g.a, g.corner)), fmax(g.rho, g.psi));
    print_message("%-24s u %.1g v %.1g a %.1g corners %.1g rho %.1g psi %.1g\n", rows[i].kind, g.u, g.v, g.a,
                  g.corner, g.rho, g.psi);
    if (!(worst <= rows[i].tol)) fail_msg("%s against %s", rows[i].formula, rows[i].kind);
  }
}

static void reversals(void **state)
{
  (void)state;
  br_signal *s = parse("expr:sin(2*pi*t)");
  double worst = 0, t = 0;
  for (int k = 0; k < 2000; k++) { /* at 0.25, 0.75, ... */
    t = br_signal_next_corner(s, t);
    worst = fmax(worst, fabs(t - (0.25 + 0.5 * k)));
    near(br_signal_rate(s, t, 1), 0, 0);
  }
  print_message("reversals of sin(2 pi t): 2000 located, off by at most %.2g s\n", worst);
  assert_true(worst <= 1e-12);
  br_signal_destroy(s);
  /* without a period: exp(-t/3) sin(5 t) turns where tan(5 t) = 15 */
  s = parse("expr:exp(-t/3)*sin(5*t)");
  t = worst = 0;
  for (int k = 0; k < 300; k++) {
    t = br_signal_next_corner(s, t);
    const double want = (atan(15) + PI * k) / 5;
    worst = fmax(worst, fabs(t - want) / want);
  }
  print_message("300 reversals of exp(-t/3) sin(5 t): off by at most %.2g, relative\n", worst);
  assert_true(worst <= 1e-14);
  br_signal_destroy(s);
}

static void corners(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    double at[6], left[6], right[6];
  } rows[] = {
      {"expr:abs(t - 0.3)", {0.3}, {-1}, {1}},
      {"expr:max(0, min(1, t - 1))", {1, 2}, {0, 1}, {1, 0}},
      {"expr:sign(t - 1)*t", {1}, {-1}, {1}},
      {"expr:t^4", {0}, {0}, {0}}, /* looked for from -1 */
      {"expr:(t - 1)^4 + 5", {1}, {0}, {0}},
      {"expr:sqrt((t - 1)^2)", {1}, {-1}, {1}},
      {"expr:abs(1 - cos(t - 1))", {1, 1 + 3.14159265358979323846}, {0, 0}, {0, 0}},
      {"expr:floor(t) + t", {1, 2, 3}, {1, 1, 1}, {1, 1, 1}},
      {"expr:exp(-abs(t - 2))", {2}, {1}, {-1}},
      {"expr:t < 1 ? t^2 : 2 - t^2", {1}, {2}, {-2}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    br_signal *s = parse(rows[i].spec);
    double t = i == 3 ? -1 : 0.01;
    for (size_t k = 0; k < 6 && (rows[i].at[k] != 0 || k == 0); k++) {
      const double tol = i == 6 || i == 4 ? 1e-4 : 1e-15; /* flat: f' is rounding over a stretch */
      t = br_signal_next_corner(s, t);
      if (!(fabs(t - rows[i].at[k]) <= tol)) fail_msg("%s: corner %zu at %.17g", rows[i].spec, k, t);
      near(br_signal_rate(s, t, -1), rows[i].left[k], i == 5 ? 1e-6 : 1e-12);
      near(br_signal_rate(s, t, 1), rows[i].right[k], i == 5 ? 1e-6 : 1e-12);
    }
    br_signal_destroy(s);
  }
}

/* Odd shapes: no corner, many corners, poles, no value, nothing but rounding. */
static void odd_shapes(void **state)
{
  (void)state;
  static const char *const none[] = {"expr:t^3 + t",    "expr:tanh(t)", "expr:exp(t)",
                                     "expr:3",          "expr:0*t",     "expr:sqrt(t + 1e-9)",
                                     "expr:log(1 + t)", "expr:exp(-t)"};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    br_signal *s = parse(none[i]);
    const double at = br_signal_next_corner(s, 0);
    if (!(at == INFINITY)) fail_msg("%s has a corner at %g", none[i], at);
    br_signal_destroy(s);
  }
  br_signal *s = parse("expr:sin(1e6*t)/1e6 + t/2"); /* turns where cos(1e6 t) = -1/2 */
  double t = 0;
  for (int k = 0; k < 2000; k++) t = br_signal_next_corner(s, t);
  near(t, (999 * 2 * PI + 4 * PI / 3) / 1e6, 1e-16);
  near(br_signal_variation(s, -2e-5), -br_signal_variation(s, 2e-5), 1e-18); /* odd */
  br_signal_destroy(s);
  s = parse("expr:sin(t)^2 + cos(t)^2"); /* 1, to rounding */
  near(br_signal_value(s, 17.3), 1, 1e-15);
  near(br_signal_variation(s, 2), 0, 1e-9);
  br_signal_destroy(s);
  s = parse("expr:1/(1 - t)"); /* a pole: no finite table beyond */
  near(br_signal_value(s, 0.5), 2, 0);
  near(br_signal_variation(s, 0.5), 1, 1e-15);
  br_signal_destroy(s);
  s = parse("expr:1e-3*t*sqrt(t)"); /* starts at rest where its rate has no value: no corner, and a path from
                                       there */
  assert_true(br_signal_next_corner(s, 0) == INFINITY);
  assert_true(br_signal_variation(s, 0) == 0 && fabs(br_signal_variation(s, 1) - 1e-3) < 1e-18);
  assert_true(fabs(br_signal_rate(s, 0, 1)) < 1e-100);
  br_signal_destroy(s);
  s = parse("expr:sqrt(1 - t)"); /* ends at 1 */
  assert_true(isnan(br_signal_value(s, 2)));
  near(br_signal_variation(s, 0.75), 0.5, 1e-15);
  br_signal_destroy(s);
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(br_signal_parse("expr:1/t", &s, &err), BR_E_RANGE);
  assert_non_null(strstr(err.msg, "at t = 0"));
  assert_int_equal(br_signal_parse("expr:if(t > t, 1, t)", &s, &err), BR_E_CONVERGE);
  assert_non_null(strstr(err.msg, "cannot be told from rounding"));
  assert_int_equal(br_signal_parse("expr:sni(t)", &s, &err), BR_E_NAME);
  assert_string_equal(err.msg, "expr:1:1: unknown name 'sni', did you mean 'sin'?");
  assert_int_equal(err.index, 0);
  assert_int_equal(br_signal_parse("expr:", &s, &err), BR_E_PARSE);
}

static void turning(void **state)
{
  (void)state;
  br_signal *s = parse("expr:sin(2*pi*t) + 0.8*sin(6*pi*t)");
  double u[16], t[16];
  size_t n = 0;
  assert_int_equal(br_signal_turning(s, 16, u, t, &n, NULL), BR_OK);
  assert_int_equal(n, 6);
  br_signal *m = NULL;
  const double amplitude[] = {1, 0.8}, frequency[] = {1, 3}, phase[] = {0, 0};
  double um[16], tm[16];
  assert_int_equal(br_signal_from_sines(2, amplitude, frequency, phase, &m, NULL), BR_OK);
  assert_int_equal(br_signal_turning(m, 16, um, tm, &n, NULL), BR_OK);
  assert_int_equal(n, 6);
  for (size_t i = 0; i < n; i++) {
    near(u[i], um[i], 1e-15);
    near(t[i], tm[i], 1e-15);
  }
  near(br_signal_path(s), br_signal_path(m), 1e-14);
  br_signal_destroy(m);
  br_signal_destroy(s);
  s = parse("expr:mod(t, 2)"); /* a saw: rises 2, jumps back */
  assert_int_equal(br_signal_turning(s, 16, u, t, &n, NULL), BR_OK);
  assert_int_equal(n, 2);
  near(br_signal_path(s), 4, 1e-14);
  br_signal_destroy(s);
  s = parse("expr:t");
  assert_int_equal(br_signal_turning(s, 16, u, t, &n, NULL), BR_E_UNSUPPORTED);
  br_signal_destroy(s);
}

static void no_memory(void **state)
{
  (void)state;
  static const char *const specs[] = {"expr:sin(2*pi*t)*mod(t, 3)", "expr:exp(-t)*sin(30*t)"};
  for (size_t i = 0; i < 2; i++) {
    for (long n = 0;; n++) {
      br_signal *s = NULL;
      br_err err = {BR_OK, -1, ""};
      bri_alloc_fail_after(n);
      const br_status st = br_signal_parse(specs[i], &s, &err);
      bri_alloc_fail_after(-1);
      if (!st) {
        br_signal_destroy(s);
        assert_true(n > 3);
        break;
      }
      assert_int_equal(st, BR_E_NOMEM);
      assert_null(s);
      assert_int_equal(bri_alloc_live(), 0);
    }
  }
}

/* Parts that are infinite, or 0^t, do not hide the turn of t - 2^t at log2(1/ln 2). */
static void infinite_parts(void **state)
{
  static const char *const SPEC[] = {"expr:t-2^t", "expr:min(t-2^t,1/0)", "expr:max(t-2^t,-1/0)",
                                     "expr:if(t<1/0,t-2^t,5)", "expr:t-2^t+0^(t+1)"};
  const double t = log(1 / log(2.0)) / log(2.0), high = t - 1 / log(2.0);
  (void)state;
  for (size_t i = 0; i < sizeof SPEC / sizeof SPEC[0]; i++) {
    br_signal *s = parse(SPEC[i]);
    near(br_signal_next_corner(s, 0), t, 1e-12);
    near(br_signal_variation(s, 1), 2 * (high + 1), 1e-14); /* 0.172 */
    br_signal_destroy(s);
  }
  br_signal *s = parse("expr:t-2^t+0^t"); /* jumps from 0 to -1 right behind t = 0 */
  near(br_signal_next_corner(s, 0.1), t, 1e-12);
  near(br_signal_variation(s, 1) - br_signal_variation(s, 0.1), high + 1 + high - (0.1 - pow(2, 0.1)), 1e-12);
  br_signal_destroy(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(against_kinds), cmocka_unit_test(reversals),
                                     cmocka_unit_test(corners),       cmocka_unit_test(odd_shapes),
                                     cmocka_unit_test(turning),       cmocka_unit_test(no_memory),
                                     cmocka_unit_test(infinite_parts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
