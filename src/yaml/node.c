/* SPDX-License-Identifier: Apache-2.0
 * node.c - the tree of a study file: arena, look-up, merge, findings. */
#include "node.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lookup.h"
#include "base/alloc.h"
#include "text/escape.h"

enum { CHUNK = 16384 };

typedef struct chunk {
  struct chunk *next;
  size_t used, size;
  max_align_t data[];
} chunk;

struct bri_arena {
  chunk *top;
};

bri_arena *bri_arena_create(void) { return bri_calloc(1, sizeof(bri_arena)); }

void bri_arena_destroy(bri_arena *a)
{
  if (!a) return;
  while (a->top) {
    chunk *next = a->top->next;
    bri_free(a->top);
    a->top = next;
  }
  bri_free(a);
}

void *bri_arena_get(bri_arena *a, size_t size)
{
  const size_t unit = sizeof(max_align_t), need = (size + unit - 1) / unit * unit;
  if (!a->top || a->top->size - a->top->used < need) {
    const size_t room = need > CHUNK ? need : CHUNK;
    chunk *c = bri_calloc(1, sizeof *c + room);
    if (!c) return NULL;
    c->size = room;
    c->next = a->top;
    a->top = c;
  }
  void *p = (char *)a->top->data + a->top->used;
  a->top->used += need;
  return p;
}

char *bri_arena_text(bri_arena *a, const char *s, size_t n)
{
  char *p = bri_arena_get(a, n + 1);
  if (p && n) memcpy(p, s, n);
  return p;
}

bri_node *bri_node_create(bri_arena *arena, bri_node_kind kind, const char *text, bri_place at)
{
  bri_node *n = bri_arena_get(arena, sizeof *n);
  if (!n) return NULL;
  n->kind = kind;
  n->text = text ? text : "";
  n->at = n->key_at = at;
  return n;
}

void bri_node_append(bri_node *parent, bri_node *child)
{
  child->next = NULL;
  if (parent->last) parent->last->next = child;
  else parent->first = child;
  parent->last = child;
}

bri_node *bri_node_find(const bri_node *map, const char *key)
{
  if (!map || map->kind != BRI_MAP) return NULL;
  for (bri_node *e = map->first; e; e = e->next)
    if (strcmp(e->key, key) == 0) return e;
  return NULL;
}

const char *bri_node_text(const bri_node *map, const char *key, const char *other)
{
  const bri_node *e = bri_node_find(map, key);
  return e && e->kind == BRI_SCALAR && e->text[0] ? e->text : other;
}

int bri_node_is_empty(const bri_node *n)
{
  return n->kind == BRI_SCALAR &&
         (n->text[0] == '\0' || strcmp(n->text, "~") == 0 || strcmp(n->text, "null") == 0);
}

/* A copy of one node, children copied too. */
static bri_node *copy(bri_arena *arena, const bri_node *n)
{
  bri_node *c = bri_arena_get(arena, sizeof *c);
  if (!c) return NULL;
  *c = *n;
  c->first = c->last = c->next = NULL;
  for (const bri_node *e = n->first; e; e = e->next) {
    bri_node *k = copy(arena, e);
    if (!k) return NULL;
    bri_node_append(c, k);
  }
  return c;
}

static int merge_entries(bri_arena *arena, bri_node *out, const bri_node *base, const bri_node *over,
                         const bri_lookup *in_base, const bri_lookup *in_over)
{
  for (const bri_node *e = base->first; e; e = e->next) {
    const bri_node *o = bri_lookup_find(in_over, e->key);
    bri_node *k = o ? bri_node_merge(arena, e, o) : copy(arena, e);
    if (!k) return 0;
    bri_node_append(out, k);
  }
  for (const bri_node *o = over->first; o; o = o->next) {
    if (bri_lookup_find(in_base, o->key)) continue;
    bri_node *k = copy(arena, o);
    if (!k) return 0;
    bri_node_append(out, k);
  }
  return 1;
}

bri_node *bri_node_merge(bri_arena *arena, const bri_node *base, const bri_node *over)
{
  if (!base || base->kind != BRI_MAP || over->kind != BRI_MAP) return copy(arena, over);
  bri_lookup in_base = {0}, in_over = {0};
  bri_node *out = bri_arena_get(arena, sizeof *out);
  int good = out && bri_lookup_all(&in_base, base) && bri_lookup_all(&in_over, over);
  if (good) {
    *out = *over;
    out->first = out->last = out->next = NULL;
    good = merge_entries(arena, out, base, over, &in_base, &in_over);
  }
  bri_lookup_free(&in_base);
  bri_lookup_free(&in_over);
  return good ? out : NULL;
}

/* ---- as text ---- */

/* Plain scalars need no quotes when they cannot be read as anything else. */
static void print_scalar(bri_buf *out, const char *s)
{
  static const char SAFE[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";
  if (s[0] && s[0] != '-' && s[strspn(s, SAFE)] == '\0') bri_buf_text(out, s);
  else bri_buf_json(out, s);
}

void bri_node_print(bri_buf *out, const bri_node *n, int indent)
{
  if (n->kind == BRI_SCALAR) {
    bri_buf_text(out, " ");
    print_scalar(out, n->text);
    bri_buf_text(out, "\n");
    return;
  }
  if (!n->first) {
    bri_buf_text(out, n->kind == BRI_MAP ? " {}\n" : " []\n");
    return;
  }
  if (indent) bri_buf_text(out, "\n");
  for (const bri_node *e = n->first; e; e = e->next) {
    bri_buf_printf(out, "%*s", indent, "");
    if (n->kind == BRI_MAP) {
      print_scalar(out, e->key);
      bri_buf_text(out, ":");
    } else {
      bri_buf_text(out, "-");
    }
    bri_node_print(out, e, indent + 2);
  }
}

/* ---- findings ---- */

static int before(const br_note *a, const bri_place *at)
{
  const int same = strcmp(a->file, at->file) == 0;
  return !same || a->line < at->line || (a->line == at->line && a->column <= at->column);
}

void bri_note(bri_notes *notes, bri_place at, const char *fmt, ...)
{
  char raw[512], text[640];
  va_list args;
  va_start(args, fmt);
  (void)vsnprintf(raw, sizeof raw, fmt, args);
  va_end(args);
  (void)bri_escape(raw, sizeof text, text);
  for (size_t i = 0; i < notes->n; i++) { /* runs inherit: the same finding comes once per run */
    const br_note *k = &notes->list[i];
    if (k->line == at.line && k->column == at.column && strcmp(k->file, at.file) == 0 &&
        strcmp(k->text, text) == 0)
      return;
  }
  if (notes->n == BRI_STUDY_NOTES) {
    notes->more = 1;
    return;
  }
  const char *kept = bri_arena_text(notes->arena, text, strlen(text));
  size_t k = notes->n++;
  while (k > 0 && !before(&notes->list[k - 1], &at)) {
    notes->list[k] = notes->list[k - 1];
    k--;
  }
  const br_note note = {at.file, at.line, at.column, kept ? kept : "out of memory"};
  notes->list[k] = note;
}
