/* SPDX-License-Identifier: Apache-2.0
 * analysis_bode.c - 'control' with bode: frequency response and margins around sliding and around stick. */
#include <math.h>
#include <stdio.h>

#include "../../core/elementary.h"
#include "analysis.h"
#include "base/alloc.h"

enum { POINTS = 400 };

/* The speed to slide at: as given, else the largest of the reference, else ten Stribeck velocities. */
static double sliding_speed(const bri_control_question *q)
{
  const br_signal *r = q->reference;
  const br_param *vs = br_model_param(q->mod, "vs");
  const int velocity = q->tracked == q->controller.iv;
  double most = br_job_given(q->job, "speed") ? br_job_number(q->job, "speed") : 0;
  for (int i = 0; i <= 1000 && !br_job_given(q->job, "speed"); i++) {
    const double t = q->run.t_end * i / 1000;
    most = fmax(most, fabs(velocity ? br_signal_value(r, t) : br_signal_rate(r, t, 1)));
  }
  if (most > 0) return most;
  return vs && vs->max_len == 1 && q->run.mpar[vs->slot] > 0 ? 10 * q->run.mpar[vs->slot] : 0.01;
}

static br_status put_curve(const bri_control_question *q, const char *name, const char *label,
                           const br_control_linear *l, const br_control_margins *m, br_err *err)
{
  static const br_column COLUMNS[] = {{"frequency", "Hz"}, {"gain", "dB"}, {"phase", "deg"}};
  const double turn = 6.28318530717958647692, deg = 360 / turn;
  char table[32];
  (void)snprintf(table, sizeof table, "bode-%s", name);
  const br_table_head head = {
      .name = table, .shape = BR_TABLE_FILE, .ncol = 3, .columns = COLUMNS, .rows = POINTS, .label = label};
  br_status st = br_put_table(q->out, &head, err);
  double last = 0;
  for (int k = 0; k < POINTS && !st; k++) {
    const double w = m->from * bri_pow(m->to / m->from, (double)k / (POINTS - 1));
    double re, im;
    br_control_response(l, w, &re, &im);
    double phase = bri_atan2(im, re) * deg;
    if (k == 0 && phase > 1) phase -= 360;
    if (k) phase += 360 * round((last - phase) / 360);
    last = phase;
    const double row[] = {w / turn, 20 * bri_log10(bri_hypot(re, im)), phase};
    st = br_put_row(q->out, row, err);
  }
  return st ? st : br_put_end(q->out, err);
}

static void put_margins(const bri_control_question *q, const char *name, const br_control_linear *l,
                        const br_control_margins *m)
{
  br_sink *out = q->out;
  br_put_number(out, "m/s", l->speed, "bode.%s.speed", name);
  br_put_number(out, "rad/s", m->crossover, "bode.%s.crossover", name);
  br_put_number(out, "deg", m->phase_margin, "bode.%s.phase_margin", name);
  br_put_number(out, "s", m->delay_margin, "bode.%s.delay_margin", name);
  br_put_number(out, "1", m->gain_margin, "bode.%s.gain_margin", name);
  br_put_number(out, "1", m->gain_margin_low, "bode.%s.gain_margin_low", name);
  br_put_flag(out, m->stable, "bode.%s.stable", name);
  for (size_t i = 0, k = 0; i < m->npole; i++) {
    if (m->re[i] == 0 && m->im[i] == 0) continue; /* states that the law does not use */
    br_put_number(out, "1/s", m->re[i], "bode.%s.poles.%zu.0", name, k);
    br_put_number(out, "1/s", m->im[i], "bode.%s.poles.%zu.1", name, k++);
  }
}

/* Of a sampled loop the poles of the z plane decide. */
static br_status put_discrete(const bri_control_question *q, const char *name, const br_control_linear *l,
                              br_control_margins *m, br_err *err)
{
  double re[BR_CONTROL_DISCRETE_MAX], im[BR_CONTROL_DISCRETE_MAX];
  size_t n = 0, count = 0;
  const br_status st = br_control_discrete(&q->run, &q->controller, l, &n, re, im, err);
  if (st) return st;
  m->stable = 1;
  for (size_t i = 0; i < n; i++) {
    const double size = bri_hypot(re[i], im[i]);
    if (size > 1 + 1e-9 && bri_hypot(re[i] - 1, im[i]) > 1e-7) m->stable = 0;
    if (size < 1e-12 || bri_hypot(re[i] - 1, im[i]) < 1e-9) continue; /* states that the law does not use */
    br_put_number(q->out, "1", re[i], "bode.%s.discrete_poles.%zu.0", name, count);
    br_put_number(q->out, "1", im[i], "bode.%s.discrete_poles.%zu.1", name, count++);
  }
  return BR_OK;
}

br_status bri_control_ask_bode(bri_control_question *q, br_err *err)
{
  static const char *const NAMES[] = {"sliding", "stick"};
  br_control_linear *l = bri_calloc(1, sizeof *l);
  br_control_margins *m = bri_calloc(1, sizeof *m);
  br_status st = l && m ? BR_OK : BR_E_NOMEM;
  if (st && err) *err = (br_err){BR_E_NOMEM, -1, "control: out of memory"};
  for (int k = 0; k < 2 && !st; k++) {
    br_err why = {BR_OK, -1, ""};
    char label[64];
    st = br_control_linearise(&q->run, &q->controller, k ? 0 : sliding_speed(q), l, &why);
    if (!st) st = br_control_margins_of(l, m, &why);
    if (st == BR_E_UNSUPPORTED || st == BR_E_NAN) { /* the other one may exist */
      br_put_text(q->out, why.msg, "bode.%s.why", NAMES[k]);
      st = BR_OK;
      continue;
    }
    if (st && err) *err = why;
    if (st) break;
    if (l->sample > 0) st = put_discrete(q, NAMES[k], l, m, err);
    if (st) break;
    put_margins(q, NAMES[k], l, m);
    (void)snprintf(label, sizeof label, k ? "stick" : "sliding at %.3g m/s", l->speed);
    if (br_sink_wants(q->out, "bode-sliding")) st = put_curve(q, NAMES[k], label, l, m, err);
  }
  bri_free(l);
  bri_free(m);
  return st;
}
