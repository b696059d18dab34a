/* SPDX-License-Identifier: Apache-2.0
 * sample.h - records made by the models themselves, to try a fit on.  Internal. */
#ifndef BRI_FIT_SAMPLE_H
#define BRI_FIT_SAMPLE_H
#include "bristle/fit.h"

/* "sample:MODEL[,SEED]": is this the name of one? */
int bri_fit_is_sample(const char *text);
/* 2000 samples of a motion of several strokes and speeds, with the model's force, 1 % noise, an offset of half its level
 * and a position counted in steps.  *store holds the columns and is freed by the caller. */
BR_CHECKED br_status bri_fit_sample(const char *text, br_fit_record *r, double **store, br_err *err);

#endif
