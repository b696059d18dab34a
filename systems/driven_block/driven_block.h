/* SPDX-License-Identifier: Apache-2.0
 * driven_block - a block under a given force: m v' = F_in - F.  README.md has the source. */
#define BR_TITLE "Block under a given force"
#define BR_AXES 1
#define BR_SYSTEM_FLAGS (BR_SYSTEM_LINEAR | BR_SYSTEM_FREE)
#define BR_NQ 1
#define BR_NW 1
#define BR_NCONTACT 1
#define BR_PARAMS(P, V, E) P(m, "kg", 1.0, BR_ABOVE(0), BR_NOHI, "mass of the block")
#define BR_INPUTS(I) I(F, "N", 0.0, "force on the block")
#define BR_STATES(S, SV) S(v, "m/s", "velocity of the block")
#include "../plain.inc"

BR_FN void BR_M(motion)(BR_MOTION_ARGS)
{
  BR_UNUSED(p), BR_UNUSED(w), BR_UNUSED(dw);
  u[0] = 0;
  v[0] = q[0];
}

BR_FN void BR_M(rate)(BR_RATE_ARGS)
{
  BR_UNUSED(dw), BR_UNUSED(q);
  dq[0] = (w[0] - F[0]) / p->m;
}

BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, const BR_REAL *q) { return BR_K(0.5) * p->m * q[0] * q[0]; }

BR_FN BR_REAL BR_M(power)(BR_POWER_ARGS)
{
  BR_UNUSED(p), BR_UNUSED(dw), BR_UNUSED(F);
  return w[0] * q[0];
}
