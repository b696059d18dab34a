/* SPDX-License-Identifier: Apache-2.0
 * job.h - what the files of a job share. */
#ifndef BRI_ANALYSIS_JOB_H
#define BRI_ANALYSIS_JOB_H
#include "bristle/analysis.h"
#include "bristle/mechanism.h"
#include "bristle/preset.h"
#include "text/buf.h"
#include "text/claims.h"

/* Slots of inputs: those of the mechanism, the load of all contacts, that of each. */
enum { BRI_JOB_INPUTS = 8, BRI_JOB_LOAD = BRI_JOB_INPUTS, BRI_JOB_SLOTS = BRI_JOB_LOAD + 1 + 64 };

/* Value of an option, at the index of its row. */
typedef struct {
  int given;
  char *text, *where; /* where: NULL when the caller said none */
  double *x;          /* numbers of it, in SI; a choice: its index; a flag: 1 or 0 */
  size_t n;
} bri_option_value;

/* What was set beside the options: one entry of "set", "input" or "init". */
typedef struct {
  char *name;        /* NULL: the value is a whole list, or has the name of the input in front */
  char *value;       /* as written */
  char *where;       /* NULL when the caller said none */
  br_signal *signal; /* an input from memory, which the entry owns; NULL: the value is its text */
} bri_entry;
typedef struct {
  bri_entry *list;
  size_t n, room;
} bri_entries;

/* Something a check has found wrong.  part: "model", "system", "set", "input", "init", "" for options and
 * what concerns them all; name: of the entry or option, NULL for the whole part.  why->index: the character
 * of the value where a formula goes wrong, -1 elsewhere. */
enum { BRI_AT_NAME = -2, BRI_AT_VALUE = -1 }; /* else the element of a vector */
typedef void bri_fault_fn(void *ctx, const char *part, const char *name, int element, const br_err *why);

struct br_job {
  const br_analysis *an;
  const char *dashes;
  bri_option_value *values; /* [an->noptions] */
  /* as given */
  char *model_name, *system_name, *preset_name;
  bri_entries set, init, input;
  bri_buf set_text; /* all of 'set' as one list */
  /* who is told of faults, one by one; NULL: the check ends at the first */
  bri_fault_fn *fault;
  void *fault_ctx;
  size_t faults;
  /* as found by the check */
  const br_preset *preset; /* NULL: none */
  const br_model *m;
  const br_system *sys;
  br_mechanism *mechanism; /* where the system is a text file */
  br_param *input_rows;    /* table of the inputs: params points at it */
  br_params *params;
  const double *par, *held;
  br_signal *inputs[BRI_JOB_SLOTS];
  const char *spec[BRI_JOB_SLOTS];
  int lent[BRI_JOB_SLOTS]; /* 1: the signal belongs to its entry */
  size_t axes, ninput;
  br_plant *plant;
  double *start;
  size_t nstate;
};

/* option.c */
br_status bri_option_read(const br_job *job, const br_option *row, const char *text, bri_option_value *v,
                          br_err *err);
/* The same error with the place in front, unless the name of the option already tells it. */
br_status bri_option_fail(const br_job *job, const char *where, const br_err *why, br_err *err);
br_status bri_option_rules(const br_job *job, br_err *err);
void bri_option_free(bri_option_value *v);
const bri_option_value *bri_option_of(const br_job *job, const char *name);

/* catalogue.c: names of a kind ("model", "system", "preset", "analysis"; older names are none), how many; and
 * what is said of a name that is none of them. */
enum { BRI_NAMES = 64 };
size_t bri_names_of(const char *kind, const char *names[BRI_NAMES]);
br_status bri_unknown(const char *kind, const char *name, br_err *err);

/* setup.c: model, parameters, inputs, plant, start. */
br_status bri_job_setup(br_job *job, br_err *err);
void bri_job_release(br_job *job);
/* The names that hold: those given, or else of the preset; NULL: none. */
const char *bri_job_model_name(const br_job *job);
const char *bri_job_system_name(const br_job *job);

/* job.c: one entry of "set", "input" or "init", whether the analysis takes it or not. */
br_status bri_job_add(br_job *job, const char *part, const char *name, const char *value, const char *where,
                      br_err *err);
/* br_job_check() tells all faults to fn, and returns BR_E_ARG where there was one. */
void bri_job_on_fault(br_job *job, bri_fault_fn *fn, void *ctx);
/* The checked job tells its fault, or returns it. */
br_status bri_job_fault(br_job *job, const char *part, const bri_entry *e, int element, const br_err *why,
                        br_err *err);

/* key.c: a text that changes with everything the answer depends on but the contents of files; `file` is
 * called for each file that is read. */
br_status bri_job_key(const br_job *job, bri_buf *b,
                      br_status (*file)(void *ctx, bri_buf *out, const char *path, br_err *err), void *ctx,
                      br_err *err);
/* Is the text of this option "FILE", or "FILE|STEP|..." of a record, that is read?  *n: length of the path.
 * */
int bri_option_file(const br_analysis *a, const char *option, const char *text, size_t *n);
/* The file behind "csv:FILE:t,x", where the text names one. */
void bri_claim_spec(bri_claims *set, const char *spec, const char *what);
/* The files that a checked job reads, and those that its options say it makes; what: how messages call it,
 * NULL: by the option that names the file. */
void bri_job_claim(const br_job *job, bri_claims *set, const char *what);

#endif
