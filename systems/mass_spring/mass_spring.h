/* SPDX-License-Identifier: Apache-2.0
 * mass_spring - a mass on a spring to ground under an external force.  README.md has the source.
 *   x' = v        m v' = Fe - ks x - F */
#define BR_TITLE "Mass on a spring under an external force"
#define BR_AXES 1
#define BR_SYSTEM_FLAGS (BR_SYSTEM_LINEAR)
#define BR_NQ 2
#define BR_NW 1
#define BR_NCONTACT 1
#define BR_PARAMS(P, V, E)                      \
  P(m, "kg", 1.0, BR_ABOVE(0), BR_NOHI, "mass") \
  P(ks, "N/m", 2.0, BR_FROM(0), BR_NOHI, "stiffness of the spring")
#define BR_INPUTS(I) I(Fe, "N", 0.0, "external force on the mass")
#define BR_STATES(S, SV) S(x, "m", "displacement of the mass") S(v, "m/s", "velocity of the mass")
#include "../plain.inc"

BR_FN void BR_M(motion)(BR_MOTION_ARGS)
{
  BR_UNUSED(p), BR_UNUSED(w), BR_UNUSED(dw);
  u[0] = q[0];
  v[0] = q[1];
}

BR_FN void BR_M(rate)(BR_RATE_ARGS)
{
  BR_UNUSED(dw);
  dq[0] = q[1];
  dq[1] = (w[0] - p->ks * q[0] - F[0]) / p->m;
}

BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, const BR_REAL *q)
{
  return BR_K(0.5) * (p->ks * q[0] * q[0] + p->m * q[1] * q[1]);
}

BR_FN BR_REAL BR_M(power)(BR_POWER_ARGS)
{
  BR_UNUSED(p), BR_UNUSED(dw), BR_UNUSED(F);
  return w[0] * q[1];
}
