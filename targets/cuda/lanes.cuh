/* SPDX-License-Identifier: Apache-2.0
 * lanes.cuh - lanes of ensembles on a GPU: the headers of the CPU (core/pair.inc, core/lane*.h), one member
 * per thread.  With -fmad=false results have the bits of the CPU; without it the compiler fuses products and
 * sums.  A thread whose member has ended takes the next one; what only few threads of a warp need
 * (br_lane_settle) waits until several do, since all others stand still meanwhile. */
#ifndef BRI_CUDA_LANES_CUH
#define BRI_CUDA_LANES_CUH
#define BR_LANE_WIDTH 1
#define BR_MUL_ADD(a, b, c) br_lane_fma(a, b, c)
#define BR_MUL_SUB(a, b, c) br_lane_fma(-(a), b, c)

/* Numbers that are written out come from constant memory, where an instruction takes them from; as part of
 * the code each would cost two instructions more. */
#ifdef BR_LANE_F32 /* fits into an instruction */
#define BR_LITERAL(x) ((float)(x))
#else
template <unsigned long long BITS>
__constant__ double lanes_literal = __builtin_bit_cast(double, BITS);
#define BR_LITERAL(x) (lanes_literal<__builtin_bit_cast(unsigned long long, (double)(x))>)
#endif

#if defined(LANES_FAST) && !defined(BR_LANE_F32) /* quotients to an ulp or two, without the cases of infinities and subnormal numbers; a rough factor */
static __host__ __device__ __forceinline__ double lanes_over(double a, double b)
{
#ifdef __CUDA_ARCH__
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(b)); /* 20 bits, then 40, then all but the last */
  r = fma(fma(-b, r, 1.0), r, r);
  const double q = a * r;
  return fma(fma(-b, q, a), r, q);
#else
  return a / b;
#endif
}
static __host__ __device__ __forceinline__ float lanes_roughly(float err) { return exp2f(-0.2f * log2f(err)); }
#define BR_OVER(a, b) lanes_over(a, b)
#define BR_LANE_ROUGHLY(err) lanes_roughly(err)
#endif
#include "core/lane_settle.h"
#include "core/stamp.h"
#ifndef BR_LANE_F32
#undef BR_DECAY
#ifdef LANES_FAST
/* exp(-x), x >= 0, to 8.4e-11: 2^r = 1 + r P(r) on |r| <= 1/2, interpolated at the zeros of Chebyshev's
 * polynomial of degree 7. */
static __host__ __device__ __forceinline__ double lanes_decay(double x)
{
  const double y = fmax(x * BR_LITERAL(-0x1.71547652b82fep+0), -1022.0), up = y + BR_LITERAL(0x1.80000000003ffp52),
               r = y - (up - BR_LITERAL(0x1.80000000003ffp52)), r2 = r * r;
  const double p = ((BR_LITERAL(0x1.62e42fefa39efp-1) + BR_LITERAL(0x1.ebfbe045f4d41p-3) * r) +
                    r2 * (BR_LITERAL(0x1.c6b08d883dc3ep-5) + BR_LITERAL(0x1.3b2a1b7152585p-7) * r)) +
                   r2 * r2 *
                       ((BR_LITERAL(0x1.5d879ead12855p-10) + BR_LITERAL(0x1.443fffc95eb9bp-13) * r) +
                        r2 * BR_LITERAL(0x1.00a5814fe1cb0p-16));
  const double scale = brn_from_bits_f64(brn_bits_f64(up) << 52);
  return scale * (r * p) + scale;
}
#define BR_DECAY(x) lanes_decay(x)
#else
#define BR_DECAY(x) br_lane_decay(x)
#endif
#endif
/* Lanes hold no vectors: with their lengths known to be 0 the parameters stay in registers. */
#undef BR_INT
#define BR_INT(x) 0
#ifdef BR_LANE_F32
#define BR_REAL float
#define BR_SFX _f32
#else
#define BR_REAL double
#define BR_SFX _f64
#endif
#include "models/common/stribeck.inc"
#include "models/common/stribeck_slope.inc"

#ifndef LANES_PER_BLOCK
#define LANES_PER_BLOCK 64
#endif
#ifndef LANES_BLOCKS /* of a multiprocessor: limits the registers of a thread */
#define LANES_BLOCKS 8
#endif
#ifndef LANES_WAIT /* threads of a warp that are settled together */
#define LANES_WAIT 4
#endif

/* One try of BR_MODEL in case `special`, and its judgement: `wait` threads are settled together. */
#define BRI_CARD_TRY(special, driven)                \
  BR_M(pair_start)(&b, 0, special, driven);          \
  BR_M(pair_stage0)(&b, 0, driven);                  \
  BR_M(pair_stage1)(&b, 0, special, driven);         \
  BR_M(pair_stage2)(&b, 0, special, driven);         \
  BR_M(pair_stage3)(&b, 0, special, driven);         \
  BR_M(pair_stage4)(&b, 0, special, driven);         \
  BR_M(pair_stage5)(&b, 0, special, driven);         \
  BR_M(pair_stage6)(&b, 0, special, driven);         \
  BR_M(pair_stage7)(&b, 0, special, driven);         \
  br_lane_weigh(&b, 0, BR_PAIR_N);                   \
  br_lane_judge(&b, 0, BR_PAIR_N, BR_PAIR_KIND, MEASURES); \
  br_lane_move(&b, 0, BR_PAIR_N, MEASURES)

/* Is it time to settle those that wait?  Called by all threads of a warp; `on`: this one still has a member.
 * */
static __device__ __forceinline__ bool lanes_settle_now(bool waits, bool on)
{
  const unsigned waiting = __ballot_sync(0xffffffffu, waits), running = __ballot_sync(0xffffffffu, on && !waits);
  return waiting && (__popc(waiting) >= LANES_WAIT || !running);
}
#endif
