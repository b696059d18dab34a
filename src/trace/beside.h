/* SPDX-License-Identifier: Apache-2.0
 * beside.h - what the analysis 'trace' does beside its rows: a settled start, the measured force. */
#ifndef BRI_TRACE_BESIDE_H
#define BRI_TRACE_BESIDE_H
#include "bristle/analysis.h"
#include "record/compare.h"

/* States with which the motion of a job would go on: of the periodic loop, or of steady sliding at the first speed.
 * z[nstate]; how: what was done, for people. */
BR_CHECKED br_status bri_trace_settle(const br_job *job, size_t size, char *how, double *z, br_err *err);

/* The measured force along the motion, where it was asked for. */
typedef struct {
  br_signal *force; /* NULL: it was not */
  double from, to;  /* s: where there is a record of it */
  bri_compare sums;
  double *rows; /* t, u, measured, model, residual */
  size_t n, room;
  int failed; /* no memory */
} bri_measured;
BR_CHECKED br_status bri_measured_open(const br_job *job, bri_measured *m, br_err *err);
/* The model at a sample; nothing where no force was measured. */
void bri_measured_row(bri_measured *m, double t, double u, double F);
/* Table and numbers into the answer.  path: there is no time. */
BR_CHECKED br_status bri_measured_put(bri_measured *m, int path, br_sink *out, br_err *err);
void bri_measured_close(bri_measured *m);

#endif
