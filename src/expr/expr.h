/* SPDX-License-Identifier: Apache-2.0
 * expr.h - what the files of this room share: operations of the tape, intervals, the search for corners. */
#ifndef BRI_EXPR_H
#define BRI_EXPR_H
#include "bristle/expr.h"

/* name in the text (or NULL: an operator), arity, meaning.  NUMBER and VARIABLE are followed by one operand
 * on the tape: the number, or the index of the variable. */
#define BRI_EXPR_OPS(X)                                               \
  X(NUMBER, NULL, 0, "")                                              \
  X(VARIABLE, NULL, 0, "")                                            \
  X(ADD, NULL, 2, "")                                                 \
  X(SUB, NULL, 2, "")                                                 \
  X(MUL, NULL, 2, "")                                                 \
  X(DIV, NULL, 2, "")                                                 \
  X(NEG, NULL, 1, "")                                                 \
  X(LT, NULL, 2, "")                                                  \
  X(LE, NULL, 2, "")                                                  \
  X(AND, NULL, 2, "")                                                 \
  X(OR, NULL, 2, "")                                                  \
  X(NOT, NULL, 1, "")                                                 \
  X(SIN, "sin", 1, "sine, argument in rad")                           \
  X(COS, "cos", 1, "cosine")                                          \
  X(TAN, "tan", 1, "tangent")                                         \
  X(ASIN, "asin", 1, "inverse sine")                                  \
  X(ACOS, "acos", 1, "inverse cosine")                                \
  X(ATAN, "atan", 1, "inverse tangent")                               \
  X(SINH, "sinh", 1, "hyperbolic sine")                               \
  X(COSH, "cosh", 1, "hyperbolic cosine")                             \
  X(TANH, "tanh", 1, "hyperbolic tangent")                            \
  X(EXP, "exp", 1, "e to the power x")                                \
  X(LOG, "log", 1, "natural logarithm (also ln)")                     \
  X(LN, "ln", 1, "natural logarithm")                                 \
  X(LOG10, "log10", 1, "logarithm to base 10")                        \
  X(SQRT, "sqrt", 1, "square root")                                   \
  X(ABS, "abs", 1, "absolute value")                                  \
  X(SIGN, "sign", 1, "-1, 0 or 1")                                    \
  X(FLOOR, "floor", 1, "largest whole number not above x")            \
  X(CEIL, "ceil", 1, "smallest whole number not below x")             \
  X(MIN, "min", 2, "the smaller one")                                 \
  X(MAX, "max", 2, "the larger one")                                  \
  X(MOD, "mod", 2, "x - y floor(x/y): repeats a shape with period y") \
  X(POW, "pow", 2, "x to the power y, also x^y")                      \
  X(IF, "if", 3, "if(condition, a, b), also condition ? a : b")

#define BRI_EXPR_ENUM(op, name, arity, doc) BRI_OP_##op,
enum { BRI_EXPR_OPS(BRI_EXPR_ENUM) BRI_OP_COUNT };
#undef BRI_EXPR_ENUM

enum { BRI_EXPR_STACK = 48, BRI_EXPR_DEPTH = 48, BRI_EXPR_VARS = 16 };

typedef struct {
  const char *name;
  int arity;
} bri_expr_op;
extern const bri_expr_op bri_expr_ops[BRI_OP_COUNT];

/* A closed interval; lo NaN: empty (the formula has no value there). */
typedef struct {
  double lo, hi;
} bri_range;

/* Bounds of value and derivatives of a formula of one variable over [a, b]; switches: 1 when a corner or jump
 * of abs, min, if, floor and the like may lie inside.  Bounds are outward to a few roundings. */
typedef struct {
  bri_range f, d, c;
  int switches;
} bri_bounds;
void bri_expr_bounds(const double *code, size_t n, double a, double b, bri_bounds *out);

/* A place where f jumps, has a corner or an extremum.  The two sides are separate points, a rounding apart:
 * what holds at `before` and `after` are the one-sided limits. */
typedef struct {
  double at, before, after;
  int smooth; /* for certain an extremum of a smooth piece: the derivative is 0 there */
} bri_corner;

/* First corner of f(direction * s) in s in (a, limit].  Returns 1; 0: there is none; -1: not decided in
 * *budget evaluations, c->at says how far it is known that there is none.  *budget: what is left of it. */
int bri_expr_corner(const double *code, size_t n, int direction, double a, double limit, size_t *budget,
                    bri_corner *c);

/* Period of a formula of one variable that can be seen in it: the variable stands only inside sin, cos, tan
 * of a straight line or mod(line, number), all with a common period.  0: none. */
double bri_expr_period(const double *code, size_t n);

#endif
