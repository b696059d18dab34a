/* SPDX-License-Identifier: Apache-2.0
 * test_edges.c - formulas at their edges: texts that are a part of a longer one, tapes with no room to spare,
 * bounds over points and narrow exponents, searches in both directions and with little effort, periods of
 * differences. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bristle/expr.h"
#include "bristle/param.h"
#include "expr/expr.h"
#include "expr/laws.h"

static double code[BR_EXPR_MAX];

static size_t tape(const char *text)
{
  size_t n = 0;
  br_err err = {BR_OK, -1, ""};
  if (br_expr_compile(text, strlen(text), "x,y", BR_EXPR_MAX, code, &n, &err))
    fail_msg("%s: %s", text, err.msg);
  return n;
}

static const char *const TEXTS[] = {"12.5e-3*x + 45",
                                    "x <= 10 ? x*12 : y^20",
                                    "x >= 2 && y < 33 || !(x < y) ? 1 : 2",
                                    "max(abs(x), min(12, sqrt(y)))",
                                    "if(x < 1, exp(-x), 2^(x + 1))",
                                    "-x^-2*pi + mod(y, 12)",
                                    "atan(x)*sin(2*x) - e"};
enum { NTEXTS = sizeof TEXTS / sizeof TEXTS[0] };

/* n characters are the text, whatever stands behind them. */
static void parts_of_texts(void **state)
{
  static double other[BR_EXPR_MAX];
  (void)state;
  for (size_t i = 0; i < NTEXTS; i++)
    for (size_t n = 0; n <= strlen(TEXTS[i]); n++) {
      char copy[80];
      size_t a = 0, b = 0;
      br_err one = {BR_OK, -1, ""}, two = {BR_OK, -1, ""};
      memcpy(copy, TEXTS[i], n), copy[n] = '\0';
      const br_status whole = br_expr_compile(TEXTS[i], n, "x,y", BR_EXPR_MAX, code, &a, &one),
                      part = br_expr_compile(copy, n, "x,y", BR_EXPR_MAX, other, &b, &two);
      if (whole != part || a != b || one.index != two.index || memcmp(code, other, a * sizeof *code) != 0)
        fail_msg("%zu characters of '%s': %d %s, alone %d %s", n, TEXTS[i], (int)whole, one.msg, (int)part,
                 two.msg);
    }
}

/* A tape that fits to the last number is made; nothing is written behind one that is too short. */
static void room_of_tapes(void **state)
{
  (void)state;
  for (size_t i = 0; i < NTEXTS; i++) {
    const size_t n = tape(TEXTS[i]);
    double room[64];
    br_err err = {BR_OK, -1, ""};
    size_t len = 0;
    assert_true(n + 1 < 64);
    for (size_t max = 0; max <= n; max++) {
      for (size_t k = 0; k < 64; k++) room[k] = 77.25;
      const br_status st = br_expr_compile(TEXTS[i], strlen(TEXTS[i]), "x,y", max, room, &len, &err);
      assert_int_equal(st, max < n ? BR_E_SIZE : BR_OK);
      assert_int_equal(len, max < n ? 0 : n);
      for (size_t k = max; k < 64; k++) assert_true(room[k] == 77.25);
    }
    assert_memory_equal(room, code, n * sizeof *room);
    /* and it is valid for as many variables as it names, not for fewer; cut anywhere it is none */
    assert_true(br_expr_valid(code, n, 2) && br_expr_valid(code, n, 3));
    assert_int_equal(br_expr_valid(code, n, 1), strchr(TEXTS[i], 'y') == NULL);
    assert_false(br_expr_valid(code, n, 0));
  }
}

/* Bounds over a single point hold what the formula gives there, rounded as it is. */
static void bounds_of_points(void **state)
{
  char text[80];
  (void)state;
  static const char *const FORMS[] = {"x/%d",        "x*%d/7 - x/3",         "1/(x + %d)/3",
                                      "exp(x/%d)/3", "(x + 0.1)*(x - %d)/3", "sqrt(x)/%d*3"};
  for (size_t f = 0; f < sizeof FORMS / sizeof FORMS[0]; f++)
    for (int k = 1; k <= 120; k++) {
      bri_bounds r;
      (void)snprintf(text, sizeof text, FORMS[f], k);
      const size_t n = tape(text);
      for (int j = 0; j < 3; j++) {
        const double x = j == 0 ? k : j == 1 ? 0.1 * k : 49, y = br_expr_value(code, n, &x);
        bri_expr_bounds(code, n, x, x, &r);
        if (!(y >= r.f.lo && y <= r.f.hi))
          fail_msg("%s at %g: %.17g, not in %.17g to %.17g", text, x, y, r.f.lo, r.f.hi);
      }
    }
  /* an exponent that is a whole number but for its rounding is one, also below 0 */
  for (int k = 1; k <= 120; k++) {
    bri_bounds r;
    (void)snprintf(text, sizeof text, "x^(2*%d/%d)", k, k);
    bri_expr_bounds(code, tape(text), -2, -1, &r);
    if (!(r.f.lo <= 1 && r.f.hi >= 4 && r.f.lo > 0.9 && r.f.hi < 4.1))
      fail_msg("%s: %g to %g", text, r.f.lo, r.f.hi);
    (void)snprintf(text, sizeof text, "x^(%d/%d)", 3 * k, k);
    bri_expr_bounds(code, tape(text), -2, -1, &r);
    if (!(r.f.lo <= -8 && r.f.hi >= -1 && r.f.lo > -8.1 && r.f.hi < -0.9))
      fail_msg("%s: %g to %g", text, r.f.lo, r.f.hi);
  }
}

/* Below 0 whole exponents have values, also where the exponent steps: its jumps are found. */
static void steps_below_zero(void **state)
{
  static const char *const TEXT[] = {"(-1)^floor(x)", "(-2)^ceil(x)", "(-1.5)^floor(2*x)*x",
                                     "(x - 9)^floor(x)"};
  (void)state;
  for (size_t i = 0; i < 4; i++) {
    const size_t n = tape(TEXT[i]);
    bri_bounds r;
    bri_expr_bounds(code, n, 0.2, 3.3, &r);
    for (int k = 0; k <= 60; k++) {
      const double x = 0.2 + 3.1 * k / 60, y = br_expr_value(code, n, &x);
      assert_true(isfinite(y) && y >= r.f.lo && y <= r.f.hi);
    }
    bri_corner c = {0};
    size_t budget = 100000;
    assert_int_equal(bri_expr_corner(code, n, 1, 0.2, 3.3, &budget, &c), 1);
    assert_true(fabs(c.at - (i == 2 ? 0.5 : 1)) < 1e-12 && c.at <= c.after);
  }
  bri_bounds r;
  bri_expr_bounds(code, tape("(-1)^x"), 0.2, 0.7, &r); /* where there is none */
  assert_true(isnan(r.f.lo));
}

static const char *const MIRRORED[][2] = {{"sin(x)", "sin(-x)"},
                                          {"abs(x - 0.7) + x", "abs(-x - 0.7) - x"},
                                          {"abs(x + 0.7) - x^2", "abs(-x + 0.7) - x^2"},
                                          {"x^3 - 3*x", "3*x - x^3"},
                                          {"(x < 0.4 ? 1 : 2)*x", "(-x < 0.4 ? 1 : 2)*(-x)"},
                                          {"exp(x)*cos(4*x)", "exp(-x)*cos(4*x)"},
                                          {"floor(x)", "floor(-x)"}};

/* What is found looking backward is what stands there in the mirror. */
static void both_directions(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof MIRRORED / sizeof MIRRORED[0]; i++)
    for (int back = 0; back < 2; back++) {
      double from = 0.01, seen = 0;
      for (int k = 0; k < 6; k++) {
        bri_corner a = {0}, b = {0};
        size_t one = 100000, two = 100000;
        const int there = bri_expr_corner(code, tape(MIRRORED[i][back]), -1, from, 5, &one, &a),
                  here = bri_expr_corner(code, tape(MIRRORED[i][!back]), 1, from, 5, &two, &b);
        assert_int_equal(there, here);
        if (!here) break;
        if (!(fabs(a.at - b.at) <= 1e-9))
          fail_msg("%s: %.12g, in the mirror %.12g", MIRRORED[i][back], a.at, b.at);
        from = fmax(a.after, b.after) + 1e-9, seen = a.at;
      }
      (void)seen;
    }
}

/* A search that is given little effort says how far it has come: there was no corner so far. */
static void little_effort(void **state)
{
  static const struct {
    const char *text;
    double at;
  } CASES[] = {{"abs(x - 2.3) + 0*sin(40*x)", 2.3},
               {"sin(x) + 1e-3*sin(50*x)", NAN},
               {"max(x^2, exp(x) - 3)", NAN},
               {"abs(sin(x^2)) + x", NAN}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    bri_corner c = {0};
    size_t budget = 1000000;
    const size_t n = tape(CASES[i].text);
    assert_int_equal(bri_expr_corner(code, n, 1, 0.01, 5, &budget, &c), 1);
    const double first = c.at;
    const size_t needed = 1000000 - budget;
    if (!isnan(CASES[i].at)) assert_true(fabs(first - CASES[i].at) < 1e-9);
    int gave_up = 0;
    for (size_t effort = 0; effort <= needed + 2; effort++) {
      budget = effort;
      c = (bri_corner){0};
      const int found = bri_expr_corner(code, n, 1, 0.01, 5, &budget, &c);
      if (effort >= needed) assert_true(found == 1 && c.at == first);
      else assert_true(found == -1 && c.at <= first && c.at >= 0.01);
      gave_up += found < 0;
    }
    assert_true(gave_up > 0);
  }
  size_t budget =
      100000; /* corners beyond all sensible numbers are none; a plain formula costs next to nothing */
  bri_corner c = {0};
  assert_int_equal(bri_expr_corner(code, tape("abs(x - 1e17)"), 1, 0, INFINITY, &budget, &c), 0);
  assert_true(budget > 99000);
}

static void periods(void **state)
{
  static const char *const TEXT[] = {"sin(3*x - x)", "cos(x - 3*x)", "sin(5 - (x - 2*x))", "sin(2*x*3)",
                                     "sin(x*4/2)",   "tan(-x)",      "sin(x) + x",         "x - cos(x)",
                                     "x*sin(x)",     "mod(x*2, 3)",  "mod(3, x)",          "abs(sin(x))",
                                     "sin(x)^2 - 3"};
  const double pi = acos(-1.0), want[] = {pi, pi, 2 * pi, pi / 3, pi, pi, 0, 0, 0, 1.5, 0, 2 * pi, 2 * pi};
  (void)state;
  for (size_t i = 0; i < sizeof TEXT / sizeof TEXT[0]; i++) {
    const double p = bri_expr_period(code, tape(TEXT[i]));
    if (!(fabs(p - want[i]) <= 1e-15 * want[i])) fail_msg("%s: period %.17g, not %.17g", TEXT[i], p, want[i]);
    for (int k = 0; k < 20 && p > 0; k++) {
      const double x = 0.37 * k - 2, y = x + p;
      assert_true(fabs(br_expr_value(code, tape(TEXT[i]), &x) - br_expr_value(code, tape(TEXT[i]), &y)) <
                  1e-9);
    }
  }
}

/* Within its band a model sticks; from its edge on it slides, as the kernel does. */
static void edge_of_the_band(void **state)
{
  static const char *const SETS[] = {"dv=0.01,Fc=2,Fs=3,sigma2=0", "dv=0.01,g=2,sigma2=0",
                                     "dv=0.01,g_v=0,1,g_F=2,2,sigma2=0"};
  (void)state;
  for (size_t i = 0; i < 3; i++) {
    const br_model *m = br_expr_variant(br_model_find("karnopp"), SETS[i]);
    br_params *p = NULL;
    br_err err = {BR_OK, -1, ""};
    assert_int_equal(br_params_create(m, &p, &err), BR_OK);
    if (br_params_set_list(p, SETS[i], &err) || br_params_finish(p, &err))
      fail_msg("%s: %s", SETS[i], err.msg);
    const double *par = br_params_block(p, "model"), u = 0, none = 0,
                 at[] = {0, 0.0099, nextafter(0.01, 0), 0.01, 0.02};
    for (int k = 0; k < 5; k++)
      for (int side = -1; side <= 1; side += 2) {
        const double v = side * at[k];
        double F = NAN;
        m->force(par, 1, &u, &v, &none, &none, &F);
        assert_true(F == (k < 3 ? 0 : side * 2));
      }
    br_params_destroy(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(parts_of_texts),   cmocka_unit_test(room_of_tapes),
                                     cmocka_unit_test(bounds_of_points), cmocka_unit_test(both_directions),
                                     cmocka_unit_test(little_effort),    cmocka_unit_test(periods),
                                     cmocka_unit_test(edge_of_the_band), cmocka_unit_test(steps_below_zero)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
