/* SPDX-License-Identifier: Apache-2.0
 * differences.h - a derivative from values beside.  Internal, inline. */
#ifndef BRI_BASE_DIFFERENCES_H
#define BRI_BASE_DIFFERENCES_H
#include <math.h>

/* From central differences at three distances, each half of the one before: exact for polynomials up to the
 * sixth degree. *off (may be NULL): by how much the last stage changed it. */
static inline double bri_differences(const double D[3], double *off)
{
  const double a = (4 * D[1] - D[0]) / 3, b = (4 * D[2] - D[1]) / 3, d = (16 * b - a) / 15;
  if (off) *off = fabs(d - b);
  return d;
}

#endif
