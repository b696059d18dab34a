/* SPDX-License-Identifier: Apache-2.0
 * duhem_lugre - stick-slip friction in Bouc-Wen form.  Equations, validity, source: README.md.
 *   dz/dt = (1 - |z|^eta (beta sgn(v z) + gamma) q(v/uy)) v/uy,     q(x) = g0 / (1 + exp(-(x/vs)^2))
 *   dD/dt = |v/uy - dz/dt|
 *   F     = fc g0^(1/eta) / (1 + D inv_d0) ((1 - kappa) (z + Ts dz/dt) + kappa u/uy)
 * Below x, s, v are counted in yield displacements uy.  D is a state where inv_d0 > 0 only.  For eta = 1 and
 * held v the equation is linear on either side of z = 0: with x = z sgn v and the path s = |v| t, dx/ds = 1 -
 * a x for x >= 0 and 1 - b x for x < 0, where a = (beta + gamma) q and b = (beta - gamma) q; step() runs both
 * pieces exactly.  Otherwise it is RK4. */
#define BR_TITLE "Duhem-LuGre: stick-slip friction with static level 2^(1/eta) fc"
#define BR_AXES 1
#define BR_NZ 2
#define BR_NMODE 0
#define BR_PARAMS(P, V, E)                                                                                  \
  P(beta, "1", 0.5, BR_NOLO, BR_NOHI, "weight of the dissipative term, multiplies sgn(v z)")                \
  P(gamma, "1", 0.5, BR_NOLO, BR_NOHI, "weight of the elastic-shape term")                                  \
  P(eta, "1", 1.0, BR_ABOVE(0), BR_NOHI, "knee sharpness; also sets the static to Coulomb ratio 2^(1/eta)") \
  P(fc, "N", 1.0, BR_ABOVE(0), BR_NOHI, "Coulomb level (beta + gamma = 1)")                                 \
  P(g0, "1", 1.0, BR_ABOVE(0), BR_NOHI, "presliding stiffness is fc g0^(1/eta) per yield displacement")     \
  P(vs, "1/s", 0.001, BR_ABOVE(0), BR_NOHI, "Stribeck velocity, yield displacements per second")            \
  P(Ts, "s", 0.05, BR_FROM(0), BR_NOHI, "stiction decay time: damping of the bristles")                     \
  P(uy, "m", 1.0, BR_ABOVE(0), BR_NOHI, "yield displacement")                                               \
  P(kappa, "1", 0.0, BR_FROM(0), BR_UPTO(1), "hardening: share of a spring fc g0^(1/eta) / uy")             \
  P(inv_d0, "1", 0.0, BR_FROM(0), BR_NOHI, "1/d0 of the degradation law; 0 = no degradation")
#define BR_DERIVED(D) D(level) D(inv_vs) D(curved) D(inv_uy)
#define BR_STATES(S, SV)                                 \
  S(z, "1", "bristle deflection in yield displacements") \
  S(D, "1", "accumulated plastic ductility, where inv_d0 > 0")
#define BR_DUHEM_LUGRE_DAMAGES(p) BR_LT(BR_K(0), (p)->inv_d0)
#define BR_COUNT(p) (BR_DUHEM_LUGRE_DAMAGES(p) ? 2 : 1)
#define BR_RULES(R)
#define BR_FLAGS (BR_MODEL_ENERGY | BR_MODEL_KINKS)
/* beta = gamma = 0 leaves a spring, with a damper where Ts > 0 */
#define BR_DUHEM_LUGRE_IS_SPRING(p) (BR_EQ((p)->beta, BR_K(0)) && BR_EQ((p)->gamma, BR_K(0)))
#define BR_CLASS(p, c)                                                            \
  ((c)->rate_dependent = !BR_DUHEM_LUGRE_IS_SPRING(p) || BR_LT(BR_K(0), (p)->Ts), \
   (c)->duhem = (c)->rate_dependent ? BR_DUHEM_GENERALIZED : BR_DUHEM_SEMILINEAR, \
   (c)->continuity =                                                              \
       BR_LT((p)->eta, BR_K(1)) && !BR_DUHEM_LUGRE_IS_SPRING(p) ? BR_CONTINUOUS : BR_LIPSCHITZ)
/* Ts > 0: after a jump in speed z may stand above its new level, and Ts v dz/dt < 0 grows like v^2 */
#define BR_PASSIVE(p) \
  (BR_LT(BR_K(0), (p)->beta) && !BR_LT((p)->beta, BR_ABS((p)->gamma)) && BR_EQ((p)->Ts, BR_K(0)))
#define BR_PASSIVE_TEXT "beta > 0, -beta <= gamma <= beta and Ts = 0"

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);

BR_FN void BR_M(prepare)(BR_M(par) *p)
{
  p->level = p->fc * BR_SEL(BR_EQ(p->eta, BR_K(1)), p->g0, BR_POW(p->g0, 1 / p->eta));
  p->inv_vs = 1 / p->vs;
  p->inv_uy = 1 / p->uy;
  p->curved = BR_SEL(BR_EQ(p->eta, BR_K(1)), BR_K(0), BR_K(1)); /* does the step need the general rule? */
}

/* Cases a batch may assume: 1 eta = 1, 2 any other eta. */
#define BR_SPECIALS 2
BR_FN void BR_M(assume)(BR_M(par) *p, int k)
{
  if (k == 1) p->eta = 1, p->curved = 0;
  if (k == 2) p->curved = 1;
}

BR_FN BR_REAL BR_M(q)(const BR_M(par) *p, BR_REAL v)
{
  const BR_REAL w = v * p->inv_vs;
  return p->g0 / (1 + BR_EXP(-(w * w)));
}

/* Rate where x = v / uy and q(x) are known. */
BR_FN void BR_M(rate_at)(const BR_M(par) *p, BR_REAL x, BR_REAL q, const BR_REAL *z, BR_REAL *dz)
{
  const BR_REAL a = BR_ABS(z[0]);
  const BR_REAL power = BR_SEL(BR_EQ(p->eta, BR_K(1)), a, BR_POW_ABS(a, p->eta));
  const BR_REAL lost = power * (p->beta * (BR_SGN(x) * BR_SGN(z[0])) + p->gamma) * q;
  dz[0] = (1 - lost) * x;
  if (BR_WHERE(BR_DUHEM_LUGRE_DAMAGES(p)))
    dz[1] = BR_SEL(BR_DUHEM_LUGRE_DAMAGES(p), BR_ABS(lost * x), BR_K(0));
}

BR_FN void BR_M(rate)(BR_ARGS, BR_REAL *dz)
{
  const BR_REAL x = v[0] * p->inv_uy;
  BR_UNUSED(n), BR_UNUSED(u);
  BR_M(rate_at)(p, x, BR_M(q)(p, x), z, dz);
}

/* What damage leaves of the strength, N. */
BR_FN BR_REAL BR_M(strength)(const BR_M(par) *p, BR_REAL n, const BR_REAL *z)
{
  const BR_REAL D = BR_SEL(BR_DUHEM_LUGRE_DAMAGES(p), z[1], BR_K(0));
  return n * p->level / (1 + D * p->inv_d0);
}

BR_FN void BR_M(force)(BR_ARGS, const BR_REAL *dz, BR_REAL *F)
{
  const BR_REAL x = z[0] + p->Ts * dz[0], hard = (1 - p->kappa) * x + p->kappa * (u[0] * p->inv_uy);
  BR_UNUSED(v);
  F[0] = BR_M(strength)(p, n, z) * BR_SEL(BR_EQ(p->kappa, BR_K(0)), x, hard);
}

/* dx/ds = 1 - c x over the path s: x grows by (1 - c x) (1 - exp(-c s)) / c. */
BR_FN BR_REAL BR_M(glide)(BR_REAL c, BR_REAL x, BR_REAL s)
{
  const int flat = BR_EQ(c, BR_K(0));
  return x + (1 - c * x) * BR_SEL(flat, s, -BR_EXPM1(-(c * s)) / BR_SEL(flat, BR_K(1), c));
}

/* eta = 1, v held.  While x < 0, 1 - b x shrinks like exp(-b s), so x = 0 is met at s0 = log(1 - b x) / b,
 * or never where 1 - b x <= 0 (gamma > beta and |z| large: unloading stops short).  Only the part that ends
 * the step is evaluated: unloading where x < 0 stays so, else loading from x or from 0.  On either side of x
 * = 0 the plastic rate keeps its sign: what it adds to D is the path less the change of x. */
BR_FN void BR_M(linear)(const BR_M(par) *p, BR_REAL v, BR_REAL q, BR_REAL h, BR_REAL *z)
{
  const BR_REAL side = BR_SGN(v), s = BR_ABS(v) * h;
  const BR_REAL a = (p->beta + p->gamma) * q, b = (p->beta - p->gamma) * q, x = side * z[0];
  const int flat = BR_EQ(b, BR_K(0)), behind = BR_LT(x, BR_K(0)), turns = BR_LT(b * x, BR_K(1));
  const BR_REAL s0 = BR_SEL(flat, -x, BR_LOG1P(BR_SEL(turns, -(b * x), BR_K(0))) / BR_SEL(flat, BR_K(1), b));
  const int stays = behind && (!turns || BR_LT(s, s0));
  const BR_REAL start = BR_SEL(behind, BR_SEL(stays, x, BR_K(0)), x), before = BR_SEL(stays, BR_K(0), s0);
  const BR_REAL path = BR_SEL(behind, s - before, s), end = BR_M(glide)(BR_SEL(stays, b, a), start, path);
  const BR_REAL inward = BR_SEL(behind, before + (x - start), BR_K(0));
  /* v = 0 (or h = 0) leaves z alone: side would lose it */
  z[0] = BR_SEL(BR_EQ(s, BR_K(0)), z[0], side * end);
  if (BR_WHERE(BR_DUHEM_LUGRE_DAMAGES(p)))
    z[1] = z[1] + BR_SEL(BR_DUHEM_LUGRE_DAMAGES(p), BR_ABS(inward) + BR_ABS(path - (end - start)), BR_K(0));
}

/* The linear step has q at hand: the rate at its end costs little there. */
#define BR_STAGES 4
#define BR_CARRY (3 * BR_NZ)
#define BR_STAGE_RATE 1
#include "../../core/rk4.inc"
BR_FN void BR_M(stage)(int s, BR_STEP_ARGS, BR_REAL *c)
{
  const BR_REAL x = v[0] * p->inv_uy;
  if (BR_EQ(p->curved, BR_K(1))) {
    BR_M(rk4)(s, p, n, u, v, h, z, c);
    if (s == 3) BR_M(rate)(p, n, u, v, z, c);
  } else if (s == 0) {
    const BR_REAL q = BR_M(q)(p, x);
    BR_M(linear)(p, x, q, h, z);
    BR_M(rate_at)(p, x, q, z, c);
  }
}

BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, BR_REAL n, const BR_REAL *u, const BR_REAL *z)
{
  const BR_REAL x = u[0] * p->inv_uy;
  return BR_K(0.5) * BR_M(strength)(p, n, z) * p->uy * ((1 - p->kappa) * z[0] * z[0] + p->kappa * x * x);
}
