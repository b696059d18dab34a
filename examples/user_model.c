/* SPDX-License-Identifier: Apache-2.0
 * user_model.c - a friction model of your own: three functions and a parameter table.
 * Here a Dahl element whose Coulomb level grows with position: dF/dt = sigma (v - |v| F / Fc(u)). */
#include <stdio.h>

#include "bristle/duhem.h"

enum { SIGMA, FC, GRADE, SLOTS }; /* slots of the parameter block */

static void f(const double *p, const double *x, double u, double *out)
{
  out[0] = p[SIGMA];                                        /* times v */
  out[1] = -p[SIGMA] * x[0] / (p[FC] * (1 + p[GRADE] * u)); /* times |v| */
}
static void g(const double *p, double v, double *out) { (void)p, out[0] = v, out[1] = v < 0 ? -v : v; }
static double h(const double *p, const double *x, double u) { return (void)p, (void)u, x[0]; }

static const br_param params[] = {
    {.name = "sigma",
     .unit = "N/m",
     .doc = "rest stiffness",
     .def = 7.5,
     .hi = 1e9,
     .lo_open = 1,
     .slot = SIGMA,
     .max_len = 1},
    {.name = "Fc",
     .unit = "N",
     .doc = "level at u = 0",
     .def = 0.75,
     .hi = 1e9,
     .lo_open = 1,
     .slot = FC,
     .max_len = 1},
    {.name = "grade",
     .unit = "1/m",
     .doc = "growth of the level",
     .def = 0.8,
     .hi = 1,
     .slot = GRADE,
     .max_len = 1},
};
static const br_state states[] = {{"F", "N", "friction force", 1}};
static const br_duhem graded = {.name = "graded_dahl",
                                .n = 1,
                                .r = 2,
                                .f = f,
                                .g = g,
                                .h = h,
                                .params = params,
                                .nparam = 3,
                                .slots = SLOTS,
                                .states = states,
                                .nstates_rows = 1,
                                .substeps = 4,
                                .cls = {.continuity = BR_LIPSCHITZ}};
BR_DUHEM_DEFINE(graded)

/* What the macro writes: a hook each, all of them in one list. */
static int by_hand(br_err *err)
{
  const br_duhem_hooks hooks = {graded_defaults, graded_check, graded_nstate, graded_classify, graded_passive,
                                graded_rate,     graded_force, graded_step,   graded_energy};
  const br_duhem none = {.name = "none"};
  br_model m;
  if (br_duhem_model(&graded, &hooks, &m, err)) return 1;
  return br_duhem_model(&none, &hooks, &m, err) == BR_E_ARG ? printf("refused: %s\n", err->msg) < 0 : 1;
}

int main(void)
{
  double par[SLOTS], u = 0, z[1] = {0}, work = 0, F0 = 0, F;
  br_model m;
  br_err err;
  if (by_hand(&err) || graded_model(&m, &err) != BR_OK) return fprintf(stderr, "%s\n", err.msg), 1;
  m.defaults(par);
  if (m.check(par, &err) != BR_OK) return fprintf(stderr, "%s\n", err.msg), 1;
  m.prepare(par);
  printf("%s is %srate independent\n", m.name, br_duhem_homogeneous(&graded, par) ? "" : "not ");
  for (int k = 0; k < 2500; k++) { /* 0 -> 0.5 -> -0.5 -> 0.5 m, 1 mm per step */
    const double v = (k + 500) / 1000 % 2 == 0 ? 1.0 : -1.0;
    double dz[1];
    m.step(par, 1, &u, &v, 1e-3, z);
    u += v * 1e-3;
    m.rate(par, 1, &u, &v, z, dz);
    m.force(par, 1, &u, &v, z, dz, &F);
    work += 0.5 * (F0 + F) * v * 1e-3;
    F0 = F;
    if (k % 250 == 249) printf("u = %6.3f m  F = %8.5f N  work = %8.5f J\n", u, F, work);
  }
  return work > 0 ? 0 : 1;
}
