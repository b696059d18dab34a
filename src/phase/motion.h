/* SPDX-License-Identifier: Apache-2.0
 * motion.h - motions of the plane at one value of the varied parameter, for tables. */
#ifndef BRI_PHASE_MOTION_H
#define BRI_PHASE_MOTION_H
#include "question.h"

typedef struct {
  bri_question *q;
  const double *par; /* block of the model, mass and force at this value */
  double m, F;
  br_err own; /* of what writes curves */
} bri_motion;

BR_CHECKED br_status bri_motion_set(bri_motion *d, bri_question *q, double at, br_err *err);
/* Do the points of a curve run with time there?  Curves may have been followed backward. */
int bri_motion_with_time(const bri_motion *d, const double *z, const double *v, size_t i);
/* All curves of the portrait; what goes wrong in writing them is said, not only that it was stopped. */
BR_CHECKED br_status bri_motion_portrait(bri_motion *d, double at, br_curve_fn *add, void *ctx, br_err *err);

/* ---- analysis_lag.c: friction force against velocity ---- */

/* Whole force, and the force at rest with the same deflection. */
void bri_lag_forces(const br_model *m, const double *par, double v, double z, double *whole, double *elastic);
/* Tables of v, whole force, elastic part: steady sliding (its elastic part is the Stribeck curve); a loop in
 * the order of time and the pieces of it that carry heads. */
BR_CHECKED br_status bri_lag_steady(bri_question *q, const char *name, const double *par, double from,
                                    double to, br_err *err);
BR_CHECKED br_status bri_lag_loop(bri_question *q, const char *name, const char *heads,
                                  const double (*row)[3], size_t n, br_err *err);

#endif
