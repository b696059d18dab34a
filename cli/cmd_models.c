/* SPDX-License-Identifier: Apache-2.0
 * cmd_models.c - bristle models [NAME]: what the model tables say. */
#include <stdio.h>
#include <string.h>

#include "bristle/expr.h"
#include "bristle/param.h"
#include "cli.h"
#include "setup.h"
#include "tables.h"

enum { O_JSON, OPTIONS };

static const opt_row options[OPTIONS] = {
    [O_JSON] = {OPT_ROW_JSON},
};

static const cli_example examples[] = {
    {"bristle models", "all models"},
    {"bristle models lugre", "parameters, units, ranges and states of one model"},
    {"bristle models --json", "everything, for programs"},
    {NULL, NULL},
};

static const char *duhem_text(br_duhem_class d)
{
  return d == BR_DUHEM_GENERALIZED ? "generalized" : d == BR_DUHEM_SEMILINEAR ? "semilinear" : "none";
}

static const char *continuity_text(br_continuity c)
{
  return c == BR_LIPSCHITZ ? "lipschitz" : c == BR_CONTINUOUS ? "continuous" : "discontinuous";
}

/* Class and passivity at the default parameters. */
static br_status facts(const br_model *m, br_class *c, int *passive, br_err *err)
{
  br_params *p = NULL;
  br_status st = br_params_create(m, &p, err);
  if (!st) st = br_params_finish(p, err);
  if (!st) {
    m->classify(br_params_block(p, "model"), c);
    *passive = m->passive ? m->passive(br_params_block(p, "model")) : 0;
  }
  br_params_destroy(p);
  return st;
}

static br_status json_model(json *j, const br_model *m, br_err *err)
{
  br_class c;
  int passive = 0;
  const br_status st = facts(m, &c, &passive, err);
  if (st) return st;
  json_object(j, NULL);
  json_text(j, "name", m->name);
  json_text(j, "title", m->title);
  json_number(j, "axes", m->axes);
  tables_json_parameters(j, m->params, m->nparam);
  tables_json_states(j, m->states, m->nstates_rows);
  json_text(j, "duhem_class", duhem_text(c.duhem));
  json_bool(j, "rate_dependent", c.rate_dependent);
  json_text(j, "continuity", continuity_text(c.continuity));
  json_text(j, "passive_condition", m->passive_text);
  json_bool(j, "passive", passive);
  json_bool(j, "exact_step", (m->flags & BR_MODEL_EXACT_STEP) != 0);
  json_end(j);
  return BR_OK;
}

br_status tables_json_models(json *j, const br_model *only, br_err *err)
{
  br_status st = BR_OK;
  const br_model *m = NULL;
  json_array(j, "models");
  for (size_t i = 0; (m = br_all_models(i)) != NULL && !st; i++)
    if (!only || only == m) st = json_model(j, m, err);
  json_end(j);
  return st;
}

static int print_json(const cli_call *call, const br_model *only)
{
  json j;
  br_err err;
  json_init(&j);
  json_object(&j, NULL);
  if (tables_json_models(&j, only, &err)) {
    json_free(&j);
    return cli_failed(call->command, &err);
  }
  json_end(&j);
  return json_print(&j) ? CLI_OK : CLI_FAILED;
}

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
    br_class c;
    br_err err;
    int passive = 0;
    if (facts(list[i], &c, &passive, &err)) return cli_failed(call->command, &err);
    (void)printf("%-*s  %-11s  %-9s  %-13s  %s\n", width, list[i]->name, duhem_text(c.duhem),
                 c.rate_dependent ? "yes" : "no", continuity_text(c.continuity), list[i]->title);
  }
  (void)printf(
      "\n'bristle models NAME' shows parameters and states. Classes are those of the default parameters.\n");
  return CLI_OK;
}

static int print_model(const cli_call *call, const br_model *m)
{
  br_class c;
  br_err err;
  int passive = 0;
  if (facts(m, &c, &passive, &err)) return cli_failed(call->command, &err);
  (void)printf("%s - %s\n\n", m->name, m->title);
  tables_print_parameters(m->params, m->nparam);
  (void)printf("\n");
  tables_print_states(m->states, m->nstates_rows);
  (void)printf("\n  Duhem class:     %s\n", duhem_text(c.duhem));
  (void)printf("  rate dependent:  %s\n", c.rate_dependent ? "yes" : "no");
  (void)printf("  continuity:      %s\n", continuity_text(c.continuity));
  if (m->passive_text) {
    (void)printf("  passive when:    %s (%s by the defaults)\n", m->passive_text,
                 passive ? "met" : "not met");
  }
  (void)printf("  step:            %s\n", m->flags & BR_MODEL_EXACT_STEP
                                              ? "exact while the velocity is held"
                                              : "integrated while the velocity is held");
  if (m->axes == 2) (void)printf("  axes:            x and y\n");
  return CLI_OK;
}

static int run(const cli_call *call)
{
  const br_model *all[64], *one = NULL, *m = NULL;
  size_t n = 0;
  while (n < sizeof all / sizeof all[0] && (m = br_all_models(n)) != NULL) all[n++] = m;
  if (call->nargs) {
    const int code = setup_model(call->command, call->args[0], &one);
    if (code) return code;
  }
  if (call->values[O_JSON].given) return print_json(call, one);
  return one ? print_model(call, one) : print_list(call, all, n);
}

const cli_command cli_models = {
    .name = "models",
    .args = "[NAME]",
    .summary = "list the friction models, or show one",
    .text =
        "Every model with its parameters (unit, default, allowed range, meaning), its states, and its "
        "place in the table of Duhem models: class, rate dependence, continuity.\n\n"
        "JSON: {models: [{name, parameters: [{name, unit, default, min, max, doc}], states: [{name, "
        "unit}], duhem_class, rate_dependent, continuity}]}; min and max are null where there is no bound.",
    .options = options,
    .noptions = OPTIONS,
    .max_args = 1,
    .examples = examples,
    .run = run,
};
