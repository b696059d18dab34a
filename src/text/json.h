/* SPDX-License-Identifier: Apache-2.0
 * json.h - write one JSON object: built in memory, so that an error leaves no half of it.
 * Numbers are the shortest text that reads back exactly; NaN and infinities become null. */
#ifndef BRI_TEXT_JSON_H
#define BRI_TEXT_JSON_H
#include "buf.h"

enum { BRI_JSON_DEPTH = 16 };

typedef struct {
  bri_buf out;
  int depth, failed; /* failed: misuse; out of memory: out.failed */
  struct {
    char close;
    int items;
  } level[BRI_JSON_DEPTH];
} bri_json;

void bri_json_init(bri_json *j);
/* key is NULL inside an array and at the top. */
void bri_json_object(bri_json *j, const char *key);
void bri_json_array(bri_json *j, const char *key);
void bri_json_end(bri_json *j);
void bri_json_number(bri_json *j, const char *key, double x);
void bri_json_text(bri_json *j, const char *key, const char *text); /* NULL: null */
void bri_json_text_n(bri_json *j, const char *key, const char *text, size_t n);
void bri_json_bool(bri_json *j, const char *key, int x);
void bri_json_null(bri_json *j, const char *key);
void bri_json_numbers(bri_json *j, const char *key, const double *x, size_t n);
/* The same from every stride-th number. */
void bri_json_strided(bri_json *j, const char *key, const double *x, size_t n, size_t stride);
/* The text of the whole, with a line end; NULL: out of memory, or not everything was ended. */
const char *bri_json_finish(bri_json *j, size_t *length);
void bri_json_free(bri_json *j);

#endif
