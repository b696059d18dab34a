/* SPDX-License-Identifier: Apache-2.0
 * request.h - what a request asks for. */
#ifndef BRI_LAB_REQUEST_H
#define BRI_LAB_REQUEST_H
#include <stddef.h>

enum { BRI_LAB_NAME = 128 };

typedef struct {
  int code;                /* 200, or why it is refused: 400, 403, 404, 405 */
  int head;                /* 1: HEAD */
  char name[BRI_LAB_NAME]; /* a file of the folder, no path */
  const char *type;        /* its MIME type */
} bri_lab_request;

/* The head of a request, n bytes up to the empty line. */
bri_lab_request bri_lab_read(const char *text, size_t n);

#endif
