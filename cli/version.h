/* SPDX-License-Identifier: Apache-2.0
 * version.h - bristle --version. */
#ifndef BRI_CLI_VERSION_H
#define BRI_CLI_VERSION_H

/* argv: what stands behind --version ("--json" or nothing).  Returns the exit code. */
int cli_version(int argc, char **argv);

#endif
