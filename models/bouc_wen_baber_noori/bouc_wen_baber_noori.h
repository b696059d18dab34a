/* SPDX-License-Identifier: Apache-2.0
 * bouc_wen_baber_noori - Bouc-Wen that loses strength and stiffness and pinches.  Equations, source:
 * README.md.
 *   dz/dt = h(z, e) (A(e) - nu(e) |z|^eta (beta sgn(v z) + gamma)) v / (uy s(e))     z: normalised force, 1
 *   de/dt = z v / uy                                          e: energy taken up, in fp uy (1 - kappa)
 *   A(e) = max(A - delta_A e, 0)    nu(e) = 1 + delta_nu e    s(e) = 1 + delta_eta e
 *   h    = 1 - zeta1 exp(-(z sgn(v) - q zu)^2 / zeta2^2)    zu = (A(e) / (nu(e) (beta + gamma)))^(1/eta)
 *   zeta1 = zeta_s (1 - exp(-p e))    zeta2 = (psi0 + delta_psi e) (lam + zeta1)      all with e >= 0
 *   F    = fp ((1 - kappa) z + kappa u / uy) */
#include "../common/bouc_wen_table.h"
#define BR_TITLE "Bouc-Wen-Baber-Noori (BWBN): pinching, loss of stiffness and strength"
#define BR_AXES 1
#define BR_NZ 2
#define BR_NMODE 0
#define BR_PARAMS(P, V, E)                                                                             \
  BR_BOUC_WEN_SHAPE(P)                                                                                 \
  P(delta_A, "1", 0.0, BR_FROM(0), BR_NOHI, "loss of the slope A with the energy e")                   \
  P(delta_nu, "1", 0.0, BR_FROM(0), BR_NOHI, "loss of strength with the energy e")                     \
  P(delta_eta, "1", 0.0, BR_FROM(0), BR_NOHI, "loss of stiffness with the energy e")                   \
  P(zeta_s, "1", 0.0, BR_FROM(0), BR_BELOW(1), "slip: largest share of the slope that pinching takes") \
  P(q, "1", 0.1, BR_FROM(0), BR_UPTO(1), "place of the pinch, in parts of the largest z")              \
  P(p, "1", 1.0, BR_FROM(0), BR_NOHI, "how soon pinching grows with the energy e")                     \
  P(psi0, "1", 0.1, BR_ABOVE(0), BR_NOHI, "width of the pinch at first")                               \
  P(delta_psi, "1", 0.0, BR_FROM(0), BR_NOHI, "growth of the width with the energy e")                 \
  P(lam, "1", 0.5, BR_ABOVE(0), BR_NOHI, "how far the depth of the pinch widens it (lambda)")
#define BR_DERIVED(D) D(inv_uy) D(limit)
#define BR_STATES(S, SV) \
  S(z, "1", "normalised hysteretic force") S(e, "1", "energy taken up, in fp uy (1 - kappa)")
#define BR_RULES(R) \
  R(BR_EQ(p->zeta_s, BR_K(0)) || BR_LT(BR_K(0), p->beta + p->gamma), zeta_s, "0, or beta + gamma > 0")
#define BR_FLAGS (BR_MODEL_ENERGY | BR_MODEL_KINKS)
#define BR_BN_SPRING(p)                                                                       \
  (BR_EQ((p)->beta, BR_K(0)) && BR_EQ((p)->gamma, BR_K(0)) && BR_EQ((p)->delta_A, BR_K(0)) && \
   BR_EQ((p)->delta_eta, BR_K(0)))
#define BR_CLASS(p, c)                                                                                 \
  ((c)->duhem = BR_BN_SPRING(p) ? BR_DUHEM_SEMILINEAR : BR_DUHEM_GENERALIZED, (c)->rate_dependent = 0, \
   (c)->continuity = BR_LT((p)->eta, BR_K(1)) && !BR_BN_SPRING(p) ? BR_CONTINUOUS : BR_LIPSCHITZ)
#define BR_PASSIVE(p)                                                                                    \
  (BR_LT(BR_K(0), (p)->beta) && !BR_LT((p)->beta, BR_ABS((p)->gamma)) && BR_EQ((p)->delta_A, BR_K(0)) && \
   BR_EQ((p)->delta_eta, BR_K(0)) && BR_EQ((p)->zeta_s, BR_K(0)))
#define BR_PASSIVE_TEXT "beta > 0, -beta <= gamma <= beta, delta_A = delta_eta = zeta_s = 0"

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);

/* limit: where |z| ends before anything is lost, 1e30 where it has no end */
BR_FN void BR_M(prepare)(BR_M(par) *p)
{
  const BR_REAL sum = p->beta + p->gamma;
  const int ends = BR_LT(BR_K(0), sum);
  const BR_REAL limit = BR_POW(p->A / BR_SEL(ends, sum, p->A), 1 / p->eta);
  p->inv_uy = 1 / p->uy;
  p->limit = BR_SEL(ends && BR_LT(limit, BR_K(1e30)), limit, BR_K(1e30));
}

/* Slope and strength that are left after the energy e, and where |z| ends with them. */
BR_FN BR_REAL BR_M(left)(const BR_M(par) *p, BR_REAL e, BR_REAL *A, BR_REAL *nu)
{
  *A = BR_MAX(p->A - p->delta_A * e, BR_K(0));
  *nu = 1 + p->delta_nu * e;
  return p->limit * BR_POW(*A / (p->A * *nu), 1 / p->eta);
}

BR_FN void BR_M(rate)(BR_ARGS, BR_REAL *dz)
{
  const BR_REAL e = BR_MAX(z[1], BR_K(0)), a = BR_ABS(z[0]), x = v[0] * p->inv_uy;
  BR_REAL A, nu;
  const BR_REAL zu = BR_M(left)(p, e, &A, &nu);
  const BR_REAL zeta1 = p->zeta_s * -BR_EXPM1(-(p->p * e));
  const BR_REAL zeta2 = (p->psi0 + p->delta_psi * e) * (p->lam + zeta1);
  const BR_REAL off = (BR_XORSIGN(z[0], v[0]) - p->q * zu) / zeta2;
  const BR_REAL pinch = 1 - zeta1 * BR_EXP(-BR_MIN(off * off, BR_K(80)));
  const BR_REAL power = BR_SEL(BR_EQ(p->eta, BR_K(1)), a, BR_POW_ABS(a, p->eta));
  const BR_REAL lost = nu * power * (BR_XORSIGN(BR_XORSIGN(p->beta, v[0]), z[0]) + p->gamma);
  BR_UNUSED(n), BR_UNUSED(u);
  dz[0] = pinch * (A - lost) * x / (1 + p->delta_eta * e);
  dz[1] = z[0] * x;
}

BR_FN void BR_M(force)(BR_ARGS, const BR_REAL *dz, BR_REAL *F)
{
  BR_UNUSED(v), BR_UNUSED(dz);
  F[0] = n * p->fp * ((1 - p->kappa) * z[0] + p->kappa * (u[0] * p->inv_uy));
}

/* The classical fourth-order rule for y in
 *   z = z0 + way y / (1 + b y),      dy/dt = (1 + b y)^2 z' / way
 * A step that is short against the way in which z settles takes way = 1, b = 0: the rule for z and e
 * themselves.  A longer one keeps what is lost as it stands at its start, takes way = zu sgn(v) - z0, b = 1:
 * y never falls, so z approaches its end and stays on its side however long the step.  Carried: sums of the
 * end and of the middle slopes, y and e. */
#define BR_STAGES 4
#define BR_CARRY 6
BR_FN void BR_M(stage)(int s, BR_STEP_ARGS, BR_REAL *c)
{
  BR_REAL A, nu, k[BR_NZ];
  const BR_REAL end = BR_M(left)(p, BR_MAX(z[1], BR_K(0)), &A, &nu);
  const int brief = BR_LT(p->eta * p->A * (BR_ABS(v[0]) * h * p->inv_uy), end);
  const int repels = BR_LT(p->beta, BR_K(0));
  const BR_REAL gap = BR_COPYSIGN(end, v[0]) - z[0], way = BR_SEL(brief, BR_K(1), gap);
  const int there = BR_EQ(way, BR_K(0));
  const BR_REAL inverse = BR_SEL(there, BR_K(0), 1 / BR_SEL(there, BR_K(1), way));
  const BR_REAL b = BR_SEL(brief, BR_K(0), BR_K(1)), low = BR_SEL(brief, BR_K(-1e30), BR_K(-0.9990234375)),
                high = BR_SEL(brief, BR_K(1e30), BR_K(1e18));
  const BR_REAL half = BR_K(0.5) * h, sixth = h / 6, y = s == 0 ? BR_K(0) : c[4], g = 1 + b * y;
  const BR_REAL at[BR_NZ] = {z[0] + way * (y / g), BR_SEL(brief, s == 0 ? z[1] : c[5], z[1])};
  BR_M(rate)(p, n, u, v, at, k);
  const BR_REAL slope = g * g * k[0] * inverse;
  k[0] = BR_SEL(brief || repels, slope, BR_MAX(slope, BR_K(0)));
  for (int i = 0; i < BR_NZ; i++) {
    if (s == 0) c[i] = k[i];
    if (s == 1) c[2 + i] = k[i];
    if (s == 2) c[2 + i] = c[2 + i] + k[i];
  }
  const BR_REAL next = s < 3 ? (s == 2 ? h : half) * k[0] : sixth * ((c[0] + k[0]) + 2 * c[2]);
  c[4] = BR_CLIP(next, low, high);
  c[5] = z[1] + (s < 3 ? (s == 2 ? h : half) * k[1] : sixth * ((c[1] + k[1]) + 2 * c[3]));
  if (s == 3) {
    z[0] = z[0] + way * (c[4] / (1 + b * c[4]));
    z[1] = c[5];
  }
}

/* What is stored at the present stiffness. */
BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, BR_REAL n, const BR_REAL *u, const BR_REAL *z)
{
  const BR_REAL x = u[0] * p->inv_uy, soft = 1 + p->delta_eta * BR_MAX(z[1], BR_K(0));
  return n * p->fp * p->uy * BR_K(0.5) * ((1 - p->kappa) * soft * z[0] * z[0] / p->A + p->kappa * x * x);
}
