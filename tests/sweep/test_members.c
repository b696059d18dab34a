/* SPDX-License-Identifier: Apache-2.0
 * test_members.c - single members: ends of grids, levels and regimes on both sides of their bounds, no
 * memory, bits of what is no number. */
#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "bri_config.h"
#include "sweep/answer.h"
#include "sweep/output.h"
#include "kit.h"
#if BR_WITH_HDF5
#include <hdf5.h>
#endif

/* The n values of a grid of one name. */
static void grid(const char *text, size_t n, double *x)
{
  const char *const OPTIONS[] = {"grid", text, NULL};
  double values[BRI_SWEEP_AXES];
  bri_design d;
  br_err err;
  br_job *job = job_of(OPTIONS);
  assert_int_equal(bri_design_read(job, &d, &err), BR_OK);
  assert_int_equal(d.members, n);
  for (size_t i = 0; i < n; i++) bri_design_values(&d, i, values), x[i] = values[0];
  bri_design_free(&d);
  br_job_destroy(job);
}

static void grids(void **state)
{
  double x[8];
  (void)state;
  grid("k=3:7:1", 1, x); /* one value is the first */
  assert_true(x[0] == 3);
  grid("k=3:7:1:log", 1, x);
  assert_true(x[0] == 3);
  grid("k=0.1:0.7:2", 2, x);
  assert_true(x[0] == 0.1 && x[1] == 0.7);
  grid("k=0.1:0.7:7", 7, x); /* the ends to the bit, between them even steps */
  assert_true(x[0] == 0.1 && x[6] == 0.7);
  for (int i = 1; i < 7; i++) assert_true(fabs(x[i] - x[i - 1] - 0.1) < 1e-15);
  grid("k=7:3:5", 5, x); /* downwards */
  for (int i = 0; i < 5; i++) assert_true(x[i] == 7 - i);
  grid("k=-1:-100:3:log", 3, x);
  assert_true(x[0] == -1 && fabs(x[1] + 10) < 1e-14 && x[2] == -100);
  grid("k=100:1:3:log", 3, x);
  assert_true(x[0] == 100 && fabs(x[1] - 10) < 1e-14 && x[2] == 1);
}

static void regimes(void **state)
{
  const double still = 1e-3; /* what counts as equal is below that, and above 1e-9 */
  (void)state;
  assert_int_equal(bri_sweep_regime(0, 0, 0, 9, 1, 1), BRI_REGIME_REST);
  assert_int_equal(bri_sweep_regime(0, 0, 1, 9, 1, 1), BRI_REGIME_REST);
  assert_int_equal(bri_sweep_regime(-1e-9, 1e-9, -1, 9, 1, 1), BRI_REGIME_REST); /* slow against the level */
  assert_int_equal(bri_sweep_regime(-1e-9, 1e-9, 0, 9, 1, 1), BRI_REGIME_PERIODIC);
  assert_int_equal(bri_sweep_regime(-2, -2, 1, 9, 1, 1), BRI_REGIME_STEADY);
  assert_int_equal(bri_sweep_regime(2, 2 + 1e-9, 1, 9, 1, 1), BRI_REGIME_STEADY);
  assert_int_equal(bri_sweep_regime(2, 2 + 4 * still, 1, 9, 1, 1), BRI_REGIME_PERIODIC);
  assert_int_equal(bri_sweep_regime(-1, 1, 1, 2, 1, 1), BRI_REGIME_IRREGULAR); /* one period proves nothing */
  assert_int_equal(bri_sweep_regime(-1, 1, 1, 3, 1, 1), BRI_REGIME_PERIODIC);
  assert_int_equal(bri_sweep_regime(-1, 1, 1, 3, 1, 1 + 1e-9), BRI_REGIME_PERIODIC);
  assert_int_equal(bri_sweep_regime(-1, 1, 1, 3, 1, 1 + 4 * still), BRI_REGIME_IRREGULAR);
}

static void levels(void **state)
{
  const char *const PLAIN[] = {"grid", "k=1:2:2", NULL}, *const GIVEN[] = {"threshold", "0.25", NULL};
  double level = 0, slow = 0;
  bri_sweep s = {.job = job_of(PLAIN)};
  (void)state;
  bri_sweep_levels(&s, -2, 0.1, &level, &slow); /* pulled: 1 % of that speed, either way */
  assert_true(level == -2 && slow == 0.02);
  bri_sweep_levels(&s, 0, 0.1, &level, &slow);
  assert_true(level == slow && fabs(slow - 0.01) < 1e-17);
  bri_sweep_levels(&s, (double)NAN, 0.1, &level, &slow);
  assert_true(level == slow && fabs(slow - 0.01) < 1e-17);
  bri_sweep_levels(&s, (double)NAN, (double)NAN, &level, &slow);
  assert_true(level == 0 && slow == 0);
  br_job_destroy((br_job *)s.job);
  s.job = job_of(GIVEN);
  bri_sweep_levels(&s, 2, 0.1, &level, &slow);
  assert_true(level == 2 && slow == 0.25);
  bri_sweep_levels(&s, 0, 0.1, &level, &slow);
  assert_true(level == 0.25 && slow == 0.25);
  br_job_destroy((br_job *)s.job);
}

static void places(void **state)
{
  (void)state;
  assert_int_equal(bri_sweep_place("sine", 4, "A"), 0);
  assert_int_equal(bri_sweep_place("sine", 4, "f"), 1);
  assert_int_equal(bri_sweep_place("sine", 4, "offset"), 3);
  assert_int_equal(bri_sweep_place("sine", 4, "off"), -1);
  assert_int_equal(bri_sweep_place("sine", 4, "1"), 0);
  assert_int_equal(bri_sweep_place("sine", 4, "2"), 1);
  assert_int_equal(bri_sweep_place("sin", 3, "A"), -1);
}

static void ends(void **state)
{
  (void)state;
  assert_int_equal(bri_member_end_of(BR_OK), BRI_MEMBER_OK);
  assert_int_equal(bri_member_end_of(BR_E_RANGE), BRI_MEMBER_RANGE);
  assert_int_equal(bri_member_end_of(BR_E_ARG), BRI_MEMBER_RANGE);
  assert_int_equal(bri_member_end_of(BR_E_CONVERGE), BRI_MEMBER_CONVERGE);
  assert_int_equal(bri_member_end_of(BR_E_NAN), BRI_MEMBER_NAN);
  assert_int_equal(bri_member_end_of(BR_E_UNSUPPORTED), BRI_MEMBER_UNSUPPORTED);
}

static const char *const SHORT[] = {"system",  "pulled_block",
                                    "model",   "lugre",
                                    "set",     "m=1,vp=1",
                                    "grid",    "k=1:2:2",
                                    "t-end",   "1e-3",
                                    "engine",  "solver",
                                    "measure", "v_max,final.v,none=(v_max-v_max)/(v_max-v_max)",
                                    NULL};

/* Whatever request fails: the sweep ends for want of memory, or the member is whole; it is never called
 * refused. */
static void no_memory(void **state)
{
  bri_answer_sweep b;
  br_err err;
  br_job *job = job_of(SHORT);
  (void)state;
  assert_int_equal(br_job_check(job, &err), BR_OK);
  assert_int_equal(bri_sweep_set_up(job, &b, &err), BR_OK);
  double *row = calloc(b.s.width, sizeof *row);
  assert_non_null(row);
  long n = 0, failed = 0;
  for (br_status st = BR_E_NOMEM; st; n++) {
    bri_alloc_fail_after(n);
    st = bri_member_run(&b.s, 1, row, NULL, &err);
    bri_alloc_fail_after(-1);
    if (st) assert_int_equal(st, BR_E_NOMEM), failed++;
    else assert_true(row[b.s.width - 1] == BRI_MEMBER_OK && isfinite(row[0]));
    assert_true(n < 5000);
  }
  assert_true(failed > 20);
  free(row);
  bri_sweep_release(&b);
  br_job_destroy(job);
}

static void one_gap(void **state)
{
  const double nan = (double)NAN;
  bri_answer_sweep b;
  br_err err;
  br_job *job = job_of(SHORT);
  (void)state;
  assert_int_equal(br_job_check(job, &err), BR_OK);
  assert_int_equal(bri_sweep_set_up(job, &b, &err), BR_OK);
  double *rows = calloc(2 * b.s.width, sizeof *rows);
  assert_non_null(rows);
  assert_int_equal(bri_sweep_block(&b.s, 0, 2, rows, &err), BR_OK);
  for (size_t i = 0; i < 2; i++) {
    assert_true(isfinite(rows[i * b.s.width]) && isfinite(rows[i * b.s.width + 1]));
    assert_memory_equal(&rows[i * b.s.width + 2], &nan,
                        sizeof nan); /* 0/0 has another sign on some processors */
  }
  free(rows);
  bri_sweep_release(&b);
  br_job_destroy(job);
}

#if BR_WITH_HDF5
/* A file of an ensemble whose columns x and y have n and m rows; a column may lack. */
static br_status columns_of(hsize_t n, hsize_t m, const char *names, size_t *got, br_err *err)
{
  static const char *const TEXTS[] = {"columns", "sweep", "status", "regime"}, *const NUMBERS[] = {"members",
                                                                                                   "first",
                                                                                                   "count"};
  static const double DATA[4] = {1, 2, 3, 4}, COUNT = 4;
  const hsize_t rows[2] = {n, m};
  const hid_t file = H5Fcreate("columns.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t one = H5Screate(H5S_SCALAR), text = H5Tcopy(H5T_C_S1);
  (void)H5Tset_size(text, H5T_VARIABLE);
  for (int i = 0; i < 4; i++) {
    const char *s = i ? "" : names;
    const hid_t a = H5Acreate2(file, TEXTS[i], text, one, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(a, text, &s) >= 0 && H5Aclose(a) >= 0);
  }
  for (int i = 0; i < 3; i++) {
    const hid_t a = H5Acreate2(file, NUMBERS[i], H5T_NATIVE_DOUBLE, one, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(a, H5T_NATIVE_DOUBLE, &COUNT) >= 0 && H5Aclose(a) >= 0);
  }
  for (int i = 0; i < 2; i++) {
    const hid_t space = H5Screate_simple(1, &rows[i], NULL);
    const hid_t d =
        H5Dcreate2(file, i ? "y" : "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, DATA) >= 0);
    (void)H5Dclose(d), (void)H5Sclose(space);
  }
  (void)H5Sclose(one), (void)H5Tclose(text);
  assert_true(H5Fclose(file) >= 0);
  bri_input *in = NULL;
  double out[16];
  br_status st = bri_input_open("columns.h5", &in, err);
  if (!st) st = bri_input_next(in, 8, out, got, err);
  for (size_t i = 0; !st && i < *got; i++) assert_true(out[2 * i] == DATA[i] && out[2 * i + 1] == DATA[i]);
  bri_input_close(in);
  (void)remove("columns.h5");
  return st;
}
#endif

/* All columns are as long as the first. */
static void lengths_of_columns(void **state)
{
  (void)state;
#if BR_WITH_HDF5
  static const hsize_t UNLIKE[][2] = {{3, 2}, {2, 3}, {4, 1}};
  br_err err = {BR_OK, -1, ""};
  size_t got = 0;
  if (columns_of(3, 3, "x\ny", &got, &err)) fail_msg("%s", err.msg);
  assert_int_equal(got, 3);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(columns_of(UNLIKE[i][0], UNLIKE[i][1], "x\ny", &got, &err), BR_E_PARSE);
    assert_non_null(strstr(err.msg, "columns of different length"));
  }
  assert_int_equal(columns_of(3, 3, "x\nz", &got, &err), BR_E_PARSE);
  assert_non_null(strstr(err.msg, "lacks one of its columns"));
#else
  skip();
#endif
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(grids),   cmocka_unit_test(regimes),
                                     cmocka_unit_test(levels),  cmocka_unit_test(places),
                                     cmocka_unit_test(ends),    cmocka_unit_test(no_memory),
                                     cmocka_unit_test(one_gap), cmocka_unit_test(lengths_of_columns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
