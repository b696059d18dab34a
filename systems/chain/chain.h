/* SPDX-License-Identifier: Apache-2.0
 * chain - n masses in a row on springs and dampers, on a base that may accelerate.  README.md has the
 * details. Coordinates are relative to the base:
 *   x_i' = v_i
 *   m_i v_i' = S_{i+1} - S_i - m_i base + [i = at] Fe - (forces of the contacts of mass i)
 *   S_i = k_i (x_i - x_{i-1}) + c_i (v_i - v_{i-1}),  x_0 = v_0 = 0,  S_{n+1} = 0 */
#define BR_TITLE "Chain of masses with springs, dampers and contacts on an accelerated base"
#define BR_AXES 1
#define BR_SYSTEM_FLAGS (BR_SYSTEM_LINEAR)
#define BR_NQ (2 * BR_MAX_MASSES)
#define BR_NW 2
#define BR_NCONTACT BR_MAX_MASSES
#define BR_PARAMS(P, V, E)                                                                         \
  V(m, "kg", (1.0, 1.0), BR_ABOVE(0), BR_NOHI, BR_MAX_MASSES, 2, "masses, from the base upwards")  \
  V(k, "N/m", (100.0, 100.0), BR_FROM(0), BR_NOHI, BR_MAX_MASSES, 2,                               \
    "stiffness between a mass and the one below")                                                  \
  V(c, "N s/m", (0.0, 0.0), BR_FROM(0), BR_NOHI, BR_MAX_MASSES, 2,                                 \
    "damping between a mass and the one below")                                                    \
  V(contact, "1", (1.0), BR_FROM(1), BR_UPTO(BR_MAX_MASSES), BR_MAX_MASSES, 1,                     \
    "mass that each contact sits on")                                                              \
  V(against, "1", (0.0), BR_FROM(0), BR_UPTO(BR_MAX_MASSES), BR_MAX_MASSES, 1,                     \
    "what it rubs against: 0 the base, j mass j")                                                  \
  V(load, "1", (1.0), BR_FROM(0), BR_NOHI, BR_MAX_MASSES, 1, "normal-load factor of each contact") \
  P(at, "1", 0.0, BR_FROM(0), BR_UPTO(BR_MAX_MASSES), "mass that Fe acts on; 0 the last one")
#define BR_DERIVED(D)
#define BR_RULES(R)                                                                         \
  R(BR_INT(p->n_m) >= 1, m, "at least one mass")                                            \
  R(BR_EQ(p->n_k, p->n_m), k, "as many stiffnesses k as masses m")                          \
  R(BR_EQ(p->n_c, p->n_m), c, "as many dampings c as masses m")                             \
  R(BR_INT(p->n_contact) >= 1, contact, "at least one contact")                             \
  R(BR_EQ(p->n_against, p->n_contact), against, "as many entries of against as of contact") \
  R(BR_EQ(p->n_load, p->n_contact), load, "as many loads as contacts")                      \
  R(BR_M(places_ok)(p->contact, BR_INT(p->n_contact), 1, BR_INT(p->n_m)), contact,          \
    "whole numbers 1..masses")                                                              \
  R(BR_M(places_ok)(p->against, BR_INT(p->n_against), 0, BR_INT(p->n_m)), against,          \
    "whole numbers 0..masses")                                                              \
  R(BR_M(differ)(p), against, "a mass cannot rub against itself")                           \
  R(BR_M(places_ok)(&p->at, 1, 0, BR_INT(p->n_m)), at, "a whole number 0..masses")
#define BR_INPUTS(I)                        \
  I(Fe, "N", 0.0, "force on the mass `at`") \
  I(base, "m/s^2", 0.0, "acceleration of the base")
#define BR_STATES(S, SV)                                                   \
  SV(x, "m", BR_MAX_MASSES, "displacement of a mass relative to the base") \
  SV(v, "m/s", BR_MAX_MASSES, "velocity of a mass relative to the base")
#define BR_SHOWN(S, SV)
#define BR_COUNT(p) (2 * BR_INT((p)->n_m))
#define BR_CONTACTS(p) BR_INT((p)->n_contact)
#define BR_LOAD(p, j) ((p)->load[j])

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);
BR_FN void BR_M(prepare)(BR_M(par) *p) { BR_UNUSED(p); }

BR_FN int BR_M(places_ok)(const BR_REAL *a, int n, int lo, int hi)
{
  int ok = 1;
  for (int i = 0; i < n; i++) {
    const int j = BR_INT(a[i]);
    ok = ok && j >= lo && j <= hi && BR_EQ(a[i], BR_K(j));
  }
  return ok;
}

BR_FN int BR_M(differ)(const BR_M(par) *p)
{
  int ok = 1;
  for (int i = 0; i < BR_INT(p->n_contact); i++) ok = ok && !BR_EQ(p->contact[i], p->against[i]);
  return ok;
}

BR_FN void BR_M(motion)(BR_MOTION_ARGS)
{
  const int n = BR_INT(p->n_m);
  BR_UNUSED(w), BR_UNUSED(dw);
  for (int j = 0; j < BR_INT(p->n_contact); j++) {
    const int a = BR_INT(p->contact[j]) - 1, b = BR_INT(p->against[j]) - 1;
    u[j] = q[a] - (b >= 0 ? q[b] : BR_K(0));
    v[j] = q[n + a] - (b >= 0 ? q[n + b] : BR_K(0));
  }
}

BR_FN void BR_M(rate)(BR_RATE_ARGS)
{
  const int n = BR_INT(p->n_m), at = BR_INT(p->at) > 0 ? BR_INT(p->at) - 1 : n - 1;
  const BR_REAL *x = q, *v = q + n;
  BR_UNUSED(dw);
  for (int i = 0; i < n; i++) dq[i] = v[i], dq[n + i] = 0;
  for (int i = 0; i < n; i++) {
    const BR_REAL dx = x[i] - (i > 0 ? x[i - 1] : BR_K(0)), dv = v[i] - (i > 0 ? v[i - 1] : BR_K(0));
    const BR_REAL S = p->k[i] * dx + p->c[i] * dv;
    dq[n + i] = dq[n + i] - S;
    if (i > 0) dq[n + i - 1] = dq[n + i - 1] + S;
  }
  dq[n + at] = dq[n + at] + w[0];
  for (int j = 0; j < BR_INT(p->n_contact); j++) {
    const int a = BR_INT(p->contact[j]) - 1, b = BR_INT(p->against[j]) - 1;
    dq[n + a] = dq[n + a] - F[j];
    if (b >= 0) dq[n + b] = dq[n + b] + F[j];
  }
  for (int i = 0; i < n; i++) dq[n + i] = dq[n + i] / p->m[i] - w[1];
}

BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, const BR_REAL *q)
{
  const int n = BR_INT(p->n_m);
  BR_REAL sum = 0;
  for (int i = 0; i < n; i++) {
    const BR_REAL dx = q[i] - (i > 0 ? q[i - 1] : BR_K(0));
    sum = sum + BR_K(0.5) * (p->k[i] * dx * dx + p->m[i] * q[n + i] * q[n + i]);
  }
  return sum;
}

/* Work of Fe and of the inertia forces -m base, in the frame of the base. */
BR_FN BR_REAL BR_M(power)(BR_POWER_ARGS)
{
  const int n = BR_INT(p->n_m), at = BR_INT(p->at) > 0 ? BR_INT(p->at) - 1 : n - 1;
  BR_REAL sum = w[0] * q[n + at];
  BR_UNUSED(dw), BR_UNUSED(F);
  for (int i = 0; i < n; i++) sum = sum - p->m[i] * w[1] * q[n + i];
  return sum;
}

#define BR_HAS_LOSS
BR_FN BR_REAL BR_M(loss)(const BR_M(par) *p, const BR_REAL *q)
{
  const int n = BR_INT(p->n_m);
  BR_REAL sum = 0;
  for (int i = 0; i < n; i++) {
    const BR_REAL dv = q[n + i] - (i > 0 ? q[n + i - 1] : BR_K(0));
    sum = sum + p->c[i] * dv * dv;
  }
  return sum;
}
