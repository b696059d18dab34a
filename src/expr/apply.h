/* SPDX-License-Identifier: Apache-2.0
 * apply.h - the functions of one number. */
#ifndef BRI_EXPR_APPLY_H
#define BRI_EXPR_APPLY_H
#include <math.h>

#include "expr.h"

static inline double bri_expr_apply(int op, double x)
{
  switch (op) {
  case BRI_OP_SIN: return sin(x);
  case BRI_OP_COS: return cos(x);
  case BRI_OP_TAN: return tan(x);
  case BRI_OP_ASIN: return asin(x);
  case BRI_OP_ACOS: return acos(x);
  case BRI_OP_ATAN: return atan(x);
  case BRI_OP_SINH: return sinh(x);
  case BRI_OP_COSH: return cosh(x);
  case BRI_OP_TANH: return tanh(x);
  case BRI_OP_EXP: return exp(x);
  case BRI_OP_LOG:
  case BRI_OP_LN: return log(x);
  case BRI_OP_LOG10: return log10(x);
  case BRI_OP_SQRT: return sqrt(x);
  case BRI_OP_FLOOR: return floor(x);
  case BRI_OP_CEIL: return ceil(x);
  default: return NAN;
  }
}

#endif
