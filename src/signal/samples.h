/* SPDX-License-Identifier: Apache-2.0
 * samples.h - what rooms that step along a signal ask. */
#ifndef BRI_SIGNAL_SAMPLES_H
#define BRI_SIGNAL_SAMPLES_H
#include "bristle/signal.h"

/* Times of the samples after *origin, *n of them, owned by the signal; NULL for a signal that is analytic,
 * periodic or of a single sample. */
const double *bri_signal_samples(const br_signal *signal, size_t *n, double *origin);
/* Is u a straight line between any two corners, so that a held velocity is the true one? */
int bri_signal_straight(const br_signal *signal);
/* Does u jump at the corner t?  *before and *behind: u on both sides.  Where u turns so sharply that it moves
 * between neighbouring times, that movement counts as a jump: crossing it does no harm. */
int bri_signal_jump(const br_signal *signal, double t, double *before, double *behind);

/* along.c: "expr:FORMULA of u", "pwl:", "csv:" or "smooth:" as a function of position; br_signal_value() and
 * br_signal_rate() then take u for t. */
BR_CHECKED br_status bri_signal_along(const char *spec, const br_signal_need *need, br_signal **out,
                                      br_err *err);
int bri_signal_is_along(const br_signal *signal);

#endif
