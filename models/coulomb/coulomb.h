/* SPDX-License-Identifier: Apache-2.0
 * coulomb - Coulomb, Stribeck and viscous friction as a static map.  Equations, validity, source: README.md.
 *   F = sgn(v) g(v) + sigma2 v      v != 0
 * At v = 0 the force is whatever holds the body, up to the break-away level: no function of v can say it, so
 * the kernel reports 0 there and the solver does the sticking (BR_MODEL_TRUE_STICK).  Nothing is smoothed. */
#include "../common/rows.h"
#define BR_TITLE "Coulomb: static map with Stribeck effect and viscous friction, true stick"
#define BR_AXES 1
#define BR_NZ 0
#define BR_NMODE 0
#define BR_PARAMS(P, V, E) BR_ROWS_STRIBECK(P) BR_ROW_VISCOUS(P)
#define BR_DERIVED(D) BR_DERIVED_STRIBECK(D)
#define BR_STATES(S, SV)
#define BR_RULES(R) BR_RULE_LEVELS(R)
#define BR_FLAGS (BR_MODEL_EXACT_STEP | BR_MODEL_ENERGY | BR_MODEL_TRUE_STICK)
/* without Stribeck effect and viscous part only the direction of motion counts */
#define BR_CLASS(p, c)                                                              \
  ((c)->duhem = BR_DUHEM_NONE,                                                      \
   (c)->rate_dependent = !(BR_EQ((p)->Fs, (p)->Fc) && BR_EQ((p)->sigma2, BR_K(0))), \
   (c)->continuity = BR_DISCONTINUOUS)
#define BR_PASSIVE(p) 1
#define BR_PASSIVE_TEXT "always"
#define BR_BREAKAWAY(p, n) ((n) * (p)->Fs)

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);

BR_FN void BR_M(prepare)(BR_M(par) *p) { BR_PREPARE_STRIBECK(p); }

/* Frequent cases, same bits: 1 delta = 2, 2 delta = 1. */
#define BR_SPECIALS 2
BR_FN void BR_M(assume)(BR_M(par) *p, int k)
{
  if (k == 1) p->delta = 2;
  if (k == 2) p->delta = 1;
}

BR_FN void BR_M(force)(BR_ARGS, const BR_REAL *dz, BR_REAL *F)
{
  BR_UNUSED(u), BR_UNUSED(z), BR_UNUSED(dz);
  F[0] = BR_SGN(v[0]) * (n * BR_STRIBECK(p, v[0])) + p->sigma2 * v[0];
}

#include "../common/stateless.inc"
