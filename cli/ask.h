/* SPDX-License-Identifier: Apache-2.0
 * ask.h - every analysis of the catalogue as a command; what is left per analysis is the summary. */
#ifndef BRI_CLI_ASK_H
#define BRI_CLI_ASK_H
#include "bristle/analysis.h"
#include "bristle/report.h"
#include "cli.h"

/* The command of the index-th analysis (older sections of studies are none); NULL behind the last. */
const cli_command *ask_command(size_t index);

/* One option of an analysis as a row of a command, and its value into a job: for commands that take some of
 * them. */
opt_row ask_row(const br_analysis *a, const br_option *o);
int ask_set(const cli_call *call, size_t index, br_job *job);

/* The summary on the screen, from the answer alone; say_*.c. */
typedef void say_fn(const br_job *job, const br_result *r);
say_fn say_loop, say_classify, say_trace, say_simulate, say_steady, say_field, say_signal, say_control,
    say_sweep, say_merge, say_phase, say_fit;
/* A number (NaN: there is none) or text ("") of the answer by its path, printf-like. */
double say_real(const br_result *r, const char *path, ...) CLI_PRINTF(2, 3);
const char *say_text(const br_result *r, const char *path, ...) CLI_PRINTF(2, 3);
/* The same with its unit (digits < 0: without), in the units of --units: "12.5 mm".  Kept for eight calls. */
void say_units(const br_units *units);
double say_factor(
    const char **unit); /* what a number in that unit is divided by; *unit: what it is in then */
const char *say_in(const br_result *r, int digits, const char *path, ...) CLI_PRINTF(3, 4);
void say_measured(const br_result *r); /* where a record was compared */
/* Where an analysis has no summary of its own: every value by its path; extremes and last values of a table's
 * columns. */
say_fn say_tree, say_table;

#endif
