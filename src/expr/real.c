/* SPDX-License-Identifier: Apache-2.0
 * real.c - formulas over plain numbers. */
#include <math.h>

#include "apply.h"
#include "expr.h"

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
static double power_real(double a, double p) { return p == 2 ? a * a : pow(a, p); }
static double raise_real(double a, double b) { return pow(a, b); }
static int side_real(double a) { return isnan(a) ? 3 : (a > 0) - (a < 0); }
static double hull_real(double a, double b) { return (void)b, a; } /* never asked for: no sign is open */
static double apply_real(int op, double x) { return bri_expr_apply(op, x); }

#include "jet.inc"

double br_expr_value(const double *code, size_t n, const double *x)
{
  int open = 0;
  return run_real(code, n, x, BRI_EXPR_VARS, &open).f;
}

void br_expr_jet(const double *code, size_t n, const double *x, size_t by, double jet[3])
{
  int open = 0;
  const jet_real j = run_real(code, n, x, by, &open);
  jet[0] = j.f;
  jet[1] = j.d;
  jet[2] = j.c;
}
