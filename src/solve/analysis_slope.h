/* SPDX-License-Identifier: Apache-2.0
 * analysis_slope.h - derivatives in place of the numbers of 'simulate'. */
#ifndef BRI_SOLVE_ANALYSIS_SLOPE_H
#define BRI_SOLVE_ANALYSIS_SLOPE_H
#include "answer.h"
#include "tangent.h"

typedef struct bri_slope {
  const br_plant *side[BRI_SIDES];
  double step;
  bri_tangent *run;
  double *dx, dT;     /* derivatives of the start and of the end's time; dx NULL: zero */
  double level_slope; /* of the section's velocity */
  int moves;          /* 1: where a cycle is cut nobody says: times and states there have no derivative */
  int threshold_moves;
  double *rates; /* [nstate] scratch */
  br_energy energy;
} bri_slope;

/* Behind the creation of the solver; for each event; behind the last row. */
BR_CHECKED br_status bri_slope_attach(bri_answer *b, br_err *err);
void bri_slope_event(bri_answer *b, bri_answer_event *e, const br_event *ev);
BR_CHECKED br_status bri_slope_take(bri_answer *b, br_err *err);
/* Of the cycle through x0 that was found: c, lo, hi become derivatives. */
BR_CHECKED br_status bri_slope_cycle(bri_answer *b, br_cycle *c, double level, const double *x0, double *lo,
                                     double *hi, br_err *err);
/* The whole answer. */
BR_CHECKED br_status bri_answer_slope(const br_job *job, const br_direction *d, br_sink *out, br_err *err);

#endif
