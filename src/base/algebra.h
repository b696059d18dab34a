/* SPDX-License-Identifier: Apache-2.0
 * algebra.h - small dense problems: least squares over few columns.  Internal; allocates nothing. */
#ifndef BRI_BASE_ALGEBRA_H
#define BRI_BASE_ALGEBRA_H
#include <stddef.h>

enum { BRI_FIT_MOST = 48 }; /* unknowns of one problem at most */

/* Symmetric positive a[n*n] (rows n apart), overwritten by its factor; 0: not positive. */
int bri_cholesky(size_t n, double *a);
void bri_cholesky_solve(size_t n, const double *factor, double *x); /* x: right side in, solution out */
void bri_cholesky_inverse(size_t n, const double *factor, double *inverse);

/* Eigenvalues (ascending) and vectors (vectors[k*n..]: the k-th) of a symmetric a[n*n], n <= BRI_FIT_MOST; a
 * is overwritten. */
void bri_symmetric_eigen(size_t n, double *a, double *values, double *vectors);

/* Orthonormal basis of q columns X[j*rows..], in place, twice over; dependent columns become zero.  r[j*q+i]:
 * the part of column j along basis vector i. */
void bri_orthonormal(size_t rows, size_t q, double *X, double *r);

/* Least squares with x[j] >= 0 where bound[j], from the normal matrix A[n*n] and right side b (Lawson and
 * Hanson's active set).  Returns 0 where columns in use are not independent; rounding that goes to and fro
 * between two sets ends at either. */
int bri_nnls(size_t n, const double *A, const double *b, const unsigned char *bound, double *x);

/* Normal equations of n columns J[j*rows..] and a right side: A[n*n] = J'J, g[n] = J'r (r NULL: no g). */
void bri_normal(size_t n, size_t rows, const double *J, const double *r, double *A, double *g);

double bri_dot(size_t n, const double *a, const double *b); /* sums of pairs: the same in any build */

#endif
