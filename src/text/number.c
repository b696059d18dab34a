/* SPDX-License-Identifier: Apache-2.0
 * number.c - decimal text to double and back, correctly rounded and blind to the locale.
 *
 * Reading: up to 19 digits fit a 64-bit integer w, the value is w * 10^q.
 *   w < 2^53, |q| <= 22: w and 10^|q| are exact doubles, one multiplication or division rounds once
 * (Clinger).
 *   |q| <= 27: 5^|q| < 2^63, so w * 5^q or w / 5^|q| is formed in 128-bit integers and rounded once.
 *   otherwise: strtod on the digits written as an integer with an exponent.  That text has no decimal mark,
 * so the
 *   locale's mark cannot matter. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/text.h"
#include "shortest.h"

/* A double midway between two neighbours has at most 767 significant digits; one more digit that stands for
 * "something non-zero follows" settles every comparison. */
enum { MAX_DIGITS = 768, MAX_FAST_DIGITS = 19, MAX_CLINGER = 22, MAX_FIVE = 27 };

static const double POW10[MAX_CLINGER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

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

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 u128;

/* Round q * 2^e (q has bit 63 set; sticky: a non-zero tail follows) to the nearest double, ties to even. */
static double round_bits(uint64_t q, int sticky, int e)
{
  uint64_t m = q >> 11;
  const uint64_t tail = q & 0x7ff;
  if (tail > 0x400 || (tail == 0x400 && (sticky || (m & 1)))) m++;
  return ldexp((double)m, e + 11); /* m <= 2^53: exact */
}

static uint64_t pow5(int q)
{
  uint64_t p = 1;
  for (int k = 0; k < q; k++) p *= 5; /* q <= 27: below 2^63 */
  return p;
}

static int leading_zeros(uint64_t x) { return __builtin_clzll(x); }

static double scale_five(uint64_t w, int q)
{
  if (q >= 0) {
    const u128 p = (u128)w * pow5(q);
    const uint64_t high = (uint64_t)(p >> 64);
    const int z = high ? leading_zeros(high) : 64 + leading_zeros((uint64_t)p);
    const u128 top = p << z;
    return round_bits((uint64_t)(top >> 64), (uint64_t)top != 0, 64 - z + q);
  }
  const uint64_t five = pow5(-q);
  const int zw = leading_zeros(w), zd = leading_zeros(five);
  const uint64_t num = w << zw, den = five << zd;
  /* num/den lies in (1/2, 2); shifting by 64 or 63 puts the quotient into [2^63, 2^64). */
  const int shift = num < den ? 64 : 63;
  const u128 wide = (u128)num << shift;
  const uint64_t quotient = (uint64_t)(wide / den);
  return round_bits(quotient, wide % den != 0, zd - zw - shift + q);
}
#endif

/* digits[0..nd-1] * 10^q by the C library; see the top of the file for why the locale cannot interfere. */
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

size_t br_parse_double_mark(const char *s, size_t n, char mark, double *out)
{
  size_t i = 0;
  int negative = 0;
  if (n && (s[0] == '+' || s[0] == '-')) negative = s[i++] == '-';

  /* Significant digits go to w while they fit; their positions are kept for the slow road. */
  uint64_t w = 0;
  size_t count = 0; /* significant digits seen */
  long q = 0;       /* value = w * 10^q */
  int any = 0;
  const size_t first = i;
  for (; i < n && is_digit(s[i]); i++) {
    any = 1;
    if (count == 0 && s[i] == '0') continue;
    if (count < MAX_FAST_DIGITS) w = w * 10 + (uint64_t)(s[i] - '0');
    count++;
  }
  if (i < n && s[i] == mark) {
    const size_t point = i++;
    for (; i < n && is_digit(s[i]); i++) {
      any = 1;
      q--;
      if (count == 0 && s[i] == '0') continue;
      if (count < MAX_FAST_DIGITS) w = w * 10 + (uint64_t)(s[i] - '0');
      count++;
    }
    if (!any) i = point;
  }
  if (!any) {
    const double sign = negative ? -1.0 : 1.0;
    size_t k = match_word(s + first, n - first, "nan");
    if (k) return *out = NAN, first + k;
    k = match_word(s + first, n - first, "infinity");
    if (!k) k = match_word(s + first, n - first, "inf");
    if (k) return *out = sign * INFINITY, first + k;
    return 0;
  }
  const size_t mantissa_end = i;

  if (i < n && (s[i] == 'e' || s[i] == 'E')) {
    size_t j = i + 1;
    int exp_negative = 0;
    if (j < n && (s[j] == '+' || s[j] == '-')) exp_negative = s[j++] == '-';
    if (j < n && is_digit(s[j])) {
      long e = 0;
      for (; j < n && is_digit(s[j]); j++) {
        if (e < 100000000) e = e * 10 + (s[j] - '0');
      }
      q += exp_negative ? -e : e;
      i = j;
    }
  }

  double x = 0.0;
  if (count == 0) {
    x = 0.0;
  } else if (count <= MAX_FAST_DIGITS && w < ((uint64_t)1 << 53) && q >= -MAX_CLINGER && q <= MAX_CLINGER) {
    x = q < 0 ? (double)w / POW10[-q] : (double)w * POW10[q];
#ifdef __SIZEOF_INT128__
  } else if (count <= MAX_FAST_DIGITS && q >= -MAX_FIVE && q <= MAX_FIVE) {
    x = scale_five(w, (int)q);
#endif
  } else {
    char digits[MAX_DIGITS] = "";
    size_t nd = 0;
    int tail = 0;
    for (size_t j = first; j < mantissa_end; j++) {
      if (!is_digit(s[j]) || (nd == 0 && s[j] == '0')) continue;
      if (nd < MAX_DIGITS) {
        digits[nd++] = s[j];
      } else {
        tail |= s[j] != '0';
      }
    }
    x = slow_value(digits, nd, tail, q + (long)(count - nd));
  }
  *out = negative ? -x : x;
  return i;
}

size_t br_parse_double(const char *s, size_t n, double *out) { return br_parse_double_mark(s, n, '.', out); }

/* digits d1 d2 .. dn (no trailing zeros) and exponent: the value is d1.d2..dn * 10^e10. */
static size_t layout(int negative, const char *digits, int nd, int e10, char *buf)
{
  char *p = buf;
  if (negative) *p++ = '-';
  if (e10 >= -5 && e10 < 0) { /* 0.000012 */
    *p++ = '0';
    *p++ = '.';
    for (int k = -1; k > e10; k--) *p++ = '0';
    memcpy(p, digits, (size_t)nd);
    p += nd;
  } else if (e10 >= 0 && e10 < 16) { /* 1234.5 or 1200 */
    const int whole = e10 + 1, have = nd < whole ? nd : whole;
    memcpy(p, digits, (size_t)have);
    p += have;
    for (int k = nd; k < whole; k++) *p++ = '0';
    if (nd > whole) {
      *p++ = '.';
      memcpy(p, digits + whole, (size_t)(nd - whole));
      p += nd - whole;
    }
  } else { /* 1.25e-300 */
    *p++ = digits[0];
    if (nd > 1) {
      *p++ = '.';
      for (int k = 1; k < nd; k++) *p++ = digits[k];
    }
    p += snprintf(p, 8, "e%d", e10);
  }
  *p = '\0';
  return (size_t)(p - buf);
}

/* Decimals of few digits, the common case in tables: find the least k with m = x 10^k an integer below 1e15
 * such that m / 10^k, one correctly rounded division, gives x back.  Returns the number of digits or 0. */
static int short_decimal(double x, char digits[20], int *e10)
{
  for (int k = 0; k <= 15; k++) {
    const double m = rint(x * POW10[k]);
    if (m >= 1e15) return 0;
    if (m / POW10[k] == x) {
      char reversed[20];
      int nd = 0;
      for (uint64_t v = (uint64_t)m; v; v /= 10) reversed[nd++] = (char)('0' + v % 10);
      for (int j = 0; j < nd; j++) digits[j] = reversed[nd - 1 - j];
      *e10 = nd - 1 - k;
      return nd;
    }
  }
  return 0;
}

/* The fewest digits of 15, 16, 17 that read back as x; 17 always do.  printf's decimal mark is skipped over.
 * */
static int long_decimal(double x, char digits[20], int *e10)
{
  int nd = 0;
  /* 15 digits hold every shorter decimal of a normal number, but more than a subnormal one has */
  for (int precision = x < 2.2250738585072014e-308 ? 0 : 14; precision <= 16; precision++) {
    char text[64];
    double back = 0.0;
    (void)snprintf(text, sizeof text, "%.*e", precision, x);
    const char *e = strrchr(text, 'e');
    nd = 0;
    for (const char *p = text; p < e && nd < 20; p++) {
      if (is_digit(*p)) digits[nd++] = *p;
    }
    *e10 = atoi(e + 1);
    char plain[48];
    const int len = snprintf(plain, sizeof plain, "%.*se%d", nd, digits, *e10 - (nd - 1));
    if (br_parse_double(plain, (size_t)len, &back) && back == x) break;
  }
  return nd;
}

size_t br_format_double(double x, char buf[BR_DOUBLE_TEXT])
{
  if (isnan(x)) return (size_t)snprintf(buf, BR_DOUBLE_TEXT, "nan");
  if (isinf(x)) return (size_t)snprintf(buf, BR_DOUBLE_TEXT, x > 0 ? "inf" : "-inf");
  const int negative = signbit(x) != 0;
  const double a = fabs(x);
  if (a == 0.0) return (size_t)snprintf(buf, BR_DOUBLE_TEXT, negative ? "-0" : "0");
  char digits[20];
  int e10 = 0;
  int nd = bri_shortest(a, digits, &e10);
  if (nd == 0 && a >= 1e-5 && a < 1e15) nd = short_decimal(a, digits, &e10);
  if (nd == 0) nd = long_decimal(a, digits, &e10);
  while (nd > 1 && digits[nd - 1] == '0') nd--;
  return layout(negative, digits, nd, e10, buf);
}
