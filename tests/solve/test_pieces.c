/* SPDX-License-Identifier: Apache-2.0
 * test_pieces.c - pieces of the solver by themselves: matrices of three states, fixed points of maps with corners, what a
 * step says between its ends, extremes against what is handed out, the search for cycles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "kit.h"
#include "solve/fixpoint.h"
#include "solve/linalg.h"
#include "solve/solver.h"
#include "support/near.h"
#include "support/rng.h"

/* ---- three states of which the first and the last do not see each other ---- */

static void arrows(void **state)
{
  rng r = {11};
  (void)state;
  for (int i = 0; i < 50; i++) {
    double J[9], re[9], im[9], b[3], x[3], br[3], bi[3], xr[3], xi[3];
    size_t piv[3];
    bri_arrow a;
    for (int q = 0; q < 9; q++) J[q] = q == 2 || q == 6 ? 0 : rng_range(&r, -1, 1);
    for (int q = 0; q < 3; q++) b[q] = x[q] = br[q] = xr[q] = q + 1, bi[q] = xi[q] = 2 - q;
    for (int with = 0; with < 2; with++) {
      for (int q = 0; q < 9; q++) re[q] = (q % 4 == 0 ? 3 : 0) - J[q], im[q] = q % 4 == 0 ? with * 0.7 : 0;
      assert_int_equal(bri_arrow_factor(J, 3, with * 0.7, &a), 0);
      if (with) {
        bri_arrow_solve_complex(&a, xr, xi);
        assert_int_equal(bri_lu_complex(3, re, im, piv), 0);
        bri_lu_solve_complex(3, re, im, piv, br, bi);
      } else {
        bri_arrow_solve(&a, x);
        assert_int_equal(bri_lu(3, re, piv), 0);
        bri_lu_solve(3, re, piv, b);
      }
    }
    for (int q = 0; q < 3; q++) {
      near(x[q], b[q], 1e-13);
      near(xr[q], br[q], 1e-13);
      near(xi[q], bi[q], 1e-13);
    }
  }
}

/* ---- fixed points ---- */

/* Two states change places and both grow: what they share is kept, and no loop closes. */
static br_status moves_on(void *ctx, double *z, br_err *err)
{
  const double a = z[0];
  (void)ctx, (void)err;
  z[0] = z[1] + 0.25, z[1] = a + 0.25;
  return BR_OK;
}

static br_status moves_pairs(void *ctx, double *z, br_err *err)
{
  double re[2] = {z[0], z[2]}, im[2] = {z[1], z[3]};
  const br_status st = moves_on(ctx, re, err);
  z[0] = re[0], z[1] = im[1], z[2] = re[1], z[3] = im[0];
  return st;
}

/* Around 5 it leaves -0.9 of a deviation below 1, beyond that 0.9 of what is more: Newton goes from one side to the other
 * for ever, repetition arrives. */
static br_status cornered(void *ctx, double *z, br_err *err)
{
  const double y = z[0] - 5, a = fabs(y);
  (void)ctx, (void)err;
  z[0] = 5 + y - copysign(a < 1 ? 1.9 * a : 1.9 + 0.1 * (a - 1), y);
  return BR_OK;
}

static int looks(void *ctx, const double *z, size_t j) { return (void)ctx, (void)z, (void)j, 1; }

static void fixed_points(void **state)
{
  bri_fix_problem p = {.name = "map", .ns = 2, .nz = 2, .rtol = 1e-13, .map = moves_on};
  p.map_pair = moves_pairs;
  p.observes = looks;
  bri_fix_report r;
  br_err err = {BR_OK, -1, ""};
  double z[2] = {3, 4};
  (void)state;
  assert_int_equal(bri_fixpoint(&p, z, &r, &err), BR_E_CONVERGE); /* every period as far as the last */
  if (!strstr(err.msg, "one period keeps a deviation")) fail_msg("%s", err.msg);
  assert_true(z[0] == 3 && z[1] == 4);
  p.map = cornered, p.map_pair = NULL, p.ns = p.nz = 1, z[0] = 35;
  if (bri_fixpoint(&p, z, &r, &err)) fail_msg("%s", err.msg);
  near(z[0], 5, 1e-13);
  near(r.contraction, 0.9, 1e-6);
}

/* ---- steps ---- */

/* The polynomial of a step ends where the step does, goes through its points, and between them is not far from a step that
 * ends there. */
static void polynomials(void **state)
{
  static const br_solver_kind KINDS[] = {BR_SOLVER_RODAS, BR_SOLVER_RADAU5, BR_SOLVER_RADAU9};
  static const char *const SPECS[] = {"sine:1,0.7Hz"};
  (void)state;
  for (int i = 0; i < 3; i++) {
    kit k;
    double x0[8] = {0.3, 0}, y[8], Y[8];
    br_solve_settings set = br_solve_settings_default();
    set.kind = KINDS[i], set.rtol = 1e-6;
    kit_plant(&k, "mass_spring", "lugre", "m=1,ks=4,Fc=0.1,Fs=0.15,sigma2=0.2,vs=1,sigma0=50,sigma1=5", SPECS,
              NULL);
    kit_solver(&k, &set, x0);
    br_err err;
    const size_t n = br_plant_nstate(k.plant);
    for (int step = 0; step < 40; step++) {
      assert_int_equal(bri_step_once(k.solver, 100, &err), BR_OK);
      const br_solver *s = k.solver;
      const bri_step *st = &s->last;
      bri_step_at(st, n, s->y0, 1, y);
      for (size_t l = 0; l < n; l++) near(y[l], s->y[l], 1e-14 + 1e-13 * fabs(y[l]));
      for (int q = 0; q < st->stages; q++) {
        bri_step_at(st, n, s->y0, st->theta[q], y);
        for (size_t l = 0; l < n; l++) near(y[l], st->Y[(size_t)q * n + l], 1e-13);
      }
      const double h = 0.4 * (s->t - s->t0);
      const bri_guess none = {NULL, 0, 0};
      if (bri_try(k.solver, s->t0, s->y0, s->f0, &s->mode0, h, &none, 1, &k.solver->trial)) fail();
      memcpy(Y, s->trial.Y + (size_t)(s->trial.stages - 1) * n, n * sizeof *Y);
      bri_step_at(&s->last, n, s->y0, 0.4, y);
      for (size_t l = 0; l < n; l++) near(y[l], Y[l], 3e-5);
    }
    kit_end(&k);
  }
}

/* Extremes are those of what can be asked for along the way, far more sharply than the tolerance. */
static void extremes_are_handed_out(void **state)
{
  static const br_solver_kind KINDS[] = {BR_SOLVER_RODAS, BR_SOLVER_RADAU5, BR_SOLVER_RADAU9};
  (void)state;
  for (int i = 0; i < 3; i++)
    for (int side = -1; side <= 1; side += 2) {
      kit k;
      double x0[8] = {0.3 * side, 0.8 * side}, lo[8], hi[8], x[8], most = -1, first = 0;
      br_solve_settings set = br_solve_settings_default();
      set.kind = KINDS[i], set.rtol = 1e-2, set.extremes = 1;
      kit_plant(&k, "mass_spring", "viscous", "m=1,ks=4,sigma2=0.3", NULL, NULL);
      kit_solver(&k, &set, x0);
      kit_to(&k, 2, NULL);
      br_solver_extremes(k.solver, lo, hi);
      for (int pass = 0; pass < 2; pass++) { /* steps are the same, whoever asks */
        kit_solver(&k, &set, x0);
        for (int q = 0; q <= 2000; q++) {
          kit_to(&k, pass ? first + 1e-6 * (q - 1000) : 1e-3 * q, x);
          if (side * x[0] > most) most = side * x[0], first = pass ? first : 1e-3 * q;
        }
      }
      const double found = side > 0 ? hi[0] : -lo[0];
      near(found, most, i ? 1e-7 : 1e-11);
      kit_end(&k);
    }
}

static double of_the_input(const void *par, const double *w, const double *dw, const double *q)
{
  return (void)par, (void)dw, (void)q, w[0] * w[0];
}

/* What is lost may depend on an input: the square of a ramp over a second. */
static void losses_of_inputs(void **state)
{
  static const char *const RAMP[] = {"ramp:1"};
  kit k;
  br_plant *plant = NULL;
  br_err err = {BR_OK, -1, ""};
  (void)state;
  kit_plant(&k, "driven_block", "viscous", "m=1,sigma2=0", RAMP, NULL);
  br_system own = *br_system_find("driven_block");
  const br_drive drive = br_drive_signal(k.signals[0]);
  own.lost = of_the_input;
  if (br_plant_create(&own, br_params_block(k.params, "system"), br_model_find("viscous"),
                      br_params_block(k.params, "model"), &drive, &plant, &err))
    fail_msg("%s", err.msg);
  br_plant_destroy(k.plant);
  k.plant = plant;
  br_solve_settings set = br_solve_settings_default();
  set.energy = 1, set.rtol = 1e-10;
  kit_solver(&k, &set, NULL);
  kit_to(&k, 1, NULL);
  near(br_solver_energy(k.solver).dissipated, 1.0 / 3, 1e-9);
  near(br_solver_energy(k.solver).work_in, 0.125, 1e-9); /* F v = t t^2 / 2 */
  kit_end(&k);
}

/* ---- the search for cycles ---- */

#define STICKS "m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1"

/* The section is at the mean velocity, that with which the spring is drawn; numbers of the search are of one kind with those
 * of a plain run. */
static void sections_and_sums(void **state)
{
  const double vp = 0.5;
  kit k;
  br_cycle c;
  br_err err;
  double x0[8];
  br_cycle_settings set = br_cycle_settings_default();
  (void)state;
  set.t_transient = 200;
  kit_plant(&k, "pulled_block", "lugre", STICKS, NULL, &vp);
  if (br_cycle_find(k.plant, NULL, &set, NULL, &c, x0, NULL, NULL, &err)) fail_msg("%s", err.msg);
  kit_solver(&k, NULL, x0);
  kit_to(&k, c.period, NULL);
  const br_solve_stats one = br_solver_stats(k.solver);
  near(x0[1], vp, 0.05);
  const double ratio = (double)c.stats.steps / (double)c.stats.rhs * (double)one.rhs / (double)one.steps;
  if (!(ratio > 0.3 && ratio < 1.5)) fail_msg("%g", ratio);
  assert_true(c.stats.rejected > one.rejected && c.stats.steps > 5 * one.steps);
  kit_end(&k);
}

/* A load that swings twice in a cycle of stick and slip: two periods of it until all comes back. */
static void two_periods_of_a_load(void **state)
{
  const double vp = 0.5;
  (void)state;
  kit k;
  br_cycle c;
  br_err err;
  double x0[8], T;
  kit_plant(&k, "pulled_block", "lugre", STICKS, NULL, &vp);
  if (br_cycle_find(k.plant, NULL, NULL, NULL, &c, x0, NULL, NULL, &err)) fail_msg("%s", err.msg);
  T = 0.5 * c.period;
  assert_int_equal(c.periods, 1);
  br_signal *load = NULL;
  char spec[80];
  snprintf(spec, sizeof spec, "sine:0.05,%.17gHz,0,1", 1 / T);
  if (br_signal_parse(spec, &load, &err)) fail_msg("%s", err.msg);
  const br_drive d = br_drive_signal(load);
  br_solver_destroy(k.solver), k.solver = NULL;
  if (br_plant_load(k.plant, 0, &d, &err)) fail_msg("%s", err.msg);
  if (br_cycle_find(k.plant, NULL, NULL, NULL, &c, x0, NULL, NULL, &err)) fail_msg("%s", err.msg);
  assert_int_equal(c.periods, 2);
  near(c.period, 2 * T, 1e-9 * T);
  kit_end(&k);
  br_signal_destroy(load);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(arrows),
                                     cmocka_unit_test(fixed_points),
                                     cmocka_unit_test(polynomials),
                                     cmocka_unit_test(extremes_are_handed_out),
                                     cmocka_unit_test(losses_of_inputs),
                                     cmocka_unit_test(sections_and_sums),
                                     cmocka_unit_test(two_periods_of_a_load)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
