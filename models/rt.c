/* SPDX-License-Identifier: Apache-2.0
 * rt.c - the real-time stepper of every model, f64 and f32.  Freestanding: this object has no undefined
 * symbol. */
#include "bristle/rt.h"

#if defined(__GNUC__) && !defined(__clang__)
/* gcc turns copy loops into calls of memcpy even in freestanding code */
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif
#if defined(__GNUC__)
/* parameter tables are written once, in double; the f32 tables round them on purpose */
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#endif
#define BR_NO_COMPLEX
#include "../core/stamp.h"

#if defined(__cplusplus)
#define BR_STATIC_ASSERT static_assert
#else
#define BR_STATIC_ASSERT _Static_assert
#endif
#define BR_RT_CAT_(verb, sfx) br_rt_##verb##sfx
#define BR_RT_CAT(verb, sfx) BR_RT_CAT_(verb, sfx)
#define BR_RT(verb) BR_RT_CAT(verb, BR_SFX) /* br_rt_step_f64 */

static int same_text(const char *a, const char *b)
{
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

/* Number of words in "first|second". */
static int count_choices(const char *text)
{
  int n = 1;
  for (; *text; text++) n += *text == '|';
  return n;
}

#define BR_REAL double
#define BR_SFX _f64
#define BR_RT_TYPE br_rt_f64
#include "rt_real.inc"
#undef BR_REAL
#undef BR_SFX
#undef BR_RT_TYPE

#define BR_REAL float
#define BR_SFX _f32
#define BR_RT_TYPE br_rt_f32
#include "rt_real.inc"

/* Slots are the same in both precisions; asking the f32 tables lets a linker drop all of f64 where unused. */
static const brn_rt_row_f32 *find_row(const char *model, const char *param)
{
  const int m = brn_rt_find_f32(model);
  for (int k = 0; m >= 0 && param && k < brn_rt_models_f32[m]->nrows; k++)
    if (same_text(brn_rt_models_f32[m]->rows[k].name, param)) return &brn_rt_models_f32[m]->rows[k];
  return NULL;
}

int br_rt_slot(const char *model, const char *param)
{
  const brn_rt_row_f32 *r = find_row(model, param);
  return r ? r->slot : -1;
}

int br_rt_length(const char *model, const char *param)
{
  const brn_rt_row_f32 *r = find_row(model, param);
  return r ? r->len : -1;
}
