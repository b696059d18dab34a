/* SPDX-License-Identifier: Apache-2.0
 * codimension.h - points of the two-parameter plane where two events meet. */
#ifndef BRI_PHASE_CODIMENSION_H
#define BRI_PHASE_CODIMENSION_H
#include "flow.h"

/* Bogdanov-Takens point near a fold of equilibria at *value of parameter `which` (bri_vary_find(), not
 * sigma1) and speed *v: both are made exact, *sigma1 is the damping at which the trace vanishes too.  0:
 * there is none. */
int bri_bogdanov_takens(const bri_plane *p, int which, double *value, double *v, double *sigma1);
/* The Hopf point whose equilibrium slides at v: the other parameter (from a start), sigma1.  0: not found. */
int bri_hopf_sliding_at(const bri_plane *p, int which, double v, double *value, double *sigma1);
/* Where both folds of equilibria meet, over F and sigma2.  0: the level has no inflection. */
int bri_cusp(const bri_plane *p, double *v, double *F, double *sigma2);

#endif
