/* SPDX-License-Identifier: Apache-2.0
 * bufio.c - whole files in and out of a growing text. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "buf.h"
#include "file.h"

br_status bri_buf_save(const bri_buf *b, const char *path, br_err *err)
{
  bri_file *f = NULL;
  if (b->failed) return bri_no_memory(err, path);
  const br_status st = bri_file_open(path, BRI_FILE_STREAM, &f, err);
  if (st) return st;
  bri_file_put(f, b->text, b->used);
  return bri_file_commit(f, err);
}

br_status bri_buf_load(bri_buf *b, const char *path, size_t most, br_err *err)
{
  char piece[4096];
  errno = 0;
  FILE *f = fopen(path, "rb");
  if (!f) return bri_fail(err, BR_E_IO, "cannot read '%s': %s", path, strerror(errno));
  size_t n = 0;
  while (!b->failed && b->used <= most && (n = fread(piece, 1, sizeof piece, f)) > 0)
    bri_buf_add(b, piece, n);
  const int bad = ferror(f), why = errno ? errno : EIO;
  (void)fclose(f);
  if (bad) return bri_fail(err, BR_E_IO, "cannot read '%s': %s", path, strerror(why));
  if (b->used > most) return bri_fail(err, BR_E_SIZE, "'%s' is larger than %zu bytes", path, most);
  if (!b->failed) bri_buf_add(b, "", 0); /* an empty file is an empty text, not NULL */
  return b->failed ? bri_no_memory(err, path) : BR_OK;
}
