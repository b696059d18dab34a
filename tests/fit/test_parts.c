/* SPDX-License-Identifier: Apache-2.0
 * Parts of a fit against closed forms: intervals, independent samples, errors, a record made ready, what a
 * residual tells, what thins out a motion, samples that are made. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/team.h"
#include "bristle/param.h"
#include "fit/fit.h"
#include "fit/motion.h"
#include "fit/sample.h"

/* ---- intervals ---- */

/* 95 % of a normal law lie within; of a positive value its logarithm is normal. */
static void interval(void **state)
{
  br_fit_value v = {.value = 4};
  bri_fit_interval(&v, 0.5, 0, NULL);
  const double z = (v.high - 4) / 0.5;
  assert_true(fabs(erf(z / sqrt(2)) - 0.95) < 1e-12);
  assert_true(fabs(v.low + v.high - 8) < 1e-14);
  bri_fit_interval(&v, 0.5, 1, NULL);
  assert_true(fabs(v.low * v.high - 16) < 1e-12 && fabs(log(v.high / 4) - z * 0.5 / 4) < 1e-14);
  const br_param row = {.lo = 3.5, .hi = 4.25};
  bri_fit_interval(&v, 0.5, 0, &row); /* not beyond what it may be */
  assert_true(v.low == 3.5 && v.high == 4.25);
  bri_fit_interval(&v, 1e99, 0, NULL); /* nothing is known */
  assert_true(isnan(v.low) && isnan(v.high));
}

/* Of noise x(k) = a x(k-1) + e(k) so many samples count as one: (1 + a) / (1 - a). */
static void redundancy(void **state)
{
  enum { N = 40000 };
  static double x[N];
  static const double A[] = {0, 0.5, 0.8};
  for (int i = 0; i < 3; i++) {
    uint64_t stream = bri_stream(5, (uint64_t)i);
    double unsure = 0;
    for (size_t k = 0; k < N; k++) x[k] = 3 + (k ? A[i] * (x[k - 1] - 3) : 0) + bri_fit_normal(&stream);
    const double tau = bri_fit_redundancy(x, N, &unsure), want = (1 + A[i]) / (1 - A[i]);
    if (!(fabs(tau / want - 1) < 0.08 + unsure) || !(unsure > 0 && unsure < 0.1))
      fail_msg("%g: %g, not %g, +- %g", A[i], tau, want, unsure);
  }
  for (size_t k = 0; k < N; k++) x[k] = 0;
  assert_true(bri_fit_redundancy(x, N, NULL) == 1);
}

/* ---- errors ---- */

/* Root mean squares of each part; relative to what the force scatters about its own mean there, of each axis
 * its own. */
static void errors(void **state)
{
  double F[] = {9, 1, 9, 1, 12, 16, 12, 16}, fitted[] = {9, 2, 9, 2, 12, 13, 12, 13};
  bri_fit_data d = {.n = 8, .axes = 1, .F = F, .train = {0, 4}, .test = {4, 8}};
  bri_fit_one *f = bri_calloc(1, sizeof *f);
  f->fitted = fitted;
  bri_fit_errors(f, &d);
  assert_true(fabs(f->out.rmse_train - sqrt(0.5)) < 1e-15 && fabs(f->out.rmse_test - sqrt(4.5)) < 1e-15);
  assert_true(fabs(f->out.rel_test - sqrt(4.5) / 2) < 1e-15); /* 14 +- 2 */
  d.axes = 2;                                                 /* x always 12, y always 16: nothing scatters */
  bri_fit_errors(f, &d);
  assert_true(isnan(f->out.rel_test));
  F[7] = 20; /* y 16 and 20 about 18 */
  bri_fit_errors(f, &d);
  assert_true(fabs(f->out.rel_test - f->out.rmse_test / sqrt(8.0 / 4)) < 1e-15);
  bri_free(f);
}

/* ---- a record made ready ---- */

enum { N = 1000 };
static double t[N], u[N], v[N], F[N], load[N];
static const double DT = 1e-3;
static br_fit_record record(void)
{
  for (size_t k = 0; k < N; k++) {
    const double s = t[k] = DT * (double)k;
    u[k] = 1e-3 * sin(20 * s), v[k] = 0.02 * cos(20 * s), F[k] = 10 * (v[k] < 0 ? -1 : 1),
    load[k] = 40 + 20 * s;
  }
  return (br_fit_record){N, t, u, F, NULL, NULL, 1};
}

static bri_fit_data made(const br_fit_record *r, const br_fit_options *o)
{
  bri_fit_data d;
  br_err err = {BR_OK, -1, ""};
  if (bri_fit_data_make(r, o, &d, &err)) fail_msg("%s", err.msg);
  return d;
}

static void parts(void **state)
{
  static const struct {
    size_t train[2], test[2], want[4];
  } CASES[] = {{{0, 0}, {0, 0}, {0, 600, 600, 1000}}, /* six tenths, and the rest */
               {{0, 300}, {0, 0}, {0, 300, 300, 1000}},
               {{0, 0}, {400, 700}, {0, 400, 400, 700}}, /* up to the test part */
               {{0, 0}, {0, 700}, {0, 1000, 0, 700}},    /* nothing stands before it */
               {{100, 1000}, {0, 0}, {100, 1000, 100, 1000}}};
  const br_fit_record r = record();
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_fit_options o = br_fit_options_default();
    memcpy(o.train, CASES[i].train, sizeof o.train), memcpy(o.test, CASES[i].test, sizeof o.test);
    bri_fit_data d = made(&r, &o);
    const size_t got[4] = {d.train[0], d.train[1], d.test[0], d.test[1]};
    assert_memory_equal(got, CASES[i].want, sizeof got);
    bri_fit_data_free(&d);
  }
}

static void motion_of_a_record(void **state)
{
  br_fit_record r = record();
  const br_fit_options o = br_fit_options_default();
  bri_fit_data d = made(&r, &o);
  assert_true(fabs(d.level - 10) < 1e-12 && fabs(d.middle) < 1e-12 && fabs(d.stroke - 2e-3) < 1e-7);
  for (size_t k = 0; k + 1 < N; k++) assert_true(fabs(d.v[k] - (u[k + 1] - u[k]) / DT) < 1e-12);
  bri_fit_data_free(&d);
  r.v = v; /* measured: its mean over each step */
  d = made(&r, &o);
  for (size_t k = 0; k + 1 < N; k++) assert_true(fabs(d.v[k] - 0.5 * (v[k] + v[k + 1])) < 1e-15);
  bri_fit_data_free(&d);
  r.u = NULL; /* alone: the trapezoid's sum, which is off by (20 h)^2 / 12 of the sine */
  d = made(&r, &o);
  for (size_t k = 0; k < N; k++) assert_true(fabs(d.u[k] - u[k]) < 1e-3 * 20 * 20 * DT * DT / 6);
  bri_fit_data_free(&d);
  r = record(), r.load = load; /* a factor of its mean over the train part, 45.99 */
  d = made(&r, &o);
  assert_true(fabs(d.mean_load - (40 + 20 * 0.2995)) < 1e-9);
  for (size_t k = 0; k < N; k += 99) assert_true(fabs(d.load[k] - load[k] / d.mean_load) < 1e-14);
  for (size_t k = 0; k < N; k += 99) assert_true(fabs(d.raw[k] - (load[k] - d.mean_load)) < 1e-12);
  bri_fit_data_free(&d);
}

/* What is told is what was asked for, within the step from one odd number of samples to the next; a sine of
 * that frequency passes with half of its power or a little more (a parabola over m samples has half of it at
 * 1.06 / (m dt)). */
static void bandwidth(void **state)
{
  static const double ASKED[] = {20, 50, 90};
  const br_fit_record r = record();
  const br_fit_options o = br_fit_options_default();
  for (int i = 0; i < 3; i++) {
    bri_fit_data d = made(&r, &o);
    size_t window[BRI_FIT_WINDOWS];
    assert_int_equal(bri_fit_windows(&d, ASKED[i], window, d.work), 1);
    bri_fit_smooth(&d, window[0], d.work);
    assert_true(fabs(1 / d.bandwidth - 1 / ASKED[i]) < 2.3 * DT);
    for (size_t k = 0; k < N; k++) d.raw_u[k] = sin(6.283185307179586 * d.bandwidth * t[k]);
    bri_fit_smooth(&d, window[0], d.work);
    double before = 0, behind = 0;
    for (size_t k = 100; k < 900; k++) before += d.raw_u[k] * d.raw_u[k], behind += d.u[k] * d.u[k];
    if (!(behind / before > 0.5 && behind / before < 0.75)) fail_msg("%g Hz: %g", ASKED[i], behind / before);
    bri_fit_data_free(&d);
  }
}

/* Without a clock what depends on the rate is left out, not left at its default. */
static void no_clock(void **state)
{
  br_fit_record r = record();
  br_fit_options o = br_fit_options_default();
  const br_model *m = br_model_find("lugre");
  bri_space *s = bri_calloc(1, sizeof *s);
  br_err err;
  r.t = NULL;
  bri_fit_data d = made(&r, &o);
  assert_int_equal(bri_space_make(m, &d, &o, 1, s, &err), BR_OK);
  assert_true(br_model_param(m, "sigma1")->def != 0);
  assert_true(s->base[br_model_param(m, "sigma1")->slot] == 0);
  for (size_t j = 0; j < s->n; j++) assert_string_not_equal(s->c[j].row->name, "sigma1");
  bri_fit_data_free(&d);
  bri_free(s);
}

/* ---- what a fit tells ---- */

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

/* F = Fc sgn(v) + sigma2 v with noise: a linear problem, whose condition and intervals are those of sgn(v)
 * and v. */
static void linear_problem(void **state)
{
  enum { FEW = 40 };
  br_fit_record r = record();
  br_fit_options o = br_fit_options_default();
  uint64_t stream = bri_stream(3, 3);
  const size_t every = N / FEW;
  double a[3] = {0}, rest[FEW], noise = 0;
  for (size_t k = 0; k < FEW; k++)
    t[k] = t[every * k], u[k] = 1e-3 * sin(20 * t[k]), v[k] = 0.02 * cos(20 * t[k] + 0.3);
  for (size_t k = 0; k < FEW; k++) {
    const double side = v[k] < 0 ? -1 : 1;
    noise = 0.6 * noise + 0.2 * bri_fit_normal(&stream);
    F[k] = 10 * side + 100 * v[k] + noise;
    a[0] += 1, a[1] += side * v[k], a[2] += v[k] * v[k];
  }
  r.n = FEW, r.u = NULL, r.v = v, o.extras = "none", o.train[1] = o.test[1] = FEW;
  br_fit *fit = fitted(&r, "karnopp", o);
  const br_fit_model *m = br_fit_at(fit, 0);
  const br_fit_curve c = br_fit_curves(fit);
  double sum = 0, unsure = 0;
  for (size_t k = 0; k < FEW; k++) rest[k] = F[k] - c.fitted[k], sum += rest[k] * rest[k];
  const double cosine = a[1] / sqrt(a[0] * a[2]), tau = bri_fit_redundancy(rest, FEW, &unsure);
  const double var = sum / (FEW - 2) * tau * (1 + unsure), det = a[0] * a[2] - a[1] * a[1];
  const double sd[2] = {sqrt(var * a[2] / det), sqrt(var * a[0] / det)};
  assert_true(fabs(m->condition / sqrt((1 + cosine) / (1 - cosine)) - 1) < 1e-6);
  assert_true(tau > 1.2 && fabs(m->effective - FEW / tau) < 1e-9);
  assert_int_equal(m->nvalues, 2);
  for (size_t i = 0; i < 2; i++) {
    const int level = strcmp(m->values[i].name, "Fc") == 0;
    const br_fit_value *x = &m->values[i];
    const double half = level ? 0.5 * x->value * log(x->high / x->low) : 0.5 * (x->high - x->low);
    if (!(fabs(half / 1.959963984540054 / sd[!level] - 1) < 1e-5))
      fail_msg("%s: %g, not %g", x->name, half / 1.959963984540054, sd[!level]);
  }
  assert_null(warning(fit, "hardly known"));
  br_fit_destroy(fit);
}

/* A level that nothing reaches is hardly known, and that is told with its name. */
static void hardly_known(void **state)
{
  br_fit_record r = record();
  br_fit_options o = br_fit_options_default();
  uint64_t stream = bri_stream(3, 4);
  for (size_t k = 0; k < N; k++) F[k] = 1e4 * u[k] + bri_fit_normal(&stream);
  o.extras = "none";
  br_fit *fit = fitted(&r, "dahl", o);
  const char *text = warning(fit, "hardly known");
  assert_non_null(text);
  assert_non_null(strstr(text, "Fc"));
  br_fit_destroy(fit);
}

/* Sliding to and fro, never slower than 4 mm/s: Coulomb's law is linear in its numbers there, and true. */
static br_fit_record sliding(void)
{
  br_fit_record r = record();
  for (size_t k = 0; k < N; k++) v[k] = (cos(20 * t[k]) < 0 ? -1 : 1) * (0.012 + 0.008 * sin(7 * t[k]));
  r.v = v;
  return r;
}

/* What is left tells what it follows, and how much of it does; samples far below count like those far above;
 * a model that leaves most is told. */
static void residuals(void **state)
{
  const br_fit_record r = sliding();
  br_fit_options o = br_fit_options_default();
  uint64_t stream = bri_stream(3, 5);
  double percent = 0;
  o.extras = "none";
  for (size_t k = 0; k < N; k++) F[k] = (v[k] < 0 ? -10 : 10) + 2000 * u[k] + 0.01 * bri_fit_normal(&stream);
  br_fit *fit = fitted(&r, "karnopp", o);
  const char *text = warning(fit, "of the residual follows the position");
  assert_non_null(text);
  assert_int_equal(sscanf(strchr(text, ':') + 1, "%lf", &percent), 1);
  assert_true(percent > 90 && percent <= 100);
  br_fit_destroy(fit);
  for (size_t k = 0; k < N; k++)
    F[k] = (v[k] < 0 ? -10 : 10) + 0.05 * bri_fit_normal(&stream) - (k % 50 == 7 ? 5 : 0);
  fit = fitted(&r, "karnopp", o);
  assert_non_null(warning(fit, "12 samples lie more than six deviations away"));
  assert_null(warning(fit, "no model here fits"));
  br_fit_destroy(fit);
  for (size_t k = 0; k < N; k++) F[k] = (v[k] < 0 ? -10 : 10) + 20 * sin(123 * t[k]);
  fit = fitted(&r, "karnopp", o);
  assert_non_null(warning(fit, "no model here fits"));
  br_fit_destroy(fit);
}

/* Of normal noise Huber's loss with 1.345 keeps 95 % of what squares know: intervals wider by the root of
 * that. */
static void robust_intervals(void **state)
{
  const br_fit_record r = sliding();
  br_fit_options o = br_fit_options_default();
  uint64_t stream = bri_stream(3, 6);
  double width[2];
  o.extras = "none", o.train[1] = o.test[1] = N;
  for (size_t k = 0; k < N; k++) F[k] = (v[k] < 0 ? -10 : 10) + 100 * v[k] + 0.5 * bri_fit_normal(&stream);
  for (int i = 0; i < 2; i++) {
    o.loss = i ? "huber" : "squares";
    br_fit *fit = fitted(&r, "karnopp", o);
    const br_fit_value *x = br_fit_at(fit, 0)->values;
    width[i] = x->high - x->low;
    br_fit_destroy(fit);
  }
  if (!(fabs(width[1] / width[0] - 1 / sqrt(0.95)) < 0.05)) fail_msg("%g", width[1] / width[0]);
}

/* A profile that would go on below what a value may be ends there; above it ends as the covariance says, the
 * valley being straight. */
static void profile_at_an_end(void **state)
{
  const br_fit_record r = sliding();
  br_fit_options o = br_fit_options_default();
  uint64_t stream = bri_stream(3, 7);
  br_fit_value x[2];
  o.extras = "none", o.train[1] = o.test[1] = N;
  for (size_t k = 0; k < N; k++) F[k] = (v[k] < 0 ? -10 : 10) + 3 * v[k] + 0.5 * bri_fit_normal(&stream);
  for (int i = 0; i < 2; i++) {
    o.intervals = i ? "profile" : "covariance";
    br_fit *fit = fitted(&r, "karnopp", o);
    const br_fit_model *m = br_fit_at(fit, 0);
    x[i] = m->values[strcmp(m->values[0].name, "sigma2") != 0];
    assert_string_equal(x[i].name, "sigma2");
    br_fit_destroy(fit);
  }
  assert_true(x[1].low == 0 && x[0].low == 0 &&
              fabs((x[1].high - x[1].value) / (x[0].high - x[0].value) - 1) < 0.05);
}

/* Terms that are proposed stand behind those that are there, the gap among them. */
static void proposed_terms(void **state)
{
  bri_fit_data d = {.gap = 0};
  char text[96];
  bri_fit_one *f = bri_calloc(1, sizeof *f);
  f->extra[f->q++] = "offset";
  assert_string_equal(bri_terms_with(f, &d, "drift", sizeof text, text), "offset,drift");
  d.gap = 1e-4;
  assert_string_equal(bri_terms_with(f, &d, "drift", sizeof text, text), "offset,backlash,drift");
  bri_free(f);
}

/* A guess is where the search starts, within what a value may be. */
static void guess(void **state)
{
  const br_fit_record r = record();
  br_fit_options o = br_fit_options_default();
  bri_fit_data d = made(&r, &o);
  bri_fit_one *f = bri_calloc(1, sizeof *f);
  br_err err;
  const bri_fit_scales at = {d.level, d.stroke / 30, d.fast, 1};
  double block[BRI_FIT_SLOTS];
  assert_int_equal(bri_space_make(br_model_find("dahl"), &d, &o, 1, &f->space, &err), BR_OK);
  bri_space_start(&f->space, &at, f->x);
  o.guess = "sigma0=12345,Fc=6.5";
  assert_int_equal(bri_guess_take(f, &o, &err), BR_OK);
  bri_space_block(&f->space, f->x, block, NULL);
  assert_true(fabs(block[br_model_param(f->space.m, "sigma0")->slot] / 12345 - 1) < 1e-14);
  assert_true(fabs(block[br_model_param(f->space.m, "Fc")->slot] / 6.5 - 1) < 1e-14);
  bri_fit_data_free(&d);
  bri_free(f);
}

/* Where a model was found is taken up again, and nothing that is not whole: more or fewer numbers, or one
 * that a search would not leave.  The evaluations that it tells of show what was taken. */
typedef struct {
  char text[400];
} notebook;
static const char *look_up(void *ctx, const char *key)
{
  return strcmp(key, "odahl") == 0 ? ((notebook *)ctx)->text : NULL;
}
static br_status write_down(void *ctx, const char *key, const char *text, br_err *err)
{
  (void)key, (void)err;
  (void)snprintf(((notebook *)ctx)->text, sizeof((notebook *)ctx)->text, "%s", text);
  return BR_OK;
}

static void kept_places(void **state)
{
  const br_fit_record r = sliding();
  br_fit_options o = br_fit_options_default();
  notebook book = {""};
  const br_fit_memory memory = {look_up, write_down, &book};
  unsigned long elements = 0, evaluations = 0, n = 0;
  int held = 0, at = 0;
  o.memory = &memory, o.extras = "offset";
  br_fit *fit = fitted(&r, "dahl", o);
  const size_t plain = br_fit_at(fit, 0)->evaluations;
  br_fit_destroy(fit);
  assert_int_equal(sscanf(book.text, "%lu %d %lu %lu%n", &elements, &held, &evaluations, &n, &at), 4);
  assert_int_equal(n, 2); /* sigma0 and Fc */
  char rest[300];
  (void)snprintf(rest, sizeof rest, "%s", book.text + at);
  char *last = strrchr(rest, ' ');
  for (int i = 0; i < 5; i++) {
    static const char *const END[] = {"", " 1", "", " 0x1p9", " nan"};
    char cut[300];
    (void)snprintf(cut, sizeof cut, "%.*s", (int)(i < 2 ? strlen(rest) : (size_t)(last - rest)), rest);
    (void)snprintf(book.text, sizeof book.text, "%lu %d 1000000 %lu%s%s", elements, held, n, cut, END[i]);
    fit = fitted(&r, "dahl", o);
    const size_t told = br_fit_at(fit, 0)->evaluations;
    if (i == 0 ? told <= 1000000 : told != plain) fail_msg("%d: %zu evaluations, %zu before", i, told, plain);
    br_fit_destroy(fit);
  }
}

/* Two springs with sliders on the grid of dead bands are found to the last digits: what was taken first for
 * both goes. */
static void elements(void **state)
{
  br_fit_record r = record();
  const br_fit_options o = br_fit_options_default();
  br_err err;
  double z[2] = {0}, k[2], Delta[2], band[2];
  const double K[2] = {3e4, 5e3};
  bri_fit_data d = made(&r, &o);
  for (int e = 0; e < 2; e++) band[e] = 1.2 * d.stroke * pow(10, -3.3 * (e ? 12 : 21) / 39);
  for (size_t i = 0; i < N; i++) {
    d.F[i] = 0;
    for (int e = 0; e < 2; e++) {
      if (i) z[e] = fmin(fmax(z[e] + u[i] - u[i - 1], -band[e]), band[e]);
      d.F[i] += K[e] * z[e];
    }
  }
  assert_int_equal(bri_slip_start(&d, NULL, 0, 2, k, Delta, &err), BR_OK);
  for (int e = 0; e < 2; e++)
    if (!(fabs(Delta[e] / band[e] - 1) < 1e-9 && fabs(k[e] / K[e] - 1) < 1e-6))
      fail_msg("%g of %g, not %g of %g", k[e], Delta[e], K[e], band[e]);
  bri_fit_data_free(&d);
}

/* ---- motions ---- */

/* A mean over what is left out keeps the impulse; an input that is held counts from a sample on, one that is
 * straight around it: of a ramp the mean is the value in the middle. */
static void thin(void **state)
{
  enum { M = 41, STRIDE = 4 };
  double at[M], w[M];
  const size_t part[2] = {0, M};
  br_err err;
  for (size_t k = 0; k < M; k++) at[k] = 0.1 * (double)k, w[k] = 3 + 2 * (double)k;
  for (int hold = 0; hold < 2; hold++) {
    const bri_motion_data d = {
        .n = M, .ninput = 1, .nchannel = 1, .t = at, .inputs = {w}, .hold = hold, .channel = {{.y = w}}};
    bri_motion_data out;
    assert_int_equal(bri_motion_thin(&d, part, STRIDE, &out, &err), BR_OK);
    assert_int_equal(out.n, (M - 1) / STRIDE + 1);
    for (size_t k = 0; k < out.n; k++) {
      assert_true(out.t[k] == at[STRIDE * k] && out.channel[0].y[k] == w[STRIDE * k]);
      if (k == 0 || k + 1 == out.n) continue;
      const double want = hold ? 0.25 * (w[4 * k] + w[4 * k + 1] + w[4 * k + 2] + w[4 * k + 3]) : w[4 * k];
      assert_true(fabs(out.inputs[0][k] - want) < 1e-12);
    }
    bri_free(out.own);
  }
}

/* A parabola is its own local parabola, in the middle and at the ends, however the samples lie. */
static void parabola(void **state)
{
  enum { M = 30 };
  double at[M], y[M], value = 0, slope = 0;
  for (size_t k = 0; k < M; k++)
    at[k] = 0.2 * (double)k + 0.05 * sin((double)k), y[k] = 3 - 2 * at[k] + 0.7 * at[k] * at[k];
  for (size_t k = 0; k < M; k++) {
    bri_motion_parabola(at, y, M, k, 7, &value, &slope);
    assert_true(fabs(value - y[k]) < 1e-11 && fabs(slope - (-2 + 1.4 * at[k])) < 1e-10);
  }
}

/* ---- samples ---- */

static void samples(void **state)
{
  br_fit_record a, b;
  double *first = NULL, *second = NULL, most = 0, spread = 0;
  br_err err;
  assert_int_equal(bri_fit_sample("sample:dahl,1", &a, &first, &err), BR_OK);
  assert_int_equal(bri_fit_sample("sample:dahl,2", &b, &second, &err), BR_OK);
  for (size_t k = 0; k < a.n; k++) {
    assert_true(a.u[k] == b.u[k]); /* the same motion, counted in steps */
    assert_true(fabs(a.u[k] / 1e-7 - round(a.u[k] / 1e-7)) < 1e-6);
    spread += (a.F[k] - b.F[k]) * (a.F[k] - b.F[k]) / (double)a.n, most = fmax(most, fabs(a.F[k]));
  }
  const double level = most / 1.53; /* offset of a half, and noise */
  assert_true(fabs(sqrt(spread / 2) / (0.01 * level) - 1) < 0.1);
  bri_free(first), bri_free(second);
  double par[BRI_FIT_SLOTS];
  const br_model *m = br_model_find("maxwell_slip");
  bri_fit_machine(m, par);
  const size_t k = br_model_param(m, "k")->slot;
  assert_true(par[br_model_param(m, "k")->len_slot] == 3 && par[k] > par[k + 1] && par[k + 1] > par[k + 2]);
}

/* Noise of a ten-thousandth of the stroke, positions in steps of half of that. */
static void sample_of_a_motion(void **state)
{
  double *x[2] = {NULL, NULL}, low = INFINITY, high = -INFINITY, spread = 0;
  size_t n = 0;
  br_err err;
  for (int i = 0; i < 2; i++)
    assert_int_equal(bri_fit_motion_sample(i ? "sample:coulomb,2" : "sample:coulomb,1",
                                           br_system_find("driven_block"), &n, &x[i], NULL, NULL, &err),
                     BR_OK);
  for (size_t k = 0; k < n; k++) {
    const double y = x[0][2 * n + k], d = y - x[1][2 * n + k];
    low = fmin(low, y), high = fmax(high, y), spread += d * d / (double)n;
  }
  assert_true(fabs(sqrt(spread / 2) / (1e-4 * (high - low)) - 1) < 0.15);
  bri_free(x[0]), bri_free(x[1]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(interval),
                                     cmocka_unit_test(redundancy),
                                     cmocka_unit_test(errors),
                                     cmocka_unit_test(parts),
                                     cmocka_unit_test(motion_of_a_record),
                                     cmocka_unit_test(bandwidth),
                                     cmocka_unit_test(no_clock),
                                     cmocka_unit_test(linear_problem),
                                     cmocka_unit_test(hardly_known),
                                     cmocka_unit_test(residuals),
                                     cmocka_unit_test(robust_intervals),
                                     cmocka_unit_test(proposed_terms),
                                     cmocka_unit_test(guess),
                                     cmocka_unit_test(profile_at_an_end),
                                     cmocka_unit_test(kept_places),
                                     cmocka_unit_test(elements),
                                     cmocka_unit_test(thin),
                                     cmocka_unit_test(parabola),
                                     cmocka_unit_test(samples),
                                     cmocka_unit_test(sample_of_a_motion)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
