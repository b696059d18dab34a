/* SPDX-License-Identifier: Apache-2.0
 * test_errors.c - what a loop refuses and how it says so; memory that runs out at every request. */
#include "loopkit.h"

#include "bristle/wave.h"
#include "base/alloc.h"

static void refused(const element *e, size_t n, const double *u, const br_loop_settings *s, br_status want,
                    const char *part)
{
  br_loop *loop = (br_loop *)1;
  br_err err = {BR_OK, 0, ""};
  const long live = bri_alloc_live();
  const br_status st = br_loop_create(e ? e->m : NULL, e ? e->par : NULL, n, u, 0, s, &loop, &err);
  if (st != want || !strstr(err.msg, part))
    fail_msg("status %d, '%s'; expected %d, '%s'", st, err.msg, want, part);
  assert_null(loop);
  assert_int_equal(bri_alloc_live(), live);
}

static void inputs(void **state)
{
  const double good[] = {0, 1}, nan[] = {0, NAN}, inf[] = {0, INFINITY}, one[] = {0.3}, flat[] = {2, 2, 2};
  const element e = element_open("dahl");
  br_loop_settings s = br_loop_settings_default();
  refused(&e, 2, nan, NULL, BR_E_NAN, "turning point 1");
  refused(&e, 2, inf, NULL, BR_E_NAN, "turning point 1");
  refused(&e, 1, one, NULL, BR_E_ARG, "no reversal");
  refused(&e, 3, flat, NULL, BR_E_ARG, "no reversal");
  refused(&e, 0, good, NULL, BR_E_ARG, "no reversal");
  refused(&e, 2, NULL, NULL, BR_E_ARG, "turning points");
  refused(NULL, 2, good, NULL, BR_E_ARG, "model");
  s.frequency = -1;
  refused(&e, 2, good, &s, BR_E_RANGE, "frequency = -1");
  s = br_loop_settings_default(), s.frequency = NAN;
  refused(&e, 2, good, &s, BR_E_RANGE, "frequency");
  s = br_loop_settings_default(), s.load = 0;
  refused(&e, 2, good, &s, BR_E_RANGE, "load = 0");
  s = br_loop_settings_default(), s.rtol = 0;
  refused(&e, 2, good, &s, BR_E_RANGE, "rtol");
}

static void models(void **state)
{
  const double u[] = {-1, 1};
  element two = element_open("bouc_wen_biaxial"), k = element_open("karnopp"), w = element_open("bouc_wen");
  br_loop_settings s = br_loop_settings_default();
  br_loop *loop = NULL;
  br_err err;
  refused(&two, 2, u, NULL, BR_E_UNSUPPORTED, "two axes");
  element_set(&k, "dv=1,sigma2=0.5"); /* the sliding law goes on inside the stick band: the motion is given */
  for (s.frequency = 0; s.frequency < 1; s.frequency = 10 * s.frequency + 0.001) {
    assert_int_equal(br_loop_create(k.m, k.par, 2, u, 0, &s, &loop, &err), BR_OK);
    near(br_loop_get(loop)->work, 4 * (1 + 0.5 * 4 * s.frequency), 1e-14);
    br_loop_destroy(loop);
  }
  element_set(&w, "inv_d0=0.05");
  refused(&w, 2, u, NULL, BR_E_CONVERGE, "degradation");
}

static void waves(void **state)
{
  const element e = element_open("dahl"), two = element_open("bouc_wen_biaxial");
  br_signal *ramp = NULL, *sine = NULL;
  br_wave *w = (br_wave *)1;
  br_wave_settings s = br_wave_settings_default();
  br_err err;
  assert_int_equal(br_signal_parse("ramp:1", &ramp, &err), BR_OK);
  assert_int_equal(br_signal_parse("sine:1,1", &sine, &err), BR_OK);
  assert_int_equal(br_wave_create(e.m, e.par, ramp, NULL, &w, &err), BR_E_ARG);
  assert_null(w);
  assert_int_equal(br_wave_create(two.m, two.par, sine, NULL, &w, &err), BR_E_UNSUPPORTED);
  s.scale = 0;
  assert_int_equal(br_wave_create(e.m, e.par, sine, &s, &w, &err), BR_E_RANGE);
  s = br_wave_settings_default(), s.samples = 3;
  assert_int_equal(br_wave_create(e.m, e.par, sine, &s, &w, &err), BR_E_RANGE);
  s = br_wave_settings_default(), s.tau = NAN;
  assert_int_equal(br_wave_create(e.m, e.par, sine, &s, &w, &err), BR_E_RANGE);
  assert_int_equal(br_wave_create(e.m, e.par, NULL, NULL, &w, &err), BR_E_ARG);
  br_signal_destroy(ramp);
  br_signal_destroy(sine);
}

/* Points that are no reversals change nothing. */
static void straight_points(void **state)
{
  const double plain[] = {0, 1, 0.5, 1.5}, more[] = {0, 0.3, 0.7, 1, 1, 0.9, 0.5, 1.2, 1.5, 1.5, 1.4, 0.2};
  const element e = element_open("lugre");
  br_loop *a = loop_open(&e, 4, plain, 0), *b = loop_open(&e, 12, more, 0);
  assert_int_equal(br_loop_get(b)->n_turning, 4);
  assert_true(br_loop_get(a)->work == br_loop_get(b)->work);
  br_loop_destroy(a);
  br_loop_destroy(b);
}

/* Fail every request in turn: no leak, no crash, BR_E_NOMEM or (where memory is optional) another answer. */
static void memory_runs_out(void **state)
{
  static const char *const names[] = {"lugre", "maxwell_slip", "bouc_wen", "gms"};
  const double u[] = {0, 1e-4, 0.4e-4, 1.5e-4, -1e-4, 0.3e-4};
  br_signal *input = NULL;
  br_err err;
  assert_int_equal(br_signal_from_turning(6, u, 1e-3, &input, &err), BR_OK);
  for (size_t k = 0; k < 4; k++)
    for (int wave = 0; wave < 2; wave++) {
      const element e = element_open(names[k]);
      int failures = 0;
      for (long n = 0; n < 200; n++) {
        br_loop *loop = NULL;
        br_wave *w = NULL;
        const long live = bri_alloc_live();
        bri_alloc_fail_after(n);
        const br_status st = wave ? br_wave_create(e.m, e.par, input, NULL, &w, &err)
                                  : br_loop_of_signal(e.m, e.par, input, NULL, &loop, &err);
        bri_alloc_fail_after(-1);
        if (st == BR_OK) {
          br_loop_destroy(loop);
          br_wave_destroy(w);
          assert_int_equal(bri_alloc_live(), live);
          if (failures > 2) break;
          continue;
        }
        failures++;
        assert_true(st == BR_E_NOMEM || st == BR_E_CONVERGE);
        assert_true(!loop && !w);
        assert_int_equal(bri_alloc_live(), live);
      }
      assert_true(failures > 2);
    }
  br_signal_destroy(input);
}

static void nothing_to_free(void **state)
{
  br_loop_destroy(NULL);
  br_wave_destroy(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inputs),          cmocka_unit_test(models),          cmocka_unit_test(waves),
      cmocka_unit_test(straight_points), cmocka_unit_test(memory_runs_out), cmocka_unit_test(nothing_to_free),
  };
  return cmocka_run_group_tests_name("loop/errors", tests, NULL, NULL);
}
