/* SPDX-License-Identifier: Apache-2.0
 * test_limits.c - what the models do with bad parameters and dumb inputs: every bad value is named by
 * check(), NaN in gives NaN out, nothing crashes, exact steps stay bounded however long they are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/sample.h"

static void for_each_model(void (*test)(const br_model *m))
{
  size_t count;
  const br_model *const *all = br_models(&count);
  assert_true(count >= 7);
  for (size_t i = 0; i < count; i++) test(all[i]);
}

/* ---- tables ---- */

static void complete_table(const br_model *m)
{
  double par[MOTION_SLOTS];
  br_err err = {BR_OK, 0, ""};
  br_class c = {BR_DUHEM_NONE, -1, BR_LIPSCHITZ};
  assert_true(m->axes == 1 || m->axes == 2);
  assert_true(strlen(m->title) > 10 && strlen(m->passive_text) > 3);
  m->defaults(par);
  if (m->check(par, &err) != BR_OK) fail_msg("defaults refused: %s", err.msg);
  m->prepare(par);
  m->classify(par, &c);
  assert_true(c.rate_dependent == 0 || c.rate_dependent == 1);
  assert_true(m->nstate(par) + m->nmode(par) <= m->nz);
  assert_ptr_equal(br_model_find(m->name), m);
  for (size_t i = 0; i < m->nparam; i++) {
    const br_param *p = &m->params[i];
    assert_true(p->name[0] && p->unit[0] && strlen(p->doc) > 5);
    assert_ptr_equal(br_model_param(m, p->name), p); /* names are unique */
    assert_true(p->slot + p->max_len <= m->slots);
    assert_true(p->lo < p->hi);
  }
  for (size_t i = 0; i < m->nstates_rows; i++)
    assert_true(m->states[i].name[0] && m->states[i].unit[0] && m->states[i].doc[0] &&
                m->states[i].max_len >= 1);
  assert_true((m->energy != NULL) == ((m->flags & BR_MODEL_ENERGY) != 0));
  assert_true((m->breakaway != NULL) == ((m->flags & BR_MODEL_TRUE_STICK) != 0));
}
static void test_tables(void **state)
{
  (void)state;
  for_each_model(complete_table);
  assert_null(br_model_find("lugr"));
  assert_null(br_model_find(NULL));
  assert_null(br_model_param(br_model_find("dahl"), "nope"));
  assert_null(br_model_param(NULL, "Fc"));
}

/* ---- every value outside its range is refused by name ---- */

static void refused(const br_model *m, const double *par, const char *name, double value)
{
  br_err err = {BR_OK, 0, ""};
  const br_status st = m->check(par, &err);
  if (st != BR_E_RANGE || err.code != BR_E_RANGE || !strstr(err.msg, name) || !strstr(err.msg, m->name))
    fail_msg("%s: %s = %g: status %d, message '%s'", m->name, name, value, st, err.msg);
  assert_int_equal(m->check(par, NULL), BR_E_RANGE); /* without a record too */
}

static void bad_values(const br_model *m)
{
  double good[MOTION_SLOTS], par[MOTION_SLOTS];
  m->defaults(good);
  for (size_t i = 0; i < m->nparam; i++) {
    const br_param *p = &m->params[i];
    const double bad[] = {NAN,
                          INFINITY,
                          -INFINITY,
                          p->lo_open ? p->lo : p->lo - 1,
                          p->hi_open ? p->hi : p->hi + 1,
                          p->choices ? 0.5 : NAN,
                          p->choices ? 99 : NAN};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
      memcpy(par, good, sizeof par);
      par[p->slot] = bad[k];
      if (p->max_len > 1 && par[p->len_slot] < 1)
        par[p->len_slot] = 1; /* an empty vector has no value to refuse */
      refused(m, par, p->name, bad[k]);
    }
    const double lengths[] = {-1, 0.5, (double)p->max_len + 1, NAN, 1e300};
    for (size_t k = 0; p->max_len > 1 && k < sizeof lengths / sizeof lengths[0]; k++) {
      memcpy(par, good, sizeof par);
      par[p->len_slot] = lengths[k];
      refused(m, par, p->name, lengths[k]);
    }
  }
}
static void test_bad_values(void **state) { (void)state, for_each_model(bad_values); }

static void test_rules(void **state)
{
  static const struct {
    const char *model, *parameter;
    double value;
    const char *named;
  } broken[] = {
      {"lugre", "Fs", 0.5, "Fs"},           {"semilinear_duhem", "n", 2, "Ap"},
      {"semilinear_duhem", "n", 1.5, "n"},  {"bouc_wen_biaxial", "form", 2, "isotropic|printed"},
      {"bouc_wen", "kappa", 1.01, "kappa"}, {"dahl", "gamma", -0.1, "gamma"},
      {"duhem_lugre", "vs", 0, "vs"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
    double par[MOTION_SLOTS];
    const br_model *m = br_model_find(broken[i].model);
    m->defaults(par);
    par[br_model_param(m, broken[i].parameter)->slot] = broken[i].value;
    refused(m, par, broken[i].named, broken[i].value);
  }
}

/* ---- dumb inputs ---- */

/* Step and force with everything as given; returns the first force. */
static double try_step(motion *q, double vx, double vy, double h)
{
  const double v[2] = {vx, vy};
  double F[2] = {0, 0};
  q->m->step(q->par, q->load, q->u, v, h, q->z);
  for (int a = 0; a < 2; a++) q->u[a] += v[a] * h;
  motion_force(q, v, F);
  return F[0];
}

static void nan_shows(const br_model *m)
{
  motion start;
  motion_init(&start, m->name);
  motion q = start;
  const double V = sample_speed(&q), L = sample_length(&q);
  assert_true(isfinite(try_step(&q, V, 0, L / V)));
  motion s = q;
  assert_true(isnan(try_step(&s, NAN, 0, L / V)));
  if (m->nz == 0) return;                               /* a static map has no memory */
  assert_true(isnan(try_step(&s, V, 0, 0.01 * L / V))); /* and it stays */
  s = q;
  assert_true(isnan(try_step(&s, V, V, NAN)));
  s = q;
  s.z[0] = NAN;
  assert_true(isnan(try_step(&s, V, 0, 0.01 * L / V)));
}
static void test_nan(void **state) { (void)state, for_each_model(nan_shows); }

/* Infinite and enormous inputs: any result, no trap. */
static void survives(const br_model *m)
{
  static const double wild[] = {INFINITY, -INFINITY, 1e308, -1e308, 1e-308, 5e-324, -0.0, 0.0};
  const size_t n = sizeof wild / sizeof wild[0];
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      motion q;
      motion_init(&q, m->name);
      (void)try_step(&q, wild[i], wild[j], fabs(wild[j]));
      (void)try_step(&q, wild[j], wild[i], 1);
      motion_init(&q, m->name);
      for (size_t k = 0; k < motion_count(&q); k++) q.z[k] = wild[(i + k) % n];
      (void)try_step(&q, 1, wild[j], 1e-3);
      if (m->energy) (void)m->energy(q.par, 1, q.u, q.z);
    }
}
static void test_wild(void **state) { (void)state, for_each_model(survives); }

/* An exact step may be as long as it likes: the force is the settled one, whatever the state was. */
static void long_step(const br_model *m)
{
  if (!(m->flags & BR_MODEL_EXACT_STEP)) return;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    motion q;
    rng r = {seed};
    sample_element(&q, m->name, &r);
    const double V = sample_speed(&q), L = sample_length(&q);
    motion other = q;
    (void)try_step(&other, -V, 0, 3 * L / V);
    other.u[0] = q.u[0];
    const double F = try_step(&q, V, 0, 1e12 * L / V), G = try_step(&other, V, 0, 1e12 * L / V);
    if (!(fabs(F - G) <= 1e-5 * fabs(F)) || !isfinite(F))
      fail_msg("%s, seed %d: %.9g and %.9g", m->name, (int)seed, F, G);
  }
}
static void test_long_step(void **state) { (void)state, for_each_model(long_step); }

/* Tiny steps do not lose the motion: a million small ones agree with one long one. */
static void many_small(const br_model *m)
{
  motion one, many;
  motion_init(&one, m->name);
  if (!(m->flags & BR_MODEL_EXACT_STEP)) return;
  many = one;
  const double V = sample_speed(&one), L = sample_length(&one);
  const int n = m->nz > 16 ? 10000 : 100000;
  double F = try_step(&one, V, 0, L / V), G = 0;
  for (int i = 0; i < n; i++) G = try_step(&many, V, 0, L / V / n);
  if (!(fabs(F - G) <= 1e-9 * fabs(F))) fail_msg("%s: one step %.17g, %d steps %.17g", m->name, F, n, G);
}
static void test_small_steps(void **state) { (void)state, for_each_model(many_small); }

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tables),      cmocka_unit_test(test_bad_values), cmocka_unit_test(test_rules),
      cmocka_unit_test(test_nan),         cmocka_unit_test(test_wild),       cmocka_unit_test(test_long_step),
      cmocka_unit_test(test_small_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
