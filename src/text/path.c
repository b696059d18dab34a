/* SPDX-License-Identifier: Apache-2.0
 * path.c - links followed, absolute names. */
#define _XOPEN_SOURCE 700 /* realpath, readlink */
#include "path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINKS = 40 };

int bri_path_folder(const char *path, char out[BRI_PATH])
{
  const char *slash = strrchr(path, '/');
  const size_t n = slash ? (size_t)(slash + 1 - path) : 0;
  if (n >= BRI_PATH) return ENAMETOOLONG;
  if (n) memcpy(out, path, n), out[n] = '\0';
  else memcpy(out, "./", 3);
  return 0;
}

/* /dev/fd/3 and what /dev/stdout links to are no files of their own: opened again they would start at 0. */
static int descriptor_of(const char *path)
{
  char own[64];
  (void)snprintf(own, sizeof own, "/proc/%ld/fd/", (long)getpid());
  const char *const folders[] = {"/dev/fd/", "/proc/self/fd/", own};
  for (size_t i = 0; i < 3; i++) {
    const size_t n = strlen(folders[i]);
    char *end = NULL;
    if (strncmp(path, folders[i], n) != 0 || path[n] < '0' || path[n] > '9') continue;
    const long fd = strtol(path + n, &end, 10);
    if (*end == '\0' && fd >= 0 && fd < 1 << 20) return (int)fd;
  }
  return -1;
}

/* out becomes what the link at out says. */
static int step(char out[BRI_PATH])
{
  char text[BRI_PATH], full[BRI_PATH];
  const ssize_t n = readlink(out, text, sizeof text - 1);
  if (n < 0) return errno;
  text[n] = '\0';
  if (text[0] == '/') {
    memcpy(out, text, (size_t)n + 1);
    return 0;
  }
  const int why = bri_path_folder(out, full);
  const size_t used = strlen(full);
  if (why || used + (size_t)n >= BRI_PATH) return ENAMETOOLONG;
  memcpy(full + used, text, (size_t)n + 1);
  memcpy(out, full, used + (size_t)n + 1);
  return 0;
}

int bri_path_follow(const char *path, bri_place_of *at)
{
  memset(at, 0, sizeof *at);
  at->descriptor = -1;
  if (strlen(path) >= BRI_PATH) return ENAMETOOLONG;
  memcpy(at->path, path, strlen(path) + 1);
  for (int k = 0; k < MOST_LINKS; k++) {
    at->descriptor = descriptor_of(at->path);
    if (at->descriptor >= 0) {
      at->exists = fstat(at->descriptor, &at->info) == 0;
      return at->exists ? 0 : errno;
    }
    if (lstat(at->path, &at->info) != 0) return errno == ENOENT ? 0 : errno;
    if (!S_ISLNK(at->info.st_mode)) {
      at->exists = 1;
      return 0;
    }
    const int why = step(at->path);
    if (why) return why;
  }
  return ELOOP;
}

/* rest[0..n) behind out, part by part: "." and empty parts fall away, ".." takes one back. */
static int append_rest(char out[BRI_PATH], const char *rest)
{
  size_t used = strlen(out);
  while (used > 1 && out[used - 1] == '/') out[--used] = '\0';
  while (*rest) {
    const size_t n = strcspn(rest, "/");
    if (n == 2 && memcmp(rest, "..", 2) == 0) {
      while (used > 0 && out[used - 1] != '/') used--;
      used -= used > 1;
    } else if (n > 0 && !(n == 1 && rest[0] == '.')) {
      if (used + n + 2 >= BRI_PATH) return ENAMETOOLONG;
      if (used == 0 || out[used - 1] != '/') out[used++] = '/';
      memcpy(out + used, rest, n);
      used += n;
    }
    out[used] = '\0';
    rest += n + (rest[n] == '/');
  }
  if (used == 0) memcpy(out, "/", 2);
  return 0;
}

int bri_path_real(const char *path, char out[BRI_PATH])
{
  bri_place_of at;
  int why = bri_path_follow(path, &at);
  if (why && why != ENOTDIR && why != EACCES) return why;
  /* the longest beginning that is there, then the rest as it is written */
  for (size_t cut = strlen(at.path);;) {
    char head[BRI_PATH];
    memcpy(head, at.path, cut);
    head[cut] = '\0';
    char *full = realpath(cut ? head : at.path[0] == '/' ? "/" : ".", NULL);
    if (full) {
      const size_t n = strlen(full);
      if (n < BRI_PATH) memcpy(out, full, n + 1);
      free(full);
      return n < BRI_PATH ? append_rest(out, at.path + cut) : ENAMETOOLONG;
    }
    if (cut == 0) return errno ? errno : EIO;
    while (cut > 0 && at.path[cut - 1] == '/') cut--;
    while (cut > 0 && at.path[cut - 1] != '/') cut--;
    while (cut > 1 && at.path[cut - 1] == '/') cut--;
    if (cut == 1 && at.path[0] == '/') cut = 0;
  }
}

int bri_path_is_stdout(const char *path)
{
  bri_place_of at;
  return strcmp(path, "-") == 0 || (bri_path_follow(path, &at) == 0 && at.descriptor == STDOUT_FILENO);
}

int bri_path_make(const char *path)
{
  char part[BRI_PATH];
  if (!path[0]) return ENOENT;
  if (strlen(path) >= sizeof part) return ENAMETOOLONG;
  memcpy(part, path, strlen(path) + 1);
  for (char *p = part + 1;; p++) {
    const char keep = *p;
    if (keep != '/' && keep != '\0') continue;
    *p = '\0';
    if (mkdir(part, 0777) != 0 && errno != EEXIST) return errno;
    if (keep == '\0') return 0;
    *p = keep;
  }
}
