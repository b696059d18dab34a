/* SPDX-License-Identifier: Apache-2.0
 * tomlinson - a tip dragged by a spring over a sinusoidal potential (Prandtl, Tomlinson).  Source: README.md.
 *   E(x; u) = V0 (1 - cos(2 pi x / a)) + k (u - x)^2 / 2        F = n k (u - x),  x a local minimum of E
 * With phases t = 2 pi (x - b) / a and w = 2 pi (u - b) / a from the well b that holds the tip, t solves
 *   t + eta sin t = w,      eta = 4 pi^2 V0 / (k a^2),
 * up to the fold t = tc, cos tc = -1/eta, where the tip jumps into the next well.  eta <= 1: no fold, no
 * memory. */
#define BR_TITLE "Prandtl-Tomlinson: a tip dragged by a spring over a sinusoidal potential, jump by jump"
#define BR_AXES 1
#define BR_NZ 1
#define BR_NMODE 0
#define BR_PARAMS(P, V, E)                                                                      \
  P(V0, "J", 1e-20, BR_ABOVE(0), BR_NOHI, "amplitude of the potential; F is at most 2 pi V0/a") \
  P(a, "m", 3e-10, BR_ABOVE(0), BR_NOHI, "period of the potential")                             \
  P(k, "N/m", 1.0, BR_ABOVE(0), BR_NOHI, "stiffness of the spring; it jumps where 4 pi^2 V0/(k a^2) > 1")
/* R(d) = c1 d + c2 (1 - cos d) + c3 (d - sin d) is how far w is from its value at the fold when t is tc - d
 * */
#define BR_DERIVED(D) D(eta) D(c1) D(c2) D(c3) D(tc) D(wc) D(reach)
#define BR_STATES(S, SV) S(b, "m", "well that holds the tip")
#define BR_RULES(R)
#define BR_FLAGS (BR_MODEL_EXACT_STEP | BR_MODEL_ENERGY | BR_MODEL_JUMPS)
#define BR_TOMLINSON_ETA(p) \
  (BR_K(39.478417604357434) * ((p)->V0 / ((p)->a * (p)->k * (p)->a))) /* 4 pi^2; a^2 may underflow in f32 */
#define BR_CLASS(p, c)                                  \
  ((c)->duhem = BR_DUHEM_NONE, (c)->rate_dependent = 0, \
   (c)->continuity = BR_LT(BR_K(1), BR_TOMLINSON_ETA(p)) ? BR_DISCONTINUOUS : BR_LIPSCHITZ)
#define BR_PASSIVE(p) 1
#define BR_PASSIVE_TEXT "always"
#define BR_TOMLINSON_PI BR_K(3.14159265358979323846)

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);

/* sin d and 1 - cos d for 0 <= d <= pi */
BR_FN BR_REAL BR_M(sin)(BR_REAL d)
{
  return 2 * BR_SINQ(d * (1 / BR_TOMLINSON_PI)) * BR_SINQ(1 - d * (1 / BR_TOMLINSON_PI));
}

BR_FN BR_REAL BR_M(versin)(BR_REAL d)
{
  const BR_REAL s = BR_SINQ(d * (1 / BR_TOMLINSON_PI));
  return 2 * s * s;
}

BR_FN void BR_M(prepare)(BR_M(par) *p)
{
  const BR_REAL eta = BR_TOMLINSON_ETA(p);
  const int folds = BR_LT(BR_K(1), eta);
  /* sin(r / 2) = sqrt((1 - 1/eta) / 2), r = pi - tc in [0, pi/2] */
  const BR_REAL m = BR_SQRT(BR_SEL(folds, (eta - 1) / (2 * eta), BR_K(0)));
  BR_REAL q = m * (2 / BR_TOMLINSON_PI); /* quarter turns of r / 2 */
  for (int i = 0; i < 6; i++) q = q - (BR_SINQ(q) - m) / (BR_TOMLINSON_PI / 2 * BR_SINQ(1 - q));
  p->eta = eta;
  p->tc = BR_TOMLINSON_PI - BR_TOMLINSON_PI * q;
  p->c1 = BR_SEL(folds, BR_K(0), 1 - eta);
  p->c2 = BR_SQRT(BR_SEL(folds, (eta - 1) * (eta + 1), BR_K(0)));
  p->c3 = BR_SEL(folds, BR_K(1), eta);
  p->wc = p->tc + p->c2;
  /* without a fold wells are labels: they overlap, so that rounding has no edge to sit on */
  p->reach = BR_SEL(folds, p->wc / (2 * BR_TOMLINSON_PI), BR_K(0.75)) * p->a;
}

/* w of the position, seen from the crest behind it where there is no fold and the tip is past it: *side says
 * which way the force points. */
BR_FN BR_REAL BR_M(way)(const BR_M(par) *p, BR_REAL u, BR_REAL b, BR_REAL *side)
{
  const BR_REAL w = (u - b) * (2 * BR_TOMLINSON_PI / p->a), a = BR_ABS(w);
  const int past = (!BR_LT(BR_K(1), p->eta)) & BR_LT(BR_TOMLINSON_PI, a);
  *side = BR_SEL(past, -BR_SGN(w), BR_SGN(w));
  return BR_SEL(past, 2 * BR_TOMLINSON_PI - a, a);
}

/* One of Newton's steps for d. */
BR_FN BR_REAL BR_M(nearer)(const BR_M(par) *p, BR_REAL D, BR_REAL d)
{
  const BR_REAL s = BR_M(sin)(d), c = BR_M(versin)(d);
  const BR_REAL R = p->c1 * d + p->c2 * c + p->c3 * (d - s);
  const BR_REAL slope = p->c1 + p->c2 * s + p->c3 * c;
  return BR_CLIP(d - (R - D) / BR_MAX(slope, BR_K(1e-30)), BR_K(0), p->tc);
}

/* Phase t of the tip for 0 <= w <= wc.  R is convex and rises: each of its three parts alone gives an upper
 * bound of d from which Newton's steps come down, seven of them to rounding for every eta and w
 * (test_tomlinson.c). */
BR_FN BR_REAL BR_M(phase)(const BR_M(par) *p, BR_REAL w)
{
  const BR_REAL D = BR_MAX(p->wc - w, BR_K(0)), tiny = BR_K(1e-30);
  const BR_REAL line = D / BR_MAX(p->c1, tiny);
  const BR_REAL square = BR_TOMLINSON_PI * BR_SQRT(D / (2 * BR_MAX(p->c2, tiny)));
  const BR_REAL cube = BR_POW(BR_TOMLINSON_PI * BR_TOMLINSON_PI * D / p->c3, BR_K(1) / 3);
  BR_REAL d = BR_MIN(BR_MIN(p->tc, line), BR_MIN(square, cube));
  d = BR_M(nearer)(p, D, d), d = BR_M(nearer)(p, D, d),
  d = BR_M(nearer)(p, D, d); /* no loop in a loop over lanes */
  d = BR_M(nearer)(p, D, d), d = BR_M(nearer)(p, D, d), d = BR_M(nearer)(p, D, d), d = BR_M(nearer)(p, D, d);
  /* far from the fold once more for t itself, which keeps the digits of a small w */
  const BR_REAL t = p->tc - d, miss = t + p->eta * BR_M(sin)(t) - w;
  return BR_SEL(BR_LT(2 * d, p->tc), t, t - miss / (1 + p->eta * (1 - BR_M(versin)(t))));
}

BR_FN void BR_M(rate)(BR_ARGS, BR_REAL *dz)
{
  BR_UNUSED(p), BR_UNUSED(n), BR_UNUSED(u), BR_UNUSED(v), BR_UNUSED(z);
  dz[0] = 0;
}

BR_FN void BR_M(force)(BR_ARGS, const BR_REAL *dz, BR_REAL *F)
{
  BR_REAL side;
  const BR_REAL t = BR_M(phase)(p, BR_M(way)(p, u[0], z[0], &side));
  BR_UNUSED(v), BR_UNUSED(dz);
  F[0] = n * (2 * BR_TOMLINSON_PI * p->V0 / p->a) * (side * BR_M(sin)(t));
}

BR_FN void BR_M(step)(BR_STEP_ARGS)
{
  BR_UNUSED(n);
  z[0] = BR_N(site_follow)(p->a, BR_K(0), 0, p->reach, u[0] + v[0] * h, z[0]);
}

BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, BR_REAL n, const BR_REAL *u, const BR_REAL *z)
{
  BR_REAL side;
  const BR_REAL w = BR_M(way)(p, u[0], z[0], &side), t = BR_M(phase)(p, w), s = BR_M(sin)(t);
  /* out of reach, where only a question can be, the force stays as it is */
  return n * p->V0 * (BR_M(versin)(t) + BR_K(0.5) * p->eta * s * s + s * BR_MAX(w - p->wc, BR_K(0)));
}
