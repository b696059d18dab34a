/* SPDX-License-Identifier: Apache-2.0
 * outputs.h - where the result of a command goes: tables, picture, JSON or a summary.  The rules are the same
 * for every command: files are complete before they get their names, standard output comes last. */
#ifndef BRI_CLI_OUTPUTS_H
#define BRI_CLI_OUTPUTS_H
#include "bristle/param.h"
#include "cli.h"
#include "columns.h"

typedef struct {
  const opt_value *csv, *hdf5, *plot, *json, *quiet;
} outputs;

/* What can be refused before anything is computed.  Returns an exit code, as do the functions below. */
int outputs_check(const cli_command *c, const outputs *o);
int outputs_to_stdout(const outputs *o); /* 1: --csv - */
int outputs_any_rows(const outputs *o);  /* 1: a table or a picture is asked for */
int outputs_keep(const outputs *o);      /* 1: rows must stay in memory, for standard output or a picture */

/* Open the table files of columns that have their names.  The HDF5 file also gets the command line and the
 * parameters (NULL: none), "model.sigma0" and so on, as attributes. */
int outputs_open(const cli_call *call, const outputs *o, const br_params *params, columns *rows);
/* The command line, the version and the parameters (NULL: none) as attributes of an HDF5 file. */
br_status outputs_attributes(const cli_call *call, const br_params *params, br_hdf5 *file, br_err *err);
/* Put the table files in place. */
int outputs_close(const cli_call *call, columns *rows);
/* Standard output: the kept rows for --csv -, else the JSON object or the summary. */
int outputs_print(const cli_call *call, const outputs *o, const columns *rows, int (*json)(const void *job),
                  void (*summary)(const void *job), const void *job);

#endif
