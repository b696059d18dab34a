/* SPDX-License-Identifier: Apache-2.0
 * test_show.c - tables of the pictures of an ensemble, against its rows: lines, maps, fans of quantiles,
 * histograms, points. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../support/asked.h"

#define BLOCK "system=mass_spring;model=viscous;t-end=4;engine=solver;measure=x_max;input=step:1;"

static br_result *ask(const char *options, const char *table)
{
  br_err err = {BR_OK, -1, ""};
  br_result *r = NULL;
  br_job *job = asked("sweep", options, NULL, 0, &err);
  if (!job) fail_msg("%s: %s", options, err.msg);
  assert_int_equal(br_result_create(BR_TABLE_MAIN, &r, &err), BR_OK);
  br_result_want(r, "map-1");
  br_result_want(r, table), br_result_want(r, "sweep");
  br_sink out = br_result_sink(r);
  if (br_job_run(job, &out, &err)) fail_msg("%s: %s", options, err.msg);
  br_job_destroy(job);
  return r;
}

static const br_result_table *table(const br_result *r, const char *name, size_t ncol, size_t rows)
{
  const br_result_table *t = br_result_table_find(r, name);
  if (!t || !t->data || t->ncol != ncol || t->rows != rows)
    fail_msg("%s: %zu rows of %zu", name, t ? t->rows : 0, t ? t->ncol : 0);
  return t;
}

/* Rows of an ensemble are: number, what was swept, measures, status. */
static void grids(void **state)
{
  br_result *r = ask(BLOCK "set=sigma2=0.5;grid=m=1:2:2,ks=4:6:3", "map-1");
  const br_result_table *all = table(r, "sweep", 5, 6), *t = table(r, "map-1", 3, 6);
  (void)state;
  for (size_t i = 0; i < 6; i++)
    for (size_t k = 0; k < 3; k++) assert_true(t->data[3 * i + k] == all->data[5 * i + 1 + k]);
  br_result_destroy(r);
  r = ask(BLOCK "set=sigma2=0.5,m=1;grid=ks=4:6:3", "line-1");
  all = table(r, "sweep", 4, 3), t = table(r, "line-1", 2, 3);
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < 2; k++) assert_true(t->data[2 * i + k] == all->data[4 * i + 1 + k]);
  br_result_destroy(r);
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* Quantiles lie between the two draws beside them. */
static void fans(void **state)
{
  static const double SHARES[] = {0.05, 0.25, 0.5, 0.75, 0.95};
  br_result *r = ask(BLOCK "set=sigma2=0.5;grid=m=1:2:2;random=ks=uniform:4:6;members=8", "fan-1");
  const br_result_table *all = table(r, "sweep", 5, 16), *t = table(r, "fan-1", 6, 2);
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    double x[8];
    for (size_t k = 0; k < 8; k++) x[k] = all->data[(8 * i + k) * 5 + 3];
    qsort(x, 8, sizeof *x, ascending);
    assert_true(x[0] < x[7] && t->data[6 * i] == all->data[40 * i + 1]);
    for (int q = 0; q < 5; q++) {
      const double at = 7 * SHARES[q];
      const size_t k = (size_t)at;
      const double want = x[k] + (at - (double)k) * (x[k + 1] - x[k]);
      assert_true(fabs(t->data[6 * i + 1 + (size_t)q] - want) < 1e-12 * fabs(want));
    }
  }
  br_result_destroy(r);
}

/* Every member stands in one bar, the largest in the last. */
static void histograms(void **state)
{
  br_result *r = ask(BLOCK "set=sigma2=0.5,m=1;random=ks=uniform:4:6;members=60", "histogram-1");
  const br_result_table *all = table(r, "sweep", 4, 60), *t = table(r, "histogram-1", 2, 82);
  double sum = 0, lo = INFINITY, hi = -INFINITY;
  (void)state;
  for (size_t i = 0; i < 60; i++) lo = fmin(lo, all->data[4 * i + 2]), hi = fmax(hi, all->data[4 * i + 2]);
  for (size_t i = 0; i < 40; i++) {
    const double *a = t->data + 2 * (2 * i + 1), *b = a + 2;
    double n = 0;
    assert_true(a[1] == b[1] && fabs(b[0] - a[0] - (hi - lo) / 40) < 1e-12 * hi);
    for (size_t k = 0; k < 60; k++) {
      const double x = all->data[4 * k + 2];
      n += x >= a[0] && (i == 39 || x < b[0]);
    }
    if (i == 39) assert_true(a[1] >= 1);
    assert_true(fabs(a[1] - n) <= 1); /* one that rounding puts on the other side of an edge */
    sum += a[1];
  }
  assert_true(sum == 60 && t->data[0] == lo && fabs(t->data[2 * 81] - hi) < 1e-12 * hi);
  br_result_destroy(r);
}

/* A dot for each point there is; a member that fails has none. */
static void points(void **state)
{
  br_result *r =
      ask("system=mass_spring;model=viscous;t-end=20;strobe=1;points=3;engine=solver;measure=x_max;"
          "input=sine:1,1Hz;set=sigma2=0.5;list=m=1,-1,2",
          "points");
  const br_result_table *t = table(r, "points", 2, 6);
  (void)state;
  for (size_t i = 0; i < 6; i++)
    assert_true(t->data[2 * i] == (i < 3 ? 1 : 2) && isfinite(t->data[2 * i + 1]));
  br_result_destroy(r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(grids), cmocka_unit_test(fans),
                                     cmocka_unit_test(histograms), cmocka_unit_test(points)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
