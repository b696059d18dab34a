/* SPDX-License-Identifier: Apache-2.0
 * run.c - blocks of members on the threads of this process. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include <math.h>

#include "base/alloc.h"
#include "base/team.h"
#include "sweep.h"
#include "text/stop.h"

typedef struct {
  const bri_sweep *s;
  bri_journal *j;
  const bri_sweep_run *how;
  volatile int halt;
} team;

/* One pattern for what is no number: two computers must not differ in it. */
static void plain_gaps(size_t n, double *x)
{
  for (size_t i = 0; i < n; i++)
    if (isnan(x[i])) x[i] = (double)NAN;
}

br_status bri_sweep_block(const bri_sweep *s, uint64_t first, size_t n, double *rows, br_err *err)
{
  br_status st = s->lanes ? bri_lanes_run(s, first, n, rows, err) : BR_OK;
  for (size_t i = 0; i < n && !st && !s->lanes; i++)
    st = bri_member_run(s, first + i, rows + i * s->width, NULL, err);
  if (!st) plain_gaps(n * s->width, rows);
  return st;
}

/* A thread takes blocks until there are none. */
static br_status work(void *ctx, size_t i, br_err *err)
{
  team *t = ctx;
  const bri_sweep *s = t->s;
  const uint64_t members = s->design.members;
  double *rows = bri_malloc_array((size_t)t->how->block, s->width * sizeof *rows);
  br_status st = rows ? BR_OK : bri_no_memory(err, "sweep");
  uint64_t block = 0;
  (void)i;
  while (!st && !t->halt && bri_journal_take(t->j, &block)) {
    const uint64_t first = block * t->how->block, left = members - first;
    const size_t n = (size_t)(left < t->how->block ? left : t->how->block);
    st = bri_sweep_block(s, first, n, rows, err);
    if (!st) st = bri_journal_put(t->j, block, n, rows, err);
    if (!st && t->how->progress &&
        t->how->progress(t->how->ctx, (double)bri_journal_done(t->j) / (double)t->how->count))
      st = bri_fail(err, BR_INTERRUPTED, "sweep: stopped");
  }
  if (st) t->halt = 1;
  bri_free(rows);
  return st;
}

br_status bri_sweep_blocks(const bri_sweep *s, bri_journal *j, const bri_sweep_run *how, br_err *err)
{
  team t = {s, j, how, 0};
  const bri_team all = {how->threads, (int)how->threads, work, &t, NULL, NULL};
  return bri_team_run(&all, err);
}
