/* SPDX-License-Identifier: Apache-2.0
 * models.c - the run-time faces of all models of models.def, f64 with the complex-step instance beside it. */
#include "../core/stamp.h"
#include "face.h"

#ifdef BR_SMALL /* targets/wasm/pairs.c */
#define BR_VISIT "face_pair_names.inc"
#include "models.def"
#undef BR_VISIT
#else
#define BR_PAIR_FN static
#define BR_REAL double _Complex
#define BR_SFX _c64
#include "common/stribeck.inc"
#define BR_VISIT "face_pair.inc"
#include "models.def"
#undef BR_VISIT
#undef BR_REAL
#undef BR_SFX
#endif

#define BR_REAL double
#define BR_SFX _f64
#include "common/stribeck.inc"
#define BR_VISIT "face.inc"
#include "models.def"
#undef BR_VISIT

static const br_model *const all_models[] = {
#define BR_VISIT "registry.inc"
#include "models.def"
#undef BR_VISIT
};
#undef BR_REAL
#undef BR_SFX

const br_model *const *br_models(size_t *count)
{
  if (count) *count = sizeof all_models / sizeof all_models[0];
  return all_models;
}
