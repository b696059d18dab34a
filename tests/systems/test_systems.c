/* SPDX-License-Identifier: Apache-2.0
 * test_systems.c - every mechanism: tables, ranges, and its equations by the one check that does not repeat
 * them: the rate of the stored energy is the power put in, less what contacts and dampers take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/system.h"
#include "support/near.h"
#include "support/rng.h"

enum { MOST = 64 };

static void test_list(void **state)
{
  size_t n = 0;
  const br_system *const *all = br_systems(&n);
  static const char *const names[] = {"prescribed",  "filtered", "pulled_block", "driven_block",
                                      "mass_spring", "dc_motor", "chain",        "two_axis"};
  assert_int_equal(n, sizeof names / sizeof names[0]);
  for (size_t i = 0; i < n; i++) {
    assert_string_equal(all[i]->name, names[i]);
    assert_ptr_equal(br_system_find(names[i]), all[i]);
    char part[32]; /* a name is the whole name */
    for (size_t k = 0; k < strlen(names[i]); k++) {
      (void)snprintf(part, sizeof part, "%.*s", (int)k, names[i]);
      assert_null(br_system_find(part));
      assert_null(br_system_find(names[i] + k + 1));
    }
    (void)snprintf(part, sizeof part, "%s2", names[i]);
    assert_null(br_system_find(part));
    assert_true(all[i]->ninput >= 1 && all[i]->axes >= 1);
    for (size_t p = 0; p < all[i]->nparam; p++) assert_true(strlen(all[i]->params[p].doc) > 3);
  }
  assert_null(br_system_find("nosuch"));
  assert_null(br_system_find(NULL));
}

/* dE/dt = power - loss - sum F v, with dE/dt by differences of energy() along rate(). */
static void test_energy_is_consistent(void **state)
{
  size_t n = 0;
  const br_system *const *all = br_systems(&n);
  rng r = {5};
  for (size_t i = 0; i < n; i++) {
    const br_system *s = all[i];
    double par[512];
    br_err err;
    s->defaults(par);
    if (s->check(par, &err)) fail_msg("%s", err.msg);
    s->prepare(par);
    if (strcmp(s->name, "filtered") == 0) continue; /* a signal path, not a mechanism */
    const size_t nq = s->nstate(par), nk = s->ncontact(par) * (size_t)s->axes;
    for (int trial = 0; trial < 20; trial++) {
      double w[4], dw[4], q[MOST], dq[MOST], F[MOST], u[MOST], v[MOST], a[MOST], b[MOST];
      for (int l = 0; l < 4; l++) w[l] = rng_range(&r, -1, 1), dw[l] = rng_range(&r, -1, 1);
      for (size_t l = 0; l < nq; l++) q[l] = rng_range(&r, -1, 1);
      for (size_t l = 0; l < nk; l++) F[l] = rng_range(&r, -1, 1);
      s->motion(par, w, dw, q, u, v);
      s->rate(par, w, dw, q, F, dq);
      const double h = 1e-6;
      for (size_t l = 0; l < nq; l++) a[l] = q[l] + h * dq[l], b[l] = q[l] - h * dq[l];
      const double rate = nq ? (s->energy(par, a) - s->energy(par, b)) / (2 * h) : 0;
      double sum = s->power(par, w, dw, q, F) - (s->loss ? s->loss(par, q) : 0);
      for (size_t l = 0; l < nk; l++) sum -= F[l] * v[l];
      near(rate, sum, 1e-7 * (1 + fabs(sum)) * (strcmp(s->name, "dc_motor") ? 1 : 100));
      /* velocities are the rates of positions, where the mechanism has positions */
      if (s->flags & (BR_SYSTEM_FREE | BR_SYSTEM_GIVEN)) continue;
      double ua[MOST], ub[MOST], va[MOST];
      s->motion(par, w, dw, a, ua, va);
      s->motion(par, w, dw, b, ub, va);
      for (size_t l = 0; l < nk; l++) near((ua[l] - ub[l]) / (2 * h), v[l], 1e-8);
    }
  }
}

/* Flag BR_SYSTEM_LINEAR is true: rate(x + y) - rate(0) is the sum of both. */
static void test_linear_means_linear(void **state)
{
  size_t n = 0;
  const br_system *const *all = br_systems(&n);
  rng r = {6};
  for (size_t i = 0; i < n; i++) {
    const br_system *s = all[i];
    double par[512], in[3][3][MOST], out[3][MOST], zero[MOST] = {0}, base[MOST];
    s->defaults(par), s->prepare(par);
    assert_true(s->flags & BR_SYSTEM_LINEAR);
    const size_t nq = s->nstate(par), nk = s->ncontact(par) * (size_t)s->axes;
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < MOST; l++) {
        in[0][k][l] = rng_range(&r, -1, 1), in[1][k][l] = rng_range(&r, -1, 1);
        in[2][k][l] = in[0][k][l] + in[1][k][l];
      }
    (void)nk;
    s->rate(par, zero, zero, zero, zero, base);
    for (int k = 0; k < 3; k++) s->rate(par, in[k][0], zero, in[k][1], in[k][2], out[k]);
    for (size_t l = 0; l < nq; l++)
      near(out[2][l] - base[l], out[0][l] + out[1][l] - 2 * base[l], 1e-9 * (1 + fabs(out[2][l])));
  }
}

static void set(const br_system *s, double *par, const char *name, size_t i, double value)
{
  for (size_t p = 0; p < s->nparam; p++)
    if (strcmp(s->params[p].name, name) == 0) {
      par[s->params[p].slot + i] = value;
      if (s->params[p].max_len > 1 && par[s->params[p].len_slot] < (double)(i + 1))
        par[s->params[p].len_slot] = (double)(i + 1);
      return;
    }
  fail_msg("%s has no %s", s->name, name);
}

static void refused(const char *system, const char *name, size_t i, double value)
{
  const br_system *s = br_system_find(system);
  double par[512];
  br_err err;
  s->defaults(par);
  set(s, par, name, i, value);
  assert_int_equal(s->check(par, &err), BR_E_RANGE);
  assert_non_null(strstr(err.msg, name));
  assert_int_equal(s->check(par, NULL), BR_E_RANGE);
}

static void test_bad_parameters(void **state)
{
  refused("mass_spring", "m", 0, 0);
  refused("mass_spring", "ks", 0, -1);
  refused("pulled_block", "k", 0, NAN);
  refused("pulled_block", "m", 0, INFINITY);
  refused("filtered", "tau", 0, 0);
  refused("dc_motor", "I", 0, -1);
  refused("chain", "k", 2, 1);         /* three stiffnesses, two masses */
  refused("chain", "contact", 0, 1.5); /* not a whole number */
  refused("chain", "contact", 0, 3);   /* no such mass */
  refused("chain", "against", 0, 1);   /* rubs against itself */
  refused("chain", "at", 0, 7);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_list),
      cmocka_unit_test(test_energy_is_consistent),
      cmocka_unit_test(test_linear_means_linear),
      cmocka_unit_test(test_bad_parameters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
