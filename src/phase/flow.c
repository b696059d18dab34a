/* SPDX-License-Identifier: Apache-2.0
 * flow.c - power series of the sliding block; see flow.h.
 *
 * Equations, once (v > 0, u = (v/vs)^delta, e = exp(-u), g = Fc + dF e, c = 1/g, a = v c):
 *   z' = v - sigma0 a z          m v' = F - sigma0 z - sigma1 z' - sigma2 v
 * and, with s = u e and b = v g'/g = -delta dF s c, q = sigma0 z c, the divergence of this field
 *   div = -sigma0 a - (sigma1 (1 - q + q b) + sigma2) / m.
 * u and e follow from v u' = delta u v' and e' = -e u'; the rest are products.  Coefficient k of a product is
 * a sum over pairs (j, k - j).  The inner pairs of all products are known before any coefficient k is, so
 * they are summed together, two products at a time; the outer pairs are added one after the other. */
#include "../../core/elementary.h"
#include "flow.h"

#include <math.h>
#include <string.h>

#include "../text/fail.h"

br_status bri_plane_of(const br_model *model, const double *par, double m, double F, bri_plane *p,
                       br_err *err)
{
  static const char *const NAMES[] = {"sigma0", "sigma1", "sigma2", "Fc", "Fs", "vs", "delta", "f_exp", "vd"};
  double x[9];
  if (!model || !par || !p) return bri_fail(err, BR_E_ARG, "phase: model or parameters are missing");
  if (model != br_model_find("lugre")) { /* a user's own of that name has other parameters */
    return bri_fail(err, BR_E_UNSUPPORTED, "phase: model '%s' is not covered, only 'lugre'", model->name);
  }
  for (size_t i = 0; i < 9; i++) x[i] = par[br_model_param(model, NAMES[i])->slot];
  if (par[br_model_param(model, "g_v")->len_slot] > 0 || par[br_model_param(model, "f_v")->len_slot] > 0)
    return bri_fail(err, BR_E_UNSUPPORTED, "phase: lugre with a table g_v or f_v is not covered");
  if (x[7] != 1 || x[8] > 0)
    return bri_fail(err, BR_E_UNSUPPORTED,
                    "phase: lugre with f_exp = %.9g, vd = %.9g is not covered, only f_exp = 1 and vd = 0",
                    x[7], x[8]);
  if (!(m > 0) || !isfinite(m)) return bri_fail(err, BR_E_RANGE, "phase: m = %.9g kg must be > 0", m);
  if (!isfinite(F)) return bri_fail(err, BR_E_NAN, "phase: F = %.9g N is not a finite number", F);
  const bri_plane r = {m, F, x[0], x[1], x[2], x[3], x[4] - x[3], x[5], x[6], NULL};
  *p = r;
  return BR_OK;
}

static double power(const bri_plane *p, double v)
{
  const double w = v / p->vs;
  return p->delta == 2 ? w * w : p->delta == 1 ? w : bri_pow(w, p->delta);
}

/* 1/k: a division costs as much as the rest of an order. */
static const double INVERSE[BRI_ORDER + 2] = {
    0,        1.0 / 1,  1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,  1.0 / 8,
    1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15, 1.0 / 16, 1.0 / 17,
    1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22, 1.0 / 23, 1.0 / 24, 1.0 / 25};

/* One coefficient of every part; names as in the equations above. */
typedef struct {
  double u, e, g, c, a, s, q, b, div;
  double inv_v, inv_m; /* of order 0 */
} order;

/* Enter coefficient k of all factors.  The last three pairs serve the divergence only. */
static void enter(bri_series *s, int k, const order *o, int spread)
{
  const double dk = (double)k, v = s->v[k], z = s->z[k];
  bri_pair *l = s->left[k], *r = s->right[k];
  l[0] = (bri_pair){dk * o->u, o->g}, r[0] = (bri_pair){o->e, o->c};
  l[1] = (bri_pair){v, z}, r[1] = (bri_pair){o->c, o->a};
  l[2] = (bri_pair){dk * v, v}, r[2] = (bri_pair){o->u, dk * o->u};
  if (!spread) return;
  l[3] = (bri_pair){o->u, z}, r[3] = (bri_pair){o->e, o->c};
  l[4] = (bri_pair){s->zr[k], o->div}, r[4] = (bri_pair){s->zr[k], s->M[k]};
  l[5] = (bri_pair){o->s, o->q}, r[5] = (bri_pair){o->c, o->b};
}

/* Coefficient k of everything on the way from (z, v) to their rates and, with spread, of the divergence and k
 * + 1 of I and M; needs coefficients 0..k of z and v.  f: order 0, filled when k = 0. */
static inline void advance_order(const bri_plane *p, bri_series *s, int k, int spread, order *f)
{
  const double dk = (double)k, v = s->v[k], z = s->z[k], v0 = s->v[0], z0 = s->z[0];
  bri_pair sum[BRI_PAIRS] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
  order o = {0};
  for (int j = 1; j < k; j++) {
    const bri_pair *l = s->left[j], *r = s->right[k - j];
    sum[0] += l[0] * r[0];
    sum[1] += l[1] * r[1];
    sum[2] += l[2] * r[2];
    if (!spread) continue;
    sum[3] += l[3] * r[3];
    sum[4] += l[4] * r[4];
    sum[5] += l[5] * r[5];
  }
  if (k == 0) {
    o.u = power(p, v);
    o.e = bri_exp(-o.u);
    o.g = p->Fc + p->dF * o.e;
    o.c = 1 / o.g;
    o.a = v * o.c;
    o.inv_v = 1 / v;
    o.inv_m = 1 / p->m;
    s->zr[0] = v - p->s0 * o.a * z;
    s->vr[0] = (p->F - p->s0 * z - p->s1 * s->zr[0] - p->s2 * v) * o.inv_m;
    *f = o;
  } else {
    o.u = (p->delta * (sum[2][0] + dk * v * f->u) - sum[2][1]) * INVERSE[k] * f->inv_v;
    o.e = -sum[0][0] * INVERSE[k] - o.u * f->e;
    o.g = p->dF * o.e;
    o.c = -(sum[0][1] + o.g * f->c) * f->c;
    o.a = sum[1][0] + v * f->c + v0 * o.c;
    s->zr[k] = v - p->s0 * (sum[1][1] + z * f->a + z0 * o.a);
    s->vr[k] = -(p->s0 * z + p->s1 * s->zr[k] + p->s2 * v) * f->inv_m;
  }
  if (spread) {
    const double two = k == 0 ? 0 : 1; /* a pair (0, k) and its mirror image, but (0, 0) only once */
    f->s = k == 0 ? o.u * o.e : f->s;
    o.s = sum[3][0] + f->u * o.e + two * o.u * f->e;
    o.q = p->s0 * (sum[3][1] + z0 * o.c + two * z * f->c);
    o.b = -p->delta * p->dF * (sum[5][0] + f->s * o.c + two * o.s * f->c);
    if (k == 0) f->q = o.q, f->b = o.b;
    const double qb = sum[5][1] + f->q * o.b + two * o.q * f->b;
    o.div = -p->s0 * o.a - p->s1 * f->inv_m * (qb - o.q);
    if (k == 0) f->div = o.div -= (p->s1 + p->s2) * f->inv_m;
    const double zz = sum[4][0] + (1 + two) * s->zr[0] * s->zr[k];
    const double dM = sum[4][1] + f->div * s->M[k] + two * o.div * s->M[0];
    if (k < BRI_ORDER) {
      s->I[k + 1] = o.div * INVERSE[k + 1];
      s->M[k + 1] = (dM - zz * f->inv_m) * INVERSE[k + 1];
    }
  }
  enter(s, k, &o, spread);
}

static void advance(bri_series *s, int k)
{
  if (k == BRI_ORDER) return;
  s->z[k + 1] = s->zr[k] * INVERSE[k + 1];
  s->v[k + 1] = s->vr[k] * INVERSE[k + 1];
}

void bri_series_of(const bri_plane *p, bri_point y, double M0, bri_series *s)
{
  s->z[0] = y.z;
  s->v[0] = y.v;
  s->I[0] = 0;
  s->M[0] = M0;
  order o = {0};
  for (int k = 0; k < BRI_ORDER; k++) {
    advance_order(p, s, k, 1, &o);
    advance(s, k);
  }
}

void bri_series_orbit(const bri_plane *p, bri_point y, bri_series *s)
{
  s->z[0] = y.z;
  s->v[0] = y.v;
  order o = {0};
  for (int k = 0; k < BRI_ORDER; k++) {
    advance_order(p, s, k, 0, &o);
    advance(s, k);
  }
}

/* The Stribeck part e = exp(-u) of a fast block is far below rounding, and so are its 24 coefficients,
 * however large it becomes where the block slows down: no coefficient tells.  Up to a fall D of the exponent
 * u the terms left out, e D^k/k! from k = 25 on, are small while D is; beyond that e must not count at the
 * end. */
static int level_reached(const bri_plane *p, const bri_series *s, double h)
{
  enum { PLACES = 4 };
  const double u = s->right[0][2][0], weight = bri_log(p->dF / p->Fc);
  const double log_tol = -38.5, log_25_factorial = 58.0;
  const double most = fmin(12, bri_exp((log_tol + u - weight + log_25_factorial) / 25));
  if (!(u > most)) return 1;
  for (int i = 1; i <= PLACES; i++) {
    const double v = bri_series_at(s->v, h * i / PLACES), w = v > 0 ? power(p, v) : 0;
    if (u - w > most && w < weight - log_tol) return 0;
  }
  return 1;
}

/* Terms below a tenth of the rounding of the value: the last two orders must agree on that. */
double bri_series_reach(const bri_plane *p, const bri_series *s, int dir)
{
  const double tol = 2e-17;
  double h = INFINITY;
  for (int k = BRI_ORDER - 1; k <= BRI_ORDER; k++) {
    const double rz = fabs(s->z[k]) / (fabs(s->z[0]) + 1e-300), rv = fabs(s->v[k]) / s->v[0];
    const double r = rz > rv ? rz : rv;
    if (r > 0) h = fmin(h, bri_exp(bri_log(tol / r) / k));
  }
  for (int i = 0; i < 200 && isfinite(h) && !level_reached(p, s, dir * h); i++) h *= 0.75;
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

/* The lowest order at y, with its derivatives where slopes are asked for. */
static order start_at(const bri_plane *p, bri_point y, int slopes, bri_series *s)
{
  order o = {0};
  s->z[0] = y.z;
  s->v[0] = y.v;
  s->M[0] = 0;
  advance_order(p, s, 0, slopes, &o);
  return o;
}

bri_point bri_flow(const bri_plane *p, bri_point y)
{
  bri_series s;
  (void)start_at(p, y, 0, &s);
  const bri_point r = {s.zr[0], s.vr[0]};
  return r;
}

bri_point bri_flow_slopes(const bri_plane *p, bri_point y, double *nz, double *nv)
{
  bri_series s;
  const order o = start_at(p, y, 1, &s);
  *nz = -p->s0 * o.a;
  *nv = 1 - o.q + o.q * o.b;
  return (bri_point){s.zr[0], s.vr[0]};
}

double bri_divergence(const bri_plane *p, bri_point y)
{
  bri_series s;
  const order o = start_at(p, y, 1, &s);
  return o.div;
}

/* The same recurrences with v = v0 + t and z = 0: then a is v / g as a series in v. */
void bri_level_series(const bri_plane *p, double v, double g[4], double k[4])
{
  bri_series s;
  order o = {0};
  for (int i = 0; i < 4; i++) {
    s.z[i] = 0;
    s.v[i] = i == 0 ? v : i == 1;
    advance_order(p, &s, i, 0, &o);
    g[i] = s.left[i][0][1];
    k[i] = s.right[i][1][1];
  }
}

/* Order by order: k lambda a_k = J a_k + (what lower orders give). */
void bri_manifold_series(const bri_plane *p, bri_point y, double lambda, double ez, double ev, double *az,
                         double *av)
{
  bri_series s;
  order o = start_at(p, y, 1, &s);
  const double nz = -p->s0 * o.a, nv = 1 - o.q + o.q * o.b;
  s.z[1] = ez;
  s.v[1] = ev;
  advance_order(p, &s, 1, 0, &o);
  for (int k = 2; k <= BRI_ORDER; k++) {
    s.z[k] = s.v[k] = 0;
    advance_order(p, &s, k, 0, &o);
    const double kl = k * lambda, a11 = kl - nz, a12 = -nv, a21 = (p->s0 + p->s1 * nz) / p->m,
                 a22 = kl + (p->s2 + p->s1 * nv) / p->m, det = a11 * a22 - a12 * a21;
    const double rz = s.zr[k], rv = s.vr[k];
    s.z[k] = (rz * a22 - a12 * rv) / det;
    s.v[k] = (a11 * rv - a21 * rz) / det;
    advance_order(p, &s, k, 0, &o);
  }
  memcpy(az, s.z, sizeof s.z);
  memcpy(av, s.v, sizeof s.v);
}
