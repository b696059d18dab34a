/* SPDX-License-Identifier: Apache-2.0
 * span.h - a short stretch of an orbit with its derivatives by start and parameter.  Internal.
 *
 * Between two reversals the orbit is a polynomial that satisfies the equations at five Radau points; where
 * the contact velocity changes sign the stretch is cut, because the field has a kink there.  The field itself
 * is continuous, so that the derivatives of the pieces simply multiply. */
#ifndef BRI_PHASE_SPAN_H
#define BRI_PHASE_SPAN_H
#include "field.h"

enum { BRI_STAGES = 5, BRI_PIECES = 5 };

/* The plant near one value of the varied number. */
typedef struct {
  bri_field at, up, down; /* at it, and delta above and below */
  br_vary_where where;
  int slot;
  double value, delta;
} bri_family;
br_status bri_family_open(const br_phase_plant *plant, br_vary_where where, int slot, double range,
                          bri_family *f, br_err *err);
void bri_family_move(bri_family *f, double value);
/* d rates / d parameter. */
void bri_family_slope(const bri_family *f, const double *x, double *dx);

typedef struct {
  double h; /* s */
  double x[BRI_FIELD_MOST];
  double c[BRI_STAGES][BRI_FIELD_MOST]; /* x(theta h) = x + sum c_k theta^(k+1) */
} bri_piece;
void bri_piece_at(const bri_piece *p, size_t n, double theta, double *x);

typedef struct {
  int pieces;
  bri_piece piece[BRI_PIECES];
  double end[BRI_FIELD_MOST], rate[BRI_FIELD_MOST]; /* last point, rates there */
  double A[BRI_FIELD_MOST * BRI_FIELD_MOST];        /* d end / d start */
  double b[BRI_FIELD_MOST];                         /* d end / d parameter */
  double spread; /* integral of the divergence: logarithm of det A, also where A has lost it */
  double rough;  /* largest last coefficient relative to size: how well the polynomials fit */
} bri_span;

/* From x over h > 0 s.  size: what states are measured by.  Returns 0, or 1 when the equations of a piece
 * cannot be solved or reversals follow each other too closely.  s->pieces on entry: 0, or what an earlier run
 * nearby left, from which the iteration starts. */
int bri_span_run(const bri_family *f, const double *x, double h, const double *size, bri_span *s);
/* Point at fraction theta of the whole span. */
void bri_span_at(const bri_span *s, size_t n, double theta, double *x);

#endif
