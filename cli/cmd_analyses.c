/* SPDX-License-Identifier: Apache-2.0
 * cmd_analyses.c - bristle analyses [NAME]: the catalogue, for people and as one JSON document. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/analysis.h"
#include "bristle/signal.h"
#include "bristle/study.h"
#include "bristle/text.h"
#include "bristle/version.h"
#include "cli.h"
#include "tables.h"

enum { O_JSON, OPTIONS };

static const opt_row options[OPTIONS] = {
    [O_JSON] = {OPT_ROW_JSON},
};

static const cli_example examples[] = {
    {"bristle analyses", "what can be asked"},
    {"bristle analyses loop", "options and results of one"},
    {"bristle analyses --json", "analyses, models, systems and signals, for programs"},
    {NULL, NULL},
};

/* ---- JSON ---- */

static void option_of(json *j, const br_option *o)
{
  const int bounded = o->lo != 0 || o->hi != 0;
  json_object(j, NULL);
  json_text(j, "name", o->name);
  json_text(j, "kind", br_option_kind_text(o->kind));
  json_text(j, "unit", o->unit);
  json_text(j, "default", o->def);
  json_number(j, "min", bounded ? o->lo : (double)NAN);
  json_number(j, "max", bounded && o->hi > o->lo ? o->hi : (double)NAN);
  json_bool(j, "min_exclusive", bounded && o->lo_open);
  tables_json_choices(j, "choices", o->choices);
  json_text(j, "alias", o->alias);
  json_text(j, "needs", o->needs);
  json_text(j, "excludes", o->excludes);
  json_text(j, "doc", o->doc);
  json_end(j);
}

static void needs_of(json *j, unsigned bits)
{
  json_array(j, "needs");
  if (bits & BR_NEEDS_MODEL) json_text(j, NULL, "model");
  if (bits & BR_NEEDS_SYSTEM) json_text(j, NULL, "system");
  if (bits & BR_NEEDS_INPUT) json_text(j, NULL, "input");
  if (bits & BR_TAKES_INIT) json_text(j, NULL, "init");
  json_end(j);
}

static void picture_of(json *j, const br_picture *p)
{
  json_array(j, "picture");
  for (size_t i = 0; i < p->npanels; i++) {
    const br_picture_panel *k = &p->panels[i];
    json_object(j, NULL);
    json_text(j, "x", k->x), json_text(j, "y", k->y);
    json_text(j, "xlabel", k->xlabel), json_text(j, "ylabel", k->ylabel);
    json_text(j, "when", k->when);
    json_array(j, "lines");
    for (size_t l = 0; l < k->nlines; l++) {
      json_object(j, NULL);
      json_text(j, "table", k->lines[l].table), json_text(j, "style", k->lines[l].style);
      json_text(j, "label", k->lines[l].label);
      json_end(j);
    }
    json_end(j);
    json_end(j);
  }
  json_end(j);
}

static void analysis_of(json *j, const br_analysis *a)
{
  static const char *const KIND[] = {"value", "table", "picture", "detail"};
  json_object(j, NULL);
  json_text(j, "name", a->name);
  json_text(j, "summary", a->summary);
  needs_of(j, a->needs);
  json_array(j, "options");
  for (size_t i = 0; i < a->noptions; i++) option_of(j, &a->options[i]);
  json_end(j);
  json_array(j, "results");
  for (size_t i = 0; i < a->nresults; i++) {
    const br_result_row *r = &a->results[i];
    json_object(j, NULL);
    json_text(j, "name", r->name), json_text(j, "unit", r->unit), json_text(j, "doc", r->doc);
    json_text(j, "kind", KIND[r->kind]);
    json_end(j);
  }
  json_end(j);
  picture_of(j, &a->picture);
  json_array(j, "examples");
  for (const br_example *e = a->examples; e && e->line; e++) json_text(j, NULL, e->line);
  json_end(j);
  json_end(j);
}

static int print_json(const cli_command *c, const char *only)
{
  const br_analysis *a = NULL;
  const br_signal_kind *k = NULL;
  br_err err;
  json j;
  json_init(&j);
  json_object(&j, NULL);
  json_text(&j, "version", br_version());
  json_array(&j, "analyses");
  for (size_t i = 0; (a = br_catalogue(i)) != NULL; i++)
    if (!a->alias_of && (!only || strcmp(only, a->name) == 0)) analysis_of(&j, a);
  json_end(&j);
  if (tables_json_models(&j, NULL, &err)) {
    json_free(&j);
    return cli_failed(c, &err);
  }
  tables_json_systems(&j, NULL);
  json_array(&j, "signals");
  for (size_t i = 0; (k = br_signal_kinds(i)) != NULL; i++) {
    json_object(&j, NULL);
    json_text_n(&j, "name", k->grammar, strcspn(k->grammar, ":"));
    json_text(&j, "spec", k->grammar), json_text(&j, "doc", k->doc);
    json_end(&j);
  }
  json_end(&j);
  json_end(&j);
  return json_print(&j) ? CLI_OK : CLI_FAILED;
}

/* ---- text ---- */

static void print_one(const br_analysis *a)
{
  (void)printf("%s: %s\n\n", a->name, a->summary);
  for (size_t i = 0; i < a->noptions; i++)
    (void)printf("  %-10s %-7s %-5s %s\n", a->options[i].name, br_option_kind_text(a->options[i].kind),
                 a->options[i].unit ? a->options[i].unit : "", a->options[i].doc);
  (void)printf("\n  results\n");
  for (size_t i = 0; i < a->nresults; i++)
    (void)printf("  %-28s %-5s %s%s\n", a->results[i].name, a->results[i].unit,
                 a->results[i].kind == BR_RESULT_VALUE ? "" : "table: ", a->results[i].doc);
}

static int run(const cli_call *call)
{
  const br_analysis *a = NULL;
  const char *only = call->nargs ? call->args[0] : NULL, *names[64];
  char hint[BRI_HINT];
  size_t n = 0;
  for (; n < 64 && (a = br_catalogue(n)) != NULL; n++) names[n] = a->name;
  if (only && !br_analysis_find(only))
    return cli_usage(call->command, "unknown analysis '%s'%s", only,
                     bri_hint(only, names, n, "; 'bristle analyses' lists them", hint));
  if (call->values[O_JSON].given) return print_json(call->command, only);
  if (only) print_one(br_analysis_find(only));
  for (size_t i = 0; !only && (a = br_catalogue(i)) != NULL; i++)
    if (!a->alias_of) (void)printf("%-10s %s\n", a->name, a->summary);
  return CLI_OK;
}

const cli_command cli_analyses = {
    .name = "analyses",
    .args = "[NAME]",
    .summary = "list what can be asked, or show options and results of one",
    .text =
        "Every analysis is a command and a section of a study, with the same options, names and results.\n\n"
        "JSON: {version, analyses: [{name, summary, needs, options: [{name, kind, unit, default, min, max, "
        "choices, doc}], results: [{name, unit, doc}], picture, examples}], models, systems, signals: "
        "[{name, "
        "spec, doc}]}; models and systems as 'bristle models' and 'bristle systems' give them.",
    .options = options,
    .noptions = OPTIONS,
    .max_args = 1,
    .examples = examples,
    .run = run,
};
