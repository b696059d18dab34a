/* SPDX-License-Identifier: Apache-2.0
 * cycles.h - cycles of a trace, from turning point to turning point. */
#ifndef BRI_TRACE_CYCLES_H
#define BRI_TRACE_CYCLES_H
#include "bristle/analysis.h"

typedef struct {
  double t, u, F, work; /* s, m, N just before, J so far */
} bri_turn;

/* In the order of the columns: from, to; least and largest u, F there; work, secant stiffness, equivalent
 * damping (viscous, of the same work at the same period), damping ratio, loss factor; NaN where the secant is
 * not positive. */
typedef struct {
  double x[11];
} bri_cycle;

typedef struct {
  bri_turn first, before, last; /* start of the cycle, the last two turns */
  size_t turns, n, room;
  bri_cycle *list;
  int failed; /* out of memory */
} bri_cycles;

void bri_cycles_turn(bri_cycles *c, double t, double u, double F, double work);
/* Values and table. */
BR_CHECKED br_status bri_cycles_put(const bri_cycles *c, br_sink *out, br_err *err);

#define BRI_CYCLES_RESULTS                                                                          \
  {"cycles.*.from", "s", "measures: of each cycle between turning points of one kind, since when"}, \
      {"cycles.*.to", "s", "until when"}, {"cycles.*.u_min", "m", "least position"},                \
      {"cycles.*.u_max", "m", "largest"},                                                           \
      {"cycles.*.F_at_u_min", "N", "force there, before the motion turns"},                         \
      {"cycles.*.F_at_u_max", "N", "the same at the other end"},                                    \
      {"cycles.*.work", "J", "energy that the cycle takes: its area"},                              \
      {"cycles.*.stiffness", "N/m", "secant from end to end"},                                      \
      {"cycles.*.damping", "N s/m", "viscous damper of the same work"},                             \
      {"cycles.*.damping_ratio", "1", "work / (2 pi stiffness X^2), X half the stroke"},            \
      {"cycles.*.loss_factor", "1", "twice that"},                                                  \
  {                                                                                                 \
    "cycles", "", "the same, a row each", BR_RESULT_TABLE                                           \
  }

#endif
