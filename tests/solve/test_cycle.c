/* SPDX-License-Identifier: Apache-2.0
 * test_cycle.c - the cycle reported is the one that a plain simulation ends on, or there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kit.h"
#include "support/near.h"

#define DOCUMENT_1 "m=1,k=2,sigma0=2900,sigma1=107,Fc=2.94,Fs=5.88,vs=0.1,delta=1"
#define SOFT "k=5.72,sigma0=18.35,Fs=1.134,sigma2=0,vs=0.1"
#define DOUBLED "m=5.4,k=37.2,Fc=4.7,Fs=8.94,vs=0.37,sigma2=0,delta=1,sigma0=217,sigma1=10.6,z_ba=0.01515"

static br_status find(kit *k, double level, br_cycle *c, double *x0, double *lo, double *hi, br_err *err)
{
  br_cycle_settings set = br_cycle_settings_default();
  set.level = level;
  return br_cycle_find(k->plant, NULL, &set, NULL, c, x0, lo, hi, err);
}

/* Extremes over a few periods behind a long plain run from zero: v_min, v_max. */
static void plain(kit *k, double t, double stretch, double *v)
{
  double x[8], lo[8], hi[8];
  br_err err;
  br_solve_settings set = br_solve_settings_default();
  set.rtol = 1e-10;
  set.extremes = 1;
  set.t_stop = t + stretch;
  kit_solver(k, &set, NULL);
  kit_to(k, t, x);
  assert_int_equal(br_solver_start(k->solver, t, x, &err), BR_OK);
  kit_to(k, t + stretch, x);
  br_solver_extremes(k->solver, lo, hi);
  v[0] = lo[1], v[1] = hi[1];
}

static const struct {
  const char *model, *set;
  double vp;
  int returns;
  double settled; /* s of the plain run */
} attractors[] = {
    {"lugre", DOCUMENT_1 ",sigma2=0", 2, 1, 200},
    {"lugre", DOCUMENT_1 ",sigma2=0.4", 0.1, 1, 1000},
    /* Newton finds the unstable equilibrium of these, amplitude 1e-8 */
    {"lugre", SOFT ",sigma1=0", 0.0237, 1, 600},
    {"lugre", SOFT ",sigma1=0.1", 0.0237, 1, 600},
    {"lugre", SOFT ",sigma1=1", 0.0237, 1, 600},
    /* behind a period doubling; half the period is a cycle too, and repels */
    {"lugre_elastoplastic", DOUBLED, 0.05, 2, 600},
    {"lugre_elastoplastic", DOUBLED, 0.15, 2, 600},
    /* sticks for half an hour with a constant velocity, and rings across v = vp many times */
    {"lugre", "m=0.4,k=5.8,Fc=6.7,Fs=17.9,vs=0.033,sigma0=7700,sigma1=0,sigma2=0.175", 0.00132, 1, 20000},
};

static void test_the_motion_settles_on_it(void **state)
{
  for (size_t i = 0; i < sizeof attractors / sizeof attractors[0]; i++) {
    kit k;
    br_cycle c;
    br_err err;
    double x0[8], x[8], lo[8], hi[8], v[2];
    kit_plant(&k, "pulled_block", attractors[i].model, attractors[i].set, NULL, &attractors[i].vp);
    if (find(&k, attractors[i].vp, &c, x0, lo, hi, &err)) fail_msg("case %zu: %s", i, err.msg);
    assert_int_equal(c.returns, attractors[i].returns);
    assert_int_equal(c.multipliers, 2);
    assert_true(hypot(c.re[0], c.im[0]) < 1 && hypot(c.re[1], c.im[1]) <= hypot(c.re[0], c.im[0]));
    plain(&k, attractors[i].settled, 3 * c.period, v);
    near(lo[1], v[0], 1e-3 * (v[1] - v[0]));
    near(hi[1], v[1], 1e-3 * (v[1] - v[0]));
    kit_solver(&k, NULL, x0); /* and it closes, not before its period */
    kit_to(&k, c.period / c.returns, x);
    if (c.returns > 1) assert_true(fabs(x[0] - x0[0]) > 1e-3 * (hi[0] - lo[0]));
    kit_to(&k, c.period, x);
    for (int l = 0; l < 3; l++) near(x[l], x0[l], 1e-7 * (hi[l] - lo[l]));
    kit_end(&k);
  }
}

/* Steady sliding that attracts is told as such, with its state: F = g(vp) + sigma2 vp = k l. */
static void test_equilibrium(void **state)
{
  static const struct {
    double vp, sigma2;
  } at[] = {{2, 0.4}, {3, 0.4}, {2, 1}, {0.5, 20}};
  for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
    kit k;
    br_cycle c;
    br_err err;
    char set[160];
    double x0[8];
    snprintf(set, sizeof set, DOCUMENT_1 ",sigma2=%.9g", at[i].sigma2);
    kit_plant(&k, "pulled_block", "lugre", set, NULL, &at[i].vp);
    assert_int_equal(find(&k, at[i].vp, &c, x0, NULL, NULL, &err), BR_E_CONVERGE);
    assert_non_null(strstr(err.msg, "no cycle: the motion settles on the equilibrium l = "));
    assert_true(c.rest && c.period == 0);
    const double g = 2.94 + 2.94 * exp(-at[i].vp / 0.1);
    near(x0[0], 0.5 * (g + at[i].sigma2 * at[i].vp), 1e-6);
    near(x0[1], at[i].vp, 1e-6);
    near(x0[2], g / 2900, 1e-9);
    kit_end(&k);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_motion_settles_on_it),
      cmocka_unit_test(test_equilibrium),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
