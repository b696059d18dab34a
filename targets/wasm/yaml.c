/* SPDX-License-Identifier: Apache-2.0
 * yaml.c - YAML text to a tree without libyaml, for mechanisms as text: maps and lists in blocks and in
 * braces, plain and quoted texts on one line.  What else YAML has is refused by name. */
#include <string.h>

#include "text/fail.h"
#include "yaml/node.h"

typedef struct {
  const char *file, *start, *p;
  bri_arena *arena;
  bri_notes *notes;
  size_t nodes;
  br_status status;
} reader;

static size_t column(const reader *r)
{
  const char *s = r->p;
  while (s > r->start && s[-1] != '\n') s--;
  return (size_t)(r->p - s);
}

static bri_place here(const reader *r)
{
  size_t line = 1;
  for (const char *s = r->start; s < r->p; s++) line += *s == '\n';
  return (bri_place){r->file, line, column(r) + 1};
}

static bri_node *refuse(reader *r, const char *what)
{
  if (!r->status) bri_note(r->notes, here(r), "YAML: %s", what);
  r->status = BR_E_PARSE;
  return NULL;
}

static void blanks(reader *r)
{
  while (*r->p == ' ') r->p++;
}

/* Blanks, comments and ends of lines. */
static void skip(reader *r)
{
  for (;;) {
    blanks(r);
    if (*r->p == '#') r->p += strcspn(r->p, "\n");
    else if (*r->p == '\r' || *r->p == '\n') r->p++;
    else return;
  }
}

static bri_node *make(reader *r, bri_node_kind kind, const char *text, size_t n, int inset)
{
  if (++r->nodes > BRI_STUDY_NODES) return refuse(r, "too many values in one file");
  char *own = kind == BRI_SCALAR ? bri_arena_text(r->arena, text, n) : NULL;
  bri_node *node = bri_node_create(r->arena, kind, own, here(r));
  if (!node || (kind == BRI_SCALAR && !own)) return r->status = BR_E_NOMEM, NULL;
  node->inset = inset;
  return node;
}

static int ends_key(const char *s)
{
  return s[0] == ':' && strchr(" \r\n", s[1]) != NULL;
} /* also at the end */

/* Length of a quoted text with its quotes; 0: not closed on its line. */
static size_t quoted(const char *s)
{
  for (size_t i = 1; s[i] && s[i] != '\n'; i++)
    if (s[0] == '"' && s[i] == '\\' && s[i + 1]) i++;
    else if (s[i] == s[0] && s[0] == '\'' && s[i + 1] == '\'') i++;
    else if (s[i] == s[0]) return i + 1;
  return 0;
}

/* Length of a plain text: up to ": ", " #", the end of the line, in braces also up to a comma or their end.
 * */
static size_t plain(const char *s, int flow)
{
  size_t n = 0;
  while (s[n] && !strchr("\r\n", s[n]) && !ends_key(s + n) && !(s[n] == ' ' && s[n + 1] == '#') &&
         !(flow && strchr(",[]{}", s[n])))
    n++;
  while (n && s[n - 1] == ' ') n--;
  return n;
}

static bri_node *scalar(reader *r, int flow)
{
  const char *s = r->p;
  if (*s && strchr("&*!|>%@`", *s))
    return refuse(r, "anchors, tags and block texts are not read here; write the plain value");
  if (*s == '\t') return refuse(r, "a tab; indent with blanks");
  if (*s != '"' && *s != '\'') {
    const size_t n = plain(s, flow);
    bri_node *node = make(r, BRI_SCALAR, s, n, 0);
    r->p += n;
    return node;
  }
  const size_t n = quoted(s);
  bri_node *node =
      n ? make(r, BRI_SCALAR, s + 1, n - 2, 1) : refuse(r, "a quote that is not closed on its line");
  if (!node) return NULL;
  char *to = (char *)(size_t)node->text; /* ours, from the arena; escapes become one character each */
  for (const char *from = node->text; *from; from++) {
    const int escaped = *from == (s[0] == '"' ? '\\' : '\'');
    from += escaped;
    *to++ = escaped && *from == 'n' ? '\n' : *from;
  }
  *to = '\0';
  r->p += n;
  return node;
}

static bri_node *value(reader *r, size_t least, int flow, int depth);

static int entry(reader *r, bri_node *map, bri_node *key, bri_node *child)
{
  if (!key || !child) return 0;
  if (bri_node_find(map, key->text)) {
    bri_note(r->notes, key->at, "key '%.80s' is given twice", key->text);
    return r->status = BR_E_PARSE, 0;
  }
  child->key = key->text, child->key_at = key->at;
  bri_node_append(map, child);
  return 1;
}

static bri_node *flow_of(reader *r, int depth)
{
  const int map = *r->p == '{', end = map ? '}' : ']';
  bri_node *node = make(r, map ? BRI_MAP : BRI_SEQ, NULL, 0, 0);
  for (r->p++; node; r->p++) {
    skip(r);
    if (*r->p == end) break;
    bri_node *key = map ? scalar(r, 1) : NULL;
    if (map && !key) return NULL;
    const int bare = map && !ends_key(r->p); /* {a, b: 1}: a has an empty value */
    if (map && !bare) r->p++, skip(r);
    bri_node *child = bare ? make(r, BRI_SCALAR, "", 0, 0) : value(r, 0, 1, depth + 1);
    if (!child) return NULL;
    if (map && !entry(r, node, key, child)) return NULL;
    if (!map) bri_node_append(node, child);
    skip(r);
    if (*r->p == end) break;
    if (*r->p != ',') return refuse(r, map ? "a comma or '}' was expected" : "a comma or ']' was expected");
  }
  r->p += node != NULL;
  return node;
}

static int dash(const char *s) { return s[0] == '-' && strchr(" \r\n", s[1]) != NULL; }

/* Does a key begin here? */
static int at_key(const reader *r)
{
  const char *s = r->p;
  return ends_key(s + (*s == '"' || *s == '\'' ? quoted(s) : plain(s, 0)));
}

static bri_node *block_of(reader *r, int list, int depth)
{
  const size_t at = column(r);
  bri_node *node = make(r, list ? BRI_SEQ : BRI_MAP, NULL, 0, 0);
  while (node && *r->p && column(r) == at && !r->status && (list ? dash(r->p) : at_key(r))) {
    bri_node *key = list ? NULL : scalar(r, 0);
    r->p++; /* the dash, the colon */
    const char *before = r->p;
    skip(r);
    const int below = memchr(before, '\n', (size_t)(r->p - before)) != NULL || !*r->p;
    const int same = below && !list && dash(r->p) && column(r) == at; /* a list may stand under its key */
    const int none = !*r->p || (below && !same && column(r) <= at);
    bri_node *child = none ? make(r, BRI_SCALAR, "", 0, 0) : value(r, same ? at : at + 1, 0, depth + 1);
    if (!child || (!list && !entry(r, node, key, child))) return NULL;
    if (list) bri_node_append(node, child);
    skip(r);
  }
  if (node && *r->p && column(r) > at && !r->status)
    return refuse(r, "this line is indented further than the one before asks for");
  return r->status ? NULL : node;
}

static bri_node *value(reader *r, size_t least, int flow, int depth)
{
  if (depth > BRI_STUDY_DEPTH) return refuse(r, "nested too deep");
  if (*r->p == '{' || *r->p == '[') return flow_of(r, depth);
  if (flow) return scalar(r, 1);
  if (column(r) < least) return refuse(r, "this line is indented too little");
  if (dash(r->p)) return block_of(r, 1, depth);
  if (at_key(r)) return block_of(r, 0, depth);
  return scalar(r, 0);
}

br_status bri_yaml_read(bri_arena *arena, const char *file, const char *text, size_t n, bri_notes *notes,
                        bri_node **root, br_err *err)
{
  const char *own = bri_arena_text(arena, text, n);
  reader r = {file, own, own, arena, notes, 0, BR_OK};
  *root = NULL;
  if (!own) return bri_fail(err, BR_E_NOMEM, "%s: out of memory", file);
  skip(&r);
  if (*r.p) *root = value(&r, 0, 0, 0);
  skip(&r);
  if (!r.status && *r.p) (void)refuse(&r, "something is left that belongs to nothing above it");
  if (r.status) *root = NULL;
  return r.status ? bri_fail(err, r.status, "%s is not a study file", file) : BR_OK;
}
