/* SPDX-License-Identifier: Apache-2.0
 * root.c - sigma1 of closed and homoclinic orbits.  The gap falls with sigma1, so there is one zero at most.
 * */
#include <math.h>

#include "branch.h"

enum { HOMOCLINIC_TRIES = 120 };
static const double EPS = 2.220446049250313e-16;
static const double STEEP = 5; /* logarithm of a multiplier */

/* Below sigma0 m / sigma2 the line L cannot be crossed in the way a cycle would have to. */
static double least(const bri_plane *p) { return p->s0 * p->m / p->s2; }

/* Next place to look between lo (gap > 0) and hi (gap < 0): infinite hi means none known yet. */
static double between(double lo, double hi, double most)
{
  if (isfinite(hi)) return 0.5 * (lo + hi);
  return fmin(2 * lo, most);
}

/* What a gap is measured by, m/s: halves meet at a distance from all equilibria, a turn ends on the section,
 * which may be close to one. */
static double gap_size(const bri_section *s, double t, bri_mode mode)
{
  const int chord = s->kind == BRI_UPPER || s->kind == BRI_LOWER;
  return mode == BRI_HALVES ? s->base.v : chord ? fmin(t, 1 - t) * fabs(s->dir.v) : fmin(t, s->base.v);
}

/* sigma1 of the zero of the gap, good to its last digits; whether the orbit closes there as well is in
 * c->gap: where cycles grow explosively (canards) the last digit of sigma1 moves it far. */
static double sigma1_by(const bri_section *s, double t, double guess, double most, bri_mode mode,
                        bri_closure *c, long *steps)
{
  double lo = least(&s->p) * (1 + 1e-12), hi = INFINITY, width = INFINITY;
  double x = guess > lo ? guess : 1.5 * lo;
  const double closed = 1e-7 * gap_size(s, t, mode);
  for (int i = 0; i < s->most_tries; i++) {
    bri_closure_at(s, t, x, mode, NULL, c);
    *steps += c->steps;
    if (isnan(c->gap)) return NAN;
    if (c->gap == 0 && !isnan(c->by_s1)) return x;
    if (c->gap > 0) lo = x;
    else hi = x;
    const double step = -c->gap / c->by_s1;
    double next = x + step;
    const int slow = i % 4 == 3 && hi - lo > 0.5 * width;
    if (i % 4 == 3) width = hi - lo;
    if (slow || !(next > lo && next < hi)) next = between(lo, hi, most);
    else if (!isfinite(hi) && next > 3 * lo) next = 3 * lo;
    /* Newton: the error left is its square, unless a strong contraction or expansion bends the gap within the
     * step:
     * there it must be seen; the ends must meet as well */
    const double trusted = fabs(c->I) < STEEP ? 3e-8 : 1e-13;
    if (fabs(step) <= trusted * x && next == x + step && fabs(c->gap) <= closed) return next;
    if (fabs(step) <= 1e-15 * x && fabs(c->gap) <= closed) return x;
    if (lo >= most) return NAN;
    if (hi - lo <= 4e-16 * lo || next == x) return x;
    x = next;
  }
  return NAN;
}

double bri_branch_sigma1(const bri_section *s, double t, double guess, double most, bri_mode *mode,
                         bri_closure *c)
{
  const bri_mode first = *mode;
  double best = NAN, miss = INFINITY;
  long steps = 0;
  bri_closure found = {0};
  found.I = found.by_t = found.by_s1 = NAN;
  for (int i = -1; i < BRI_MODES; i++) { /* the mode that worked last, then the others */
    const bri_mode m = i < 0 ? first : (bri_mode)i;
    if (i == (int)first) continue;
    const double x = sigma1_by(s, t, isfinite(best) ? best : guess, most, m, c, &steps);
    const double off = fabs(c->gap) / gap_size(s, t, m);
    if (!isfinite(x) || !(off < miss || isnan(best))) continue;
    best = x, miss = off, found = *c, *mode = m;
    if (miss <= 1e-6) break;
  }
  *c = found;
  c->steps = (int)steps;           /* of all tries */
  if (!(miss <= 1e-2)) c->I = NAN; /* sigma1 is known, the orbit is not */
  return best;
}

/* The gap is infinite where the stable manifold comes from far away: halve there, else follow the secant. */
double bri_homoclinic_sigma1(const bri_section *s, double lo, double hi, double guess, double most,
                             double *error)
{
  double x0 = NAN, g0 = NAN, width = INFINITY, slope = NAN;
  lo = fmax(lo, least(&s->p) * (1 + 1e-12));
  double x = guess > lo && guess < hi ? guess : between(lo, hi, most);
  *error = NAN;
  for (int i = 0; i < HOMOCLINIC_TRIES; i++) {
    double gap, blur;
    bri_connection(s, x, &gap, &blur);
    if (isnan(gap)) return NAN;
    if (gap > 0) lo = x;
    else hi = x;
    if (lo >= most) return NAN;
    if (isfinite(gap) && isfinite(g0) && gap != g0) slope = (gap - g0) / (x - x0);
    double next = x - gap / slope;
    const int slow = i % 3 == 2 && hi - lo > 0.5 * width;
    if (slow || !isfinite(gap) || !(next > lo && next < hi)) next = between(lo, hi, most);
    if (!isfinite(hi) && next > 3 * lo) next = 3 * lo;
    if (i % 3 == 2) width = hi - lo;
    if (isfinite(gap)) x0 = x, g0 = gap;
    /* against a strong contraction the manifold sweeps over all of L within the last digit: that is the place
     * */
    const int done = (isfinite(gap) && fabs(next - x) <= 2e-15 * x) || hi - lo <= 1e-15 * lo;
    if (done) {
      /* what is left of the bracket or of the last step, and what rounding did along the manifolds */
      *error = fmax(isfinite(gap) ? fabs(next - x) : hi - lo, EPS * x) + blur;
      return isfinite(gap) && gap != 0 ? next : x;
    }
    x = next;
  }
  return NAN;
}
