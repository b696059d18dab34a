/* SPDX-License-Identifier: Apache-2.0
 * tangent_f64.c - walks of models whose step is affine in the state, in vector code with plain numbers;
 * compiled once per instruction set with BR_ISA naming it (see CMakeLists.txt).  The contracting variants
 * have none of their own. */
#define BR_OVER(a, b) ((a) * (1 / (b))) /* as tangent_c64.c, to the bit */
#include "../../core/stamp.h"
#include "../../models/batch_types.h"
#include "walk.h"

#ifndef BR_ISA
#define BR_ISA base
#endif

#if !defined(BR_CONTRACTED)
#define BR_REAL double
#define BR_SFX _f64
#define WALK_MAKE(x, slope) (x)
#define WALK_RE(x) (x)
#define WALK_IM(x) ((void)(x), 0.0)
#include "../../models/common/stribeck.inc"
#define BR_VISIT "../src/sense/affine.inc"
#include "../../models/models.def"
#undef BR_VISIT

bri_affine_walk *BRI_CAT(bri_affine_, BR_ISA)(size_t model)
{
  static bri_affine_walk *const ALL[] = {
#define BR_VISIT "../src/sense/affine_entry.inc"
#include "../../models/models.def"
  };
  return model < sizeof ALL / sizeof ALL[0] ? ALL[model] : NULL;
}
#else
typedef int bri_no_affine; /* a file must not be empty */
#endif
