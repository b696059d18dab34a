/* SPDX-License-Identifier: Apache-2.0
 * beside.c - a settled start, and the measured force beside the computed one. */
#include "beside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
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
    return bri_text_fail(err, BR_E_UNSUPPORTED, -1, "%sinit settled: models with one axis only",
                         br_job_dash(job));
  if (br_signal_period(input) > 0) return settle_loop(job, size, how, z, err);
  (void)bri_signal_samples(input, &n, &origin);
  const double v = br_signal_rate(input, n ? origin : 0, 1);
  (void)snprintf(how, size, "starts settled: at rest, all states zero");
  if (v == 0) return BR_OK;
  (void)snprintf(how, size, "starts settled: steady sliding at the first speed, %.4g m/s", v);
  return br_steady_state(br_job_model(job), br_job_par(job), br_job_number(job, "load"), v, 0, &F, z, err);
}

/* ---- measured ---- */

br_status bri_measured_open(const br_job *job, bri_measured *m, br_err *err)
{
  const br_signal_need motion = br_job_need(job, 0), force = {"N", "the measured force", 1, motion.decimal};
  size_t n = 0;
  double origin = 0;
  memset(m, 0, sizeof *m);
  if (!br_job_given(job, "measured")) return BR_OK;
  if (br_job_inputs(job) > 1)
    return bri_text_fail(err, BR_E_UNSUPPORTED, -1, "%smeasured: models with one axis only",
                         br_job_dash(job));
  br_err why = {BR_OK, -1, ""};
  const br_status st =
      br_signal_beside(br_job_spec(job, 0), &motion, br_job_text(job, "measured"), &force, &m->force, &why);
  if (st) return bri_text_fail(err, st, -1, "%smeasured: %.230s", br_job_dash(job), why.msg);
  const double *s = bri_signal_samples(m->force, &n, &origin);
  if (br_signal_timeless(m->force) != br_signal_timeless(br_job_input(job, 0)) || !s) {
    bri_measured_close(m);
    return bri_text_fail(err, BR_E_ARG, -1, "%smeasured: a force %s time along a motion %s", br_job_dash(job),
                         s ? "with" : "without", s ? "without" : "with time");
  }
  m->from = origin + s[0], m->to = origin + s[n - 1];
  return BR_OK;
}

void bri_measured_row(bri_measured *m, double t, double u, double F)
{
  const double slack = 1e-12 * (fabs(m->from) + fabs(m->to)), measured = br_signal_value(m->force, t);
  if (!(t >= m->from - slack && t <= m->to + slack)) return;
  double *rows = bri_grown(m->rows, m->n, &m->room, 5 * sizeof *rows);
  if (!rows) {
    m->failed = 1;
    return;
  }
  m->rows = rows;
  const double row[5] = {t, u, measured, F, F - measured};
  memcpy(rows + 5 * m->n++, row, sizeof row);
  bri_compare_add(&m->sums, u, F, measured);
}

static br_status put_table(const bri_measured *m, int path, br_sink *out, br_err *err)
{
  const br_column columns[5] = {{path ? "row" : "t", path ? "1" : "s", "measured.t"},
                                {"u", "m", "measured.u"},
                                {"F", "N", "measured.F"},
                                {"model", "N", "measured.model"},
                                {"residual", "N", "measured.residual"}};
  const br_table_head head = {
      path ? "measured_path" : "measured", BR_TABLE_FILE | BR_TABLE_ARRAYS, 5, columns, m->n, NULL, NULL};
  br_status st = br_put_table(out, &head, err);
  for (size_t i = 0; i < m->n && !st; i++) st = br_put_row(out, m->rows + 5 * i, err);
  return st ? st : br_put_end(out, err);
}

br_status bri_measured_put(bri_measured *m, int path, br_sink *out, br_err *err)
{
  bri_comparison c;
  if (!m->force) return BR_OK;
  br_status st = bri_compare_end(&m->sums, &c, err);
  if (!st && m->failed) st = bri_text_fail(err, BR_E_NOMEM, -1, "measured: out of memory");
  if (!st) st = put_table(m, path, out, err);
  if (st) return st;
  br_put_number(out, "1", (double)c.samples, "measured.samples");
  br_put_number(out, "N", c.rms, "measured.rms");
  br_put_number(out, "1", c.relative, "measured.relative");
  br_put_number(out, "N", c.bias, "measured.bias");
  br_put_number(out, "N", c.largest, "measured.max");
  br_put_number(out, "J", c.work_model, "measured.work.model");
  br_put_number(out, "J", c.work_measured, "measured.work.measured");
  br_put_number(out, "1", (double)c.cycles, "measured.cycle.count");
  br_put_number(out, "J", c.cycle_model, "measured.cycle.model");
  br_put_number(out, "J", c.cycle_measured, "measured.cycle.measured");
  for (size_t i = 0; br_signal_note(m->force, i); i++)
    br_put_text(out, br_signal_note(m->force, i), "measured.data.%zu", i);
  return BR_OK;
}

void bri_measured_close(bri_measured *m)
{
  br_signal_destroy(m->force);
  bri_free(m->sums.rows);
  bri_free(m->rows);
  memset(m, 0, sizeof *m);
}
