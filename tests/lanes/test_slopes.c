/* SPDX-License-Identifier: Apache-2.0
 * The slopes that lanes use, in closed form, against the complex step of the same kernels. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bristle/model.h"
#include "core/lane.h"
#include "core/stamp.h"
#include "support/rng.h"

#define BR_REAL double
#define BR_SFX _f64
#include "models/common/stribeck.inc"
#include "models/common/stribeck_slope.inc"

#define BR_VISIT_SMOOTH
#define STEP 1e-100
static const double LOAD = 1.3;

/* Slopes of rate and force over u, v, z[0], z[1], by complex step: out[var] = {dF, dz0, dz1}. */
static void by_complex_step(const br_model *m, const double *par, double u, double v, const double *z,
                            double out[4][3])
{
  double pair[2 * BR_LANE_SLOTS] = {0};
  for (size_t i = 0; i < m->slots; i++) pair[2 * i] = par[i];
  m->prepare_pair(pair);
  for (int var = 0; var < 4; var++) {
    const double n[2] = {LOAD, 0}, pu[2] = {u, var == 0 ? STEP : 0}, pv[2] = {v, var == 1 ? STEP : 0};
    const double pz[4] = {z[0], var == 2 ? STEP : 0, z[1], var == 3 ? STEP : 0};
    double dz[4] = {0}, F[2] = {0};
    m->rate_pair(pair, n, pu, pv, pz, dz);
    m->force_pair(pair, n, pu, pv, pz, dz, F);
    out[var][0] = F[1] / STEP, out[var][1] = dz[1] / STEP, out[var][2] = dz[3] / STEP;
  }
}

static void close_to(double got, double want, double size)
{
  if (!(fabs(got - want) <= 1e-12 * (fabs(want) + size))) fail_msg("%.17g, not %.17g", got, want);
}

#define BR_VISIT "lanes/slopes_of.inc"
#include "src/lanes/stamped.def"
#undef BR_VISIT

int main(void)
{
  const struct CMUnitTest tests[] = {
#define BR_VISIT "lanes/slopes_row.inc"
#include "src/lanes/stamped.def"
#undef BR_VISIT
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
