/* SPDX-License-Identifier: Apache-2.0
 * times.h - at which times a trace is sampled. */
#ifndef BRI_TRACE_TIMES_H
#define BRI_TRACE_TIMES_H
#include "bristle/trace.h"

typedef struct {
  double origin;   /* s, first sample */
  double dt;       /* s; 0: the times of s */
  const double *s; /* s after origin */
  size_t count;    /* >= 2 */
} bri_times;

/* From the options and, where they are silent, from the inputs. */
br_status bri_times_choose(const br_signal *const *inputs, int axes, const br_trace_options *o,
                           bri_times *out, br_err *err);
/* Time of sample k. */
double bri_times_at(const bri_times *times, size_t k);
/* Times that are as close as this are the same, within the interval a..b. */
double bri_times_tolerance(double a, double b);

/* Are load, tolerance and start of a trace in range? */
BR_CHECKED br_status bri_trace_options_check(const br_model *m, const br_trace_options *o, size_t nstate,
                                             br_err *err);

#endif
