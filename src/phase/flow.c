/* SPDX-License-Identifier: Apache-2.0
 * flow.c - power series of the sliding block; see flow.h.
 *
 * Equations, once (v > 0, u = (v/vs)^delta, e = exp(-u), g = Fc + dF e, c = 1/g, a = v c):
 *   z' = v - sigma0 a z          m v' = F - sigma0 z - sigma1 z' - sigma2 v
 * and, with s = u e and b = v g'/g = -delta dF s c, q = sigma0 z c, the divergence of this field
 *   div = -sigma0 a - (sigma1 (1 - q + q b) + sigma2) / m.
 * Each product of series is a sum over pairs; u and e follow from v u' = delta u v' and e' = -e u'.  Sums over the
 * inner pairs of all products run in one loop, because they do not wait for each other. */
#include "flow.h"

#include <math.h>
#include <string.h>

#include "../text/fail.h"

br_status bri_plane_of(const br_model *model, const double *par, double m, double F, bri_plane *p, br_err *err)
{
  static const char *const NAMES[] = {"sigma0", "sigma1", "sigma2", "Fc", "Fs", "vs", "delta", "f_exp", "vd"};
  double x[9];
  if (!model || !par || !p) return bri_text_fail(err, BR_E_ARG, -1, "phase: model or parameters are missing");
  if (strcmp(model->name, "lugre") != 0) {
    return bri_text_fail(err, BR_E_UNSUPPORTED, -1, "phase: model '%s' is not covered, only 'lugre'", model->name);
  }
  for (size_t i = 0; i < 9; i++) x[i] = par[br_model_param(model, NAMES[i])->slot];
  if (par[br_model_param(model, "g_v")->len_slot] > 0 || par[br_model_param(model, "f_v")->len_slot] > 0) {
    return bri_text_fail(err, BR_E_UNSUPPORTED, -1, "phase: lugre with a table g_v or f_v is not covered");
  }
  if (x[7] != 1 || x[8] > 0) {
    return bri_text_fail(err, BR_E_UNSUPPORTED, -1, "phase: lugre with f_exp = %.9g, vd = %.9g is not covered, "
                         "only f_exp = 1 and vd = 0", x[7], x[8]);
  }
  if (!(m > 0) || !isfinite(m)) return bri_text_fail(err, BR_E_RANGE, -1, "phase: m = %.9g kg must be > 0", m);
  if (!isfinite(F)) return bri_text_fail(err, BR_E_NAN, -1, "phase: F = %.9g N is not a finite number", F);
  const bri_plane r = {m, F, x[0], x[1], x[2], x[3], x[4] - x[3], x[5], x[6]};
  *p = r;
  return BR_OK;
}

static double power(const bri_plane *p, double v)
{
  const double w = v / p->vs;
  return p->delta == 2 ? w * w : p->delta == 1 ? w : pow(w, p->delta);
}

/* Coefficient k of everything on the way from (z, v) to their rates, given coefficients 0..k of z and v.
 * skip: with z_k and v_k taken as zero the result is the part of the rates that lower orders give. */
static void orbit_order(const bri_plane *p, bri_series *s, int k)
{
  const double dk = (double)k;
  if (k == 0) {
    s->u[0] = power(p, s->v[0]);
    s->e[0] = exp(-s->u[0]);
    s->g[0] = p->Fc + p->dF * s->e[0];
    s->c[0] = 1 / s->g[0];
    s->a[0] = s->v[0] * s->c[0];
    s->zr[0] = s->v[0] - p->s0 * s->a[0] * s->z[0];
    s->vr[0] = (p->F - p->s0 * s->z[0] - p->s1 * s->zr[0] - p->s2 * s->v[0]) / p->m;
    return;
  }
  double u = p->delta * dk * s->v[k] * s->u[0], e = 0, c = 0, a = s->v[k] * s->c[0], w = s->z[k] * s->a[0];
  for (int j = 1; j < k; j++) {
    const double dj = (double)j;
    u += (p->delta * dj - (dk - dj)) * s->v[j] * s->u[k - j];
    e += dj * s->u[j] * s->e[k - j];
    c += s->g[j] * s->c[k - j];
    a += s->v[j] * s->c[k - j];
    w += s->z[j] * s->a[k - j];
  }
  s->u[k] = u / (dk * s->v[0]);
  s->e[k] = -(e + dk * s->u[k] * s->e[0]) / dk;
  s->g[k] = p->dF * s->e[k];
  s->c[k] = -(c + s->g[k] * s->c[0]) * s->c[0];
  s->a[k] = a + s->v[0] * s->c[k];
  s->zr[k] = s->v[k] - p->s0 * (w + s->z[0] * s->a[k]);
  s->vr[k] = -(p->s0 * s->z[k] + p->s1 * s->zr[k] + p->s2 * s->v[k]) / p->m;
}

/* Coefficient k of the divergence and k + 1 of I and M, after orbit_order(k). */
static void spread_order(const bri_plane *p, bri_series *s, int k)
{
  double es = 0, sc = 0, zc = 0, qb = 0, zz = 0, dM = 0;
  for (int j = 0; j <= k; j++) {
    es += s->u[j] * s->e[k - j];
    zc += s->z[j] * s->c[k - j];
    zz += s->zr[j] * s->zr[k - j];
  }
  s->s[k] = es;
  s->q[k] = p->s0 * zc;
  for (int j = 0; j <= k; j++) sc += s->s[j] * s->c[k - j];
  s->b[k] = -p->delta * p->dF * sc;
  for (int j = 0; j <= k; j++) qb += s->q[j] * s->b[k - j];
  s->div[k] = -p->s0 * s->a[k] - p->s1 / p->m * (qb - s->q[k]);
  if (k == 0) s->div[0] -= (p->s1 + p->s2) / p->m;
  for (int j = 0; j <= k; j++) dM += s->div[j] * s->M[k - j];
  if (k == BRI_ORDER) return;
  s->I[k + 1] = s->div[k] / (k + 1);
  s->M[k + 1] = (dM - zz / p->m) / (k + 1);
}

static void advance(bri_series *s, int k)
{
  if (k == BRI_ORDER) return;
  s->z[k + 1] = s->zr[k] / (k + 1);
  s->v[k + 1] = s->vr[k] / (k + 1);
}

void bri_series_of(const bri_plane *p, bri_point y, double M0, bri_series *s)
{
  s->z[0] = y.z;
  s->v[0] = y.v;
  s->I[0] = 0;
  s->M[0] = M0;
  for (int k = 0; k < BRI_ORDER; k++) {
    orbit_order(p, s, k);
    spread_order(p, s, k);
    advance(s, k);
  }
}

void bri_series_orbit(const bri_plane *p, bri_point y, bri_series *s)
{
  s->z[0] = y.z;
  s->v[0] = y.v;
  for (int k = 0; k < BRI_ORDER; k++) {
    orbit_order(p, s, k);
    advance(s, k);
  }
}

/* Terms below a tenth of the rounding of the value: the last two orders must agree on that. */
double bri_series_reach(const bri_series *s)
{
  const double tol = 2e-17;
  double h = INFINITY;
  for (int k = BRI_ORDER - 1; k <= BRI_ORDER; k++) {
    const double rz = fabs(s->z[k]) / (fabs(s->z[0]) + 1e-300), rv = fabs(s->v[k]) / s->v[0];
    const double r = rz > rv ? rz : rv;
    if (r > 0) h = fmin(h, exp(log(tol / r) / k));
  }
  return h;
}

double bri_series_at(const double *c, double h)
{
  double x = c[BRI_ORDER];
  for (int k = BRI_ORDER - 1; k >= 0; k--) x = x * h + c[k];
  return x;
}

double bri_series_rate(const double *c, double h)
{
  double x = c[BRI_ORDER] * BRI_ORDER;
  for (int k = BRI_ORDER - 1; k >= 1; k--) x = x * h + c[k] * k;
  return x;
}

bri_point bri_flow(const bri_plane *p, bri_point y)
{
  bri_series s;
  s.z[0] = y.z;
  s.v[0] = y.v;
  orbit_order(p, &s, 0);
  const bri_point r = {s.zr[0], s.vr[0]};
  return r;
}

double bri_divergence(const bri_plane *p, bri_point y)
{
  bri_series s;
  s.z[0] = y.z;
  s.v[0] = y.v;
  s.M[0] = 0;
  orbit_order(p, &s, 0);
  spread_order(p, &s, 0);
  return s.div[0];
}

/* The same recurrences with v = v0 + t and z = 0: then a is v / g as a series in v. */
void bri_level_series(const bri_plane *p, double v, double g[4], double k[4])
{
  bri_series s;
  for (int i = 0; i < 4; i++) {
    s.z[i] = 0;
    s.v[i] = i == 0 ? v : i == 1;
    orbit_order(p, &s, i);
    g[i] = s.g[i];
    k[i] = s.a[i];
  }
}

/* Order by order: k lambda a_k = J a_k + (what lower orders give). */
void bri_manifold_series(const bri_plane *p, bri_point y, double lambda, double ez, double ev, double *az,
                         double *av)
{
  bri_series s;
  s.z[0] = y.z;
  s.v[0] = y.v;
  orbit_order(p, &s, 0);
  const double b = -p->delta * p->dF * s.u[0] * s.e[0] * s.c[0], q = p->s0 * y.z * s.c[0];
  const double nz = -p->s0 * s.a[0], nv = 1 - q + q * b;
  s.z[1] = ez;
  s.v[1] = ev;
  orbit_order(p, &s, 1);
  for (int k = 2; k <= BRI_ORDER; k++) {
    s.z[k] = s.v[k] = 0;
    orbit_order(p, &s, k);
    const double kl = k * lambda, a11 = kl - nz, a12 = -nv, a21 = (p->s0 + p->s1 * nz) / p->m,
                 a22 = kl + (p->s2 + p->s1 * nv) / p->m, det = a11 * a22 - a12 * a21;
    const double rz = s.zr[k], rv = s.vr[k];
    s.z[k] = (rz * a22 - a12 * rv) / det;
    s.v[k] = (a11 * rv - a21 * rz) / det;
    orbit_order(p, &s, k);
  }
  memcpy(az, s.z, sizeof s.z);
  memcpy(av, s.v, sizeof s.v);
}
