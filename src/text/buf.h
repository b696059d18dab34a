/* SPDX-License-Identifier: Apache-2.0
 * buf.h - text that grows.  A failed request makes the buffer failed for good; look once, at the end. */
#ifndef BRI_TEXT_BUF_H
#define BRI_TEXT_BUF_H
#include <stddef.h>

#include "fail.h"

typedef struct {
  char *text; /* always terminated once something was added; NULL before */
  size_t used, room;
  int failed; /* out of memory */
} bri_buf;

/* A zeroed bri_buf is empty. */
void bri_buf_free(bri_buf *b);
void bri_buf_add(bri_buf *b, const char *s, size_t n);
void bri_buf_text(bri_buf *b, const char *s); /* NULL: nothing */
void bri_buf_printf(bri_buf *b, const char *fmt, ...) BRI_PRINTF(2, 3);
/* Shortest decimal text that reads back; not finite: `other`. */
void bri_buf_number(bri_buf *b, double x, const char *other);
/* "text" as JSON, which is also a YAML scalar; bytes that are no UTF-8 become U+FFFD. */
void bri_buf_json(bri_buf *b, const char *s);

/* Write to path: beside it first, renamed when complete and on disk. */
BR_CHECKED br_status bri_buf_save(const bri_buf *b, const char *path, br_err *err);
/* Read a whole file of at most `most` bytes.  BR_E_IO, BR_E_SIZE, BR_E_NOMEM. */
BR_CHECKED br_status bri_buf_load(bri_buf *b, const char *path, size_t most, br_err *err);

#endif
