/* SPDX-License-Identifier: Apache-2.0
 * apply.h - the functions of one number. */
#ifndef BRI_EXPR_APPLY_H
#define BRI_EXPR_APPLY_H
#include <math.h>

#include "../../core/elementary.h"
#include "expr.h"

static inline double bri_expr_apply(int op, double x)
{
  switch (op) {
  case BRI_OP_SIN: return bri_sin(x);
  case BRI_OP_COS: return bri_cos(x);
  case BRI_OP_TAN: return bri_tan(x);
  case BRI_OP_ASIN: return bri_asin(x);
  case BRI_OP_ACOS: return bri_acos(x);
  case BRI_OP_ATAN: return bri_atan(x);
  case BRI_OP_SINH: return bri_sinh(x);
  case BRI_OP_COSH: return bri_cosh(x);
  case BRI_OP_TANH: return bri_tanh(x);
  case BRI_OP_EXP: return bri_exp(x);
  case BRI_OP_LOG:
  case BRI_OP_LN: return bri_log(x);
  case BRI_OP_LOG10: return bri_log10(x);
  case BRI_OP_SQRT: return sqrt(x);
  case BRI_OP_FLOOR: return floor(x);
  case BRI_OP_CEIL: return ceil(x);
  default: return NAN;
  }
}

#endif
