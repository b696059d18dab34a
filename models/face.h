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

/* ---- for tables of kernels (face_tables.inc) ---- */
#define BR_SLOT(name) (offsetof(BR_M(par), name) / sizeof(BR_REAL))
#define BR_UNPAREN(...) __VA_ARGS__
#define BR_ROW_SCALAR(...) BR_ROW_SCALAR_(__VA_ARGS__)
#define BR_ROW_VECTOR(...) BR_ROW_VECTOR_(__VA_ARGS__)
#define BR_ROW_SCALAR_(name, unit, doc, choices, def, lo, lo_open, hi, hi_open, slot) \
  {                                                                                   \
    name, unit, doc, choices, def, NULL, 0, lo, hi, lo_open, hi_open, slot, 1, 0      \
  }
#define BR_ROW_VECTOR_(name, unit, doc, defs, ndef, lo, lo_open, hi, hi_open, slot, max, len_slot) \
  {                                                                                                \
    name, unit, doc, NULL, 0, defs, ndef, lo, hi, lo_open, hi_open, slot, max, len_slot            \
  }
#define BR_ROW_S(name, unit, doc) {#name, unit, doc, 1},
#define BR_ROW_SV(name, unit, max, doc) {#name, unit, doc, max},
#define BR_NPARAM (sizeof BR_M(params) / sizeof BR_M(params)[0] - 1)
#define BR_SELF const BR_M(par) *p = (const BR_M(par) *)par

#endif
