/* SPDX-License-Identifier: Apache-2.0
 * cmd_explain.c - bristle explain [TERM]: the glossary, and what the tables of models and mechanisms say of a
 * name. */
#include <stdio.h>
#include <string.h>

#include "bristle/analysis.h"
#include "bristle/control.h"
#include "bristle/expr.h"
#include "bristle/model.h"
#include "bristle/system.h"
#include "cli.h"
#include "report/glossary.h"

static const cli_example examples[] = {
    {"bristle explain hunting", "what a word means"},
    {"bristle explain sigma1", "a parameter, and who has it"},
    {"bristle explain", "all terms"},
    {NULL, NULL},
};

static int rows_of(const char *owner, const br_param *rows, size_t n, const char *name)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp(rows[i].name, name) == 0)
      return printf("  %s of %s, %s: %s\n", name, owner,
                    strcmp(rows[i].unit, "1") ? rows[i].unit : "without unit", rows[i].doc);
  return 0;
}

/* Parameters and states of that name; 0: none. */
static int rows_named(const char *name)
{
  const br_model *m = NULL;
  size_t n = 0;
  const br_system *const *all = br_systems(&n);
  int found = 0;
  for (size_t i = 0; (m = br_all_models(i)) != NULL; i++) {
    found += rows_of(m->name, m->params, m->nparam, name) > 0;
    for (size_t k = 0; k < m->nstates_rows; k++)
      if (strcmp(m->states[k].name, name) == 0)
        found +=
            printf("  %s of %s, state, %s: %s\n", name, m->name, m->states[k].unit, m->states[k].doc) > 0;
  }
  for (size_t i = 0; i < n; i++) {
    const br_system *s = all[i];
    found += rows_of(s->name, s->params, s->nparam, name) > 0;
    for (size_t k = 0; k < s->ninput; k++)
      if (strcmp(s->inputs[k].name, name) == 0)
        found +=
            printf("  %s of %s, input, %s: %s\n", name, s->name, s->inputs[k].unit, s->inputs[k].doc) > 0;
  }
  return found;
}

static int list(const cli_command *c)
{
  bri_glossary_entry e;
  bri_buf all = {0};
  for (size_t i = 0; bri_glossary_at(i, &e); i++) {
    if (i) bri_buf_add(&all, "; ", 2);
    bri_buf_add(&all, e.names, e.nnames);
  }
  const int good = all.text && !all.failed;
  if (good) cli_print_wrapped(all.text);
  bri_buf_free(&all);
  return good ? CLI_OK : cli_no_memory(c);
}

static int run(const cli_call *call)
{
  bri_glossary_entry e;
  char name[128] = "", hint[80] = "";
  for (size_t i = 0, used = 0; i < call->nargs && used < sizeof name; i++)
    used += (size_t)snprintf(name + used, sizeof name - used, "%s%s", i ? " " : "", call->args[i]);
  if (!call->nargs) return list(call->command);
  const br_analysis *a = br_analysis_find(name);
  int found = bri_glossary_find(name, &e, sizeof hint, hint);
  if (found) {
    bri_buf text = {0};
    bri_glossary_text(&e, &text);
    const int good = text.text && !text.failed;
    if (good) (void)printf("%.*s\n", (int)e.nnames, e.names), cli_print_wrapped(text.text);
    bri_buf_free(&text);
    if (!good) return cli_no_memory(call->command);
  }
  if (br_model_find(name))
    found = printf("a model: %s ('bristle models %s')\n", br_model_find(name)->title, name) > 0;
  if (br_system_find(name))
    found = printf("a mechanism: %s ('bristle systems %s')\n", br_system_find(name)->title, name) > 0;
  if (a) found = printf("a command: %s ('bristle help %s')\n", a->summary, name) > 0;
  const char *gain = NULL, *unit = NULL, *doc = NULL;
  for (size_t i = 0; br_control_gain(NULL, i, &gain, NULL, &unit, &doc); i++)
    if (strcmp(gain, name) == 0) found = printf("  %s, a gain of controllers, %s: %s\n", gain, unit, doc) > 0;
  found = rows_named(name) || found;
  if (found) return CLI_OK;
  return cli_usage(call->command, "no entry '%.60s'%s%s%s", name, hint[0] ? "; did you mean '" : "",
                   hint[0] ? hint : "; 'bristle explain' lists them", hint[0] ? "'?" : "");
}

const cli_command cli_explain = {
    .name = "explain",
    .args = "[TERM]",
    .summary = "what a word, a parameter or a model means",
    .text = "Prints the entry of the glossary (docs/glossary.md), and what the tables of models and "
            "mechanisms say of that name. Without a term: all of them.",
    .max_args = 8,
    .examples = examples,
    .run = run,
};
