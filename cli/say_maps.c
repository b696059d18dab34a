/* SPDX-License-Identifier: Apache-2.0
 * say_maps.c - the answers of `bristle steady`, `field` and `signal` on the screen. */
#include <stdio.h>

#include "ask.h"

void say_steady(const br_job *job, const br_result *r)
{
  (void)printf("%s, steady sliding: %.9g N at %.9g m/s, %.9g N at %.9g m/s\n", br_job_model(job)->name,
               br_result_real(r, "first"), br_job_number(job, "from"), br_result_real(r, "last"),
               br_job_number(job, "to"));
  say_table(job, r);
}

void say_field(const br_job *job, const br_result *r)
{
  (void)printf("%s, slope dz/du on %zu x %zu points: forward %.9g to %.9g, backward %.9g to %.9g\n",
               br_job_model(job)->name, br_job_count(job, "nu"), br_job_count(job, "nz"),
               br_result_real(r, "field.slope_min"), br_result_real(r, "field.slope_max"),
               br_result_real(r, "back.slope_min"), br_result_real(r, "back.slope_max"));
}

void say_signal(const br_job *job, const br_result *r)
{
  const double period = br_result_real(r, "period");
  (void)printf("%s: ", cli_shown(br_job_spec(job, 0)));
  if (period > 0) (void)printf("period %.9g s, ", period);
  (void)printf("path length %.9g m%s\n", br_result_real(r, "path_length"),
               period > 0 ? " a period" : " to the end");
  say_table(job, r);
}
