/* SPDX-License-Identifier: Apache-2.0
 * shortest.c - the shortest decimal of a double, in 128-bit integers.
 *
 * x = m 2^e with m < 2^53.  Scaled by 10^k to 17 digits before the point it is m 5^k 2^(e+k), an integer of
 * fewer than 120 bits shifted right: nothing is rounded.  Everything between the midpoints to the neighbours,
 * (m - 1/2) and (m + 1/2), reads back as x; the numbers 4m-2, 4m, 4m+2 (4m-1 below a power of two) times 5^k,
 * all shifted by the same amount, are therefore lower end, value and upper end exactly.  Of the integers
 * between them the one with most trailing zeros is the answer. */
#include "shortest.h"

#include <stdint.h>
#include <string.h>

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 u128;

enum { MOST_K = 27 }; /* 5^27 < 2^63 */

static const uint64_t FIVE[MOST_K + 1] = {1u,
                                          5u,
                                          25u,
                                          125u,
                                          625u,
                                          3125u,
                                          15625u,
                                          78125u,
                                          390625u,
                                          1953125u,
                                          9765625u,
                                          48828125u,
                                          244140625u,
                                          1220703125u,
                                          6103515625u,
                                          30517578125u,
                                          152587890625u,
                                          762939453125u,
                                          3814697265625u,
                                          19073486328125u,
                                          95367431640625u,
                                          476837158203125u,
                                          2384185791015625u,
                                          11920928955078125u,
                                          59604644775390625u,
                                          298023223876953125u,
                                          1490116119384765625u,
                                          7450580596923828125u};

static const uint64_t TEN16 = 10000000000000000u;

static const char PAIRS[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748"
    "49505152535455565758596061626364656667686970717273747576777879808182838485868788899091929394959697"
    "9899";

/* v < 1e20, two digits at a time. */
static int write_digits(uint64_t v, char digits[20])
{
  char text[20];
  int at = 20;
  while (v >= 100) {
    const uint64_t q = v / 100;
    memcpy(text + (at -= 2), PAIRS + 2 * (v - 100 * q), 2);
    v = q;
  }
  if (v >= 10) memcpy(text + (at -= 2), PAIRS + 2 * v, 2);
  else text[--at] = (char)('0' + v);
  memcpy(digits, text + at, (size_t)(20 - at));
  return 20 - at;
}

/* The integers (a, b] and t among them, divided by 10^zeros as long as a multiple of it lies between. */
typedef struct {
  uint64_t a, b, t, power;
  int zeros;
} span;

#define DIVIDE(s, by, count)                     \
  if ((s).a / (by) < (s).b / (by)) {             \
    (s).a /= (by), (s).b /= (by), (s).t /= (by); \
    (s).power *= (by);                           \
    (s).zeros += (count);                        \
  }

/* 8 + 4 + 2 + 1 + 1 covers all 16 zeros: where 10^j has a multiple between, so has every smaller power. */
static void strip(span *s)
{
  DIVIDE(*s, 100000000u, 8)
  DIVIDE(*s, 10000u, 4)
  DIVIDE(*s, 100u, 2)
  DIVIDE(*s, 10u, 1)
  DIVIDE(*s, 10u, 1)
}

int bri_shortest(double x, char digits[20], int *e10)
{
  uint64_t bits = 0;
  if (!(x >= 1e-11 && x < 1e16)) return 0; /* so it is normal: 52 bits behind a leading one */
  memcpy(&bits, &x, sizeof bits);
  const uint64_t m = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52; /* in [2^52, 2^53) */
  const int e = (int)(bits >> 52) - 1075;
  /* 16 minus the floor of log10 2^(e+52), which is right for x or one too small: then 17 digits or 18 */
  const int log = (e + 52) * 78913, tens = log >= 0 ? log >> 18 : -((-log + 262143) >> 18);
  int k = 16 - tens;
  if (k > MOST_K) k = MOST_K;
  int shift = 2 - (e + k);
  if (k < 0 || shift < 1 || shift > 120) return 0;
  u128 value = (u128)(4 * m) * FIVE[k];
  if ((value >> shift) >= 10 * (u128)TEN16) { /* 18 digits: one less */
    k--;
    shift = 2 - (e + k);
    if (k < 0 || shift < 1) return 0;
    value = (u128)(4 * m) * FIVE[k];
  }
  const u128 lower = (u128)(4 * m - (m == (uint64_t)1 << 52 ? 1 : 2)) * FIVE[k],
             upper = (u128)(4 * m + 2) * FIVE[k];
  const u128 mask = ((u128)1 << shift) - 1;
  const int closed = (m & 1) == 0; /* a midpoint reads back as the even neighbour */
  /* integers in (below, top] read back as x */
  uint64_t below = (uint64_t)(lower >> shift), top = (uint64_t)(upper >> shift);
  if (closed && (lower & mask) == 0) below--;
  if (!closed && (upper & mask) == 0) top--;
  const uint64_t whole = (uint64_t)(value >> shift);
  span n10 = {below, top, whole, 1, 0};
  strip(&n10);
  if (n10.b <= n10.a) return 0; /* fewer than one integer: cannot be with 17 digits */
  /* t or t + 1, whichever is nearer and inside */
  uint64_t t = n10.t;
  const uint64_t rest = whole - t * n10.power;
  const u128 distance = ((u128)rest << shift) + (value & mask), step = (u128)n10.power << shift;
  int up = 2 * distance > step || (2 * distance == step && (t & 1));
  if (t <= n10.a) up = 1;
  if (t + 1 > n10.b) up = 0;
  t += (uint64_t)up;
  int n = write_digits(t, digits);
  *e10 = n + n10.zeros - 1 - k;
  while (n > 1 && digits[n - 1] == '0') n--;
  return n;
}

#else

int bri_shortest(double x, char digits[20], int *e10)
{
  (void)x, (void)digits, (void)e10;
  return 0;
}
#endif
