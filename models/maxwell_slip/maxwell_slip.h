/* SPDX-License-Identifier: Apache-2.0
 * maxwell_slip - N spring-slider elements in parallel.  Equations, validity, source: README.md.
 * An element is a stop operator: its spring deflection follows du and is clipped at +-Delta.  That map is
 * exact for any monotone piece of motion; there is no ODE to integrate. */
#define BR_TITLE "Maxwell-slip: N parallel spring-slider elements"
#define BR_AXES 1
#define BR_NZ BR_MAX_ELEMENTS
#define BR_NMODE 0
#define BR_PARAMS(P, V, E)                                                                                  \
  V(k, "N/m", (1, 1.8, 2.6, 3.4, 4.2, 5, 5.8, 6.6, 7.4, 8.2), BR_FROM(0), BR_NOHI, BR_MAX_ELEMENTS, 10,     \
    "spring stiffnesses")                                                                                   \
  V(Delta, "m", (1.5e-3, 2.4e-3, 3.3e-3, 4.2e-3, 5.1e-3, 6e-3, 6.9e-3, 7.8e-3, 8.7e-3, 9.6e-3), BR_FROM(0), \
    BR_NOHI, BR_MAX_ELEMENTS, 10, "half-widths of the dead bands: an element slips at |z| = Delta")
#define BR_DERIVED(D)
#define BR_STATES(S, SV) SV(z, "m", BR_MAX_ELEMENTS, "spring deflection")
#define BR_COUNT(p) BR_INT((p)->n_k)
#define BR_RULES(R)                                    \
  R(BR_LT(BR_K(0), p->n_k), k, "at least one element") \
  R(BR_EQ(p->n_k, p->n_Delta), Delta, "as many half-widths Delta as stiffnesses k")
#define BR_FLAGS (BR_MODEL_EXACT_STEP | BR_MODEL_ENERGY | BR_MODEL_ELEMENTS)
#define BR_CLASS(p, c) \
  ((c)->duhem = BR_DUHEM_NONE, (c)->rate_dependent = 0, (c)->continuity = BR_DISCONTINUOUS)
#define BR_PASSIVE(p) 1
#define BR_PASSIVE_TEXT "always"

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);

BR_FN void BR_M(prepare)(BR_M(par) *p) { BR_UNUSED(p); }

/* The model is a sum over elements; the batch runs them element by element over all lanes. */
#define BR_ELEMENT_PARAMS(X) X(k) X(Delta)
#define BR_ELEMENT_FILE "maxwell_slip/element.inc" /* as seen from models/ */
#include "element.inc"

BR_FN void BR_M(rate)(BR_ARGS, BR_REAL *dz)
{
  BR_UNUSED(u);
  for (int i = 0; i < BR_COUNT(p); i++) {
    const BR_REAL outward = BR_SGN(v[0]) * z[i];
    dz[i] = BR_SEL(BR_LT(outward, n * p->Delta[i]), v[0], BR_K(0));
  }
}

BR_FN void BR_M(force)(BR_ARGS, const BR_REAL *dz, BR_REAL *F)
{
  BR_REAL sum = 0;
  BR_UNUSED(n), BR_UNUSED(u), BR_UNUSED(v), BR_UNUSED(dz);
  for (int i = 0; i < BR_COUNT(p); i++) sum = sum + p->k[i] * z[i];
  F[0] = sum;
}

BR_FN void BR_M(step)(BR_STEP_ARGS)
{
  BR_UNUSED(u);
  for (int i = 0; i < BR_COUNT(p); i++) (void)BR_M(element)(p->k[i], p->Delta[i], n, v[0], h, &z[i]);
}

BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, BR_REAL n, const BR_REAL *u, const BR_REAL *z)
{
  BR_REAL sum = 0;
  BR_UNUSED(u);
  BR_UNUSED(n);
  for (int i = 0; i < BR_COUNT(p); i++) sum = sum + BR_K(0.5) * p->k[i] * z[i] * z[i];
  return sum;
}
