/* SPDX-License-Identifier: Apache-2.0
 * contacts.c - contacts of a mechanism: between which bodies, with which model and numbers. */
#include <stdio.h>
#include <string.h>

#include "expr/mixed.h"
#include "mechanism.h"
#include "text/fail.h"

enum { MOST_MIXED = 64 }; /* contacts with names of their own, as in br_plant_tables() */

void bri_mech_contact(draft *d, const bri_node *item)
{
  static const char *const KEYS[] = {"between", "load", "model", "set", "name", "repeat"};
  draft_contact c = {0, 0, -1, "", item, 0};
  if (item->kind != BRI_MAP) {
    BRI_MECH_NOTE(d, item, "expected a map with between: [BODY, BODY]");
    return;
  }
  if (d->ncontact >= BRI_MECH_CONTACTS) {
    BRI_MECH_NOTE(d, item, "more than %d contacts", BRI_MECH_CONTACTS);
    return;
  }
  for (const bri_node *e = item->first; e; e = e->next) {
    char hint[BRI_HINT];
    size_t k = 0;
    while (k < 6 && strcmp(KEYS[k], e->key) != 0) k++;
    if (k == 6) {
      bri_note(&d->notes, e->key_at, "a contact has no key '%.60s'%s", e->key,
               bri_hint(e->key, KEYS, 6, "", hint));
      return;
    }
  }
  const bri_node *load = bri_node_find(item, "load"), *set = bri_node_find(item, "set");
  if (!bri_mech_ends(d, item, &c.a, &c.b)) return;
  if (load && (c.load = bri_mech_value_of(d, load, "1", 0)) < 0) return;
  (void)snprintf(c.name, sizeof c.name, "%.30s", bri_node_text(item, "name", ""));
  if (set && set->kind != BRI_MAP) {
    BRI_MECH_NOTE(d, set, "expected a map of NAME: VALUE");
    return;
  }
  /* of one contact of several the numbers are its own; a repeated one says them for all of it */
  c.again = bri_node_find(item, "repeat") != NULL && d->ncontact > 0 &&
            d->contacts[d->ncontact - 1].item->at.line == item->at.line &&
            d->contacts[d->ncontact - 1].item->at.column == item->at.column;
  draft_contact *at = BRI_MECH_ADD(d, contacts, ncontact, room_contacts);
  if (at) *at = c;
}

/* ---- models and their numbers, as a list for --set ---- */

static void put_name(draft *d, size_t number, const char *name)
{
  bri_buf_printf(&d->set, "%s", d->set.used ? "," : "");
  if (number) bri_buf_printf(&d->set, "contact%zu.", number);
  bri_buf_printf(&d->set, "%s=", name);
}

static void put_set(draft *d, const bri_node *set, size_t number)
{
  for (const bri_node *e = set ? set->first : NULL; e; e = e->next) {
    put_name(d, number, e->key);
    if (e->kind == BRI_SCALAR) bri_buf_text(&d->set, e->text);
    for (const bri_node *k = e->first; k; k = k->next)
      bri_buf_printf(&d->set, "%s%s", k == e->first ? "" : ",", k->kind == BRI_SCALAR ? k->text : "?");
  }
}

/* All alike: numbers of one contact, or of the first one where it is there many times, hold for all. */
static void put_alike(draft *d)
{
  size_t same = 1; /* of the first entry */
  while (same < d->ncontact && d->contacts[same].again) same++;
  const int for_all = same > 1 || d->ncontact == 1;
  for (size_t i = 0; i < d->ncontact; i++)
    if (i == 0 || !for_all || i >= same)
      put_set(d, bri_node_find(d->contacts[i].item, "set"), for_all && i < same ? 0 : i + 1);
}

/* A default that is another one than that of the name, unless the text says a number. */
static void put_defaults(draft *d, const br_model *m, const bri_node *own, const bri_node *all, size_t number)
{
  for (size_t i = 0; i < m->nparam; i++) {
    const br_param *row = &m->params[i], *name = br_model_param(bri_mixed(), row->name);
    if (!name || row->max_len != 1 || row->def == name->def || (own && bri_node_find(own, row->name)) ||
        (all && bri_node_find(all, row->name)))
      continue;
    put_name(d, number, row->name);
    bri_buf_printf(&d->set, "%.17g", row->def);
  }
}

/* Does the model know what its contact sets? */
static int knows(draft *d, const br_model *m, const bri_node *set)
{
  for (const bri_node *e = set ? set->first : NULL; e; e = e->next) {
    const char *names[64];
    char hint[BRI_HINT];
    size_t n = 0;
    for (size_t i = 0; i < m->nparam && n < 64; i++)
      if (m->params[i].max_len == 1) names[n++] = m->params[i].name;
    size_t k = 0;
    while (k < n && strcmp(names[k], e->key) != 0) k++;
    if (k < n) continue;
    bri_note(&d->notes, e->key_at, "%s beside other models has no parameter '%.60s'%s", m->name, e->key,
             bri_hint(e->key, names, n, "", hint));
    return 0;
  }
  return 1;
}

static void put_mixed(draft *d, const char *other, const bri_node *all)
{
  size_t states = 0;
  if (d->ncontact > MOST_MIXED) {
    BRI_MECH_NOTE(d, d->contacts[MOST_MIXED].item, "more than %d contacts whose models differ", MOST_MIXED);
    return;
  }
  for (size_t i = 0; i < d->ncontact; i++) {
    const bri_node *item = d->contacts[i].item, *n = bri_node_find(item, "model"),
                   *set = bri_node_find(item, "set");
    const char *name = bri_node_text(item, "model", other);
    const br_model *m = bri_mixed_find(name);
    if (!m) {
      BRI_MECH_NOTE(d, n ? n : item, "model '%.40s' is none of those that may stand beside others: %s", name,
                    bri_mixed_names());
      return;
    }
    if (!knows(d, m, set)) return;
    put_name(d, i + 1, "law");
    bri_buf_text(&d->set, name);
    put_defaults(d, m, set, all, i + 1);
    put_set(d, set, i + 1);
    if (m->nz > states) states = m->nz;
  }
  put_name(d, 0, "states");
  bri_buf_printf(&d->set, "%zu", states);
  (void)snprintf(d->model, sizeof d->model, "%s", BRI_MIXED);
}

void bri_mech_models(draft *d, const bri_node *all)
{
  char first[sizeof d->model];
  int differ = 0;
  (void)snprintf(first, sizeof first, "%s", d->model);
  for (size_t i = 0; i < d->ncontact && !first[0]; i++)
    (void)snprintf(first, sizeof first, "%.60s", bri_node_text(d->contacts[i].item, "model", ""));
  for (size_t i = 0; i < d->ncontact; i++)
    differ |= strcmp(bri_node_text(d->contacts[i].item, "model", first), first) != 0;
  if (differ) put_mixed(d, first, all);
  else {
    put_alike(d);
    (void)snprintf(d->model, sizeof d->model, "%s", first);
  }
  if (d->set.failed) d->nomem = 1;
}
