/* SPDX-License-Identifier: Apache-2.0
 * line.h - lines and cells of a table being read. */
#ifndef BRI_TABLE_LINE_H
#define BRI_TABLE_LINE_H
#include "bristle/text.h"
#include "reader.h"

/* Next line that is neither blank nor a comment. */
BR_CHECKED br_status bri_table_row_line(br_table_reader *r, const char **line, size_t *n, int *found,
                                        br_err *err);

/* 1 when the whole cell is one number (nan and inf are numbers here). */
int bri_table_number(const bri_cell *cell, char decimal, double *x);

/* The separator this line suggests. */
char bri_table_separator(const char *line, size_t n, char decimal);

#endif
