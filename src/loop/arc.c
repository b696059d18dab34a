/* SPDX-License-Identifier: Apache-2.0
 * arc.c - any single-axis model along one monotone arc at constant speed, or along a piece of a wave.
 * Models with an exact step are moved in one call (exact.c adds up what the known curve gives); the others
 * are integrated over the path length together with their work (march.c). */
#include <string.h>

#include "../param/slide.h"
#include "../solve/fixpoint.h"
#include "../text/fail.h"
#include "arc_internal.h"

double bri_arc_force_at(const bri_arc_model *a, double u, double v, const double *z)
{
  double dz[2 * BR_LOOP_MAX_STATE], F[2];
  if (a->nz == 0 && v != 0 && a->model->slots && a->model->flags & BR_MODEL_TRUE_STICK)
    return bri_slide_law(a->model, a->par, a->load, &u, v > 0 ? 1 : -1, fabs(v),
                         bri_stick_band(a->model, a->par));
  a->model->rate(a->par, a->load, &u, &v, z, dz);
  a->model->force(a->par, a->load, &u, &v, z, dz, F);
  return F[0];
}

double bri_arc_force(const bri_arc_model *a, double u, double s, const double *z)
{
  return bri_arc_force_at(a, u, s * a->speed, z);
}

int bri_arc_force_depends(const bri_arc_model *a, double u, const double *z, size_t j)
{
  if (!a->par_pair) return bri_arc_force_moves(a, u, z, j);
  const double u2[2] = {u, 0}, v2[2] = {a->speed, 0}, n2[2] = {a->load, 0};
  double z2[4 * BR_LOOP_MAX_STATE], dz[4 * BR_LOOP_MAX_STATE], F[4];
  for (size_t i = 0; i < a->nz; i++) z2[2 * i] = z[i], z2[2 * i + 1] = i == j ? BRI_IMAG_STEP : 0;
  a->model->rate_pair(a->par_pair, n2, u2, v2, z2, dz);
  a->model->force_pair(a->par_pair, n2, u2, v2, z2, dz, F);
  return F[1] != 0;
}

/* The states of an arc, and its work behind them. */
static br_status integrate(const bri_arc_model *a, double u, double s, double length, double *z, double *work,
                           bri_arc_sums *sums, br_err *err)
{
  double x[BRI_ODE_DIM] = {0};
  if (a->nz + 1 > BRI_ODE_DIM)
    return bri_fail(err, BR_E_UNSUPPORTED, "%s has too many states to integrate", a->model->name);
  const bri_ode o = {.a = a, .u = u, .s = s, .with_work = work != NULL, .dim = a->nz + (work ? 1 : 0)};
  memcpy(x, z, a->nz * sizeof *z);
  const br_status st = bri_march(&o, 0, length, x, sums, err);
  if (st != BR_OK) return st;
  memcpy(z, x, a->nz * sizeof *z);
  if (work) *work += x[a->nz];
  return BR_OK;
}

static br_status stopped(const bri_arc_model *a, br_err *err)
{
  return bri_fail(err, BR_INTERRUPTED, "%s: stopped", a->model->name);
}

static int is_exact(const bri_arc_model *a) { return a->model->flags & BR_MODEL_EXACT_STEP || a->nz == 0; }

br_status bri_arc_tour(const bri_arc_model *a, double u, double s, double length, double *z,
                       bri_arc_sums *sums, br_err *err)
{
  const double v = s * a->speed;
  memset(sums, 0, sizeof *sums);
  if (bri_stopped(a->stop)) return stopped(a, err);
  if (!is_exact(a)) return integrate(a, u, s, length, z, &sums->work, sums, err);
  bri_exact_sums(a, u, s, length, z, sums);
  a->model->step(a->par, a->load, &u, &v, length / a->speed, z);
  return BR_OK;
}

br_status bri_arc_move(const bri_arc_model *a, double u, double s, double length, double *z, double *work,
                       br_err *err)
{
  const double v = s * a->speed;
  bri_arc_sums sums = {0};
  if (bri_stopped(a->stop)) return stopped(a, err);
  if (!is_exact(a)) return integrate(a, u, s, length, z, work, NULL, err);
  if (work) {
    bri_exact_sums(a, u, s, length, z, &sums);
    *work += sums.work;
  }
  a->model->step(a->par, a->load, &u, &v, length / a->speed, z);
  return BR_OK;
}

br_status bri_arc_move_pair(const bri_arc_model *a, double u, double s, double length, double *z, br_err *err)
{
  const double n2[2] = {a->load, 0}, u2[2] = {u, 0}, v2[2] = {s * a->speed, 0},
               h2[2] = {length / a->speed, 0};
  if (bri_stopped(a->stop)) return stopped(a, err);
  if (is_exact(a)) {
    a->model->step_pair(a->par_pair, n2, u2, v2, h2, z);
    return BR_OK;
  }
  if (2 * a->nz > BRI_ODE_DIM)
    return bri_fail(err, BR_E_UNSUPPORTED, "%s has too many states to integrate", a->model->name);
  const bri_ode o = {.a = a, .u = u, .s = s, .pair = 1, .dim = 2 * a->nz};
  return bri_march(&o, 0, length, z, NULL, err);
}

/* ---- a wave in its own time ---- */

/* Is u(t) straight on [t0, t1]?  Then the velocity is held and an exact step is exact. */
static int is_straight(const bri_wave *w, double t0, double t1)
{
  const double a = br_signal_rate(w->input, t0, 1), b = br_signal_rate(w->input, t1, -1);
  const double c = br_signal_rate(w->input, t0 + 0.37 * (t1 - t0), 1);
  return a == b && a == c;
}

/* Integrate a curved piece in decades towards both ends: near a reversal the speed falls through every scale,
 * and a Stribeck hump at a thousandth of the peak speed must not lie between two evaluations of a large step.
 */
static br_status in_decades(const bri_ode *o, double t0, double t1, double *x, br_err *err)
{
  static const double part[] = {1e-7, 1e-6, 1e-5,  1e-4,   1e-3,    1e-2,     0.1,       0.5,
                                0.9,  0.99, 0.999, 0.9999, 0.99999, 0.999999, 0.9999999, 1};
  br_status st = BR_OK;
  double t = t0;
  for (size_t k = 0; st == BR_OK && k < sizeof part / sizeof part[0]; k++) {
    const double next = part[k] < 1 ? t0 + part[k] * (t1 - t0) : t1;
    if (next > t) st = bri_march(o, t, next, x, NULL, err);
    t = next;
  }
  return st;
}

br_status bri_wave_move(const bri_arc_model *a, bri_wave *w, double t0, double t1, double *x, double *work,
                        br_err *err)
{
  const size_t dim = a->nz + (w->tau > 0) + (work != NULL);
  double y[BRI_ODE_DIM] = {0};
  if (t1 <= t0) return BR_OK;
  if (is_straight(w, t0, t1) && !(w->tau > 0) && a->model->flags & BR_MODEL_EXACT_STEP) {
    const double v = br_signal_rate(w->input, t0, 1) / w->scale;
    bri_arc_model held = *a;
    held.speed = fabs(v);
    if (v == 0) return BR_OK; /* at rest nothing moves: every exact model holds its state */
    return bri_arc_move(&held, br_signal_value(w->input, t0), v > 0 ? 1.0 : -1.0,
                        fabs(v) * w->scale * (t1 - t0), x, work, err);
  }
  if (dim > BRI_ODE_DIM) return bri_fail(err, BR_E_UNSUPPORTED, "%s has too many states", a->model->name);
  const bri_ode o = {.a = a, .with_work = work != NULL, .dim = dim, .wave = w};
  w->middle = 0.5 * (t0 + t1);
  memcpy(y, x, (a->nz + (w->tau > 0)) * sizeof *x);
  const br_status st = in_decades(&o, t0, t1, y, err);
  memcpy(x, y, (a->nz + (w->tau > 0)) * sizeof *x);
  if (work) *work += y[dim - 1];
  return st;
}

br_status bri_wave_move_pair(const bri_arc_model *a, bri_wave *w, double t0, double t1, double *x,
                             br_err *err)
{
  const size_t dim = 2 * (a->nz + (w->tau > 0));
  if (t1 <= t0) return BR_OK;
  if (dim > BRI_ODE_DIM) return bri_fail(err, BR_E_UNSUPPORTED, "%s has too many states", a->model->name);
  const bri_ode o = {.a = a, .pair = 1, .dim = dim, .wave = w};
  w->middle = 0.5 * (t0 + t1);
  return in_decades(&o, t0, t1, x, err);
}
