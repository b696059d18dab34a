/* SPDX-License-Identifier: Apache-2.0
 * setup.h - from option texts to objects: model, parameters.  Functions return CLI_OK, or an exit code after a
 * message. */
#ifndef BRI_CLI_SETUP_H
#define BRI_CLI_SETUP_H
#include "bristle/model.h"
#include "bristle/param.h"
#include "cli.h"

/* The model of a name; with a --set list (NULL: none) that has formulas, the one that takes them. */
int setup_model(const cli_command *c, const char *name, const char *set, const br_model **out);

/* Parameters of a model with a --set list (NULL: defaults), checked and prepared. */
int setup_params(const cli_command *c, const br_model *m, const char *list, br_params **out);

/* A note on standard error for every state of z (nstate numbers) that no motion from rest would reach. */
void setup_note_bounds(const cli_command *c, const br_model *m, const double *par, double load,
                       const double *z);

#endif
