/* SPDX-License-Identifier: Apache-2.0
 * drives.c - what drives the closed loop as a mechanism: the reference, its curvature, and, where they vary,
 * the load and which parameters are in force. */
#include <math.h>
#include <string.h>

#include "../solve/varied.h"
#include "loop.h"

static void ref_eval(const void *ctx, double t, int side, double *w, double *dw)
{
  const br_signal *r = ((const bri_loop *)ctx)->job->reference;
  *w = br_signal_value(r, t);
  *dw = br_signal_rate(r, t, side);
}

static void bend_eval(const void *ctx, double t, int side, double *w, double *dw)
{
  *w = br_signal_curvature(((const bri_loop *)ctx)->job->reference, t, side);
  *dw = 0;
}

/* The end counts as a corner: steps that ran past it would be seen by the extremes. */
static double corner(const void *ctx, double t)
{
  const br_control_case *j = ((const bri_loop *)ctx)->job;
  const double next = br_signal_next_corner(j->reference, t);
  return t < j->t_end ? fmin(next, j->t_end) : next;
}

static void load_eval(const void *ctx, double t, int side, double *w, double *dw)
{
  const br_plant *p = ((const bri_loop *)ctx)->job->varies;
  bri_stage at = {0};
  (void)bri_plant_stage(p, bri_plant_stage_at(p, t, side), &at);
  *w = at.load.value, *dw = 0;
  if (at.load.eval) at.load.eval(at.load.ctx, t, side, w, dw);
  if (!(*w >= at.least)) *w = at.least, *dw = 0; /* a negative one ends the run */
}

double bri_loop_load(const bri_loop *L, double t)
{
  const br_plant *p = L->job->varies;
  bri_stage at = {0};
  (void)bri_plant_stage(p, bri_plant_stage_at(p, t, -1), &at);
  double n = at.load.value, dn = 0;
  if (at.load.eval) at.load.eval(at.load.ctx, t, -1, &n, &dn);
  return n;
}

static void stage_eval(const void *ctx, double t, int side, double *w, double *dw)
{
  *w = (double)bri_plant_stage_at(((const bri_loop *)ctx)->job->varies, t, side), *dw = 0;
}

/* The next switch or corner of the load. */
static double load_corner(const void *ctx, double t)
{
  const br_plant *p = ((const bri_loop *)ctx)->job->varies;
  const size_t i = bri_plant_stage_at(p, t, 1);
  bri_stage at = {0}, next = {.t = INFINITY};
  (void)bri_plant_stage(p, i, &at);
  (void)bri_plant_stage(p, i + 1, &next);
  const double own = at.load.eval && at.load.next_corner ? at.load.next_corner(at.load.ctx, t) : INFINITY;
  return own < next.t ? own : next.t;
}

void bri_loop_inputs(const bri_loop *L, double t, double *w, double *dw)
{
  ref_eval(L, t, 1, &w[BRI_LOOP_REFERENCE], &dw[BRI_LOOP_REFERENCE]);
  bend_eval(L, t, 1, &w[BRI_LOOP_BEND], &dw[BRI_LOOP_BEND]);
  if (!L->job->varies) return;
  load_eval(L, t, 1, &w[BRI_LOOP_LOAD], &dw[BRI_LOOP_LOAD]);
  stage_eval(L, t, 1, &w[BRI_LOOP_STAGE], &dw[BRI_LOOP_STAGE]);
}

void bri_loop_drives(const bri_loop *L, int rests, br_drive *drives)
{
  const br_drive moving[BRI_LOOP_INPUTS] = {{0, ref_eval, corner, 0, L},
                                            {0, bend_eval, corner, 0, L},
                                            {0, load_eval, load_corner, 0, L},
                                            {0, stage_eval, NULL, 0, L}};
  double w[BRI_LOOP_INPUTS] = {0}, dw[BRI_LOOP_INPUTS] = {0};
  memset(drives, 0, BRI_LOOP_INPUTS * sizeof *drives);
  if (!rests) memcpy(drives, moving, sizeof moving);
  else bri_loop_inputs(L, L->job->t_end, w, dw);
  if (rests)
    drives[BRI_LOOP_REFERENCE].value = L->rest, drives[BRI_LOOP_LOAD].value = w[BRI_LOOP_LOAD],
    drives[BRI_LOOP_STAGE].value = w[BRI_LOOP_STAGE];
}
