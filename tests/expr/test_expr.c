/* SPDX-License-Identifier: Apache-2.0
 * test_expr.c - formulas: what they mean, what is refused and where, derivatives, bounds, periods. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "expr/expr.h"
#include "support/near.h"
#include "support/rng.h"

static const double PI = 3.14159265358979323846;

typedef struct {
  double code[1024];
  size_t n;
} tape;

static tape compiled(const char *text, const char *vars)
{
  tape t;
  br_err err = {BR_OK, -1, ""};
  if (br_expr_compile(text, strlen(text), vars, 1024, t.code, &t.n, &err)) fail_msg("%s: %s", text, err.msg);
  assert_true(br_expr_valid(t.code, t.n, BRI_EXPR_VARS));
  return t;
}

static double value(const char *text, double x)
{
  const tape t = compiled(text, "x");
  return br_expr_value(t.code, t.n, &x);
}

static void meaning(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    double x, want;
  } rows[] = {
      {"1 + 2*3", 0, 7},
      {"-2^2", 0, -4},
      {"2^-1", 0, 0.5},
      {"2^3^2", 0, 512},
      {"(1 + 2)*3", 0, 9},
      {"8/4/2", 0, 1},
      {"1 - 2 - 3", 0, -4},
      {"- -x", 2.385, 2.385},
      {".5e1 + 1.5E-1", 0, 5.15},
      {"x < 1 ? 10 : 20", 0.5, 10},
      {"x < 1 ? 10 : x < 2 ? 20 : 30", 1.5, 20},
      {"if(x >= 1, 10, 20)", 1, 10},
      {"if(x > 1, 10, 20)", 1, 20},
      {"if(x <= 1 && x > 0 || x > 5, 1, 2)", 6, 1},
      {"if(!(x < 1), 1, 2)", 3, 1},
      {"(x > 2)*3 + (x < 2)*5", 4, 3},
      {"min(x, 2) + max(x, 2)", 7, 9},
      {"abs(x)*sign(x)", -3.25, -3.25},
      {"sign(0)", 0, 0},
      {"floor(x) + ceil(x)", -1.5, -3},
      {"mod(x, 3)", -1, 2},
      {"mod(x, 0.5)", 1.75, 0.25},
      {"pow(x, 3)", 1.5, 3.375},
      {"log10(1000) + ln(e) + log(e)", 0, 5},
      {"sqrt(x)", 2.25, 1.5},
      {"atan(1)*4 - pi", 0, 0},
      {"asin(1) + acos(1)", 0, 1.57079632679489661923},
      {"cosh(x)^2 - sinh(x)^2", 1.25, 1},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const double got = value(rows[i].text, rows[i].x);
    if (!(fabs(got - rows[i].want) <= 1e-14 * fmax(1, fabs(rows[i].want))))
      fail_msg("%s at %g is %.17g, not %.17g", rows[i].text, rows[i].x, got, rows[i].want);
  }
  const double xy[2] = {2, 5};
  const tape t = compiled("u - 2*v", "u,v");
  near(br_expr_value(t.code, t.n, xy), -8, 0);
}

static void refusals(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    int at;
    const char *says;
  } rows[] = {
      {"2*sni(x)", 2, "unknown name 'sni', did you mean 'sin'?"},
      {"1 + qqqqq", 4, "the variables are x"},
      {"", 0, "ends where"},
      {"1 +", 3, "ends where"},
      {"1 + * 2", 4, "found '*'"},
      {"(1 + 2", 6, "expected ')' for the '(' in column 1"},
      {"1)", 1, "')' without a '('"},
      {"sin", 0, "sin is a function"},
      {"min(1)", 0, "min takes 2 values"},
      {"min(1, 2, 3)", 0, "min takes 2 values"},
      {"sin(1 2)", 6, "expected ',' or ')'"},
      {"1mm*x", 1, "no units"},
      {"x x", 2, "operator"},
      {"x == 1", 2, "<, <=, > and >="},
      {"1 < x < 2", 6, "two comparisons"},
      {"x < 1", 0, "comparison alone"},
      {"if(x, 1, 2)", 3, "condition of if"},
      {"x ? 1 : 2", 0, "needs a comparison"},
      {"x < 1 ? 2", 9, "expected ':'"},
      {"if(x && x < 1, 1, 2)", 3, "joins comparisons"},
      {"!x", 0, "comparison in parentheses"},
      {"1e999", 0, "too large"},
      {"x(1)", 1, "operator"},
      {"nan", 0, "unknown name 'nan'"},
  };
  double code[64];
  size_t n = 0;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    br_err err = {BR_OK, -1, ""};
    const br_status st = br_expr_compile(rows[i].text, strlen(rows[i].text), "x", 64, code, &n, &err);
    if (!st || err.code != st || err.index != rows[i].at || !strstr(err.msg, rows[i].says))
      fail_msg("'%s': status %d at %d '%s', expected at %d '%s'", rows[i].text, (int)st, err.index, err.msg,
               rows[i].at, rows[i].says);
  }
  char deep[400];
  memset(deep, '(', 200), memset(deep + 200, '-', 199), deep[399] = '\0';
  assert_int_equal(br_expr_compile(deep, 399, "x", 64, code, &n, NULL), BR_E_SIZE);
  assert_int_equal(br_expr_compile(deep + 200, 199, "x", 64, code, &n, NULL), BR_E_SIZE);
  assert_int_equal(br_expr_compile("1+1+1+1+1", 9, "x", 6, code, &n, NULL), BR_E_SIZE);
  char wide[4 * 60] = ""; /* 1^(1^(1^...: everything waits */
  for (int i = 0; i < 59; i++) (void)strcpy(wide + 3 * i, "1^(");
  assert_int_equal(br_expr_compile(wide, 177, "x", 64, code, &n, NULL), BR_E_SIZE);
  assert_int_equal(br_expr_compile(NULL, 0, "x", 64, code, &n, NULL), BR_E_ARG);
  const double bad[] = {BRI_OP_ADD}, half[] = {BRI_OP_NUMBER}, far[] = {BRI_OP_VARIABLE, 3}, odd[] = {0.5},
               many[] = {BRI_OP_NUMBER, 1, BRI_OP_NUMBER, 1};
  assert_false(br_expr_valid(bad, 1, 1) || br_expr_valid(half, 1, 1) || br_expr_valid(far, 2, 3) ||
               br_expr_valid(odd, 1, 1) || br_expr_valid(many, 4, 1) || br_expr_valid(NULL, 0, 1));
}

/* f, f', f'' by hand. */
#define CASE(text, lo, hi, f0, f1, f2)                     \
  static double text##_0(double x) { return f0; }          \
  static double text##_1(double x) { return (void)x, f1; } \
  static double text##_2(double x) { return (void)x, f2; }
#include "hand.inc"
#undef CASE

static void derivatives(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    double lo, hi;
    double (*f[3])(double);
  } rows[] = {
#define CASE(text, lo, hi, f0, f1, f2) {#text, lo, hi, {text##_0, text##_1, text##_2}},
#include "hand.inc"
#undef CASE
  };
  static const char *const texts[] = {
#define CASE(text, lo, hi, f0, f1, f2) #f0,
#include "hand.inc"
#undef CASE
  };
  rng r = {0xe4b7u};
  double worst[3] = {0, 0, 0};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char text[200] = ""; /* the C text, with the names of the grammar */
    for (const char *s = texts[i]; *s;) {
      static const char *const from[] = {"fabs", "fmin", "fmax", "PI"}, *const to[] = {"abs", "min", "max",
                                                                                       "pi"};
      size_t k = 0;
      while (k < 4 && strncmp(s, from[k], strlen(from[k])) != 0) k++;
      if (k < 4) strcat(text, to[k]), s += strlen(from[k]);
      else strncat(text, s++, 1);
    }
    const tape t = compiled(text, "x");
    for (int k = 0; k < 400; k++) {
      const double x = rng_range(&r, rows[i].lo, rows[i].hi);
      double j[3];
      br_expr_jet(t.code, t.n, &x, 0, j);
      for (int d = 0; d < 3; d++) {
        const double want = rows[i].f[d](x), off = fabs(j[d] - want) / fmax(1, fabs(want));
        worst[d] = fmax(worst[d], off);
        if (!(off <= 4e-14))
          fail_msg("%s: derivative %d at %.17g is %.17g, not %.17g", text, d, x, j[d], want);
      }
    }
  }
  print_message("largest error of f, f', f'' over %zu formulas: %.2g %.2g %.2g\n",
                sizeof rows / sizeof rows[0], worst[0], worst[1], worst[2]);
}

/* Values and derivatives at points of an interval lie within its bounds. */
static void bounds(void **state)
{
  (void)state;
  static const char *const texts[] = {
      "sin(3*x) + 0.3*cos(7*x)",
      "exp(-x^2)*tanh(4*x)",
      "abs(x - 0.3)*max(x, 0.1) - min(x^2, 0.5)",
      "mod(5*x, 1) + floor(2*x)",
      "if(x < 0.2 || x > 0.7, sin(x), cos(5*x))",
      "(1 + x^2)^0.3/(2 + cosh(x))",
      "atan(10*x) + asin(0.9*sin(x)) - acos(x/3)",
      "log(2 + x)*log10(3 + x)*sqrt(1.5 + x)",
      "x^3 - x^-2 + x^2.5 + 2^x + (2 + x)^x",
      "tan(x) + sinh(x)*sign(x - 0.1)",
      "(x + 3)^-600 + (x - 3)^-601 + x^-4 + (x - 3)^-400 - x^-3",
      "1615^-(100 + x/100) + 20^-tanh(x)^(1/0*x^2)",
  };
  rng r = {77};
  size_t tried = 0;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    const tape t = compiled(texts[i], "x");
    for (int k = 0; k < 3000; k++) {
      const double a = rng_range(&r, -1.2, 1.2), h = pow(10, rng_range(&r, -9, 0)), b = a + h;
      bri_bounds o;
      bri_expr_bounds(t.code, t.n, a, b, &o);
      for (int m = 0; m < 8; m++) {
        const double x = a + h * rng_unit(&r);
        double j[3];
        br_expr_jet(t.code, t.n, &x, 0, j);
        if (isnan(j[0]) || isnan(j[1]) || isnan(j[2])) continue;
        tried++;
        if (j[0] < o.f.lo || j[0] > o.f.hi || j[1] < o.d.lo || j[1] > o.d.hi || j[2] < o.c.lo ||
            j[2] > o.c.hi)
          fail_msg("%s at %.17g in [%.17g, %.17g]: %g %g %g not in [%g %g] [%g %g] [%g %g]", texts[i], x, a,
                   b, j[0], j[1], j[2], o.f.lo, o.f.hi, o.d.lo, o.d.hi, o.c.lo, o.c.hi);
      }
    }
  }
  assert_true(tried > 150000);
}

static void periods(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    double period;
  } rows[] = {
      {"sin(2*pi*x)", 1},
      {"3 + abs(cos(2*pi*x/4 + 1))", 4},
      {"sin(2*pi*x)*cos(2*pi*3*x/2)", 2},
      {"max(sin(2*pi*x), 0) + mod(x, 1.5)", 3},
      {"tan(-pi*x*2)", 0.5},
      {"mod(3 - x, 2)^2", 2},
      {"sin(2*pi*(x + x) + 1 - x*0)", 0.5},
      {"exp(sin(x))", 2 * 3.14159265358979323846},
      {"if(mod(x, 2) < 1, 1, -1)", 2},
      {"x", 0},
      {"sin(x^2)", 0},
      {"x*sin(x)", 0},
      {"sin(x) + sin(x*sqrt(2))", 0},
      {"1 + 2", 0},
      {"x - floor(x)", 0}, /* is periodic, but that is not seen: mod(x, 1) */
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const tape t = compiled(rows[i].text, "x");
    const double p = bri_expr_period(t.code, t.n);
    if (!(fabs(p - rows[i].period) <= 4e-16 * p))
      fail_msg("%s: period %.17g, expected %.17g", rows[i].text, p, rows[i].period);
  }
}

static void names(void **state)
{
  (void)state;
  const br_expr_name *row = NULL;
  size_t n = 0, functions = 0;
  for (; (row = br_expr_names(n)) != NULL; n++) {
    char text[64];
    functions += row->arity > 0;
    assert_true(row->name[0] && row->doc[0]);
    (void)snprintf(text, sizeof text,
                   row->arity == 0   ? "%s"
                   : row->arity == 1 ? "%s(0.5)"
                                     : "%s(0.5, 2)",
                   row->name);
    if (row->arity < 3) assert_true(isfinite(value(text, 0)));
  }
  assert_true(functions >= 20 && n == functions + 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(meaning),     cmocka_unit_test(refusals),
                                     cmocka_unit_test(derivatives), cmocka_unit_test(bounds),
                                     cmocka_unit_test(periods),     cmocka_unit_test(names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
