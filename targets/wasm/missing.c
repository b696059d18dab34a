/* SPDX-License-Identifier: Apache-2.0
 * missing.c - the files of a page are its own: no links, no other users, no other processes. */
#include <stdlib.h>
#include <string.h>

char *realpath(const char *path, char *out)
{
  if (out) return strcpy(out, path);
  return strdup(path);
}

unsigned geteuid(void) { return 0; }

int flock(int fd, int how)
{
  (void)fd, (void)how;
  return 0;
}
