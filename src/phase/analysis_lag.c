/* SPDX-License-Identifier: Apache-2.0
 * analysis_lag.c - friction force against velocity: along stable cycles, and under an imposed velocity. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "motion.h"

static const br_column LOOP[] = {{"v", "m/s", NULL}, {"F", "N", NULL}, {"F_elastic", "N", NULL}};

/* Whole force, and the force at rest with the same deflection. */
static void forces(const br_model *m, const double *par, double v, double z, double *whole, double *elastic)
{
  double u = 0, dz = 0, rest = 0, zero = 0;
  m->rate(par, 1, &u, &v, &z, &dz);
  m->force(par, 1, &u, &v, &z, &dz, whole);
  m->force(par, 1, &u, &rest, &z, &zero, elastic);
}

/* Force of steady sliding: the rate is linear in z. */
static double steady(const br_model *m, const double *par, double v)
{
  double u = 0, z0 = 0, z1 = 1, r0, r1, dz = 0, F;
  m->rate(par, 1, &u, &v, &z0, &r0);
  m->rate(par, 1, &u, &v, &z1, &r1);
  const double z = r0 / (r0 - r1);
  m->force(par, 1, &u, &v, &z, &dz, &F);
  return F;
}

static br_status steady_table(bri_question *q, const char *name, const double *par, double from, double to,
                              br_err *err)
{
  enum { N = 200 };
  br_status st = bri_phase_open(q, name, 2, LOOP, err);
  for (int i = 0; i <= N && !st; i++) {
    const double v = from + (to - from) * i / N, row[] = {v, steady(q->m, par, v)};
    st = br_put_row(q->out, row, err);
  }
  return st ? st : br_put_end(q->out, err);
}

/* ---- motions at one value ---- */

br_status bri_motion_set(bri_motion *d, bri_question *q, double at, br_err *err)
{
  d->q = q;
  d->m = q->vary.where == BR_VARY_SYSTEM ? at : q->problem.m;
  d->F = q->vary.where == BR_VARY_INPUT ? at : q->problem.F;
  d->par = bri_phase_block(q, at);
  return d->par ? BR_OK : bri_phase_no_memory(err);
}

int bri_motion_with_time(const bri_motion *d, const double *z, const double *v, size_t i)
{
  const br_model *m = d->q->m;
  double u = 0, dz = 0, force = 0, elastic = 0, scale_z = fabs(z[i]) + 1e-300, scale_v = fabs(v[i]) + 1e-300;
  m->rate(d->par, 1, &u, &v[i], &z[i], &dz);
  forces(m, d->par, v[i], z[i], &force, &elastic);
  return dz / scale_z * (z[i] - z[i - 1]) / scale_z +
             (d->F - force) / d->m / scale_v * (v[i] - v[i - 1]) / scale_v >=
         0;
}

br_status bri_motion_portrait(bri_motion *d, double at, br_curve_fn *add, void *ctx, br_err *err)
{
  const br_status st = br_phase_portrait(d->q->phase, at, add, ctx, err);
  if (st && d->own.code == st && err) *err = d->own;
  return st;
}

/* ---- along cycles ---- */

typedef struct {
  bri_motion motion;
  size_t count;
} loops;

/* Force along a stable cycle (or a piece of it), in the order of time; a head on either force says which way. */
static br_status add_loop(void *ctx, br_curve kind, const double *z, const double *v, size_t n)
{
  loops *k = ctx;
  bri_motion *d = &k->motion;
  bri_question *q = d->q;
  char name[48];
  double lo = INFINITY, hi = -INFINITY, x[4], y[4];
  if (kind != BR_CURVE_STABLE_CYCLE || n < 2) return BR_OK;
  const int forward = bri_motion_with_time(d, z, v, n / 2);
  const size_t middle = n / 3;
  (void)snprintf(name, sizeof name, "lag_cycle%zu", k->count);
  br_status st = bri_phase_open(q, name, 3, LOOP, &d->own);
  for (size_t j = 0; j < n && !st; j++) {
    const size_t i = forward ? j : n - 1 - j;
    double row[3] = {v[i], 0, 0};
    forces(q->m, d->par, v[i], z[i], &row[1], &row[2]);
    lo = fmin(lo, v[i]), hi = fmax(hi, v[i]);
    if (j == middle || j == middle + 1) {
      x[j - middle] = x[2 + j - middle] = v[i];
      y[j - middle] = row[1], y[2 + j - middle] = row[2];
    }
    st = br_put_row(q->out, row, &d->own);
  }
  const double *const columns[] = {x, y};
  if (!st) st = br_put_end(q->out, &d->own);
  (void)snprintf(name, sizeof name, "lag_steady%zu", k->count);
  if (!st) st = steady_table(q, name, d->par, lo, hi, &d->own);
  (void)snprintf(name, sizeof name, "lag_heads%zu", k->count++);
  return st || n < 5 ? st : bri_phase_table(q, name, NULL, 2, LOOP, columns, 4, &d->own);
}

br_status bri_phase_lag_loops(bri_question *q, br_err *err)
{
  loops *k = bri_phase_get(q, sizeof *k);
  if (!k) return bri_phase_no_memory(err);
  const br_status st = bri_motion_set(&k->motion, q, q->at[0], err);
  return st ? st : bri_motion_portrait(&k->motion, q->at[0], add_loop, k, err);
}

/* ---- under the velocity V0 + A sin(2 pi F t) ---- */

/* The loop once it is periodic. */
static br_status imposed_table(bri_question *q, br_err *err)
{
  enum { N = 4000, PERIODS = 1000 };
  const br_model *m = q->m;
  const double pi = 3.14159265358979323846, *x = q->lag;
  double z = 0, before = NAN, u = 0;
  for (int p = 0; p < PERIODS && !(fabs(z - before) <= 1e-13 * fabs(z)); p++) {
    before = z;
    for (int i = 0; i < N; i++) {
      const double v = x[0] + x[1] * sin(2 * pi * (i + 0.5) / N);
      m->step(q->par, 1, &u, &v, 1 / (x[2] * N), &z);
    }
  }
  br_status st = bri_phase_open(q, "lag_imposed", 3, LOOP, err);
  for (int i = 0; i <= N && !st; i++) {
    double row[3] = {x[0] + x[1] * sin(2 * pi * i / N), 0, 0};
    forces(m, q->par, row[0], z, &row[1], &row[2]);
    if (i % 8 == 0) st = br_put_row(q->out, row, err);
    const double v = x[0] + x[1] * sin(2 * pi * (i + 0.5) / N);
    m->step(q->par, 1, &u, &v, 1 / (x[2] * N), &z);
  }
  if (!st) st = br_put_end(q->out, err);
  return st ? st : steady_table(q, "imposed_steady", q->par, x[0] - fabs(x[1]), x[0] + fabs(x[1]), err);
}

br_status bri_phase_imposed(bri_question *q, br_err *err)
{
  br_lag lag;
  const br_status st = br_phase_lag(q->m, q->par, q->lag[0], q->lag[1], q->lag[2], &lag, err);
  if (st) return st;
  br_put_number(q->out, "W", lag.total, "lag.total");
  br_put_number(q->out, "W", lag.elastic, "lag.elastic");
  br_put_number(q->out, "N", lag.mean, "lag.mean_force");
  return br_sink_wants(q->out, "lag_imposed") ? imposed_table(q, err) : BR_OK;
}
