/* SPDX-License-Identifier: Apache-2.0
 * fixed.c - the continuous loop as a simulator with a fixed explicit step sees it: one Runge-Kutta rule, one
 * step length, nothing located, no error control.  It is there to show what such a simulator does to a stiff
 * loop. */
#include <math.h>
#include <string.h>

#include "loop.h"

/* The usual explicit rules of one to four stages, by order: Euler, Heun, Bogacki-Shampine's third, the
 * classical fourth.  a: lower triangle row by row; b: weights; c: where. */
typedef struct {
  size_t stages;
  double a[6], b[4], c[4];
} rule;
static const rule RULES[] = {
    {1, {0}, {1}, {0}},
    {2, {1}, {0.5, 0.5}, {0, 1}},
    {3, {0.5, 0, 0.75}, {2.0 / 9, 1.0 / 3, 4.0 / 9}, {0, 0.5, 0.75}},
    {4, {0.5, 0, 0.5, 0, 0, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, {0, 0.5, 0.5, 1}},
};

static void step(const bri_loop *L, const rule *r, double t, double h, double *x)
{
  double k[4][BRI_LOOP_MAX], at[BRI_LOOP_MAX];
  for (size_t s = 0, row = 0; s < r->stages; row += s, s++) {
    memcpy(at, x, L->n * sizeof *at);
    for (size_t j = 0; j < s; j++)
      for (size_t i = 0; i < L->n; i++) at[i] += h * r->a[row + j] * k[j][i];
    (void)bri_loop_at(L, t + r->c[s] * h, at, k[s]);
  }
  for (size_t s = 0; s < r->stages; s++)
    for (size_t i = 0; i < L->n; i++) x[i] += h * r->b[s] * k[s][i];
}

br_status bri_run_fixed(const br_control_case *job, br_controller *c, br_control_result *out, br_err *err)
{
  bri_loop L;
  br_status st = bri_loop_build(&L, job, c, out, err);
  if (st) return st;
  const rule *r = &RULES[job->fixed_order - 1];
  const double h = job->fixed, from = bri_window_from(job), to = bri_window_to(job);
  const size_t steps = (size_t)ceil(job->t_end / h - 1e-9);
  double x[BRI_LOOP_MAX] = {0}, start = 0;
  size_t row = 0;
  if (job->q0) memcpy(x, job->q0, L.nq * sizeof *x);
  if (job->z0) memcpy(x + L.nq, job->z0, L.nz * sizeof *x);
  L.side = 0; /* by the sign of v */
  for (size_t i = 0; i <= steps; i++) {
    const double t = i == steps ? job->t_end : (double)i * h;
    const bri_loop_point p = bri_loop_at(&L, t, x, NULL);
    const double r_now = br_signal_value(job->reference, t);
    if (!(fabs(p.e) <= 1e3 * (1 + fabs(r_now)))) { /* a NaN has run away too */
      const br_control_row last = {t, r_now, x[c->iy], p.u, p.F, x, x + L.nq};
      out->t_lost = t;
      if (isfinite(p.e) && isfinite(p.u) && job->on_row && job->on_row(job->ctx, &last))
        return BR_INTERRUPTED;
      break;
    }
    out->error_max = fmax(out->error_max, fabs(p.e));
    out->peak_control = fmax(out->peak_control, fabs(p.u));
    out->error_end = p.e, out->t_stop = t;
    if (t <= from) start = x[L.n - 2];
    if (t <= to && t > from) out->error_rms = sqrt(fmax(0, (x[L.n - 2] - start) / (t - from)));
    if (t > 0) out->rms_control = sqrt(x[L.n - 1] / t);
    if (job->output_dt > 0 && job->on_row && (t >= (double)row * job->output_dt - 1e-9 * h || i == steps)) {
      const br_control_row now = {t, r_now, x[c->iy], p.u, p.F, x, x + L.nq};
      if (job->on_row(job->ctx, &now)) return BR_INTERRUPTED;
      row = (size_t)floor(t / job->output_dt + 1e-9) + 1;
    }
    if (job->on_step && i % 4096 == 0 && job->on_step(job->ctx, t)) return BR_INTERRUPTED;
    if (i < steps) step(&L, r, t, fmin(h, job->t_end - t), x);
    out->steps = i + 1;
  }
  return BR_OK;
}
