/* SPDX-License-Identifier: Apache-2.0
 * stiffness.c - how far an extrapolated step can be trusted.
 * With x = step times the largest |eigenvalue| of the rates, the extrapolated midpoint rule of extrapolate.c
 * has an error of at most max(1, (x / 2)^2.6) times the difference of its last two columns as long as x <= 5,
 * for eigenvalues in any direction of the complex plane; beyond that the columns do not converge to the
 * solution, their difference vanishes at some x, and what decays grows instead (at x = 8.2 by 10, seen as
 * 0.01). */
#include <string.h>

#include "../../core/elementary.h"
#include "../solve/eigen.h"
#include "arc_internal.h"

#define DENSE 8 /* states; of more (parallel elements) each sees itself only */

double bri_ode_doubt(double x) { return x <= 2 ? 1.0 : bri_pow(0.5 * x, 2.6); }

/* The equations on real numbers alone, without the work. */
static bri_ode real_part(const bri_ode *o, const double *x, double *y)
{
  const size_t step = o->pair ? 2 : 1, work = o->with_work ? 1 : 0;
  bri_ode real = *o;
  real.pair = real.with_work = 0;
  real.dim = (o->dim - work) / step;
  for (size_t i = 0; i < real.dim; i++) y[i] = x[i * step], real.held[i] = o->held[i * step];
  return real;
}

/* Column j of the derivative; of its two sides the flatter one: at a switch one of them is a jump over
 * `change`. */
static void column(const bri_ode *o, double r, double *y, const double *dy, size_t j, double change,
                   double *out)
{
  double side[2][BRI_ODE_DIM], most[2] = {0, 0};
  const double keep = y[j];
  for (int k = 0; k < 2; k++) {
    y[j] = keep + (k ? -change : change);
    const double span = y[j] - keep;
    bri_ode_slope(o, r, y, side[k]);
    for (size_t i = 0; i < o->dim; i++) {
      side[k][i] = (side[k][i] - dy[i]) / span;
      most[k] = bri_worse(most[k], fabs(side[k][i]));
    }
  }
  y[j] = keep;
  memcpy(out, side[most[1] < most[0]], o->dim * sizeof *out);
}

double bri_ode_stiffness(const bri_ode *o, double r, const double *x, const double *size)
{
  double y[BRI_ODE_DIM] = {0}, dy[BRI_ODE_DIM], J[BRI_ODE_DIM], A[DENSE * DENSE] = {0}, work[2 * DENSE],
         most = 0;
  const bri_ode real = real_part(o, x, y);
  const size_t n = real.dim, step = o->pair ? 2 : 1;
  bri_ode_slope(&real, r, y, dy);
  for (size_t j = 0; j < n; j++) {
    const double change = 1e-6 * fmax(fabs(y[j]), size[j * step]);
    if (!(change > 0) || real.held[j]) continue;
    column(&real, r, y, dy, j, change, J);
    for (size_t i = 0; n <= DENSE && i < n; i++) A[i * n + j] = J[i];
    most = fmax(most, fabs(J[j]));
  }
  if (n > 1 && n <= DENSE) most = bri_spectral_radius(n, A, work);
  return most < 1e300 ? most : 0.0; /* not to be had: the step decides alone */
}
