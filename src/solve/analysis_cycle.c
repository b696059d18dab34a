/* SPDX-License-Identifier: Apache-2.0
 * analysis_cycle.c - 'simulate', the cycle that the motion settles on. */
#include <math.h>
#include <string.h>

#include "analysis_slope.h"
#include "text/stop.h"

static const char NO_THRESHOLD[] =
    "no threshold for the stick fraction: neither vp nor vs says which speed is slow; give --threshold V";

/* The pulling velocity where there is one (it is the section too), otherwise the Stribeck velocity. */
double bri_answer_threshold(const br_job *job, double *level)
{
  const br_system *sys = br_job_system(job);
  const double *held = br_params_block(br_job_params(job), "input");
  double threshold = 0, vs = 0;
  size_t n = 0;
  for (size_t k = 0; k < sys->ninput; k++) {
    if (strcmp(sys->inputs[k].name, "vp") != 0 || br_job_input(job, k)) continue;
    *level = held ? held[k] : sys->inputs[k].def;
    threshold = 0.01 * fabs(*level);
  }
  if (!(threshold > 0) && br_model_param(br_job_model(job), "vs") &&
      !br_params_get(br_job_params(job), "model.vs", 1, &vs, &n, NULL))
    threshold = vs / 10;
  return br_job_given(job, "threshold") ? br_job_number(job, "threshold") : threshold;
}

static br_cycle_settings settings_of(const bri_answer *b)
{
  br_cycle_settings s = br_cycle_settings_default();
  s.threshold = bri_answer_threshold(b->job, &s.level);
  if (b->t_end > 0) s.t_transient = b->t_end;
  return s;
}

static void put(const bri_answer *b, const br_cycle *c, const double *lo, const double *hi)
{
  br_sink *out = b->out;
  const size_t first = bri_answer_first(b);
  const int slow = c->threshold > 0 || (b->slope && !isnan(c->stick_fraction));
  br_put_number(out, "s", c->period, "cycle.period");
  for (size_t i = 0; i < b->nstate + b->nforce; i++) {
    bri_answer_put(b, first + i, lo[i], "cycle.'*_min'");
    bri_answer_put(b, first + i, hi[i], "cycle.'*_max'");
  }
  br_put_number(out, "J", c->friction_work, "cycle.friction_work");
  br_put_number(out, "1", slow ? c->stick_fraction : (double)NAN, "cycle.stick_fraction");
  br_put_number(out, "m/s", slow ? c->threshold : (double)NAN, "cycle.threshold");
  if (!slow) br_put_text(out, NO_THRESHOLD, "cycle.note");
  br_put_number(out, "1", c->residual, "cycle.residual");
  br_put_number(out, "1", c->periods, "cycle.input_periods");
  br_put_number(out, "1", c->returns, "cycle.returns");
  br_put(out, BR_VALUE_LIST, 0, "cycle.multipliers");
  for (size_t i = 0; i < c->multipliers; i++) {
    br_put_number(out, "1", c->re[i], "cycle.multipliers.%zu.0", i);
    br_put_number(out, "1", c->im[i], "cycle.multipliers.%zu.1", i);
  }
}

br_status bri_answer_cycle(bri_answer *b, br_err *err)
{
  const br_cycle_settings cs = settings_of(b);
  br_solve_settings set = b->set;
  br_cycle c;
  set.t_stop = 0;
  memcpy(b->x, br_job_start(b->job, NULL), b->nstate * sizeof *b->x);
  br_status st = br_cycle_find(b->plant, &set, &cs, b->x, &c, b->x, b->lo, b->hi, err);
  if (bri_stopped(&b->out->stop)) st = bri_stop_status(&b->out->stop, "simulate", err);
  const double period = c.period;
  if (!st && b->slope) st = bri_slope_cycle(b, &c, cs.level, b->x, b->lo, b->hi, err);
  if (st) return st;
  put(b, &c, b->lo, b->hi);
  bri_answer_cost(b, &c.stats);
  if (!(b->t_end > 0)) b->t_end = period;
  return BR_OK;
}
