/* SPDX-License-Identifier: Apache-2.0
 * tangent_internal.h - shared by tangent.c and tangent_observe.c. */
#ifndef BRI_SOLVE_TANGENT_INTERNAL_H
#define BRI_SOLVE_TANGENT_INTERNAL_H
#include "tangent.h"

struct bri_tangent {
  const br_plant *p, *side[BRI_SIDES];
  double step; /* of the parameter, the largest */
  bri_work work[BRI_SIDES];
  bri_mode shifted;   /* the mode with deflections beside theirs */
  size_t columns, nm; /* nm: deflections of spring-slider elements */
  double *S;          /* [columns][ny] derivatives of the states, at fixed time */
  double *E;          /* [columns][nm] of the deflections, less what sticking elements follow the contact */
  double *node;       /* [columns][1 + stages][ny] S at the start and the points of the last step */
  double *tau, t_tau; /* [columns] derivatives of the time of the last event; when it was */
  double told;        /* of the event that is being reported */
  double *active, *sign; /* [nm], [nc] elements that stuck, direction, in the last step */
  double *f, power[3];   /* rates and powers before an event */
  double quad[3];        /* derivatives of the work so far */
  double *lo, *hi;       /* [nx + nk] derivatives of the extremes */
  double *row, t_ended;  /* [3][nx + nk] rates at the end of the last step, scratch; when that was */
  double stored0, mech0; /* derivatives of the energy at the start */
  int failed, cyclic;
  double *M, *J, *right, *beside, *y, *rate, *spot, *force, *dF, *du, *dv, *F, *z, *x, *g, limit[BRI_SIDES];
  size_t *pivot;
  double *memory;
};

double bri_tangent_moment(const br_solver *s); /* s: a short time over which the field is smooth */
double bri_tangent_way(const bri_tangent *t, size_t side);
bri_work *bri_tangent_work(bri_tangent *t, const br_solver *s, size_t side);
const bri_mode *bri_tangent_mode(bri_tangent *t, const bri_mode *m, size_t column, double way);
/* By the parameter, at a state with derivatives S: of the contact forces; u and v of the contacts. */
void bri_tangent_forces(bri_tangent *t, br_solver *s, const bri_mode *m, double time, const double *y,
                        const double *S, double *dF);
void bri_tangent_motion(bri_tangent *t, br_solver *s, double time, const double *y, const double *S,
                        size_t column, double *du, double *dv);

/* tangent_observe.c */
void bri_tangent_observe_start(bri_tangent *t, br_solver *s);
void bri_tangent_settle(bri_tangent *t, const br_solver *s); /* before the next step overwrites the last */
void bri_tangent_extremes(br_solver *s, double h);
void bri_tangent_work_of_step(bri_tangent *t, br_solver *s, double h);

#endif
