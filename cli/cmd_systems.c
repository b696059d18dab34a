/* SPDX-License-Identifier: Apache-2.0
 * cmd_systems.c - bristle systems: the mechanisms of this build. */
#include <stdio.h>

#include "bristle/system.h"
#include "analysis/job.h"
#include "catalogue/search.h"
#include "cli.h"
#include "json.h"
#include "mechanism/schematic.h"
#include "tables.h"

static const cli_example examples[] = {
    {"bristle systems", "all mechanisms of this build"},
    {"bristle systems pulled_block", "parameters, inputs and states of one"},
    {"bristle systems motor", "those in whose tables the word stands"},
    {"bristle systems mechanisms/belt_oscillator.yaml --output belt.svg", "picture of one that is text"},
    {"bristle systems --json", "the same, for programs"},
    {NULL, NULL},
};

static int print_system(const br_system *s)
{
  (void)printf("%s: %s\n", s->name, s->title);
  if (!tables_print_equations(s->name)) return 0;
  tables_print_parameters(s->params, s->nparam);
  for (size_t i = 0; i < s->ninput; i++)
    (void)printf("  input %s in %s: %s\n", s->inputs[i].name, s->inputs[i].unit, s->inputs[i].doc);
  if (s->nrows) tables_print_states(s->states, s->nrows);
  if (s->nshown) tables_print_states(s->shown, s->nshown);
  (void)printf("  and the states of the friction model\n");
  return 1;
}

/* A mechanism as text: its tables, or its picture. */
static int show_file(const cli_call *call)
{
  br_err err = {BR_OK, -1, ""};
  br_mechanism *m = NULL;
  bri_buf b = {0};
  const opt_value *picture = &call->values[1];
  br_status st = br_mechanism_load(call->args[0], &m, &err);
  const int read = st == BR_OK; /* what fails behind it is no fault of the text */
  if (read && !picture->given) (void)print_system(br_mechanism_system(m));
  if (read && picture->given) {
    bri_mech_draw(m, &b);
    st = b.failed ? bri_fail(&err, BR_E_NOMEM, "out of memory") : bri_buf_save(&b, picture->text, &err);
  }
  bri_buf_free(&b);
  br_mechanism_destroy(m);
  if (!st) return CLI_OK;
  return st == BR_E_NOMEM ? cli_no_memory(call->command)
         : read           ? cli_failed(call->command, &err)
                          : cli_bad_input(call->command, &err);
}

static int run(const cli_call *call)
{
  if (call->nargs && br_mechanism_named(call->args[0])) return show_file(call);
  if (call->values[1].given)
    return cli_usage(call->command, "--output draws a mechanism that is text: FILE.yaml");
  size_t n = 0;
  const br_system *const *all = br_systems(&n), *one = NULL;
  if (call->nargs) {
    one = br_system_find(call->args[0]);
    if (!one) {
      br_err err;
      size_t fits = 0;
      for (size_t i = 0; i < n && !call->values[0].given; i++)
        if (bri_system_fits(all[i], call->args[0]))
          fits += (size_t)printf("%-14s %s\n", all[i]->name, all[i]->title);
      return !fits && bri_unknown("system", call->args[0], &err) ? cli_bad_input(call->command, &err)
                                                                 : CLI_OK;
    }
  }
  if (call->values[0].given)
    return json_catalogue(call->command, BR_CATALOGUE_SYSTEMS, one ? one->name : NULL);
  if (one && !print_system(one)) return cli_no_memory(call->command);
  for (size_t i = 0; i < n && !one; i++) (void)printf("%-14s %s\n", all[i]->name, all[i]->title);
  return CLI_OK;
}

static opt_row options[] = {
    {OPT_ROW_JSON},
    {"output", "FILE.svg", OPT_FILE, "draw the mechanism of a text file (docs/mechanism.md)"},
};

const cli_command cli_systems = {
    .name = "systems",
    .args = "[NAME|WORD|FILE.yaml]",
    .summary = "list the mechanisms, or show one",
    .text = "Mechanisms into which a friction model is put: parameters, inputs and states. 'bristle "
            "simulate' runs them.\n\n"
            "JSON: {systems: [{name, title, parameters, inputs: [{name, unit, default, doc}], states, "
            "axes}]}, like 'bristle models'.",
    .options = options,
    .noptions = 2,
    .max_args = 1,
    .examples = examples,
    .run = run,
};
