/* SPDX-License-Identifier: Apache-2.0
 * nest.h - which reversals of a cycle enclose which: its minor loops. */
#ifndef BRI_SIGNAL_NEST_H
#define BRI_SIGNAL_NEST_H
#include <stddef.h>

#include "bristle/status.h"

#define BRI_NO_NEST ((size_t)-1)

/* A minor loop: start and turn are reversals, it ends on the way behind reversal `from`, where u is first
 * back at u[start].  turn and from count on beyond n where the loop runs into the next period. */
typedef struct {
  size_t start, turn, from;
  size_t parent; /* place of the loop it is nested in, BRI_NO_NEST when none */
} bri_nest;

/* All of a cycle of n reversals u[0..n-1], ordered by start; the caller frees *found.  BR_OK or BR_E_NOMEM.
 * */
BR_CHECKED br_status bri_nests(size_t n, const double *u, bri_nest **found, size_t *count);

#endif
