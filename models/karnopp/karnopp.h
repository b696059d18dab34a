/* SPDX-License-Identifier: Apache-2.0
 * karnopp - Coulomb friction with a dead band of velocity that counts as stick.  Source: README.md.
 *   F = sgn(v) Fc + sigma2 v     |v| >= dv
 * For |v| < dv the body sticks: the kernel reports 0 and the solver holds it up to the break-away level. */
#include "../common/rows.h"
#define BR_TITLE "Karnopp: Coulomb friction with a stick band around zero velocity"
#define BR_AXES 1
#define BR_NZ 0
#define BR_NMODE 0
#define BR_PARAMS(P, V, E) \
  BR_ROW_FC(P)             \
  BR_ROW_FS(P)             \
  BR_ROW_VISCOUS(P)        \
  P(dv, "m/s", 1e-4, BR_ABOVE(0), BR_NOHI, "half-width of the stick band: |v| < dv is stick")
#define BR_DERIVED(D)
#define BR_STATES(S, SV)
#define BR_RULES(R) BR_RULE_LEVELS(R)
#define BR_FLAGS (BR_MODEL_EXACT_STEP | BR_MODEL_ENERGY | BR_MODEL_TRUE_STICK)
#define BR_CLASS(p, c) \
  ((c)->duhem = BR_DUHEM_NONE, (c)->rate_dependent = 1, (c)->continuity = BR_DISCONTINUOUS)
#define BR_PASSIVE(p) 1
#define BR_PASSIVE_TEXT "always"
#define BR_BREAKAWAY(p, n) ((n) * (p)->Fs)

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);

BR_FN void BR_M(prepare)(BR_M(par) *p) { BR_UNUSED(p); }

BR_FN void BR_M(force)(BR_ARGS, const BR_REAL *dz, BR_REAL *F)
{
  const BR_REAL slip = BR_SGN(v[0]) * (n * p->Fc) + p->sigma2 * v[0];
  BR_UNUSED(u), BR_UNUSED(z), BR_UNUSED(dz);
  F[0] = BR_SEL(BR_LT(BR_ABS(v[0]), p->dv), BR_K(0), slip); /* a NaN counts as slip and shows */
}

#include "../common/stateless.inc"
