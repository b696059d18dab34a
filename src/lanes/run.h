/* SPDX-License-Identifier: Apache-2.0
 * run.h - a run of an ensemble that has been checked.  Internal. */
#ifndef BRI_LANES_RUN_H
#define BRI_LANES_RUN_H
#include "lanes.h"

typedef struct {
  const br_ensemble *e;
  br_ensemble_result *out;
  const bri_lane_set *set;
  const bri_lane *lane;
  bri_lane_frame frame;
  size_t nx;
  int varies_model;      /* some member has a model of its own */
  int measures;          /* more than the end is asked for */
  size_t *tries, *slots; /* per piece */
} bri_lane_run;

BR_CHECKED br_status bri_lane_run_all(bri_lane_run *r, br_err *err);

#endif
