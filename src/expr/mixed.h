/* SPDX-License-Identifier: Apache-2.0
 * mixed.h - contacts of one mechanism with models of their own: the model `mixed`, which is another one at
 * every contact.
 *
 * Its parameter `law` says which, `states` how many numbers every contact keeps for them.  Behind the numbers
 * by name a block holds that of the model itself. */
#ifndef BRI_EXPR_MIXED_H
#define BRI_EXPR_MIXED_H
#include "bristle/model.h"

#define BRI_MIXED "mixed"

const br_model *bri_mixed(void);
/* What stands at a contact: the model, and its block; any other model is itself. */
const br_model *bri_mixed_part(const br_model *m, const double *par, const double **inner);
/* A model that may stand beside others, by name; NULL: none.  names: all of them, "a|b|c". */
const br_model *bri_mixed_find(const char *name);
const char *bri_mixed_names(void);

#endif
