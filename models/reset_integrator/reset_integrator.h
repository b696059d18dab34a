/* SPDX-License-Identifier: Apache-2.0
 * reset_integrator - bond that stretches with the motion up to z0 and then slides.  Source: README.md.
 *   holds   dz/dt = v   F = (1 + a) sigma0 z + sigma1 v   until sgn(v) z reaches z0
 *   slides  dz/dt = 0   F = sigma0 z                      until v turns back
 * The deflection is a stop operator: clipping is exact for any monotone piece of motion. */
#define BR_TITLE "Reset integrator of Haessig and Friedland: a bond that stretches, gives way and slides"
#define BR_AXES 1
#define BR_NZ 2
#define BR_NMODE 1
#define BR_PARAMS(P, V, E)                                                                               \
  P(sigma0, "N/m", 1e5, BR_ABOVE(0), BR_NOHI, "stiffness of the bond; it slides at sigma0 z0")           \
  P(sigma1, "N s/m", 300.0, BR_FROM(0), BR_NOHI, "damping while the bond holds")                         \
  P(a, "1", 0.5, BR_FROM(0), BR_NOHI, "stiction: the bond gives way at (1 + a) times the sliding force") \
  P(z0, "m", 1e-5, BR_ABOVE(0), BR_NOHI, "deflection at which the bond gives way")
#define BR_DERIVED(D)
/* z[0] deflection, z[1] mode: 0 holds, 1 slides */
#define BR_STATES(S, SV) S(z, "m", "deflection of the bond")
#define BR_RULES(R)
#define BR_FLAGS (BR_MODEL_EXACT_STEP | BR_MODEL_ENERGY)
#define BR_CLASS(p, c)                                                             \
  ((c)->duhem = BR_DUHEM_NONE, (c)->rate_dependent = !BR_EQ((p)->sigma1, BR_K(0)), \
   (c)->continuity = BR_DISCONTINUOUS)
#define BR_PASSIVE(p) 1
#define BR_PASSIVE_TEXT "always"

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);

BR_FN void BR_M(prepare)(BR_M(par) *p) { BR_UNUSED(p); }

/* Sliding now?  At v = 0 what slid before stays as it is. */
BR_FN int BR_M(slides)(BR_REAL v, BR_REAL z, BR_REAL end, BR_REAL mode)
{
  const BR_REAL x = BR_SGN(v) * z;
  const int held = BR_LT(BR_K(0.5), BR_ABS(mode)) & (!BR_LT(x, BR_K(0)));
  return BR_EQ(v, v) & ((!BR_LT(x, end)) | held); /* a NaN shows: it stretches the bond */
}

BR_FN void BR_M(rate)(BR_ARGS, BR_REAL *dz)
{
  BR_UNUSED(u);
  dz[0] = BR_SEL(BR_M(slides)(v[0], z[0], n * p->z0, z[1]), BR_K(0), v[0]);
  dz[1] = 0;
}

BR_FN void BR_M(force)(BR_ARGS, const BR_REAL *dz, BR_REAL *F)
{
  const BR_REAL more = BR_SEL(BR_M(slides)(v[0], z[0], n * p->z0, z[1]), BR_K(0), p->a);
  BR_UNUSED(u);
  F[0] = (1 + more) * p->sigma0 * z[0] + p->sigma1 * dz[0];
}

BR_FN void BR_M(step)(BR_STEP_ARGS)
{
  const BR_REAL end = n * p->z0, to = BR_CLIP_ABS(z[0] + v[0] * h, end);
  const int slides = BR_M(slides)(v[0], z[0], end, z[1]);
  BR_UNUSED(u);
  z[0] = BR_SEL(slides, BR_CLIP_ABS(z[0] + 0 * h, end), to); /* a NaN shows */
  z[1] = BR_SEL(slides | (!BR_LT(BR_SGN(v[0]) * to, end)), BR_K(1), BR_K(0));
}

BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, BR_REAL n, const BR_REAL *u, const BR_REAL *z)
{
  BR_UNUSED(n), BR_UNUSED(u);
  return BR_K(0.5) * (1 + p->a) * p->sigma0 * z[0] * z[0];
}
