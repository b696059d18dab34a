/* SPDX-License-Identifier: Apache-2.0
 * loop.h - the continuous closed loop as one mechanism for the solver.  Internal.
 *
 * All states: mechanism, bristles, contact position, controller, and two integrals (e^2, u^2).  A reduced
 * loop keeps only those that move and matter to a cycle; the others stay where they are. */
#ifndef BRI_CONTROL_LOOP_H
#define BRI_CONTROL_LOOP_H
#include "bristle/solve.h"
#include "controller.h"
#include "run.h"

enum { BRI_LOOP_MAX = BR_CONTROL_MAX_Q + BR_CONTROL_MAX_Z + 1 + BR_CONTROL_MAX_X + 2 };

typedef struct {
  const br_control_case *job;
  const br_controller *c;
  br_control_result *out;
  size_t nq, nz, ix, nx, n; /* first controller state, their number, all states */
  double z_scale, z_size;
  double rest, settle; /* final reference; distance to it that counts as settled */
  double rest_from;    /* s, since when the reference rests; NaN: it does not */
  double lo[BRI_LOOP_MAX + 2], hi[BRI_LOOP_MAX + 2]; /* extremes before it rests */
  size_t steps;                                      /* the same */
  double t_lost;                                     /* s, where it ran away; NaN: it has not */
  double t_pull;                                     /* s, where the load became negative; NaN: it has not */
  int side;
  int bounded; /* 1: the estimate's bound is located; what is switched there is `held`, not a matter of place
                */
  int held;    /* the estimate is held at its bound on this side; 0: free */
  size_t keep[BRI_LOOP_MAX], nkeep; /* reduced: states of the solver; nkeep 0: all */
  double frozen[BRI_LOOP_MAX];      /* where the others stay */
  br_state rows[BRI_LOOP_MAX];
  char names[BRI_LOOP_MAX][32];
  /* what the solver sees; it points into this struct, which must stay where it is */
  br_system sys;
  double spar[1];
  double vs; /* m/s, velocity scale of the friction curve; 0: it has none */
} bri_loop;

/* Over a case and an initialised controller.  BR_E_UNSUPPORTED: the model sticks or switches by itself. */
br_status bri_loop_build(bri_loop *L, const br_control_case *job, const br_controller *c,
                         br_control_result *out, br_err *err);
/* Error, control, force at a point (all states), and the rates of all states where dx is not NULL. */
typedef struct {
  double e, raw, u, F; /* raw: u before its limit */
} bri_loop_point;
bri_loop_point bri_loop_at(const bri_loop *L, double t, const double *x, double *dx);
/* drives.c.  Inputs of the mechanism that the loop is, the last two where something varies; their values
 * behind t; their drives: along the run, or held as they are at its end; the load at t as it is given, which
 * may be negative. */
enum { BRI_LOOP_REFERENCE, BRI_LOOP_BEND, BRI_LOOP_LOAD, BRI_LOOP_STAGE, BRI_LOOP_INPUTS };
void bri_loop_inputs(const bri_loop *L, double t, double *w, double *dw);
double bri_loop_load(const bri_loop *L, double t);
void bri_loop_drives(const bri_loop *L, int rests, br_drive *drives);
/* Keep the states that differ between two points of a run, from[] and to[] (all states); frozen at to[].  The
 * reference rests. */
void bri_loop_reduce(bri_loop *L, const double *from, const double *to);

/* After a run that ended at x (from x0; size: largest |x| on the way): does it hunt?  Fills hunting, verdict,
 * amplitude, period, cycle numbers. */
br_status bri_judge_hunting(bri_loop *L, const double *x0, const double *x, const double *size, br_err *err);

#endif
