/* SPDX-License-Identifier: Apache-2.0
 * message.c - errors to stderr, and the exit code that goes with them. */
#include <stdarg.h>
#include <stdio.h>

#include "cli.h"

int cli_usage(const cli_command *c, const char *fmt, ...)
{
  va_list args;
  (void)fprintf(stderr, "bristle %s: ", c->name);
  va_start(args, fmt);
  (void)vfprintf(stderr, fmt, args);
  va_end(args);
  (void)fputc('\n', stderr);
  return CLI_USAGE;
}

static void print(const cli_command *c, const br_err *err)
{
  (void)fprintf(stderr, "bristle %s: %s\n", c->name, err->msg[0] ? err->msg : br_status_text(err->code));
}

int cli_bad_input(const cli_command *c, const br_err *err)
{
  print(c, err);
  return err->code == BR_E_NOMEM ? CLI_FAILED : CLI_USAGE;
}

int cli_failed(const cli_command *c, const br_err *err)
{
  if (cli_stop) return cli_interrupted(c);
  print(c, err);
  return CLI_FAILED;
}

int cli_no_memory(const cli_command *c)
{
  (void)fprintf(stderr, "bristle %s: out of memory\n", c->name);
  return CLI_FAILED;
}

int cli_interrupted(const cli_command *c)
{
  (void)fprintf(stderr, "bristle %s: interrupted, nothing was written\n", c->name);
  return CLI_INTERRUPTED;
}
