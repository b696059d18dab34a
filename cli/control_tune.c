/* SPDX-License-Identifier: Apache-2.0
 * control_tune.c - bristle control --tune: better gains for a case, judged on another one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control_job.h"
#include "json.h"
#include "progress.h"

enum { GAINS = 8 };

typedef struct {
  char text[256];
  const char *gains[GAINS];
  size_t n;
  br_control_settings better;
  br_control_tuning what;
  br_control_tuned found;
  control_uncertain wrong;
  br_control_case job;
  br_signal *other;                /* reference of the validation */
  br_control_result before, after; /* there; error_rms INFINITY: runs away */
} tuning;

static int read_gains(const control_job *b, tuning *t)
{
  const cli_command *c = b->call->command;
  const char *list = control_option(b, CONTROL_O_TUNE)->text;
  if (strcmp(list, "all") == 0) {
    const char *name;
    while (t->n < GAINS && (name = br_control_gain_name(&b->set, t->n)) != NULL) t->gains[t->n++] = name;
    return CLI_OK;
  }
  if (strlen(list) >= sizeof t->text) return cli_usage(c, "--tune: the list is too long");
  (void)snprintf(t->text, sizeof t->text, "%s", list);
  for (char *p = t->text, *next; p; p = next) {
    next = strchr(p, ',');
    if (next) *next++ = '\0';
    if (!*p) return cli_usage(c, "--tune %s: an empty name", list);
    if (t->n == GAINS) return cli_usage(c, "--tune: more than %d gains", (int)GAINS);
    t->gains[t->n++] = p;
  }
  return CLI_OK;
}

/* The nominal case along the other reference, with the given gains. */
static br_status validate(control_job *b, const tuning *t, const br_control_settings *set,
                          br_control_result *out, br_err *err)
{
  br_control_case job = t->job;
  br_controller *c = &b->controller;
  job.reference = t->other;
  br_status st = br_control_init(c, set, c->sys, c->spar, c->mod, c->mpar, b->mpair, b->tracked, err);
  if (!st) st = br_control_run(&job, c, out, err);
  if (st != BR_E_CONVERGE && st != BR_E_NAN) return st;
  out->error_rms = INFINITY;
  return BR_OK;
}

static void print_number(const char *what, double before, double after)
{
  (void)printf("  %-22s", what);
  if (isinf(before)) (void)printf(" runs away");
  else (void)printf(" %.6g", before);
  if (isinf(after)) (void)printf(" -> runs away\n");
  else (void)printf(" -> %.6g\n", after);
}

static void print_summary(control_job *b, tuning *t)
{
  const br_control_tuned *r = &t->found;
  (void)printf("%s: cost rms e + %g rms u, mean of %s and wrong parameters (+-%g %%): %zu evaluations%s\n",
               br_control_name((size_t)b->set.kind), t->what.weight, "the nominal case", 100 * t->what.part,
               r->evaluations, r->converged ? "" : ", not converged");
  print_number("cost", r->before, r->after);
  for (size_t i = 0; i < t->n; i++)
    print_number(t->gains[i], *br_control_gain_find(&b->set, t->gains[i]),
                 *br_control_gain_find(&t->better, t->gains[i]));
  if (!t->other) return;
  (void)printf("on %s, which the search has not seen:\n",
               cli_shown(control_option(b, CONTROL_O_VALIDATE)->text));
  print_number("rms error", t->before.error_rms, t->after.error_rms);
  print_number("rms control", t->before.rms_control, t->after.rms_control);
}

static int print_json(tuning *t)
{
  json j;
  json_init(&j);
  json_object(&j, NULL);
  json_number(&j, "cost_before", t->found.before);
  json_number(&j, "cost_after", t->found.after);
  json_number(&j, "evaluations", (double)t->found.evaluations);
  json_bool(&j, "converged", t->found.converged);
  json_object(&j, "gains");
  for (size_t i = 0; i < t->n; i++)
    json_number(&j, t->gains[i], *br_control_gain_find(&t->better, t->gains[i]));
  json_end(&j);
  if (t->other) {
    json_object(&j, "validation");
    json_number(&j, "error_rms_before", t->before.error_rms);
    json_number(&j, "error_rms_after", t->after.error_rms);
    json_number(&j, "rms_control_before", t->before.rms_control);
    json_number(&j, "rms_control_after", t->after.rms_control);
    json_end(&j);
  }
  json_end(&j);
  return json_print(&j) ? CLI_OK : CLI_FAILED;
}

static int tune(control_job *b, tuning *t)
{
  const cli_command *c = b->call->command;
  const opt_value *weight = control_option(b, CONTROL_O_COST), *other = control_option(b, CONTROL_O_VALIDATE);
  br_err err;
  t->what = br_control_tuning_default();
  int code = read_gains(b, t);
  if (!code) code = control_read_uncertain(b, &t->wrong);
  if (!code) code = control_threads(b, &t->what.threads);
  if (code) return code;
  if (weight->given && !(weight->real >= 0))
    return cli_usage(c, "--cost = %s is out of range: must be >= 0", weight->text);
  if (other->given && br_signal_parse(other->text, &t->other, &err)) return cli_bad_input(c, &err);
  t->job = b->run;
  t->job.on_row = NULL, t->job.output_dt = 0;
  if (!(t->job.rtol > 0)) t->job.rtol = b->run.sample > 0 ? 1e-6 : 1e-8;
  t->what.job = &t->job, t->what.tracked = b->tracked;
  t->what.gains = t->gains, t->what.ngain = t->n;
  t->what.part = t->wrong.part;
  if (control_option(b, CONTROL_O_UNCERTAIN)->given) t->what.names = t->wrong.names, t->what.n = t->wrong.n;
  if (weight->given) t->what.weight = weight->real;
  progress bar;
  progress_start(&bar, !control_option(b, CONTROL_O_QUIET)->given);
  t->what.progress = control_progress, t->what.ctx = &bar;
  t->better = b->set;
  br_status st = br_control_tune(&t->what, &t->better, &t->found, &err);
  progress_end(&bar);
  if (!st && t->other) st = validate(b, t, &b->set, &t->before, &err);
  if (!st && t->other) st = validate(b, t, &t->better, &t->after, &err);
  if (cli_stop || st == BR_INTERRUPTED) return cli_interrupted(c);
  if (st == BR_E_NAME || st == BR_E_RANGE || st == BR_E_ARG || st == BR_E_UNSUPPORTED)
    return cli_bad_input(c, &err);
  if (st) return cli_failed(c, &err);
  if (control_option(b, CONTROL_O_JSON)->given) return print_json(t);
  if (!control_option(b, CONTROL_O_QUIET)->given) print_summary(b, t);
  return CLI_OK;
}

int control_tune(control_job *b)
{
  tuning *t = calloc(1, sizeof *t);
  if (!t) return cli_no_memory(b->call->command);
  const int code = tune(b, t);
  br_signal_destroy(t->other);
  free(t);
  return code;
}
