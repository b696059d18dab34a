/* SPDX-License-Identifier: Apache-2.0
 * sample.h - records made by the models themselves, to try a fit on.  Internal. */
#ifndef BRI_FIT_SAMPLE_H
#define BRI_FIT_SAMPLE_H
#include <stdint.h>

#include "bristle/fit.h"

/* "sample:MODEL[,SEED]": is this the name of one? */
int bri_fit_is_sample(const char *text);
/* 2000 samples of a motion of several strokes and speeds, with the model's force, 1 % noise, an offset of
 * half its level and a position counted in steps.  *store holds the columns and is freed by the caller. */
BR_CHECKED br_status bri_fit_sample(const char *text, br_fit_record *r, double **store, br_err *err);

/* Parameters of machine size for a model; a number with the spread of a normal one; model and seed of the
 * text. */
void bri_fit_machine(const br_model *m, double *par);
double bri_fit_normal(uint64_t *stream);
const br_model *bri_fit_sample_model(const char *text, unsigned long *seed);

/* motion_sample.c: the same for a mechanism: its first input driven, the motion of its first contact computed
 * by the solver, with noise of a ten-thousandth of the stroke, positions counted in steps of half of that.
 * store: t, w, y of n samples. mpar and spar (may be NULL) receive the blocks it was made with. */
BR_CHECKED br_status bri_fit_motion_sample(const char *text, const br_system *sys, size_t *n, double **store,
                                           double *mpar, double *spar, br_err *err);

#endif
