/* SPDX-License-Identifier: Apache-2.0
 * samples.h - the sample times of a recorded signal. */
#ifndef BRI_SIGNAL_SAMPLES_H
#define BRI_SIGNAL_SAMPLES_H
#include "bristle/signal.h"

/* Times of the samples after *origin, *n of them, owned by the signal; NULL for a signal that is analytic,
 * periodic or of a single sample. */
const double *bri_signal_samples(const br_signal *signal, size_t *n, double *origin);

#endif
