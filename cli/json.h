/* SPDX-License-Identifier: Apache-2.0
 * json.h - write one JSON object: built in memory and printed at once, so that an error leaves no half of it.
 * Numbers are the shortest text that reads back exactly; NaN and infinities become null. */
#ifndef BRI_CLI_JSON_H
#define BRI_CLI_JSON_H
#include <stddef.h>

enum { JSON_DEPTH = 16 };

typedef struct {
  char *text;
  size_t used, room;
  int depth, failed; /* failed: out of memory or misuse */
  struct {
    char close;
    int items;
  } level[JSON_DEPTH];
} json;

void json_init(json *j);
/* key is NULL inside an array and at the top. */
void json_object(json *j, const char *key);
void json_array(json *j, const char *key);
void json_end(json *j);
void json_number(json *j, const char *key, double x);
void json_text(json *j, const char *key, const char *text); /* NULL: null */
void json_text_n(json *j, const char *key, const char *text, size_t n);
void json_bool(json *j, const char *key, int x);
void json_null(json *j, const char *key);
void json_numbers(json *j, const char *key, const double *x, size_t n);
/* Print to stdout and free.  Returns 0, with a message on stderr, when memory or output failed. */
int json_print(json *j);
void json_free(json *j);

#endif
