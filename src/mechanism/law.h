/* SPDX-License-Identifier: Apache-2.0
 * law.h - springs, stops and pendulums: force, slopes and energy, once. */
#ifndef BRI_MECHANISM_LAW_H
#define BRI_MECHANISM_LAW_H
#include <math.h>

#include "../../core/elementary.h"
#include "mechanism.h"

/* An element between a and b, at stretch e = x_a - x_b with rate de. */
typedef struct {
  double force;       /* that a gives to b */
  double by_e, by_de; /* its slopes */
  double stored, lost;
} bri_mech_law;

static inline bri_mech_law bri_mech_law_at(program g, const double *el, double e, double de)
{
  const double p0 = bri_mech_value(g, el[ELEM_P0], 0), p1 = bri_mech_value(g, el[ELEM_P1], 0),
               p2 = bri_mech_value(g, el[ELEM_P2], 0), p3 = bri_mech_value(g, el[ELEM_P3], 0);
  bri_mech_law s = {0, 0, 0, 0, 0};
  switch ((int)el[ELEM_KIND]) {
  case ELEM_SPRING: {
    const double d = e - p3;
    s = (bri_mech_law){p0 * d + p1 * de + p2, p0, p1, 0.5 * p0 * d * d + p2 * d, p1 * de * de};
    break;
  }
  case ELEM_PENDULUM:
    s = (bri_mech_law){p0 * bri_sin(e), p0 * bri_cos(e), 0, p0 * (1 - bri_cos(e)), 0};
    break;
  case ELEM_GAP: { /* depth in the stop on the side that is touched; a stop does not pull */
    const double side = el[ELEM_P1] >= 0 && e > p1 ? 1 : el[ELEM_P0] >= 0 && e < p0 ? -1 : 0;
    const double depth = side > 0 ? e - p1 : side < 0 ? p0 - e : 0, grip = 1 + p3 * side * de;
    if (grip > 0 && side != 0) s = (bri_mech_law){side * p2 * depth * grip, p2 * grip, p2 * depth * p3, 0, 0};
    s.stored = 0.5 * p2 * depth * depth;
    s.lost = (s.force - side * p2 * depth) * de; /* what the spring in it does not store */
    break;
  }
  default: break;
  }
  return s;
}

#endif
