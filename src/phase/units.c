/* SPDX-License-Identifier: Apache-2.0
 * units.c - units of a block's own; see units.h. */
#include "units.h"

#include <math.h>

/* The power of two next to x > 0. */
static double near_power(double x)
{
  int e;
  const double part = frexp(x, &e);
  return ldexp(1, part < 0.70710678118654752 ? e - 1 : e);
}

bri_units bri_units_of(const bri_plane *p)
{
  bri_units u;
  u.force = near_power(p->Fc);
  u.velocity = near_power(p->vs);
  u.stiffness = near_power(p->s0);
  u.length = u.force / u.stiffness;
  u.time = u.length / u.velocity;
  u.damping = u.force / u.velocity;
  u.mass = u.damping * u.time;
  return u;
}

bri_plane bri_plane_in(const bri_plane *p, const bri_units *u)
{
  const bri_plane q = {p->m / u->mass,     p->F / u->force,  p->s0 / u->stiffness, p->s1 / u->damping,
                       p->s2 / u->damping, p->Fc / u->force, p->dF / u->force,     p->vs / u->velocity,
                       p->delta,           p->stop};
  return q;
}
