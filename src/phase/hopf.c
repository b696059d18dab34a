/* SPDX-License-Identifier: Apache-2.0
 * hopf.c - Hopf points and first Lyapunov coefficient of the driven block, in closed form for every delta.
 *
 * z' = N(z, v) = v - sigma0 z k(v), k = v/g, is linear in z, and m v + sigma1 z has the linear rate
 * F - sigma0 z - sigma2 v.  So every nonlinear term points along (1, -sigma1/m), and an oscillation e^(mu t)
 * has z = xi(mu) v with xi = -(sigma2 + m mu)/(sigma0 + sigma1 mu).  A unit push along (1, -sigma1/m) answers
 * with v = 1/Phi(mu), Phi = (mu - Nz) xi(mu) - Nv = -m (mu^2 + a1 mu + a0)/(sigma0 + sigma1 mu), a1 = 0 at
 * the point: in that form nothing cancels.  Centre-manifold reduction then gives
 *   c1 = [ C + 2 B(1, h11) + B(-1, h20) ] / (2 Phi'(i omega)),   lyapunov = Re c1 / 4,
 * B, C: second and third derivatives of N on the critical mode (xi, 1), h11 and h20 its answers at 0 and 2 i
 * omega. The factor 1/4 makes r the amplitude of v. */
#include <math.h>

#include "../../core/elementary.h"
#include "plane.h"

/* A complex number and a bound of what rounding has made of it so far (running error analysis): the
 * coefficient is a small real part of terms that cancel, so its sign is believed beyond that bound only. */
typedef struct {
  double re, im, err;
} cx;
static const double EPS = 2.220446049250313e-16;
static double size(cx a) { return fabs(a.re) + fabs(a.im); }
static cx real(double x) { return (cx){x, 0, EPS * fabs(x)}; }
static cx c_add(cx a, cx b)
{
  const cx r = {a.re + b.re, a.im + b.im, 0};
  return (cx){r.re, r.im, a.err + b.err + EPS * size(r)};
}
static cx c_mul(cx a, cx b)
{
  const double sa = size(a), sb = size(b);
  return (cx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re,
              sa * b.err + sb * a.err + a.err * b.err + 2 * EPS * sa * sb};
}
static cx c_scale(double s, cx a) { return (cx){s * a.re, s * a.im, fabs(s) * (a.err + EPS * size(a))}; }
static cx c_div(cx a, cx b)
{
  const double d = 1 / (b.re * b.re + b.im * b.im), sb = size(b), left = sb - 2 * b.err;
  const cx r = {(a.re * b.re + a.im * b.im) * d, (a.im * b.re - a.re * b.im) * d, 0};
  const double err = left > 0 ? 2 * (a.err + size(r) * b.err) / left : INFINITY;
  return (cx){r.re, r.im, err + 4 * EPS * size(a) * sb * d};
}
static cx c_conj(cx a) { return (cx){a.re, -a.im, a.err}; }
static cx turned(cx a) { return (cx){-a.im, a.re, a.err}; } /* times i */

/* Taylor coefficients at v of the level g and of v/g, with their bounds: sums of terms of either sign, so
 * what counts is the sum of their sizes.  u = (v/vs)^delta is good to an ulp, exp(-u) to u of them. */
typedef struct {
  cx g[4], k[4];
} level;
static level level_at(const bri_plane *p, double v)
{
  level l;
  double g[4], k[4], U[4], E[4], G[4], K[4];
  bri_level_series(p, v, g, k);
  U[0] = p->dF > 0 && g[0] > p->Fc ? -bri_log((g[0] - p->Fc) / p->dF) : 745;
  U[0] = fmax(U[0], 0);
  E[0] = (g[0] - p->Fc) / (p->dF > 0 ? p->dF : 1);
  G[0] = g[0], K[0] = k[0];
  const double unit = (2 + U[0]) * EPS;
  for (int j = 1; j < 4; j++) {
    U[j] = fabs(p->delta - j + 1) * U[j - 1] / (j * v);
    E[j] = 0, K[j] = j == 1 ? 1 : 0;
    for (int i = 1; i <= j; i++) E[j] += i * U[i] * E[j - i] / j;
    G[j] = p->dF * E[j];
    for (int i = 1; i <= j; i++) K[j] += G[i] * K[j - i];
    K[j] /= g[0];
  }
  for (int j = 0; j < 4; j++) {
    l.g[j] = (cx){g[j], 0, unit * G[j]};
    l.k[j] = (cx){k[j], 0, unit * K[j]};
  }
  return l;
}

/* sigma2 may differ from p's. */
static bri_hopf hopf(const bri_plane *p, const level *l, cx s2)
{
  const cx m = real(p->m), s0 = real(p->s0);
  const cx nz = c_scale(-p->s0, l->k[0]), nv = c_mul(l->k[0], l->g[1]);
  const cx a0 = c_div(c_add(c_mul(s0, nv), c_scale(-1, c_mul(s2, nz))), m),
           s1 = c_div(c_add(c_mul(m, nz), c_scale(-1, s2)), nv);
  bri_hopf r = {NAN, NAN, NAN, NAN};
  if (!(a0.re > 0) || !(nv.re < 0) || !(s2.re >= 0)) return r;
  const double root = sqrt(a0.re);
  const cx w = {root, 0, a0.err / root + EPS * root}, iw = turned(w), iw2 = c_scale(2, iw);
  /* second and third derivatives of N */
  const cx nzv = c_scale(-p->s0, l->k[1]), nvv = c_scale(-2, c_mul(l->g[0], l->k[2])),
           nzvv = c_scale(-2 * p->s0, l->k[2]), nvvv = c_scale(-6, c_mul(l->g[0], l->k[3]));
  const cx den1 = c_add(s0, c_mul(s1, iw)), den2 = c_add(s0, c_mul(s1, iw2));
  const cx xi = c_div(c_scale(-1, c_add(s2, c_mul(m, iw))), den1);
  const cx xi2 = c_div(c_scale(-1, c_add(s2, c_mul(m, iw2))), den2);
  const cx xi0 = c_scale(-1 / p->s0, s2);
  /* Phi of the modes 0 and 2 i w and Phi'(i w) */
  const cx phi0 = c_scale(-1 / p->s0, c_mul(m, a0)), phi2 = c_div(c_scale(3, c_mul(m, a0)), den2);
  const cx dphi = c_div(c_scale(-1, c_mul(m, iw2)), den1);
  const cx xr = {xi.re, 0, xi.err};
  const cx b11 = c_add(c_scale(2, c_mul(nzv, xr)), nvv); /* mode with its conjugate */
  const cx b20 = c_add(c_scale(2, c_mul(nzv, xi)), nvv);
  const cx y20 = c_div(b20, phi2), y11 = c_div(b11, phi0);
  /* B(q, h) = nzv (xi h_v + h_z) + nvv h_v with h_z = xi_h h_v */
  const cx with11 = c_mul(y11, c_add(c_mul(nzv, c_add(xi, xi0)), nvv));
  const cx with20 = c_mul(y20, c_add(c_mul(nzv, c_add(c_conj(xi), xi2)), nvv));
  const cx cubic = c_add(c_mul(nzvv, c_add(xi, c_scale(2, xr))), nvvv);
  const cx c1 = c_div(c_add(cubic, c_add(c_scale(2, with11), with20)), c_scale(2, dphi));
  if (!isfinite(c1.re) || !isfinite(s1.re)) return r;
  r.sigma1 = s1.re;
  r.omega = root;
  r.lyapunov = 0.25 * c1.re;
  r.lyapunov_error = 0.25 * c1.err;
  return r;
}

bri_hopf bri_hopf_at(const bri_plane *p, double v)
{
  const level l = level_at(p, v);
  return hopf(p, &l, real(p->s2));
}

/* v is a zero of g + sigma2 v - F, each term good to a few 1e-16, and so is the exponent of g'. */
double bri_hopf_error(const bri_plane *p, double v)
{
  double g[4], k[4];
  bri_level_series(p, v, g, k);
  const double s = bri_hopf_at(p, v).sigma1;
  const double dv = fmax(4 * EPS * p->F / fabs(g[1] + p->s2), EPS * v), h = fmax(dv, 1e-7 * v);
  const double moved = s - bri_hopf_at(p, v + h).sigma1;
  const double u = p->dF > 0 ? fabs(bri_log(fmax((g[0] - p->Fc) / p->dF, 1e-300))) : 0;
  return (8 + 4 * u) * EPS * s + (isfinite(moved) ? fabs(moved) * dv / h : 0);
}

void bri_hopf_column(const bri_plane *p, double v, const double *F, size_t n, double *out)
{
  const level l = level_at(p, v);
  for (size_t i = 0; i < n; i++) {
    const cx s2 = c_scale(1 / v, c_add(real(F[i]), c_scale(-1, l.g[0])));
    const bri_hopf h = hopf(p, &l, s2);
    out[i] = bri_hopf_signed(&h) ? h.lyapunov : NAN;
  }
}
