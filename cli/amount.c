/* SPDX-License-Identifier: Apache-2.0
 * amount.c - how much work a command is about to begin. */
#include "amount.h"

#include <stdio.h>

void amount_note(const cli_command *c, double count, const char *what, double seconds)
{
  const double minute = 60;
  if (!(count * seconds > minute)) return;
  (void)fprintf(stderr, "bristle %s: note: about %.2g %s: this takes long, Ctrl-C ends it\n", c->name, count,
                what);
}
