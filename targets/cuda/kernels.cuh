/* SPDX-License-Identifier: Apache-2.0
 * kernels.cuh - the kernels of every model that has a lane, one number type: the body of device.cu and
 * device_f32.cu, which name with LANE_FIND the function that finds one. */
#include <stddef.h>
#include <string.h>

#include <utility>

#include "lanes.cuh"
#include "src/lanes/device.h"

enum { LANE_ROWS = BR_LANE_ROWS, LANE_ELEMENTS = 64 }; /* at most */
typedef struct {
  double base[LANE_ROWS + LANE_ELEMENTS];
  short place[LANE_ROWS + LANE_ELEMENTS];
  const double *in, *spring, *limit;
  double *out, *ends, *store; /* store: [count][threads] */
  size_t count, threads;
  size_t members;
  double rtol, most_tries, watched;
  int fixed, driven;
} lane_work;
typedef void lane_kernel(const lane_work w, unsigned long long *next);

/* Member m into a lane: indices are constants, so that it lives in registers. */
template <size_t... ROW>
static __device__ __forceinline__ void lane_get(br_lane_block &b, const lane_work &w, size_t m,
                                                std::index_sequence<ROW...>)
{
  br_lane_real *row = (br_lane_real *)&b;
  ((row[ROW] = (br_lane_real)(w.place[ROW] < 0 ? w.base[ROW] : w.in[(size_t)w.place[ROW] * w.members + m])), ...);
  b.rtol = (br_lane_real)w.rtol, b.most_tries = (br_lane_real)w.most_tries, b.watched = (br_lane_real)w.watched;
  b.fixed = w.fixed, b.driven = w.driven;
#ifdef BR_LANE_F32 /* no elements */
  b.count = 0;
#else
  b.count = (int)w.count, b.spring = w.spring, b.limit = w.limit, b.stride = w.threads;
  b.store = w.store + (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  for (size_t e = 0; e < w.count; e++) {
    const short at = w.place[LANE_ROWS + e];
    b.store[e * w.threads] = at < 0 ? w.base[LANE_ROWS + e] : w.in[(size_t)at * w.members + m];
  }
#endif
}

static __device__ __forceinline__ void lane_put(const br_lane_block &b, const lane_work &w, size_t m)
{
  double *out = w.out + m;
  const size_t n = w.members;
  out[BRI_CARD_OVER * n] = b.over[0];
  out[BRI_CARD_T * n] = b.t[0];
  out[BRI_CARD_REVERSALS * n] = b.reversals[0];
  out[BRI_CARD_STICKS * n] = b.sticks[0];
  out[BRI_CARD_RESTED * n] = b.rested[0];
  out[BRI_CARD_STEPS * n] = b.steps[0];
  out[BRI_CARD_TRIES * n] = b.tries[0];
  out[BRI_CARD_RETURNS * n] = b.returns[0];
  out[BRI_CARD_FIRST * n] = b.first[0];
  out[BRI_CARD_LAST * n] = b.last[0];
  out[BRI_CARD_NEAREST * n] = b.nearest[0];
  out[BRI_CARD_FARTHEST * n] = b.farthest[0];
#pragma unroll
  for (int l = 0; l < BR_LANE_STATES; l++) {
    out[(BRI_CARD_Y + l) * n] = b.y[l][0];
    out[(BRI_CARD_LO + l) * n] = b.lo[l][0];
    out[(BRI_CARD_HI + l) * n] = b.hi[l][0];
  }
#ifndef BR_LANE_F32
  for (size_t e = 0; e < w.count; e++) w.ends[e * n + m] = br_lane_element(&b, 0, (int)e, b.y[2][0]);
#endif
}

#define BR_VISIT "targets/cuda/stamp.cuh"
#include "src/lanes/stamped.def"
#undef BR_VISIT

#define LANE_TEXT_(x) #x
#define LANE_TEXT(x) LANE_TEXT_(x)
lane_kernel *LANE_FIND(const char *model, int special, int measures, int driven)
{
#define BR_VISIT "targets/cuda/find.cuh"
#include "src/lanes/stamped.def"
#undef BR_VISIT
  return NULL;
}
