/* SPDX-License-Identifier: Apache-2.0
 * rank.c - what launchers say in the environment. */
#include "rank.h"

#include <stdlib.h>

/* A whole number of the environment; 0: it is not there, or none. */
static int number(const char *name, size_t *n)
{
  const char *text = name ? getenv(name) : NULL;
  char *end = NULL;
  if (!text || text[0] < '0' || text[0] > '9') return 0;
  const unsigned long x = strtoul(text, &end, 10);
  if (*end || x > 10000000) return 0;
  *n = x;
  return 1;
}

bri_rank bri_rank_here(void)
{
  /* Open MPI; MPICH, Intel MPI and others with PMI; Slurm's srun (a batch script alone has no step but the
   * whole job's number of tasks: there SLURM_PROCID is that of the script, and SLURM_STEP_NUM_TASKS is not
   * set) */
  static const struct {
    const char *rank, *size, *job;
  } LAUNCHERS[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE"},
                   {"PMI_RANK", "PMI_SIZE", "PMI_JOBID"},
                   {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_JOB_ID"}};
  bri_rank r = {0, 1, "job"};
  for (size_t i = 0; i < sizeof LAUNCHERS / sizeof LAUNCHERS[0]; i++) {
    size_t rank = 0, size = 1, n = 0;
    if (!number(LAUNCHERS[i].rank, &rank) || !number(LAUNCHERS[i].size, &size) || size < 2 || rank >= size)
      continue;
    r.rank = rank, r.size = size;
    for (const char *s = getenv(LAUNCHERS[i].job); s && *s && n + 1 < sizeof r.job;
         s++) /* part of a file's name */
      r.job[n++] =
          (char)((*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') ? *s : '_');
    if (n) r.job[n] = '\0';
    break;
  }
  return r;
}
