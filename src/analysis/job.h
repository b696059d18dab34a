/* SPDX-License-Identifier: Apache-2.0
 * job.h - what the files of a job share. */
#ifndef BRI_ANALYSIS_JOB_H
#define BRI_ANALYSIS_JOB_H
#include "bristle/analysis.h"
#include "text/buf.h"

enum { BRI_JOB_INPUTS = 8 };

/* Value of an option, at the index of its row. */
typedef struct {
  int given;
  char *text, *where; /* where: NULL when the caller said none */
  double *x;          /* numbers of it, in SI; a choice: its index; a flag: 1 or 0 */
  size_t n;
} bri_option_value;

struct br_job {
  const br_analysis *an;
  const char *dashes;
  bri_option_value *values; /* [an->noptions] */
  /* as given */
  char *model_name, *system_name;
  bri_buf set, init; /* lists */
  char *input_text[BRI_JOB_INPUTS];
  size_t ninput_text;
  /* as found by the check */
  int borrowed; /* what follows belongs to somebody else */
  const br_model *m;
  const br_system *sys;
  br_param *input_rows; /* table of the inputs: params points at it */
  br_params *params;
  const double *par, *held;
  br_signal *inputs[BRI_JOB_INPUTS];
  const char *spec[BRI_JOB_INPUTS];
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
double bri_option_default(const br_option *row); /* of a choice: its index */
void bri_option_free(bri_option_value *v);
const bri_option_value *bri_option_of(const br_job *job, const char *name);

/* setup.c: model, parameters, inputs, plant, start. */
br_status bri_job_setup(br_job *job, br_err *err);
void bri_job_release(br_job *job);

/* What the study has read itself, with the places of all that is wrong; nothing is owned. */
typedef struct {
  const br_model *m;
  const br_system *sys;
  br_params *params;
  const double *par, *held;
  br_signal *const *inputs;
  const char *const *spec;
  size_t axes, ninput;
  br_plant *plant;
  double *start;
  size_t nstate;
  const char *set; /* parameters as text, for labels; NULL: none */
} bri_job_parts;
void bri_job_borrow(br_job *job, const bri_job_parts *parts);

/* key.c: a text that changes with everything the answer depends on but the contents of files; `file` is called
 * for each file that is read. */
br_status bri_job_key(const br_job *job, bri_buf *b,
                      br_status (*file)(void *ctx, bri_buf *out, const char *path, br_err *err), void *ctx,
                      br_err *err);

#endif
