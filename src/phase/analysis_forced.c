/* SPDX-License-Identifier: Apache-2.0
 * analysis_forced.c - frictional lag under a periodic force: the block moves as it does, and its friction is
 * set against its velocity once the motion repeats. */
#include <math.h>

#include "../../core/elementary.h"
#include "bristle/solve.h"
#include "motion.h"
#include "text/stop.h"

enum { POINTS = 2000 };

static void eval(const void *ctx, double t, int side, double *w, double *dw)
{
  const double *x = ctx, rate = 6.283185307179586 * x[2];
  (void)side;
  *w = x[0] + x[1] * bri_sin(rate * t);
  *dw = x[1] * rate * bri_cos(rate * t);
}

static double no_corner(const void *ctx, double t)
{
  (void)ctx, (void)t;
  return INFINITY;
}

static int ask(void *ctx, double t)
{
  (void)t;
  return bri_stopped(ctx);
}

typedef struct {
  double period, total, elastic, v_min, v_max, half; /* half: the total from every other point */
} forced;

/* Once round from x.  The integrals over dv are those of F v' dt, and v' = (force - F)/m is known at every
 * point, so the sum over equal steps of a period converges faster than any power of the step; half of the
 * points say how far. */
static br_status once_round(bri_question *q, br_solver *solver, const br_plant *plant, const double *x,
                            double (*row)[3], forced *r, br_err *err)
{
  const int v = br_plant_index(plant, "v"), z = br_plant_index(plant, "z");
  br_status st = br_solver_start(solver, 0, x, err);
  r->v_min = INFINITY, r->v_max = -INFINITY, r->total = r->elastic = r->half = 0;
  for (int i = 0; i <= POINTS && !st; i++) {
    const double t = r->period * i / POINTS;
    double y[8] = {0}, drive = 0, slope = 0;
    if (i) st = br_solver_advance(solver, t, NULL, err);
    br_solver_state(solver, y);
    eval(q->lag_force, t, 1, &drive, &slope);
    row[i][0] = y[v];
    bri_lag_forces(q->m, q->par, y[v], y[z], &row[i][1], &row[i][2]);
    r->v_min = fmin(r->v_min, y[v]), r->v_max = fmax(r->v_max, y[v]);
    if (i == POINTS) break;
    const double dv = (drive - row[i][1]) / q->spar[0] * r->period / POINTS;
    r->total += row[i][1] * dv, r->elastic += row[i][2] * dv;
    if (i % 2 == 0) r->half += 2 * row[i][1] * dv;
  }
  return st;
}

static br_status settle(bri_question *q, double (*row)[3], forced *r, br_err *err)
{
  const br_drive drive = {0, eval, no_corner, 1 / q->lag_force[2], q->lag_force};
  br_plant *plant = NULL;
  br_solver *solver = NULL;
  br_cycle cycle;
  double x[8] = {0};
  br_solve_settings set = br_solve_settings_default();
  const br_cycle_settings how = br_cycle_settings_default();
  set.on_step = ask;
  set.ctx = &q->out->stop;
  br_status st = br_plant_create(q->sys, q->spar, q->m, q->par, &drive, &plant, err);
  if (!st && (br_plant_nstate(plant) > 8 || br_plant_index(plant, "z") < 0))
    st = bri_fail(err, BR_E_UNSUPPORTED, "lag-force: driven_block with a bristle state z alone");
  if (!st) st = br_cycle_find(plant, &set, &how, NULL, &cycle, x, NULL, NULL, err);
  if (!st) st = br_solver_create(plant, &set, &solver, err);
  if (!st) r->period = cycle.period;
  if (!st) st = once_round(q, solver, plant, x, row, r, err);
  br_solver_destroy(solver);
  br_plant_destroy(plant);
  return bri_stopped(&q->out->stop) ? bri_stop_status(&q->out->stop, "phase", err) : st;
}

br_status bri_phase_forced(bri_question *q, br_err *err)
{
  forced r;
  double(*row)[3] = bri_phase_get(q, (POINTS + 1) * sizeof *row);
  if (!row) return bri_phase_no_memory(err);
  br_status st = settle(q, row, &r, err);
  if (st) return st;
  br_put_number(q->out, "W", r.total, "lag_force.total");
  br_put_number(q->out, "W", r.elastic, "lag_force.elastic");
  br_put_number(q->out, "W", fabs(r.total - r.half), "lag_force.error");
  br_put_number(q->out, "s", r.period, "lag_force.period");
  br_put_number(q->out, "m/s", r.v_min, "lag_force.v_min");
  br_put_number(q->out, "m/s", r.v_max, "lag_force.v_max");
  if (!br_sink_wants(q->out, "lag_forced")) return BR_OK;
  st = bri_lag_loop(q, "lag_forced", "forced_heads", (const double(*)[3])row, POINTS + 1, err);
  return st ? st : bri_lag_steady(q, "forced_steady", q->par, r.v_min, r.v_max, err);
}
