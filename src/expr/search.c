/* SPDX-License-Identifier: Apache-2.0
 * search.c - every corner, jump and extremum of a formula of one variable, from left to right.
 *
 * Over an interval the bounds of bri_expr_bounds() say one of these:
 *   no choice is open and f' has no zero          nothing here
 *   no choice is open and f'' has no zero         f' is monotone: one extremum or none, by its signs
 *   otherwise                                     look at both halves
 * so that nothing is missed.  Halving stops at the rounding of the variable, where the two ends are compared.
 * The bound of f' is sharpened by the mean value theorem, f' in f'(m) + [f''] [-h/2, h/2]. */
#include <float.h>
#include <math.h>

#include "expr.h"

static const double FLAT = 1e-12;  /* of |f|: a movement below this is rounding, not a direction */
static const double FIRST = 0.125; /* first stretch looked at */
static const double END = 1e15;    /* of the variable */
static const double LEAST = 1e-19; /* intervals are not halved below this, nor below rounding */

typedef struct {
  const double *code;
  size_t n, left; /* evaluations left */
  int direction;
  double size; /* |f| met so far */
  bri_corner *c;
  double known; /* no corner up to here */
} search;

static void jet_at(const search *s, double x, double j[3])
{
  const double at = s->direction * x;
  br_expr_jet(s->code, s->n, &at, 0, j);
  j[1] *= s->direction;
}

static void bounds_of(const search *s, double a, double b, bri_bounds *r)
{
  if (s->direction > 0) {
    bri_expr_bounds(s->code, s->n, a, b, r);
    return;
  }
  bri_expr_bounds(s->code, s->n, -b, -a, r);
  const double lo = r->d.lo;
  r->d.lo = -r->d.hi;
  r->d.hi = -lo;
}

static int found(search *s, double at, double before, double after, int smooth)
{
  const bri_corner c = {at, before, after, smooth};
  *s->c = c;
  return 1;
}

/* One sign change of f' in [a, b]: Newton kept inside a shrinking bracket. */
static int polish(search *s, double a, double b, int rising, int smooth)
{
  double t = a + 0.5 * (b - a);
  for (int k = 0; k < 200; k++) {
    double j[3];
    jet_at(s, t, j);
    if (j[1] == 0) break;
    if ((j[1] > 0) == rising) b = t;
    else a = t;
    double next = t - j[1] / j[2];
    if (!(next > a && next < b)) next = a + 0.5 * (b - a);
    if (fabs(next - t) <= fmax(0.5 * DBL_EPSILON * fabs(t), LEAST) || next <= a || next >= b) break;
    t = next;
  }
  return found(s, t, t, t, smooth);
}

static int same_side(double a, double b) { return (a >= 0) == (b >= 0); }

/* A jump or corner between a and b, where f and f' are p and q: halve by which side the middle belongs to. */
static int narrow(search *s, double a, const double *p, double b, const double *q, int jump)
{
  const int which = !jump;
  for (;;) {
    const double m = a + 0.5 * (b - a);
    double j[3];
    if (m <= a || m >= b || b - a <= LEAST) return found(s, b, a, b, 0);
    jet_at(s, m, j);
    if (fabs(j[which] - p[which]) <= fabs(j[which] - q[which])) a = m;
    else b = m;
  }
}

/* Between a and b nothing can be told apart by bounds: does f jump, or f', or the direction change? */
static int differs(search *s, double a, double b)
{
  double p[3], q[3];
  jet_at(s, a, p);
  jet_at(s, b, q);
  if (isnan(p[0]) || isnan(q[0])) return 0;
  const double h = b - a, slope = fmax(fabs(p[1]), fabs(q[1]));
  const double bend = (fabs(p[2]) + fabs(q[2])) * h;
  const int jump = fabs(q[0] - p[0]) > 4 * slope * h + 1e-12 * fmax(fabs(p[0]), fabs(q[0]));
  const int kink = fabs(q[1] - p[1]) > 4 * bend + 1e-9 * slope;
  if (jump || kink) return narrow(s, a, p, b, q, jump);
  return !same_side(p[1], q[1]) && slope > 0 ? polish(s, a, b, q[1] >= 0, 0) : 0;
}

static int excludes(bri_range r) { return r.lo > 0 || r.hi < 0; }

/* Corner in (a, b]: 1 found, 0 none, -1 out of evaluations. */
static int scan(search *s, double a, double b, int depth)
{
  bri_bounds r;
  double ja[3], jb[3], jm[3];
  const double h = b - a, m = a + 0.5 * h;
  if (s->left == 0) {
    s->known = a;
    return -1;
  }
  s->left--;
  bounds_of(s, a, b, &r);
  if (isnan(r.f.lo)) return 0; /* there is no f */
  if (fabs(r.f.lo) < INFINITY && fabs(r.f.hi) < INFINITY && h <= FIRST)
    s->size = fmax(s->size, fmin(fabs(r.f.lo), fabs(r.f.hi)));
  const int still = r.f.hi - r.f.lo <= FLAT * s->size;
  const int last =
      depth >= 64 || (r.switches && still) || h <= LEAST + 4 * DBL_EPSILON * fabs(b) || m <= a || m >= b;
  if (!r.switches) {
    if (excludes(r.d) || (r.d.lo == 0 && r.d.hi == 0)) return 0;
    jet_at(s, m, jm);
    const double bend = fmax(fabs(r.c.lo), fabs(r.c.hi)) * 0.5 * h;
    if (fabs(jm[1]) > bend * (1 + 8 * DBL_EPSILON)) return 0;
    const double most = fmin(fabs(jm[1]) + bend, fmax(fabs(r.d.lo), fabs(r.d.hi)));
    const int flat = most * h <= FLAT * fmax(fabs(r.f.lo), fabs(r.f.hi)), bent = excludes(r.c);
    if (most < 1e-300) return 0; /* at rest */
    if (bent || flat) {
      jet_at(s, a, ja);
      jet_at(s, b, jb);
      return same_side(ja[1], jb[1]) ? 0 : polish(s, a, b, jb[1] >= 0, bent);
    }
  }
  if (last) return differs(s, a, b);
  const int left = scan(s, a, m, depth + 1);
  return left ? left : scan(s, m, b, depth + 1);
}

int bri_expr_corner(const double *code, size_t n, int direction, double a, double limit, size_t *budget,
                    bri_corner *c)
{
  search s = {code, n, *budget, direction, 0, c, a};
  double h = FIRST, j[3];
  for (int k = 0; k <= 16; k++) {
    jet_at(&s, a + k / 16.0 * fmin(limit - a, 1), j);
    if (isfinite(j[0])) s.size = fmax(s.size, fabs(j[0]));
  }
  if (limit > END) limit = END;
  while (a < limit) {
    const size_t before = s.left;
    double b = a + h < limit ? a + h : limit;
    if (!(b > a)) break;
    const int r = scan(&s, a, b, 0);
    *budget = s.left;
    if (r > 0) return 1;
    if (r < 0) {
      c->at = s.known;
      return -1;
    }
    if (before - s.left <= 8) h *= 2;
    else if (before - s.left > 256 && h > 1e-9) h *= 0.25;
    a = b;
  }
  return 0;
}
