/* SPDX-License-Identifier: Apache-2.0
 * claims.h - the files of one call, so that no output replaces an input or another output.
 * Two names are one file when they lead to the same place (links followed, also where nothing is there yet)
 * or to the same device and inode.  Alloc: bri_claim_*().  A zeroed bri_claims is empty. */
#ifndef BRI_TEXT_CLAIMS_H
#define BRI_TEXT_CLAIMS_H
#include <stddef.h>

#include "fail.h"

typedef struct bri_claim bri_claim;
typedef struct {
  bri_claim *list;
  size_t n, room;
  int failed; /* out of memory */
} bri_claims;

/* A file that is read; "-" is standard input.  what: how messages call it, "--input" or "the study". */
void bri_claim_input(bri_claims *set, const char *path, const char *what);
/* A file that will be written; "-" is standard output. */
void bri_claim_output(bri_claims *set, const char *path, const char *what);
/* dir/NAME.svg and the NAME.gp and NAME.dat beside it. */
void bri_claim_picture(bri_claims *set, const char *path, const char *what);
/* Files folder/PREFIX*SUFFIX whose names are not known yet: compared with inputs only. */
void bri_claim_outputs(bri_claims *set, const char *folder, const char *prefix, const char *suffix,
                       const char *what);
/* BR_OK; BR_E_ARG with what wants which file; BR_E_NOMEM. */
BR_CHECKED br_status bri_claims_check(const bri_claims *set, br_err *err);
/* Path of claim i < set->n as it was given; NULL where it is no output with a known name. */
const char *bri_claims_output(const bri_claims *set, size_t i);
void bri_claims_free(bri_claims *set);

#endif
