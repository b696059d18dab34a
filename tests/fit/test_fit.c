/* SPDX-License-Identifier: Apache-2.0
 * Parameters come back from records that the models made; the same bits for any number of threads; guards. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/team.h"
#include "bristle/param.h"
#include "fit/fit.h"
#include "fit/sample.h"

/* A record of a model with given parameters: slow and fast strokes, 1 % noise, offset 3 N. */
enum { N = 1500 };
static double t[N], u[N], v[N], h[N], at[N], F[N];
static br_fit_record record(const char *model, const char *set, unsigned seed, double noise)
{
  br_params *p = NULL;
  br_err err;
  const br_model *m = br_model_find(model);
  uint64_t stream = bri_stream(seed, 5);
  assert_int_equal(br_params_create(m, &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, set, &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  for (size_t k = 0; k < N; k++) {
    const double s = 2e-3 * (double)k;
    t[k] = s, h[k] = 2e-3, u[k] = 1e-3 * sin(3.1 * s) + 2e-4 * sin(19 * s + 1) + 5e-4 * sin(7.7 * s);
  }
  for (size_t k = 0; k + 1 < N; k++) v[k] = (u[k + 1] - u[k]) / h[k];
  v[N - 1] = v[N - 2];
  for (size_t k = 0; k < N; k++) at[k] = k ? 0.5 * (v[k] + v[k - 1]) : v[0];
  const bri_motion path = {N, u, v, at, h, NULL, .pace = 1};
  bri_walk(m, br_params_block(p, "model"), &path, NULL, F);
  double most = 0;
  for (size_t k = 0; k < N; k++) most = fmax(most, fabs(F[k]));
  for (size_t k = 0; k < N; k++) {
    double sum = -6;
    for (int i = 0; i < 12; i++) sum += bri_uniform(&stream);
    F[k] += 3 + noise * most * sum;
  }
  br_params_destroy(p);
  return (br_fit_record){N, t, u, F, NULL, NULL, 1};
}

static const br_fit_value *value(const br_fit_model *m, const char *name, int element)
{
  for (size_t i = 0; i < m->nvalues; i++)
    if (strcmp(m->values[i].name, name) == 0 && m->values[i].element == element) return &m->values[i];
  fail_msg("%s has no fitted %s", m->model->name, name);
  return NULL;
}

static br_fit *fitted(const br_fit_record *r, br_fit_options o)
{
  br_fit *fit = NULL;
  br_err err = {BR_OK, -1, ""};
  if (br_fit_create(r, &o, &fit, &err)) fail_msg("%s", err.msg);
  return fit;
}

/* Without noise the numbers themselves come back. */
static void test_exact(void **state)
{
  static const struct {
    const char *model, *set, *name;
    int element;
    double value;
  } CASES[] = {
      {"dahl", "sigma0=3e5,Fc=10", "sigma0", -1, 3e5},
      {"dahl", "sigma0=3e5,Fc=10", "Fc", -1, 10},
      {"lugre", "sigma0=3e5,sigma1=50,sigma2=30,Fc=10,Fs=15,vs=2e-3", "Fs", -1, 15},
      {"lugre", "sigma0=3e5,sigma1=50,sigma2=30,Fc=10,Fs=15,vs=2e-3", "vs", -1, 2e-3},
      {"lugre", "sigma0=3e5,sigma1=50,sigma2=30,Fc=10,Fs=15,vs=2e-3", "sigma1", -1, 50},
      {"coulomb", "Fc=10,Fs=14,vs=2e-3,sigma2=30", "Fs", -1, 14},
      {"bliman_sorine", "f1=20,f2=8,eps=2e-4,eta=0.3", "f2", -1, 8},
      {"bouc_wen", "fp=10,uy=5e-5,beta=0.7,gamma=0.3,eta=2,kappa=1e-3", "uy", -1, 5e-5},
      {"maxwell_slip", "k=1e5,5e4,2e4,Delta=2e-5,1e-4,4e-4", "Delta", 1, 1e-4},
      {"maxwell_slip", "k=1e5,5e4,2e4,Delta=2e-5,1e-4,4e-4", "k", 2, 2e4},
      {"duhem_lugre", "fc=10,g0=3e4,vs=2e-3,Ts=1e-3", "g0", -1, 3e4},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const br_fit_record r = record(CASES[i].model, CASES[i].set, 1, 0);
    br_fit_options o = br_fit_options_default();
    o.model = CASES[i].model, o.extras = "offset", o.bandwidth = INFINITY;
    br_fit *fit = fitted(&r, o);
    const br_fit_model *m = br_fit_at(fit, 0);
    const double x = value(m, CASES[i].name, CASES[i].element)->value;
    if (fabs(x - CASES[i].value) > 1e-3 * CASES[i].value)
      fail_msg("%s %s: %.9g, not %.9g (rmse %.3g)", CASES[i].model, CASES[i].name, x, CASES[i].value,
               m->rmse_train);
    assert_float_equal(value(m, "offset", -1)->value, 3, 1e-3);
    assert_true(m->rmse_test < 2e-3);
    br_fit_destroy(fit);
  }
}

/* Under noise as many elements as made the record: one more explains nothing. */
static void test_elements(void **state)
{
  const br_fit_record r = record("maxwell_slip", "k=1e5,5e4,2e4,Delta=2e-5,1e-4,4e-4", 1, 0.01);
  br_fit_options o = br_fit_options_default();
  o.model = "maxwell_slip", o.extras = "offset", o.bandwidth = INFINITY;
  br_fit *fit = fitted(&r, o);
  const br_fit_model *m = br_fit_at(fit, 0);
  size_t n = 0;
  for (size_t i = 0; i < m->nvalues; i++) n += strcmp(m->values[i].name, "k") == 0;
  assert_int_equal(n, 3);
  br_fit_destroy(fit);
}

/* With noise the interval holds the truth in most of 20 records. */
static void test_intervals(void **state)
{
  int inside = 0, all = 0;
  for (unsigned seed = 1; seed <= 20; seed++) {
    const br_fit_record r = record("lugre", "sigma0=3e5,sigma1=50,sigma2=30,Fc=10,Fs=15,vs=2e-3", seed, 0.01);
    static const struct {
      const char *name;
      double value;
    } TRUTH[] = {{"sigma0", 3e5}, {"sigma1", 50}, {"sigma2", 30}, {"Fc", 10},
                 {"Fs", 15},      {"vs", 2e-3},   {"offset", 3}};
    br_fit_options o = br_fit_options_default();
    o.model = "lugre", o.bandwidth = INFINITY;
    br_fit *fit = fitted(&r, o);
    for (size_t i = 0; i < sizeof TRUTH / sizeof TRUTH[0]; i++, all++) {
      const br_fit_value *x = value(br_fit_at(fit, 0), TRUTH[i].name, -1);
      inside += x->low <= TRUTH[i].value && TRUTH[i].value <= x->high;
    }
    br_fit_destroy(fit);
  }
  assert_in_range(inside, all * 88 / 100, all * 995 / 1000);
}

/* All models: the right one wins, in the same bits for one thread and for four. */
static void test_all(void **state)
{
  const br_fit_record r = record("dahl", "sigma0=3e5,Fc=10", 3, 0.01);
  br_fit_options o = br_fit_options_default();
  o.threads = 1;
  br_fit *one = fitted(&r, o);
  o.threads = 4;
  br_fit *four = fitted(&r, o);
  const br_fit_model *a = NULL, *b = NULL;
  size_t n = 0;
  for (; (a = br_fit_at(one, n)) != NULL; n++) {
    b = br_fit_at(four, n);
    assert_non_null(b);
    assert_ptr_equal(a->model, b->model);
    assert_memory_equal(a->block, b->block, a->model->slots * sizeof(double));
    assert_float_equal(a->bic, b->bic, 0);
    assert_true(n == 0 || a->rmse_test >= 0.98 * br_fit_at(one, 0)->rmse_test);
  }
  assert_true(n >= 9);
  assert_string_equal(br_fit_at(one, 0)->model->name, "dahl");
  assert_true(br_fit_at(one, 0)->rel_test < 0.02);
  br_fit_destroy(one);
  br_fit_destroy(four);
}

/* A model without a parameter that is fixed is fitted all the same, and that is told. */
static void test_fix_all(void **state)
{
  const br_fit_record r = record("dahl", "sigma0=3e5,Fc=10", 3, 0.01);
  br_fit_options o = br_fit_options_default();
  size_t told = 0, n = 0;
  o.fix = "Fc=10", o.bandwidth = INFINITY;
  br_fit *fit = fitted(&r, o);
  for (; br_fit_at(fit, n); n++) {}
  for (size_t i = 0; br_fit_warning(fit, i); i++)
    told += strstr(br_fit_warning(fit, i), "no parameter Fc") != NULL;
  assert_true(n >= 9 && told >= 4);
  br_fit_destroy(fit);
}

/* A force told the other way round, a fixed parameter, one more that is free. */
static void test_options(void **state)
{
  br_fit_record r = record("lugre", "sigma0=3e5,sigma1=0,sigma2=30,Fc=10,Fs=15,vs=2e-3,delta=1.2", 1, 0.002);
  br_fit_options o = br_fit_options_default();
  for (size_t k = 0; k < N; k++) F[k] = -F[k];
  o.model = "lugre", o.fix = "sigma1=0,Fc=10", o.free_names = "delta", o.bandwidth = INFINITY;
  br_fit *fit = fitted(&r, o);
  const br_fit_model *m = br_fit_at(fit, 0);
  const br_fit_value *delta = value(m, "delta", -1);
  assert_true(delta->low < 1.2 && 1.2 < delta->high && delta->high - delta->low < 0.5);
  assert_float_equal(value(m, "offset", -1)->value, 3, 0.1);
  for (size_t i = 0; i < m->nvalues; i++) assert_string_not_equal(m->values[i].name, "Fc");
  int told = 0;
  for (size_t i = 0; br_fit_note(fit, i); i++) told = told || strstr(br_fit_note(fit, i), "turned round");
  assert_true(told);
  br_fit_destroy(fit);
}

/* A record that never slips cannot tell the level from the rest. */
static void test_not_separable(void **state)
{
  br_fit_record r = record("lugre", "sigma0=1e3,sigma1=0,sigma2=0,Fc=1e3,Fs=1e3,vs=2e-3", 1, 0.01);
  br_fit_options o = br_fit_options_default();
  o.model = "lugre", o.extras = "offset";
  br_fit *fit = fitted(&r, o);
  assert_non_null(br_fit_warning(fit, 0));
  br_fit_destroy(fit);
}

/* Lost motion at each reversal is found, with its size. */
static void test_backlash(void **state)
{
  br_fit_record r = record("dahl", "sigma0=3e5,Fc=10", 1, 0.01);
  static double moved[N];
  br_fit_options o = br_fit_options_default();
  o.model = "dahl", o.extras = "offset,backlash", o.bandwidth = INFINITY;
  double at_front = u[0];
  for (size_t k = 0; k < N; k++) { /* the front of a gap of 0.1 mm that pushes u */
    if (k && u[k] > u[k - 1]) at_front = u[k] + 5e-5;
    if (k && u[k] < u[k - 1]) at_front = u[k] - 5e-5;
    moved[k] = at_front;
  }
  r.u = moved;
  br_fit *fit = fitted(&r, o);
  const br_fit_value *gap = value(br_fit_at(fit, 0), "backlash", -1);
  assert_float_equal(gap->value, 1e-4, 3e-6);
  assert_true(gap->low <= gap->value && gap->value <= gap->high);
  assert_float_equal(value(br_fit_at(fit, 0), "sigma0", -1)->value, 3e5, 2e4);
  br_fit_destroy(fit);
}

static int warned(const br_fit *fit, const char *says)
{
  const char *text = NULL;
  for (size_t i = 0; (text = br_fit_warning(fit, i)) != NULL; i++)
    if (strstr(text, says)) return 1;
  return 0;
}

/* What a model cannot have is told: levels that fall by a third on the way, play that was not asked for. */
static void test_verdicts(void **state)
{
  br_fit_record r = record("dahl", "sigma0=3e5,Fc=10", 1, 0.01);
  br_fit_options o = br_fit_options_default();
  o.model = "dahl";
  br_fit *fit = fitted(&r, o);
  assert_true(!warned(fit, "levels drift") && !warned(fit, "backlash"));
  br_fit_destroy(fit);
  for (size_t k = 0; k < N; k++) F[k] = 3 + (F[k] - 3) * (1 - 0.33 * (double)k / N);
  fit = fitted(&r, o);
  assert_true(warned(fit, "levels drift"));
  br_fit_destroy(fit);
}

/* A joint that turns far: its presliding is less than a millionth of the stroke, which samples lie closely
 * on, and the Stribeck curve is found all the same. */
static void test_stiff(void **state)
{
  enum { MANY = 12000 };
  static double time[MANY], place[MANY], speed[MANY], torque[MANY];
  uint64_t stream = bri_stream(1, 2);
  for (size_t k = 0; k < MANY; k++) {
    const double s = time[k] = 2e-3 * (double)k, w = 6.283185307179586;
    const double x = speed[k] = 0.8 * sin(w * 0.1 * s) * fabs(sin(w * 0.046 * s)) + 0.05 * sin(w * 0.8 * s);
    place[k] = k ? place[k - 1] + 2e-3 * speed[k - 1] : 0;
    torque[k] =
        (8 + 4 * exp(-(x / 0.03) * (x / 0.03))) * (x < 0 ? -1 : 1) + 16 * x + 0.3 * bri_fit_normal(&stream);
  }
  const br_fit_record r = {MANY, time, place, torque, speed, NULL, 1};
  br_fit_options o = br_fit_options_default();
  o.model = "lugre";
  br_fit *fit = fitted(&r, o);
  const br_fit_model *m = br_fit_at(fit, 0);
  assert_float_equal(value(m, "Fs", -1)->value, 12, 0.6);
  assert_float_equal(value(m, "vs", -1)->value, 0.03, 5e-3);
  br_fit_destroy(fit);
}

static void refuses(const br_fit_record *r, br_fit_options o, br_status code, const char *says)
{
  br_fit *fit = NULL;
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(br_fit_create(r, &o, &fit, &err), code);
  assert_null(fit);
  if (!strstr(err.msg, says)) fail_msg("'%s' does not say '%s'", err.msg, says);
}

static void test_guards(void **state)
{
  br_fit_record r = record("dahl", "sigma0=3e5,Fc=10", 1, 0.01), bad = r;
  br_fit_options o = br_fit_options_default();
  o.model = "dhal";
  refuses(&r, o, BR_E_NAME, "did you mean 'dahl'");
  o.model = "bouc_wen_biaxial";
  refuses(&r, o, BR_E_UNSUPPORTED, "two axes");
  o.model = "dahl", o.fix = "Fd=1";
  refuses(&r, o, BR_E_NAME, "Fd");
  o.fix = NULL, o.free_names = "gama";
  refuses(&r, o, BR_E_NAME, "did you mean 'gamma'");
  o.model = "all", o.free_names = NULL, o.fix = "k=1,2,Fd=3";
  refuses(&r, o, BR_E_NAME, "no model that is tried has a parameter 'Fd'");
  o.fix = "Fs=1,Fc=2"; /* rules between parameters, before anything is computed */
  refuses(&r, o, BR_E_RANGE, "Fs = 1 is below Fc = 2");
  o.model = "lugre_elastoplastic", o.fix = "Fc=12,sigma0=4e5,z_ba=3e-5";
  refuses(&r, o, BR_E_RANGE, "not below Fc / sigma0 = 3e-05");
  o.model = "dahl", o.fix = "sigma0=1,Fc=1";
  refuses(&r, o, BR_E_ARG, "nothing is left");
  o.fix = NULL, o.train[1] = 10;
  refuses(&r, o, BR_E_SIZE, "at least");
  o.train[1] = 2 * N;
  refuses(&r, o, BR_E_RANGE, "outside");
  o.train[1] = 0, bad.F = NULL;
  refuses(&bad, o, BR_E_ARG, "needs a force");
  bad = r, F[7] = NAN;
  refuses(&bad, o, BR_E_NAN, "sample 7");
  F[7] = 3, t[9] = t[8];
  refuses(&r, o, BR_E_RANGE, "sample 9");
  r = record("dahl", "sigma0=3e5,Fc=10", 1, 0.01);
  for (size_t k = 0; k < N; k++) u[k] = 1;
  refuses(&r, o, BR_E_RANGE, "position");
}

/* One side of a rule fixed: the other stays on its side, whatever the data say. */
static void test_one_side(void **state)
{
  static const struct {
    const char *model, *fix, *name;
    double lo, hi;
  } CASES[] = {{"lugre", "Fs=8", "Fc", 0, 8},
               {"bliman_sorine", "f2=20", "f1", 20, 1e9},
               {"lugre_elastoplastic", "z_ba=1e-4", "sigma0", 0, 1.5e5},
               {"maxwell_slip", "k=1e5,1e5,1e5", "Delta", 0, 1}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const br_fit_record r = record("lugre", "sigma0=3e5,sigma1=50,Fc=10,Fs=14,vs=2e-3", 1, 0.01);
    br_fit_options o = br_fit_options_default();
    br_fit *fit = NULL;
    br_err err = {BR_OK, -1, ""};
    size_t found = 0;
    o.model = CASES[i].model, o.fix = CASES[i].fix;
    if (br_fit_create(&r, &o, &fit, &err)) fail_msg("%s", err.msg);
    const br_fit_model *m = br_fit_at(fit, 0);
    for (size_t k = 0; k < m->nvalues; k++) {
      const br_fit_value *x = &m->values[k];
      if (strcmp(x->name, CASES[i].name) != 0) continue;
      found++;
      if (!(x->value >= CASES[i].lo && x->value <= CASES[i].hi))
        fail_msg("%s with %s: %s = %.9g", CASES[i].model, CASES[i].fix, x->name, x->value);
    }
    assert_int_equal(found, i == 3 ? 3 : 1);
    br_fit_destroy(fit);
  }
}

static void test_memory(void **state)
{
  const br_fit_record r = record("dahl", "sigma0=3e5,Fc=10", 1, 0.01);
  br_fit_options o = br_fit_options_default();
  o.model = "dahl", o.threads = 1;
  const long before = bri_alloc_live();
  for (long n = 0;; n++) {
    br_fit *fit = NULL;
    br_err err;
    bri_alloc_fail_after(n);
    const br_status st = br_fit_create(&r, &o, &fit, &err);
    bri_alloc_fail_after(-1);
    br_fit_destroy(fit);
    assert_int_equal(bri_alloc_live(), before);
    if (!st) break;
    assert_int_equal(st, BR_E_NOMEM);
    assert_true(n < 2000);
  }
}

static void test_sample(void **state)
{
  br_fit_record r;
  double *store = NULL;
  br_err err;
  assert_true(bri_fit_is_sample("sample:dahl") && !bri_fit_is_sample("run.csv"));
  assert_int_equal(bri_fit_sample("sample:dhal", &r, &store, &err), BR_E_NAME);
  assert_int_equal(bri_fit_sample("sample:bouc_wen_biaxial", &r, &store, &err), BR_OK);
  assert_true(r.axes == 2 && r.n == 2000);
  bri_free(store);
  assert_int_equal(bri_fit_sample("sample:lugre,3", &r, &store, &err), BR_OK);
  assert_int_equal(r.n, 2000);
  bri_free(store);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exact),         cmocka_unit_test(test_intervals), cmocka_unit_test(test_elements),
      cmocka_unit_test(test_all),           cmocka_unit_test(test_fix_all),   cmocka_unit_test(test_options),
      cmocka_unit_test(test_not_separable), cmocka_unit_test(test_guards),    cmocka_unit_test(test_backlash),
      cmocka_unit_test(test_one_side),      cmocka_unit_test(test_memory),    cmocka_unit_test(test_sample),
      cmocka_unit_test(test_verdicts),      cmocka_unit_test(test_stiff)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
