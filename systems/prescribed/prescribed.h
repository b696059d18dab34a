/* SPDX-License-Identifier: Apache-2.0
 * prescribed - the motion of the contact is given: u(t) is the input.  README.md has the equations. */
#define BR_TITLE "Prescribed motion: the contact follows the input u(t)"
#define BR_AXES 1
#define BR_SYSTEM_FLAGS (BR_SYSTEM_LINEAR | BR_SYSTEM_GIVEN)
#define BR_NQ 0
#define BR_NW 1
#define BR_NCONTACT 1
#define BR_PARAMS(P, V, E)
#define BR_DERIVED(D) D(none)
#define BR_RULES(R)
#define BR_INPUTS(I) I(u, "m", 0.0, "position of the contact")
#define BR_STATES(S, SV)
#define BR_SHOWN(S, SV) S(u, "m", "position of the contact") S(v, "m/s", "velocity of the contact")

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);
BR_FN void BR_M(prepare)(BR_M(par) *p) { p->none = 0; }

BR_FN void BR_M(motion)(BR_MOTION_ARGS)
{
  BR_UNUSED(p), BR_UNUSED(q);
  u[0] = w[0];
  v[0] = dw[0];
}

BR_FN void BR_M(rate)(BR_RATE_ARGS)
{
  BR_UNUSED(p), BR_UNUSED(w), BR_UNUSED(dw), BR_UNUSED(q), BR_UNUSED(F), BR_UNUSED(dq);
}

BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, const BR_REAL *q)
{
  BR_UNUSED(p), BR_UNUSED(q);
  return 0;
}

BR_FN BR_REAL BR_M(power)(BR_POWER_ARGS)
{
  BR_UNUSED(p), BR_UNUSED(w), BR_UNUSED(q);
  return F[0] * dw[0];
}

#define BR_HAS_SHOW
BR_FN void BR_M(show)(const BR_M(par) *p, const BR_REAL *w, const BR_REAL *dw, const BR_REAL *q, BR_REAL *out)
{
  BR_UNUSED(p), BR_UNUSED(q);
  out[0] = w[0];
  out[1] = dw[0];
}
