/* SPDX-License-Identifier: Apache-2.0
 * cmd_schema.c - bristle schema: JSON Schema of study files, for editors, from the tables. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/analysis.h"
#include "bristle/expr.h"
#include "bristle/param.h"
#include "bristle/signal.h"
#include "bristle/study.h"
#include "cli.h"
#include "tables.h"

static const cli_example examples[] = {
    {"bristle schema > bristle-study.schema.json", "then name it in the editor's YAML settings"},
    {NULL, NULL},
};

/* One of "number|string|array". */
static void type_of(json *j, const char *types) { tables_json_choices(j, "type", types); }

/* A parameter or option: a number in SI or a text with a unit; a vector: also a list. */
static void parameter(json *j, const br_param *p)
{
  char text[400], range[128];
  json_object(j, p->name);
  (void)snprintf(text, sizeof text, "%s [%s], %s", p->doc, p->unit, br_param_range(p, sizeof range, range));
  json_text(j, "description", text);
  if (br_param_formula(p)) {
    type_of(j, "string|number");
  } else if (p->choices) {
    tables_json_choices(j, "enum", p->choices);
  } else {
    type_of(j, p->max_len > 1 ? "number|string|array" : "number|string");
    if (isfinite(p->lo)) json_number(j, p->lo_open ? "exclusiveMinimum" : "minimum", p->lo);
    if (isfinite(p->hi)) json_number(j, p->hi_open ? "exclusiveMaximum" : "maximum", p->hi);
    if (p->max_len > 1) json_number(j, "maxItems", (double)p->max_len);
    else json_number(j, "default", p->def);
  }
  json_end(j);
}

/* An option of the catalogue: what a study may write for it. */
static void option_of(json *j, const char *name, const br_option *o)
{
  const int number = o->kind == BR_OPTION_NUMBER || o->kind == BR_OPTION_COUNT;
  json_object(j, name);
  json_text(j, "description", o->doc);
  if (o->kind == BR_OPTION_FLAG || o->choices)
    tables_json_choices(j, "enum", o->choices ? o->choices : "no|yes");
  else if (number) type_of(j, "number|string");
  else if (o->kind == BR_OPTION_LIST) type_of(j, "array|number|string");
  else json_text(j, "type", "string");
  if (number && (o->lo != 0 || o->hi != 0))
    json_number(j, o->lo_open ? "exclusiveMinimum" : "minimum", o->lo);
  if (number && o->hi > o->lo) json_number(j, "maximum", o->hi);
  if (o->def) json_text(j, "default", o->def);
  json_end(j);
}

static void options_of(json *j, const br_analysis *a)
{
  json_object(j, "properties");
  for (size_t i = 0; i < a->noptions; i++) {
    option_of(j, a->options[i].name, &a->options[i]);
    if (a->options[i].alias) option_of(j, a->options[i].alias, &a->options[i]);
  }
  json_end(j);
  json_bool(j, "additionalProperties", 0);
}

static void analyses(json *j)
{
  const br_analysis *a = NULL;
  for (size_t i = 0; (a = br_catalogue(i)) != NULL; i++) {
    json_object(j, a->name);
    json_text(j, "description", a->summary);
    type_of(j, "object|null");
    options_of(j, a);
    json_end(j);
  }
}

static void reference(json *j, const char *key, const char *to)
{
  json_object(j, key);
  json_text(j, "$ref", to);
  json_end(j);
}

/* What stands under a key that holds more than a text. */
static void contents(json *j, const br_study_key *k)
{
  if (strcmp(k->name, "source") == 0) json_text(j, "$ref", "#/$defs/source");
  else if (strcmp(k->name, "output") == 0) json_text(j, "$ref", "#/$defs/output");
  else if (strcmp(k->name, "runs") == 0) reference(j, "additionalProperties", "#/$defs/run");
  else if (strcmp(k->name, "plots") == 0) reference(j, "additionalProperties", "#/$defs/plot");
  else if (strcmp(k->name, "check") == 0) reference(j, "items", "#/$defs/check");
  else if (strcmp(k->name, "panels") == 0) reference(j, "items", "#/$defs/plot");
  else if (strcmp(k->name, "lines") == 0) reference(j, "items", "#/$defs/line");
  else if (strcmp(k->name, "model") == 0) {
    const br_model *m = NULL;
    json_array(j, "enum");
    for (size_t i = 0; (m = br_all_models(i)) != NULL; i++) json_text(j, NULL, m->name);
    json_end(j);
  }
}

static void keys(json *j, br_keys part)
{
  size_t n = 0;
  const br_study_key *rows = br_study_keys(part, &n);
  json_object(j, "properties");
  for (size_t i = 0; i < n; i++) {
    const br_study_key *k = &rows[i];
    json_object(j, k->name);
    json_text(j, "description", k->doc);
    switch (k->kind) {
    case BR_KEY_TEXT: type_of(j, "string|number"); break;
    case BR_KEY_NUMBER: type_of(j, "number|string"); break;
    case BR_KEY_CHOICE: tables_json_choices(j, "enum", k->choices); break;
    case BR_KEY_MAP: type_of(j, "object|null"); break;
    case BR_KEY_LIST: type_of(j, "array"); break;
    case BR_KEY_TEXT_OR_MAP: type_of(j, "string|object"); break;
    }
    contents(j, k);
    json_end(j);
  }
  if (part == BR_KEYS_STUDY || part == BR_KEYS_RUN) analyses(j);
  json_end(j);
  json_bool(j, "additionalProperties", 0);
}

/* Parameters of 'set' depend on the model: one rule per model, for a study and for a run. */
static void model_rules(json *j)
{
  const br_model *m = NULL;
  json_array(j, "allOf");
  for (size_t i = 0; (m = br_all_models(i)) != NULL; i++) {
    json_object(j, NULL);
    json_object(j, "if");
    json_object(j, "properties");
    json_object(j, "model");
    json_text(j, "const", m->name);
    json_end(j);
    json_end(j);
    json_array(j, "required");
    json_text(j, NULL, "model");
    json_end(j);
    json_end(j);
    json_object(j, "then");
    json_object(j, "properties");
    json_object(j, "set");
    json_object(j, "properties");
    for (size_t k = 0; k < m->nparam; k++) parameter(j, &m->params[k]);
    json_end(j);
    json_end(j);
    json_end(j);
    json_end(j);
    json_end(j);
  }
  json_end(j);
}

static int run(const cli_call *call)
{
  static const struct {
    const char *name;
    br_keys part;
  } defs[] = {{"run", BR_KEYS_RUN},   {"source", BR_KEYS_SOURCE}, {"plot", BR_KEYS_PLOT},
              {"line", BR_KEYS_LINE}, {"check", BR_KEYS_CHECK},   {"output", BR_KEYS_OUTPUT}};
  json j;
  (void)call;
  json_init(&j);
  json_object(&j, NULL);
  json_text(&j, "$schema", "https://json-schema.org/draft/2020-12/schema");
  json_text(&j, "title", "Bristle study");
  json_text(&j, "type", "object");
  keys(&j, BR_KEYS_STUDY);
  model_rules(&j);
  json_object(&j, "$defs");
  for (size_t i = 0; i < sizeof defs / sizeof defs[0]; i++) {
    json_object(&j, defs[i].name);
    json_text(&j, "type", "object");
    keys(&j, defs[i].part);
    if (defs[i].part == BR_KEYS_RUN) model_rules(&j);
    json_end(&j);
  }
  json_end(&j);
  json_end(&j);
  return json_print(&j) ? CLI_OK : CLI_FAILED;
}

const cli_command cli_schema = {
    .name = "schema",
    .args = "",
    .summary = "print the JSON Schema of study files, for editors",
    .text =
        "Everything in it comes from the tables of models, analyses and keys. Units, input specs and rules "
        "between parameters are checked by 'bristle run --check'.",
    .examples = examples,
    .run = run,
};
