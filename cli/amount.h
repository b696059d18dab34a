/* SPDX-License-Identifier: Apache-2.0
 * amount.h - work that takes long for the given numbers is named before it begins. */
#ifndef BRI_CLI_AMOUNT_H
#define BRI_CLI_AMOUNT_H
#include "bristle/signal.h"
#include "cli.h"

/* A note on standard error where count pieces of work, each of about `seconds`, take longer than a minute or so. */
void amount_note(const cli_command *c, double count, const char *what, double seconds);
/* Reversals and corners of an input (NULL: none) up to t_end, roughly: how often it turns at a few places. */
double amount_reversals(const br_signal *input, double t_end);

#endif
