/* SPDX-License-Identifier: Apache-2.0
 * setup.h - from option texts to objects: model, parameters, inputs, initial states.
 * Each function returns CLI_OK, or an exit code after a message. */
#ifndef BRI_CLI_SETUP_H
#define BRI_CLI_SETUP_H
#include "bristle/model.h"
#include "bristle/param.h"
#include "bristle/signal.h"
#include "cli.h"

/* The model of a name; with a --set list (NULL: none) that has formulas, the one that takes them. */
int setup_model(const cli_command *c, const char *name, const char *set, const br_model **out);

/* Parameters of a model with a --set list (NULL: defaults), checked and prepared. */
int setup_params(const cli_command *c, const br_model *m, const char *list, br_params **out);

/* One signal per name from --input texts, SPEC or NAME:SPEC; out[n] and spec[n] (the text behind the name).
 * out[] entries are to be destroyed by the caller also after an error. */
int setup_inputs(const cli_command *c, const opt_value *v, const char *const *names, size_t n,
                 br_signal **out, const char **spec);

/* Initial states from an --init list: z[n], zero where not given. */
/* A note on standard error for every state of z (nstate numbers) that no motion from rest would reach. */
void setup_note_bounds(const cli_command *c, const br_model *m, const double *par, double load,
                       const double *z);
int setup_states(const cli_command *c, const br_model *m, const void *par, const char *list, size_t n,
                 double *z);

#endif
