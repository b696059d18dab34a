/* SPDX-License-Identifier: Apache-2.0
 * order.h - numbers in ascending order.  Internal, inline. */
#ifndef BRI_BASE_ORDER_H
#define BRI_BASE_ORDER_H
#include <stdlib.h>

static inline int bri_ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static inline void bri_sort(size_t n, double *x) { qsort(x, n, sizeof *x, bri_ascending); }

#endif
