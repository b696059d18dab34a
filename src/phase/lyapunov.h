/* SPDX-License-Identifier: Apache-2.0
 * lyapunov.h - first Lyapunov coefficient of any smooth field with a pair of imaginary eigenvalues. */
#ifndef BRI_PHASE_LYAPUNOV_H
#define BRI_PHASE_LYAPUNOV_H

enum { BRI_LYAPUNOV_MOST = 8 };

/* Jacobian J[n * n] (rows: equations) at x[n]; exact to rounding (complex step). */
typedef void bri_jacobian_fn(void *ctx, const double *x, double *J);

/* At the equilibrium x with eigenvalues +- i omega: r' = alpha r + result r^3, r the amplitude of state `k`.
 * step[n]: size of the finite differences of J per state (about a hundredth of the scale on which J changes).
 * NaN when a linear system is singular. */
double bri_lyapunov(int n, bri_jacobian_fn *jac, void *ctx, const double *x, double omega, int k,
                    const double *step);

/* Eigenvector of A (row major) near i omega; 0 when none is found. */
int bri_critical_vector(int n, const double *A, double omega, double *re, double *im);

#endif
