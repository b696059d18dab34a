/* SPDX-License-Identifier: Apache-2.0
 * fail.h - fill a br_err and return its code in one expression. */
#ifndef BRI_TEXT_FAIL_H
#define BRI_TEXT_FAIL_H
#include "bristle/status.h"

#if defined(__GNUC__)
#define BRI_PRINTF(fmt_index, first) __attribute__((format(printf, fmt_index, first)))
#else
#define BRI_PRINTF(fmt_index, first)
#endif

/* err may be NULL; a message that does not fit is cut at the end, never overrun.  It is one line of text that
 * may be shown: control characters, and bytes that are no UTF-8, stand in it as \xNN. */
BR_CHECKED br_status bri_text_set(br_err *err, br_status code, int index, const char *fmt, ...)
    BRI_PRINTF(4, 5);

/* bri_text_fail(err, code, index, fmt, ...) does that and is `code` again, which a reader of the call (and a
 * static analyser) can see without looking into another file. */
static inline br_status bri_text_code(br_status code, br_status same)
{
  (void)same;
  return code;
}
#define bri_text_fail(err, code, ...) bri_text_code(code, bri_text_set(err, code, __VA_ARGS__))
/* The same of what has no index, as most errors. */
#define bri_fail(err, code, ...) bri_text_fail(err, code, -1, __VA_ARGS__)
#define bri_no_memory(err, what) bri_fail(err, BR_E_NOMEM, "%s: out of memory", what)

/* n as the int of a "%.*s" precision, cut at 120 characters so that one long field cannot hide the rest. */
int bri_text_width(size_t n);

/* What ends a message about an unknown name: "; did you mean 'lugre'?", or `other` where no name of the list
 * is near. */
enum { BRI_HINT = 96 };
const char *bri_hint(const char *name, const char *const *list, size_t n, const char *other,
                     char buf[BRI_HINT]);
/* "a, b, c", as far as it fits; returns buf. */
const char *bri_join(const char *const *list, size_t n, size_t size, char *buf);

#endif
