/* SPDX-License-Identifier: Apache-2.0
 * control_job.h - what the parts of bristle control share. */
#ifndef BRI_CLI_CONTROL_JOB_H
#define BRI_CLI_CONTROL_JOB_H
#include "bristle/control.h"
#include "cli.h"
#include "columns.h"
#include "outputs.h"
#include "plant.h"

/* The block of document 1. */
#define CONTROL_PAPER "m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1"

enum {
  CONTROL_O_SYSTEM,
  CONTROL_O_MODEL,
  CONTROL_O_SET,
  CONTROL_O_INIT,
  CONTROL_O_CONTROLLER,
  CONTROL_O_LAW,
  CONTROL_O_POLES,
  CONTROL_O_GAINS,
  CONTROL_O_BRISTLE,
  CONTROL_O_INTEGRAL,
  CONTROL_O_ANTIWINDUP,
  CONTROL_O_REFERENCE,
  CONTROL_O_TRACK,
  CONTROL_O_T_END,
  CONTROL_O_WINDOW,
  CONTROL_O_MISMATCH,
  CONTROL_O_SAMPLE,
  CONTROL_O_NOISE,
  CONTROL_O_DELAY,
  CONTROL_O_LIMIT,
  CONTROL_O_SEED,
  CONTROL_O_RTOL,
  CONTROL_O_OUTPUT_DT,
  CONTROL_O_COMPARE,
  CONTROL_O_TUNE,
  CONTROL_O_COST,
  CONTROL_O_VALIDATE,
  CONTROL_O_UNCERTAIN,
  CONTROL_O_PART,
  CONTROL_O_SAMPLES,
  CONTROL_O_MAP,
  CONTROL_O_VARY,
  CONTROL_O_VARY2,
  CONTROL_O_GRID,
  CONTROL_O_THREADS,
  CONTROL_O_CSV,
  CONTROL_O_HDF5,
  CONTROL_O_PLOT,
  CONTROL_O_JSON,
  CONTROL_O_QUIET,
  CONTROL_OPTIONS
};

typedef struct {
  const cli_call *call;
  plant_job plant, belief; /* the real one, and what the controller believes */
  br_signal *reference;
  br_control_settings set;
  br_controller controller;
  br_control_case run;
  br_control_result result;
  double *mpair, noise[BR_CONTROL_MAX_Q], limit; /* limit: INFINITY when not given */
  size_t tracked;
  columns out;
  outputs to;
  br_err row_err;
} control_job;

static inline const opt_value *control_option(const control_job *b, int k) { return &b->call->values[k]; }

/* --compare: all controllers over the same scenarios; what is not given is the case of document 1. */
void control_compare_defaults(control_job *b);
int control_compare(control_job *b);
/* --tune: better gains for the given case. */
int control_tune(control_job *b);
/* --map: where the loop hunts, over two gains or parameters. */
int control_map(control_job *b);

/* Names of parameters that may be wrong: --uncertain, or every number with a unit that is not zero.  Names
 * point into *room. */
enum { CONTROL_UNCERTAIN = 12 };
typedef struct {
  char text[256];
  const char *names[CONTROL_UNCERTAIN];
  size_t n;
  double part;
} control_uncertain;
int control_read_uncertain(const control_job *b, control_uncertain *u);
/* --threads; 0: not given. */
int control_threads(const control_job *b, int *threads);
/* On a terminal a bar; Ctrl-C stops. */
int control_progress(void *ctx, double done);

#endif
