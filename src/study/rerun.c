/* SPDX-License-Identifier: Apache-2.0
 * rerun.c - study.yaml of the results: the study as it was run, good to be run again from where it lies.
 * Files that inputs, options and plots name are seen from the file that names them, so their paths change
 * with the place. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study.h"
#include "analysis/job.h"
#include "signal/spec_file.h"

/* The way from folder `from` to folder `to`, both absolute: "../../data/", or "" when they are the same. */
static void way(const char *from, const char *to, char out[BRI_STUDY_PATH])
{
  size_t same = 0, used = 0; /* same: length of the common folders, with the slash behind them */
  for (size_t i = 0;; i++) {
    const int end_from = from[i] == '/' || !from[i], end_to = to[i] == '/' || !to[i];
    if (end_from && end_to) same = i + (from[i] == '/' && to[i] == '/');
    if (from[i] != to[i] || !from[i]) break;
  }
  out[0] = '\0';
  for (const char *p = from + same + (from[same] == '/'); *p && used + 4 < BRI_STUDY_PATH;) {
    used += (size_t)snprintf(out + used, BRI_STUDY_PATH - used, "../");
    p += strcspn(p, "/");
    p += *p == '/';
  }
  const char *rest = to + same + (to[same] == '/');
  if (*rest && used + strlen(rest) + 2 < BRI_STUDY_PATH)
    (void)snprintf(out + used, BRI_STUDY_PATH - used, "%s/", rest);
}

/* Folder of a file as an absolute path; 0 when there is none. */
static int folder_of(const char *file, char out[BRI_STUDY_PATH])
{
  const char *slash = strrchr(file, '/');
  char dir[BRI_STUDY_PATH];
  (void)snprintf(dir, sizeof dir, "%.*s", slash ? (int)(slash - file) + 1 : 1, slash ? file : ".");
  char *full = realpath(dir, NULL);
  const int fits = full && strlen(full) < BRI_STUDY_PATH;
  if (fits) (void)snprintf(out, BRI_STUDY_PATH, "%s", full);
  free(full); /* from realpath, not from the hooks of base/alloc.h */
  return fits;
}

/* The path text[k ..], named in the file of n, as seen from `here`: the whole text with it.  The text itself
 * where the path starts at the root or its folder is not there.  NULL: out of memory. */
static const char *moved_path(br_study *s, const bri_node *n, size_t k, const char *here)
{
  char there[BRI_STUDY_PATH], path[BRI_STUDY_PATH];
  if (n->text[k] == '/') return n->text;
  /* columns behind a colon have no slash: what is before the last one is the folder */
  const char *steps = n->text + k + strcspn(n->text + k, "|");
  const char *full = bri_study_beside(s->arena, n->at.file, n->text + k, (size_t)(steps - n->text) - k);
  if (!full) return NULL;
  if (!folder_of(full, there)) return n->text;
  way(here, there, path);
  const char *slash = strrchr(full, '/');
  bri_buf b = {0};
  bri_buf_add(&b, n->text, k);
  bri_buf_printf(&b, "%s%s%s", path, slash ? slash + 1 : full, steps);
  const char *out = b.failed ? NULL : bri_arena_text(s->arena, b.text, b.used);
  bri_buf_free(&b);
  return out;
}

/* A node that may name a file: the signal of an input or of an option, or, file 1, a path. */
static int move_node(br_study *s, bri_node *n, int file, const char *here)
{
  size_t k = 0, length = 0;
  if (n->kind != BRI_SCALAR || (!file && !bri_signal_file(n->text, &k, &length))) return 1;
  n->text = moved_path(s, n, k, here);
  return n->text != NULL;
}

/* Every scalar below n; file: those under the key 'file' are paths ('plots'), else all may be signals. */
static int move_below(br_study *s, bri_node *n, int file, const char *here)
{
  if (n->kind == BRI_SCALAR) {
    const int path = file && n->key && strcmp(n->key, "file") == 0;
    return file && !path ? 1 : move_node(s, n, path, here);
  }
  for (bri_node *e = n->first; e; e = e->next)
    if (!move_below(s, e, file, here)) return 0;
  return 1;
}

/* All files of a study, and of its runs: signals in 'input' and in the options of analyses, files of plots.
 * */
static int move_files(br_study *s, bri_node *map, const char *here)
{
  bri_node *in = bri_node_find(map, "input"), *runs = bri_node_find(map, "runs"),
           *plots = bri_node_find(map, "plots");
  int good = (!in || move_below(s, in, 0, here)) && (!plots || move_below(s, plots, 1, here));
  for (size_t i = 0; br_catalogue(i) && good; i++) {
    bri_node *options = bri_node_find(map, br_catalogue(i)->name);
    good = !options || move_below(s, options, 0, here);
    size_t length = 0;
    for (bri_node *e = options && options->kind == BRI_MAP ? options->first : NULL; e && good; e = e->next)
      if (e->kind == BRI_SCALAR && bri_option_file(br_catalogue(i), e->key, e->text, &length))
        good = move_node(s, e, 1, here);
  }
  for (bri_node *e = runs && runs->kind == BRI_MAP ? runs->first : NULL; e && good; e = e->next)
    good = e->kind != BRI_MAP || move_files(s, e, here);
  return good;
}

br_status bri_study_save_as_run(br_study *s, br_err *err)
{
  bri_buf text = {0};
  char path[BRI_STUDY_PATH], here[BRI_STUDY_PATH];
  bri_study_path(s, "study.yaml", path);
  bri_node *root = bri_node_merge(s->arena, NULL, s->root); /* a copy: its scalars change */
  if (!root || (folder_of(path, here) && !move_files(s, root, here))) return bri_study_no_memory(s, err);
  bri_buf_text(&text, "# The study as it was run: 'extends' and overrides applied, files seen from here.\n");
  bri_node_print(&text, root, 0);
  const br_status st = text.failed ? bri_study_no_memory(s, err) : bri_buf_save(&text, path, err);
  bri_buf_free(&text);
  return st;
}
