/* SPDX-License-Identifier: Apache-2.0
 * cmd_systems.c - bristle systems: the mechanisms of this build. */
#include <stdio.h>

#include "cli.h"
#include "json.h"

enum { O_JSON, OPTIONS };

static const opt_row options[OPTIONS] = {
    [O_JSON] = OPT_ROW_JSON,
};

static const cli_example examples[] = {
    {"bristle systems", "all mechanisms of this build"},
    {"bristle systems --json", "the same, for programs"},
    {NULL, NULL},
};

static int run(const cli_call *call)
{
  if (call->nargs)
    return cli_usage(call->command, "unknown system '%s'; no mechanism is built in yet", call->args[0]);
  if (call->values[O_JSON].given) {
    json j;
    json_init(&j);
    json_object(&j, NULL);
    json_array(&j, "systems");
    json_end(&j);
    json_end(&j);
    return json_print(&j) ? CLI_OK : CLI_FAILED;
  }
  (void)printf("No mechanism is built in yet. 'bristle trace' moves a friction element by a given motion.\n");
  return CLI_OK;
}

const cli_command cli_systems = {
    "systems",
    "[NAME]",
    "list the mechanisms, or show one",
    "Mechanisms into which a friction model is put: parameters, inputs and states.\n\n"
    "JSON: {systems: [...]}, like 'bristle models' with inputs.",
    options,
    OPTIONS,
    1,
    examples,
    0,
    run,
};
