/* SPDX-License-Identifier: Apache-2.0
 * wave_internal.h - shared by wave.c and rate.c. */
#ifndef BRI_LOOP_WAVE_INTERNAL_H
#define BRI_LOOP_WAVE_INTERNAL_H
#include "bristle/wave.h"
#include "loop_internal.h"

struct br_wave {
  double *t, *u, *y;
  br_turning *turning;
  br_minor *minor;
  br_wave_result result;
};

br_status bri_wave_check(const br_model *m, const double *par, const br_signal *input,
                         const br_wave_settings *s, br_err *err);
br_status bri_wave_advance(const bri_arc_model *a, bri_wave *w, double t0, double t1, double *x, double *work,
                           br_err *err);
double bri_wave_output(const bri_arc_model *a, const bri_wave *w, double t, int side, const double *x);

/* wave_tour.c: from state x at t = 0 once round (or result.n samples of several periods), filling *out. */
br_status bri_wave_tour(const bri_arc_model *a, bri_wave *w, size_t periods, double *x, br_wave *out,
                        br_err *err);

#endif
