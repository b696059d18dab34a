/* SPDX-License-Identifier: Apache-2.0
 * bouc_wen_biaxial - Bouc-Wen hysteresis in the plane.  Equations, validity, source: README.md.
 *   dz/dt = (A v - |z|^eta b(e, v) e) / uy,   e = z / |z|, nothing plastic at z = 0
 *   b     = beta |e.v| + gamma e.v                                  isotropic
 *   b     = beta (|ex vx| + |ey vy|) + gamma e.v                    printed (depends on the choice of axes)
 *   dD/dt = |A v / uy - dz/dt| = |z|^eta |b| / uy
 *   F     = fp / (1 + D inv_d0) ((1 - kappa) z + kappa u / uy)
 * Written with the unit vector e instead of |z|^(eta-2) z, nothing overflows for any eta > 0 and any z. */
#include "../common/bouc_wen_table.h"
#define BR_TITLE "Bouc-Wen in two directions: isotropic or as printed"
#define BR_AXES 2
#define BR_NZ 3
#define BR_NMODE 0
#define BR_PARAMS(P, V, E)    \
  BR_BOUC_WEN_PARAMS(P, V, E) \
  E(form, "isotropic|printed", 0, "coupling of the axes: |z.v|, or |zx vx| + |zy vy| as printed")
#define BR_DERIVED(D) D(inv_uy)
#define BR_STATES(S, SV)                       \
  S(zx, "1", "normalised hysteretic force, x") \
  S(zy, "1", "normalised hysteretic force, y") S(D, "1", "accumulated plastic ductility")
#define BR_RULES(R)
#define BR_FLAGS (BR_MODEL_ENERGY | BR_MODEL_KINKS)
#define BR_CLASS BR_BOUC_WEN_CLASS
#define BR_PASSIVE BR_BOUC_WEN_PASSIVE
#define BR_PASSIVE_TEXT BR_BOUC_WEN_PASSIVE_TEXT

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);

BR_FN void BR_M(prepare)(BR_M(par) *p) { p->inv_uy = 1 / p->uy; }

#define BR_SPECIALS 1
BR_FN void BR_M(assume)(BR_M(par) *p, int k)
{
  if (k == 1) p->inv_d0 = 0, p->form = 0;
}

BR_FN void BR_M(rate)(BR_ARGS, BR_REAL *dz)
{
  const BR_REAL rx = v[0] * p->inv_uy, ry = v[1] * p->inv_uy; /* ductility rates, 1/s */
  /* |z| and e by way of the larger component: its square need not be representable */
  const BR_REAL most = BR_MAX(BR_ABS(z[0]), BR_ABS(z[1]));
  const int rest = BR_EQ(most, BR_K(0));
  const BR_REAL wx = z[0] / BR_SEL(rest, BR_K(1), most), wy = z[1] / BR_SEL(rest, BR_K(1), most);
  const BR_REAL root = BR_SQRT(BR_SEL(rest, BR_K(1), wx * wx + wy * wy));
  const BR_REAL ex = wx / root, ey = wy / root, size = most * root;
  const BR_REAL power = BR_SEL(BR_EQ(p->eta, BR_K(1)), size, BR_POW_ABS(size, p->eta));
  const BR_REAL dot = ex * rx + ey * ry;
  const BR_REAL work = BR_SEL(BR_EQ(p->form, BR_K(0)), BR_ABS(dot), BR_ABS(ex * rx) + BR_ABS(ey * ry));
  const BR_REAL plastic = power * (p->beta * work + p->gamma * dot); /* along e */
  BR_UNUSED(n), BR_UNUSED(u);
  dz[0] = p->A * rx - plastic * ex;
  dz[1] = p->A * ry - plastic * ey;
  dz[2] = BR_ABS(plastic);
}

BR_FN void BR_M(force)(BR_ARGS, const BR_REAL *dz, BR_REAL *F)
{
  const BR_REAL level = n * p->fp / (1 + z[2] * p->inv_d0);
  BR_UNUSED(v), BR_UNUSED(dz);
  for (int a = 0; a < 2; a++) F[a] = level * ((1 - p->kappa) * z[a] + p->kappa * (u[a] * p->inv_uy));
}

#define BR_COUNT(p) BR_NZ
#include "../../core/rk4.inc"

/* Stored energy at the present strength; damage only lowers it. */
BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, BR_REAL n, const BR_REAL *u, const BR_REAL *z)
{
  const BR_REAL x = u[0] * p->inv_uy, y = u[1] * p->inv_uy;
  return n * p->fp * p->uy / (1 + z[2] * p->inv_d0) * BR_K(0.5) *
         ((1 - p->kappa) * (z[0] * z[0] + z[1] * z[1]) / p->A + p->kappa * (x * x + y * y));
}
