/* SPDX-License-Identifier: Apache-2.0
 * test_controllers.c - what each law promises: no chatter with the implicit sliding mode, an observer that
 * finds the bristles, a level that is learned, friction ahead of the motion; and their bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "kit.h"
#include "support/rng.h"

#define BLOCK "m=1,sigma0=1e4,sigma1=80,sigma2=0.4,Fc=1,Fs=1.5,vs=0.01"
#define SPRUNG "m=1.7,ks=3,sigma0=1e4,sigma1=200,sigma2=0.4,Fc=1,Fs=1.5,vs=0.01"

/* The kit's own controller called from outside, so that a test sees every sample. */
typedef struct {
  kit *k;
  double variation, last; /* of u: sum of |u - last| */
  double level, low, top; /* learned, with its extremes */
  double z_off;           /* estimated less true bristle state */
  size_t calls;
} watch;

static double watched(void *ctx, const br_control_ref *ref, const br_control_meas *meas, double h)
{
  watch *w = (watch *)ctx;
  br_controller *c = &w->k->c;
  const double u = br_control_update(c, ref, meas, h);
  if (w->calls++) w->variation += fabs(u - w->last);
  w->last = u;
  w->level = 1 + c->mem.x[c->nz + 2];
  w->low = fmin(w->low, w->level), w->top = fmax(w->top, w->level);
  w->z_off = c->mem.x[0] - meas->z[0];
  return u;
}

static watch run_watched(kit *k, size_t tracked, const char *reference, double t_end, double h)
{
  watch w = {k, 0, 0, 1, 1, 1, 0, 0};
  k->job.sample = h;
  k->job.update = watched, k->job.ctx = &w;
  if (kit_run(k, tracked, reference, t_end)) fail_msg("%s", k->err.msg);
  k->job.update = NULL;
  assert_true(w.calls >= (size_t)(t_end / h) - 1);
  return w;
}

/* ---- sliding mode ---- */

/* With friction 30 % too small in the controller: the bare sign chatters at full amplitude, a layer narrower
 * than a sample's way (phi < h eta) does too, the implicit rule does not; and it holds s better. */
static void implicit_does_not_chatter(void **state)
{
  (void)state;
  const struct {
    br_control_kind kind;
    double phi, h, eta;
  } rows[] = {{BR_CONTROL_SLIDING_MODE, 0, 1e-3, 5},          {BR_CONTROL_SLIDING_MODE, 1e-3, 1e-3, 5},
              {BR_CONTROL_SLIDING_MODE, 0.05, 1e-3, 5},       {BR_CONTROL_SLIDING_MODE_IMPLICIT, 0, 1e-3, 5},
              {BR_CONTROL_SLIDING_MODE, 0, 5e-3, 5},          {BR_CONTROL_SLIDING_MODE_IMPLICIT, 0, 5e-3, 5},
              {BR_CONTROL_SLIDING_MODE_IMPLICIT, 0, 1e-3, 50}};
  double variation[7], rms[7];
  for (size_t i = 0; i < 7; i++) {
    kit k;
    kit_open(&k, "driven_block", "lugre", BLOCK, "Fc=0.7,Fs=1.05", rows[i].kind);
    k.set.phi = rows[i].phi, k.set.eta = rows[i].eta;
    k.job.window[0] = 0.5, k.job.window[1] = 4;
    variation[i] = run_watched(&k, 0, "sine:0.5,0.5", 4, rows[i].h).variation;
    rms[i] = k.out.error_rms;
    print_message("kind %d phi %g h %g eta %g: variation %.4g, rms %.3g\n", (int)rows[i].kind, rows[i].phi,
                  rows[i].h, rows[i].eta, variation[i], rms[i]);
    kit_close(&k);
  }
  /* the sign jumps by 2 m eta at nearly every sample; what must move is u of the exact law, below 40 N
   * here */
  assert_true(variation[0] > 10000 && variation[1] > 10000);
  assert_true(variation[3] < 0.01 * variation[0] && variation[3] < 60);
  assert_true(variation[5] < 0.03 * variation[4] && variation[5] < 60);
  assert_true(variation[6] < 60);     /* ten times the gain: no more chatter */
  assert_true(rms[3] < 0.5 * rms[0]); /* and a smaller error than the sign's */
  assert_true(rms[3] < 0.2 * rms[2]); /* and than a layer wide enough to be quiet */
}

/* The inclusion s+ = s - h eta w, w in Sgn(s+): solved exactly by the law, for every s and h. */
static void implicit_solves_the_inclusion(void **state)
{
  (void)state;
  rng g = {3};
  kit k;
  kit_open(&k, "driven_block", "lugre", BLOCK, NULL, BR_CONTROL_SLIDING_MODE_IMPLICIT);
  k.set.eta = 4;
  assert_int_equal(kit_init(&k, 0), BR_OK);
  for (int i = 0; i < 2000; i++) {
    const double h = pow(10, rng_range(&g, -5, -1)), s = pow(10, rng_range(&g, -6, 1)) * (i % 2 ? 1 : -1);
    const double v = rng_range(&g, -0.5, 0.5), q[1] = {v};
    br_control_ref ref = {v + s, rng_range(&g, -1, 1), 0}, still = {v, ref.dr, 0};
    const br_control_meas meas = {q, NULL, NAN, 0};
    br_control_reset(&k.c);
    const double u = br_control_update(&k.c, &ref, &meas, h);
    br_control_reset(&k.c);
    const double u0 = br_control_update(&k.c, &still, &meas, h); /* s = 0: no switching term */
    const double w = (u - u0) / k.set.eta, after = ref.r - v - h * k.set.eta * w; /* m = 1 */
    assert_true(fabs(w) <= 1 + 1e-12);
    if (fabs(after) > 1e-9 * fabs(s)) assert_true(fabs(w - (after > 0 ? 1 : -1)) < 1e-9);
  }
  /* defined by its samples: no continuous loop, nor for the bare sign */
  k.job.sample = 0;
  assert_int_equal(kit_run(&k, 0, "step:1", 0.1), BR_E_UNSUPPORTED);
  k.set = br_control_settings_default(BR_CONTROL_SLIDING_MODE);
  assert_int_equal(kit_run(&k, 0, "step:1", 0.1), BR_OK);
  k.set.phi = 0;
  assert_int_equal(kit_run(&k, 0, "step:1", 0.1), BR_E_UNSUPPORTED);
  kit_close(&k);
}

/* ---- observer ---- */

/* The plant starts with deflected bristles that nobody measured.  An open copy never finds them while the
 * block hardly moves; the push from e does, and e goes with it. */
static void observer_finds_bristles(void **state)
{
  (void)state;
  double left[2], e[2];
  for (int i = 0; i < 2; i++) {
    kit k;
    const double z0 = 1e-4; /* two thirds of Fs/sigma0 */
    kit_open(&k, "driven_block", "lugre", BLOCK, NULL, BR_CONTROL_OBSERVER);
    k.set.poles[0] = -40;
    if (i == 0) k.set.injection = 0;
    k.job.z0 = &z0;
    const watch w = run_watched(&k, 0, "sine:1e-4,1", 1, 1e-3);
    assert_true(br_control_passive(&k.c));
    assert_true(i == 0 ? k.c.set.injection == 0 : k.c.set.injection > 0);
    left[i] = fabs(w.z_off), e[i] = fabs(k.out.error_end);
    kit_close(&k);
  }
  print_message("bristles off by 1e-4 m at the start, at the end: %.3g open, %.3g driven; error %.3g, %.3g\n",
                left[0], left[1], e[0], e[1]);
  assert_true(left[0] > 2e-7); /* an open copy knows only its own motion */
  assert_true(left[1] < 0.05 * left[0] && e[1] < 0.05 * e[0]);
}

/* br_control_passive() against Re G(i w) of the transfer function itself, on a grid. */
static void passivity(void **state)
{
  (void)state;
  rng g = {11};
  int seen[3][2] = {{0}};
  for (int i = 0; i < 600; i++) {
    const int shape = i % 3, integral = i / 3 % 2;
    const char *const systems[] = {"driven_block", "mass_spring", "pulled_block"};
    const double s0 = pow(10, rng_range(&g, 1, 4)), s1 = pow(10, rng_range(&g, 0, 2.5));
    char list[160];
    kit k;
    snprintf(list, sizeof list, "m=2,sigma0=%.17g,sigma1=%.17g,sigma2=0,Fc=1,Fs=1.5,vs=0.01", s0, s1);
    kit_open(&k, systems[shape], "lugre", list, NULL, BR_CONTROL_OBSERVER);
    k.set.integral = integral;
    for (int p = 0; p < 3; p++) k.set.poles[p] = -pow(10, rng_range(&g, 0, 3));
    assert_int_equal(kit_init(&k, shape == 2 ? 1 : 0), BR_OK);
    const double zero = k.c.k2 - s1 / 2; /* a wrong force also misleads the acceleration F' is taken along */
    double least = INFINITY;
    for (double lw = -4; lw < 6; lw += 0.01) {
      /* numerator n(s), denominator d(s) at s = i w, as real and imaginary part */
      const double w = pow(10, lw);
      double n[2] = {s0, s1 * w}, d[2], t;
      if (shape == 2) t = n[0], n[0] = t * zero - n[1] * w, n[1] = t * w + n[1] * zero; /* (s + zero) */
      if (shape == 0) d[0] = k.c.k1, d[1] = w;
      else d[0] = k.c.k1 - w * w, d[1] = k.c.k2 * w;
      if (integral) { /* everything times s, plus ki */
        t = n[0], n[0] = -n[1] * w, n[1] = t * w;
        t = d[0], d[0] = -d[1] * w + k.c.ki, d[1] = t * w;
      }
      const double re = (n[0] * d[0] + n[1] * d[1]) / (hypot(n[0], n[1]) * hypot(d[0], d[1]));
      least = fmin(least, re);
    }
    const int passive = br_control_passive(&k.c);
    seen[shape][passive] = 1;
    if (passive && !(least >= -1e-9)) fail_msg("case %d: passive by rule, Re G = %g", i, least);
    if (!passive && !(least < 1e-6)) fail_msg("case %d: not passive by rule, Re G >= %g", i, least);
    if (!passive) assert_true(k.c.set.injection == 0); /* the default stays away */
    kit_close(&k);
  }
  for (int s = 0; s < 3; s++) assert_true(seen[s][0] && seen[s][1]);
}

/* ---- adaptive ---- */

/* The controller believes in 30 % too little and too much friction; sigma0 moves with it.  The level it
 * learns makes up for it, and the error falls to what the right parameters leave. */
static void level_is_learned(void **state)
{
  (void)state;
  const struct {
    const char *system, *list, *low, *high;
    size_t tracked;
    double part; /* of the error that may be left */
  } rows[] = {{"driven_block", BLOCK, "sigma0=7e3,sigma1=56,Fc=0.7,Fs=1.05",
               "sigma0=1.3e4,sigma1=104,Fc=1.3,Fs=1.95", 0, 0.05},
              {"mass_spring", SPRUNG, "sigma0=7e3,sigma1=140,Fc=0.7,Fs=1.05",
               "sigma0=1.3e4,sigma1=260,Fc=1.3,Fs=1.95", 0, 0.05},
              {"mass_spring", SPRUNG, "Fc=0.7,Fs=1.05", "Fc=1.3,Fs=1.95", 1, 0.1},
              {"pulled_block", KIT_PAPER, "sigma0=2030,sigma1=74.9,Fc=2.058,Fs=4.116",
               "sigma0=3770,sigma1=139.1,Fc=3.822,Fs=7.644", 1, 0.1},
              {"pulled_block", KIT_PAPER, "Fc=2.058,Fs=4.116", "Fc=3.822,Fs=7.644", 1, 0.6}};
  for (size_t i = 0; i < 5; i++)
    for (int high = 0; high < 2; high++) {
      const double want = 1 / (high ? 1.3 : 0.7);
      double rms[3], level = 0;
      for (int n = 0; n < 3; n++) { /* fixed and wrong, learned, fixed and right */
        kit k;
        kit_open(&k, rows[i].system, "lugre", rows[i].list,
                 n == 2 ? NULL
                 : high ? rows[i].high
                        : rows[i].low,
                 n == 1 ? BR_CONTROL_ADAPTIVE : BR_CONTROL_FEEDBACK_LINEARIZATION);
        k.job.window[0] = 15, k.job.window[1] = 20;
        const watch w = run_watched(&k, rows[i].tracked, "sine:0.5,0.5", 20, 1e-3);
        rms[n] = k.out.error_rms;
        if (n == 1) level = w.level;
        kit_close(&k);
      }
      print_message("%s %zu: level %.4f (wanted %.4f), rms %.3g wrong, %.3g learned, %.3g right\n",
                    rows[i].system, rows[i].tracked, level, want, rms[0], rms[1], rms[2]);
      if (!(fabs(level - want) < 0.03 * want)) fail_msg("level %g, wanted %g", level, want);
      if (!(rms[1] < rows[i].part * rms[0])) fail_msg("rms %g, without learning %g", rms[1], rms[0]);
    }
}

/* The level stays in its range whatever the plant does, in both loops, and rests at the limit of u. */
static void level_is_bounded(void **state)
{
  (void)state;
  kit k;
  kit_open(&k, "driven_block", "lugre", BLOCK, "Fc=0.1,Fs=0.15", BR_CONTROL_ADAPTIVE);
  k.set.span = 0.5, k.set.adapt = 50;
  watch w = run_watched(&k, 0, "sine:0.5,0.5", 6, 1e-3);
  assert_true(w.top == 1.5 && w.low >= 1 / 1.5);
  k.job.sample = 0; /* continuous: ten times the friction must not be found, nor anything break */
  if (kit_run(&k, 0, "sine:0.5000001,0.5", 2)) fail_msg("%s", k.err.msg);
  kit_close(&k);
  kit_open(&k, "driven_block", "lugre", BLOCK, "Fc=5,Fs=7.5", BR_CONTROL_ADAPTIVE);
  k.set.span = 0.5, k.set.adapt = 50;
  w = run_watched(&k, 0, "sine:0.5,0.5", 6, 1e-3);
  assert_true(fabs(w.low - 1 / 1.5) < 1e-12 && w.top <= 1.5);
  kit_close(&k);
  kit_open(&k, "driven_block", "lugre", BLOCK, NULL, BR_CONTROL_ADAPTIVE);
  k.set.limit = 0.5; /* less than friction: nothing moves, nothing can be learned */
  w = run_watched(&k, 0, "step:1", 2, 1e-3);
  assert_true(w.top < 1.05);
  k.set.span = 0;
  assert_int_equal(kit_init(&k, 0), BR_E_RANGE);
  kit_close(&k);
}

/* Continuous and sampled loop learn the same. */
static void level_in_both_loops(void **state)
{
  (void)state;
  double rms[2];
  for (int i = 0; i < 2; i++) {
    kit k;
    kit_open(&k, "pulled_block", "lugre", KIT_PAPER, "Fc=2.058,Fs=4.116", BR_CONTROL_ADAPTIVE);
    if (i) k.job.sample = 1e-4;
    k.job.window[0] = 0, k.job.window[1] = 3;
    if (kit_run(&k, 1, "sine:0.5,0.5", 3)) fail_msg("%s", k.err.msg);
    rms[i] = k.out.error_rms;
    kit_close(&k);
  }
  if (!(fabs(rms[0] - rms[1]) < 0.02 * rms[0])) fail_msg("continuous %g, sampled %g", rms[0], rms[1]);
}

/* ---- feedforward ---- */

/* Friction of the reference's motion, with any model: against the same loop that knows of no friction. */
static void friction_ahead(void **state)
{
  (void)state;
  const struct {
    const char *model, *list, *none; /* none: hardly any friction */
  } rows[] = {{"lugre", BLOCK, "Fc=1e-6,Fs=1e-6,sigma1=0,sigma2=0"},
              {"dahl", "m=1,sigma0=1e4,Fc=1", "Fc=1e-6"},
              {"maxwell_slip", "m=1,k=1000,1800,2600,Delta=1e-4,2e-4,3e-4", "k=1e-6,1e-6,1e-6"},
              {"gms", "m=1,Fc=1,Fs=1.5,vs=0.01", "Fc=1e-6,Fs=1e-6"},
              {"coulomb", "m=1,Fc=1,Fs=1.5,vs=0.01", "Fc=1e-6,Fs=1e-6,sigma2=0"},
              {"bouc_wen", "m=1,fp=1,uy=1e-3", "fp=1e-6"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    double rms[2];
    for (int n = 0; n < 2; n++) {
      kit k;
      kit_open(&k, "driven_block", rows[i].model, rows[i].list, n ? NULL : rows[i].none,
               BR_CONTROL_FEEDFORWARD);
      k.job.sample = 1e-3;
      k.job.window[0] = 2, k.job.window[1] = 4;
      if (kit_run(&k, 0, "sine:0.5,0.5", 4)) fail_msg("%s: %s", rows[i].model, k.err.msg);
      rms[n] = k.out.error_rms;
      kit_close(&k);
    }
    print_message("feedforward %s: rms %.3g without, %.3g with the model\n", rows[i].model, rms[0], rms[1]);
    if (!(rms[1] < 0.25 * rms[0])) fail_msg("%s: %g with, %g without", rows[i].model, rms[1], rms[0]);
  }
  /* exact in a continuous loop: model and mechanism right, start on the reference */
  kit k;
  kit_open(&k, "mass_spring", "lugre", SPRUNG, NULL, BR_CONTROL_FEEDFORWARD);
  if (kit_run(&k, 0, "sine:0.1,0.5,90deg,-0.1", 2)) fail_msg("%s", k.err.msg);
  assert_true(k.out.error_max < 1e-8);
  kit_close(&k);
  /* a spring's elongation says nothing about the contact */
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_FEEDFORWARD);
  assert_int_equal(kit_init(&k, 0), BR_E_UNSUPPORTED);
  kit_close(&k);
}

/* ---- what all share ---- */

static void names_and_gains(void **state)
{
  (void)state;
  size_t n = 0, gains = 0;
  for (const char *name; (name = br_control_name(n)) != NULL; n++) {
    assert_int_equal(br_control_find(name), (int)n);
    br_control_settings s = br_control_settings_default((br_control_kind)n);
    assert_int_equal(s.kind, n);
    const char *gain, *unit, *doc;
    double *value;
    for (gains = 0; br_control_gain(&s, gains, &gain, &value, &unit, &doc); gains++) {
      assert_true(gain[0] && unit[0] && doc[0]);
      assert_true((char *)value >= (char *)&s && (char *)value < (char *)(&s + 1));
      if (strcmp(gain, "kp") == 0) assert_ptr_equal(value, &s.kp);
      if (strcmp(gain, "injection") == 0) assert_ptr_equal(value, &s.injection);
    }
  }
  assert_true(n == 9 && gains == 11);
  assert_true(br_control_places_poles(BR_CONTROL_ADAPTIVE) && !br_control_places_poles(BR_CONTROL_PID));
  assert_true(br_control_needs_model(BR_CONTROL_SLIDING_MODE) &&
              !br_control_needs_model(BR_CONTROL_CASCADE_PI));
  assert_false(br_control_runs_continuous((br_control_kind)99));
  assert_null(br_control_name(n));
}

/* Every kind: bounded, finite, and as before after senseless calls; a limit that binds for long leaves no
 * swing. */
static void every_kind_survives(void **state)
{
  (void)state;
  for (size_t kind = 0; br_control_name(kind); kind++) {
    kit k;
    kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, (br_control_kind)kind);
    k.set.limit = 50;
    k.set.integral = br_control_places_poles(k.set.kind);
    if (kit_init(&k, 1)) fail_msg("%s", k.err.msg);
    rng g = {kind + 1};
    const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 0, 1e-310};
    for (int i = 0; i < 3000; i++) {
      double q[2], z = rng_range(&g, -1, 1);
      br_control_ref ref = {rng_range(&g, -1, 1), rng_range(&g, -1, 1), rng_range(&g, -1, 1)};
      q[0] = i % 7 == 0 ? odd[i / 7 % 7] : rng_range(&g, -1, 1);
      q[1] = i % 11 == 0 ? odd[i / 11 % 7] : rng_range(&g, -1, 1);
      if (i % 13 == 0) ref.r = odd[i / 13 % 7];
      const br_control_meas meas = {q, &z, i % 3 ? NAN : rng_range(&g, -1, 1), 0};
      const double u = br_control_update(&k.c, &ref, &meas, i % 5 ? 1e-3 : odd[i / 5 % 7]);
      assert_true(fabs(u) <= 50);
      for (size_t x = 0; x < br_control_nstate(&k.c); x++) assert_true(isfinite(k.c.mem.x[x]));
    }
    assert_true(k.c.mem.flags == (BR_CONTROL_NAN | BR_CONTROL_BAD_STEP));
    br_control_reset(&k.c);
    assert_int_equal(k.c.mem.flags, 0);
    /* a bad step moves nothing and repeats the last output */
    const double q[2] = {0.1, 0.2}, z = 0;
    const br_control_ref ref = {0.3, 0, 0};
    const br_control_meas meas = {q, &z, NAN, 0};
    const double u = br_control_update(&k.c, &ref, &meas, 1e-3);
    const br_control_memory before = k.c.mem;
    assert_true(br_control_update(&k.c, &ref, &meas, 0) == u &&
                br_control_update(&k.c, &ref, &meas, NAN) == u);
    assert_memory_equal(before.x, k.c.mem.x, sizeof before.x);
    kit_close(&k);
  }
}

static void no_wind_up_anywhere(void **state)
{
  (void)state;
  for (size_t kind = 0; br_control_name(kind); kind++) {
    kit k;
    kit_open(&k, "mass_spring", "lugre", SPRUNG, NULL, (br_control_kind)kind);
    k.set.integral = br_control_places_poles(k.set.kind);
    k.set.poles[0] = -9, k.set.poles[1] = -8, k.set.poles[2] = -7;
    k.set.kp = 100, k.set.ki = 60, k.set.kd = 40, k.set.inner = 4, k.set.lambda = 8, k.set.eta = 20,
    k.set.phi = 0.1;
    if (kind == BR_CONTROL_CASCADE_PI) k.set.kp = 30, k.set.ki = 60;
    k.set.limit = 8; /* friction and spring need up to 4.5: the rest moves 1.7 kg over a metre */
    k.job.sample = 1e-3;
    if (kit_run(&k, 0, "step:1", 12)) fail_msg("%s: %s", br_control_name(kind), k.err.msg);
    print_message("limit 8 N, %s: settles in %.3g s, error at the end %.2g, largest %.3g\n",
                  br_control_name(kind), k.out.settling_time, k.out.error_end, k.out.error_max);
    assert_true(k.out.peak_control <= 8);
    if (kind == BR_CONTROL_PI) {
      kit_close(&k);
      continue;
    } /* a position without damping: only bounded */
    if (!(k.out.settling_time < 6)) fail_msg("%s winds up", br_control_name(kind));
    kit_close(&k);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(implicit_does_not_chatter), cmocka_unit_test(implicit_solves_the_inclusion),
      cmocka_unit_test(observer_finds_bristles),   cmocka_unit_test(passivity),
      cmocka_unit_test(level_is_learned),          cmocka_unit_test(level_is_bounded),
      cmocka_unit_test(level_in_both_loops),       cmocka_unit_test(friction_ahead),
      cmocka_unit_test(names_and_gains),           cmocka_unit_test(every_kind_survives),
      cmocka_unit_test(no_wind_up_anywhere)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
