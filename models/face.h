/* SPDX-License-Identifier: Apache-2.0
 * face.h - what every face shares: defaults, range check and error text over the parameter table.
 * Internal. */
#ifndef BRI_FACE_H
#define BRI_FACE_H
#include "bristle/model.h"

#define bri_str_(x) #x
#define bri_str(x) bri_str_(x)

/* Fill `slots` numbers: defaults where the table has some, zero elsewhere. */
void bri_defaults(const br_param *rows, size_t n, size_t slots, double *block);
/* Every value finite and inside its range?  err names model, parameter, value and range. */
br_status bri_check_ranges(const char *model, const br_param *rows, size_t n, const double *block,
                           br_err *err);
/* A rule between parameters is broken: say which, with the value of `name`. Returns BR_E_RANGE. */
br_status bri_rule_error(const char *model, const br_param *rows, size_t n, const char *name,
                         const char *rule, const double *block, br_err *err);
/* "> 0", ">= 0 and <= 1", "any finite number": the range of a row as text. */
void bri_range_text(const br_param *row, char *buf, size_t size);

#endif
