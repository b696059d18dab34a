/* SPDX-License-Identifier: Apache-2.0
 * test_stop.c - a caller ends loops, waves, time scales, walks and the search for classes in the middle. */
#include "loopkit.h"

#include "bristle/classify.h"
#include "bristle/wave.h"

/* Says stop from its `at`-th call on. */
typedef struct {
  long calls, at;
} watch;

static int asked(void *ctx)
{
  watch *w = ctx;
  return w->calls++ >= w->at;
}

/* One piece of work under a stop; *made: something was handed out. */
typedef br_status work_fn(const element *e, const br_signal *input, const br_stop *stop, int *made,
                          br_err *err);

static br_status loop(const element *e, const br_signal *input, const br_stop *stop, int *made, br_err *err)
{
  br_loop_settings s = br_loop_settings_default();
  br_loop *out = NULL;
  s.stop = *stop;
  const br_status st = br_loop_of_signal(e->m, e->par, input, &s, &out, err);
  *made = out != NULL;
  br_loop_destroy(out);
  return st;
}

static br_status wave(const element *e, const br_signal *input, const br_stop *stop, int *made, br_err *err)
{
  br_wave_settings s = br_wave_settings_default();
  br_wave *out = NULL;
  s.stop = *stop;
  s.samples = 20, s.rtol = 1e-8;
  const br_status st = br_wave_create(e->m, e->par, input, &s, &out, err);
  *made = out != NULL;
  br_wave_destroy(out);
  return st;
}

static br_status rate(const element *e, const br_signal *input, const br_stop *stop, int *made, br_err *err)
{
  static const double scales[] = {1, 10};
  br_wave_settings s = br_wave_settings_default();
  br_rate_row rows[2];
  s.stop = *stop;
  s.tau = 0.1, s.rtol = 1e-8;
  *made = 0;
  return br_rate_distance(e->m, e->par, input, &s, 2, scales, rows, err);
}

static br_status classify(const element *e, const br_signal *input, const br_stop *stop, int *made,
                          br_err *err)
{
  br_class_report r;
  (void)input;
  *made = 0;
  return br_classify_until(e->m, e->par, stop, &r, err);
}

static br_status energy(const element *e, const br_signal *input, const br_stop *stop, int *made, br_err *err)
{
  br_energy_report r;
  (void)input;
  *made = 0;
  return br_admissible_until(e->m, e->par, stop, &r, err);
}

/* Left alone the work is done, and asks many times; stopped anywhere it says so, at once, with nothing made.
 * */
static void ends_early(void **state)
{
  static const struct {
    work_fn *work;
    const char *model;
  } CASES[] = {{loop, "bouc_wen"}, {loop, "maxwell_slip"}, {wave, "bouc_wen"},  {wave, "lugre"},
               {rate, "bouc_wen"}, {classify, "bouc_wen"}, {classify, "lugre"}, {energy, "bouc_wen"}};
  br_signal *input = NULL;
  br_err err;
  (void)state;
  assert_int_equal(br_signal_parse("sine:1,1", &input, &err), BR_OK);
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    element e = element_open(CASES[i].model);
    watch alone = {0, 1L << 60};
    br_stop stop = {asked, &alone};
    int made = 0;
    if (CASES[i].work(&e, input, &stop, &made, &err)) fail_msg("%s: %s", e.m->name, err.msg);
    assert_true(alone.calls > 10);
    for (int k = 0; k < 3; k++) {
      watch w = {0, alone.calls * k / 3};
      stop.ctx = &w;
      err.code = BR_OK;
      assert_int_equal(CASES[i].work(&e, input, &stop, &made, &err), BR_INTERRUPTED);
      assert_int_equal(err.code, BR_INTERRUPTED);
      assert_false(made);
      /* searches go through their list, but no member of it is computed */
      if (w.calls - w.at > 20000) fail_msg("case %zu: %ld questions after the stop", i, w.calls - w.at);
    }
  }
  br_signal_destroy(input);
}

/* A transient far along the path: NaN, soon. */
static void transient_ends(void **state)
{
  element e = element_open("bouc_wen");
  const double u[] = {0, 1}, z[] = {0.1, 0};
  watch w = {0, 1L << 60};
  br_loop_settings s = br_loop_settings_default();
  br_loop *on = NULL;
  br_loop_walk *walk = NULL;
  br_err err;
  (void)state;
  s.stop = (br_stop){asked, &w};
  assert_int_equal(br_loop_create(e.m, e.par, 2, u, 0, &s, &on, &err), BR_OK);
  assert_true(isfinite(br_loop_transient(on, z, 7.3, 1)));
  assert_int_equal(br_loop_walk_create(on, z, &walk, &err), BR_OK);
  assert_true(isfinite(br_loop_walk_y(walk, 3.3, 1)));
  w = (watch){0, 1000};
  assert_true(isnan(br_loop_transient(on, z, 1e9, 1))); /* a billion arcs */
  assert_true(w.calls < 1100);
  assert_true(isnan(br_loop_walk_y(walk, 2e9, 1)));
  assert_true(w.calls < 1200);
  br_loop_walk_destroy(walk);
  br_loop_destroy(on);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_early), cmocka_unit_test(transient_ends)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
