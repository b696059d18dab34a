/* SPDX-License-Identifier: Apache-2.0
 * analysis.h - what the files behind the analysis 'control' share. */
#ifndef BRI_CONTROL_ANALYSIS_H
#define BRI_CONTROL_ANALYSIS_H
#include "bristle/analysis.h"
#include "bristle/control.h"
#include "signal/measured.h"

/* One question on its way: the plant is the job's, the controller may believe something else. */
typedef struct {
  const br_job *job;
  br_sink *out;
  const br_system *sys;
  const br_model *mod;
  br_params *belief; /* the plant's parameters times the factors of 'mismatch' */
  br_param *input_rows;
  br_signal *reference;
  br_control_settings set;
  int law; /* 0: no controller was named (compare) */
  br_controller controller;
  br_control_case run;
  double *mpair, noise[BR_CONTROL_MAX_Q];
  double limit; /* of u; INFINITY: none */
  size_t tracked;
  const char *y_unit, *u_unit;
  struct bri_control_rows *rows; /* of the run that goes on; NULL: nobody wants them */
  bri_measured measured;         /* a record beside one of its columns */
  int compared;                  /* which: 2 the output, 4 the control, 5 the friction force */
  br_status stopped;             /* of a row that could not be written; why says it */
  br_err why;
} bri_control_question;

enum { BRI_CONTROLLER_OPTIONS = 9 };
/* A controller as options, the first rows of 'control': what 'bristle export' takes too. */
extern const br_analysis bri_analysis_controller;

/* analysis_read.c: everything the options say, and the controller over its mechanism.  Nothing is run.  Free
 * it in any case. */
br_status bri_control_open(bri_control_question *q, const br_job *job, br_err *err);
void bri_control_close(bri_control_question *q);
/* Its parts that need no loop: for an export. */
br_status bri_control_read_settings(const br_job *job, br_control_settings *set, br_err *err);
br_status bri_control_read_tracked(const br_job *job, size_t *tracked, br_err *err);
/* 'reference' or 'validate', checked against the unit of the tracked state. */
br_status bri_control_read_reference(const bri_control_question *q, const char *option, br_signal **out,
                                     br_err *err);
/* What that needs of a file. */
br_signal_need bri_control_need(const bri_control_question *q, const char *option);
/* A message whose first word is the option as the caller writes it: "--window 2:3: ...", "'window' 2:3: ...".
 * */
br_status bri_control_refuse(const br_job *job, const char *option, br_err *err, const char *fmt, ...)
    BR_PRINTF(4, 5);

/* Names between commas, at most BRI_CONTROL_NAMES. */
enum { BRI_CONTROL_NAMES = 12 };
typedef struct {
  char text[256];
  const char *list[BRI_CONTROL_NAMES];
  size_t n;
} bri_control_names;
br_status bri_control_read_names(const br_job *job, const char *option, size_t most, bri_control_names *names,
                                 br_err *err);
/* Parameters the controller may have wrong: 'uncertain', or every number with a unit that is not 0. */
br_status bri_control_read_uncertain(const bri_control_question *q, bri_control_names *names, br_err *err);
/* Part of the whole, 0..1, to the sink; non-zero: stop. */
int bri_control_progress(void *ctx, double done);

/* The questions with files of their own. */
br_status bri_control_ask_once(bri_control_question *q, br_err *err);
br_status bri_control_ask_compare(bri_control_question *q, br_err *err);
br_status bri_control_ask_bode(bri_control_question *q, br_err *err); /* behind the single run */
br_status bri_control_ask_tune(bri_control_question *q, br_err *err);
br_status bri_control_ask_map(bri_control_question *q, br_err *err);
/* analysis_map.c: 'vary' and 'vary2' as they must be written. */
br_status bri_control_read_axis(const br_job *job, const char *option, size_t room, char *name,
                                br_control_axis *axis, br_err *err);

#endif
