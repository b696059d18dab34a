/* SPDX-License-Identifier: Apache-2.0
 * json.h - texts to standard output, whole or not at all. */
#ifndef BRI_CLI_JSON_H
#define BRI_CLI_JSON_H
#include "bristle/catalogue.h"
#include "cli.h"
#include "text/json.h"

/* Print to stdout and free.  Returns 0, with a message on stderr, when memory or output failed. */
int json_print(bri_json *j);
/* The same for a text that is complete; NULL: out of memory. */
int json_print_text(const char *text, size_t n);
/* One document of the catalogue to stdout; returns the exit code. */
int json_catalogue(const cli_command *c, br_catalogue_part part, const char *only);

#endif
