/* SPDX-License-Identifier: Apache-2.0
 * test_parts.c - parts of this room against closed forms: numbers and comments of headers, corners, what
 * settings are refused, poles placed, statistics of noise and errors of a run, overshoot, what a tuning is
 * given back, axes of a map. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "bristle/mechanism.h"
#include "control/controller.h"
#include "control/emit.h"
#include "control/loop.h"
#include "control/run.h"
#include "control/trial.h"
#include "kit.h"

/* ---- headers ---- */

typedef struct {
  char text[400];
  size_t used;
} page;

static int put(void *ctx, const char *text, size_t n)
{
  page *p = ctx;
  if (p->used + n >= sizeof p->text) return 1;
  memcpy(p->text + p->used, text, n);
  p->text[p->used += n] = '\0';
  return 0;
}

/* Every number reads back as it is: its sign, its digits, those of a float where the header is in single
 * precision. */
static void numbers_of_headers(void **state)
{
  static const double X[] = {0.1, -3, 1e6, 123456, 0, -0.0, 1.0 / 3, 5e-324, 1.7e308};
  (void)state;
  for (int f32 = 0; f32 < 2; f32++)
    for (size_t i = 0; i < sizeof X / sizeof X[0]; i++) {
      page p = {"", 0};
      bri_emit e = {.put = put, .ctx = &p, .f32 = f32};
      if (f32 && (X[i] > 1e38 || (X[i] != 0 && fabs(X[i]) < 1e-38))) continue;
      bri_emit_real(&e, X[i]);
      char *end = NULL;
      const double want = f32 ? (double)(float)X[i] : X[i], got = strtod(p.text, &end);
      assert_true(got == want && signbit(got) == signbit(want));
      assert_string_equal(end, f32 ? "f" : "");
    }
  static const struct {
    double x;
    const char *text, *single;
  } ENDS[] = {{INFINITY, "__builtin_inf()", "__builtin_inff()"},
              {-INFINITY, "-__builtin_inf()", "-__builtin_inff()"},
              {NAN, "__builtin_nan(\"\")", "__builtin_nanf(\"\")"}};
  for (int i = 0; i < 6; i++) {
    page p = {"", 0};
    bri_emit e = {.put = put, .ctx = &p, .f32 = i % 2};
    bri_emit_real(&e, ENDS[i / 2].x);
    assert_string_equal(p.text, i % 2 ? ENDS[i / 2].single : ENDS[i / 2].text);
  }
  page p = {"", 0};
  bri_emit e = {.put = put, .ctx = &p};
  bri_emit_comment(&e, "a */ b /* c\nd");
  assert_null(strstr(p.text, "*/"));
  assert_null(strstr(p.text, "/*"));
  assert_non_null(strstr(p.text, "\n * d"));
}

static void names_of_headers(void **state)
{
  static const struct {
    const char *name;
    int good;
  } NAMES[] = {{"joint", 1}, {"Joint_2", 1}, {"2joint", 0}, {"_joint", 0}, {"br_x", 0}, {"brn_x", 0},
               {"brx", 1},   {"", 0},        {"a-b", 0},    {"a b", 0},    {NULL, 0}};
  br_err err;
  (void)state;
  for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
    br_control_export_options o = br_control_export_default();
    o.name = NAMES[i].name, o.sample = 1e-3;
    assert_int_equal(bri_export_check(&o, NULL, &err), NAMES[i].good ? BR_OK : BR_E_NAME);
  }
  static const double SAMPLES[] = {0, -1, INFINITY, NAN};
  for (size_t i = 0; i < 4; i++) {
    br_control_export_options o = br_control_export_default();
    o.name = "joint", o.sample = SAMPLES[i];
    assert_int_equal(bri_export_check(&o, NULL, &err), BR_E_RANGE);
  }
  br_control_export_options o = br_control_export_default();
  o.name = "joint", o.sample = 1e-3;
  br_model own = *br_model_find("lugre"); /* one of the caller's, whatever its name */
  assert_int_equal(bri_export_check(&o, &own, &err), BR_E_UNSUPPORTED);
  assert_int_equal(bri_export_check(&o, br_model_find("lugre"), &err), BR_OK);
}

/* A header says its precision, asks for an acceleration where the law takes one, and its self-test looks at
 * the flags. */
static char whole[1 << 20];
static size_t whole_used;
static int keep(void *ctx, const char *text, size_t n)
{
  (void)ctx;
  if (whole_used + n >= sizeof whole) return 1;
  memcpy(whole + whole_used, text, n);
  whole[whole_used += n] = '\0';
  return 0;
}

static void heads(void **state)
{
  br_control_export_options o = br_control_export_default();
  kit k;
  (void)state;
  o.name = "joint", o.sample = 1e-3;
  for (int i = 0; i < 4; i++) { /* the velocity of a block that is pulled: y' is an acceleration */
    const int takes = i < 2;
    kit_open(&k, takes ? "pulled_block" : "mass_spring", "lugre", takes ? KIT_PAPER : "m=1,ks=5", NULL,
             BR_CONTROL_SLIDING_MODE);
    assert_int_equal(kit_init(&k, takes ? 1 : 0), BR_OK);
    o.f32 = i % 2, whole_used = 0;
    if (br_control_export(&k.c, &o, keep, NULL, &k.err)) fail_msg("%s", k.err.msg);
    assert_int_equal(strstr(whole, "acceleration a") != NULL, takes);
    whole_used = 0;
    if (br_model_export(k.mod, k.job.mpar, &o, keep, NULL, &k.err)) fail_msg("%s", k.err.msg);
    assert_non_null(strstr(whole, i % 2 ? "in single precision" : "in double precision"));
    assert_non_null(strstr(whole, "return e.flags ? "));
    kit_close(&k);
  }
}

/* ---- wrong parameters ---- */

static void corners_and_names(void **state)
{
  double f[3];
  kit k;
  bri_wrong w;
  const char *names[32];
  (void)state;
  bri_corner(5, 3, 0.2, f); /* bits from the first name on */
  assert_true(f[0] == 1.2 && f[1] == 0.8 && f[2] == 1.2);
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_PI);
  const size_t n = br_control_uncertain(&k.job, 32, names);
  for (size_t i = 0; i < n; i++) { /* what is 0 or a plain number is not uncertain */
    assert_string_not_equal(names[i], "sigma2");
    assert_string_not_equal(names[i], "delta");
  }
  assert_int_equal(n, 7); /* sigma0, sigma1, Fc, Fs, vs; m, k */
  const char *const GOOD[] = {"m", "Fc"}, *const VECTOR[] = {"g_v"}, *const NONE[] = {"Fd"};
  assert_int_equal(bri_wrong_find(&k.job, GOOD, 2, &w, &k.err), BR_OK);
  assert_true(w.n == 2 && !w.of_model[0] && w.of_model[1]);
  assert_int_equal(bri_wrong_find(&k.job, VECTOR, 1, &w, &k.err), BR_E_NAME);
  assert_int_equal(bri_wrong_find(&k.job, NONE, 1, &w, &k.err), BR_E_NAME);
  kit_close(&k);
}

/* ---- settings ---- */

static void settings_are_checked(void **state)
{
  br_control_settings s = br_control_settings_default(BR_CONTROL_OBSERVER);
  kit k;
  (void)state;
  assert_true(s.poles[0] == -100 && s.poles[1] == -100 && s.poles[2] == -100);
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_OBSERVER);
  s = k.set;
  assert_int_equal(kit_init(&k, 1), BR_OK);
  static const double POLES[] = {0, 3, NAN, -INFINITY};
  for (int i = 0; i < 4; i++) {
    k.set = s, k.set.poles[i % 3] = POLES[i];
    assert_int_equal(kit_init(&k, 1), BR_E_RANGE);
  }
  static const double LIMITS[] = {0, -1, NAN};
  for (int i = 0; i < 3; i++) {
    k.set = s, k.set.limit = LIMITS[i];
    assert_int_equal(kit_init(&k, 1), BR_E_RANGE);
  }
  k.set = s;
  assert_int_equal(kit_init(&k, k.sys->nrows), BR_E_ARG);
  k.set.kind = BR_CONTROL_FEEDBACK_LINEARIZATION, k.set.law = BR_LAW_PUBLISHED;
  assert_int_equal(kit_init(&k, 1), BR_OK);
  kit_close(&k);
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_FEEDBACK_LINEARIZATION);
  k.set.law = BR_LAW_PUBLISHED;
  assert_int_equal(br_params_set_list(k.belief, "vd=0.3", &k.err), BR_OK); /* a falling sigma1 */
  assert_int_equal(br_params_finish(k.belief, &k.err), BR_OK);
  assert_int_equal(kit_init(&k, 1), BR_E_UNSUPPORTED);
  kit_close(&k);
}

/* (s + a)(s + b)(s + d): coefficients of the error's equation. */
static void poles_are_placed(void **state)
{
  kit k;
  (void)state;
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_FEEDBACK_LINEARIZATION);
  k.set.poles[0] = -2, k.set.poles[1] = -3, k.set.poles[2] = -5;
  assert_int_equal(kit_init(&k, 1), BR_OK);
  assert_int_equal(k.c.degree, 2);
  assert_true(k.c.k2 == 5 && k.c.k1 == 6 && k.c.ki == 0);
  k.set.integral = 1;
  assert_int_equal(kit_init(&k, 1), BR_OK);
  assert_true(k.c.k2 == 10 && k.c.k1 == 31 && k.c.ki == 30);
  kit_close(&k);
  kit_open(&k, "mass_spring", "lugre", "m=1,ks=0", NULL, BR_CONTROL_FEEDBACK_LINEARIZATION);
  k.set.poles[0] = -2, k.set.poles[1] = -3, k.set.integral = 1; /* v of a mass under a force: first order */
  assert_int_equal(kit_init(&k, 1), BR_OK);
  assert_int_equal(k.c.degree, 1);
  assert_true(k.c.k1 == 5 && k.c.ki == 6);
  kit_close(&k);
}

/* At the limit the integral forgets at the rate ki / kp: that over what u gains from it, whichever way the
 * input acts. */
static void unwinding(void **state)
{
  static const struct {
    const char *system, *set;
    size_t tracked;
    int sign;
  } CASES[] = {{"mass_spring", "m=1,ks=5", 0, 1},
               {"pulled_block", KIT_PAPER, 1, 1},
               {"pulled_block", KIT_PAPER, 0, 1},
               {"dc_motor", "km=20", 0, 1},
               {"dc_motor", "km=-20", 0, -1}};
  int back = 0;
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    kit k;
    double q[BR_CONTROL_MAX_Q] = {0}, z[BR_CONTROL_MAX_Z] = {0}, x[2][BR_CONTROL_MAX_X] = {{0}}, u[2];
    const br_control_ref ref = {1, 0, 0};
    const br_control_meas meas = {q, z, 0, 0};
    kit_open(&k, CASES[i].system, "lugre", CASES[i].set, NULL, BR_CONTROL_PI);
    k.set.kp = 4, k.set.ki = 6;
    assert_int_equal(kit_init(&k, CASES[i].tracked), BR_OK);
    x[1][k.c.nz] = 1;
    for (int j = 0; j < 2; j++) u[j] = br_control_output(&k.c, &ref, &meas, x[j]);
    assert_true(fabs(k.c.unwind * (u[1] - u[0]) - 1.5) < 1e-12);
    assert_true((k.c.b > 0) == (u[1] > u[0]));
    back += k.c.b < 0;
    kit_close(&k);
  }
  assert_true(back > 0);
}

/* First order with integral action: positive real while s0 (a + b) >= s1 a b. */
static void passive(void **state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    kit k;
    kit_open(&k, "mass_spring", "lugre",
             i ? "m=1,ks=0,sigma0=1e3,sigma1=10,sigma2=2" : "m=1,ks=0,sigma0=1e3,sigma1=30,sigma2=2", NULL,
             BR_CONTROL_OBSERVER);
    k.set.poles[0] = k.set.poles[1] = -100, k.set.integral = 1;
    assert_int_equal(kit_init(&k, 1), BR_OK);
    assert_int_equal(k.c.degree, 1);
    assert_int_equal(br_control_passive(&k.c), i);
    kit_close(&k);
  }
}

/* A reference of what drifts by itself says nothing about the contact. */
static void what_the_reference_says(void **state)
{
  static const char *const RATES[] = {"v_a", "v_a + 1", "2*v_a"};
  (void)state;
  for (int i = 0; i < 3; i++) {
    char text[400];
    br_mechanism *m = NULL;
    kit k;
    (void)snprintf(text, sizeof text,
                   "mechanism:\n  inputs: {push: 0 N}\n  bodies: {a: {mass: 1}, w: fixed}\n  connections:\n"
                   "    - force: {on: a, value: push}\n  contacts:\n    - between: [a, w]\n  states: {p: "
                   "{rate: %s, unit: m}}\n",
                   RATES[i]);
    kit_open(&k, "mass_spring", "lugre", "m=1,ks=5", NULL, BR_CONTROL_FEEDFORWARD);
    if (br_mechanism_parse("text", text, strlen(text), &m, &k.err)) {
      if (k.err.code == BR_E_UNSUPPORTED) { /* a build that reads no YAML */
        kit_close(&k);
        return;
      }
      fail_msg("%s", k.err.msg);
    }
    const br_system *s = br_mechanism_system(m);
    double block[512];
    assert_true(s->slots <= 512);
    memcpy(block, s->initial, s->slots * sizeof *block);
    s->prepare(block);
    size_t p = 0;
    while (strcmp(s->states[p].name, "p") != 0) p++;
    const br_status st = br_control_init(&k.c, &k.set, s, block, k.mod, k.job.mpar, k.mpair, p, &k.err);
    if (st != (i ? BR_E_UNSUPPORTED : BR_OK)) fail_msg("%s: %d %s", RATES[i], st, st ? k.err.msg : "");
    br_mechanism_destroy(m);
    kit_close(&k);
  }
}

/* ---- measures of a run ---- */

typedef struct {
  double sum[2], square[2], accel, accel_square;
  size_t n;
} seen;

/* A controller that does nothing but look at what it is told. */
static double look(void *ctx, const br_control_ref *ref, const br_control_meas *meas, double h)
{
  seen *s = ctx;
  (void)ref, (void)h;
  for (int i = 0; i < 2; i++) s->sum[i] += meas->q[i], s->square[i] += meas->q[i] * meas->q[i];
  s->accel += meas->accel, s->accel_square += meas->accel * meas->accel;
  s->n++;
  return 0;
}

/* Noise has the spread that was asked for, each state its own, and no mean. */
static void noise(void **state)
{
  static const double SPREAD[8] = {0.3, 0.02};
  kit k;
  seen s = {0};
  (void)state;
  kit_open(&k, "mass_spring", "lugre", "m=1,ks=0", NULL, BR_CONTROL_PI);
  k.job.sample = 1e-3, k.job.noise = SPREAD, k.job.noise_accel = 5, k.job.update = look, k.job.ctx = &s,
  k.job.judge = 0;
  assert_int_equal(kit_run(&k, 0, "ramp:0", 8), BR_OK);
  assert_int_equal(s.n, 8000);
  for (int i = 0; i < 2; i++) { /* rest, but for the noise; 8000 samples tell it to 1 % */
    assert_true(fabs(s.sum[i] / 8000) < 4 * SPREAD[i] / sqrt(8000));
    assert_true(fabs(sqrt(s.square[i] / 8000) / SPREAD[i] - 1) < 0.04);
  }
  assert_true(fabs(s.accel / 8000) < 4 * 5 / sqrt(8000) && fabs(sqrt(s.accel_square / 8000) / 5 - 1) < 0.04);
  kit_close(&k);
}

/* A reference that goes down alone while nothing moves: e = -t. */
static void errors_below(void **state)
{
  kit k;
  seen s = {0};
  (void)state;
  kit_open(&k, "mass_spring", "lugre", "m=1,ks=0", NULL, BR_CONTROL_PI);
  k.job.sample = 1e-3, k.job.update = look, k.job.ctx = &s, k.job.judge = 0;
  k.job.window[0] = 0.4, k.job.window[1] = 0.7;
  assert_int_equal(kit_run(&k, 0, "ramp:-1", 1), BR_OK);
  assert_true(fabs(k.out.error_max - 1) < 1e-12 && fabs(k.out.error_end + 1) < 1e-12);
  assert_true(fabs(k.out.error_rms - sqrt((0.343 - 0.064) / 3 / 0.3)) < 1e-6); /* within the window alone */
  k.job.window[1] = 0;
  assert_int_equal(kit_run(&k, 0, "pwl:0,0,0.5,-1", 1), BR_OK); /* rests at -1 from 0.5 s on */
  assert_true(fabs(k.out.rest_from - 0.5) < 1e-9 && fabs(k.out.rest_error_rms - 1) < 1e-9 &&
              k.out.rest_error_max == 1);
  kit_close(&k);
  assert_true(bri_overshoot(0, 2, 0, 2.5) == 0.25 && bri_overshoot(0, -2, -2.5, 0) == 0.25);
  assert_true(bri_overshoot(1, 3, 0.5, 2.9) == 0 && isnan(bri_overshoot(1, 1, 0, 2)));
}

/* A loop of fixed step tells the same of its control as the exact one, which pulls down here. */
static void fixed_steps_measure_alike(void **state)
{
  br_control_result r[2];
  kit k;
  (void)state;
  for (int fixed = 0; fixed < 2; fixed++) {
    kit_open(&k, "mass_spring", "lugre", "m=1,ks=5,sigma0=1e3,sigma1=30,sigma2=2,Fc=0.5,Fs=0.6,vs=0.1", NULL,
             BR_CONTROL_PID);
    k.set.kp = 30, k.set.kd = 8, k.set.ki = 0, k.job.judge = 0;
    k.job.window[0] = 0.5, k.job.window[1] = 1.2;
    if (fixed) k.job.fixed = 1e-4, k.job.fixed_order = 2;
    assert_int_equal(kit_run(&k, 0, "pwl:0,0,2,-1", 2), BR_OK);
    r[fixed] = k.out;
    k.job.fixed = 1e-4, k.job.fixed_order = 5;
    assert_int_equal(br_control_run(&k.job, &k.c, &k.out, &k.err), BR_E_ARG);
    kit_close(&k);
  }
  assert_true(r[0].peak_control > 1 && r[0].rms_control > 1);
  assert_true(fabs(r[1].peak_control / r[0].peak_control - 1) < 1e-3);
  assert_true(fabs(r[1].rms_control / r[0].rms_control - 1) < 1e-3);
  assert_true(fabs(r[1].error_rms / r[0].error_rms - 1) < 1e-3);
}

/* The control of a continuous loop stays within its limit to both sides; a controller of another plant is
 * refused. */
static void limits_and_sizes(void **state)
{
  kit k, other;
  (void)state;
  for (int side = -1; side <= 1; side += 2) {
    kit_open(&k, "mass_spring", "lugre", "m=1,ks=5", NULL, BR_CONTROL_PID);
    k.set.limit = 3, k.job.judge = 0;
    assert_int_equal(kit_run(&k, 0, side < 0 ? "step:-1" : "step:1", 0.5), BR_OK);
    assert_true(fabs(k.out.peak_control - 3) < 1e-12);
    kit_close(&k);
  }
  kit_open(&k, "mass_spring", "lugre", "m=1,ks=5", NULL, BR_CONTROL_PID);
  kit_open(&other, "mass_spring", "bliman_sorine", "m=1,ks=5", NULL, BR_CONTROL_PID);
  assert_int_equal(kit_init(&other, 0), BR_OK);
  assert_int_equal(kit_run(&k, 0, "step:1", 0.1), BR_OK);
  assert_int_equal(br_control_run(&k.job, &other.c, &k.out, &k.err), BR_E_ARG);
  kit_close(&k), kit_close(&other);
}

/* ---- comparison ---- */

/* The hard cases have the limit and the delay, one sample where none is given; who does worse than nothing at
 * all is lost. */
static void hard_cases(void **state)
{
  br_control_comparison w = br_control_comparison_default();
  br_control_entry e;
  br_control_score score[3];
  br_control_result r;
  bri_wrong none;
  kit k;
  (void)state;
  kit_open(&k, "mass_spring", "lugre", "m=1,ks=0,sigma0=1e3,sigma1=30,sigma2=0.1,Fc=0.1,Fs=0.1", NULL,
           BR_CONTROL_PID);
  if (br_signal_parse("sine:1,0.5", &k.reference, &k.err)) fail_msg("%s", k.err.msg);
  k.job.reference = k.reference, k.job.t_end = 4, k.job.sample = 20e-3, k.job.rtol = 1e-6, k.job.judge = 0;
  w.job = &k.job, w.tracked = 0, w.samples = 3, w.part = 0, w.limit = 15, w.threads = 1;
  e = (br_control_entry){"pid", k.set};
  e.set.kp = 100, e.set.kd = 20, e.set.ki = 0;
  assert_int_equal(bri_wrong_find(&k.job, NULL, 0, &none, &k.err), BR_OK);
  for (int i = 0; i < 3; i++) {
    w.delay = i == 0 ? NAN : i == 1 ? 20e-3 : 0;
    if (br_control_compare(&w, &e, 1, &score[i], &k.err)) fail_msg("%s", k.err.msg);
  }
  assert_true(score[0].combined == score[1].combined && score[0].combined != score[2].combined);
  br_control_case job = k.job;
  br_control_settings set = e.set;
  job.delay = 20e-3, set.limit = 15;
  assert_int_equal(bri_trial(&job, &set, 0, &none, NULL, &r, &k.err), BR_OK);
  assert_true(fabs(score[0].combined / r.error_rms - 1) < 1e-9 && fabs(r.peak_control - 15) < 1e-9);
  assert_int_equal(bri_trial(&k.job, &e.set, 0, &none, NULL, &r, &k.err), BR_OK);
  assert_true(fabs(score[0].nominal / r.error_rms - 1) < 1e-9 && r.peak_control > 15);
  assert_int_equal(score[0].drawn, 3);
  e.set.kd = 0, w.delay = 60e-3; /* undamped: it swings against its limit, and leaves more than who rests */
  if (br_control_compare(&w, &e, 1, &score[0], &k.err)) fail_msg("%s", k.err.msg);
  assert_true(isfinite(score[0].median) && score[0].median > 1.5 * sqrt(0.5));
  assert_int_equal(score[0].lost, 3);
  e.set.kp = 20, e.set.kd = 8, w.delay = 0;
  if (br_control_compare(&w, &e, 1, &score[0], &k.err)) fail_msg("%s", k.err.msg);
  assert_true(score[0].median < sqrt(0.5) && score[0].lost == 0);
  kit_close(&k);
}

/* ---- tuning ---- */

/* The cost before is that of a run: rms e + weight rms u; gains come back where they are better, within their
 * span, after as many runs as were allowed. */
static void tuning(void **state)
{
  const char *const GAINS[] = {"kp", "ki"};
  br_control_tuning t = br_control_tuning_default();
  br_control_tuned out;
  br_control_result r;
  kit k;
  (void)state;
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_PI);
  if (br_signal_parse("sine:1,0.5", &k.reference, &k.err)) fail_msg("%s", k.err.msg);
  k.job.reference = k.reference, k.job.t_end = 0.2, k.job.sample = 1e-3, k.job.rtol = 1e-6;
  t.job = &k.job, t.tracked = 1, t.gains = GAINS, t.ngain = 2, t.part = 0, t.weight = 0.01, t.threads = 1;
  t.max_evals = 12, t.span = 4;
  br_control_settings set = k.set;
  assert_int_equal(bri_trial(&k.job, &set, 1, NULL, NULL, &r, &k.err), BR_OK);
  assert_int_equal(br_control_tune(&t, &set, &out, &k.err), BR_OK);
  assert_true(fabs(out.before - (r.error_rms + 0.01 * r.rms_control)) < 1e-12 * out.before);
  assert_true(out.after < out.before && out.evaluations >= 3 && out.evaluations <= 12 + 3);
  assert_int_equal(bri_trial(&k.job, &set, 1, NULL, NULL, &r, &k.err), BR_OK);
  assert_true(fabs(out.after - (r.error_rms + 0.01 * r.rms_control)) < 1e-9 * out.after);
  for (int i = 0; i < 2; i++) {
    const double by = i ? set.ki / k.set.ki : set.kp / k.set.kp;
    assert_true(by > 0.25 * (1 - 1e-9) && by < 4 * (1 + 1e-9));
  }
  set = k.set, set.ki = 0; /* no factor brings that anywhere */
  assert_int_equal(br_control_tune(&t, &set, &out, &k.err), BR_E_RANGE);
  kit_close(&k);
}

/* ---- maps ---- */

/* The ends of an axis are cells; a ratio moves its first number, and what the controller believes keeps its
 * own. */
static void axes_of_a_map(void **state)
{
  br_control_result cell[3];
  br_control_map m = {0};
  kit k;
  (void)state;
  kit_open(&k, "mass_spring", "lugre", "m=1,ks=0,sigma0=1e3,sigma1=30,sigma2=2,Fc=0.5,Fs=0.75,vs=0.1", NULL,
           BR_CONTROL_PID);
  k.set.kp = 30, k.set.kd = 8, k.set.ki = 5;
  if (br_signal_parse("step:1", &k.reference, &k.err)) fail_msg("%s", k.err.msg);
  k.job.reference = k.reference, k.job.t_end = 1, k.job.rtol = 1e-6, k.job.judge = 0;
  m.job = &k.job, m.set = &k.set, m.tracked = 0, m.nx = 3, m.ny = 1, m.threads = 1;
  m.x = (br_control_axis){"Fs/Fc", 1.2, 1.8}, m.y = (br_control_axis){"kp", 30, 30};
  assert_int_equal(br_control_hunting_map(&m, cell, &k.err), BR_OK);
  for (int i = 0; i < 3; i++) { /* the same as a run of that plant */
    kit one;
    char list[120];
    (void)snprintf(list, sizeof list, "m=1,ks=0,sigma0=1e3,sigma1=30,sigma2=2,Fc=0.5,Fs=%.17g,vs=0.1",
                   0.5 * (1.2 + 0.3 * i));
    kit_open(&one, "mass_spring", "lugre", list, NULL, BR_CONTROL_PID);
    one.set = k.set, one.job.rtol = 1e-6, one.job.judge = 0;
    assert_int_equal(kit_run(&one, 0, "step:1", 1), BR_OK);
    if (!(fabs(cell[i].error_rms / one.out.error_rms - 1) < 1e-9))
      fail_msg("cell %d: %.12g, not %.12g", i, cell[i].error_rms, one.out.error_rms);
    kit_close(&one);
  }
  m.nx = 1001;
  assert_int_equal(br_control_hunting_map(&m, cell, &k.err), BR_E_RANGE);
  m.nx = 1;
  /* a mass twice as large, and a controller that believed in 0.8 of it believes in 0.8 of the new one */
  double spar[16], belief[16];
  memcpy(spar, k.job.spar, k.sys->slots * sizeof *spar), memcpy(belief, spar, sizeof belief);
  const size_t at = k.sys->params[0].slot;
  br_control_settings law = br_control_settings_default(BR_CONTROL_FEEDBACK_LINEARIZATION);
  belief[at] = 0.8, m.set = &law, m.spar = belief, m.x = (br_control_axis){"m", 2, 2},
  m.y = (br_control_axis){"vs", 0.1, 0.1};
  assert_int_equal(br_control_hunting_map(&m, cell, &k.err), BR_OK);
  kit heavy;
  kit_open(&heavy, "mass_spring", "lugre", "m=2,ks=0,sigma0=1e3,sigma1=30,sigma2=2,Fc=0.5,Fs=0.75,vs=0.1",
           "m=1.6", BR_CONTROL_FEEDBACK_LINEARIZATION);
  heavy.job.rtol = 1e-6, heavy.job.judge = 0;
  assert_int_equal(kit_run(&heavy, 0, "step:1", 1), BR_OK);
  assert_true(fabs(cell[0].error_rms / heavy.out.error_rms - 1) < 1e-9);
  kit_close(&heavy), kit_close(&k);
}

/* ---- what varies ---- */

/* Corners of a load and switches are where the solver must stop; a load that would pull is none, and is told
 * as it is. */
static void loads_and_switches(void **state)
{
  br_plant *plant = NULL, *then = NULL;
  br_signal *load = NULL;
  br_drive drives[BRI_LOOP_INPUTS];
  double w = NAN, dw = NAN;
  kit k;
  (void)state;
  kit_open(&k, "mass_spring", "lugre", "m=1,ks=5", NULL, BR_CONTROL_PID);
  assert_int_equal(br_signal_parse("pwl:0,1,0.3,2,1,-1,2,1", &load, &k.err), BR_OK);
  assert_int_equal(br_signal_parse("step:1,0.1", &k.reference, &k.err), BR_OK);
  k.job.reference = k.reference, k.job.t_end = 3;
  const br_drive N = br_drive_signal(load);
  assert_int_equal(br_plant_create(k.sys, k.job.spar, k.mod, k.job.mpar, NULL, &plant, &k.err), BR_OK);
  assert_int_equal(br_plant_create(k.sys, k.job.spar, k.mod, k.job.mpar, NULL, &then, &k.err), BR_OK);
  assert_int_equal(br_plant_load(plant, 0, &N, &k.err), BR_OK);
  assert_int_equal(br_plant_load(then, 0, &N, &k.err), BR_OK);
  assert_int_equal(br_plant_switch(plant, 0.6, then, &k.err), BR_OK);
  k.job.varies = plant;
  const bri_loop L = {.job = &k.job};
  bri_loop_drives(&L, 0, drives);
  static const double CORNERS[] = {0.3, 0.6, 1, 2};
  double t = 0.1;
  for (int i = 0; i < 4; i++) {
    t = drives[BRI_LOOP_LOAD].next_corner(drives[BRI_LOOP_LOAD].ctx, t);
    assert_true(fabs(t - CORNERS[i]) < 1e-12);
  }
  static const struct {
    double t, load, rate;
  } AT[] = {{0.15, 1.5, 10.0 / 3}, {0.65, 0.5, -30.0 / 7}, {1, -1, NAN}, {1.75, 0.5, 2}};
  for (int i = 0; i < 4; i++) {
    drives[BRI_LOOP_LOAD].eval(drives[BRI_LOOP_LOAD].ctx, AT[i].t, 1, &w, &dw);
    assert_true(fabs(bri_loop_load(&L, AT[i].t) - AT[i].load) < 1e-9);
    if (AT[i].load > 0) assert_true(fabs(w - AT[i].load) < 1e-9 && fabs(dw - AT[i].rate) < 1e-9);
    else assert_true(w >= 0 && w < 1e-6 && dw == 0);
    drives[BRI_LOOP_STAGE].eval(drives[BRI_LOOP_STAGE].ctx, AT[i].t, 1, &w, &dw);
    assert_true(w == (AT[i].t >= 0.6));
  }
  br_plant_destroy(plant);
  br_signal_destroy(load);
  kit_close(&k);
}

/* A controller stays with the mechanism and the model it was made for. */
static void made_for_another(void **state)
{
  static const char *const OTHER[][3] = {
      {"chain", "lugre", "m=1,2,k=100,50,system.c=1,1,contact=1,against=0,load=1"},
      {"mass_spring", "viscous", NULL}};
  (void)state;
  for (int i = 0; i < 2; i++) {
    kit a, b;
    kit_open(&a, "mass_spring", "lugre", "m=1,ks=5", NULL, BR_CONTROL_PID);
    a.set.kp = 10, a.job.sample = 1e-3;
    assert_int_equal(kit_run(&a, 0, "step:1", 0.01), BR_OK);
    kit_open(&b, OTHER[i][0], OTHER[i][1], OTHER[i][2], NULL, BR_CONTROL_PID);
    b.job.reference = a.reference, b.job.t_end = 0.01, b.job.sample = 1e-3;
    assert_int_equal(br_control_run(&b.job, &a.c, &b.out, &b.err), BR_E_ARG);
    assert_non_null(strstr(b.err.msg, "different states"));
    kit_close(&b);
    kit_close(&a);
  }
}

/* A law of position alone takes the drop Fs - Fc up over (Fs - Fc) / kp: a tenth of it is what may still
 * break. */
static void released(void **state)
{
  static const struct {
    const char *model, *list;
    double kp, want;
  } CASES[] = {{"lugre", "m=1,ks=2,Fc=2,Fs=5", 4, 0.075},
               {"lugre", "m=1,ks=2,Fc=2,Fs=5", 0.5, 0.6},
               {"lugre", "m=1,ks=2,Fc=2,Fs=2", 4, INFINITY}, /* no drop */
               {"viscous", "m=1,ks=2,sigma2=1", 4, INFINITY},
               {"lugre", "m=1,ks=2,Fc=2,Fs=5", 0, INFINITY}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
    for (int at = -1; at <= 1; at++) {
      kit k;
      double q[BR_CONTROL_MAX_Q] = {0}, z[BR_CONTROL_MAX_Z] = {0}, x[BR_CONTROL_MAX_X] = {0};
      kit_open(&k, "mass_spring", CASES[i].model, CASES[i].list, NULL, BR_CONTROL_PID);
      k.set.kp = CASES[i].kp, k.set.ki = 0, k.set.kd = 0;
      if (kit_init(&k, 0)) fail_msg("%s", k.err.msg);
      const double got = bri_released(&k.job, &k.c, at, q, z, x);
      if (!(got == CASES[i].want || fabs(got - CASES[i].want) < 1e-9)) fail_msg("%zu: %g", i, got);
      kit_close(&k);
    }
}

/* An overdamped block under a spring creeps to its reference as exp(-at), a of (10 - sqrt 96) / 2: over
 * windows of t_end / 4, t_end / 2 .. the fifth begins 3 t_end behind the third, and is the first that three
 * have fallen to. */
static void decay_per_window(void **state)
{
  const double a = 5 - sqrt(24), t_end = 0.8 / a;
  kit k;
  (void)state;
  kit_open(&k, "mass_spring", "viscous", "m=1,ks=0,sigma2=10", NULL, BR_CONTROL_PID);
  k.set.kp = 1, k.set.ki = 0, k.set.kd = 0;
  if (kit_run(&k, 0, "step:1", t_end)) fail_msg("%s", k.err.msg);
  assert_int_equal(k.out.verdict, BR_HUNTING_EXCLUDED);
  const double want = exp(-0.5 * a * 3 * t_end);
  if (!(fabs(k.out.decay / want - 1) < 1e-2)) fail_msg("%g, not %g", k.out.decay, want);
  kit_close(&k);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_of_headers),
                                     cmocka_unit_test(names_of_headers),
                                     cmocka_unit_test(corners_and_names),
                                     cmocka_unit_test(settings_are_checked),
                                     cmocka_unit_test(poles_are_placed),
                                     cmocka_unit_test(unwinding),
                                     cmocka_unit_test(passive),
                                     cmocka_unit_test(heads),
                                     cmocka_unit_test(what_the_reference_says),
                                     cmocka_unit_test(hard_cases),
                                     cmocka_unit_test(noise),
                                     cmocka_unit_test(errors_below),
                                     cmocka_unit_test(fixed_steps_measure_alike),
                                     cmocka_unit_test(limits_and_sizes),
                                     cmocka_unit_test(tuning),
                                     cmocka_unit_test(axes_of_a_map),
                                     cmocka_unit_test(loads_and_switches),
                                     cmocka_unit_test(made_for_another),
                                     cmocka_unit_test(released),
                                     cmocka_unit_test(decay_per_window)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
