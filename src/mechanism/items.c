/* SPDX-License-Identifier: Apache-2.0
 * items.c - connections and contacts of a mechanism's text. */
#include <stdio.h>
#include <string.h>

#include "mechanism.h"

int bri_mech_body(const draft *d, const char *name)
{
  for (size_t i = 0; i < d->nbody; i++)
    if (strcmp(d->bodies[i].name, name) == 0) return (int)i;
  return -1;
}

static int find_body(draft *d, const bri_node *n)
{
  const char *names[64];
  char hint[BRI_HINT];
  size_t k = 0;
  if (n->kind != BRI_SCALAR) return BRI_MECH_NOTE(d, n, "expected the name of a body"), -1;
  const int at = bri_mech_body(d, n->text);
  if (at >= 0) return at;
  for (; k < d->nbody && k < 64; k++) names[k] = d->bodies[k].name;
  BRI_MECH_NOTE(d, n, "no body is called '%.60s'%s", n->text,
                bri_hint(n->text, names, k, "; bodies stand under 'bodies'", hint));
  return -1;
}

/* between: [a, b] */
int bri_mech_ends(draft *d, const bri_node *item, int *a, int *b)
{
  const bri_node *n = bri_node_find(item, "between");
  if (!n || n->kind != BRI_SEQ || !n->first || !n->first->next || n->first->next->next) {
    BRI_MECH_NOTE(d, n ? n : item, "expected between: [BODY, BODY]");
    return 0;
  }
  *a = find_body(d, n->first);
  *b = find_body(d, n->first->next);
  if (*a < 0 || *b < 0) return 0;
  if (*a == *b) return BRI_MECH_NOTE(d, n, "'%s' is at both ends", d->bodies[*a].name), 0;
  const draft_body *p = &d->bodies[*a], *q = &d->bodies[*b];
  if (!p->fixed && !q->fixed && p->rotary != q->rotary) {
    BRI_MECH_NOTE(d, n, "'%s' turns and '%s' does not: a body that follows with a ratio stands between them",
                  p->rotary ? p->name : q->name, p->rotary ? q->name : p->name);
    return 0;
  }
  if (p->fixed) { /* the one that moves comes first, and the other is the ground */
    const int swap = *a;
    *a = *b, *b = swap;
  }
  return 1;
}

/* The kinds of connection: keys of their values with units, a "-" behind those that must be there. */
typedef struct {
  const char *name;
  elem_kind kind;
  int pair; /* 1: between two bodies; 0: on one */
  struct {
    const char *key, *unit;
    int must;
  } value[4];
} kind_row;
static const kind_row KINDS[] = {
    {"spring",
     ELEM_SPRING,
     1,
     {{"stiffness", "N/m", 1}, {"damping", "N s/m", 0}, {"preload", "N", 0}, {"rest", "m", 0}}},
    {"damper", ELEM_SPRING, 1, {{NULL, NULL, 0}, {"damping", "N s/m", 1}, {NULL, NULL, 0}, {NULL, NULL, 0}}},
    {"gap", ELEM_GAP, 1, {{"low", "m", 0}, {"high", "m", 0}, {"stiffness", "N/m", 1}, {"damping", "s/m", 0}}},
    {"stop",
     ELEM_GAP,
     1,
     {{"low", "m", 0}, {"high", "m", 0}, {"stiffness", "N/m", 1}, {"damping", "s/m", 0}}},
    {"backlash",
     ELEM_GAP,
     1,
     {{NULL, NULL, 0}, {"width", "m", 1}, {"stiffness", "N/m", 1}, {"damping", "s/m", 0}}},
    {"gravity", ELEM_CONSTANT, 0, {{"angle", "rad", 0}, {NULL, NULL, 0}, {NULL, NULL, 0}, {NULL, NULL, 0}}},
    {"pendulum", ELEM_PENDULUM, 0, {{"mass", "kg", 1}, {"length", "m", 1}, {NULL, NULL, 0}, {NULL, NULL, 0}}},
    {"force", ELEM_FORCE, 0, {{NULL, NULL, 0}, {NULL, NULL, 0}, {NULL, NULL, 0}, {NULL, NULL, 0}}},
};
enum { NKINDS = sizeof KINDS / sizeof KINDS[0] };

static const kind_row *find_kind(draft *d, const bri_node *item)
{
  const char *names[NKINDS];
  char hint[BRI_HINT];
  const bri_node *e = item->kind == BRI_MAP ? item->first : NULL;
  for (; e; e = e->next)
    for (size_t i = 0; i < NKINDS; i++)
      if (strcmp(e->key, KINDS[i].name) == 0) return &KINDS[i];
  for (size_t i = 0; i < NKINDS; i++) names[i] = KINDS[i].name;
  e = item->kind == BRI_MAP ? item->first : NULL;
  BRI_MECH_NOTE(d, item, "'%.60s' is no kind of connection%s", e ? e->key : "",
                bri_hint(e ? e->key : "", names, NKINDS,
                         "; expected spring, damper, gap, stop, backlash, gravity, pendulum or force", hint));
  return NULL;
}

static int known_key(const kind_row *row, const char *key)
{
  static const char *const ALWAYS[] = {"name", "repeat"}, *const FORCE[] = {"value", "against", "book"};
  for (int i = 0; i < 4; i++)
    if (row->value[i].key && strcmp(row->value[i].key, key) == 0) return 1;
  for (int i = 0; i < 2; i++)
    if (strcmp(ALWAYS[i], key) == 0) return 1;
  for (int i = 0; i < 3 && row->kind == ELEM_FORCE; i++)
    if (strcmp(FORCE[i], key) == 0) return 1;
  return strcmp(key, row->pair ? "between" : "on") == 0;
}

static int known_keys(draft *d, const kind_row *row, const bri_node *n)
{
  if (n->kind != BRI_MAP) return BRI_MECH_NOTE(d, n, "%s: expected a map of its keys", row->name), 0;
  for (const bri_node *e = n->first; e; e = e->next) {
    const char *names[12];
    char hint[BRI_HINT];
    size_t k = 0;
    if (known_key(row, e->key)) continue;
    for (int i = 0; i < 4; i++)
      if (row->value[i].key) names[k++] = row->value[i].key;
    names[k++] = row->pair ? "between" : "on";
    if (row->kind == ELEM_FORCE) names[k++] = "value", names[k++] = "against", names[k++] = "book";
    bri_note(&d->notes, e->key_at, "%s has no key '%.60s'%s", row->name, e->key,
             bri_hint(e->key, names, k, "", hint));
    return 0;
  }
  return 1;
}

/* A value made of others: text of the new one lives in the arena. */
static int made_value(draft *d, const bri_node *at, const char *fmt, const char *a, const char *b)
{
  bri_buf text = {0};
  bri_node n = *at;
  bri_buf_printf(&text, fmt, a, b);
  n.kind = BRI_SCALAR, n.inset = -1;
  n.text = text.failed ? NULL : bri_arena_text(d->arena, text.text, text.used);
  bri_buf_free(&text);
  if (!n.text) return d->nomem = 1, -1;
  return bri_mech_value_of(d, &n, NULL, 0);
}

/* Angles of inclines may be in degrees: as a formula in rad. */
static const char *plain(draft *d, const bri_node *n)
{
  double x = 0;
  br_unit unit;
  int has = 0;
  char text[40];
  if (n->kind != BRI_SCALAR || br_quantity_parse(n->text, strlen(n->text), &x, &unit, &has, NULL) || !has)
    return n->kind == BRI_SCALAR ? n->text : "0";
  (void)snprintf(text, sizeof text, "%.17g", x);
  const char *copy = bri_arena_text(d->arena, text, strlen(text));
  if (!copy) d->nomem = 1;
  return copy ? copy : "0";
}

enum { NO = -1 };
#define GRAVITY "9.80665"

/* What stands under gravity and pendulum is one force, made of several numbers. */
static int joint_value(draft *d, const kind_row *row, const bri_node *n, const draft_body *body)
{
  const bri_node *angle = bri_node_find(n, "angle"), *mass = bri_node_find(n, "mass"),
                 *length = bri_node_find(n, "length"),
                 *own = body->node ? bri_node_find(body->node, "mass") : NULL;
  if (row->kind == ELEM_PENDULUM)
    return made_value(d, n, "(%s)*(%s)*" GRAVITY, plain(d, mass), plain(d, length));
  if (!own)
    return BRI_MECH_NOTE(d, n, "gravity acts on a body with a mass, and '%s' has none", body->name), NO;
  return made_value(d, n, "-(%s)*" GRAVITY "*sin(%s)", plain(d, own), angle ? plain(d, angle) : "pi/2");
}

static int read_force(draft *d, const bri_node *n, draft_elem *el)
{
  const bri_node *against = bri_node_find(n, "against"), *book = bri_node_find(n, "book"),
                 *value = bri_node_find(n, "value");
  if (against && (el->b = find_body(d, against)) < 0) return 0;
  if (!value) return BRI_MECH_NOTE(d, n, "force: value is missing, a formula of states, inputs and t"), 0;
  el->node = value; /* compiled when all names are known */
  el->p[1] = BOOK_IN;
  if (!book) return 1;
  const char *text = book->kind == BRI_SCALAR ? book->text : "";
  if (strcmp(text, "internal") == 0) el->p[1] = BOOK_INTERNAL;
  else if (strcmp(text, "lost") == 0) el->p[1] = BOOK_LOST;
  else if (strcmp(text, "in") != 0)
    return BRI_MECH_NOTE(d, book, "book is '%.40s'; expected in, internal or lost", text), 0;
  return 1;
}

static int read_values(draft *d, const kind_row *row, const bri_node *n, draft_elem *el)
{
  const int rotary = d->bodies[el->a].rotary;
  for (int i = 0; i < 4; i++) {
    const bri_node *v = row->value[i].key ? bri_node_find(n, row->value[i].key) : NULL;
    el->p[i] = NO;
    if (!v && row->value[i].must)
      return BRI_MECH_NOTE(d, n, "%s: %s is missing", row->name, row->value[i].key), 0;
    if (v && (el->p[i] = bri_mech_value_of(d, v, row->value[i].unit, rotary)) < 0) return 0;
  }
  if (row->kind == ELEM_GAP && el->p[0] < 0 && el->p[1] < 0)
    return BRI_MECH_NOTE(d, n, "%s: low or high is missing, where the stop is", row->name), 0;
  if (row->kind == ELEM_CONSTANT || row->kind == ELEM_PENDULUM) {
    el->p[0] = joint_value(d, row, n, &d->bodies[el->a]);
    el->p[1] = NO;
    return el->p[0] >= 0;
  }
  if (strcmp(row->name, "backlash") == 0) { /* half of the width to each side */
    const char *w = plain(d, bri_node_find(n, "width"));
    el->p[0] = made_value(d, n, "-(%s)/2%s", w, "");
    el->p[1] = made_value(d, n, "(%s)/2%s", w, "");
    return el->p[0] >= 0 && el->p[1] >= 0;
  }
  return 1;
}

void bri_mech_connection(draft *d, const bri_node *item)
{
  const kind_row *row = find_kind(d, item);
  const bri_node *n = row ? bri_node_find(item, row->name) : NULL;
  draft_elem el = {.a = -1, .b = -1, .node = n};
  if (!n || !known_keys(d, row, n)) return;
  el.kind = row->kind;
  if (d->nelem >= BRI_MECH_ELEMENTS) {
    BRI_MECH_NOTE(d, item, "more than %d connections", BRI_MECH_ELEMENTS);
    return;
  }
  const char *name = bri_node_text(n, "name", "");
  if (name[0] && !bri_mech_good_name(d, bri_node_find(n, "name"), name, "name")) return;
  (void)snprintf(el.name, sizeof el.name, "%s", name);
  if (row->pair) {
    if (!bri_mech_ends(d, n, &el.a, &el.b)) return;
  } else {
    const bri_node *on = bri_node_find(n, "on");
    if (!on) {
      BRI_MECH_NOTE(d, n, "%s: expected on: BODY", row->name);
      return;
    }
    if ((el.a = find_body(d, on)) < 0) return;
  }
  if (row->kind == ELEM_FORCE ? !read_force(d, n, &el) : !read_values(d, row, n, &el)) return;
  draft_elem *at = BRI_MECH_ADD(d, elems, nelem, room_elems);
  if (at) *at = el;
}
