/* SPDX-License-Identifier: Apache-2.0
 * test_bounds.c - the real-time stepper at its bounds: open and closed ranges of every parameter of every
 * model, in both precisions, as the tables say; one axis writes one force. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "bristle/model.h"
#include "bristle/rt.h"

/* Is x refused for that one scalar parameter, by its slot? */
static int refused_f64(const br_model *m, const br_param *p, double x)
{
  static double values[BR_RT_SLOTS];
  static br_rt_f64 rt;
  int bad = -1;
  assert_true(br_rt_defaults_f64(m->name, values, BR_RT_SLOTS) > 0);
  values[p->slot] = x;
  const br_status st = br_rt_init_f64(&rt, m->name, values, &bad);
  return st != BR_OK && bad == (int)p->slot;
}

static int refused_f32(const br_model *m, const br_param *p, float x)
{
  static float values[BR_RT_SLOTS];
  static br_rt_f32 rt;
  int bad = -1;
  assert_true(br_rt_defaults_f32(m->name, values, BR_RT_SLOTS) > 0);
  values[p->slot] = x;
  const br_status st = br_rt_init_f32(&rt, m->name, values, &bad);
  return st != BR_OK && bad == (int)p->slot;
}

static void bounds(void **state)
{
  size_t n = 0, open = 0, closed = 0;
  const br_model *const *all = br_models(&n);
  for (size_t k = 0; k < n; k++) {
    for (size_t i = 0; i < all[k]->nparam; i++) {
      const br_param *p = &all[k]->params[i];
      if (p->choices) { /* the index of a choice: whole, and one of them */
        double count = 1;
        for (const char *c = p->choices; *c; c++) count += *c == '|';
        assert_true(refused_f64(all[k], p, count) && refused_f64(all[k], p, 0.5) &&
                    refused_f64(all[k], p, -1));
        assert_true(!refused_f64(all[k], p, count - 1));
        assert_true(refused_f32(all[k], p, (float)count));
      }
      if (p->max_len != 1 || p->choices) continue;
      assert_true(refused_f64(all[k], p, NAN) && refused_f64(all[k], p, INFINITY) &&
                  refused_f64(all[k], p, -INFINITY));
      if (isfinite(p->lo)) {
        if (refused_f64(all[k], p, p->lo) != p->lo_open || refused_f32(all[k], p, (float)p->lo) != p->lo_open)
          fail_msg("%s: %s at its lower bound", all[k]->name, p->name);
        assert_true(refused_f64(all[k], p, nextafter(p->lo, -INFINITY)));
      }
      if (isfinite(p->hi)) {
        if (refused_f64(all[k], p, p->hi) != p->hi_open || refused_f32(all[k], p, (float)p->hi) != p->hi_open)
          fail_msg("%s: %s at its upper bound", all[k]->name, p->name);
        assert_true(refused_f64(all[k], p, nextafter(p->hi, INFINITY)));
        open += p->hi_open != 0, closed += p->hi_open == 0;
      }
    }
  }
  assert_true(open > 0);
  (void)closed;
}

static void one_axis(void **state)
{
  static double values[BR_RT_SLOTS];
  static br_rt_f64 rt;
  size_t n = 0;
  const br_model *const *all = br_models(&n);
  for (size_t k = 0; k < n; k++) {
    const double u[2] = {0, 0}, v[2] = {1e-3, 2e-3};
    double F[2] = {99, 99};
    (void)br_rt_defaults_f64(all[k]->name, values, BR_RT_SLOTS);
    assert_int_equal(br_rt_init_f64(&rt, all[k]->name, values, NULL), BR_OK);
    br_rt_step2_f64(&rt, u, v, 1e-3, F);
    assert_true(F[0] != 99 && (F[1] == 99) == (all[k]->axes == 1));
  }
  rt.model = 0; /* not made ready: one number, and a flag */
  double F[2] = {99, 99};
  const double none[2] = {0, 0};
  br_rt_step2_f64(&rt, none, none, 1e-3, F);
  assert_true(F[1] == 99 && (br_rt_flags_f64(&rt, 0) & BR_RT_UNREADY));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(bounds), cmocka_unit_test(one_axis)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
