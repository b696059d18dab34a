/* SPDX-License-Identifier: Apache-2.0
 * alone.c - a mechanism without a model: an ODE whose outputs stand where contacts have their forces. */
#include "plant.h"

static size_t none(const void *par)
{
  (void)par;
  return 0;
}

static void rate(const void *par, double n, const double *u, const double *v, const double *z, double *dz)
{
  (void)par, (void)n, (void)u, (void)v, (void)z, (void)dz;
}

static void force(const void *par, double n, const double *u, const double *v, const double *z,
                  const double *dz, double *F)
{
  (void)par, (void)n, (void)v, (void)z, (void)dz;
  F[0] = u[0];
}

static void classify(const void *par, br_class *cl)
{
  (void)par;
  cl->duhem = BR_DUHEM_NONE, cl->rate_dependent = 1, cl->continuity = BR_CONTINUOUS;
}

const br_model bri_alone = {.name = "alone",
                            .title = "outputs of an ODE",
                            .axes = 1,
                            .nstate = none,
                            .nmode = none,
                            .classify = classify,
                            .rate = rate,
                            .force = force};
