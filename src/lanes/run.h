/* SPDX-License-Identifier: Apache-2.0
 * run.h - a run of an ensemble that has been checked.  Internal. */
#ifndef BRI_LANES_RUN_H
#define BRI_LANES_RUN_H
#include "device.h"
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
  const bri_card *card;  /* NULL: on the CPU */
  size_t *tries, *slots; /* per piece */
} bri_lane_run;

BR_CHECKED br_status bri_lane_run_all(bri_lane_run *r, br_err *err);

/* What of a description stands in every block of lanes. */
void bri_lane_set_up(const br_ensemble *e, br_lane_block *b);
/* The most special case that members first.. to before end allow: same bits, less work; -1: none.  spar,
 * mpar: to work in. */
int bri_lane_choose(const bri_lane_run *r, size_t first, size_t end, double *spar, double *mpar);
/* Lane i of the block is the answer of member m; m cannot be started. */
void bri_lane_put(const bri_lane_run *r, const br_lane_block *b, size_t i, size_t m, br_status st);
void bri_lane_put_none(const bri_lane_run *r, size_t m, br_status st);

#endif
