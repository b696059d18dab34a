/* SPDX-License-Identifier: Apache-2.0
 * semilinear_duhem - rate-independent semilinear Duhem model.  Equations, validity, source: README.md.
 *   dx/dt = v (A x + B u + E),   A, B, E = Ap, Bp, Ep for v > 0 and Am, Bm, Em for v < 0
 *   F     = C x + D u
 * Along the path dx/du = A x + B u + E is linear, so step() is exact.  With w = u - u0 and y = x - x0,
 *   dy/dw = A y + e + B w,   e = A x0 + B u0 + E,   y(0) = 0.
 * Let P = expm1(A w), r the answer to the constant input B, y the answer to e + B w.  Over twice the path
 *   y <- 2 y + P y + w r,   r <- 2 r + P r,   P <- 2 P + P P,
 * so a short Taylor series at w = du / 2^36 and 36 doublings give the step.  Carrying expm1 instead of exp
 * keeps full relative accuracy however small the start is: no choice of scaling depends on the data. */
#define BR_TITLE "Semilinear Duhem: linear in state and input, one matrix per direction"
#define BR_AXES 1
#define BR_NZ BR_MAX_ORDER
#define BR_NMODE 0
#define BR_PARAMS(P, V, E)                                                                                \
  V(Ap, "1/m", (-10), BR_NOLO, BR_NOHI, BR_MAX_ORDER *BR_MAX_ORDER, 1, "state matrix for v > 0, by rows") \
  V(Am, "1/m", (10), BR_NOLO, BR_NOHI, BR_MAX_ORDER *BR_MAX_ORDER, 1, "state matrix for v < 0, by rows")  \
  V(Bp, "N/m^2", (0), BR_NOLO, BR_NOHI, BR_MAX_ORDER, 1, "input vector for v > 0")                        \
  V(Bm, "N/m^2", (0), BR_NOLO, BR_NOHI, BR_MAX_ORDER, 1, "input vector for v < 0")                        \
  V(Ep, "N/m", (7.5), BR_NOLO, BR_NOHI, BR_MAX_ORDER, 1, "constant vector for v > 0")                     \
  V(Em, "N/m", (7.5), BR_NOLO, BR_NOHI, BR_MAX_ORDER, 1, "constant vector for v < 0")                     \
  V(C, "1", (1), BR_NOLO, BR_NOHI, BR_MAX_ORDER, 1, "output row")                                         \
  P(D, "N/m", 0.0, BR_NOLO, BR_NOHI, "direct stiffness")                                                  \
  P(n, "1", 1.0, BR_FROM(1), BR_UPTO(BR_MAX_ORDER), "number of states")
#define BR_DERIVED(D)
#define BR_STATES(S, SV) SV(x, "N", BR_MAX_ORDER, "internal force")
#define BR_COUNT(p) BR_INT((p)->n)
#define BR_RULES(R)                                            \
  R(BR_EQ((BR_REAL)BR_INT(p->n), p->n), n, "a whole number")   \
  R(BR_EQ(p->n_Ap, p->n * p->n), Ap, "n * n numbers, by rows") \
  R(BR_EQ(p->n_Am, p->n * p->n), Am, "n * n numbers, by rows") \
  R(BR_EQ(p->n_Bp, p->n), Bp, "n numbers")                     \
  R(BR_EQ(p->n_Bm, p->n), Bm, "n numbers")                     \
  R(BR_EQ(p->n_Ep, p->n), Ep, "n numbers")                     \
  R(BR_EQ(p->n_Em, p->n), Em, "n numbers")                     \
  R(BR_EQ(p->n_C, p->n), C, "n numbers")
#define BR_FLAGS (BR_MODEL_EXACT_STEP)
#define BR_CLASS(p, c) \
  ((c)->duhem = BR_DUHEM_SEMILINEAR, (c)->rate_dependent = 0, (c)->continuity = BR_LIPSCHITZ)
#define BR_PASSIVE(p) 0
#define BR_PASSIVE_TEXT "not decided: no stored energy is defined for general matrices"

typedef struct {
  BR_PAR_FIELDS
} BR_M(par);

BR_FN void BR_M(prepare)(BR_M(par) *p) { BR_UNUSED(p); }

/* Frequent cases, same bits: one, two, three states. */
#define BR_SPECIALS 3
#define BR_SPECIAL_LENGTH(k) ((k) * (k))
#define BR_SPECIAL_STATES(k) (k)
#define BR_SPECIAL_CARRY(k) (((k) + 1) * ((k) + 1))
BR_FN void BR_M(assume)(BR_M(par) *p, int k) { p->n = BR_SEL(k > 0, (BR_REAL)k, p->n); }

/* Slope dx/du at (x, u) in the direction of v; A (n x n) and B receive that direction's matrices. */
BR_FN void BR_M(slope)(const BR_M(par) *p, BR_REAL u, BR_REAL v, const BR_REAL *x, BR_REAL *A, BR_REAL *B,
                       BR_REAL *e)
{
  const int order = BR_COUNT(p), back = BR_LT(v, BR_K(0));
  for (int i = 0; i < order; i++) {
    BR_REAL sum = BR_SEL(back, p->Em[i], p->Ep[i]);
    B[i] = BR_SEL(back, p->Bm[i], p->Bp[i]);
    sum = sum + B[i] * u;
    for (int j = 0; j < order; j++) {
      A[i * order + j] = BR_SEL(back, p->Am[i * order + j], p->Ap[i * order + j]);
      sum = sum + A[i * order + j] * x[j];
    }
    e[i] = sum;
  }
}

BR_FN void BR_M(rate)(BR_ARGS, BR_REAL *dz)
{
  BR_REAL A[BR_MAX_ORDER * BR_MAX_ORDER], B[BR_MAX_ORDER], e[BR_MAX_ORDER];
  BR_UNUSED(n);
  BR_M(slope)(p, u[0], v[0], z, A, B, e);
  for (int i = 0; i < BR_COUNT(p); i++) dz[i] = v[0] * e[i];
}

BR_FN void BR_M(force)(BR_ARGS, const BR_REAL *dz, BR_REAL *F)
{
  BR_REAL sum = p->D * u[0];
  BR_UNUSED(v), BR_UNUSED(dz);
  for (int i = 0; i < BR_COUNT(p); i++) sum = sum + p->C[i] * z[i];
  F[0] = n * sum;
}

/* out = base + c X y for an order x order matrix X; out may be base, not y. */
BR_FN void BR_M(add_mul)(int order, BR_REAL c, const BR_REAL *X, const BR_REAL *y, const BR_REAL *base,
                         BR_REAL *out)
{
  for (int i = 0; i < order; i++) {
    BR_REAL sum = 0;
    for (int j = 0; j < order; j++) sum = sum + X[i * order + j] * y[j];
    out[i] = base[i] + c * sum;
  }
}

/* out = c X Y (+ 1 on the diagonal where unit = 1) + d Z, all order x order; out is none of the others. */
BR_FN void BR_M(mat_mul)(int order, BR_REAL c, const BR_REAL *X, const BR_REAL *Y, BR_REAL unit, BR_REAL d,
                         const BR_REAL *Z, BR_REAL *out)
{
  for (int i = 0; i < order; i++)
    for (int j = 0; j < order; j++) {
      BR_REAL sum = 0;
      for (int k = 0; k < order; k++) sum = sum + X[i * order + k] * Y[k * order + j];
      out[i * order + j] = BR_SEL(i == j, unit, BR_K(0)) + (c * sum + d * Z[i * order + j]);
    }
}

/* One term more of the series: S <- 1 + A S / k, t <- B + A t / (k + 1). */
BR_FN void BR_M(term)(int order, int k, const BR_REAL *A, const BR_REAL *B, BR_REAL *S, BR_REAL *t)
{
  BR_REAL T[BR_MAX_ORDER * BR_MAX_ORDER], r[BR_MAX_ORDER];
  const BR_REAL inv = 1 / (BR_REAL)k, inv2 = 1 / (BR_REAL)(k + 1);
  BR_M(mat_mul)(order, inv, A, S, BR_K(1), BR_K(0), A, T);
  for (int i = 0; i < order * order; i++) S[i] = T[i];
  BR_M(add_mul)(order, inv2, A, t, B, r);
  for (int i = 0; i < order; i++) t[i] = r[i];
}

/* Carried: y, r, T = P = expm1(A w), w. */
BR_FN void BR_M(start)(BR_STEP_ARGS, BR_REAL *c)
{
  enum { SIZE = BR_MAX_ORDER * BR_MAX_ORDER };
  BR_REAL A[SIZE], S[SIZE], B[BR_MAX_ORDER], e[BR_MAX_ORDER], t[BR_MAX_ORDER];
  const int order = BR_COUNT(p);
  BR_REAL *y = c, *r = c + order, *T = c + 2 * order;
  const BR_REAL du = v[0] * h;
  BR_REAL norm = 0;
  BR_UNUSED(n);
  BR_M(slope)(p, u[0], v[0], z, A, B, e);
  for (int i = 0; i < order; i++) {
    BR_REAL row = 0;
    for (int j = 0; j < order; j++) row = row + BR_ABS(A[i * order + j]);
    norm = BR_MAX(norm, row);
  }
  /* |A du| <= 2^29 is exact; of a longer path only its last part counts (a fading memory has lost the rest)
   * */
  const BR_REAL far = norm * BR_ABS(du), reach = BR_K(0x1p29);
  const BR_REAL path = BR_SEL(BR_LT(reach, far), du * (reach / far), du);
  const BR_REAL skipped = du - path;
  const BR_REAL w = path * BR_K(0x1p-36);
  for (int i = 0; i < order; i++) e[i] = e[i] + B[i] * skipped;

  /* S = sum (A w)^k / (k+1)!, t = 2 sum (A w)^k / (k+2)! B, to degree 6 (no loop: see core/stamp.h) */
  for (int i = 0; i < order * order; i++) A[i] = A[i] * w, S[i] = 0;
  for (int i = 0; i < order; i++) S[i * order + i] = 1, t[i] = B[i];
  BR_M(term)(order, 6, A, B, S, t), BR_M(term)(order, 5, A, B, S, t), BR_M(term)(order, 4, A, B, S, t);
  BR_M(term)(order, 3, A, B, S, t), BR_M(term)(order, 2, A, B, S, t);
  for (int i = 0; i < order; i++) r[i] = 0, y[i] = BR_K(0.5) * w * w * t[i];
  BR_M(add_mul)(order, w, S, B, r, r);
  BR_M(add_mul)(order, w, S, e, y, y);
  BR_M(mat_mul)(order, BR_K(1), A, S, BR_K(0), BR_K(0), A, T);
  T[order * order] = w;
}

BR_FN void BR_M(twice)(int order, BR_REAL *c)
{
  BR_REAL *y = c, *r = c + order, *T = c + 2 * order, *w = T + order * order;
  BR_REAL S[BR_MAX_ORDER * BR_MAX_ORDER], t[BR_MAX_ORDER];
  for (int i = 0; i < order; i++) t[i] = 2 * y[i] + *w * r[i];
  BR_M(add_mul)(order, BR_K(1), T, y, t, t);
  for (int i = 0; i < order; i++) y[i] = t[i], t[i] = 2 * r[i];
  BR_M(add_mul)(order, BR_K(1), T, r, t, t);
  BR_M(mat_mul)(order, BR_K(1), T, T, BR_K(0), BR_K(2), T, S);
  for (int i = 0; i < order; i++) r[i] = t[i];
  for (int i = 0; i < order * order; i++) T[i] = S[i];
  *w = 2 * *w;
}

#define BR_STAGES 3
#define BR_ROUNDS 36 /* doublings */
#define BR_CARRY ((BR_MAX_ORDER + 1) * (BR_MAX_ORDER + 1))
BR_FN void BR_M(stage)(int s, BR_STEP_ARGS, BR_REAL *c)
{
  if (s == 0) BR_M(start)(p, n, u, v, h, z, c);
  if (s == 1) BR_M(twice)(BR_COUNT(p), c);
  if (s == 2)
    for (int i = 0; i < BR_COUNT(p); i++) z[i] = z[i] + c[i];
}

/* None is defined (BR_MODEL_ENERGY is not set); the stamp wants the name. */
BR_FN BR_REAL BR_M(energy)(const BR_M(par) *p, BR_REAL n, const BR_REAL *u, const BR_REAL *z)
{
  BR_UNUSED(p), BR_UNUSED(n), BR_UNUSED(u), BR_UNUSED(z);
  return 0;
}
