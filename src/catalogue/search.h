/* SPDX-License-Identifier: Apache-2.0
 * search.h - models and mechanisms by a word (search.c). */
#ifndef BRI_CATALOGUE_SEARCH_H
#define BRI_CATALOGUE_SEARCH_H
#include "bristle/model.h"
#include "bristle/system.h"

/* Does the word stand in its name, title or tables?  Case, blanks and hyphens do not count. */
int bri_model_fits(const br_model *m, const char *word);
int bri_system_fits(const br_system *s, const char *word);

#endif
