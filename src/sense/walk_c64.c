/* SPDX-License-Identifier: Apache-2.0
 * walk_c64.c - the loop over a motion by complex step, for every model: real and imaginary part of the force. */
#include "../../core/stamp.h"
#include "walk.h"

#define BR_REAL brn_c64
#define BR_SFX _c64
#define WALK_READ(from, i) brn_make_c64((from)[2 * (i)], (from)[2 * (i) + 1])
#define WALK_MAKE(x, slope) brn_make_c64(x, (slope)*BRI_TINY_STEP)
#define WALK_RE(x) (__real__(x))
#define WALK_IM(x) (__imag__(x) * (1 / BRI_TINY_STEP))
#include "../../models/common/stribeck.inc"
#define BR_VISIT "../src/sense/walk.inc"
#include "../../models/models.def"
#undef BR_VISIT

bri_walk_fn *bri_walk_c64(size_t model)
{
  static bri_walk_fn *const ALL[] = {
#define BR_VISIT "../src/sense/walk_entry.inc"
#include "../../models/models.def"
  };
  return model < sizeof ALL / sizeof ALL[0] ? ALL[model] : NULL;
}
