/* SPDX-License-Identifier: Apache-2.0
 * What is fitted beside the model: the way gone before the record, levels that differ by direction. */
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

enum { N = 400 };
static double t[N], u[N], v[N], h[N], at[N], F[N];

/* Force of the model along the motion u. */
static void walk(const char *model, const char *set, const double *x, double before)
{
  br_params *p = NULL;
  br_err err;
  const br_model *m = br_model_find(model);
  assert_int_equal(br_params_create(m, &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, set, &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  for (size_t k = 0; k + 1 < N; k++) v[k] = (x[k + 1] - x[k]) / h[k];
  v[N - 1] = v[N - 2];
  for (size_t k = 0; k < N; k++) at[k] = k ? 0.5 * (v[k] + v[k - 1]) : v[0];
  const bri_motion path = {N, x, v, at, h, NULL, .before = before, .pace = 1e-3};
  bri_walk(m, br_params_block(p, "model"), &path, NULL, F);
  br_params_destroy(p);
}

static br_fit_record record(const char *model, const char *set, double before, double asymmetry)
{
  for (size_t k = 0; k < N; k++)
    t[k] = 1e-2 * (double)k, h[k] = 1e-2, u[k] = 1e-3 * sin(3.1 * t[k]) + 4e-4 * sin(7.7 * t[k] + 1);
  walk(model, set, u, before);
  for (size_t k = 0; k < N; k++) F[k] += asymmetry * fabs(F[k]);
  return (br_fit_record){N, t, u, F, NULL, NULL, 1};
}

static double found(const br_fit_record *r, const char *model, const char *extras, size_t elements,
                    const char *name)
{
  br_fit_options o = br_fit_options_default();
  br_fit *fit = NULL;
  br_err err = {BR_OK, -1, ""};
  o.model = model, o.extras = extras, o.elements = elements, o.bandwidth = INFINITY;
  if (br_fit_create(r, &o, &fit, &err)) fail_msg("%s", err.msg);
  const br_fit_model *m = br_fit_at(fit, 0);
  double x = NAN;
  for (size_t i = 0; i < m->nvalues; i++)
    if (strcmp(m->values[i].name, name) == 0) {
      x = m->values[i].value;
      assert_true(m->values[i].low <= x && x <= m->values[i].high);
      assert_int_equal(m->values[i].extra, 1);
    }
  br_fit_destroy(fit);
  return x;
}

static void test_start(void **state)
{
  static const struct {
    const char *model, *set;
    size_t elements;
  } CASES[] = {{"dahl", "sigma0=3e4,Fc=10", 0},
               {"maxwell_slip", "k=1e4,5e3,Delta=1e-4,4e-4", 2},
               {"bouc_wen", "fp=10,uy=2e-4,beta=0.7,gamma=0.3,eta=1,kappa=1e-3", 0}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
    for (int side = -1; side <= 1; side += 2) {
      const double before = side * 1.5e-4;
      br_fit_record r = record(CASES[i].model, CASES[i].set, before, 0);
      const double x = found(&r, CASES[i].model, "offset,start", CASES[i].elements, "start");
      if (!(fabs(x - before) < 1e-6)) fail_msg("%s: start %.6g, not %.6g", CASES[i].model, x, before);
      r.t = NULL; /* without time it is sought unasked */
      assert_float_equal(found(&r, CASES[i].model, NULL, CASES[i].elements, "start"), before, 3e-6);
    }
}

static void test_asymmetry(void **state)
{
  const br_fit_record r = record("lugre", "sigma0=3e4,sigma1=0,sigma2=200,Fc=10,Fs=14,vs=2e-3", 0, -0.2);
  assert_float_equal(found(&r, "lugre", "offset,asymmetry", 0, "asymmetry"), -0.2, 1e-4);
}

/* Four in a hundred samples far off: squares follow them, a robust loss does not, and both are told. */
static void test_outliers(void **state)
{
  static const char *const LOSS[] = {"squares", "huber", "cauchy"};
  for (int i = 0; i < 3; i++) {
    const br_fit_record r = record("dahl", "sigma0=3e4,Fc=10", 0, 0);
    br_fit_options o = br_fit_options_default();
    br_fit *fit = NULL;
    br_err err = {BR_OK, -1, ""};
    for (size_t k = 0; k < N; k++) F[k] += 0.05 * sin(977.0 * (double)k) + (k % 25 == 7 ? 30 : 0);
    o.model = "dahl", o.loss = LOSS[i], o.bandwidth = INFINITY, o.train[1] = o.test[1] = N;
    if (br_fit_create(&r, &o, &fit, &err)) fail_msg("%s", err.msg);
    const br_fit_value *got = br_fit_at(fit, 0)->values;
    int told = 0, poor = 0;
    for (size_t k = 0; br_fit_warning(fit, k); k++)
      told |= strstr(br_fit_warning(fit, k), "outliers") != NULL,
          poor |= strstr(br_fit_warning(fit, k), "no model here") != NULL;
    assert_true(told);
    assert_int_equal(poor, i == 0); /* a loss that bounds them has the model that fits */
    assert_string_equal(got[2].name, "offset");
    if (i == 0) assert_true(got[2].value > 0.8);
    else
      assert_true(fabs(got[2].value) < 0.05 && got[2].high - got[2].low < 0.1 &&
                  fabs(got[1].value - 10) < 0.1);
    br_fit_destroy(fit);
  }
  const br_fit_record r = record("dahl", "sigma0=3e4,Fc=10", 0, 0);
  br_fit_options o = br_fit_options_default();
  br_fit *fit = NULL;
  br_err err;
  o.loss = "hubr";
  assert_int_equal(br_fit_create(&r, &o, &fit, &err), BR_E_NAME);
}

static void test_drift(void **state)
{
  const br_fit_record r = record("dahl", "sigma0=3e4,Fc=10", 0, 0);
  for (size_t k = 0; k < N; k++) F[k] += 0.3 * t[k] + 0.01 * sin(977.0 * (double)k);
  assert_float_equal(found(&r, "dahl", "offset,drift", 0, "drift"), 0.3, 2e-3);
}

/* A model of all that cannot be fitted is told, with the reason. */
static void test_left_out(void **state)
{
  const br_fit_record r = record("dahl", "sigma0=3e4,Fc=10", 0, 0);
  br_fit_options o = br_fit_options_default();
  br_fit *fit = NULL;
  br_err err = {BR_OK, -1, ""};
  const br_model *m = NULL;
  o.fix = "sigma2=0";
  if (br_fit_create(&r, &o, &fit, &err)) fail_msg("%s", err.msg);
  const char *why = br_fit_left_out(fit, 0, &m);
  assert_non_null(why);
  assert_string_equal(m->name, "viscous");
  assert_non_null(strstr(why, "nothing is left to fit"));
  assert_null(br_fit_left_out(fit, 1, &m));
  br_fit_destroy(fit);
}

static int warned(const br_fit_record *r, const char *extras, const char *says)
{
  br_fit_options o = br_fit_options_default();
  br_fit *fit = NULL;
  br_err err = {BR_OK, -1, ""};
  int told = 0;
  o.model = "maxwell_slip", o.extras = extras, o.elements = 1, o.bandwidth = INFINITY;
  if (br_fit_create(r, &o, &fit, &err)) fail_msg("%s", err.msg);
  for (size_t k = 0; br_fit_warning(fit, k); k++) told |= strstr(br_fit_warning(fit, k), says) != NULL;
  br_fit_destroy(fit);
  return told;
}

/* A spring and a slider behind a joint with clearance: no force while it is crossed. */
static void test_clearance(void **state)
{
  const br_fit_record r = record("dahl", "sigma0=3e4,Fc=10", 0, 0);
  const double k = 3e5, gap = 2e-4;
  double s = u[0];
  for (size_t i = 0; i < N; i++) {
    const double d = u[i] - s, f = k * (fmax(d - gap / 2, 0) + fmin(d + gap / 2, 0));
    F[i] = fmin(fmax(f, -10), 10);
    s += (f - F[i]) / k;
    F[i] += 0.05 * sin(977.0 * (double)i);
  }
  assert_true(warned(&r, "offset", "backlash; with a gap of 0.0002"));
  assert_true(warned(&r, "offset", "--extras offset,backlash"));
  assert_false(warned(&r, "offset,backlash", "does not explain"));
  assert_float_equal(found(&r, "maxwell_slip", "offset,backlash", 1, "backlash"), gap, 1e-5);
}

/* Motion lost at reversals before an element that is none of those the gap is first looked for with: it must
 * not take up what they lack. */
static void test_play(void **state)
{
  const br_fit_record r = record("dahl", "sigma0=3e4,Fc=10", 0, 0);
  const double gap = 2e-4;
  double y[N] = {u[0]};
  br_fit_options o = br_fit_options_default();
  br_fit *fit = NULL;
  br_err err = {BR_OK, -1, ""};
  for (size_t i = 1; i < N; i++) y[i] = fmin(fmax(y[i - 1], u[i] - gap / 2), u[i] + gap / 2);
  walk("bouc_wen", "beta=0.5,gamma=0.5,eta=2,fp=10,uy=2e-4", y, 0);
  for (size_t i = 0; i < N; i++) F[i] += 0.05 * sin(977.0 * (double)(i * i % 1009));
  o.model = "bouc_wen", o.extras = "offset,backlash", o.fix = "eta=2", o.bandwidth = INFINITY;
  if (br_fit_create(&r, &o, &fit, &err)) fail_msg("%s", err.msg);
  const br_fit_model *m = br_fit_at(fit, 0);
  const br_fit_value *last = &m->values[m->nvalues - 1];
  assert_string_equal(last->name, "backlash");
  if (!(last->low <= gap && gap <= last->high) || fabs(last->value - gap) > 0.003 * gap)
    fail_msg("gap %g from %g to %g", last->value, last->low, last->high);
  /* 0.035 N on some 60 samples that a gap moves by half of 5e4 N/m: known to 2e-7 m */
  const double wide = last->high - last->low;
  if (!(wide > 2e-7 && wide < 2e-6)) fail_msg("gap from %g to %g", last->low, last->high);
  for (int side = 0; side < 2; side++) { /* both ends are sought: neither is the gap itself */
    const double part = fabs((side ? last->high : last->low) - last->value) / wide;
    if (!(part > 0.15)) fail_msg("gap %g from %g to %g", last->value, last->low, last->high);
  }
  br_fit_destroy(fit);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_start),     cmocka_unit_test(test_asymmetry),
                                     cmocka_unit_test(test_outliers),  cmocka_unit_test(test_drift),
                                     cmocka_unit_test(test_clearance), cmocka_unit_test(test_play),
                                     cmocka_unit_test(test_left_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
