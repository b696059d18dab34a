/* SPDX-License-Identifier: Apache-2.0
 * bufio.c - whole files in and out of a growing text. */
#define _POSIX_C_SOURCE 200809L /* fsync, fileno */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../table/alloc.h"
#include "buf.h"

br_status bri_buf_save(const bri_buf *b, const char *path, br_err *err)
{
  if (b->failed) return bri_text_fail(err, BR_E_NOMEM, -1, "%s: out of memory", path);
  const size_t room = strlen(path) + 8;
  char *part = bri_malloc(room);
  if (!part) return bri_text_fail(err, BR_E_NOMEM, -1, "%s: out of memory", path);
  (void)snprintf(part, room, "%s.part", path);
  errno = 0;
  FILE *f = fopen(part, "wb");
  int good = f != NULL;
  if (f) {
    good = (b->used == 0 || fwrite(b->text, 1, b->used, f) == b->used) && fflush(f) == 0 &&
           fsync(fileno(f)) == 0;
    good = fclose(f) == 0 && good;
  }
  if (good) good = rename(part, path) == 0;
  const int why = errno ? errno : EIO;
  if (!good && f) (void)remove(part);
  bri_free(part);
  return good ? BR_OK : bri_text_fail(err, BR_E_IO, -1, "cannot write '%s': %s", path, strerror(why));
}

br_status bri_buf_load(bri_buf *b, const char *path, size_t most, br_err *err)
{
  char piece[4096];
  errno = 0;
  FILE *f = fopen(path, "rb");
  if (!f) return bri_text_fail(err, BR_E_IO, -1, "cannot read '%s': %s", path, strerror(errno));
  size_t n = 0;
  while (!b->failed && b->used <= most && (n = fread(piece, 1, sizeof piece, f)) > 0)
    bri_buf_add(b, piece, n);
  const int bad = ferror(f), why = errno ? errno : EIO;
  (void)fclose(f);
  if (bad) return bri_text_fail(err, BR_E_IO, -1, "cannot read '%s': %s", path, strerror(why));
  if (b->used > most) return bri_text_fail(err, BR_E_SIZE, -1, "'%s' is larger than %zu bytes", path, most);
  if (!b->failed) bri_buf_add(b, "", 0); /* an empty file is an empty text, not NULL */
  return b->failed ? bri_text_fail(err, BR_E_NOMEM, -1, "%s: out of memory", path) : BR_OK;
}
