/* SPDX-License-Identifier: Apache-2.0
 * cmd_completion.c - bristle completion bash|zsh|fish: a script made from the tables of commands, analyses
 * and models. */
#include <string.h>

#include "analysis/job.h"
#include "cli.h"
#include "json.h"
#include "text/buf.h"

typedef enum { BASH, ZSH, FISH } shell;
static const char *const SHELLS[] = {"bash", "zsh", "fish"};

static const cli_example examples[] = {
    {"eval \"$(bristle completion bash)\"", "for this shell; put the line into ~/.bashrc to keep it"},
    {"bristle completion fish > bristle.fish", "for fish: the file goes to ~/.config/fish/completions"},
    {NULL, NULL},
};

/* ---- what may stand where ---- */

static void add(bri_buf *b, const char *word, size_t n)
{
  if (b->used) bri_buf_text(b, " ");
  bri_buf_add(b, word, n);
}

/* Words of a kind of name: "command", "shell", and what the catalogue has. */
static void names_of(bri_buf *b, const char *kind)
{
  const cli_command *c = NULL;
  const char *names[BRI_NAMES];
  const size_t n = bri_names_of(kind, names);
  for (size_t i = 0; i < n; i++) add(b, names[i], strlen(names[i]));
  for (size_t i = 0; strcmp(kind, "command") == 0 && (c = cli_command_at(i)) != NULL; i++)
    add(b, c->name, strlen(c->name));
  for (size_t i = 0; strcmp(kind, "shell") == 0 && i < 3; i++) add(b, SHELLS[i], strlen(SHELLS[i]));
}

/* Values of an option that can be listed; files are the shell's own guess for the others. */
static void values_of(bri_buf *b, const cli_command *c, const opt_row *row)
{
  const br_analysis *a = br_analysis_find(c->name);
  const br_option *o = a ? br_analysis_option(a, row->name) : NULL;
  for (const char *s = o && o->choices ? o->choices : ""; *s; s += strcspn(s, "|"), s += *s == '|')
    add(b, s, strcspn(s, "|"));
  if (!o) names_of(b, row->name);
}

/* What stands behind the command where it is no option. */
static void arguments_of(bri_buf *b, const cli_command *c)
{
  static const char *const KINDS[][2] = {{"models", "model"},   {"systems", "system"},
                                         {"presets", "preset"}, {"analyses", "analysis"},
                                         {"help", "command"},   {"completion", "shell"}};
  for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++)
    if (strcmp(KINDS[i][0], c->name) == 0) names_of(b, KINDS[i][1]);
}

/* ---- scripts ---- */

static bri_buf out; /* printed whole or not at all */

static void used(bri_buf *words)
{
  out.failed |= words->failed;
  bri_buf_free(words);
}

/* A text between single quotes, without its colons for zsh, whose lists have a meaning for them. */
static void quote(shell sh, const char *s)
{
  bri_buf_printf(&out, "%c", '\'');
  for (; *s; s++) {
    if (*s == '\'') bri_buf_text(&out, sh == FISH ? "\\'" : "'\\''");
    else if (*s == '\\' && sh == FISH) bri_buf_text(&out, "\\\\");
    else if (*s == ':' && sh == ZSH) bri_buf_text(&out, "\\:");
    else bri_buf_printf(&out, "%c", *s);
  }
  bri_buf_printf(&out, "%c", '\'');
}

static void fish_option(const cli_command *c, const opt_row *row, const char *values)
{
  bri_buf_printf(&out, "complete -c bristle -n '__fish_seen_subcommand_from %s' -l %s", c->name, row->name);
  if (row->arg) bri_buf_printf(&out, " -r");
  if (values) bri_buf_printf(&out, " -f -a '%s'", values);
  bri_buf_printf(&out, " -d ");
  quote(FISH, row->help);
  bri_buf_printf(&out, "%c", '\n');
}

/* "--model) offer ... ;;": values of an option, NULL for files. */
static void case_of(shell sh, const char *option, const char *values)
{
  bri_buf_printf(&out, "      --%s) ", option);
  if (sh == ZSH && values) bri_buf_printf(&out, "compadd -- %s ;;\n", values);
  else if (sh == ZSH) bri_buf_printf(&out, "_files ;;\n");
  else bri_buf_printf(&out, "words='%s' ;;\n", values ? values : "");
}

/* The options of a command, with those words that may stand without one. */
static void offer(shell sh, const cli_command *c)
{
  bri_buf words = {0};
  arguments_of(&words, c);
  bri_buf_printf(&out, "      *) ");
  if (sh == ZSH && words.used) bri_buf_printf(&out, "compadd -- %s; ", words.text);
  bri_buf_printf(&out, sh == ZSH ? "c=(" : "words='%s", words.used ? words.text : "");
  for (size_t i = 0; i < c->noptions; i++) {
    if (!c->options[i].help) continue;
    bri_buf_printf(&out, " --%s", c->options[i].name);
    if (sh == ZSH) bri_buf_printf(&out, "%c", ':'), quote(ZSH, c->options[i].help);
  }
  bri_buf_printf(&out, sh == ZSH ? " --help); _describe option c%s ;;\n" : " --help' ;;\n",
                 c->max_args && !words.used ? "; _files" : "");
  used(&words);
}

static void command(shell sh, const cli_command *c)
{
  if (sh != FISH) bri_buf_printf(&out, "    %s) case $before in\n", c->name);
  for (size_t i = 0; i < c->noptions; i++) {
    const opt_row *row = &c->options[i];
    bri_buf values = {0};
    if (!row->help || (sh != FISH && !row->arg)) continue;
    values_of(&values, c, row);
    if (sh == FISH) fish_option(c, row, values.used ? values.text : NULL);
    else case_of(sh, row->name, values.used ? values.text : NULL);
    used(&values);
  }
  if (sh != FISH) {
    offer(sh, c);
    bri_buf_printf(&out, "      esac ;;\n");
    return;
  }
  bri_buf words = {0};
  arguments_of(&words, c);
  if (words.used)
    bri_buf_printf(&out, "complete -c bristle -n '__fish_seen_subcommand_from %s' -f -a '%s'\n", c->name,
                   words.text);
  used(&words);
}

static void head(shell sh)
{
  bri_buf all = {0};
  const cli_command *c = NULL;
  names_of(&all, "command");
  if (sh == BASH)
    bri_buf_printf(
        &out,
        "_bristle() {\n  local now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
        "  if [ \"$COMP_CWORD\" -eq 1 ]; then words='%s --help --version'\n"
        "  else case ${COMP_WORDS[1]} in\n",
        all.text);
  if (sh == ZSH)
    bri_buf_printf(&out, "#compdef bristle\n_bristle() {\n  local before=${words[CURRENT-1]}\n  local -a c\n"
                         "  if (( CURRENT == 2 )); then c=(");
  for (size_t i = 0; sh != BASH && (c = cli_command_at(i)) != NULL; i++) {
    if (sh == ZSH) bri_buf_printf(&out, " %s:", c->name);
    else bri_buf_printf(&out, "complete -c bristle -n __fish_use_subcommand -f -a %s -d ", c->name);
    quote(sh, c->summary);
    if (sh == FISH) bri_buf_printf(&out, "%c", '\n');
  }
  if (sh == ZSH) bri_buf_printf(&out, "); _describe command c\n  else case ${words[2]} in\n");
  used(&all);
}

static int run(const cli_call *call)
{
  const char *name = call->nargs ? call->args[0] : "";
  size_t sh = 0;
  while (sh < 3 && strcmp(SHELLS[sh], name) != 0) sh++;
  if (sh == 3) return cli_usage(call->command, "unknown shell '%s': it must be bash, zsh or fish", name);
  head((shell)sh);
  for (size_t i = 0; cli_command_at(i); i++) command((shell)sh, cli_command_at(i));
  if (sh == BASH)
    bri_buf_printf(&out, "  esac; fi\n  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$now\")\n}\n"
                         "complete -o default -F _bristle bristle\n");
  if (sh == ZSH) bri_buf_printf(&out, "  esac; fi\n}\ncompdef _bristle bristle\n");
  const int good = json_print_text(out.failed ? NULL : out.text, out.used);
  bri_buf_free(&out);
  return good ? CLI_OK : CLI_FAILED;
}

const cli_command cli_completion = {
    .name = "completion",
    .args = "bash|zsh|fish",
    .summary = "print a script that completes commands, options and their values",
    .text = "Commands, options, models, mechanisms and choices come from the tables, so that the script "
            "knows what this program knows.",
    .max_args = 1,
    .examples = examples,
    .run = run,
};
