/* SPDX-License-Identifier: Apache-2.0
 * schema.c - JSON Schema of study files, for editors, from the tables. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/analysis.h"
#include "bristle/expr.h"
#include "bristle/param.h"
#include "bristle/study.h"
#include "rows.h"

/* One of "number|string|array". */
static void type_of(bri_json *j, const char *types) { bri_json_choices(j, "type", types); }

/* A parameter or option: a number in SI or a text with a unit; a vector: also a list. */
static void parameter(bri_json *j, const br_param *p)
{
  char text[400], range[128];
  bri_json_object(j, p->name);
  (void)snprintf(text, sizeof text, "%s [%s], %s", p->doc, p->unit, br_param_range(p, sizeof range, range));
  bri_json_text(j, "description", text);
  if (br_param_formula(p)) {
    type_of(j, "string|number");
  } else if (p->choices) {
    bri_json_choices(j, "enum", p->choices);
  } else {
    type_of(j, p->max_len > 1 ? "number|string|array" : "number|string");
    if (isfinite(p->lo)) bri_json_number(j, p->lo_open ? "exclusiveMinimum" : "minimum", p->lo);
    if (isfinite(p->hi)) bri_json_number(j, p->hi_open ? "exclusiveMaximum" : "maximum", p->hi);
    if (p->max_len > 1) bri_json_number(j, "maxItems", (double)p->max_len);
    else bri_json_number(j, "default", p->def);
  }
  bri_json_end(j);
}

/* An option of the catalogue: what a study may write for it. */
static void option_of(bri_json *j, const char *name, const br_option *o)
{
  const int number = o->kind == BR_OPTION_NUMBER || o->kind == BR_OPTION_COUNT;
  bri_json_object(j, name);
  bri_json_text(j, "description", o->doc);
  if (o->kind == BR_OPTION_FLAG || o->choices)
    bri_json_choices(j, "enum", o->choices ? o->choices : "no|yes");
  else if (number) type_of(j, "number|string");
  else if (o->kind == BR_OPTION_LIST) type_of(j, "array|number|string");
  else bri_json_text(j, "type", "string");
  if (number && (o->lo != 0 || o->hi != 0))
    bri_json_number(j, o->lo_open ? "exclusiveMinimum" : "minimum", o->lo);
  if (number && o->hi > o->lo) bri_json_number(j, "maximum", o->hi);
  if (o->def) bri_json_text(j, "default", o->def);
  bri_json_end(j);
}

static void options_of(bri_json *j, const br_analysis *a)
{
  bri_json_object(j, "properties");
  for (size_t i = 0; i < a->noptions; i++) {
    option_of(j, a->options[i].name, &a->options[i]);
    if (a->options[i].alias) option_of(j, a->options[i].alias, &a->options[i]);
  }
  bri_json_end(j);
  bri_json_bool(j, "additionalProperties", 0);
}

static void analyses(bri_json *j)
{
  const br_analysis *a = NULL;
  for (size_t i = 0; (a = br_catalogue(i)) != NULL; i++) {
    bri_json_object(j, a->name);
    bri_json_text(j, "description", a->summary);
    type_of(j, "object|null");
    options_of(j, a);
    bri_json_end(j);
  }
}

static void reference(bri_json *j, const char *key, const char *to)
{
  bri_json_object(j, key);
  bri_json_text(j, "$ref", to);
  bri_json_end(j);
}

/* What stands under a key that holds more than a text. */
static void contents(bri_json *j, const br_study_key *k)
{
  if (strcmp(k->name, "source") == 0) bri_json_text(j, "$ref", "#/$defs/source");
  else if (strcmp(k->name, "output") == 0) bri_json_text(j, "$ref", "#/$defs/output");
  else if (strcmp(k->name, "runs") == 0) reference(j, "additionalProperties", "#/$defs/run");
  else if (strcmp(k->name, "plots") == 0) reference(j, "additionalProperties", "#/$defs/plot");
  else if (strcmp(k->name, "check") == 0) reference(j, "items", "#/$defs/check");
  else if (strcmp(k->name, "panels") == 0) reference(j, "items", "#/$defs/plot");
  else if (strcmp(k->name, "lines") == 0) reference(j, "items", "#/$defs/line");
  else if (strcmp(k->name, "model") == 0) {
    const br_model *m = NULL;
    bri_json_array(j, "enum");
    for (size_t i = 0; (m = br_all_models(i)) != NULL; i++) bri_json_text(j, NULL, m->name);
    bri_json_end(j);
  } else if (strcmp(k->name, "preset") == 0) {
    bri_json_array(j, "enum");
    for (size_t i = 0; br_presets(i); i++) bri_json_text(j, NULL, br_presets(i)->name);
    bri_json_end(j);
  }
}

static void keys(bri_json *j, br_keys part)
{
  size_t n = 0;
  const br_study_key *rows = br_study_keys(part, &n);
  bri_json_object(j, "properties");
  for (size_t i = 0; i < n; i++) {
    const br_study_key *k = &rows[i];
    bri_json_object(j, k->name);
    bri_json_text(j, "description", k->doc);
    switch (k->kind) {
    case BR_KEY_TEXT: type_of(j, "string|number"); break;
    case BR_KEY_NUMBER: type_of(j, "number|string"); break;
    case BR_KEY_CHOICE: bri_json_choices(j, "enum", k->choices); break;
    case BR_KEY_MAP: type_of(j, "object|null"); break;
    case BR_KEY_LIST: type_of(j, "array"); break;
    case BR_KEY_TEXT_OR_MAP: type_of(j, "string|object"); break;
    }
    contents(j, k);
    bri_json_end(j);
  }
  if (part == BR_KEYS_STUDY || part == BR_KEYS_RUN) analyses(j);
  bri_json_end(j);
  bri_json_bool(j, "additionalProperties", 0);
}

/* Parameters of 'set' depend on the model: one rule per model, for a study and for a run. */
static void model_rules(bri_json *j)
{
  const br_model *m = NULL;
  bri_json_array(j, "allOf");
  for (size_t i = 0; (m = br_all_models(i)) != NULL; i++) {
    bri_json_object(j, NULL);
    bri_json_object(j, "if");
    bri_json_object(j, "properties");
    bri_json_object(j, "model");
    bri_json_text(j, "const", m->name);
    bri_json_end(j);
    bri_json_end(j);
    bri_json_array(j, "required");
    bri_json_text(j, NULL, "model");
    bri_json_end(j);
    bri_json_end(j);
    bri_json_object(j, "then");
    bri_json_object(j, "properties");
    bri_json_object(j, "set");
    bri_json_object(j, "properties");
    for (size_t k = 0; k < m->nparam; k++) parameter(j, &m->params[k]);
    bri_json_end(j);
    bri_json_end(j);
    bri_json_end(j);
    bri_json_end(j);
    bri_json_end(j);
  }
  bri_json_end(j);
}

void bri_json_schema(bri_json *j)
{
  static const struct {
    const char *name;
    br_keys part;
  } defs[] = {{"run", BR_KEYS_RUN},   {"source", BR_KEYS_SOURCE}, {"plot", BR_KEYS_PLOT},
              {"line", BR_KEYS_LINE}, {"check", BR_KEYS_CHECK},   {"output", BR_KEYS_OUTPUT}};
  bri_json_text(j, "$schema", "https://json-schema.org/draft/2020-12/schema");
  bri_json_text(j, "title", "Bristle study");
  bri_json_text(j, "type", "object");
  keys(j, BR_KEYS_STUDY);
  model_rules(j);
  bri_json_object(j, "$defs");
  for (size_t i = 0; i < sizeof defs / sizeof defs[0]; i++) {
    bri_json_object(j, defs[i].name);
    bri_json_text(j, "type", "object");
    keys(j, defs[i].part);
    if (defs[i].part == BR_KEYS_RUN) model_rules(j);
    bri_json_end(j);
  }
  bri_json_end(j);
}
