/* SPDX-License-Identifier: Apache-2.0
 * beside.h - what the analysis 'trace' does beside its rows: a settled start. */
#ifndef BRI_TRACE_BESIDE_H
#define BRI_TRACE_BESIDE_H
#include "bristle/analysis.h"

/* States with which the motion of a job would go on: of the periodic loop, or of steady sliding at the first
 * speed. z[nstate]; how: what was done, for people. */
BR_CHECKED br_status bri_trace_settle(const br_job *job, size_t size, char *how, double *z, br_err *err);

#endif
