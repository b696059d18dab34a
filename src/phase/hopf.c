/* SPDX-License-Identifier: Apache-2.0
 * hopf.c - Hopf points and first Lyapunov coefficient of the driven block, in closed form for every delta.
 *
 * z' = N(z, v) = v - sigma0 z k(v), k = v/g, is linear in z, and m v + sigma1 z has the linear rate
 * F - sigma0 z - sigma2 v.  So every nonlinear term points along (1, -sigma1/m), and an oscillation e^(mu t)
 * has z = xi(mu) v with xi = -(sigma2 + m mu)/(sigma0 + sigma1 mu).  A unit push along (1, -sigma1/m) answers
 * with v = 1/Phi(mu), Phi = (mu - Nz) xi(mu) - Nv; Phi(i omega) = 0.  Centre-manifold reduction then gives
 *   c1 = [ C + 2 B(1, h11) + B(-1, h20) ] / (2 Phi'(i omega)),   lyapunov = Re c1 / 4,
 * B, C: second and third derivatives of N on the critical mode (xi, 1), h11 and h20 its answers at 0 and 2 i
 * omega. The factor 1/4 makes r the amplitude of v. */
#include <math.h>

#include "plane.h"

typedef struct {
  double re, im;
} cx;
static cx c_add(cx a, cx b) { return (cx){a.re + b.re, a.im + b.im}; }
static cx c_mul(cx a, cx b) { return (cx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
static cx c_scale(double s, cx a) { return (cx){s * a.re, s * a.im}; }
static cx c_div(cx a, cx b)
{
  const double d = 1 / (b.re * b.re + b.im * b.im);
  return (cx){(a.re * b.re + a.im * b.im) * d, (a.im * b.re - a.re * b.im) * d};
}

/* g, k: Taylor coefficients at v of g and v/g; sigma2 may differ from p's. */
static bri_hopf hopf(const bri_plane *p, const double *g, const double *k, double s2)
{
  const double nz = -p->s0 * k[0], nv = k[0] * g[1], m = p->m, s0 = p->s0;
  const double a0 = (s0 * nv - s2 * nz) / m, s1 = (m * nz - s2) / nv;
  bri_hopf r = {NAN, NAN, NAN};
  if (!(a0 > 0) || !(nv < 0) || !(s2 >= 0)) return r;
  const double w = sqrt(a0);
  /* second and third derivatives of N */
  const double nzv = -s0 * k[1], nvv = -2 * g[0] * k[2], nzvv = -2 * s0 * k[2], nvvv = -6 * g[0] * k[3];
  const cx den1 = {s0, s1 * w}, xi = c_div((cx){-s2, -m * w}, den1);
  const cx xi2 = c_div((cx){-s2, -2 * m * w}, (cx){s0, 2 * s1 * w});
  const double xi0 = -s2 / s0;
  /* Phi'(i w) = xi + (i w - nz) xi', xi' = -(m + sigma1 xi)/(sigma0 + sigma1 i w) */
  const cx dxi = c_div((cx){-m - s1 * xi.re, -s1 * xi.im}, den1);
  const cx dphi = c_add(xi, c_mul((cx){-nz, w}, dxi));
  const cx phi2 = c_add(c_mul((cx){-nz, 2 * w}, xi2), (cx){-nv, 0});
  const double phi0 = -nz * xi0 - nv;
  const double b11 = 2 * nzv * xi.re + nvv; /* mode with its conjugate */
  const cx b20 = {2 * nzv * xi.re + nvv, 2 * nzv * xi.im};
  const cx y20 = c_div(b20, phi2);
  const double y11 = b11 / phi0;
  /* B(q, h) = nzv (xi h_v + h_z) + nvv h_v with h_z = xi_h h_v */
  const cx with11 = c_scale(y11, c_add(c_scale(nzv, xi), (cx){nzv * xi0 + nvv, 0}));
  const cx with20 = c_mul(y20, (cx){nzv * (xi.re + xi2.re) + nvv, nzv * (xi2.im - xi.im)});
  const cx cubic = {nzvv * 3 * xi.re + nvvv, nzvv * xi.im};
  const cx c1 = c_div(c_add(cubic, c_add(c_scale(2, with11), with20)), c_scale(2, dphi));
  if (!isfinite(c1.re) || !isfinite(s1)) return r;
  r.sigma1 = s1;
  r.omega = w;
  r.lyapunov = 0.25 * c1.re;
  return r;
}

bri_hopf bri_hopf_at(const bri_plane *p, double v)
{
  double g[4], k[4];
  bri_level_series(p, v, g, k);
  return hopf(p, g, k, p->s2);
}

/* v is a zero of g + sigma2 v - F, each term good to a few 1e-16, and so is the exponent of g'. */
double bri_hopf_error(const bri_plane *p, double v)
{
  double g[4], k[4];
  bri_level_series(p, v, g, k);
  const double eps = 2.220446049250313e-16, s = hopf(p, g, k, p->s2).sigma1;
  const double dv = fmax(4 * eps * p->F / fabs(g[1] + p->s2), eps * v), h = fmax(dv, 1e-7 * v);
  const double moved = hopf(p, g, k, p->s2).sigma1 - bri_hopf_at(p, v + h).sigma1;
  const double u = p->dF > 0 ? fabs(log(fmax((g[0] - p->Fc) / p->dF, 1e-300))) : 0;
  return (8 + 4 * u) * eps * s + (isfinite(moved) ? fabs(moved) * dv / h : 0);
}

void bri_hopf_column(const bri_plane *p, double v, const double *F, size_t n, double *out)
{
  double g[4], k[4];
  bri_level_series(p, v, g, k);
  for (size_t i = 0; i < n; i++) out[i] = hopf(p, g, k, (F[i] - g[0]) / v).lyapunov;
}
