/* SPDX-License-Identifier: Apache-2.0
 * path.c - a state that saturates at a finite distance (Dahl's exponents below 1).
 *
 * Its field is not Lipschitz where it saturates, so that no step size is small enough for an integration.
 * What is integrated instead is the displacement since the last anchor (start, reversal, corner); the state
 * follows by the model's exact step, and the place of saturation is an event. */
#include <math.h>

#include "plant.h"

double bri_path_state(const br_plant *p, const bri_mode *m, size_t c, const double *y)
{
  const double way = m->c[c].way, h = way * y[p->z0 + c], u = 0;
  double z = m->z0[c], slope;
  if (m->active[c] == 0) return z;
  if (h > 0) {
    p->mod->step(bri_par(p, c), p->load[c], &u, &way, h, &z);
    return z;
  }
  /* behind its anchor only a trial step can be: it sees the tangent */
  p->mod->rate(bri_par(p, c), p->load[c], &u, &way, &z, &slope);
  return z + h * slope;
}

void bri_path_force(const br_plant *p, bri_work *k, const bri_mode *m, size_t c, const double *y, double *ds)
{
  const double z = bri_path_state(p, m, c, y), v = bri_sided(p, m, c, k->v[c]);
  p->mod->rate(bri_par(p, c), p->load[c], k->u + c, &v, &z, k->pdz);
  p->mod->force(bri_par(p, c), p->load[c], k->u + c, &v, &z, k->pdz, k->F + c);
  *ds = m->active[c] * k->v[c];
}

void bri_path_slopes(const br_plant *p, bri_work *k, const bri_mode *m, size_t c, const double *y)
{
  const double z = bri_path_state(p, m, c, y), way = m->c[c].way, d = 1e-7 * fmax(fabs(z), 1e-300);
  const double up = z + d, down = z - d;
  double F1, F2, slope;
  p->mod->rate(bri_par(p, c), p->load[c], k->u + c, &way, &z, &slope);
  p->mod->force(bri_par(p, c), p->load[c], k->u + c, &way, &up, k->pdz, &F1);
  p->mod->force(bri_par(p, c), p->load[c], k->u + c, &way, &down, k->pdz, &F2);
  k->dFdu[0] = k->dFdv[0] = k->dzdu[0] = k->dzdz[0] = 0;
  k->dzdv[0] = m->active[c];
  k->dFdz[0] = m->active[c] * way * slope * (F1 - F2) / (up - down);
}

/* Distance from state z to where contact c saturates when it moves to `way`; INFINITY when it never does.  On
 * a power law the distance over which the present slope would cover the rest falls in a straight line, and
 * meets zero there. */
static double saturation(const br_plant *p, size_t c, double way, double z)
{
  const double u = 0, n = p->load[c], *par = bri_par(p, c);
  double end = z, slope, rest[2], h = 0, at[2] = {0};
  p->mod->step(par, n, &u, &way, 1e200, &end);
  if (end == z) return 0;
  for (int i = 0; i < 2; i++) {
    double x = z;
    if (i) p->mod->step(par, n, &u, &way, h, &x);
    p->mod->rate(par, n, &u, &way, &x, &slope);
    rest[i] = (end - x) / slope, at[i] = h;
    h = 0.5 * rest[0];
  }
  const double reach = at[1] * rest[0] / (rest[0] - rest[1]);
  if (!(rest[0] - rest[1] > 1e-9 * rest[0]) || !isfinite(reach)) return INFINITY;
  double x = z;
  p->mod->step(par, n, &u, &way, reach, &x);
  return fabs(x - end) <= 1e-12 * fabs(end - z) ? reach : INFINITY;
}

void bri_path_anchor(const br_plant *p, bri_mode *m, size_t c, double *y)
{
  m->z0[c] = bri_path_state(p, m, c, y);
  y[p->z0 + c] = 0;
  m->c[c].way = m->c[c].sign;
  m->c[c].next = saturation(p, c, m->c[c].way, m->z0[c]);
  m->active[c] = m->c[c].next > 0;
}
