/* SPDX-License-Identifier: Apache-2.0
 * varied.h - loads and switches of a job: names, texts, and the plant that they make. */
#ifndef BRI_SOLVE_VARIED_H
#define BRI_SOLVE_VARIED_H
#include "bristle/analysis.h"
#include "bristle/solve.h"

/* The contact whose load an input of this name drives, from 1 of n; 0: "N", all of them; -1: it is no load. */
int bri_load_name(const char *name, size_t len, size_t n);
/* A load as a signal; a number alone is one that stays. */
BR_CHECKED br_status bri_load_parse(const char *text, const br_signal_need *need, br_signal **out, br_err *err);
/* What drives the loads of a job's plant, and what its option 'switch' makes of the plant. */
BR_CHECKED br_status bri_job_vary(const br_job *job, const br_drive *drives, br_plant *plant, br_err *err);

#define BRI_ROW_SWITCH                                                                              \
  {                                                                                                 \
    .name = "switch", .kind = BR_OPTION_PAIRS, .arg = "T:NAME=VALUE,...",                           \
    .doc = "parameters of model and mechanism, inputs held, or load (N, N1..) from time T on; repeatable, states stay" \
  }

#endif
