/* SPDX-License-Identifier: Apache-2.0
 * reversals.h - how often an input turns, roughly: how much work a run of it will be. */
#ifndef BRI_SIGNAL_REVERSALS_H
#define BRI_SIGNAL_REVERSALS_H
#include "bristle/signal.h"

/* Reversals and corners of an input (NULL: none) up to t_end, from how often it turns at a few places. */
double bri_signal_reversals(const br_signal *input, double t_end);

#endif
