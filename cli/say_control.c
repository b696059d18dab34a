/* SPDX-License-Identifier: Apache-2.0
 * say_control.c - the answer of `bristle control` on the screen. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "bristle/control.h"

/* ---- one run ---- */

static void say_hunting(const br_result *r)
{
  const char *verdict = br_result_text(r, "hunting.verdict");
  const double residual = br_result_real(r, "hunting.residual"),
               multiplier = br_result_real(r, "hunting.multiplier"),
               decay = br_result_real(r, "hunting.decay");
  const int found = br_result_real(r, "hunting.found") > 0, excluded = strcmp(verdict, "excluded") == 0;
  if (found)
    (void)printf("  hunting: amplitude %s, period %s\n", say_in(r, 9, "hunting.amplitude"),
                 say_in(r, 9, "hunting.period"));
  if (found && !isnan(residual))
    (void)printf("  fixed point of the return map to %.2g, largest multiplier %.3g: it %s\n", residual,
                 multiplier, multiplier < 1 ? "attracts" : "repels");
  if (excluded && isnan(decay)) (void)printf("  no hunting: all motion ends\n");
  if (excluded && !isnan(decay))
    (void)printf("  no hunting: the largest error falls by a factor %.3g per doubling of time\n", decay);
  if (strcmp(verdict, "grows") == 0)
    (void)printf("  unstable: behind the end the error grows without bound\n");
  if (strcmp(verdict, "undecided") == 0)
    (void)printf("  hunting undecided: neither a cycle nor a falling error\n");
}

/* Poles and gains in use. */
static void say_gains(const br_result *r)
{
  const char *name = NULL, *unit = NULL, *mark = "  with ";
  char path[64];
  for (size_t i = 0; i < br_result_length(r, "poles"); i++)
    (void)printf("%s%.6g", i ? ", " : "  with poles ", say_real(r, "poles.%zu", i));
  if (br_result_length(r, "poles")) (void)printf(" 1/s"), mark = "; ";
  for (size_t i = 0; br_control_gain(NULL, i, &name, NULL, &unit, NULL); i++) {
    (void)snprintf(path, sizeof path, "gains.%s", name);
    if (br_result_kind(r, path) != BR_NODE_VALUE) continue;
    (void)printf("%s%s = %.6g", mark, name, br_result_real(r, path));
    mark = ", ";
  }
  (void)printf("\n");
}

static void say_bode(const br_result *r)
{
  static const char *const NAMES[] = {"sliding", "stick"};
  for (int k = 0; k < 2 && br_result_kind(r, "bode") != BR_NODE_NONE; k++) {
    const char *n = NAMES[k], *why = say_text(r, "bode.%s.why", n);
    const double up = say_real(r, "bode.%s.gain_margin", n), low = say_real(r, "bode.%s.gain_margin_low", n);
    const double phase = say_real(r, "bode.%s.phase_margin", n);
    if (k) (void)printf("  around stick: ");
    else (void)printf("  around sliding at %.4g m/s: ", say_real(r, "bode.%s.speed", n));
    if (why && why[0]) {
      (void)printf("%s\n", why);
      continue;
    }
    (void)printf("%s; ", say_real(r, "bode.%s.stable", n) > 0 ? "stable" : "unstable");
    if (isnan(phase)) (void)printf("loop gain never 1");
    else
      (void)printf("phase margin %.4g deg at %.4g rad/s (%.3g s of delay)", phase,
                   say_real(r, "bode.%s.crossover", n), say_real(r, "bode.%s.delay_margin", n));
    (void)printf(", gain may ");
    if (isnan(up) && isnan(low)) (void)printf("be any");
    if (!isnan(up)) (void)printf("grow by %.4g", up);
    if (!isnan(low)) (void)printf("%sfall to %.4g", isnan(up) ? "" : " or ", low);
    (void)printf("\n");
  }
}

static void say_run(const br_job *job, const br_result *r)
{
  const br_system *s = br_job_system(job);
  const char *y = br_job_text(job, "track");
  if (!y) y = s->states[br_plant_velocity(br_job_plant(job), 0)].name;
  (void)printf("%s on %s with %s to t = %s: %.0f steps, %.0f reversals\n", br_job_text(job, "controller"),
               s->name, br_job_model(job)->name, say_in(r, 9, "t_stop"), br_result_real(r, "steps"),
               br_result_real(r, "reversals"));
  (void)printf("  error r - %s  rms %s, max %s, at the end %s\n", y, say_in(r, -9, "error_rms"),
               say_in(r, -9, "error_max"), say_in(r, 9, "error_end"));
  const double from = br_result_real(r, "rest.from"), over = br_result_real(r, "overshoot");
  if (!isnan(br_result_real(r, "settling_time")))
    (void)printf("  settling to 2 %% in %s\n", say_in(r, 9, "settling_time"));
  else if (!isnan(from)) (void)printf("  does not settle to 2 %%\n");
  if (!isnan(from))
    (void)printf("  since r rests (t = %s): overshoot %.4g %%, error max %s, rms %s\n",
                 say_in(r, 6, "rest.from"), isnan(over) ? 0 : 100 * over, say_in(r, -6, "rest.error_max"),
                 say_in(r, 6, "rest.error_rms"));
  say_gains(r);
  (void)printf("  control %s    peak %s, rms %s\n", s->inputs[0].name, say_in(r, -9, "peak_control"),
               say_in(r, 9, "rms_control"));
  (void)printf("  relative degree %.0f, gamma = %.9g\n", br_result_real(r, "relative_degree"),
               br_result_real(r, "gamma"));
  if (!isnan(br_result_real(r, "lost")))
    (void)printf("  this fixed step runs away at t = %.9g s\n", br_result_real(r, "lost"));
  say_hunting(r);
  say_measured(r);
  say_bode(r);
  if (br_result_text(r, "note")[0]) (void)printf("  %s\n", br_result_text(r, "note"));
}

/* ---- compare ---- */

static void score(double x)
{
  if (isnan(x)) (void)printf(" %11s", "-");
  else if (isinf(x)) (void)printf(" %11s", "runs away");
  else (void)printf(" %11.3g", x);
}

static void say_compare(const br_job *job, const br_result *r)
{
  static const char *const columns[] = {"nominal", "worst", "combined", "hardest"};
  const br_system *s = br_job_system(job);
  const char *y = br_job_text(job, "track"), *unit = "";
  const double samples = br_result_real(r, "samples");
  double x = 0;
  if (!y) y = s->states[br_plant_velocity(br_job_plant(job), 0)].name;
  (void)br_result_number(r, "controllers.0.nominal", &x, &unit);
  (void)printf("rms of r - %s in %s, %g to %g s, samples of %g s; parameters wrong by +-%g %%:", y, unit,
               br_result_real(r, "from"), br_result_real(r, "to"), br_job_number(job, "sample"),
               100 * br_result_real(r, "part"));
  for (size_t i = 0; i < br_result_length(r, "uncertain"); i++)
    (void)printf(" %s", say_text(r, "uncertain.%zu", i));
  (void)printf("\n%-48s %11s %11s %11s %11s", "", "nominal", "worst", "combined", "hardest");
  if (samples > 0) (void)printf(" %11s %11s %8s", "median", "95 %", "lost");
  (void)printf("\n");
  for (size_t i = 0; i < br_result_length(r, "controllers"); i++) {
    (void)printf("%-48.48s", say_text(r, "controllers.%zu.name", i));
    const char *why = say_text(r, "controllers.%zu.why", i);
    if (why && why[0]) {
      (void)printf(" - %s\n", why);
      continue;
    }
    for (int k = 0; k < 4; k++) score(say_real(r, "controllers.%zu.%s", i, columns[k]));
    if (samples > 0) {
      char lost[64];
      score(say_real(r, "controllers.%zu.median", i));
      score(say_real(r, "controllers.%zu.p95", i));
      (void)snprintf(lost, sizeof lost, "%.0f/%.0f", say_real(r, "controllers.%zu.lost", i),
                     say_real(r, "controllers.%zu.drawn", i));
      (void)printf(" %8s", lost);
    }
    (void)printf("\n");
  }
  char limit[40] = "no limit of u";
  if (isfinite(br_result_real(r, "limit")))
    (void)snprintf(limit, sizeof limit, "|u| <= %g", br_result_real(r, "limit"));
  (void)printf(
      "worst: of %.0f corners. combined: friction parameters off together, all up or all down, with noise,\n"
      "%s and a delay of %g s. hardest: the same in all %.0f corners of the friction parameters.\n",
      br_result_real(r, "corners"), limit, br_result_real(r, "delay"), br_result_real(r, "friction_corners"));
  if (samples > 0)
    (void)printf(
        "median, 95 %%: of %.0f draws of all parameters, as in combined; lost: more error than r itself.\n",
        samples);
}

/* ---- tune ---- */

static void change(const char *what, double before, double after)
{
  (void)printf("  %-22s", what);
  if (isinf(before)) (void)printf(" runs away");
  else (void)printf(" %.6g", before);
  if (isinf(after)) (void)printf(" -> runs away\n");
  else (void)printf(" -> %.6g\n", after);
}

static void say_gain(const br_result *r, const char *name)
{
  char to[64];
  (void)snprintf(to, sizeof to, "gains.%s", name);
  if (br_result_kind(r, to) == BR_NODE_VALUE)
    change(name, say_real(r, "start_%s", name), br_result_real(r, to));
}

static void say_tune(const br_job *job, const br_result *r)
{
  static const char *const poles[] = {"pole1", "pole2", "pole3"};
  const char *name = NULL;
  (void)printf("%s: cost rms e + %g rms u, mean of the nominal case and wrong parameters (+-%g %%): %.0f "
               "evaluations%s\n",
               br_job_text(job, "controller"), br_job_number(job, "cost"), 100 * br_job_number(job, "part"),
               br_result_real(r, "evaluations"), br_result_real(r, "converged") > 0 ? "" : ", not converged");
  change("cost", br_result_real(r, "cost_before"), br_result_real(r, "cost_after"));
  if (!(br_result_real(r, "converged") > 0))
    (void)printf("  to go on: start again from these gains (--gains, --poles), or tune fewer of them (--tune "
                 "NAME,...)\n");
  for (size_t i = 0; i < 3; i++) say_gain(r, poles[i]);
  for (size_t i = 0; br_control_gain(NULL, i, &name, NULL, NULL, NULL); i++) say_gain(r, name);
  if (br_result_kind(r, "validation") == BR_NODE_NONE) return;
  (void)printf("on %s, which the search has not seen:\n", cli_shown(br_job_text(job, "validate")));
  change("rms error", br_result_real(r, "validation.error_rms_before"),
         br_result_real(r, "validation.error_rms_after"));
  change("rms control", br_result_real(r, "validation.rms_control_before"),
         br_result_real(r, "validation.rms_control_after"));
}

/* ---- map ---- */

static void say_map(const br_result *r)
{
  for (size_t k = 0; k < br_result_length(r, "panels"); k++) {
    (void)printf("%-24s", say_text(r, "panels.%zu.controller", k));
    for (int g = 0; g < BR_OUTCOMES; g++) {
      const char *name = br_control_outcome_text((br_control_outcome)g);
      (void)printf(" %s %.0f", name, say_real(r, "panels.%zu.%s", k, name));
    }
    (void)printf(" of %.0f cells\n", say_real(r, "panels.%zu.cells", k));
  }
}

void say_control(const br_job *job, const br_result *r)
{
  if (br_job_flag(job, "compare")) say_compare(job, r);
  else if (br_job_given(job, "tune")) say_tune(job, r);
  else if (br_job_flag(job, "map")) say_map(r);
  else say_run(job, r);
}
