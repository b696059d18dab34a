/* SPDX-License-Identifier: Apache-2.0
 * json.c - one JSON object to standard output, whole or not at all. */
#include "json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int json_print_text(const char *text, size_t n)
{
  if (!text) {
    (void)fprintf(stderr, "bristle: out of memory\n");
    return 0;
  }
  errno = 0;
  const int good = fwrite(text, 1, n, stdout) == n && fflush(stdout) == 0;
  if (!good)
    (void)fprintf(stderr, "bristle: cannot write standard output: %s\n", strerror(errno ? errno : EIO));
  return good;
}

int json_print(bri_json *j)
{
  size_t n = 0;
  const char *text = bri_json_finish(j, &n);
  const int good = json_print_text(text, n);
  bri_json_free(j);
  return good;
}

int json_catalogue(const cli_command *c, br_catalogue_part part, const char *only)
{
  char *text = NULL;
  size_t n = 0;
  br_err err;
  if (br_catalogue_json(part, only, &text, &n, &err)) return cli_failed(c, &err);
  const int good = json_print_text(text, n);
  br_catalogue_free(text);
  return good ? CLI_OK : CLI_FAILED;
}
