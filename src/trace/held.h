/* SPDX-License-Identifier: Apache-2.0
 * held.h - states of a model over a piece of motion with held velocity. */
#ifndef BRI_TRACE_HELD_H
#define BRI_TRACE_HELD_H
#include "bristle/model.h"
#include "bristle/trace.h"

enum { BRI_HELD_ROWS = 10 }; /* rows of nz numbers of work space */

typedef struct {
  const br_model *m;
  const void *par;
  double load;
  size_t n, nstate; /* numbers of state, modes included; without modes */
  double rtol;
  size_t max_steps;
  double *scale; /* [n] largest |z| seen: errors are relative to it */
  double *work;  /* [BRI_HELD_ROWS][n] */
  size_t steps, rejected;
  const br_signal *inputs[BR_TRACE_AXES]; /* not NULL: the motion is theirs, not u + v t */
  double t0;                              /* s, start of the piece */
} bri_held;

/* z over h seconds from time t0 and position u at velocity v (one per axis).  Returns BR_OK, BR_E_CONVERGE
 * with *reached = time into the piece where it got stuck. */
br_status bri_held_step(bri_held *w, const double *u, const double *v, double t0, double h, double *z,
                        double *reached);

#endif
