/* SPDX-License-Identifier: Apache-2.0
 * emit.h - writing an exported header: text out, packed sources in.  Internal. */
#ifndef BRI_CONTROL_EMIT_H
#define BRI_CONTROL_EMIT_H
#include "../text/fail.h"
#include "bristle/control.h"

typedef struct {
  int (*put)(void *ctx, const char *text, size_t n); /* non-zero: stop */
  void *ctx;
  int stopped;
  const char *missing; /* a packed source that was not found */
  const char *model;   /* kernel that kernel.inc includes */
  int f32;
} bri_emit;

void bri_emit_text(bri_emit *e, const char *text);
void bri_emit_printf(bri_emit *e, const char *fmt, ...) BRI_PRINTF(2, 3);
/* A number with all its bits, in the number type of the header. */
void bri_emit_real(bri_emit *e, double x);
/* A packed source with what it includes in its place; <...> includes stay. */
void bri_emit_source(bri_emit *e, const char *path);
/* Text inside a comment: nothing in it can end the comment. */
void bri_emit_comment(bri_emit *e, const char *text);

/* Parameters, plan, functions and self-test of one controller (export_data.c). */
br_status bri_emit_controller(bri_emit *e, const br_controller *c, const br_control_export_options *o,
                              const char *fn, int slopes, br_err *err);
/* A model's parameters as NAME_PAR and NAME_par (and NAME_pair, complex). */
br_status bri_emit_parameters(bri_emit *e, const br_model *m, const double *par, const char *name, int pair,
                              br_err *err);
/* Models whose laws are formulas: the functions NAME_advance and what they need, NAME_par of type *source. */
int bri_is_formula(const br_model *m);
BR_CHECKED br_status bri_emit_formula(bri_emit *e, const br_model *m, const double *par, const char *name,
                                      const char **source, br_err *err);
/* Attributes the exported names need; once per file. */
void bri_emit_attributes(bri_emit *e);
/* Top and bottom of every exported header: guard, version, rounding. */
void bri_emit_open(bri_emit *e, const char *name);
void bri_emit_close(bri_emit *e);
/* One kernel in one number type ("double", "_f64"), once per file. */
void bri_emit_kernel(bri_emit *e, const char *model, const char *real, const char *sfx);
/* Is the name an identifier, the model built in, the sample time positive? */
br_status bri_export_check(const br_control_export_options *o, const br_model *m, br_err *err);
/* Numbers from 0 to 1 for self-tests. */
double bri_emit_uniform(unsigned long long *state);
/* How it ended. */
br_status bri_emit_end(const bri_emit *e, const char *model, br_err *err);

#endif
