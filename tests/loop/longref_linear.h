/* SPDX-License-Identifier: Apache-2.0
 * longref_linear.h - states linear in themselves and in u, in long double: along an arc (x, u, 1, work) obeys
 * one constant matrix T, and the arc is exp(T L), carried as exp - 1 so that short arcs keep their digits. */
#ifndef TEST_LONGREF_LINEAR_H
#define TEST_LONGREF_LINEAR_H
#include <math.h>
#include <stddef.h>
#include <string.h>

typedef long double ld;
enum { LR_LINEAR = 8, LR_WIDE = LR_LINEAR + 3 };

typedef struct {
  size_t n;
  ld A[2][LR_LINEAR * LR_LINEAR], B[2][LR_LINEAR], E[2][LR_LINEAR]; /* dx/du, upwards and downwards */
  ld C[LR_LINEAR], D;                                               /* force C x + D u */
} lr_linear;

typedef struct {
  ld m[LR_WIDE][LR_WIDE];
} lr_matrix;

/* a and then b, both less the identity. */
static inline void lr_then(size_t n, const lr_matrix *a, const lr_matrix *b, lr_matrix *out)
{
  lr_matrix r;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      ld sum = a->m[i][j] + b->m[i][j];
      for (size_t k = 0; k < n; k++) sum += b->m[i][k] * a->m[k][j];
      r.m[i][j] = sum;
    }
  for (size_t i = 0; i < n; i++) memcpy(out->m[i], r.m[i], n * sizeof(ld));
}

/* exp(T) - 1 by the series of T / 2^k, doubled k times. */
static inline void lr_expm1(size_t n, const lr_matrix *T, lr_matrix *out)
{
  ld norm = 0;
  int doublings = 0;
  lr_matrix t = {{{0}}}, term, sum;
  for (size_t i = 0; i < n; i++) {
    ld row = 0;
    for (size_t j = 0; j < n; j++) row += fabsl(T->m[i][j]);
    norm = fmaxl(norm, row);
  }
  for (; norm > 0.25L; norm /= 2) doublings++;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) t.m[i][j] = ldexpl(T->m[i][j], -doublings);
  sum = term = t;
  for (int k = 2; k < 20; k++) {
    lr_matrix next = {{{0}}};
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) {
        for (size_t q = 0; q < n; q++) next.m[i][j] += term.m[i][q] * t.m[q][j] / k;
        sum.m[i][j] += next.m[i][j];
      }
    term = next;
  }
  for (int k = 0; k < doublings; k++) lr_then(n, &sum, &sum, &sum);
  *out = sum;
}

/* The arc of length L in direction s, over (x, u, 1, work). */
static inline void lr_linear_arc(const lr_linear *k, ld s, ld L, lr_matrix *out)
{
  const size_t n = k->n;
  const int back = s < 0;
  lr_matrix T = {{{0}}};
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) T.m[i][j] = s * L * k->A[back][i * n + j];
    T.m[i][n] = s * L * k->B[back][i];
    T.m[i][n + 1] = s * L * k->E[back][i];
    T.m[n + 2][i] = s * L * k->C[i];
  }
  T.m[n][n + 1] = s * L;
  T.m[n + 2][n] = s * L * k->D;
  lr_expm1(n + 3, &T, out);
}

/* From state x at u: the end and what the arc adds to the work. */
static inline void lr_linear_move(const lr_linear *k, ld u, ld s, ld L, ld *x, ld *work)
{
  lr_matrix E;
  ld add[LR_WIDE] = {0};
  lr_linear_arc(k, s, L, &E);
  for (size_t i = 0; i < k->n + 3; i++) {
    add[i] = E.m[i][k->n] * u + E.m[i][k->n + 1];
    for (size_t j = 0; j < k->n; j++) add[i] += E.m[i][j] * x[j];
  }
  for (size_t i = 0; i < k->n; i++) x[i] += add[i];
  *work += add[k->n + 2];
}

/* Gauss with pivots; A is spent.  0 where A is singular. */
static inline int lr_gauss(size_t n, ld A[LR_LINEAR][LR_LINEAR], ld *x)
{
  for (size_t c = 0; c < n; c++) {
    size_t best = c;
    for (size_t i = c + 1; i < n; i++)
      if (fabsl(A[i][c]) > fabsl(A[best][c])) best = i;
    if (!(fabsl(A[best][c]) > 0)) return 0;
    for (size_t j = 0; j < n; j++) {
      const ld t = A[c][j];
      A[c][j] = A[best][j], A[best][j] = t;
    }
    const ld t = x[c];
    x[c] = x[best], x[best] = t;
    for (size_t i = c + 1; i < n; i++) {
      const ld f = A[i][c] / A[c][c];
      for (size_t j = c; j < n; j++) A[i][j] -= f * A[c][j];
      x[i] -= f * x[c];
    }
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t j = i + 1; j < n; j++) x[i] -= A[i][j] * x[j];
    x[i] /= A[i][i];
  }
  return 1;
}

/* Steady state at u[0] of a period: (M - 1) x + b = 0.  Returns the least that a period forgets of a
 * deviation, 1 / |(M - 1)^-1|. */
static inline ld lr_linear_steady(const lr_linear *k, size_t count, const double *u, ld *x)
{
  const size_t n = k->n;
  lr_matrix all = {{{0}}};
  ld row[LR_LINEAR] = {0}, most = 0;
  for (size_t i = 0; i < count; i++) {
    const ld du = (ld)u[(i + 1) % count] - u[i];
    lr_matrix E;
    lr_linear_arc(k, du > 0 ? 1 : -1, fabsl(du), &E);
    lr_then(n + 3, &all, &E, &all);
  }
  for (size_t c = 0; c <= n; c++) { /* columns of the inverse, then b */
    ld A[LR_LINEAR][LR_LINEAR], y[LR_LINEAR] = {0};
    for (size_t i = 0; i < n; i++) {
      memcpy(A[i], all.m[i], n * sizeof(ld));
      y[i] = c < n ? (i == c) : -(all.m[i][n] * u[0] + all.m[i][n + 1]);
    }
    if (!lr_gauss(n, A, y)) return 0;
    for (size_t i = 0; i < n; i++) {
      row[i] += c < n ? fabsl(y[i]) : 0;
      x[i] = y[i];
    }
  }
  for (size_t i = 0; i < n; i++) most = fmaxl(most, row[i]);
  return fminl(1, 1 / most);
}
#endif
