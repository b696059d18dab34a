/* SPDX-License-Identifier: Apache-2.0
 * Intervals by profile likelihood: where the valley is curved they differ from those of the covariance, and they end where fits
 * with the value fixed leave as much more as chance allows. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "bristle/param.h"
#include "fit/fit.h"

enum { N = 240 };
static double t[N], u[N], v[N], h[N], at[N], F[N];

/* A stick zone that few samples see, with noise of a tenth. */
static br_fit_record record(const char *model, const char *set)
{
  br_params *p = NULL;
  br_err err;
  const br_model *m = br_model_find(model);
  assert_int_equal(br_params_create(m, &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, set, &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  for (size_t k = 0; k < N; k++) t[k] = 2e-2 * (double)k, h[k] = 2e-2, u[k] = 1e-3 * sin(3.1 * t[k]);
  for (size_t k = 0; k + 1 < N; k++) v[k] = (u[k + 1] - u[k]) / h[k];
  v[N - 1] = v[N - 2];
  for (size_t k = 0; k < N; k++) at[k] = k ? 0.5 * (v[k] + v[k - 1]) : v[0];
  const bri_motion path = {N, u, v, at, h, NULL, .pace = 1e-3};
  bri_walk(m, br_params_block(p, "model"), &path, NULL, F);
  br_params_destroy(p);
  uint64_t s = 12345;
  for (size_t k = 0; k < N; k++) { /* roughly normal */
    double sum = -6;
    for (int i = 0; i < 12; i++)
      s = s * 6364136223846793005u + 1442695040888963407u, sum += (double)(s >> 11) * 0x1p-53;
    F[k] += sum;
  }
  return (br_fit_record){N, t, u, F, NULL, NULL, 1};
}

static br_fit *fitted(const br_fit_record *r, const char *model, const char *fix, const char *intervals)
{
  br_fit_options o = br_fit_options_default();
  br_fit *fit = NULL;
  br_err err = {BR_OK, -1, ""};
  o.model = model, o.fix = fix, o.extras = "offset", o.intervals = intervals, o.bandwidth = INFINITY;
  o.train[1] = o.test[1] = N;
  if (br_fit_create(r, &o, &fit, &err)) fail_msg("%s", err.msg);
  return fit;
}

static br_fit_value value(const br_fit *fit, const char *name)
{
  const br_fit_model *m = br_fit_at(fit, 0);
  for (size_t i = 0; i < m->nvalues; i++)
    if (strcmp(m->values[i].name, name) == 0) return m->values[i];
  fail_msg("no %s", name);
  return m->values[0];
}

/* What a fit leaves when the parameter is fixed at x. */
static double left(const br_fit_record *r, const char *model, const char *name, double x)
{
  char fix[80];
  (void)snprintf(fix, sizeof fix, "%s=%.17g", name, x);
  br_fit *fit = fitted(r, model, fix, NULL);
  const double rmse = br_fit_at(fit, 0)->rmse_train;
  br_fit_destroy(fit);
  return N * rmse * rmse;
}

static void test_curved(void **state)
{
  static const struct {
    const char *model, *set, *name;
  } CASES[] = {{"dahl", "sigma0=6e6,Fc=10", "sigma0"},
               {"lugre", "sigma0=2e5,sigma1=0,sigma2=800,Fc=10,Fs=16,vs=6e-4", "vs"}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const char *model = CASES[i].model, *name = CASES[i].name;
    const br_fit_record r = record(model, CASES[i].set);
    br_fit *plain = fitted(&r, model, NULL, "covariance"), *fit = fitted(&r, model, NULL, "profile");
    const bri_fit_data *d = NULL;
    const bri_fit_one *f = bri_fit_best(fit, &d);
    const br_fit_value a = value(plain, name), b = value(fit, name);
    const double limit = N * pow(br_fit_at(fit, 0)->rmse_train, 2) + 3.841458820694124 * f->var;
    double ends[2];
    for (int side = 0; side < 2;
         side++) { /* brute force: a hundredth further as long as the fits leave less */
      ends[side] = b.value;
      for (int k = 0; k < 400 && left(&r, model, name, ends[side]) <= limit; k++)
        ends[side] *= side ? 1.01 : 1 / 1.01;
    }
    printf("%s of %s: %.4g, covariance %.4g to %.4g, profile %.4g to %.4g, brute force %.4g to %.4g\n", name,
           model, b.value, a.low, a.high, b.low, b.high, ends[0], ends[1]);
    assert_float_equal(b.value, a.value, 1e-12 * a.value);
    assert_float_equal(log(b.low / ends[0]), 0, 0.02);
    assert_float_equal(log(b.high / ends[1]), 0, 0.02);
    if (i) assert_true(log(a.low / b.low) > 0.3); /* a valley that is curved */
    br_fit_destroy(plain), br_fit_destroy(fit);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_curved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
