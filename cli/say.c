/* SPDX-License-Identifier: Apache-2.0
 * say.c - what the summaries read an answer with. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
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

static const br_units *chosen; /* one command a process */
void say_units(const br_units *units) { chosen = units; }
double say_factor(const char **unit) { return br_units_factor(chosen, unit); }

const char *say_in(const br_result *r, int digits, const char *path, ...)
{
  static char ring[8][64];
  static size_t next;
  char full[PATH], *text = ring[next++ % 8];
  const char *unit = "";
  double x = NAN;
  va_list args;
  va_start(args, path);
  (void)vsnprintf(full, sizeof full, path, args);
  va_end(args);
  (void)br_result_number(r, full, &x, &unit);
  const double factor = say_factor(&unit);
  (void)snprintf(text, sizeof ring[0], "%.*g%s%s", abs(digits), x / factor, digits < 0 ? "" : " ",
                 digits < 0 ? "" : unit);
  return text;
}

void say_measured(const br_result *r)
{
  if (!(say_real(r, "measured.samples") > 0)) return;
  (void)printf("  against what was measured: rms %s, relative %.3g %%, bias %s, largest %s\n",
               say_in(r, 4, "measured.rms"), 100 * say_real(r, "measured.relative"),
               say_in(r, 4, "measured.bias"), say_in(r, 4, "measured.max"));
  for (size_t i = 0; say_text(r, "measured.data.%zu", i)[0]; i++)
    if (strstr(say_text(r, "measured.data.%zu", i), "measured"))
      (void)printf("  %s\n", cli_shown(say_text(r, "measured.data.%zu", i)));
  if (isnan(say_real(r, "measured.work.model"))) return;
  (void)printf("  energy of the whole: model %s, measured %s", say_in(r, 5, "measured.work.model"),
               say_in(r, 5, "measured.work.measured"));
  if (say_real(r, "measured.cycle.count") > 0)
    (void)printf("; of a cycle (mean of %.0f): model %s, measured %s", say_real(r, "measured.cycle.count"),
                 say_in(r, 5, "measured.cycle.model"), say_in(r, 5, "measured.cycle.measured"));
  (void)printf("\n");
}
