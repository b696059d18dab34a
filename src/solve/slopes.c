/* SPDX-License-Identifier: Apache-2.0
 * slopes.c - derivative of a period map by complex step or differences; eigenvalues; error of the fixed
 * point.  See slopes.h. */
#include "slopes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "../base/worse.h"
#include "../text/fail.h"
#include "eigen.h"
#include "linalg.h"

#define STEP 1e-4            /* of differences, relative to the size of a state */
#define KEPT_BY_STEP 2e-11   /* a column of differences this near to the unit vector counts as kept */
#define WEAK_BY_STEP 1e-7    /* nearer than this, differences over the whole size of the state tell more */
#define PAIR_MATCH 1e-6      /* complex step and central difference agree to this ... */
#define PAIR_MATCH_SIDE 1e-3 /* ... or with one side, where the map has a corner there */

static br_status map_from(const bri_slopes *s, const double *z, double *out)
{
  memcpy(out, z, s->p->nz * sizeof *z);
  return s->p->map(s->p->ctx, out, s->err);
}

/* ---- columns ---- */

/* Column j by complex step; all columns at once where the states do not see each other. */
static br_status by_pair(const bri_slopes *s, const double *z, size_t j, double *J)
{
  const bri_fix_problem *p = s->p;
  const size_t n = p->ns;
  const int all = s->hints.independent;
  for (size_t i = 0; i < p->nz; i++) s->pair[2 * i] = z[i], s->pair[2 * i + 1] = 0;
  for (size_t i = 0; i < n; i++)
    if (all || i == j) s->pair[2 * i + 1] = BRI_IMAG_STEP;
  const br_status st = p->map_pair(p->ctx, s->pair, s->err);
  for (size_t i = 0; i < n; i++) {
    const double x = s->pair[2 * i + 1] / BRI_IMAG_STEP;
    if (!all) J[i * n + j] = x;
    for (size_t k = 0; all && k < n; k++) J[i * n + k] = i == k ? x : 0.0;
  }
  return st;
}

/* (P(z + h e_j) - P(z - h e_j)) / 2h into column[]. */
static br_status central(const bri_slopes *s, double *z, size_t j, double h, double *column)
{
  const double keep = z[j];
  z[j] = keep + h;
  const double up = z[j];
  br_status st = map_from(s, z, s->high);
  z[j] = keep - h;
  if (st == BR_OK) st = map_from(s, z, s->low);
  const double span = up - z[j];
  z[j] = keep;
  for (size_t i = 0; i < s->p->ns; i++) column[i] = (s->high[i] - s->low[i]) / span;
  return st;
}

/* Distance of column j from the unit vector, in sizes of the states. */
static double from_unit(const bri_slopes *s, const double *J, size_t j)
{
  const size_t n = s->p->ns;
  double worst = 0;
  for (size_t i = 0; i < n; i++)
    worst = bri_worse(worst, fabs(J[i * n + j] - (i == j)) * s->scale[j] / s->scale[i]);
  return worst;
}

/* Column j by two central differences over `step` sizes and extrapolation; *error: of the column. */
static br_status by_steps(bri_slopes *s, const double *at, size_t j, double step, double *J, double *error)
{
  const size_t n = s->p->ns;
  double z[2 * BRI_FIX_MAX + 2], wide[BRI_FIX_MAX], narrow[BRI_FIX_MAX];
  memcpy(z, at, s->p->nz * sizeof *z);
  br_status st = central(s, z, j, step * s->scale[j], wide);
  if (st == BR_OK) st = central(s, z, j, 0.5 * step * s->scale[j], narrow);
  if (st != BR_OK) return st;
  *error = s->p->rtol * 4 / step;
  for (size_t i = 0; i < n; i++) {
    J[i * n + j] = narrow[i] + (narrow[i] - wide[i]) / 3;
    *error = bri_worse(*error, fabs(narrow[i] - wide[i]) * s->scale[j] / s->scale[i]);
  }
  return BR_OK;
}

/* What fades by a millionth of a millionth in a period drowns in the noise of a small step. */
static br_status by_differences(bri_slopes *s, const double *at, size_t j, double *J)
{
  double error = 0;
  br_status st = by_steps(s, at, j, STEP, J, &error);
  const double off = st == BR_OK ? from_unit(s, J, j) : 0;
  if (off > KEPT_BY_STEP && off < WEAK_BY_STEP) st = by_steps(s, at, j, 0.5, J, &error);
  s->slope_error = bri_worse(s->slope_error, error);
  return st;
}

static br_status all_columns(bri_slopes *s, const double *z, int pair, double *J)
{
  const size_t columns = pair && s->hints.independent ? 1 : s->p->ns;
  br_status st = BR_OK;
  s->slope_error = pair ? (s->hints.slope_error > 0 ? s->hints.slope_error : 1e-8) : 0;
  for (size_t j = 0; st == BR_OK && j < columns; j++)
    st = pair ? by_pair(s, z, j, J) : by_differences(s, z, j, J);
  return st;
}

/* Rows of states that see nothing but themselves, where the caller knows them better. */
static void own_rows(bri_slopes *s, const double *z, const char *kept, double *J)
{
  const size_t n = s->p->ns;
  double worst = 0;
  int all = 1;
  for (size_t j = 0; j < n; j++) {
    double slope = 0, error = 0;
    if (kept[j]) continue;
    if (!s->hints.own_slope || !s->hints.own_slope(s->p->ctx, z, j, &slope, &error)) {
      all = 0;
      continue;
    }
    for (size_t i = 0; i < n; i++) J[j * n + i] = 0;
    J[j * n + j] = slope;
    worst = fmax(worst, error);
  }
  if (all) s->slope_error = worst;
}

/* ---- states that a period only shifts: z_j -> z_j + c ---- */

static int is_kept(const bri_slopes *s, const double *z, const double *J, size_t j)
{
  double slope = 1, error = 0;
  if (!(from_unit(s, J, j) <= (s->p->map_pair ? 0 : KEPT_BY_STEP))) return 0;
  /* differences do not see what the state's own rate tells */
  if (s->p->map_pair || !s->hints.own_slope || !s->hints.own_slope(s->p->ctx, z, j, &slope, &error)) return 1;
  return fabs(slope - 1) <= error;
}

/* A state that sees nothing but itself and that a period keeps as far as its slope is known: the loop it is
 * on is the one it started with, however long anybody waits. */
static void keep_to_rounding(const bri_slopes *s, const double *J, char *skip)
{
  const size_t n = s->p->ns;
  for (size_t j = 0; j < n; j++) {
    int alone = !skip[j];
    for (size_t i = 0; alone && i < n; i++) alone = i == j || J[j * n + i] == 0 || skip[i];
    if (alone && fabs(J[j * n + j] - 1) <= s->slope_error) skip[j] = 1;
  }
}

/* Beyond what rounding makes of a state that goes as far as its extent. */
static int grows(const bri_slopes *s, const double *z, const double *next, size_t j)
{
  double size = fmax(fabs(z[j]), fabs(next[j]));
  if (s->hints.extent) size = fmax(size, s->hints.extent[j]);
  else
    for (size_t i = 0; i < s->p->ns; i++) size = fmax(size, fmax(fabs(z[i]), fabs(next[i])));
  return fabs(next[j] - z[j]) > fmax(1e-12, 100 * s->p->rtol) * size;
}

br_status bri_slopes_at(void *ctx, const double *z, const double *next, double *J, char *skip)
{
  bri_slopes *s = (bri_slopes *)ctx;
  const bri_fix_problem *p = s->p;
  const br_status st = all_columns(s, z, p->map_pair != NULL, J);
  if (st != BR_OK) return st;
  for (size_t j = 0; j < p->ns; j++) {
    skip[j] = (char)is_kept(s, z, J, j);
    s->never_ends = skip[j] && grows(s, z, next, j) && p->observes(p->ctx, z, j);
    if (s->never_ends)
      return bri_text_fail(s->err, BR_E_CONVERGE, (int)j,
                           "%s: no steady loop, state number %zu grows by %.6g per period and "
                           "moves the force (degradation never ends)",
                           p->name, j + 1, next[j] - z[j]);
  }
  own_rows(s, z, skip, J);
  keep_to_rounding(s, J, skip);
  *s->least_pivot = fmax(1e-14, s->slope_error);
  return BR_OK;
}

/* ---- certificate ---- */

/* Largest difference, in sizes of the states, between J d and the difference quotient with weights a and b of
 * P(z + d), P(z) and P(z - d); *norm: size of J d. */
static double mismatch(const bri_slopes *s, const double *next, const double *J, const double *d,
                       const char *skip, double a, double b, double *norm)
{
  const size_t n = s->p->ns;
  double worst = 0;
  *norm = 0;
  for (size_t i = 0; i < n; i++) {
    if (skip[i]) continue;
    double want = 0;
    for (size_t j = 0; j < n; j++) want += skip[j] ? 0 : J[i * n + j] * d[j];
    const double got = a * (s->high[i] - next[i]) + b * (next[i] - s->low[i]);
    worst = fmax(worst, fabs(got - want) / s->scale[i]);
    *norm = fmax(*norm, fabs(want) / s->scale[i]);
  }
  return worst;
}

br_status bri_slopes_certify(bri_slopes *s, const double *z, const double *next, double *J, const char *skip)
{
  const bri_fix_problem *p = s->p;
  const double h = 0.1 * STEP;
  double d[BRI_FIX_MAX], x[2 * BRI_FIX_MAX + 2], norm;
  if (!p->map_pair) return BR_OK;
  memcpy(x, z, p->nz * sizeof *z);
  for (size_t i = 0; i < p->ns; i++) d[i] = skip[i] ? 0 : h * s->scale[i] * (i % 3 == 1 ? -0.7 : 1.0);
  for (size_t i = 0; i < p->ns; i++) x[i] = z[i] + d[i];
  br_status st = map_from(s, x, s->high);
  for (size_t i = 0; i < p->ns; i++) x[i] = z[i] - d[i];
  if (st == BR_OK) st = map_from(s, x, s->low);
  if (st != BR_OK) return BR_OK; /* cannot be asked there: the complex step stands */
  const double both = mismatch(s, next, J, d, skip, 0.5, 0.5, &norm);
  const double up = mismatch(s, next, J, d, skip, 1, 0, &norm),
               down = mismatch(s, next, J, d, skip, 0, 1, &norm);
  const double unit = fmax(norm, h);
  if (both <= PAIR_MATCH * unit || fmin(up, down) <= PAIR_MATCH_SIDE * unit) return BR_OK;
  st = all_columns(s, z, 0, J);
  own_rows(s, z, skip, J);
  return st;
}

/* The states that are not kept, in units of their size. */
static size_t reduce(const bri_slopes *s, const double *J, const char *skip, double *out)
{
  const size_t n = s->p->ns;
  size_t m = 0, k = 0;
  for (size_t i = 0; i < n; i++) m += !skip[i];
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      if (!skip[i] && !skip[j]) out[k++] = J[i * n + j] * s->scale[j] / s->scale[i];
  return m;
}

static double row_norm(size_t m, const double *a)
{
  double norm = 0;
  for (size_t i = 0; i < m; i++) {
    double sum = 0;
    for (size_t j = 0; j < m; j++) sum += fabs(a[i * m + j]);
    norm = fmax(norm, sum);
  }
  return norm;
}

/* Radius, and how far it moves when every entry is off by as much as it may be. */
static void judge_radius(const bri_slopes *s, size_t m, const double *R, double *a, double *work,
                         bri_fix_report *report)
{
  const double off = s->slope_error * row_norm(m, R) + DBL_MIN;
  memcpy(a, R, m * m * sizeof *a);
  report->contraction = m ? bri_spectral_radius(m, a, work) : 0;
  report->contraction_error = DBL_EPSILON * report->contraction;
  for (unsigned round = 0; round < 3 && m; round++) {
    for (size_t i = 0; i < m * m; i++)
      a[i] = R[i] + ((i * (2 * round + 1) + i / m) % (round + 2) ? -off : off);
    const double moved = 2 * fabs(bri_spectral_radius(m, a, work) - report->contraction);
    if (!(moved <= report->contraction_error)) report->contraction_error = moved;
  }
}

/* |z - fixed point| <= |(1 - J)^-1| (what a period leaves + the map's own error), in sizes of the states. */
static double judge_error(const bri_slopes *s, size_t m, double *R, const double *left)
{
  const double most = 1 / fmax(s->slope_error, 1e-14);
  size_t piv[BRI_FIX_MAX];
  double sum[BRI_FIX_MAX] = {0}, e[BRI_FIX_MAX], worst = 0, noise = 0;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++) R[i * m + j] = (i == j) - R[i * m + j];
  for (size_t i = 0; i < m; i++) noise = fmax(noise, left[i]);
  if (m == 0) return 0;
  if (bri_lu(m, R, piv)) return noise * most;
  for (size_t j = 0; j < m; j++) {
    for (size_t i = 0; i < m; i++) e[i] = i == j;
    bri_lu_solve(m, R, piv, e);
    for (size_t i = 0; i < m; i++) sum[i] += fmin(fabs(e[i]), most) * left[j];
  }
  for (size_t i = 0; i < m; i++) worst = fmax(worst, sum[i]);
  return worst;
}

void bri_slopes_judge(const bri_slopes *s, const double *z, const double *next, const double *J,
                      const char *skip, double *work, bri_fix_report *report)
{
  const bri_fix_problem *p = s->p;
  const size_t n = p->ns;
  double *R = work, *a = R + n * n, *scratch = a + n * n, left[BRI_FIX_MAX], largest = 0;
  const size_t m = reduce(s, J, skip, R);
  size_t k = 0;
  for (size_t i = 0; i < n; i++) {
    if (skip[i]) continue;
    left[k++] = fabs(next[i] - z[i]) / s->scale[i] + 10 * p->rtol;
    largest = fmax(largest, s->scale[i]);
  }
  judge_radius(s, m, R, a, scratch, report);
  for (size_t i = 0; i < n; i++)
    if (skip[i] && report->contraction < 1 && p->observes(p->ctx, z, i))
      report->contraction = 1, report->contraction_error = 0;
  report->relative = judge_error(s, m, R, left) + 10 * p->rtol; /* and on the way round */
  for (size_t i = 0; i < n; i++)
    if (skip[i] && p->observes(p->ctx, z, i)) largest = fmax(largest, s->scale[i]);
  report->error = report->relative * largest;
}
