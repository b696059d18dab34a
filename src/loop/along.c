/* SPDX-License-Identifier: Apache-2.0
 * along.c - a model of two axes moved along one line. */
#include "../../core/elementary.h"
#include "along.h"

#define SELF                                   \
  const bri_along *a = (const bri_along *)par; \
  const double uu[2] = {u[0] * a->dir[0], u[0] * a->dir[1]}
#define MOVED SELF, vv[2] = {v[0] * a->dir[0], v[0] * a->dir[1]}

static void rate(const void *par, double n, const double *u, const double *v, const double *z, double *dz)
{
  MOVED;
  a->inner->rate(a->par, n, uu, vv, z, dz);
}

static void force(const void *par, double n, const double *u, const double *v, const double *z,
                  const double *dz, double *F)
{
  MOVED;
  double both[2];
  a->inner->force(a->par, n, uu, vv, z, dz, both);
  F[0] = both[0] * a->dir[0] + both[1] * a->dir[1];
}

static void step(const void *par, double n, const double *u, const double *v, double h, double *z)
{
  MOVED;
  a->inner->step(a->par, n, uu, vv, h, z);
}

static double energy(const void *par, double n, const double *u, const double *z)
{
  SELF;
  return a->inner->energy(a->par, n, uu, z);
}

static size_t nstate(const void *par)
{
  const bri_along *a = (const bri_along *)par;
  return a->inner->nstate(a->par);
}

static size_t nmode(const void *par)
{
  const bri_along *a = (const bri_along *)par;
  return a->inner->nmode(a->par);
}

static void classify(const void *par, br_class *c)
{
  const bri_along *a = (const bri_along *)par;
  a->inner->classify(a->par, c);
}

static int passive(const void *par)
{
  const bri_along *a = (const bri_along *)par;
  return a->inner->passive(a->par);
}

void bri_along_open(bri_along *a, const br_model *m, const double *par, double angle)
{
  *a = (bri_along){.inner = m, .par = par, .dir = {bri_cos(angle), bri_sin(angle)}};
  a->face = (br_model){.name = m->name,
                       .title = m->title,
                       .passive_text = m->passive_text,
                       .axes = 1,
                       .slots = sizeof *a / sizeof(double), /* loops keep a copy of their block */
                       .flags = m->flags,
                       .states = m->states,
                       .nstates_rows = m->nstates_rows,
                       .nz = m->nz,
                       .nstate = nstate,
                       .nmode = nmode,
                       .classify = m->classify ? classify : NULL,
                       .passive = m->passive ? passive : NULL,
                       .rate = rate,
                       .force = force,
                       .step = m->step ? step : NULL,
                       .energy = m->energy ? energy : NULL};
}
