/* SPDX-License-Identifier: Apache-2.0
 * read.c - the section `mechanism:` to lists: parameters, inputs, bodies, states, outputs. */
#include <stdio.h>
#include <string.h>

#include "bristle/text.h"
#include "mechanism.h"

static void copy_text(char *to, size_t size, const char *text) { (void)snprintf(to, size, "%s", text); }

/* Is the name taken? */
static int taken(const draft *d, const char *name)
{
  for (size_t i = 0; i < d->nparam; i++)
    if (strcmp(d->params[i].name, name) == 0) return 1;
  for (size_t i = 0; i < d->ninput; i++)
    if (strcmp(d->inputs[i].name, name) == 0) return 1;
  for (size_t i = 0; i < d->nstate; i++)
    if (strcmp(d->states[i].name, name) == 0) return 1;
  for (size_t i = 0; i < d->noutput; i++)
    if (strcmp(d->outputs[i].name, name) == 0) return 1;
  return 0;
}

static int new_name(draft *d, const bri_node *e, const char *what)
{
  if (!bri_mech_good_name(d, e, e->key, what)) return 0;
  if (!taken(d, e->key)) return 1;
  bri_note(&d->notes, e->key_at, "%s '%s': the name is taken by something else", what, e->key);
  return 0;
}

/* NAME: QUANTITY, or NAME: {value: QUANTITY, doc: TEXT} */
static int read_row(draft *d, const bri_node *e, const char *what, draft_row *row)
{
  const bri_node *value = e->kind == BRI_MAP ? bri_node_find(e, "value") : e;
  memset(row, 0, sizeof *row);
  if (!new_name(d, e, what)) return 0;
  if (!value) return BRI_MECH_NOTE(d, e, "%s '%s': value is missing", what, e->key), 0;
  copy_text(row->name, sizeof row->name, e->key);
  (void)snprintf(row->doc, sizeof row->doc, "%.90s", e->kind == BRI_MAP ? bri_node_text(e, "doc", "") : "");
  return bri_mech_quantity(d, value, row);
}

static void read_parameters(draft *d, const bri_node *map)
{
  for (const bri_node *e = map && map->kind == BRI_MAP ? map->first : NULL; e; e = e->next) {
    draft_row row;
    if (d->nparam >= BRI_MECH_PARAMETERS) {
      BRI_MECH_NOTE(d, e, "more than %d parameters", BRI_MECH_PARAMETERS);
      return;
    }
    if (!read_row(d, e, "parameter", &row)) continue;
    draft_row *at = BRI_MECH_ADD(d, params, nparam, room_params);
    if (!at) return;
    *at = row;
    bri_buf_printf(&d->param_names, "%s%s", d->nparam > 1 ? "," : "", row.name);
  }
  if (d->param_names.failed) d->nomem = 1;
}

static void read_inputs(draft *d, const bri_node *map)
{
  for (const bri_node *e = map && map->kind == BRI_MAP ? map->first : NULL; e; e = e->next) {
    draft_row row;
    if (d->ninput >= BRI_MECH_INPUTS) {
      BRI_MECH_NOTE(d, e, "more than %d inputs", BRI_MECH_INPUTS);
      return;
    }
    if (!read_row(d, e, "input", &row)) continue;
    draft_row *at = BRI_MECH_ADD(d, inputs, ninput, room_inputs);
    if (!at) return;
    *at = row;
  }
}

/* ---- bodies ---- */

static int input_named(draft *d, const bri_node *n)
{
  const char *names[BRI_MECH_INPUTS];
  char hint[BRI_HINT];
  for (size_t i = 0; i < d->ninput; i++) {
    names[i] = d->inputs[i].name;
    if (n->kind == BRI_SCALAR && strcmp(names[i], n->text) == 0) return (int)i;
  }
  BRI_MECH_NOTE(d, n, "'%.60s' is no input%s", n->kind == BRI_SCALAR ? n->text : "",
                bri_hint(n->kind == BRI_SCALAR ? n->text : "", names, d->ninput,
                         "; a body is moved by one that stands under 'inputs'", hint));
  return -1;
}

enum { KEYS_TEXT = 160 };
/* For a message about a key that there is not: the nearest one, or where none is near all of them. */
static const char *instead(const char *key, const char *const *keys, size_t n, char text[KEYS_TEXT])
{
  char hint[BRI_HINT], list[KEYS_TEXT - 16];
  char all[KEYS_TEXT];
  (void)snprintf(all, sizeof all, "; it has %s", bri_join(keys, n, sizeof list, list));
  (void)snprintf(text, KEYS_TEXT, "%s", bri_hint(key, keys, n, all, hint));
  return text;
}

static int body_keys(draft *d, const bri_node *e)
{
  static const char *const KEYS[] = {"mass",    "inertia", "fixed", "position", "velocity",
                                     "follows", "ratio",   "x",     "v",        "repeat"};
  for (const bri_node *k = e->first; k; k = k->next) {
    char all[KEYS_TEXT];
    size_t i = 0;
    while (i < 10 && strcmp(KEYS[i], k->key) != 0) i++;
    if (i < 10) continue;
    bri_note(&d->notes, k->key_at, "a body has no key '%.60s'%s", k->key, instead(k->key, KEYS, 10, all));
    return 0;
  }
  return 1;
}

static int read_follower(draft *d, const bri_node *e, const bri_node *follows, draft_body *b)
{
  const bri_node *ratio = bri_node_find(e, "ratio");
  b->follows = follows->kind == BRI_SCALAR ? bri_mech_body(d, follows->text) : -1;
  if (b->follows < 0)
    return BRI_MECH_NOTE(d, follows, "'%.60s' is no body before this one",
                         follows->kind == BRI_SCALAR ? follows->text : ""),
           0;
  const draft_body *on = &d->bodies[b->follows];
  if (on->follows >= 0 || on->fixed || on->moved)
    return BRI_MECH_NOTE(d, follows, "'%s' does not move freely itself: follow the body that does", on->name),
           0;
  if (!ratio)
    return BRI_MECH_NOTE(d, e, "ratio is missing: how far it moves when '%s' moves by 1", on->name), 0;
  return (b->ratio = bri_mech_value_of(d, ratio, NULL, 1)) >= 0;
}

static int read_body(draft *d, const bri_node *e, draft_body *b)
{
  const int plain = e->kind == BRI_SCALAR && strcmp(e->text, "fixed") == 0;
  if (!plain && e->kind != BRI_MAP)
    return BRI_MECH_NOTE(d, e, "body '%s': expected {mass: ...}, {inertia: ...}, {velocity: INPUT} or fixed",
                         e->key),
           0;
  if (!plain && !body_keys(d, e)) return 0;
  const bri_node *mass = bri_node_find(e, "mass"), *inertia = bri_node_find(e, "inertia"),
                 *position = bri_node_find(e, "position"), *velocity = bri_node_find(e, "velocity"),
                 *follows = bri_node_find(e, "follows");
  b->node = e;
  b->fixed = plain || bri_node_find(e, "fixed") != NULL;
  b->mass = b->ratio = b->follows = b->input = b->jx = b->jv = -1;
  b->rotary = inertia != NULL;
  if ((mass != NULL) + (inertia != NULL) + (position != NULL) + (velocity != NULL) + b->fixed != 1 &&
      !follows)
    return BRI_MECH_NOTE(d, e, "body '%s': expected one of mass, inertia, position, velocity, fixed", e->key),
           0;
  const bri_node *by = position ? position : velocity;
  if (by) {
    b->moved = position ? MOVED_POSITION : MOVED_VELOCITY;
    if ((b->input = input_named(d, by)) < 0) return 0;
    b->rotary = strstr(d->inputs[b->input].unit, "rad") != NULL;
  }
  if (mass && (b->mass = bri_mech_value_of(d, mass, "kg", 0)) < 0) return 0;
  if (inertia && (b->mass = bri_mech_value_of(d, inertia, "kg m^2", 0)) < 0) return 0;
  return !follows || read_follower(d, e, follows, b);
}

static void name_states(draft *d, const bri_node *e, draft_body *b)
{
  const char *own[2] = {bri_node_text(e, "x", ""), bri_node_text(e, "v", "")};
  char *to[2] = {b->x, b->v};
  for (int i = 0; i < 2; i++) {
    if (own[i][0]) (void)snprintf(to[i], sizeof b->x, "%.60s", own[i]);
    else
      (void)snprintf(to[i], sizeof b->x, "%s_%s",
                     b->rotary ? (i ? "omega" : "theta")
                     : i       ? "v"
                               : "x",
                     b->name);
    if (own[i][0] && bri_mech_good_name(d, e, own[i], "state") && taken(d, own[i]))
      BRI_MECH_NOTE(d, e, "state '%s': the name is taken by something else", own[i]);
  }
}

static void add_body(draft *d, const bri_node *e)
{
  draft_body b;
  memset(&b, 0, sizeof b);
  if (d->nbody >= BRI_MECH_BODIES) {
    BRI_MECH_NOTE(d, e, "more than %d bodies", BRI_MECH_BODIES);
    return;
  }
  if (!bri_mech_good_name(d, e, e->key, "body") || !read_body(d, e, &b)) return;
  if (bri_mech_body(d, e->key) >= 0) {
    BRI_MECH_NOTE(d, e, "body '%s' is given twice", e->key);
    return;
  }
  copy_text(b.name, sizeof b.name, e->key);
  name_states(d, e, &b);
  draft_body *at = BRI_MECH_ADD(d, bodies, nbody, room_bodies);
  if (at) *at = b;
}

/* Each entry of a map or list, as often as it says. */
static void each(draft *d, const bri_node *list, int named_by_number,
                 void (*add)(draft *d, const bri_node *n))
{
  if (list && list->kind != (named_by_number ? BRI_MAP : BRI_SEQ)) return; /* which has been noted */
  for (const bri_node *e = list ? list->first : NULL; e && !d->nomem && d->notes.n < BRI_STUDY_NOTES;
       e = e->next) {
    long from = 0, to = 0;
    const bri_node *item = !named_by_number && e->kind == BRI_MAP && e->first && e->first->kind == BRI_MAP &&
                                   !bri_node_find(e, "repeat") && bri_node_find(e->first, "repeat")
                               ? e->first
                               : e;
    if (!bri_mech_repeat(d, item, &from, &to)) continue;
    if (to == 0) {
      add(d, e);
      continue;
    }
    for (long i = from; i <= to && !d->nomem && d->notes.n == 0; i++) {
      bri_node *c = bri_mech_numbered(d, e, i);
      if (c && named_by_number && strcmp(c->key, e->key) == 0) {
        char key[2 * BRI_MECH_NAME];
        (void)snprintf(key, sizeof key, "%.40s%ld", e->key, i);
        c->key = bri_arena_text(d->arena, key, strlen(key));
        if (!c->key) d->nomem = 1;
      }
      if (c && !d->nomem) add(d, c);
    }
  }
}

/* ---- states and outputs by formula ---- */

static void read_states(draft *d, const bri_node *map)
{
  for (const bri_node *e = map && map->kind == BRI_MAP ? map->first : NULL; e; e = e->next) {
    if (d->nstate >= BRI_MECH_STATES) {
      BRI_MECH_NOTE(d, e, "more than %d states", BRI_MECH_STATES);
      return;
    }
    if (!new_name(d, e, "state")) continue;
    if (e->kind != BRI_MAP || !bri_node_find(e, "rate")) {
      BRI_MECH_NOTE(d, e, "state '%s': expected {rate: FORMULA, unit: UNIT}", e->key);
      continue;
    }
    draft_state *s = BRI_MECH_ADD(d, states, nstate, room_states);
    if (!s) return;
    copy_text(s->name, sizeof s->name, e->key);
    (void)snprintf(s->unit, sizeof s->unit, "%.20s", bri_node_text(e, "unit", "1"));
    s->node = e;
  }
}

static void read_outputs(draft *d, const bri_node *map)
{
  for (const bri_node *e = map && map->kind == BRI_MAP ? map->first : NULL; e; e = e->next) {
    if (d->noutput >= BRI_MECH_OUTPUTS) {
      BRI_MECH_NOTE(d, e, "more than %d outputs", BRI_MECH_OUTPUTS);
      return;
    }
    if (!new_name(d, e, "output")) continue;
    if (e->kind == BRI_MAP && !bri_node_find(e, "value")) {
      BRI_MECH_NOTE(d, e, "output '%s': expected {value: FORMULA, unit: UNIT}", e->key);
      continue;
    }
    draft_state *s = BRI_MECH_ADD(d, outputs, noutput, room_outputs);
    if (!s) return;
    copy_text(s->name, sizeof s->name, e->key);
    (void)snprintf(s->unit, sizeof s->unit, "%.20s",
                   e->kind == BRI_MAP ? bri_node_text(e, "unit", "1") : "1");
    s->node = e->kind == BRI_MAP ? bri_node_find(e, "value") : e;
  }
}

/* Formulas, once every name is known. */
static void read_formulas(draft *d)
{
  static const char *const PARTS[] = {"rate", "energy", "power", "loss"};
  for (size_t i = 0; i < d->nstate; i++)
    for (int k = 0; k < 4; k++) {
      const bri_node *n = bri_node_find(d->states[i].node, PARTS[k]);
      const int f = n ? bri_mech_formula_of(d, n) : -1;
      d->states[i].form[k] = f;
    }
  for (size_t i = 0; i < d->nelem; i++)
    if (d->elems[i].kind == ELEM_FORCE) d->elems[i].p[0] = bri_mech_formula_of(d, d->elems[i].node);
  for (size_t i = 0; i < d->noutput; i++) d->outputs[i].form[0] = bri_mech_formula_of(d, d->outputs[i].node);
}

void bri_mech_read(draft *d, const bri_node *section)
{
  static const char *const KEYS[] = {"name",     "title",  "parameters", "inputs", "bodies", "connections",
                                     "contacts", "states", "outputs",    "model",  "set"};
  enum { NKEYS = sizeof KEYS / sizeof KEYS[0] };
  if (section->kind != BRI_MAP) {
    BRI_MECH_NOTE(d, section, "mechanism: expected a map of bodies, connections, ...");
    return;
  }
  for (const bri_node *e = section->first; e; e = e->next) {
    char all[KEYS_TEXT];
    size_t i = 0;
    while (i < NKEYS && strcmp(KEYS[i], e->key) != 0) i++;
    if (i == NKEYS && strncmp(e->key, "force", 5) == 0)
      bri_note(&d->notes, e->key_at,
               "mechanism has no key '%.60s': a force is one of the connections, "
               "'- force: {on: BODY, value: FORMULA}'",
               e->key);
    else if (i == NKEYS)
      bri_note(&d->notes, e->key_at, "mechanism has no key '%.60s'%s", e->key,
               instead(e->key, KEYS, NKEYS, all));
    else if (i >= 2 && i < NKEYS - 2 && e->kind != (i == 5 || i == 6 ? BRI_SEQ : BRI_MAP) &&
             !bri_node_is_empty(e))
      BRI_MECH_NOTE(d, e, "'%s': expected %s", e->key,
                    i == 5 || i == 6 ? "a list of entries that start with '- '" : "a map of NAME: VALUE");
  }
  (void)snprintf(d->name, sizeof d->name, "%.60s", bri_node_text(section, "name", "mechanism"));
  (void)snprintf(d->title, sizeof d->title, "%.150s", bri_node_text(section, "title", d->name));
  (void)snprintf(d->model, sizeof d->model, "%.60s", bri_node_text(section, "model", ""));
  const bri_node *set = bri_node_find(section, "set");
  for (const bri_node *e = set && set->kind == BRI_MAP ? set->first : NULL; e; e = e->next)
    if (e->kind == BRI_SCALAR) bri_buf_printf(&d->set, "%s%s=%s", d->set.used ? "," : "", e->key, e->text);
  if (d->set.failed) d->nomem = 1;
  d->clock = -1;
  read_parameters(d, bri_node_find(section, "parameters"));
  read_inputs(d, bri_node_find(section, "inputs"));
  each(d, bri_node_find(section, "bodies"), 1, add_body);
  if (!d->nbody && !d->notes.n) BRI_MECH_NOTE(d, section, "a mechanism has bodies: they are missing");
  read_states(d, bri_node_find(section, "states"));
  if (d->notes.n || d->nomem) return; /* without its bodies nothing that follows makes sense */
  each(d, bri_node_find(section, "connections"), 0, bri_mech_connection);
  each(d, bri_node_find(section, "contacts"), 0, bri_mech_contact);
  if (!d->notes.n && !d->nomem) bri_mech_models(d, set && set->kind == BRI_MAP ? set : NULL);
  read_outputs(d, bri_node_find(section, "outputs"));
  if (!d->notes.n && !d->nomem) read_formulas(d);
}
