/* SPDX-License-Identifier: Apache-2.0
 * sampled.c - the sampled closed loop: noise on what is measured, delay, limit, input held between samples.
 * The plant itself is integrated exactly as without a controller: reversals, stick and slip are located. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../base/worse.h"
#include "../text/fail.h"
#include "bristle/solve.h"
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
  return sqrt(-2 * log(a)) * cos(6.28318530717958647692 * b);
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
  double row_at;
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
  a->last_e = e, a->last_t = t;
  out->error_end = e;
  out->t_stop = t;
}

static br_status march(sampled *s, bri_series *series, br_control_result *out, br_err *err)
{
  const br_control_case *j = s->job;
  const double h = j->sample, whole = floor(j->delay / h + 1e-9), rest = fmax(0, j->delay - whole * h);
  const size_t steps = (size_t)ceil(j->t_end / h - 1e-9), wait = (size_t)whole;
  tally a = {.entered = NAN};
  double F = 0;
  if (bri_rests(j)) a.band = 0.02 * fabs(br_signal_value(j->reference, j->t_end));
  for (size_t k = 0;; k++) {
    const double t = k == steps ? j->t_end : (double)k * h;
    const br_control_ref ref = {br_signal_value(j->reference, t), br_signal_rate(j->reference, t, 1),
                                br_signal_curvature(j->reference, t, 1)};
    const double y = s->x[s->c->iy], e = ref.r - y;
    a.top = fmax(a.top, fabs(ref.r));
    if (!(fabs(y) < 1e3 * (1 + a.top)))
      return bri_text_fail(err, BR_E_CONVERGE, -1, "the loop runs away: output %.3g at t = %.9g s", y, t);
    while (bri_series_next(series) <= t) series->y[series->used++] = y; /* to the next sample */
    br_solver_rate(s->solver, s->dx);
    s->ring[k % RING] = k < steps ? sample_once(s, &ref) : s->in.u;
    const double before = s->in.u, after = k >= wait ? s->ring[(k - wait) % RING] : 0;
    if (k < steps && !(rest > 0)) s->in.u = after;
    take(s, &a, t, e, s->in.u, out);
    if (j->output_dt > 0 && j->on_row && (t >= (double)a.row * j->output_dt - 1e-9 * h || k == steps)) {
      br_solver_force(s->solver, &F);
      const br_control_row r = {t, ref.r, y, s->in.u, F};
      if (j->on_row(j->ctx, &r)) return BR_INTERRUPTED;
      a.row = (size_t)floor(t / j->output_dt + 1e-9) + 1;
    }
    if (k == steps) break;
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
  out->settling_time = isnan(a.entered) ? NAN : fmax(0, a.entered - bri_rest_begins(j));
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
  br_status st = br_plant_create(job->sys, job->spar, job->mod, job->mpar, &drive, &plant, err);
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
    st = bri_text_fail(err, BR_E_SIZE, -1, "plant of %zu states is too large", s.nx);
  if (!st && job->q0) memcpy(s.x, job->q0, c->nq * sizeof *s.x);
  if (!st && job->z0) memcpy(s.x + s.iz, job->z0, c->nz * sizeof *s.x);
  if (!st) st = br_solver_create(plant, &set, &s.solver, err);
  if (!st) st = br_solver_start(s.solver, 0, s.x, err);
  if (!st) st = march(&s, series, out, err);
  out->reversals = (size_t)s.side;
  if (s.solver) out->steps = br_solver_stats(s.solver).steps;
  br_solver_destroy(s.solver);
  br_plant_destroy(plant);
  return st;
}
