/* SPDX-License-Identifier: Apache-2.0
 * analysis_scale.c - what of a block's parameters matters.
 *
 * With time in sqrt(m/sigma0) and velocity in vs the equations of the driven block hold five numbers and
 * delta.  With time and length left alone a mass of 1 takes every force with it: all force levels and
 * coefficients are divided by m (document 2's "without loss of generality"). */
#include <math.h>

#include "levels.h"

void bri_phase_scale(bri_question *q)
{
  static const struct {
    const char *name, *unit;
    int is_force; /* else a damping */
  } ROWS[] = {{"Fc", "N", 1}, {"Fs", "N", 1}, {"F", "N", 1}, {"sigma1", "N s/m", 0}, {"sigma2", "N s/m", 0}};
  const double m = q->problem.m, sigma0 = bri_level_parameter(q, "sigma0"), vs = bri_level_parameter(q, "vs");
  const double time = sqrt(m / sigma0), damping = sqrt(sigma0 * m), force = vs * damping;
  br_put_number(q->out, "s", time, "scale.units.time");
  br_put_number(q->out, "m", vs * time, "scale.units.length");
  br_put_number(q->out, "m/s", vs, "scale.units.velocity");
  br_put_number(q->out, "N", force, "scale.units.force");
  br_put_number(q->out, "N s/m", damping, "scale.units.damping");
  for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
    const double x = ROWS[i].name[1] ? bri_level_parameter(q, ROWS[i].name) : q->problem.F;
    br_put_number(q->out, "1", x / (ROWS[i].is_force ? force : damping), "scale.groups.%s", ROWS[i].name);
    br_put_number(q->out, ROWS[i].unit, x / m, "scale.unit_mass.%s", ROWS[i].name);
  }
  br_put_number(q->out, "1", bri_level_parameter(q, "delta"), "scale.groups.delta");
  br_put_number(q->out, "N/m", sigma0 / m, "scale.unit_mass.sigma0");
  br_put_number(q->out, "m/s", vs, "scale.unit_mass.vs");
}
