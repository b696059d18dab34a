/* SPDX-License-Identifier: Apache-2.0
 * lanes.h - what the per-instruction-set files export, and the parts of a run.  Internal. */
#ifndef BRI_LANES_H
#define BRI_LANES_H
#include "../../core/lane.h"
#include "bristle/ensemble.h"

enum { BRI_LANE_CASES = 4 };
typedef void bri_lane_fn(br_lane_block *b, size_t groups);
typedef struct {
  const char *model;
  size_t nz;
  int stick;
  int (*allows)(const double *par, int k); /* may case k be assumed of this prepared block? */
  bri_lane_fn *run[BRI_LANE_CASES];        /* one try; NULL where the case is not stamped */
} bri_lane;

enum { BRI_LANE_MODELS = 16 }; /* at most; behind the last stands NULL */
typedef struct {
  const bri_lane *lanes[BRI_LANE_MODELS];
  bri_lane_fn *waves,
      *judge[2][3]; /* judge: of runs that measure nothing on the way, or do; 0, 1, 2 model states */
} bri_lane_set;

#define BRI_LANE_CAT_(a, b) a##b
#define BRI_LANE_CAT(a, b) BRI_LANE_CAT_(a, b)
extern const bri_lane_set bri_lanes_base, bri_lanes_avx2, bri_lanes_avx512;

/* The set of the instructions in use (br_isa_name()); the lane of a model in it, NULL where there is none. */
const bri_lane_set *bri_lane_set_now(void);
const bri_lane *bri_lane_of(const bri_lane_set *set, const br_model *mod);

/* The mechanism as a lane sees it: which of its states are q and v (q -1: there is none). */
typedef struct {
  int q, v;
  int seat; /* q is the contact's position */
  size_t nq;
} bri_lane_frame;
/* Fits the mechanism into a lane?  Fills frame; NULL, or why not. */
const char *bri_lane_fits(const br_system *sys, const double *spar, int uses_u, bri_lane_frame *frame);

/* Put member m into lane i.  BR_OK, or why it cannot be run. */
br_status bri_lane_fill(const br_ensemble *e, const bri_lane *lane, const bri_lane_frame *frame, size_t nx,
                        int extremes, size_t m, double *spar, double *mpar, br_lane_block *b, size_t i);
/* Parameters of member m, checked and prepared. */
br_status bri_lane_params(const br_ensemble *e, size_t m, double *spar, double *mpar);

#endif
