/* SPDX-License-Identifier: Apache-2.0
 * analysis_lag.c - friction force against velocity: along stable cycles, and under an imposed velocity. */
#include <math.h>
#include <stdio.h>

#include "../../core/elementary.h"
#include "motion.h"

static const br_column LOOP[] = {{"v", "m/s"}, {"F", "N"}, {"F_elastic", "N"}};

/* Whole force, and the force at rest with the same deflection. */
void bri_lag_forces(const br_model *m, const double *par, double v, double z, double *whole, double *elastic)
{
  double u = 0, dz = 0, rest = 0, zero = 0;
  m->rate(par, 1, &u, &v, &z, &dz);
  m->force(par, 1, &u, &v, &z, &dz, whole);
  m->force(par, 1, &u, &rest, &z, &zero, elastic);
}

/* Steady sliding: whole force, and its elastic part, the Stribeck curve.  The rate is linear in z. */
br_status bri_lag_steady(bri_question *q, const char *name, const double *par, double from, double to,
                         br_err *err)
{
  enum { N = 200 };
  const br_model *m = q->m;
  br_status st = bri_phase_open(q, name, 3, LOOP, err);
  for (int i = 0; i <= N && !st; i++) {
    double u = 0, z0 = 0, z1 = 1, r0, r1, row[3] = {from + (to - from) * i / N, 0, 0};
    m->rate(par, 1, &u, &row[0], &z0, &r0);
    m->rate(par, 1, &u, &row[0], &z1, &r1);
    bri_lag_forces(m, par, row[0], r0 / (r0 - r1), &row[1], &row[2]);
    st = br_put_row(q->out, row, err);
  }
  return st ? st : br_put_end(q->out, err);
}

/* A loop in the order of time; heads half way up and down say which way. */
br_status bri_lag_loop(bri_question *q, const char *name, const char *heads, const double (*row)[3], size_t n,
                       br_err *err)
{
  double lo = INFINITY, hi = -INFINITY;
  br_status st = bri_phase_open(q, name, 3, LOOP, err);
  for (size_t i = 0; i < n && !st; i++) {
    lo = fmin(lo, row[i][0]), hi = fmax(hi, row[i][0]);
    st = br_put_row(q->out, row[i], err);
  }
  if (!st) st = br_put_end(q->out, err);
  if (!st) st = bri_phase_open(q, heads, 3, LOOP, err);
  const double half = 0.5 * (lo + hi);
  for (size_t i = 1; i < n && !st; i++) {
    if ((row[i][0] > half) == (row[i - 1][0] > half)) continue;
    st = br_put_row(q->out, row[i - 1], err);
    if (!st) st = br_put_row(q->out, row[i], err);
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
  bri_lag_forces(m, d->par, v[i], z[i], &force, &elastic);
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

/* Force along a stable cycle (or a piece of it), in the order of time. */
static br_status add_loop(void *ctx, br_curve kind, const double *z, const double *v, size_t n)
{
  loops *k = ctx;
  bri_motion *d = &k->motion;
  bri_question *q = d->q;
  char name[48], heads[48];
  double lo = INFINITY, hi = -INFINITY;
  if (kind != BR_CURVE_STABLE_CYCLE || n < 2) return BR_OK;
  double(*row)[3] = bri_phase_get(q, n * sizeof *row);
  if (!row) return bri_phase_no_memory(&d->own);
  const int forward = bri_motion_with_time(d, z, v, n / 2);
  for (size_t j = 0; j < n; j++) {
    const size_t i = forward ? j : n - 1 - j;
    row[j][0] = v[i];
    bri_lag_forces(q->m, d->par, v[i], z[i], &row[j][1], &row[j][2]);
    lo = fmin(lo, v[i]), hi = fmax(hi, v[i]);
  }
  (void)snprintf(name, sizeof name, "lag_cycle%zu", k->count);
  (void)snprintf(heads, sizeof heads, "lag_heads%zu", k->count);
  br_status st = bri_lag_loop(q, name, heads, (const double(*)[3])row, n, &d->own);
  (void)snprintf(name, sizeof name, "lag_steady%zu", k->count++);
  return st ? st : bri_lag_steady(q, name, d->par, lo, hi, &d->own);
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
      const double v = x[0] + x[1] * bri_sin(2 * pi * (i + 0.5) / N);
      m->step(q->par, 1, &u, &v, 1 / (x[2] * N), &z);
    }
  }
  double(*row)[3] = bri_phase_get(q, (N / 8 + 1) * sizeof *row);
  if (!row) return bri_phase_no_memory(err);
  for (int i = 0; i <= N; i++) {
    double *to = row[i / 8];
    if (i % 8 == 0) {
      to[0] = x[0] + x[1] * bri_sin(2 * pi * i / N);
      bri_lag_forces(m, q->par, to[0], z, &to[1], &to[2]);
    }
    const double v = x[0] + x[1] * bri_sin(2 * pi * (i + 0.5) / N);
    m->step(q->par, 1, &u, &v, 1 / (x[2] * N), &z);
  }
  const br_status st =
      bri_lag_loop(q, "lag_imposed", "imposed_heads", (const double(*)[3])row, N / 8 + 1, err);
  return st ? st : bri_lag_steady(q, "imposed_steady", q->par, x[0] - fabs(x[1]), x[0] + fabs(x[1]), err);
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
