/* SPDX-License-Identifier: Apache-2.0
 * cmd_help.c - bristle help [COMMAND] [--man]. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "text/file.h"
#include "text/path.h"

enum { O_MAN, O_MAN_DIR, O_COMPLETION, OPTIONS };

static const opt_row options[OPTIONS] = {
    [O_MAN] = {"man", NULL, OPT_FLAG, "print the man page instead (troff source)"},
    [O_COMPLETION] = {"completion", "bash|zsh|fish", OPT_TEXT,
                      "print what completes names by the tab key, as 'bristle completion' does"},
    [O_MAN_DIR] = {"man-dir", "DIR", OPT_TEXT, "write all man pages into an existing folder"},
};

static const cli_example examples[] = {
    {"bristle help trace", "what 'bristle trace --help' prints"},
    {"bristle help trace --man", "the man page; pipe it into 'man -l -' to read it"},
    {NULL, NULL},
};

static int one_page(const cli_command *self, const char *dir, const cli_command *c)
{
  char path[4096];
  const int n = snprintf(path, sizeof path, "%s/bristle%s%s.1", dir, c ? "-" : "", c ? c->name : "");
  if (n < 0 || (size_t)n >= sizeof path) return cli_usage(self, "--man-dir: path is too long");
  bri_file *f = NULL;
  br_err err;
  if (bri_file_open(path, BRI_FILE_STREAM, &f, &err)) return cli_failed(self, &err);
  /* the page functions print to stdout, which nothing else uses from here on */
  errno = 0;
  int good = fflush(stdout) == 0 && dup2(bri_file_descriptor(f), STDOUT_FILENO) >= 0;
  if (good) cli_print_man(c);
  good = good && fflush(stdout) == 0 && !ferror(stdout);
  if (!good) {
    cli_say("bristle help: cannot write '%s': %s", path, strerror(errno ? errno : EIO));
    bri_file_abort(f);
    return CLI_FAILED;
  }
  return bri_file_commit(f, &err) ? cli_failed(self, &err) : CLI_OK;
}

static int all_pages(const cli_command *self, const char *dir)
{
  if (bri_path_is_stdout(dir))
    return cli_usage(self, "--man-dir %s: the pages need a folder; --man prints one of them", dir);
  int code = one_page(self, dir, NULL);
  for (size_t i = 0; cli_command_at(i) && code == CLI_OK; i++) code = one_page(self, dir, cli_command_at(i));
  return code;
}

static int run(const cli_call *call)
{
  const cli_command *c = NULL;
  const char *names[64];
  char hint[BRI_HINT];
  size_t n = 0;
  if (call->values[O_COMPLETION].given) {
    cli_call other = *call;
    other.command = &cli_completion;
    other.args = &call->values[O_COMPLETION].text;
    other.nargs = 1;
    return cli_completion.run(&other);
  }
  if (call->values[O_MAN_DIR].given) return all_pages(call->command, call->values[O_MAN_DIR].text);
  for (; n < sizeof names / sizeof names[0] && cli_command_at(n); n++) names[n] = cli_command_at(n)->name;
  if (call->nargs) c = cli_command_find(call->args[0]);
  if (call->nargs && !c)
    return cli_usage(call->command, "unknown command '%s'%s", call->args[0],
                     bri_hint(call->args[0], names, n, "", hint));
  if (call->values[O_MAN].given) cli_print_man(c);
  else if (c) cli_print_help(c);
  else cli_print_usage();
  return CLI_OK;
}

const cli_command cli_help = {
    .name = "help",
    .args = "[COMMAND]",
    .summary = "explain a command, or print its man page",
    .text = "Without a name: the list of commands.",
    .options = options,
    .noptions = OPTIONS,
    .max_args = 1,
    .examples = examples,
    .run = run,
};
