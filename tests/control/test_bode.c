/* SPDX-License-Identifier: Apache-2.0
 * test_bode.c - the linearised loop against closed forms written down here, margins against a dense scan of
 * them; what is measured since the reference rests; hunting of sampled loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>
#include <complex.h>

#include "kit.h"

/* LuGre, delta = 2, and a mass. */
static const double M = 1.3, S0 = 1e4, S1 = 80, S2 = 0.4, FC = 1, FS = 1.5, VS = 0.01;
#define SERVO "m=1.3,ks=0,sigma0=1e4,sigma1=80,sigma2=0.4,Fc=1,Fs=1.5,vs=0.01,delta=2"

/* Force over velocity of the contact.  Sliding at v: z' = -(S0 v/g) z + (v g'/g) dv, since z = g/S0 there;
 * stick: z' = dv. */
static double complex impedance(double complex s, double v)
{
  const double k = exp(-(v / VS) * (v / VS)), g = FC + (FS - FC) * k,
               slope = -2 * v / (VS * VS) * (FS - FC) * k;
  const double complex z = v > 0 ? v * slope / g / (s + S0 * v / g) : 1 / s;
  return (S0 + S1 * s) * z + S2;
}

/* Position under a pid with a filtered derivative; hold and delay of a sampled one. */
static double complex loop_gain(double w, double v, const br_control_settings *set, double h, double delay)
{
  const double complex s = I * w, c = set->kp + set->ki / s + set->kd * s / (set->tf * s + 1);
  const double complex hold = h > 0 ? (1 - cexp(-s * h)) / (s * h) : 1;
  return c * hold * cexp(-s * delay) / (s * (M * s + impedance(s, v)));
}

static void open_servo(kit *k, br_control_linear *l, double v, double h, double delay)
{
  kit_open(k, "mass_spring", "lugre", SERVO, NULL, BR_CONTROL_PID);
  k->set.kp = 300, k->set.ki = 900, k->set.kd = 40, k->set.tf = 2e-3;
  assert_int_equal(kit_run(k, 0, "step:1e-3", 1e-3), BR_OK);
  k->job.sample = h, k->job.delay = delay;
  if (br_control_linearise(&k->job, &k->c, v, l, &k->err)) fail_msg("%s", k->err.msg);
}

static void response_is_that_of_the_closed_form(void **state)
{
  (void)state;
  const double cases[][3] = {{0.005, 0, 0}, {0.02, 0, 0}, {0, 0, 0}, {0.02, 1e-3, 2e-3}, {0, 1e-3, 0}};
  double worst = 0;
  for (size_t i = 0; i < 5; i++) {
    kit k;
    br_control_linear l;
    open_servo(&k, &l, cases[i][0], cases[i][1], cases[i][2]);
    for (double w = 0.01; w < 2e3; w *= 1.7) {
      double re, im;
      br_control_response(&l, w, &re, &im);
      const double complex want = loop_gain(w, cases[i][0], &k.set, cases[i][1], cases[i][2]);
      worst = fmax(worst, cabs(re + I * im - want) / cabs(want));
    }
    kit_close(&k);
  }
  print_message("largest relative error of the response: %.2g\n", worst);
  assert_true(worst < 1e-6);
}

static void margins_are_those_of_a_dense_scan(void **state)
{
  (void)state;
  for (int stuck = 0; stuck < 2; stuck++) {
    kit k;
    br_control_linear l;
    br_control_margins m;
    const double v = stuck ? 0 : 0.02;
    double crossover = NAN, phase = NAN, up = NAN, down = NAN;
    open_servo(&k, &l, v, 1e-3, 1e-3);
    if (br_control_margins_of(&l, &m, &k.err)) fail_msg("%s", k.err.msg);
    double complex last = loop_gain(1e-3, v, &k.set, 1e-3, 1e-3);
    for (double w = 1e-3; w < 3.1e3; w *= 1.00002) {
      const double complex g = loop_gain(w, v, &k.set, 1e-3, 1e-3);
      const double pm = fmod(carg(g) * 180 / 3.14159265358979 + 360, 360) - 180;
      if ((cabs(g) > 1) != (cabs(last) > 1) && !(fabs(pm) >= fabs(phase))) phase = pm, crossover = w;
      if ((cimag(g) > 0) != (cimag(last) > 0) && creal(g) < 0 && cabs(g) < 1 && !(1 / cabs(g) >= up))
        up = 1 / cabs(g);
      if ((cimag(g) > 0) != (cimag(last) > 0) && creal(g) < 0 && cabs(g) > 1 && !(1 / cabs(g) <= down))
        down = 1 / cabs(g);
      last = g;
    }
    print_message("%s: phase margin %.5g deg at %.5g rad/s, gain margin %.5g\n", stuck ? "stick" : "sliding",
                  m.phase_margin, m.crossover, m.gain_margin);
    assert_true(fabs(m.phase_margin - phase) < 0.01 && fabs(m.crossover / crossover - 1) < 1e-4);
    assert_true(fabs(m.gain_margin / up - 1) < 1e-3);
    assert_true(isnan(down) ? isnan(m.gain_margin_low) : fabs(m.gain_margin_low / down - 1) < 1e-3);
    assert_true(fabs(m.to * 1e-3 / 3.14159265358979 - 1) < 1e-12); /* up to half of the sampling rate */
    assert_true(fabs(m.delay_margin - phase / 180 * 3.14159265358979 / crossover) < 1e-4 * m.delay_margin);
    kit_close(&k);
  }
}

/* A delay turns the phase alone: what the loop bears of it and what it has add up to the same, until it
 * has more than it bears; then the phase margin is negative, and it bears none. */
static void delay_uses_the_margin_up(void **state)
{
  static const double PARTS[] = {0, 0.02, 0.5, 0.99, 1.01, 1.5};
  (void)state;
  for (int stuck = 0; stuck < 2; stuck++) {
    double bears = 0, crossover = NAN;
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) {
      kit k;
      br_control_linear l;
      br_control_margins m;
      open_servo(&k, &l, stuck ? 0 : 0.02, 1e-3, PARTS[i] * bears);
      if (br_control_margins_of(&l, &m, &k.err)) fail_msg("%s", k.err.msg);
      if (i == 0) bears = m.delay_margin, crossover = m.crossover;
      assert_true(bears > 1e-3 && fabs(m.crossover / crossover - 1) < 1e-9);
      const double left = (1 - PARTS[i]) * bears, want = left * crossover * 180 / 3.14159265358979;
      assert_true(want > -180 && fabs(m.phase_margin - want) < 1e-6 * (1 + fabs(want)));
      assert_true(left > 0 ? fabs(m.delay_margin - left) < 1e-9 * bears : m.delay_margin == 0);
      kit_close(&k);
    }
  }
}

/* Exact cancellation leaves the poles that were asked for, sliding and stuck. */
static void poles_are_those_asked_for(void **state)
{
  (void)state;
  for (int stuck = 0; stuck < 2; stuck++) {
    kit k;
    br_control_linear l;
    br_control_margins m;
    int found = 0;
    kit_open(&k, "mass_spring", "lugre", SERVO, NULL, BR_CONTROL_FEEDBACK_LINEARIZATION);
    k.set.poles[0] = -21, k.set.poles[1] = -17;
    assert_int_equal(kit_run(&k, 0, "step:1e-3", 1e-3), BR_OK);
    assert_int_equal(br_control_linearise(&k.job, &k.c, stuck ? 0 : 0.03, &l, &k.err), BR_OK);
    assert_int_equal(br_control_margins_of(&l, &m, &k.err), BR_OK);
    for (size_t i = 0; i < m.npole; i++)
      found += hypot(m.re[i] + 21, m.im[i]) < 1e-3 || hypot(m.re[i] + 17, m.im[i]) < 1e-3;
    assert_int_equal(found, 2);
    assert_true(m.stable);
    kit_close(&k);
  }
}

static void what_has_no_response_is_refused(void **state)
{
  (void)state;
  kit k;
  br_control_linear l;
  kit_open(&k, "mass_spring", "coulomb", "m=1,ks=0,Fc=1,Fs=1.5,vs=0.01", NULL, BR_CONTROL_PID);
  k.job.sample = 1e-3;
  assert_int_equal(kit_run(&k, 0, "step:1e-3", 1e-2), BR_OK);
  assert_int_equal(br_control_linearise(&k.job, &k.c, 0, &l, &k.err), BR_E_UNSUPPORTED);
  assert_int_equal(br_control_linearise(&k.job, &k.c, 0.1, &l, &k.err), BR_OK);
  double re[64], im[64];
  size_t n = 0;
  assert_int_equal(br_control_discrete(&k.job, &k.c, &l, &n, re, im, &k.err), BR_OK);
  l.delay = 1.5 * l.sample; /* an input older than the last one is not among the states */
  assert_int_equal(br_control_discrete(&k.job, &k.c, &l, &n, re, im, &k.err), BR_E_UNSUPPORTED);
  assert_non_null(strstr(k.err.msg, "a delay of 0.0015 s beyond the sample of 0.001 s"));
  l.delay = l.sample = 0;
  assert_int_equal(br_control_discrete(&k.job, &k.c, &l, &n, re, im, &k.err), BR_E_UNSUPPORTED);
  /* an observer to stand beside it takes its poles from gains that there are */
  br_control_settings beside;
  k.c.set.kp = 4, k.c.set.kd = 5;
  assert_int_equal(br_control_observer_beside(&k.c, 0, &beside), 1);
  assert_true(fabs(beside.poles[0] + 4) < 1e-12 && fabs(beside.poles[1] + 1) < 1e-12); /* s^2 + 5 s + 4 */
  k.c.set.kd = 0;
  assert_int_equal(br_control_observer_beside(&k.c, 0, &beside), 0);
  k.c.set.kp = 0, k.c.set.kd = 5;
  assert_int_equal(br_control_observer_beside(&k.c, 0, &beside), 0);
  kit_close(&k);
}

/* One word for what a loop does. */
static void outcomes(void **state)
{
  (void)state;
  br_control_result r = {.error_rms = 1, .verdict = BR_HUNTING_FOUND};
  assert_int_equal(br_control_outcome_of(&r), BR_OUTCOME_HUNTS);
  r.verdict = BR_HUNTING_EXCLUDED;
  assert_int_equal(br_control_outcome_of(&r), BR_OUTCOME_SETTLES);
  r.error_rms = INFINITY; /* whatever else is said about it */
  assert_int_equal(br_control_outcome_of(&r), BR_OUTCOME_AWAY);
  r.error_rms = 1, r.verdict = BR_HUNTING_GROWS;
  assert_int_equal(br_control_outcome_of(&r), BR_OUTCOME_AWAY);
  assert_string_equal(br_control_outcome_text(BR_OUTCOME_AWAY), "runs away");
}

/* A trapezoid that ends at 1.5 s: measures count from there, in both kinds of loop, and no corner of the way
 * is its end. */
static void measures_count_since_the_reference_rests(void **state)
{
  (void)state;
  for (int sampled = 0; sampled < 2; sampled++) {
    kit k;
    kit_open(&k, "mass_spring", "lugre", SERVO, NULL, BR_CONTROL_PID);
    k.set.kp = 300, k.set.ki = 100, k.set.kd = 12;
    k.job.sample = sampled ? 1e-3 : 0;
    k.job.judge = 0;
    if (kit_run(&k, 0, "trapezoid:1,1,2", 3)) fail_msg("%s", k.err.msg);
    const br_control_result *r = &k.out;
    assert_true(fabs(r->rest_from - 1.5) < 1e-12);
    assert_true(r->rest_error_max < r->error_max && r->rest_error_max > fabs(r->error_end) - 1e-15);
    assert_true(r->rest_error_rms <= r->rest_error_max && r->rest_error_rms > 0);
    assert_true(r->overshoot > 0 && fabs(r->overshoot - r->rest_error_max) < 0.5 * r->overshoot);
    print_message("overshoot %.4g, largest error behind the motion %.4g m\n", r->overshoot,
                  r->rest_error_max);
    kit_close(&k);
    /* creeps up to its rest: from where a thousandth of the way is left, (1 + s) exp(-s) = 1e-3 */
    kit_open(&k, "mass_spring", "lugre", SERVO, NULL, BR_CONTROL_OBSERVER);
    k.job.sample = sampled ? 1e-3 : 0;
    k.job.judge = 0;
    if (kit_run(&k, 0, "filtered_step:1,0.05", 1)) fail_msg("%s", k.err.msg);
    const double s = k.out.rest_from / 0.05;
    assert_true(fabs((1 + s) * exp(-s) - 1e-3) < 1e-6 && k.out.settling_time == 0);
    kit_close(&k);
    kit_open(&k, "mass_spring", "lugre", SERVO, NULL, BR_CONTROL_OBSERVER);
    k.job.sample = sampled ? 1e-3 : 0;
    if (kit_run(&k, 0, "sine:0.01,2", 1)) fail_msg("%s", k.err.msg);
    assert_true(isnan(k.out.rest_from) && isnan(k.out.settling_time) && isnan(k.out.overshoot));
    kit_close(&k);
  }
}

/* The servo of docs/control.md, sampled, over less than a period of its cycle: it is followed until that is
 * known. */
static void sampled_hunting_is_decided(void **state)
{
  (void)state;
  const struct {
    const char *set;
    br_hunting_verdict verdict;
  } rows[] = {{"m=1,ks=0", BR_HUNTING_FOUND}, {"m=1,ks=0,Fs=1", BR_HUNTING_EXCLUDED}};
  for (size_t i = 0; i < 2; i++) {
    kit k;
    kit_open(&k, "mass_spring", "lugre", rows[i].set, NULL, BR_CONTROL_PID);
    k.set.kp = 3, k.set.ki = 4, k.set.kd = 6, k.set.tf = 1e-3;
    k.job.sample = 2e-3;
    if (kit_run(&k, 0, "step:1", 20)) fail_msg("%s", k.err.msg);
    assert_int_equal(k.out.verdict, rows[i].verdict);
    if (!i) assert_true(k.out.period > 20 && k.out.period < 40 && k.out.amplitude > 0.04);
    kit_close(&k);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(response_is_that_of_the_closed_form),
                                     cmocka_unit_test(margins_are_those_of_a_dense_scan),
                                     cmocka_unit_test(delay_uses_the_margin_up),
                                     cmocka_unit_test(poles_are_those_asked_for),
                                     cmocka_unit_test(what_has_no_response_is_refused),
                                     cmocka_unit_test(measures_count_since_the_reference_rests),
                                     cmocka_unit_test(sampled_hunting_is_decided),
                                     cmocka_unit_test(outcomes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
