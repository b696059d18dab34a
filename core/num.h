/* SPDX-License-Identifier: Apache-2.0
 * num.h - the number layer: the only file of core/ and models/ that knows compilers and number types.
 *
 * Kernels are written once against the macros below and instantiated per number type through BR_REAL (the
 * type) and BR_SFX (the name suffix): f64 double, f32 float, c64 double _Complex (complex step; only first
 * order in the imaginary part).  No libm, no libc, no branches that depend on data, no static data.
 *
 * Same bits everywhere: every function is a fixed sequence of IEEE operations in round-to-nearest, so any
 * compiler gives the same result as long as it neither contracts a*b+c (-ffp-contract=off, nvcc -fmad=false)
 * nor reassociates.  Never build this with -ffast-math.
 *
 * Documented ranges and accuracy (f64; measured by tests/core/test_num.c):
 *   exp    [-708, 709.78]: <= 2 ulp; below -708 the result is flushed to 0, above 709.78 it is +inf
 *   expm1  the same range, <= 2 ulp; -> -1 below -40
 *   log    normal positive numbers, <= 2 ulp; log(0) = -inf, negative -> NaN; subnormals count as zero
 *   log1p  (-1, 1e300], <= 2 ulp
 *   sinq   sin(pi x / 2) for |x| <= 1 (the caller clips), <= 2 ulp; sincq = sinq(x) / x the same
 *   pow    x normal positive, any y while the result is in [3.3e-308, 1.7e308], <= 2 ulp; pow(0,y>0) = 0,
 *          pow(x,0) = 1, pow(0,y<0) = +inf; x < 0 -> NaN (kernels pass |z|)
 * f32: the same with ranges [-86.5, 88.7], <= 2 ulp, pow <= 4 ulp. */
#ifndef BR_NUM_H
#define BR_NUM_H

#include <stddef.h>
#include <stdint.h>

#if defined(__FAST_MATH__)
#error "Bristle's kernels must not be compiled with -ffast-math: results would differ between targets"
#endif

/* Names: BR_N(exp) -> brn_exp_f64, BR_M(rate) -> br_dahl_rate_f64. */
#define BR_CAT2_(a, b) a##b
#define BR_CAT3_(a, b, c) a##b##c
#define BR_CAT4_(a, b, c, d) a##b##_##c##d
#define BR_CAT3(a, b, c) BR_CAT3_(a, b, c)
#define BR_CAT4(a, b, c, d) BR_CAT4_(a, b, c, d)
#define BR_N(x) BR_CAT3(brn_, x, BR_SFX)
#define BR_M(x) BR_CAT4(br_, BR_MODEL, x, BR_SFX)

/* Kernel functions are always inlined: a batch loop must see straight-line code to become vector code. */
#if defined(__CUDACC__)
#define BR_FN static __host__ __device__ __forceinline__
#elif defined(__GNUC__)
#define BR_FN static inline __attribute__((always_inline, unused))
#else
#define BR_FN static inline
#endif

#define BR_K(x) ((BR_REAL)(x)) /* literal in the current type */
/* Both sides are evaluated.  BR_FLAT, for loops over lanes: by bits, which every compiler turns into vector
 * code; a ?: is only a hint (gcc 13 threads jumps through chains of them and gives up). */
#ifdef BR_FLAT
#define BR_SEL(c, a, b) BR_N(sel)(c, a, b)
#define BR_WHERE(c) ((void)(c), 1)
#define BR_EACH(p) (BR_NZ <= 4 ? BR_NZ : BR_COUNT(p)) /* states that a step moves: the same for all lanes */
#else
#define BR_SEL(c, a, b) ((c) ? (a) : (b))
#define BR_WHERE(c) \
  (c) /* "if (BR_WHERE(c)) x = BR_SEL(c, ...)": lanes have room for states that some do not use */
#define BR_EACH(p) BR_COUNT(p)
#endif
/* Two places where a build that need not give the same bits may do otherwise (targets/cuda): a quotient, and
 * where a number that is written out is kept. */
/* c + a b and c - a b; a file may ask for one rounding (src/lanes does). */
#ifndef BR_MUL_ADD
#define BR_MUL_ADD(a, b, c) ((a) * (b) + (c))
#define BR_MUL_SUB(a, b, c) ((c) - (a) * (b))
#endif
#ifndef BR_OVER
#define BR_OVER(a, b) ((a) / (b))
#endif
#ifndef BR_LITERAL
#define BR_LITERAL(x) (x)
#endif
#define BR_EXP(x) BR_N(exp)(x)
#define BR_EXPM1(x) BR_N(expm1)(x)
#define BR_DECAY(x) BR_N(decay)(x) /* exp(-x), x >= 0: cheaper, see num_real.inc */
#define BR_COVER(x) BR_N(cover)(x) /* 1 - exp(-x), x >= 0: the part a decay has covered */
#define BR_LOG(x) BR_N(log)(x)
#define BR_LOG1P(x) BR_N(log1p)(x)
#define BR_POW(x, y) BR_N(pow)(x, y)
#define BR_POW_ABS(x, y) BR_N(pow_abs)(x, y) /* cheaper power, absolute accuracy; see num_real.inc */
#define BR_SQRT(x) BR_N(sqrt)(x)
#define BR_SINQ(x) BR_N(sinq)(x)   /* sin(pi x / 2), |x| <= 1 */
#define BR_SINCQ(x) BR_N(sincq)(x) /* sin(pi x / 2) / x, |x| <= 1, pi/2 at 0 */
#define BR_ABS(x) BR_N(abs)(x)
#define BR_RE(x) BR_N(re)(x)                     /* the number that comparisons look at */
#define BR_LT(a, b) ((int)(BR_RE(a) < BR_RE(b))) /* int: clang warns of & between truth values */
#define BR_EQ(a, b) ((int)(BR_RE(a) == BR_RE(b)))
#define BR_MIN(a, b) BR_N(min)(a, b)
#define BR_MAX(a, b) BR_N(max)(a, b)
#define BR_CLIP(x, lo, hi) BR_MIN(BR_MAX(x, lo), hi)
#define BR_CLIP_ABS(x, limit) BR_N(clip_abs)(x, limit) /* to [-limit, limit], limit >= 0 */
#define BR_SGN(x) BR_N(sgn)(x)                         /* -1, 0, +1 */
#define BR_COPYSIGN(x, s) BR_N(copysign)(x, s)         /* |x| with the sign of s */
#define BR_XORSIGN(x, s) BR_N(xorsign)(x, s)           /* x, negated where the sign bit of s is set */
#define BR_ROUND(x) BR_N(round)(x)                     /* nearest whole number, ties to even */
#define BR_INT(x) BR_N(to_int)(x)                      /* for counts held in a number slot */

/* A speed below this (m/s; no clock tells it from rest) stands for the limit v -> 0 with the sign of v: laws
 * over the speed take their limit there.  In f32 it is 0: only f64 has a quasi-static limit. */
#define BR_QUASI_STATIC 1e-150

/* Which precisions have no square root in hardware, where the compiler would call sqrt() of libm.  It also
 * does, for errno of negative numbers, unless -fno-math-errno is given: without a C library the digits serve.
 * */
#if __STDC_HOSTED__ == 0 && !defined(__NO_MATH_ERRNO__)
#define BRN_SOFT_SQRT_F32 1
#define BRN_SOFT_SQRT_F64 1
#elif defined(__arm__)
#define BRN_SOFT_SQRT_F32 (!(__ARM_FP & 4))
#define BRN_SOFT_SQRT_F64 (!(__ARM_FP & 8))
#elif defined(__riscv)
#define BRN_SOFT_SQRT_F32 (__riscv_flen < 32)
#define BRN_SOFT_SQRT_F64 (__riscv_flen < 64)
#else
#define BRN_SOFT_SQRT_F32 0
#define BRN_SOFT_SQRT_F64 0
#endif

/* ---- f64 ---- */
#define BR_REAL double
#define BR_SFX _f64
#define BRN_INT int64_t
#define BRN_UINT uint64_t
#define BRN_MANT 52
#define BRN_BIAS 1023
#define BRN_MAGIC 0x1.8p52
#define BRN_SPLIT_MASK (~(uint64_t)0x7ffffff) /* keeps 26 leading bits */
#define BRN_SOFT_SQRT BRN_SOFT_SQRT_F64
#define BRN_SQRT_HALF_BITS 0x3fe6a09e667f3bcdu
#define BRN_ONE_BITS 0x3ff0000000000000u
#define BRN_MANT_BITS 0x000fffffffffffffu
#define BRN_TWO_MANT_BITS 0x4330000000000000u /* 2^52 */
#define BRN_TWO_MANT 0x1p52
#define BRN_TINY 0x1p-1022
#define BRN_HUGE 0x1.fffffffffffffp1023
#define BRN_EXP_LO (-708.0)
#define BRN_EXP_HI 709.79
#define BRN_MAGIC_BIAS 0x1.80000000003ffp52 /* MAGIC + BIAS: a sum's low bits are a biased exponent */
#define BRN_EXP2_LO (-1023.0)
#define BRN_EXP2_HI 1024.0
#define BRN_LOG2E 0x1.71547652b82fep+0
#define BRN_LN2_HI 0x1.62e42fefa3800p-1
#define BRN_LN2_LO 0x1.ef35793c76730p-45
#define BRN_2_3 0x1.5555555555555p-1
#define BRN_2_3_LO 0x1.5555555555555p-55
/* expm1(r) = r + r^2/2 + r^3 Q(r) on |r| <= ln2/2, relative error 1.1e-18 */
#define BRN_EXPM1_Q(r, r2)                                               \
  (((0x1.5555555555556p-3 + 0x1.5555555555555p-5 * (r)) +                \
    (r2) * (0x1.11111111109a6p-7 + 0x1.6c16c16c167dap-10 * (r))) +       \
   (r2) * (r2) *                                                         \
       (((0x1.a01a01a7cebcdp-13 + 0x1.a01a01a48116fp-16 * (r)) +         \
         (r2) * (0x1.71de0d85293b8p-19 + 0x1.27e4e1dcf773bp-22 * (r))) + \
        ((r2) * (r2)) * (0x1.af390ba7e6f47p-26 + 0x1.1f6717774d5e0p-29 * (r))))
/* 2^r = 1 + r P(r) on |r| <= 1/2, relative error of r P 2.0e-17 */
#define BRN_EXP2_P(r, r2)                                                \
  (((0x1.62e42fefa39efp-1 + 0x1.ebfbdff82c598p-3 * (r)) +                \
    (r2) * (0x1.c6b08d704a0c2p-5 + 0x1.3b2ab6fba1dc6p-7 * (r))) +        \
   (r2) * (r2) *                                                         \
       (((0x1.5d87fe78a526dp-10 + 0x1.4309130975155p-13 * (r)) +         \
         (r2) * (0x1.ffcbfc6712438p-17 + 0x1.62bfd46781ef6p-20 * (r))) + \
        ((r2) * (r2)) *                                                  \
            ((0x1.b524fad88ed30p-24 + 0x1.e6065f532c950p-28 * (r)) + 0x1.e9d419696e0e9p-32 * (r2))))
/* log2((1+s)/(1-s)) = s L(s^2), absolute error 8.7e-17 */
#define BRN_LOG2_L(w)                                                                  \
  ((0x1.71547652b82ffp+1 + 0x1.ec709dc39ca2ep-1 * (w)) +                               \
   ((w) * (w)) * ((0x1.2776c516a2829p-1 + 0x1.a617567e7fab2p-2 * (w)) +                \
                  ((w) * (w)) * ((0x1.484faa4fba25ep-2 + 0x1.0bb7f281d475cp-2 * (w)) + \
                                 ((w) * (w)) * 0x1.f1804ff358295p-3)))
/* log((1+s)/(1-s)) = 2 s + s^3 R(s^2), relative error 4.4e-18 */
#define BRN_LOG_R(w)                                                           \
  (0x1.5555555555558p-1 +                                                      \
   (w) * ((0x1.9999999995204p-2 + 0x1.2492492e09d4dp-2 * (w)) +                \
          ((w) * (w)) * ((0x1.c71c62c639fddp-3 + 0x1.7462bd8f779a8p-3 * (w)) + \
                         ((w) * (w)) * (0x1.39fd392179472p-3 + 0x1.2b6688a38be0fp-3 * (w)))))
/* the same without its leading 2/3: R(w) = 2/3 + w T(w), relative error of the logarithm 1.2e-19 */
#define BRN_LOG_T(w)                                                                   \
  ((0x1.999999999999fp-2 + 0x1.249249248e475p-2 * (w)) +                               \
   ((w) * (w)) * ((0x1.c71c71d811c71p-3 + 0x1.745d09d5ce6fcp-3 * (w)) +                \
                  ((w) * (w)) * ((0x1.3b18c0800ca2ep-3 + 0x1.1017b2e519f17p-3 * (w)) + \
                                 ((w) * (w)) * 0x1.0884ab6458ca3p-3)))
/* sin(pi x / 2) / x - 1 as a polynomial in w = x^2 on [0, 1], error 4e-17; also the complex instance's */
#define BRN_SINCQ_F64(w)                                                                                 \
  (((0x1.243f6a8885a31p-1 - 0x1.4abbce625be52p-1 * (w)) +                                                \
    ((w) * (w)) * (0x1.466bc6775aa77p-4 - 0x1.32d2cce627c86p-8 * (w))) +                                 \
   (((w) * (w)) * ((w) * (w))) * ((0x1.5078348551854p-13 - 0x1.e3074dfaf87afp-19 * (w)) +                \
                                  ((w) * (w)) * ((0x1.e8f3675ee37ddp-25 - 0x1.6f7acdb8f6580p-31 * (w)) + \
                                                 ((w) * (w)) * 0x1.9d462020fcc78p-38)))
#define BRN_SINCQ(w) BRN_SINCQ_F64(w)
#include "num_real.inc"

/* ---- f32 ---- */
#define BR_REAL float
#define BR_SFX _f32
#define BRN_INT int32_t
#define BRN_UINT uint32_t
#define BRN_MANT 23
#define BRN_BIAS 127
#define BRN_MAGIC 0x1.8p23f
#define BRN_SPLIT_MASK (~(uint32_t)0xfff) /* keeps 12 leading bits */
#define BRN_SOFT_SQRT BRN_SOFT_SQRT_F32
#define BRN_SQRT_HALF_BITS 0x3f3504f3u
#define BRN_ONE_BITS 0x3f800000u
#define BRN_MANT_BITS 0x007fffffu
#define BRN_TWO_MANT_BITS 0x4b000000u /* 2^23 */
#define BRN_TWO_MANT 0x1p23f
#define BRN_TINY 0x1p-126f
#define BRN_HUGE 0x1.fffffep127f
#define BRN_EXP_LO (-86.5f)
#define BRN_EXP_HI 88.73f
#define BRN_MAGIC_BIAS 0x1.8000fep23f
#define BRN_EXP2_LO (-127.0f)
#define BRN_EXP2_HI 128.0f
#define BRN_LOG2E 0x1.715476p+0f
#define BRN_LN2_HI 0x1.62ep-1f
#define BRN_LN2_LO 0x1.0bfbe8p-15f
#define BRN_2_3 0x1.555556p-1f
#define BRN_2_3_LO (-0x1.555556p-26f)
#define BRN_EXPM1_Q(r, r2)                                                                       \
  (((0x1.555556p-3f + 0x1.555518p-5f * (r)) + (r2) * (0x1.1110f6p-7f + 0x1.6d117cp-10f * (r))) + \
   ((r2) * (r2)) * 0x1.a0f8d4p-13f)
#define BRN_EXP2_P(r, r2)                                                                       \
  (((0x1.62e430p-1f + 0x1.ebfbe0p-3f * (r)) + (r2) * (0x1.c6af6cp-5f + 0x1.3b2a52p-7f * (r))) + \
   ((r2) * (r2)) * (0x1.5f08b8p-10f + 0x1.4413a4p-13f * (r)))
#define BRN_LOG2_L(w) \
  ((0x1.715476p+1f + 0x1.ec70e6p-1f * (w)) + ((w) * (w)) * (0x1.274732p-1f + 0x1.ba1544p-2f * (w)))
#define BRN_LOG_R(w) \
  ((0x1.555556p-1f + 0x1.9999ecp-2f * (w)) + ((w) * (w)) * (0x1.245c0ap-2f + 0x1.dddae0p-3f * (w)))
#define BRN_LOG_T(w) \
  ((0x1.99999ap-2f + 0x1.24928ep-2f * (w)) + ((w) * (w)) * (0x1.c6c08cp-3f + 0x1.879ff2p-3f * (w)))
#define BRN_SINCQ_F32(w)                     \
  ((0x1.243f6ap-1f - 0x1.4abbc4p-1f * (w)) + \
   ((w) * (w)) * ((0x1.4668fap-4f - 0x1.32531ep-8f * (w)) + ((w) * (w)) * 0x1.3e1420p-13f))
#define BRN_SINCQ(w) BRN_SINCQ_F32(w)
#include "num_real.inc"

/* ---- c64: complex step ---- */
#if !defined(__CUDACC__) && !defined(__cplusplus) && !defined(BR_NO_COMPLEX)
#include "num_c64.inc"
#endif

#endif
