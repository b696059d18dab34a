/* SPDX-License-Identifier: Apache-2.0
 * say_trace.c - the answer of `bristle trace` on the screen. */
#include <stdio.h>
#include <string.h>

#include "ask.h"

void say_trace(const br_job *job, const br_result *r)
{
  const int two = br_job_inputs(job) > 1;
  const double dt = br_result_real(r, "dt");
  (void)printf("%s under %s%s%s%s: %.0f samples", br_job_model(job)->name, two ? "x:" : "",
               cli_shown(br_job_spec(job, 0)), two ? ", y:" : "", two ? cli_shown(br_job_spec(job, 1)) : "",
               br_result_real(r, "samples"));
  if (dt > 0) (void)printf(", dt = %.9g s", dt);
  (void)printf(", %.0f interval(s) split at corners\n", br_result_real(r, "splits"));
  if (say_text(r, "start")[0]) (void)printf("  %s\n", say_text(r, "start"));
  say_table(job, r);
  if (!(say_real(r, "measured.samples") > 0)) return;
  (void)printf("  against what was measured: rms %.4g N, relative %.3g %%, bias %.4g N, largest %.4g N\n",
               say_real(r, "measured.rms"), 100 * say_real(r, "measured.relative"),
               say_real(r, "measured.bias"), say_real(r, "measured.max"));
  for (size_t i = 0; say_text(r, "measured.data.%zu", i)[0]; i++)
    if (strstr(say_text(r, "measured.data.%zu", i), "measured force"))
      (void)printf("  %s\n", cli_shown(say_text(r, "measured.data.%zu", i)));
  (void)printf("  energy of the whole: model %.5g J, measured %.5g J", say_real(r, "measured.work.model"),
               say_real(r, "measured.work.measured"));
  if (say_real(r, "measured.cycle.count") > 0)
    (void)printf("; of a cycle (mean of %.0f): model %.5g J, measured %.5g J",
                 say_real(r, "measured.cycle.count"), say_real(r, "measured.cycle.model"),
                 say_real(r, "measured.cycle.measured"));
  (void)printf("\n");
}
