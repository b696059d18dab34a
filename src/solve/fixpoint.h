/* SPDX-License-Identifier: Apache-2.0
 * fixpoint.h - fixed point of a loop's period map z -> P(z), certified, by the Newton of newton.h.
 * By repetition where the map forgets the past in finitely many periods (Maxwell-slip), by Newton with the
 * complex-step derivative otherwise.  Internal; used by loop and by whoever looks for periodic motions. */
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
  /* the same on (re, im) pairs; NULL: repetition only */
  br_status (*map_pair)(void *ctx, double *z, br_err *err);
  /* does what the caller looks at (the force) depend on state j at z?  A state that merely counts (D of
   * bouc_wen) has no fixed point and needs none. */
  int (*observes)(void *ctx, const double *z, size_t j);
} bri_fix_problem;

typedef struct {
  double contraction; /* growth of a deviation over one period; < 1: attracting */
  double error;       /* estimated absolute error of the fixed point */
  int iterations;
} bri_fix_report;

/* z: start in, fixed point out.  BR_E_CONVERGE says why there is none. */
br_status bri_fixpoint(const bri_fix_problem *p, double *z, bri_fix_report *report, br_err *err);

#endif
