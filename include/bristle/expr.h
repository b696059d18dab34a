/* SPDX-License-Identifier: Apache-2.0
 * expr.h - formulas: text to a function of some variables, with exact first and second derivatives; and the
 * models whose laws are given as formulas.
 *
 * A compiled formula is a short array of numbers (a postfix tape), so that it fits into a parameter block and
 * may be copied and shared like any numbers.  docs/expr.md has the grammar.
 * Alloc: none.  Threads: all functions are pure.  Same bits everywhere holds as far as libm is the same. */
#ifndef BR_EXPR_H
#define BR_EXPR_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/model.h"
#include "bristle/status.h"
BR_C_BEGIN

#define BR_EXPR_MAX 160       /* numbers of a formula that is a parameter */
#define BR_EXPR_MAX_TEXT 4096 /* characters */

/* Compile n characters of text.  vars: names of the variables, separated by commas ("t", "x,u,v").
 * code receives at most max numbers, *len says how many.  Returns BR_OK; BR_E_PARSE, BR_E_NAME (with the
 * nearest name) or BR_E_SIZE, where err->index is the place in the text, counted from 0. */
BR_TRY br_status br_expr_compile(const char *text, size_t n, const char *vars, size_t max, double *code,
                                 size_t *len, br_err *err);
/* Is this a tape for nvar variables?  What br_expr_compile() wrote always is; a damaged one is told from it
 * before it is run. */
BR_API int br_expr_valid(const double *code, size_t n, size_t nvar);

/* Value at x, one number per variable.  NaN where the formula has none. */
BR_API double br_expr_value(const double *code, size_t n, const double *x);
/* Value, first and second derivative by variable `by`.  At a corner those of the piece that the formula
 * itself selects (abs and sign: the right one). */
BR_API void br_expr_jet(const double *code, size_t n, const double *x, size_t by, double jet[3]);

/* Functions and constants of the grammar, for help and completion; i from 0, NULL behind the last. */
typedef struct {
  const char *name, *doc;
  int arity; /* 0: a constant */
} br_expr_name;
BR_API const br_expr_name *br_expr_names(size_t i);

/* Models whose laws are formulas: lugre_expr (g(v) and f(v) of LuGre) and duhem (all of it).  Their formulas
 * are parameters, rows with `choices` "=VARIABLES", set as text. */
BR_API const br_model *const *br_expr_models(size_t *count);
/* All models: those of br_models(), then these; and one of them by name, NULL when unknown. */
BR_API const br_model *br_all_models(size_t i);
BR_API const br_model *br_all_models_find(const char *name);
/* The model to take when parameters of these names are set: lugre_expr for lugre with g or f, else m.  list:
 * "a=1,g=2 - v" as for br_params_set_list(), or a single name; NULL: m. */
BR_API const br_model *br_expr_variant(const br_model *m, const char *list);

BR_C_END
#endif
