/* SPDX-License-Identifier: Apache-2.0
 * dc_motor - motor shaft between two prestressed springs, friction torque in the gearbox.  README.md has the
 * source.
 *   theta' = omega        I omega' = km i - F - (f1 - f2) r - (k1 + k2) r^2 theta
 * Numbers are SI (rad, N m); a caller that thinks in degrees converts at its edge. */
#define BR_TITLE "Motor shaft between two springs with gearbox friction"
#define BR_AXES 1
#define BR_SYSTEM_FLAGS (BR_SYSTEM_LINEAR | BR_SYSTEM_ROTARY)
#define BR_NQ 2
#define BR_NW 1
#define BR_NCONTACT 1
#define BR_PARAMS(P, V, E)                                                          \
  P(I, "kg m^2", 6.4516e-4, BR_ABOVE(0), BR_NOHI, "moment of inertia of the shaft") \
  P(k1, "N/m", 10.0, BR_FROM(0), BR_NOHI, "stiffness of spring 1")                  \
  P(k2, "N/m", 10.0, BR_FROM(0), BR_NOHI, "stiffness of spring 2")                  \
  P(r, "m", 0.0254, BR_ABOVE(0), BR_NOHI, "radius of the shaft")                    \
  P(f1, "N", 0.01, BR_NOLO, BR_NOHI, "prestress of spring 1")                       \
  P(f2, "N", 0.01, BR_NOLO, BR_NOHI, "prestress of spring 2")                       \
  P(km, "N m/A", 20.0, BR_NOLO, BR_NOHI, "torque constant of the motor")
#define BR_DERIVED(D) D(K) D(bias)
#define BR_RULES(R)
#define BR_INPUTS(I) I(i, "A", 0.0, "motor current")
#define BR_STATES(S, SV) S(theta, "rad", "angle of the shaft") S(omega, "rad/s", "angular velocity")
#define BR_SHOWN(S, SV)                        \
  S(delta1, "m", "deflection of spring 1")     \
  S(delta2, "m", "deflection of spring 2")     \
  S(F1, "N", "force of spring 1, load cell 1") \
  S(F2, "N", "force of spring 2, load cell 2")
#define BR_LIMITS(L)                                                               \
  L(F1, 0.0, "spring 1 goes slack: its cable pushes in (24), a real one does not") \
  L(F2, 0.0, "spring 2 goes slack: its cable pushes in (24), a real one does not")

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);
BR_FN void BR_M(prepare)(BR_M(par) *p)
{
  p->K = (p->k1 + p->k2) * (p->r * p->r); /* N m/rad */
  p->bias = (p->f1 - p->f2) * p->r;       /* N m */
}

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
  dq[1] = (p->km * w[0] - F[0] - p->bias - p->K * q[0]) / p->I;
}

BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, const BR_REAL *q)
{
  return BR_K(0.5) * (p->K * q[0] * q[0] + p->I * q[1] * q[1]) + p->bias * q[0];
}

BR_FN BR_REAL BR_M(power)(BR_POWER_ARGS)
{
  BR_UNUSED(dw), BR_UNUSED(F);
  return p->km * w[0] * q[1];
}

#define BR_HAS_SHOW
BR_FN void BR_M(show)(const BR_M(par) *p, const BR_REAL *w, const BR_REAL *dw, const BR_REAL *q, BR_REAL *out)
{
  BR_UNUSED(w), BR_UNUSED(dw);
  out[0] = p->r * q[0];
  out[1] = -(p->r * q[0]);
  out[2] = p->f1 + p->k1 * out[0];
  out[3] = p->f2 + p->k2 * out[1];
}
