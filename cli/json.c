/* SPDX-License-Identifier: Apache-2.0
 * json.c - the JSON writer. */
#include "json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/text.h"
#include "text/escape.h"

void json_init(json *j) { memset(j, 0, sizeof *j); }

void json_free(json *j)
{
  free(j->text);
  json_init(j);
}

static void put(json *j, const char *s, size_t n)
{
  if (j->failed) return;
  if (j->room - j->used < n) {
    size_t room = j->room ? j->room : 4096;
    while (room - j->used < n) room *= 2;
    char *text = realloc(j->text, room);
    if (!text) {
      j->failed = 1;
      return;
    }
    j->text = text;
    j->room = room;
  }
  memcpy(j->text + j->used, s, n);
  j->used += n;
}

static void put_text(json *j, const char *s) { put(j, s, strlen(s)); }

static void newline(json *j)
{
  static const char BLANKS[] = "                                ";
  put(j, "\n", 1);
  put(j, BLANKS, 2 * (size_t)j->depth);
}

static void quoted(json *j, const char *s, size_t n)
{
  put(j, "\"", 1);
  for (size_t i = 0; i < n; i++) {
    const unsigned char c = (unsigned char)s[i];
    char code[8];
    if (c == '"' || c == '\\') {
      code[0] = '\\';
      code[1] = (char)c;
      put(j, code, 2);
    } else if (c < 0x20 || c == 0x7f) {
      (void)snprintf(code, sizeof code, "\\u%04x", c);
      put(j, code, 6);
    } else {
      const size_t length = bri_utf8_length(s + i), good = length && length <= n - i;
      put(j, good ? s + i : "\xef\xbf\xbd", good ? length : 3); /* JSON is UTF-8 */
      i += good ? length - 1 : 0;
    }
  }
  put(j, "\"", 1);
}

/* Comma, line and key before a value. */
static void before(json *j, const char *key)
{
  if (j->depth > 0) {
    if (j->level[j->depth - 1].items++) put(j, ",", 1);
    newline(j);
  }
  if (key) {
    quoted(j, key, strlen(key));
    put_text(j, ": ");
  }
}

static void open_level(json *j, const char *key, const char *open, char close)
{
  before(j, key);
  put(j, open, 1);
  if (j->depth == JSON_DEPTH) {
    j->failed = 1;
    return;
  }
  j->level[j->depth].close = close;
  j->level[j->depth++].items = 0;
}

void json_object(json *j, const char *key) { open_level(j, key, "{", '}'); }
void json_array(json *j, const char *key) { open_level(j, key, "[", ']'); }

void json_end(json *j)
{
  if (j->depth == 0) {
    j->failed = 1;
    return;
  }
  const int items = j->level[--j->depth].items;
  if (items) newline(j);
  put(j, &j->level[j->depth].close, 1);
}

static void number(json *j, double x)
{
  char text[BR_DOUBLE_TEXT];
  if (isfinite(x)) put(j, text, br_format_double(x, text));
  else put_text(j, "null");
}

void json_number(json *j, const char *key, double x)
{
  before(j, key);
  number(j, x);
}

void json_numbers(json *j, const char *key, const double *x, size_t n)
{
  before(j, key);
  put(j, "[", 1);
  for (size_t i = 0; i < n; i++) {
    if (i) put(j, ", ", 2);
    number(j, x[i]);
  }
  put(j, "]", 1);
}

void json_text_n(json *j, const char *key, const char *text, size_t n)
{
  before(j, key);
  quoted(j, text, n);
}

void json_text(json *j, const char *key, const char *text)
{
  if (text) json_text_n(j, key, text, strlen(text));
  else json_null(j, key);
}

void json_bool(json *j, const char *key, int x)
{
  before(j, key);
  put_text(j, x ? "true" : "false");
}

void json_null(json *j, const char *key)
{
  before(j, key);
  put_text(j, "null");
}

int json_print(json *j)
{
  int good = 0;
  put(j, "\n", 1);
  if (j->failed || j->depth != 0) {
    (void)fprintf(stderr, "bristle: out of memory\n");
  } else {
    errno = 0;
    good = fwrite(j->text, 1, j->used, stdout) == j->used && fflush(stdout) == 0;
    if (!good)
      (void)fprintf(stderr, "bristle: cannot write standard output: %s\n", strerror(errno ? errno : EIO));
  }
  json_free(j);
  return good;
}
