/* SPDX-License-Identifier: Apache-2.0
 * controllers.c - closed loops: a law by hand, a run, comparison, tuning, the hunting map, export to C. */
#include <stdio.h>
#include <string.h>

#include "bristle/bristle.h"

static int count(void *ctx, const char *text, size_t n)
{
  (void)text;
  *(size_t *)ctx += n;
  return 0;
}

static void laws(br_control_settings *s)
{
  const char *name = NULL, *unit = NULL, *doc = NULL;
  double *value = NULL;
  br_control_entry entry;
  for (size_t i = 0; br_control_name(i); i++) printf("%s%s", i ? " " : "", br_control_name(i));
  printf("\npid places poles: %d, needs a model: %d, runs continuously: %d, uses kd: %d\n",
         br_control_places_poles(s->kind), br_control_needs_model(s->kind),
         br_control_runs_continuous(s->kind), br_control_uses(s->kind, "kd"));
  if (br_control_gain(s, 0, &name, &value, &unit, &doc)) printf("gain %s = %g: %s\n", name, *value, doc);
  *br_control_gain_find(s, "kp") = 30, *br_control_gain_find(s, "ki") = 4, *br_control_gain_find(s, "kd") = 6;
  printf("first gain in use: %s; first of the line-up: %s\n", br_control_gain_name(s, 0),
         br_control_lineup(0, &entry) ? entry.name : "-");
  br_control_pace(s, 1e-3);
}

int main(void)
{
  const br_system *sys = br_system_find("mass_spring");
  const br_model *m = br_model_find("lugre");
  double spar[16], mpar[256], mpair[512], x[BR_CONTROL_MAX_X] = {0}, dx[BR_CONTROL_MAX_X], q[2] = {0},
                                          z[1] = {0};
  const char *uncertain[8], *const NAMES[] = {"Fc"}, *const GAINS[] = {"kp"};
  br_signal *step = NULL;
  br_controller c;
  br_control_result result, worst, cells[4];
  br_err err = {BR_OK, -1, ""};
  unsigned corner = 0;
  sys->defaults(spar);
  spar[0] = 1;
  for (size_t k = 0; k < sys->nparam; k++)
    if (strcmp(sys->params[k].name, "ks") == 0) spar[sys->params[k].slot] = 0;
  if (sys->prepare) sys->prepare(spar);
  m->defaults(mpar), m->prepare(mpar);
  br_control_settings s = br_control_settings_default((br_control_kind)br_control_find("pid"));
  laws(&s);
  if (br_signal_parse("step:0.1", &step, &err) ||
      br_control_init(&c, &s, sys, spar, m, mpar, mpair, 0, &err)) {
    (void)fprintf(stderr, "%s\n", err.msg);
    return 1;
  }

  /* One sample of the law: reference and measurement in, force out. */
  const br_control_ref ref = {0.1, 0, 0};
  const br_control_meas meas = {q, z, 0, 0};
  br_control_rate(&c, &ref, &meas, 0, x, dx);
  printf("%zu states, u = %.6g N, as a step %.6g N, passive: %d\n", br_control_nstate(&c),
         br_control_output(&c, &ref, &meas, x), br_control_update(&c, &ref, &meas, 1e-3),
         br_control_passive(&c));
  br_control_reset(&c);

  br_control_case job = br_control_case_default();
  job.sys = sys, job.spar = spar, job.mod = m, job.mpar = mpar, job.reference = step, job.t_end = 1,
  job.sample = 5e-3;
  if (br_control_run(&job, &c, &result, &err)) return 1;
  printf("error %.4g m (rms), peak %.4g N, outcome: %s; %zu names may be uncertain\n", result.error_rms,
         result.peak_control, br_control_outcome_text(br_control_outcome_of(&result)),
         br_control_uncertain(&job, 8, uncertain));
  if (br_control_corners(&job, &s, 0, NAMES, 1, 0.1, &worst, &corner, &err)) return 1;
  printf("worst corner %u: %.4g m\n", corner, worst.error_rms);

  br_control_entry list[] = {{"pid", s}};
  br_control_score score;
  br_control_comparison compare = br_control_comparison_default();
  compare.job = &job, compare.names = NAMES, compare.n = 1, compare.part = 0.1, compare.samples = 2,
  compare.threads = 1;
  if (br_control_compare(&compare, list, 1, &score, &err)) return 1;
  br_control_tuning tuning = br_control_tuning_default();
  br_control_tuned tuned;
  br_control_settings best = s;
  tuning.job = &job, tuning.gains = GAINS, tuning.ngain = 1, tuning.max_evals = 6, tuning.threads = 1;
  if (br_control_tune(&tuning, &best, &tuned, &err)) return 1;
  printf("nominal %.4g, tuned from %.4g to %.4g in %zu runs\n", score.nominal, tuned.before, tuned.after,
         tuned.evaluations);
  br_control_case continuous = job;
  continuous.sample = 0;
  const br_control_map map = {.job = &continuous,
                              .set = &s,
                              .spar = spar,
                              .mpar = mpar,
                              .x = {"ki", 1, 4},
                              .y = {"Fs/Fc", 1.2, 2},
                              .nx = 2,
                              .ny = 2,
                              .threads = 1};
  if (br_control_hunting_map(&map, cells, &err)) return (void)fprintf(stderr, "%s\n", err.msg), 1;

  /* The loop linearised around stick: margins, and the loop gain at 10 rad/s. */
  static br_control_linear linear;
  static br_control_margins margins;
  double re = 0, im = 0;
  if (br_control_linearise(&continuous, &c, 0, &linear, &err) ||
      br_control_margins_of(&linear, &margins, &err))
    return 1;
  br_control_response(&linear, 10, &re, &im);
  printf("around stick: %zu states, stable: %d, phase margin %.4g deg; L(10i) = %.3g%+.3gi\n", linear.n,
         margins.stable, margins.phase_margin, re, im);

  /* The same loop as it is sampled: poles in the z plane. */
  double pole[BR_CONTROL_DISCRETE_MAX], part[BR_CONTROL_DISCRETE_MAX];
  size_t poles = 0;
  if (br_control_linearise(&job, &c, 0, &linear, &err) ||
      br_control_discrete(&job, &c, &linear, &poles, pole, part, &err))
    return (void)fprintf(stderr, "%s\n", err.msg), 1;
  printf("sampled: %zu poles, the first at %.4g%+.4gi\n", poles, pole[0], part[0]);

  br_control_settings observer;
  printf("an observer may stand beside it: %d\n", br_control_observer_beside(&c, 1, &observer));
  br_control_export_options o = br_control_export_default();
  size_t law = 0, element = 0;
  o.name = "joint", o.sample = 1e-3;
  if (br_control_export(&c, &o, count, &law, &err) || br_model_export(m, mpar, &o, count, &element, &err))
    return 1;
  printf("exported: %zu bytes of law, %zu of element\n", law, element);
  br_signal_destroy(step);
  return 0;
}
