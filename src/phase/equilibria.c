/* SPDX-License-Identifier: Apache-2.0
 * equilibria.c - sliding equilibria on the Stribeck curve, linear parts. */
#include <math.h>

#include "../../core/elementary.h"
#include "../base/root.h"
#include "plane.h"

/* What is sought: a zero of h(v) = g + sigma2 v - F, or of its slope. */
typedef double curve(const bri_plane *p, double v, double *slope);

static double excess(const bri_plane *p, double v, double *slope)
{
  double g[4], k[4];
  bri_level_series(p, v, g, k);
  *slope = g[1] + p->s2;
  return g[0] + p->s2 * v - p->F;
}

static double excess_slope(const bri_plane *p, double v, double *slope)
{
  double g[4], k[4];
  bri_level_series(p, v, g, k);
  *slope = 2 * g[2];
  return g[1] + p->s2;
}

/* Newton inside a bracket on which f changes sign. */
static double bracketed(curve *f, const bri_plane *p, double a, double b, double fa)
{
  bri_bracket k = bri_bracket_of(a, fa, b, -fa);
  double x = 0.5 * (a + b), slope;
  for (int i = 0; i < 200; i++) {
    const double fx = f(p, x, &slope);
    if (fx == 0) return x;
    const double next = bri_bracket_newton(&k, x, fx, slope);
    if (fabs(next - x) <= 1e-16 * x || next == k.a || next == k.b) return next;
    x = next;
  }
  return x;
}

int bri_sliding_folds(const bri_plane *p, double v[2])
{
  double slope;
  int n = 0;
  if (p->dF <= 0) return 0;
  /* -g' is largest at (v/vs)^delta = (delta - 1)/delta, at the origin for delta <= 1 */
  const double top = p->delta > 1 ? p->vs * bri_pow((p->delta - 1) / p->delta, 1 / p->delta) : 0;
  if (top > 0) {
    if (!(excess_slope(p, top, &slope) < 0)) return 0;
    const double low = top * 1e-12;
    if (p->s2 > 0 && excess_slope(p, low, &slope) > 0) v[n++] = bracketed(excess_slope, p, low, top, 1);
  } else if (!(excess_slope(p, p->vs * 1e-12, &slope) < 0)) {
    return 0;
  }
  if (p->s2 > 0) {
    double far = top > 0 ? 2 * top : p->vs;
    const double near = top > 0 ? top : p->vs * 1e-12;
    while (far < 1e6 * p->vs && excess_slope(p, far, &slope) < 0) far *= 1.5;
    if (excess_slope(p, far, &slope) > 0) v[n++] = bracketed(excess_slope, p, near, far, -1);
  }
  return n;
}

void bri_sliding_of(const bri_plane *p, bri_sliding *e)
{
  double knot[4], turn[2], slope;
  int k = 0;
  const int n = bri_sliding_folds(p, turn);
  e->n = 0;
  if (!(p->F > 0)) return;
  const double tiny = 1e-14 * p->vs;
  knot[k++] = tiny;
  for (int i = 0; i < n; i++) knot[k++] = turn[i];
  /* beyond F/sigma2 nothing can hold; without sigma2 the curve is flat where (v/vs)^delta > 745 */
  const double flat = p->vs * bri_pow(745, 1 / p->delta);
  knot[k++] = p->s2 > 0 ? fmin(p->F / p->s2, fmax(flat, p->F / p->s2)) : flat;
  for (int i = 0; i + 1 < k; i++) {
    const double fa = i == 0 ? p->Fc + p->dF - p->F : excess(p, knot[i], &slope),
                 fb = excess(p, knot[i + 1], &slope);
    if (!(knot[i + 1] > knot[i]) || (fa < 0) == (fb < 0) || fa == 0) continue;
    const double v = bracketed(excess, p, knot[i], knot[i + 1], fa);
    double g[4], ratio[4];
    bri_level_series(p, v, g, ratio);
    const bri_point y = {g[0] / p->s0, v};
    e->y[e->n++] = y;
  }
}

static bri_linear linear(const bri_plane *p, double nz, double nv)
{
  bri_linear r;
  r.a0 = (p->s0 * nv - p->s2 * nz) / p->m;
  r.a1 = (p->s2 + p->s1 * nv) / p->m - nz;
  const double half = -0.5 * r.a1, d = half * half - r.a0;
  if (d < 0) {
    r.re[0] = r.re[1] = half;
    r.im[0] = -sqrt(-d);
    r.im[1] = sqrt(-d);
  } else { /* the larger one directly, the other from the product: no cancellation */
    const double big = half < 0 ? half - sqrt(d) : half + sqrt(d), other = big != 0 ? r.a0 / big : 0;
    r.re[0] = fmin(big, other);
    r.re[1] = fmax(big, other);
    r.im[0] = r.im[1] = 0;
  }
  return r;
}

/* Derivatives of z' at an equilibrium, where sigma0 z = g: by z -sigma0 v/g, by v v g'/g. */
static void slopes(const bri_plane *p, double v, double *nz, double *nv)
{
  double g[4], k[4];
  bri_level_series(p, v, g, k);
  *nz = -p->s0 * k[0];
  *nv = k[0] * g[1];
}

bri_linear bri_linear_at(const bri_plane *p, double v)
{
  double nz, nv;
  slopes(p, v, &nz, &nv);
  return linear(p, nz, nv);
}

bri_linear bri_linear_stick(const bri_plane *p, int side)
{
  return linear(p, 0, 1 - side * p->F / (p->Fc + p->dF));
}

bri_point bri_eigenvector(const bri_plane *p, double v, double lambda)
{
  double nz, nv, g[4], k[4];
  slopes(p, v, &nz, &nv);
  bri_level_series(p, v, g, k);
  /* (lambda - nz) z = nv v, or m lambda v + sigma1 lambda z + sigma0 z + sigma2 v = 0: the better
   * conditioned.  z never vanishes; v does where sigma1 v = g, where the line of constant velocity is
   * invariant */
  const double d1 = lambda - nz, d2 = p->s0 + p->s1 * lambda;
  const int first = fabs(d1) * p->s0 >= fabs(d2) * fabs(nz);
  const bri_point e = first ? (bri_point){nv, d1} : (bri_point){-(p->s2 + p->m * lambda), d2};
  const double size = fmax(fabs(e.z) * p->s0 / g[0], fabs(e.v) / v) * (e.z > 0 ? -1 : 1);
  return (bri_point){e.z / size, e.v / size};
}
