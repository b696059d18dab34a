/* SPDX-License-Identifier: Apache-2.0
 * A designed motion keeps within its limits, is what its text says, tells more than a plain sine, and
 * promises what fits of such records hold. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/team.h"
#include "bristle/fit.h"
#include "bristle/signal.h"
#include "fit/sample.h"

static br_design *designed(br_design_options o)
{
  br_design *d = NULL;
  br_err err = {BR_OK, -1, ""};
  if (br_design_create(&o, &d, &err)) fail_msg("%s", err.msg);
  return d;
}

static const br_design_options DAHL = {.model = "dahl",
                                       .values = "sigma0=4e5,Fc=12",
                                       .stroke = 2e-3,
                                       .speed = 0.02,
                                       .t_end = 4,
                                       .samples = 600,
                                       .noise = 0.1,
                                       .seed = 1},
                               LUGRE = {.model = "lugre",
                                        .values = "sigma0=4e5,sigma1=60,sigma2=40,Fc=12,Fs=18,vs=2e-3",
                                        .fix = "sigma1=60",
                                        .stroke = 2e-3,
                                        .speed = 0.02,
                                        .t_end = 4,
                                        .samples = 600,
                                        .noise = 0.1,
                                        .seed = 1};

static void test_limits(void **state)
{
  br_design_options fast = DAHL;
  fast.speed = 1; /* only the stroke bounds it */
  const br_design_options CASES[] = {DAHL, LUGRE, fast};
  (void)state;
  for (size_t i = 0; i < 3; i++) {
    br_design *d = designed(CASES[i]);
    const br_design_facts f = br_design_get(d);
    br_signal *s = NULL;
    br_err err = {BR_OK, -1, ""};
    if (br_signal_parse(br_design_input(d), &s, &err)) fail_msg("%s: %s", br_design_input(d), err.msg);
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < f.n; k++) {
      assert_true(fabs(br_signal_value(s, f.t[k]) - f.u[k]) < 1e-6 * CASES[i].stroke);
      low = fmin(low, f.u[k]), high = fmax(high, f.u[k]);
      if (k) assert_true(fabs(f.u[k] - f.u[k - 1]) / (f.t[k] - f.t[k - 1]) <= CASES[i].speed * (1 + 1e-9));
    }
    assert_true(high - low <= CASES[i].stroke * (1 + 1e-9));
    assert_true(f.log_det > f.log_det_sine);
    assert_true(f.gain > 1.3); /* seen: 1.9 and 2.6 */
    br_signal_destroy(s);
    br_design_destroy(d);
  }
}

/* Fits of many records of the designed motion scatter as the design says. */
static void scatter(br_design_options o, size_t fits)
{
  enum { MOST = 8 };
  br_design *d = designed(o);
  const br_design_facts f = br_design_get(d);
  size_t n = 0;
  const br_fit_value *promise = br_design_values(d, &n);
  double sum[MOST] = {0}, square[MOST] = {0}, F[600];
  br_fit_options fo = br_fit_options_default();
  fo.model = o.model, fo.fix = o.fix, fo.threads = 1, fo.train[1] = fo.test[1] = f.n, fo.bandwidth = INFINITY;
  assert_true(n <= MOST && f.n == 600);
  for (size_t i = 0; i < fits; i++) {
    uint64_t stream = bri_stream(i, 3);
    br_err err = {BR_OK, -1, ""};
    br_fit *fit = NULL;
    for (size_t k = 0; k < f.n; k++) F[k] = f.F[k] + o.noise * bri_fit_normal(&stream);
    const br_fit_record r = {.n = f.n, .t = f.t, .u = f.u, .F = F};
    if (br_fit_create(&r, &fo, &fit, &err)) fail_msg("%s", err.msg);
    const br_fit_model *m = br_fit_at(fit, 0);
    for (size_t j = 0; j < n; j++)
      for (size_t k = 0; k < m->nvalues; k++)
        if (strcmp(m->values[k].name, promise[j].name) == 0)
          sum[j] += m->values[k].value, square[j] += m->values[k].value * m->values[k].value;
    br_fit_destroy(fit);
  }
  for (size_t j = 0; j < n; j++) {
    const double mean = sum[j] / (double)fits, sd = sqrt(square[j] / (double)fits - mean * mean),
                 promised = (promise[j].high - promise[j].low) / 2 / 1.96;
    if (!(sd > 0.7 * promised && sd < 1.4 * promised) || fabs(mean - promise[j].value) > promised)
      fail_msg("%s %s: %.4g +- %.3g, promised %.4g +- %.3g", o.model, promise[j].name, mean, sd,
               promise[j].value, promised);
  }
  br_design_destroy(d);
}

static void test_promise(void **state)
{
  (void)state;
  scatter(DAHL, 60);
  scatter(LUGRE, 40);
}

/* The information is that of the noise: twice as much takes log 4 off for every parameter, and leaves the
 * motion. The gain is of each interval; without a noise it is a hundredth of the largest force. */
static void test_facts(void **state)
{
  br_design_options o = DAHL;
  br_design *d[3];
  br_design_facts f[3];
  size_t n = 0;
  double most = 0;
  (void)state;
  for (int i = 0; i < 3; i++) {
    o.noise = i < 2 ? 0.1 * (i + 1) : 0;
    d[i] = designed(o), f[i] = br_design_get(d[i]);
  }
  (void)br_design_values(d[0], &n);
  assert_int_equal(n, 2);
  assert_string_equal(br_design_input(d[0]), br_design_input(d[1]));
  assert_true(fabs(f[0].log_det - f[1].log_det - (double)n * log(4)) < 1e-12 * fabs(f[0].log_det));
  assert_true(fabs(f[0].log_det_sine - f[1].log_det_sine - (double)n * log(4)) < 1e-12 * fabs(f[0].log_det));
  assert_true(fabs(2 * (double)n * log(f[0].gain) - (f[0].log_det - f[0].log_det_sine)) < 1e-9);
  for (size_t k = 0; k < f[2].n; k++) most = fmax(most, fabs(f[2].F[k]));
  assert_true(fabs(f[2].noise / (0.01 * most) - 1) < 1e-12 && f[1].noise == 0.2);
  for (int i = 0; i < 3; i++) br_design_destroy(d[i]);
}

static void test_errors(void **state)
{
  static const struct {
    const char *model, *values;
    double stroke;
    size_t samples;
    br_status want;
  } CASES[] = {{"dal", NULL, 1, 0, BR_E_NAME},
               {"dahl", "Fs=3", 1, 0, BR_E_NAME},
               {"dahl", NULL, 0, 0, BR_E_RANGE},
               {"dahl", NULL, 1, 5, BR_E_RANGE},
               {"bouc_wen_biaxial", NULL, 1, 0, BR_E_UNSUPPORTED},
               {"dahl", NULL, NAN, 0, BR_E_RANGE}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_design_options o = DAHL;
    br_design *d = NULL;
    br_err err;
    o.model = CASES[i].model, o.values = CASES[i].values, o.stroke = CASES[i].stroke,
    o.samples = CASES[i].samples;
    assert_int_equal(br_design_create(&o, &d, &err), CASES[i].want);
    assert_null(d);
  }
}

static void test_memory(void **state)
{
  br_design_options o = DAHL;
  const long before = bri_alloc_live();
  (void)state;
  o.samples = 100;
  for (long n = 0;; n++) {
    br_design *d = NULL;
    br_err err;
    bri_alloc_fail_after(n);
    const br_status st = br_design_create(&o, &d, &err);
    bri_alloc_fail_after(-1);
    br_design_destroy(d);
    assert_int_equal(bri_alloc_live(), before);
    if (!st) break;
    assert_int_equal(st, BR_E_NOMEM);
    assert_true(n < 200);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_limits), cmocka_unit_test(test_promise),
                                     cmocka_unit_test(test_facts), cmocka_unit_test(test_errors),
                                     cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
