/* SPDX-License-Identifier: Apache-2.0
 * fail.c - the one place where host rooms write error records. */
#include "fail.h"

#include <stdarg.h>
#include <stdio.h>

#include "escape.h"

br_status bri_text_set(br_err *err, br_status code, int index, const char *fmt, ...)
{
  if (err) {
    char text[2 * sizeof err->msg];
    va_list args;
    err->code = code;
    err->index = index;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    (void)bri_escape(text, sizeof err->msg, err->msg); /* names in it may come from anywhere */
  }
  return code;
}

int bri_text_width(size_t n) { return n < 120 ? (int)n : 120; }
