/* SPDX-License-Identifier: Apache-2.0
 * general.h - what the files of 'phase' for any mechanism share. */
#ifndef BRI_PHASE_GENERAL_H
#define BRI_PHASE_GENERAL_H
#include "question.h"

enum { BRI_GENERAL_EVENTS = 128, BRI_GENERAL_BRANCHES = 8 };

typedef struct {
  bri_question *q;
  br_phase_plant p;
  br_phase_event event[BRI_GENERAL_EVENTS];
  size_t nevent;
  br_phase_branch *branch[BRI_GENERAL_BRANCHES];
  size_t nbranch;
} bri_general;

/* general_ends.c: where the cycle reached from rest ends; ranges where sliding and oscillation are both
 * stable. */
BR_CHECKED br_status bri_general_ends(bri_general *g, br_err *err);
BR_CHECKED br_status bri_general_bistable(bri_general *g, br_err *err);
/* general_diagram.c: tables of the bifurcation diagram. */
BR_CHECKED br_status bri_general_diagram(bri_general *g, br_err *err);

#endif
