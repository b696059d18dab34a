/* SPDX-License-Identifier: Apache-2.0
 * laws.h - formulas as parameters of a model: rows, slots, evaluation. */
#ifndef BRI_EXPR_LAWS_H
#define BRI_EXPR_LAWS_H
#include <math.h>

#include "../../models/face.h"
#include "expr.h"

enum { BRI_LAW_CONSTANTS = 8 };
#define BRI_LAW_C "c1,c2,c3,c4,c5,c6,c7,c8"
#define BRI_LAW_CONSTANTS_NAME "c"
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
    BRI_LAW_CONSTANTS_NAME, "1", BRI_LAW_C_DOC, NULL, 0, defs, ndef, -INFINITY, INFINITY, 1, 1,     \
        offsetof(type, c) / sizeof(double), BRI_LAW_CONSTANTS, offsetof(type, n_c) / sizeof(double) \
  }

/* A number of the block; lo and hi as the bounds of models/common/rows.h. */
#define BRI_ROW_SCALAR_(type, name, unit, doc, def, lo, lo_open, hi, hi_open)                             \
  {#name, unit, doc, NULL, def, NULL, 0, lo, hi, lo_open, hi_open, offsetof(type, name) / sizeof(double), \
   1,     0},
#define BRI_ROW_SCALAR(...) BRI_ROW_SCALAR_(__VA_ARGS__)

/* The block of a kernel: its defaults, and the numbers that rows of a formula variant share with it by name.
 * */
void bri_law_fill(const br_model *kernel, const br_param *rows, size_t n, const double *par, double *inner);

static inline double bri_law_value(const bri_law *law, const double *x)
{
  return br_expr_value(law->code, (size_t)law->n, x);
}

/* Is the tape whole?  err names model and parameter. */
br_status bri_law_check(const char *model, const char *name, const bri_law *law, size_t nvar, br_err *err);
/* A default, from text that is known to be good. */
void bri_law_text(bri_law *law, const char *text, const char *vars);

/* What the face of such a model says of its own functions and rows, which have these names in its file. */
#define BRI_FACE_ROWS .params = ROWS, .nparam = NROWS, .defaults = defaults, .check = check
#define BRI_FACE_FUNCTIONS \
  .prepare = prepare, .classify = classify, .rate = rate, .force = force, .step = step
#define BRI_FACE_PAIRS \
  .prepare_pair = prepare_pair, .rate_pair = rate_pair, .force_pair = force_pair, .step_pair = step_pair

extern const br_model bri_lugre_expr, bri_duhem_expr, bri_coulomb_expr, bri_karnopp_expr, bri_gms_expr;

/* For export: the kernel's block at v = 0, where the laws that are formulas have one knot, and the laws with
 * their constants; n 0: not given. */
enum { BRI_LUGRE_EXPR_INNER = 128 };
const double *bri_lugre_expr_block(const void *par, double *inner);
const bri_law *bri_lugre_expr_law(const void *par, int viscous, const double **c);
/* Formulas of the Duhem model: f of state i and column k; g of column k; h.  Their variables:
 * BRI_DUHEM_VARS_*. */
typedef enum { BRI_DUHEM_F, BRI_DUHEM_G, BRI_DUHEM_H } bri_duhem_part;
const bri_law *bri_duhem_expr_law(const void *par, bri_duhem_part part, size_t i, size_t k, const double **c);
size_t bri_duhem_expr_columns(const void *par);

/* A law as statements of C, one an operation, behind them "return VALUE;".  vars[nvar]: what its first
 * variables are called there; the others are the constants c. */
void bri_law_write(const bri_law *law, const char *const *vars, size_t nvar, const double *c,
                   void (*put)(void *ctx, const char *text), void (*number)(void *ctx, double x), void *ctx);

#endif
