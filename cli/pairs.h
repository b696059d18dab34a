/* SPDX-License-Identifier: Apache-2.0
 * pairs.h - short lists on the command line: NAME=NUMBER,... and NUMBER,NUMBER. */
#ifndef BRI_CLI_PAIRS_H
#define BRI_CLI_PAIRS_H
#include "cli.h"

typedef struct {
  char name[64];
  size_t index; /* among the allowed names */
  double value;
} pair;

/* Take the next NAME=NUMBER of *list.  names NULL: any name.  Returns 1 with *p filled, or 0 at the end; then
 * *code is CLI_OK or, after a message, the exit code. */
int pairs_next(const cli_command *c, const char *option, const char **list, const char *const *names,
               size_t n, pair *p, int *code);
/* Numbers separated by mark; returns how many there are, 0 when the text is something else or has more than
 * max. */
size_t pairs_numbers(const char *text, char mark, size_t max, double *out);

#endif
