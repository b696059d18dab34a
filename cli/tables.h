/* SPDX-License-Identifier: Apache-2.0
 * tables.h - parameter and state tables as aligned columns on stdout, the same for models and systems. */
#ifndef BRI_CLI_TABLES_H
#define BRI_CLI_TABLES_H
#include "bristle/model.h"
#include "cli.h"

/* Rows of cells (row 0: the heading) with aligned columns, `front` before each; the last column is not
 * padded. */
enum { TABLES_CELL = 112 };
typedef void tables_cell(const void *data, size_t row, size_t column, char *buf);
void tables_print(const char *front, size_t rows, size_t columns, tables_cell *cell, const void *data);

/* The model of a name.  CLI_OK, or an exit code after a message. */
int tables_model(const cli_command *c, const char *name, const br_model **out);
void tables_print_parameters(const br_param *rows, size_t n);
void tables_print_states(const br_state *rows, size_t n);
/* The equations of a model or mechanism as its README.md has them, with Greek letters; nothing where there
 * are none. 0: no memory. */
int tables_print_equations(const char *name);

#endif
