/* SPDX-License-Identifier: Apache-2.0
 * compare.h - a computed quantity beside the measured one, along the same motion. */
#ifndef BRI_RECORD_COMPARE_H
#define BRI_RECORD_COMPARE_H
#include <stddef.h>

#include "bristle/status.h"

/* Rows so far; zeroed at the start. */
typedef struct {
  size_t n, room;
  double *rows;         /* along, work of the model, work of what was measured */
  double last[4];       /* x and F of the row before, as in bri_compare_row */
  double mean, square;  /* of the measured value: mean, sum of squares about it */
  double error, errors; /* mean of model - measured, sum of its squares */
  double largest;       /* |model - measured| */
  int failed;           /* no memory */
} bri_compare;

typedef struct {
  size_t samples;
  double rms, relative, bias,
      largest; /* relative: rms of the error by that of the measured force about its mean */
  double work_model, work_measured; /* integral of F du, J */
  size_t cycles; /* whole ones: from one passage through the middle of the motion upwards to the last */
  double cycle_model, cycle_measured; /* J each; NaN without a cycle */
} bri_comparison;

/* A sample: of the model [0] and measured [1].  x, F: what the energy F dx is the integral of. */
typedef struct {
  double value[2], x[2], F[2];
  double along; /* cycles are counted by it */
} bri_compare_row;

void bri_compare_add(bri_compare *c, const bri_compare_row *at);
BR_CHECKED br_status bri_compare_end(bri_compare *c, bri_comparison *out, br_err *err); /* frees the rows */

#endif
