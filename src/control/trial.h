/* SPDX-License-Identifier: Apache-2.0
 * trial.h - one closed loop whose controller believes in wrong parameters.  Internal. */
#ifndef BRI_CONTROL_TRIAL_H
#define BRI_CONTROL_TRIAL_H
#include "bristle/control.h"

enum { BRI_WRONG_MAX = 16 };

/* Parameters that may be wrong, and where they live. */
typedef struct {
  size_t n;
  size_t slot[BRI_WRONG_MAX];
  int of_model[BRI_WRONG_MAX];
} bri_wrong;

/* By names, the model's before the mechanism's where both know one.  BR_E_NAME, BR_E_RANGE (too many). */
br_status bri_wrong_find(const br_control_case *job, const char *const *names, size_t n, bri_wrong *w,
                         br_err *err);

/* Run the case with factor[i] on parameter i (NULL: none) of what the controller believes.  A loop that runs
 * away or breaks down is no error: error_rms = INFINITY.  Factors that make no valid parameters: error_rms =
 * NAN and nothing is run. */
br_status bri_trial(const br_control_case *job, const br_control_settings *set, size_t tracked,
                    const bri_wrong *w, const double *factor, br_control_result *out, br_err *err);

/* Factors of corner k: bit i set is 1 + part. */
void bri_corner(unsigned k, size_t n, double part, double *factor);

#endif
