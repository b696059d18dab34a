/* SPDX-License-Identifier: Apache-2.0
 * cmd_systems.c - bristle systems: the mechanisms of this build. */
#include <stdio.h>

#include "bristle/system.h"
#include "bristle/text.h"
#include "cli.h"
#include "json.h"
#include "tables.h"

enum { O_JSON, OPTIONS };

static const opt_row options[OPTIONS] = {
    [O_JSON] = {OPT_ROW_JSON},
};

static const cli_example examples[] = {
    {"bristle systems", "all mechanisms of this build"},
    {"bristle systems pulled_block", "parameters, inputs and states of one"},
    {"bristle systems --json", "the same, for programs"},
    {NULL, NULL},
};

static void json_system(json *j, const br_system *s)
{
  json_object(j, NULL);
  json_text(j, "name", s->name);
  json_text(j, "title", s->title);
  tables_json_parameters(j, s->params, s->nparam);
  json_array(j, "inputs");
  for (size_t i = 0; i < s->ninput; i++) {
    json_object(j, NULL);
    json_text(j, "name", s->inputs[i].name);
    json_text(j, "unit", s->inputs[i].unit);
    json_number(j, "default", s->inputs[i].def);
    json_text(j, "doc", s->inputs[i].doc);
    json_end(j);
  }
  json_end(j);
  /* given motion counts as a state here: it is what the mechanism does */
  if (s->nshown) tables_json_states(j, s->shown, s->nshown);
  else tables_json_states(j, s->states, s->nrows);
  json_number(j, "axes", s->axes);
  json_end(j);
}

void tables_json_systems(json *j, const br_system *only)
{
  size_t n = 0;
  const br_system *const *all = br_systems(&n);
  json_array(j, "systems");
  for (size_t i = 0; i < n; i++)
    if (!only || only == all[i]) json_system(j, all[i]);
  json_end(j);
}

static void print_system(const br_system *s)
{
  (void)printf("%s: %s\n", s->name, s->title);
  tables_print_parameters(s->params, s->nparam);
  for (size_t i = 0; i < s->ninput; i++)
    (void)printf("  input %s in %s: %s\n", s->inputs[i].name, s->inputs[i].unit, s->inputs[i].doc);
  if (s->nshown) tables_print_states(s->shown, s->nshown);
  else tables_print_states(s->states, s->nrows);
  (void)printf("  and the states of the friction model\n");
}

static int run(const cli_call *call)
{
  size_t n = 0;
  const br_system *const *all = br_systems(&n), *one = NULL;
  if (call->nargs) {
    one = br_system_find(call->args[0]);
    if (!one) {
      const char *names[32];
      char hint[BRI_HINT];
      for (size_t i = 0; i < n && i < 32; i++) names[i] = all[i]->name;
      return cli_usage(
          call->command, "unknown system '%s'%s", call->args[0],
          bri_hint(call->args[0], names, n < 32 ? n : 32, "; 'bristle systems' lists them", hint));
    }
  }
  if (call->values[O_JSON].given) {
    json j;
    json_init(&j);
    json_object(&j, NULL);
    tables_json_systems(&j, one);
    json_end(&j);
    return json_print(&j) ? CLI_OK : CLI_FAILED;
  }
  if (one) print_system(one);
  for (size_t i = 0; i < n && !one; i++) (void)printf("%-14s %s\n", all[i]->name, all[i]->title);
  return CLI_OK;
}

const cli_command cli_systems = {
    .name = "systems",
    .args = "[NAME]",
    .summary = "list the mechanisms, or show one",
    .text = "Mechanisms into which a friction model is put: parameters, inputs and states. 'bristle "
            "simulate' runs them.\n\n"
            "JSON: {systems: [{name, title, parameters, inputs: [{name, unit, default, doc}], states, "
            "axes}]}, like 'bristle models'.",
    .options = options,
    .noptions = OPTIONS,
    .max_args = 1,
    .examples = examples,
    .run = run,
};
