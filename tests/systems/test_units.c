/* SPDX-License-Identifier: Apache-2.0
 * test_units.c - the units that every mechanism states, by the one check that knows them: all numbers in
 * other base units give the same motion, energies and shown quantities in those.  And what mechanisms are as
 * they come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/system.h"
#include "support/rng.h"
#include "support/scaled.h"

enum { MOST = 64, SLOTS = 512 };

static void same(const br_system *s, const char *what, size_t i, double got, double plain, const char *unit,
                 int seconds)
{
  const double by = scaled(unit, seconds);
  if (!(fabs(got - by * plain) <= 1e-11 * (fabs(got) + fabs(by * plain))))
    fail_msg("%s: %s %zu is no %s: %.12g, %.12g in other units, factor %.12g", s->name, what, i, unit, plain,
             got, by);
}

/* The unit of the i-th state: rows may stand for many. */
static const char *state_unit(const br_system *s, const double *par, size_t i)
{
  const size_t n = s->nstate(par);
  size_t at = 0;
  for (size_t r = 0; r < s->nrows; r++) {
    const size_t len = s->states[r].max_len > 1 ? n / s->nrows : 1;
    if (i < at + len) return s->states[r].unit;
    at += len;
  }
  return NULL;
}

static void units(void **state)
{
  size_t count = 0;
  const br_system *const *all = br_systems(&count);
  rng r = {17};
  (void)state;
  for (size_t i = 0; i < count; i++) {
    const br_system *s = all[i];
    double par[2][SLOTS], w[2][8], dw[2][8], q[2][MOST], F[2][MOST], dq[2][MOST] = {{0}}, u[2][MOST],
                                                                     v[2][MOST], out[2][8];
    const int turns = (s->flags & BR_SYSTEM_ROTARY) != 0;
    const char *way = turns ? "rad" : "m", *speed = turns ? "rad/s" : "m/s", *force = turns ? "N m" : "N";
    assert_true(s->slots <= SLOTS && s->ninput <= 8 && s->nshown <= 8);
    s->defaults(par[0]);
    for (size_t p = 0; p < s->nparam; p++) { /* no number as it comes, none alike */
      const br_param *row = &s->params[p];
      const size_t len = row->max_len == 1 ? 1 : (size_t)par[0][row->len_slot];
      for (size_t k = 0; k < len && strcmp(row->unit, "1") != 0; k++)
        par[0][row->slot + k] = rng_range(&r, 0.5, 2);
    }
    memcpy(par[1], par[0], sizeof par[0]);
    for (size_t p = 0; p < s->nparam; p++) {
      const br_param *row = &s->params[p];
      const size_t len = row->max_len == 1 ? 1 : (size_t)par[0][row->len_slot];
      for (size_t k = 0; k < len; k++) par[1][row->slot + k] *= scaled(row->unit, 0);
    }
    for (int k = 0; k < 2; k++) s->prepare(par[k]);
    const size_t nq = s->nstate(par[0]), nk = s->ncontact(par[0]) * (size_t)s->axes;
    for (size_t l = 0; l < s->ninput; l++) {
      w[0][l] = rng_range(&r, -1, 1), w[1][l] = w[0][l] * scaled(s->inputs[l].unit, 0);
      dw[0][l] = rng_range(&r, -1, 1), dw[1][l] = dw[0][l] * scaled(s->inputs[l].unit, -1);
    }
    for (size_t l = 0; l < nq; l++)
      q[0][l] = rng_range(&r, -1, 1), q[1][l] = q[0][l] * scaled(state_unit(s, par[0], l), 0);
    for (size_t l = 0; l < nk; l++) F[0][l] = rng_range(&r, -1, 1), F[1][l] = F[0][l] * scaled(force, 0);
    for (int k = 0; k < 2; k++) {
      s->motion(par[k], w[k], dw[k], q[k], u[k], v[k]);
      s->rate(par[k], w[k], dw[k], q[k], F[k], dq[k]);
      if (s->show) s->show(par[k], w[k], dw[k], q[k], out[k]);
    }
    for (size_t l = 0; l < nk; l++)
      same(s, "position", l, u[1][l], u[0][l], way, 0), same(s, "speed", l, v[1][l], v[0][l], speed, 0);
    for (size_t l = 0; l < nq; l++)
      same(s, "rate of state", l, dq[1][l], dq[0][l], state_unit(s, par[0], l), -1);
    for (size_t l = 0; l < s->nshown; l++)
      same(s, "shown quantity", l, out[1][l], out[0][l], s->shown[l].unit, 0);
    same(s, "energy", 0, s->energy(par[1], q[1]), s->energy(par[0], q[0]), "J", 0);
    same(s, "power", 0, s->power(par[1], w[1], dw[1], q[1], F[1]), s->power(par[0], w[0], dw[0], q[0], F[0]),
         "W", 0);
    if (s->loss) same(s, "loss", 0, s->loss(par[1], q[1]), s->loss(par[0], q[0]), "W", 0);
  }
}

/* As they come they are at rest in the middle, alike in both directions, and pass their own check. */
static void as_they_come(void **state)
{
  size_t count = 0;
  const br_system *const *all = br_systems(&count);
  (void)state;
  for (size_t i = 0; i < count; i++) {
    const br_system *s = all[i];
    double par[SLOTS], w[8] = {0}, q[MOST] = {0}, F[MOST] = {0}, dq[MOST] = {0};
    s->defaults(par);
    assert_int_equal(s->check(par, NULL), BR_OK);
    s->prepare(par);
    for (size_t l = 0; l < s->ninput; l++) assert_true(s->inputs[l].def == 0);
    s->rate(par, w, w, q, F, dq);
    for (size_t l = 0; l < s->nstate(par); l++) assert_true(dq[l] == 0);
    if (s->axes < 2) continue;
    for (size_t l = 0; l < 4; l++) q[l] = 1;
    s->rate(par, w, w, q, F, dq);
    assert_true(dq[0] == dq[1] && dq[2] == dq[3]);
  }
}

/* Vectors of a chain that are empty: each is named by the first rule that it breaks. */
static void empty_chains(void **state)
{
  static const char *const NAMES[] = {"m", "k", "c", "contact", "against", "load"};
  const br_system *s = br_system_find("chain");
  (void)state;
  for (unsigned which = 1; which < 64; which++) {
    double par[SLOTS];
    br_err err = {BR_OK, -1, ""};
    s->defaults(par);
    for (size_t k = 0; k < 6; k++)
      for (size_t p = 0; p < s->nparam; p++)
        if ((which >> k & 1) && strcmp(s->params[p].name, NAMES[k]) == 0) par[s->params[p].len_slot] = 0;
    if (s->check(par, &err) != BR_E_RANGE) fail_msg("a chain without %#x", which);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(units), cmocka_unit_test(as_they_come),
                                     cmocka_unit_test(empty_chains)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
