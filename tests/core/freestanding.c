/* SPDX-License-Identifier: Apache-2.0
 * freestanding.c - all kernels as plain functions, f64 (unless FS_ONLY_F32) and f32; see
 * test_freestanding.sh. */
#define BR_NO_COMPLEX
#include "../../core/stamp.h"

#ifndef FS_ONLY_F32
#define BR_REAL double
#define BR_SFX _f64
#include "../../models/common/stribeck.inc"
#define BR_VISIT "../tests/core/freestanding.inc"
#include "../../models/models.def"
#undef BR_VISIT
#undef BR_REAL
#undef BR_SFX
#endif

#define BR_REAL float
#define BR_SFX _f32
#include "../../models/common/stribeck.inc"
#define BR_VISIT "../tests/core/freestanding.inc"
#include "../../models/models.def"
