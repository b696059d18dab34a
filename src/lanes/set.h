/* SPDX-License-Identifier: Apache-2.0
 * set.h - what a file of lanes, one per instruction set and number type, exports.  Its blocks are its own:
 * outside they are bytes.  Internal. */
#ifndef BRI_LANES_SET_H
#define BRI_LANES_SET_H
#include <stddef.h>
#include <stdint.h>

enum { BRI_LANE_CASES = 4 };
typedef void bri_lane_fn(void *block, size_t groups);
typedef uint64_t bri_lane_settle_fn(void *block, size_t lanes); /* which of them have ended, by bits */
typedef struct {
  const char *model;
  size_t nz;
  int kind;                                /* BR_LANE_* of core/lane.h */
  int (*allows)(const double *par, int k); /* may case k be assumed of this prepared block? */
  bri_lane_fn *run[BRI_LANE_CASES];        /* one try; NULL where the case is not stamped */
  bri_lane_fn *exact[BRI_LANE_CASES];      /* one exponential step; NULL: it has none */
} bri_lane;

/* What stands in every block; driven: some lane has a wave. */
typedef struct {
  double rtol, most_tries, watched; /* as in core/lane.h */
  int fixed, driven;
} bri_lane_rules;

enum { BRI_LANE_MODELS = 16 }; /* at most; behind the last stands NULL */
typedef struct {
  size_t width, group, size; /* lanes, lanes of a vector, bytes of a block */
  const bri_lane *lanes[BRI_LANE_MODELS];
  bri_lane_fn *waves;
  /* of runs that measure nothing on the way, or do; 0, 1, 2 model states, elements */
  bri_lane_fn *judge[2][4];
  bri_lane_settle_fn *settle[2][4]; /* those that judge() left aside, one by one */
  void (*rule)(void *block, const bri_lane_rules *rules);
  /* Lane i from and to rows of numbers `stride` apart, in the order of core/lane.h; to a lane from another
   * one. */
  void (*put)(void *block, size_t i, const double *rows, size_t stride);
  void (*get)(const void *block, size_t i, double *rows, size_t stride);
  void (*copy)(void *block, size_t to, size_t from);
} bri_lane_set;

#define BRI_LANE_CAT_(a, b) a##b
#define BRI_LANE_CAT(a, b) BRI_LANE_CAT_(a, b)
extern const bri_lane_set bri_lanes_base, bri_lanes_avx2, bri_lanes_avx512, bri_lanes_f32_base,
    bri_lanes_f32_avx2, bri_lanes_f32_avx512;

#endif
