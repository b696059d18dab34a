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
#define BR_DERIVED(D) D(inv_uy) D(limit) D(closed) D(turn) D(bow) D(tame) D(bow_load)
#define BR_STATES(S, SV) S(z, "1", "normalised hysteretic force") S(D, "1", "accumulated plastic ductility")
#define BR_RULES(R)
#define BR_FLAGS (BR_MODEL_ENERGY | BR_MODEL_KINKS)
#define BR_CLASS BR_BOUC_WEN_CLASS
#define BR_PASSIVE BR_BOUC_WEN_PASSIVE
#define BR_PASSIVE_TEXT BR_BOUC_WEN_PASSIVE_TEXT

#define BR_BW_LEAN(p, v, z, sum) (sum)
#define BR_BW_LOAD(p, v, sum) (sum)
#define BR_BW_LIMITS(p) ((p)->limit = BR_M(end_of)(p, (p)->beta + (p)->gamma))
#define BR_BW_LIMIT(p, v) ((p)->limit)
#define BR_BW_BOWS(p)                                                                       \
  ((p)->tame = BR_SEL(BR_LT(BR_K(0), (p)->A * ((p)->gamma + (p)->beta)), BR_K(1), BR_K(0)), \
   (p)->bow_load = BR_M(bow_of)(p, (p)->gamma + (p)->beta))
#define BR_BW_BOW(p, v) ((p)->bow_load)
#include "kernel.inc"
