/* SPDX-License-Identifier: Apache-2.0
 * analysis_tune.c - 'control' with tune: better gains for a case, judged on another one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis.h"
#include "base/alloc.h"
#include "text/fail.h"

enum { GAINS = 8 };

typedef struct {
  bri_control_names gains, wrong;
  br_control_settings better;
  br_control_tuning what;
  br_control_tuned found;
  br_control_case job;
  br_signal *other;                /* reference of the validation */
  br_control_result before, after; /* there; error_rms INFINITY: runs away */
} tuning;

static br_status read_gains(const bri_control_question *q, tuning *t, br_err *err)
{
  const char *name = NULL;
  if (strcmp(br_job_text(q->job, "tune"), "all") != 0)
    return bri_control_read_names(q->job, "tune", GAINS, &t->gains, err);
  while (t->gains.n < GAINS && (name = br_control_gain_name(&q->set, t->gains.n)) != NULL)
    t->gains.list[t->gains.n++] = name;
  return BR_OK;
}

/* The nominal case along the other reference, with the given gains. */
static br_status validate(bri_control_question *q, const tuning *t, const br_control_settings *set,
                          br_control_result *out, br_err *err)
{
  br_control_case job = t->job;
  br_controller *c = &q->controller;
  job.reference = t->other;
  br_status st = br_control_init(c, set, c->sys, c->spar, c->mod, c->mpar, q->mpair, q->tracked, err);
  if (!st) st = br_control_run(&job, c, out, err);
  if (st != BR_E_CONVERGE && st != BR_E_NAN) return st;
  out->error_rms = INFINITY;
  return BR_OK;
}

static void put_values(bri_control_question *q, tuning *t)
{
  br_sink *out = q->out;
  br_put_number(out, "1", t->found.before, "cost_before");
  br_put_number(out, "1", t->found.after, "cost_after");
  br_put_number(out, "1", (double)t->found.evaluations, "evaluations");
  br_put_flag(out, t->found.converged, "converged");
  br_put(out, BR_VALUE_OBJECT, 0, "gains");
  for (size_t i = 0; i < t->gains.n; i++) {
    char start[80];
    br_put_number(out, "1", *br_control_gain_find(&t->better, t->gains.list[i]), "gains.%s",
                  t->gains.list[i]);
    (void)snprintf(start, sizeof start, "start_%s", t->gains.list[i]);
    br_put(out, BR_VALUE_ASIDE, *br_control_gain_find(&q->set, t->gains.list[i]), start);
  }
  if (!t->other) return;
  br_put_number(out, q->y_unit, t->before.error_rms, "validation.error_rms_before");
  br_put_number(out, q->y_unit, t->after.error_rms, "validation.error_rms_after");
  br_put_number(out, q->u_unit, t->before.rms_control, "validation.rms_control_before");
  br_put_number(out, q->u_unit, t->after.rms_control, "validation.rms_control_after");
}

static br_status tune(bri_control_question *q, tuning *t, br_err *err)
{
  br_status st = read_gains(q, t, err);
  if (!st) st = bri_control_read_uncertain(q, &t->wrong, err);
  if (!st && br_job_given(q->job, "validate")) st = bri_control_read_reference(q, "validate", &t->other, err);
  if (st) return st;
  t->job = q->run;
  t->job.output_dt = 0;
  if (!(t->job.rtol > 0)) t->job.rtol = q->run.sample > 0 ? 1e-6 : 1e-8;
  t->what = br_control_tuning_default();
  t->what.threads = (int)br_job_count(q->job, "threads");
  t->what.job = &t->job, t->what.tracked = q->tracked;
  t->what.gains = t->gains.list, t->what.ngain = t->gains.n;
  t->what.part = br_job_number(q->job, "part");
  t->what.weight = br_job_number(q->job, "cost");
  if (br_job_given(q->job, "uncertain")) t->what.names = t->wrong.list, t->what.n = t->wrong.n;
  t->what.progress = bri_control_progress, t->what.ctx = q;
  t->better = q->set;
  st = br_control_tune(&t->what, &t->better, &t->found, err);
  if (!st && t->other) st = validate(q, t, &q->set, &t->before, err);
  if (!st && t->other) st = validate(q, t, &t->better, &t->after, err);
  if (!st) put_values(q, t);
  return st;
}

br_status bri_control_ask_tune(bri_control_question *q, br_err *err)
{
  tuning *t = bri_calloc(1, sizeof *t);
  if (!t) return bri_no_memory(err, "control");
  const br_status st = tune(q, t, err);
  br_signal_destroy(t->other);
  bri_free(t);
  return st;
}
