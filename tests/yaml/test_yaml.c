/* SPDX-License-Identifier: Apache-2.0
 * test_yaml.c - text to nodes and back: places, what is refused, texts in blocks, maps on top of maps,
 * findings in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bri_config.h"
#include "yaml/lookup.h"
#include "yaml/node.h"

#if BR_WITH_YAML
/* Everything about one text. */
typedef struct {
  bri_arena *arena;
  bri_notes notes;
  bri_node *root;
  br_status st;
} reading;

static reading read_n(const char *text, size_t n)
{
  static bri_notes none;
  reading r = {bri_arena_create(), none, NULL, BR_OK};
  br_err err;
  assert_non_null(r.arena);
  r.notes.arena = r.arena;
  r.st = bri_yaml_read(r.arena, "t.yaml", text, n, &r.notes, &r.root, &err);
  return r;
}

static reading read_text(const char *text) { return read_n(text, strlen(text)); }
static void done(reading *r) { bri_arena_destroy(r->arena); }

/* A finding with this text, at this place. */
static void found(const char *text, size_t line, size_t column, const char *part)
{
  reading r = read_text(text);
  int there = 0;
  for (size_t i = 0; i < r.notes.n; i++) {
    const br_note *k = &r.notes.list[i];
    there |= k->line == line && k->column == column && strstr(k->text, part) != NULL;
  }
  if (r.st != BR_E_PARSE || !there)
    fail_msg("'%s': %d, %zu:%zu: %s", text, r.st, r.notes.n ? r.notes.list[0].line : 0,
             r.notes.n ? r.notes.list[0].column : 0, r.notes.n ? r.notes.list[0].text : "nothing");
  done(&r);
}

static void places(void **state)
{
  (void)state;
  reading r = read_text("a: 1\nb:\n  c: [x, 'y z']\n");
  assert_int_equal(r.st, BR_OK);
  const bri_node *c = bri_node_find(bri_node_find(r.root, "b"), "c");
  assert_true(c && c->key_at.line == 3 && c->key_at.column == 3 && c->at.line == 3 && c->at.column == 6);
  assert_true(c->kind == BRI_SEQ && c->first->at.column == 7 && c->last->at.column == 10);
  assert_true(c->first->inset == 0 && c->last->inset == 1); /* behind the quote */
  done(&r);
  static const char *const SAME[] = {"a: text\n",      "a: 'text'\n",    "\357\273\277a: text\n",
                                     "---\na: text\n", "a: |\n  text\n", "a: |+\n  text\n\n\n",
                                     "a: >\n  text\n"};
  for (size_t i = 0; i < sizeof SAME / sizeof SAME[0]; i++) {
    r = read_text(SAME[i]);
    if (r.st || !r.root || strcmp(bri_node_text(r.root, "a", ""), "text") != 0)
      fail_msg("%s: '%s'", SAME[i], r.root ? bri_node_text(r.root, "a", "") : "nothing");
    done(&r);
  }
  r = read_text("a: 'text\n\n  more'\n"); /* of a quoted text nothing is taken away */
  assert_string_equal(bri_node_text(r.root, "a", ""), "text\nmore");
  assert_int_equal(bri_node_find(r.root, "a")->inset, -1);
  done(&r);
}

static void refused(void **state)
{
  (void)state;
  found("a: &x 1\n", 1, 4, "anchor '&x'");
  found("a: [&x 1]\n", 1, 5, "anchor '&x'");
  found("a: &x {b: 1}\n", 1, 4, "anchor");
  found("a: !!int 1\n", 1, 4, "tag");
  found("a: !own [1]\n", 1, 4, "tag '!own'");
  found("a: !own {b: 1}\n", 1, 4, "tag '!own'");
  found("a: *x\n", 1, 4, "alias '*x'");
  found("a: 1\nb: 2\na: 3\n", 3, 1, "given twice; it stands already in line 1");
  found("a:\n  - 1\nb: 2\na: 3\n", 4, 1, "stands already in line 1"); /* the key's, not the value's */
  found("b: 2\na:\n\n  c: 1\na: 3\n", 5, 1, "stands already in line 2");
  found("a: &x [1]\n", 1, 4, "anchor '&x'");
  found("? [a, b]\n: 1\n", 1, 3, "a key must be a plain name");
  found("? \"two\\nlines\"\n: 1\n", 1, 3, "a name stands on one line");
  found("? \"a\\tb\"\n: 1\n", 1, 3, "a name stands on one line");
  found("a: \"b\\x07\"\n", 1, 4, "control character");
  found("a: 'open\nb: 2\n", 1, 4, "quoted scalar");
  found("a: 1\n---\nb: 2\n", 2, 1, "a second document");
  found("a: b: c\n", 1, 5, "a key was expected");
  found("a:\n\t- b\n", 2, 1, "indent with blanks");
  reading r = read_text("a: [1, 2\n"); /* half a text is none */
  assert_true(r.st == BR_E_PARSE && r.root == NULL);
  done(&r);
  r = read_n("a: \"x\0y\"\n", 9);
  assert_int_equal(r.st, BR_E_PARSE);
  done(&r);
  char deep[400] = "";
  for (int i = 0; i < BRI_STUDY_DEPTH + 2; i++) (void)strcat(deep, "[");
  for (int i = 0; i < BRI_STUDY_DEPTH + 2; i++) (void)strcat(deep, "]");
  r = read_text(deep);
  assert_int_equal(r.st, BR_E_PARSE);
  done(&r);
}

/* What is printed reads back as the same, whatever stands in it. */
static void same(const bri_node *a, const bri_node *b)
{
  assert_int_equal(a->kind, b->kind);
  if (a->kind == BRI_SCALAR) assert_string_equal(a->text, b->text);
  const bri_node *x = a->first, *y = b->first;
  for (; x && y; x = x->next, y = y->next) {
    if (a->kind == BRI_MAP) assert_string_equal(x->key, y->key);
    same(x, y);
  }
  assert_true(!x && !y);
}

static void printed(void **state)
{
  (void)state;
  static const char TEXT[] =
      "a: 1e-3 N/m\nb: {}\nc: []\nd: ['- x', '#y', 'a: b', '', \"1\\n2\", '[', 'it''s', '\"', \"\\\\\"]\n"
      "'e f': {g: [{h: 1}, {i: [2, 3]}]}\n'-k': yes\nl: -5\n";
  reading r = read_text(TEXT);
  bri_buf out = {0};
  assert_int_equal(r.st, BR_OK);
  bri_node_print(&out, r.root, 0);
  reading again = read_text(out.text);
  if (again.st) fail_msg("%s", out.text);
  same(r.root, again.root);
  assert_int_equal(bri_node_find(again.root, "b")->kind, BRI_MAP);
  assert_int_equal(bri_node_find(again.root, "c")->kind, BRI_SEQ);
  bri_buf_free(&out);
  done(&r), done(&again);
  /* every printable sign, as first and as only other letter of a key and of a text, in maps and in lists */
  for (int sign = ' '; sign < 127; sign++) {
    static const char *const FORMS[] = {"%c", "%cb", "a%c", "x%c y", "z %cw"};
    bri_arena *arena = bri_arena_create();
    const bri_place at = {"f", 1, 1};
    bri_node *map = bri_node_create(arena, BRI_MAP, NULL, at),
             *list = bri_node_create(arena, BRI_SEQ, NULL, at);
    for (int k = 0; k < 5; k++) {
      char text[8];
      (void)snprintf(text, sizeof text, FORMS[k], sign);
      bri_node *e = bri_node_create(arena, BRI_SCALAR, bri_arena_text(arena, text, strlen(text)), at);
      e->key = e->text;
      bri_node_append(map, e);
      bri_node_append(list, bri_node_create(arena, BRI_SCALAR, e->text, at));
    }
    list->key = "list";
    bri_node_append(map, list);
    bri_buf b = {0};
    bri_node_print(&b, map, 0);
    reading back = read_text(b.text);
    if (back.st) fail_msg("%s: %s", b.text, back.notes.n ? back.notes.list[0].text : "");
    same(map, back.root);
    bri_buf_free(&b);
    done(&back);
    bri_arena_destroy(arena);
  }
}

/* One map on top of another: key by key, a text in place of a map and a map in place of a text; the base
 * keeps its order. */
static void merged(void **state)
{
  (void)state;
  reading a = read_text("x: 1\nm: {p: 1, q: 2}\nt: {u: 1}\nl: [1, 2]\n"),
          b = read_text("y: 2\nm: {q: 3, r: 4}\nt: text\nl: [5]\nx: 9\n"),
          want = read_text("x: 9\nm: {p: 1, q: 3, r: 4}\nt: text\nl: [5]\ny: 2\n");
  const bri_node *both = bri_node_merge(a.arena, a.root, b.root);
  assert_non_null(both);
  same(both, want.root);
  size_t n = 0;
  for (const bri_node *e = both->first; e; e = e->next) n++;
  assert_int_equal(n, 5); /* none twice */
  same(bri_node_merge(a.arena, NULL, b.root), b.root);
  done(&a), done(&b), done(&want);
  /* what is laid over says where things stand, maps and texts; what only the base has keeps its place */
  a = read_text("m: {p: 1, q: 2}\nx: 1\nt: {u: 1}\n");
  b = read_text("x: 9\ny: 2\nt:  text\nm:   {q: 3, r: 4}\n");
  static const struct {
    const char *map, *key;
    size_t at[2][2]; /* line and column of the value: b over a, a over b */
  } PLACES[] = {{NULL, "x", {{1, 4}, {2, 4}}}, {NULL, "m", {{4, 6}, {1, 4}}}, {NULL, "t", {{3, 5}, {3, 4}}},
                {NULL, "y", {{2, 4}, {2, 4}}}, {"m", "p", {{1, 8}, {1, 8}}},  {"m", "q", {{4, 10}, {1, 14}}},
                {"m", "r", {{4, 16}, {4, 16}}}};
  for (int up = 0; up < 2; up++) {
    const bri_node *both_ways = bri_node_merge(a.arena, up ? b.root : a.root, up ? a.root : b.root);
    for (size_t i = 0; i < sizeof PLACES / sizeof PLACES[0]; i++) {
      const bri_node *in = PLACES[i].map ? bri_node_find(both_ways, PLACES[i].map) : both_ways,
                     *e = bri_node_find(in, PLACES[i].key);
      if (!e || e->at.line != PLACES[i].at[up][0] || e->at.column != PLACES[i].at[up][1])
        fail_msg("%s stands at %zu:%zu", PLACES[i].key, e ? e->at.line : 0, e ? e->at.column : 0);
      assert_int_equal(e->key_at.line, e->at.line);
    }
  }
  done(&a), done(&b);
  reading e = read_text("a: ''\nb: ~\nc: null\nd: 0\ne:\n");
  static const char *const KEYS[] = {"a", "b", "c", "d", "e"};
  static const int EMPTY[] = {1, 1, 1, 0, 1};
  for (int i = 0; i < 5; i++) assert_int_equal(bri_node_is_empty(bri_node_find(e.root, KEYS[i])), EMPTY[i]);
  assert_string_equal(bri_node_text(e.root, "a", "other"), "other"); /* an empty text is none */
  assert_string_equal(bri_node_text(e.root, "d", "other"), "0");
  done(&e);
}

/* Findings come in the order of their places, each once, and so many at most. */
static void findings(void **state)
{
  (void)state;
  bri_notes notes = {.arena = bri_arena_create()};
  static const size_t LINES[] = {5, 2, 9, 2, 1, 5};
  for (size_t i = 0; i < 6; i++)
    bri_note(&notes, (bri_place){"f", LINES[i], i % 2 + 1}, "note %zu", LINES[i]);
  bri_note(&notes, (bri_place){"f", 5, 1}, "note 5"); /* said already */
  assert_int_equal(notes.n, 5);
  bri_note(&notes, (bri_place){"f", 9, 2}, "note 9"); /* at another place of the line, in another file */
  bri_note(&notes, (bri_place){"g", 9, 2}, "note 9");
  bri_note(&notes, (bri_place){"g", 9, 2}, "another");
  assert_int_equal(notes.n, 8);
  for (size_t i = 1; i < notes.n; i++) assert_true(notes.list[i - 1].line <= notes.list[i].line);
  for (size_t i = 0; i < 2 * BRI_STUDY_NOTES; i++) bri_note(&notes, (bri_place){"f", 100 + i, 1}, "more");
  assert_true(notes.n == BRI_STUDY_NOTES && notes.more);
  bri_arena_destroy(notes.arena);
}

/* Thousands of keys, each found again, and none that is not there. */
static void lookups(void **state)
{
  (void)state;
  bri_arena *arena = bri_arena_create();
  bri_lookup l = {0};
  enum { N = 3000 };
  bri_node *all[N];
  for (int i = 0; i < N; i++) {
    char key[16];
    (void)snprintf(key, sizeof key, "key%d", i);
    all[i] = bri_node_create(arena, BRI_SCALAR, "x", (bri_place){"f", 1, 1});
    all[i]->key = bri_arena_text(arena, key, strlen(key));
    assert_null(bri_lookup_find(&l, key));
    assert_true(bri_lookup_add(&l, all[i]));
  }
  for (int i = 0; i < N; i++) assert_ptr_equal(bri_lookup_find(&l, all[i]->key), all[i]);
  assert_null(bri_lookup_find(&l, "key3000"));
  bri_lookup_free(&l);
  unsigned char *piece[200]; /* pieces of an arena do not overlap, whatever their size */
  for (size_t i = 0; i < 200; i++)
    piece[i] = memset(bri_arena_get(arena, 16 * (i + 1)), (int)i, 16 * (i + 1));
  for (size_t i = 0; i < 200; i++)
    for (size_t k = 0; k < 16 * (i + 1); k++) assert_int_equal(piece[i][k], i);
  /* nor leave their blocks */
  for (size_t i = 0; i < 5000; i++) (void)memset(bri_arena_get(arena, 16), 0xff, 16);
  bri_arena_destroy(arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(places),   cmocka_unit_test(refused),
                                     cmocka_unit_test(printed),  cmocka_unit_test(merged),
                                     cmocka_unit_test(findings), cmocka_unit_test(lookups)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void) { return printf("skip: this build has no libyaml\n"), 77; }
#endif
