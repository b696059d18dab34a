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
#define BR_PARAMS(P, V, E)                                                                                   \
  BR_ROWS_BRISTLE(P)                                                                                         \
  BR_ROW_VISCOUS(P)                                                                                          \
  BR_ROWS_STRIBECK(P)                                                                                        \
  P(z_ba, "m", 7e-6, BR_ABOVE(0), BR_NOHI, "break-away deflection: elastic below it, z_ba < Fc / sigma0")
#define BR_DERIVED(D) BR_DERIVED_STRIBECK(D) D(inv_sigma0)
#define BR_STATES(S, SV) S(z, "m", "mean bristle deflection")
#define BR_RULES(R) BR_RULE_LEVELS(R) R(BR_LT(p->z_ba * p->sigma0, p->Fc), z_ba, "z_ba < Fc / sigma0")
#define BR_FLAGS (BR_MODEL_EXACT_STEP | BR_MODEL_ENERGY)
#define BR_CLASS(p, c) ((c)->duhem = BR_DUHEM_GENERALIZED, (c)->rate_dependent = 1, (c)->continuity = BR_LIPSCHITZ)
#define BR_PASSIVE(p) BR_BRISTLE_PASSIVE(p)
#define BR_PASSIVE_TEXT BR_BRISTLE_PASSIVE_TEXT

typedef struct { BR_PAR_FIELDS } BR_M(par);

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
 * e runs from 1 at xb to 0 at xm; over the path in units of xm - xb it obeys, with a = 1 - xb / xm and
 * T(e) = sin(pi e / 2)^2 / e^2,
 *   de/ds = -e (a + e T (1 - a e)).
 * T is close to its value b = pi^2/4 at e = 0, and with b in place of T (1 - a e) the flow over a path d has the
 * closed form e0 -> e0 E / (1 + b e0 m), E = exp(-a d), m = (1 - E) / a.  The true path to the same e1 is
 *   s = d + integral over [e1, e0] of ((b - T) + a e T) / ((a + b e) (a + e T (1 - a e))) de,
 * smooth in log(a + b e): a Gauss rule gives it to rounding, and Newton's iteration finds d from s (the path
 * grows with d, bent one way only, so it converges from every start). */
#define BR_EP_B 0x1.3bd3cc9be45dep+1 /* pi^2 / 4 */

/* e T (1 - a e) + a: speed of e over e. */
BR_FN BR_REAL BR_M(decay)(BR_REAL a, BR_REAL e)
{
  const BR_REAL q = BR_SINCQ(e);
  return a + e * (q * q) * (1 - a * e);
}

/* Integrand over log(a + b e), at the part t of the interval of length len that starts at e0. */
BR_FN BR_REAL BR_M(excess)(BR_REAL a, BR_REAL e0, BR_REAL span, BR_REAL len, BR_REAL t)
{
  const BR_REAL e = e0 + span * BR_EXPM1(-(len * t));
  const BR_REAL q = BR_SINCQ(e), T = q * q;
  return ((BR_K(BR_EP_B) - T) + a * e * T) / (a + e * T * (1 - a * e));
}

/* How far e falls below e0 over the path s. */
BR_FN BR_REAL BR_M(fall)(BR_REAL a, BR_REAL e0, BR_REAL s)
{
  const BR_REAL b = BR_K(BR_EP_B), top = a + b * e0, span = top / b;
  const int rounds = sizeof(BR_REAL) > sizeof(float) ? 4 : 3;
  BR_REAL d = s * BR_M(decay)(a, e0) / top, m = 0;
  for (int k = 0; k < rounds; k++) {
    BR_REAL len, e1, sum = 0;
    m = -BR_EXPM1(-(a * d)) / a;
    len = BR_LOG1P(b * e0 * m); /* log((a + b e0) / (a + b e1)) */
    e1 = e0 - e0 * m * top / (1 + b * e0 * m);
#define BR_EP_NODE(t, w)                                                                                  \
  sum = sum + BR_K(w) * (BR_M(excess)(a, e0, span, len, BR_K(t)) + BR_M(excess)(a, e0, span, len, BR_K(1 - (t))));
    if (k < 3) { /* good to 1e-8, enough for the last round to reach rounding */
      BR_GAUSS_8(BR_EP_NODE)
    } else {
      BR_GAUSS_16(BR_EP_NODE)
    }
#undef BR_EP_NODE
    d = d - (d - s + len / b * sum) * BR_M(decay)(a, e1) / (a + b * e1);
  }
  m = -BR_EXPM1(-(a * d)) / a;
  return e0 * m * top / (1 + b * e0 * m);
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
