/* SPDX-License-Identifier: Apache-2.0
 * real.c - formulas over plain numbers. */
#include <math.h>

#include "../../core/elementary.h"
#include "../../core/stamp.h"
#include "apply.h"
#include "expr.h"

#include "../../models/common/formula.inc"

#define NUM double
#define N(name) name##_real

static double num_real(double x) { return x; }
static double add_real(double a, double b) { return a + b; }
static double sub_real(double a, double b) { return a - b; }
static double mul_real(double a, double b) { return a * b; }
static double div_real(double a, double b) { return a / b; }
static int zero_real(double a) { return a == 0; }
static int wide_real(double a) { return (void)a, 0; }
static int single_real(double a) { return (void)a, 1; }
static double number_real(double a) { return a; }
static double power_real(double a, double p) { return p == 2 ? a * a : bri_pow(a, p); }
static double raise_real(double a, double b) { return bri_pow(a, b); }
static int side_real(double a) { return isnan(a) ? 3 : (a > 0) - (a < 0); }
static double hull_real(double a, double b) { return (void)b, a; } /* never asked for: no sign is open */
static double apply_real(int op, double x) { return bri_expr_apply(op, x); }

#include "jet.inc"

/* Values alone need no jets; the operations are the same to the last bit (tests/expr). */
static double two(int op, double a, double b)
{
  switch (op) {
  case BRI_OP_ADD: return a + b;
  case BRI_OP_SUB: return a - b;
  case BRI_OP_MUL: return a * b;
  case BRI_OP_DIV: return a / b;
  case BRI_OP_LT: return br_formula_less(a, b, 0);
  case BRI_OP_LE: return br_formula_less(a, b, 1);
  case BRI_OP_AND: return br_formula_and(a, b);
  case BRI_OP_OR: return br_formula_or(a, b);
  case BRI_OP_MIN: return br_formula_min(a, b);
  case BRI_OP_MAX: return br_formula_max(a, b);
  case BRI_OP_MOD: return br_formula_mod(a, b);
  default: return br_formula_pow(a, b);
  }
}

static double one(int op, double a)
{
  switch (op) {
  case BRI_OP_NEG: return br_formula_neg(a);
  case BRI_OP_NOT: return br_formula_not(a);
  case BRI_OP_ABS: return br_formula_abs(a);
  case BRI_OP_SIGN: return br_formula_sign(a);
  default: return bri_expr_apply(op, a);
  }
}

double br_expr_value(const double *code, size_t n, const double *x)
{
  double stack[BRI_EXPR_STACK + 1] = {0}, *top = stack; /* the lowest place stays empty */
  for (size_t i = 0; i < n; i++) {
    const int op = (int)code[i];
    if (op == BRI_OP_NUMBER) {
      *++top = code[++i];
    } else if (op == BRI_OP_VARIABLE) {
      *++top = x[(size_t)code[++i]];
    } else if (op == BRI_OP_IF) {
      top -= 2;
      *top = br_formula_if(top[0], top[1], top[2]);
    } else if (bri_expr_ops[op].arity == 1) {
      *top = one(op, *top);
    } else {
      top--;
      *top = two(op, top[0], top[1]);
    }
  }
  return *top;
}

void br_expr_jet(const double *code, size_t n, const double *x, size_t by, double jet[3])
{
  int open = 0;
  const jet_real j = run_real(code, n, x, by, &open);
  jet[0] = j.f;
  jet[1] = j.d;
  jet[2] = j.c;
}
