/* SPDX-License-Identifier: Apache-2.0
 * given.h - states of a rate-dependent model under a given motion, by the solver of the room solve. */
#ifndef BRI_TRACE_GIVEN_H
#define BRI_TRACE_GIVEN_H
#include "bristle/trace.h"

typedef struct bri_given bri_given; /* opaque */

/* par, inputs and opt as for br_trace_create().  Returns BR_OK, BR_E_NOMEM or what the solver refuses. */
BR_CHECKED br_status bri_given_create(const br_model *m, const void *par, const br_signal *const *inputs,
                                      const br_trace_options *opt, bri_given **out, br_err *err);
void bri_given_destroy(bri_given *g); /* NULL is fine */

/* Begin at t, or right behind a jump there, with states z (modes included).  From `wall` on, the next jump of
 * an input, the motion is that just before it: the jump is the caller's. */
br_status bri_given_start(bri_given *g, double t, double wall, int behind_jump, const double *z, br_err *err);
/* Move on to t, states into z. */
br_status bri_given_advance(bri_given *g, double t, double *z, br_err *err);
/* The next jump, once the last one has been passed or found to be none. */
void bri_given_wall(bri_given *g, double wall);
double bri_given_work(const bri_given *g); /* J, where opt->work */
void bri_given_count(const bri_given *g, size_t *steps, size_t *rejected);

#endif
