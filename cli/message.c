/* SPDX-License-Identifier: Apache-2.0
 * message.c - errors to stderr, and the exit code that goes with them. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "text/escape.h"
#include "text/file.h"

const char *cli_shown(const char *s)
{
  static char text[4][1024];
  static unsigned next = 0;
  char *out = text[next++ % 4];
  return bri_escape(s, sizeof text[0], out);
}

void cli_say(const char *fmt, ...)
{
  char raw[2048], text[2 * sizeof raw];
  va_list args;
  va_start(args, fmt);
  (void)vsnprintf(raw, sizeof raw, fmt, args);
  va_end(args);
  (void)fprintf(stderr, "%s\n", bri_escape(raw, sizeof text, text));
}

int cli_usage(const cli_command *c, const char *fmt, ...)
{
  char text[2048];
  va_list args;
  va_start(args, fmt);
  (void)vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  cli_say("bristle %s: %s", c->name, text);
  return CLI_USAGE;
}

/* What the library says may begin with the room's name, which is the command's: said once. */
static void print(const cli_command *c, const br_err *err)
{
  const size_t n = strlen(c->name);
  const int twice = strncmp(err->msg, c->name, n) == 0 && strncmp(err->msg + n, ": ", 2) == 0;
  cli_say("bristle %s: %s", c->name,
          err->msg[0] ? err->msg + (twice ? n + 2 : 0) : br_status_text(err->code));
}

int cli_bad_input(const cli_command *c, const br_err *err)
{
  if (err->code == BR_INTERRUPTED) return cli_interrupted(c);
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

const char *cli_interrupted_text(void)
{
  return bri_temps_in_place() ? "interrupted; what is finished stays" : "interrupted, no file was written";
}

int cli_interrupted(const cli_command *c)
{
  (void)fprintf(stderr, "bristle %s: %s\n", c->name, cli_interrupted_text());
  return CLI_INTERRUPTED;
}
