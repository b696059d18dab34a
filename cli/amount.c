/* SPDX-License-Identifier: Apache-2.0
 * amount.c - how much work a command is about to begin. */
#include "amount.h"

#include <math.h>
#include <stdio.h>

enum { PLACES = 16, TURNS = 4 };

void amount_note(const cli_command *c, double count, const char *what, double seconds)
{
  const double minute = 60;
  if (!(count * seconds > minute)) return;
  (void)fprintf(stderr, "bristle %s: note: about %.2g %s: this takes long, Ctrl-C ends it\n", c->name, count,
                what);
}

double amount_reversals(const br_signal *input, double t_end)
{
  double sum = 0;
  if (!input || !(t_end > 0)) return 0;
  for (int i = 0; i < PLACES; i++) {
    double t = br_signal_next_corner(input, t_end * (i + 0.5) / PLACES);
    const double first = t;
    for (int k = 0; k < TURNS; k++) t = br_signal_next_corner(input, t);
    if (t > first && isfinite(t)) sum += TURNS * (t_end / (t - first)) / PLACES;
  }
  return sum;
}
