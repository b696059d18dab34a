/* SPDX-License-Identifier: Apache-2.0
 * work.h - the force of an element on its path, and the work done on it over one piece of its motion. */
#ifndef BRI_TRACE_WORK_H
#define BRI_TRACE_WORK_H
#include "bristle/trace.h"
#include "held.h"

/* Force at u, v, z; dz: room for the rates. */
void bri_trace_force(const bri_held *h, const double *u, const double *v, const double *z, double *dz,
                     double *F);

/* A piece of monotone motion from t on: at held velocity v from u, or along inputs (of a model without
 * states); z: states at its start; room: for twice as many. */
typedef struct {
  const bri_held *held;
  const br_signal *inputs[BR_TRACE_AXES]; /* NULL: u + v s */
  double t;
  const double *u, *v, *z;
  double *room;
} bri_piece;
/* J over the time h of it.  The model's step must be exact. */
double bri_piece_work(const bri_piece *piece, double h);

/* J over a jump that takes the time `span`, of any model, whose states begin at `from`; the statistics of h
 * stay.  room: three times as many. */
BR_CHECKED br_status bri_jump_work(bri_held *h, const double *u, const double *v, double t, double span,
                                   const double *from, double *room, double *work);

/* Has the force a limit at infinite speed, so that a jump of the motion from u to `to` takes finite work? */
BR_CHECKED br_status bri_jump_bounded(const bri_held *h, double t, const double *u, const double *to,
                                      const double *v, const double *z, double *dz, int index, br_err *err);

#endif
