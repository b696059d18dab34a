/* SPDX-License-Identifier: Apache-2.0
 * number.c - decimal text to double, correctly rounded and blind to the locale.
 * Nearly every number goes the fast road of decimal.h.  What it leaves - words, more than 19 digits - is read
 * here: long digit strings by strtod, as an integer with an exponent.  That text has no decimal mark, so the
 * locale's mark cannot matter. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/text.h"
#include "decimal.h"

/* A double midway between two neighbours has at most 767 significant digits; one more digit that stands for
 * "something non-zero follows" settles every comparison. */
enum { MAX_DIGITS = 768 };

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static size_t match_word(const char *s, size_t n, const char *word)
{
  size_t k = 0;
  while (word[k]) {
    if (k >= n || (s[k] | 0x20) != word[k]) return 0;
    k++;
  }
  return k;
}

/* digits[0..nd-1] * 10^q by the C library. */
static double slow_value(const char *digits, size_t nd, int tail, long q)
{
  char text[MAX_DIGITS + 32];
  memcpy(text, digits, nd);
  if (tail) {
    text[nd++] = '1';
    q--;
  }
  if (q > 100000) q = 100000;
  if (q < -100000) q = -100000;
  (void)snprintf(text + nd, 32, "e%ld", q);
  return strtod(text, NULL);
}

/* nan, inf, infinity, in any case; 0: none of them. */
static size_t read_word(const char *s, size_t n, int negative, double *out)
{
  size_t k = match_word(s, n, "nan");
  if (k) return *out = NAN, k;
  k = match_word(s, n, "infinity");
  if (!k) k = match_word(s, n, "inf");
  if (k) *out = negative ? -INFINITY : INFINITY;
  return k;
}

static size_t read_exponent(const char *s, size_t n, long *e)
{
  size_t j = 1;
  if (n < 2 || (s[0] | 0x20) != 'e') return 0;
  const int negative = s[1] == '-';
  if (s[1] == '-' || s[1] == '+') j++;
  const size_t first = j;
  *e = 0;
  for (; j < n && is_digit(s[j]); j++)
    if (*e < 100000000) *e = *e * 10 + (s[j] - '0');
  if (negative) *e = -*e;
  return j > first ? j : 0;
}

/* Any number, digit by digit: significant ones are kept as text, the value is digits * 10^q. */
static size_t careful_number(const char *s, size_t n, char mark, double *out)
{
  char digits[MAX_DIGITS] = "";
  size_t i = 0, nd = 0;
  int negative = 0, any = 0, tail = 0;
  long q = 0, e = 0;
  if (n && (s[0] == '+' || s[0] == '-')) negative = s[i++] == '-';
  const size_t first = i;
  size_t point = n; /* where the mark stands, n: nowhere */
  for (; i < n && (is_digit(s[i]) || (s[i] == mark && point == n)); i++) {
    if (s[i] == mark) {
      point = i;
      continue;
    }
    any = 1;
    q -= point < n;
    if (nd == 0 && s[i] == '0') continue;
    if (nd < MAX_DIGITS) {
      digits[nd++] = s[i];
    } else {
      tail |= s[i] != '0';
      q++;
    }
  }
  if (!any) {
    const size_t k = read_word(s + first, n - first, negative, out);
    return k ? first + k : 0;
  }
  const size_t used = read_exponent(s + i, n - i, &e);
  const double x = nd ? slow_value(digits, nd, tail, q + (used ? e : 0)) : 0.0;
  *out = negative ? -x : x;
  return i + used;
}

size_t br_parse_double_mark(const char *s, size_t n, char mark, double *out)
{
  const char *end = bri_quick_number(s, s + n, mark, out);
  return end ? (size_t)(end - s) : careful_number(s, n, mark, out);
}

size_t br_parse_double(const char *s, size_t n, double *out) { return br_parse_double_mark(s, n, '.', out); }
