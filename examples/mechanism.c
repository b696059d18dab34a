/* SPDX-License-Identifier: Apache-2.0
 * mechanism.c - a mechanism of your own, a pendulum whose pivot rubs: fill a br_system, pass its address. */
#include <math.h>
#include <stdio.h>

#include "bristle/solve.h"

static size_t two(const void *par) { return par ? 2 : 0; }
static size_t one(const void *par) { return par ? 1 : 0; }

/* State q: angle and angular velocity; parameters: inertia in kg m^2 and weight times length in N m. */
static void motion(const void *par, const double *w, const double *dw, const double *q, double *u, double *v)
{
  (void)par, (void)w, (void)dw;
  u[0] = q[0], v[0] = q[1];
}

static void rate(const void *par, const double *w, const double *dw, const double *q, const double *F,
                 double *dq)
{
  const double *p = par;
  (void)dw;
  dq[0] = q[1];
  dq[1] = (w[0] - p[1] * sin(q[0]) - F[0]) / p[0];
}

int main(void)
{
  static const br_state states[] = {{"phi", "rad", "angle", 1}, {"omega", "rad/s", "velocity", 1}};
  static const br_system_input inputs[] = {{"T", "N m", "torque", 0}};
  br_system sys = {.name = "pendulum", .axes = 1, .slots = 2, .inputs = inputs, .ninput = 1};
  sys.states = states, sys.nrows = sys.nq = 2, sys.max_contact = 1;
  sys.nstate = two, sys.ncontact = one, sys.motion = motion, sys.rate = rate;
  const double par[2] = {0.02, 0.5};
  const br_model *model = br_model_find("coulomb");
  double friction[64], x[2] = {1.0, 0.0};
  br_plant *plant = NULL;
  br_solver *solver = NULL;
  br_err err;
  model->defaults(friction);
  friction[br_model_param(model, "Fc")->slot] = 0.02;
  friction[br_model_param(model, "Fs")->slot] = 0.03;
  friction[br_model_param(model, "sigma2")->slot] = 0.001;
  model->prepare(friction);
  if (br_plant_create(&sys, par, model, friction, NULL, &plant, &err) ||
      br_solver_create(plant, NULL, &solver, &err) || br_solver_start(solver, 0, x, &err) ||
      br_solver_advance(solver, 60, x, &err)) {
    (void)fprintf(stderr, "%s\n", err.msg);
    return 1;
  }
  printf("at rest at %.9g rad after 60 s, %zu events\n", x[0], br_solver_stats(solver).events);
  br_solver_destroy(solver);
  br_plant_destroy(plant);
  return x[1] != 0;
}
