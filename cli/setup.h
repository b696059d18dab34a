/* SPDX-License-Identifier: Apache-2.0
 * setup.h - the model of a command, and what should be said about a start. */
#ifndef BRI_CLI_SETUP_H
#define BRI_CLI_SETUP_H
#include "bristle/model.h"
#include "cli.h"

/* The model of a name.  CLI_OK, or an exit code after a message. */
int setup_model(const cli_command *c, const char *name, const br_model **out);

/* A note on standard error for every state of z (nstate numbers) that no motion from rest would reach. */
void setup_note_bounds(const cli_command *c, const br_model *m, const double *par, double load,
                       const double *z);

#endif
