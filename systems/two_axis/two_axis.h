/* SPDX-License-Identifier: Apache-2.0
 * two_axis - a mass in a plane on springs, with a biaxial contact.  README.md has the details.
 *   m x'' = Fx - kx x - F_x        m y'' = Fy - ky y - F_y */
#define BR_TITLE "Mass in a plane with a biaxial contact"
#define BR_AXES 2
#define BR_SYSTEM_FLAGS (BR_SYSTEM_LINEAR)
#define BR_NQ 4
#define BR_NW 2
#define BR_NCONTACT 1
#define BR_PARAMS(P, V, E)                                    \
  P(m, "kg", 1.0, BR_ABOVE(0), BR_NOHI, "mass")               \
  P(kx, "N/m", 1.0, BR_FROM(0), BR_NOHI, "stiffness along x") \
  P(ky, "N/m", 1.0, BR_FROM(0), BR_NOHI, "stiffness along y")
#define BR_INPUTS(I) I(Fx, "N", 0.0, "force along x") I(Fy, "N", 0.0, "force along y")
#define BR_STATES(S, SV)            \
  S(x, "m", "displacement along x") \
  S(y, "m", "displacement along y") S(vx, "m/s", "velocity along x") S(vy, "m/s", "velocity along y")
#include "../plain.inc"

BR_FN void BR_M(motion)(BR_MOTION_ARGS)
{
  BR_UNUSED(p), BR_UNUSED(w), BR_UNUSED(dw);
  u[0] = q[0], u[1] = q[1];
  v[0] = q[2], v[1] = q[3];
}

BR_FN void BR_M(rate)(BR_RATE_ARGS)
{
  BR_UNUSED(dw);
  dq[0] = q[2];
  dq[1] = q[3];
  dq[2] = (w[0] - p->kx * q[0] - F[0]) / p->m;
  dq[3] = (w[1] - p->ky * q[1] - F[1]) / p->m;
}

BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, const BR_REAL *q)
{
  return BR_K(0.5) * (p->kx * q[0] * q[0] + p->ky * q[1] * q[1] + p->m * (q[2] * q[2] + q[3] * q[3]));
}

BR_FN BR_REAL BR_M(power)(BR_POWER_ARGS)
{
  BR_UNUSED(p), BR_UNUSED(dw), BR_UNUSED(F);
  return w[0] * q[2] + w[1] * q[3];
}
