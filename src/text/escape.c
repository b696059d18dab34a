/* SPDX-License-Identifier: Apache-2.0
 * escape.c - text from strangers, written for terminals, gnuplot, HTML and Markdown. */
#include "escape.h"

#include <string.h>

static const char UNKNOWN[] = "\xef\xbf\xbd"; /* U+FFFD */

size_t bri_utf8_length(const char *s)
{
  const unsigned char a = (unsigned char)s[0], b = a ? (unsigned char)s[1] : 0;
  const size_t n = a < 0x80                ? 1
                   : a >= 0xc2 && a < 0xe0 ? 2
                   : a >= 0xe0 && a < 0xf0 ? 3
                   : a >= 0xf0 && a < 0xf5 ? 4
                                           : 0;
  for (size_t i = 1; i < n; i++)
    if (((unsigned char)s[i] & 0xc0) != 0x80) return 0;
  const int overlong = (a == 0xe0 && b < 0xa0) || (a == 0xf0 && b < 0x90);
  const int beyond = (a == 0xed && b >= 0xa0) || (a == 0xf4 && b >= 0x90);
  return overlong || beyond ? 0 : n;
}

/* Is the UTF-8 character at s, n bytes, one that a terminal obeys instead of showing it? */
static int is_control(const char *s, size_t n)
{
  const unsigned char a = (unsigned char)s[0], b = n > 1 ? (unsigned char)s[1] : 0;
  const unsigned char c = n > 2 ? (unsigned char)s[2] : 0;
  if (n == 1) return a < 0x20 || a == 0x7f;
  if (n == 2) return a == 0xc2 && b < 0xa0; /* U+0080..9F */
  if (n != 3 || a != 0xe2) return 0;
  return (b == 0x80 && c >= 0xa8 && c <= 0xae) || /* U+2028..202E: lines, directions */
         (b == 0x81 && c >= 0xa6 && c <= 0xa9);   /* U+2066..2069: directions */
}

size_t bri_shown_length(const char *s)
{
  const size_t n = bri_utf8_length(s);
  return n && !is_control(s, n) ? n : 0;
}

const char *bri_find_control(const char *s, int lines)
{
  while (*s) {
    const size_t n = bri_utf8_length(s);
    const int line = lines && (*s == '\n' || *s == '\t');
    if (n && !line && is_control(s, n)) return s;
    s += n ? n : 1;
  }
  return NULL;
}

char *bri_escape(const char *s, size_t size, char *out)
{
  size_t used = 0;
  while (*s) {
    const size_t n = bri_shown_length(s), need = n ? n : 4;
    if (used + need >= size) break;
    if (n) memcpy(out + used, s, n);
    else (void)snprintf(out + used, size - used, "\\x%02x", (unsigned)(unsigned char)*s);
    used += need;
    s += n ? n : 1;
  }
  out[used] = '\0';
  return out;
}

/* ---- gnuplot ---- */

/* What stands as itself; everything else of ASCII is written as \ooo, so that between the quotes there is no
 * quote, backquote, macro or comment sign whatever the text says. */
static int is_harmless(char c) { return (unsigned char)c >= 0x80 || !strchr("\"'`\\@#${}", c); }

void bri_gnuplot_text(FILE *f, const char *s)
{
  (void)fputc('"', f);
  while (*s) {
    const size_t n = bri_shown_length(s);
    if (n == 0) (void)fputs(UNKNOWN, f);
    else if (is_harmless(*s)) (void)fwrite(s, 1, n, f);
    else (void)fprintf(f, "\\%03o", (unsigned)*s);
    s += n ? n : 1;
  }
  (void)fputc('"', f);
}

void bri_gnuplot_comment(FILE *f, const char *s)
{
  while (*s) {
    const size_t n = bri_shown_length(s);
    if (n == 0) (void)fputs(UNKNOWN, f);
    else if (*s == '\\') (void)fputc('/', f);
    else (void)fwrite(s, 1, n, f);
    s += n ? n : 1;
  }
}

/* ---- pages ---- */

/* The character at s where it is no plain one: blank for line ends, \xNN; 0: it may be shown, s is left
 * alone. */
static int odd(bri_buf *b, const char *s)
{
  if (bri_shown_length(s)) return 0;
  if (*s == '\n' || *s == '\t') bri_buf_add(b, " ", 1);
  else bri_buf_printf(b, "\\x%02x", (unsigned)(unsigned char)*s);
  return 1;
}

static const char *entity(char c)
{
  return c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : NULL;
}

void bri_buf_html(bri_buf *b, const char *s)
{
  while (s && *s) {
    const size_t n = bri_shown_length(s);
    const char *e = entity(*s);
    if (e) bri_buf_text(b, e);
    else if (!odd(b, s)) bri_buf_add(b, s, n);
    s += n ? n : 1;
  }
}

static int is_word(char c)
{
  return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (unsigned char)c >= 0x80;
}

/* Signs that Markdown reads anywhere in a line; _ only beside something that is no letter or digit. */
static int is_markup(const char *from, const char *s)
{
  if (*s == '_') return s == from || !is_word(s[-1]) || !is_word(s[1]);
  return strchr("\\`*[]|~$", *s) != NULL;
}

/* Length of what makes a line more than text by standing at its start: "#", "- ", "+ ", "---", "12.", "12)".
 * */
static size_t block_start(const char *s)
{
  if (*s == '#' || (strchr("-+", *s) && (!s[1] || strchr("- \n\t", s[1])))) return 1;
  const size_t digits = strspn(s, "0123456789");
  return digits && (s[digits] == '.' || s[digits] == ')') && (s[digits + 1] == ' ' || !s[digits + 1])
             ? digits + 1
             : 0;
}

void bri_buf_markdown(bri_buf *b, const char *s)
{
  const char *from = s += strspn(s, " \t\n");
  const char *mark = *s ? s + block_start(s) : s;
  while (*s) {
    const size_t n = bri_shown_length(s);
    const char *e = *s == '"' ? NULL : entity(*s);
    if (e) bri_buf_text(b, e);
    else if (!odd(b, s)) {
      if (is_markup(from, s) || s + 1 == mark) bri_buf_add(b, "\\", 1);
      bri_buf_add(b, s, n);
    }
    s += n ? n : 1;
  }
}

void bri_buf_link(bri_buf *b, const char *s)
{
  for (; *s; s++) {
    if (((unsigned char)*s < 0x80 && is_word(*s)) || strchr("-._~/", *s)) bri_buf_add(b, s, 1);
    else bri_buf_printf(b, "%%%02X", (unsigned)(unsigned char)*s);
  }
}
