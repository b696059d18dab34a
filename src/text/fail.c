/* SPDX-License-Identifier: Apache-2.0
 * fail.c - the one place where host rooms write error records. */
#include "fail.h"

#include <stdarg.h>
#include <stdio.h>

br_status bri_text_set(br_err *err, br_status code, int index, const char *fmt, ...)
{
  if (err) {
    va_list args;
    err->code = code;
    err->index = index;
    va_start(args, fmt);
    (void)vsnprintf(err->msg, sizeof err->msg, fmt, args);
    va_end(args);
  }
  return code;
}

int bri_text_width(size_t n) { return n < 120 ? (int)n : 120; }
