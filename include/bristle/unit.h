/* SPDX-License-Identifier: Apache-2.0
 * unit.h - unit text to SI factor and dimension.
 * Inside Bristle all numbers are SI; this is the edge where other units are converted and dimensions checked.
 * Alloc: none.  Threads: all functions are pure. */
#ifndef BR_UNIT_H
#define BR_UNIT_H
#include <stddef.h>

#include "bristle/status.h"
BR_C_BEGIN

/* Base dimensions.  The angle is counted as one, so that rad/s and Hz, or N m and N m/rad, are told apart. */
enum { BR_DIM_LENGTH, BR_DIM_MASS, BR_DIM_TIME, BR_DIM_CURRENT, BR_DIM_TEMPERATURE, BR_DIM_ANGLE, BR_DIMS };

typedef struct {
  double factor;            /* value in SI = factor * value in this unit */
  signed char dim[BR_DIMS]; /* exponents of m, kg, s, A, K, rad */
} br_unit;

/* Read the first n characters of text as a unit.
 *
 *   unit   = factor { [" " | "*" | "." | middle dot] factor | "/" factor }   left to right: N/m s = (N/m) s
 *   factor = "1" | symbol [["^"] integer] | "(" unit ")" [["^"] integer]
 *
 * Symbols: m s N Nm Pa bar A V W J K Hz rad with an SI prefix (n u m c d h k M G; also the two signs for
 * micro); kg gram g (standard gravity) in inch ft lbf psi min h sec deg rev rpm %.  Empty text, "1" and "-"
 * are the dimensionless unit.
 * Returns BR_OK, or BR_E_PARSE with the offending symbol and the nearest known one in err; *out is 1 then. */
BR_TRY br_status br_unit_parse(const char *text, size_t n, br_unit *out, br_err *err);

/* x in this unit -> SI.  Decimal prefixes divide, so that 0.3 mm is the double 0.0003. */
BR_API double br_unit_to_si(const br_unit *unit, double x);

/* 1 when both have the same exponents, else 0. */
BR_API int br_unit_same(const br_unit *a, const br_unit *b);
/* 1 when `written` will do where `needed` is asked for: the same exponents or, with rotary, those of the same
 * quantity for rotation: N m for N, rad for m, N m/rad for N/m. */
BR_API int br_unit_fits(const br_unit *needed, const br_unit *written, int rotary);

/* The SI text of a dimension, e.g. "kg m^2 s^-2"; "1" when dimensionless.  Always terminated; returns buf. */
BR_API const char *br_unit_text(const br_unit *unit, size_t size, char *buf);

/* Read "1.5mm", "20 N/um" or a bare number.  *value is in SI.  *unit is the unit written; *has_unit (may be
 * NULL) is 0 for a bare number, which is taken as SI.  Returns BR_OK, BR_E_PARSE, BR_E_NAN for nan or inf. */
BR_TRY br_status br_quantity_parse(const char *text, size_t n, double *value, br_unit *unit, int *has_unit,
                                   br_err *err);

BR_C_END
#endif
