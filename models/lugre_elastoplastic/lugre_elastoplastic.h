/* SPDX-License-Identifier: Apache-2.0
 * lugre_elastoplastic - LuGre with purely elastic bristles below a break-away deflection.  Source: README.md.
 * With x = sgn(v) z the outward deflection, xm = n g(v) / sigma0 the settled one and xb = n z_ba:
 *   dz/dt = v (1 - alpha(x) x / xm)          F = sigma0 z + sigma1 dz/dt + sigma2 v
 *   alpha = 0 (x <= xb),  cos(pi e / 2)^2 with e = (xm - x) / (xm - xb) in between,  1 (x >= xm)
 * For held v step() runs the three zones exactly: a shift, the transition (below), one expm1. */
#include "../common/quadrature.h"
#include "../common/rows.h"
#define BR_TITLE "Elastoplastic LuGre: no drift below the break-away deflection"
#define BR_AXES 1
#define BR_NZ 1
#define BR_NMODE 0
#define BR_PARAMS(P, V, E) \
  BR_ROWS_BRISTLE(P)       \
  BR_ROW_VISCOUS(P)        \
  BR_ROWS_STRIBECK(P)      \
  P(z_ba, "m", 7e-6, BR_ABOVE(0), BR_NOHI, "break-away deflection: elastic below it, z_ba < Fc / sigma0")
#define BR_DERIVED(D) BR_DERIVED_STRIBECK(D) D(inv_sigma0)
#define BR_STATES(S, SV) S(z, "m", "mean bristle deflection")
#define BR_RULES(R) BR_RULE_LEVELS(R) R(BR_LT(p->z_ba * p->sigma0, p->Fc), z_ba, "z_ba < Fc / sigma0")
#define BR_FLAGS (BR_MODEL_EXACT_STEP | BR_MODEL_ENERGY)
/* with a Stribeck effect alpha mixes x and v through xm(v): no product f(x) g(v), so no Duhem model */
#define BR_CLASS(p, c)                                                                           \
  ((c)->duhem = BR_EQ((p)->Fs, (p)->Fc) ? BR_DUHEM_GENERALIZED : BR_DUHEM_NONE,                  \
   (c)->rate_dependent =                                                                         \
       !(BR_EQ((p)->Fs, (p)->Fc) && BR_EQ((p)->sigma1, BR_K(0)) && BR_EQ((p)->sigma2, BR_K(0))), \
   (c)->continuity = BR_LIPSCHITZ)
#define BR_PASSIVE(p) BR_BRISTLE_PASSIVE(p)
#define BR_PASSIVE_TEXT BR_BRISTLE_PASSIVE_TEXT

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);

BR_FN void BR_M(prepare)(BR_M(par) *p)
{
  BR_PREPARE_STRIBECK(p);
  p->inv_sigma0 = 1 / p->sigma0;
}

/* Frequent cases, same bits: 1 delta = 2, 2 delta = 1. */
#define BR_SPECIALS 2
BR_FN void BR_M(assume)(BR_M(par) *p, int k)
{
  if (k == 1) p->delta = 2;
  if (k == 2) p->delta = 1;
}

/* Settled deflection xm at speed v, m; above xb by the rules. */
BR_FN BR_REAL BR_M(settled)(const BR_M(par) *p, BR_REAL n, BR_REAL v)
{
  return n * BR_STRIBECK(p, v) * p->inv_sigma0;
}

/* Break-away deflection xb, m; the transition is at least 1e-6 xm wide, so that rounding cannot close it. */
BR_FN BR_REAL BR_M(limit)(const BR_M(par) *p, BR_REAL n, BR_REAL xm)
{
  return BR_MIN(n * p->z_ba, BR_K(1 - 1e-6) * xm);
}

BR_FN void BR_M(rate)(BR_ARGS, BR_REAL *dz)
{
  const BR_REAL x = BR_COPYSIGN(BR_K(1), v[0]) * z[0];
  const BR_REAL xm = BR_M(settled)(p, n, v[0]), xb = BR_M(limit)(p, n, xm);
  const BR_REAL s = BR_SINQ(BR_CLIP((xm - x) / (xm - xb), BR_K(0), BR_K(1)));
  const BR_REAL alpha = BR_SEL(BR_LT(xb, x), 1 - s * s, BR_K(0)); /* exactly 0 where elastic */
  BR_UNUSED(u);
  dz[0] = v[0] * (1 - alpha * (x / xm));
}

BR_FN void BR_M(force)(BR_ARGS, const BR_REAL *dz, BR_REAL *F)
{
  BR_UNUSED(u);
  BR_UNUSED(n);
  F[0] = p->sigma0 * z[0] + p->sigma1 * dz[0] + p->sigma2 * v[0];
}

/* ---- the transition zone ----
 * e runs from 1 at xb to 0 at xm; over the path s in units of xm - xb it obeys, with a = 1 - xb / xm and
 * T(e) = sin(pi e / 2)^2 / e^2,
 *   de/ds = -e (a + e T (1 - a e)).
 * T is close to its value b = pi^2/4 at e = 0, and with b in place of T (1 - a e) the flow over a path d has
 * the closed form e0 -> e0 E / (1 + b e0 m), E = exp(-a d), m = (1 - E) / a.  The true path to that point is
 *   s(d) = d + integral over [e, e0] of ((b - T) + a e T) / ((a + b e) (a + e T (1 - a e))) de,
 * smooth in log(a + b e), so that a Gauss rule gives it to rounding.  d for a given s is found by guessing d,
 * measuring how much of s is missing, and going on by that much along dd/ds with the midpoint rule: the error
 * falls with its third power, and two rounds reach rounding for every a, e0 and s. */
#define BR_EP_B BR_K(0x1.3bd3cc9be45dep+1) /* pi^2 / 4 */

/* Speed of e over e. */
BR_FN BR_REAL BR_M(decay)(BR_REAL a, BR_REAL e)
{
  const BR_REAL q = BR_SINCQ(e);
  return a + e * (q * q) * (1 - a * e);
}

BR_FN BR_REAL BR_M(part)(BR_REAL a, BR_REAL d) { return -BR_EXPM1(-(a * d)) / a; }

/* How far e falls below e0 in the comparison flow. */
BR_FN BR_REAL BR_M(fallen)(BR_REAL a, BR_REAL e0, BR_REAL m)
{
  return e0 * m * (a + BR_EP_B * e0) / (1 + BR_EP_B * e0 * m);
}

/* dd/ds */
BR_FN BR_REAL BR_M(pace)(BR_REAL a, BR_REAL e0, BR_REAL d)
{
  const BR_REAL e = e0 - BR_M(fallen)(a, e0, BR_M(part)(a, d));
  return BR_M(decay)(a, e) / (a + BR_EP_B * e);
}

BR_FN BR_REAL BR_M(go_on)(BR_REAL a, BR_REAL e0, BR_REAL d, BR_REAL ds)
{
  return d + ds * BR_M(pace)(a, e0, d + BR_K(0.5) * ds * BR_M(pace)(a, e0, d));
}

/* Integrand over log x, x = a + b e. */
BR_FN BR_REAL BR_M(excess)(BR_REAL a, BR_REAL x)
{
  const BR_REAL e = (x - a) * (1 / BR_EP_B), q = BR_SINCQ(e), T = q * q;
  return ((BR_EP_B - T) + a * e * T) / (a + e * T * (1 - a * e));
}

/* s - s(d).  Nodes come in mirrored pairs: x and ends / x, ends the product of the interval's end points. */
BR_FN BR_REAL BR_M(missing)(BR_REAL a, BR_REAL e0, BR_REAL s, BR_REAL d, int fine)
{
  const BR_REAL top = a + BR_EP_B * e0, be0m = BR_EP_B * e0 * BR_M(part)(a, d);
  const BR_REAL len = BR_LOG1P(be0m), ends = top * top / (1 + be0m);
  BR_REAL sum = 0, x;
#define BR_EP_PAIR(t, w)              \
  x = top * BR_EXP(-(len * BR_K(t))); \
  sum = sum + BR_K(w) * (BR_M(excess)(a, x) + BR_M(excess)(a, ends / x));
  if (fine) {
    BR_GAUSS_16(BR_EP_PAIR)
  } else {
    BR_GAUSS_8(BR_EP_PAIR)
  }
#undef BR_EP_PAIR
  return s - (d + len * (1 / BR_EP_B) * sum);
}

/* How far e falls below e0 over the path s.  Eight nodes are good to 1e-8: enough for f32 and round one. */
BR_FN BR_REAL BR_M(fall)(BR_REAL a, BR_REAL e0, BR_REAL s)
{
  const int fine = sizeof(BR_REAL) > sizeof(float);
  BR_REAL d = BR_M(go_on)(a, e0, BR_K(0), s);
  d = BR_M(go_on)(a, e0, d, BR_M(missing)(a, e0, s, d, 0));
  if (fine) d = BR_M(go_on)(a, e0, d, BR_M(missing)(a, e0, s, d, 1));
  return BR_M(fallen)(a, e0, BR_M(part)(a, d));
}

BR_FN void BR_M(step)(BR_STEP_ARGS)
{
  const BR_REAL side = BR_COPYSIGN(BR_K(1), v[0]), x = side * z[0], path = BR_ABS(v[0]) * h;
  const BR_REAL xm = BR_M(settled)(p, n, v[0]), xb = BR_M(limit)(p, n, xm), width = xm - xb;
  const BR_REAL elastic = BR_CLIP(xb - x, BR_K(0), path), rest = path - elastic, start = x + elastic;
  const BR_REAL e0 = BR_CLIP((xm - start) / width, BR_K(0), BR_K(1));
  const BR_REAL rise = width * BR_M(fall)(width / xm, e0, rest / width);
  const BR_REAL drop = (xm - start) * -BR_EXPM1(-(rest / xm)); /* from above, as LuGre */
  BR_UNUSED(u);
  z[0] = side * (start + BR_SEL(BR_LT(xm, start), drop, rise));
}

BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, BR_REAL n, const BR_REAL *u, const BR_REAL *z)
{
  BR_UNUSED(u);
  BR_UNUSED(n);
  return BR_K(0.5) * p->sigma0 * z[0] * z[0];
}
