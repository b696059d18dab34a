/* SPDX-License-Identifier: Apache-2.0
 * ode.c - an equation of your own without friction, van der Pol's oscillator: its turns, its range and its
 * period. */
#include <stdio.h>

#include "bristle/solve.h"

static size_t two(const void *par) { return par ? 2 : 0; }
static size_t one(const void *par) { return par ? 1 : 0; }

/* State q: x and x'; parameter: mu.  The one output is x; it turns where x' passes zero. */
static void motion(const void *par, const double *w, const double *dw, const double *q, double *u, double *v)
{
  (void)par, (void)w, (void)dw;
  u[0] = q[0], v[0] = q[1];
}

static void rate(const void *par, const double *w, const double *dw, const double *q, const double *F,
                 double *dq)
{
  const double *mu = par;
  (void)w, (void)dw, (void)F;
  dq[0] = q[1];
  dq[1] = mu[0] * (1 - q[0] * q[0]) * q[1] - q[0];
}

static void slopes(const void *par, const double *w, const double *dw, const double *q, const double *F,
                   double *A)
{
  const double *mu = par;
  (void)w, (void)dw, (void)F;
  A[0] = 0, A[1] = 1;
  A[2] = -2 * mu[0] * q[0] * q[1] - 1, A[3] = mu[0] * (1 - q[0] * q[0]);
}

int main(void)
{
  static const br_state states[] = {{"x", "m", "position", 1}, {"v", "m/s", "velocity", 1}};
  br_system sys = {.name = "van_der_pol", .axes = 1, .slots = 1, .states = states, .nrows = 2, .nq = 2};
  sys.max_contact = 1, sys.nstate = two, sys.ncontact = one;
  sys.motion = motion, sys.rate = rate, sys.slopes = slopes;
  const double mu = 1;
  double x[2] = {2, 0}, lo[3], hi[3];
  br_plant *plant = NULL;
  br_solver *solver = NULL;
  br_cycle cycle;
  br_err err;
  br_solve_settings set = br_solve_settings_default();
  set.extremes = 1;
  if (br_plant_create_alone(&sys, &mu, NULL, &plant, &err) || br_solver_create(plant, &set, &solver, &err) ||
      br_solver_start(solver, 0, x, &err) || br_solver_advance(solver, 100, x, &err)) {
    (void)fprintf(stderr, "%s\n", err.msg);
    return 1;
  }
  br_solver_extremes(solver, lo, hi);
  printf("%zu turns in 100 s, x between %.9f and %.9f m\n", br_solver_stats(solver).events, lo[2], hi[2]);
  br_solver_destroy(solver);
  const br_status st = br_cycle_find(plant, NULL, NULL, x, &cycle, NULL, NULL, NULL, &err);
  if (st) (void)fprintf(stderr, "%s\n", err.msg);
  else printf("period %.10f s, multiplier %.4g\n", cycle.period, cycle.re[0]);
  br_plant_destroy(plant);
  return st != BR_OK;
}
