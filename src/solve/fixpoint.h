/* SPDX-License-Identifier: Apache-2.0
 * fixpoint.h - fixed point of a loop's period map z -> P(z), certified, by the Newton of newton.h.
 * By repetition where the map forgets the past in finitely many periods (Maxwell-slip), by Newton with the
 * complex-step derivative otherwise, or with differences where the model has no complex instance.  Internal;
 * used by loop and by whoever looks for periodic motions. */
#ifndef BRI_SOLVE_FIXPOINT_H
#define BRI_SOLVE_FIXPOINT_H
#include <stddef.h>

#include "bristle/status.h"
#include "newton.h"

#define BRI_IMAG_STEP 1e-40        /* size of the imaginary perturbation that map_pair carries */
#define BRI_FIX_MAX BRI_NEWTON_MAX /* states; discrete modes behind them do not count */

typedef struct {
  const char *name; /* for messages */
  void *ctx;
  size_t ns, nz; /* states that take part; numbers of z, discrete modes included */
  double rtol;   /* relative accuracy the map itself has */
  br_status (*map)(void *ctx, double *z, br_err *err);
  /* the same on (re, im) pairs; NULL: derivatives by differences of map */
  br_status (*map_pair)(void *ctx, double *z, br_err *err);
  /* does what the caller looks at (the force) depend on state j at z?  A state that merely counts (D of
   * bouc_wen) has no fixed point and needs none. */
  int (*observes)(void *ctx, const double *z, size_t j);
} bri_fix_problem;

/* What a caller may know beyond that; all zero: nothing. */
typedef struct {
  const double *extent; /* [ns], written by map: largest |state| on the way through the last period */
  double slope_error;   /* relative error of map_pair's derivatives; 0: 1e-8 */
  int bare;             /* 1: the fixed point alone is asked for; contraction and error stay 0 */
  int independent; /* 1: the states do not see each other (parallel elements), the derivative is diagonal */
  /* dP_j/dz_j of a state that sees nothing but itself, with its relative error; 0: not known better than by
   * map_pair; NULL: none is */
  int (*own_slope)(void *ctx, const double *z, size_t j, double *slope, double *error);
} bri_fix_hints;

typedef struct {
  double contraction;       /* largest |eigenvalue| of dP/dz: growth of a deviation over one period; < 1:
                             * attracting; a kept state that is looked at counts 1 */
  double contraction_error; /* absolute */
  double error;             /* estimated absolute error of the fixed point */
  double relative;          /* the same relative to the extent of each state */
  int iterations;
} bri_fix_report;

/* z: start in, fixed point out.  BR_E_CONVERGE says why there is none. */
br_status bri_fixpoint(const bri_fix_problem *p, const bri_fix_hints *hints, double *z,
                       bri_fix_report *report, br_err *err);

#endif
