/* SPDX-License-Identifier: Apache-2.0
 * pairs.c - the complex-step instances of all models in a file of their own: compiled without the look for NaN behind every
 * product of complex numbers, as -fcx-fortran-rules does elsewhere. */
#include "../../core/stamp.h"
#include "../../models/face.h"

#define BR_VISIT "face_pair_names.inc"
#include "../../models/models.def"
#undef BR_VISIT
#define BR_PAIR_FN
#define BR_REAL double _Complex
#define BR_SFX _c64
#include "../../models/common/stribeck.inc"
#define BR_VISIT "face_pair.inc"
#include "../../models/models.def"
