/* SPDX-License-Identifier: Apache-2.0
 * walk_f64.c - the loop over a motion with plain numbers, for every model. */
#include "../../core/stamp.h"
#include "walk.h"

#define BR_REAL double
#define BR_SFX _f64
#define WALK_MAKE(x, slope) (x)
#define WALK_RE(x) (x)
#define WALK_IM(x) ((void)(x), 0.0)
#include "../../models/common/stribeck.inc"
#define BR_VISIT "../src/sense/walk.inc"
#include "../../models/models.def"
#undef BR_VISIT

bri_walk_fn *bri_walk_f64(size_t model)
{
  static bri_walk_fn *const ALL[] = {
#define BR_VISIT "../src/sense/walk_entry.inc"
#include "../../models/models.def"
  };
  return model < sizeof ALL / sizeof ALL[0] ? ALL[model] : NULL;
}
