/* SPDX-License-Identifier: Apache-2.0
 * analysis.h - a question that can be asked of a model: its options, its answer, one function.
 *
 * An analysis is a table (option rows, result rows, pictures, examples) and run().  A job is one question: an
 * analysis with a model, parameters, inputs, start and options, all set by name from text.  The answer goes
 * through a sink: numbers, texts and flags under paths ("minor.0.gap"), and tables row by row.  A br_result
 * is the sink that keeps the answer in memory; report.h has those that write files.  Commands, studies,
 * schemas and the reference are made from the tables; docs/analysis.md tells how to add one.
 *
 * Units: SI.  Alloc: br_job_create(), br_job_set(), br_job_check(), br_result_create() and what goes through
 * a sink.  Threads: a job, a sink and a result belong to one thread at a time; the catalogue never changes.
 * */
#ifndef BR_ANALYSIS_H
#define BR_ANALYSIS_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/model.h"
#include "bristle/param.h"
#include "bristle/preset.h"
#include "bristle/signal.h"
#include "bristle/solve.h"
#include "bristle/status.h"
BR_C_BEGIN

/* ---- what an analysis is ---- */

typedef enum {
  BR_OPTION_NUMBER, /* one number, with or without unit */
  BR_OPTION_COUNT,  /* one whole number */
  BR_OPTION_CHOICE, /* one of "a|b|c" */
  BR_OPTION_FLAG,   /* given or not; "yes" or "no" */
  BR_OPTION_TEXT,   /* one line */
  BR_OPTION_LIST,   /* numbers between commas */
  BR_OPTION_PAIRS,  /* NAME=VALUE,... */
  BR_OPTION_SIGNAL, /* the spec of a signal */
  BR_OPTION_RANGE   /* A:B with A < B */
} br_option_kind;
BR_API const char *br_option_kind_text(br_option_kind kind); /* "number", ... */

/* What a text names besides itself. */
enum {
  BR_FILE_NONE = 0,
  BR_FILE_READ,   /* a file that the answer depends on */
  BR_FILE_RECORD, /* the same, or files, one a line; steps may follow: "run.csv|window:1s:9s"; "sample:..." is
                     none */
  BR_FILE_WRITTEN /* a file that is made */
};

typedef struct {
  const char *name;
  br_option_kind kind;
  int lo_open;      /* numbers, 1: lo itself is outside */
  const char *arg;  /* what the help calls the value; NULL for a flag */
  const char *unit; /* numbers, lists and ranges: SI unit of a value; NULL: none */
  const char *def;  /* what holds where it is not given, as text; NULL: the doc says what happens */
  double lo, hi;    /* numbers: range of every value; hi below lo: no upper bound; both 0: none */
  const char *choices;
  const char *alias;    /* an older name that is taken as well; NULL: none */
  const char *needs;    /* "a|b": one of these must be given too; NULL: nothing */
  const char *excludes; /* "a|b": none of these may be given with it */
  const char *why;      /* "needs the time of the input": what stands before the advice to add one of them */
  const char *clash;    /* why they exclude each other */
  const char *doc;      /* one line */
  int file;             /* texts: BR_FILE_* */
} br_option;

/* A number, text, list or table of the answer.  A '*' in the name stands for a number: "minor.*.gap". */
enum {
  BR_RESULT_VALUE = 0,   /* also of a row that does not say */
  BR_RESULT_TABLE = 1,   /* a table with the columns below it, "loop.rho" */
  BR_RESULT_PICTURE = 2, /* a table that only the usual picture needs */
  BR_RESULT_USUAL = 4,   /* the same, and only where the usual picture is drawn */
  BR_RESULT_DETAIL = 3   /* much that only the JSON object has: asked for by br_sink_wants(), as a table is */
};
typedef struct {
  const char *name, *unit, *doc;
  int kind;
} br_result_row;

/* Pictures: what against what.  A line stands for all tables whose name fits: "minor*".  A column that is not
 * named is the panel's; "$fit" is the one that a plot of a study names under 'fit'. */
typedef struct {
  const char *table; /* NULL: the main one */
  const char *style; /* as in a study: "bold", "muted", "circle", ...; NULL: the table's own */
  const char *label; /* NULL: what the table calls itself; "": nothing */
  size_t most;       /* draws so many tables at most; 0: all */
  int joined;        /* 1: one line after the other, as one */
  int colour;        /* 1..7: one of the palette, 'colour' 0..6 of a study; 0: by order */
  const char *x, *y;
  const char *value; /* maps (styles "regions", "areas", "heat"): column shown as region or colour */
  const char *minus; /* column taken from y */
} br_picture_line;
typedef struct {
  const char *x, *y;           /* columns ("#2": the one behind two others); NULL: the first and the second */
  const char *xlabel, *ylabel; /* what they mean; NULL: the column's name */
  const char *when;            /* only where there is such a table; NULL: always */
  const br_picture_line *lines;
  size_t nlines;
  const char *value; /* column of maps; NULL: the last, or the line's */
  const char *scale; /* "logx", "logy", "loglog"; NULL: linear */
  int under;         /* 1: below the panel before it, with the same axis */
  int series;        /* 1: again for the tables with "at1_", "at2_", ... in front of their names */
} br_picture_panel;
typedef struct {
  const br_picture_panel *panels;
  size_t npanels;
  const char *name;   /* 'kind' of a plot in studies; NULL: none */
  const char *option; /* flag of the analysis that makes its tables: as a command --OPTION FILE draws it */
  const char *title;  /* what it shows, "Hysteresis loop"; NULL: the name of the analysis */
  int moves;          /* 1: a page that moves (br_animation_write()), not a picture */
} br_picture;

typedef struct {
  const char *line; /* a command that works when pasted */
  const char *what;
} br_example;

/* A quantity's older name in studies; a '*' in both stands for any text. */
typedef struct {
  const char *old, *now;
} br_result_alias;

enum {
  BR_NEEDS_MODEL = 1,
  BR_TAKES_MODEL = 2, /* without one: every model */
  BR_NEEDS_SYSTEM = 4,
  BR_NEEDS_INPUT = 8,
  BR_TAKES_INIT = 16,
  BR_TAKES_TWO_AXES = 32,
  BR_TAKES_SETTLED = 64, /* init may be "settled" */
  BR_TAKES_LOAD = 128    /* an input N, or N1.. by contact, drives the normal-load factor */
};

typedef struct br_job br_job;
typedef struct br_sink br_sink;

/* What derivatives are taken by. */
typedef struct br_direction {
  const char *name; /* of the parameter */
  size_t element;   /* of a vector */
  double x;         /* its value */
  double scale;     /* size of a usual change, > 0 */
  size_t slot; /* its number in the model's block; SIZE_MAX: it is none of the model's, or the kernel shows no
                  slope */
  /* The same question with the parameter at x; the caller destroys *out. */
  br_status (*beside)(const br_job *job, const struct br_direction *d, double x, br_job **out, br_err *err);
  int again;     /* 1: asked a second time, to be computed more finely */
  double *error; /* receives what they are known to, of the largest; NaN: ask again, and compare */
} br_direction;

typedef struct br_analysis {
  const char *name, *summary;
  const char *text; /* paragraphs of the help, separated by blank lines */
  unsigned needs;
  const char *operand; /* option that holds the record it reads, "FILE|STEP|...": of a command, what stands
                          without a name */
  const char *input_doc, *init_doc; /* what the input and the start mean here; NULL: the usual words */
  const char *tables; /* "a|b": tables one of which --csv and --hdf5 take; NULL: there is none */
  const br_option *options;
  size_t noptions;
  const br_result_row *results;
  size_t nresults;
  br_picture picture;         /* the usual one */
  const br_picture *pictures; /* others, by name */
  size_t npictures;
  const br_example *examples; /* ends with a NULL line */
  const br_result_alias *aliases;
  size_t naliases;
  /* An older section of studies that is this analysis with something fixed: of what, what is set, what must
   * be given.  NULL: a real one. */
  const char *alias_of, *preset, *wants;
  /* What holds where it is not given and no row can say, by br_job_default(), before the check; may be NULL.
   * */
  br_status (*prepare)(br_job *job, br_err *err);
  /* Rules that rows cannot say; may be NULL. */
  br_status (*check)(const br_job *job, br_err *err);
  br_status (*run)(const br_job *job, br_sink *out, br_err *err);
  /* The same answer with exact derivatives in place of its numbers; NaN where there is none.
   * BR_E_UNSUPPORTED: not for this job; NULL: never. */
  br_status (*slope)(const br_job *job, const br_direction *d, br_sink *out, br_err *err);
  const char *method;   /* how it is computed, for reports; NULL: the summary does */
  const char *accuracy; /* how good that is, where the answer has no estimate of its own */
} br_analysis;

/* The index-th of the catalogue (older sections included); NULL behind the last.  By name; NULL: unknown. */
BR_API const br_analysis *br_catalogue(size_t index);
BR_API const br_analysis *br_analysis_find(const char *name);
BR_API const br_option *br_analysis_option(const br_analysis *a, const char *name); /* aliases count */
/* A picture of any of them by its name; NULL: unknown. */
BR_API const br_picture *br_picture_find(const char *name);

/* ---- a job ---- */

BR_TRY br_status br_job_create(const br_analysis *a, br_job **out, br_err *err);
BR_API void br_job_destroy(br_job *job); /* NULL is fine */
/* How messages write the name of an option: "--" in front for a command line; default "". */
BR_API void br_job_dashes(br_job *job, const char *dashes);
BR_API const char *br_job_dash(const br_job *job); /* what was said */

/* Set anything by name: an option; "model", "system", "preset" (preset.h); "set" ("a=1,b=2") or "set.a";
 * "input" ("SPEC" or "NAME:SPEC") or "input.NAME"; "init" ("z=1,...") or "init.z".  Bare names of parameters
 * and inputs are taken where no option has them.  where: what messages say about the place, an argument or
 * file:line:column; NULL: the name.  Values of options are checked here, the rest by br_job_check().
 * Returns BR_OK; BR_E_NAME with the nearest name; BR_E_PARSE, BR_E_RANGE, BR_E_ARG (given twice); BR_E_NOMEM.
 * */
BR_TRY br_status br_job_set(br_job *job, const char *name, const char *value, const char *where, br_err *err);

/* An input ("input" or "input.NAME") from memory instead of text: n samples in SI at increasing times; shape
 * and period as br_signal_from_samples() has them.  The arrays are copied.  Errors of both. */
BR_TRY br_status br_job_set_array(br_job *job, const char *name, size_t n, const double *t, const double *u,
                                  br_signal_shape shape, int periodic, br_err *err);

/* The same where it is not given yet. */
BR_TRY br_status br_job_default(br_job *job, const char *name, const char *value, br_err *err);

/* The whole job: model, parameters, inputs, start, rules between options.  Nothing is computed or written. */
BR_TRY br_status br_job_check(br_job *job, br_err *err);

/* Answer it; the job must have been checked.  Errors of the analysis and of the sink. */
BR_TRY br_status br_job_run(const br_job *job, br_sink *out, br_err *err);

/* What was set.  Options: their value or default (0 and NULL where there is none). */
BR_API const br_analysis *br_job_analysis(const br_job *job);
BR_API int br_job_given(const br_job *job, const char *option);
BR_API double br_job_number(const br_job *job, const char *option);
BR_API size_t br_job_count(const br_job *job, const char *option);
BR_API int br_job_flag(const br_job *job, const char *option);
BR_API const char *br_job_text(const br_job *job, const char *option);
BR_API const double *br_job_list(const br_job *job, const char *option, size_t *n);
/* After a successful check. */
BR_API const br_model *br_job_model(const br_job *job);   /* NULL: none */
BR_API const br_system *br_job_system(const br_job *job); /* NULL: none */
BR_API const br_params *br_job_params(const br_job *job);
BR_API const double *br_job_par(const br_job *job);       /* prepared block of the model */
BR_API const char *br_job_set_text(const br_job *job);    /* the list of parameters as given; NULL: none */
BR_API const br_preset *br_job_preset(const br_job *job); /* NULL: none */
/* All values of the job into another set over the same tables: those of the preset, then those given. */
BR_TRY br_status br_job_values(const br_job *job, br_params *params, br_err *err);
BR_API size_t br_job_inputs(const br_job *job);
BR_API br_signal *br_job_input(const br_job *job, size_t k);      /* NULL: held */
BR_API br_signal *br_job_load(const br_job *job, size_t contact); /* what drives its load; NULL: held */
BR_API const char *br_job_spec(const br_job *job, size_t k);
BR_API const char *br_job_spec_name(const br_job *job, size_t k); /* "u", "vp" */
BR_API br_signal_need br_job_need(const br_job *job, size_t k);   /* unit and name of what an input needs */
BR_API const br_plant *br_job_plant(const br_job *job);           /* NULL: no mechanism */
BR_API const double *br_job_start(const br_job *job, size_t *n);  /* states of the model, or of the plant */

BR_API int br_job_settled(const br_job *job); /* init is "settled": the analysis finds the states itself */

/* ---- where an answer goes ---- */

enum {
  BR_TABLE_MAIN = 1,  /* what --csv and --hdf5 take */
  BR_TABLE_FILE = 2,  /* a table of its own */
  BR_TABLE_LIST = 4,  /* a list of objects under its name: "turning.0.u" */
  BR_TABLE_ARRAYS = 8 /* one array of numbers per column, under the column's path */
};
typedef struct {
  const char *name, *unit; /* unit "" or "1": none */
  const char *path;        /* BR_TABLE_ARRAYS: where the array stands; NULL: the name */
} br_column;
typedef struct {
  const char *name;
  unsigned shape; /* BR_TABLE_* */
  size_t ncol;
  const br_column *columns;
  size_t rows;               /* how many are expected; 0: unknown */
  const char *label, *style; /* in the usual picture; NULL: none, that of the picture */
  const char *const *names;  /* maps: what the numbers 0, 1, ... mean, nnames of them; entries may be NULL */
  size_t nnames;
} br_table_head;

typedef enum {
  BR_VALUE_NUMBER,
  BR_VALUE_TEXT,
  BR_VALUE_FLAG,
  BR_VALUE_NULL,
  BR_VALUE_LIST,   /* a list, empty so far */
  BR_VALUE_OBJECT, /* an object, empty so far */
  BR_VALUE_TIME,   /* seconds of the computation, which no two runs share: no study records it */
  BR_VALUE_ASIDE   /* a number for records and summaries that the JSON object does not have */
} br_value_kind;
typedef struct {
  br_value_kind kind;
  double number; /* also of a flag */
  const char *text, *unit;
} br_value;

/* A back end: functions that may be NULL do nothing.  Tables come one at a time. */
struct br_sink {
  void *ctx;
  br_stop stop; /* asked now and then */
  br_status (*value)(void *ctx, const char *path, const br_value *v, br_err *err);
  int (*wants)(void *ctx, const char *table); /* 0: this table would go nowhere */
  br_status (*table)(void *ctx, const br_table_head *head, br_err *err);
  br_status (*row)(void *ctx, const double *row, br_err *err);
  br_status (*end)(void *ctx, br_err *err);
  void (*progress)(void *ctx, double part);
  void (*note)(void *ctx, const char *text); /* what a person should know */
  void (*amount)(void *ctx, double count, const char *what, double seconds_each); /* work that begins now */
  br_status failed; /* of values: kept here, so that analyses need not look */
  int rotary;       /* set by br_job_run(): units go out as those of rotation, rad for m and N m for N */
};

#if defined(__GNUC__)
#define BR_PRINTF(fmt_index, first) __attribute__((format(printf, fmt_index, first)))
#else
#define BR_PRINTF(fmt_index, first)
#endif
/* A value under a path, printf-like: br_put_number(out, "N", gap, "minor.%zu.gap", i).  NaN becomes null.  A
 * name that has dots stands in quotes, "final.'contact1.z'"; who reads leaves them out. */
BR_API void br_put_number(br_sink *out, const char *unit, double x, const char *path, ...) BR_PRINTF(4, 5);
BR_API void br_put_text(br_sink *out, const char *text, const char *path, ...)
    BR_PRINTF(3, 4); /* NULL: null */
BR_API void br_put_flag(br_sink *out, int x, const char *path, ...) BR_PRINTF(3, 4);
BR_API void br_put(br_sink *out, br_value_kind kind, double x, const char *path);
BR_API void br_put_value(br_sink *out, const br_value *v, const char *path);
/* Tables; rows are refused with BR_INTERRUPTED once the user wants to stop. */
BR_API int br_sink_wants(const br_sink *out, const char *table);
BR_TRY br_status br_put_table(br_sink *out, const br_table_head *head, br_err *err);
BR_TRY br_status br_put_row(br_sink *out, const double *row, br_err *err);
BR_TRY br_status br_put_end(br_sink *out, br_err *err);
/* Between two pieces of work: BR_INTERRUPTED when the user wants to stop; part of the whole, 0..1. */
BR_TRY br_status br_sink_alive(br_sink *out, double part, br_err *err);
BR_API void br_sink_note(br_sink *out, const char *text);
BR_API void br_sink_amount(br_sink *out, double count, const char *what, double seconds_each);
/* Several back ends as one.  The tee and the sinks must outlast the answer. */
enum { BR_TEE = 4 };
typedef struct {
  br_sink *to[BR_TEE];
  size_t n;
} br_tee;
BR_API br_sink br_sink_tee(br_tee *tee);

/* ---- an answer in memory ---- */

typedef struct br_result br_result;
/* keep: shapes (BR_TABLE_*) of tables whose rows stay; of the others extremes and last row. */
BR_TRY br_status br_result_create(unsigned keep, br_result **out, br_err *err);
BR_API void br_result_destroy(br_result *result); /* NULL is fine */
BR_API br_sink br_result_sink(br_result *result);
/* Tables with such a name ("minor*") are wanted and kept too; the text must last. */
BR_API void br_result_want(br_result *result, const char *table);

typedef enum { BR_NODE_NONE, BR_NODE_VALUE, BR_NODE_OBJECT, BR_NODE_LIST, BR_NODE_ARRAY } br_node_kind;
typedef struct {
  const char *name, *label, *style;
  size_t ncol, rows;
  unsigned shape;
  const br_column *columns;
  const double *data;             /* rows * ncol, row by row; NULL: not kept */
  const double *min, *max, *last; /* per column */
  const char *const *names;       /* of the numbers in a map, nnames; NULL: none */
  size_t nnames;
} br_result_table;

/* By path.  BR_NODE_NONE: there is nothing. */
BR_API br_node_kind br_result_kind(const br_result *result, const char *path);
BR_API int br_result_number(const br_result *result, const char *path, double *value, const char **unit);
BR_API double br_result_real(const br_result *result, const char *path);      /* NaN: there is none */
BR_API const char *br_result_text(const br_result *result, const char *path); /* "": there is none */
BR_API size_t br_result_length(const br_result *result, const char *path);    /* of a list or array */
BR_API const br_result_table *br_result_table_find(const br_result *result, const char *name);
BR_API const br_result_table *br_result_tables(const br_result *result,
                                               size_t index); /* NULL behind the last */

/* Node by node, for bindings: the members in the order and with the names of the JSON object.  Everything
 * belongs to the result. */
typedef struct br_node br_node;
typedef struct {
  br_node_kind kind; /* BR_NODE_NONE: not in the JSON object */
  const char *name;  /* NULL in a list and at the root */
  br_value value;    /* of BR_NODE_VALUE */
  size_t length;     /* members; rows of a table */
  /* BR_NODE_ARRAY: the column of a table.  BR_NODE_LIST with a table: its rows as objects, and no members. */
  const br_result_table *table;
  size_t column;
} br_node_view;
BR_API const br_node *br_result_root(const br_result *result);
BR_API const br_node *br_node_member(const br_node *node, size_t index); /* NULL behind the last */
BR_API br_node_view br_node_look(const br_result *result, const br_node *node);

/* The whole answer as one JSON object, kept by the result until the next call; NULL: out of memory. */
BR_API const char *br_result_json(br_result *result, size_t *length);

BR_C_END
#endif
