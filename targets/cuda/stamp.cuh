/* SPDX-License-Identifier: Apache-2.0
 * stamp.cuh - visitor: the kernels of one model, a function per case, and how they are started. */
#include "core/pair.inc"

#define BRI_CARD_CASE(special)                                                                                  \
  template <int MEASURES, int DRIVEN>                                                                           \
  static __global__ void __launch_bounds__(LANES_PER_BLOCK, LANES_BLOCKS)                                       \
      BR_CAT3(BR_M(card), _, special)(const lane_work w, unsigned long long *next)                              \
  {                                                                                                             \
    br_lane_block b;                                                                                            \
    size_t m = w.members;                                                                                       \
    bool on = true, waits = false;                                                                              \
    b.over[0] = 1;                                                                                              \
    for (;;) {                                                                                                  \
      if (on && b.over[0] != 0) {                                                                               \
        if (m < w.members) lane_put(b, w, m);                                                                   \
        m = atomicAdd(next, 1ull);                                                                              \
        on = m < w.members;                                                                                     \
        if (on) lane_get(b, w, m, std::make_index_sequence<LANE_ROWS>());                                       \
      }                                                                                                         \
      if (!__any_sync(0xffffffffu, on)) return;                                                                 \
      if (on && !waits) {                                                                                       \
        if (DRIVEN) br_lane_waves(&b, 0);                                                                       \
        BRI_CARD_TRY(special, DRIVEN);                                                                          \
        waits = b.rare[0] > 0;                                                                                  \
      }                                                                                                         \
      if (lanes_settle_now(waits, on) && waits)                                                                 \
        br_lane_settle(&b, 0, BR_PAIR_N, BR_PAIR_KIND, MEASURES), waits = false;                               \
    }                                                                                                           \
  }
BR_PAIR_CASES(BRI_CARD_CASE)
#undef BRI_CARD_CASE

static lane_kernel *BR_M(card_kernel)(int special, int measures, int driven)
{
#define BRI_CARD_LABEL(k)                                          \
  if (special == k && measures && driven) return BR_CAT3(BR_M(card), _, k)<1, 1>; \
  if (special == k && measures) return BR_CAT3(BR_M(card), _, k)<1, 0>;           \
  if (special == k && driven) return BR_CAT3(BR_M(card), _, k)<0, 1>;             \
  if (special == k) return BR_CAT3(BR_M(card), _, k)<0, 0>;
  BR_PAIR_CASES(BRI_CARD_LABEL)
#undef BRI_CARD_LABEL
  return NULL;
}
#include "core/pair_end.inc"
