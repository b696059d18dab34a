/* SPDX-License-Identifier: Apache-2.0
 * test_oracle.c - random formulas, ours against muParser's values. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bri_config.h"
#include "bristle/expr.h"
#include "support/rng.h"

#if BR_WITH_MUPARSER
#include <muParserDLL.h>

enum { FORMULAS = 20000, POINTS = 5, ROOM = 4000 };

typedef struct {
  char ours[ROOM], theirs[ROOM]; /* the same formula in the two grammars */
} both;

static void add(both *b, const char *ours, const char *theirs)
{
  assert_true(strlen(b->ours) + strlen(ours) < ROOM && strlen(b->theirs) + strlen(theirs) < ROOM);
  strcat(b->ours, ours);
  strcat(b->theirs, theirs);
}
static void same(both *b, const char *s) { add(b, s, s); }

static void formula(rng *r, both *b, int depth)
{
  static const char *const one[] = {"sin", "cos",  "tan", "atan", "tanh",  "sinh", "cosh", "exp",
                                    "abs", "sqrt", "log", "ln",   "log10", "sign", "asin", "acos"};
  static const char *const op[] = {"+", "-", "*", "/", " + ", " - ", "*", "^"};
  const unsigned pick = (unsigned)(rng_next(r) % 12);
  char number[40];
  if (depth == 0 || pick < 2) {
    const unsigned leaf = (unsigned)(rng_next(r) % 8);
    (void)snprintf(number, sizeof number, "%.*g", (int)(1 + rng_next(r) % 17), rng_range(r, 0, 3));
    if (leaf < 4) same(b, "x");
    else if (leaf == 4) add(b, "pi", "my_pi");
    else if (leaf == 5) add(b, "e", "my_e");
    else same(b, number);
  } else if (pick < 5) {
    same(b, one[rng_next(r) % 16]), same(b, "("), formula(r, b, depth - 1), same(b, ")");
  } else if (pick < 8) {
    formula(r, b, depth - 1), same(b, op[rng_next(r) % 8]), formula(r, b, depth - 1);
  } else if (pick < 9) {
    same(b, rng_next(r) % 2 ? "min(" : "max(");
    formula(r, b, depth - 1), same(b, ", "), formula(r, b, depth - 1), same(b, ")");
  } else if (pick < 10) {
    same(b, "-"), same(b, "("), formula(r, b, depth - 1), same(b, ")");
  } else if (pick < 11) {
    static const char *const compare[] = {"<", "<=", ">", ">="};
    add(b, "if(", "((");
    formula(r, b, depth - 1), same(b, compare[rng_next(r) % 4]), formula(r, b, depth - 1);
    add(b, ", ", ") ? ("), formula(r, b, depth - 1), add(b, ", ", ") : ("), formula(r, b, depth - 1);
    add(b, ")", "))");
  } else {
    same(b, "("), formula(r, b, depth - 1), same(b, ")");
  }
}

static void random_formulas(void **state)
{
  (void)state;
  static both b;
  rng r = {20240611};
  size_t compared = 0, finite = 0, off = 0, far = 0;
  double worst = 0, x = 0;
  muParserHandle_t p = mupCreate(muBASETYPE_FLOAT);
  mupDefineVar(p, "x", &x);
  mupDefineConst(p, "my_pi", 3.14159265358979323846); /* its own _pi is off by 1e-12 */
  mupDefineConst(p, "my_e", 2.71828182845904523536);
  for (int k = 0; k < FORMULAS; k++) {
    double code[4000];
    size_t n = 0;
    br_err err = {BR_OK, -1, ""};
    b.ours[0] = b.theirs[0] = '\0';
    formula(&r, &b, 1 + (int)(rng_next(&r) % 5));
    if (br_expr_compile(b.ours, strlen(b.ours), "x", 4000, code, &n, &err))
      fail_msg("%s: %s", b.ours, err.msg);
    mupSetExpr(p, b.theirs);
    for (int m = 0; m < POINTS; m++) {
      x = rng_range(&r, -3, 3);
      const double ours = br_expr_value(code, n, &x), theirs = mupEval(p);
      if (mupError(p)) fail_msg("muParser: %s: %s", b.theirs, mupGetErrorMsg(p));
      compared++;
      if (isnan(ours) && isnan(theirs)) continue;
      /* a comparison with what has no value is false there, has no value here */
      if (isnan(ours) && (strstr(b.ours, "if(") || strstr(b.ours, "min(") || strstr(b.ours, "max(") ||
                          strstr(b.ours, "sign(")))
        continue;
      finite += isfinite(ours) != 0;
      if (ours == theirs) continue;
      const double gap = fabs(ours - theirs) / fmax(fabs(ours), fabs(theirs));
      worst = fmax(worst, gap), far += !(gap <= 1e-12);
      if (!(gap <= 1e-15) && off++ < 10)
        print_message("%s at %.17g: %.17g, muParser %.17g\n", b.ours, x, ours, theirs);
    }
  }
  mupRelease(p);
  print_message("%zu values of %d formulas compared, %zu finite; %zu differ by more than 1e-15, %zu by more "
                "than 1e-12, most by %.2g\n",
                compared, FORMULAS, finite, off, far, worst);
  assert_true(finite > compared / 3);
  /* its optimiser folds sums of constants in another order, and its sines are the C library's: the last bit,
   * which shows where terms cancel and grows where a function is steep (near poles of tan) */
  assert_true(off <= compared / 400 && far <= compared / 4000);
}

/* Why not muParser itself: its derivative is a finite difference. */
static void their_derivative(void **state)
{
  (void)state;
  static const char text[] = "sin(2*3.14159265358979323846*x)", mine[] = "sin(2*pi*x)";
  const double two_pi = 6.28318530717958647693;
  double x = 0, code[32], ours = 0, theirs = 0;
  size_t n = 0;
  muParserHandle_t p = mupCreate(muBASETYPE_FLOAT);
  mupDefineVar(p, "x", &x);
  mupSetExpr(p, text);
  assert_int_equal(br_expr_compile(mine, strlen(mine), "x", 32, code, &n, NULL), BR_OK);
  for (int k = 0; k < 100; k++) {
    const double at = 0.013 * k, want = two_pi * cos(two_pi * at);
    double j[3];
    br_expr_jet(code, n, &at, 0, j);
    ours = fmax(ours, fabs(j[1] - want));
    /* mupDiff hands the variable back: the five-point rule it uses, with its step */
    const double h = at == 0 ? 1e-10 : 1e-7 * at;
    double f[5];
    for (int i = 0; i < 5; i++) {
      x = at + (i - 2) * h;
      f[i] = mupEval(p);
    }
    theirs = fmax(theirs, fabs((f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * h) - want));
  }
  mupRelease(p);
  print_message("derivative of sin(2 pi x): off by %.2g here, by %.2g with muParser's differences\n", ours,
                theirs);
  assert_true(ours < 1e-14 && theirs > 1e-10);
}
#endif

int main(void)
{
#if BR_WITH_MUPARSER
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_formulas), cmocka_unit_test(their_derivative)};
  return cmocka_run_group_tests(tests, NULL, NULL);
#else
  (void)puts("skip: muParser is not here (Debian package libmuparser-dev)");
  return 77;
#endif
}
