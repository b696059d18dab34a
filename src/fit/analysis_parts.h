/* SPDX-License-Identifier: Apache-2.0
 * analysis_parts.h - what the files of the analysis 'fit' share.  Internal. */
#ifndef BRI_FIT_ANALYSIS_PARTS_H
#define BRI_FIT_ANALYSIS_PARTS_H
#include <stdint.h>

#include "bristle/analysis.h"
#include "bristle/fit.h"
#include "bristle/record.h"

/* Samples [part[0], part[1]) of r that the option asks for; untouched where it is not given.  r NULL: the
 * text alone is checked. */
BR_CHECKED br_status bri_fit_part(const br_job *job, const char *option, const br_fit_record *r,
                                  size_t part[2], br_err *err);

/* analysis.c: the functions of the table in analysis_rows.c. */
BR_CHECKED br_status bri_fit_check(const br_job *job, br_err *err);
BR_CHECKED br_status bri_fit_run(const br_job *job, br_sink *out, br_err *err);
void bri_fit_put_time(br_sink *out, double x, const char *path);
void bri_fit_put_values(br_sink *out, const br_fit_value *values, size_t n, int rotary);

/* A file that was asked about, and its fit. */
typedef struct {
  br_record *file;
  double *made;   /* columns of a sample */
  double *paired; /* of two axes: pairs of the columns of the file */
  br_fit_record r;
  br_fit *fit;
  int rotary; /* 1: angles and torques */
} bri_fit_asked;
BR_CHECKED br_status bri_fit_load(const br_job *job, const char *text, bri_fit_asked *q, br_err *err);
void bri_fit_release(bri_fit_asked *q);
br_fit_options bri_fit_options_of(const br_job *job, const br_sink *out);
BR_CHECKED br_status bri_fit_put_set(br_sink *out, const br_fit_model *m, br_err *err);
BR_CHECKED br_status bri_fit_put_curve(br_sink *out, br_fit_curve c, const bri_fit_asked *q, br_err *err);
void bri_fit_put_file(br_sink *out, size_t i, const char *text, const br_fit_model *m, int rotary,
                      int intervals);
const char *bri_fit_turned(const char *unit, int rotary); /* rad for m, N m for N */

/* analysis_joint.c: several files in one fit. */
BR_CHECKED br_status bri_fit_joint_run(const br_job *job, br_sink *out, br_err *err);

/* analysis_motion.c: the same question with a mechanism. */
BR_CHECKED br_status bri_fit_motion_check(const br_job *job, br_err *err);
BR_CHECKED br_status bri_fit_motion_run(const br_job *job, const char *text, br_sink *out, br_err *err);

/* analysis_design.c: an experiment instead of a fit. */
BR_CHECKED br_status bri_fit_design_check(const br_job *job, br_err *err);
BR_CHECKED br_status bri_fit_design_run(const br_job *job, br_sink *out, br_err *err);

/* analysis_state.c: what a fit has found so far, where --resume says so. */
typedef struct bri_fit_state bri_fit_state;
uint64_t bri_fit_hash(uint64_t h, const void *bytes, size_t n);
uint64_t bri_fit_question(const br_job *job); /* all options that the answer depends on */
br_fit_memory bri_fit_state_memory(bri_fit_state *s);
void bri_fit_state_close(bri_fit_state *s, int done); /* done: the file goes away; NULL is fine */
/* The state that --resume names, opened; NULL where it is not given.  A note says what is gone on from. */
BR_CHECKED br_status bri_fit_resume(const br_job *job, uint64_t question, br_sink *out, bri_fit_state **state,
                                    br_err *err);
/* One of several files; get: 1 where it is there for this record, *room (to be freed) holds the texts. */
BR_CHECKED br_status bri_fit_state_put_file(bri_fit_state *s, size_t i, uint64_t record,
                                            const br_fit_model *m, br_err *err);
int bri_fit_state_get_file(bri_fit_state *s, size_t i, uint64_t record, char **room, br_fit_value *values,
                           size_t most, br_fit_model *m);

/* analysis_outputs.c: files that a fit leaves behind, where --study and --header ask for them. */
typedef struct {
  const br_model *model;
  const double *model_block;
  const br_system *system; /* NULL: motion given, force predicted */
  const double *system_block;
  const char *record;           /* FILE|STEP|... */
  const char *time, *input;     /* columns; time NULL: none */
  const char *measured, *state; /* column, and the state that it is of; measured NULL: none to show */
  const char *input_steps, *measured_steps; /* "|offset:3N" or "" */
  const char *init;                         /* "x: 1, v: 2"; NULL: none */
  const char *system_file;                  /* a mechanism of the user's own; NULL: by its name */
  const char *left_out;                     /* fitted terms that the study cannot have; NULL: none */
  double t_end;
} bri_fit_study;
BR_CHECKED br_status bri_fit_outputs_check(const br_job *job, br_err *err);
BR_CHECKED br_status bri_fit_write_header(const br_job *job, const br_model *m, const double *block,
                                          br_err *err);
BR_CHECKED br_status bri_fit_write_study(const br_job *job, const bri_fit_study *s, br_err *err);

/* One row of the ranking; why: it was left out, and there are no numbers. */
typedef struct {
  const br_model *model;
  double rmse_test, rel_test, aic, bic, seconds;
  const char *why;
} bri_fit_rank;
void bri_fit_put_rank(br_sink *out, size_t i, const char *unit, const bri_fit_rank *r);

/* A record that cannot be read is bad input, which the caller can mend: the same message under that code. */
BR_CHECKED br_status bri_fit_told(br_status st, br_err *err);

#endif
