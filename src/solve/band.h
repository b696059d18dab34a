/* SPDX-License-Identifier: Apache-2.0
 * band.h - large plants: states in an order that keeps the Jacobian near its diagonal, and the LU of such a
 * matrix.  A row holds the columns from k before the diagonal to 2 k behind it: room for what row exchanges
 * fill.  Internal. */
#ifndef BRI_BAND_H
#define BRI_BAND_H
#include <stddef.h>

#include "bristle/status.h"

/* Nonzeros of one matrix, row by row (B: contact by contact). */
typedef struct {
  size_t *from; /* [rows + 1] */
  size_t *at;   /* place in the row */
  double *x, *y;
} bri_nonzeros;

typedef struct {
  size_t n, k, w;  /* states; half of the width; numbers in a row, 3 k + 1 */
  size_t *at, *of; /* [n] place of a state; state at a place */
  bri_nonzeros A, B,
      C; /* d rate / d q; forces of a contact on the mechanism; motion of a contact: d v, d u / d q */
  bri_nonzeros E; /* d rate / d (w, dw) */
  int pure;       /* 1: every contact velocity is a state, and nothing asks for positions */
} bri_band;

struct br_plant;
/* Rates of the mechanism under forces F of its contacts, inputs and their rates in w. */
void bri_band_rate(const struct br_plant *p, const double *w, const double *q, const double *F, double *dq);
/* The band of a plant whose matrices are known; *out is NULL where it does not pay. */
BR_CHECKED br_status bri_band_create(const struct br_plant *p, bri_band **out);
void bri_band_destroy(bri_band *b);

/* Factor in place (piv: [3 n]); 0, or 1 when a pivot vanishes or is not finite. */
int bri_band_lu(const bri_band *b, double *a, size_t *piv);
void bri_band_solve(const bri_band *b, const double *a, const size_t *piv, double *x, double *tmp);
int bri_band_lu_complex(const bri_band *b, double *re, double *im, size_t *piv);
void bri_band_solve_complex(const bri_band *b, const double *re, const double *im, const size_t *piv,
                            double *xr, double *xi, double *tmp);

#endif
