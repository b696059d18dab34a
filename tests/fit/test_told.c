/* SPDX-License-Identifier: Apache-2.0
 * test_told.c - what a fit says of its data and its result, and what it refuses, on records of sliding
 * friction whose answers are known in closed form: nearly alike columns, values at an end, coloured
 * residuals, levels by direction, losses, loads. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/team.h"
#include "fit/fit.h"
#include "fit/sample.h"

enum { N = 1000 };
static double t[N], u[N], v[N], F[N], load[N];
static const double DT = 1e-3;

/* To and fro at speeds between slow and fast, m/s. */
static br_fit_record sliding(double slow, double fast)
{
  for (size_t k = 0; k < N; k++) {
    t[k] = DT * (double)k, load[k] = 40 + 20 * t[k];
    v[k] = (cos(20 * t[k]) < 0 ? -1 : 1) * (0.5 * (slow + fast) + 0.5 * (fast - slow) * sin(7 * t[k]));
    u[k] = k ? u[k - 1] + 0.5 * DT * (v[k] + v[k - 1]) : 0;
  }
  return (br_fit_record){N, t, u, F, v, NULL, 1};
}

static double side(size_t k) { return v[k] < 0 ? -1 : 1; }

static br_fit *fitted(const br_fit_record *r, const char *model, br_fit_options o)
{
  br_fit *fit = NULL;
  br_err err = {BR_OK, -1, ""};
  o.model = model, o.bandwidth = INFINITY;
  if (br_fit_create(r, &o, &fit, &err)) fail_msg("%s", err.msg);
  return fit;
}

static const char *warning(const br_fit *fit, const char *says)
{
  const char *text = NULL;
  for (size_t i = 0; (text = br_fit_warning(fit, i)) != NULL; i++)
    if (strstr(text, says)) return text;
  return NULL;
}

static const br_fit_value *value(const br_fit *fit, const char *name)
{
  const br_fit_model *m = br_fit_at(fit, 0);
  for (size_t i = 0; i < m->nvalues; i++)
    if (strcmp(m->values[i].name, name) == 0) return &m->values[i];
  fail_msg("no %s", name);
  return NULL;
}

/* sgn v and v are the more alike the less the speed varies: condition and intervals follow their cosine as
 * far as numbers express it, and when little is left it is told whom the data do not separate. */
static void alike_columns(void **state)
{
  static const double SPREAD[] = {0.5, 0.05, 1e-3, 1e-5};
  (void)state;
  for (int i = 0; i < 4; i++) {
    const br_fit_record r = sliding(0.012 * (1 - SPREAD[i]), 0.012 * (1 + SPREAD[i]));
    br_fit_options o = br_fit_options_default();
    uint64_t stream = bri_stream(3, 9);
    double a[3] = {0}, sum = 0, unsure = 0;
    static double rest[N];
    o.extras = "none", o.train[1] = o.test[1] = N;
    for (size_t k = 0; k < N; k++) {
      F[k] = 10 * side(k) + 100 * v[k] + 0.05 * bri_fit_normal(&stream);
      a[0] += 1, a[1] += fabs(v[k]), a[2] += v[k] * v[k];
    }
    br_fit *fit = fitted(&r, "karnopp", o);
    const br_fit_curve c = br_fit_curves(fit);
    double det = 0; /* a[0] a[2] - a[1]^2 without its cancellation */
    for (size_t k = 0; k < N; k++) {
      rest[k] = F[k] - c.fitted[k], sum += rest[k] * rest[k];
      det += N * (fabs(v[k]) - a[1] / N) * (fabs(v[k]) - a[1] / N);
    }
    const double lost = det / (a[0] * a[2]) / (1 + a[1] / sqrt(a[0] * a[2])); /* 1 - cosine */
    assert_true(fabs(br_fit_at(fit, 0)->condition / sqrt((2 - lost) / lost) - 1) < 1e-3);
    const double var = sum / (N - 2) * bri_fit_redundancy(rest, N, &unsure) * (1 + unsure),
                 sd = sqrt(var * a[0] / det);
    const br_fit_value *x = value(fit, "sigma2");
    if (isfinite(x->high) && x->low > 0 &&
        !(fabs((x->high - x->low) / 2 / 1.959963984540054 / sd - 1) < 1e-2))
      fail_msg("spread %g: %g, not %g", SPREAD[i], (x->high - x->low) / 3.92, sd);
    if (x->high < INFINITY && !(fabs((x->high - x->value) / 1.959963984540054 / sd - 1) < 2e-2))
      fail_msg("spread %g: up by %g, not %g", SPREAD[i], (x->high - x->value) / 1.96, sd);
    assert_int_equal(warning(fit, "do not separate") != NULL, lost < 2e-4);
    if (lost < 2e-4)
      assert_true(strstr(warning(fit, "do not separate"), "Fc") &&
                  strstr(warning(fit, "do not separate"), "sigma2"));
    br_fit_destroy(fit);
  }
}

/* Losses that bound outliers are 95 % as efficient as squares, for noise without any. */
static void losses(void **state)
{
  static const char *const LOSS[] = {"squares", "huber", "cauchy"};
  enum { RECORDS = 12 };
  const br_fit_record r = sliding(0.004, 0.02);
  br_fit_options o = br_fit_options_default();
  double width[3] = {0};
  (void)state;
  o.extras = "none", o.train[1] = o.test[1] = N;
  for (uint64_t seed = 0; seed < RECORDS; seed++) {
    uint64_t stream = bri_stream(3, seed);
    for (size_t k = 0; k < N; k++) F[k] = 10 * side(k) + 100 * v[k] + 0.5 * bri_fit_normal(&stream);
    for (int i = 0; i < 3; i++) {
      o.loss = LOSS[i];
      br_fit *fit = fitted(&r, "karnopp", o);
      width[i] += (value(fit, "Fc")->high - value(fit, "Fc")->low) / RECORDS;
      br_fit_destroy(fit);
    }
  }
  for (int i = 1; i < 3; i++)
    if (!(fabs(width[i] / width[0] - 1 / sqrt(0.95)) < 0.01))
      fail_msg("%s: %g", LOSS[i], width[i] / width[0]);
}

/* What is left has a colour; it grows with the force to one side; it is white: each is told where it is so,
 * and only there. */
static void residuals(void **state)
{
  static const char *const SAYS[] = {"no white noise", "levels differ by direction", "outliers"};
  (void)state;
  for (int i = 0; i < 4; i++) {
    const br_fit_record r = sliding(0.004, 0.02);
    br_fit_options o = br_fit_options_default();
    uint64_t stream = bri_stream(3, 5);
    double last = 0;
    o.extras = "offset";
    for (size_t k = 0; k < N; k++) {
      last = (i == 0 ? 0.95 : 0) * last + 0.3 * bri_fit_normal(&stream);
      F[k] = (i == 1 && v[k] > 0 ? 1.3 : 1) * (2 * side(k) + 600 * v[k]) + last +
             (i == 2 && k % 60 == 3 ? 9 : 0);
    }
    br_fit *fit = fitted(&r, "karnopp", o);
    for (int k = 0; k < 3; k++)
      if ((warning(fit, SAYS[k]) != NULL) != (k == i) && !(i == 1 && k == 0))
        fail_msg("record %d: '%s'", i, SAYS[k]);
    br_fit_destroy(fit);
  }
}

/* The part that is said to follow the position is that of the variance: the square of the correlation. */
static void part_of_variance(void **state)
{
  const br_fit_record r = sliding(0.004, 0.02);
  br_fit_options o = br_fit_options_default();
  (void)state;
  o.extras = "offset", o.train[1] = o.test[1] = N;
  for (int i = 1; i <= 3; i++) {
    uint64_t stream = bri_stream(4, (uint64_t)i);
    double m[2] = {0}, c[3] = {0}, percent = 0;
    for (size_t k = 0; k < N; k++) F[k] = 10 * side(k) + 100 * i * u[k] + 0.1 * bri_fit_normal(&stream);
    br_fit *fit = fitted(&r, "karnopp", o);
    const br_fit_curve left = br_fit_curves(fit);
    for (size_t k = 0; k < N; k++) m[0] += (F[k] - left.fitted[k]) / N, m[1] += u[k] / N;
    for (size_t k = 0; k < N; k++) {
      const double a = F[k] - left.fitted[k] - m[0], b = u[k] - m[1];
      c[0] += a * a, c[1] += b * b, c[2] += a * b;
    }
    const double want = 100 * c[2] * c[2] / (c[0] * c[1]);
    const char *text = warning(fit, "follows the position");
    assert_true(want > 15 && want < 85 && text);
    assert_int_equal(sscanf(strchr(text, ':') + 1, "%lf", &percent), 1);
    if (!(fabs(percent - want) <= 0.51)) fail_msg("%g %%, not %g %%", percent, want);
    br_fit_destroy(fit);
  }
}

/* A value that the data push to an end of its range is told with that end; its interval goes down to what it
 * may be. */
static void at_an_end(void **state)
{
  br_fit_record r = sliding(0.004, 0.02);
  br_fit_options o = br_fit_options_default();
  uint64_t stream = bri_stream(3, 4);
  (void)state;
  o.extras = "none", o.train[1] = o.test[1] = N;
  for (size_t k = 0; k < N; k++) F[k] = 10 * side(k) + 0.2 * bri_fit_normal(&stream);
  o.fix = "Fs=14,delta=2,sigma2=0",
  o.intervals = "profile"; /* any Stribeck velocity far below the speeds will do */
  br_fit *fit = fitted(&r, "coulomb", o);
  const br_fit_value *vs = value(fit, "vs");
  assert_true(vs->low == 0 && vs->high < 0.004 && vs->high >= vs->value);
  br_fit_destroy(fit);
  r.v = NULL;
  o = br_fit_options_default(), o.extras = "none"; /* a spring: no level is reached */
  for (size_t k = 0; k < N; k++)
    u[k] = 1e-3 * sin(20 * t[k]), F[k] = 1e4 * u[k] + 0.1 * bri_fit_normal(&stream);
  fit = fitted(&r, "dahl", o);
  const char *text = warning(fit, "end of its range");
  if (!text) {
    for (size_t i = 0; br_fit_warning(fit, i); i++) print_message("%s\n", br_fit_warning(fit, i));
    fail_msg("nothing is told");
  }
  assert_non_null(strstr(text, "Fc went to the upper end"));
  br_fit_destroy(fit);
}

/* Names and values of --fix and --guess: blanks do not matter, unknown names do. */
static void lists(void **state)
{
  const br_fit_record r = sliding(0.004, 0.02);
  br_err err;
  br_fit *fit = NULL;
  (void)state;
  for (size_t k = 0; k < N; k++) F[k] = 10 * side(k) + 100 * v[k];
  for (int i = 0; i < 3; i++) {
    br_fit_options o = br_fit_options_default();
    o.model = "karnopp", o.bandwidth = INFINITY;
    *(i == 0 ? &o.fix : i == 1 ? &o.guess : &o.free_names) = i < 2 ? "Fc=9,sigma_2=3" : "Fc,sigma_2";
    assert_int_equal(br_fit_create(&r, &o, &fit, &err), BR_E_NAME);
    assert_non_null(strstr(err.msg, i == 0 ? "fix" : i == 1 ? "guess" : "free"));
    assert_non_null(strstr(err.msg, "'sigma_2'"));
    assert_null(fit);
  }
  static const char *const FIX[] = {"Fc=9,sigma2=3", " Fc = 9 , sigma2 = 3 ", "sigma2=3, Fc=9"};
  for (int i = 0; i < 3; i++) {
    br_fit_options o = br_fit_options_default();
    o.extras = "offset", o.fix = FIX[i];
    fit = fitted(&r, "coulomb", o);
    const br_fit_model *m = br_fit_at(fit, 0);
    assert_true(m->block[br_model_param(m->model, "Fc")->slot] == 9 &&
                m->block[br_model_param(m->model, "sigma2")->slot] == 3);
    for (size_t k = 0; k < m->nvalues; k++)
      assert_true(strcmp(m->values[k].name, "Fc") != 0 && strcmp(m->values[k].name, "sigma2") != 0);
    br_fit_destroy(fit);
    fit = NULL;
  }
}

static br_status make(br_fit_record r, bri_fit_data *d, br_err *err)
{
  const br_fit_options o = br_fit_options_default();
  const br_status st = bri_fit_data_make(&r, &o, d, err);
  if (st) bri_fit_data_free(d);
  return st;
}

/* Loads: positive on average, and never none at all; on one axis only. */
static void loads(void **state)
{
  br_fit_record r = sliding(0.004, 0.02);
  bri_fit_data d;
  br_err err = {BR_OK, -1, ""};
  (void)state;
  for (size_t k = 0; k < N; k++) F[k] = 10 * side(k);
  r.load = load;
  assert_int_equal(make(r, &d, &err), BR_OK);
  bri_fit_data_free(&d);
  for (size_t k = 0; k < N; k += 10) load[k] = k % 20 ? 0 : -300; /* lifted for single samples */
  assert_int_equal(make(r, &d, &err), BR_OK);
  for (size_t k = 0; k < N; k++) assert_true(d.load[k] >= 0.01 && (k % 10 || d.load[k] == 0.01));
  bri_fit_data_free(&d);
  for (size_t k = 0; k < N; k++) load[k] = -40;
  assert_int_equal(make(r, &d, &err), BR_E_RANGE);
  assert_non_null(strstr(err.msg, "must be positive"));
  for (size_t k = 0; k < N; k++) load[k] = 0;
  assert_int_equal(make(r, &d, &err), BR_E_RANGE);
  r = sliding(0.004, 0.02);
  r.n = N / 2, r.axes = 2, r.v = NULL;
  assert_int_equal(make(r, &d, &err), BR_OK);
  bri_fit_data_free(&d);
  r.load = load;
  assert_int_equal(make(r, &d, &err), BR_E_ARG);
  assert_non_null(strstr(err.msg, "no load"));
  r.load = NULL, r.axes = 3;
  assert_int_equal(make(r, &d, &err), BR_E_ARG);
  r.axes = 2, r.u = NULL, r.v = v;
  assert_int_equal(make(r, &d, &err), BR_E_ARG);
}

/* Windows of smoothing are tried where the scatter of the positions is a hundredth of the way between two
 * samples, however the samples lie in time; on a motion that is smooth none are. */
static void scatter(void **state)
{
  static const double PART[] = {0, 0.006, 0.016}; /* of the way */
  (void)state;
  for (int uneven = 0; uneven < 2; uneven++)
    for (int i = 0; i < 3; i++) {
      br_fit_record r = sliding(0.004, 0.02);
      uint64_t stream = bri_stream(8, (uint64_t)i);
      size_t window[BRI_FIT_WINDOWS];
      bri_fit_data d;
      br_err err;
      for (size_t k = 0; k < N; k++) {
        t[k] = DT * ((double)k + (uneven ? 0.3 * sin(9.0 * (double)k) : 0));
        const double s = t[k] - 0.5;
        u[k] = 0.02 * (s - 0.9 * s * s * s) + PART[i] * 0.02 * DT * bri_fit_normal(&stream);
        F[k] = k < N / 2 ? -10 : 10;
      }
      r.v = NULL;
      assert_int_equal(make(r, &d, &err), BR_OK);
      for (size_t k = 0; k < N; k++) /* each sample has the interval behind it, the last that before it */
        assert_true(d.h[k] == (k + 1 < N ? t[k + 1] - t[k] : d.h[k - 1]));
      const size_t n = bri_fit_windows(&d, 0, window, d.work);
      if ((n > 1) != (i == 2))
        fail_msg("%g of the way, %s: %zu windows", PART[i], uneven ? "uneven" : "even", n);
      bri_fit_data_free(&d);
    }
}

/* The sine that a design is compared with uses all of the stroke and all of the speed: of a viscous term its
 * information is that of the velocity, n speed^2 / 2, counted in newtons over the speed. */
static void plain_sine(void **state)
{
  static const double STROKE[] = {0.02, 0.1}, SPEED[] = {0.1, 0.3};
  (void)state;
  for (int i = 0; i < 2; i++) {
    br_design_options o = {.seed = 1};
    br_design *d = NULL;
    br_err err = {BR_OK, -1, ""};
    o.model = "viscous", o.values = "sigma2=1", o.stroke = STROKE[i], o.speed = SPEED[i], o.t_end = 10,
    o.noise = 1;
    if (br_design_create(&o, &d, &err)) fail_msg("%s", err.msg);
    const br_design_facts f = br_design_get(d);
    const double want = log((double)f.n / 2);
    if (!(fabs(f.log_det_sine - want) < 0.05)) fail_msg("%g, not %g", f.log_det_sine, want);
    br_design_destroy(d);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(alike_columns), cmocka_unit_test(losses),           cmocka_unit_test(residuals),
      cmocka_unit_test(at_an_end),     cmocka_unit_test(part_of_variance), cmocka_unit_test(lists),
      cmocka_unit_test(loads),         cmocka_unit_test(scatter),          cmocka_unit_test(plain_sine)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
