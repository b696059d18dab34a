/* SPDX-License-Identifier: Apache-2.0
 * loop_job.h - what the files behind `bristle loop` share. */
#ifndef BRI_CLI_LOOP_JOB_H
#define BRI_CLI_LOOP_JOB_H
#include "bristle/loop.h"
#include "bristle/param.h"
#include "bristle/wave.h"
#include "cli.h"
#include "outputs.h"

/* Everything a run owns.  The result is the same list of numbers whether it came from turning points (loop)
 * or from the motion in its own time (wave). */
typedef struct {
  const cli_call *call;
  outputs to;
  const br_model *m;
  br_params *params;
  const double *par;
  br_signal *input;
  const char *spec;
  br_loop_settings set;
  br_wave_settings wave_set;
  size_t samples; /* per arc, or per period of a waveform; 0: not given */
  br_loop *loop;
  br_wave *wave; /* --waveform: this one, loop is NULL */
  br_loop_summary sum;
  const br_turning *turning;
  const br_minor *minor;
  double seconds; /* s of processor time for the loop itself */
  double *scales; /* --scales */
  br_rate_row *rate;
  size_t nscales;
  double *z0;       /* --init */
  size_t periods;   /* --periods: transient from z0, one distance for each */
  double *distance; /* N: largest difference to the steady loop in each of these periods */
} loop_job;

/* Points along the steady loop in order of the path. */
typedef struct {
  double *rho, *u, *y, *minor; /* m (waveform: s), m, N, innermost minor loop or -1 */
  size_t n;
} loop_curve;

/* loop_curve.c */
int loop_curve_create(const loop_job *b, loop_curve *c); /* 0: no memory */
void loop_curve_free(loop_curve *c);
int loop_write_tables(const loop_job *b); /* exit code */
size_t loop_samples(const loop_job *b);   /* per arc */
int loop_transient(loop_job *b);          /* fills distance; exit code */

/* loop_plot.c */
int loop_draw(const loop_job *b, const char *path); /* exit code */

/* loop_print.c */
void loop_print_text(const loop_job *b);
int loop_print_json(const loop_job *b); /* exit code */

#endif
