/* SPDX-License-Identifier: Apache-2.0
 * outputs.h - where the result of a command goes: tables, picture, JSON or a summary.  The rules are the same
 * for every command: files are complete before they get their names, standard output comes last. */
#ifndef BRI_CLI_OUTPUTS_H
#define BRI_CLI_OUTPUTS_H
#include "bristle/param.h"
#include "bristle/report.h"
#include "cli.h"

typedef struct {
  const opt_value *csv, *hdf5, *plot, *json, *quiet;
} outputs;

/* What can be refused before anything is computed.  Returns an exit code, as do the functions below. */
int outputs_check(const cli_command *c, const outputs *o);
/* A file that cannot be made: this build lacks what it takes, or its name is bad. */
int outputs_refused(const cli_command *c, const br_err *err);
int outputs_to_stdout(const outputs *o); /* 1: --csv - */
/* The command line, the version and the parameters (NULL: none) as attributes of an HDF5 file. */
br_status outputs_attributes(const cli_call *call, const br_params *params, br_hdf5 *file, br_err *err);

#endif
