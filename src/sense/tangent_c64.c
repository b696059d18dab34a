/* SPDX-License-Identifier: Apache-2.0
 * tangent_c64.c - slopes along many directions by complex step, for every model with few states; compiled
 * once per instruction set with BR_ISA naming it (see CMakeLists.txt).  The contracting variants have none of
 * their own. */
/* A quotient to first order in the imaginary parts, by one division: here only slopes and states that are
 * rounded anyway come of it, and the library's takes five with their branches. */
#define BR_OVER(a, b) bri_over(a, b)
#include "../../core/stamp.h"
#include "../../models/batch_types.h"
#include "walk.h"

#ifndef BR_ISA
#define BR_ISA base
#endif

#if !defined(BR_CONTRACTED)
#define BR_REAL brn_c64
#define BR_SFX _c64
BR_FN brn_c64 bri_over(brn_c64 a, brn_c64 b)
{
  const double inverse = 1 / __real__ b, q = __real__ a * inverse;
  return brn_make_c64(q, (__imag__ a - q * __imag__ b) * inverse);
}
#define WALK_MAKE(x, slope) brn_make_c64(x, (slope)*BRI_TINY_STEP)
#define WALK_RE(x) (__real__(x))
#define WALK_IM(x) (__imag__(x) * (1 / BRI_TINY_STEP))
#include "../../models/common/stribeck.inc"
#define BR_VISIT "../src/sense/tangent.inc"
#include "../../models/models.def"
#undef BR_VISIT

bri_tangent_walk *BRI_CAT(bri_tangent_, BR_ISA)(size_t model)
{
  static bri_tangent_walk *const ALL[] = {
#define BR_VISIT "../src/sense/tangent_entry.inc"
#include "../../models/models.def"
  };
  return model < sizeof ALL / sizeof ALL[0] ? ALL[model] : NULL;
}
#else
typedef int bri_no_tangent; /* a file must not be empty */
#endif
