/* SPDX-License-Identifier: Apache-2.0
 * bliman_sorine - Bliman-Sorine friction of second order.  Equations, validity, source: README.md.
 * Two Dahl elements over the path s = integral |v| dt, a stiff one of level f1 minus a soft one of level f2:
 *   dx1/ds = (f1 sgn(v) - x1) / (eta eps)    dx2/ds = (-f2 sgn(v) - x2) / eps      F = x1 + x2
 * F overshoots on its way to f1 - f2, which mimics stiction.  step() is exact: two expm1. */
#define BR_TITLE "Bliman-Sorine: second order over the path, overshoot mimics stiction"
#define BR_AXES 1
#define BR_NZ 2
#define BR_NMODE 0
#define BR_PARAMS(P, V, E)                                                                  \
  P(f1, "N", 3.0, BR_ABOVE(0), BR_NOHI, "level of the stiff element; F settles at f1 - f2") \
  P(f2, "N", 2.0, BR_FROM(0), BR_NOHI, "level of the soft element, f2 < f1; 0 gives Dahl")  \
  P(eps, "m", 1e-4, BR_ABOVE(0), BR_NOHI, "path constant of the soft element")              \
  P(eta, "1", 0.2, BR_ABOVE(0), BR_BELOW(1), "path constant of the stiff element over that of the soft one")
#define BR_DERIVED(D) D(inv_eps) D(inv_stiff) D(cross) D(soft)
#define BR_STATES(S, SV) S(x1, "N", "force of the stiff element") S(x2, "N", "force of the soft element")
#define BR_RULES(R) R(BR_LT(p->f2, p->f1), f2, "f2 < f1")
#define BR_FLAGS (BR_MODEL_EXACT_STEP | BR_MODEL_ENERGY)
#define BR_CLASS(p, c) \
  ((c)->duhem = BR_DUHEM_SEMILINEAR, (c)->rate_dependent = 0, (c)->continuity = BR_LIPSCHITZ)
#define BR_PASSIVE(p) 1
#define BR_PASSIVE_TEXT "always (f2 < f1 and eta < 1)"

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);

/* The last two are weights of the stored energy, see energy(). */
BR_FN void BR_M(prepare)(BR_M(par) *p)
{
  const BR_REAL r = p->f2 / p->f1, eta = p->eta;
  p->inv_eps = 1 / p->eps;
  p->inv_stiff = 1 / (eta * p->eps);
  p->cross = 2 / (1 - eta * r + BR_SQRT((1 - r) * (1 - eta * eta * r)));
  p->soft = p->cross + (1 - eta) * (1 - eta) * p->cross * p->cross / (4 * eta);
}

BR_FN void BR_M(rate)(BR_ARGS, BR_REAL *dz)
{
  const BR_REAL speed = BR_ABS(v[0]);
  BR_UNUSED(u);
  dz[0] = (n * p->f1 * v[0] - speed * z[0]) * p->inv_stiff;
  dz[1] = (-(n * p->f2 * v[0]) - speed * z[1]) * p->inv_eps;
}

BR_FN void BR_M(force)(BR_ARGS, const BR_REAL *dz, BR_REAL *F)
{
  BR_UNUSED(p), BR_UNUSED(n), BR_UNUSED(u), BR_UNUSED(v), BR_UNUSED(dz);
  F[0] = z[0] + z[1];
}

BR_FN void BR_M(step)(BR_STEP_ARGS)
{
  const BR_REAL path = BR_ABS(v[0]) * h;
  BR_UNUSED(u);
  z[0] = z[0] - (BR_COPYSIGN(n * p->f1, v[0]) - z[0]) * BR_EXPM1(-(path * p->inv_stiff));
  z[1] = z[1] + (BR_COPYSIGN(n * p->f2, v[0]) + z[1]) * BR_EXPM1(-(path * p->inv_eps));
}

/* The smallest quadratic form V with F v - dV/dt >= 0 for every motion (README.md derives it); its rate of
 * loss is a perfect square. */
BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, BR_REAL n, const BR_REAL *u, const BR_REAL *z)
{
  const BR_REAL stiff = 1 + p->cross * p->eta * p->f2 / p->f1;
  BR_UNUSED(u);
  return (stiff * z[0] * z[0] + 2 * p->cross * z[0] * z[1] + p->soft * z[1] * z[1]) /
         (2 * n * p->f1 * p->inv_stiff);
}
