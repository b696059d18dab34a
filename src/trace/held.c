/* SPDX-License-Identifier: Apache-2.0
 * held.c - one piece of held velocity: the model's exact step, or adaptive integration.
 *
 * Without an exact step the ODE dz/dt = rate(u0 + v t, v, z), or with the inputs' own u(t) and v(t), is
 * integrated by the Dormand-Prince pair of order 5(4).  A kink where a state passes zero is located and a
 * step ends there.  Models with modes switch inside step(), which a rate cannot show: they take step()
 * itself, whole against two halves.  Other kinks (a slider that starts to slip) are seen as a large error and
 * crept up to; a step below FLOOR of the piece is accepted as it is, since what it could spoil is below the
 * tolerance anyway. */
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../base/root.h"
#include "../base/worse.h"
#include "bristle/trace.h"
#include "held.h"

static const double FLOOR = 1e-14; /* of the piece */
static const double NEAR = 1e6; /* errors, in tolerances, below which the end of a step has the right sign */

/* Dormand & Prince 1980, the pair RK5(4)7M; the last row of A gives the solution, E = b5 - b4. */
static const double C[6] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1};
static const double A[6][6] = {
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
static const double E[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                            -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

static void rate_at(const bri_held *w, const double *u, const double *v, double t, const double *z,
                    double *dz)
{
  double at[BR_TRACE_AXES], speed[BR_TRACE_AXES];
  for (int a = 0; a < w->m->axes; a++) {
    const br_signal *s = w->inputs[a];
    at[a] = s ? br_signal_value(s, w->t0 + t) : u[a] + v[a] * t;
    speed[a] = s ? br_signal_rate(s, w->t0 + t, t > 0 ? -1 : 1) : v[a];
  }
  w->m->rate(w->par, w->load, at, speed, z, dz);
}

/* Largest error in units of the tolerance; infinite when something is not finite. */
static double error_ratio(const bri_held *w, const double *end, const double *error)
{
  double worst = 0;
  for (size_t i = 0; i < w->nstate; i++) {
    const double level = w->rtol * fmax(w->scale[i], fabs(end[i])), e = fabs(error[i]);
    if (!isfinite(end[i]) || !isfinite(e)) return INFINITY;
    if (e > 0) worst = bri_worse(worst, level > 0 ? e / level : INFINITY);
  }
  return worst;
}

/* work rows: 0..6 stages, 7 stage argument and end point, 8 error, 9 spare */
static double try_pair(const bri_held *w, const double *u, const double *v, double t, double h,
                       const double *z)
{
  const size_t n = w->n;
  double *k = w->work, *end = k + 7 * n, *error = k + 8 * n;
  rate_at(w, u, v, t, z, k);
  for (int s = 0; s < 6; s++) {
    for (size_t i = 0; i < n; i++) {
      double sum = 0;
      for (int j = 0; j <= s; j++) sum += A[s][j] * k[(size_t)j * n + i];
      end[i] = z[i] + h * sum;
    }
    rate_at(w, u, v, t + (s < 5 ? C[s + 1] : 1) * h, end, k + (size_t)(s + 1) * n);
  }
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < 7; j++) sum += E[j] * k[(size_t)j * n + i];
    error[i] = h * sum;
  }
  return error_ratio(w, end, error);
}

/* The model's own step, once over h against twice over h/2. */
static double try_halves(const bri_held *w, const double *u, const double *v, double t, double h,
                         const double *z)
{
  const size_t n = w->n;
  double *whole = w->work + 9 * n, *end = w->work + 7 * n, *error = w->work + 8 * n;
  double at[BR_TRACE_AXES];
  memcpy(whole, z, n * sizeof *z);
  memcpy(end, z, n * sizeof *z);
  for (int a = 0; a < w->m->axes; a++) at[a] = u[a] + v[a] * t;
  w->m->step(w->par, w->load, at, v, h, whole);
  w->m->step(w->par, w->load, at, v, 0.5 * h, end);
  for (int a = 0; a < w->m->axes; a++) at[a] = u[a] + v[a] * (t + 0.5 * h);
  w->m->step(w->par, w->load, at, v, 0.5 * h, end);
  for (size_t i = 0; i < n; i++) error[i] = end[i] - whole[i];
  return error_ratio(w, end, error);
}

static void keep_scale(bri_held *w, const double *z)
{
  for (size_t i = 0; i < w->nstate; i++) w->scale[i] = fmax(w->scale[i], fabs(z[i]));
}

/* First state that changes its sign over the step, n when none or where that is no kink of the model: a step
 * ends there instead of straddling it. */
static size_t crossing(const bri_held *w, const double *z, const double *end)
{
  size_t i = w->m->flags & BR_MODEL_KINKS ? 0 : w->nstate;
  while (i < w->nstate && !(z[i] * end[i] < 0)) i++;
  return i < w->nstate ? i : w->n;
}

/* Shorten the step *take until state i ends on zero; the end point of the last
 * try follows, put just beyond zero.  Returns the error of that try. */
static double land(const bri_held *w, const double *u, const double *v, double t, double *take,
                   const double *z, size_t i)
{
  double *end = w->work + 7 * w->n, ratio = 0;
  const double size = fmax(w->scale[i], fabs(z[i]));
  bri_bracket b = bri_bracket_of(0, z[i], *take, end[i]);
  for (int k = 0; k < 60; k++) {
    const double h = bri_bracket_next(&b);
    ratio = try_pair(w, u, v, t, h, z);
    *take = h;
    if (fabs(end[i]) <= 1e-16 * size || !isfinite(ratio) || h == b.a || h == b.b) break;
    bri_bracket_take(&b, h, end[i]);
  }
  end[i] = copysign(1e-18 * size, -z[i]);
  return ratio;
}

static br_status integrate(bri_held *w, const double *u, const double *v, double h, double *z,
                           double *reached)
{
  const int halves = w->n > w->nstate || !w->m->rate;
  const double *end = w->work + 7 * w->n;
  double t = 0, step = h;
  for (size_t count = 0; t < h; count++) {
    if (count == w->max_steps) {
      *reached = t;
      return BR_E_CONVERGE;
    }
    int last = t + step >= h * (1 - 1e-15);
    double take = last ? h - t : step;
    double ratio = halves ? try_halves(w, u, v, t, take, z) : try_pair(w, u, v, t, take, z);
    if (!halves && ratio <= NEAR) { /* near enough to trust the sign at the end */
      const size_t i = crossing(w, z, end);
      if (i < w->n) {
        ratio = land(w, u, v, t, &take, z, i);
        last = 0;
      }
    }
    /* order 5 locally for both: the fifth root, with the usual caution and bounds */
    const double factor = ratio > 0 ? fmin(5, fmax(0.2, 0.9 * bri_pow(ratio, -0.2))) : 5;
    const int tiny = take <= FLOOR * h;
    if (ratio <= 1 || (tiny && isfinite(ratio))) {
      memcpy(z, end, w->n * sizeof *z);
      keep_scale(w, z);
      w->steps++;
      if (last) break;
      t += take;
    } else {
      w->rejected++;
      if (tiny) {
        *reached = t;
        return BR_E_CONVERGE;
      }
    }
    step = fmax(take * factor, 0.5 * FLOOR * h);
  }
  return BR_OK;
}

br_status bri_held_step(bri_held *w, const double *u, const double *v, double t0, double h, double *z,
                        double *reached)
{
  w->t0 = t0;
  if ((w->inputs[0] || !(w->m->flags & BR_MODEL_EXACT_STEP)) && w->n > 0)
    return integrate(w, u, v, h, z, reached);
  w->m->step(w->par, w->load, u, v, h, z);
  w->steps++;
  return BR_OK;
}
