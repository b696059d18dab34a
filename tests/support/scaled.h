/* SPDX-License-Identifier: Apache-2.0
 * scaled.h - the same physics in other base units: by which factor a number with this unit changes.
 * Equations whose rows state their units rightly give the same answer in any of them. */
#ifndef BR_TEST_SCALED_H
#define BR_TEST_SCALED_H
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "bristle/unit.h"

/* How many new units a metre, kilogram, second, ampere, kelvin is: powers of two, so that nothing is rounded
 * and a limit that is met is met.  The radian stays. */
static const double SCALE[BR_DIMS] = {2, 32, 0.0078125, 512, 8, 1};

/* Of something with this unit, times seconds to the power of `seconds`; NaN: the unit is none. */
static inline double scaled(const char *unit, int seconds)
{
  br_unit u;
  if (!unit || br_unit_parse(unit, strlen(unit), &u, NULL)) return NAN;
  double x = pow(SCALE[2], seconds);
  for (int k = 0; k < BR_DIMS; k++) x *= pow(SCALE[k], u.dim[k]);
  return x;
}

#endif
