/* SPDX-License-Identifier: Apache-2.0
 * node.h - a study file as a tree: every value knows its file, line and column.
 * Nodes and texts live in one arena and are freed together. */
#ifndef BRI_STUDY_NODE_H
#define BRI_STUDY_NODE_H
#include <stddef.h>

#include "bristle/status.h"
#include "bristle/text.h"
#include "text/buf.h"

enum { BRI_STUDY_DEPTH = 16, BRI_STUDY_BYTES = 4 << 20, BRI_STUDY_NODES = 100000, BRI_STUDY_NOTES = 100 };

typedef struct bri_arena bri_arena;
bri_arena *bri_arena_create(void);
void bri_arena_destroy(bri_arena *arena);
void *bri_arena_get(bri_arena *arena, size_t size); /* zeroed; NULL when memory is short */
char *bri_arena_text(bri_arena *arena, const char *s, size_t n);

typedef enum { BRI_SCALAR, BRI_SEQ, BRI_MAP } bri_node_kind;

/* Where something stands; line and column count from 1. */
typedef struct {
  const char *file;
  size_t line, column;
} bri_place;

typedef struct bri_node {
  bri_node_kind kind;
  const char *text; /* of a scalar; never NULL then */
  const char *key;  /* inside a map */
  int inset;        /* of a scalar: characters from its place to its text (1: quotes); -1: on several lines */
  bri_place at, key_at;
  struct bri_node *first, *last, *next; /* children; neighbour */
} bri_node;

bri_node *bri_node_create(bri_arena *arena, bri_node_kind kind, const char *text, bri_place at);
void bri_node_append(bri_node *parent, bri_node *child);
/* The entry of a map with this key; NULL: none, or no map. */
bri_node *bri_node_find(const bri_node *map, const char *key);
/* The text of an entry; `other` where there is none, or an empty one. */
const char *bri_node_text(const bri_node *map, const char *key, const char *other);
/* `set: ` without a value reads as an empty map. */
int bri_node_is_empty(const bri_node *n);
/* A copy where entries of `over` come on top of `base`: maps are merged key by key, anything else is
 * replaced.  NULL base: over; NULL when memory is short. */
bri_node *bri_node_merge(bri_arena *arena, const bri_node *base, const bri_node *over);
/* The tree as YAML in block style. */
void bri_node_print(bri_buf *out, const bri_node *n, int indent);

/* ---- what is wrong with a file: several findings, in the order of the file ---- */
typedef struct {
  br_note list[BRI_STUDY_NOTES];
  size_t n;
  int more; /* there were more than fit */
  bri_arena *arena;
} bri_notes;
void bri_note(bri_notes *notes, bri_place at, const char *fmt, ...) BRI_PRINTF(3, 4);

/* Read one YAML document.  Findings go to notes; *root is NULL when nothing could be read.  Returns BR_OK,
 * BR_E_PARSE (see notes), BR_E_NOMEM, BR_E_UNSUPPORTED (build without libyaml). */
BR_CHECKED br_status bri_yaml_read(bri_arena *arena, const char *file, const char *text, size_t n,
                                   bri_notes *notes, bri_node **root, br_err *err);

#endif
