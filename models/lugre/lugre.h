/* SPDX-License-Identifier: Apache-2.0
 * lugre - LuGre friction: elastic bristles with Stribeck effect.  Equations, validity, source: README.md.
 *   dz/dt = v - sigma0 |v| z / g(v)          F = sigma0 z + sigma1(v) dz/dt + f(v)
 * At constant v the state equation is linear, so step() is exact: one expm1. */
#include "../common/rows.h"
#define BR_TITLE "LuGre: bristles with Stribeck effect, micro-damping and viscous friction"
#define BR_AXES 1
#define BR_NZ 1
#define BR_NMODE 0
#define BR_PARAMS(P, V, E)                                                                                  \
  BR_ROWS_BRISTLE(P)                                                                                        \
  P(sigma2, "N s/m", 0.4, BR_FROM(0), BR_NOHI, "viscous friction, f(v) = sigma2 |v|^f_exp sgn v")           \
  BR_ROWS_STRIBECK(P)                                                                                       \
  P(f_exp, "1", 1.0, BR_ABOVE(0), BR_NOHI, "exponent of the viscous law")                                   \
  P(vd, "m/s", 0.0, BR_FROM(0), BR_NOHI, "sigma1(v) = sigma1 exp(-(v/vd)^2); 0 keeps sigma1 constant")      \
  V(g_v, "m/s", (0), BR_FROM(0), BR_NOHI, BR_MAX_TABLE, 0,                                                  \
    "speeds of a tabulated g(|v|); none: Stribeck law")                                                     \
  V(g_F, "N", (0), BR_ABOVE(0), BR_NOHI, BR_MAX_TABLE, 0, "levels of the tabulated g")                      \
  V(f_v, "m/s", (0), BR_FROM(0), BR_NOHI, BR_MAX_TABLE, 0, "speeds of a tabulated f(|v|); none: power law") \
  V(f_F, "N", (0), BR_NOLO, BR_NOHI, BR_MAX_TABLE, 0, "forces of the tabulated f, odd in v")
#define BR_DERIVED(D) BR_DERIVED_STRIBECK(D) D(inv_sigma0) D(inv_vd)
#define BR_STATES(S, SV) S(z, "m", "mean bristle deflection")
#define BR_RULES(R)                                                     \
  BR_RULE_LEVELS(R)                                                     \
  R(BR_EQ(p->n_g_v, p->n_g_F), g_F, "as many levels g_F as speeds g_v") \
  R(BR_EQ(p->n_f_v, p->n_f_F), f_F, "as many forces f_F as speeds f_v") \
  R(BR_N(ascending)(p->g_v, BR_INT(p->n_g_v)), g_v, "ascending speeds") \
  R(BR_N(ascending)(p->f_v, BR_INT(p->n_f_v)), f_v, "ascending speeds")
#define BR_FLAGS (BR_MODEL_EXACT_STEP | BR_MODEL_ENERGY)
/* without Stribeck effect, damping and viscous part it is Dahl's model with gamma = 1 */
#define BR_LUGRE_IS_DAHL(p)                                                               \
  (BR_EQ((p)->Fs, (p)->Fc) && BR_EQ((p)->n_g_v, BR_K(0)) && BR_EQ((p)->n_f_v, BR_K(0)) && \
   BR_EQ((p)->sigma1, BR_K(0)) && BR_EQ((p)->sigma2, BR_K(0)))
#define BR_CLASS(p, c)                                                            \
  ((c)->duhem = BR_LUGRE_IS_DAHL(p) ? BR_DUHEM_SEMILINEAR : BR_DUHEM_GENERALIZED, \
   (c)->rate_dependent = !BR_LUGRE_IS_DAHL(p), (c)->continuity = BR_LIPSCHITZ)
#define BR_PASSIVE(p) BR_BRISTLE_PASSIVE(p)
#define BR_PASSIVE_TEXT BR_BRISTLE_PASSIVE_TEXT

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);

BR_FN void BR_M(prepare)(BR_M(par) *p)
{
  BR_PREPARE_STRIBECK(p);
  p->inv_sigma0 = 1 / p->sigma0;
  p->inv_vd = BR_SEL(BR_LT(BR_K(0), p->vd), 1 / p->vd, BR_K(0));
}

/* Frequent cases that a batch may assume of all its lanes: 1 no tables, plain viscous law and constant
 * sigma1, 2 also delta = 2, 3 also delta = 1; 4 only no tables.  The result has the same bits, only faster.
 * */
#define BR_SPECIALS 4
#define BR_WIDEST_SPECIAL 4
BR_FN void BR_M(assume)(BR_M(par) *p, int k)
{
  if (k >= 1) p->n_g_v = p->n_f_v = 0;
  if (k >= 1 && k <= 3) p->f_exp = 1, p->inv_vd = 0;
  if (k == 2) p->delta = 2;
  if (k == 3) p->delta = 1;
}

/* Level that the bristle force sigma0 z approaches at speed v, N. */
BR_FN BR_REAL BR_M(level)(const BR_M(par) *p, BR_REAL n, BR_REAL v)
{
  const int knots = BR_INT(p->n_g_v);
  if (knots > 0) return n * BR_N(table_value)(p->g_v, p->g_F, knots, BR_ABS(v));
  return n * BR_STRIBECK(p, v);
}

BR_FN BR_REAL BR_M(viscous)(const BR_M(par) *p, BR_REAL v)
{
  const int knots = BR_INT(p->n_f_v);
  if (knots > 0) return BR_SGN(v) * BR_N(table_value)(p->f_v, p->f_F, knots, BR_ABS(v));
  return p->sigma2 * BR_SEL(BR_EQ(p->f_exp, BR_K(1)), v, BR_SGN(v) * BR_N(speed_power)(v, BR_K(1), p->f_exp));
}

/* The state equation is dz/dt = v - pull z with pull = sigma0 |v| / g in 1/s.  For held v it covers the part
 * 1 - exp(-pull h) of the way to the settled deflection. */
BR_FN BR_REAL BR_M(pull)(const BR_M(par) *p, BR_REAL g, BR_REAL v)
{
  return BR_OVER(p->sigma0 * BR_ABS(v), g);
}
BR_FN BR_REAL BR_M(settled)(const BR_M(par) *p, BR_REAL g, BR_REAL v)
{
  return BR_COPYSIGN(g * p->inv_sigma0, v);
}
BR_FN BR_REAL BR_M(covered)(BR_REAL pull, BR_REAL h) { return BR_COVER(pull * h); }

BR_FN void BR_M(rate)(BR_ARGS, BR_REAL *dz)
{
  BR_UNUSED(u);
  dz[0] = BR_MUL_SUB(BR_M(pull)(p, BR_M(level)(p, n, v[0]), v[0]), z[0], v[0]);
}

BR_FN void BR_M(force)(BR_ARGS, const BR_REAL *dz, BR_REAL *F)
{
  const BR_REAL r = v[0] * p->inv_vd;
  const BR_REAL s1 = p->sigma1 * BR_SEL(BR_EQ(p->inv_vd, BR_K(0)), BR_K(1), BR_EXP(-r * r));
  BR_UNUSED(u);
  BR_UNUSED(n);
  F[0] = BR_MUL_ADD(s1, dz[0], p->sigma0 * z[0]) + BR_M(viscous)(p, v[0]);
}

/* Carried: first the level, then the rate at the end of the step. */
#define BR_AFFINE_STEP(p) ((void)(p), 1)      /* z -> A z + b while v is held */
#define BR_NOT_IN_STEP(X) X(sigma1) X(sigma2) /* parameters of the force alone */
#define BR_STAGES 2
#define BR_CARRY 1
#define BR_STAGE_RATE 1
BR_FN void BR_M(stage)(int s, BR_STEP_ARGS, BR_REAL *c)
{
  BR_UNUSED(u);
  if (s == 0) {
    c[0] = BR_M(level)(p, n, v[0]);
  } else {
    const BR_REAL g = c[0], pull = BR_M(pull)(p, g, v[0]);
    z[0] = z[0] + (BR_M(settled)(p, g, v[0]) - z[0]) * BR_M(covered)(pull, h);
    c[0] = v[0] - pull * z[0];
  }
}

BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, BR_REAL n, const BR_REAL *u, const BR_REAL *z)
{
  BR_UNUSED(u);
  BR_UNUSED(n);
  return BR_K(0.5) * p->sigma0 * z[0] * z[0];
}
