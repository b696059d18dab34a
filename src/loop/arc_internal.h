/* SPDX-License-Identifier: Apache-2.0
 * arc_internal.h - shared by the files that carry a model along an arc: arc.c (the entry points), exact.c
 * (arcs known exactly), extrapolate.c (one step of those that are not), stiffness.c (how far it can be
 * trusted) and march.c (all steps). */
#ifndef BRI_LOOP_ARC_INTERNAL_H
#define BRI_LOOP_ARC_INTERNAL_H
#include "../base/worse.h"
#include <math.h>

#include "loop_internal.h"

#define BRI_ODE_DIM 72 /* (re, im) pairs of the largest integrated model, and the work */

#define BRI_ODE_COLUMNS 6 /* of the extrapolation table: order 2 * COLUMNS */

/* The equations of motion over r: states, then the filter output where there is one, then the work. */
typedef struct {
  const bri_arc_model *a;
  double u, s;
  int pair;      /* 1: (re, im) pairs; 0: real numbers */
  int with_work; /* the last component is the work (of the filtered force, where there is a filter) */
  size_t dim;
  const bri_wave *wave;   /* NULL: arc at constant speed over r metres; else r is the wave's own time, s */
  char held[BRI_ODE_DIM]; /* components that have settled: their rate counts as zero */
} bri_ode;

/* extrapolate.c */
double bri_ode_motion(const bri_ode *o, double r, double *u, double *v); /* seconds per unit of r */
double bri_ode_force(const bri_ode *o, double r, const double *x);       /* of the model, N */
void bri_ode_slope(const bri_ode *o, double r, const double *x, double *dx);
/* One extrapolated step of length H from x with slope dx; off[i] estimates the error of next[i], from above.
 */
void bri_ode_step(const bri_ode *o, double r, double H, const double *x, const double *dx, double *next,
                  double *off);

/* stiffness.c: largest |eigenvalue| of the rates at (r, x), per unit of r; size: yardstick of each component.
 * A step of that many lengths 1 / stiffness may be wrong by bri_ode_doubt times what it says, and is none at
 * all beyond BRI_ODE_FAR. */
#define BRI_ODE_FAR 5.0
double bri_ode_stiffness(const bri_ode *o, double r, const double *x, const double *size);
double bri_ode_doubt(double lengths);

/* march.c: from r to end; sums (may be NULL) receives the force's range and the error of the states. */
br_status bri_march(const bri_ode *o, double r, double end, double *x, bri_arc_sums *sums, br_err *err);

/* exact.c: work and range of the force along an arc of a model with an exact step; z is its start. */
void bri_exact_sums(const bri_arc_model *a, double u, double s, double length, const double *z,
                    bri_arc_sums *sums);
#endif
