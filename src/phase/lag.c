/* SPDX-License-Identifier: Apache-2.0
 * lag.c - friction against an imposed velocity.
 * At given v(t) the rate is affine in the state, or nearly so: the periodic state is where the secant through
 * two periods meets the diagonal, repeated until it stays. */
#include <math.h>

#include "../../core/elementary.h"
#include "../param/valid.h"
#include "../text/fail.h"
#include "bristle/phase.h"

typedef struct {
  const br_model *m;
  const double *par;
  double v0, a, w; /* m/s, m/s, rad/s */
} drive;

static double rate(const drive *d, double t, double z)
{
  double u = 0, v = d->v0 + d->a * bri_sin(d->w * t), dz;
  d->m->rate(d->par, 1, &u, &v, &z, &dz);
  return dz;
}

/* Force, and force at rest with the same state, times the acceleration; force. */
static void integrands(const drive *d, double t, double z, double *out)
{
  double u = 0, v = d->v0 + d->a * bri_sin(d->w * t), dz = rate(d, t, z), still = 0, none = 0, F, E;
  const double dv = d->a * d->w * bri_cos(d->w * t);
  d->m->force(d->par, 1, &u, &v, &z, &dz, &F);
  d->m->force(d->par, 1, &u, &still, &z, &none, &E);
  out[0] = F * dv;
  out[1] = E * dv;
  out[2] = F;
}

/* One period from z in n classical Runge-Kutta steps; sums by Simpson's rule on whole steps (n is even). */
static double period(const drive *d, double z, int n, double *sum)
{
  const double h = 6.283185307179586 / d->w / n;
  double f[3];
  if (sum) sum[0] = sum[1] = sum[2] = 0;
  for (int i = 0; i < n; i++) {
    const double t = i * h;
    if (sum) { /* periodic: weights 2, 4, 2, 4, ... */
      integrands(d, t, z, f);
      for (int k = 0; k < 3; k++) sum[k] += f[k] * h / 3 * (i % 2 ? 4 : 2);
    }
    const double a = rate(d, t, z), b = rate(d, t + h / 2, z + h / 2 * a),
                 c = rate(d, t + h / 2, z + h / 2 * b), e = rate(d, t + h, z + h * c);
    z += h / 6 * (a + 2 * b + 2 * c + e);
  }
  return z;
}

br_status br_phase_lag(const br_model *model, const double *par, double v0, double a, double f, br_lag *out,
                       br_err *err)
{
  if (!out) return bri_fail(err, BR_E_ARG, "br_phase_lag: an argument is NULL");
  const br_status st = bri_model_ready(model, par, "br_phase_lag", err);
  if (st) return st;
  if (model->axes != 1 || model->nstate(par) != 1 || model->nmode(par) != 0 ||
      (model->flags & BR_MODEL_JUMPS))
    return bri_fail(err, BR_E_UNSUPPORTED, "phase: lag of %s is not covered: one axis, one smooth state",
                    model->name);
  if (!isfinite(v0) || !(fabs(a) < fabs(v0)) || !(f > 0) || !isfinite(f))
    return bri_fail(err, BR_E_RANGE,
                    "phase: lag: velocity %.9g + %.9g sin must not reverse, frequency %.9g Hz must be > 0",
                    v0, a, f);
  const drive d = {model, par, v0, a, 6.283185307179586 * f};
  /* steps: the fastest rate times the step stays below 1/50 */
  double fastest = 0;
  for (int i = 0; i < 64; i++) {
    const double t = i / (64 * f);
    fastest = fmax(fastest, fabs(rate(&d, t, 1) - rate(&d, t, 0)));
  }
  const double wanted = fmax(2000, 50 * fastest / f);
  if (!(wanted < 2e7))
    return bri_fail(err, BR_E_RANGE, "phase: lag: a period of %.9g s against a rate of %.3g 1/s is too slow",
                    1 / f, fastest);
  const int n = 2 * (int)(wanted / 2);
  double z = 0, sum[3];
  for (int i = 0; i < 20; i++) {
    const double one = period(&d, z, n, NULL), d1 = one - z;
    if (fabs(d1) <= 1e-15 * fabs(one)) break;
    const double two = period(&d, one, n, NULL), d2 = two - one;
    z = d1 != d2 ? one + d2 * d1 / (d1 - d2) : two;
  }
  (void)period(&d, z, n, sum);
  out->total = sum[0];
  out->elastic = sum[1];
  out->mean = sum[2] * f;
  return isfinite(sum[0]) ? BR_OK : bri_fail(err, BR_E_CONVERGE, "phase: lag: no periodic state");
}
