/* SPDX-License-Identifier: Apache-2.0
 * tables.h - parameter and state tables as text and as JSON, the same for models and systems. */
#ifndef BRI_CLI_TABLES_H
#define BRI_CLI_TABLES_H
#include "bristle/model.h"
#include "json.h"

void tables_json_parameters(json *j, const br_param *rows, size_t n);
void tables_json_states(json *j, const br_state *rows, size_t n);
/* All models and all systems, under "models" and "systems". */
br_status tables_json_models(json *j, br_err *err);
void tables_json_systems(json *j);
/* Aligned columns on stdout. */
void tables_print_parameters(const br_param *rows, size_t n);
void tables_print_states(const br_state *rows, size_t n);

#endif
