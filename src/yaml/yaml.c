/* SPDX-License-Identifier: Apache-2.0
 * yaml.c - YAML text to a tree, through libyaml's events.
 * A study needs maps, lists and scalars; anchors, aliases and tags are refused, which also keeps a small
 * file from growing into a huge tree. */
#include "bri_config.h"
#include "lookup.h"
#include "text/escape.h"

#if BR_WITH_YAML
#include <string.h>
#include <yaml.h>

typedef struct {
  yaml_parser_t parser;
  bri_arena *arena;
  bri_notes *notes;
  const char *file;
  size_t nodes;
  br_status status;
} reader;

static bri_place place_of(const reader *r, yaml_mark_t mark)
{
  const bri_place at = {r->file, mark.line + 1, mark.column + 1};
  return at;
}

static int stop(reader *r, br_status st)
{
  if (!r->status) r->status = st;
  return 0;
}

/* The next event, or 0 after a finding. */
static int next(reader *r, yaml_event_t *e)
{
  if (r->status) return 0;
  if (yaml_parser_parse(&r->parser, e)) return 1;
  if (r->parser.error == YAML_MEMORY_ERROR) return stop(r, BR_E_NOMEM);
  const int mark = r->parser.error == YAML_READER_ERROR;
  const char *what = r->parser.problem ? r->parser.problem : "cannot be read";
  /* a quote that is never closed: where it was opened helps, the end of the file does not */
  const int open = r->parser.context && strstr(what, "end of stream");
  const bri_place at = place_of(r, mark   ? r->parser.mark
                                   : open ? r->parser.context_mark
                                          : r->parser.problem_mark);
  if (strstr(what, "TAB") || strstr(what, "cannot start any token"))
    bri_note(r->notes, at, "YAML: %s; indent with blanks and put quotes around texts with special signs",
             what);
  else if (strstr(what, "mapping values are not allowed"))
    bri_note(r->notes, at,
             "YAML: %s: a key was expected at the start of the line, or quotes around a text with ': '",
             what);
  else
    bri_note(r->notes, at, "YAML: %s%s%s", r->parser.context ? r->parser.context : "",
             r->parser.context ? ", " : "", what);
  return stop(r, BR_E_PARSE);
}

static bri_node *read_value(reader *r, yaml_event_t *e, int depth);

/* Texts of a study are shown and drawn: only line ends and tabs are allowed besides plain characters.  The
 * line end that a block ("|", ">") brings along is no part of the text. */
static void check_scalar(reader *r, const bri_node *n, char *text, yaml_scalar_style_t style)
{
  const int block = style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE;
  size_t end = strlen(text);
  while (block && end && text[end - 1] == '\n') text[--end] = '\0';
  if (bri_find_control(text, 1)) bri_note(r->notes, n->at, "text '%.80s' has a control character", text);
}

static bri_node *node_of(reader *r, bri_node_kind kind, const yaml_event_t *e)
{
  char *text = NULL;
  if (++r->nodes > BRI_STUDY_NODES) {
    bri_note(r->notes, place_of(r, e->start_mark), "more than %d values in one file", BRI_STUDY_NODES);
    (void)stop(r, BR_E_PARSE);
    return NULL;
  }
  if (kind == BRI_SCALAR)
    text = bri_arena_text(r->arena, (const char *)e->data.scalar.value, e->data.scalar.length);
  bri_node *n = bri_node_create(r->arena, kind, text, place_of(r, e->start_mark));
  if (n && kind == BRI_SCALAR) {
    const yaml_scalar_style_t style = e->data.scalar.style;
    n->inset = e->start_mark.line != e->end_mark.line ? -1 : style != YAML_PLAIN_SCALAR_STYLE;
  }
  if (!n || (kind == BRI_SCALAR && !text)) {
    (void)stop(r, BR_E_NOMEM);
    return NULL;
  }
  if (kind == BRI_SCALAR && strlen(text) != e->data.scalar.length) {
    bri_note(r->notes, n->at, "a text with a zero byte");
    (void)stop(r, BR_E_PARSE);
    return NULL;
  }
  if (kind == BRI_SCALAR) check_scalar(r, n, text, e->data.scalar.style);
  return n;
}

static void read_list(reader *r, bri_node *list, int depth)
{
  yaml_event_t e;
  while (next(r, &e)) {
    const int end = e.type == YAML_SEQUENCE_END_EVENT;
    bri_node *item = end ? NULL : read_value(r, &e, depth + 1);
    yaml_event_delete(&e);
    if (end || !item) return;
    bri_node_append(list, item);
  }
}

/* One entry: the key is in hand.  A key that comes twice is a finding; the first one stays. */
static void read_entry(reader *r, bri_node *map, bri_lookup *seen, bri_node *key, int depth)
{
  yaml_event_t e;
  if (key->kind != BRI_SCALAR) bri_note(r->notes, key->at, "a key must be a plain name");
  else if (strpbrk(key->text, "\n\t")) /* other control characters have been noted */
    bri_note(r->notes, key->at, "key '%.80s': a name stands on one line, without tabs", key->text);
  if (!next(r, &e)) return;
  bri_node *value = read_value(r, &e, depth + 1);
  yaml_event_delete(&e);
  if (!value || key->kind != BRI_SCALAR) return;
  const bri_node *old = bri_lookup_find(seen, key->text);
  if (old) {
    bri_note(r->notes, key->at, "key '%.80s' is given twice; it stands already in line %zu", key->text,
             old->key_at.line);
    return;
  }
  value->key = key->text;
  value->key_at = key->at;
  bri_node_append(map, value);
  if (!bri_lookup_add(seen, value)) (void)stop(r, BR_E_NOMEM);
}

static void read_map(reader *r, bri_node *map, int depth)
{
  yaml_event_t e;
  bri_lookup seen = {0};
  while (next(r, &e)) {
    const int end = e.type == YAML_MAPPING_END_EVENT;
    bri_node *key = end ? NULL : read_value(r, &e, depth + 1);
    yaml_event_delete(&e);
    if (end || !key) break;
    read_entry(r, map, &seen, key, depth);
  }
  bri_lookup_free(&seen);
}

/* Refused features, named; the value itself is still read, so that later findings appear too. */
static void refuse(reader *r, const yaml_event_t *e, const yaml_char_t *anchor, const yaml_char_t *tag)
{
  if (anchor)
    bri_note(r->notes, place_of(r, e->start_mark),
             "anchor '&%.60s': study files have none; use 'extends' or 'runs'", (const char *)anchor);
  if (tag)
    bri_note(r->notes, place_of(r, e->start_mark),
             "tag '%.60s': study files have none; write the plain value", (const char *)tag);
}

static bri_node *read_value(reader *r, yaml_event_t *e, int depth)
{
  if (depth > BRI_STUDY_DEPTH) {
    bri_note(r->notes, place_of(r, e->start_mark), "nested more than %d deep", BRI_STUDY_DEPTH);
    (void)stop(r, BR_E_PARSE);
    return NULL;
  }
  bri_node *n = NULL;
  switch (e->type) {
  case YAML_SCALAR_EVENT:
    refuse(r, e, e->data.scalar.anchor, e->data.scalar.tag);
    return node_of(r, BRI_SCALAR, e);
  case YAML_SEQUENCE_START_EVENT:
    refuse(r, e, e->data.sequence_start.anchor, e->data.sequence_start.tag);
    n = node_of(r, BRI_SEQ, e);
    if (n) read_list(r, n, depth);
    return n;
  case YAML_MAPPING_START_EVENT:
    refuse(r, e, e->data.mapping_start.anchor, e->data.mapping_start.tag);
    n = node_of(r, BRI_MAP, e);
    if (n) read_map(r, n, depth);
    return n;
  case YAML_ALIAS_EVENT:
    bri_note(r->notes, place_of(r, e->start_mark),
             "alias '*%.60s': study files have none; use 'extends' or 'runs'",
             (const char *)e->data.alias.anchor);
    return bri_node_create(r->arena, BRI_SCALAR, "", place_of(r, e->start_mark));
  default: (void)stop(r, BR_E_PARSE); return NULL;
  }
}

static void read_stream(reader *r, bri_node **root)
{
  int done = 0;
  while (!done && !r->status) {
    yaml_event_t e;
    if (!next(r, &e)) return;
    if (e.type == YAML_STREAM_END_EVENT) done = 1;
    else if (e.type == YAML_DOCUMENT_START_EVENT && *root) {
      bri_note(r->notes, place_of(r, e.start_mark), "a second document ('---'); a study file holds one");
      done = 1;
    } else if (e.type != YAML_STREAM_START_EVENT && e.type != YAML_DOCUMENT_START_EVENT &&
               e.type != YAML_DOCUMENT_END_EVENT) {
      *root = read_value(r, &e, 0);
    }
    yaml_event_delete(&e);
  }
}

br_status bri_yaml_read(bri_arena *arena, const char *file, const char *text, size_t n, bri_notes *notes,
                        bri_node **root, br_err *err)
{
  reader r;
  memset(&r, 0, sizeof r);
  *root = NULL;
  if (!yaml_parser_initialize(&r.parser)) return bri_no_memory(err, file);
  r.arena = arena;
  r.notes = notes;
  r.file = file;
  const size_t mark =
      n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* a byte order mark of an editor */
  yaml_parser_set_input_string(&r.parser, (const unsigned char *)text + mark, n - mark);
  yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
  const size_t found = notes->n;
  read_stream(&r, root);
  yaml_parser_delete(&r.parser);
  if (r.status) *root = NULL; /* half a file says nothing reliable */
  if (r.status == BR_E_NOMEM) return bri_no_memory(err, file);
  if (r.status || notes->n > found) return bri_fail(err, BR_E_PARSE, "%s is not a study file", file);
  return BR_OK;
}

#else

br_status bri_yaml_read(bri_arena *arena, const char *file, const char *text, size_t n, bri_notes *notes,
                        bri_node **root, br_err *err)
{
  (void)arena, (void)text, (void)n, (void)notes;
  *root = NULL;
  return bri_fail(err, BR_E_UNSUPPORTED,
                  "%s: this build reads no study files (libyaml was not there; Debian package libyaml-dev)",
                  file);
}
#endif
