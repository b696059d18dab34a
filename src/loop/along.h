/* SPDX-License-Identifier: Apache-2.0
 * along.h - a model of two axes moved along one line: a model of one axis, whose force is the part along the
 * line. */
#ifndef BRI_ALONG_H
#define BRI_ALONG_H
#include "bristle/model.h"

typedef struct {
  br_model face; /* its parameter block is the bri_along itself */
  const br_model *inner;
  const double *par;
  double dir[2];
} bri_along;

/* m and par are borrowed; angle in rad from the x axis. */
void bri_along_open(bri_along *a, const br_model *m, const double *par, double angle);

#endif
