/* SPDX-License-Identifier: Apache-2.0
 * units.h - units of a block's own, in which Fc, vs and sigma0 are about 1.  Internal.
 *
 * Everything that decides runs in them, so that a label cannot depend on whether lengths are given in metres.
 * They are powers of two: no digit of a parameter is lost, and a block scaled by powers of two gives the same
 * bits. */
#ifndef BRI_PHASE_UNITS_H
#define BRI_PHASE_UNITS_H
#include "flow.h"

typedef struct {
  double force, velocity, stiffness, length, time, damping, mass;
} bri_units;
bri_units bri_units_of(const bri_plane *p);
bri_plane bri_plane_in(const bri_plane *p, const bri_units *u);

#endif
