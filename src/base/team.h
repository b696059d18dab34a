/* SPDX-License-Identifier: Apache-2.0
 * team.h - independent pieces of work on several threads, and numbers drawn for them.  Internal.
 * Pieces are handed out in order; each writes its own place, so the result is the same for any number of
 * threads. */
#ifndef BRI_BASE_TEAM_H
#define BRI_BASE_TEAM_H
#include <stddef.h>
#include <stdint.h>

#include "bristle/status.h"

typedef struct {
  size_t n;    /* pieces */
  int threads; /* 0: one per processor */
  /* Piece i.  An error stops all; that of the smallest piece is returned. */
  br_status (*one)(void *ctx, size_t i, br_err *err);
  void *ctx;
  int (*progress)(void *ctx, double done); /* may be NULL; never two at a time; non-zero interrupts */
  void *progress_ctx;
} bri_team;

/* Returns BR_OK, BR_INTERRUPTED, BR_E_NOMEM or what `one` returned. */
br_status bri_team_run(const bri_team *team, br_err *err);

/* splitmix64: a number in (0, 1), and a stream of its own for piece i of a seed. */
double bri_uniform(uint64_t *stream);
uint64_t bri_stream(uint64_t seed, uint64_t i);

#endif
