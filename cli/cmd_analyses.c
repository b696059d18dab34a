/* SPDX-License-Identifier: Apache-2.0
 * cmd_analyses.c - bristle analyses [NAME]: the catalogue, for people and as one JSON document. */
#include <stdio.h>

#include "analysis/job.h"
#include "cli.h"
#include "json.h"

static const cli_example examples[] = {
    {"bristle analyses", "what can be asked"},
    {"bristle analyses loop", "options and results of one"},
    {"bristle analyses --json", "analyses, models, systems and signals, for programs"},
    {NULL, NULL},
};

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
  const char *only = call->nargs ? call->args[0] : NULL;
  br_err err;
  if (only && !br_analysis_find(only) && bri_unknown("analysis", only, &err))
    return cli_bad_input(call->command, &err);
  if (call->values[0].given) return json_catalogue(call->command, BR_CATALOGUE_WHOLE, only);
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
        "choices, doc}], results: [{name, unit, doc}], tables, picture, pictures, examples}], models, "
        "systems, presets, signals: [{name, spec, doc}]}; models, systems and presets as the commands of "
        "these names give them.",
    .options = cli_json_alone,
    .noptions = 1,
    .max_args = 1,
    .examples = examples,
    .run = run,
};
