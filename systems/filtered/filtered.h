/* SPDX-License-Identifier: Apache-2.0
 * filtered - prescribed motion, the force passes a first-order filter: tau y' = F - y.  README.md has the
 * source. */
#define BR_TITLE "Prescribed motion with a first-order filter behind the force"
#define BR_AXES 1
#define BR_SYSTEM_FLAGS (BR_SYSTEM_LINEAR | BR_SYSTEM_GIVEN)
#define BR_NQ 1
#define BR_NW 1
#define BR_NCONTACT 1
#define BR_PARAMS(P, V, E) P(tau, "s", 1.0, BR_ABOVE(0), BR_NOHI, "time constant of the filter")
#define BR_INPUTS(I) I(u, "m", 0.0, "position of the contact")
#define BR_STATES(S, SV) S(y, "N", "filtered force")
#include "../plain.inc"

BR_FN void BR_M(motion)(BR_MOTION_ARGS)
{
  BR_UNUSED(p), BR_UNUSED(q);
  u[0] = w[0];
  v[0] = dw[0];
}

BR_FN void BR_M(rate)(BR_RATE_ARGS)
{
  BR_UNUSED(w), BR_UNUSED(dw);
  dq[0] = (F[0] - q[0]) / p->tau;
}

BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, const BR_REAL *q)
{
  BR_UNUSED(p), BR_UNUSED(q);
  return 0; /* the filter is a signal path, it stores nothing */
}

BR_FN BR_REAL BR_M(power)(BR_POWER_ARGS)
{
  BR_UNUSED(p), BR_UNUSED(w), BR_UNUSED(q);
  return F[0] * dw[0];
}
