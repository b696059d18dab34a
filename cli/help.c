/* SPDX-License-Identifier: Apache-2.0
 * help.c - --help, the list of commands and the man pages, all from the command tables. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "bristle/expr.h"
#include "bristle/signal.h"
#include "bristle/version.h"
#include "cli.h"

enum { WIDTH = 80, COLUMN = 26 };

static const char SUMMARY[] = "Friction with memory: models, loops, machines";
static const char SEE[] =
    "Parameters, files and results are SI. Exit codes: 0 done, 1 the computation or output "
    "failed, 2 bad usage or input, 130 interrupted.";

/* Fill lines up to WIDTH; the first one starts at column `at`, the next at `indent`. */
static void wrap(const char *text, int at, int indent)
{
  int used = at;
  while (*text) {
    const int n = (int)strcspn(text, " \n");
    if (n && used + 1 + n > WIDTH && used > indent) {
      (void)printf("\n%*s", indent, "");
      used = indent;
    } else if (n && used > indent && used != at) {
      (void)putchar(' ');
      used++;
    }
    (void)printf("%.*s", n, text);
    used += n;
    text += n;
    if (text[0] == '\n' && text[1] == '\n') { /* a blank line is a new paragraph */
      (void)printf("\n\n%*s", indent, "");
      used = indent;
      text++;
    }
    if (*text) text++;
  }
  (void)putchar('\n');
}

void cli_print_wrapped(const char *text) { wrap(text, 0, 0); }

static void entry(const char *left, const char *right)
{
  const int n = printf("  %s", left);
  if (n < COLUMN) (void)printf("%*s", COLUMN - n, "");
  else (void)printf("\n%*s", COLUMN, "");
  wrap(right, COLUMN, COLUMN);
}

void cli_say_overview(void)
{
  static const struct {
    const char *name;
    size_t example;
  } TRY[] = {{"models", 0}, {"trace", 0}, {"presets", 2}, {"fit", 0}, {"explain", 0}};
  const cli_command *c = NULL;
  (void)fprintf(stderr, "bristle: no command given; 'bristle --help' lists them\n\n%s. To begin with:\n\n",
                SUMMARY);
  for (size_t i = 0; i < sizeof TRY / sizeof TRY[0]; i++) {
    const cli_example *e = &cli_command_find(TRY[i].name)->examples[TRY[i].example];
    (void)fprintf(stderr, "  %-54s # %s\n", e->line, e->what);
  }
  (void)fprintf(stderr, "\nCommands:");
  for (size_t i = 0, at = 9; (c = cli_command_at(i)) != NULL; i++) {
    const size_t n = strlen(c->name) + 1;
    at = at + n > WIDTH ? n : at + n;
    (void)fprintf(stderr, "%s%s", at == n ? "\n" : " ", c->name);
  }
  (void)fprintf(stderr, "\n'bristle help COMMAND' explains one and gives examples that can be pasted.\n");
}

void cli_print_usage(void)
{
  (void)printf("bristle - %s\n\nusage: bristle COMMAND [OPTIONS]\n\n", SUMMARY);
  const cli_command *c = NULL;
  for (size_t i = 0; (c = cli_command_at(i)) != NULL; i++) entry(c->name, c->summary);
  entry("--version", "version, compiler, instruction set and optional parts");
  (void)printf("\n'bristle COMMAND --help' explains a command and gives examples.\n");
  wrap(SEE, 0, 0);
}

typedef void entry_fn(const char *left, const char *right);

static void each_option(const cli_command *c, entry_fn *put)
{
  char label[256];
  for (size_t i = 0; i < c->noptions; i++) {
    const opt_row *row = &c->options[i];
    (void)snprintf(label, sizeof label, "--%s%s%s", row->name, row->arg ? " " : "", row->arg ? row->arg : "");
    if (row->help) put(label, row->help);
  }
}

static void each_input(entry_fn *put)
{
  const br_signal_kind *k = NULL;
  for (size_t i = 0; (k = br_signal_kinds(i)) != NULL; i++) put(k->grammar, k->doc);
}

/* What formulas may call, one name after the other, and may be made of. */
static void each_formula(entry_fn *put)
{
  char buf[512] = "";
  const br_expr_name *row = NULL;
  for (size_t i = 0, used = 0; (row = br_expr_names(i)) != NULL && used < sizeof buf; i++)
    used += (size_t)snprintf(buf + used, sizeof buf - used, "%s%s%s", i ? " " : "", row->name,
                             row->arity ? "()" : "");
  put("names", buf);
  put("operators", "+ - * / ^ ( ), condition ? a : b with < <= > >= && || !; numbers are SI without units");
}

void cli_print_help(const cli_command *c)
{
  (void)printf("bristle %s - %s\n\nusage: bristle %s%s%s%s\n\n", c->name, c->summary, c->name,
               c->args[0] ? " " : "", c->args, c->noptions ? " [OPTIONS]" : "");
  wrap(c->text, 0, 0);
  (void)printf("\noptions:\n");
  each_option(c, entry);
  entry("--help", "this text");
  if (c->shows_inputs) {
    (void)printf("\ninputs (numbers are SI or carry a unit, sine:1mm,2Hz):\n");
    each_input(entry);
    (void)printf("\nformulas (expr:TEXT, and parameters that are formulas):\n");
    each_formula(entry);
  }
  if (c->examples->line) (void)printf("\nexamples:\n");
  for (const cli_example *e = c->examples; e->line; e++) (void)printf("  # %s\n  %s\n", e->what, e->line);
}

/* ---- man pages ---- */

/* Text for troff: backslashes, dashes, and a dot or quote at the start of a line, which would be a
 * request. */
static void troff(const char *s)
{
  int start = 1;
  for (; *s; s++) {
    if (start && (*s == '.' || *s == '\'')) (void)fputs("\\&", stdout);
    if (*s == '\\') (void)fputs("\\e", stdout);
    else if (*s == '-') (void)fputs("\\-", stdout);
    else if (s[0] == '\n' && s[1] == '\n') (void)fputs("\n.PP", stdout);
    else (void)putchar(*s);
    start = *s == '\n';
  }
}

static void section(const char *name) { (void)printf(".SH %s\n", name); }

static void man_entry(const char *left, const char *right)
{
  (void)printf(".TP\n.B ");
  troff(left);
  (void)putchar('\n');
  troff(right);
  (void)putchar('\n');
}

static void man_head(const char *name, const char *summary)
{
  char upper[64];
  size_t i = 0;
  for (; name[i] && i + 1 < sizeof upper; i++) upper[i] = (char)toupper((unsigned char)name[i]);
  upper[i] = '\0';
  (void)printf(".\\\" SPDX-License-Identifier: Apache-2.0\n.TH %s 1 \"\" \"bristle %s\" \"Bristle\"\n", upper,
               BR_VERSION_STRING);
  section("NAME");
  troff(name);
  (void)fputs(" \\- ", stdout);
  troff(summary);
  (void)putchar('\n');
}

static void man_program(void)
{
  man_head("bristle", SUMMARY);
  section("SYNOPSIS");
  (void)printf(".B bristle\n.I COMMAND\n[\\fIOPTIONS\\fR]\n");
  section("COMMANDS");
  const cli_command *c = NULL;
  for (size_t i = 0; (c = cli_command_at(i)) != NULL; i++) man_entry(c->name, c->summary);
  section("DESCRIPTION");
  (void)printf("Each command has a page of its own, bristle\\-COMMAND(1).\n");
  troff(SEE);
  (void)putchar('\n');
}

void cli_print_man(const cli_command *c)
{
  char buf[512];
  if (!c) {
    man_program();
    return;
  }
  (void)snprintf(buf, sizeof buf, "bristle-%s", c->name);
  man_head(buf, c->summary);
  section("SYNOPSIS");
  (void)printf(".B bristle %s\n", c->name);
  troff(c->args);
  (void)printf("%s[\\fIOPTIONS\\fR]\n", c->args[0] ? "\n" : "");
  section("DESCRIPTION");
  troff(c->text);
  (void)putchar('\n');
  section("OPTIONS");
  each_option(c, man_entry);
  if (c->shows_inputs) {
    section("INPUTS");
    each_input(man_entry);
    section("FORMULAS");
    each_formula(man_entry);
  }
  section("EXAMPLES");
  for (const cli_example *e = c->examples; e->line; e++) {
    (void)printf(".PP\n");
    troff(e->what);
    (void)printf(":\n.PP\n.nf\n    ");
    troff(e->line);
    (void)printf("\n.fi\n");
  }
  section("EXIT STATUS");
  (void)printf("0 done, 1 the computation or output failed, 2 bad usage or input, 130 interrupted.\n");
  section("SEE ALSO");
  (void)printf("bristle(1)\n");
}
