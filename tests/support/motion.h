/* SPDX-License-Identifier: Apache-2.0
 * motion.h - move a friction element along a path in tests, with error control and the work done on it.
 * Two independent ways: motion_move() runs the model's own step() at held velocity and halves the step until
 * one step and two halves agree; motion_drive() integrates rate() along any smooth path. */
#ifndef SUPPORT_MOTION_H
#define SUPPORT_MOTION_H
#include "bristle/model.h"

#define MOTION_SLOTS 1024
#define MOTION_STATES 160

typedef struct {
  const br_model *m;
  double par[MOTION_SLOTS];
  double load; /* normal-load factor */
  double u[2]; /* m */
  double z[MOTION_STATES];
  double work;     /* J put in since the work was last set */
  double size;     /* largest |z| seen: the scale of the error test */
  double tol;      /* error per step, relative to size; 0 means 1e-14 */
  double max_part; /* longest step of motion_move as a part of the leg; 0 means 1/400 */
} motion;

/* Velocity and position at time t. */
typedef void motion_path(const void *ctx, double t, double *u, double *v);

void motion_init(motion *q, const char *model);                  /* defaults, zero state */
void motion_set(motion *q, const char *parameter, double value); /* scalar; call motion_ready() afterwards */
void motion_set_vector(motion *q, const char *parameter, size_t n, const double *x);
double motion_get(const motion *q, const char *parameter);
void motion_ready(motion *q);         /* check() must pass; prepare; zero state */
size_t motion_count(const motion *q); /* numbers of state in use */
void motion_force(const motion *q, const double *v,
                  double *F);                       /* force at the present state and velocity v */
void motion_hold(motion *q, double v, double time); /* one step() along x, no work kept */
void motion_move(motion *q, double vx, double vy, double time); /* hold the velocity */
void motion_to(motion *q, double u, double speed);              /* along x to position u */
void motion_drive(motion *q, motion_path *path, const void *ctx, double t0, double t1);

#endif
