/* SPDX-License-Identifier: Apache-2.0
 * param.h - what the files of this room share. */
#ifndef BRI_PARAM_H
#define BRI_PARAM_H
#include "bristle/param.h"

/* A row found by name: table and row index. */
typedef struct {
  size_t table, row;
} bri_param_at;

struct br_params {
  br_param_table *tables;
  size_t ntables, rows, slots; /* rows and slots over all tables */
  size_t *row0, *slot0;        /* where each table starts */
  double *block;               /* [slots] present values */
  double *trial;               /* [slots] values being changed; copied over when all went well */
  unsigned char *given;        /* [rows] 1: set by the caller, 2: by a ground */
  unsigned char *seen;         /* [rows] already in the list being read */
  const char **names;          /* [rows] for "did you mean" */
  int finished;
  int turns; /* units of the model's were written for rotation: 1, for translation: -1; 0: neither */
};

/* Find by name of n characters, bare or with prefix. */
BR_CHECKED br_status bri_param_find(const br_params *params, const char *name, size_t n, bri_param_at *at,
                                    br_err *err);

/* Has it a value of its own, given or by a ground? */
int bri_params_own(const br_params *params, const char *name);

static inline const br_param *bri_param_row(const br_params *params, bri_param_at at)
{
  return &params->tables[at.table].rows[at.row];
}

/* Is x allowed in this row?  err names owner, parameter, element and range. */
BR_CHECKED br_status bri_param_check(const br_param_table *table, const br_param *row, size_t element,
                                     double x, br_err *err);

/* One value of a row from text: a choice by name, or a number with or without unit; *turns as in br_params.
 * */
BR_CHECKED br_status bri_param_value(const br_param_table *table, const br_param *row, const char *text,
                                     size_t n, double *x, int *turns, br_err *err);

/* Length of the first item of a list: up to a comma that stands in no parentheses, as those of formulas. */
size_t bri_item_length(const char *s);

/* The default as it is typed: a choice, or numbers with `gap` between them, of more than `most` the first two
 * and the last; "" where there is none, or a formula.  Always terminated; returns buf. */
const char *bri_param_default(const br_param *row, const char *gap, size_t most, size_t size, char *buf);

#endif
