/* SPDX-License-Identifier: Apache-2.0
 * lane_f64.c - tries and judgement of a block of lanes, for every model that has slopes; compiled once per instruction
 * set with BR_ISA naming it (see CMakeLists.txt). */
#define BR_MUL_ADD(a, b, c) br_lane_fma(a, b, c)
#define BR_MUL_SUB(a, b, c) br_lane_fma(-(a), b, c)
#include "../../core/lane_settle.h"
#include "../../core/stamp.h"
#include "lanes.h"

#ifndef BR_ISA
#define BR_ISA base
#endif

#undef BR_DECAY
#define BR_DECAY(x) br_lane_decay(x)
#define BR_REAL double
#define BR_SFX _f64
#include "../../models/common/stribeck.inc"
#include "../../models/common/stribeck_slope.inc"
#define BR_VISIT "stamp.inc"
#include "stamped.def"
#undef BR_VISIT

/* What the stages of the next try see of the waves; judgement of the last one. */
static void waves(br_lane_block *b, size_t groups){BR_LANE_EACH(br_lane_waves(b, i))}
#define JUDGE(name, n, kind, measures)                                                    \
  static void name(br_lane_block *b, size_t groups)                                       \
  {                                                                                       \
    BR_LANE_EACH(br_lane_weigh(b, i, n))                                                  \
    BR_LANE_EACH(br_lane_judge(b, i, n, kind, measures))                                  \
    BR_LANE_EACH(br_lane_move(b, i, n, measures))                                         \
  }                                                                                       \
  static size_t name##_settle(br_lane_block *b, size_t lanes)                             \
  {                                                                                       \
    size_t ended = 0;                                                                     \
    for (size_t first = 0; first < lanes; first += BR_LANE_GROUP) {                       \
      uint64_t any = 0;                                                                   \
      for (size_t j = 0; j < BR_LANE_GROUP; j++) any |= brn_bits_f64(b->rare[first + j]); \
      for (size_t i = first; any && i < first + BR_LANE_GROUP && i < lanes; i++)          \
        if (b->rare[i] > 0) {                                                             \
          br_lane_settle(b, i, n, kind, measures);                                        \
          ended += b->rare[i] > 0;                                                        \
        }                                                                                 \
    }                                                                                     \
    return ended;                                                                         \
  }
JUDGE(judge2, 2, 1, 1) JUDGE(judge3, 3, 0, 1) JUDGE(judge4, 4, 0, 1) JUDGE(plain2, 2, 1, 0)
    JUDGE(plain3, 3, 0, 0) JUDGE(plain4, 4, 0, 0) JUDGE(judge_elements, 3, 2, 1)
        JUDGE(plain_elements, 3, 2, 0)

            const bri_lane_set BRI_LANE_CAT(bri_lanes_, BR_ISA) = {
                {
#define BR_VISIT "list.inc"
#include "stamped.def"
#undef BR_VISIT
                },
                waves,
                {{plain2, plain3, plain4, plain_elements}, {judge2, judge3, judge4, judge_elements}},
                {{plain2_settle, plain3_settle, plain4_settle, plain_elements_settle},
                 {judge2_settle, judge3_settle, judge4_settle, judge_elements_settle}}};
