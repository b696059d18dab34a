/* SPDX-License-Identifier: Apache-2.0
 * bouc_wen_asymmetric - Bouc-Wen with another strength to each side (Wang and Wen).  Equations, source:
 * README.md.
 *   dz/dt = (A - |z|^eta (beta sgn(v z) + gamma + phi (sgn v + sgn z))) v / uy    z: normalised force, 1
 *   dD/dt = |A v / uy - dz/dt|                                                    D: plastic ductility, 1
 *   F     = fp / (1 + D inv_d0) ((1 - kappa) z + kappa u / uy) */
#include "../common/bouc_wen_table.h"
#define BR_TITLE "Bouc-Wen, asymmetric (Wang-Wen): another strength to each side"
#define BR_AXES 1
#define BR_NZ 2
#define BR_NMODE 0
#define BR_PARAMS(P, V, E)           \
  BR_BOUC_WEN_PARAMS(P, V, E)        \
  P(phi, "1", 0.2, BR_NOLO, BR_NOHI, \
    "lean of the loop: beta + gamma + 2 phi holds z > 0, beta + gamma - 2 phi z < 0")
#define BR_DERIVED(D) \
  D(inv_uy) D(limit) D(limit_back) D(closed) D(turn) D(bow) D(tame) D(bow_load) D(bow_back)
#define BR_STATES(S, SV) S(z, "1", "normalised hysteretic force") S(D, "1", "accumulated plastic ductility")
#define BR_RULES(R)
#define BR_FLAGS (BR_MODEL_ENERGY | BR_MODEL_KINKS)
#define BR_CLASS(p, c)                                                                                    \
  ((c)->duhem =                                                                                           \
       BR_BOUC_WEN_IS_SPRING(p) && BR_EQ((p)->phi, BR_K(0)) ? BR_DUHEM_SEMILINEAR : BR_DUHEM_GENERALIZED, \
   (c)->rate_dependent = 0,                                                                               \
   (c)->continuity =                                                                                      \
       BR_LT((p)->eta, BR_K(1)) && (c)->duhem == BR_DUHEM_GENERALIZED ? BR_CONTINUOUS : BR_LIPSCHITZ)
#define BR_PASSIVE(p)                                                         \
  (BR_LT(BR_K(0), (p)->beta + (p)->gamma) && !BR_LT((p)->beta, (p)->gamma) && \
   !BR_LT((p)->beta + (p)->gamma, 2 * BR_ABS((p)->phi)))
#define BR_PASSIVE_TEXT "beta >= gamma, beta + gamma > 0 and beta + gamma >= 2 |phi|"

/* sgn v + sgn z is 0 while unloading, 2 sgn v while loading; at z = 0 the factor |z|^eta is 0 as well */
#define BR_BW_LEAN(p, v, z, sum) (BR_XORSIGN((p)->phi, v) + BR_XORSIGN((p)->phi, z) + (sum))
#define BR_BW_LOAD(p, v, sum) (2 * BR_XORSIGN((p)->phi, v) + (sum))
#define BR_BW_LIMITS(p)                                                 \
  ((p)->limit = BR_M(end_of)(p, (p)->beta + (p)->gamma + 2 * (p)->phi), \
   (p)->limit_back = BR_M(end_of)(p, (p)->beta + (p)->gamma - 2 * (p)->phi))
#define BR_BW_LIMIT(p, v) BR_SEL(BR_LT(v, BR_K(0)), (p)->limit_back, (p)->limit)
#define BR_BW_BOWS(p)                                                                               \
  ((p)->tame = BR_SEL(BR_LT(BR_K(0), (p)->A * BR_BW_LOAD(p, BR_K(1), (p)->gamma + (p)->beta)) &&    \
                          BR_LT(BR_K(0), (p)->A * BR_BW_LOAD(p, BR_K(-1), (p)->gamma + (p)->beta)), \
                      BR_K(1), BR_K(0)),                                                            \
   (p)->bow_load = BR_M(bow_of)(p, BR_BW_LOAD(p, BR_K(1), (p)->gamma + (p)->beta)),                 \
   (p)->bow_back = BR_M(bow_of)(p, BR_BW_LOAD(p, BR_K(-1), (p)->gamma + (p)->beta)))
#define BR_BW_BOW(p, v) BR_SEL(BR_LT(BR_XORSIGN(BR_K(1), v), BR_K(0)), (p)->bow_back, (p)->bow_load)
#include "../bouc_wen/kernel.inc"
