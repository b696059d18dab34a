/* SPDX-License-Identifier: Apache-2.0
 * documents.c - title, words and documents of a folder of studies, from _report.yaml. */
#include "documents.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_BYTES = 1 << 16 };

/* Keys of a map; another one is a fault. */
static br_status only(const bri_node *map, const char *const *keys, size_t n, const char *what, br_err *err)
{
  if (map->kind != BRI_MAP)
    return bri_fail(err, BR_E_PARSE, "%s:%zu:%zu: %s: expected a map of NAME: TEXT", map->at.file,
                    map->at.line, map->at.column, what);
  for (const bri_node *e = map->first; e; e = e->next) {
    size_t k = 0;
    while (k < n && strcmp(keys[k], e->key) != 0) k++;
    if (n && k == n)
      return bri_fail(err, BR_E_PARSE, "%s:%zu:%zu: %s has no key '%.60s'; it has %s, %s and %s",
                      e->key_at.file, e->key_at.line, e->key_at.column, what, e->key, keys[0], keys[1],
                      keys[2]);
    if (n && strcmp(e->key, "documents") != 0 && e->kind != BRI_SCALAR)
      return bri_fail(err, BR_E_PARSE, "%s:%zu:%zu: '%.60s': expected a text", e->at.file, e->at.line,
                      e->at.column, e->key);
  }
  return BR_OK;
}

static br_status check(const bri_node *root, br_err *err)
{
  static const char *const WHOLE[] = {"title", "about", "documents"}, *const ONE[] = {"title", "authors",
                                                                                      "about"};
  br_status st = only(root, WHOLE, 3, "the page", err);
  const bri_node *list = st ? NULL : bri_node_find(root, "documents");
  if (list) st = only(list, NULL, 0, "documents", err);
  for (const bri_node *d = list && !st ? list->first : NULL; d && !st; d = d->next)
    st = only(d, ONE, 3, "a document", err);
  return st;
}

br_status bri_documents_load(const br_study *first, bri_documents *out, br_err *err)
{
  char path[BRI_STUDY_PATH];
  const char *slash = strrchr(first->path, '/');
  struct stat info;
  bri_buf text = {0};
  bri_node *root = NULL;
  memset(out, 0, sizeof *out);
  const int n = snprintf(path, sizeof path, "%.*s_report.yaml", slash ? (int)(slash + 1 - first->path) : 0,
                         first->path);
  if (n < 0 || (size_t)n >= sizeof path || stat(path, &info) != 0) return BR_OK;
  out->arena = bri_arena_create();
  bri_notes *notes = out->arena ? bri_arena_get(out->arena, sizeof *notes) : NULL;
  const char *file = notes ? bri_arena_text(out->arena, path, strlen(path)) : NULL;
  if (!file) return bri_no_memory(err, path);
  notes->arena = out->arena;
  br_status st = bri_buf_load(&text, path, MOST_BYTES, err);
  if (!st) st = bri_yaml_read(out->arena, file, text.text ? text.text : "", text.used, notes, &root, err);
  bri_buf_free(&text);
  if (st == BR_E_PARSE && notes->n)
    return bri_fail(err, st, "%s:%zu:%zu: %s", notes->list[0].file, notes->list[0].line,
                    notes->list[0].column, notes->list[0].text);
  if (!st && root) st = check(root, err);
  if (!st) out->root = root;
  return st;
}

void bri_documents_free(bri_documents *d)
{
  bri_arena_destroy(d->arena);
  memset(d, 0, sizeof *d);
}

const char *bri_documents_text(const bri_documents *d, const char *key)
{
  return d->root ? bri_node_text(d->root, key, "") : "";
}

const char *bri_document_text(const bri_documents *d, const char *document, const char *key)
{
  const bri_node *list = d->root ? bri_node_find(d->root, "documents") : NULL,
                 *one = list ? bri_node_find(list, document) : NULL;
  return one ? bri_node_text(one, key, "") : "";
}
