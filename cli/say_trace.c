/* SPDX-License-Identifier: Apache-2.0
 * say_trace.c - the answer of `bristle trace` on the screen. */
#include <stdio.h>

#include "ask.h"

void say_trace(const br_job *job, const br_result *r)
{
  const int two = br_job_inputs(job) > 1;
  (void)printf("%s under %s%s%s%s: %.0f samples", br_job_model(job)->name, two ? "x:" : "",
               cli_shown(br_job_spec(job, 0)), two ? ", y:" : "", two ? cli_shown(br_job_spec(job, 1)) : "",
               br_result_real(r, "samples"));
  if (br_result_real(r, "dt") > 0) (void)printf(", dt = %s", say_in(r, 9, "dt"));
  (void)printf(", %.0f interval(s) split at corners\n", br_result_real(r, "splits"));
  if (say_text(r, "start")[0]) (void)printf("  %s\n", say_text(r, "start"));
  say_table(job, r);
  say_measured(r);
}
