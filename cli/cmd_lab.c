/* SPDX-License-Identifier: Apache-2.0
 * cmd_lab.c - bristle lab: serve the browser lab to this machine. */
#include <stdio.h>
#include <string.h>

#include "bristle/lab.h"
#include "bristle/text.h"
#include "cli.h"

enum { O_PORT, O_FOLDER, OPTIONS };
static const opt_row options[OPTIONS] = {
    [O_PORT] = {"port", "N", OPT_TEXT, "port of 127.0.0.1; default any free one"},
    [O_FOLDER] = {"folder", "FOLDER", OPT_TEXT, "what 'make lab' has built; default web/dist"},
};
static const cli_example examples[] = {
    {"bristle lab --folder FOLDER --port 8000", "then open http://127.0.0.1:8000/ in a browser"},
    {NULL, NULL},
};

static void ready(void *ctx, const char *address)
{
  (void)ctx;
  (void)printf("%s  (this machine alone; Ctrl-C ends it)\n", address);
  (void)fflush(stdout);
}

static int run(const cli_call *call)
{
  const opt_value *port = &call->values[O_PORT], *folder = &call->values[O_FOLDER];
  double n = 0;
  br_err err;
  if (port->given && (br_parse_double(port->text, strlen(port->text), &n) != strlen(port->text) ||
                      !(n >= 0 && n <= 65535) || n != (double)(int)n))
    return cli_usage(call->command, "--port %s is out of range: 0 (any) to 65535, a whole number",
                     cli_shown(port->text));
  if (br_lab_serve(folder->given ? folder->text : "web/dist", (int)n, ready, cli_stop_asked, NULL, &err))
    return cli_failed(call->command, &err);
  return CLI_OK;
}

const cli_command cli_lab = {
    .name = "lab",
    .args = "[--port N]",
    .summary = "serve the browser lab to this machine",
    .text = "Friction in the browser: loops, machines, phase portraits, fits and controllers that move with "
            "their sliders, computed in the page by this library as WebAssembly. 'make lab' builds it into "
            "web/dist, where index.html also opens without a server. This command serves that folder on the "
            "loopback address alone and prints it; only plain files of the folder are sent.",
    .options = options,
    .noptions = OPTIONS,
    .examples = examples,
    .run = run,
};
