/* SPDX-License-Identifier: Apache-2.0
 * dahl - Dahl friction with any exponent.  Equations, validity, source: README.md.
 *   dF/dt = sigma0 |w|^gamma sgn(w) v,   w = 1 - F sgn(v) / Fc
 * With x = sigma0 |du| / Fc the branch w(x) has the closed form
 *   w e^-L,  L = x (gamma = 1),  L = log(1 + (gamma-1) x |w|^(gamma-1)) / (gamma-1) otherwise,
 * and w = 0 once the argument of the logarithm is used up (gamma < 1 reaches Fc after a finite path). */
#define BR_TITLE "Dahl: rate-independent friction with exponent gamma"
#define BR_AXES 1
#define BR_NZ 1
#define BR_NMODE 0
#define BR_PARAMS(P, V, E)                                                     \
  P(sigma0, "N/m", 7.5, BR_ABOVE(0), BR_NOHI, "rest stiffness dF/du at F = 0") \
  P(Fc, "N", 0.75, BR_ABOVE(0), BR_NOHI, "Coulomb level")                      \
  P(gamma, "1", 1.0, BR_FROM(0), BR_NOHI, "shape exponent")
#define BR_DERIVED(D)
#define BR_STATES(S, SV) S(F, "N", "friction force")
#define BR_RULES(R)
#define BR_FLAGS (BR_MODEL_EXACT_STEP | (BR_MODEL_ENERGY))
#define BR_CLASS(p, c)                                               \
  ((c)->duhem = BR_EQ((p)->gamma, BR_K(1))   ? BR_DUHEM_SEMILINEAR   \
                : BR_EQ((p)->gamma, BR_K(0)) ? BR_DUHEM_NONE         \
                                             : BR_DUHEM_GENERALIZED, \
   (c)->rate_dependent = 0,                                          \
   (c)->continuity = !BR_LT((p)->gamma, BR_K(1))  ? BR_LIPSCHITZ     \
                     : BR_EQ((p)->gamma, BR_K(0)) ? BR_DISCONTINUOUS \
                                                  : BR_CONTINUOUS)
#define BR_PASSIVE(p) 1
#define BR_PASSIVE_TEXT "always"

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);

BR_FN void BR_M(prepare)(BR_M(par) *p) { BR_UNUSED(p); }

#define BR_SPECIALS 1
BR_FN void BR_M(assume)(BR_M(par) *p, int k)
{
  if (k == 1) p->gamma = 1;
}

BR_FN void BR_M(rate)(BR_ARGS, BR_REAL *dz)
{
  const BR_REAL w = 1 - z[0] * BR_SGN(v[0]) / (n * p->Fc);
  const BR_REAL slope = BR_SEL(BR_EQ(p->gamma, BR_K(1)), w, BR_SGN(w) * BR_POW(BR_ABS(w), p->gamma));
  BR_UNUSED(u);
  dz[0] = p->sigma0 * slope * v[0];
}

BR_FN void BR_M(force)(BR_ARGS, const BR_REAL *dz, BR_REAL *F)
{
  BR_UNUSED(p), BR_UNUSED(n), BR_UNUSED(u), BR_UNUSED(v), BR_UNUSED(dz);
  F[0] = z[0];
}

BR_FN void BR_M(step)(BR_STEP_ARGS)
{
  const BR_REAL level = n * p->Fc, end = BR_SGN(v[0]) * level; /* where F would settle */
  const BR_REAL x = p->sigma0 * BR_ABS(v[0]) * h / level;
  const BR_REAL m = p->gamma - 1;
  const BR_REAL w = BR_ABS(1 - z[0] * BR_SGN(v[0]) / level);
  const BR_REAL used = m * x * BR_POW(w, m);
  const BR_REAL curved = BR_SEL(BR_LT(BR_K(-1), used), BR_LOG1P(used) / m, BR_K(1e4));
  BR_UNUSED(u);
  z[0] = z[0] + (end - z[0]) * BR_COVER(BR_SEL(BR_EQ(m, BR_K(0)), x, curved));
}

BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, BR_REAL n, const BR_REAL *u, const BR_REAL *z)
{
  BR_UNUSED(u);
  BR_UNUSED(n);
  return BR_K(0.5) * z[0] * z[0] / p->sigma0;
}
