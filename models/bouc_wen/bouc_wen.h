/* SPDX-License-Identifier: Apache-2.0
 * bouc_wen - Bouc-Wen hysteresis with scaling, hardening and degradation.  Equations, source: README.md.
 *   dz/dt = (A - |z|^eta (beta sgn(v z) + gamma)) v / uy      z: normalised force, 1
 *   dD/dt = |A v / uy - dz/dt|                                D: accumulated plastic ductility, 1
 *   F     = fp / (1 + D inv_d0) ((1 - kappa) z + kappa u / uy) */
#include "../common/bouc_wen_table.h"
#define BR_TITLE "Bouc-Wen: smooth yielding with any exponent, hardening and degradation"
#define BR_AXES 1
#define BR_NZ 2
#define BR_NMODE 0
#define BR_PARAMS BR_BOUC_WEN_PARAMS
#define BR_DERIVED(D) D(inv_uy) D(limit) D(closed)
#define BR_STATES(S, SV) S(z, "1", "normalised hysteretic force") S(D, "1", "accumulated plastic ductility")
#define BR_RULES(R)
#define BR_FLAGS (BR_MODEL_ENERGY | BR_MODEL_KINKS)
#define BR_CLASS BR_BOUC_WEN_CLASS
#define BR_PASSIVE BR_BOUC_WEN_PASSIVE
#define BR_PASSIVE_TEXT BR_BOUC_WEN_PASSIVE_TEXT

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);

/* limit: where |z| ends, 1e30 where it has no end; closed: eta where the step has a closed form, else 0. */
BR_FN void BR_M(prepare)(BR_M(par) *p)
{
  const BR_REAL sum = p->beta + p->gamma;
  const int ends = BR_LT(BR_K(0), sum);
  const BR_REAL limit = BR_POW(p->A / BR_SEL(ends, sum, p->A), 1 / p->eta);
  const int known = BR_EQ(p->eta, BR_K(1)) || BR_EQ(p->eta, BR_K(2));
  p->inv_uy = 1 / p->uy;
  p->limit = BR_SEL(ends && BR_LT(limit, BR_K(1e30)), limit, BR_K(1e30));
  p->closed = BR_SEL(known, p->eta, BR_K(0));
}

/* Cases a batch may assume: 1 no closed form, 2 and 3 the two closed forms. */
#define BR_SPECIALS 3
BR_FN void BR_M(assume)(BR_M(par) *p, int k)
{
  if (k == 1) p->closed = 0;
  if (k == 2) p->closed = p->eta = 2;
  if (k == 3) p->closed = p->eta = 1;
}

/* The part |z|^eta (beta sgn(v z) + gamma) v / uy of the rate that is not elastic, 1/s.  Signs are taken by
 * bit: a product v z may underflow, and at v = 0 or z = 0 the result is zero with any sign. */
BR_FN BR_REAL BR_M(plastic)(const BR_M(par) *p, BR_REAL v, BR_REAL z)
{
  const BR_REAL a = BR_ABS(z);
  const BR_REAL power = BR_SEL(BR_EQ(p->eta, BR_K(1)), a, BR_POW_ABS(a, p->eta));
  return power * (BR_XORSIGN(BR_XORSIGN(p->beta, v), z) + p->gamma) * (v * p->inv_uy);
}

BR_FN void BR_M(rate)(BR_ARGS, BR_REAL *dz)
{
  const BR_REAL lost = BR_M(plastic)(p, v[0], z[0]);
  BR_UNUSED(n), BR_UNUSED(u);
  dz[0] = p->A * (v[0] * p->inv_uy) - lost;
  dz[1] = BR_ABS(lost);
}

BR_FN void BR_M(force)(BR_ARGS, const BR_REAL *dz, BR_REAL *F)
{
  BR_UNUSED(v), BR_UNUSED(dz);
  F[0] = n * p->fp / (1 + z[1] * p->inv_d0) * ((1 - p->kappa) * z[0] + p->kappa * (u[0] * p->inv_uy));
}

#include "closed.inc"

/* Any other eta: the classical fourth-order rule for s in
 *   z = z0 + (end - z0) s / (1 + b s),    end = limit sgn(v),    ds/dt = (1 + b s)^2 z' / (end - z0)
 * A step that is short against the way in which z settles takes b = 0, which is the rule for z itself, up to
 * s = 1; a longer one b = 1: s never falls, so z approaches `end` and stays on its side however long the step.
 * For beta < 0 small cycles repel and z may move away.  Carried: sums of the end and of the middle slopes of s
 * and D, and s. */
BR_FN void BR_M(bounded)(int s, BR_STEP_ARGS, BR_REAL *c)
{
  const BR_REAL half = BR_K(0.5) * h, sixth = h / 6, way = BR_COPYSIGN(p->limit, v[0]) - z[0];
  const int there = BR_EQ(way, BR_K(0)), repels = BR_LT(p->beta, BR_K(0));
  const int brief = BR_LT(p->eta * p->A * (BR_ABS(v[0]) * h * p->inv_uy), p->limit);
  const BR_REAL inverse = BR_SEL(there, BR_K(0), 1 / BR_SEL(there, BR_K(1), way));
  const BR_REAL b = BR_SEL(brief, BR_K(0), BR_K(1)), low = BR_SEL(brief, BR_K(-1e30), BR_K(-0.9990234375)),
                high = BR_SEL(brief, BR_SEL(repels, BR_K(1e30), BR_K(1)), BR_K(1e18));
  const BR_REAL at = s == 0 ? BR_K(0) : c[4], y = 1 + b * at;
  BR_REAL zs[BR_NZ] = {z[0] + way * (at / y), z[1]}, k[BR_NZ];
  BR_M(rate)(p, n, u, v, zs, k);
  const BR_REAL slope = y * y * k[0] * inverse;
  k[0] = BR_SEL(repels, slope, BR_MAX(slope, BR_K(0)));
  for (int i = 0; i < BR_NZ; i++) {
    if (s == 0) c[i] = k[i];
    if (s == 1) c[2 + i] = k[i];
    if (s == 2) c[2 + i] = c[2 + i] + k[i];
  }
  const BR_REAL next = s < 3 ? (s == 2 ? h : half) * k[0] : sixth * ((c[0] + k[0]) + 2 * c[2]);
  c[4] = BR_CLIP(next, low, high);
  if (s == 3) {
    z[0] = z[0] + way * (c[4] / (1 + b * c[4]));
    z[1] = z[1] + sixth * ((c[1] + k[1]) + 2 * c[3]);
  }
}

#define BR_STAGES 4
#define BR_CARRY 5
BR_FN void BR_M(stage)(int s, BR_STEP_ARGS, BR_REAL *c)
{
  if (BR_EQ(p->closed, BR_K(0))) BR_M(bounded)(s, p, n, u, v, h, z, c);
  else if (s == 3) BR_M(closed_step)(p, v[0], h, z);
}

/* Stored energy at the present strength; damage only lowers it. */
BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, BR_REAL n, const BR_REAL *u, const BR_REAL *z)
{
  const BR_REAL x = u[0] * p->inv_uy;
  return n * p->fp * p->uy / (1 + z[1] * p->inv_d0) * BR_K(0.5) *
         ((1 - p->kappa) * z[0] * z[0] / p->A + p->kappa * x * x);
}
