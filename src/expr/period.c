/* SPDX-License-Identifier: Apache-2.0
 * period.c - the period that can be read off a formula: what each part of the tape is as a function of the
 * variable - constant, a straight line, periodic, or anything else. */
#include <math.h>

#include "expr.h"

typedef enum { CONSTANT, LINE, PERIODIC, OTHER } nature;

typedef struct {
  nature is;
  double at0, slope; /* CONSTANT and LINE: at0 + slope x */
  double period;     /* PERIODIC */
} part;

static const part ANY = {OTHER, 0, 0, 0};

/* Least common multiple of two periods, as far as small whole numbers give one; 0: none. */
static double common(double a, double b)
{
  for (int k = 1; k <= 1000; k++) {
    const double t = k * b, m = rint(t / a);
    if (m >= 1 && m < 1e6 && fabs(m * a - t) <= 1e-12 * t) return k == 1 ? t : m * a;
  }
  return 0;
}

/* Any function of parts that are constant or periodic. */
static part together(const part *p, int n)
{
  part r = {CONSTANT, 0, 0, 0};
  for (int i = 0; i < n; i++) {
    if (p[i].is == CONSTANT) continue;
    if (p[i].is != PERIODIC) return ANY;
    r.period = r.is == CONSTANT ? p[i].period : common(r.period, p[i].period);
    r.is = PERIODIC;
    if (!(r.period > 0)) return ANY;
  }
  return r;
}

static part repeating(double period)
{
  const part r = {PERIODIC, 0, 0, fabs(period)};
  return r.period > 0 && isfinite(r.period) ? r : ANY;
}

static int straight(const part *p) { return p->is == CONSTANT || p->is == LINE; }

static part line(double at0, double slope)
{
  const part r = {slope == 0 ? CONSTANT : LINE, at0, slope, 0};
  return isfinite(at0) && isfinite(slope) ? r : ANY;
}

/* The few operations that keep a line straight or bend it round. */
static part combine(int op, const part *p)
{
  static const double PI = 3.14159265358979323846;
  const int two = bri_expr_ops[op].arity == 2 && straight(&p[0]) && straight(&p[1]);
  switch (op) {
  case BRI_OP_NEG: return straight(p) ? line(-p->at0, -p->slope) : together(p, 1);
  case BRI_OP_ADD: return two ? line(p[0].at0 + p[1].at0, p[0].slope + p[1].slope) : together(p, 2);
  case BRI_OP_SUB: return two ? line(p[0].at0 - p[1].at0, p[0].slope - p[1].slope) : together(p, 2);
  case BRI_OP_MUL:
    if (two && p[0].is == CONSTANT) return line(p[0].at0 * p[1].at0, p[0].at0 * p[1].slope);
    if (two && p[1].is == CONSTANT) return line(p[0].at0 * p[1].at0, p[0].slope * p[1].at0);
    return together(p, 2);
  case BRI_OP_DIV:
    if (two && p[1].is == CONSTANT) return line(p[0].at0 / p[1].at0, p[0].slope / p[1].at0);
    return together(p, 2);
  case BRI_OP_SIN:
  case BRI_OP_COS:
    if (p->is == LINE) return repeating(2 * PI / p->slope);
    break;
  case BRI_OP_TAN:
    if (p->is == LINE) return repeating(PI / p->slope);
    break;
  case BRI_OP_MOD:
    if (p[0].is == LINE && p[1].is == CONSTANT) return repeating(p[1].at0 / p[0].slope);
    break;
  default: break;
  }
  return together(p, bri_expr_ops[op].arity);
}

double bri_expr_period(const double *code, size_t n)
{
  part stack[BRI_EXPR_STACK] = {{OTHER, 0, 0, 0}};
  size_t top = 0, starts[BRI_EXPR_STACK] = {0};
  for (size_t i = 0; i < n; i++) {
    const int op = (int)code[i];
    const size_t arity = (size_t)bri_expr_ops[op].arity;
    const size_t start = arity ? starts[top - arity] : i;
    if (op == BRI_OP_NUMBER) stack[top] = line(code[++i], 0);
    else if (op == BRI_OP_VARIABLE) i++, stack[top] = line(0, 1);
    else {
      top -= arity;
      stack[top] = combine(op, &stack[top]);
    }
    if (stack[top].is == CONSTANT) { /* of any operation */
      const double anywhere = 0;
      stack[top].at0 = br_expr_value(code + start, i + 1 - start, &anywhere);
      if (!isfinite(stack[top].at0)) stack[top] = ANY;
    }
    starts[top++] = start;
  }
  return stack[0].is == PERIODIC ? stack[0].period : 0;
}
