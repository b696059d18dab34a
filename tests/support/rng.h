/* SPDX-License-Identifier: Apache-2.0
 * rng.h - the deterministic random numbers of tests (splitmix64): the same on every machine. */
#ifndef SUPPORT_RNG_H
#define SUPPORT_RNG_H
#include <stdint.h>

typedef struct {
  uint64_t state;
} rng;

static inline uint64_t rng_next(rng *r)
{
  uint64_t x = r->state += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* Uniform in [0, 1) and in [lo, hi). */
static inline double rng_unit(rng *r) { return (double)(rng_next(r) >> 11) * 0x1p-53; }
static inline double rng_range(rng *r, double lo, double hi) { return lo + (hi - lo) * rng_unit(r); }

#endif
