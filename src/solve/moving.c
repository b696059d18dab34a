/* SPDX-License-Identifier: Apache-2.0
 * moving.c - spring-slider elements under a load that varies: a stop operator whose limits move.
 *
 * A sticking element follows the contact, z' = v, and slips where it meets a limit, by its own motion or
 * because the limit comes to it.  A slipping one stays at its limit, z = n(t) bound, as long as the contact
 * drags it outwards faster than the limit moves; else it sticks again. */
#include <math.h>

#include "plant.h"

static double limit_of(const br_plant *p, const bri_mode *m, size_t i)
{
  return p->bound[2 * i + (m->side[i] > 0 ? 0 : 1)];
}

void bri_moving_rates(const br_plant *p, bri_work *k, const bri_mode *m, size_t c, const double *y,
                      double *dz)
{
  for (size_t e = 0; e < p->nz; e++) {
    const size_t i = c * p->nz + e;
    const int sticks = m->active[i] != 0;
    k->z[e] = sticks ? y[p->z0 + i] : k->n[c] * limit_of(p, m, i);
    dz[e] = sticks ? k->v[c] : k->dn[c] * limit_of(p, m, i);
  }
}

/* The force is linear in the deflections. */
void bri_moving_slopes(const br_plant *p, bri_work *k, const bri_mode *m, size_t c)
{
  double F0, F1;
  for (size_t e = 0; e < p->nz; e++) k->z[e] = 0;
  p->mod->force(bri_par(p, c), k->n[c], k->u + c, k->v + c, k->z, k->pdz, &F0);
  k->dFdu[0] = k->dFdv[0] = 0;
  for (size_t e = 0; e < p->nz; e++) {
    const int sticks = m->active[c * p->nz + e] != 0;
    k->z[e] = 1;
    p->mod->force(bri_par(p, c), k->n[c], k->u + c, k->v + c, k->z, k->pdz, &F1);
    k->z[e] = 0;
    const double along =
        p->along && !sticks ? k->place[c] * limit_of(p, m, c * p->nz + e) : 0; /* dz/du at its limit */
    k->dFdz[e] = sticks * (F1 - F0);
    k->dFdu[0] += along * (F1 - F0);
    k->dzdu[e] = 0, k->dzdv[e] = sticks ? 1 : along;
    for (size_t r = 0; r < p->nz; r++) k->dzdz[e * p->nz + r] = 0;
  }
}

/* How much faster than its limit the contact drags element i of contact c outwards. */
static double drag(const br_plant *p, const bri_work *k, const bri_mode *m, size_t c, size_t i)
{
  return m->side[i] * (k->v[c] - k->dn[c] * limit_of(p, m, i));
}

void bri_moving_margins(const br_plant *p, const bri_work *k, const bri_mode *m, size_t c, const double *y,
                        double *g)
{
  for (size_t e = 0; e < p->nz; e++) {
    const size_t i = c * p->nz + e;
    const double z = y[p->z0 + i], top = k->n[c] * p->bound[2 * i], low = k->n[c] * p->bound[2 * i + 1];
    g[e] = !(top > low)        ? BRI_NO_EVENT /* no load, or an element without spring: it has no choice */
           : m->active[i] != 0 ? fmin(top - z, z - low)
                               : drag(p, k, m, c, i);
  }
}

void bri_moving_switch(const br_plant *p, const bri_work *k, bri_mode *m, size_t i, double *y)
{
  const size_t c = i / p->nz;
  const double top = k->n[c] * p->bound[2 * i], low = k->n[c] * p->bound[2 * i + 1], z = y[p->z0 + i];
  if (m->active[i] != 0) m->side[i] = top - z < z - low ? 1 : -1;
  y[p->z0 + i] = m->side[i] > 0 ? top : low;
  m->active[i] = m->active[i] != 0 ? 0 : 1;
}

void bri_moving_settle(const br_plant *p, const bri_work *k, bri_mode *m, double *y)
{
  for (size_t i = 0; i < p->nc * p->nz; i++) {
    const size_t c = i / p->nz;
    const double top = k->n[c] * p->bound[2 * i], low = k->n[c] * p->bound[2 * i + 1];
    const double z = y[p->z0 + i], near = 1e-14 * (top - low);
    m->active[i] = top > low;
    if (!(top > low)) { /* no load: when it comes back the contact drags it to the side it moves to */
      y[p->z0 + i] = top;
      if (k->v[c] != 0) m->side[i] = k->v[c] > 0 ? 1 : -1;
    }
    if (!(top > low) || (!(z > top - near) && !(z < low + near))) continue;
    m->side[i] = z > top - near ? 1 : -1;
    y[p->z0 + i] = m->side[i] > 0 ? top : low;
    if (drag(p, k, m, c, i) > 0) m->active[i] = 0;
  }
}
