/* SPDX-License-Identifier: Apache-2.0
 * error.c - how far the force of a loop found by the period map may be off.
 * Every arc adds its own error (rounding, and what the integration leaves) and hands on what it was given
 * through its derivative; over a period that is e -> M e + d, whose fixed point is the error of the loop: d
 * small against the force is still much where one period forgets little (1 - M small).  What the search for
 * the fixed point left open counts to d, and M is known no better than the contraction found with it. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "../solve/eigen.h"
#include "../solve/fixpoint.h"
#include "../solve/linalg.h"
#include "loop_internal.h"

#define LINEAR 0.02 /* of a state: over this the derivative of the map stands for it */

void bri_error_open(const bri_arc_model *a, const br_loop_summary *sum, bri_error *e)
{
  memset(e, 0, sizeof *e);
  e->ns = a->model->nstate(a->par);
  /* with modes, or with many states (elements: none makes an error grow), errors add up */
  e->linear = a->nz == e->ns && e->ns <= BRI_ERROR_STATES;
  e->differences = !a->par_pair;
  e->contraction = sum->contraction, e->contraction_error = sum->contraction_error;
  for (size_t j = 0; e->linear && j < e->ns; j++) e->M[j * e->ns + j] = 1;
}

/* Column j by a difference over a part of the state that is far above the integration's error. */
static int arc_difference(const bri_arc_model *a, double u, double s, double length, const double *z,
                          double size, size_t j, double *J)
{
  const size_t n = a->nz;
  double x[2][BRI_ERROR_STATES];
  const double step = 1e-4 * (size > 0 ? size : 1e-3);
  for (int k = 0; k < 2; k++) {
    memcpy(x[k], z, n * sizeof *z);
    x[k][j] += k ? step : -step;
    if (bri_arc_move(a, u, s, length, x[k], NULL, NULL) != BR_OK) return 0;
  }
  for (size_t i = 0; i < n; i++) J[i * n + j] = (x[1][i] - x[0][i]) / (2 * step);
  return 1;
}

/* J = derivative of the state at the end of an arc by that at its start; 0 where it cannot be had. */
static int arc_derivative(const bri_error *e, const bri_arc_model *a, double u, double s, double length,
                          const double *z, double *J)
{
  const size_t n = a->nz;
  for (size_t j = 0; j < n; j++) {
    if (!a->par_pair) {
      if (!arc_difference(a, u, s, length, z, fmax(fabs(z[j]), e->size[j]), j, J)) return 0;
      continue;
    }
    double pair[2 * BRI_ERROR_STATES];
    for (size_t i = 0; i < n; i++) pair[2 * i] = z[i], pair[2 * i + 1] = i == j ? BRI_IMAG_STEP : 0;
    if (bri_arc_move_pair(a, u, s, length, pair, NULL) != BR_OK) return 0;
    for (size_t i = 0; i < n; i++) J[i * n + j] = pair[2 * i + 1] / BRI_IMAG_STEP;
  }
  return 1;
}

/* |dF/dz_j| at the end of an arc, seen from either side. */
static double sensitivity(const bri_arc_model *a, double u, double s, const double *z, size_t j)
{
  double x[2 * BR_LOOP_MAX_STATE], most = 0;
  const double step = 1e-6 * (z[j] != 0 ? fabs(z[j]) : 1e-3);
  for (int side = -1; side <= 1; side += 2) {
    memcpy(x, z, a->nz * sizeof *x);
    x[j] = z[j] + step;
    const double up = bri_arc_force(a, u, side * s, x);
    x[j] = z[j] - step;
    most = fmax(most, fabs(up - bri_arc_force(a, u, side * s, x)) / (2 * step));
  }
  return most;
}

static void hand_on(bri_error *e, const double *J, const double *own)
{
  const size_t n = e->ns;
  double M[BRI_ERROR_STATES * BRI_ERROR_STATES] = {0}, d[BRI_ERROR_STATES];
  for (size_t i = 0; i < n; i++) {
    d[i] = own[i];
    for (size_t k = 0; k < n; k++) {
      d[i] += fabs(J[i * n + k]) * e->d[k];
      for (size_t j = 0; j < n; j++) M[i * n + j] += J[i * n + k] * e->M[k * n + j];
    }
  }
  memcpy(e->M, M, sizeof M);
  memcpy(e->d, d, n * sizeof *d);
}

void bri_error_arc(bri_error *e, const bri_arc_model *a, double u, double s, double length,
                   const double *from, const double *to, const bri_arc_sums *sums)
{
  const size_t n = e->ns;
  double J[BRI_ERROR_STATES * BRI_ERROR_STATES], own = 0;
  if (e->linear && arc_derivative(e, a, u, s, length, from, J)) hand_on(e, J, sums->error);
  else
    for (size_t j = 0; j < n; j++) e->d[j] += sums->error[j];
  for (size_t j = 0; j < n; j++) {
    const double slope = sensitivity(a, u + s * length, s, to, j);
    own += slope * e->d[j];
    e->size[j] = fmax(e->size[j], fabs(to[j]));
    if (!e->linear) e->reach[j] = fmax(e->reach[j], slope);
    for (size_t k = 0; e->linear && k < n; k++)
      e->reach[k] = fmax(e->reach[k], (double)n * slope * fabs(e->M[j * n + k]));
  }
  e->top = fmax(e->top, fmax(fabs(sums->lo), fabs(sums->hi)));
  e->own = fmax(e->own, own);
}

/* The slowest multiplier of M is known better from the search for the fixed point, and with its error: where
 * less is forgotten than M says, each period leaves that much more to the next. */
static double slower(const bri_error *e, const char *kept)
{
  const size_t n = e->ns;
  double R[BRI_ERROR_STATES * BRI_ERROR_STATES], work[2 * BRI_ERROR_STATES];
  size_t m = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      if (!kept[i] && !kept[j]) R[m++] = e->M[i * n + j];
  if (m == 0 || e->contraction == 1) return 1;
  m = (size_t)lround(sqrt((double)m));
  const double forgets = fabs(1 - e->contraction) - e->contraction_error;
  const double by_slopes = fabs(1 - bri_spectral_radius(m, R, work));
  return forgets > 0 ? fmax(1, by_slopes / forgets) : INFINITY;
}

/* Does a period only shift state j?  Differences see that to their own error. */
static int only_shifts(const bri_error *e, size_t j)
{
  const size_t n = e->ns;
  const double tol = e->differences && e->contraction == 1 ? 1e-8 : 0.0;
  for (size_t i = 0; i < n; i++)
    if (!(fabs(e->M[i * n + j] - (i == j)) * e->size[j] <= tol * e->size[i])) return 0;
  return 1;
}

/* |(1 - M)^-1| d, without the states that a period only shifts; such a state keeps what it has. */
static void settle(const bri_error *e, const double *d, double *out)
{
  const size_t n = e->ns;
  double E[BRI_ERROR_STATES * BRI_ERROR_STATES], column[BRI_ERROR_STATES];
  size_t piv[BRI_ERROR_STATES];
  char kept[BRI_ERROR_STATES];
  for (size_t j = 0; j < n; j++) {
    kept[j] = (char)only_shifts(e, j);
    out[j] = kept[j] ? d[j] : 0.0;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) E[i * n + j] = (i == j) - (kept[i] || kept[j] ? 0.0 : e->M[i * n + j]);
  const int singular = bri_lu(n, E, piv);
  const double more = slower(e, kept);
  for (size_t k = 0; k < n; k++) {
    if (kept[k]) continue;
    memset(column, 0, sizeof column);
    column[k] = d[k];
    if (!singular) bri_lu_solve(n, E, piv, column);
    for (size_t i = 0; i < n; i++)
      if (!kept[i]) out[i] += singular ? e->size[i] : more * fabs(column[i]);
  }
  /* a shift of this part of a state is beyond the linear map: the loop may be anywhere */
  for (size_t i = 0; i < n; i++)
    if (!kept[i] && !(out[i] <= LINEAR * e->size[i])) out[i] = 2 * e->size[i];
}

double bri_error_close(const bri_error *e, const double *first, const double *last)
{
  const size_t n = e->ns;
  double d[BR_LOOP_MAX_STATE], start[BR_LOOP_MAX_STATE], sum = e->own + 4 * DBL_EPSILON * e->top;
  for (size_t j = 0; j < n; j++) {
    const double open = fabs(last[j] - first[j]); /* a counter does not come back */
    /* what is kept has the rounding of the way from rest, and of every period tried, too */
    const double way = e->contraction == 1 ? 8 * DBL_EPSILON * e->size[j] : 0.0;
    start[j] = d[j] = e->d[j] + e->loose[j] + way + (open <= 1e-3 * e->size[j] ? open : 0.0);
  }
  if (e->linear) settle(e, d, start);
  for (size_t j = 0; j < n; j++) {
    const double bound = fmin(start[j], 2 * e->size[j]);
    if (e->reach[j] > 0) sum += e->reach[j] * bound;
  }
  return sum;
}
