/* SPDX-License-Identifier: Apache-2.0
 * powers.h - the table of src/text/powers.c by arithmetic: 10^k and 2^WIDE / 10^k as long whole numbers. */
#ifndef BRI_WASM_POWERS_H
#define BRI_WASM_POWERS_H
#include <string.h>

#include "text/powers.h"

enum { POWER_LIMBS = 44, POWER_HALF = 32 }; /* 10^324 has 1077 bits; of 2^1376 / 10^342 there are 240 left */

/* The leading 128 bits; a is not zero. */
static inline void power_top(const uint32_t *a, uint64_t *to)
{
  int n = POWER_LIMBS;
  uint64_t w[3] = {0};
  while (!a[n - 1]) n--;
  for (int i = 0; i < 6; i++) w[i / 2] |= (uint64_t)(i < n ? a[n - 1 - i] : 0) << (i % 2 ? 0 : POWER_HALF);
  const int s = bri_leading_zeros(w[0]);
  to[0] = s ? w[0] << s | w[1] >> (64 - s) : w[0];
  to[1] = s ? w[1] << s | w[2] >> (64 - s) : w[1];
}

static inline void power_times_ten(uint32_t *a)
{
  uint64_t carry = 0;
  for (int i = 0; i < POWER_LIMBS; i++)
    carry += (uint64_t)a[i] * 10, a[i] = (uint32_t)carry, carry >>= POWER_HALF;
}

/* Rounded down: so is the whole after any number of divisions. */
static inline void power_over_ten(uint32_t *a)
{
  uint64_t rest = 0;
  for (int i = POWER_LIMBS - 1; i >= 0; i--)
    rest = rest << POWER_HALF | a[i], a[i] = (uint32_t)(rest / 10), rest %= 10;
}

static inline void powers_fill(uint64_t (*to)[2])
{
  uint32_t a[POWER_LIMBS] = {1}, b[POWER_LIMBS] = {0};
  b[POWER_LIMBS - 1] = 1;
  for (int k = 0; k <= BRI_POWER_LAST; k++, power_times_ten(a)) power_top(a, to[k - BRI_POWER_FIRST]);
  for (int k = -1; k >= BRI_POWER_FIRST; k--) {
    power_over_ten(b);
    power_top(b, to[k - BRI_POWER_FIRST]);
    to[k - BRI_POWER_FIRST][1] += k >= -27; /* never carries (tools/powers_of_ten.py) */
  }
}

#endif
