/* SPDX-License-Identifier: Apache-2.0
 * verdicts.h - what the checks of studies gave. */
#ifndef BRI_CLI_VERDICTS_H
#define BRI_CLI_VERDICTS_H
#include "bristle/study.h"

/* Table on stdout: document, figure, quantity, reference, obtained, difference, verdict. */
void verdicts_print(br_study *const *studies, size_t count);
/* The same as one JSON object; returns an exit code. */
int verdicts_json(br_study *const *studies, size_t count, const char *folder);
int verdicts_differ(br_study *const *studies, size_t count); /* 1: not all pass */

#endif
