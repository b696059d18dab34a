/* SPDX-License-Identifier: Apache-2.0
 * test_limits.c - formulas at their limits: the stack, foreign tapes, text length, ends of intervals, corners
 * that are hard to find. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/expr.h"

enum { ROOM = 4096 };
static double code[ROOM];

static br_status compile(const char *text, size_t *n, br_err *err)
{
  return br_expr_compile(text, strlen(text), "x", ROOM, code, n, err);
}

static size_t must(const char *text)
{
  size_t n = 0;
  br_err err = {BR_OK, -1, ""};
  if (compile(text, &n, &err)) fail_msg("%s: %s", text, err.msg);
  return n;
}

static double value(const char *text, double x)
{
  const size_t n = must(text);
  return br_expr_value(code, n, &x);
}

/* 1+1*(1+1*(...: two numbers wait at every level.  48 may; every machine that walks the tape holds them. */
static void stack(void **state)
{
  char text[512] = "";
  br_err err = {BR_OK, -1, ""};
  size_t n = 0;
  for (int i = 0; i < 23; i++) (void)strcat(text, "1+1*(");
  const size_t open = strlen(text);
  (void)strcat(text, "1+x");
  for (int i = 0; i < 23; i++) (void)strcat(text, ")");
  n = must(text); /* 2*23 + 2 numbers */
  const double x = 0.5;
  double j[3];
  bri_bounds b;
  assert_true(br_expr_value(code, n, &x) == 24.5);
  br_expr_jet(code, n, &x, 0, j);
  assert_true(j[0] == 24.5 && j[1] == 1 && j[2] == 0);
  bri_expr_bounds(code, n, 0, 1, &b);
  assert_true(b.f.lo <= 24 && b.f.lo > 23.9 && b.f.hi >= 25 && b.f.hi < 25.1);
  assert_true(bri_expr_period(code, n) == 0);
  assert_true(br_expr_valid(code, n, 1));
  (void)strcpy(text + open, "1+1*x");
  for (int i = 0; i < 23; i++) (void)strcat(text, ")");
  assert_int_equal(compile(text, &n, &err), BR_E_SIZE); /* 49 numbers */
  assert_non_null(strstr(err.msg, "waiting"));
}

static void foreign_tapes(void **state)
{
  double tape[256];
  for (int waiting = 47; waiting <= 49; waiting++) {
    size_t n = 0;
    for (int i = 0; i < waiting; i++) tape[n++] = BRI_OP_NUMBER, tape[n++] = 1;
    for (int i = 1; i < waiting; i++) tape[n++] = BRI_OP_ADD;
    assert_int_equal(br_expr_valid(tape, n, 1), waiting <= BRI_EXPR_STACK);
  }
  /* behind a good beginning: an operation that does not exist, a broken one, one that lacks its operand */
  const double far[] = {BRI_OP_NUMBER, 1, BRI_OP_COUNT}, less[] = {BRI_OP_NUMBER, 1, -1},
               half[] = {BRI_OP_NUMBER, 1, BRI_OP_NEG + 0.5}, odd[] = {BRI_OP_NUMBER, 1, NAN},
               lack[] = {BRI_OP_NUMBER, 1, BRI_OP_ADD, BRI_OP_NUMBER, 1, BRI_OP_NUMBER, 1, BRI_OP_ADD},
               huge[] = {BRI_OP_NUMBER, INFINITY}, part[] = {BRI_OP_VARIABLE, 0.5},
               below[] = {BRI_OP_VARIABLE, -1}, good[] = {BRI_OP_NUMBER, 1, BRI_OP_NEG};
  assert_true(br_expr_valid(good, 3, 1));
  assert_false(br_expr_valid(far, 3, 1) || br_expr_valid(less, 3, 1) || br_expr_valid(half, 3, 1) ||
               br_expr_valid(odd, 3, 1) || br_expr_valid(lack, 8, 1) || br_expr_valid(huge, 2, 1) ||
               br_expr_valid(part, 2, 1) || br_expr_valid(below, 2, 1));
}

static void text_length(void **state)
{
  static char text[BR_EXPR_MAX_TEXT + 2];
  br_err err = {BR_OK, -1, ""};
  size_t n = 0;
  memset(text, ' ', sizeof text - 1);
  text[0] = '7';
  assert_int_equal(br_expr_compile(text, BR_EXPR_MAX_TEXT, "x", ROOM, code, &n, &err), BR_OK);
  assert_int_equal(br_expr_compile(text, BR_EXPR_MAX_TEXT + 1, "x", ROOM, code, &n, &err), BR_E_SIZE);
  assert_true(n == 0 && strstr(err.msg, "4097"));
}

static void grammar(void **state)
{
  static const char *const WRONG[] = {
      "if(x < 1 && x, 1, 2)", "if(x < 1 || 3, 1, 2)", "+", "1 < ", "1 < 2 < 3",
      "min(1, 2, 3)",         "min(1, 2, 3, 4, ",     "-", "2^",   "!"};
  size_t n = 0;
  br_err err = {BR_OK, -1, ""};
  for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
    if (compile(WRONG[i], &n, &err) != BR_E_PARSE) fail_msg("%s is taken", WRONG[i]);
    assert_int_equal(n, 0);
  }
  assert_int_equal(compile("if(x < 1 && x, 1, 2)", &n, &err), BR_E_PARSE);
  assert_non_null(strstr(err.msg, "joins comparisons"));
  assert_int_equal(compile("min(1, 2, 3, 4, !", &n, &err), BR_E_PARSE);
  assert_non_null(strstr(err.msg, "min takes 2"));
  assert_true(value("+x", 3) == 3 && value("2*+x", 3) == 6 && value("1 - +x", 3) == -2);
}

typedef struct {
  const char *text;
  double a, b, lo, hi; /* f over [a, b]; lo NaN: no value anywhere */
} stretch;

/* Bounds are those of the function, to a few roundings: neither too narrow nor wider than needed. */
static void intervals(void **state)
{
  static const stretch ROWS[] = {
      {"acos(x)", 1.5, 2, NAN, NAN},
      {"acos(x)", -3, -1.5, NAN, NAN},
      {"acos(x)", -2, 2, 0, 3.14159265358979},
      {"asin(x)", 1.5, 2, NAN, NAN},
      {"asin(x)", -3, 3, -1.5707963267949, 1.5707963267949},
      {"log(x)", -2, -1, NAN, NAN},
      {"sqrt(x)", -2, 4, 0, 2},
      {"sqrt(x)", -2, -1, NAN, NAN},
      {"x^0", -2, 2, 1, 1},
      {"x^2", -3, -2, 4, 9},
      {"x^2", -3, 2, 0, 9},
      {"x^3", -3, 2, -27, 8},
      {"x^-2", -3, -2, 1. / 9, 0.25},
      {"x^-1", -3, -2, -0.5, -1. / 3},
      {"x^2.5", -3, -2, NAN, NAN},
      {"x^0.5", -3, 4, 0, 2},
      {"(0*x)^(x)", 1, 2, 0, 0},
      {"(0*x)^(x)", -2, -1, INFINITY, INFINITY},
      {"(x)^(x)", -1, 1, -INFINITY, INFINITY},
      {"1/x", -1, 1, -INFINITY, INFINITY},
      {"1/x", 0, 2, 0.5, INFINITY},
      {"1/x", -2, 0, -INFINITY, -0.5},
      {"1/(0*x)", 1, 2, INFINITY, INFINITY},
      {"-1/(0*x)", 1, 2, -INFINITY, -INFINITY},
      {"(0*x)/(0*x)", 1, 2, NAN, NAN},
      {"(x - 1.5)/(0*x)", 1, 2, -INFINITY, INFINITY},
      {"sin(x)", 1, 2, 0.841470984807897, 1},
      {"sin(x)", 2, 4, -0.756802495307928, 0.909297426825682},
      {"sin(x)", 4, 5, -1, -0.756802495307928},
      {"cos(x)", -1, 1, 0.54030230586814, 1},
      {"cos(x)", 3, 4, -1, -0.653643620863612},
      {"cos(x)", 0.5, 1, 0.54030230586814, 0.877582561890373},
      {"tan(x)", 1, 2, -INFINITY, INFINITY},
      {"tan(x)", -1, 1, -1.5574077246549, 1.5574077246549},
      {"cosh(x)", -1, 2, 1, 3.76219569108363},
      {"cosh(x)", -2, -1, 1.54308063481524, 3.76219569108363},
      {"abs(x)", -2, -1, 1, 2},
      {"abs(x)", 1, 2, 1, 2},
      {"max(x, sqrt(x))", -2, -1, NAN, NAN},
      {"if(x < 0, log(x - 9), x)", -2, 2, -2, 2},
      {"if(x < 0, x, log(x - 9))", -2, 2, -2, 2},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    const stretch *r = &ROWS[i];
    const size_t n = must(r->text);
    bri_bounds b;
    bri_expr_bounds(code, n, r->a, r->b, &b);
    const double slack = 1e-12 * (isfinite(r->hi - r->lo) ? 1 + fabs(r->lo) + fabs(r->hi) : 1);
    const int none = isnan(r->lo) && isnan(b.f.lo);
    const int lo = b.f.lo == r->lo || fabs(b.f.lo - r->lo) <= slack;
    const int hi = b.f.hi == r->hi || fabs(b.f.hi - r->hi) <= slack;
    if (!none && !(lo && hi))
      fail_msg("%s over [%g, %g]: [%.17g, %.17g], not [%.17g, %.17g]", r->text, r->a, r->b, b.f.lo, b.f.hi,
               r->lo, r->hi);
  }
}

/* All corners of (a, limit] in order; 0 evaluations left: the place up to which there is none. */
static void corners(void **state)
{
  static const struct {
    const char *text;
    int direction;
    double a, limit, at; /* NaN: none */
  } ROWS[] = {
      {"x^2 - 3*x", 1, 0, 10, 1.5},
      {"x^2 + 3*x", -1, 0, 10, 1.5},
      {"abs(x - 700.25)", 1, 0, 1e4, 700.25},
      {"abs(x - 700.25)", 1, 701, 1e4, NAN},
      {"if(x < 3.7, 1, 2)", 1, 0, 10, 3.7},
      {"floor(x)", 1, 0.5, 10, 1},
      {"log(x - 5)", 1, 0, 4, NAN},
      {"sqrt(x - 5)", 1, 0, 20, NAN},
      {"cos(1e-6*x)", 1, 1, 1e7, 3141592.65358979},
      {"cos(1e5*x)", 1, 1e-9, 1, 3.14159265358979e-5},
      {"1e-9*(x - 2)^2", 1, 0, 10, 2},
      {"exp(-x)*(x - 3)", 1, 0, 10, 4},
      {"3", 1, 0, 1e6, NAN},
      {"exp(x)", 1, 0, 100, NAN},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    const size_t n = must(ROWS[i].text);
    size_t budget = 200000;
    bri_corner c = {NAN, NAN, NAN, 0};
    const int got = bri_expr_corner(code, n, ROWS[i].direction, ROWS[i].a, ROWS[i].limit, &budget, &c);
    if (got != (isnan(ROWS[i].at) ? 0 : 1) || (got && !(fabs(c.at - ROWS[i].at) <= 1e-7 * ROWS[i].at)))
      fail_msg("%s from %g: %d at %.17g, not %.17g", ROWS[i].text, ROWS[i].a, got, c.at, ROWS[i].at);
    assert_true(budget < 200000 && budget > 200000 - 20000); /* searched, and not for ever */
  }
  const size_t n = must("sin(x)*exp(-x/50)");
  size_t budget = 3;
  bri_corner c = {NAN, NAN, NAN, 0};
  assert_int_equal(bri_expr_corner(code, n, 1, 1.6, 1e6, &budget, &c), -1);
  assert_true(budget == 0 && c.at >= 1.6 && c.at < 4.8); /* the next extremum is behind it */
}

/* A jump or a corner has two sides, a rounding apart, each with its own limit; an extremum is one place. */
static void sides(void **state)
{
  static const struct {
    const char *text;
    int direction;
    double a, at;
    double f[2], d[2]; /* value and slope in x, before and after */
  } ROWS[] = {
      {"if(x < 3.7, 1, 2)", 1, 0, 3.7, {1, 2}, {0, 0}},
      {"if(x <= 3.7, 1, 2*x)", 1, 0, 3.7, {1, 7.4}, {0, 2}},
      {"if(x < -3.7, 1, 2)", -1, 0, 3.7, {2, 1}, {0, 0}},
      {"floor(x)", 1, 0.5, 1, {0, 1}, {0, 0}},
      {"floor(x)", -1, 0.5, 1, {-1, -2}, {0, 0}},
      {"mod(x, 2) + 3*x", 1, 0.5, 2, {8, 6}, {4, 4}},
      {"abs(x - 700.25)", 1, 0, 700.25, {0, 0}, {-1, 1}},
      {"abs(x + 700.25)", -1, 0, 700.25, {0, 0}, {1, -1}},
      {"max(2, x)", 1, 0, 2, {2, 2}, {0, 1}},
      {"min(2, 3*x)", 1, 0, 2. / 3, {2, 2}, {3, 0}},
      {"x^2 - 3*x", 1, 0, 1.5, {-2.25, -2.25}, {0, 0}},
      {"sin(2*x)", -1, 0.1, 0.785398163397448, {-1, -1}, {0, 0}},
  };
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    const size_t n = must(ROWS[i].text);
    const int smooth = i >= sizeof ROWS / sizeof *ROWS - 2;
    size_t budget = 200000;
    bri_corner c = {NAN, NAN, NAN, -1};
    assert_int_equal(bri_expr_corner(code, n, ROWS[i].direction, ROWS[i].a, 1e4, &budget, &c), 1);
    const double side[] = {c.before, c.after};
    if (!(c.before <= c.at && c.at <= c.after && c.after - c.before <= 4e-16 * c.at) ||
        !(fabs(c.at - ROWS[i].at) <= 1e-13 * c.at) || c.smooth != smooth || (c.before < c.after) == smooth)
      fail_msg("%s: at %.17g, from %.17g to %.17g, %d", ROWS[i].text, c.at, c.before, c.after, c.smooth);
    for (int k = 0; k < 2; k++) {
      const double x = ROWS[i].direction * side[k];
      double j[3];
      br_expr_jet(code, n, &x, 0, j);
      if (!(fabs(j[0] - ROWS[i].f[k]) <= 1e-12) || !(fabs(j[1] - ROWS[i].d[k]) <= 1e-12))
        fail_msg("%s %s it turns: %.17g, slope %.17g", ROWS[i].text, k ? "after" : "before", j[0], j[1]);
    }
  }
}

static void no_period(void **state)
{
  static const char *const ROWS[] = {"sin(x) + x", "max(x, sin(x))", "sin(x) + log(0)", "mod(x, exp(1000))",
                                     "sin(1/0*x)"};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    const size_t n = must(ROWS[i]);
    if (bri_expr_period(code, n) != 0) fail_msg("%s has period %g", ROWS[i], bri_expr_period(code, n));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stack),   cmocka_unit_test(foreign_tapes), cmocka_unit_test(text_length),
      cmocka_unit_test(grammar), cmocka_unit_test(intervals),     cmocka_unit_test(corners),
      cmocka_unit_test(sides),   cmocka_unit_test(no_period),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
