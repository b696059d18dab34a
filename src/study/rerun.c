/* SPDX-License-Identifier: Apache-2.0
 * rerun.c - study.yaml of the results: the study as it was run, good to be run again from where it lies.
 * Files that inputs name are seen from the file that names them, so their paths change with the place. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study.h"

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
  free(full); /* from realpath, not from the hooks of table/alloc.h */
  return fits;
}

/* The text of an input with its file seen from `here`; the text itself where there is no file, or where the
 * file is named from the root. */
static const char *moved(br_study *s, const bri_node *n, const char *here)
{
  static const char *const FILES[] = {"csv:", "multisine:"};
  char there[BRI_STUDY_PATH], path[BRI_STUDY_PATH];
  for (size_t i = 0; i < 2 && n->kind == BRI_SCALAR; i++) {
    const size_t k = strlen(FILES[i]);
    if (strncmp(n->text, FILES[i], k) != 0 || n->text[k] == '/') continue;
    /* columns behind a colon have no slash: what is before the last one is the folder */
    const char *full = bri_study_beside(s->arena, n->at.file, n->text + k, strlen(n->text + k));
    if (!full) return NULL;
    if (!folder_of(full, there)) continue;
    way(here, there, path);
    const char *slash = strrchr(full, '/');
    bri_buf b = {0};
    bri_buf_printf(&b, "%s%s%s", FILES[i], path, slash ? slash + 1 : full);
    const char *out = b.failed ? NULL : bri_arena_text(s->arena, b.text, b.used);
    bri_buf_free(&b);
    return out;
  }
  return n->text;
}

/* All inputs of a map: `input`, its entries, and those of `runs`. */
static int move_inputs(br_study *s, bri_node *map, const char *here)
{
  bri_node *in = bri_node_find(map, "input"), *runs = bri_node_find(map, "runs");
  if (in && in->kind == BRI_SCALAR) in->text = moved(s, in, here);
  for (bri_node *e = in && in->kind == BRI_MAP ? in->first : NULL; e; e = e->next) {
    if (e->kind == BRI_SCALAR) e->text = moved(s, e, here);
    if (e->kind == BRI_SCALAR && !e->text) return 0;
  }
  if (in && in->kind == BRI_SCALAR && !in->text) return 0;
  for (bri_node *e = runs && runs->kind == BRI_MAP ? runs->first : NULL; e; e = e->next) {
    if (e->kind == BRI_MAP && !move_inputs(s, e, here)) return 0;
  }
  return 1;
}

/* A copy whose scalars may be changed. */
static bri_node *copy_of(br_study *s, const bri_node *n)
{
  bri_node *out = bri_arena_get(s->arena, sizeof *out);
  if (!out) return NULL;
  *out = *n;
  out->first = out->last = out->next = NULL;
  for (const bri_node *e = n->first; e; e = e->next) {
    bri_node *k = copy_of(s, e);
    if (!k) return NULL;
    bri_node_append(out, k);
  }
  return out;
}

br_status bri_study_save_as_run(br_study *s, br_err *err)
{
  bri_buf text = {0};
  char path[BRI_STUDY_PATH], here[BRI_STUDY_PATH];
  bri_study_path(s, "study.yaml", path);
  bri_node *root = copy_of(s, s->root);
  if (!root || (folder_of(path, here) && !move_inputs(s, root, here)))
    return bri_text_fail(err, BR_E_NOMEM, -1, "%s: out of memory", s->name);
  bri_buf_text(&text, "# The study as it was run: 'extends' and overrides applied, files seen from here.\n");
  bri_node_print(&text, root, 0);
  const br_status st = text.failed ? bri_text_fail(err, BR_E_NOMEM, -1, "%s: out of memory", s->name)
                                   : bri_buf_save(&text, path, err);
  bri_buf_free(&text);
  return st;
}
