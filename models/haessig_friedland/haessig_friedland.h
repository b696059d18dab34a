/* SPDX-License-Identifier: Apache-2.0
 * haessig_friedland - bonds between two surfaces that stretch, snap and form anew at another place.  Source:
 * README.md.
 *   F = n sigma0 sum over i of (u - b_i)      b_i: site at which bond i holds
 * Bond i snaps where |u - b_i| exceeds ds and takes the next of its sites in the direction of motion; its
 * sites stand at random places, drawn once (common/sites.inc).  Nothing is integrated: where a bond holds is
 * known for any path. */
#define BR_TITLE "Bristle model of Haessig and Friedland: bonds that snap and form anew at random places"
#define BR_AXES 1
#define BR_NZ BR_MAX_ELEMENTS
#define BR_NMODE 0
#define BR_PARAMS(P, V, E)                                                                                \
  P(N, "1", 20.0, BR_FROM(1), BR_UPTO(BR_MAX_ELEMENTS), "number of bonds, a whole number")                \
  P(sigma0, "N/m", 5e3, BR_ABOVE(0), BR_NOHI, "stiffness of one bond")                                    \
  P(ds, "m", 2e-5, BR_ABOVE(0), BR_NOHI, "stretch at which a bond snaps; N sigma0 ds holds at first")     \
  P(spacing, "m", 2e-5, BR_ABOVE(0), BR_NOHI, "mean distance of the sites, spacing (1 + scatter) < 2 ds") \
  P(scatter, "1", 0.8, BR_FROM(0), BR_BELOW(1), "how far sites are off their even places, in spacings")   \
  P(seed, "1", 1.0, BR_FROM(0), BR_UPTO(1023), "which surface: a whole number")
#define BR_DERIVED(D)
#define BR_STATES(S, SV) SV(b, "m", BR_MAX_ELEMENTS, "site at which the bond holds")
#define BR_COUNT(p) BR_INT((p)->N)
#define BR_RULES(R)                                            \
  R(BR_EQ(BR_ROUND(p->N), p->N), N, "a whole number")          \
  R(BR_EQ(BR_ROUND(p->seed), p->seed), seed, "a whole number") \
  R(BR_LT(p->spacing *(1 + p->scatter), 2 * p->ds), spacing, "spacing (1 + scatter) < 2 ds: a site in reach")
#define BR_FLAGS (BR_MODEL_EXACT_STEP | BR_MODEL_ENERGY | BR_MODEL_JUMPS)
#define BR_CLASS(p, c) \
  ((c)->duhem = BR_DUHEM_NONE, (c)->rate_dependent = 0, (c)->continuity = BR_DISCONTINUOUS)
#define BR_PASSIVE(p) 1
#define BR_PASSIVE_TEXT "always"

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);

BR_FN void BR_M(prepare)(BR_M(par) *p) { BR_UNUSED(p); }

BR_FN void BR_M(rate)(BR_ARGS, BR_REAL *dz)
{
  BR_UNUSED(n), BR_UNUSED(u), BR_UNUSED(v), BR_UNUSED(z);
  for (int i = 0; i < BR_COUNT(p); i++) dz[i] = 0;
}

BR_FN void BR_M(force)(BR_ARGS, const BR_REAL *dz, BR_REAL *F)
{
  BR_REAL sum = 0;
  BR_UNUSED(v), BR_UNUSED(dz);
  for (int i = 0; i < BR_COUNT(p); i++) sum = sum + BR_CLIP_ABS(u[0] - z[i], p->ds);
  F[0] = n * p->sigma0 * sum;
}

BR_FN void BR_M(step)(BR_STEP_ARGS)
{
  const uint32_t stream = (uint32_t)BR_INT(p->seed) * 64;
  BR_UNUSED(n);
  for (int i = 0; i < BR_COUNT(p); i++)
    z[i] = BR_N(site_follow)(p->spacing, p->scatter, stream + (uint32_t)i, p->ds, u[0] + v[0] * h, z[i]);
}

BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, BR_REAL n, const BR_REAL *u, const BR_REAL *z)
{
  BR_REAL sum = 0;
  for (int i = 0; i < BR_COUNT(p);
       i++) { /* out of reach, where only a question can be, its force stays as it is */
    const BR_REAL d = BR_ABS(u[0] - z[i]), c = BR_MIN(d, p->ds);
    sum = sum + c * (d - BR_K(0.5) * c);
  }
  return n * p->sigma0 * sum;
}
