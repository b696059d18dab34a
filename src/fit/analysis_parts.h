/* SPDX-License-Identifier: Apache-2.0
 * analysis_parts.h - what the files of the analysis 'fit' share.  Internal. */
#ifndef BRI_FIT_ANALYSIS_PARTS_H
#define BRI_FIT_ANALYSIS_PARTS_H
#include "bristle/analysis.h"
#include "bristle/fit.h"

/* Samples [part[0], part[1]) of r that the option asks for; untouched where it is not given.  r NULL: the text alone is
 * checked. */
BR_CHECKED br_status bri_fit_part(const br_job *job, const char *option, const br_fit_record *r,
                                  size_t part[2], br_err *err);

/* analysis.c: the functions of the table in analysis_rows.c. */
BR_CHECKED br_status bri_fit_check(const br_job *job, br_err *err);
BR_CHECKED br_status bri_fit_run(const br_job *job, br_sink *out, br_err *err);
void bri_fit_put_time(br_sink *out, double x, const char *path);
void bri_fit_put_values(br_sink *out, const br_fit_value *values, size_t n, int rotary);

/* analysis_motion.c: the same question with a mechanism. */
BR_CHECKED br_status bri_fit_motion_check(const br_job *job, br_err *err);
BR_CHECKED br_status bri_fit_motion_run(const br_job *job, const char *text, br_sink *out, br_err *err);

/* analysis_design.c: an experiment instead of a fit. */
BR_CHECKED br_status bri_fit_design_check(const br_job *job, br_err *err);
BR_CHECKED br_status bri_fit_design_run(const br_job *job, br_sink *out, br_err *err);

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
  const char *left_out;                     /* fitted terms that the study cannot have; NULL: none */
  double t_end;
} bri_fit_study;
BR_CHECKED br_status bri_fit_outputs_check(const br_job *job, br_err *err);
BR_CHECKED br_status bri_fit_write_header(const br_job *job, const br_model *m, const double *block,
                                          br_err *err);
BR_CHECKED br_status bri_fit_write_study(const br_job *job, const bri_fit_study *s, br_err *err);

#endif
