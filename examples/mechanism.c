/* SPDX-License-Identifier: Apache-2.0
 * mechanism.c - a mechanism of your own: a pendulum whose pivot rubs.  Fill a br_system and pass its address. */
#include <math.h>
#include <stdio.h>

#include "bristle/solve.h"

typedef struct { double J, mgl; } pendulum; /* kg m^2, N m: a parameter block is numbers only */

static void defaults(void *par) { *(pendulum *)par = (pendulum){0.02, 0.5}; }
static br_status check(const void *par, br_err *err)
{
  (void)err;
  return ((const pendulum *)par)->J > 0 ? BR_OK : BR_E_RANGE;
}
static void prepare(void *par) { (void)par; }
static size_t two(const void *par) { return (void)par, (size_t)2; }
static size_t one(const void *par) { return (void)par, (size_t)1; }
static void motion(const void *par, const double *w, const double *dw, const double *q, double *u, double *v)
{
  (void)par, (void)w, (void)dw;
  u[0] = q[0], v[0] = q[1];
}
static void rate(const void *par, const double *w, const double *dw, const double *q, const double *F, double *dq)
{
  const pendulum *p = par;
  (void)dw;
  dq[0] = q[1], dq[1] = (w[0] - p->mgl * sin(q[0]) - F[0]) / p->J;
}
static double energy(const void *par, const double *q)
{
  const pendulum *p = par;
  return 0.5 * p->J * q[1] * q[1] + p->mgl * (1 - cos(q[0]));
}

static const br_state states[] = {{"phi", "rad", "angle", 1}, {"omega", "rad/s", "velocity", 1}};
static const br_system_input inputs[] = {{"T", "N m", "torque", 0}};
static const br_system sys = {"pendulum", "pendulum with a rubbing pivot", BR_SYSTEM_ROTARY, 1, NULL, 0, 2, inputs, 1, states, 2, 2,
                              1, NULL, 0, defaults, check, prepare, two, one, NULL, motion, rate, energy, NULL, NULL, NULL};

int main(void)
{
  const br_model *model = br_model_find("coulomb");
  double spar[2], mpar[64], x[2] = {1.0, 0.0};
  br_plant *plant = NULL;
  br_solver *solver = NULL;
  br_err err;
  sys.defaults(spar);
  model->defaults(mpar);
  mpar[br_model_param(model, "Fc")->slot] = 0.02, mpar[br_model_param(model, "Fs")->slot] = 0.03;
  mpar[br_model_param(model, "sigma2")->slot] = 0.001;
  model->prepare(mpar);
  if (br_plant_create(&sys, spar, model, mpar, NULL, &plant, &err) || br_solver_create(plant, NULL, &solver, &err) ||
      br_solver_start(solver, 0, x, &err) || br_solver_advance(solver, 60, x, &err))
    return fprintf(stderr, "%s\n", err.msg), 1;
  printf("at rest at %.9g rad after 60 s, %zu events\n", x[0], br_solver_stats(solver).events);
  br_solver_destroy(solver);
  br_plant_destroy(plant);
  return x[1] != 0;
}
