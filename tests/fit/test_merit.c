/* SPDX-License-Identifier: Apache-2.0
 * test_merit.c - which of all models is recommended: of those within 2 % of the least error on unseen data
 * the one with the least BIC; so many elements as were asked for; units of what is fitted beside the model.
 * */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/team.h"
#include "bristle/param.h"
#include "fit/fit.h"
#include "fit/sample.h"

enum { N = 400 };
static double t[N], u[N], v[N], h[N], at[N], load[N], F[N];

/* A record of the model along two sines, with noise. */
static br_fit_record record(const char *model, const char *set, double noise, uint64_t seed)
{
  br_params *p = NULL;
  br_err err;
  const br_model *m = br_model_find(model);
  uint64_t stream = bri_stream(11, seed);
  assert_int_equal(br_params_create(m, &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, set, &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  for (size_t k = 0; k < N; k++) {
    t[k] = 1e-2 * (double)k, h[k] = 1e-2, load[k] = 40 + 10 * sin(t[k]);
    u[k] = 1e-3 * sin(3.1 * t[k]) + 4e-4 * sin(7.7 * t[k] + 1);
  }
  for (size_t k = 0; k + 1 < N; k++) v[k] = (u[k + 1] - u[k]) / h[k];
  v[N - 1] = v[N - 2];
  for (size_t k = 0; k < N; k++) at[k] = k ? 0.5 * (v[k] + v[k - 1]) : v[0];
  const bri_motion path = {N, u, v, at, h, NULL, .pace = 1e-3};
  bri_walk(m, br_params_block(p, "model"), &path, NULL, F);
  br_params_destroy(p);
  for (size_t k = 0; k < N; k++) F[k] += noise * bri_fit_normal(&stream);
  return (br_fit_record){N, t, u, F, NULL, NULL, 1};
}

static br_fit *fitted(const br_fit_record *r, br_fit_options o)
{
  br_fit *fit = NULL;
  br_err err = {BR_OK, -1, ""};
  o.bandwidth = INFINITY;
  if (br_fit_create(r, &o, &fit, &err)) fail_msg("%s", err.msg);
  return fit;
}

/* By the numbers that are told of every model. */
static void recommended(void **state)
{
  static const char *const SETS[][2] = {{"dahl", "sigma0=3e4,Fc=10"},
                                        {"lugre", "sigma0=3e4,sigma1=0,sigma2=60,Fc=10,Fs=11,vs=2e-3"}};
  int simpler = 0, beyond = 0;
  (void)state;
  for (int kind = 0; kind < 2; kind++)
    for (uint64_t seed = 0; seed < 4; seed++) {
      const br_fit_record r = record(SETS[kind][0], SETS[kind][1], 1.5, seed);
      br_fit_options o = br_fit_options_default();
      o.extras = "offset", o.threads = 1;
      br_fit *fit = fitted(&r, o);
      const br_fit_model *m = NULL, *first = br_fit_at(fit, 0), *best = first, *want = NULL;
      for (size_t i = 0; (m = br_fit_at(fit, i)) != NULL; i++)
        if (m->rmse_test < best->rmse_test) best = m;
      for (size_t i = 0; (m = br_fit_at(fit, i)) != NULL; i++)
        if (m->rmse_test <= 1.02 * best->rmse_test && (!want || m->bic < want->bic)) want = m;
      if (want != first && want->bic < first->bic)
        fail_msg("%s, seed %d: %s is recommended, %s within 2 %% has less BIC", SETS[kind][0], (int)seed,
                 first->model->name, want->model->name);
      if (!(first->rmse_test <= 1.02 * best->rmse_test))
        fail_msg("%s, seed %d: %s leaves %g of the least error", SETS[kind][0], (int)seed, first->model->name,
                 first->rmse_test / best->rmse_test);
      for (size_t i = 1; br_fit_at(fit, i) && br_fit_at(fit, i + 1); i++) /* the others by their error */
        assert_true(br_fit_at(fit, i)->rmse_test <= br_fit_at(fit, i + 1)->rmse_test);
      for (size_t i = 1; (m = br_fit_at(fit, i)) != NULL; i++) beyond += m->bic < first->bic;
      simpler += first != best;
      assert_int_equal(strstr(br_fit_reason(fit), "simpler for the same") != NULL, first != best);
      assert_non_null(strstr(br_fit_reason(fit), first->model->name));
      br_fit_destroy(fit);
    }
  print_message("%d simpler, %d with less BIC further off\n", simpler, beyond);
  assert_true(simpler > 0 && beyond > 0); /* both have been put to the test */
}

static size_t count(const br_fit_model *m, const char *name)
{
  size_t n = 0;
  for (size_t i = 0; i < m->nvalues; i++) n += strcmp(m->values[i].name, name) == 0;
  return n;
}

/* So many elements as were asked for, whatever the data would like. */
static void elements(void **state)
{
  static const char *const MODELS[] = {"maxwell_slip", "gms"};
  const br_fit_record r = record("maxwell_slip", "k=1e4,5e3,Delta=1e-4,4e-4", 0.05, 1);
  (void)state;
  for (int i = 0; i < 2; i++)
    for (size_t n = 1; n <= 4; n++) {
      br_fit_options o = br_fit_options_default();
      o.model = MODELS[i], o.elements = n, o.extras = "offset";
      br_fit *fit = fitted(&r, o);
      const br_fit_model *m = br_fit_at(fit, 0);
      const br_param *row = br_model_param(m->model, "k");
      assert_int_equal((size_t)m->block[row->len_slot], n);
      assert_int_equal(count(m, "k"), n);
      br_fit_destroy(fit);
    }
}

/* The unit of a term is the one that makes a force of it. */
static void units_of_terms(void **state)
{
  static const char *const UNITS[][2] = {{"offset", "N"}, {"viscous", "N s/m"}, {"stiffness", "N/m"},
                                         {"mass", "kg"},  {"load", "1"},        {"drift", "N/s"},
                                         {"start", "m"},  {"asymmetry", "1"}};
  br_fit_record r = record("dahl", "sigma0=3e4,Fc=10", 0.05, 2);
  (void)state;
  r.load = load;
  for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++) {
    br_fit_options o = br_fit_options_default();
    o.model = "dahl", o.extras = UNITS[i][0];
    br_fit *fit = fitted(&r, o);
    const br_fit_model *m = br_fit_at(fit, 0);
    size_t k = 0;
    while (k < m->nvalues && strcmp(m->values[k].name, UNITS[i][0]) != 0) k++;
    if (k == m->nvalues) fail_msg("no %s", UNITS[i][0]);
    if (!m->values[k].extra || strcmp(m->values[k].unit, UNITS[i][1]) != 0)
      fail_msg("%s in '%s'", UNITS[i][0], m->values[k].unit);
    br_fit_destroy(fit);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(recommended), cmocka_unit_test(elements),
                                     cmocka_unit_test(units_of_terms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
