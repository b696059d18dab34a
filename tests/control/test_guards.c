/* SPDX-License-Identifier: Apache-2.0
 * test_guards.c - how fast a law may be for its samples, corners and cases without a number, the bound of an estimate, a
 * loop that runs away, references that say nothing about the contact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "kit.h"

/* Poles to a tenth of the sampling rate, the sliding surface to a twentieth, the inner loop to a fifth; where that is made
 * slower by a factor, the outer loop's gain goes with it and its integral with the square: the damping stays. */
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

/* Fs below Fc is no friction curve: such a corner has no number, be it the first or the last, and is not the worst. */
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pace),
      cmocka_unit_test(corners_without_a_number),
      cmocka_unit_test(cases_without_a_number),
      cmocka_unit_test(bound_of_the_estimate),
      cmocka_unit_test(runs_away),
      cmocka_unit_test(reference_of_something_else),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
