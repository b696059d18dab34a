/* SPDX-License-Identifier: Apache-2.0
 * wave_internal.h - shared by wave.c and rate.c. */
#ifndef BRI_LOOP_WAVE_INTERNAL_H
#define BRI_LOOP_WAVE_INTERNAL_H
#include "bristle/wave.h"
#include "loop_internal.h"

br_status bri_wave_check(const br_model *m, const double *par, const br_signal *input, const br_wave_settings *s,
                         br_err *err);
br_status bri_wave_advance(const bri_arc_model *a, bri_wave *w, double t0, double t1, double *x, double *work, br_err *err);
double bri_wave_output(const bri_arc_model *a, const bri_wave *w, double t, int side, const double *x);

#endif
