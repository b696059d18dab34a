/* SPDX-License-Identifier: Apache-2.0
 * range.h - "NAME=A:B": what varies, from where to where. */
#ifndef BRI_RANGE_H
#define BRI_RANGE_H
#include <stddef.h>

#include "bristle/unit.h"

typedef struct {
  const char *name; /* not terminated */
  size_t n;
  const char *text[2]; /* of both ends */
  size_t length[2];
  double x[2]; /* SI */
  br_unit unit[2];
  int has_unit[2];
} bri_range;

/* 1: the text has the form; its parts are known, the numbers are not read yet.  NULL is no range. */
int bri_range_split(const char *text, bri_range *r);
BR_CHECKED br_status bri_range_numbers(bri_range *r, br_err *err);
#endif
