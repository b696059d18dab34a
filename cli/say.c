/* SPDX-License-Identifier: Apache-2.0
 * say.c - what the summaries read an answer with. */
#include <stdarg.h>
#include <stdio.h>

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
