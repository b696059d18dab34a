/* SPDX-License-Identifier: Apache-2.0
 * test_design.c - members from their number: grids, lists, draws; draws that are as even as they claim. */
#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "sweep/sweep.h"
#include "kit.h"

static void combinations(void **state)
{
  const char *const OPTIONS[] = {"grid", "sigma1=1:3:3,vp=0.01:1:3:log", "list", "k=5,7 N/m", NULL};
  double x[BRI_SWEEP_AXES];
  bri_design d;
  br_err err;
  br_job *job = job_of(OPTIONS);
  (void)state;
  assert_int_equal(bri_design_read(job, &d, &err), BR_OK);
  assert_int_equal(d.members, 18);
  assert_int_equal(d.naxis, 3);
  bri_design_values(&d, 0, x);
  assert_true(x[0] == 1 && x[1] == 0.01 && x[2] == 5);
  bri_design_values(&d, 1, x); /* the last runs fastest */
  assert_true(x[0] == 1 && x[1] == 0.01 && x[2] == 7);
  bri_design_values(&d, 17, x);
  assert_true(x[0] == 3 && x[1] == 1 && x[2] == 7);
  bri_design_values(&d, 9, x);
  assert_true(x[0] == 2 && fabs(x[1] - 0.1) < 1e-15 && x[2] == 7);
  bri_design_free(&d);
  br_job_destroy(job);
}

static void refusals(void **state)
{
  static const struct {
    const char *option, *value;
    br_status st;
    const char *says;
  } CASES[] = {{"grid", "k=1:2", BR_E_PARSE, "A:B:N"},
               {"grid", "k=1:2:0", BR_E_PARSE, "whole number"},
               {"grid", "k=1:2:2.5", BR_E_PARSE, "whole number"},
               {"grid", "k=1:2:3:lin", BR_E_PARSE, "A:B:N:log"},
               {"grid", "k=1:2:3:log:4", BR_E_PARSE, "A:B:N:log"},
               {"grid", "k=1:2:3:", BR_E_PARSE, "A:B:N:log"},
               {"grid", "k=-1:2:3:log", BR_E_PARSE, "one sign"},
               {"grid", "k=1m:2s:3", BR_E_PARSE, "A:B:N"},
               {"grid", "k=1:2:3,k=1:2:3", BR_E_ARG, "swept twice"},
               {"grid", "5", BR_E_PARSE, "NAME="},
               {"grid", "k=1:2:1e9,vp=1:2:1e9", BR_E_RANGE, "members"},
               {"list", "k=1,,2", BR_E_PARSE, "numbers between commas"},
               {"list", "k=", BR_E_PARSE, "numbers between commas"},
               {"random", "k=uniform:2:1", BR_E_PARSE, "below"},
               {"random", "k=normal:2:0", BR_E_PARSE, "deviation"},
               {"random", "k=lognormal:-2:1", BR_E_PARSE, "median"},
               {"random", "k=unifrom:1:2", BR_E_NAME, "uniform"},
               {"random", "k=uniform:1:2", BR_E_ARG, "members"},
               {"file", "there/is/none.csv", BR_E_IO, "none.csv"},
               {"file", "gap.csv", BR_E_NAN, "line 3 has a gap or an infinite number"},
               {"file", "inf.csv", BR_E_NAN, "line 3 has a gap or an infinite number"},
               {"file", "head.csv", BR_E_PARSE, "has no rows"},
               {"seed", "1", BR_E_ARG, "nothing is swept"}};
  static const char *const FILES[][2] = {
      {"gap.csv", "k,m\n1,2\n1,\n"}, {"inf.csv", "k,m\n1,2\n1,inf\n"}, {"head.csv", "k,m\n"}};
  (void)state;
  for (int i = 0; i < 3; i++) {
    FILE *f = fopen(FILES[i][0], "w");
    assert_true(f && fputs(FILES[i][1], f) >= 0 && fclose(f) == 0);
  }
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const char *const OPTIONS[] = {CASES[i].option, CASES[i].value, NULL};
    bri_design d;
    br_err err = {BR_OK, -1, ""};
    br_job *job = job_of(OPTIONS);
    assert_int_equal(bri_design_read(job, &d, &err), CASES[i].st);
    if (!strstr(err.msg, CASES[i].says)) fail_msg("'%s' does not say '%s'", err.msg, CASES[i].says);
    br_job_destroy(job);
  }
}

/* As many swept numbers as there is room for and no more; "set.k" is the parameter k, "init.z" and "input.f"
 * are what they say. */
static void many_axes(void **state)
{
  (void)state;
  for (int more = 0; more < 2; more++) {
    char text[40 * (BRI_SWEEP_AXES + 1)] = "";
    for (int i = 0; i < BRI_SWEEP_AXES + more; i++)
      (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%sset.k%d=1:2:1", i ? "," : "", i);
    const char *const OPTIONS[] = {"grid", text, NULL};
    bri_design d;
    br_err err = {BR_OK, -1, ""};
    br_job *job = job_of(OPTIONS);
    assert_int_equal(bri_design_read(job, &d, &err), more ? BR_E_SIZE : BR_OK);
    if (!more) {
      assert_string_equal(d.axis[3].target, "k3");
      assert_int_equal(d.axis[3].of, d.axis[0].of);
      bri_design_free(&d);
    } else assert_non_null(strstr(err.msg, "more than"));
    br_job_destroy(job);
  }
  static const struct {
    const char *text, *target, *number;
  } CASES[] = {{"k=1:2:2", "k", ""},      {"set.k=1:2:2", "k", ""},   {"model.k=1:2:2", "model.k", ""},
               {"init.z=1:2:2", "z", ""}, {"input.f=1:2:2", "", "f"}, {"input.Fe.A=1:2:2", "Fe", "A"}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const char *const OPTIONS[] = {"grid", CASES[i].text, NULL};
    bri_design d;
    br_err err = {BR_OK, -1, ""};
    br_job *job = job_of(OPTIONS);
    assert_int_equal(bri_design_read(job, &d, &err), BR_OK);
    assert_string_equal(d.axis[0].target, CASES[i].target);
    assert_string_equal(d.axis[0].number, CASES[i].number);
    assert_int_equal(d.axis[0].of, i == 3 ? BRI_SWEPT_INIT : i > 3 ? BRI_SWEPT_INPUT : 0);
    bri_design_free(&d);
    br_job_destroy(job);
  }
}

/* One draw in every n-th part of an axis. */
static int is_even(bri_draw_kind kind, size_t axis, uint64_t n)
{
  unsigned char *hit = calloc(n, 1);
  uint64_t parts = 0;
  assert_non_null(hit);
  for (uint64_t k = 0; k < n; k++) {
    const double x = bri_sweep_draw(kind, 7, axis, k, n);
    assert_true(x > 0 && x < 1);
    const uint64_t at = (uint64_t)(x * (double)n);
    parts += !hit[at];
    hit[at] = 1;
  }
  free(hit);
  return parts == n;
}

/* Axes are drawn apart: no two follow each other. */
static void axes_apart(void **state)
{
  static const bri_draw_kind KINDS[] = {BRI_DRAW_RANDOM, BRI_DRAW_LATIN, BRI_DRAW_SOBOL};
  (void)state;
  for (int i = 0; i < 3; i++)
    for (size_t a = 0; a < 4; a++)
      for (size_t b = 0; b < a; b++) {
        double sum = 0;
        for (uint64_t k = 0; k < 4096; k++)
          sum += (bri_sweep_draw(KINDS[i], 7, a, k, 4096) - 0.5) *
                 (bri_sweep_draw(KINDS[i], 7, b, k, 4096) - 0.5);
        assert_true(fabs(12 * sum / 4096) < 0.08); /* five deviations */
      }
}

static void even_draws(void **state)
{
  (void)state;
  for (size_t axis = 0; axis < BRI_SOBOL_AXES; axis++) {
    assert_true(is_even(BRI_DRAW_LATIN, axis, 1) && is_even(BRI_DRAW_LATIN, axis, 1000) &&
                is_even(BRI_DRAW_LATIN, axis, 4097));
    assert_true(is_even(BRI_DRAW_SOBOL, axis, 16) && is_even(BRI_DRAW_SOBOL, axis, 1024));
  }
  assert_false(is_even(BRI_DRAW_RANDOM, 0, 1000));
}

/* Two axes of Sobol points: every box of a 2^a x 2^b grid has the same number; axes 0 and 1 one each, the
 * others few. */
static void sobol_pairs(void **state)
{
  enum { SIDE = 16, N = 4096 };
  (void)state;
  for (size_t a = 0; a < BRI_SOBOL_AXES; a++)
    for (size_t b = a + 1; b < BRI_SOBOL_AXES; b++) {
      int box[SIDE][SIDE] = {{0}};
      for (uint64_t k = 0; k < N; k++)
        box[(int)(bri_sweep_draw(BRI_DRAW_SOBOL, 3, a, k, N) * SIDE)]
           [(int)(bri_sweep_draw(BRI_DRAW_SOBOL, 3, b, k, N) * SIDE)]++;
      for (int i = 0; i < SIDE; i++)
        for (int k = 0; k < SIDE; k++) assert_int_equal(box[i][k], N / SIDE / SIDE);
    }
}

static void normal_law(void **state)
{
  (void)state;
  for (double x = -8; x <= 8; x += 0.125) {
    const double share = 0.5 * erfc(-x / sqrt(2)), back = bri_sweep_quantile(share);
    if (x <= 0) assert_true(fabs(back - x) <= 1e-14 * (1 + fabs(x)));
    else if (x < 5) assert_true(fabs(back - x) <= 1e-16 / (0.4 * exp(-x * x / 2)) + 1e-14 * (1 + x));
  }
}

/* Mean and spread of what was drawn. */
static void laws(void **state)
{
  const char *const OPTIONS[] = {"random",  "a=uniform:1:3,b=normal:5:2,c=lognormal:4:0.5",
                                 "members", "4096",
                                 "design",  "sobol",
                                 "seed",    "5",
                                 NULL};
  double x[BRI_SWEEP_AXES], sum[3] = {0}, squares[3] = {0};
  bri_design d;
  br_err err;
  br_job *job = job_of(OPTIONS);
  (void)state;
  assert_int_equal(bri_design_read(job, &d, &err), BR_OK);
  for (uint64_t k = 0; k < d.members; k++) {
    bri_design_values(&d, k, x);
    x[2] = log(x[2]);
    for (int i = 0; i < 3; i++) sum[i] += x[i] / 4096, squares[i] += x[i] * x[i] / 4096;
  }
  const double mean[] = {2, 5, log(4)}, spread[] = {1 / sqrt(3), 2, 0.5};
  for (int i = 0; i < 3; i++) {
    assert_true(fabs(sum[i] - mean[i]) < 2e-3 * spread[i]);
    assert_true(fabs(sqrt(squares[i] - sum[i] * sum[i]) / spread[i] - 1) < 5e-3);
  }
  bri_design_free(&d);
  br_job_destroy(job);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(combinations), cmocka_unit_test(refusals),
                                     cmocka_unit_test(many_axes),    cmocka_unit_test(axes_apart),
                                     cmocka_unit_test(even_draws),   cmocka_unit_test(sobol_pairs),
                                     cmocka_unit_test(normal_law),   cmocka_unit_test(laws)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
