/* SPDX-License-Identifier: Apache-2.0
 * test_units.c - the units that every model states, by the one check that knows them: all numbers in other
 * base units give the same rates, forces, steps, energies and levels in those. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/sample.h"
#include "support/scaled.h"

static void same(const br_model *m, const char *what, size_t i, double got, double plain, double size,
                 const char *unit, int seconds)
{
  const double by = scaled(unit, seconds);
  if (!(fabs(got - by * plain) <= 1e-9 * by * fmax(size, fabs(plain))))
    fail_msg("%s: %s %zu is no %s: %.12g, %.12g in other units, factor %.12g", m->name, what, i, unit, plain,
             got, by);
}

/* The unit of the i-th of n states: a row may stand for many. */
static const char *state_unit(const br_model *m, size_t n, size_t i)
{
  size_t at = 0;
  for (size_t r = 0; r < m->nstates_rows; r++) {
    at += m->states[r].max_len > 1 ? n - (m->nstates_rows - 1) : 1;
    if (i < at) return m->states[r].unit;
  }
  return "1"; /* modes */
}

static void units(void **state)
{
  size_t count = 0;
  const br_model *const *all = br_models(&count);
  (void)state;
  for (size_t i = 0; i < count; i++)
    for (uint64_t seed = 1; seed <= 6; seed++) {
      motion q;
      rng r = {seed};
      double v[2] = {0}, par[2][MOTION_SLOTS], z[2][MOTION_STATES], dz[2][MOTION_STATES] = {{0}}, F[2][2],
             u[2][2], V[2][2];
      sample_element(&q, all[i]->name, &r);
      const br_model *m = q.m;
      if (br_model_param(m, "f_exp"))
        motion_set(&q, "f_exp", 1), motion_ready(&q); /* else sigma2 has another unit */
      const double L = sample_length(&q), speed = sample_speed(&q);
      for (int leg = 0; leg < 2; leg++) {
        const double time = sample_leg(&q, &r, 0.2 * L, speed, v);
        q.tol = 1e-8;
        motion_move(&q, v[0], v[1], time);
      }
      const size_t nz = m->nstate(q.par), n = nz + m->nmode(q.par);
      memcpy(par[0], q.par, m->slots * sizeof(double)), memcpy(par[1], par[0], m->slots * sizeof(double));
      for (size_t p = 0; p < m->nparam; p++) {
        const br_param *row = &m->params[p];
        const size_t len = row->max_len == 1 ? 1 : (size_t)par[0][row->len_slot];
        for (size_t k = 0; k < len && !row->choices; k++) par[1][row->slot + k] *= scaled(row->unit, 0);
      }
      for (int a = 0; a < 2; a++) {
        u[0][a] = q.u[a], u[1][a] = u[0][a] * scaled("m", 0);
        V[0][a] = v[a], V[1][a] = v[a] * scaled("m/s", 0);
      }
      for (size_t k = 0; k < n; k++) z[0][k] = q.z[k], z[1][k] = z[0][k] * scaled(state_unit(m, nz, k), 0);
      for (int k = 0; k < 2; k++) {
        assert_int_equal(m->check(par[k], NULL), BR_OK);
        m->prepare(par[k]);
        m->rate(par[k], q.load, u[k], V[k], z[k], dz[k]);
        m->force(par[k], q.load, u[k], V[k], z[k], dz[k], F[k]);
      }
      const double h = 0.05 * L / hypot(v[0], v[1]);
      for (size_t k = 0; k < nz; k++)
        same(m, "rate of state", k, dz[1][k], dz[0][k], 0, state_unit(m, nz, k), -1);
      for (int a = 0; a < m->axes; a++) same(m, "force", (size_t)a, F[1][a], F[0][a], fabs(F[0][0]), "N", 0);
      if (m->energy)
        same(m, "energy", 0, m->energy(par[1], q.load, u[1], z[1]), m->energy(par[0], q.load, u[0], z[0]), 0,
             "J", 0);
      if (m->breakaway)
        same(m, "break-away", 0, m->breakaway(par[1], q.load), m->breakaway(par[0], q.load), 0, "N", 0);
      for (int k = 0; k < 2; k++) m->step(par[k], q.load, u[k], V[k], k ? h * scaled("s", 0) : h, z[k]);
      for (size_t k = 0; k < nz; k++)
        same(m, "state behind a step", k, z[1][k], z[0][k], 0, state_unit(m, nz, k), 0);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(units)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
