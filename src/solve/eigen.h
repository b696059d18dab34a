/* SPDX-License-Identifier: Apache-2.0
 * eigen.h - eigenvalues of a small dense real matrix, for the multipliers of period maps.  Internal. */
#ifndef BRI_SOLVE_EIGEN_H
#define BRI_SOLVE_EIGEN_H
#include <stddef.h>

/* Eigenvalues of the n x n row-major matrix a, which is overwritten: re[i] + i im[i], pairs side by side.
 * 0, or 1 when an entry is not finite or the iteration does not end (not seen to happen). */
int bri_eigenvalues(size_t n, double *a, double *re, double *im);

/* Largest |eigenvalue|; NaN when there is none.  a is overwritten; work: 2 n numbers. */
double bri_spectral_radius(size_t n, double *a, double *work);

#endif
