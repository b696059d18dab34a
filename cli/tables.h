/* SPDX-License-Identifier: Apache-2.0
 * tables.h - parameter and state tables as text and as JSON, the same for models and systems. */
#ifndef BRI_CLI_TABLES_H
#define BRI_CLI_TABLES_H
#include "bristle/model.h"
#include "bristle/system.h"
#include "json.h"

void tables_json_parameters(json *j, const br_param *rows, size_t n);
void tables_json_states(json *j, const br_state *rows, size_t n);
/* The names of "a|b|c" as an array; NULL: an empty one. */
void tables_json_choices(json *j, const char *key, const char *choices);
/* One model or system, NULL: all, under "models" and "systems". */
br_status tables_json_models(json *j, const br_model *only, br_err *err);
void tables_json_systems(json *j, const br_system *only);
/* Aligned columns on stdout. */
void tables_print_parameters(const br_param *rows, size_t n);
void tables_print_states(const br_state *rows, size_t n);

#endif
