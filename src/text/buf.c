/* SPDX-License-Identifier: Apache-2.0
 * buf.c - text that grows. */
#include "buf.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../base/alloc.h"
#include "bristle/text.h"
#include "escape.h"

void bri_buf_free(bri_buf *b)
{
  bri_free(b->text);
  memset(b, 0, sizeof *b);
}

/* Room for n more characters and the terminator. */
static int grow(bri_buf *b, size_t n)
{
  if (b->failed || n > SIZE_MAX / 4 || b->used > SIZE_MAX / 4) return !(b->failed = 1);
  if (b->used + n + 1 <= b->room) return 1;
  size_t room = b->room ? b->room : 256;
  while (room < b->used + n + 1) room *= 2;
  char *p = bri_realloc(b->text, room);
  if (!p) return !(b->failed = 1);
  b->text = p;
  b->room = room;
  return 1;
}

void bri_buf_add(bri_buf *b, const char *s, size_t n)
{
  if (!grow(b, n)) return;
  if (n) memcpy(b->text + b->used, s, n);
  b->used += n;
  b->text[b->used] = '\0';
}

void bri_buf_text(bri_buf *b, const char *s)
{
  if (s) bri_buf_add(b, s, strlen(s));
}

void bri_buf_printf(bri_buf *b, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  const int n = vsnprintf(NULL, 0, fmt, args);
  va_end(args);
  if (n < 0 || !grow(b, (size_t)n)) {
    b->failed = 1;
    return;
  }
  va_start(args, fmt);
  (void)vsnprintf(b->text + b->used, (size_t)n + 1, fmt, args);
  va_end(args);
  b->used += (size_t)n;
}

void bri_buf_number(bri_buf *b, double x, const char *other)
{
  char text[BR_DOUBLE_TEXT];
  if (!isfinite(x)) {
    bri_buf_text(b, other);
    return;
  }
  bri_buf_add(b, text, br_format_double(x, text));
}

void bri_buf_json(bri_buf *b, const char *s)
{
  bri_buf_add(b, "\"", 1);
  while (*s) {
    const size_t n = bri_utf8_length(s);
    if (n == 0) bri_buf_text(b, "\xef\xbf\xbd");
    else if (*s == '"' || *s == '\\') bri_buf_printf(b, "\\%c", *s);
    else if (*s == '\n') bri_buf_text(b, "\\n");
    else if ((unsigned char)*s < 0x20 || *s == 0x7f) bri_buf_printf(b, "\\u%04x", (unsigned)*s);
    else bri_buf_add(b, s, n);
    s += n ? n : 1;
  }
  bri_buf_add(b, "\"", 1);
}
