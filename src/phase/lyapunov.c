/* SPDX-License-Identifier: Apache-2.0
 * lyapunov.c - centre-manifold projection with multilinear forms.
 *   c1 = 1/2 <p, C(q,q,q*) - 2 B(q, A^-1 B(q,q*)) + B(q*, (2 i omega - A)^-1 B(q,q))>,  A q = i omega q,
 * <p,q> = 1 B and C are derivatives of the Jacobian along Re q and Im q: differences of sixth order of an
 * exact Jacobian. */
#include "../../core/elementary_complex.h"
#include "lyapunov.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "../solve/linalg.h"

enum { MOST = BRI_LYAPUNOV_MOST };
typedef double _Complex cplx;

/* Solve M x = b in place; 0 when singular. */
static int solve(int n, const cplx *M, cplx *b)
{
  double re[MOST * MOST], im[MOST * MOST], br[MOST], bi[MOST];
  size_t piv[MOST];
  for (int i = 0; i < n * n; i++) re[i] = creal(M[i]), im[i] = cimag(M[i]);
  for (int i = 0; i < n; i++) br[i] = creal(b[i]), bi[i] = cimag(b[i]);
  if (bri_lu_complex((size_t)n, re, im, piv)) return 0;
  bri_lu_solve_complex((size_t)n, re, im, piv, br, bi);
  for (int i = 0; i < n; i++) b[i] = br[i] + I * bi[i];
  return 1;
}

/* shift - A, or its transpose. */
static void shifted(int n, const double *A, cplx shift, int transpose, cplx *M)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) M[i * n + j] = (i == j ? shift : 0) - A[transpose ? j * n + i : i * n + j];
}

/* Null vector of shift - A by inverse iteration, from a shift moved a little. */
static int null_vector(int n, const double *A, cplx shift, int transpose, cplx *q)
{
  cplx M[MOST * MOST] = {0};
  for (int i = 0; i < n; i++) q[i] = 1 + 0.1 * i;
  for (int round = 0; round < 4; round++) {
    double size = 0;
    shifted(n, A, shift * (1 + 1e-9), transpose, M);
    if (!solve(n, M, q)) return 0;
    for (int i = 0; i < n; i++) size += bri_cabs(q[i]);
    for (int i = 0; i < n; i++) q[i] /= size;
  }
  return 1;
}

int bri_critical_vector(int n, const double *A, double omega, double *re, double *im)
{
  cplx q[MOST];
  if (n < 2 || n > MOST || !null_vector(n, A, I * omega, 0, q)) return 0;
  for (int i = 0; i < n; i++) re[i] = creal(q[i]), im[i] = cimag(q[i]);
  return 1;
}

/* First and second derivative of J along a, each of sixth order. */
static void along(int n, bri_jacobian_fn *jac, void *ctx, const double *x, const double *a, double h,
                  double *J1, double *J2)
{
  static const double W1[] = {0, 3.0 / 4, -3.0 / 20, 1.0 / 60},
                      W2[] = {-49.0 / 18, 3.0 / 2, -3.0 / 20, 1.0 / 90};
  double y[MOST], J[MOST * MOST];
  memset(J1, 0, sizeof(double) * (size_t)(n * n));
  memset(J2, 0, sizeof(double) * (size_t)(n * n));
  for (int k = -3; k <= 3; k++) {
    const int m = k < 0 ? -k : k;
    for (int i = 0; i < n; i++) y[i] = x[i] + k * h * a[i];
    jac(ctx, y, J);
    for (int i = 0; i < n * n; i++) {
      J1[i] += (k < 0 ? -W1[m] : W1[m]) * J[i] / h;
      J2[i] += W2[m] * J[i] / (h * h);
    }
  }
}

static void times(int n, const double *Jre, const double *Jim, double sign, const cplx *x, cplx *out)
{
  for (int i = 0; i < n; i++) {
    out[i] = 0;
    for (int j = 0; j < n; j++) out[i] += (Jre[i * n + j] + sign * I * Jim[i * n + j]) * x[j];
  }
}

double bri_lyapunov(int n, bri_jacobian_fn *jac, void *ctx, const double *x, double omega, int k,
                    const double *step)
{
  double A[MOST * MOST], u[MOST], w[MOST], U1[MOST * MOST], U2[MOST * MOST], W1[MOST * MOST], W2[MOST * MOST];
  cplx q[MOST], p[MOST], qc[MOST], M[MOST * MOST], h11[MOST], h20[MOST], part[MOST], sum[MOST];
  if (n < 2 || n > MOST) return NAN;
  jac(ctx, x, A);
  if (!null_vector(n, A, I * omega, 0, q) || !null_vector(n, A, I * omega, 1, p)) return NAN;
  const cplx scale = q[k];
  cplx pq = 0;
  double hu = INFINITY, hw = INFINITY;
  for (int i = 0; i < n; i++) {
    q[i] /= scale; /* amplitude of state k: 2 |zeta| */
    qc[i] = conj(q[i]);
    pq += p[i] * q[i]; /* p is a left vector: no conjugate */
    u[i] = creal(q[i]);
    w[i] = cimag(q[i]);
    if (u[i] != 0) hu = fmin(hu, step[i] / fabs(u[i]));
    if (w[i] != 0) hw = fmin(hw, step[i] / fabs(w[i]));
  }
  along(n, jac, ctx, x, u, hu, U1, U2);
  along(n, jac, ctx, x, w, hw, W1, W2);
  /* h11 = -A^-1 B(q, q*), h20 = (2 i omega - A)^-1 B(q, q) */
  times(n, U1, W1, 1, qc, h11);
  shifted(n, A, 0, 0, M);
  if (!solve(n, M, h11)) return NAN;
  times(n, U1, W1, 1, q, h20);
  shifted(n, A, 2 * I * omega, 0, M);
  if (!solve(n, M, h20)) return NAN;
  for (int i = 0; i < n; i++) {
    sum[i] = 0;
    for (int j = 0; j < n; j++) sum[i] += (U2[i * n + j] + W2[i * n + j]) * q[j];
  }
  times(n, U1, W1, 1, h11, part);
  for (int i = 0; i < n; i++) sum[i] += 2 * part[i];
  times(n, U1, W1, -1, h20, part);
  cplx c1 = 0;
  for (int i = 0; i < n; i++) c1 += p[i] * (sum[i] + part[i]);
  return creal(bri_cdiv(c1, pq)) / 2 / 4;
}
