/* SPDX-License-Identifier: Apache-2.0
 * hash.c - one line per model and precision: FNV-1a over every force and state of 37 lanes x 500 steps.
 * Built from the kernel headers alone and from nothing but core/, models/ and printf, so that the same file
 * runs under any compiler, instruction set, as C++ and as WebAssembly.  Parameters and motions come from an
 * integer generator; no libm is involved.  The lines must equal golden.txt bit for bit. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define BR_NO_COMPLEX
#include "../../core/stamp.h"
/* the faces' flag words and classes are not needed here, but BR_CLASS and BR_FLAGS are only macros */

/* On a GPU (nvcc -x cu) everything below runs on the device, in one thread: slow, and the same operations. */
#ifdef __CUDACC__
#define HASH_FN static __device__
#define HASH_DATA static __device__ const
#define HASH_NOINLINE __noinline__
#else
#define HASH_FN static
#define HASH_DATA static const
#define HASH_NOINLINE __attribute__((noinline))
#endif

#define LANES 37
#define STEPS 500

/* One parameter: a choice, a scalar or a vector (max > 1). */
typedef struct {
  const char *choices;
  double def;
  const double *defs;
  size_t ndef;
  int pure;  /* a number without unit: exponents and ratios, kept at their default in some lanes */
  int count; /* largest value of a parameter that counts (range from 1 up), else 0 */
  size_t slot, max, len_slot;
} row;

/* splitmix64 */
HASH_FN uint64_t next(uint64_t *seed)
{
  uint64_t x = *seed += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* In [-1, 1), exact. */
HASH_FN double symmetric(uint64_t *seed)
{
  return (double)(int64_t)(next(seed) >> 11) * (2.0 / 9007199254740992.0) - 1;
}

HASH_FN double vary(uint64_t *seed, double x) { return x * (1 + 0.125 * symmetric(seed)); }

/* A parameter block near the defaults.  kind 0: everything varied; 1: pure numbers as they are (the special
 * cases of exponents); 2: varied, tables in use (5 knots) and counted vectors longer (3). */
HASH_FN void fill(const row *rows, size_t n, unsigned kind, uint64_t *seed, double *block)
{
  size_t order = 0;
  for (size_t r = 0; r < n; r++)
    if (rows[r].count > 0) order = kind == 2 ? 3 : 1;
  for (size_t r = 0; r < n; r++) {
    const row *p = &rows[r];
    if (p->max > 1) {
      size_t len = p->ndef;
      if (kind == 2 && len == 0) len = 5;
      if (order > 0) len = p->max >= 64 ? order * order : order;
      for (size_t i = 0; i < len; i++) {
        const double base =
            p->ndef == 0 ? 0.1 * (double)(i + 1) : p->defs[i < p->ndef ? i : 0] * (i < p->ndef ? 1 : 0.3);
        block[p->slot + i] = vary(seed, base);
      }
      block[p->len_slot] = (double)len;
    } else if (p->choices) {
      size_t choices = 1;
      for (const char *c = p->choices; *c; c++) choices += *c == '|';
      block[p->slot] = (double)(next(seed) % choices);
    } else if (p->count > 0) {
      block[p->slot] = (double)order;
    } else {
      block[p->slot] = kind == 1 && p->pure ? p->def : vary(seed, p->def);
    }
  }
}

/* The next velocity: sizes over six decades, a reversal now and then, a stop now and then. */
HASH_FN double speed(uint64_t *seed, unsigned t, double last)
{
  const uint64_t bits = next(seed);
  const double size =
      (1 + 0.5 * symmetric(seed)) / (double)(1u << (bits & 15)) / (double)(1u << (bits >> 4 & 3));
  const int turn = (bits >> 8) % 11 == 0, stop = (bits >> 16) % 29 == 0;
  if (stop && t > 0) return 0;
  return (last < 0) != turn ? -size : size;
}

HASH_FN uint64_t fold_bytes(uint64_t sum, const unsigned char *b, size_t n)
{
  for (size_t i = 0; i < n; i++) sum = (sum ^ b[i]) * 0x100000001b3u; /* all targets are little-endian */
  return sum;
}

/* NaN has many bit patterns: count it, hash none. */
#define FOLD(name, type)                                                 \
  HASH_FN uint64_t name(uint64_t sum, type x, unsigned *wild)            \
  {                                                                      \
    unsigned char b[sizeof x];                                           \
    if (!(x - x == 0)) return *wild += 1, (sum ^ 0x7f) * 0x100000001b3u; \
    __builtin_memcpy(b, &x, sizeof x);                                   \
    return fold_bytes(sum, b, sizeof x);                                 \
  }
FOLD(brn_fold_f64, double)
FOLD(brn_fold_f32, float)

HASH_FN void report(const char *model, const char *sfx, uint64_t sum, unsigned wild)
{
  printf("%s%s %08lx%08lx", model, sfx, (unsigned long)(sum >> 32), (unsigned long)(sum & 0xffffffffu));
  if (wild > 0) printf(" not finite: %u", wild);
  printf("\n");
}

#define BR_REAL double
#define BR_SFX _f64
#include "../../models/common/stribeck.inc"
#define BR_VISIT "../tests/bits/hash.inc"
#include "../../models/models.def"
#undef BR_VISIT
HASH_FN void all_f64(void){
#define BR_VISIT "../tests/bits/hash_call.inc"
#include "../../models/models.def"
#undef BR_VISIT
}
#undef BR_REAL
#undef BR_SFX

#define BR_REAL float
#define BR_SFX _f32
#include "../../models/common/stribeck.inc"
#define BR_VISIT "../tests/bits/hash.inc"
#include "../../models/models.def"
#undef BR_VISIT
HASH_FN void all_f32(void)
{
#define BR_VISIT "../tests/bits/hash_call.inc"
#include "../../models/models.def"
#undef BR_VISIT
}

#ifdef __CUDACC__
static __global__ void on_device(void)
{
  all_f64();
  all_f32();
}

int main(void)
{
  if (cudaDeviceSetLimit(cudaLimitStackSize, 128 * 1024) != cudaSuccess) return 77; /* no device */
  on_device<<<1, 1>>>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
#else
int main(void)
{
  all_f64();
  all_f32();
  return 0;
}
#endif
