/* SPDX-License-Identifier: Apache-2.0
 * outputs.c - where the result of a command goes. */
#include "outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/report.h"
#include "bristle/version.h"
#include "text/path.h"

static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=+%@";

int outputs_refused(const cli_command *c, const br_err *err)
{
  return err->code == BR_E_UNSUPPORTED ? cli_failed(c, err) : cli_bad_input(c, err);
}

int outputs_to_stdout(const outputs *o) { return o->csv->given && bri_path_is_stdout(o->csv->text); }

int outputs_check(const cli_command *c, const outputs *o)
{
  br_err err;
  if (outputs_to_stdout(o) && o->json->given)
    return cli_usage(c, "--csv %s and --json both want standard output", o->csv->text);
  if (o->hdf5->given && br_hdf5_check(o->hdf5->text, &err)) return outputs_refused(c, &err);
  return CLI_OK;
}

/* ---- attributes ---- */

/* The command line as it can be pasted into a shell; free() it. */
static char *command_line(const cli_call *call)
{
  size_t size = strlen("bristle ") + strlen(call->command->name) + 1;
  for (int i = 0; i < call->argc; i++) size += 4 * strlen(call->argv[i]) + 3;
  char *text = malloc(size), *to = text;
  if (!text) return NULL;
  to += sprintf(to, "bristle %s", call->command->name);
  for (int i = 0; i < call->argc; i++) {
    const char *s = call->argv[i];
    const int plain = s[0] && s[strspn(s, PLAIN)] == '\0';
    *to++ = ' ';
    if (!plain) *to++ = '\'';
    for (; *s; s++) {
      if (*s == '\'') memcpy(to, "'\\''", 4), to += 4;
      else *to++ = *s;
    }
    if (!plain) *to++ = '\'';
  }
  *to = '\0';
  return text;
}

static br_status put_parameter(br_hdf5 *file, const br_params *params, const br_param *row, const char *name,
                               br_err *err)
{
  size_t n = 0, len = 0;
  double *x = calloc(row->max_len ? row->max_len : 1, sizeof *x);
  if (!x) return bri_fail(err, BR_E_NOMEM, "out of memory");
  br_status st = br_params_get(params, name, row->max_len, x, &n, err);
  const char *choice = !st && row->choices ? br_param_choice(row, (size_t)x[0], &len) : NULL;
  if (choice) {
    char text[64];
    (void)snprintf(text, sizeof text, "%.*s", (int)len, choice);
    st = br_hdf5_text(file, name, text, err);
  } else if (!st) {
    st = br_hdf5_numbers(file, name, n, x, err);
  }
  free(x);
  return st;
}

br_status outputs_attributes(const cli_call *call, const br_params *params, br_hdf5 *file, br_err *err)
{
  const br_param *row;
  char name[96], *line = command_line(call);
  if (!line) return bri_fail(err, BR_E_NOMEM, "out of memory");
  br_status st = br_hdf5_text(file, "command", line, err);
  free(line);
  if (!st) st = br_hdf5_text(file, "bristle", br_version(), err);
  for (size_t i = 0; !st && params && (row = br_params_at(params, i, sizeof name, name)) != NULL; i++)
    st = put_parameter(file, params, row, name, err);
  return st;
}
