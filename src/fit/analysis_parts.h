/* SPDX-License-Identifier: Apache-2.0
 * analysis_parts.h - the parts of a record that an option names.  Internal. */
#ifndef BRI_FIT_ANALYSIS_PARTS_H
#define BRI_FIT_ANALYSIS_PARTS_H
#include "bristle/analysis.h"
#include "bristle/fit.h"

/* Samples [part[0], part[1]) of r that the option asks for; untouched where it is not given.  r NULL: the text alone is
 * checked. */
BR_CHECKED br_status bri_fit_part(const br_job *job, const char *option, const br_fit_record *r,
                                  size_t part[2], br_err *err);

#endif
