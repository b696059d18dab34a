/* SPDX-License-Identifier: Apache-2.0
 * analyses.c - the one list of analyses a study may ask for. */
#include "analysis.h"

const bri_analysis *const bri_analyses[] = {&bri_an_trace, &bri_an_loop,     &bri_an_simulate, &bri_an_wave,
                                            &bri_an_rate,  &bri_an_classify, &bri_an_signal,   &bri_an_steady,
                                            &bri_an_field, &bri_an_phase,    &bri_an_control,  NULL};
