/* SPDX-License-Identifier: Apache-2.0
 * tables.h - parameter and state tables as aligned columns on stdout, the same for models and systems. */
#ifndef BRI_CLI_TABLES_H
#define BRI_CLI_TABLES_H
#include "bristle/model.h"

void tables_print_parameters(const br_param *rows, size_t n);
void tables_print_states(const br_state *rows, size_t n);
/* The equations of a model or mechanism as its README.md has them, with Greek letters; nothing where there are none.
 * 0: no memory. */
int tables_print_equations(const char *name);

#endif
