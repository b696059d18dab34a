/* SPDX-License-Identifier: Apache-2.0
 * test_tracking.c - feedback linearisation: the error equation, reference numbers, the published law,
 * robustness. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "kit.h"
#include "support/json.h"
#include "support/paths.h"

static double near_to(double got, double want, double tol, const char *what)
{
  const double d = fabs(got - want);
  if (!(d <= tol)) fail_msg("%s: got %.15g, want %.15g, off by %.3g (allowed %.3g)", what, got, want, d, tol);
  return d;
}

/* ---- the error obeys e'' + 65 e' + 1050 e = 0 ---- */

typedef struct {
  double worst, e0, de0, p1, p2;
  size_t rows;
} follow;

static int on_row(void *ctx, const br_control_row *r)
{
  follow *f = (follow *)ctx;
  const double c1 = (f->de0 - f->p2 * f->e0) / (f->p1 - f->p2), c2 = f->e0 - c1;
  const double e = c1 * exp(f->p1 * r->t) + c2 * exp(f->p2 * r->t);
  f->worst = fmax(f->worst, fabs(r->r - r->y - e));
  f->rows++;
  return 0;
}

static void error_is_linear(void **state)
{
  (void)state;
  const struct {
    const char *reference;
    double e0, de0, t_end;
  } runs[] = {{"step:1", 1, 0, 1},
              {"step:-2.5", -2.5, 0, 1},
              {"ramp:0.1", 0, 0.1, 2},
              {"ramp:-0.7", 0, -0.7, 2},
              {"sine:1,0.1", 0, 0.62831853071795864769, 12},
              {"sine:0.3,1.7,0.4,0.05", 0.3 * 0.38941834230865049 + 0.05,
               0.3 * 2 * 3.14159265358979324 * 1.7 * 0.92106099400288508, 3}};
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
    for (int ideal = 0; ideal < 2; ideal++) {
      kit k;
      follow f = {0, runs[i].e0, runs[i].de0, -35, -30, 0};
      kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_FEEDBACK_LINEARIZATION);
      k.set.true_bristle = ideal;
      k.job.output_dt = runs[i].t_end / 400;
      k.job.on_row = on_row, k.job.ctx = &f;
      if (kit_run(&k, 1, runs[i].reference, runs[i].t_end)) fail_msg("%s", k.err.msg);
      assert_int_equal(f.rows, 401);
      if (!(f.worst < 1e-9)) fail_msg("%s: off by %.3g", runs[i].reference, f.worst);
      kit_close(&k);
    }
}

/* Other mechanisms, other poles: relative degree 1 and 2, with a Dahl and a LuGre contact. */
static void other_mechanisms(void **state)
{
  (void)state;
  const struct {
    const char *system, *model, *list;
    size_t tracked;
    int degree;
  } rows[] = {{"driven_block", "lugre", "m=1.7,sigma0=1e4,sigma1=80,Fc=1,Fs=1.5,vs=0.01", 0, 1},
              {"mass_spring", "lugre", "m=1.7,ks=3,sigma0=1e4,sigma1=80,Fc=1,Fs=1.5,vs=0.01", 0, 2},
              {"mass_spring", "dahl", "m=1.7,ks=3,sigma0=1e4,Fc=1", 1, 1},
              {"dc_motor", "lugre", "sigma0=20,sigma1=0.1,Fc=0.05,Fs=0.08,vs=0.1", 0, 2},
              {"dc_motor", "lugre", "sigma0=20,sigma1=0.1,Fc=0.05,Fs=0.08,vs=0.1", 1, 1},
              {"pulled_block", "dahl", "m=1.7,k=3,sigma0=1e4,Fc=1", 1, 2}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    kit k;
    follow f = {0, 0, 0.3 * 2 * 3.14159265358979324 * 0.7, -20, -12.5, 0};
    kit_open(&k, rows[i].system, rows[i].model, rows[i].list, NULL, BR_CONTROL_FEEDBACK_LINEARIZATION);
    k.set.poles[0] = -20, k.set.poles[1] = -12.5;
    if (rows[i].degree == 1) f.de0 = 0; /* e starts and stays at zero */
    k.job.output_dt = 0.01;
    k.job.on_row = on_row, k.job.ctx = &f;
    if (kit_run(&k, rows[i].tracked, "sine:0.3,0.7", 3)) fail_msg("%s: %s", rows[i].system, k.err.msg);
    assert_int_equal(k.c.degree, rows[i].degree);
    if (!(f.worst < 1e-9)) fail_msg("%s %s: off by %.3g", rows[i].system, rows[i].model, f.worst);
    kit_close(&k);
  }
}

/* ---- numbers ---- */

static br_control_result paper(const char *reference, double t_end, br_control_law law, const double *window)
{
  kit k;
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_FEEDBACK_LINEARIZATION);
  k.set.law = law;
  if (window) k.job.window[0] = window[0], k.job.window[1] = window[1];
  if (kit_run(&k, 1, reference, t_end)) fail_msg("%s: %s", reference, k.err.msg);
  kit_close(&k);
  return k.out;
}

static void reference_numbers(void **state)
{
  (void)state;
  char path[512];
  (void)support_reference("control.json", path, sizeof path);
  json *root = json_load(path, NULL);
  assert_non_null(root);
  const json *loop = json_get(root, "closed_loop_corrected"), *peak = json_get(loop, "peak_control");
  br_control_result r = paper("step:1", 1, BR_LAW_CORRECTED, NULL);
  near_to(r.settling_time, json_number(json_get(loop, "settling_2pct")), 1e-9, "settling");
  near_to(r.peak_control, json_number(json_get(peak, "step_1")), 1e-6, "peak, step");
  near_to(paper("ramp:0.1", 1, BR_LAW_CORRECTED, NULL).peak_control,
          json_number(json_get(peak, "ramp_0.1_startup")), 1e-8, "peak, ramp");
  near_to(paper("sine:1,0.1", 30, BR_LAW_CORRECTED, NULL).peak_control,
          json_number(json_get(peak, "sine_0.1Hz")), 1e-5, "peak, 0.1 Hz");
  near_to(paper("sine:1,1", 10, BR_LAW_CORRECTED, NULL).peak_control, json_number(json_get(peak, "sine_1Hz")),
          1e-5, "peak, 1 Hz");
  near_to(paper("ramp:0.1", 200, BR_LAW_PUBLISHED, NULL).error_end,
          json_number(json_get(json_get(root, "published_law"), "ramp_0.1_error_at_200s")), 1e-8,
          "published, ramp");
  json_free(root);
}

static void ramps_without_error(void **state)
{
  (void)state;
  near_to(paper("ramp:0.1", 200, BR_LAW_CORRECTED, NULL).error_end, 0, 1e-9, "ramp 0.1");
  near_to(paper("ramp:0.5", 200, BR_LAW_CORRECTED, NULL).error_end, 0, 1e-9, "ramp 0.5");
}

/* Figures of the published law that were found with other solvers. */
static void published_law(void **state)
{
  (void)state;
  const double late[2] = {10, 30}, early[2] = {4, 10};
  near_to(paper("step:0.1", 10, BR_LAW_PUBLISHED, NULL).settling_time, 0.405, 5e-4, "step 0.1");
  near_to(paper("step:1", 10, BR_LAW_PUBLISHED, NULL).settling_time, 3.206, 5e-4, "step 1");
  near_to(paper("step:2", 15, BR_LAW_PUBLISHED, NULL).settling_time, 6.204, 5e-4, "step 2");
  near_to(paper("sine:1,0.1", 30, BR_LAW_PUBLISHED, late).error_rms, 0.182287, 1e-6, "0.1 Hz");
  near_to(paper("sine:1,1", 10, BR_LAW_PUBLISHED, early).error_rms, 0.464788, 1e-6, "1 Hz");
  near_to(paper("sine:3,0.1", 30, BR_LAW_PUBLISHED, late).error_rms, 1.127591, 1e-6, "amplitude 3");
}

/* ---- robustness of the bristle state ---- */

static void bristle_state(void **state)
{
  (void)state;
  kit k;
  for (int i = 0; i < 2; i++) { /* the threshold at r = 1 lies at 0.26 % */
    kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_FEEDBACK_LINEARIZATION);
    k.set.true_bristle = 1;
    k.job.z_scale = i ? 1.003 : 1.0025;
    const br_status st = kit_run(&k, 1, "step:1", 20);
    if (i) assert_int_equal(st, BR_E_CONVERGE);
    else assert_int_equal(st, BR_OK);
    kit_close(&k);
  }
  const char *const wrong[] = {"sigma0=3480", "sigma0=2320", "Fc=3.528",
                               "Fc=2.352",    "Fs=7.056",    "vs=0.08,Fc=2.352,Fs=7.056"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    kit_open(&k, "pulled_block", "lugre", KIT_PAPER, wrong[i], BR_CONTROL_FEEDBACK_LINEARIZATION);
    if (kit_run(&k, 1, "step:1", 20)) fail_msg("%s: %s", wrong[i], k.err.msg);
    if (!(fabs(k.out.error_end) < 0.2)) fail_msg("%s: error %.3g", wrong[i], k.out.error_end);
    kit_close(&k);
  }
}

/* An integrator removes the error that a wrong parameter leaves. */
static void integrator(void **state)
{
  (void)state;
  for (int with = 0; with < 2; with++) {
    kit k;
    kit_open(&k, "pulled_block", "lugre", KIT_PAPER, "Fc=2.352,m=1.1", BR_CONTROL_FEEDBACK_LINEARIZATION);
    k.set.integral = with;
    if (kit_run(&k, 1, "step:1", 5)) fail_msg("%s", k.err.msg);
    if (with) assert_true(fabs(k.out.error_end) < 1e-9);
    else assert_true(fabs(k.out.error_end) > 1e-3);
    kit_close(&k);
  }
}

/* Integral action on a position with Fs > Fc hunts; without the difference, or with the observer, it does
 * not. */
static void hunting(void **state)
{
  (void)state;
#define SERVO "m=1,ks=0,sigma0=1e5,sigma1=316.22776601683796,sigma2=0.4,Fc=1,vs=0.001"
  for (int i = 0; i < 3; i++) {
    kit k;
    kit_open(&k, "mass_spring", "lugre", i == 1 ? SERVO ",Fs=1" : SERVO ",Fs=1.5", NULL,
             i == 2 ? BR_CONTROL_OBSERVER : BR_CONTROL_PID);
    k.set.kp = 3, k.set.ki = 4, k.set.kd = 6, k.set.tf = 1e-3;
    k.set.poles[0] = k.set.poles[1] = -3, k.set.poles[2] = -1;
    k.set.integral = i == 2;
    if (kit_run(&k, 0, "step:1", 200)) fail_msg("%s", k.err.msg);
    assert_int_equal(k.out.hunting, i == 0);
    if (i == 0)
      near_to(k.out.amplitude, 0.0638, 2e-4, "amplitude"), near_to(k.out.period, 24.46, 0.05, "period");
    kit_close(&k);
  }
}

/* A corner is the run with those factors; a loop that runs away counts as infinite. */
static void corners(void **state)
{
  (void)state;
  const char *const names[] = {"Fc", "m"};
  br_control_result worst;
  unsigned corner = 9;
  kit k, one;
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_FEEDBACK_LINEARIZATION);
  k.job.sample = 1e-3;
  if (kit_run(&k, 1, "sine:1,0.5", 2)) fail_msg("%s", k.err.msg);
  assert_int_equal(br_control_corners(&k.job, &k.set, 1, names, 2, 0.2, &worst, &corner, &k.err), BR_OK);
  assert_true(corner < 4 && worst.error_rms > k.out.error_rms);
  char list[64];
  snprintf(list, sizeof list, "Fc=%.17g,m=%.17g", 2.94 * (corner & 1 ? 1 + 0.2 : 1 - 0.2),
           corner & 2 ? 1 + 0.2 : 1 - 0.2);
  kit_open(&one, "pulled_block", "lugre", KIT_PAPER, list, BR_CONTROL_FEEDBACK_LINEARIZATION);
  one.job.sample = 1e-3;
  if (kit_run(&one, 1, "sine:1,0.5", 2)) fail_msg("%s", one.err.msg);
  near_to(one.out.error_rms, worst.error_rms, 1e-12, "worst corner");
  kit_close(&one);
  k.set.true_bristle = 1;
  assert_int_equal(br_control_corners(&k.job, &k.set, 1, names, 2, 0.2, &worst, &corner, &k.err), BR_OK);
  const char *const unknown[] = {"nothing"};
  assert_int_equal(br_control_corners(&k.job, &k.set, 1, unknown, 1, 0.2, &worst, NULL, &k.err), BR_E_NAME);
  kit_close(&k);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(error_is_linear),
                                     cmocka_unit_test(other_mechanisms),
                                     cmocka_unit_test(reference_numbers),
                                     cmocka_unit_test(ramps_without_error),
                                     cmocka_unit_test(published_law),
                                     cmocka_unit_test(bristle_state),
                                     cmocka_unit_test(integrator),
                                     cmocka_unit_test(hunting),
                                     cmocka_unit_test(corners)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
