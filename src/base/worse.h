/* SPDX-License-Identifier: Apache-2.0
 * worse.h - the largest of errors, residuals and norms, NaN-safe. */
#ifndef BRI_BASE_WORSE_H
#define BRI_BASE_WORSE_H
#include <math.h>

/* The larger of two errors.  Not a number is the largest of all, where fmax() would drop it. */
static inline double bri_worse(double a, double b) { return b <= a ? a : b == b ? b : (double)INFINITY; }

#endif
