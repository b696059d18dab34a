/* SPDX-License-Identifier: Apache-2.0
 * run.c - a closed-loop study: check the case, run it, judge what is left of the oscillation. */
#include "run.h"

#include <math.h>
#include <string.h>

#include "../base/alloc.h"
#include "../text/fail.h"
#include "../solve/varied.h"
#include "controller.h"

br_control_case br_control_case_default(void)
{
  br_control_case job;
  memset(&job, 0, sizeof job);
  job.seed = 1;
  job.z_scale = 1;
  job.judge = 1;
  return job;
}

double bri_window_from(const br_control_case *job)
{
  return job->window[1] > job->window[0] ? job->window[0] : 0;
}
double bri_window_to(const br_control_case *job)
{
  return job->window[1] > job->window[0] ? fmin(job->window[1], job->t_end) : job->t_end;
}

/* Does nothing else move behind t? */
static int stays(const br_plant *p, double t)
{
  bri_stage at = {0};
  double w, dw = 0;
  if (!p) return 1;
  const size_t i = bri_plant_stage_at(p, t, 1);
  if (bri_plant_stage(p, i + 1, &at) || !bri_plant_stage(p, i, &at)) return 0;
  if (at.load.eval) at.load.eval(at.load.ctx, t, 1, &w, &dw);
  return !at.load.eval ||
         (!(at.load.period > 0) && dw == 0 && at.load.next_corner(at.load.ctx, t) == INFINITY);
}

int bri_rests(const br_control_case *job)
{
  const br_signal *r = job->reference;
  const double half = 0.5 * job->t_end, level = br_signal_value(r, job->t_end);
  return stays(job->varies, half) && br_signal_variation(r, job->t_end) == br_signal_variation(r, half) &&
         br_signal_value(r, half) == level;
}

double bri_rest_from(const br_control_case *job)
{
  const br_signal *r = job->reference;
  const double T = job->t_end, all = br_signal_variation(r, T);
  double a = 0, b = T;
  for (double t = 0; t <= 0.9 * T;
       t = br_signal_next_corner(r, t)) /* the first from which on nothing moves */
    if (br_signal_variation(r, t) == all && br_signal_value(r, t) == br_signal_value(r, T)) return t;
  for (int i = 0; i < 60; i++) {
    const double mid = 0.5 * (a + b);
    if (all - br_signal_variation(r, mid) <= 1e-3 * all) b = mid;
    else a = mid;
  }
  return b <= 0.9 * T ? b : NAN;
}

double bri_overshoot(double y0, double rest, double low, double high)
{
  const double way = rest - y0, beyond = way > 0 ? high - rest : rest - low;
  return way == 0 || !isfinite(beyond) ? NAN : fmax(0, beyond / fabs(way));
}

double bri_series_next(const bri_series *s)
{
  return s->used < BRI_SERIES ? s->from + (double)s->used * s->dt : INFINITY;
}

void bri_find_hunting(const bri_series *s, double least, br_control_result *out)
{
  out->hunting = 0;
  out->verdict = BR_HUNTING_UNDECIDED;
  out->amplitude = out->period = NAN;
  if (s->used < 16) return;
  double lo = s->y[0], hi = s->y[0];
  for (size_t i = 0; i < s->used; i++) {
    if (!isfinite(s->y[i])) return;
    lo = fmin(lo, s->y[i]), hi = fmax(hi, s->y[i]);
  }
  const double mid = 0.5 * (lo + hi), band = 0.1 * (hi - lo);
  if (!(0.5 * (hi - lo) > least)) {
    out->verdict = BR_HUNTING_EXCLUDED; /* all motion has ended */
    return;
  }
  /* upward passages of the middle, armed below it; extremes of each period between them */
  enum { MOST = 64 };
  double at[MOST], low[MOST], high[MOST];
  size_t n = 0;
  int armed = 0;
  for (size_t i = 1; i < s->used; i++) {
    const double a = s->y[i - 1], b = s->y[i];
    if (b < mid - band) armed = 1;
    if (n) low[n - 1] = fmin(low[n - 1], b), high[n - 1] = fmax(high[n - 1], b);
    if (!armed || a > mid || b <= mid) continue;
    if (n == MOST) { /* keep the latest */
      memmove(at, at + 1, (MOST - 1) * sizeof *at);
      memmove(low, low + 1, (MOST - 1) * sizeof *low);
      memmove(high, high + 1, (MOST - 1) * sizeof *high);
      n--;
    }
    at[n] = s->from + s->dt * ((double)i - 1 + (mid - a) / (b - a));
    low[n] = high[n] = b;
    n++;
    armed = 0;
  }
  if (n < 4) return;
  const size_t k = n - 1; /* complete periods; the last three must agree */
  const double T = at[k] - at[k - 1], T2 = at[k - 1] - at[k - 2], T3 = at[k - 2] - at[k - 3];
  const double a1 = high[k - 1] - low[k - 1], a3 = high[k - 3] - low[k - 3];
  if (fabs(T - T2) > 0.05 * T || fabs(T2 - T3) > 0.05 * T2 || a1 < 0.95 * a3 || !(0.5 * a1 > least)) return;
  out->hunting = 1;
  out->verdict = BR_HUNTING_FOUND;
  out->amplitude = 0.5 * a1;
  out->period = (at[k] - at[k - 3]) / 3;
}

static br_status check(const br_control_case *j, br_err *err)
{
  const struct {
    const char *name;
    double value;
    int positive;
  } rows[] = {{"t_end", j->t_end, 1},         {"rtol", j->rtol, 0},
              {"sample", j->sample, 0},       {"fixed", j->fixed, 0},
              {"delay", j->delay, 0},         {"noise_accel", j->noise_accel, 0},
              {"output_dt", j->output_dt, 0}, {"window", bri_window_from(j), 0}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (!(rows[i].value >= 0 && isfinite(rows[i].value)) || (rows[i].positive && rows[i].value == 0))
      return bri_fail(err, BR_E_RANGE, "control: %s = %.9g is out of range: must be %s", rows[i].name,
                      rows[i].value, rows[i].positive ? "> 0" : ">= 0");
  if (j->window[1] > j->window[0] && !(j->window[0] < j->t_end))
    return bri_fail(err, BR_E_RANGE, "control: window starts at %.9g s, behind the end at %.9g s",
                    j->window[0], j->t_end);
  if (j->sample == 0 && (j->delay > 0 || j->noise || j->noise_accel > 0))
    return bri_fail(err, BR_E_ARG, "control: delay and noise belong to a sampled loop; give a sample time");
  if (j->fixed > 0 && (j->sample > 0 || j->fixed_order < 1 || j->fixed_order > 4))
    return bri_fail(err, BR_E_ARG, "control: a fixed step is of a continuous loop, its order 1 to 4");
  if (j->fixed > 0 && !(j->t_end / j->fixed < 1e9))
    return bri_fail(err, BR_E_RANGE, "control: %.3g fixed steps: at most 1e9", j->t_end / j->fixed);
  if (j->sample > 0 && !(j->t_end / j->sample < 1e8 && j->delay / j->sample < 1000))
    return bri_fail(err, BR_E_RANGE, "control: %.3g samples, delay of %.3g: at most 1e8 and 1000",
                    j->t_end / j->sample, j->delay / j->sample);
  return BR_OK;
}

br_status br_control_run(const br_control_case *job, br_controller *c, br_control_result *out, br_err *err)
{
  if (!job || !c || !out || !job->sys || !job->spar || !job->mod || !job->mpar || !job->reference)
    return bri_fail(err, BR_E_ARG, "br_control_run: NULL argument");
  memset(out, 0, sizeof *out);
  out->settling_time = out->amplitude = out->period = NAN;
  out->residual = out->multiplier = out->decay = out->t_lost = NAN;
  out->rest_from = out->overshoot = out->rest_error_max = out->rest_error_rms = NAN;
  br_status st = check(job, err);
  if (st) return st;
  if (job->sys->nstate(job->spar) != c->nq ||
      job->mod->nstate(job->mpar) + job->mod->nmode(job->mpar) != c->nz)
    return bri_fail(err, BR_E_ARG, "br_control_run: controller and plant have different states");
  if (job->sample == 0 && (job->update || !br_control_runs_continuous(c->set.kind) ||
                           (bri_law(c->set.kind, BR_DOES_SLIDES) && c->set.phi == 0)))
    return bri_fail(err, BR_E_UNSUPPORTED, "%s here is defined by its samples: give a sample time",
                    job->update ? "a controller handed in" : br_control_name((size_t)c->set.kind));
  bri_series s = {NULL, BRI_SERIES, 0, 0}; /* full: nothing is taken */
  if (job->sample > 0 && bri_rests(job)) {
    s.y = (double *)bri_malloc_array(BRI_SERIES, sizeof *s.y);
    if (!s.y) return bri_fail(err, BR_E_NOMEM, "no memory for a closed loop");
    s.used = 0;
    s.from = 0.5 * job->t_end;
    s.dt = 0.5 * job->t_end / BRI_SERIES;
  }
  br_control_reset(c);
  st = job->sample > 0  ? bri_run_sampled(job, c, &s, out, err)
       : job->fixed > 0 ? bri_run_fixed(job, c, out, err)
                        : bri_run_continuous(job, c, out, err);
  bri_free(s.y);
  return st;
}
