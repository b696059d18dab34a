/* SPDX-License-Identifier: Apache-2.0
 * gms - generalised Maxwell-slip: elements stick, or slip towards the Stribeck curve.  Source: README.md.
 * With L = n alpha g(v) / k the slip deflection of an element and x = sgn(v) z its outward deflection:
 *   stick  dz/dt = v                              until x reaches L
 *   slip   dx/dt = C / (n g(v)) (L - x)           until v leaves its sign
 *   F = sum k z + sigma2 v
 * For held v an element that starts to slip does so at x = L and stays there, so step() is exact: a clip for
 * elements that stuck, one exponential for those that slipped before. */
#include "../common/rows.h"
#define BR_TITLE "Generalised Maxwell-slip: parallel elements with Stribeck slip"
#define BR_AXES 1
#define BR_NZ (2 * BR_MAX_ELEMENTS)
#define BR_NMODE BR_MAX_ELEMENTS
#define BR_PARAMS(P, V, E)                                                                          \
  V(k, "N/m", (4e4, 3e4, 2e4, 1e4), BR_ABOVE(0), BR_NOHI, BR_MAX_ELEMENTS, 4, "spring stiffnesses") \
  V(alpha, "1", (0.1, 0.2, 0.3, 0.4), BR_FROM(0), BR_UPTO(1), BR_MAX_ELEMENTS, 4,                   \
    "shares of the elements in the sliding force, sum 1")                                           \
  BR_ROWS_STRIBECK(P)                                                                               \
  P(C, "N/s", 40.0, BR_ABOVE(0), BR_NOHI, "how fast a slipping element follows the Stribeck curve") \
  BR_ROW_VISCOUS(P)
#define BR_DERIVED(D) BR_DERIVED_STRIBECK(D)
/* z[0..N-1] deflections, z[N..2N-1] modes (0 stick, 1 slip), N = n_k elements in use */
#define BR_STATES(S, SV) SV(z, "m", BR_MAX_ELEMENTS, "spring deflection")
#define BR_COUNT(p) BR_INT((p)->n_k)
#define BR_MODES(p) BR_INT((p)->n_k)
#define BR_RULES(R)                                                                    \
  R(BR_LT(BR_K(0), p->n_k), k, "at least one element")                                 \
  R(BR_EQ(p->n_k, p->n_alpha), alpha, "as many shares alpha as stiffnesses k")         \
  R(BR_M(shares_add_up)(p), alpha, "the shares alpha add up to 1 (to 1e-9, f32 1e-5)") \
  BR_RULE_LEVELS(R)
#define BR_FLAGS (BR_MODEL_EXACT_STEP | BR_MODEL_ENERGY)
#define BR_CLASS(p, c)                                                              \
  ((c)->duhem = BR_DUHEM_NONE,                                                      \
   (c)->rate_dependent = !(BR_EQ((p)->Fs, (p)->Fc) && BR_EQ((p)->sigma2, BR_K(0))), \
   (c)->continuity = BR_DISCONTINUOUS)
/* with Fs > Fc a slow pause charges the springs for nothing; see README */
#define BR_PASSIVE(p) BR_EQ((p)->Fs, (p)->Fc)
#define BR_PASSIVE_TEXT "Fs = Fc"

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);

BR_FN void BR_M(prepare)(BR_M(par) *p) { BR_PREPARE_STRIBECK(p); }

/* In f32 the shares themselves are rounded: up to 64 times 3e-8 of their sum. */
BR_FN int BR_M(shares_add_up)(const BR_M(par) *p)
{
  const BR_REAL off = sizeof(BR_REAL) == sizeof(float) ? BR_K(1e-5) : BR_K(1e-9);
  BR_REAL sum = -1;
  for (int i = 0; i < BR_COUNT(p); i++) sum = sum + p->alpha[i];
  return BR_LT(BR_ABS(sum), off);
}

/* Frequent cases, same bits: 1 delta = 2, 2 delta = 1. */
#define BR_SPECIALS 2
#define BR_SPECIAL_LENGTH(k) BR_MAX_ELEMENTS
BR_FN void BR_M(assume)(BR_M(par) *p, int k)
{
  if (k == 1) p->delta = 2;
  if (k == 2) p->delta = 1;
}

/* Slipping now?  At v = 0 every element sticks; one that slipped keeps slipping only while it is dragged the
 * same way (its deflection shows the direction); one beyond its level slips. */
BR_FN int BR_M(slips)(BR_REAL v, BR_REAL x, BR_REAL level, BR_REAL mode)
{
  const int dragged = BR_LT(BR_K(0.5), BR_ABS(mode)) & BR_LT(BR_K(0), x);
  return (!BR_EQ(v, BR_K(0))) & ((!BR_LT(x, level)) | dragged);
}

BR_FN void BR_M(rate)(BR_ARGS, BR_REAL *dz)
{
  const int count = BR_COUNT(p);
  const BR_REAL g = n * BR_STRIBECK(p, v[0]), side = BR_COPYSIGN(BR_K(1), v[0]);
  BR_UNUSED(u);
  for (int i = 0; i < count; i++) {
    const BR_REAL level = p->alpha[i] * g / p->k[i], x = side * z[i];
    dz[i] = BR_SEL(BR_M(slips)(v[0], x, level, z[count + i]), side * (p->C / g * (level - x)), v[0]);
    dz[count + i] = 0;
  }
}

BR_FN BR_REAL BR_M(total)(const BR_M(par) *p, BR_REAL v, BR_REAL sum) { return sum + p->sigma2 * v; }

BR_FN void BR_M(force)(BR_ARGS, const BR_REAL *dz, BR_REAL *F)
{
  BR_REAL sum = 0;
  BR_UNUSED(n), BR_UNUSED(u), BR_UNUSED(dz);
  for (int i = 0; i < BR_COUNT(p); i++) sum = sum + p->k[i] * z[i];
  F[0] = BR_M(total)(p, v[0], sum);
}

/* What all elements share in a step: level of the sum, direction, path, part of the way that slipping covers.
 * */
#define BR_MEMBER_PARAMS(X) X(k) X(alpha)
#define BR_MEMBER_COUNT n_k
#define BR_SHARED 4
BR_FN void BR_M(share)(const BR_M(par) *p, BR_REAL n, BR_REAL v, BR_REAL h, BR_REAL *s)
{
  s[0] = n * BR_STRIBECK(p, v);
  s[1] = BR_COPYSIGN(BR_K(1), v);
  s[2] = BR_ABS(v) * h;
  s[3] = -BR_EXPM1(-(p->C / s[0] * h));
}

/* One element's step; its force. */
BR_FN BR_REAL BR_M(member)(BR_REAL k, BR_REAL alpha, const BR_REAL *s, BR_REAL v, BR_REAL *z, BR_REAL *mode)
{
  const BR_REAL level = alpha * s[0] / k, x = s[1] * *z, ahead = x + s[2];
  const int slips = BR_M(slips)(v, x, level, *mode), rests = BR_EQ(v, BR_K(0));
  const BR_REAL moved = BR_SEL(slips, x + (level - x) * s[3], BR_MIN(ahead, level));
  *mode = BR_SEL((slips | (!BR_LT(ahead, level))) & (!rests), BR_K(1), BR_K(0));
  *z = BR_SEL(rests, *z, s[1] * moved); /* at rest it holds, even above its level */
  return k * *z;
}

/* With h = 0 no deflection moves and the modes are brought up to date with v: what an integrator of rate()
 * calls after each of its own steps. */
BR_FN void BR_M(step)(BR_STEP_ARGS)
{
  const int count = BR_COUNT(p);
  BR_REAL s[BR_SHARED];
  BR_UNUSED(u);
  BR_M(share)(p, n, v[0], h, s);
  for (int i = 0; i < count; i++) (void)BR_M(member)(p->k[i], p->alpha[i], s, v[0], &z[i], &z[count + i]);
}

BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, BR_REAL n, const BR_REAL *u, const BR_REAL *z)
{
  BR_REAL sum = 0;
  BR_UNUSED(u);
  BR_UNUSED(n);
  for (int i = 0; i < BR_COUNT(p); i++) sum = sum + BR_K(0.5) * p->k[i] * z[i] * z[i];
  return sum;
}
