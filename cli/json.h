/* SPDX-License-Identifier: Apache-2.0
 * json.h - the JSON writer (text/json.h) by its short names, and its way to standard output. */
#ifndef BRI_CLI_JSON_H
#define BRI_CLI_JSON_H
#include "bristle/catalogue.h"
#include "cli.h"
#include "text/json.h"

typedef bri_json json;
#define json_init bri_json_init
#define json_object bri_json_object
#define json_array bri_json_array
#define json_end bri_json_end
#define json_number bri_json_number
#define json_text bri_json_text
#define json_text_n bri_json_text_n
#define json_bool bri_json_bool
#define json_null bri_json_null
#define json_numbers bri_json_numbers
#define json_free bri_json_free

/* Print to stdout and free.  Returns 0, with a message on stderr, when memory or output failed. */
int json_print(json *j);
/* The same for a text that is complete; NULL: out of memory. */
int json_print_text(const char *text, size_t n);
/* One document of the catalogue to stdout; returns the exit code. */
int json_catalogue(const cli_command *c, br_catalogue_part part, const char *only);

#endif
