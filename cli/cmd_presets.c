/* SPDX-License-Identifier: Apache-2.0
 * cmd_presets.c - bristle presets [NAME|WORDS]: published parameter sets. */
#include <stdio.h>

#include "cli.h"
#include "json.h"
#include "preset/preset.h"

static const cli_example examples[] = {
    {"bristle presets", "all sets"},
    {"bristle presets doc1", "values and source of one"},
    {"bristle presets puma", "those that have the word in name, title or source"},
    {"bristle simulate --preset doc1 --set vp=2 --cycle", "the stick-slip cycle of a published machine"},
    {NULL, NULL},
};

static int run(const cli_call *call)
{
  const br_preset *one = NULL;
  char words[128] = "";
  for (size_t i = 0, used = 0; i < call->nargs && used < sizeof words; i++)
    used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", i ? " " : "", call->args[i]);
  const char *wanted = call->nargs ? words : NULL;
  br_err err;
  bri_buf text = {0};
  if (!bri_presets_found(wanted) && bri_preset_find(wanted, &one, &err))
    return cli_bad_input(call->command, &err);
  if (!call->values[0].given) {
    bri_presets_text(&text, wanted);
    const int good = json_print_text(text.failed ? NULL : text.text, text.used);
    bri_buf_free(&text);
    return good ? CLI_OK : CLI_FAILED;
  }
  return json_catalogue(call->command, BR_CATALOGUE_PRESETS, wanted);
}

const cli_command cli_presets = {
    .name = "presets",
    .args = "[NAME|WORDS]",
    .summary = "list published parameter sets, search them, or show one with its source",
    .text =
        "Sets of the documents and of the literature. '--preset NAME' takes one in every command that has a "
        "model, and 'preset: NAME' in a study: it names model and mechanism, and its values hold where "
        "'--set' gives none. With another --system the values of the model alone are taken.\n\n"
        "JSON: {presets: [{name, title, model, model_set, system, system_set, source}]}; values as in --set.",
    .options = cli_json_alone,
    .noptions = 1,
    .max_args = 8,
    .examples = examples,
    .run = run,
};
