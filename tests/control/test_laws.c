/* SPDX-License-Identifier: Apache-2.0
 * test_laws.c - the laws against formulas written out by hand, sampled loops against an integration of their
 * own, limits, noise, and what happens with senseless input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "kit.h"
#include "support/rng.h"
#include "base/alloc.h"

/* LuGre and the law of the spring-pulled block, typed from the derivation: the only place besides the
 * kernel. */
typedef struct {
  double m, k, s0, s1, s2, Fc, Fs, vs, al;
} par;

static double law(const par *p, double l, double v, double z, double r, double dr, double ddr, double k1,
                  double k2, int published)
{
  const double w = pow(fabs(v / p->vs), p->al), ex = exp(-w), g = p->Fc + (p->Fs - p->Fc) * ex,
               A = fabs(v) / g;
  const double sgn = v > 0 ? 1 : -1, dz = v - p->s0 * A * z, F = p->s0 * z + p->s1 * dz + p->s2 * v,
               a = (p->k * l - F) / p->m;
  const double Av =
      published ? sgn * g * (1 + p->al * w) / (g * g) : sgn / g * (1 + p->al * w * (g - p->Fc) / g);
  const double ddz = a - p->s0 * (Av * a * z + A * dz);
  return v + (p->m * (ddr + k1 * (r - v) + k2 * (dr - a)) + p->s0 * dz + p->s1 * ddz + p->s2 * a) / p->k;
}

static void law_by_hand(void **state)
{
  (void)state;
  rng g = {7};
  for (int i = 0; i < 3000; i++) {
    const par p = {rng_range(&g, 0.2, 3), rng_range(&g, 1, 9),      rng_range(&g, 500, 5000),
                   rng_range(&g, 0, 200), rng_range(&g, 0, 2),      rng_range(&g, 1, 4),
                   rng_range(&g, 4, 8),   rng_range(&g, 0.02, 0.3), (double[]){1, 2, 0.7, 1.6}[i % 4]};
    char list[256];
    snprintf(list, sizeof list,
             "m=%.17g,k=%.17g,sigma0=%.17g,sigma1=%.17g,sigma2=%.17g,Fc=%.17g,Fs=%.17g,vs=%.17g,delta=%.17g",
             p.m, p.k, p.s0, p.s1, p.s2, p.Fc, p.Fs, p.vs, p.al);
    kit k;
    kit_open(&k, "pulled_block", "lugre", list, NULL, BR_CONTROL_FEEDBACK_LINEARIZATION);
    k.set.law = i % 3 == 0 ? BR_LAW_PUBLISHED : BR_LAW_CORRECTED;
    k.set.true_bristle = 1;
    if (kit_init(&k, 1)) fail_msg("%s", k.err.msg);
    const double v = rng_range(&g, -1, 1) * (i % 5 ? 1 : 20), z = rng_range(&g, -1, 1) * p.Fs / p.s0;
    const double q[2] = {rng_range(&g, -3, 3), v};
    const br_control_ref ref = {rng_range(&g, -1, 1), rng_range(&g, -1, 1), rng_range(&g, -1, 1)};
    const br_control_meas meas = {q, &z, NAN, 0};
    const double x[BR_CONTROL_MAX_X] = {0}, u = br_control_output(&k.c, &ref, &meas, x);
    const double want = law(&p, q[0], v, z, ref.r, ref.dr, ref.ddr, 1050, 65, k.set.law == BR_LAW_PUBLISHED);
    /* terms of the law may be far larger than their sum */
    const double size =
        fabs(want) + p.s0 * p.s0 * p.s1 * fabs(v) / p.Fc * fabs(v) / p.Fc * fabs(z) / p.k + 1e3;
    if (!(fabs(u - want) <= 1e-13 * size)) fail_msg("case %d: u %.17g, by hand %.17g", i, u, want);
    kit_close(&k);
  }
}

/* At v = 0 the control jumps; its two one-sided values differ by 2 s0 s1 |z| |a| / (k Fs). */
static void jump_at_reversal(void **state)
{
  (void)state;
  kit k;
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_FEEDBACK_LINEARIZATION);
  k.set.true_bristle = 1;
  assert_int_equal(kit_init(&k, 1), BR_OK);
  const double z = 1.7e-3, q[2] = {2.1, 0}, x[BR_CONTROL_MAX_X] = {0}, a = 2 * 2.1 - 2900 * z;
  const br_control_ref ref = {0, a, 0};
  br_control_meas meas = {q, &z, NAN, 1};
  const double up = br_control_output(&k.c, &ref, &meas, x);
  meas.side = -1;
  const double down = br_control_output(&k.c, &ref, &meas, x);
  const double want = 2 * 2900 * 107 * z * fabs(a) / (2 * 5.88);
  if (!(fabs(fabs(up - down) - want) < 1e-6 * want)) fail_msg("jump %.12g, expected %.12g", up - down, want);
  kit_close(&k);
}

/* The sampled loop against a second one written here: RK4 in 200 parts of a sample, the law by hand. */
static void sampled_by_hand(void **state)
{
  (void)state;
  const par p = {1, 2, 2900, 107, 0, 2.94, 5.88, 0.1, 1};
  kit k;
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_FEEDBACK_LINEARIZATION);
  k.set.true_bristle = 1;
  k.set.limit = 40;
  k.job.sample = 1e-3;
  if (kit_run(&k, 1, "step:1", 0.4)) fail_msg("%s", k.err.msg);
  double s[3] = {0, 0, 0}, sum = 0, last = 1;
  for (int i = 0; i < 400; i++) {
    double u = law(&p, s[0], s[1] == 0 ? 1e-10 : s[1], s[2], 1, 0, 0, 1050, 65, 0);
    u = u > 40 ? 40 : u < -40 ? -40 : u;
    for (int n = 0; n < 200; n++) {
      double f[4][3], y[3];
      for (int b = 0; b < 4; b++) {
        for (int c = 0; c < 3; c++) y[c] = s[c] + (b ? f[b - 1][c] * (b == 3 ? 5e-6 : 2.5e-6) : 0);
        const double gv = p.Fc + (p.Fs - p.Fc) * exp(-fabs(y[1] / p.vs)),
                     dz = y[1] - p.s0 * fabs(y[1]) / gv * y[2];
        f[b][0] = u - y[1], f[b][1] = 2 * y[0] - p.s0 * y[2] - p.s1 * dz, f[b][2] = dz;
      }
      for (int c = 0; c < 3; c++) s[c] += 5e-6 / 6 * (f[0][c] + 2 * f[1][c] + 2 * f[2][c] + f[3][c]);
    }
    sum += 5e-4 * (last * last + (1 - s[1]) * (1 - s[1]));
    last = 1 - s[1];
  }
  if (!(fabs(last - k.out.error_end) < 1e-9)) fail_msg("end %.15g, by hand %.15g", k.out.error_end, last);
  if (!(fabs(sqrt(sum / 0.4) - k.out.error_rms) < 1e-9))
    fail_msg("rms %.15g, by hand %.15g", k.out.error_rms, sqrt(sum / 0.4));
  assert_true(k.out.peak_control == 40);
  kit_close(&k);
}

/* With finer samples the sampled loop approaches the continuous one, first order. */
static void sampling_converges(void **state)
{
  (void)state;
  double off[3];
  kit k;
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_FEEDBACK_LINEARIZATION);
  if (kit_run(&k, 1, "sine:1,0.5", 1)) fail_msg("%s", k.err.msg);
  const double exact = k.out.rms_control;
  for (int i = 0; i < 3; i++) {
    k.job.sample = 1e-3 / (1 << i);
    if (kit_run(&k, 1, "sine:1,0.5", 1)) fail_msg("%s", k.err.msg);
    off[i] = fabs(k.out.rms_control - exact);
  }
  if (!(off[2] < 0.35 * off[0] && off[0] < 0.05 * exact))
    fail_msg("%g %g %g of %g", off[0], off[1], off[2], exact);
  kit_close(&k);
}

static void noise_is_reproducible(void **state)
{
  (void)state;
  const double noise[BR_CONTROL_MAX_Q] = {0, 1e-3};
  double rms[3];
  kit k;
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_OBSERVER);
  k.job.sample = 1e-3, k.job.delay = 1.5e-3, k.job.noise = noise;
  k.set.limit = 50;
  for (int i = 0; i < 3; i++) {
    k.job.seed = i == 2 ? 99 : 5;
    if (kit_run(&k, 1, "sine:1,0.5", 2)) fail_msg("%s", k.err.msg);
    rms[i] = k.out.error_rms;
    assert_true(k.out.peak_control <= 50);
  }
  assert_true(rms[0] == rms[1]);
  assert_true(rms[0] != rms[2]);
  kit_close(&k);
}

/* The integral does not wind up at the limit: after a step that saturates for long, it comes back without a
 * large swing. */
static void no_wind_up(void **state)
{
  (void)state;
  kit k;
  kit_open(&k, "driven_block", "lugre", "m=1,sigma0=1e4,sigma1=80,Fc=1,Fs=1.5,vs=0.01", NULL, BR_CONTROL_PI);
  k.set.kp = 20, k.set.ki = 40, k.set.limit = 3;
  double swing[2];
  for (int i = 0; i < 2; i++) {
    if (i == 1) k.set.limit = 1e6;
    if (kit_run(&k, 0, "step:2", 20)) fail_msg("%s", k.err.msg);
    assert_true(k.out.peak_control <= k.set.limit);
    swing[i] = fabs(k.out.error_end);
    assert_false(isnan(k.out.settling_time));
    assert_true(k.out.settling_time < 6);
  }
  assert_true(swing[0] < 1e-3 && swing[1] < 1e-3);
  kit_close(&k);
}

/* Models that stick by themselves: sampled only. */
static void true_stick(void **state)
{
  (void)state;
  kit k;
  kit_open(&k, "driven_block", "coulomb", "m=1,Fc=1,Fs=1.5,vs=0.01", NULL, BR_CONTROL_PI);
  k.set.kp = 20, k.set.ki = 40;
  assert_int_equal(kit_run(&k, 0, "step:1", 5), BR_E_UNSUPPORTED);
  k.job.sample = 1e-3;
  if (kit_run(&k, 0, "step:1", 5)) fail_msg("%s", k.err.msg);
  assert_true(fabs(k.out.error_end) < 1e-3);
  kit_close(&k);
}

static void senseless(void **state)
{
  (void)state;
  kit k;
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_FEEDBACK_LINEARIZATION);
  assert_int_equal(kit_init(&k, 7), BR_E_ARG);
  assert_int_equal(br_control_init(NULL, &k.set, k.sys, k.job.spar, k.mod, k.job.mpar, k.mpair, 1, &k.err),
                   BR_E_ARG);
  const double bad[] = {0, 3, NAN, -INFINITY};
  for (size_t i = 0; i < 4; i++) {
    k.set.poles[1] = bad[i];
    assert_int_equal(kit_init(&k, 1), BR_E_RANGE);
  }
  k.set = br_control_settings_default(BR_CONTROL_FEEDBACK_LINEARIZATION);
  k.set.limit = 0;
  assert_int_equal(kit_init(&k, 1), BR_E_RANGE);
  k.set.limit = 50;
  k.set.phi = -1;
  assert_int_equal(kit_init(&k, 1), BR_E_RANGE);
  k.set.phi = 1;
  assert_int_equal(kit_init(&k, 1), BR_OK);
  /* numbers that are none: bounded output, a flag, and a controller that goes on */
  double q[2] = {NAN, 0.5}, z = 0;
  const br_control_ref ref = {1, 0, 0};
  const br_control_meas meas = {q, &z, NAN, 0};
  assert_true(br_control_update(&k.c, &ref, &meas, 1e-3) == 0);
  assert_true(k.c.mem.flags & BR_CONTROL_NAN);
  q[0] = 0, q[1] = INFINITY;
  assert_true(fabs(br_control_update(&k.c, &ref, &meas, 1e-3)) <= 50);
  q[1] = 1e200;
  assert_true(fabs(br_control_update(&k.c, &ref, &meas, 1e-3)) <= 50);
  q[1] = 0.5;
  br_control_reset(&k.c);
  assert_int_equal(k.c.mem.flags, 0);
  const double u = br_control_update(&k.c, &ref, &meas, 1e-3);
  assert_true(fabs(u) <= 50 && u != 0 && k.c.mem.flags == 0);
  /* cases */
  k.job.sample = 0, k.job.delay = 1e-3;
  assert_int_equal(kit_run(&k, 1, "step:1", 1), BR_E_ARG);
  k.job.delay = 0;
  assert_int_equal(kit_run(&k, 1, "step:1", 0), BR_E_RANGE);
  assert_int_equal(kit_run(&k, 1, "step:1", NAN), BR_E_RANGE);
  k.job.window[0] = 2, k.job.window[1] = 3;
  assert_int_equal(kit_run(&k, 1, "step:1", 1), BR_E_RANGE);
  kit_close(&k);
  /* laws that do not fit */
  kit_open(&k, "pulled_block", "dahl", "sigma0=1e4,Fc=1", NULL, BR_CONTROL_FEEDBACK_LINEARIZATION);
  k.set.law = BR_LAW_PUBLISHED;
  assert_int_equal(kit_init(&k, 1), BR_E_UNSUPPORTED);
  k.set.law = BR_LAW_CORRECTED;
  assert_int_equal(kit_init(&k, 0), BR_OK); /* the spring itself follows the input at once */
  kit_close(&k);
  kit_open(&k, "driven_block", "lugre", "m=1", NULL, BR_CONTROL_CASCADE_PI);
  assert_int_equal(kit_init(&k, 0), BR_E_UNSUPPORTED);
  kit_close(&k);
  assert_int_equal(br_control_find("observer"), BR_CONTROL_OBSERVER);
  assert_int_equal(br_control_find("nothing"), -1);
  assert_int_equal(br_control_find(NULL), -1);
  assert_null(br_control_name(99));
}

/* Every allocation of a run may fail. */
static void no_memory(void **state)
{
  (void)state;
  kit k;
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_FEEDBACK_LINEARIZATION);
  k.job.sample = 1e-3;
  assert_int_equal(kit_run(&k, 1, "step:1", 0.01), BR_OK);
  const long live = bri_alloc_live();
  bri_alloc_fail_after(0);
  const br_status st = br_control_run(&k.job, &k.c, &k.out, &k.err);
  bri_alloc_fail_after(-1);
  assert_int_equal(st, BR_E_NOMEM);
  assert_int_equal(bri_alloc_live(), live);
  kit_close(&k);
}

/* u'' of references against differences of u'. */
static void curvature(void **state)
{
  (void)state;
  const char *const specs[] = {
      "sine:1.3,0.7,0.4,0.2", "chirp:0.8,0.3,2.5,4",   "ramp:0.4",           "step:2,0.5", "triangle:1,0.5",
      "trapezoid:1,0.5,2",    "scurve:1,0.5,2,30,0.2", "filtered_step:1,0.3"};
  const double t[5] = {0, 0.5, 1.1, 2, 3.2}, u[5] = {0, 1, 1.5, 0.2, 0.2}, A[2] = {1, 0.4},
               f[2] = {0.5, 1.25}, ph[2] = {0.1, 2};
  br_signal *list[10];
  br_err err;
  for (size_t i = 0; i < 8; i++)
    if (br_signal_parse(specs[i], &list[i], &err)) fail_msg("%s", err.msg);
  assert_int_equal(br_signal_from_samples(5, t, u, BR_SIGNAL_PCHIP, 0, &list[8], &err), BR_OK);
  assert_int_equal(br_signal_from_sines(2, A, f, ph, &list[9], &err), BR_OK);
  for (size_t i = 0; i < 10; i++) {
    for (double x = 0.0371; x < 3.5; x += 0.0917) {
      const double h = 1e-5,
                   d = (br_signal_rate(list[i], x + h, 1) - br_signal_rate(list[i], x - h, 1)) / (2 * h);
      const double got = br_signal_curvature(list[i], x, 1);
      const double corner = br_signal_next_corner(list[i], x - 2 * h);
      if (corner < x + 2 * h) continue;
      if (!(fabs(got - d) < 1e-6 * (1 + fabs(d))))
        fail_msg("signal %zu at %g: %.12g, differences %.12g", i, x, got, d);
    }
    assert_true(isnan(br_signal_curvature(list[i], NAN, 1)));
    br_signal_destroy(list[i]);
  }
}

/* One sample without a number, of each measurement in turn: what the controller remembers is finite again,
 * and a good sample later it moves the plant as one does that begins there. */
static void one_bad_sample(void **state)
{
  (void)state;
  for (size_t kind = 0; br_control_name(kind); kind++)
    for (int which = 0; which < 3; which++) {
      kit k;
      kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, (br_control_kind)kind);
      k.set.limit = 50;
      k.set.integral = br_control_places_poles(k.set.kind);
      if (kit_init(&k, 1)) fail_msg("%s", k.err.msg);
      double q[2] = {0.1, 0.2}, z = 0.001;
      br_control_ref ref = {0.3, 0, 0};
      const br_control_meas meas = {q, &z, 0, 0};
      for (int i = 0; i < 5; i++) (void)br_control_update(&k.c, &ref, &meas, 1e-3);
      if (which < 2) q[which] = NAN;
      else ref.r = NAN;
      assert_true(fabs(br_control_update(&k.c, &ref, &meas, 1e-3)) <= 50);
      for (size_t i = 0; i < br_control_nstate(&k.c); i++) assert_true(isfinite(k.c.mem.x[i]));
      assert_true(isfinite(k.c.mem.v_last) && isfinite(k.c.mem.u_last));
      q[0] = 0.1, q[1] = 0.2, ref.r = 0.3;
      k.c.mem.flags = 0;
      const double u = br_control_update(&k.c, &ref, &meas, 1e-3), bad[] = {0, -1, NAN, INFINITY, -INFINITY};
      const br_control_memory before = k.c.mem;
      for (size_t i = 0; i < 5; i++) { /* a time between samples that is none: nothing moves, it is told */
        assert_true(br_control_update(&k.c, &ref, &meas, bad[i]) == u);
        assert_memory_equal(before.x, k.c.mem.x, sizeof before.x);
        assert_int_equal(k.c.mem.flags, BR_CONTROL_BAD_STEP);
        k.c.mem.flags = 0;
      }
      for (int i = 0; i < 5; i++) assert_true(br_control_update(&k.c, &ref, &meas, 1e-3) != 0);
      assert_int_equal(k.c.mem.flags, 0);
      const br_control_meas blind = {q, &z, NAN, 0}; /* no accelerometer: the law does without */
      assert_true(br_control_update(&k.c, &ref, &blind, 1e-3) != 0);
      assert_int_equal(k.c.mem.flags, 0);
      kit_close(&k);
    }
}

/* y held: the filter of the derivative follows 1 - exp(-t/tf) whatever the sample time, the integral counts e
 * h, the slope of the inner loop is that of the velocity; after a reset everything is as at the start. */
static void memories_by_hand(void **state)
{
  (void)state;
  kit k;
  kit_open(&k, "mass_spring", "lugre", "m=1,ks=0", NULL, BR_CONTROL_PID);
  k.set.kp = 3, k.set.ki = 4, k.set.kd = 6, k.set.tf = 0.02;
  if (kit_init(&k, 0)) fail_msg("%s", k.err.msg);
  const double q[2] = {0.5, 0};
  const br_control_ref ref = {2, 0, 0};
  const br_control_meas meas = {q, NULL, NAN, 0};
  double first = 0;
  for (int turn = 0; turn < 2; turn++) {
    for (int i = 1; i <= 10; i++) {
      const double x = k.c.mem.x[k.c.nz + 1], sum = k.c.mem.x[k.c.nz],
                   u = br_control_update(&k.c, &ref, &meas, 0.01);
      assert_true(fabs(u - (3 * 1.5 + 4 * sum - 6 * (0.5 - x) / 0.02)) < 1e-12);
      assert_true(fabs(k.c.mem.x[k.c.nz + 1] - 0.5 * (1 - exp(-0.5 * i))) < 1e-14);
      assert_true(fabs(k.c.mem.x[k.c.nz] - 0.015 * i) < 1e-15);
      if (i == 1) assert_true(turn == 0 || u == first), first = u;
    }
    br_control_reset(&k.c);
    assert_true(!k.c.mem.started && k.c.mem.u_last == 0 && k.c.mem.v_last == 0);
  }
  kit_close(&k);
  kit_open(&k, "mass_spring", "lugre", "m=1,ks=0", NULL, BR_CONTROL_PI); /* without ki nothing is summed up */
  k.set.kp = 3, k.set.ki = 0;
  if (kit_init(&k, 0)) fail_msg("%s", k.err.msg);
  for (int i = 0; i < 3; i++) assert_true(br_control_update(&k.c, &ref, &meas, 0.01) == 4.5);
  assert_true(k.c.mem.x[k.c.nz] == 0);
  kit_close(&k);
  kit_open(&k, "mass_spring", "lugre", "m=2,ks=0", NULL, BR_CONTROL_CASCADE_PI);
  k.set.kp = 3, k.set.ki = 4, k.set.inner = 5;
  if (kit_init(&k, 0)) fail_msg("%s", k.err.msg);
  const double moving[2] = {0.5, 0.2};
  const br_control_meas m2 = {moving, NULL, NAN, 0};
  const double slip = 5 * 1.5 - 0.2, u = br_control_update(&k.c, &ref, &m2, 0.01);
  assert_true(fabs(u - 2 * 3 * slip) < 1e-12 && fabs(k.c.mem.x[k.c.nz] - 0.01 * slip) < 1e-15);
  kit_close(&k);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(law_by_hand),
                                     cmocka_unit_test(jump_at_reversal),
                                     cmocka_unit_test(sampled_by_hand),
                                     cmocka_unit_test(sampling_converges),
                                     cmocka_unit_test(noise_is_reproducible),
                                     cmocka_unit_test(no_wind_up),
                                     cmocka_unit_test(true_stick),
                                     cmocka_unit_test(senseless),
                                     cmocka_unit_test(one_bad_sample),
                                     cmocka_unit_test(memories_by_hand),
                                     cmocka_unit_test(no_memory),
                                     cmocka_unit_test(curvature)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
