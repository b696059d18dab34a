/* SPDX-License-Identifier: Apache-2.0
 * manifest.c - manifest.json: what made the folder, and a checksum of each of its files.
 * No dates or durations: the same study gives the same manifest. */
#define _POSIX_C_SOURCE 200809L /* opendir, stat */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bri_config.h"
#include "bristle/version.h"
#include "study.h"
#include "table/alloc.h"

enum { MOST_FILES = 4096 };

static int by_name(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of the files in the folder, sorted, without the manifest and the reports (which name it). */
static size_t list_files(const br_study *s, const char **names)
{
  static const char *const SKIP[] = {"manifest.json", "report.html", "report.md"};
  size_t n = 0;
  DIR *d = opendir(s->folder);
  for (const struct dirent *e = d ? readdir(d) : NULL; e && n < MOST_FILES; e = readdir(d)) {
    struct stat info;
    char path[BRI_STUDY_PATH];
    int skip = e->d_name[0] == '.' || strlen(e->d_name) > 250;
    for (size_t k = 0; k < 3; k++) skip = skip || strcmp(e->d_name, SKIP[k]) == 0;
    if (skip) continue;
    bri_study_path(s, e->d_name, path);
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) continue;
    names[n] = bri_arena_text(s->arena, e->d_name, strlen(e->d_name));
    if (!names[n]) break;
    n++;
  }
  if (d) (void)closedir(d);
  qsort((void *)names, n, sizeof *names, by_name);
  return n;
}

static void print_parts(bri_buf *b)
{
#define PART(name, in, detail, purpose) \
  bri_buf_printf(b, "%s\"%s\": %s", first ? "" : ", ", #name, (in) ? "true" : "false"), first = 0;
  int first = 1;
  bri_buf_text(b, "  \"parts\": {");
  BR_PARTS_LIST(PART)
  bri_buf_text(b, "},\n");
#undef PART
}

static br_status print_files(bri_buf *b, const br_study *s, br_err *err)
{
  const char **names = bri_calloc(MOST_FILES, sizeof *names);
  br_status st = names ? BR_OK : bri_text_fail(err, BR_E_NOMEM, -1, "%s: out of memory", s->name);
  const size_t n = st ? 0 : list_files(s, names);
  bri_buf_text(b, "  \"files\": [\n");
  for (size_t i = 0; i < n && !st; i++) {
    char path[BRI_STUDY_PATH], sha[BRI_SHA_TEXT];
    struct stat info;
    bri_study_path(s, names[i], path);
    st = bri_sha256_file(path, sha, err);
    if (st || stat(path, &info) != 0) break;
    bri_buf_text(b, "    {\"name\": ");
    bri_buf_json(b, names[i]);
    bri_buf_printf(b, ", \"bytes\": %lld, \"sha256\": \"%s\"}%s\n", (long long)info.st_size, sha,
                   i + 1 < n ? "," : "");
  }
  bri_buf_text(b, "  ]\n}\n");
  bri_free((void *)names);
  return st;
}

br_status bri_manifest_save(const br_study *s, const br_study_options *opt, br_err *err)
{
  bri_buf b = {0}, study = {0};
  char path[BRI_STUDY_PATH];
  bri_node_print(&study, s->root, 0);
  bri_buf_printf(&b, "{\n  \"bristle\": \"%s\",\n  \"compiler\": \"%s\",\n", br_version(), BR_BUILD_COMPILER);
  print_parts(&b);
  bri_buf_text(&b, "  \"study\": ");
  bri_buf_json(&b, s->name);
  bri_buf_text(&b, ",\n  \"title\": ");
  bri_buf_json(&b, s->title);
  bri_buf_printf(&b, ",\n  \"options\": {\"plots\": %d, \"png\": %d, \"hdf5\": %d},\n", opt->plots, opt->png,
                 opt->hdf5);
  bri_buf_text(&b, "  \"study_as_run\": ");
  if (study.failed) b.failed = 1;
  else bri_buf_json(&b, study.text);
  bri_buf_text(&b, ",\n  \"runs\": [");
  for (size_t i = 0; i < s->nruns; i++) {
    bri_buf_text(&b, i ? ", " : "");
    bri_buf_json(&b, s->runs[i].name);
  }
  size_t failed = 0;
  for (size_t i = 0; i < s->nverdicts; i++) failed += !s->verdicts[i].pass;
  bri_buf_printf(&b, "],\n  \"checks\": %zu,\n  \"checks_failed\": %zu,\n", s->nverdicts, failed);
  br_status st = print_files(&b, s, err);
  bri_study_path(s, "manifest.json", path);
  if (!st) st = bri_buf_save(&b, path, err);
  bri_buf_free(&b);
  bri_buf_free(&study);
  return st;
}
