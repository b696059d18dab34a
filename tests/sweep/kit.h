/* SPDX-License-Identifier: Apache-2.0
 * kit.h - what tests of ensembles share; behind cmocka.h. */
#ifndef BRI_TEST_SWEEP_KIT_H
#define BRI_TEST_SWEEP_KIT_H
#include "bristle/analysis.h"

/* Options by name and value, NULL behind the last. */
static br_job *job_of(const char *const *options)
{
  br_job *job = NULL;
  br_err err;
  assert_int_equal(br_job_create(br_analysis_find("sweep"), &job, &err), BR_OK);
  for (size_t i = 0; options[i]; i += 2)
    assert_int_equal(br_job_set(job, options[i], options[i + 1], NULL, &err), BR_OK);
  return job;
}

#endif
