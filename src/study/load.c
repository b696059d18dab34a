/* SPDX-License-Identifier: Apache-2.0
 * load.c - read a study: file, 'extends', overrides; then the walk over what it says. */
#include <string.h>

#include "ask.h"
#include "base/alloc.h"
#include "param/param.h"
#include "text/escape.h"

enum { DEPTH = 8 };

const char *bri_study_beside(bri_arena *arena, const char *file, const char *path, size_t n)
{
  const char *slash = strrchr(file, '/');
  const size_t dir = path[0] == '/' || !slash ? 0 : (size_t)(slash + 1 - file);
  char *out = bri_arena_get(arena, dir + n + 1);
  if (!out) return NULL;
  memcpy(out, file, dir);
  memcpy(out + dir, path, n);
  return out;
}

static br_status read_text(br_study *s, const char *file, const char *text, size_t n, bri_node **root,
                           br_err *err)
{
  br_status st = bri_yaml_read(s->arena, file, text, n, &s->notes, root, err);
  if (st && st != BR_E_PARSE) return st;
  if (*root && bri_node_is_empty(*root)) *root = NULL;
  if (!*root && s->notes.n == 0) {
    const bri_place at = {file, 1, 1};
    bri_note(&s->notes, at, "the file is empty; expected a map with title, model, input and an analysis");
  } else if (*root && (*root)->kind != BRI_MAP) {
    bri_note(&s->notes, (*root)->at, "a study is a map of KEY: VALUE, not a %s",
             (*root)->kind == BRI_SEQ ? "list" : "text");
    *root = NULL;
  }
  return BR_OK;
}

static br_status read_file(br_study *s, const char *path, bri_node **root, br_err *err)
{
  bri_buf text = {0};
  bri_study_file *f = bri_arena_get(s->arena, sizeof *f);
  if (!f) return bri_study_no_memory(s, err);
  f->path = path;
  f->next = s->files;
  s->files = f;
  br_status st = bri_buf_load(&text, path, BRI_STUDY_BYTES, err);
  if (!st) st = read_text(s, path, text.text, text.used, root, err);
  bri_buf_free(&text);
  return st;
}

static void drop(bri_node *map, const char *key)
{
  bri_node *list = map->first;
  map->first = map->last = NULL;
  while (list) {
    bri_node *next = list->next;
    if (strcmp(list->key, key) != 0) bri_node_append(map, list);
    list = next;
  }
}

br_status bri_study_extend(br_study *s, bri_node **root, int depth, br_err *err)
{
  const bri_node *e = bri_node_find(*root, "extends");
  if (!e || e->kind != BRI_SCALAR || !e->text[0]) return BR_OK;
  if (depth == DEPTH) {
    bri_note(&s->notes, e->at, "'extends' goes %d files deep; does one of them extend itself?", DEPTH);
    return BR_OK;
  }
  br_err why = {BR_OK, -1, ""};
  bri_node *base = NULL;
  const char *path = bri_study_beside(s->arena, e->at.file, e->text, strlen(e->text));
  if (!path) return bri_study_no_memory(s, err);
  br_status st = read_file(s, path, &base, &why);
  if (st == BR_E_IO || st == BR_E_SIZE) {
    bri_note(&s->notes, e->at, "extends: %.200s", why.msg);
    return BR_OK;
  }
  if (st) return bri_fail(err, st, "%s", why.msg);
  if (!base) return BR_OK;
  st = bri_study_extend(s, &base, depth + 1, err);
  if (st) return st;
  *root = bri_node_merge(s->arena, base, *root);
  if (!*root) return bri_study_no_memory(s, err);
  drop(*root, "extends"); /* what is left stands alone */
  return BR_OK;
}

/* The map under `key`, made when it is missing. */
static bri_node *section(br_study *s, bri_node *map, const char *key, bri_place at)
{
  bri_node *e = bri_node_find(map, key);
  if (e && e->kind == BRI_MAP) return e;
  if (e && bri_node_is_empty(e)) {
    e->kind = BRI_MAP;
    return e;
  }
  if (e) return NULL;
  e = bri_node_create(s->arena, BRI_MAP, NULL, at);
  if (!e) return NULL;
  e->key = key;
  bri_node_append(map, e);
  return e;
}

/* Put value under name in the section it belongs to: an analysis' options for "loop.x", else 'set'. */
static int put(br_study *s, bri_node *map, const char *name, const bri_node *value, int make)
{
  const char *dot = strchr(name, '.'), *key = "set", *tail = name;
  for (size_t i = 0; dot && br_catalogue(i); i++) {
    const char *an = br_catalogue(i)->name;
    if (strlen(an) == (size_t)(dot - name) && memcmp(an, name, strlen(an)) == 0) key = an, tail = dot + 1;
  }
  if (!make && !bri_node_find(map, key)) return 1;
  bri_node *to = section(s, map, key, value->at);
  bri_node *old = to ? bri_node_find(to, tail) : NULL;
  if (!to || (!make && !old)) return 1;
  if (!old) {
    old = bri_node_create(s->arena, value->kind, value->text, value->at);
    if (!old) return 0;
    bri_node_append(to, old);
  }
  bri_node *next = old->next;
  *old = *value;
  old->next = next;
  old->key = bri_arena_text(s->arena, tail, strlen(tail));
  return old->key != NULL;
}

static int apply(br_study *s, const char *name, const bri_node *value)
{
  if (!put(s, s->root, name, value, 1)) return 0;
  const bri_node *runs = bri_node_find(s->root, "runs");
  for (bri_node *r = runs && runs->kind == BRI_MAP ? runs->first : NULL; r; r = r->next) {
    const int own = bri_node_find(r, "model") || bri_node_find(r, "system") ||
                    bri_node_find(r, "preset"); /* does not inherit 'set' */
    if (r->kind == BRI_MAP && !put(s, r, name, value, own)) return 0;
  }
  return 1;
}

/* "a=1,k=1,2,3": items without '=' continue a vector. */
static br_status override(br_study *s, const char *set, br_err *err)
{
  const char *p = set;
  while (p && *p) {
    bri_place at = {"--set", 1, (size_t)(p - set) + 1};
    const size_t n = strcspn(p, "=,");
    if (p[n] != '=' || n == 0) {
      bri_note(&s->notes, at, "'%.60s' is not of the form NAME=VALUE", p);
      return BR_OK;
    }
    const char *name = bri_arena_text(s->arena, p, n);
    p += n + 1;
    size_t len = bri_item_length(p);
    for (;;) { /* the value runs up to the next item that has a '=' */
      const char *more = p[len] ? p + len + 1 : NULL;
      if (!more || more[strcspn(more, "=,")] == '=') break;
      len += 1 + bri_item_length(more);
    }
    at.column = (size_t)(p - set) + 1;
    bri_node value = {.kind = BRI_SCALAR, .text = bri_arena_text(s->arena, p, len), .at = at, .key_at = at};
    if (!name || !value.text || !apply(s, name, &value)) return bri_study_no_memory(s, err);
    p += len;
    if (*p) p++;
  }
  return BR_OK;
}

/* "studies/doc0_fig11.yaml" -> "doc0_fig11" */
static const char *name_of(br_study *s, const char *path)
{
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
  return bri_arena_text(s->arena, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

static br_status create(const char *path, br_study **out, br_err *err)
{
  br_study *s = bri_calloc(1, sizeof *s);
  if (s) s->arena = bri_arena_create(), s->lock.fd = -1;
  if (s && s->arena) {
    s->notes.arena = s->arena;
    s->path = bri_arena_text(s->arena, path, strlen(path));
    s->name = name_of(s, path);
    char title[256];
    if (s->name) s->title = bri_escape(s->name, sizeof title, title); /* a file name may hold anything */
    if (s->title) s->title = bri_arena_text(s->arena, title, strlen(title));
  }
  if (s && s->path && s->title) {
    *out = s;
    return BR_OK;
  }
  br_study_destroy(s);
  return bri_no_memory(err, path);
}

static void free_runs(br_study *s)
{
  for (size_t i = 0; i < s->nruns; i++) {
    br_job_destroy(s->runs[i].job);
    bri_free(s->runs[i].res.quantities);
    bri_free(s->runs[i].res.tables);
  }
}

/* Overrides, and which runs they change: the study is walked as the file has it, too. */
static br_status walk_overridden(br_study *s, const char *set, br_err *err)
{
  br_study *plain = bri_arena_get(s->arena, sizeof *plain);
  if (!plain) return bri_study_no_memory(s, err);
  *plain = *s;
  br_status st = bri_study_walk(plain, err);
  if (!st) st = override(s, set, err);
  if (!st) st = bri_study_walk(s, err);
  for (size_t i = 0; i < s->nruns && !st; i++)
    s->runs[i].overridden = i >= plain->nruns || !bri_run_same(&plain->runs[i], &s->runs[i]);
  free_runs(plain);
  return st;
}

/* text NULL: the file is read. */
static br_status load(const char *path, const char *text, size_t n, const char *set, br_study **out,
                      br_err *err)
{
  br_study *s = NULL;
  *out = NULL;
  br_status st = create(path, &s, err);
  if (st) return st;
  st = text ? read_text(s, s->path, text, n, &s->root, err) : read_file(s, s->path, &s->root, err);
  const size_t found = s->notes.n;
  if (!st && s->root) st = bri_study_extend(s, &s->root, 0, err);
  if (s->notes.n > found) s->root = NULL; /* without its base it would lack half of what it needs */
  if (!st && s->root) st = set && set[0] ? walk_overridden(s, set, err) : bri_study_walk(s, err);
  if (st) {
    br_study_destroy(s);
    return st;
  }
  *out = s;
  if (!s->notes.n) return BR_OK;
  const br_note *first = &s->notes.list[0];
  return bri_fail(err, BR_E_PARSE, "%s:%zu:%zu: %.180s", first->file, first->line, first->column,
                  first->text);
}

br_status br_study_load(const char *path, const char *set, br_study **out, br_err *err)
{
  if (!path || !out) return bri_fail(err, BR_E_ARG, "br_study_load: NULL argument");
  return load(path, NULL, 0, set, out, err);
}

br_status br_study_load_memory(const char *text, size_t n, const char *name, const char *set, br_study **out,
                               br_err *err)
{
  if (!text || !name || !out) return bri_fail(err, BR_E_ARG, "br_study_load_memory: NULL argument");
  return load(name, text, n, set, out, err);
}

void br_study_destroy(br_study *s)
{
  if (!s) return;
  free_runs(s);
  bri_lock_release(&s->lock);
  br_units_destroy(s->units);
  bri_arena_destroy(s->arena);
  bri_free(s);
}

const br_note *br_study_notes(const br_study *s, size_t *n)
{
  *n = s ? s->notes.n : 0;
  return s ? s->notes.list : NULL;
}

const char *br_study_name(const br_study *s) { return s->name; }
const char *br_study_title(const br_study *s) { return s->title; }
size_t br_study_runs(const br_study *s) { return s->nruns; }

const br_verdict *br_study_verdicts(const br_study *s, size_t *n)
{
  *n = s->nverdicts;
  return s->verdicts;
}

bri_run *bri_study_run_named(const br_study *s, const char *name)
{
  for (size_t i = 0; i < s->nruns; i++)
    if (strcmp(s->runs[i].name, name) == 0) return &s->runs[i];
  return NULL;
}
