/* SPDX-License-Identifier: Apache-2.0
 * codimension.c - points where two events meet, in closed equations of the sliding block with plain LuGre
 * friction:
 *   equilibrium   g(v) + sigma2 v = F
 *   det = 0       g'(v) + sigma2 = 0                              (fold of equilibria)
 *   trace = 0     sigma1 v g'(v) + sigma2 g + m sigma0 v = 0      (Hopf point where det > 0)
 * All three: Bogdanov-Takens; the first two with g''(v) = 0: cusp. */
#include "codimension.h"

#include <math.h>

#include "phase_internal.h"

static void residual(const bri_plane *p, double v, double r[2], double g[4])
{
  double k[4];
  bri_level_series(p, v, g, k);
  r[0] = g[0] + p->s2 * v - p->F;
  r[1] = g[1] + p->s2;
}

int bri_bogdanov_takens(const bri_plane *start, int which, double *value, double *v, double *sigma1)
{
  bri_plane p = *start;
  double r[2], g[4], x = *value, y = *v, last = INFINITY;
  for (int k = 0; k < 60; k++) {
    double a[2], b[2], unused[4];
    const double h = 1e-6 * fmax(fabs(x), 1e-6);
    bri_vary_set(&p, which, x + h), residual(&p, y, b, unused);
    bri_vary_set(&p, which, x - h), residual(&p, y, a, unused);
    bri_vary_set(&p, which, x), residual(&p, y, r, g);
    const double rp[2] = {(b[0] - a[0]) / (2 * h), (b[1] - a[1]) / (2 * h)}, rv[2] = {r[1], 2 * g[2]};
    const double det = rv[0] * rp[1] - rv[1] * rp[0];
    if (det == 0 || !isfinite(det)) return 0;
    const double dv = (r[0] * rp[1] - r[1] * rp[0]) / det, dx = (rv[0] * r[1] - rv[1] * r[0]) / det;
    y -= dv, x -= dx;
    const double step = fmax(fabs(dv / y), fabs(dx) / fmax(fabs(x), 1e-6));
    if (!(y > 0) || !isfinite(x)) return 0;
    if (step < 1e-15 || (step < 1e-12 && step >= last)) break; /* rounding */
    if (k == 59) return 0;
    last = step;
  }
  bri_vary_set(&p, which, x), residual(&p, y, r, g);
  if (!(p.s2 > 0)) return 0; /* then nothing folds */
  *value = x, *v = y;
  *sigma1 = (p.s2 * g[0] + p.m * p.s0 * y) / (y * p.s2);
  return 1;
}

int bri_hopf_sliding_at(const bri_plane *start, int which, double v, double *value, double *sigma1)
{
  bri_plane p = *start;
  double r[2], a[2], b[2], g[4], x = *value;
  for (int k = 0; k < 60; k++) { /* the force of sliding at v, by the other parameter */
    const double h = 1e-6 * fmax(fabs(x), 1e-6);
    bri_vary_set(&p, which, x + h), residual(&p, v, b, g);
    bri_vary_set(&p, which, x - h), residual(&p, v, a, g);
    bri_vary_set(&p, which, x), residual(&p, v, r, g);
    const double dx = r[0] / ((b[0] - a[0]) / (2 * h));
    if (!isfinite(dx)) return 0;
    x -= dx;
    if (fabs(dx) <= 1e-14 * fmax(fabs(x), 1e-6)) break;
  }
  bri_vary_set(&p, which, x), residual(&p, v, r, g);
  *value = x;
  *sigma1 = -(p.s2 * g[0] + p.m * p.s0 * v) / (v * g[1]);
  return isfinite(x) && isfinite(*sigma1);
}

int bri_cusp(const bri_plane *p, double *v, double *F, double *sigma2)
{
  enum { STEPS = 2000 };
  double g[4], k[4], before = NAN, from = 0;
  for (int i = 1; i <= STEPS; i++) {
    const double x = 10 * p->vs * i / STEPS;
    bri_level_series(p, x, g, k);
    if (before < 0 && g[2] >= 0) {
      double lo = from, hi = x;
      for (int n = 0; n < 80; n++) {
        const double mid = 0.5 * (lo + hi);
        bri_level_series(p, mid, g, k);
        if (g[2] < 0) lo = mid;
        else hi = mid;
      }
      *v = 0.5 * (lo + hi);
      bri_level_series(p, *v, g, k);
      *sigma2 = -g[1];
      *F = g[0] + *sigma2 * *v;
      return *sigma2 > 0;
    }
    before = g[2], from = x;
  }
  return 0;
}
