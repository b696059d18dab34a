/* SPDX-License-Identifier: Apache-2.0
 * verbs.h - what the files of the MEX function share. */
#ifndef BRISTLE_OCTAVE_VERBS_H
#define BRISTLE_OCTAVE_VERBS_H
#include <mex.h>

#include "bristle/bristle.h"

/* settings.c: everything that was given into the job; the message where something is wrong. */
typedef struct {
  const char *name; /* as it was written: t_end */
  const mxArray *value;
} given;
br_status settings_apply(br_job *job, const br_analysis *a, const given *list, size_t n, br_err *err);
/* Is it this name, '_' standing for '-'? */
int settings_same(const char *given_name, const char *option);

/* answer.c: the answer as a struct; tables: with r.tables.NAME.COLUMN. */
mxArray *answer_struct(const br_result *r, int tables);

#endif
