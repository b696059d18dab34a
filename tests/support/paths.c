/* SPDX-License-Identifier: Apache-2.0 */
#include "support/paths.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef BR_SOURCE_DIR
#define BR_SOURCE_DIR "."
#endif

const char *support_reference(const char *name, char *buf, size_t size)
{
  (void)snprintf(buf, size, "%s/tests/reference/%s", BR_SOURCE_DIR, name);
  return buf;
}

const char *support_shared(const char *rel, char *buf, size_t size)
{
  const char *base = getenv("BR_SHARED");
  if (base && base[0]) snprintf(buf, size, "%s/%s", base, rel);
  else snprintf(buf, size, "%s/../shared/%s", BR_SOURCE_DIR, rel);
  FILE *f = fopen(buf, "rb");
  if (!f) {
    printf("skip: %s is not there (set BR_SHARED to the folder with data/)\n", buf);
    return NULL;
  }
  fclose(f);
  return buf;
}

size_t support_entries(const char *folder)
{
  size_t n = 0;
  DIR *d = opendir(folder);
  if (!d) {
    perror(folder);
    abort();
  }
  while (readdir(d)) n++;
  (void)closedir(d);
  return n - 2; /* "." and ".." */
}
