/* SPDX-License-Identifier: Apache-2.0
 * shortest.c - the shortest decimal that reads back as the same double; of several the nearest.
 *
 * x = c 2^q.  Every number between the midpoints to the neighbours, (c - 1/2) 2^q and (c + 1/2) 2^q, reads
 * back as x.  With 10^k the largest power of ten that is not longer than this interval, one or two multiples
 * of 10^k at least lie in it, and at most one of 10^(k+1): that one, if there, else the nearer of the
 * two.  Four times the interval's ends and x in units of 10^k are needed only as integers with one more bit
 * that says whether something follows; a product with 10^-k in 128 bits gives exactly that.
 *   R. Giulietti, The Schubfach way to render doubles (2020, revised 2022).
 * The digits are split into two groups of eight that are taken apart in parallel inside 64-bit integers, and
 * the text is laid out by copies of fixed length: hardly a branch depends on the digits. */
#include "shortest.h"

#include <float.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "bristle/text.h"
#include "powers.h"

#ifdef __GNUC__
#define BRI_COLD __attribute__((noinline, cold)) /* inlined it would cost the quick road its registers */
#else
#define BRI_COLD
#endif

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

/* Every x but 0, infinity and NaN.  bits: those of x without the sign. */
BRI_COLD static decimal shortest(uint64_t bits)
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
  const uint64_t s = value / 4, t = s / 10 * 10;
  /* masks instead of branches: which of the cases holds is as good as random */
  const uint64_t below = lower <= 4 * s, above = 4 * s + 4 <= upper;
  const uint64_t nearer = (value > 4 * s + 2) | ((value == 4 * s + 2) & (s & 1));
  const uint64_t up = below != above ? above : nearer;
  const uint64_t below10 = lower <= 4 * t, above10 = 4 * t + 40 <= upper;
  const uint64_t tens = (uint64_t)0 - ((below10 ^ above10) & (s >= 10));
  decimal d = {(tens & (t + 10 * above10)) | (~tens & (s + up)), k};
  while (d.digits < 1000000000000000u) d.digits *= 10, d.exponent--; /* subnormal: fewer than 16 */
  return d;
}

/* The same for a normal x that is no power of two, with one product: x = s + f in units of 10^k, half the
 * interval is h; all in multiples of 2^-60 and off by less than 3 of them.  Where that could decide, and for
 * the rare x left out, shortest() is asked. */
static inline decimal shortest_quick(uint64_t bits)
{
  const uint64_t fraction = bits & (((uint64_t)1 << 52) - 1), unit = (uint64_t)1 << 60;
  const int q = (int)(bits >> 52) - 1075;
  const int k = bri_floor_shift(q * 1262611, 22);
  const int shift = q + bri_log2_pow10(-k) + 1;
  const uint64_t *ten = bri_powers[-k - BRI_POWER_FIRST];
  const uint64_t c = (fraction | (uint64_t)1 << 52) << shift;
  const bri_wide y = bri_multiply(ten[0], c);
  const uint64_t x1 = bri_multiply(ten[1], c).high, f = y.low + x1, s = y.high + (f < x1);
  const uint64_t h = ten[0] >> (5 - shift), digit = s % 10;
  const uint64_t down = digit << 60 | f >> 4, up = 10 * unit - down; /* distances to multiples of 10 */
  const int close = (down - h + 3 <= 6) | (up - h + 3 <= 6) | ((f >> 4) - unit / 2 + 3 <= 6);
  if (close | (fraction == 0) | (bits >> 52 == 0)) return shortest(bits);
  /* masks, not branches: which case holds is as good as random */
  const uint64_t raise = (uint64_t)0 - (up < h), tens = raise | ((uint64_t)0 - (down < h));
  return (decimal){s + (tens & ((raise & 10) - digit)) + (~tens & (f >> 63)), k};
}

/* The eight bytes of x, lowest first, at p. */
static inline void put8(char *p, uint64_t x)
{
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  memcpy(p, &x, 8);
#else
  for (int k = 0; k < 8; k++, x >>= 8) p[k] = (char)(x & 0xff);
#endif
}

/* Eight or sixteen digits at once; byte 0 is the first.  All below works on little-endian words. */
typedef struct {
  uint64_t first; /* digits 1 to 8 as characters */
  int n;          /* digits up to the last that is not 0, and one for what stands before them */
} digits;

/* The eight digits of n < 1e8, the first in the lowest byte. */
static inline uint64_t eight_digits(uint32_t n)
{
  const uint64_t q4 = n / 10000, fours = q4 | (n - 10000 * q4) << 32;
  const uint64_t q2 = (fours * 10486 >> 20) & 0x0000007f0000007fu; /* below 10000, n / 100 = n 10486 >> 20 */
  const uint64_t pairs = q2 | (fours - 100 * q2) << 16;
  const uint64_t q1 = (pairs * 103 >> 10) & 0x000f000f000f000fu; /* below 100, n / 10 = n 103 >> 10 */
  return q1 | (pairs - 10 * q1) << 8;
}

#ifdef __SSE2__
/* The 16 digits of (high, low), each below 1e8, as characters at p. */
static inline digits put16(uint32_t high, uint32_t low, char *p)
{
  const __m128i both = _mm_set_epi64x(low, high);
  const __m128i q4 =
      _mm_srli_epi64(_mm_mul_epu32(both, _mm_set1_epi32((int)0xd1b71759u)), 45); /* n / 10000 */
  const __m128i r4 = _mm_sub_epi32(both, _mm_mul_epu32(q4, _mm_set1_epi32(10000)));
  const __m128i fours = _mm_or_si128(q4, _mm_slli_epi64(r4, 32));
  const __m128i q2 = _mm_srli_epi16(_mm_mulhi_epu16(fours, _mm_set1_epi16(5243)), 3); /* n / 100 */
  const __m128i r2 = _mm_sub_epi16(fours, _mm_mullo_epi16(q2, _mm_set1_epi16(100)));
  const __m128i pairs = _mm_or_si128(q2, _mm_slli_epi32(r2, 16));
  const __m128i q1 = _mm_mulhi_epu16(pairs, _mm_set1_epi16(6554)); /* n / 10 */
  const __m128i r1 = _mm_sub_epi16(pairs, _mm_mullo_epi16(q1, _mm_set1_epi16(10)));
  const __m128i bytes = _mm_or_si128(q1, _mm_slli_epi16(r1, 8));
  const __m128i text = _mm_or_si128(bytes, _mm_set1_epi8('0'));
  const unsigned zero = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
  _mm_storeu_si128((__m128i *)(void *)p, text);
  return (digits){(uint64_t)_mm_cvtsi128_si64(text), 32 - __builtin_clz((~zero & 0xffff) << 1 | 1)};
}
#else
static inline digits put16(uint32_t high, uint32_t low, char *p)
{
  const uint64_t a = eight_digits(high), b = eight_digits(low), zeros = 0x3030303030303030u;
  const int na = a ? 9 - bri_leading_zeros(a) / 8 : 1, nb = 17 - bri_leading_zeros(b | 1) / 8;
  put8(p, a | zeros);
  put8(p + 8, b | zeros);
  return (digits){a | zeros, b ? nb : na};
}
#endif

BRI_COLD static size_t put_exponent(int e10, char *p)
{
  const char *start = p;
  *p++ = 'e';
  if (e10 < 0) *p++ = '-', e10 = -e10;
  if (e10 >= 100) *p++ = (char)('0' + e10 / 100);
  if (e10 >= 10) *p++ = (char)('0' + e10 / 10 % 10);
  *p++ = (char)('0' + e10 % 10);
  return (size_t)(p - start);
}

BRI_COLD static size_t special(uint64_t bits, char *buf)
{
  const char *text = bits << 1 == 0 ? "-0" : bits << 12 ? "-nan" : "-inf"; /* a NaN has no sign */
  if (!(bits >> 63) || text[1] == 'n') text++;
  size_t n = 0;
  for (; text[n]; n++) buf[n] = text[n]; /* without terminator */
  return n;
}

size_t bri_shortest(double value, char buf[BRI_SHORTEST_ROOM])
{
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  const uint64_t plain = bits & ~((uint64_t)1 << 63);
  if (plain - 1 >= 0x7fefffffffffffffu) return special(bits, buf); /* 0, infinite, NaN */
  const decimal d = shortest_quick(plain);
  const uint32_t high9 = (uint32_t)(d.digits / 100000000),
                 low = (uint32_t)(d.digits - high9 * (uint64_t)100000000);
  const uint32_t top = high9 / 100000000, high = high9 - top * 100000000;
  const int more = top != 0; /* 17 digits; otherwise 16 */
  const int e10 = d.exponent + 15 + more;
  const size_t sign = (size_t)(bits >> 63);
  char *p = buf + sign;
  buf[0] = '-';
  if (e10 < 0 && e10 >= -5) { /* 0.000012 */
    put8(p, 0x303030303030u << 16 | (uint64_t)'.' << 8 | '0');
    p[1 - e10] = (char)('0' + top);
    const int n = put16(high, low, p + 1 - e10 + more).n - 1 + more;
    return sign + (size_t)(n + 1 - e10);
  }
  /* 1234.5 or 1200, or 1.25e300.  All digits go one place too far to the right, where those behind the point
   * belong; then those before it are put in place. */
  const int plain_form = e10 >= 0 && e10 < 16, whole = plain_form ? e10 + 1 : 1;
  p[1] = (char)('0' + top);
  const digits x = put16(high, low, p + 1 + more);
  const int n = x.n - 1 + more;
  if (whole < 8) {
    const uint64_t keep = ((uint64_t)1 << 8 * whole) - 1, first = more ? x.first << 8 | '0' | top : x.first;
    put8(p, (first & keep) | (uint64_t)'.' << 8 * whole | (first & ~keep) << 8);
  } else {
    memmove(p, p + 1, (size_t)whole);
    p[whole] = '.';
  }
  const size_t length = sign + (size_t)(n > whole ? n + 1 : whole);
  return plain_form ? length : length + put_exponent(e10, buf + length);
}

/* Digits of n < 1e8 without zeros in front, at least one; returns how many. */
static inline size_t put_whole(uint32_t n, char *p)
{
  if (n < 10) return *p = (char)('0' + n), 1;
  const uint64_t word = eight_digits(n);
  int zeros = 0;
  while (!(word >> 8 * zeros & 0xff)) zeros++; /* as many as in the row before, mostly */
  put8(p, (word | 0x3030303030303030u) >> 8 * zeros);
  return (size_t)(8 - zeros);
}

/* x = m / 10^places with m below 1e15, if one correctly rounded division says so.  Decimals of at most 15
 * digits are all different doubles, so no shorter one can be x, only this one without zeros at its end. */
static inline size_t few_places(double x, int places, char *buf)
{
  static const double TEN[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                               1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  static const uint64_t WHOLE[] = {1u,
                                   10u,
                                   100u,
                                   1000u,
                                   10000u,
                                   100000u,
                                   1000000u,
                                   10000000u,
                                   100000000u,
                                   1000000000u,
                                   10000000000u,
                                   100000000000u,
                                   1000000000000u,
                                   10000000000000u,
                                   100000000000000u,
                                   1000000000000000u,
                                   10000000000000000u};
  uint64_t bits = 0;
  double a = 0.0;
  memcpy(&bits, &x, sizeof bits);
  const size_t sign = (size_t)(bits >> 63);
  bits &= ~((uint64_t)1 << 63);
  memcpy(&a, &bits, sizeof a);
  const double scaled = a * TEN[places];
  if (!(a >= 1e-5 && a < 1e8 && scaled < 1e15)) return 0; /* smaller ones have an exponent */
  const uint64_t m = (uint64_t)(scaled + 0.5), whole = (uint64_t)a;
  if ((double)m / TEN[places] != a) return 0;
  const uint64_t fraction = (m - whole * WHOLE[places]) * WHOLE[16 - places]; /* 16 digits */
  const uint32_t high = (uint32_t)(fraction / 100000000),
                 low = (uint32_t)(fraction - high * (uint64_t)100000000);
  buf[0] = '-';
  char *p = buf + sign;
  p += put_whole((uint32_t)whole, p);
  *p = '.';
  const int n = put16(high, low, p + 1).n - 1;
  return (size_t)(p - buf) + (n ? 1 + (size_t)n : 0);
}

/* Decimals of a text just written, from which the next number's are guessed. */
BRI_COLD static int learn(const char *text, size_t n)
{
  const char *point = memchr(text, '.', n);
  const int places = point ? (int)(text + n - point) - 1 : 0;
  return places > 15 || n > 17 || memchr(text, 'e', n) ? -1 : places;
}

size_t bri_shortest_like(double x, char buf[BRI_SHORTEST_ROOM], int *places)
{
  size_t n = 0;
  if (FLT_EVAL_METHOD == 0 && *places >= 0) n = few_places(x, *places, buf);
  if (n) return n;
  n = bri_shortest(x, buf);
  if (*places >= 0 || n < 14) *places = learn(buf, n);
  return n;
}

size_t br_format_double(double x, char buf[BR_DOUBLE_TEXT])
{
  char text[BRI_SHORTEST_ROOM];
  const size_t n = bri_shortest(x, text);
  memcpy(buf, text, n);
  buf[n] = '\0';
  return n;
}
