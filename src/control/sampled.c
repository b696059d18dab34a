/* SPDX-License-Identifier: Apache-2.0
 * sampled.c - the sampled closed loop: noise on what is measured, delay, limit, input held between samples.
 * The plant itself is integrated exactly as without a controller: reversals, stick and slip are located. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../base/worse.h"
#include "../text/fail.h"
#include "../solve/varied.h"
#include "run.h"
#include "../base/team.h"

enum { RING = 1024 }; /* samples a control value may wait */

/* The held input; `next` is where it may change. */
typedef struct {
  double u, next;
} held;

static void held_eval(const void *ctx, double t, int side, double *w, double *dw)
{
  (void)t, (void)side;
  *w = ((const held *)ctx)->u;
  *dw = 0;
}

static double held_corner(const void *ctx, double t)
{
  const held *h = (const held *)ctx;
  return h->next > t ? h->next : INFINITY;
}

/* Box-Muller: the same noise for the same seed. */
static double gauss(uint64_t *s)
{
  const double a = bri_uniform(s), b = bri_uniform(s);
  return sqrt(-2 * bri_log(a)) * bri_cos(6.28318530717958647692 * b);
}

typedef struct {
  const br_control_case *job;
  br_controller *c;
  br_solver *solver;
  held in;
  double ring[RING];
  uint64_t noise;
  int side;
  size_t nx, iz; /* states of the plant, first bristle state */
  double x[64], dx[64];
} sampled;

static int on_event(void *ctx, const br_event *ev)
{
  sampled *s = (sampled *)ctx;
  if (ev->type == BR_EVENT_REVERSAL) s->side++;
  return 0;
}

/* One sample: measure, compute. */
static double sample_once(sampled *s, const br_control_ref *ref)
{
  const br_control_case *j = s->job;
  double q[BR_CONTROL_MAX_Q], z[BR_CONTROL_MAX_Z];
  for (size_t i = 0; i < s->c->nq; i++) {
    q[i] = s->x[i];
    if (j->noise && j->noise[i] > 0) q[i] += j->noise[i] * gauss(&s->noise);
  }
  for (size_t i = 0; i < s->c->nz; i++) z[i] = s->x[s->iz + i] * (j->z_scale != 0 ? j->z_scale : 1);
  double accel = s->dx[s->c->iv];
  if (j->noise_accel > 0) accel += j->noise_accel * gauss(&s->noise);
  const br_control_meas meas = {q, z, accel, 0};
  if (j->update) return j->update(j->ctx, ref, &meas, j->sample);
  return br_control_update(s->c, ref, &meas, j->sample);
}

static br_status go(sampled *s, double t, br_err *err)
{
  s->in.next = t;
  return br_solver_advance(s->solver, t, s->x, err);
}

/* What is measured along the samples. */
typedef struct {
  double sum_e, sum_u, span, band, entered, last_e, last_t;
  double top; /* largest |r|: an output a thousand times beyond it has run away */
  double rest, low, high, most, sum, rested; /* since the reference rests: s; y, |e|, integral of e^2, s */
  size_t row;
} tally;

static void take(sampled *s, tally *a, double t, double e, double u, br_control_result *out)
{
  const br_control_case *j = s->job;
  const double from = bri_window_from(j), to = bri_window_to(j), dt = t - a->last_t, tiny = 1e-9 * j->sample;
  if (dt > 0 && a->last_t >= from - tiny && t <= to + tiny) {
    a->sum_e += 0.5 * dt * (e * e + a->last_e * a->last_e);
    a->span += dt;
  }
  out->error_max = bri_worse(out->error_max, fabs(e));
  out->peak_control = bri_worse(out->peak_control, fabs(u));
  if (a->band > 0) {
    if (fabs(e) > a->band) a->entered = NAN;
    else if (isnan(a->entered)) {
      const double p = fabs(a->last_e), f = dt > 0 && p > a->band ? (p - a->band) / (p - fabs(e)) : 0;
      a->entered = t - dt + dt * f;
    }
  }
  if (t >= a->rest - tiny) {
    const double y = s->x[s->c->iy];
    if (a->last_t >= a->rest - tiny) a->sum += 0.5 * dt * (e * e + a->last_e * a->last_e), a->rested += dt;
    a->low = fmin(a->low, y), a->high = fmax(a->high, y), a->most = bri_worse(a->most, fabs(e));
  }
  a->last_e = e, a->last_t = t;
  out->error_end = e;
  out->t_stop = t;
}

static br_status march(sampled *s, bri_series *series, double *half, br_control_result *out, br_err *err)
{
  const br_control_case *j = s->job;
  const double h = j->sample, whole = floor(j->delay / h + 1e-9), rest = fmax(0, j->delay - whole * h);
  const size_t steps = (size_t)ceil(j->t_end / h - 1e-9), wait = (size_t)whole;
  const double rest_from = bri_rest_from(j), level = br_signal_value(j->reference, j->t_end),
               y0 = s->x[s->c->iy];
  tally a = {
      .entered = NAN, .rest = isnan(rest_from) ? INFINITY : rest_from, .low = INFINITY, .high = -INFINITY};
  double F = 0;
  if (!isnan(rest_from)) a.band = 0.02 * fabs(level);
  for (size_t k = 0;; k++) {
    const double t = k == steps ? j->t_end : (double)k * h;
    const br_control_ref ref = {br_signal_value(j->reference, t), br_signal_rate(j->reference, t, 1),
                                br_signal_curvature(j->reference, t, 1)};
    const double y = s->x[s->c->iy], e = ref.r - y;
    a.top = fmax(a.top, fabs(ref.r));
    if (!(fabs(y) < 1e3 * (1 + a.top)))
      return bri_fail(err, BR_E_CONVERGE, "the loop runs away: output %.3g at t = %.9g s", y, t);
    while (bri_series_next(series) <= t) series->y[series->used++] = y; /* to the next sample */
    br_solver_rate(s->solver, s->dx);
    s->ring[k % RING] = k < steps ? sample_once(s, &ref) : s->in.u;
    const double before = s->in.u, after = k >= wait ? s->ring[(k - wait) % RING] : 0;
    if (k < steps && !(rest > 0)) s->in.u = after;
    take(s, &a, t, e, s->in.u, out);
    if (j->output_dt > 0 && j->on_row && (t >= (double)a.row * j->output_dt - 1e-9 * h || k == steps)) {
      br_solver_force(s->solver, &F);
      const br_control_row r = {t, ref.r, y, s->in.u, F, s->x, s->x + s->c->nq};
      if (j->on_row(j->ctx, &r)) return BR_INTERRUPTED;
      a.row = (size_t)floor(t / j->output_dt + 1e-9) + 1;
    }
    if (k == steps) break;
    if (k == steps / 2) *half = s->c->mem.x[s->c->nz];
    const double next = k + 1 == steps ? j->t_end : (double)(k + 1) * h;
    const int split = rest > 0 && t + rest < next;
    br_status st = BR_OK;
    if (k == 0) { /* the plant starts under the first control: that decides whether it sticks */
      s->in.next = split ? t + rest : next;
      st = br_solver_start(s->solver, 0, s->x, err);
    }
    if (!st && split) {
      st = go(s, t + rest, err);
      s->in.u = after;
      out->peak_control = bri_worse(out->peak_control, fabs(after));
      a.sum_u += rest * before * before - rest * after * after;
    }
    if (!st) st = go(s, next, err);
    a.sum_u += (next - t) * s->in.u * s->in.u;
    if (!st && (k & 255) == 0 && j->on_step && j->on_step(j->ctx, t)) st = BR_INTERRUPTED;
    if (st) return st;
  }
  out->error_rms = a.span > 0 ? sqrt(a.sum_e / a.span) : NAN;
  out->rms_control = sqrt(fmax(0, a.sum_u) / j->t_end);
  out->settling_time = isnan(a.entered) ? NAN : fmax(0, a.entered - rest_from);
  out->rest_from = rest_from;
  if (isnan(rest_from)) return BR_OK;
  out->overshoot = bri_overshoot(y0, level, a.low, a.high);
  out->rest_error_max = a.most;
  out->rest_error_rms = a.rested > 0 ? sqrt(a.sum / a.rested) : NAN;
  return BR_OK;
}

/* ---- behind the end: does it hunt? ---- */

/* One window of n samples with the reference at rest: y into the series, its extremes, and how far the
 * integral moves. */
static br_status watch(sampled *s, double *t, size_t n, double rest, bri_series *series, double *lo,
                       double *hi, double *drift, br_err *err)
{
  const br_control_case *j = s->job;
  const br_control_ref ref = {rest, 0, 0};
  const double begin = *t, before = s->c->mem.x[s->c->nz];
  br_status st = BR_OK;
  series->used = 0, series->from = begin, series->dt = (double)n * j->sample / BRI_SERIES;
  *lo = INFINITY, *hi = -INFINITY;
  for (size_t k = 0; k < n && !st; k++) {
    const double y = s->x[s->c->iy];
    while (bri_series_next(series) <= *t) series->y[series->used++] = y;
    *lo = fmin(*lo, y), *hi = fmax(*hi, y);
    br_solver_rate(s->solver, s->dx);
    s->in.u = sample_once(s, &ref);
    *t = begin + (double)(k + 1) * j->sample;
    st = go(s, *t, err);
    if (!st && (k & 255) == 0 && j->on_step && j->on_step(j->ctx, j->t_end)) st = BR_INTERRUPTED;
  }
  *drift = fabs(s->c->mem.x[s->c->nz] - before) / (fabs(before) + 1e-9);
  return st;
}

/* Where the run itself leaves it open, it goes on over windows of doubling length, without delay, until three
 * periods agree, all motion has ended (that of the integral too), or the error keeps falling below what a
 * break-away releases. */
static br_status decide(sampled *s, bri_series *series, br_control_result *out, br_err *err)
{
  enum { WINDOWS = 12, MOST_SAMPLES = 1000000 };
  const br_control_case *j = s->job;
  const double rest = br_signal_value(j->reference, j->t_end), least = 1e-6 * (1e-3 + fabs(rest));
  double t = j->t_end, most[WINDOWS], lo = 0, hi = 0, drift = 0;
  size_t n = (size_t)ceil(0.5 * j->t_end / j->sample), used = 0;
  int falls = 0;
  for (int k = 0; k < WINDOWS && (used += n) <= MOST_SAMPLES; k++, n *= 2) {
    const br_status st = watch(s, &t, n, rest, series, &lo, &hi, &drift, err);
    if (st == BR_E_CONVERGE || st == BR_E_NAN) return BR_OK; /* stays open */
    if (st) return st;
    most[k] = fmax(fabs(rest - lo), fabs(hi - rest));
    if (!(most[k] < 1e3 * (1 + fabs(rest)))) return out->verdict = BR_HUNTING_GROWS, BR_OK;
    bri_find_hunting(series, least, out);
    if (out->verdict == BR_HUNTING_FOUND || (out->verdict == BR_HUNTING_EXCLUDED && drift <= 1e-6))
      return BR_OK;
    out->verdict = BR_HUNTING_UNDECIDED;
    falls = k > 1 && most[k] < 0.6 * most[k - 2] ? falls + 1 : 0;
    if (falls < 3 || most[k] > bri_released(j, s->c, rest, s->x, s->x + s->iz, s->c->mem.x)) continue;
    out->verdict = BR_HUNTING_EXCLUDED;
    out->decay = sqrt(most[k] / most[k - 2]);
    return BR_OK;
  }
  return BR_OK;
}

br_status bri_run_sampled(const br_control_case *job, br_controller *c, bri_series *series,
                          br_control_result *out, br_err *err)
{
  sampled s;
  br_plant *plant = NULL;
  memset(&s, 0, sizeof s);
  s.job = job, s.c = c;
  s.noise = job->seed;
  const br_drive drive = {0, held_eval, held_corner, 0, &s.in};
  br_status st = job->varies ? bri_plant_like(job->varies, &drive, &plant, err)
                             : br_plant_create(job->sys, job->spar, job->mod, job->mpar, &drive, &plant, err);
  if (st) return st;
  s.nx = br_plant_nstate(plant);
  s.iz = s.nx - c->nz;
  br_solve_settings set = br_solve_settings_default();
  set.rtol = job->rtol > 0 ? job->rtol : 1e-10;
  set.on_event = on_event;
  set.ctx = &s;
  set.untimed = 1;
  s.in.next = job->sample;
  if (s.nx > sizeof s.x / sizeof s.x[0])
    st = bri_fail(err, BR_E_SIZE, "plant of %zu states is too large", s.nx);
  if (!st && job->q0) memcpy(s.x, job->q0, c->nq * sizeof *s.x);
  if (!st && job->z0) memcpy(s.x + s.iz, job->z0, c->nz * sizeof *s.x);
  if (!st) st = br_solver_create(plant, &set, &s.solver, err);
  if (!st) st = br_solver_start(s.solver, 0, s.x, err);
  double half = 0; /* the integral in the middle of the run */
  if (!st) st = march(&s, series, &half, out, err);
  out->reversals = (size_t)s.side;
  if (s.solver) out->steps = br_solver_stats(s.solver).steps;
  if (!st && series->y) {
    const double level = fabs(br_signal_value(job->reference, job->t_end)), now = c->mem.x[c->nz];
    bri_find_hunting(series, 1e-6 * (1e-3 + level), out);
    const int creeps = out->verdict == BR_HUNTING_EXCLUDED && !job->update &&
                       fabs(now - half) > 1e-6 * (fabs(half) + 1e-9); /* the integral will break the stick */
    if (job->judge && !job->update && (creeps || out->verdict == BR_HUNTING_UNDECIDED))
      st = decide(&s, series, out, err);
  }
  br_solver_destroy(s.solver);
  br_plant_destroy(plant);
  return st;
}
