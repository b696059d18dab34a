/* SPDX-License-Identifier: Apache-2.0
 * options.c - read a command line by the option table of its command. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/text.h"
#include "cli.h"

const opt_row cli_json_alone[1] = {{OPT_ROW_JSON}};

static int unknown_option(const cli_command *c, const char *name, size_t n)
{
  const char **names = calloc(c->noptions + 1, sizeof *names), *first = NULL;
  char copy[64];
  size_t k = 0;
  if (!names) return cli_no_memory(c);
  (void)snprintf(copy, sizeof copy, "%.*s", (int)(n < sizeof copy ? n : sizeof copy - 1), name);
  for (; k < c->noptions; k++) {
    names[k] = c->options[k].name;
    if (!first && names[k][0] == copy[0]) first = names[k];
  }
  names[k++] = "help";
  const char *near =
      br_nearest_name(strcmp(copy, "vary") == 0 ? "grid" : copy, names, k); /* sweep's word for it */
  free((void *)names);
  if (near && strcmp(near, copy) == 0) return cli_usage(c, "unknown option '-%s': write --%s", copy, copy);
  if (n == 1 && first) return cli_usage(c, "unknown option '-%s': write --%s", copy, first);
  if (near) return cli_usage(c, "unknown option '--%s'; did you mean '--%s'?", copy, near);
  return cli_usage(c, "unknown option '--%s'; 'bristle %s --help' lists them", copy, c->name);
}

/* A second list goes behind the first: it must start with a name of its own, not continue a vector. */
static int join(const cli_command *c, const opt_row *row, opt_value *v, const char *text)
{
  const size_t old = v->joined ? strlen(v->joined) : 0, add = strlen(text), name = strcspn(text, "=,");
  if (old && text[name] != '=')
    return cli_usage(c, "--%s %s: starts without NAME=; write the values of a vector in one --%s", row->name,
                     text, row->name);
  char *both = realloc(v->joined, old + add + 2);
  if (!both) return cli_no_memory(c);
  if (old) both[old] = ',';
  memcpy(both + old + (old ? 1 : 0), text, add + 1);
  v->joined = both;
  v->text = both;
  return CLI_OK;
}

static int store(const cli_command *c, const opt_row *row, opt_value *v, const char *text, int argc)
{
  if (v->given && row->kind != OPT_LIST && row->kind != OPT_MANY)
    return cli_usage(c, "--%s is given twice ('%s' and '%s')", row->name, v->text, text);
  v->given = 1;
  if (row->kind == OPT_LIST) return join(c, row, v, text);
  v->text = text;
  if (row->kind == OPT_MANY) {
    if (!v->many) v->many = calloc((size_t)argc + 1, sizeof *v->many);
    if (!v->many) return cli_no_memory(c);
    v->many[v->nmany++] = text;
  }
  return CLI_OK;
}

/* One option at argv[*i], -o for --output; moves *i to its last word. */
static int read_option(const cli_command *c, int argc, char **argv, int *i, cli_call *call)
{
  const char *name = strcmp(argv[*i], "-o") == 0 ? "output" : argv[*i] + 2, *eq = strchr(name, '=');
  const size_t n = eq ? (size_t)(eq - name) : strlen(name);
  size_t k = 0;
  while (k < c->noptions && (strlen(c->options[k].name) != n || memcmp(c->options[k].name, name, n) != 0))
    k++;
  if (k == c->noptions) return unknown_option(c, name, n);
  const opt_row *row = &c->options[k];
  if (row->kind == OPT_FLAG) {
    if (eq) return cli_usage(c, "--%s takes no argument ('%s')", row->name, eq + 1);
    call->values[k].given = 1;
    return CLI_OK;
  }
  const char *text = eq ? eq + 1 : *i + 1 < argc ? argv[*i + 1] : NULL;
  if (!text || (!eq && strncmp(text, "--", 2) == 0))
    return cli_usage(c, "--%s needs an argument: %s", row->name, row->arg);
  if (!eq) ++*i;
  if (!text[0]) return cli_usage(c, "--%s: empty argument, expected %s", row->name, row->arg);
  return store(c, row, &call->values[k], text, argc);
}

int opt_read(const cli_command *c, int argc, char **argv, cli_call *call, int *code)
{
  int only_args = 0;
  memset(call, 0, sizeof *call);
  call->command = c;
  call->argc = argc;
  call->argv = argv;
  call->values = calloc(c->noptions + 1, sizeof *call->values);
  call->args = calloc((size_t)argc + 1, sizeof *call->args);
  *code = CLI_OK;
  if (!call->values || !call->args) {
    *code = cli_no_memory(c);
    return 0;
  }
  for (int i = 0; i < argc && !only_args; i++) { /* help wins over mistakes */
    only_args = strcmp(argv[i], "--") == 0;
    if (strcmp(argv[i], "--help") != 0 && strcmp(argv[i], "-h") != 0) continue;
    cli_print_help(c);
    return 0;
  }
  only_args = 0;
  for (int i = 0; i < argc && *code == CLI_OK; i++) {
    if (!only_args && strcmp(argv[i], "--") == 0) only_args = 1;
    else if (!only_args && (strncmp(argv[i], "--", 2) == 0 || strcmp(argv[i], "-o") == 0))
      *code = read_option(c, argc, argv, &i, call);
    else if (!only_args && argv[i][0] == '-' && argv[i][1])
      *code = unknown_option(c, argv[i] + 1, strcspn(argv[i] + 1, "="));
    else call->args[call->nargs++] = argv[i];
  }
  if (*code == CLI_OK && call->nargs > c->max_args)
    *code = cli_usage(c, "unexpected argument '%s'; usage: bristle %s %s", call->args[c->max_args], c->name,
                      c->args);
  return *code == CLI_OK;
}

void opt_release(cli_call *call)
{
  for (size_t k = 0; call->values && k < call->command->noptions; k++) {
    free(call->values[k].joined);
    free((void *)call->values[k].many);
  }
  free(call->values);
  free((void *)call->args);
}
