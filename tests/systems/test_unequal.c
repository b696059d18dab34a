/* SPDX-License-Identifier: Apache-2.0
 * test_unequal.c - every mechanism with parameters that all differ: the energy book, momentum, and
 * accelerations by
 * hand.  With the usual parameters (masses of 1, equal springs, no dampers) many a slip does not show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "bristle/system.h"
#include "support/near.h"
#include "support/rng.h"

enum { SLOTS = 512, MOST = 64 };

static const br_param *row_of(const br_system *s, const char *name)
{
  for (size_t p = 0; p < s->nparam; p++)
    if (strcmp(s->params[p].name, name) == 0) return &s->params[p];
  fail_msg("%s has no %s", s->name, name);
  return NULL;
}

static void put(const br_system *s, double *par, const char *name, size_t n, const double *x)
{
  const br_param *row = row_of(s, name);
  memcpy(par + row->slot, x, n * sizeof *x);
  if (row->max_len > 1) par[row->len_slot] = (double)n;
}

/* Three masses; contact 1: mass 3 against mass 1, contact 2: mass 2 on the base; Fe acts on mass 2. */
static void chain_of_three(const br_system *s, double *par, rng *r)
{
  static const double CONTACT[] = {3, 2}, AGAINST[] = {1, 0}, AT = 2;
  static const char *const DRAWN[] = {"m", "k", "c"};
  for (int l = 0; l < 3; l++) {
    const double x[] = {rng_range(r, 0.3, 3), rng_range(r, 0.3, 3), rng_range(r, 0.3, 3)};
    put(s, par, DRAWN[l], 3, x);
  }
  const double load[] = {0.5, 2};
  put(s, par, "contact", 2, CONTACT), put(s, par, "against", 2, AGAINST), put(s, par, "load", 2, load);
  put(s, par, "at", 1, &AT);
}

static void draw(const br_system *s, double *par, rng *r)
{
  br_err err = {BR_OK, -1, ""};
  memset(par, 0, SLOTS * sizeof *par);
  s->defaults(par);
  if (strcmp(s->name, "chain") == 0) chain_of_three(s, par, r);
  else
    for (size_t p = 0; p < s->nparam; p++) par[s->params[p].slot] = rng_range(r, 0.3, 3);
  if (s->check(par, &err)) fail_msg("%s", err.msg);
  s->prepare(par);
}

/* dE/dt = power - loss - sum F v.  Energies are quadratic: a difference over any step is the derivative. */
static void energy_book(void **state)
{
  size_t n = 0;
  const br_system *const *all = br_systems(&n);
  rng r = {11};
  for (size_t i = 0; i < n * 40; i++) {
    const br_system *s = all[i / 40];
    double par[SLOTS], w[4], dw[4], q[MOST], dq[MOST], F[MOST], u[MOST], v[MOST], a[MOST], b[MOST];
    if (strcmp(s->name, "filtered") == 0) continue; /* a signal path, it stores nothing */
    draw(s, par, &r);
    const size_t nq = s->nstate(par), nk = s->ncontact(par) * (size_t)s->axes;
    for (int l = 0; l < 4; l++) w[l] = rng_range(&r, -1, 1), dw[l] = rng_range(&r, -1, 1);
    for (size_t l = 0; l < nq; l++) q[l] = rng_range(&r, -1, 1);
    for (size_t l = 0; l < nk; l++) F[l] = rng_range(&r, -1, 1);
    s->motion(par, w, dw, q, u, v);
    s->rate(par, w, dw, q, F, dq);
    const double h = 0.125;
    for (size_t l = 0; l < nq; l++) a[l] = q[l] + h * dq[l], b[l] = q[l] - h * dq[l];
    const double rate = nq ? (s->energy(par, a) - s->energy(par, b)) / (2 * h) : 0;
    double sum = s->power(par, w, dw, q, F) - (s->loss ? s->loss(par, q) : 0), size = 1 + fabs(sum);
    for (size_t l = 0; l < nk; l++) sum -= F[l] * v[l];
    for (size_t l = 0; l < nq; l++) size += fabs(dq[l]) * (1 + fabs(dq[l]));
    near(rate, sum, 1e-12 * size);
  }
}

/* Positive energy of every state alone, positive loss: a sign or a missing mass is no matter of balance. */
static void energy_is_positive(void **state)
{
  size_t n = 0;
  const br_system *const *all = br_systems(&n);
  rng r = {12};
  for (size_t i = 0; i < n; i++) {
    const br_system *s = all[i];
    double par[SLOTS], q[MOST] = {0};
    draw(s, par, &r);
    if (strcmp(s->name, "dc_motor") == 0) { /* equal prestress: no bias */
      par[row_of(s, "f2")->slot] = par[row_of(s, "f1")->slot];
      s->prepare(par);
    }
    for (size_t l = 0; l < s->nstate(par) && strcmp(s->name, "filtered") != 0; l++) {
      q[l] = 0.5;
      assert_true(s->energy(par, q) > 0.03);
      if (s->loss) assert_true(s->loss(par, q) >= 0);
      q[l] = 0;
    }
  }
}

static void by_hand(void **state)
{
  double par[SLOTS], dq[MOST], u[2], v[2];
  const br_system *s = br_system_find("chain");
  s->defaults(par);
  const double m[] = {1, 2, 4}, k[] = {10, 20, 40}, c[] = {1, 3, 5}, on[] = {1, 2}, against[] = {3, 0},
               load[] = {1, 7}, at = 2;
  put(s, par, "m", 3, m), put(s, par, "k", 3, k), put(s, par, "c", 3, c), put(s, par, "contact", 2, on);
  put(s, par, "against", 2, against), put(s, par, "load", 2, load), put(s, par, "at", 1, &at);
  s->prepare(par);
  assert_true(s->ncontact(par) == 2 && s->load(par, 0) == 1 && s->load(par, 1) == 7);
  const double q[] = {1, 3, 6, 0.5, 1, 3}, w[] = {8, 0.25}, dw[2] = {0}, F[] = {6, 2};
  s->motion(par, w, dw, q, u, v);
  assert_true(u[0] == 1 - 6 && u[1] == 3 && v[0] == 0.5 - 3 && v[1] == 1);
  s->rate(par, w, dw, q, F, dq);
  /* S1 = 10*1 + 1*0.5, S2 = 20*2 + 3*0.5, S3 = 40*3 + 5*2 */
  const double S[] = {10.5, 41.5, 130};
  for (int i = 0; i < 3; i++) assert_true(dq[i] == q[3 + i]);
  near(dq[3], (S[1] - S[0] - 6) / 1 - 0.25, 1e-13);
  near(dq[4], (S[2] - S[1] + 8 - 2) / 2 - 0.25, 1e-13);
  near(dq[5], (-S[2] + 6) / 4 - 0.25, 1e-13);
  s = br_system_find("dc_motor");
  s->defaults(par);
  const double I = 2, k1 = 3, k2 = 5, r = 0.5, f1 = 7, f2 = 1, km = 4;
  put(s, par, "I", 1, &I), put(s, par, "k1", 1, &k1), put(s, par, "k2", 1, &k2), put(s, par, "r", 1, &r);
  put(s, par, "f1", 1, &f1), put(s, par, "f2", 1, &f2), put(s, par, "km", 1, &km);
  s->prepare(par);
  s->rate(par, w, dw, q, F, dq);
  near(dq[1], (4 * 8 - 6 - (7 - 1) * 0.5 - (3 + 5) * 0.25 * 1) / 2, 1e-13);
  near(s->energy(par, q), 0.5 * 2 * 1 + 0.5 * 2 * 9 + 3 * 1, 1e-13);
  near(s->power(par, w, dw, q, F), 4 * 8 * 3, 1e-13);
  s = br_system_find("filtered");
  s->defaults(par);
  const double tau = 0.25;
  put(s, par, "tau", 1, &tau), s->prepare(par);
  s->rate(par, w, dw, q, F, dq);
  near(dq[0], (6 - 1) / 0.25, 1e-13);
  assert_true(s->energy(par, q) == 0);
  const double way[] = {3, 0}, speed[] = {0.5, 0};
  s->motion(par, way, speed, q, u, v);
  assert_true(u[0] == 3 && v[0] == 0.5 && s->power(par, way, speed, q, F) == 3);
  s = br_system_find("prescribed");
  s->defaults(par), s->prepare(par);
  double shown[2];
  s->motion(par, way, speed, q, u, v);
  s->show(par, way, speed, q, shown);
  assert_true(u[0] == 3 && v[0] == 0.5 && shown[0] == 3 && shown[1] == 0.5);
}

/* Lists that do not fit each other, places that are not there. */
static void rules_of_a_chain(void **state)
{
  static const struct {
    const char *name;
    size_t n;
    double x[3];
  } WRONG[] = {{"m", 3, {1, 1, 1}},  {"c", 1, {0}},       {"k", 1, {1}},          {"contact", 2, {1, 2}},
               {"load", 2, {1, 1}},  {"load", 1, {-1}},   {"against", 2, {0, 0}}, {"contact", 1, {0}},
               {"against", 1, {-1}}, {"against", 1, {3}}, {"against", 1, {0.5}},  {"at", 1, {-1}},
               {"at", 1, {1.5}},     {"at", 1, {3}},      {"m", 2, {1, 0}},       {"k", 2, {1, -1}},
               {"c", 2, {NAN, 0}},   {"contact", 1, {3}}, {"against", 1, {1}},    {"m", 0, {0}},
               {"contact", 0, {0}}};
  const br_system *s = br_system_find("chain");
  double par[SLOTS];
  br_err err = {BR_OK, -1, ""};
  for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
    s->defaults(par);
    assert_int_equal(s->check(par, &err), BR_OK);
    put(s, par, WRONG[i].name, WRONG[i].n, WRONG[i].x);
    if (s->check(par, &err) == BR_OK) fail_msg("%s with %zu entries is taken", WRONG[i].name, WRONG[i].n);
  }
}

/* A contact's velocity is the rate of its position, or its position is 0 and the mechanism says that it
 * holds none. */
static void positions_move_with_velocities(void **state)
{
  size_t n = 0;
  const br_system *const *all = br_systems(&n);
  rng r = {13};
  (void)state;
  assert_ptr_equal(br_systems(NULL), all);
  for (size_t i = 0; i < n * 20; i++) {
    const br_system *s = all[i / 20];
    double par[SLOTS], w[2][4], dw[4], q[2][MOST], dq[MOST], F[MOST], u[2][MOST], v[MOST];
    const double h = 0.125;
    draw(s, par, &r);
    const size_t nq = s->nstate(par), nk = s->ncontact(par) * (size_t)s->axes;
    for (size_t l = 0; l < nk; l++) F[l] = rng_range(&r, -1, 1);
    for (int l = 0; l < 4; l++) w[0][l] = rng_range(&r, -1, 1), dw[l] = rng_range(&r, -1, 1);
    for (size_t l = 0; l < nq; l++) q[0][l] = rng_range(&r, -1, 1);
    s->rate(par, w[0], dw, q[0], F, dq);
    for (int l = 0; l < 4; l++) w[1][l] = w[0][l] + h * dw[l];
    for (size_t l = 0; l < nq; l++) q[1][l] = q[0][l] + h * dq[l];
    s->motion(par, w[1], dw, q[1], u[1], v);
    s->motion(par, w[0], dw, q[0], u[0], v);
    for (size_t l = 0; l < nk; l++) { /* positions are linear: a difference over any step is the rate */
      if (s->flags & BR_SYSTEM_FREE) assert_true(u[0][l] == 0 && v[l] != 0);
      else near((u[1][l] - u[0][l]) / h, v[l], 1e-13);
      double moved[MOST], there[MOST], at = dw[l];
      dw[l] += 1; /* does an input move the contact by itself? */
      s->motion(par, w[0], dw, q[0], there, moved);
      dw[l] = at;
      assert_int_equal((s->flags & BR_SYSTEM_GIVEN) != 0, moved[l] != v[l]);
    }
  }
}

/* What stores or resists inertia must be there, springs and dampers may be left out, nothing of them is
 * negative. */
static void ends_of_ranges(void **state)
{
  static const char *const INERT[] = {"m", "I", "tau", "r"};
  size_t n = 0, tried = 0;
  const br_system *const *all = br_systems(&n);
  (void)state;
  for (size_t i = 0; i < n; i++)
    for (size_t p = 0; p < all[i]->nparam; p++) {
      const br_system *s = all[i];
      const br_param *row = &s->params[p];
      const int pulls = strcmp(s->name, "pulled_block") == 0 && strcmp(row->name, "k") == 0;
      int inert = pulls, stores = row->name[0] == 'k' && strcmp(row->name, "km") != 0;
      double par[SLOTS];
      br_err err = {BR_OK, -1, ""};
      for (size_t k = 0; k < sizeof INERT / sizeof *INERT; k++) inert |= strcmp(row->name, INERT[k]) == 0;
      stores |= strcmp(row->name, "c") == 0 || strcmp(row->name, "load") == 0;
      if (!inert && !stores) continue;
      s->defaults(par);
      par[row->slot] = 0, tried++;
      if ((s->check(par, &err) == BR_OK) == inert) fail_msg("%s: %s = 0", s->name, row->name);
      par[row->slot] = -1e-9;
      if (s->check(par, &err) == BR_OK) fail_msg("%s: %s < 0", s->name, row->name);
    }
  assert_true(tried > 14);
}

/* What is shown has a name of its own, and so has every limit of it; a mechanism in radians says so. */
static void what_is_shown(void **state)
{
  size_t n = 0;
  const br_system *const *all = br_systems(&n);
  (void)state;
  for (size_t i = 0; i < n; i++) {
    const br_system *s = all[i];
    int turns = 0;
    for (size_t k = 0; k < s->nrows; k++) turns |= strncmp(s->states[k].unit, "rad", 3) == 0;
    assert_int_equal((s->flags & BR_SYSTEM_ROTARY) != 0, turns);
    for (size_t k = 0; k < s->nlimits; k++) {
      int found = 0, before = 0;
      for (size_t l = 0; l < s->nshown; l++) found += strcmp(s->shown[l].name, s->limits[k].name) == 0;
      for (size_t l = 0; l < k; l++) before += strcmp(s->limits[l].name, s->limits[k].name) == 0;
      assert_true(found == 1 && before == 0);
    }
    double par[SLOTS], rest[MOST] = {0}, dq[MOST] = {0};
    s->defaults(par), s->prepare(par);
    s->rate(par, rest, rest, rest, rest, dq); /* as it comes, it stays where it is */
    for (size_t l = 0; l < s->nstate(par); l++) assert_true(dq[l] == 0);
  }
  const br_system *s = br_system_find("dc_motor");
  const double r = 0.5, k1 = 3, k2 = 5, f1 = 7, f2 = 1, q[] = {0.25, 9}, none[4] = {0};
  double par[SLOTS], out[8];
  s->defaults(par);
  put(s, par, "k1", 1, &k1), put(s, par, "k2", 1, &k2), put(s, par, "r", 1, &r);
  put(s, par, "f1", 1, &f1), put(s, par, "f2", 1, &f2), s->prepare(par);
  assert_true(s->nshown == 4 && s->nlimits == 2);
  s->show(par, none, none, q, out); /* one spring is pulled by what the other is let go */
  assert_true(out[0] == 0.125 && out[1] == -0.125 && out[2] == 7 + 3 * 0.125 && out[3] == 1 - 5 * 0.125);
}

/* A state called vNAME is the rate of that called NAME, an input FNAME pushes it, and stiffness kNAME
 * pulls it back. */
static void names_of_states(void **state)
{
  size_t n = 0, pairs = 0, pushed = 0, pulled = 0;
  const br_system *const *all = br_systems(&n);
  rng r = {14};
  (void)state;
  for (size_t i = 0; i < n; i++) {
    const br_system *s = all[i];
    double par[SLOTS], w[4] = {0}, dw[4] = {0}, q[MOST] = {0}, F[MOST] = {0}, dq[MOST], then[MOST];
    if (strcmp(s->name, "chain") == 0) continue; /* rows for many */
    draw(s, par, &r);
    for (size_t l = 0; l < s->nrows; l++) q[l] = rng_range(&r, 1, 2);
    s->rate(par, w, dw, q, F, dq);
    for (size_t v = 0; v < s->nrows; v++)
      for (size_t x = 0; x < s->nrows; x++) {
        const char *name = s->states[x].name;
        if (s->states[v].name[0] != 'v' || strcmp(s->states[v].name + 1, name) != 0) continue;
        assert_true(dq[x] == q[v]), pairs++;
        for (size_t k = 0; k < s->ninput; k++) {
          if (s->inputs[k].name[0] != 'F' || strcmp(s->inputs[k].name + 1, name) != 0) continue;
          w[k] = 1, s->rate(par, w, dw, q, F, then), w[k] = 0, pushed++;
          for (size_t l = 0; l < s->nrows; l++) assert_int_equal(then[l] > dq[l], l == v);
        }
        for (size_t p = 0; p < s->nparam; p++) {
          if (s->params[p].name[0] != 'k' || strcmp(s->params[p].name + 1, name) != 0) continue;
          const double kept = par[s->params[p].slot];
          par[s->params[p].slot] = kept + 1, s->prepare(par);
          s->rate(par, w, dw, q, F, then), pulled++;
          par[s->params[p].slot] = kept, s->prepare(par);
          for (size_t l = 0; l < s->nrows; l++) assert_int_equal(then[l] < dq[l], l == v);
        }
      }
  }
  assert_true(pairs >= 2 && pushed >= 2 && pulled >= 2);
}

/* As many masses as are promised: pushed alike, only the lowest spring feels it. */
static void sixteen_masses(void **state)
{
  const br_system *s = br_system_find("chain");
  double par[SLOTS], one[16], dq[MOST], q[MOST] = {0}, w[2] = {0}, F[MOST] = {0};
  br_err err = {BR_OK, -1, ""};
  (void)state;
  for (int i = 0; i < 16; i++) one[i] = 1 + i, q[i] = 0.5;
  s->defaults(par);
  assert_int_equal(row_of(s, "m")->max_len, 16);
  put(s, par, "m", 16, one), put(s, par, "k", 16, one), put(s, par, "c", 16, one);
  if (s->check(par, &err)) fail_msg("%s", err.msg);
  s->prepare(par);
  assert_int_equal(s->nstate(par), 32);
  s->rate(par, w, w, q, F, dq);
  for (int i = 0; i < 16; i++) near(dq[16 + i], i ? 0 : -0.5, 1e-15);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(energy_book),
                                     cmocka_unit_test(energy_is_positive),
                                     cmocka_unit_test(by_hand),
                                     cmocka_unit_test(rules_of_a_chain),
                                     cmocka_unit_test(positions_move_with_velocities),
                                     cmocka_unit_test(ends_of_ranges),
                                     cmocka_unit_test(what_is_shown),
                                     cmocka_unit_test(names_of_states),
                                     cmocka_unit_test(sixteen_masses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
