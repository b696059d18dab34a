/* SPDX-License-Identifier: Apache-2.0
 * write.c - a formula as C: what the tape machine does, operation by operation, so that bits stay. */
#include <stdio.h>

#include "laws.h"

enum { NAME = 40, LINE = 160 };

/* How an operation is written: before, between and behind its arguments.  NULL: a function of
 * core/elementary.h. */
typedef struct {
  const char *open, *between, *close;
} form;

#define CALL(name)                    \
  {                                   \
    "br_formula_" name "(", ", ", ")" \
  }
static const form FORM[BRI_OP_COUNT] = {[BRI_OP_ADD] = {"", " + ", ""},
                                        [BRI_OP_SUB] = {"", " - ", ""},
                                        [BRI_OP_MUL] = {"", " * ", ""},
                                        [BRI_OP_DIV] = {"", " / ", ""},
                                        [BRI_OP_NEG] = CALL("neg"),
                                        [BRI_OP_LT] = {"br_formula_less(", ", ", ", 0)"},
                                        [BRI_OP_LE] = {"br_formula_less(", ", ", ", 1)"},
                                        [BRI_OP_AND] = CALL("and"),
                                        [BRI_OP_OR] = CALL("or"),
                                        [BRI_OP_NOT] = CALL("not"),
                                        [BRI_OP_LN] = {"bri_log(", ", ", ")"},
                                        [BRI_OP_SQRT] = {"sqrt(", ", ", ")"},
                                        [BRI_OP_FLOOR] = {"floor(", ", ", ")"},
                                        [BRI_OP_CEIL] = {"ceil(", ", ", ")"},
                                        [BRI_OP_ABS] = CALL("abs"),
                                        [BRI_OP_SIGN] = CALL("sign"),
                                        [BRI_OP_MIN] = CALL("min"),
                                        [BRI_OP_MAX] = CALL("max"),
                                        [BRI_OP_MOD] = CALL("mod"),
                                        [BRI_OP_POW] = CALL("pow"),
                                        [BRI_OP_IF] = CALL("if")};

void bri_law_write(const bri_law *law, const char *const *vars, size_t nvar, const double *c,
                   void (*put)(void *ctx, const char *text), void (*number)(void *ctx, double x), void *ctx)
{
  char stack[BRI_EXPR_STACK + 1][NAME], line[LINE];
  size_t top = 0; /* the lowest place stays empty */
  for (size_t i = 0, n = 0; i < (size_t)law->n; i++, n++) {
    const int op = (int)law->code[i];
    const size_t k = op == BRI_OP_VARIABLE ? (size_t)law->code[i + 1] : 0;
    if (op == BRI_OP_VARIABLE && k < nvar) {
      (void)snprintf(stack[++top], NAME, "%s", vars[k]);
      i++;
      continue;
    }
    if (op == BRI_OP_NUMBER || op == BRI_OP_VARIABLE) {
      (void)snprintf(line, sizeof line, "  const double t%zu = ", n);
      put(ctx, line);
      number(ctx, op == BRI_OP_NUMBER ? law->code[i + 1] : c[k - nvar]);
      put(ctx, ";\n");
      (void)snprintf(stack[++top], NAME, "t%zu", n);
      i++;
      continue;
    }
    const int arity = bri_expr_ops[op].arity;
    top -= (size_t)arity - 1;
    const form *f = &FORM[op];
    (void)snprintf(line, sizeof line, "  const double t%zu = %s%s%s", n, f->open ? "" : "bri_",
                   f->open ? f->open : bri_expr_ops[op].name, f->open ? "" : "(");
    put(ctx, line);
    for (int a = 0; a < arity; a++) put(ctx, a ? f->between : ""), put(ctx, stack[top + (size_t)a]);
    put(ctx, f->open ? f->close : ")");
    put(ctx, ";\n");
    (void)snprintf(stack[top], NAME, "t%zu", n);
  }
  put(ctx, "  return ");
  put(ctx, stack[top]);
  put(ctx, ";\n");
}
