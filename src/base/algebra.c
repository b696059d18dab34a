/* SPDX-License-Identifier: Apache-2.0
 * algebra.c - Cholesky, Jacobi's eigenvalues, orthonormal columns, non-negative least squares. */
#include "algebra.h"

#include <math.h>
#include <string.h>

double bri_dot(size_t n, const double *a, const double *b)
{
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  size_t k = 0;
  for (; k + 4 <= n; k += 4) {
    s0 += a[k] * b[k], s1 += a[k + 1] * b[k + 1];
    s2 += a[k + 2] * b[k + 2], s3 += a[k + 3] * b[k + 3];
  }
  for (; k < n; k++) s0 += a[k] * b[k];
  return (s0 + s1) + (s2 + s3);
}

void bri_normal(size_t n, size_t rows, const double *J, const double *r, double *A, double *g)
{
  for (size_t i = 0; i < n; i++) {
    if (r) g[i] = bri_dot(rows, J + i * rows, r);
    for (size_t j = 0; j <= i; j++) A[i * n + j] = A[j * n + i] = bri_dot(rows, J + i * rows, J + j * rows);
  }
}

int bri_cholesky(size_t n, double *a)
{
  for (size_t j = 0; j < n; j++) {
    double d = a[j * n + j];
    for (size_t k = 0; k < j; k++) d -= a[j * n + k] * a[j * n + k];
    if (!(d > 0) || !isfinite(d)) return 0;
    const double root = sqrt(d);
    a[j * n + j] = root;
    for (size_t i = j + 1; i < n; i++) {
      double s = a[i * n + j];
      for (size_t k = 0; k < j; k++) s -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = s / root;
    }
  }
  return 1;
}

void bri_cholesky_solve(size_t n, const double *f, double *x)
{
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < i; k++) x[i] -= f[i * n + k] * x[k];
    x[i] /= f[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; k++) x[i] -= f[k * n + i] * x[k];
    x[i] /= f[i * n + i];
  }
}

void bri_cholesky_inverse(size_t n, const double *f, double *inverse)
{
  for (size_t j = 0; j < n; j++) {
    double column[BRI_FIT_MOST] = {0};
    column[j] = 1;
    bri_cholesky_solve(n, f, column);
    for (size_t i = 0; i < n; i++) inverse[i * n + j] = column[i];
  }
}

/* One rotation that makes a[p][q] zero. */
static void rotate(size_t n, double *a, double *v, size_t p, size_t q)
{
  const double apq = a[p * n + q], theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
  const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  for (size_t k = 0; k < n; k++) {
    const double x = a[k * n + p], y = a[k * n + q];
    a[k * n + p] = c * x - s * y, a[k * n + q] = s * x + c * y;
  }
  for (size_t k = 0; k < n; k++) {
    const double x = a[p * n + k], y = a[q * n + k];
    a[p * n + k] = c * x - s * y, a[q * n + k] = s * x + c * y;
    const double vx = v[p * n + k], vy = v[q * n + k];
    v[p * n + k] = c * vx - s * vy, v[q * n + k] = s * vx + c * vy;
  }
}

void bri_symmetric_eigen(size_t n, double *a, double *values, double *vectors)
{
  enum { SWEEPS = 40 };
  for (size_t i = 0; i < n * n; i++) vectors[i] = i % (n + 1) == 0;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double off = 0, on = 0;
    for (size_t p = 0; p < n; p++)
      for (size_t q = 0; q < n; q++) *(p == q ? &on : &off) += a[p * n + q] * a[p * n + q];
    if (!(off > 1e-30 * on)) break;
    for (size_t p = 0; p < n; p++)
      for (size_t q = p + 1; q < n; q++)
        if (fabs(a[p * n + q]) > 1e-300) rotate(n, a, vectors, p, q);
  }
  for (size_t i = 0; i < n; i++) values[i] = a[i * n + i];
  for (size_t i = 0; i < n; i++) { /* ascending */
    size_t least = i;
    for (size_t k = i + 1; k < n; k++) least = values[k] < values[least] ? k : least;
    const double x = values[i];
    values[i] = values[least], values[least] = x;
    for (size_t k = 0; k < n && least != i; k++) {
      const double y = vectors[i * n + k];
      vectors[i * n + k] = vectors[least * n + k], vectors[least * n + k] = y;
    }
  }
}

void bri_orthonormal(size_t rows, size_t q, double *X, double *r)
{
  memset(r, 0, q * q * sizeof *r);
  for (size_t j = 0; j < q; j++) {
    double *x = X + j * rows;
    const double before = sqrt(bri_dot(rows, x, x));
    for (int again = 0; again < 2; again++) {
      for (size_t i = 0; i < j; i++) {
        const double *e = X + i * rows, part = bri_dot(rows, e, x);
        r[j * q + i] += part;
        for (size_t k = 0; k < rows; k++) x[k] -= part * e[k];
      }
    }
    const double norm = sqrt(bri_dot(rows, x, x));
    const int there = norm > 1e-10 * before && norm > 0;
    r[j * q + j] = there ? norm : 0;
    for (size_t k = 0; k < rows; k++) x[k] = there ? x[k] / norm : 0;
  }
}

/* ---- non-negative least squares ---- */

/* The problem over the unknowns that are in use. */
static int solve_used(size_t n, const double *A, const double *b, const unsigned char *used, double *s)
{
  double a[BRI_FIT_MOST * BRI_FIT_MOST], y[BRI_FIT_MOST];
  size_t at[BRI_FIT_MOST], m = 0;
  for (size_t j = 0; j < n; j++)
    if (used[j]) at[m++] = j;
  for (size_t i = 0; i < m; i++) {
    y[i] = b[at[i]];
    for (size_t j = 0; j < m; j++) a[i * m + j] = A[at[i] * n + at[j]] * (i == j ? 1 + 1e-12 : 1);
  }
  memset(s, 0, n * sizeof *s);
  if (m && !bri_cholesky(m, a)) return 0;
  if (m) bri_cholesky_solve(m, a, y);
  for (size_t i = 0; i < m; i++) s[at[i]] = y[i];
  return 1;
}

/* The largest share of the way from x to s that keeps what is bound at or above zero; *which stops it. */
static double share(size_t n, const double *x, const double *s, const unsigned char *bound,
                    const unsigned char *used, size_t *which)
{
  double t = 1;
  *which = n;
  for (size_t j = 0; j < n; j++) {
    if (!used[j] || !bound[j] || s[j] > 0) continue;
    const double here = x[j] / (x[j] - s[j]);
    if (x[j] - s[j] <= 0 || here < t || *which == n) t = x[j] - s[j] > 0 ? fmin(t, here) : 0, *which = j;
  }
  return t;
}

int bri_nnls(size_t n, const double *A, const double *b, const unsigned char *bound, double *x)
{
  unsigned char used[BRI_FIT_MOST] = {0};
  double s[BRI_FIT_MOST];
  for (size_t j = 0; j < n; j++) x[j] = 0, used[j] = !bound[j];
  if (!solve_used(n, A, b, used, x)) return 0;
  for (size_t round = 0; round < 6 * n + 10; round++) {
    size_t best = n;
    double most = 0;
    for (size_t j = 0; j < n; j++) { /* the gradient, in units of the column */
      double g = b[j];
      for (size_t i = 0; i < n; i++) g -= A[j * n + i] * x[i];
      g /= A[j * n + j] > 0 ? sqrt(A[j * n + j]) : 1;
      if (!used[j] && A[j * n + j] > 0 && g > most * (1 + 1e-12)) most = g, best = j;
    }
    double scale = 0;
    for (size_t j = 0; j < n; j++)
      scale = fmax(scale, A[j * n + j] > 0 ? fabs(b[j]) / sqrt(A[j * n + j]) : 0);
    if (best == n || most <= 1e-10 * scale) return 1;
    used[best] = 1;
    for (size_t inner = 0; inner < n + 1; inner++) {
      size_t out = n;
      if (!solve_used(n, A, b, used, s)) return 0;
      const double t = share(n, x, s, bound, used, &out);
      for (size_t j = 0; j < n; j++) x[j] += t * (s[j] - x[j]);
      if (out == n) break;
      x[out] = 0, used[out] = 0;
    }
  }
  return 1;
}
