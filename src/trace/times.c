/* SPDX-License-Identifier: Apache-2.0
 * times.c - sample times from the options or from the inputs themselves. */
#include <math.h>

#include "../signal/samples.h"
#include "../text/fail.h"
#include "times.h"

enum { PER_PERIOD = 1000, PERIODS = 2 };
static const double MOST = 1e12; /* samples */

double bri_times_at(const bri_times *times, size_t k)
{
  return times->origin + (times->dt > 0 ? (double)k * times->dt : times->s[k]);
}

/* k dt and a corner k/f that should coincide differ by some ulp of t; a piece that short would have a
 * velocity of pure rounding noise. */
double bri_times_tolerance(double a, double b)
{
  return fmax(1e-12 * fabs(b - a), 16 * 0x1p-52 * fmax(fabs(a), fabs(b)));
}

/* Where one input, left alone, would end and how fine it would be sampled. */
static void natural(const br_signal *sig, double *t_end, double *dt)
{
  const double period = br_signal_period(sig), end = br_signal_duration(sig);
  if (period > 0) {
    *t_end = PERIODS * period;
    *dt = period / PER_PERIOD;
  } else if (end > 0) {
    double before, behind;
    *t_end = bri_signal_jump(sig, end, &before, &behind)
                 ? 2 * end
                 : end; /* behind a step there shall be something to see */
    *dt = 0;
  } else {
    *t_end = *dt = 0;
  }
}

static br_status own_samples(const br_signal *sig, const br_trace_options *o, bri_times *out, br_err *err)
{
  size_t n = 0;
  const double *s = bri_signal_samples(sig, &n, &out->origin);
  if (!s)
    return bri_fail(err, BR_E_UNSUPPORTED,
                    "the input is not made of samples (a record needs two rows): give a time step");
  out->s = s;
  out->dt = 0;
  if (o->t_end > 0)
    while (n && out->origin + s[n - 1] > o->t_end + bri_times_tolerance(0, o->t_end)) n--;
  if (n < 2)
    return bri_fail(err, BR_E_SIZE, "the input has %zu sample(s) up to the end time: at least 2 are needed",
                    n);
  out->count = n;
  return BR_OK;
}

static br_status check(const char *name, double x, br_err *err)
{
  if (x >= 0 && isfinite(x)) return BR_OK;
  return bri_fail(err, isnan(x) ? BR_E_NAN : BR_E_RANGE, "%s = %.9g s is out of range: must be > 0", name, x);
}

br_status bri_times_choose(const br_signal *const *inputs, int axes, const br_trace_options *o,
                           bri_times *out, br_err *err)
{
  double t_end = 0, dt = INFINITY;
  size_t n = 0;
  br_status st = check("t_end", o->t_end, err);
  if (!st) st = check("dt", o->dt, err);
  if (st) return st;
  out->s = NULL;
  out->origin = 0;
  if (o->own_samples && o->dt == 0) return own_samples(inputs[0], o, out, err);
  for (int a = 0; a < axes; a++) {
    double end, step;
    natural(inputs[a], &end, &step);
    t_end = fmax(t_end, end);
    if (step > 0) dt = fmin(dt, step);
  }
  /* a record starts where it starts, an analytic input at 0 */
  if (o->own_samples) (void)bri_signal_samples(inputs[0], &n, &out->origin);
  if (o->t_end > 0) t_end = o->t_end;
  else if (t_end <= out->origin) t_end = out->origin + 1;
  if (o->dt > 0) dt = o->dt;
  else if (!isfinite(dt)) dt = (t_end - out->origin) / PER_PERIOD;
  const double steps = (t_end - out->origin) / dt * (1 + 4 * 0x1p-52) + 1e-9;
  if (!(steps >= 1))
    return bri_fail(err, BR_E_RANGE, "dt = %.9g s is longer than the motion from %.9g s to t_end = %.9g s",
                    dt, out->origin, t_end);
  if (steps > MOST)
    return bri_fail(err, BR_E_RANGE, "t_end / dt = %.3g samples: at most %.0g are possible", steps, MOST);
  out->dt = dt;
  out->count = (size_t)steps + 1;
  return BR_OK;
}

br_status bri_trace_options_check(const br_model *m, const br_trace_options *o, size_t nstate, br_err *err)
{
  if (!(o->load >= 0) || !isfinite(o->load))
    return bri_fail(err, BR_E_RANGE, "load = %.9g is out of range: must be >= 0 and finite", o->load);
  if (!(o->rtol >= 1e-15 && o->rtol < 1))
    return bri_fail(err, BR_E_RANGE, "rtol = %.9g is out of range: must be >= 1e-15 and < 1", o->rtol);
  if (o->nz0 > nstate || (o->nz0 && !o->z0))
    return bri_fail(err, BR_E_SIZE, "%s: %zu initial states given, it has %zu", m->name, o->nz0, nstate);
  for (size_t i = 0; i < o->nz0; i++)
    if (!isfinite(o->z0[i]))
      return bri_text_fail(err, BR_E_NAN, (int)i, "%s: initial state %zu = %g is not finite", m->name, i,
                           o->z0[i]);
  return BR_OK;
}
