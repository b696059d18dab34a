/* SPDX-License-Identifier: Apache-2.0
 * text.h - numbers and names as text, the same in every locale.
 * Alloc: none.  Threads: all functions are pure. */
#ifndef BR_TEXT_H
#define BR_TEXT_H
#include <stddef.h>

#include "bristle/export.h"
BR_C_BEGIN

/* Something said about a place in a text; line and column count from 1. */
typedef struct {
  const char *file;
  size_t line, column;
  const char *text;
} br_note;

/* Room br_format_double() needs, terminator included. */
#define BR_DOUBLE_TEXT 32

/* Read one number from the first n characters of s (no terminator needed): [+-]digits[.digits][e[+-]digits],
 * or nan, inf, infinity in any case.  No leading blanks, no hexadecimal, the point is always '.'.
 * The result is the double nearest to the decimal text (ties to even); beyond the range it is +-inf or +-0.
 * Returns the number of characters used; 0 means "not a number" and leaves *out alone. */
BR_API size_t br_parse_double(const char *s, size_t n, double *out);

/* As above with '.' or ',' as the decimal mark. */
BR_API size_t br_parse_double_mark(const char *s, size_t n, char mark, double *out);

/* Shortest decimal text (of 1 to 17 digits) that reads back as exactly x; "nan", "inf", "-inf" otherwise.
 * Writes a terminator and returns the length, at most BR_DOUBLE_TEXT - 1. */
BR_API size_t br_format_double(double x, char buf[BR_DOUBLE_TEXT]);

/* The entry of list[0..n-1] closest to name by edit distance (insert, delete, replace, swap of neighbours; a
 * change of case counts a quarter), or NULL when nothing is near enough to be a plausible slip: more than
 * half of the longer name would have to change.  Of two equally near names the first one wins. */
BR_API const char *br_nearest_name(const char *name, const char *const *list, size_t n);

BR_C_END
#endif
