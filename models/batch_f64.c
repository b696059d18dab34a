/* SPDX-License-Identifier: Apache-2.0
 * batch_f64.c - the f64 block functions of all models for one instruction set; compiled once per set with
 * BR_ISA naming it (see CMakeLists.txt). */
#define BR_FLAT 1
#include "../core/num_vec.h"
#include "../core/stamp.h"
#include "batch_types.h"

#ifndef BR_ISA
#define BR_ISA base
#endif

#define BR_REAL double
#define BR_SFX _f64
#define BR_VEC_REAL brn_vec_f64
#define BR_VEC_SFX _vec_f64
#include "common/stribeck.inc"
#define BR_VISIT "batch.inc"
#include "models.def"
#undef BR_VISIT

const brn_block_set_f64 *const BRI_CAT(bri_blocks_f64_, BR_ISA)[] = {
#define BR_VISIT "batch_list.inc"
#include "models.def"
#undef BR_VISIT
};
