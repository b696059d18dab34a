/* SPDX-License-Identifier: Apache-2.0
 * laws.h - formulas as parameters of a model: rows, slots, evaluation. */
#ifndef BRI_EXPR_LAWS_H
#define BRI_EXPR_LAWS_H
#include <math.h>

#include "../../models/face.h"
#include "expr.h"

enum { BRI_LAW_CONSTANTS = 8 };
#define BRI_LAW_C "c1,c2,c3,c4,c5,c6,c7,c8"
#define BRI_LAW_C_DOC "numbers that formulas call c1 to c8"

/* A formula in a parameter block: the tape and how many numbers of it are in use; 0: not given. */
typedef struct {
  double code[BR_EXPR_MAX], n;
} bri_law;

#define BRI_ROW_LAW(type, name, unit, vars, doc)                                                         \
  {                                                                                                      \
#name, unit, doc, "=" vars, 0, NULL, 0, -INFINITY, INFINITY, 1, 1,                                   \
        offsetof(type, name.code) / sizeof(double), BR_EXPR_MAX, offsetof(type, name.n) / sizeof(double) \
  }
#define BRI_ROW_CONSTANTS(type, defs, ndef)                                                         \
  {                                                                                                 \
    "c", "1", BRI_LAW_C_DOC, NULL, 0, defs, ndef, -INFINITY, INFINITY, 1, 1,                        \
        offsetof(type, c) / sizeof(double), BRI_LAW_CONSTANTS, offsetof(type, n_c) / sizeof(double) \
  }

static inline double bri_law_value(const bri_law *law, const double *x)
{
  return br_expr_value(law->code, (size_t)law->n, x);
}

/* Is the tape whole?  err names model and parameter. */
br_status bri_law_check(const char *model, const char *name, const bri_law *law, size_t nvar, br_err *err);
/* A default, from text that is known to be good. */
void bri_law_text(bri_law *law, const char *text, const char *vars);

extern const br_model bri_lugre_expr, bri_duhem_expr;

#endif
