/* SPDX-License-Identifier: Apache-2.0
 * returns.h - the map whose fixed points are the cycles of a plant.  Internal.
 *
 * Constant inputs: the section is v = level of contact 0, crossed upward, and the map acts on the other
 * states. Driven inputs: the map is one period of the input on all states. */
#ifndef BRI_RETURNS_H
#define BRI_RETURNS_H
#include "plant.h"

/* The caller's on_step with its own context, not that of the searches below; their first member. */
typedef struct {
  int (*on_step)(void *ctx, double t);
  void *ctx;
} bri_caller;

typedef struct {
  bri_caller from;
  const br_plant *p;
  br_solver *solver;   /* with the section as user event 0 */
  size_t nx, n, iv;    /* states; numbers of the map; index of the velocity */
  int driven;          /* 1: period of the input */
  double input_period; /* s */
  double level, t_max; /* section, m/s; longest return, s */
  int folds;           /* returns in one bri_returns_map() */
  double took;         /* s, of the last one */
  double spent;        /* s, of all */
  size_t count;        /* returns in all */
  int armed, stopped;  /* 1: looks for the section; the caller asked to stop */
  double *hit, *x;     /* state at the section; scratch */
  double t_hit;
  br_solve_stats *stats;
  br_err *err;
} bri_returns;

/* What a long run says of where the motion is going; arrays of the states. */
typedef struct {
  double *x;             /* where it ended */
  double *lo, *hi;       /* extremes over the second half; behind the states those of the contact forces */
  double *scale, *range; /* from them: largest size, range */
  double *top;           /* largest size over all runs so far */
  double mean;           /* of the velocity over the second half, m/s */
} bri_settled;

int bri_pass_on(void *ctx, double t); /* on_step for a ctx that starts with a bri_caller */
void bri_add_stats(br_solve_stats *sum, const br_solver *s);

/* Simulate for t_end from s->x, which is left at the end. */
br_status bri_settle(bri_returns *c, const br_solve_settings *solve, double t_end, bri_settled *s);

/* First point on the map's section from state x; 0 when there is one, in r. */
int bri_first_return(bri_returns *c, const double *x, double *r);
/* out = P^folds(r).  0, or 1 when it does not come back. */
int bri_returns_map(void *ctx, const double *r, double *out);
/* Full state of a point of the section. */
void bri_returns_state(const bri_returns *c, const double *r, double *x);

/* For bri_returns.solver: the section as user function, and what stops there. */
void bri_section(void *ctx, double t, const double *x, double *g);
int bri_on_section(void *ctx, const br_event *ev);
#endif
