/* SPDX-License-Identifier: Apache-2.0
 * ask.h - from the keys of a run to its job, and from the pictures of an analysis to keys of plots. */
#ifndef BRI_STUDY_ASK_H
#define BRI_STUDY_ASK_H
#include "study.h"

/* The run's keys into its job, and its check; findings go to the notes, an error is out of memory. */
BR_CHECKED br_status bri_ask_read(br_study *s, bri_run *r, const bri_node *section, br_err *err);
/* A picture as the keys of a plot; NULL: out of memory.  run: panels that need a table look for it there,
 * NULL: in all.  an: the usual picture of this analysis, which draws what is there. */
bri_node *bri_picture_keys(const br_study *s, bri_arena *arena, const br_picture *p, const char *run,
                           const br_analysis *an);
/* The present name of a quantity that had another one; the name itself otherwise. */
const char *bri_ask_name(const bri_run *r, const char *name, size_t size, char *buf);

#endif
