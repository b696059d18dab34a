/* SPDX-License-Identifier: Apache-2.0
 * cmd_schema.c - bristle schema: JSON Schema of study files. */

#include "cli.h"
#include "json.h"

static const cli_example examples[] = {
    {"bristle schema > bristle-study.schema.json", "then name it in the editor's YAML settings"},
    {NULL, NULL},
};

static int run(const cli_call *call) { return json_catalogue(call->command, BR_CATALOGUE_SCHEMA, NULL); }

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
