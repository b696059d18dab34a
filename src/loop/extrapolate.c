/* SPDX-License-Identifier: Apache-2.0
 * extrapolate.c - one step of a model over the path length, or over a wave's time: modified midpoint rule,
 * extrapolated to order 12.  It needs no starting values and reaches rounding. */
#include <math.h>
#include <string.h>

#include "arc_internal.h"

#define COLUMNS BRI_ODE_COLUMNS /* extrapolation sequence 2, 4, ... 2 * COLUMNS */

double bri_ode_motion(const bri_ode *o, double r, double *u, double *v)
{
  if (o->wave) {
    *u = br_signal_value(o->wave->input, r);
    *v = br_signal_rate(o->wave->input, r, r > o->wave->middle ? -1 : 1) / o->wave->scale;
    return o->wave->scale;
  }
  *u = o->u + o->s * r;
  *v = o->s * o->a->speed;
  return 1 / o->a->speed;
}

double bri_ode_force(const bri_ode *o, double r, const double *x)
{
  double u, v;
  (void)bri_ode_motion(o, r, &u, &v);
  return bri_arc_force_at(o->a, u, v, x);
}

static void slope_pair(const bri_ode *o, double u, double v, const double *x, double *dx)
{
  const bri_arc_model *a = o->a;
  const double n2[2] = {a->load, 0}, u2[2] = {u, 0}, v2[2] = {v, 0};
  double F[4];
  a->model->rate_pair(a->par_pair, n2, u2, v2, x, dx);
  if (o->wave && o->wave->tau > 0) {
    const size_t filter = 2 * a->nz;
    a->model->force_pair(a->par_pair, n2, u2, v2, x, dx, F);
    if (a->nz == 0) F[0] = bri_arc_force_at(a, u, v, x);
    dx[filter] = (F[0] - x[filter]) / o->wave->tau;
    dx[filter + 1] = (F[1] - x[filter + 1]) / o->wave->tau;
  }
}

static void slope_real(const bri_ode *o, double u, double v, const double *x, double *dx)
{
  const bri_arc_model *a = o->a;
  const int filtered = o->wave && o->wave->tau > 0;
  double F[4] = {0};
  a->model->rate(a->par, a->load, &u, &v, x, dx);
  if (a->nz == 0) F[0] = bri_arc_force_at(a, u, v, x);
  else if (filtered || o->with_work) a->model->force(a->par, a->load, &u, &v, x, dx, F);
  if (filtered) dx[a->nz] = (F[0] - x[a->nz]) / o->wave->tau;
  if (o->with_work) dx[o->dim - 1] = (filtered ? x[a->nz] : F[0]) * v;
}

void bri_ode_slope(const bri_ode *o, double r, const double *x, double *dx)
{
  double u, v;
  const double seconds = bri_ode_motion(o, r, &u, &v);
  if (o->pair) slope_pair(o, u, v, x, dx);
  else slope_real(o, u, v, x, dx);
  for (size_t i = 0; i < o->dim; i++) dx[i] = o->held[i] ? 0.0 : dx[i] * seconds;
}

/* Modified midpoint rule with n sub-steps over H. */
static void midpoint(const bri_ode *o, double r, double H, int n, const double *x0, const double *dx0,
                     double *out)
{
  double before[BRI_ODE_DIM], now[BRI_ODE_DIM], dx[BRI_ODE_DIM];
  const double h = H / n;
  for (size_t i = 0; i < o->dim; i++) before[i] = x0[i], now[i] = x0[i] + h * dx0[i];
  for (int k = 1; k < n; k++) {
    bri_ode_slope(o, r + k * h, now, dx);
    for (size_t i = 0; i < o->dim; i++) {
      const double next = before[i] + 2 * h * dx[i];
      before[i] = now[i];
      now[i] = next;
    }
  }
  bri_ode_slope(o, r + H, now, dx);
  for (size_t i = 0; i < o->dim; i++) out[i] = 0.5 * (now[i] + before[i] + h * dx[i]);
}

void bri_ode_step(const bri_ode *o, double r, double H, const double *x, const double *dx, double *next,
                  double *off)
{
  double T[COLUMNS][BRI_ODE_DIM];
  for (int j = 0; j < COLUMNS; j++) {
    midpoint(o, r, H, 2 * (j + 1), x, dx, T[j]);
    /* Neville in place: T[j] holds the diagonal, T[j-1].. the previous row's entries */
    for (int k = j - 1; k >= 0; k--) {
      const double q = (double)(j + 1) / (k + 1), factor = 1 / (q * q - 1);
      for (size_t i = 0; i < o->dim; i++) T[k][i] = T[k + 1][i] + (T[k + 1][i] - T[k][i]) * factor;
    }
  }
  for (size_t i = 0; i < o->dim; i++) off[i] = fabs(T[0][i] - T[1][i]);
  memcpy(next, T[0], o->dim * sizeof *next);
}
