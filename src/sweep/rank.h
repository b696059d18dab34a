/* SPDX-License-Identifier: Apache-2.0
 * rank.h - is this process one of several that a launcher has started (mpirun, srun)?
 * They share the work through the journal on a file system that all of them see, so that no library of
 * messages is needed: the first leads and writes the output, the others compute. */
#ifndef BRI_SWEEP_RANK_H
#define BRI_SWEEP_RANK_H
#include <stddef.h>

enum { BRI_RANK_JOB = 64 };
typedef struct {
  size_t rank, size;      /* 0 of 1: alone */
  char job[BRI_RANK_JOB]; /* letters and digits; of this start */
} bri_rank;
bri_rank bri_rank_here(void);

#endif
