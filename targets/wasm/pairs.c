/* SPDX-License-Identifier: Apache-2.0
 * pairs.c - the complex-step instances of all models in a file of their own: compiled without the look for
 * NaN behind every product of complex numbers, as -fcx-fortran-rules does elsewhere. */
#include "lab.h"
#define BR_OVER(a, b) bri_over(a, b)
#include "../../core/stamp.h"
#include "../../models/face.h"

#define BR_VISIT "face_pair_names.inc"
#include "../../models/models.def"
#undef BR_VISIT
int lab_first_order;
/* As in src/sense/tangent_c64.c while slopes are chained, the whole quotient otherwise. */
static brn_c64 bri_over(brn_c64 a, brn_c64 b)
{
  if (!lab_first_order) return a / b;
  const double inverse = 1 / __real__ b, q = __real__ a * inverse;
  return brn_make_c64(q, (__imag__ a - q * __imag__ b) * inverse);
}

#define BR_PAIR_FN
#define BR_REAL double _Complex
#define BR_SFX _c64
#include "../../models/common/stribeck.inc"
#define BR_VISIT "face_pair.inc"
#include "../../models/models.def"
