/* SPDX-License-Identifier: Apache-2.0
 * sources.c - sources for an FMU: every include is written relative to its own file, so that an importer
 * compiles them without options. */
#include <stdio.h>
#include <string.h>

#include "fmu.h"

static const bri_fmu_file *find(const char *path, size_t n)
{
  for (const bri_fmu_file *f = bri_fmu_files; f->path; f++)
    if (strlen(f->path) == n && memcmp(f->path, path, n) == 0) return f;
  return NULL;
}

/* "src/fmu/../text/buf.h" -> "src/text/buf.h". */
static void tidy(char *path)
{
  char *up;
  while ((up = strstr(path, "/../")) != NULL) {
    char *from = up;
    while (from > path && from[-1] != '/') from--;
    memmove(from, up + 4, strlen(up + 4) + 1);
  }
}

/* The file that "name" means in a file of folder `dir` (with its slash): beside it, or in one of the folders
 * that the library's own build searches. */
static const bri_fmu_file *included(const char *dir, size_t ndir, const char *name, size_t n)
{
  static const char *const FOLDERS[] = {"", "include/", "src/"};
  char path[512];
  (void)snprintf(path, sizeof path, "%.*s%.*s", (int)ndir, dir, (int)n, name);
  tidy(path);
  const bri_fmu_file *f = find(path, strlen(path));
  for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS && !f; i++) {
    (void)snprintf(path, sizeof path, "%s%.*s", FOLDERS[i], (int)n, name);
    f = find(path, strlen(path));
  }
  return f;
}

/* The way from folder `dir` to `path`. */
static void put_way(const char *dir, size_t ndir, const char *path, bri_buf *out)
{
  size_t same = 0;
  for (size_t i = 0; i < ndir && path[i] == dir[i]; i++)
    if (dir[i] == '/') same = i + 1;
  for (size_t i = same; i < ndir; i++)
    if (dir[i] == '/') bri_buf_text(out, "../");
  bri_buf_text(out, path + same);
}

void bri_fmu_source(const bri_fmu_file *file, bri_buf *out)
{
  static const char KEY[] = "#include \"";
  const char *slash = strrchr(file->path, '/');
  const size_t ndir = slash ? (size_t)(slash - file->path) + 1 : 0;
  for (const char *at = file->text; at < file->end;) {
    const char *end = memchr(at, '\n', (size_t)(file->end - at));
    const size_t n = (size_t)((end ? end + 1 : file->end) - at);
    const char *name = at + strlen(KEY), *quote = NULL;
    if (n > strlen(KEY) && memcmp(at, KEY, strlen(KEY)) == 0) quote = memchr(name, '"', n - strlen(KEY));
    const bri_fmu_file *there = quote ? included(file->path, ndir, name, (size_t)(quote - name)) : NULL;
    if (there) {
      bri_buf_text(out, KEY);
      put_way(file->path, ndir, there->path, out);
      bri_buf_add(out, quote, n - (size_t)(quote - at));
    } else {
      bri_buf_add(out, at, n);
    }
    at += n;
  }
}
