/* SPDX-License-Identifier: Apache-2.0
 * levels.h - the force of steady sliding over velocity, for tables over velocity and force. */
#ifndef BRI_PHASE_LEVELS_H
#define BRI_PHASE_LEVELS_H
#include "question.h"

double bri_level(const bri_question *q, double v); /* without its viscous part: g(v), N */
double bri_level_slope(const bri_question *q, double v);
double bri_level_parameter(const bri_question *q, const char *name); /* of the model; NaN: none */
double bri_level_fastest(const bri_question *q);                     /* the range of velocities shown, m/s */
BR_CHECKED br_status bri_level_table(bri_question *q, const char *name, const char *label, const double *v,
                                     const double *F, size_t n, br_err *err);

#endif
