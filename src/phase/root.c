/* SPDX-License-Identifier: Apache-2.0
 * root.c - sigma1 of closed and homoclinic orbits.  The gap falls with sigma1, so there is one zero at most.
 * */
#include <math.h>

#include "branch.h"

enum { HOMOCLINIC_TRIES = 120 };

/* Below sigma0 m / sigma2 the line L cannot be crossed in the way a cycle would have to. */
static double least(const bri_plane *p) { return p->s0 * p->m / p->s2; }

/* Next place to look between lo (gap > 0) and hi (gap < 0): infinite hi means none known yet. */
static double between(double lo, double hi, double most)
{
  if (isfinite(hi)) return 0.5 * (lo + hi);
  return fmin(2 * lo, most);
}

static double sigma1_by(const bri_section *s, double t, double guess, double most, bri_mode mode,
                        bri_closure *c)
{
  double lo = least(&s->p) * (1 + 1e-12), hi = INFINITY;
  double x = guess > lo ? guess : 1.5 * lo;
  for (int i = 0; i < s->most_tries; i++) {
    bri_closure_at(s, t, x, mode, NULL, c);
    if (isnan(c->gap)) return NAN;
    if (c->gap == 0 && !isnan(c->by_s1)) return x;
    if (c->gap > 0) lo = x;
    else hi = x;
    const double step = -c->gap / c->by_s1;
    double next = x + step;
    if (!(next > lo && next < hi)) next = between(lo, hi, most);
    else if (!isfinite(hi) && next > 3 * lo) next = 3 * lo;
    /* Newton: the error left is its square.  Where cycles grow explosively (canards) a tiny change of sigma1
     * moves the orbit far, so the ends must meet as well. */
    if (fabs(step) <= 3e-8 * x && next == x + step && fabs(c->gap) <= 1e-6 * s->base.v) return next;
    if (fabs(step) <= 1e-15 * x) return x;
    if (lo >= most) return NAN;
    if (hi - lo <= 4e-16 * lo) return isnan(c->by_s1) ? NAN : x;
    x = next;
  }
  return NAN;
}

double bri_branch_sigma1(const bri_section *s, double t, double guess, double most, bri_mode *mode,
                         bri_closure *c)
{
  const bri_mode first = *mode;
  double x = sigma1_by(s, t, guess, most, first, c);
  for (int m = 0; m < BRI_MODES && !isfinite(x); m++) {
    if (m == (int)first) continue;
    *mode = (bri_mode)m;
    x = sigma1_by(s, t, guess, most, *mode, c);
  }
  if (!isfinite(x)) *mode = first;
  return x;
}

/* The gap is infinite where the stable manifold comes from far away: halve there, else follow the secant. */
double bri_homoclinic_sigma1(const bri_section *s, double lo, double hi, double guess, double most)
{
  double x0 = NAN, g0 = NAN, width = INFINITY, last = INFINITY;
  lo = fmax(lo, least(&s->p) * (1 + 1e-12));
  double x = guess > lo && guess < hi ? guess : between(lo, hi, most);
  for (int i = 0; i < HOMOCLINIC_TRIES; i++) {
    double gap;
    bri_connection(s, x, &gap);
    if (isnan(gap)) return NAN;
    if (gap > 0) lo = x;
    else hi = x;
    if (lo >= most) return NAN;
    double next = x - gap * (x - x0) / (gap - g0);
    const int slow = i % 3 == 2 && hi - lo > 0.5 * width;
    if (slow || !isfinite(gap) || !(next > lo && next < hi)) next = between(lo, hi, most);
    if (!isfinite(hi) && next > 3 * lo) next = 3 * lo;
    if (i % 3 == 2) width = hi - lo;
    if (isfinite(gap)) x0 = x, g0 = gap;
    /* the secant leaves the product of its last two errors */
    const int close = fabs(next - x) <= 1e-6 * x && fabs(next - x) * last <= 1e-17 * x * x;
    if (isfinite(gap) && (fabs(next - x) <= 2e-15 * x || close)) return gap != 0 ? next : x;
    last = fabs(next - x);
    /* against a strong contraction the manifold sweeps over all of L within the last digit: that is the place
     * */
    if (hi - lo <= 1e-15 * lo) return x;
    x = next;
  }
  return NAN;
}

double bri_branch_place(const bri_section *s, double sigma1, double a, double b, double sign_a, double guess,
                        bri_mode mode, bri_closure *c)
{
  double x = guess > a && guess < b ? guess : 0.5 * (a + b), width = INFINITY;
  for (int i = 0; i < s->most_tries; i++) {
    bri_closure_at(s, x, sigma1, mode, NULL, c);
    if (isnan(c->gap)) return NAN;
    if (c->gap == 0) return x;
    if ((c->gap > 0) == (sign_a > 0)) a = x;
    else b = x;
    double next = x - c->gap / c->by_t;
    if ((i % 4 == 3 && b - a > 0.5 * width) || !(next > a && next < b)) next = 0.5 * (a + b);
    if (i % 4 == 3) width = b - a;
    if (fabs(next - x) <= 4e-16 * x || b - a <= 4e-16 * x) return next;
    x = next;
  }
  return x;
}
