/* SPDX-License-Identifier: Apache-2.0
 * decimal.h - the fast road from decimal text to double, inline because tables read millions of numbers.
 *
 * Digits are taken eight at a time: eight bytes make one 64-bit integer, whose bytes are tested and weighed
 * together.  At most 19 digits make an integer w, the value is w 10^q.
 *   w <= 2^53, |q| <= 22: both are exact doubles, one multiplication or division rounds once.
 *     W. D. Clinger, How to read floating point numbers accurately, PLDI 1990.
 *   otherwise the top bits of w times 10^q in 128 bits; the error of the table is below one unit of the last
 *     of them, which settles the rounding.
 *     D. Lemire, Number parsing at a gigabyte per second, Software: Practice and Experience 51 (2021);
 *     N. Mushtak, D. Lemire, Fast number parsing without fallback, same journal 53 (2023). */
#ifndef BRI_TEXT_DECIMAL_H
#define BRI_TEXT_DECIMAL_H
#include <float.h>
#include <math.h>
#include <string.h>

#include "powers.h"

enum { BRI_DIGITS_FIT = 19, BRI_EXACT_TEN = 22 };

/* Nearest double to w 10^q, ties to even; returns 0 where 128 bits do not settle it (never seen: the second
 * paper proves it cannot be) and leaves *out alone. */
static inline int bri_scale(uint64_t w, int q, double *out)
{
  uint64_t bits = 0;
  if (w == 0 || q < BRI_POWER_FIRST) return *out = 0.0, 1;
  if (q > 308) return *out = HUGE_VAL, 1;
  const uint64_t *ten = bri_powers[q - BRI_POWER_FIRST];
  const int z = bri_leading_zeros(w);
  w <<= z;
  bri_wide p = bri_multiply(w, ten[0]);
  if ((p.high & 0x1ff) == 0x1ff) { /* the low half of the power may carry up to the bits that count */
    const uint64_t more = bri_multiply(w, ten[1]).high;
    p.low += more;
    p.high += p.low < more;
  }
  if (p.low == UINT64_MAX && (q < -27 || q > 55)) return 0;
  const int up = (int)(p.high >> 63); /* the product has 127 or 128 bits */
  uint64_t m = p.high >> (up + 9);    /* 54 bits: one for rounding */
  int e = bri_log2_pow10(q) + 63 + up - z + 1023;
  if (e <= 0) { /* subnormal; halfway cannot be, as 5^-q would have to divide w */
    if (e <= -63) return *out = 0.0, 1;
    m >>= 1 - e;
    bits = (m + 1) >> 1; /* 2^52 is the smallest normal number, by the same bits */
  } else {
    /* Exactly halfway, which takes a w divisible by 5^-q, goes to the even neighbour. */
    if (p.low <= 1 && q >= -4 && q <= 23 && (m & 3) == 1 && m << (up + 9) == p.high) m &= ~(uint64_t)1;
    m = (m + 1) >> 1;
    /* m has its leading one at bit 52, or is 2^53; either way adding gives the right bits. */
    bits = ((uint64_t)(e - 1) << 52) + m;
    if (bits > 0x7ff0000000000000u) bits = 0x7ff0000000000000u;
  }
  memcpy(out, &bits, sizeof bits);
  return 1;
}

/* w 10^q with the cheap exact case first. */
static inline int bri_decimal(uint64_t w, int q, double *out)
{
  static const double TEN[BRI_EXACT_TEN + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  /* registers wider than a double would round twice */
  if (FLT_EVAL_METHOD == 0 && w <= (uint64_t)1 << 53 && q <= BRI_EXACT_TEN && q >= -BRI_EXACT_TEN) {
    *out = q < 0 ? (double)w / TEN[-q] : (double)w * TEN[q];
    return 1;
  }
  return bri_scale(w, q, out);
}

#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* Eight digits at p behind those in *w; 0: they are not all digits. */
static inline int bri_eight(const char *p, uint64_t *w)
{
  uint64_t t = 0;
  memcpy(&t, p, 8);
  t ^= 0x3030303030303030u; /* digits are 0 .. 9 now, everything else is more */
  if (((t + 0x7676767676767676u) | t) & 0x8080808080808080u) return 0;
  t = (t * 10 + (t >> 8)) & 0x00ff00ff00ff00ffu; /* pairs, then fours, then all */
  t = (t * 100 + (t >> 16)) & 0x0000ffff0000ffffu;
  t = (t * 10000 + (t >> 32)) & 0xffffffffu;
  *w = *w * 100000000 + t;
  return 1;
}
#else
static inline int bri_eight(const char *p, uint64_t *w)
{
  (void)p, (void)w;
  return 0;
}
#endif

/* Digits from p, `eight` at a time where many are expected; those beyond 19 spoil *w, which the caller sees
 * from the length.  The rest one by one: their number is mostly that of the row before, and where the
 * processor guesses it right, it goes on with what follows without waiting for this number. */
static inline const char *bri_digits(const char *p, const char *limit, int eight, uint64_t *w)
{
  while (eight && limit - p >= 8 && bri_eight(p, w)) p += 8;
  for (; p < limit && (unsigned char)(*p - '0') < 10; p++) *w = *w * 10 + (uint64_t)(*p - '0');
  return p;
}

/* A number at p, as br_parse_double_mark() reads it; the end of it, or NULL where the careful road must look:
 * words, no digits, more than 19 significant digits. */
static inline const char *bri_quick_number(const char *p, const char *limit, char mark, double *out)
{
  uint64_t w = 0;
  double x = 0.0;
  int q = 0;
  if (p >= limit) return NULL;
  const int negative = *p == '-';
  p += negative;
  const char *first = p;
  p = bri_digits(p, limit, 0, &w);
  long count = p - first;
  if (p < limit && *p == mark) {
    const char *point = ++p;
    p = bri_digits(p, limit, 1, &w);
    if (p - point > 1000) return NULL;
    q = (int)(point - p);
    count -= q;
  }
  if (count == 0) return NULL;
  if (count > BRI_DIGITS_FIT) { /* zeros in front do not count */
    for (; first < p && (*first == '0' || *first == mark); first++) count -= *first == '0';
    if (count > BRI_DIGITS_FIT) return NULL;
  }
  if (p < limit && (*p | 0x20) == 'e') {
    const char *s = p + 1;
    const int down = s < limit && *s == '-';
    int e = 0;
    s += s < limit && (*s == '-' || *s == '+');
    const char *start = s;
    for (; s < limit && *s >= '0' && *s <= '9'; s++) e = e < 10000 ? e * 10 + (*s - '0') : e;
    if (s > start) {
      q += down ? -e : e;
      p = s;
    }
  }
  if (!bri_decimal(w, q, &x)) return NULL;
  *out = negative ? -x : x;
  return p;
}

#endif
