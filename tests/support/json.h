/* SPDX-License-Identifier: Apache-2.0
 * json.h - a small JSON reader for tests: whole file into a tree, no writing, no streaming.
 * Escapes are decoded to UTF-8; numbers by strtod; depth is limited to 64.  Every node lives until
 * json_free. */
#ifndef SUPPORT_JSON_H
#define SUPPORT_JSON_H
#include <stddef.h>

typedef enum {
  JSON_NULL,
  JSON_FALSE,
  JSON_TRUE,
  JSON_NUMBER,
  JSON_STRING,
  JSON_ARRAY,
  JSON_OBJECT
} json_type;

typedef struct json {
  json_type type;
  double number;      /* JSON_NUMBER */
  char *string;       /* JSON_STRING */
  char *key;          /* name of a member of an object, NULL otherwise */
  struct json *child; /* first element or member */
  struct json *next;  /* next sibling */
  size_t count;       /* elements or members */
} json;

/* Parse text (zero-terminated) or a file.  NULL on error; then *where, if not NULL, is the offset in the text
 * (-1: the file could not be read or memory ran out). */
json *json_parse(const char *text, long *where);
json *json_load(const char *path, long *where);
void json_free(json *root);

const json *json_get(const json *object, const char *key); /* NULL when absent or no object */
const json *json_at(const json *array, size_t i);          /* NULL when out of range */
double json_number(const json *v);                         /* NaN unless a number */
/* Numbers of an array (or one number) into out; returns how many there are, at most max are stored. */
size_t json_numbers(const json *v, double *out, size_t max);

#endif
