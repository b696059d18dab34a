/* SPDX-License-Identifier: Apache-2.0
 * say.c - what the summaries read an answer with. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"

enum { PATH = 128 };

double say_real(const br_result *r, const char *path, ...)
{
  char full[PATH];
  va_list args;
  va_start(args, path);
  (void)vsnprintf(full, sizeof full, path, args);
  va_end(args);
  return br_result_real(r, full);
}

const char *say_text(const br_result *r, const char *path, ...)
{
  char full[PATH];
  va_list args;
  va_start(args, path);
  (void)vsnprintf(full, sizeof full, path, args);
  va_end(args);
  return br_result_text(r, full);
}

void say_measured(const br_result *r)
{
  const char *unit = "";
  double rms = 0;
  if (!(say_real(r, "measured.samples") > 0)) return;
  (void)br_result_number(r, "measured.rms", &rms, &unit);
  (void)printf("  against what was measured: rms %.4g %s, relative %.3g %%, bias %.4g %s, largest %.4g %s\n",
               rms, unit, 100 * say_real(r, "measured.relative"), say_real(r, "measured.bias"), unit,
               say_real(r, "measured.max"), unit);
  for (size_t i = 0; say_text(r, "measured.data.%zu", i)[0]; i++)
    if (strstr(say_text(r, "measured.data.%zu", i), "measured"))
      (void)printf("  %s\n", cli_shown(say_text(r, "measured.data.%zu", i)));
  if (isnan(say_real(r, "measured.work.model"))) return;
  (void)printf("  energy of the whole: model %.5g J, measured %.5g J", say_real(r, "measured.work.model"),
               say_real(r, "measured.work.measured"));
  if (say_real(r, "measured.cycle.count") > 0)
    (void)printf("; of a cycle (mean of %.0f): model %.5g J, measured %.5g J",
                 say_real(r, "measured.cycle.count"), say_real(r, "measured.cycle.model"),
                 say_real(r, "measured.cycle.measured"));
  (void)printf("\n");
}
