/* SPDX-License-Identifier: Apache-2.0
 * cmd_models.c - bristle models [NAME]: what the model tables say. */
#include <stdio.h>
#include <string.h>

#include "analysis/job.h"
#include "bristle/expr.h"
#include "catalogue/rows.h"
#include "bristle/text.h"
#include "catalogue/search.h"
#include "cli.h"
#include "json.h"
#include "tables.h"

static const cli_example examples[] = {
    {"bristle models", "all models"},
    {"bristle models lugre", "parameters, units, ranges and states of one model"},
    {"bristle models stribeck", "those in whose tables the word stands"},
    {"bristle models --json", "everything, for programs"},
    {NULL, NULL},
};

static int print_list(const cli_call *call, const br_model *const *list, size_t n)
{
  int width = 0;
  for (size_t i = 0; i < n; i++) {
    const int len = (int)strlen(list[i]->name);
    if (len > width) width = len;
  }
  (void)printf("%-*s  %-11s  %-9s  %-13s  %s\n", width, "model", "Duhem class", "rate dep.", "continuity",
               "title");
  for (size_t i = 0; i < n; i++) {
    bri_model_facts f;
    br_err err;
    if (bri_model_facts_of(list[i], &f, &err)) return cli_failed(call->command, &err);
    (void)printf("%-*s  %-11s  %-9s  %-13s  %s\n", width, list[i]->name, f.duhem,
                 f.rate_dependent ? "yes" : "no", f.continuity, list[i]->title);
  }
  (void)printf(
      "\n'bristle models NAME' shows parameters and states. Classes are those of the default parameters.\n");
  return CLI_OK;
}

static int print_model(const cli_call *call, const br_model *m)
{
  bri_model_facts f;
  br_err err;
  if (bri_model_facts_of(m, &f, &err)) return cli_failed(call->command, &err);
  (void)printf("%s - %s\n", m->name, m->title);
  if (!tables_print_equations(m->name)) return cli_no_memory(call->command);
  tables_print_parameters(m->params, m->nparam);
  (void)printf("\n");
  tables_print_states(m->states, m->nstates_rows);
  (void)printf("\n  Duhem class:     %s\n", f.duhem);
  (void)printf("  rate dependent:  %s\n", f.rate_dependent ? "yes" : "no");
  (void)printf("  continuity:      %s\n", f.continuity);
  if (m->passive_text)
    (void)printf("  passive when:    %s (%s by the defaults)\n", m->passive_text,
                 f.passive ? "met" : "not met");
  (void)printf("  step:            %s\n", m->flags & BR_MODEL_EXACT_STEP
                                              ? "exact while the velocity is held"
                                              : "integrated while the velocity is held");
  if (m->axes == 2) (void)printf("  axes:            x and y\n");
  return CLI_OK;
}

static int run(const cli_call *call)
{
  const br_model *all[BRI_NAMES], *one = NULL;
  const char *names[BRI_NAMES];
  const size_t n = bri_names_of("model", names);
  for (size_t i = 0; i < n; i++) all[i] = br_all_models(i);
  if (call->nargs && !call->values[0].given && !br_all_models_find(call->args[0]) &&
      !br_nearest_name(call->args[0], names, n)) { /* no name: a word? */
    size_t fits = 0;
    for (size_t i = 0; i < n; i++)
      if (bri_model_fits(all[i], call->args[0])) all[fits++] = all[i];
    if (fits) return print_list(call, all, fits);
  }
  if (call->nargs) {
    const int code = tables_model(call->command, call->args[0], &one);
    if (code) return code;
  }
  if (call->values[0].given)
    return json_catalogue(call->command, BR_CATALOGUE_MODELS, one ? one->name : NULL);
  return one ? print_model(call, one) : print_list(call, all, n);
}

const cli_command cli_models = {
    .name = "models",
    .args = "[NAME|WORD]",
    .summary = "list the friction models, or show one",
    .text =
        "Every model with its parameters (unit, default, allowed range, meaning), its states, and its "
        "place in the table of Duhem models: class, rate dependence, continuity.\n\n"
        "JSON: {models: [{name, parameters: [{name, unit, default, min, max, doc}], states: [{name, "
        "unit}], duhem_class, rate_dependent, continuity}]}; min and max are null where there is no bound.",
    .options = cli_json_alone,
    .noptions = 1,
    .max_args = 1,
    .examples = examples,
    .run = run,
};
