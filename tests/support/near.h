/* SPDX-License-Identifier: Apache-2.0
 * near.h - a comparison with tolerance that says by how much it failed; include cmocka.h first. */
#ifndef SUPPORT_NEAR_H
#define SUPPORT_NEAR_H
#include <math.h>

#define near(x, y, tol)                                                                               \
  do {                                                                                                \
    const double near_x = (x), near_y = (y), near_tol = (tol);                                        \
    if (!(fabs(near_x - near_y) <= near_tol))                                                         \
      fail_msg("%s = %.17g, expected %.17g, off by %.3g > %.3g", #x, near_x, near_y, near_x - near_y, \
               near_tol);                                                                             \
  } while (0)

#endif
