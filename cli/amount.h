/* SPDX-License-Identifier: Apache-2.0
 * amount.h - work that takes long for the given numbers is named before it begins. */
#ifndef BRI_CLI_AMOUNT_H
#define BRI_CLI_AMOUNT_H
#include "signal/reversals.h"
#include "cli.h"

/* A note on standard error where count pieces of work, each of about `seconds`, take longer than a minute or so. */
void amount_note(const cli_command *c, double count, const char *what, double seconds);

#endif
