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
#define BR_DERIVED(D) D(inv_uy)
#define BR_STATES(S, SV) S(z, "1", "normalised hysteretic force") S(D, "1", "accumulated plastic ductility")
#define BR_RULES(R)
#define BR_FLAGS (BR_MODEL_ENERGY)
#define BR_CLASS BR_BOUC_WEN_CLASS
#define BR_PASSIVE BR_BOUC_WEN_PASSIVE
#define BR_PASSIVE_TEXT BR_BOUC_WEN_PASSIVE_TEXT

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);

BR_FN void BR_M(prepare)(BR_M(par) *p) { p->inv_uy = 1 / p->uy; }

/* Case a batch may assume: 1 no degradation. */
#define BR_SPECIALS 1
BR_FN void BR_M(assume)(BR_M(par) *p, int k)
{
  if (k == 1) p->inv_d0 = 0;
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

#define BR_COUNT(p) BR_NZ
#define BR_READS 1 /* the rate does not read D */
#include "../../core/rk4.inc"

/* Stored energy at the present strength; damage only lowers it. */
BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, BR_REAL n, const BR_REAL *u, const BR_REAL *z)
{
  const BR_REAL x = u[0] * p->inv_uy;
  return n * p->fp * p->uy / (1 + z[1] * p->inv_d0) * BR_K(0.5) *
         ((1 - p->kappa) * z[0] * z[0] / p->A + p->kappa * x * x);
}
