/* SPDX-License-Identifier: Apache-2.0
 * slopes.h - derivative of a period map, its eigenvalues, and what they say of the fixed point.  Internal to
 * fixpoint.c. */
#ifndef BRI_SOLVE_SLOPES_H
#define BRI_SOLVE_SLOPES_H
#include "fixpoint.h"

typedef struct {
  const bri_fix_problem *p;
  bri_fix_hints hints;
  br_err *err;
  double *pair;        /* [2 nz] */
  double *scale;       /* [ns] size of each state, > 0 */
  double *low, *high;  /* [nz], scratch of differences */
  double *spare;       /* [nz] */
  int never_ends;      /* set when a state that is looked at grows from period to period */
  double slope_error;  /* of the derivative last computed, relative to its norm */
  double *least_pivot; /* of the Newton that asks: what the slopes' own error makes of 1 - 1 */
} bri_slopes;

/* The form newton.h asks for; ctx: bri_slopes. */
br_status bri_slopes_at(void *ctx, const double *z, const double *next, double *J, char *skip);

/* J at the fixed point z, checked against differences of the map and replaced by them where a singular
 * derivative (|z|^eta, eta < 1, at z = 0) spoils it. */
br_status bri_slopes_certify(bri_slopes *s, const double *z, const double *next, double *J, const char *skip);

/* Contraction with its error, and the error of z with what one period leaves as `next`. work: 2 n^2 + 4 n. */
void bri_slopes_judge(const bri_slopes *s, const double *z, const double *next, const double *J,
                      const char *skip, double *work, bri_fix_report *report);

#endif
