/* SPDX-License-Identifier: Apache-2.0
 * viscous - friction proportional to velocity, nothing else.  Source: README.md.
 *   F = sigma2 v */
#include "../common/rows.h"
#define BR_TITLE "Viscous friction alone: force proportional to velocity"
#define BR_AXES 1
#define BR_NZ 0
#define BR_NMODE 0
#define BR_PARAMS(P, V, E) BR_ROW_VISCOUS(P)
#define BR_DERIVED(D)
#define BR_STATES(S, SV)
#define BR_RULES(R)
#define BR_FLAGS (BR_MODEL_EXACT_STEP | BR_MODEL_ENERGY | BR_MODEL_NO_LOAD)
#define BR_CLASS(p, c) ((c)->duhem = BR_DUHEM_NONE, (c)->rate_dependent = 1, (c)->continuity = BR_LIPSCHITZ)
#define BR_PASSIVE(p) 1
#define BR_PASSIVE_TEXT "always"

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);

BR_FN void BR_M(prepare)(BR_M(par) *p) { BR_UNUSED(p); }

BR_FN void BR_M(force)(BR_ARGS, const BR_REAL *dz, BR_REAL *F)
{
  BR_UNUSED(n), BR_UNUSED(u), BR_UNUSED(z), BR_UNUSED(dz);
  F[0] = p->sigma2 * v[0];
}

#include "../common/stateless.inc"
