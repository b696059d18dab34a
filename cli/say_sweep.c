/* SPDX-License-Identifier: Apache-2.0
 * say_sweep.c - the answers of `bristle sweep` and `merge` on the screen. */
#include <stdio.h>

#include "ask.h"

void say_sweep(const br_job *job, const br_result *r)
{
  static const char *const ENDS[] = {"range", "converge", "nan", "unsupported"};
  const double members = say_real(r, "members"), done = say_real(r, "done");
  if (say_real(r, "helps") > 0) return; /* one of several processes: the first one tells */
  (void)printf("%s with %s: %.0f members", br_job_system(job)->name, br_job_model(job)->name, members);
  if (done < members) (void)printf(", of them %.0f here", done);
  (void)printf(", %.0f ok", say_real(r, "by_status.ok"));
  for (size_t k = 0; k < sizeof ENDS / sizeof ENDS[0]; k++)
    if (say_real(r, "by_status.%s", ENDS[k]) > 0)
      (void)printf(", %.0f %s", say_real(r, "by_status.%s", ENDS[k]), ENDS[k]);
  (void)printf("\n  computed     by %s on %s, %.0f thread%s: %.3g s, %.4g members/s\n", say_text(r, "engine"),
               cli_shown(say_text(r, "device")), say_real(r, "threads"),
               say_real(r, "threads") > 1 ? "s" : "", say_real(r, "seconds"), say_real(r, "rate"));
  for (size_t i = 0; say_text(r, "failures.%zu.status", i)[0]; i++)
    (void)printf("  member %-6.0f %s: %s\n", say_real(r, "failures.%zu.member", i),
                 say_text(r, "failures.%zu.status", i), cli_shown(say_text(r, "failures.%zu.why", i)));
  if (say_text(r, "out")[0]) (void)printf("  all rows     %s\n", cli_shown(say_text(r, "out")));
  say_table(job, r);
}

void say_merge(const br_job *job, const br_result *r)
{
  (void)job;
  (void)printf("%.0f members, %.0f rows of %.0f parts: %s\n", say_real(r, "members"), say_real(r, "rows"),
               say_real(r, "shards"), cli_shown(say_text(r, "out")));
}
