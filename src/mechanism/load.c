/* SPDX-License-Identifier: Apache-2.0
 * load.c - a mechanism from text or file. */
#include <string.h>

#include "base/alloc.h"
#include "mechanism.h"

int br_mechanism_named(const char *system)
{
  const size_t n = system ? strlen(system) : 0;
  return (n > 5 && strcmp(system + n - 5, ".yaml") == 0) || (n > 4 && strcmp(system + n - 4, ".yml") == 0);
}

void br_mechanism_destroy(br_mechanism *m)
{
  if (!m) return;
  draft *d = &m->d;
  bri_free(d->params), bri_free(d->inputs), bri_free(d->bodies), bri_free(d->elems), bri_free(d->contacts);
  bri_free(d->states), bri_free(d->outputs), bri_free(d->forms), bri_free(d->values), bri_free(d->tapes.at);
  bri_free(d->pos);
  bri_buf_free(&d->set), bri_buf_free(&d->param_names), bri_buf_free(&d->var_names);
  bri_arena_destroy(d->arena);
  bri_free(m->block), bri_free(m->rows), bri_free(m->inputs), bri_free(m->states), bri_free(m->shown),
      bri_free(m->turns);
  bri_free(m);
}

/* Two bodies, or a body and a parameter, may not call their states alike. */
static void check_names(draft *d)
{
  for (size_t i = 0; i < d->nbody && d->nbody <= 256; i++)
    for (int k = 0; k < 2; k++) {
      const draft_body *b = &d->bodies[i];
      const char *name = k ? b->v : b->x;
      int twice = 0;
      for (size_t j = 0; j < d->nparam; j++) twice |= strcmp(d->params[j].name, name) == 0;
      for (size_t j = 0; j < d->ninput; j++) twice |= strcmp(d->inputs[j].name, name) == 0;
      for (size_t j = 0; j < d->nstate; j++) twice |= strcmp(d->states[j].name, name) == 0;
      for (size_t j = 0; j < d->noutput; j++) twice |= strcmp(d->outputs[j].name, name) == 0;
      for (size_t j = 0; j < i; j++)
        twice |= strcmp(d->bodies[j].x, name) == 0 || strcmp(d->bodies[j].v, name) == 0;
      if (twice)
        BRI_MECH_NOTE(d, b->node, "body '%s': the name '%s' is taken by something else", b->name, name);
    }
}

static br_status first_note(const draft *d, br_err *err)
{
  const br_note *n = &d->notes.list[0];
  return bri_fail(err, BR_E_PARSE, "%s:%zu:%zu: %s", n->file, n->line, n->column, n->text);
}

static br_status build(br_mechanism *m, const char *file, const char *text, size_t n, br_err *err)
{
  draft *d = &m->d;
  bri_node *root = NULL;
  d->arena = d->notes.arena = bri_arena_create();
  if (!d->arena) return bri_fail(err, BR_E_NOMEM, "out of memory for a mechanism");
  br_status st = bri_yaml_read(d->arena, file, text, n, &d->notes, &root, err);
  if (st == BR_E_PARSE || (!st && d->notes.n)) return first_note(d, err);
  if (st) return st;
  const bri_node *section = bri_node_find(root, "mechanism");
  if (!section)
    return bri_fail(err, BR_E_PARSE, "%s:1:1: no section 'mechanism:' with bodies, connections, contacts",
                    file);
  bri_mech_read(d, section);
  if (!d->nomem && !d->notes.n) check_names(d);
  if (d->nomem) return bri_fail(err, BR_E_NOMEM, "out of memory for a mechanism");
  if (d->notes.n) return first_note(d, err);
  if (!bri_mech_layout(d)) return bri_fail(err, BR_E_NOMEM, "out of memory for a mechanism");
  if (!d->nd && !d->nstate)
    return bri_fail(err, BR_E_PARSE,
                    "%s:%zu:%zu: nothing in it moves freely: a body with a mass or inertia is missing", file,
                    section->at.line, section->at.column);
  return bri_mech_pack(d, m, err);
}

br_status br_mechanism_parse(const char *file, const char *text, size_t n, br_mechanism **out, br_err *err)
{
  if (out) *out = NULL;
  if (!file || !text || !out) return bri_fail(err, BR_E_ARG, "br_mechanism_parse: NULL argument");
  br_mechanism *m = bri_calloc(1, sizeof *m);
  if (!m) return bri_fail(err, BR_E_NOMEM, "out of memory for a mechanism");
  const char *name = file;
  const br_status st = build(m, name, text, n, err);
  if (st) br_mechanism_destroy(m);
  else *out = m;
  return st;
}

br_status br_mechanism_load(const char *path, br_mechanism **out, br_err *err)
{
  bri_buf b = {0};
  if (out) *out = NULL;
  if (!path || !out) return bri_fail(err, BR_E_ARG, "br_mechanism_load: NULL argument");
  br_status st = bri_buf_load(&b, path, BRI_STUDY_BYTES, err);
  if (!st) st = br_mechanism_parse(path, b.text ? b.text : "", b.used, out, err);
  bri_buf_free(&b);
  return st;
}

const br_system *br_mechanism_system(const br_mechanism *m) { return m ? &m->sys : NULL; }
const char *br_mechanism_model(const br_mechanism *m) { return m && m->d.model[0] ? m->d.model : NULL; }
const char *br_mechanism_set(const br_mechanism *m) { return m && m->d.set.text ? m->d.set.text : ""; }
