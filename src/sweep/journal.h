/* SPDX-License-Identifier: Apache-2.0
 * journal.h - finished blocks of an ensemble, kept so that nothing is lost however the work ends.
 * Beside the output OUT stands the folder OUT.journal: 'plan' says what is computed; every process that works
 * appends its blocks, each with a checksum, to a file part-K of its own, which it holds locked (flock) while
 * it lives, and says where in index-K, which is all that others read; 'claims' says which process took which
 * blocks.  So any number of processes on one file system share the work without talking to each other; what a
 * killed one had taken is taken again, and what it had half written is in no index, or has a wrong checksum
 * and is computed again.  Without an output the blocks are kept in memory.  Alloc: bri_journal_open(), put.
 * Threads: take and put may be called by any thread. */
#ifndef BRI_SWEEP_JOURNAL_H
#define BRI_SWEEP_JOURNAL_H
#include <stddef.h>
#include <stdint.h>

#include "text/fail.h"

typedef struct bri_journal bri_journal;

typedef struct {
  const char *out;       /* NULL: in memory */
  const char *plan;      /* text that changes with everything the numbers depend on */
  uint64_t first, count; /* blocks */
  size_t rows, width;    /* of a block (the last may have fewer rows), numbers in a row */
  size_t workers;        /* processes that share the work, roughly */
  int leads;             /* 1: holds the folder, and makes it; 0: waits until it is there */
} bri_journal_plan;

/* BR_E_ARG: the folder holds another sweep; BR_E_IO: it cannot be written, or another process leads;
 * BR_E_NOMEM. */
BR_CHECKED br_status bri_journal_open(const bri_journal_plan *plan, bri_journal **out, br_err *err);
/* A block that nobody has done or is doing; 0: there is none (now: what a living process has taken may come
 * back). */
int bri_journal_take(bri_journal *j, uint64_t *block);
/* A finished block of n rows. */
BR_CHECKED br_status bri_journal_put(bri_journal *j, uint64_t block, size_t n, const double *rows,
                                     br_err *err);
/* Look for blocks of others; how many are finished. */
uint64_t bri_journal_look(bri_journal *j);
uint64_t bri_journal_done(bri_journal *j);
/* What kept a block from being taken. */
BR_CHECKED br_status bri_journal_fault(const bri_journal *j, br_err *err);
/* BR_E_NAN: it is damaged, and must be computed again. */
BR_CHECKED br_status bri_journal_get(bri_journal *j, uint64_t block, size_t n, double *rows, br_err *err);
/* How many reads found a damaged block. */
uint64_t bri_journal_damaged(const bri_journal *j);
/* remove: 1: the work is done, the folder goes. */
void bri_journal_close(bri_journal *j, int remove);
const char *bri_journal_folder(const bri_journal *j); /* NULL: in memory */

#endif
