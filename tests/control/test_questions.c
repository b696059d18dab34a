/* SPDX-License-Identifier: Apache-2.0
 * test_questions.c - statistics of random draws against runs of our own; the analysis 'control' asked by
 * name: columns and units of its tables, what each option changes, what goes into its answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "base/team.h"
#include "bristle/analysis.h"
#include "control/trial.h"
#include "kit.h"
#include "../support/asked.h"

/* ---- median and 95th percentile ---- */

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The draws of a comparison, one by one; how many have a number. */
static size_t draws_of(const br_control_comparison *w, const br_control_settings *set, double *x)
{
  size_t n = 0;
  bri_wrong wrong;
  br_err err;
  assert_int_equal(bri_wrong_find(w->job, w->names, w->n, &wrong, &err), BR_OK);
  for (size_t k = 0; k < w->samples; k++) {
    uint64_t stream = bri_stream(w->seed, k);
    br_control_result r;
    double f[8];
    for (size_t i = 0; i < w->n; i++) f[i] = 1 + w->part * (2 * bri_uniform(&stream) - 1);
    assert_int_equal(bri_trial(w->job, set, w->tracked, &wrong, f, &r, &err), BR_OK);
    if (!isnan(r.error_rms)) x[n++] = r.error_rms;
  }
  qsort(x, n, sizeof *x, ascending);
  return n;
}

/* Half of the draws lie on either side of the median; at most one in twenty above the 95th percentile, which
 * is itself a draw. */
static void statistics_of_draws(void **state)
{
  static const size_t COUNT[] = {1, 2, 3, 4, 19, 20, 21, 40};
  const char *const names[] = {"Fs"}; /* far down it falls below Fc, which is no friction curve */
  size_t dropped = 0;
  (void)state;
  for (size_t i = 0; i < sizeof COUNT / sizeof COUNT[0]; i++) {
    br_control_comparison w = br_control_comparison_default();
    br_control_entry e;
    br_control_score score;
    kit k;
    kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_OBSERVER);
    if (br_signal_parse("sine:1,0.5", &k.reference, &k.err)) fail_msg("%s", k.err.msg);
    k.job.reference = k.reference, k.job.t_end = 0.1, k.job.sample = 1e-3, k.job.rtol = 1e-6;
    w.job = &k.job, w.tracked = 1, w.names = names, w.n = 1, w.samples = COUNT[i], w.delay = 0,
    w.limit = INFINITY;
    w.part = i % 2 ? 0.6 : 0.2;
    assert_true(br_control_lineup(5, &e));
    if (br_control_compare(&w, &e, 1, &score, &k.err)) fail_msg("%s", k.err.msg);
    double x[64];
    const size_t n = draws_of(&w, &e.set, x);
    assert_int_equal(score.drawn, n);
    dropped += w.samples - n;
    assert_true(n > 0 && x[0] <= x[n - 1] && (n == 1 || x[0] < x[n - 1]));
    const double middle = n % 2 ? x[(n - 1) / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
    if (score.median != middle) fail_msg("%zu draws: median %.17g, not %.17g", n, score.median, middle);
    size_t above = 0, same = 0;
    for (size_t j = 0; j < n; j++) above += x[j] > score.high, same += x[j] == score.high;
    if (same != 1 || 20 * above > n || 20 * (above + 1) <= n)
      fail_msg("%zu draws: %zu above the 95th percentile", n, above);
    kit_close(&k);
  }
  assert_true(dropped > 0);
}

/* ---- asked by name ---- */

#define PAPER "m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1"

/* "name=value;name=value" on top of the block of document 1 under a short sine. */
static br_job *job_of(const char *options, br_err *err)
{
  static const char *const USUAL[][2] = {{"system", "pulled_block"},  {"model", "lugre"}, {"set", PAPER},
                                         {"reference", "sine:1,0.5"}, {"t-end", "0.1"},   {"sample", "1ms"},
                                         {"controller", "observer"}};
  return asked("control", options, USUAL, sizeof USUAL / sizeof USUAL[0], err);
}

static br_result *ask(const char *options, unsigned keep, const char *table)
{
  br_err err = {BR_OK, -1, ""};
  br_result *r = NULL;
  br_job *job = job_of(options, &err);
  if (!job) fail_msg("%s: %s", options, err.msg);
  assert_int_equal(br_result_create(keep, &r, &err), BR_OK);
  if (table) br_result_want(r, table);
  br_sink out = br_result_sink(r);
  if (br_job_run(job, &out, &err)) fail_msg("%s: %s", options, err.msg);
  br_job_destroy(job);
  return r;
}

static double rms(const char *options)
{
  br_result *r = ask(options, 0, NULL);
  const double x = br_result_real(r, "error_rms");
  assert_true(x > 0);
  br_result_destroy(r);
  return x;
}

/* Everything that is said about the controller or its measurements changes the run, each in its own way. */
static void options_change_the_run(void **state)
{
  static const char *const CHANGES[] = {"seed=1",
                                        "noise=l=1e-3",
                                        "noise=v=1e-3",
                                        "noise=v=1e-3;seed=2",
                                        "controller=sliding_mode", /* takes an accelerometer */
                                        "controller=sliding_mode;noise=a=0.1",
                                        "controller=sliding_mode;noise=a=0.2m/s^2",
                                        "controller=sliding_mode;noise=a=0.2,v=1e-3",
                                        "delay=1ms",
                                        "limit=u=5",
                                        "mismatch=Fc=0.8",
                                        "mismatch=m=0.8",
                                        "integral=yes;poles=-35,-30",
                                        "integral=yes;poles=-35,-30,-20",
                                        "gains=kp=3;controller=pi",
                                        "sample=2ms",
                                        "integral=yes",
                                        "controller=feedback_linearization",
                                        "controller=feedback_linearization;bristle=true",
                                        "controller=feedback_linearization;bristle=true;mismatch=z=1.001"};
  enum { N = sizeof CHANGES / sizeof CHANGES[0] };
  double x[N];
  (void)state;
  for (size_t i = 0; i < N; i++) {
    x[i] = rms(CHANGES[i]);
    for (size_t k = 0; k < i; k++)
      if (x[i] == x[k]) fail_msg("'%s' and '%s' give one run", CHANGES[i], CHANGES[k]);
  }
  assert_true(rms("integral=yes;poles=-35,-30") ==
              rms("integral=yes;poles=-35,-30,-30")); /* an observer's own pole is the last given */
  assert_true(rms("") == x[0]);                       /* without noise the seed says nothing */
}

/* What the law works with is told: as many poles as count, the input's sign, units by what they are of; what
 * does not fit is refused. */
static void told_and_refused(void **state)
{
  static const struct {
    const char *options, *says;
  } BAD[] = {{"poles=-1,-2,-3,-4", "expected two or three numbers"},
             {"poles=-1", "expected two or three numbers"},
             {"controller=cascade_pi;gains=kp=3 1/s^2", "has dimension"},
             {"controller=cascade_pi;gains=ki=3 1/s", "has dimension"},
             {"noise=a=3rad/s^2", "has dimension"},
             {"noise=v=-1", "out of range"},
             {"noise=q=1", "has no 'q'"},
             {"limit=u=0", "must be > 0"},
             {"track=w", "has no state 'w'"},
             {"system=dc_motor;set=km=20;track=omega;noise=a=3m/s^2", "has dimension"}};
  static const char *const GOOD[] = {"controller=cascade_pi;gains=kp=3 1/s,ki=4 1/s^2", "noise=a=3m/s^2",
                                     "system=dc_motor;set=km=20;track=omega;controller=pi;noise=a=3rad/s^2"};
  br_err err;
  (void)state;
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
    err = (br_err){BR_OK, -1, ""};
    br_job *job = job_of(BAD[i].options, &err);
    if (job || !strstr(err.msg, BAD[i].says)) fail_msg("%s: %s", BAD[i].options, job ? "taken" : err.msg);
  }
  for (size_t i = 0; i < sizeof GOOD / sizeof GOOD[0]; i++) {
    br_job *job = job_of(GOOD[i], &err);
    if (!job) fail_msg("%s: %s", GOOD[i], err.msg);
    br_job_destroy(job);
  }
  br_result *two = ask("poles=-35,-30", 0, NULL), *three = ask("poles=-35,-30,-20;integral=yes", 0, NULL);
  assert_true(br_result_length(two, "poles") == 2 && br_result_length(three, "poles") == 3);
  assert_true(br_result_real(three, "poles.2") == -20);
  assert_true(br_result_real(two, "gamma") == -2); /* y'' = .. + k u / m */
  br_result_destroy(two), br_result_destroy(three);
  br_result *r = ask("controller=feedback_linearization;law=published;sample=0;reference=ramp:0.1;set=m=2,k="
                     "2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=2",
                     0, NULL);
  double size = 0; /* sigma1 delta / (m vs^delta) = 107 2 / (2 0.01) */
  const char *text = strstr(br_result_text(r, "note"), "about ");
  assert_non_null(text);
  assert_int_equal(sscanf(text, "about %lf", &size), 1);
  assert_true(size == 10700);
  br_result_destroy(r);
}

/* A delay of nearly a whole sample is one of a whole sample, of nearly nothing is none: what is measured of u
 * follows. */
#define RISES "controller=pi;gains=kp=1,ki=1;reference=ramp:1;t-end=0.2;" /* u is largest at the end */
static void parts_of_a_sample(void **state)
{
  static const char *const PAIRS[][2] = {{RISES "delay=0.9999999ms", RISES "delay=1ms"},
                                         {RISES "delay=1e-10", RISES "delay=0"}};
  static const char *const VALUES[] = {"peak_control", "rms_control", "error_rms"};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    br_result *a = ask(PAIRS[i][0], 0, NULL), *b = ask(PAIRS[i][1], 0, NULL);
    for (size_t k = i == 0 ? 1 : 0; k < 3;
         k++) { /* the control asked for last acts for a moment, or not at all */
      const double x = br_result_real(a, VALUES[k]), y = br_result_real(b, VALUES[k]);
      if (!(fabs(x - y) <= 1e-5 * y))
        fail_msg("%s: %s %.9g, %.9g with %s", PAIRS[i][0], VALUES[k], x, y, PAIRS[i][1]);
    }
    br_result_destroy(a), br_result_destroy(b);
  }
  br_result *r = ask("reference=step:0.1;t-end=1;sample=2ms", 0, NULL); /* settled between two samples */
  const double in_samples = br_result_real(r, "settling_time") / 0.002;
  assert_true(in_samples > 1 && fabs(in_samples - round(in_samples)) > 1e-6);
  br_result_destroy(r);
}

/* A loop that starts within the band has settled at once; one that only passes through it has not. */
static void settled_or_not(void **state)
{
#define SERVO "system=mass_spring;set=m=1,ks=0;track=x;controller=pi;reference=step:1;sample=0;"
  (void)state;
  br_result *r = ask(SERVO "gains=kp=3,ki=4;init=x=0.99;t-end=1", 0, NULL);
  assert_true(br_result_real(r, "settling_time") == 0);
  br_result_destroy(r);
  r = ask(SERVO "gains=kp=30,ki=4;t-end=0.5", 0, NULL);
  assert_true(br_result_real(r, "error_end") < -0.02 && isnan(br_result_real(r, "settling_time")));
  br_result_destroy(r);
}

static void has_columns(const br_result_table *t, const char *const (*want)[2], size_t n)
{
  assert_non_null(t);
  assert_int_equal(t->ncol, n);
  for (size_t i = 0; i < n; i++) {
    assert_string_equal(t->columns[i].name, want[i][0]);
    assert_string_equal(t->columns[i].unit, want[i][1]);
  }
}

static void rows_of_a_run(void **state)
{
  static const char *const BLOCK[][2] = {{"t", "s"},   {"r", "m/s"}, {"y", "m/s"}, {"e", "m/s"},
                                         {"u", "m/s"}, {"F", "N"},   {"l", "m"},   {"z", "m"},
                                         {"e1", "m"},  {"e2", "m"},  {"e3", "m/s"}};
  (void)state;
  br_result *r = ask("sample=0", 0, "control");
  const br_result_table *t = br_result_table_find(r, "control");
  has_columns(t, BLOCK, 11);
  assert_true(t->data && t->rows == 1001); /* t-end/1000 */
  double worst = 0;
  for (size_t i = 0; i < t->rows; i++) {
    const double *x = t->data + 11 * i;
    assert_true(x[3] == x[1] - x[2]);
    worst = fmax(worst, fabs(x[3]));
  }
  assert_true(worst <= br_result_real(r, "error_max") && worst > 0.9 * br_result_real(r, "error_max"));
  assert_true(t->data[11 * 1000 + 3] == br_result_real(r, "error_end"));
  const char *unit = NULL;
  double x = 0;
  assert_true(br_result_number(r, "peak_control", &x, &unit) && strcmp(unit, "m/s") == 0);
  br_result_destroy(r);
  r = ask("sample=0;reference=step:0.5;t-end=0.5", 0,
          "control"); /* the wanted deflection is that of sliding at 0.5 m/s */
  t = br_result_table_find(r, "control");
  const double *end = t->data + 11 * (t->rows - 1), wanted = (2.94 + 2.94 * exp(-5)) / 2900;
  assert_true(fabs(end[9] + end[7] - wanted) < 1e-9 * wanted && end[10] == end[3]);
  br_result_destroy(r);
  r = ask("sample=0;output-dt=10ms", 0, "control");
  assert_int_equal(br_result_table_find(r, "control")->rows, 11);
  br_result_destroy(r);
  r = ask("system=dc_motor;set=Fc=1,Fs=1.5;controller=pi;gains=kp=1e-6,ki=1e-6;t-end=0.01", 0,
          "control"); /* friction is a moment */
  assert_string_equal(br_result_table_find(r, "control")->columns[5].unit, "N m");
  br_result_destroy(r);
}

static void scores_of_a_comparison(void **state)
{
  static const char *const COLUMNS[][2] = {
      {"controller", ""}, {"nominal", "m/s"}, {"worst", "m/s"}, {"combined", "m/s"}, {"hardest", "m/s"},
      {"median", "m/s"},  {"p95", "m/s"},     {"lost", ""},     {"drawn", ""},       {"rms_control", "m/s"}};
  (void)state;
  br_result *r = ask("compare=yes;uncertain=Fc,m;samples=2;limit=u=5;noise=v=1e-3", 0, "*");
  has_columns(br_result_table_find(r, "compare"), COLUMNS, 10);
  const size_t last = br_result_length(r, "controllers") - 1;
  char path[64];
  (void)snprintf(path, sizeof path, "controllers.%zu.name", last);
  assert_string_equal(br_result_text(r, path), "as given");
  /* the nominal case has neither limit nor noise nor delay; the window is the whole of this motion */
  (void)snprintf(path, sizeof path, "controllers.%zu.nominal", last);
  br_result *plain = ask("rtol=1e-6", 0, NULL);
  assert_true(br_result_real(r, path) == br_result_real(plain, "error_rms"));
  br_result_destroy(plain);
  assert_true(br_result_real(r, "from") == 0 && br_result_real(r, "to") == 0.1 &&
              br_result_real(r, "delay") == 1e-3);
  assert_true(br_result_real(r, "corners") == 4 && br_result_real(r, "friction_corners") == 2);
  (void)snprintf(path, sizeof path, "controllers.%zu.hardest_corner", last);
  assert_true(strncmp(br_result_text(r, path), "Fc", 2) == 0 && !strchr(br_result_text(r, path), 'm'));
  (void)snprintf(path, sizeof path, "controllers.%zu.worst_corner", last);
  assert_non_null(strstr(br_result_text(r, path), " m"));
  (void)snprintf(path, sizeof path, "controllers.%zu.combined", last);
  br_result *late = ask("compare=yes;uncertain=Fc,m;samples=0;limit=u=5;noise=v=1e-3;delay=3ms", 0, NULL);
  assert_true(br_result_real(late, "delay") == 3e-3 && br_result_real(late, path) != br_result_real(r, path));
  br_result_destroy(late);
  br_result_destroy(r);
}

/* The picture of errors has the largest error of each sixtieth of the run of every controller, as its rows
 * have it. */
static void errors_of_a_picture(void **state)
{
  enum { BINS = 60 };
  (void)state;
  br_result *r =
      ask("compare=yes;responses=yes;samples=0;uncertain=m;t-end=1;reference=sine:1,3;poles=-30,-20", 0, "*");
  const br_result_table *errors = br_result_table_find(r, "errors"), *t;
  size_t runs = 0;
  assert_non_null(errors);
  assert_int_equal(errors->ncol, 3);
  for (size_t i = 0; (t = br_result_tables(r, i)) != NULL; i++) {
    if (strncmp(t->name, "response-", 9) != 0 && strncmp(t->name, "close-", 6) != 0) continue;
    double within[BINS] = {0}, all[BINS] = {0}; /* rows on an edge may count to either side */
    for (size_t k = 0; k < t->rows; k++) {
      const double *x = t->data + t->ncol * k, at = x[0] * BINS, e = fabs(x[1] - x[2]);
      assert_true(x[3] == x[1] - x[2] && x[4] == e);
      for (int b = 0; b < BINS; b++) {
        if (at > b + 1e-6 && at < b + 1 - 1e-6) within[b] = fmax(within[b], e);
        if (at > b - 1e-6 && at < b + 1 + 1e-6) all[b] = fmax(all[b], e);
      }
    }
    size_t found = 0;
    for (size_t from = 0; from + BINS <= errors->rows; from += BINS) {
      int fits = 1;
      for (int b = 0; b < BINS; b++) {
        const double *x = errors->data + 3 * (from + (size_t)b), e = pow(10, x[2]);
        assert_true(fabs(x[0] - (b + 0.5) / BINS) < 1e-12 && x[1] == errors->data[3 * from + 1]);
        fits = fits && e >= within[b] * (1 - 1e-9) && e <= all[b] * (1 + 1e-9);
      }
      found += (size_t)fits;
    }
    if (found != 1) fail_msg("%s: %zu rows of the picture have its errors", t->name, found);
    runs++;
  }
  assert_true(runs > 3 && errors->rows >= BINS * runs);
  br_result_destroy(r);
}

/* The loop is linearised where it was asked for, else at the largest speed of the reference, which is its
 * size where it is a velocity and that of its slope where it is a position; without motion at ten Stribeck
 * velocities. */
static void speed_of_sliding(void **state)
{
#define PLACE \
  "bode=yes;system=mass_spring;set=m=1,ks=0,vs=0.02;track=x;controller=pid;t-end=1;sample=0;reference="
#define SPEED "bode=yes;t-end=1;sample=0;reference="
  static const struct {
    const char *options;
    double speed;
  } CASES[] = {{PLACE "sine:0.01,2", 0.01 * 2 * 6.283185307179586},
               {PLACE "ramp:-0.3", 0.3},
               {PLACE "pwl:0,0,0.5,0.1,1,-0.3", 0.8},
               {PLACE "step:0.5", 0.2},
               {PLACE "ramp:-0.3;speed=0.05", 0.05},
               {SPEED "sine:0.4,2", 0.4},
               {SPEED "ramp:-0.3", 0.3},
               {SPEED "step:0.5", 0.5},
               {SPEED "step:0", 1},
               {SPEED "step:0.5;speed=0.7", 0.7}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_result *r = ask(CASES[i].options, 0, NULL);
    const double v = br_result_real(r, "bode.sliding.speed");
    if (!(fabs(v - CASES[i].speed) <= 1e-4 * CASES[i].speed)) fail_msg("%s: %.9g m/s", CASES[i].options, v);
    assert_true(br_result_real(r, "bode.stick.speed") == 0);
    br_result_destroy(r);
  }
}

/* Who cannot run on this mechanism has an empty score, and a picture has places only. */
static void who_does_not_fit(void **state)
{
  (void)state;
  br_result *r = ask("compare=yes;model=bouc_wen;system=driven_block;set=m=1;uncertain=m;samples=1", 0, "*");
  size_t misfits = 0, rows = 0;
  for (size_t i = 0; i < br_result_length(r, "controllers"); i++) {
    char path[2][64];
    (void)snprintf(path[0], 64, "controllers.%zu.fits", i);
    (void)snprintf(path[1], 64, "controllers.%zu.nominal", i);
    misfits += br_result_real(r, path[0]) == 0;
    assert_int_equal(br_result_real(r, path[0]) == 0, isnan(br_result_real(r, path[1])));
  }
  const br_result_table *t = NULL;
  for (size_t i = 0; (t = br_result_tables(r, i)) != NULL; i++)
    for (size_t k = 0; strncmp(t->name, "mark-", 5) == 0 && k < t->rows; k++, rows++)
      assert_true(t->data[2 * k] > 0 && isfinite(t->data[2 * k]));
  assert_true(misfits > 0 && rows > 0);
  br_result_destroy(r);
}

/* Before anything is computed. */
static void refused_in_time(void **state)
{
#define MAP "map=yes;reference=step:1;sample=0;controller=pid;"
  static const char *const WRONG[][2] = {{"compare=yes;part=1", "must be >= 0 and < 1"},
                                         {"compare=yes;uncertain=Fc,,m", "an empty name"},
                                         {"window=0.2:0.3", "must begin at 0 or later and before the end"},
                                         {"gains=kp=1x", "is not NAME=NUMBER"},
                                         {"limit=u=0", "must be > 0"},
                                         {"noise=v=-1", "must be >= 0"},
                                         {"poles=-1,0", "must be < 0"},
                                         {MAP "vary=ki=2:1;vary2=Fs/Fc=1:2", "A must lie below B"},
                                         {MAP "vary=ki=1:2;vary2=Fs/Fc=2:2", "A must lie below B"},
                                         {MAP "vary=ki=1:2", "vary2 NAME=A:B"}};
  (void)state;
  for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
    br_err err = {BR_OK, -1, ""};
    if (job_of(WRONG[i][0], &err)) fail_msg("'%s' is taken", WRONG[i][0]);
    if (!strstr(err.msg, WRONG[i][1])) fail_msg("'%s' lacks '%s'", err.msg, WRONG[i][1]);
  }
}

static void gains_found(void **state)
{
  (void)state;
#define TUNE "controller=pi;gains=kp=1,ki=1;tune=kp;limit=u=50;part=0;reference=step:1;t-end=0.5;"
  br_result *r = ask(TUNE "validate=sine:1,0.5", 0, NULL), *dear = ask(TUNE "cost=1", 0, NULL);
  assert_true(br_result_real(r, "cost_after") < br_result_real(r, "cost_before"));
  assert_true(br_result_real(r, "gains.kp") != br_result_real(dear, "gains.kp"));
  br_result *before =
      ask("controller=pi;gains=kp=1,ki=1;limit=u=50;reference=sine:1,0.5;t-end=0.5;rtol=1e-6", 0, NULL);
  assert_true(br_result_real(r, "validation.error_rms_before") == br_result_real(before, "error_rms"));
  assert_true(br_result_real(r, "validation.rms_control_before") == br_result_real(before, "rms_control"));
  assert_true(br_result_real(r, "validation.error_rms_after") != br_result_real(before, "error_rms"));
  br_result_destroy(before);
  br_result_destroy(dear);
  br_result_destroy(r);
}

/* Every cell of a map is either in the picture of what hunts or in that of the rest. */
static void cells_of_a_map(void **state)
{
  (void)state;
  br_result *r = ask("system=mass_spring;set=m=1,ks=0;track=x;controller=pid;gains=kp=3,ki=4,kd=6,tf=1e-3;"
                     "reference=step:1;t-end=50;sample=0;map=yes;vary=ki=1:4;vary2=Fs/Fc=1:1.5;grid=2",
                     0, "*");
  const br_result_table *map = br_result_table_find(r, "map");
  assert_true(map && map->data && map->rows == 8 && map->ncol == 7);
  static const double AT[4][2] = {{1, 1}, {1, 1.5}, {4, 1}, {4, 1.5}};
  for (size_t p = 0; p < 2; p++) {
    char name[32];
    (void)snprintf(name, sizeof name, "hunts-%zu", p + 1);
    const br_result_table *hunts = br_result_table_find(r, name);
    (void)snprintf(name, sizeof name, "rest-%zu", p + 1);
    const br_result_table *rest = br_result_table_find(r, name);
    for (size_t i = 0; i < 4; i++) {
      const double *x = map->data + 7 * (4 * p + i);
      assert_true(x[0] == (double)p + 1 && x[1] == AT[i][0] && x[2] == AT[i][1]);
      const double amplitude = hunts ? hunts->data[3 * i + 2] : NAN,
                   verdict = rest ? rest->data[3 * i + 2] : NAN;
      assert_true(isnan(amplitude) == (x[3] != 0) && isnan(verdict) == (x[3] == 0));
      assert_true(x[3] != 0 || amplitude == x[4]);
      assert_true(x[3] == 0 || verdict == x[3]);
    }
  }
  const double hunting = br_result_real(r, "panels.0.hunts");
  assert_true(hunting > 0 && hunting < 4 && br_result_real(r, "panels.1.hunts") == 0);
  br_result_destroy(r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(statistics_of_draws),    cmocka_unit_test(options_change_the_run),
      cmocka_unit_test(told_and_refused),       cmocka_unit_test(parts_of_a_sample),
      cmocka_unit_test(settled_or_not),         cmocka_unit_test(rows_of_a_run),
      cmocka_unit_test(scores_of_a_comparison), cmocka_unit_test(gains_found),
      cmocka_unit_test(who_does_not_fit),       cmocka_unit_test(refused_in_time),
      cmocka_unit_test(cells_of_a_map),         cmocka_unit_test(errors_of_a_picture),
      cmocka_unit_test(speed_of_sliding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
