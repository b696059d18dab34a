/* SPDX-License-Identifier: Apache-2.0
 * claims.h - the files of a study: what it reads, what its results are called. */
#ifndef BRI_STUDY_CLAIMS_H
#define BRI_STUDY_CLAIMS_H
#include "bristle/study.h"
#include "text/claims.h"

/* Everything a run of the study into the folder reads and writes, its reports included. */
void bri_study_claim(const br_study *s, const char *folder, const br_study_options *opt, bri_claims *set);

/* Does the study, or an option that is not -1, ask for this output ("hdf5", "png")? */
int bri_study_wants(const br_study *s, const char *what, int option);

#endif
