/* SPDX-License-Identifier: Apache-2.0
 * manifest.c - manifest.json: what made the folder, and a checksum of each of its files.
 * No dates or durations: the same study gives the same manifest. */
#define _POSIX_C_SOURCE 200809L /* stat */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bri_config.h"
#include "bristle/version.h"
#include "claims.h"
#include "study.h"
#include "base/alloc.h"

static int by_name(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int is_file(const char *path)
{
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* What the study may write under a known name and has written; the reports name the manifest, not it them. */
static size_t claimed(const br_study *s, const bri_claims *files, const char **names)
{
  static const char *const SKIP[] = {"manifest.json", "report.html", "report.md"};
  size_t n = 0;
  for (size_t i = 0; i < files->n; i++) {
    const char *path = bri_claims_output(files, i), *name = path ? path + strlen(s->folder) + 1 : "";
    const char *dot = strrchr(name, '.');
    int skip = !path || !dot || strcmp(dot, ".csv") == 0;
    for (size_t k = 0; k < 3; k++) skip = skip || strcmp(name, SKIP[k]) == 0;
    if (!skip && is_file(path)) names[n++] = name;
  }
  return n;
}

/* Names of the results, sorted; what else lies in the folder is not ours. */
static const char **list_files(const br_study *s, const bri_claims *files, size_t *n)
{
  size_t room = files->n + 1;
  for (size_t i = 0; i < s->nruns; i++) room += s->runs[i].res.ntables;
  const char **names = bri_calloc(room, sizeof *names);
  if (!names || files->failed) return names;
  *n = claimed(s, files, names);
  for (size_t i = 0; i < s->nruns; i++)
    for (size_t k = 0; k < s->runs[i].res.ntables; k++) names[(*n)++] = s->runs[i].res.tables[k].file;
  qsort((void *)names, *n, sizeof *names, by_name);
  return names;
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

static br_status print_files(bri_buf *b, const br_study *s, const br_study_options *opt, br_err *err)
{
  size_t n = 0;
  bri_claims files = {0};
  bri_study_claim(s, s->folder, opt, &files);
  const char **names = list_files(s, &files, &n);
  br_status st = names && !files.failed ? BR_OK : bri_study_no_memory(s, err);
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
  bri_claims_free(&files);
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
  size_t failed = 0, aside = 0;
  for (size_t i = 0; i < s->nverdicts; i++) failed += !s->verdicts[i].pass;
  for (size_t i = 0; i < s->nverdicts; i++) aside += (size_t)s->verdicts[i].overridden;
  bri_buf_printf(&b, "],\n  \"checks\": %zu,\n  \"checks_failed\": %zu,\n  \"checks_overridden\": %zu,\n",
                 s->nverdicts, failed, aside);
  br_status st = print_files(&b, s, opt, err);
  bri_study_path(s, "manifest.json", path);
  if (!st) st = bri_buf_save(&b, path, err);
  bri_buf_free(&b);
  bri_buf_free(&study);
  return st;
}
