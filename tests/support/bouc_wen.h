/* SPDX-License-Identifier: Apache-2.0
 * bouc_wen.h - Bouc-Wen with eta = 1 in closed form. */
#ifndef SUPPORT_BOUC_WEN_H
#define SUPPORT_BOUC_WEN_H
#include <math.h>

/* z behind a path du, A = uy = 1: in the direction of motion it obeys w' = 1 - c w on either side of 0. */
static inline double bouc_wen_walk(double z, double du, double beta, double gamma)
{
  const double s = du < 0 ? -1 : 1, c = beta - gamma;
  double w = s * z, x = fabs(du);
  if (w < 0) {
    const double way = c == 0 ? -w : log1p(-c * w) / c;
    if (way > x) return s * (w + (1 - c * w) * (c == 0 ? x : -expm1(-c * x) / c));
    x -= way;
    w = 0;
  }
  return s * (w + (1 - (beta + gamma) * w) * -expm1(-(beta + gamma) * x) / (beta + gamma));
}

#endif
