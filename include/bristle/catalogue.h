/* SPDX-License-Identifier: Apache-2.0
 * catalogue.h - what this build can do, as JSON: analyses, models, mechanisms, signals, and the JSON Schema
 * of studies.
 *
 * One text for programs that make something of it: bindings (their functions, signatures and help), editors,
 * browsers. docs/analysis.md lists its keys.
 *
 * Alloc: br_catalogue_json().  Threads: functions are independent. */
#ifndef BR_CATALOGUE_H
#define BR_CATALOGUE_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/status.h"
BR_C_BEGIN

typedef enum {
  BR_CATALOGUE_WHOLE,   /* {version, analyses, models, systems, presets, signals} */
  BR_CATALOGUE_MODELS,  /* {models} */
  BR_CATALOGUE_SYSTEMS, /* {systems} */
  BR_CATALOGUE_PRESETS, /* {presets} */
  BR_CATALOGUE_SCHEMA   /* JSON Schema of study files */
} br_catalogue_part;

/* The text, ended by a line end and a terminator; *length (may be NULL) counts without the terminator.  only:
 * one analysis, model or mechanism of the part by its name; NULL: all.  *text is the caller's:
 * br_catalogue_free(); NULL on error.  Returns BR_OK; BR_E_NAME (no such name); BR_E_ARG; BR_E_NOMEM. */
BR_TRY br_status br_catalogue_json(br_catalogue_part part, const char *only, char **text, size_t *length,
                                   br_err *err);
BR_API void br_catalogue_free(char *text); /* NULL is fine */

BR_C_END
#endif
