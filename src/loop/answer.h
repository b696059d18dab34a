/* SPDX-License-Identifier: Apache-2.0
 * answer.h - what the files behind the analysis 'loop' share. */
#ifndef BRI_LOOP_ANSWER_H
#define BRI_LOOP_ANSWER_H
#include "bristle/analysis.h"
#include "bristle/loop.h"
#include "bristle/wave.h"
#include "solve/varied.h"

/* One question on its way.  The answer is the same list of numbers whether it came from turning points (loop)
 * or from the motion in its own time (wave). */
typedef struct {
  const br_job *job;
  const br_model *m;
  const double *par;
  const br_signal *input;
  br_loop_settings set;
  br_wave_settings wave_set;
  br_loop *loop;
  br_wave *wave;  /* waveform: this one, loop is NULL */
  br_wave *start; /* waveform with periods: from t = 0 */
  br_loop_summary sum;
  const br_turning *turning;
  const br_minor *minor;
  double seconds; /* s of processor time for the loop itself */
  size_t samples; /* per arc; 0: not given */
  size_t periods, nscales;
  const double *scales;
  br_wave_switch *switches;
  bri_element_stage *stages; /* whose blocks these are */
  size_t nstage;
  int slope; /* 1: numbers are derivatives, and what is given has none */
} bri_loop_question;

/* analysis.c: options of the job; the loop or wave itself; its numbers; what it holds. */
void bri_loop_settings_of(bri_loop_question *q, const br_stop *stop);
BR_CHECKED br_status bri_loop_compute(bri_loop_question *q, br_err *err);
BR_CHECKED br_status bri_loop_numbers(const bri_loop_question *q, br_sink *out, br_err *err);
void bri_loop_release(bri_loop_question *q);
/* slope.c: the answer with exact derivatives in place of its numbers. */
BR_CHECKED br_status bri_loop_slope(const br_job *job, const br_direction *d, br_sink *out, br_err *err);

/* Points along the steady loop in order of the path; a corner stands twice only where the force jumps. */
typedef struct {
  double *rho, *u, *y, *minor; /* m, m, N, innermost minor loop or -1 */
  size_t n;
} bri_loop_curve;
br_status bri_loop_curve_create(const bri_loop_question *q, bri_loop_curve *c, br_err *err);
void bri_loop_curve_free(bri_loop_curve *c);

/* "rate": distance to the quasi-static limit at each time scale, its order, and whether that is consistency.
 * */
br_status bri_loop_rates(const bri_loop_question *q, br_sink *out, br_err *err);
/* What the minor loops cost: the same motion without them. */
BR_CHECKED br_status bri_loop_extra(const bri_loop_question *q, br_sink *out, br_err *err);
/* Tables for files and pictures. */
br_status bri_loop_tables(const bri_loop_question *q, br_sink *out, br_err *err);
/* "transient": largest difference to the steady loop in each period. */
br_status bri_loop_transient(const bri_loop_question *q, br_sink *out, br_err *err);

#endif
