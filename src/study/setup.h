/* SPDX-License-Identifier: Apache-2.0
 * setup.h - what a run needs, from its keys.  Findings go to the study's notes; an error is out of memory. */
#ifndef BRI_STUDY_SETUP_H
#define BRI_STUDY_SETUP_H
#include "study.h"

/* Every entry of a map into parameters; kind: what messages call one. */
BR_CHECKED br_status bri_set_map(br_study *s, br_params *p, const bri_node *map, const char *kind,
                                 br_err *err);
/* Rules between parameters; a broken one is noted at the parameter it names, or at `at`. */
void bri_finish_params(br_study *s, br_params *p, const bri_node *map, const br_param *rows, size_t n,
                       bri_place at);
/* 'model', 'system', 'set'; then 'input'; the plant, where there is a mechanism; 'init'. */
BR_CHECKED br_status bri_read_model(br_study *s, bri_run *r, br_err *err);
BR_CHECKED br_status bri_read_inputs(br_study *s, bri_run *r, br_err *err);
BR_CHECKED br_status bri_make_plant(br_study *s, bri_run *r, br_err *err);
/* The text of a signal, its file looked for beside the study that names it.  NULL: out of memory. */
const char *bri_spec_of(br_study *s, const bri_node *n);
BR_CHECKED br_status bri_read_init(br_study *s, bri_run *r, br_err *err);

#endif
