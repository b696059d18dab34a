/* SPDX-License-Identifier: Apache-2.0
 * shortest.c - the shortest decimal that reads back as the same double; of several the nearest.
 *
 * x = c 2^q.  Every number between the midpoints to the neighbours, (c - 1/2) 2^q and (c + 1/2) 2^q, reads back
 * as x.  With 10^k the largest power of ten that is not longer than this interval, one or two multiples of
 * 10^k at least lie in it, and at most one of 10^(k+1): that one, if there, else the nearer of the two.  Four
 * times the interval's ends and x in units of 10^k are needed only as integers with one more bit that says
 * whether something follows; a product with 10^-k in 128 bits gives exactly that.
 *   R. Giulietti, The Schubfach way to render doubles (2020, revised 2022).
 * The digits are split into two groups of eight that are taken apart in parallel inside 64-bit integers, and
 * the text is laid out by copies of fixed length: hardly a branch depends on the digits. */
#include "shortest.h"

#include <stdint.h>
#include <string.h>

#include "bristle/text.h"
#include "powers.h"

typedef struct {
  uint64_t digits; /* 16 or 17 of them, trailing zeros included */
  int exponent;    /* the value is digits 10^exponent */
} decimal;

/* g c / 2^128, rounded down, lowest bit set when something was cut off. */
static inline uint64_t product_odd(uint64_t g1, uint64_t g0, uint64_t c)
{
  const uint64_t x1 = bri_multiply(g0, c).high;
  const bri_wide y = bri_multiply(g1, c);
  const uint64_t y0 = y.low + x1;
  return (y.high + (y0 < x1)) | (y0 > 1);
}

/* bits: those of x without the sign, x neither 0 nor infinite nor NaN. */
static inline decimal shortest(uint64_t bits)
{
  const uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
  const int field = (int)(bits >> 52);
  const uint64_t c = field ? fraction | (uint64_t)1 << 52 : fraction;
  const int q = (field ? field : 1) - 1075;
  const int closer =
      fraction == 0 && field > 1; /* the neighbour below a power of two is at half the distance */
  const uint64_t odd = c & 1;     /* the midpoints themselves read back as even numbers only */
  /* floor of log10 of 2^q, or of 3/4 2^q */
  const int k = bri_floor_shift(q * 1262611 - (closer ? 524031 : 0), 22);
  const int h = q + bri_log2_pow10(-k) + 1; /* 1 .. 4 */
  const uint64_t *ten = bri_powers[-k - BRI_POWER_FIRST];
  const uint64_t g1 = ten[0],
                 g0 = ten[1] + (k > 27 || k < -55); /* rounded up unless exact; see powers_of_ten.py */
  const uint64_t lower = product_odd(g1, g0, (4 * c - 2 + (uint64_t)closer) << h) + odd;
  const uint64_t value = product_odd(g1, g0, (4 * c) << h);
  const uint64_t upper = product_odd(g1, g0, (4 * c + 2) << h) - odd;
  const uint64_t s = value / 4;
  if (s >= 10) {
    const uint64_t t = s / 10 * 10;
    const int below = lower <= 4 * t, above = 4 * t + 40 <= upper;
    if (below != above) return (decimal){t + (above ? 10 : 0), k};
  }
  const int below = lower <= 4 * s, above = 4 * s + 4 <= upper;
  const int up = below != above ? above : value > 4 * s + 2 || (value == 4 * s + 2 && (s & 1));
  return (decimal){s + (uint64_t)up, k};
}

#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* The eight digits of n < 1e8, the first in the lowest byte. */
static inline uint64_t eight_digits(uint32_t n)
{
  const uint64_t high = n / 10000, fours = high | (uint64_t)(n - 10000 * (uint32_t)high) << 32;
  const uint64_t hundreds =
      (fours * 10486 >> 20) & 0x0000007f0000007fu; /* below 10000, n / 100 = n 10486 >> 20 */
  const uint64_t pairs = hundreds | (fours - 100 * hundreds) << 16;
  const uint64_t tens = (pairs * 103 >> 10) & 0x000f000f000f000fu; /* below 100, n / 10 = n 103 >> 10 */
  return tens | (pairs - 10 * tens) << 8;
}

/* 17 digits of v < 1e17 into text; returns how many there are up to the last that is not 0, at least 1. */
static inline int write_digits(uint64_t v, char *text)
{
  const uint32_t low8 = (uint32_t)(v % 100000000), high9 = (uint32_t)(v / 100000000);
  const uint32_t top = high9 / 100000000;
  const uint64_t zeros = 0x3030303030303030u;
  const uint64_t a = eight_digits(high9 - top * 100000000), b = eight_digits(low8);
  const uint64_t a_text = a | zeros, b_text = b | zeros;
  text[0] = (char)('0' + top);
  memcpy(text + 1, &a_text, 8);
  memcpy(text + 9, &b_text, 8);
  const uint64_t last = b ? b : a;
  return (b ? 9 : 1) + 8 - (bri_leading_zeros(last | 1) >> 3) - (last ? 0 : 1);
}
#else
static inline int write_digits(uint64_t v, char *text)
{
  int n = 1;
  for (int k = 16; k >= 0; k--, v /= 10) {
    text[k] = (char)('0' + v % 10);
    if (n == 1 && v % 10) n = k + 1;
  }
  return n;
}
#endif

static size_t with_exponent(const char *digits, int n, int e10, char *p)
{
  const char *start = p;
  *p++ = digits[0];
  if (n > 1) {
    *p++ = '.';
    memcpy(p, digits + 1, (size_t)n - 1);
    p += n - 1;
  }
  *p++ = 'e';
  if (e10 < 0) *p++ = '-', e10 = -e10;
  if (e10 >= 100) *p++ = (char)('0' + e10 / 100);
  if (e10 >= 10) *p++ = (char)('0' + e10 / 10 % 10);
  *p++ = (char)('0' + e10 % 10);
  return (size_t)(p - start);
}

static size_t special(uint64_t bits, char *buf)
{
  const char *text = bits << 1 == 0 ? "-0" : bits << 12 ? "-nan" : "-inf"; /* a NaN has no sign */
  if (!(bits >> 63) || text[1] == 'n') text++;
  const size_t n = strlen(text);
  memcpy(buf, text, n);
  return n;
}

size_t bri_shortest(double x, char buf[BRI_SHORTEST_ROOM])
{
  uint64_t bits = 0;
  memcpy(&bits, &x, sizeof bits);
  const uint64_t plain = bits & ~((uint64_t)1 << 63);
  if (plain - 1 >= 0x7fefffffffffffffu) return special(bits, buf); /* 0, infinite, NaN */
  decimal d = shortest(plain);
  while (d.digits < 1000000000000000u) d.digits *= 10, d.exponent--; /* subnormal: fewer than 16 */
  char digits[48];                                                   /* read beyond the 17th, never used */
  memset(digits + 17, '0', 16);
  int n = write_digits(d.digits, digits);
  const int skip = digits[0] == '0';
  const char *first = digits + skip;
  n -= skip;
  const int e10 = d.exponent + 16 - skip;
  char *p = buf;
  *p = '-';
  const size_t sign = (size_t)(bits >> 63);
  p += sign;
  if (e10 >= 0 && e10 < 16) { /* 1234.5 or 1200 */
    const int whole = e10 + 1;
    memcpy(p, first, 16);
    p[whole] = '.';
    memcpy(p + whole + 1, first + whole, 16);
    return sign + (size_t)(n > whole ? n + 1 : whole);
  }
  if (e10 >= -5 && e10 < 0) { /* 0.000012 */
    memcpy(p, "0.000000", 8);
    memcpy(p + 1 - e10, first, 17);
    return sign + (size_t)(n + 1 - e10);
  }
  return sign + with_exponent(first, n, e10, p);
}

size_t br_format_double(double x, char buf[BR_DOUBLE_TEXT])
{
  char text[BRI_SHORTEST_ROOM];
  const size_t n = bri_shortest(x, text);
  memcpy(buf, text, n);
  buf[n] = '\0';
  return n;
}
