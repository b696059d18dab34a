/* SPDX-License-Identifier: Apache-2.0
 * test_stop.c - a caller ends the analyses of the phase plane in the middle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <string.h>

#include "kit.h"

/* Says stop from its `at`-th call on; threads ask too. */
typedef struct {
  atomic_long calls;
  long at;
} watch;

static int asked(void *ctx)
{
  watch *w = ctx;
  return atomic_fetch_add(&w->calls, 1) >= w->at;
}

typedef br_status work_fn(br_phase_problem *p, int *made, br_err *err);

static br_status along(br_phase_problem *p, const char *name, double a, double b, int *made, br_err *err)
{
  br_phase *ph = NULL;
  const br_status st = br_phase_create(p, name, a, b, &ph, err);
  *made = ph != NULL;
  br_phase_destroy(ph);
  return st;
}
static br_status along_sigma1(br_phase_problem *p, int *made, br_err *err)
{
  return along(p, "sigma1", 4, 12, made, err);
}
static br_status along_F(br_phase_problem *p, int *made, br_err *err)
{
  return along(p, "F", 5.6, 5.8, made, err);
}

static br_status case_map(br_phase_problem *p, int *made, br_err *err)
{
  unsigned char cell[9];
  char names[BR_CASE_NAMES][BR_CASE_NAME];
  const br_case_map_settings s = {"F", "sigma2", 5.5, 5.9, 1.4, 1.8, 3, 3, 2, NULL, NULL};
  size_t n = 0;
  const br_status st = br_phase_case_map(p, &s, cell, names, &n, err);
  *made = n > 0;
  return st;
}

static br_status see(void *ctx, const br_phase_event *e)
{
  (void)e;
  ++*(int *)ctx;
  return BR_OK;
}

static br_status curves(br_phase_problem *p, int *made, br_err *err)
{
  const br_case_map_settings s = {"sigma1", "F", 4, 12, 5.6, 5.8, 1, 4, 2, NULL, NULL};
  *made = 0;
  return br_phase_curves(p, &s, see, made, err);
}

static br_status plant(br_phase_problem *p, int *made, br_err *err)
{
  const br_system *sys = br_system_find("driven_block");
  double spar[64], held[1] = {p->F};
  br_phase_branch *out[8] = {NULL};
  size_t n = 0;
  sys->defaults(spar);
  sys->prepare(spar);
  const br_phase_plant q = {sys, spar, p->model, p->par, held, p->stop};
  const br_status st = br_phase_branch_all(&q, BR_VARY_INPUT, 0, 5.6, 5.8, NULL, 8, out, &n, err);
  *made = n > 0;
  for (size_t i = 0; i < n; i++) br_phase_branch_destroy(out[i]);
  return st;
}

/* Left alone the work is done, and asks many times; stopped anywhere it says so, with nothing made. */
static void ends_early(void **state)
{
  static work_fn *const WORK[] = {along_sigma1, along_F, case_map, curves, plant};
  kit k;
  br_err err;
  (void)state;
  kit_figure5(&k);
  br_phase_problem p = kit_problem(&k);
  for (size_t i = 0; i < sizeof WORK / sizeof WORK[0]; i++) {
    watch alone = {0, 1L << 60};
    int made = 0;
    p.stop = (br_stop){asked, &alone};
    if (WORK[i](&p, &made, &err)) fail_msg("%zu: %s", i, err.msg);
    assert_true(made);
    const long calls = atomic_load(&alone.calls);
    assert_true(calls > 10);
    for (int j = 0; j < 4; j++) {
      watch w = {0, calls * j / 4};
      p.stop.ctx = &w;
      assert_int_equal(WORK[i](&p, &made, &err), BR_INTERRUPTED);
      assert_false(made);
      if (atomic_load(&w.calls) - w.at > 100000)
        fail_msg("case %zu: %ld questions after the stop", i, atomic_load(&w.calls) - w.at);
    }
  }
}

/* Questions to an analysis that is there. */
static void queries_end(void **state)
{
  kit k;
  br_err err;
  br_phase *ph = NULL;
  br_phase_cycle c[BR_PHASE_MOST_CYCLES];
  size_t n = 0;
  watch w = {0, 1L << 60};
  (void)state;
  kit_figure5(&k);
  br_phase_problem p = kit_problem(&k);
  p.stop = (br_stop){asked, &w};
  assert_int_equal(br_phase_create(&p, "sigma1", 8, 9, &ph, &err), BR_OK);
  assert_int_equal(br_phase_cycles(ph, 8.25, BR_PHASE_MOST_CYCLES, c, &n, &err), BR_OK);
  assert_true(n > 0);
  w.at = 0;
  assert_int_equal(br_phase_cycles(ph, 8.25, BR_PHASE_MOST_CYCLES, c, &n, &err), BR_INTERRUPTED);
  br_phase_destroy(ph);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_early), cmocka_unit_test(queries_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
