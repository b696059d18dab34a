/* SPDX-License-Identifier: Apache-2.0
 * analysis_hopf.c - the Hopf diagram over velocity and force (document 2, figure 3): which way stability is
 * lost, and at which sigma1. */
#include <math.h>
#include <stdio.h>

#include "../../core/elementary.h"
#include "levels.h"

enum { GENERALIZED = 8 };
static const br_column FORCE[] = {{"v", "m/s"}, {"F", "N"}};

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
    st = bri_level_table(q, name, "generalised Hopf", &e[i].v, &e[i].value, 1, err);
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
    if (isnan(L)) return mid; /* so near that rounding decides its sign, or at the edge of what there is */
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

/* ---- sigma1 of the Hopf point: a1 = 0 ---- */

/* Force of steady sliding without its viscous part, and its slope. */
typedef struct {
  double v, g, slope, inertia; /* m sigma0 */
} level;

static level level_at(const bri_question *q, double v)
{
  return (level){v, bri_level(q, v), bri_level_slope(q, v), q->problem.m * bri_level_parameter(q, "sigma0")};
}

/* -(m sigma0 v + sigma2 g)/(v g') with sigma2 = (F - g)/v; NaN where a0 <= 0, or sigma2 < 0. */
static double damping(const level *l, double F)
{
  const double sigma2 = (F - l->g) / l->v;
  const int exists = sigma2 >= 0 && sigma2 + l->slope > 0 && l->slope < 0;
  return exists ? -(l->inertia * l->v + sigma2 * l->g) / (l->v * l->slope) : (double)NAN;
}

/* Force under which the equilibrium at v has its Hopf point at this sigma1. */
static double force_for(const level *l, double sigma1)
{
  return l->g - l->v * l->v * (l->inertia + sigma1 * l->slope) / l->g;
}

/* A line of equal sigma1 at v, where it is seen. */
static double seen_force(const bri_question *q, double v, double sigma1)
{
  const level l = level_at(q, v);
  const double F = force_for(&l, sigma1);
  return !isnan(damping(&l, F)) && F >= q->vary.a && F <= q->vary.b ? F : (double)NAN;
}

/* Between a place that is seen and one that is not: the last one seen. */
static double edge(const bri_question *q, double seen, double hidden, double sigma1)
{
  for (int k = 0; k < 40; k++) {
    const double mid = 0.5 * (seen + hidden);
    if (isnan(seen_force(q, mid, sigma1))) hidden = mid;
    else seen = mid;
  }
  return seen;
}

/* Lines of equal sigma1, 1, 2, 5 times powers of ten, from the smallest on. */
static br_status damping_lines(bri_question *q, double top, double smallest, br_err *err)
{
  enum { LINES = 6, POINTS = 400 };
  static const double STEP[] = {1, 2, 5};
  int k = 3 * (int)floor(bri_log10(smallest));
  br_status st = BR_OK;
  for (int count = 0; count < LINES && !st; k++) {
    const double value = STEP[((k % 3) + 3) % 3] * bri_pow(10, floor(k / 3.0));
    char name[32], label[48];
    double v[2 * POINTS], F[2 * POINTS], before = NAN;
    size_t n = 0;
    if (!(value > smallest)) continue;
    for (int i = 0; i < POINTS; i++) {
      const double x = top * (i + 1) / POINTS, last = top * i / POINTS, now = seen_force(q, x, value);
      if (isnan(now) != isnan(before) && i) {
        v[n] = edge(q, isnan(now) ? last : x, isnan(now) ? x : last, value);
        F[n] = seen_force(q, v[n], value), n++;
      }
      v[n] = x, F[n++] = before = now;
    }
    (void)snprintf(name, sizeof name, "damping%d", count++);
    (void)snprintf(label, sizeof label, "%g", value);
    st = bri_level_table(q, name, label, v, F, n, err);
  }
  return st;
}

static br_status criticality(bri_question *q, size_t n, const double *v, const double *F, const double *L,
                             br_err *err)
{
  static const br_column HEAD[] = {
      {"v", "m/s"}, {"F", "N"}, {"lyapunov", "1"}, {"kind", "1"}, {"sigma1", "N s/m"}};
  static const char *const KIND[] = {NULL, "supercritical", "subcritical"};
  const br_table_head head = {.name = "criticality",
                              .shape = bri_phase_shape(q, "criticality"),
                              .ncol = 5,
                              .columns = HEAD,
                              .rows = n * n,
                              .names = KIND,
                              .nnames = 3};
  size_t count[3] = {0};
  br_status st = br_put_table(q->out, &head, err);
  for (size_t i = 0; i < n && !st; i++) {
    const level l = level_at(q, v[i]);
    for (size_t j = 0; j < n && !st; j++) {
      const double x = L[i * n + j];
      const int kind = isnan(x) ? 0 : x > 0 ? 2 : 1;
      const double row[] = {v[i], F[j], x, kind ? kind : (double)NAN, damping(&l, F[j])};
      count[kind]++;
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
  double *F = v + n, *L = F + n, top = bri_level_fastest(q);
  br_phase_event points[GENERALIZED];
  size_t found = 0;
  br_status st =
      br_phase_generalized_hopf(&q->problem, q->vary.a, q->vary.b, GENERALIZED, points, &found, err);
  if (st) return st;
  found = found < GENERALIZED ? found : GENERALIZED;
  for (size_t i = 0; i < found && !br_job_given(q->job, "v-max"); i++)
    top = fmax(top, 1.2 * points[i].v); /* what is listed is shown */
  for (size_t i = 0; i < n; i++) {
    v[i] = top * ((double)i + 0.5) / (double)n;
    const double part = ((double)i + 0.5) / (double)n, span = q->vary.b / q->vary.a;
    F[i] = q->vary.a > 0 && span > 30 ? q->vary.a * bri_pow(span, part)
                                      : q->vary.a + (q->vary.b - q->vary.a) * part;
  }
  st = br_phase_hopf_diagram(&q->problem, n, v, n, F, L, err);
  if (!st) st = criticality(q, n, v, F, L, err);
  if (!st) st = zero_line(q, n, v, F, L, err);
  double smallest = INFINITY;
  for (size_t i = 0; i < n && !st; i++) {
    const level l = level_at(q, v[i]);
    for (size_t j = 0; j < n; j++) smallest = fmin(smallest, damping(&l, F[j]));
  }
  if (isfinite(smallest) && smallest > 0 && !st) {
    br_put_number(q->out, "N s/m", smallest, "criticality.sigma1_min");
    st = damping_lines(q, top, smallest, err);
  }
  return st ? st : generalized(q, points, found, err);
}
