/* SPDX-License-Identifier: Apache-2.0
 * stiff.h - one step along an orbit, as a polynomial in time.  Internal. */
#ifndef BRI_PHASE_STIFF_H
#define BRI_PHASE_STIFF_H
#include "flow.h"

/* What a run along an orbit remembers between steps; zero at its start. */
typedef struct {
  int stiff;        /* steps by collocation */
  int patience;     /* steps in a row that stiffness kept short */
  double h, series; /* s: length of the next step, and what a series reached */
} bri_pace;

/* Step from y, dir +1 forward, -1 backward: its signed length in s; s->z, v, I, M hold polynomials that are
 * good to rounding up to there.  M0: as for bri_series_of(). */
double bri_orbit_step(const bri_plane *p, bri_point y, double M0, int dir, bri_pace *pace, bri_series *s);

/* What rounding does to an orbit, as a wedge product with the flow: it spreads like M, which makes both
 * comparable.  Of the step h of s, of states and forces: to be added before the step and carried along with
 * it.  stiff: pace->stiff. */
double bri_step_noise(const bri_plane *p, const bri_series *s, double h, int stiff);

#endif
