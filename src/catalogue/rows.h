/* SPDX-License-Identifier: Apache-2.0
 * rows.h - pieces of the catalogue that several documents have. */
#ifndef BRI_CATALOGUE_ROWS_H
#define BRI_CATALOGUE_ROWS_H
#include "bristle/model.h"
#include "bristle/system.h"
#include "text/json.h"

/* Class and passivity of a model at its default parameters. */
typedef struct {
  const char *duhem, *continuity;
  int rate_dependent, passive;
} bri_model_facts;
br_status bri_model_facts_of(const br_model *m, bri_model_facts *f, br_err *err);

/* The names of "a|b|c" as an array; NULL: an empty one. */
void bri_json_choices(bri_json *j, const char *key, const char *choices);
/* Those with this name, NULL: all, under "models" and "systems". */
br_status bri_json_models(bri_json *j, const char *only, br_err *err);
void bri_json_systems(bri_json *j, const char *only);
/* One of them, an object without a key. */
void bri_json_system(bri_json *j, const br_system *s);
/* The JSON Schema of study files. */
void bri_json_schema(bri_json *j);

#endif
