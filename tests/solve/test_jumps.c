/* SPDX-License-Identifier: Apache-2.0
 * test_jumps.c - states that jump where the position passes a limit: against a time-stepper with tiny steps
 * that knows nothing of events, in number of jumps, motion and energy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kit.h"

enum { MOST = 16 };
static const double M = 1, KS = 2, AMPLITUDE = 6, FREQUENCY = 0.3;

static int count_elements(void *ctx, const br_event *ev)
{
  if (ev->type == BR_EVENT_ELEMENT) ++*(size_t *)ctx;
  return 0;
}

/* Leapfrog with the model's own step; counts the steps in which states jump. */
static size_t by_hand(const br_model *m, const double *par, double t_end, double dt, double *x)
{
  double z[MOST] = {0}, before[MOST] = {0}, dz[MOST], F, q = 0, v = 0;
  size_t jumps = 0;
  const size_t nz = m->nstate(par), steps = (size_t)(t_end / dt + 0.5);
  for (size_t i = 0; i < steps; i++) {
    const double t = ((double)i + 0.5) * dt, half = 0.5 * dt,
                 fe = AMPLITUDE * sin(2 * KIT_PI * FREQUENCY * t);
    m->step(par, 1, &q, &v, half, z);
    q += half * v;
    m->rate(par, 1, &q, &v, z, dz);
    m->force(par, 1, &q, &v, z, dz, &F);
    v += dt * (fe - KS * q - F) / M;
    m->step(par, 1, &q, &v, half, z);
    q += half * v;
    jumps += memcmp(z, before, nz * sizeof *z) != 0;
    memcpy(before, z, sizeof before);
  }
  x[0] = q, x[1] = v;
  memcpy(x + 2, z, nz * sizeof *z);
  return jumps;
}

static void compare(const char *model, const char *set, double t_end)
{
  const char *specs[2] = {"sine:6,0.3", NULL};
  double x[MOST + 2], want[MOST + 2], half[MOST + 2];
  size_t events = 0;
  kit k;
  kit_plant(&k, "mass_spring", model, set, specs, NULL);
  br_solve_settings s = br_solve_settings_default();
  s.energy = 1, s.t_stop = t_end, s.on_event = count_elements, s.ctx = &events, s.rtol = 1e-9;
  kit_solver(&k, &s, NULL);
  kit_to(&k, t_end, x);
  const br_energy e = br_solver_energy(k.solver);
  const br_model *m = br_model_find(model);
  const double *par = br_params_block(k.params, "model");
  const size_t jumps = by_hand(m, par, t_end, 2e-5, want), n = 2 + m->nstate(par);
  (void)by_hand(m, par, t_end, 1e-5, half);
  /* bonds may snap at one place together, and within one of the stepper's steps */
  if (jumps < 20 || fabs((double)events - (double)jumps) > 0.01 * (double)jumps)
    fail_msg("%s: %zu events, %zu jumps", model, events, jumps);
  for (size_t i = 0; i < n;
       i++) { /* the stepper is off by what half its step changes, and a jump is late by a step */
    const double off = fabs(x[i] - half[i]), own = fabs(want[i] - half[i]);
    if (!(off <= 4 * own + 2e-3))
      fail_msg("%s: state %zu is %.9g, by hand %.9g (%.1e)", model, i, x[i], half[i], own);
  }
  if (!(fabs(e.residual) < 1e-5 * e.friction) || !(e.dissipated > 0.2 * e.work_in))
    fail_msg("%s: work %.9g, dissipated %.9g, friction %.9g, residual %.3g", model, e.work_in, e.dissipated,
             e.friction, e.residual);
  kit_end(&k);
}

static void test_bristles(void **state)
{
  (void)state;
  compare("haessig_friedland", "m=1,ks=2,N=5,sigma0=2,ds=0.2,spacing=0.2", 12);
}

static void test_tomlinson(void **state)
{
  (void)state;
  compare("tomlinson", "m=1,ks=2,V0=0.3,a=0.5,k=5", 12);
}

/* eta < 1: nothing is lost; the wells are labels only. */
static void test_stiff_tip_loses_nothing(void **state)
{
  const char *specs[2] = {"sine:6,0.3", NULL};
  double x[3];
  kit k;
  (void)state;
  kit_plant(&k, "mass_spring", "tomlinson", "m=1,ks=2,V0=0.03,a=0.5,k=10", specs, NULL);
  br_solve_settings s = br_solve_settings_default();
  s.energy = 1, s.t_stop = 12, s.rtol = 1e-9;
  kit_solver(&k, &s, NULL);
  kit_to(&k, 12, x);
  const br_energy e = br_solver_energy(k.solver);
  if (!(fabs(e.dissipated) < 1e-6 * fabs(e.stored)))
    fail_msg("dissipated %.9g of %.9g, residual %.3g", e.dissipated, e.stored, e.residual);
  kit_end(&k);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bristles), cmocka_unit_test(test_tomlinson),
                                     cmocka_unit_test(test_stiff_tip_loses_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
