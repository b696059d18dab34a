/* SPDX-License-Identifier: Apache-2.0
 * test_guards.c - how fast a law may be for its samples, corners and cases without a number, the bound of an
 * estimate, a loop that runs away, references that say nothing about the contact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "kit.h"

/* Poles to a tenth of the sampling rate, the sliding surface to a twentieth, the inner loop to a fifth; where
 * that is made slower by a factor, the outer loop's gain goes with it and its integral with the square: the
 * damping stays. */
static void pace(void **state)
{
  (void)state;
  br_control_settings s = br_control_settings_default(BR_CONTROL_CASCADE_PI), was;
  s.poles[0] = -500, s.poles[1] = -5, s.poles[2] = -1000;
  s.lambda = 80, s.phi = 2, s.eta = 1000, s.inner = 1000, s.kp = 50, s.ki = 700;
  was = s;
  br_control_pace(&s, 0);
  assert_memory_equal(&s, &was, sizeof s);
  br_control_pace(&s, 1e-3);
  assert_true(s.poles[0] == -100 && s.poles[1] == -5 && s.poles[2] == -100);
  assert_true(s.lambda == 50 && fabs(s.eta - 400) < 1e-9);
  assert_true(fabs(s.inner - 200) < 1e-9 && fabs(s.kp - 10) < 1e-12 && fabs(s.ki - 28) < 1e-12);
  assert_true(fabs(s.ki / (s.kp * s.kp) - was.ki / (was.kp * was.kp)) < 1e-12);
  s = was, s.kind = BR_CONTROL_PI;
  br_control_pace(&s, 1e-3);
  assert_true(s.kp == 50 && s.ki == 700 && s.inner == 1000);
}

/* Fs below Fc is no friction curve: such a corner has no number, be it the first or the last, and is not the
 * worst. */
static void corners_without_a_number(void **state)
{
  (void)state;
  static const char *const NAMES[] = {"Fs", "Fc"};
  for (int i = 0; i < 2; i++) {
    kit k;
    br_control_result worst;
    unsigned corner = 9;
    kit_open(&k, "pulled_block", "lugre",
             "m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=4,vs=0.1,delta=1", NULL,
             BR_CONTROL_OBSERVER);
    if (br_signal_parse("sine:1,0.5", &k.reference, &k.err)) fail_msg("%s", k.err.msg);
    k.job.reference = k.reference, k.job.t_end = 0.1, k.job.sample = 1e-3, k.job.rtol = 1e-6;
    if (br_control_corners(&k.job, &k.set, 1, &NAMES[i], 1, 0.5, &worst, &corner, &k.err))
      fail_msg("%s", k.err.msg);
    assert_true(worst.error_rms > 0 && isfinite(worst.error_rms));
    assert_int_equal(corner, i == 0 ? 1 : 0); /* Fs up, Fc down */
    kit_close(&k);
  }
}

/* The same for the cases of a tuning: those that have a number decide. */
static void cases_without_a_number(void **state)
{
  (void)state;
  static const char *const NAMES[] = {"Fs"}, *const GAINS[] = {"kp"};
  kit k;
  br_control_tuned out;
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_PI);
  k.set.kp = 1, k.set.ki = 1, k.set.limit = 50;
  if (br_signal_parse("step:1", &k.reference, &k.err)) fail_msg("%s", k.err.msg);
  k.job.reference = k.reference, k.job.t_end = 0.1, k.job.sample = 1e-3, k.job.rtol = 1e-6;
  br_control_tuning what = br_control_tuning_default();
  what.job = &k.job, what.tracked = 1, what.gains = GAINS, what.ngain = 1;
  what.names = NAMES, what.n = 1, what.part = 0.6, what.max_evals = 8;
  if (br_control_tune(&what, &k.set, &out, &k.err)) fail_msg("%s", k.err.msg);
  assert_true(isfinite(out.before) && isfinite(out.after) && out.after <= out.before);
  kit_close(&k);
}

/* Twice the deflection of steady sliding, which lies between Fc and Fs over sigma0. */
static void bound_of_the_estimate(void **state)
{
  (void)state;
  kit k;
  kit_open(&k, "pulled_block", "lugre", "sigma0=2900,Fc=2.94,Fs=3.5", NULL, BR_CONTROL_OBSERVER);
  if (kit_init(&k, 1)) fail_msg("%s", k.err.msg);
  assert_true(k.c.z_bound >= 2 * 2.94 / 2900 * (1 - 1e-12) && k.c.z_bound <= 2 * 3.5 / 2900 * (1 + 1e-12));
  kit_close(&k);
}

/* Far too high a gain for its samples. */
static void runs_away(void **state)
{
  (void)state;
  kit k;
  kit_open(&k, "driven_block", "lugre", "m=1", NULL, BR_CONTROL_PI);
  k.set.kp = 1000, k.set.ki = 0, k.job.sample = 0.1;
  assert_int_equal(kit_run(&k, 0, "step:1", 5), BR_E_CONVERGE);
  assert_non_null(strstr(k.err.msg, "runs away"));
  k.set.kp = 1;
  if (kit_run(&k, 0, "step:1", 5)) fail_msg("%s", k.err.msg);
  kit_close(&k);
}

static void reference_of_something_else(void **state)
{
  (void)state;
  kit k;
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_FEEDFORWARD);
  assert_int_equal(kit_init(&k, 0), BR_E_UNSUPPORTED); /* the spring's length */
  assert_non_null(strstr(k.err.msg, "track its velocity or position, not l"));
  assert_int_equal(kit_init(&k, 1), BR_OK);
  kit_close(&k);
}

/* Rules of fixed step have the order they are called by; a state that overflows within a step is lost like
 * one that runs away. */
static double fixed_run(int order, double h, const char *list, double *lost)
{
  static const double q0[2] = {0.5, 0};
  kit k;
  kit_open(&k, "driven_block", "lugre", list, NULL, BR_CONTROL_PI);
  k.set.kp = 2, k.set.ki = 3;
  k.job.q0 = q0, k.job.fixed = order ? h : 0, k.job.fixed_order = order, k.job.rtol = order ? 0 : 1e-12;
  if (kit_run(&k, 0, "step:1", 1)) fail_msg("%s", k.err.msg);
  const double end = k.out.error_end;
  *lost = k.out.t_lost;
  kit_close(&k);
  return end;
}

static void order_of_fixed_steps(void **state)
{
  (void)state;
#define SMOOTH "m=1,sigma0=20,sigma1=3,sigma2=0.2,Fc=1,Fs=1.5,vs=0.5,delta=2"
  double lost;
  const double exact = fixed_run(0, 0, SMOOTH, &lost);
  for (int order = 1; order <= 4; order++) {
    const double coarse = fixed_run(order, 0.02, SMOOTH, &lost) - exact,
                 fine = fixed_run(order, 0.01, SMOOTH, &lost) - exact;
    assert_true(isnan(lost));
    const double found = log2(fabs(coarse / fine));
    if (!(fabs(found - order) < 0.25)) fail_msg("order %d: %.3f (%g, %g)", order, found, coarse, fine);
  }
  (void)fixed_run(4, 0.02, "m=1,sigma0=1e200,sigma1=1e200,Fc=1,Fs=1.5", &lost);
  assert_true(lost > 0 && lost <= 0.04);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_of_fixed_steps),        cmocka_unit_test(pace),
      cmocka_unit_test(corners_without_a_number),    cmocka_unit_test(cases_without_a_number),
      cmocka_unit_test(bound_of_the_estimate),       cmocka_unit_test(runs_away),
      cmocka_unit_test(reference_of_something_else),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
