/* SPDX-License-Identifier: Apache-2.0
 * param.h - parameters by name: one list of text or numbers over the tables of a model, a system, their
 * inputs.
 *
 * A br_params holds one block of numbers per table ("model", "system", ...), filled with the defaults.
 * Names are bare ("sigma0") where only one table knows them, or carry the table's prefix ("model.sigma0").
 * Values may carry a unit ("2900N/m", "1 inch"), whose dimension must be that of the table; plain numbers
 * are SI.
 *
 * Units: SI.  Alloc: only br_params_create*().  Threads: a br_params belongs to one thread while it is
 * changed; the blocks of a finished one are read-only and may be shared. */
#ifndef BR_PARAM_H
#define BR_PARAM_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/model.h"
#include "bristle/status.h"
BR_C_BEGIN

typedef struct br_params br_params; /* opaque */

/* One table of parameters.  defaults, check and prepare work on a block of `slots` numbers and may be NULL:
 * then the rows' own defaults and ranges are used and nothing is derived. */
typedef struct {
  const char *prefix;   /* "model", "system", ...: unique within one br_params */
  const char *owner;    /* what messages call it: "lugre" */
  const br_param *rows; /* must outlive the br_params, as must the strings */
  size_t nrows, slots;
  int rotary; /* 1: a unit may also be written for rotation, N m for N and rad for m (7.5 N m/deg) */
  void (*defaults)(void *block);
  br_status (*check)(const void *block, br_err *err);
  void (*prepare)(void *block);
  /* Prefix of another table with the same rows, whose values this one takes where it has been given none;
   * its own names need the prefix ("contact2.Fc").  Such tables stand behind the others.  NULL: a table of
   * its own. */
  const char *like;
  const double *initial; /* [slots] the block with the defaults, where defaults is NULL; NULL: none */
} br_param_table;

/* The table of a model, with prefix "model".  m must not be NULL. */
BR_API br_param_table br_param_table_of(const br_model *m);

/* Create over one model, or over several tables (copied).  *out is NULL on error.
 * Returns BR_OK, BR_E_ARG, BR_E_NOMEM. */
BR_TRY br_status br_params_create(const br_model *m, br_params **out, br_err *err);
BR_TRY br_status br_params_create_tables(const br_param_table *tables, size_t ntables, br_params **out,
                                         br_err *err);
BR_API void br_params_destroy(br_params *params); /* NULL is fine */

/* Set one parameter: n numbers in SI (n = 1 for a scalar; a choice takes its index). Returns BR_OK;
 * BR_E_NAME (unknown, with the nearest name; or in two tables, both listed); BR_E_RANGE (name, value,
 * range); BR_E_NAN; BR_E_SIZE (too many values).  On an error nothing has changed. */
BR_TRY br_status br_params_set(br_params *params, const char *name, const double *values, size_t n,
                               br_err *err);

/* Set from text: "a=1,b=2".  An item without "=" continues the parameter before it as a vector:
 * "k=1,1.8,2.6,Delta=1.5mm,2.4mm,3.3mm".  Choices are written by name: "form=printed".  "k=" empties a
 * vector.  A formula may have commas inside parentheses: "g=max(1, 2 - abs(v))".  The same parameter twice in
 * one list is an error.  Errors as above and BR_E_PARSE; on an error nothing has changed.  NULL or empty text
 * changes nothing. */
BR_TRY br_status br_params_set_list(br_params *params, const char *list, br_err *err);
/* The same as new defaults: what is set so does not count as given, and another list may set it again. */
BR_TRY br_status br_params_ground(br_params *params, const char *list, br_err *err);

/* Read back: up to max numbers into values, *n = how many the parameter has.  BR_E_NAME as above. */
BR_TRY br_status br_params_get(const br_params *params, const char *name, size_t max, double *values,
                               size_t *n, br_err *err);
/* 1 when the parameter was set by the caller, 0 when it is at its default or unknown. */
BR_API int br_params_given(const br_params *params, const char *name);

/* The index-th parameter over all tables: its row, and its full name ("model.sigma0") in name, always
 * terminated; NULL behind the last.  Of tables that are like another, only parameters that were given
 * count. */
BR_API const br_param *br_params_at(const br_params *params, size_t index, size_t size, char *name);

/* Check every value and rule, then compute the derived numbers.  Call after the last change. */
BR_TRY br_status br_params_finish(br_params *params, br_err *err);

/* The prepared block of a table, for the functions of its model or system; NULL for an unknown prefix or
 * before br_params_finish() has succeeded for the present values. */
BR_API const double *br_params_block(const br_params *params, const char *prefix);

/* "> 0", ">= 0 and <= 1", "one of isotropic|printed": the allowed range as text.  Always terminated;
 * returns buf. */
BR_API const char *br_param_range(const br_param *row, size_t size, char *buf);
/* The variables of a row that is a formula, "v,u"; NULL for any other row. */
BR_API const char *br_param_formula(const br_param *row);
/* The row of a parameter, by name as above; NULL when unknown or in two tables. */
BR_API const br_param *br_params_row(const br_params *params, const char *name);
/* Number of choices of a row, 0 when it is a number; br_param_choice: start and *len of the index-th one,
 * or NULL. */
BR_API size_t br_param_choices(const br_param *row);
BR_API const char *br_param_choice(const br_param *row, size_t index, size_t *len);

BR_C_END
#endif
