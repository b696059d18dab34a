/* SPDX-License-Identifier: Apache-2.0
 * analysis_levels.c - tables over velocity and force: sliding equilibria (document 2, figure 2), Hopf diagram. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "question.h"

enum { CURVE = 400, FAMILY = 14, GENERALIZED = 8 };
static const br_column FORCE[] = {{"v", "m/s", NULL}, {"F", "N", NULL}};

/* ---- levels: force of steady sliding without its viscous part ---- */

static double level(const bri_question *q, double v)
{
  const br_model *m = q->problem.model;
  double u = 0, z0 = 0, z1 = 1, r0, r1, F, zero = 0, still = 0;
  m->rate(q->problem.par, 1, &u, &v, &z0, &r0);
  m->rate(q->problem.par, 1, &u, &v, &z1, &r1);
  const double z = r0 / (r0 - r1);
  m->force(q->problem.par, 1, &u, &still, &z, &zero, &F);
  return F;
}

static double level_slope(const bri_question *q, double v)
{
  const double h = 1e-4 * v;
  return (8 * (level(q, v + h) - level(q, v - h)) - (level(q, v + 2 * h) - level(q, v - 2 * h))) / (12 * h);
}

static double parameter(const bri_question *q, const char *name)
{
  const br_param *row = br_model_param(q->problem.model, name);
  return row ? q->problem.par[row->slot] : NAN;
}

/* The range of velocities shown. */
static double fastest(const bri_question *q) { return 3.25 * parameter(q, "vs"); }

static br_status force_table(bri_question *q, const char *name, const char *label, const double *v,
                             const double *F, size_t n, br_err *err)
{
  const double *const columns[] = {v, F};
  return bri_phase_table(q, name, label, 2, FORCE, columns, n, err);
}

/* v -> level + damping v - falling v level', for velocities up to the fastest. */
static br_status level_table(bri_question *q, const char *name, const char *label, double damping,
                             double falling, br_err *err)
{
  double v[CURVE], F[CURVE];
  for (int i = 0; i < CURVE; i++) {
    v[i] = fastest(q) * (i + 1) / CURVE;
    F[i] = level(q, v[i]) + damping * v[i];
    if (falling > 0) F[i] -= v[i] * level_slope(q, v[i]);
  }
  return force_table(q, name, label, v, F, CURVE, err);
}

/* Folds of equilibria of this block's own sigma2: where its line meets a0 = 0 (sigma2 + level' = 0). */
static br_status folds(bri_question *q, br_err *err)
{
  enum { N = 2000 };
  const double here = parameter(q, "sigma2");
  double before = NAN;
  size_t count = 0;
  br_status st = BR_OK;
  for (int i = 1; i <= N && !st; i++) {
    double lo = fastest(q) * (i - 1) / N, hi = fastest(q) * i / N;
    const double now = here + level_slope(q, hi);
    const int crosses = !isnan(before) && (before > 0) != (now > 0);
    for (int k = 0; k < 60 && crosses; k++) {
      const double mid = 0.5 * (lo + hi);
      if ((here + level_slope(q, mid) > 0) == (before > 0)) lo = mid;
      else hi = mid;
    }
    before = now;
    const double F = level(q, hi) + here * hi;
    if (!crosses || F < q->vary.a || F > q->vary.b) continue;
    char name[48];
    (void)snprintf(name, sizeof name, "fold_here%zu", count);
    br_put_number(q->out, "m/s", hi, "fold_of_equilibria.%zu.v", count);
    br_put_number(q->out, "N", F, "fold_of_equilibria.%zu.F", count++);
    st = force_table(q, name, NULL, &hi, &F, 1, err);
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
    if (!st && k) st = force_table(q, name, NULL, v, F, k, err);
  }
  return st;
}

/* A family over sigma2, its limits, where a0 = 0, this block's own line and its equilibria. */
br_status bri_phase_levels(bri_question *q, br_err *err)
{
  const double damping = (parameter(q, "Fs") - parameter(q, "Fc")) / parameter(q, "vs");
  const double top = parameter(q, "Fs"), here = parameter(q, "sigma2"), rest[] = {0, 0},
               ends[] = {top, fmax(top, q->vary.b)}, frame_v[] = {-0.03 * fastest(q), fastest(q)},
               frame_F[] = {q->vary.a, q->vary.b};
  char name[48], label[64];
  br_status st = BR_OK;
  for (int k = 0; k < FAMILY && !st; k++) {
    (void)snprintf(name, sizeof name, "family%d", k);
    st = level_table(q, name, NULL, damping * 0.05 * pow(1.6, k), 0, err);
  }
  (void)snprintf(label, sizeof label, "sigma2 = %.6g", here);
  if (!st) st = force_table(q, "force_window", NULL, frame_v, frame_F, 2, err);
  if (!st) st = level_table(q, "sigma2_zero", NULL, 0, 0, err);
  if (!st) st = level_table(q, "a0_zero", NULL, 0, 1, err);
  if (!st) st = force_table(q, "sigma2_infinite", NULL, rest, ends, 2, err);
  if (!st) st = level_table(q, "sigma2_here", label, here, 0, err);
  if (!st) st = sliding(q, err);
  return st ? st : folds(q, err);
}

/* ---- Hopf diagram ---- */

/* Lyapunov coefficient of the equilibrium at v under F. */
static double coefficient(const bri_question *q, double v, double F)
{
  double L = NAN;
  return br_phase_hopf_diagram(&q->problem, 1, &v, 1, &F, &L, NULL) ? NAN : L;
}

/* Along the equilibria of this block's own sigma2: where the coefficient changes sign. */
static br_status generalized(bri_question *q, const br_phase_event *e, size_t n, br_err *err)
{
  br_status st = BR_OK;
  for (size_t i = 0; i < n && !st; i++) {
    char name[48];
    (void)snprintf(name, sizeof name, "generalized%zu", i);
    br_put_number(q->out, "m/s", e[i].v, "generalized_hopf.%zu.v", i);
    br_put_number(q->out, "N", e[i].value, "generalized_hopf.%zu.F", i);
    st = force_table(q, name, "generalised Hopf", &e[i].v, &e[i].value, 1, err);
  }
  return st;
}

/* Between two places where the coefficient differs in sign (start: at the first): the part of the way to its
 * zero. */
static double crossing(const bri_question *q, double v0, double F0, double v1, double F1, double start)
{
  double lo = 0, hi = 1;
  for (int k = 0; k < 30; k++) {
    const double mid = 0.5 * (lo + hi), L = coefficient(q, v0 + mid * (v1 - v0), F0 + mid * (F1 - F0));
    if (isnan(L)) return 0.5;
    if ((L > 0) == (start > 0)) lo = mid;
    else hi = mid;
  }
  return 0.5 * (lo + hi);
}

/* Zero line of L over the grid: in each square between four known corners, a piece from side to side. */
static br_status zero_line(bri_question *q, size_t n, const double *v, const double *F, const double *L,
                           br_err *err)
{
  br_status st = bri_phase_open(q, "lyapunov_zero", 2, FORCE, err);
  const double gap[] = {NAN, NAN};
  for (size_t i = 0; i + 1 < n && !st; i++) {
    for (size_t j = 0; j + 1 < n && !st; j++) {
      const size_t I[] = {i, i + 1, i + 1, i, i}, J[] = {j, j, j + 1, j + 1, j};
      double p[4][2];
      size_t found = 0;
      for (int k = 0; k < 4; k++) {
        const double a = L[I[k] * n + J[k]], c = L[I[k + 1] * n + J[k + 1]];
        if (isnan(a) || isnan(c) || (a > 0) == (c > 0)) continue;
        const double f = crossing(q, v[I[k]], F[J[k]], v[I[k + 1]], F[J[k + 1]], a);
        p[found][0] = v[I[k]] + f * (v[I[k + 1]] - v[I[k]]);
        p[found++][1] = F[J[k]] + f * (F[J[k + 1]] - F[J[k]]);
      }
      if (found < 2) continue;
      st = br_put_row(q->out, p[0], err);
      if (!st) st = br_put_row(q->out, p[1], err);
      if (!st) st = br_put_row(q->out, gap, err);
    }
  }
  return st ? st : br_put_end(q->out, err);
}

static br_status criticality(bri_question *q, size_t n, const double *v, const double *F, const double *L,
                             br_err *err)
{
  static const br_column HEAD[] = {
      {"v", "m/s", NULL}, {"F", "N", NULL}, {"lyapunov", "1", NULL}, {"kind", "1", NULL}};
  static const char *const KIND[] = {NULL, "supercritical", "subcritical"};
  const br_table_head head = {.name = "criticality",
                              .shape = bri_phase_shape(q, "criticality"),
                              .ncol = 4,
                              .columns = HEAD,
                              .rows = n * n,
                              .names = KIND,
                              .nnames = 3};
  size_t count[3] = {0};
  br_status st = br_put_table(q->out, &head, err);
  for (size_t i = 0; i < n && !st; i++) {
    for (size_t j = 0; j < n && !st; j++) {
      const double x = L[i * n + j], row[] = {v[i], F[j], x, isnan(x) ? NAN : x > 0 ? 2 : 1};
      count[isnan(x) ? 0 : x > 0 ? 2 : 1]++;
      st = br_put_row(q->out, row, err);
    }
  }
  if (!st) st = br_put_end(q->out, err);
  for (int k = 1; k < 3 && !st; k++)
    br_put_number(q->out, "1", (double)count[k] / (double)(n * n), "criticality.%s", KIND[k]);
  return st;
}

br_status bri_phase_hopf(bri_question *q, br_err *err)
{
  const size_t n = q->grid >= 2 ? q->grid : 200;
  double *v = bri_phase_get(q, (2 * n + n * n) * sizeof *v);
  if (!v) return bri_phase_no_memory(err);
  double *F = v + n, *L = F + n, top = fastest(q);
  br_phase_event points[GENERALIZED];
  size_t found = 0;
  br_status st =
      br_phase_generalized_hopf(&q->problem, q->vary.a, q->vary.b, GENERALIZED, points, &found, err);
  if (st) return st;
  found = found < GENERALIZED ? found : GENERALIZED;
  for (size_t i = 0; i < found; i++) top = fmax(top, 1.2 * points[i].v); /* what is listed is shown */
  for (size_t i = 0; i < n; i++) {
    v[i] = top * ((double)i + 0.5) / (double)n;
    F[i] = q->vary.a + (q->vary.b - q->vary.a) * ((double)i + 0.5) / (double)n;
  }
  st = br_phase_hopf_diagram(&q->problem, n, v, n, F, L, err);
  if (!st) st = criticality(q, n, v, F, L, err);
  if (!st) st = zero_line(q, n, v, F, L, err);
  return st ? st : generalized(q, points, found, err);
}
