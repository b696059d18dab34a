/* SPDX-License-Identifier: Apache-2.0
 * json.c - the JSON writer. */
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/text.h"
#include "escape.h"

void bri_json_init(bri_json *j) { memset(j, 0, sizeof *j); }

void bri_json_free(bri_json *j)
{
  bri_buf_free(&j->out);
  bri_json_init(j);
}

static void put(bri_json *j, const char *s, size_t n) { bri_buf_add(&j->out, s, n); }
static void put_text(bri_json *j, const char *s) { put(j, s, strlen(s)); }

static void newline(bri_json *j)
{
  static const char BLANKS[] = "                                ";
  put(j, "\n", 1);
  put(j, BLANKS, 2 * (size_t)j->depth);
}

static void quoted(bri_json *j, const char *s, size_t n)
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
static void before(bri_json *j, const char *key)
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

static void open_level(bri_json *j, const char *key, const char *open, char close)
{
  before(j, key);
  put(j, open, 1);
  if (j->depth == BRI_JSON_DEPTH) {
    j->failed = 1;
    return;
  }
  j->level[j->depth].close = close;
  j->level[j->depth++].items = 0;
}

void bri_json_object(bri_json *j, const char *key) { open_level(j, key, "{", '}'); }
void bri_json_array(bri_json *j, const char *key) { open_level(j, key, "[", ']'); }

void bri_json_end(bri_json *j)
{
  if (j->depth == 0) {
    j->failed = 1;
    return;
  }
  const int items = j->level[--j->depth].items;
  if (items) newline(j);
  put(j, &j->level[j->depth].close, 1);
}

static void number(bri_json *j, double x)
{
  char text[BR_DOUBLE_TEXT];
  if (isfinite(x)) put(j, text, br_format_double(x + 0.0, text)); /* no -0 */
  else put_text(j, "null");
}

void bri_json_number(bri_json *j, const char *key, double x)
{
  before(j, key);
  number(j, x);
}

void bri_json_strided(bri_json *j, const char *key, const double *x, size_t n, size_t stride)
{
  before(j, key);
  put(j, "[", 1);
  for (size_t i = 0; i < n; i++) {
    if (i) put(j, ", ", 2);
    number(j, x[i * stride]);
  }
  put(j, "]", 1);
}

void bri_json_numbers(bri_json *j, const char *key, const double *x, size_t n)
{
  bri_json_strided(j, key, x, n, 1);
}

void bri_json_text_n(bri_json *j, const char *key, const char *text, size_t n)
{
  before(j, key);
  quoted(j, text, n);
}

void bri_json_text(bri_json *j, const char *key, const char *text)
{
  if (text) bri_json_text_n(j, key, text, strlen(text));
  else bri_json_null(j, key);
}

void bri_json_bool(bri_json *j, const char *key, int x)
{
  before(j, key);
  put_text(j, x ? "true" : "false");
}

void bri_json_null(bri_json *j, const char *key)
{
  before(j, key);
  put_text(j, "null");
}

const char *bri_json_finish(bri_json *j, size_t *length)
{
  put(j, "\n", 1);
  if (length) *length = j->out.used;
  return j->out.failed || j->failed || j->depth ? NULL : j->out.text;
}
