/* SPDX-License-Identifier: Apache-2.0
 * cli.h - what the commands share: their description, exit codes, messages.
 * A command is one table (name, options, help, examples) and one function.  Parsing, --help, the man page
 * and the list of commands are derived from the table. */
#ifndef BRI_CLI_H
#define BRI_CLI_H
#include <signal.h>
#include <stddef.h>

#include "bristle/status.h"
#include "text/fail.h"

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_INTERRUPTED = 130 };

typedef enum {
  OPT_FLAG,   /* no argument */
  OPT_TEXT,   /* one text */
  OPT_LIST,   /* NAME=VALUE,...; may be repeated, the parts are joined by commas */
  OPT_MANY,   /* may be repeated, kept apart */
  OPT_FILE,   /* a file that is written */
  OPT_PICTURE /* the same; script and data go beside it */
} opt_kind;

typedef struct {
  const char *name; /* without the dashes */
  const char *arg;  /* what the help calls its argument, NULL for a flag */
  opt_kind kind;
  const char *help; /* NULL: taken, but not told: an older name */
} opt_row;

/* Value of an option, at the index of its row. */
typedef struct {
  int given;
  const char *text;  /* OPT_TEXT, OPT_FILE, OPT_PICTURE, OPT_LIST joined */
  const char **many; /* OPT_MANY */
  size_t nmany;
  char *joined; /* memory behind an OPT_LIST */
} opt_value;

typedef struct {
  const char *line; /* works when pasted */
  const char *what;
} cli_example;

struct cli_call;
typedef struct cli_command {
  const char *name, *args, *summary;
  const char *text; /* paragraphs of the help, separated by blank lines */
  const opt_row *options;
  size_t noptions, max_args;
  const cli_example *examples; /* ends with a NULL line */
  int shows_inputs;            /* 1: the help lists the input specs */
  int (*run)(const struct cli_call *call);
} cli_command;

typedef struct cli_call {
  const cli_command *command;
  opt_value *values; /* [noptions] */
  const char **args; /* what is not an option */
  size_t nargs;
  int argc; /* as it was written, behind the command's name */
  char **argv;
} cli_call;

/* All commands: the index-th, NULL behind the last.  Those of the catalogue of analyses come from ask.c. */
const cli_command *cli_command_at(size_t index);
const cli_command *cli_command_find(const char *name); /* NULL: there is none */
extern const cli_command cli_models, cli_systems, cli_presets, cli_explain, cli_help;
extern const cli_command cli_analyses, cli_run, cli_schema, cli_completion, cli_new, cli_lab;
const cli_command *cli_export(void); /* its rows are those of the analysis 'control' */

/* Set by SIGINT, SIGTERM and SIGHUP; commands look at it between two pieces of work.  A command that has not
 * ended 0.4 s later is ended by main.c. */
extern volatile sig_atomic_t cli_stop;
/* The same as a function, for the library. */
int cli_stop_asked(void *unused);

/* Rows that many commands share, so that they read the same everywhere: {OPT_ROW_JSON}. */
#define OPT_ROW_MODEL "model", "NAME", OPT_TEXT, "friction model; see 'bristle models'"
#define OPT_ROW_PRESET \
  "preset", "NAME", OPT_TEXT, "published set of model, mechanism and values; see 'bristle presets'"
#define OPT_ROW_SET                                                                                          \
  "set", "NAME=VALUE,...", OPT_LIST,                                                                         \
      "parameters; an item without '=' continues the one before as a vector; values are SI or carry a unit " \
      "(sigma0=2900N/m)"
#define OPT_ROW_CSV "csv", "FILE", OPT_FILE, "write a table; '-' is standard output"
#define OPT_ROW_HDF5 \
  "hdf5", "FILE", OPT_FILE, "write the same table as HDF5, units and parameters as attributes"
#define OPT_ROW_PLOT                           \
  "plot", "FILE.svg|png|pdf|tex", OPT_PICTURE, \
      "draw a picture with gnuplot; script (.gp) and data (.dat) stay beside it"
#define OPT_ROW_UNITS \
  "units", "UNIT,...", OPT_TEXT, "units of tables and pictures, e.g. mm,kN,deg; JSON stays in SI"
#define OPT_ROW_JSON "json", NULL, OPT_FLAG, "print the result as one JSON object"
#define OPT_ROW_QUIET "quiet", NULL, OPT_FLAG, "print no summary"
extern const opt_row cli_json_alone[1]; /* of commands that have no other option */

/* ---- messages: "bristle trace: ..." on stderr; the return value is the exit code ---- */
#if defined(__GNUC__)
#define CLI_PRINTF(fmt_index, first) __attribute__((format(printf, fmt_index, first)))
#else
#define CLI_PRINTF(fmt_index, first)
#endif
/* One line on stderr.  Names in it may come from anywhere: what a terminal would obey stands there as \xNN.
 * */
void cli_say(const char *fmt, ...) CLI_PRINTF(1, 2);
/* The same for a name that is printed elsewhere; good until the fourth call from now. */
const char *cli_shown(const char *s);
int cli_usage(const cli_command *c, const char *fmt, ...) CLI_PRINTF(2, 3);
/* Bad input (exit 2; out of memory 1), failed computation or output (exit 1; interrupted 130). */
int cli_bad_input(const cli_command *c, const br_err *err);
int cli_failed(const cli_command *c, const br_err *err);
int cli_no_memory(const cli_command *c);
int cli_interrupted(const cli_command *c);
const char *cli_interrupted_text(void); /* what is left; a signal handler may ask */

/* ---- options.c ---- */
/* Read argv[0..argc-1] (behind the command's name) into *call; *code is the exit code when it returns 0.
 * --help is done here. */
int opt_read(const cli_command *c, int argc, char **argv, cli_call *call, int *code);
void opt_release(cli_call *call);

/* ---- claims.c ---- */
/* Refuse a call whose outputs would replace its inputs or each other; before anything is computed. */
int claims_check(const cli_call *call);

/* ---- version.c ---- */
/* argv: what stands behind --version ("--json" or nothing).  Returns the exit code. */
int cli_version(int argc, char **argv);

/* ---- help.c ---- */
void cli_say_overview(void); /* on stderr: what this is, what to try, where to go on */
void cli_print_usage(void);
void cli_print_wrapped(const char *text); /* lines as wide as those of the help */
void cli_print_help(const cli_command *c);
void cli_print_man(const cli_command *c); /* NULL: the page of the program itself */

#endif
