/* SPDX-License-Identifier: Apache-2.0
 * fuzz_record.c - fuzz target for records.  The first line is the name with its steps, the rest the file.
 * Checked besides memory safety: what comes out is finite, its time increases, and a failing load gives a
 * message and no record. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(int condition, const char *what)
{
  if (condition) return;
  fprintf(stderr, "violated: %s\n", what);
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const br_role ROLES[] = {BR_ROLE_TIME, BR_ROLE_POSITION, BR_ROLE_VELOCITY, BR_ROLE_FORCE,
                                  BR_ROLE_LOAD};
  enum { N = sizeof ROLES / sizeof ROLES[0] };
  br_channel ch[N];
  const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
  const size_t n = end ? (size_t)(end - data) : 0;
  char name[256];
  if (!end || n >= sizeof name || memchr(data, 0, n)) return 0;
  memcpy(name, data, n);
  name[n] = '\0';
  if (strstr(name, "resample")) { /* many rows are allowed: here they only cost time */
    const char *colon = strrchr(name, ':');
    if (!colon || !(strtod(colon + 1, NULL) >= 0.01)) return 0;
  }
  for (size_t k = 0; k < N; k++) ch[k] = br_channel_of(ROLES[k]), ch[k].optional = k != 1;
  br_record *r = NULL;
  br_err err = {BR_OK, -1, ""};
  const br_status st =
      br_record_load_memory((const char *)end + 1, size - n - 1, name, ch, N, NULL, &r, &err);
  if (st) {
    insist(r == NULL && err.code == st && err.msg[0], "failed load leaves a message and no record");
    return 0;
  }
  for (size_t k = 0; k < N; k++)
    for (size_t i = 0; br_record_data(r, k) && i < br_record_rows(r); i++)
      insist(isfinite(br_record_data(r, k)[i]), "all cells are numbers");
  for (size_t i = 1; i < br_record_rows(r); i++)
    insist(br_record_data(r, 0)[i] > br_record_data(r, 0)[i - 1], "time increases");
  br_record_destroy(r);
  return 0;
}
