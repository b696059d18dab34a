/* SPDX-License-Identifier: Apache-2.0
 * asked.h - a checked job from one line of text, for tests that ask an analysis through the C API. */
#ifndef TESTS_ASKED_H
#define TESTS_ASKED_H
#include <stdio.h>
#include <string.h>

#include "bristle/analysis.h"

/* "name=value;name=value", then what is usual and not given; NULL: refused, the reason in *err. */
static inline br_job *asked(const char *analysis, const char *options, const char *const (*usual)[2],
                            size_t n, br_err *err)
{
  char text[512], *next = NULL;
  br_job *job = NULL;
  br_status st = br_job_create(br_analysis_find(analysis), &job, err);
  (void)snprintf(text, sizeof text, "%s", options);
  for (char *p = text; p && *p && !st; p = next) {
    char *eq = strchr(p, '=');
    next = strchr(p, ';');
    if (next) *next++ = '\0';
    *eq = '\0';
    st = br_job_set(job, p, eq + 1, NULL, err);
  }
  for (size_t i = 0; i < n && !st; i++)
    if (!br_job_given(job, usual[i][0])) st = br_job_set(job, usual[i][0], usual[i][1], NULL, err);
  if (!st) st = br_job_check(job, err);
  if (!st) return job;
  br_job_destroy(job);
  return NULL;
}

#endif
