/* SPDX-License-Identifier: Apache-2.0
 * slide.h - the sliding law of a true-stick model down to v = 0. */
#ifndef BRI_PARAM_SLIDE_H
#define BRI_PARAM_SLIDE_H
#include "bristle/model.h"

/* m/s, > 0: half width of the band around v = 0 in which the model's kernel gives no sliding force (dv). */
double bri_stick_band(const br_model *m, const double *par);

/* Force at speed s >= 0 to `side` (+1 or -1).  A stick band is a time-stepper's crutch: inside it, |v| <
 * edge, the law goes on along its tangent at the edge, down to v = 0. */
double bri_slide_law(const br_model *m, const double *par, double load, const double *u, double side,
                     double s, double edge);

#endif
