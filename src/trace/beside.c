/* SPDX-License-Identifier: Apache-2.0
 * beside.c - a settled start. */
#include "beside.h"

#include <math.h>
#include <stdio.h>

#include "bristle/trace.h"
#include "signal/samples.h"
#include "text/fail.h"

/* ---- start ---- */

enum { PERIODS = 30 };

/* Period after period until the states repeat. */
static br_status settle_loop(const br_job *job, size_t size, char *how, double *z, br_err *err)
{
  const br_signal *input = br_job_input(job, 0);
  br_trace_options o = br_trace_options_default();
  br_trace *trace = NULL;
  double moved = INFINITY, scale = 0;
  size_t n = 0, k = 0;
  o.t_end = PERIODS * br_signal_period(input);
  o.dt = br_signal_period(input);
  o.load = br_job_number(job, "load");
  o.load_signal = br_job_load(job, 0);
  br_status st = br_trace_create(br_job_model(job), br_job_par(job), &input, &o, &trace, err);
  if (st) return st;
  n = br_trace_states(trace);
  for (const br_trace_row *r = NULL; !(moved <= 1e-10 * scale); k++) {
    st = br_trace_next(trace, &r, err);
    if (st || !r) break;
    moved = k ? 0 : INFINITY;
    for (size_t i = 0; i < n; i++) {
      if (k) moved = fmax(moved, fabs(r->z[i] - z[i]));
      scale = fmax(scale, fabs(r->z[i]));
      z[i] = r->z[i];
    }
    if (n == 0) break;
  }
  br_trace_destroy(trace);
  (void)snprintf(how, size, "starts settled: states of the loop after %zu period%s", k ? k - 1 : 0,
                 k == 2 ? "" : "s");
  return st;
}

br_status bri_trace_settle(const br_job *job, size_t size, char *how, double *z, br_err *err)
{
  const br_signal *input = br_job_input(job, 0);
  size_t n = 0;
  double origin = 0, F = 0;
  if (br_job_inputs(job) > 1)
    return bri_fail(err, BR_E_UNSUPPORTED, "%sinit settled: models with one axis only", br_job_dash(job));
  if (br_signal_period(input) > 0) return settle_loop(job, size, how, z, err);
  (void)bri_signal_samples(input, &n, &origin);
  const double v = br_signal_rate(input, n ? origin : 0, 1);
  (void)snprintf(how, size, "starts settled: at rest, all states zero");
  if (v == 0) return BR_OK;
  (void)snprintf(how, size, "starts settled: steady sliding at the first speed, %.4g m/s", v);
  const br_signal *load = br_job_load(job, 0);
  return br_steady_state(br_job_model(job), br_job_par(job),
                         load ? br_signal_value(load, n ? origin : 0) : br_job_number(job, "load"), v, 0, &F,
                         z, err);
}
