/* SPDX-License-Identifier: Apache-2.0
 * run.h - what the continuous and the sampled loop share: measures of a run.  Internal. */
#ifndef BRI_CONTROL_RUN_H
#define BRI_CONTROL_RUN_H
#include "bristle/control.h"

enum { BRI_SERIES = 8192 };

/* The second half of a sampled run whose reference rests: is there an oscillation left? */
typedef struct {
  double *y; /* [BRI_SERIES] */
  size_t used;
  double from, dt; /* s */
} bri_series;

/* Do the reference, the load and all parameters rest over the second half of the run? */
int bri_rests(const br_control_case *job);
/* Since when does it rest, s, up to the end of the run: its last corner, or, where it creeps up to its rest,
 * from where on only a thousandth of its way is left?  NaN: it moves during the last tenth. */
double bri_rest_from(const br_control_case *job);
/* Largest way beyond the rest of the reference: y up to `far` in direction of the way from y0. */
double bri_overshoot(double y0, double rest, double low, double high);
/* Time of entry `used`. */
double bri_series_next(const bri_series *s);
/* Sustained oscillation: at least three periods that agree, with an amplitude above `least` that does not
 * decay. */
void bri_find_hunting(const bri_series *s, double least, br_control_result *out);

/* A break-away releases the force Fs - Fc, which the controller takes up over a travel of (Fs - Fc) /
 * |du/dy|: a cycle is of that size.  A tenth of it; INFINITY where friction has no such drop.  q, z, x:
 * states at rest. */
double bri_released(const br_control_case *job, const br_controller *c, double rest, const double *q,
                    const double *z, const double *x);

double bri_window_from(const br_control_case *job);
double bri_window_to(const br_control_case *job);

br_status bri_run_continuous(const br_control_case *job, br_controller *c, br_control_result *out,
                             br_err *err);
br_status bri_run_fixed(const br_control_case *job, br_controller *c, br_control_result *out, br_err *err);
br_status bri_run_sampled(const br_control_case *job, br_controller *c, bri_series *s, br_control_result *out,
                          br_err *err);

#endif
