/* SPDX-License-Identifier: Apache-2.0
 * range.c - formulas over intervals: bounds of value and derivatives on a stretch of the variable.
 * Every result is widened by some roundings; no directed rounding is needed, since the bounds serve to rule
 * things out and what is left is looked at with plain numbers. */
#include <float.h>
#include <math.h>

#include "../../core/elementary.h"
#include "apply.h"
#include "expr.h"

#define NUM bri_range
#define N(name) name##_range

static const bri_range ALL = {-INFINITY, INFINITY}, NONE = {NAN, NAN};

static int none(bri_range a) { return isnan(a.lo); }

/* Some roundings of x; those of subnormal numbers do not shrink with them.  0 and infinity are meant exactly.
 * */
static double slack(double x)
{
  if (x == 0 || !isfinite(x)) return 0;
  return 4 * DBL_EPSILON * fabs(x) + (fabs(x) < DBL_MIN ? 4 * 0x1p-1074 : 0);
}

static bri_range wider(double lo, double hi)
{
  if (isnan(lo) || isnan(hi)) return ALL;
  const bri_range r = {lo - slack(lo), hi + slack(hi)};
  return r;
}

static bri_range num_range(double x)
{
  const bri_range r = {x, x};
  return r;
}

static bri_range add_range(bri_range a, bri_range b)
{
  if (none(a) || none(b)) return NONE;
  return wider(a.lo + b.lo, a.hi + b.hi);
}

static bri_range sub_range(bri_range a, bri_range b)
{
  if (none(a) || none(b)) return NONE;
  return wider(a.lo - b.hi, a.hi - b.lo);
}

/* An end that is 0 is 0, also beside an infinite one: that stands for "as large as you like". */
static double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

static bri_range mul_range(bri_range a, bri_range b)
{
  if (none(a) || none(b)) return NONE;
  const double p = product(a.lo, b.lo), q = product(a.lo, b.hi), r = product(a.hi, b.lo),
               s = product(a.hi, b.hi);
  return wider(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}

static bri_range div_range(bri_range a, bri_range b)
{
  if (none(a) || none(b)) return NONE;
  if (b.lo == 0 && b.hi == 0) { /* infinite, which min() and max() may well choose from; 0/0 is nothing */
    if (a.lo <= 0 && a.hi >= 0) return a.lo == 0 && a.hi == 0 ? NONE : ALL;
    return num_range(signbit(b.lo) == signbit(a.lo) ? INFINITY : -INFINITY);
  }
  if (b.lo < 0 && b.hi > 0) return ALL;
  const bri_range inverse = {b.hi == 0 ? -INFINITY : 1 / b.hi, b.lo == 0 ? INFINITY : 1 / b.lo};
  return mul_range(a, wider(inverse.lo, inverse.hi));
}

static int zero_range(bri_range a) { return a.lo == 0 && a.hi == 0; }
static int wide_range(bri_range a) { return a.lo < a.hi; }
/* One number but for roundings: few of them, or some more about a whole one, such as 2*3/3 (else below 0
 * there would be no value where the formula has one). */
static int single_range(bri_range a)
{
  const double whole = rint(0.5 * (a.lo + a.hi)), near = whole >= a.lo && whole <= a.hi ? 1024 : 16;
  return isfinite(a.lo) &&
         a.hi - a.lo <= near * DBL_EPSILON * fabs(a.lo); /* [-inf, 0] is as wide as can be */
}
/* The number meant by a narrow range: a whole one if that lies in it, since below 0 only those are
 * exponents. */
static double number_range(bri_range a)
{
  const double mid = 0.5 * (a.lo + a.hi), whole = rint(mid);
  return whole >= a.lo && whole <= a.hi ? whole : mid;
}

static int side_range(bri_range a)
{
  if (none(a)) return 3;
  if (a.lo > 0) return 1;
  if (a.hi < 0) return -1;
  return a.lo == 0 && a.hi == 0 ? 0 : 2;
}

static bri_range hull_range(bri_range a, bri_range b)
{
  if (none(a)) return b;
  if (none(b)) return a;
  const bri_range r = {fmin(a.lo, b.lo), fmax(a.hi, b.hi)};
  return r;
}

static bri_range power_range(bri_range a, double p)
{
  if (none(a)) return NONE;
  if (p == 0) return num_range(1);
  const int whole = p == rint(p), odd = whole && fabs(p) < 0x1p52 && fmod(p, 2) != 0;
  if (!whole) { /* defined from 0 on */
    if (a.hi < 0) return NONE;
    if (a.lo < 0) a.lo = 0;
  }
  if (p < 0 && a.lo <= 0 && a.hi >= 0) return div_range(num_range(1), power_range(a, -p));
  const double lo = bri_pow(a.lo, p), hi = bri_pow(a.hi, p);
  if (p < 0) return odd || a.lo > 0 ? wider(hi, lo) : wider(lo, hi); /* not 1/x^-p: that may overflow first */
  if (odd || a.lo >= 0) return wider(lo, hi);
  if (a.hi <= 0) return wider(hi, lo);
  return wider(0, fmax(lo, hi));
}

static bri_range apply_range(int op, bri_range a);
static bri_range raise_range(bri_range a, bri_range b)
{
  if (none(a) || none(b)) return NONE;
  if (zero_range(a) && b.lo > 0) return num_range(0);
  if (zero_range(a) && b.hi < 0) return num_range(INFINITY);
  if (zero_range(a) && zero_range(b)) return num_range(1);
  if (zero_range(a) && b.lo >= 0) return (bri_range){0, 1};
  /* a base about 0: below it whole exponents have values, at it those from 0 down are a case of their own */
  if (a.lo <= 0 && a.hi >= 0 && (a.lo < 0 || b.lo <= 0)) return ALL;
  if (a.hi < 0) {
    if (floor(b.hi) < b.lo) return NONE; /* no whole exponent */
    const bri_range size = raise_range((bri_range){-a.hi, -a.lo}, b), both = {-size.hi, size.hi};
    return both;
  }
  return apply_range(BRI_OP_EXP, mul_range(b, apply_range(BRI_OP_LOG, a)));
}

/* Is there a k with x = first + k step in [a, b]? */
static int meets(double a, double b, double first, double step)
{
  return floor((b - first) / step) > floor((a - first) / step) || fmod(a - first, step) == 0;
}

static const double PI = 3.14159265358979323846;

static bri_range wave(bri_range a, double top)
{
  bri_range r = {-1, 1};
  if (!(a.hi - a.lo < 2 * PI) || fmax(fabs(a.lo), fabs(a.hi)) > 1e8) return r;
  /* the ends are known to a rounding of the argument */
  const double slack = 4 * DBL_EPSILON * (1 + fmax(fabs(a.lo), fabs(a.hi)));
  const double p = top == 0 ? bri_cos(a.lo) : bri_sin(a.lo), q = top == 0 ? bri_cos(a.hi) : bri_sin(a.hi);
  if (!meets(a.lo - slack, a.hi + slack, top - PI, 2 * PI)) r.lo = fmax(-1, fmin(p, q) - slack);
  if (!meets(a.lo - slack, a.hi + slack, top, 2 * PI)) r.hi = fmin(1, fmax(p, q) + slack);
  return r;
}

static bri_range apply_range(int op, bri_range a)
{
  double lo = -INFINITY, hi = INFINITY; /* where the function is defined */
  if (none(a)) return NONE;
  switch (op) {
  case BRI_OP_SIN: return wave(a, 0.5 * PI);
  case BRI_OP_COS: return wave(a, 0);
  case BRI_OP_TAN:
    if (!(a.hi - a.lo < PI) || fmax(fabs(a.lo), fabs(a.hi)) > 1e8 || meets(a.lo, a.hi, 0.5 * PI, PI))
      return ALL;
    break;
  case BRI_OP_COSH:
    lo = bri_cosh(a.lo), hi = bri_cosh(a.hi);
    return wider(a.lo <= 0 && a.hi >= 0 ? 1 : fmin(lo, hi), fmax(lo, hi));
  case BRI_OP_ACOS:
    if (a.hi < -1 || a.lo > 1) return NONE;
    return wider(bri_acos(fmin(a.hi, 1)), bri_acos(fmax(a.lo, -1)));
  case BRI_OP_FLOOR:
  case BRI_OP_CEIL: {
    const bri_range r = {bri_expr_apply(op, a.lo), bri_expr_apply(op, a.hi)};
    return r;
  }
  case BRI_OP_ASIN: lo = -1, hi = 1; break;
  case BRI_OP_LOG:
  case BRI_OP_LN:
  case BRI_OP_LOG10:
  case BRI_OP_SQRT: lo = 0; break;
  default: break;
  }
  if (a.hi < lo || a.lo > hi) return NONE;
  return wider(bri_expr_apply(op, fmax(a.lo, lo)), bri_expr_apply(op, fmin(a.hi, hi))); /* rising */
}

#include "jet.inc"

void bri_expr_bounds(const double *code, size_t n, double a, double b, bri_bounds *out)
{
  const bri_range x = {a, b};
  out->switches = 0;
  const jet_range j = run_range(code, n, &x, 0, &out->switches);
  out->f = j.f;
  out->d = j.d;
  out->c = j.c;
}
