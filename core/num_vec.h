/* SPDX-License-Identifier: Apache-2.0
 * num_vec.h - the number layer for whole registers of lanes, where spelling them out beats the compiler.
 *
 * Element models spend their time in one clip per element and step.  Compilers turn it into max and min,
 * which share the adders' two pipes; AVX-512 DQ clips symmetrically in one instruction.  BR_HAVE_VEC says
 * that
 *   BR_VEC, BR_VEC_LANES   the register type of BR_REAL and how many numbers it holds
 *   BR_VLOAD, BR_VSTORE    unaligned
 *   BR_VADD(f, p, one)     f + p; on the multiplier pipe where that is free and rounds alike: fma(p, 1, f)
 * exist.  Bits are those of the scalar functions for numbers that are not NaN. */
#ifndef BR_NUM_VEC_H
#define BR_NUM_VEC_H
#include "num.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__GNUC__)
#include <immintrin.h>
#define BR_HAVE_VEC 1

typedef double brn_vec_f64 __attribute__((vector_size(64)));
typedef float brn_vec_f32 __attribute__((vector_size(64)));
typedef double brn_vec_any_f64 __attribute__((vector_size(64), aligned(8), may_alias));
typedef float brn_vec_any_f32 __attribute__((vector_size(64), aligned(4), may_alias));

#define BR_VEC BR_N(vec)
#define BR_VEC_LANES (sizeof(BR_VEC) / sizeof(BR_REAL))
#define BR_VLOAD(p) (*(const BR_N(vec_any) *)(const void *)(p))
#define BR_VSTORE(p, x) (*(BR_N(vec_any) *)(void *)(p) = (x))
#define BR_VSET(x) ((BR_VEC){0} + (x))
#define BR_VONE() BR_N(vec_one)()

/* Ones that the compiler cannot see through: it would turn a * 1 + b back into an addition. */
BR_FN brn_vec_f64 brn_vec_one_f64(void)
{
  brn_vec_f64 one = (brn_vec_f64){0} + 1.0;
  __asm__("" : "+v"(one));
  return one;
}
BR_FN brn_vec_f32 brn_vec_one_f32(void)
{
  brn_vec_f32 one = (brn_vec_f32){0} + 1.0f;
  __asm__("" : "+v"(one));
  return one;
}

#if defined(BR_CONTRACTED)
#define BR_VADD(f, p, one) ((void)(one), (f) + (p)) /* the compiler fuses the product in p */
#else
#define BR_VADD(f, p, one) BR_N(vec_add)(f, p, one)
BR_FN brn_vec_f64 brn_vec_add_f64(brn_vec_f64 f, brn_vec_f64 p, brn_vec_f64 one)
{
  return (brn_vec_f64)_mm512_fmadd_pd((__m512d)p, (__m512d)one, (__m512d)f);
}
BR_FN brn_vec_f32 brn_vec_add_f32(brn_vec_f32 f, brn_vec_f32 p, brn_vec_f32 one)
{
  return (brn_vec_f32)_mm512_fmadd_ps((__m512)p, (__m512)one, (__m512)f);
}
#endif

/* The smaller magnitude, with the sign of x (immediate 2: absolute minimum, sign of the first operand). */
BR_FN brn_vec_f64 brn_clip_abs_vec_f64(brn_vec_f64 x, brn_vec_f64 limit)
{
  return (brn_vec_f64)_mm512_range_pd((__m512d)x, (__m512d)limit, 2);
}
BR_FN brn_vec_f32 brn_clip_abs_vec_f32(brn_vec_f32 x, brn_vec_f32 limit)
{
  return (brn_vec_f32)_mm512_range_ps((__m512)x, (__m512)limit, 2);
}
#endif
#endif
