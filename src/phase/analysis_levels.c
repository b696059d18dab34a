/* SPDX-License-Identifier: Apache-2.0
 * analysis_levels.c - tables over velocity and force: sliding equilibria, how many where (document 2, figure
 * 2). */
#include <math.h>
#include <stdio.h>

#include "../../core/elementary.h"
#include "levels.h"
#include "plane.h"

enum { CURVE = 400, FAMILY = 14, SIDE = 200 };

/* ---- levels: force of steady sliding without its viscous part ---- */

double bri_level(const bri_question *q, double v)
{
  const br_model *m = q->problem.model;
  double u = 0, z0 = 0, z1 = 1, r0, r1, F, zero = 0, still = 0;
  m->rate(q->problem.par, 1, &u, &v, &z0, &r0);
  m->rate(q->problem.par, 1, &u, &v, &z1, &r1);
  const double z = r0 / (r0 - r1);
  m->force(q->problem.par, 1, &u, &still, &z, &zero, &F);
  return F;
}

double bri_level_slope(const bri_question *q, double v)
{
  const double h = 1e-4 * v;
  return (8 * (bri_level(q, v + h) - bri_level(q, v - h)) -
          (bri_level(q, v + 2 * h) - bri_level(q, v - 2 * h))) /
         (12 * h);
}

double bri_level_parameter(const bri_question *q, const char *name)
{
  const br_param *row = br_model_param(q->problem.model, name);
  return row ? q->problem.par[row->slot] : NAN;
}

/* The range of velocities shown. */
double bri_level_fastest(const bri_question *q)
{
  return br_job_given(q->job, "v-max") ? br_job_number(q->job, "v-max") : 3.25 * bri_level_parameter(q, "vs");
}

br_status bri_level_table(bri_question *q, const char *name, const char *label, const double *v,
                          const double *F, size_t n, br_err *err)
{
  static const br_column FORCE[] = {{"v", "m/s"}, {"F", "N"}};
  const double *const columns[] = {v, F};
  return bri_phase_table(q, name, label, 2, FORCE, columns, n, err);
}

/* v -> level + damping v - falling v level', for velocities up to the fastest. */
static br_status curve_table(bri_question *q, const char *name, const char *label, double damping,
                             double falling, br_err *err)
{
  double v[CURVE], F[CURVE];
  for (int i = 0; i < CURVE; i++) {
    const double part = (double)(i + 1) / CURVE; /* closely at the knee, where lines of all dampings meet */
    v[i] = bri_level_fastest(q) * part * part;
    F[i] = bri_level(q, v[i]) + damping * v[i];
    if (falling > 0) F[i] -= v[i] * bri_level_slope(q, v[i]);
  }
  return bri_level_table(q, name, label, v, F, CURVE, err);
}

/* Folds of equilibria of this block's own sigma2: where its line meets a0 = 0 (sigma2 + g' = 0). */
static br_status folds(bri_question *q, br_err *err)
{
  bri_plane p;
  double v[2];
  size_t count = 0;
  br_status st =
      bri_plane_of(q->problem.model, q->problem.par, q->problem.m, fmax(fabs(q->problem.F), 1e-300), &p, err);
  const int n = st ? 0 : bri_sliding_folds(&p, v);
  for (int i = 0; i < n && !st; i++) {
    const double F = bri_level(q, v[i]) + p.s2 * v[i];
    char name[48];
    if (F < q->vary.a || F > q->vary.b) continue;
    (void)snprintf(name, sizeof name, "fold_here%zu", count);
    br_put_number(q->out, "m/s", v[i], "fold_of_equilibria.%zu.v", count);
    br_put_number(q->out, "N", F, "fold_of_equilibria.%zu.F", count++);
    st = bri_level_table(q, name, NULL, &v[i], &F, 1, err);
  }
  return st;
}

/* Sliding equilibria at the values of 'at'. */
static br_status sliding(bri_question *q, br_err *err)
{
  br_status st = BR_OK;
  for (size_t i = 0; i < q->nat && !st; i++) {
    br_equilibrium e[BR_PHASE_MOST_EQUILIBRIA];
    double v[BR_PHASE_MOST_EQUILIBRIA], F[BR_PHASE_MOST_EQUILIBRIA];
    char name[48];
    size_t n = 0, k = 0;
    st = bri_plane_equilibria(q, q->at[i], e, &n, err);
    for (size_t j = 1; j < n && j < BR_PHASE_MOST_EQUILIBRIA && !st; j++) v[k] = e[j].v, F[k++] = q->at[i];
    (void)snprintf(name, sizeof name, "sliding_here%zu", i);
    if (!st && k) st = bri_level_table(q, name, NULL, v, F, k, err);
  }
  return st;
}

/* ---- how many, where ----
 * A point (F, v) is an equilibrium of sigma2 = (F - g)/v >= 0; it is a saddle where sigma2 + g' < 0.  Under
 * one force each region it meets holds one equilibrium at most: beside a saddle the slower and the faster
 * one, where the force lies above the whole line a0 = 0 a single one. */

/* Crest of the line a0 = 0: F = g - v g'. */
static double crest(const bri_question *q, double *v)
{
  double top = bri_level_parameter(q, "Fs");
  *v = 0;
  for (int i = 1; i <= 4 * SIDE; i++) {
    const double x = bri_level_fastest(q) * i / (4 * SIDE), F = bri_level(q, x) - x * bri_level_slope(q, x);
    if (F > top * (1 + 1e-12)) top = F, *v = x;
  }
  return top;
}

static br_status regions(bri_question *q, br_err *err)
{
  enum { SADDLE = 1, SLOW, FAST, ALONE, KINDS };
  static const br_column HEAD[] = {{"F", "N"}, {"v", "m/s"}, {"kind", "1"}};
  static const char *const NAMES[KINDS] = {NULL, "saddle", "slower", "faster", "single"};
  const br_table_head head = {.name = "sliding_regions",
                              .shape = BR_TABLE_FILE,
                              .ncol = 3,
                              .columns = HEAD,
                              .rows = (size_t)SIDE * SIDE,
                              .names = NAMES,
                              .nnames = KINDS};
  double at = 0;
  const double top = crest(q, &at);
  br_status st = br_put_table(q->out, &head, err);
  for (int j = 0; j < SIDE && !st; j++) {
    const double v = bri_level_fastest(q) * (j + 0.5) / SIDE, g = bri_level(q, v),
                 slope = bri_level_slope(q, v);
    for (int i = 0; i < SIDE && !st; i++) {
      const double F = q->vary.a + (q->vary.b - q->vary.a) * (i + 0.5) / SIDE;
      const int kind = F > top ? ALONE : F < g - v * slope ? SADDLE : v < at ? SLOW : FAST;
      const double row[] = {F, v, F < g ? (double)NAN : (double)kind};
      st = br_put_row(q->out, row, err);
    }
  }
  return st ? st : br_put_end(q->out, err);
}

/* Where the two folds of equilibria meet: g'' = 0, (v/vs)^delta = (delta - 1)/delta; none for delta <= 1. */
static void cusp(bri_question *q)
{
  const double delta = bri_level_parameter(q, "delta"), vs = bri_level_parameter(q, "vs"),
               fall = bri_level_parameter(q, "Fs") - bri_level_parameter(q, "Fc");
  if (!(delta > 1) || !(fall > 0)) return;
  const double u = (delta - 1) / delta, v = vs * bri_pow(u, 1 / delta),
               slope = fall * delta * u * bri_exp(-u) / v;
  br_put_number(q->out, "m/s", v, "cusp.v");
  br_put_number(q->out, "N s/m", slope, "cusp.sigma2");
  br_put_number(q->out, "N", bri_level_parameter(q, "Fc") + fall * bri_exp(-u) + slope * v, "cusp.F");
}

/* A family over sigma2, its limits, where a0 = 0, this block's own line and its equilibria. */
br_status bri_phase_levels(bri_question *q, br_err *err)
{
  const double damping =
      (bri_level_parameter(q, "Fs") - bri_level_parameter(q, "Fc")) / bri_level_parameter(q, "vs");
  const double top = bri_level_parameter(q, "Fs"), here = bri_level_parameter(q, "sigma2"), rest[] = {0, 0},
               ends[] = {top, fmax(top, q->vary.b)},
               frame_v[] = {-0.03 * bri_level_fastest(q), bri_level_fastest(q)},
               frame_F[] = {q->vary.a, q->vary.b};
  char name[48], label[64];
  br_status st = BR_OK;
  for (int k = 0; k < FAMILY && br_job_flag(q->job, "stribeck") && !st; k++) {
    (void)snprintf(name, sizeof name, "family%d", k);
    st = curve_table(q, name, NULL, damping * 0.05 * bri_pow(1.6, k), 0, err);
  }
  (void)snprintf(label, sizeof label, "sigma2 = %.6g", here);
  if (!st) st = bri_level_table(q, "force_window", NULL, frame_v, frame_F, 2, err);
  if (!st && br_job_flag(q->job, "stribeck")) st = regions(q, err);
  cusp(q);
  if (!st) st = curve_table(q, "sigma2_zero", NULL, 0, 0, err);
  if (!st) st = curve_table(q, "a0_zero", NULL, 0, 1, err);
  if (!st) st = bri_level_table(q, "sigma2_infinite", NULL, rest, ends, 2, err);
  if (!st) st = curve_table(q, "sigma2_here", label, here, 0, err);
  if (!st) st = sliding(q, err);
  return st ? st : folds(q, err);
}
