/* SPDX-License-Identifier: Apache-2.0
 * sensitivity.h - derivatives of an answer by parameters.  Internal. */
#ifndef BRI_SENSE_SENSITIVITY_H
#define BRI_SENSE_SENSITIVITY_H
#include "bristle/analysis.h"

/* Puts 'sensitivity' for the parameters that the option of this name lists; the job has been checked and
 * answered. */
BR_CHECKED br_status bri_sensitivity(const br_job *job, br_sink *out, br_err *err);
/* Are the names known, numbers, and away from the ends of their ranges?  For the check of a job. */
BR_CHECKED br_status bri_sensitivity_check(const br_job *job, br_err *err);

#endif
