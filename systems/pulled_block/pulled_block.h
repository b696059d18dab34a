/* SPDX-License-Identifier: Apache-2.0
 * pulled_block - a block pulled through a spring whose free end moves at vp.  README.md has the source.
 *   l' = vp - v        m v' = k l - F */
#define BR_TITLE "Block pulled through a spring: stick-slip"
#define BR_AXES 1
#define BR_SYSTEM_FLAGS (BR_SYSTEM_LINEAR | BR_SYSTEM_FREE)
#define BR_NQ 2
#define BR_NW 1
#define BR_NCONTACT 1
#define BR_PARAMS(P, V, E)                                   \
  P(m, "kg", 1.0, BR_ABOVE(0), BR_NOHI, "mass of the block") \
  P(k, "N/m", 2.0, BR_ABOVE(0), BR_NOHI, "stiffness of the spring")
#define BR_INPUTS(I) I(vp, "m/s", 0.0, "velocity of the spring's free end")
#define BR_STATES(S, SV) S(l, "m", "elongation of the spring") S(v, "m/s", "velocity of the block")
#include "../plain.inc"

BR_FN void BR_M(motion)(BR_MOTION_ARGS)
{
  BR_UNUSED(p), BR_UNUSED(w), BR_UNUSED(dw);
  u[0] = 0;
  v[0] = q[1];
}

BR_FN void BR_M(rate)(BR_RATE_ARGS)
{
  BR_UNUSED(dw);
  dq[0] = w[0] - q[1];
  dq[1] = (p->k * q[0] - F[0]) / p->m;
}

BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, const BR_REAL *q)
{
  return BR_K(0.5) * (p->k * q[0] * q[0] + p->m * q[1] * q[1]);
}

BR_FN BR_REAL BR_M(power)(BR_POWER_ARGS)
{
  BR_UNUSED(dw), BR_UNUSED(F);
  return p->k * q[0] * w[0];
}
