/* SPDX-License-Identifier: Apache-2.0
 * powers.h - powers of ten in 128 bits, and the products and logarithms that go with them. */
#ifndef BRI_TEXT_POWERS_H
#define BRI_TEXT_POWERS_H
#include <stdint.h>

enum { BRI_POWER_FIRST = -342, BRI_POWER_LAST = 324 };

/* 10^k = (high 2^64 + low) 2^(e - 127) with e = bri_log2_pow10(k), rounded down; up for -27 <= k < 0. */
#ifdef BR_SMALL
extern /* computed as the program starts: no compression makes the table smaller */
#else
extern const
#endif
    uint64_t bri_powers[BRI_POWER_LAST - BRI_POWER_FIRST + 1][2];

typedef struct {
  uint64_t high, low;
} bri_wide;

static inline bri_wide bri_multiply(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
  __extension__ typedef unsigned __int128 u128;
  const u128 p = (u128)a * b;
  return (bri_wide){(uint64_t)(p >> 64), (uint64_t)p};
#else
  const uint64_t half = 0xffffffffu, a0 = a & half, a1 = a >> 32, b0 = b & half, b1 = b >> 32;
  const uint64_t low = a0 * b0, x = a1 * b0 + (low >> 32), y = a0 * b1 + (x & half);
  return (bri_wide){a1 * b1 + (x >> 32) + (y >> 32), y << 32 | (low & half)};
#endif
}

/* x / 2^n rounded down, also for negative x, for which C leaves >> to the compiler. */
static inline int bri_floor_shift(int x, int n) { return x >= 0 ? x >> n : ~(~x >> n); }

/* floor(log2 10^k), |k| <= 1233.  The constant is log2 10 times 2^16. */
static inline int bri_log2_pow10(int k) { return bri_floor_shift(217706 * k, 16); }

static inline int bri_leading_zeros(uint64_t x) /* x != 0 */
{
#ifdef __GNUC__
  return __builtin_clzll(x);
#else
  int n = 0;
  for (; !(x >> 63); x <<= 1) n++;
  return n;
#endif
}

#endif
