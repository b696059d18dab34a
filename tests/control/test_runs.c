/* SPDX-License-Identifier: Apache-2.0
 * test_runs.c - runs whose outcome is known: settling times and delays against closed forms, loads that
 * pull from the start, the default gain of the observer in each of its ranges, what a tuning costs, maps
 * over a parameter that is 0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "control/trial.h"
#include "kit.h"

/* ---- time ---- */

/* e'' + 4 e' + 100 e = 0 from e(0) = a with the velocity -e'(0) = v, at t. */
static double swing(double a, double v, double t)
{
  const double w = sqrt(96);
  return exp(-2 * t) * (a * cos(w * t) + (2 * a - v) / w * sin(w * t));
}

/* When |e| comes below the band for good; NAN: not within `end`. */
static double settled(double a, double v, double band, double end)
{
  const double dt = 1e-6;
  double last = 0;
  if (fabs(swing(a, v, end)) > band) return NAN;
  for (double t = 0; t < end; t += dt)
    if (fabs(swing(a, v, t)) > band) last = t + dt;
  return last;
}

/* A block that swings into the band of 2 % and out of it again has settled when it stays, in every kind of
 * loop: from far away, from within the band, and from where it starts at rest in its place. */
static void settles_for_good(void **state)
{
  static const struct {
    double e0, v, end;
  } CASES[] = {{1, 0, 3}, {0.01, 1, 3}, {0.01, -1, 3}, {-0.5, 0, 3}, {0.01, 0, 3}, {0.01, 2, 0.5}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
    for (int kind = 0; kind < 2; kind++) {
      kit k;
      double q0[BR_CONTROL_MAX_Q] = {0};
      const double want = settled(CASES[i].e0, CASES[i].v, 0.02, CASES[i].end);
      kit_open(&k, "mass_spring", "viscous", "m=1,ks=0,sigma2=0.5", NULL, BR_CONTROL_PID);
      k.set.kp = 100, k.set.kd = 3.5, k.set.ki = 0, k.set.tf = 0;
      q0[0] = 1 - CASES[i].e0, q0[1] = CASES[i].v;
      k.job.q0 = q0, k.job.judge = 0, k.job.sample = kind ? 2e-4 : 0; /* held for h, u is h / 2 late */
      if (kit_run(&k, 0, "step:1", CASES[i].end)) fail_msg("%s", k.err.msg);
      const double got = k.out.settling_time;
      if (!(isnan(want) ? isnan(got) : fabs(got - want) < (kind ? 5e-3 : 1e-5)))
        fail_msg("case %zu, kind %d: settled after %.9g, not %.9g", i, kind, got, want);
      kit_close(&k);
    }
}

static double full(void *ctx, const br_control_ref *ref, const br_control_meas *meas, double h)
{
  (void)ctx, (void)ref, (void)meas, (void)h;
  return 1;
}

/* A force of 1 N on 1 kg that arrives d late: y = (T - d)^2 / 2, whether d is a part of a sample or
 * hundreds of them; what is more than is kept is refused, and so is what would never end. */
static void delay_is_what_it_is(void **state)
{
  static const double DELAYS[] = {0, 3e-4, 1e-3, 2.5e-3, 0.25, 0.9985, 0.999};
  kit k;
  (void)state;
  kit_open(&k, "mass_spring", "viscous", "m=1,ks=0,sigma2=1e-12", NULL, BR_CONTROL_PI);
  k.job.update = full, k.job.judge = 0, k.job.sample = 1e-3;
  for (size_t i = 0; i < sizeof DELAYS / sizeof DELAYS[0]; i++) {
    const double y = 0.5 * (1.05 - DELAYS[i]) * (1.05 - DELAYS[i]);
    k.job.delay = DELAYS[i];
    if (kit_run(&k, 0, "ramp:0", 1.05)) fail_msg("%s", k.err.msg);
    if (!(fabs(k.out.error_end + y) < 1e-9))
      fail_msg("delay %g: %.12g, not %.12g", DELAYS[i], -k.out.error_end, y);
  }
  k.job.delay = 1;
  assert_int_equal(kit_run(&k, 0, "ramp:0", 1.05), BR_E_RANGE);
  k.job.delay = 3;
  assert_int_equal(kit_run(&k, 0, "ramp:0", 1.05), BR_E_RANGE);
  assert_non_null(strstr(k.err.msg, "at most 1e8 and 1000"));
  k.job.delay = 0, k.job.sample = 1e-8;
  assert_int_equal(kit_run(&k, 0, "ramp:0", 1.05), BR_E_RANGE);
  k.job.sample = 0, k.job.update = NULL, k.job.fixed = 1e-9, k.job.fixed_order = 1;
  assert_int_equal(kit_run(&k, 0, "ramp:0", 1.05), BR_E_RANGE);
  kit_close(&k);
}

/* No surface pulls: a load below zero is refused with the time at which it is so, be it the first; one
 * that only comes down to zero is none of those. */
static void loads_that_pull(void **state)
{
  static const struct {
    const char *load, *says;
  } CASES[] = {{"pwl:0,-1,1,2", "at t = 0 s"},
               {"pwl:0,-1e-3,1,-2", "at t = 0 s"},
               {"pwl:0,1,1,-1", "at t = 0.5"},
               {"pwl:0,1,0.5,0,1,2", NULL}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
    for (int sampled = 0; sampled < 2; sampled++) {
      kit k;
      br_plant *plant = NULL;
      br_signal *load = NULL;
      kit_open(&k, "mass_spring", "lugre", "m=1,ks=5", NULL, BR_CONTROL_PID);
      if (br_signal_parse(CASES[i].load, &load, &k.err)) fail_msg("%s", k.err.msg);
      const br_drive N = br_drive_signal(load);
      assert_int_equal(br_plant_create(k.sys, k.job.spar, k.mod, k.job.mpar, NULL, &plant, &k.err), BR_OK);
      assert_int_equal(br_plant_load(plant, 0, &N, &k.err), BR_OK);
      k.job.varies = plant, k.job.judge = 0, k.job.sample = sampled ? 1e-3 : 0;
      const br_status st = kit_run(&k, 0, "step:0.1", 0.8);
      if (!CASES[i].says && st) fail_msg("%s: %s", CASES[i].load, k.err.msg);
      if (CASES[i].says && (st != BR_E_RANGE || !strstr(k.err.msg, CASES[i].says)))
        fail_msg("%s, sampled %d: %d %s", CASES[i].load, sampled, (int)st, st ? k.err.msg : "");
      br_plant_destroy(plant);
      br_signal_destroy(load);
      kit_close(&k);
    }
}

/* ---- gains ---- */

/* A block whose velocity (first order) or position is controlled, all poles at -p: at rest the error e =
 * dc F / m of a force F lets the bristles' error decay like exp(-k s0 dc t / m), a quarter of the pole.
 * Where stuck bristles hold a velocity faster than 5 p the gain shrinks alike, and what the push does at
 * once, k s1 / m, stays below half of what the poles ask for. */
static void gain_of_the_observer(void **state)
{
  static const struct {
    double m, s0, s1, p;
    int position, integral,
        range; /* 0: none of the two limits, 1: the first, 2: the second, 3: not passive */
  } CASES[] = {{1, 1e3, 1, 100, 0, 0, 0},  {2, 1e3, 0, 100, 0, 0, 0},  {1, 1e3, 30, 1, 0, 0, 1},
               {1, 1e3, 30, 100, 0, 0, 2}, {4, 5e3, 90, 300, 0, 0, 2}, {1, 1e3, 10, 100, 0, 1, 0},
               {1, 1e3, 30, 100, 0, 1, 3}, {9, 1e3, 90, 20, 1, 0, 0},  {1, 1e3, 90, 8, 1, 0, 1},
               {1, 1e3, 90, 50, 1, 0, 2},  {1, 1e3, 9, 20, 1, 0, 3}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const double m = CASES[i].m, s0 = CASES[i].s0, s1 = CASES[i].s1, p = CASES[i].p, hold = s1 / m;
    const int order = 1 + CASES[i].position + CASES[i].integral;
    const double k1 = order == 1 ? p : order == 3 ? 3 * p * p : CASES[i].position ? p * p : 2 * p;
    char list[160];
    kit k;
    (void)snprintf(list, sizeof list, "m=%g,ks=0,sigma0=%g,sigma1=%g,sigma2=2,Fc=1,Fs=1.5,vs=0.01", m, s0,
                   s1);
    kit_open(&k, "mass_spring", "lugre", list, NULL, BR_CONTROL_OBSERVER);
    k.set.poles[0] = k.set.poles[1] = k.set.poles[2] = -p, k.set.integral = CASES[i].integral;
    if (kit_init(&k, CASES[i].position ? 0 : 1)) fail_msg("%s", k.err.msg);
    double want = 0.25 * p / (s0 / (m * k1));
    int range = 0;
    if (hold > 5 * p) want *= 5 * p / hold, range = 1;
    if (want * hold > 0.5 * k1) want = 0.5 * k1 / hold, range = 2;
    if (CASES[i].range == 3) want = 0, range = 3;
    assert_int_equal(range, CASES[i].range); /* the case shows what it is there for */
    assert_int_equal(br_control_passive(&k.c), range != 3);
    if (!(fabs(k.c.set.injection - want) <= 1e-6 * want))
      fail_msg("case %zu: gain %.9g, not %.9g", i, k.c.set.injection, want);
    kit_close(&k);
  }
}

/* What a tuning costs at its start: the mean of the nominal case and of every corner of the named
 * parameters, or where none are named of the model's numbers all down and all up. */
static void cost_of_a_tuning(void **state)
{
  static const char *const NAMES[] = {"Fc", "m", "Fs"}, *const GAINS[] = {"pole1"}, *const ALL[] = {"sigma0",
                                                                                                    "sigma1",
                                                                                                    "sigma2",
                                                                                                    "Fc",
                                                                                                    "Fs",
                                                                                                    "vs"};
  (void)state;
  for (size_t n = 0; n <= 3; n++) {
    br_control_tuning t = br_control_tuning_default();
    br_control_tuned out;
    bri_wrong w;
    kit k;
    const size_t used = n ? n : 6, cases = n ? (size_t)1 << n : 2;
    double sum = 0;
    kit_open(&k, "mass_spring", "lugre", "m=1,ks=0,sigma0=1e3,sigma1=30,sigma2=2,Fc=0.5,Fs=0.9,vs=0.1", NULL,
             BR_CONTROL_FEEDBACK_LINEARIZATION);
    k.set.poles[0] = k.set.poles[1] = -10;
    if (br_signal_parse("sine:0.1,2", &k.reference, &k.err)) fail_msg("%s", k.err.msg);
    k.job.reference = k.reference, k.job.t_end = 0.3, k.job.sample = 2e-3, k.job.rtol = 1e-6, k.job.judge = 0;
    t.job = &k.job, t.tracked = 0, t.gains = GAINS, t.ngain = 1, t.part = 0.1, t.weight = 0.02, t.threads = 1;
    t.names = NAMES, t.n = n, t.max_evals = 2;
    br_control_settings set = k.set;
    if (br_control_tune(&t, &set, &out, &k.err)) fail_msg("%s", k.err.msg);
    assert_int_equal(bri_wrong_find(&k.job, n ? NAMES : ALL, used, &w, &k.err), BR_OK);
    for (size_t c = 0; c <= cases; c++) { /* the last: nominal */
      double f[6];
      br_control_result r;
      for (size_t i = 0; i < used; i++) f[i] = c == cases ? 1 : (n ? c >> i & 1 : c) ? 1.1 : 0.9;
      assert_int_equal(bri_trial(&k.job, &k.set, 0, &w, f, &r, &k.err), BR_OK);
      assert_true(r.error_rms > 0 && r.rms_control > 0);
      sum += r.error_rms + 0.02 * r.rms_control;
    }
    const double want = sum / (double)(cases + 1);
    if (!(fabs(out.before / want - 1) < 1e-9)) fail_msg("%zu names: %.12g, not %.12g", n, out.before, want);
    kit_close(&k);
  }
}

/* ---- maps ---- */

/* A parameter that is 0 as set moves in the plant and in what the controller believes, of the model and of
 * the mechanism; no factor could bring it there. */
static void map_from_zero(void **state)
{
  static const char *const NAMES[] = {"sigma2", "ks"};
#define FRAME "m=1,sigma0=1e3,sigma1=30,Fc=0.5,Fs=0.75,vs=0.1,"
  (void)state;
  for (int i = 0; i < 2; i++) {
    br_control_result cell[2];
    br_control_map m = {0};
    kit k;
    kit_open(&k, "mass_spring", "lugre", FRAME "ks=0,sigma2=0", NULL, BR_CONTROL_FEEDBACK_LINEARIZATION);
    if (br_signal_parse("step:1", &k.reference, &k.err)) fail_msg("%s", k.err.msg);
    k.job.reference = k.reference, k.job.t_end = 1, k.job.rtol = 1e-8, k.job.judge = 0;
    k.set.poles[0] = k.set.poles[1] = -4;
    m.job = &k.job, m.set = &k.set, m.tracked = 0, m.nx = 1, m.ny = 2, m.threads = 1;
    m.x = (br_control_axis){"m", 1, 1}, m.y = (br_control_axis){NAMES[i], 3, 6};
    if (br_control_hunting_map(&m, cell, &k.err)) fail_msg("%s", k.err.msg);
    for (int c = 0; c < 2; c++)
      for (int knows = 0; knows < 2; knows++) {
        char list[160];
        kit one;
        (void)snprintf(list, sizeof list, FRAME "%s=0,%s=%d", NAMES[!i], NAMES[i], 3 + 3 * c);
        kit_open(&one, "mass_spring", "lugre", list,
                 knows ? NULL
                 : i   ? "ks=0"
                       : "sigma2=0",
                 BR_CONTROL_FEEDBACK_LINEARIZATION);
        one.set = k.set, one.job.rtol = 1e-8, one.job.judge = 0;
        if (kit_run(&one, 0, "step:1", 1)) fail_msg("%s", one.err.msg);
        const double off = fabs(cell[c].error_rms / one.out.error_rms - 1);
        if (knows ? !(off < 1e-9) : !(off > 1e-3))
          fail_msg("%s, cell %d: off by %g of a controller that %s", NAMES[i], c, off,
                   knows ? "knows it" : "does not");
        kit_close(&one);
      }
    kit_close(&k);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(settles_for_good),     cmocka_unit_test(delay_is_what_it_is),
      cmocka_unit_test(loads_that_pull),      cmocka_unit_test(cost_of_a_tuning),
      cmocka_unit_test(gain_of_the_observer), cmocka_unit_test(map_from_zero)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
