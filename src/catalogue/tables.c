/* SPDX-License-Identifier: Apache-2.0
 * tables.c - models and mechanisms as JSON: parameters, states, inputs, class. */
#include <math.h>
#include <string.h>

#include "bristle/expr.h"
#include "bristle/param.h"
#include "bristle/system.h"
#include "rows.h"

void bri_json_choices(bri_json *j, const char *key, const char *choices)
{
  bri_json_array(j, key);
  for (const char *s = choices ? choices : ""; *s; s += strcspn(s, "|"), s += *s == '|')
    bri_json_text_n(j, NULL, s, strcspn(s, "|"));
  bri_json_end(j);
}

static void json_default(bri_json *j, const br_param *p)
{
  if (p->choices) {
    size_t len = 0;
    const char *s = br_param_choice(p, (size_t)p->def, &len);
    if (s) bri_json_text_n(j, "default", s, len);
    else bri_json_null(j, "default");
  } else if (p->max_len > 1) {
    bri_json_numbers(j, "default", p->defs, p->ndef);
  } else {
    bri_json_number(j, "default", p->def);
  }
}

static void parameters(bri_json *j, const br_param *rows, size_t n)
{
  bri_json_array(j, "parameters");
  for (size_t i = 0; i < n; i++) {
    const br_param *p = &rows[i];
    bri_json_object(j, NULL);
    bri_json_text(j, "name", p->name);
    bri_json_text(j, "unit", p->unit);
    json_default(j, p);
    bri_json_number(j, "min", p->choices ? NAN : p->lo); /* unbounded: null */
    bri_json_number(j, "max", p->choices ? NAN : p->hi);
    bri_json_bool(j, "min_exclusive", !p->choices && isfinite(p->lo) && p->lo_open);
    bri_json_bool(j, "max_exclusive", !p->choices && isfinite(p->hi) && p->hi_open);
    if (br_param_formula(p)) {
      bri_json_text(j, "formula_of", br_param_formula(p));
    } else if (p->choices) {
      bri_json_choices(j, "choices", p->choices);
    }
    if (p->max_len > 1) bri_json_number(j, "max_length", (double)p->max_len);
    bri_json_text(j, "doc", p->doc);
    bri_json_end(j);
  }
  bri_json_end(j);
}

static void states(bri_json *j, const br_state *rows, size_t n)
{
  bri_json_array(j, "states");
  for (size_t i = 0; i < n; i++) {
    bri_json_object(j, NULL);
    bri_json_text(j, "name", rows[i].name);
    bri_json_text(j, "unit", rows[i].unit);
    bri_json_text(j, "doc", rows[i].doc);
    if (rows[i].max_len > 1)
      bri_json_number(j, "max_length", (double)rows[i].max_len); /* name1, name2, ... */
    bri_json_end(j);
  }
  bri_json_end(j);
}

static const char *duhem_text(br_duhem_class d)
{
  return d == BR_DUHEM_GENERALIZED ? "generalized" : d == BR_DUHEM_SEMILINEAR ? "semilinear" : "none";
}

static const char *continuity_text(br_continuity c)
{
  return c == BR_LIPSCHITZ ? "lipschitz" : c == BR_CONTINUOUS ? "continuous" : "discontinuous";
}

br_status bri_model_facts_of(const br_model *m, bri_model_facts *f, br_err *err)
{
  br_params *p = NULL;
  br_class c;
  br_status st = br_params_create(m, &p, err);
  if (!st) st = br_params_finish(p, err);
  if (!st) {
    m->classify(br_params_block(p, "model"), &c);
    *f = (bri_model_facts){duhem_text(c.duhem), continuity_text(c.continuity), c.rate_dependent,
                           m->passive ? m->passive(br_params_block(p, "model")) : 0};
  }
  br_params_destroy(p);
  return st;
}

static br_status model_of(bri_json *j, const br_model *m, br_err *err)
{
  bri_model_facts f;
  const br_status st = bri_model_facts_of(m, &f, err);
  if (st) return st;
  bri_json_object(j, NULL);
  bri_json_text(j, "name", m->name);
  bri_json_text(j, "title", m->title);
  bri_json_number(j, "axes", m->axes);
  parameters(j, m->params, m->nparam);
  states(j, m->states, m->nstates_rows);
  bri_json_text(j, "duhem_class", f.duhem);
  bri_json_bool(j, "rate_dependent", f.rate_dependent);
  bri_json_text(j, "continuity", f.continuity);
  bri_json_text(j, "passive_condition", m->passive_text);
  bri_json_bool(j, "passive", f.passive);
  bri_json_bool(j, "exact_step", (m->flags & BR_MODEL_EXACT_STEP) != 0);
  bri_json_end(j);
  return BR_OK;
}

br_status bri_json_models(bri_json *j, const char *only, br_err *err)
{
  br_status st = BR_OK;
  const br_model *m = NULL;
  bri_json_array(j, "models");
  for (size_t i = 0; (m = br_all_models(i)) != NULL && !st; i++)
    if (!only || strcmp(only, m->name) == 0) st = model_of(j, m, err);
  bri_json_end(j);
  return st;
}

void bri_json_system(bri_json *j, const br_system *s)
{
  bri_json_object(j, NULL);
  bri_json_text(j, "name", s->name);
  bri_json_text(j, "title", s->title);
  parameters(j, s->params, s->nparam);
  bri_json_array(j, "inputs");
  for (size_t i = 0; i < s->ninput; i++) {
    bri_json_object(j, NULL);
    bri_json_text(j, "name", s->inputs[i].name);
    bri_json_text(j, "unit", s->inputs[i].unit);
    bri_json_number(j, "default", s->inputs[i].def);
    bri_json_text(j, "doc", s->inputs[i].doc);
    bri_json_end(j);
  }
  bri_json_end(j);
  /* given motion counts as a state here: it is what the mechanism does */
  if (s->nshown) states(j, s->shown, s->nshown);
  else states(j, s->states, s->nrows);
  bri_json_number(j, "axes", s->axes);
  bri_json_end(j);
}

void bri_json_systems(bri_json *j, const char *only)
{
  size_t n = 0;
  const br_system *const *all = br_systems(&n);
  bri_json_array(j, "systems");
  for (size_t i = 0; i < n; i++)
    if (!only || strcmp(only, all[i]->name) == 0) bri_json_system(j, all[i]);
  bri_json_end(j);
}
