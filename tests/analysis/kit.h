/* SPDX-License-Identifier: Apache-2.0
 * kit.h - jobs for the tests of this room. */
#ifndef BRI_TEST_ANALYSIS_KIT_H
#define BRI_TEST_ANALYSIS_KIT_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "bristle/analysis.h"

static inline br_job *job_of(const char *analysis)
{
  br_job *job = NULL;
  assert_int_equal(br_job_create(br_analysis_find(analysis), &job, NULL), BR_OK);
  return job;
}

static inline void set(br_job *job, const char *name, const char *value)
{
  br_err err = {BR_OK, -1, ""};
  if (br_job_set(job, name, value, NULL, &err)) fail_msg("%s = %s: %s", name, value, err.msg);
}

static inline br_job *lugre_loop(void)
{
  br_job *job = job_of("loop");
  set(job, "model", "lugre");
  set(job, "sigma0", "6 N/m"); /* a parameter by its bare name */
  set(job, "set", "sigma1=1,Fc=1,Fs=2");
  set(job, "set.vs", "1");
  set(job, "input.u", "bimodal:0,1,0.5,1.5");
  return job;
}

#endif
