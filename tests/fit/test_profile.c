/* SPDX-License-Identifier: Apache-2.0
 * Intervals by profile likelihood: where the valley is curved they differ from those of the covariance, and
 * they end where fits with the value fixed leave as much more as chance allows. */
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

/* A stick zone that few samples see, with noise. */
static br_fit_record noisy(const char *model, const char *set, double noise, uint64_t seed)
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
  uint64_t s = seed;
  for (size_t k = 0; k < N; k++) { /* roughly normal */
    double sum = -6;
    for (int i = 0; i < 12; i++)
      s = s * 6364136223846793005u + 1442695040888963407u, sum += (double)(s >> 11) * 0x1p-53;
    F[k] += noise * sum;
  }
  return (br_fit_record){N, t, u, F, NULL, NULL, 1};
}

/* Of a tenth. */
static br_fit_record record(const char *model, const char *set) { return noisy(model, set, 1, 12345); }

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

/* Where the value may go no further the interval ends only if chance allows as much as is left there; else
 * its end is sought in front, where what is left has risen by just that. */
static void test_walls(void **state)
{
  static const struct {
    const char *model, *set, *name;
    double noise;
    uint64_t seed;
    int reaches; /* the wall at 0 */
  } CASES[] = {{"lugre", "sigma0=2e5,sigma1=100,sigma2=100,Fc=10,Fs=11,vs=6e-4", "sigma2", 0.3, 12345, 0},
               {"lugre", "sigma0=2e5,sigma1=20,sigma2=800,Fc=10,Fs=16,vs=6e-4", "sigma2", 3, 12345, 0},
               {"lugre", "sigma0=2e5,sigma1=20,sigma2=800,Fc=10,Fs=16,vs=6e-4", "sigma1", 1, 12345, 1},
               {"bouc_wen", "fp=10,uy=2e-4,beta=0.7,gamma=0.3,eta=1,kappa=1e-2", "kappa", 0.3, 12345, 0},
               {"bouc_wen", "fp=10,uy=2e-4,beta=0.7,gamma=0.3,eta=1,kappa=1e-2", "kappa", 3, 12345, 1}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const br_fit_record r = noisy(CASES[i].model, CASES[i].set, CASES[i].noise, CASES[i].seed);
    br_fit *fit = fitted(&r, CASES[i].model, NULL, "profile");
    const bri_fit_data *d = NULL;
    const bri_fit_one *f = bri_fit_best(fit, &d);
    const br_fit_value x = value(fit, CASES[i].name);
    const double least = N * pow(br_fit_at(fit, 0)->rmse_train, 2), rise = 3.841458820694124 * f->var,
                 wall = (left(&r, CASES[i].model, CASES[i].name, 0) - least) / rise,
                 low = (left(&r, CASES[i].model, CASES[i].name, x.low) - least) / rise;
    printf("%s of %s: %.4g from %.4g to %.4g, rises by %.4g there and by %.4g at the wall\n", CASES[i].name,
           CASES[i].model, x.value, x.low, x.high, low, wall);
    if (CASES[i].reaches) assert_true(x.low == 0 && wall < 1.02);
    else assert_true(x.low > 0 && x.low < x.value && wall > 1.02 && fabs(low - 1) < 0.12);
    assert_true(x.high > x.value);
    br_fit_destroy(fit);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_curved), cmocka_unit_test(test_walls)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
