/* SPDX-License-Identifier: Apache-2.0
 * analysis_run.c - 'control', the single run: rows, gains in use, errors, verdicts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "analysis.h"
#include "rows.h"
#include "text/fail.h"

static int on_row(void *ctx, const br_control_row *r)
{
  bri_control_question *q = ctx;
  if (q->measured.record) {
    const double x = q->compared == 2 ? r->y : q->compared == 4 ? r->u : r->F, pair[2] = {x, 0};
    bri_measured_row(&q->measured, r->t, x, pair, 2, r->y);
  }
  return q->rows ? bri_control_rows_put(q->rows, r) : 0;
}

/* "u:force": a quantity of the table, and a column of the record that is the reference, or a file of its own.
 * */
static br_status open_measured(bri_control_question *q, br_err *err)
{
  const char *text = br_job_text(q->job, "measured");
  const int named = text && text[0] && text[1] == ':' && strchr("yuF", text[0]);
  const char what = text && named ? text[0] : 'y';
  const int rotary = (q->sys->flags & BR_SYSTEM_ROTARY) != 0;
  if (!text) return BR_OK;
  q->compared = what == 'y' ? 2 : what == 'u' ? 4 : 5;
  const char name[2] = {what, '\0'};
  const bri_measured_kind kind = {what == 'y'   ? "y"
                                  : what == 'u' ? "u"
                                                : "F",
                                  what == 'y'   ? q->y_unit
                                  : what == 'u' ? q->u_unit
                                  : rotary      ? "N m"
                                                : "N",
                                  "what was measured",
                                  NULL,
                                  NULL,
                                  rotary,
                                  BR_TABLE_FILE};
  const br_signal_need need = bri_control_need(q, "reference");
  br_err why = {BR_OK, -1, ""};
  const br_status st = bri_measured_beside(q->job, br_job_text(q->job, "reference"), &need, q->reference,
                                           text + (named ? 2 : 0), &kind, &q->measured, &why);
  if (st)
    return bri_fail(err, st, "%.220s; compared with %s, %smeasured y: u: or F: in front takes another",
                    why.msg, name, br_job_dash(q->job));
  if (!br_job_given(q->job, "output-dt") && q->run.t_end / q->measured.step < 1e6)
    q->run.output_dt = q->measured.step;
  return BR_OK;
}

static int on_step(void *ctx, double t)
{
  bri_control_question *q = ctx;
  return br_sink_alive(q->out, t / q->run.t_end, NULL) != BR_OK;
}

/* Why the published law errs, with the size of it: far beyond vs the level g is Fc. */
static void put_note(const bri_control_question *q)
{
  double x[4] = {NAN, NAN, NAN, NAN};
  static const char *const names[] = {"sigma1", "delta", "m", "vs"};
  char power[32] = "", text[512];
  size_t n = 0;
  if (q->set.law != BR_LAW_PUBLISHED) return;
  for (int i = 0; i < 4; i++)
    if (br_params_get(q->belief, names[i], 1, &x[i], &n, NULL)) x[i] = NAN;
  if (x[1] != 1) (void)snprintf(power, sizeof power, "^%g", x[1]);
  (void)snprintf(
      text, sizeof text,
      "law published: the last simplification of dA/dt is wrong, it multiplies Fc by 1 + delta "
      "|v/vs|^delta as well; the loop then obeys e'' + (k2 + D) e' + k1 e = D r' with a fake damping D = "
      "sigma1 delta |v/vs|^delta Fc / (m g), about %.4g |v|%s, which leaves an error on every moving "
      "reference; --law corrected has none",
      x[0] * x[1] / (x[2] * bri_pow(x[3], x[1])), power);
  br_put_text(q->out, text, "note");
}

/* What the law works with, once it is fitted: poles it places, gains it uses. */
static void put_gains(const bri_control_question *q)
{
  br_control_settings set = q->controller.set;
  const size_t poles = br_control_places_poles(set.kind) ? q->controller.degree + (set.integral != 0) : 0;
  const char *name = NULL, *unit = NULL;
  double *value = NULL;
  br_put(q->out, BR_VALUE_LIST, 0, "poles");
  for (size_t i = 0; i < poles; i++) br_put_number(q->out, "1/s", set.poles[i], "poles.%zu", i);
  for (size_t i = 0; br_control_gain(&set, i, &name, &value, &unit, NULL); i++)
    if (br_control_uses(set.kind, name)) br_put_number(q->out, "", *value, "gains.%s", name);
}

static void put_values(const bri_control_question *q, const br_control_result *r)
{
  static const char *const verdicts[] = {"not asked", "found", "excluded", "undecided", "grows"};
  br_sink *out = q->out;
  br_put_number(out, q->y_unit, r->error_rms, "error_rms");
  br_put_number(out, q->y_unit, r->error_max, "error_max");
  br_put_number(out, q->y_unit, r->error_end, "error_end");
  br_put_number(out, "s", r->settling_time, "settling_time");
  br_put_number(out, "1", r->overshoot, "overshoot");
  br_put_number(out, "s", r->rest_from, "rest.from");
  br_put_number(out, q->y_unit, r->rest_error_max, "rest.error_max");
  br_put_number(out, q->y_unit, r->rest_error_rms, "rest.error_rms");
  put_gains(q);
  br_put_number(out, q->u_unit, r->peak_control, "peak_control");
  br_put_number(out, q->u_unit, r->rms_control, "rms_control");
  br_put_flag(out, r->hunting, "hunting.found");
  br_put_number(out, q->y_unit, r->amplitude, "hunting.amplitude");
  br_put_number(out, "s", r->period, "hunting.period");
  br_put_text(out, verdicts[r->verdict], "hunting.verdict");
  br_put_number(out, "1", r->residual, "hunting.residual");
  br_put_number(out, "1", r->multiplier, "hunting.multiplier");
  br_put_number(out, "1", r->decay, "hunting.decay");
  br_put_number(out, "1", q->controller.degree, "relative_degree");
  br_put_number(out, "", -q->controller.b, "gamma");
  if (q->run.fixed > 0) br_put_number(out, "s", r->t_lost, "lost");
  put_note(q);
  br_put(out, BR_VALUE_ASIDE, (double)r->steps, "steps");
  br_put(out, BR_VALUE_ASIDE, (double)r->reversals, "reversals");
  const br_value end = {BR_VALUE_ASIDE, r->t_stop, NULL, "s"};
  br_put_value(out, &end, "t_stop");
}

br_status bri_control_ask_once(bri_control_question *q, br_err *err)
{
  bri_control_rows table;
  const int rows = br_sink_wants(q->out, "control");
  br_control_result result;
  br_status st = open_measured(q, err);
  if (!st && rows) st = bri_control_rows_open(q, &table, err);
  q->rows = rows ? &table : NULL;
  if (rows || q->measured.record) q->run.on_row = on_row;
  q->run.on_step = on_step;
  if (q->run.sample > 0) br_sink_amount(q->out, q->run.t_end / q->run.sample, "samples", 1e-6);
  if (!st) st = br_control_run(&q->run, &q->controller, &result, err);
  if (q->stopped) {
    if (err) *err = q->why;
    return q->stopped;
  }
  if (!st && rows) st = br_put_end(q->out, err);
  if (!st) put_values(q, &result);
  return st ? st : bri_measured_put(&q->measured, 0, q->out, err);
}
