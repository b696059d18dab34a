/* SPDX-License-Identifier: Apache-2.0
 * test_edges.c - limits of u, small filters, loose tolerances, friction that depends on a position nobody
 * measures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "control/run.h"
#include "kit.h"

/* rms of e on the block of document 1 along a sine. */
static double limited(br_control_kind kind, int integral, br_control_antiwindup how, double limit,
                      double sample)
{
  kit k;
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, kind);
  k.set.limit = limit, k.set.integral = integral, k.set.antiwindup = how;
  k.job.sample = sample;
  if (kit_run(&k, 1, "sine:1,0.1", 20)) fail_msg("%s", k.err.msg);
  assert_true(k.out.peak_control <= limit);
  const double rms = k.out.error_rms;
  kit_close(&k);
  return rms;
}

/* The two laws at the limit differ as documented, and laws without a model have the better one by
 * default. */
static void conditional_beats_back_calculation(void **state)
{
  (void)state;
  static const struct {
    br_control_kind kind;
    double limit, part; /* of the error with back-calculation */
  } rows[] = {{BR_CONTROL_CASCADE_PI, 20, 0.6}, {BR_CONTROL_CASCADE_PI, 10, 0.4},
              {BR_CONTROL_CASCADE_PI, 5, 0.35}, {BR_CONTROL_PI, 10, 0.9},
              {BR_CONTROL_PI, 5, 0.75},         {BR_CONTROL_PID, 10, 0.82},
              {BR_CONTROL_PID, 5, 0.7}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (int sampled = 0; sampled < 2; sampled++) {
      const double h = sampled ? 1e-3 : 0;
      const double wait = limited(rows[i].kind, 0, BR_ANTIWINDUP_CONDITIONAL, rows[i].limit, h);
      const double pull = limited(rows[i].kind, 0, BR_ANTIWINDUP_BACK_CALCULATION, rows[i].limit, h);
      print_message("%s, |u| <= %g: %.4g conditional, %.4g back-calculated\n", br_control_name(rows[i].kind),
                    rows[i].limit, wait, pull);
      assert_true(wait < rows[i].part * pull);
      assert_int_equal(br_control_settings_default(rows[i].kind).antiwindup, BR_ANTIWINDUP_CONDITIONAL);
    }
  assert_int_equal(br_control_settings_default(BR_CONTROL_OBSERVER).antiwindup,
                   BR_ANTIWINDUP_BACK_CALCULATION);
  /* without a limit there is nothing to choose: the same bits */
  assert_true(limited(BR_CONTROL_CASCADE_PI, 0, BR_ANTIWINDUP_CONDITIONAL, INFINITY, 1e-3) ==
              limited(BR_CONTROL_CASCADE_PI, 0, BR_ANTIWINDUP_BACK_CALCULATION, INFINITY, 1e-3));
}

/* Bouc-Wen with a spring of its own beside it: the law must know how far the contact has gone. */
static void position_nobody_measures(void **state)
{
  (void)state;
  static const struct {
    const char *system;
    br_control_kind kind;
    double continuous, sampled;
  } rows[] = {{"driven_block", BR_CONTROL_FEEDBACK_LINEARIZATION, 1e-9, 1e-4},
              {"driven_block", BR_CONTROL_FEEDFORWARD, 1e-9, 1e-4},
              {"driven_block", BR_CONTROL_OBSERVER, 1e-9, 1e-4},
              {"driven_block", BR_CONTROL_ADAPTIVE, 1e-9, 1e-4},
              {"pulled_block", BR_CONTROL_FEEDBACK_LINEARIZATION, 1e-9, 1e-4},
              {"pulled_block", BR_CONTROL_FEEDFORWARD, 1e-4, 1e-4}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (int sampled = 0; sampled < 2; sampled++) {
      kit k;
      kit_open(&k, rows[i].system, "bouc_wen", "kappa=0.1,uy=0.01", NULL, rows[i].kind);
      k.job.sample = sampled ? 1e-3 : 0;
      k.job.window[0] = 3, k.job.window[1] = 6;
      if (kit_run(&k, i < 4 ? 0 : 1, "sine:0.5,0.5", 6)) fail_msg("%s", k.err.msg);
      if (!(k.out.error_rms < (sampled ? rows[i].sampled : rows[i].continuous)))
        fail_msg("%s, %s, sampled %d: rms %.3g", rows[i].system, br_control_name(rows[i].kind), sampled,
                 k.out.error_rms);
      kit_close(&k);
    }
}

/* The first sample says where it begins; the way counts from there. */
static void position_from_the_first_sample(void **state)
{
  (void)state;
  kit k;
  kit_open(&k, "driven_block", "bouc_wen", "kappa=0.1,uy=0.01", NULL, BR_CONTROL_OBSERVER);
  if (kit_init(&k, 0)) fail_msg("%s", k.err.msg);
  double v[1] = {2};
  const br_control_ref ref = {1, 0, 0};
  const br_control_meas meas = {v, NULL, 0, 0};
  (void)br_control_update(&k.c, &ref, &meas, 1e-3);
  assert_true(k.c.mem.x[k.c.nz + 3] == 0);
  v[0] = 4;
  (void)br_control_update(&k.c, &ref, &meas, 1e-3);
  assert_true(fabs(k.c.mem.x[k.c.nz + 3] - 3e-3) < 1e-15);
  kit_close(&k);
}

/* Series whose verdict is known: what keeps its size hunts; what decays, is cut short or has a hole does not.
 * */
static br_control_result verdict(double decay, size_t n, size_t hole, double *y)
{
  const double pi = 3.14159265358979323846;
  br_control_result r;
  bri_series s = {y, n, 3, 0.01};
  for (size_t i = 0; i < n; i++)
    y[i] = 2 + exp(-decay * (double)i) * sin(2 * pi * (double)i / (n > 20 ? 50 : 3) - 0.1);
  if (hole < n) y[hole] = NAN;
  bri_find_hunting(&s, 1e-3, &r);
  return r;
}

static void series_by_hand(void **state)
{
  (void)state;
  double y[400];
  br_control_result r = verdict(0, 400, 400, y);
  assert_true(r.hunting && r.verdict == BR_HUNTING_FOUND);
  assert_true(fabs(r.amplitude - 1) < 0.01 && fabs(r.period - 0.5) < 1e-3);
  assert_false(verdict(0.002, 400, 400, y).hunting); /* by a tenth each period */
  assert_false(verdict(0, 400, 200, y).hunting);
  assert_false(verdict(0, 15, 15, y).hunting);
  for (size_t i = 0; i < 400; i++) y[i] = 5;
  const bri_series still = {y, 400, 0, 0.01};
  bri_find_hunting(&still, 1e-3, &r);
  assert_true(!r.hunting && r.verdict == BR_HUNTING_EXCLUDED);
}

#define HUNTS "m=1,ks=0"

static void hunts(kit *k, double tf, double rtol)
{
  kit_open(k, "mass_spring", "lugre", HUNTS, NULL, BR_CONTROL_PID);
  k->set.kp = 3, k->set.ki = 4, k->set.kd = 6, k->set.tf = tf;
  k->job.rtol = rtol;
  if (kit_run(k, 0, "step:1", 100)) fail_msg("tf = %g, rtol = %g: %s", tf, rtol, k->err.msg);
}

/* A filter of 10 us costs no more than one of 1 ms, and none at all is its limit. */
static void small_filters(void **state)
{
  (void)state;
  static const double tf[] = {1e-3, 1e-4, 1e-5, 0};
  double amplitude[4];
  size_t steps[4];
  for (int i = 0; i < 4; i++) {
    kit k;
    hunts(&k, tf[i], 0);
    assert_int_equal(k.out.verdict, BR_HUNTING_FOUND);
    amplitude[i] = k.out.amplitude, steps[i] = k.out.steps;
    assert_true(steps[i] < 3 * steps[0]);
    kit_close(&k);
  }
  for (int i = 0; i < 3; i++) /* first order in tf */
    assert_true(fabs(amplitude[i] - amplitude[3]) < 2 * tf[i]);
  kit k; /* the rate of a velocity is measured by nobody */
  kit_open(&k, "mass_spring", "lugre", HUNTS, NULL, BR_CONTROL_PID);
  k.set.tf = 0;
  assert_int_equal(kit_init(&k, 1), BR_E_RANGE);
  assert_non_null(strstr(k.err.msg, "tf = 0"));
  k.set.kd = 0; /* and not needed here */
  assert_int_equal(kit_init(&k, 1), BR_OK);
  kit_close(&k);
}

/* Sampled fast it comes to the same as the continuous loop. */
static void sampled_without_filter(void **state)
{
  (void)state;
  double rms[2];
  for (int i = 0; i < 2; i++) {
    kit k;
    kit_open(&k, "mass_spring", "lugre", "m=1,ks=3", NULL, BR_CONTROL_PID);
    k.set.kp = 30, k.set.ki = 4, k.set.kd = 6, k.set.tf = 0;
    k.job.sample = i ? 1e-4 : 0;
    if (kit_run(&k, 0, "sine:1,0.5", 4)) fail_msg("%s", k.err.msg);
    rms[i] = k.out.error_rms;
    kit_close(&k);
  }
  assert_true(fabs(rms[1] / rms[0] - 1) < 0.01);
}

/* The verdict does not hang on how exactly the run itself was asked for. */
static void hunting_at_any_tolerance(void **state)
{
  (void)state;
  static const double rtol[] = {1e-10, 1e-8, 1e-6, 1e-4};
  for (int i = 0; i < 4; i++)
    for (int none = 0; none < 2; none++) {
      kit k;
      hunts(&k, none ? 0 : 1e-3, rtol[i]);
      assert_int_equal(k.out.verdict, BR_HUNTING_FOUND);
      assert_true(fabs(k.out.amplitude - (none ? 0.0639025103 : 0.0638265984)) < 1e-7);
      kit_close(&k);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(conditional_beats_back_calculation),
                                     cmocka_unit_test(position_nobody_measures),
                                     cmocka_unit_test(position_from_the_first_sample),
                                     cmocka_unit_test(series_by_hand),
                                     cmocka_unit_test(small_filters),
                                     cmocka_unit_test(sampled_without_filter),
                                     cmocka_unit_test(hunting_at_any_tolerance)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
