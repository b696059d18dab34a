/* SPDX-License-Identifier: Apache-2.0
 * test_measures.c - what is measured of a member against a run of 'simulate': extremes, ends, events,
 * energies; kept points in their order; thinned maps, and none where there is no number. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "../support/asked.h"
#include "sweep/sweep.h"

static br_result *ask(const char *analysis, const char *options)
{
  br_err err = {BR_OK, -1, ""};
  br_result *r = NULL;
  br_job *job = asked(analysis, options, NULL, 0, &err);
  if (!job) fail_msg("%s: %s", options, err.msg);
  assert_int_equal(br_result_create(BR_TABLE_MAIN, &r, &err), BR_OK);
  br_result_want(r, "sweep"), br_result_want(r, "map-1"), br_result_want(r, "line-1");
  br_sink out = br_result_sink(r);
  if (br_job_run(job, &out, &err)) fail_msg("%s: %s", options, err.msg);
  br_job_destroy(job);
  return r;
}

static double at(const br_result_table *t, size_t row, const char *column)
{
  for (size_t k = 0; k < t->ncol; k++)
    if (strcmp(t->columns[k].name, column) == 0) return t->data[row * t->ncol + k];
  fail_msg("no column %s", column);
  return NAN;
}

static void one_run(void **state)
{
  static const char *const PAIRS[][2] = {{"v_min", "extremes.v.min"},
                                         {"v_max", "extremes.v.max"},
                                         {"v_end", "final.v"},
                                         {"F_min", "extremes.F.min"},
                                         {"F_max", "extremes.F.max"},
                                         {"F_end", "final.F"},
                                         {"reversals", "event_types.reversal"},
                                         {"sticks", "event_types.stick"},
                                         {"slips", "event_types.slip"},
                                         {"elements", "event_types.element"},
                                         {"events", "event_count"},
                                         {"work_in", "energy.work_in"},
                                         {"friction_work", "energy.friction_work"},
                                         {"dissipated", "energy.dissipated"}};
  enum { NPAIRS = sizeof PAIRS / sizeof PAIRS[0] };
  static const char *const RUNS[][2] = {
      {"system=pulled_block;model=coulomb;t-end=53.3;set=Fc=1,Fs=1.5,vp=0.1,k=2", "m=1"},
      {"system=mass_spring;model=dahl;t-end=3.7;set=ks=4,sigma0=30,Fc=1;input=sine:2,0.7Hz", "m=1"},
      {"system=mass_spring;model=lugre;t-end=3.7;set=ks=4,sigma0=300,sigma1=1,Fc=1,Fs=1.5,vs=0.1;input=sine:"
       "3,0.7Hz",
       "m=1"},
      {"system=mass_spring;model=maxwell_slip;t-end=3.7;set=ks=4,k=30,20,Delta=0.01,0.05;input=sine:2,0.7Hz",
       "m=1"}};
  int apart = 0;
  (void)state;
  for (size_t i = 0; i < sizeof RUNS / sizeof RUNS[0]; i++) {
    char options[900], list[400] = "";
    for (size_t k = 0; k < NPAIRS; k++)
      (void)snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? "," : "", PAIRS[k][0]);
    (void)snprintf(options, sizeof options, "%s;list=%s;engine=solver;transient=0;rtol=1e-9;measure=%s",
                   RUNS[i][0], RUNS[i][1], list);
    br_result *sweep = ask("sweep", options);
    char set[600]; /* the swept number among the others */
    const char *where = strstr(RUNS[i][0], "set=");
    (void)snprintf(set, sizeof set, "%.*sset=%s,%s;rtol=1e-9", (int)(where - RUNS[i][0]), RUNS[i][0],
                   RUNS[i][1], where + 4);
    br_result *one = ask("simulate", set);
    const br_result_table *t = br_result_table_find(sweep, "sweep");
    for (size_t k = 0; k < NPAIRS; k++) {
      const double got = at(t, 0, PAIRS[k][0]), want = br_result_real(one, PAIRS[k][1]);
      if (!(fabs(got - want) <= 1e-6 * (1 + fabs(want))))
        fail_msg("%s: %s is %.12g, %.12g", RUNS[i][0], PAIRS[k][0], got, want);
    }
    apart |= (at(t, 0, "sticks") != at(t, 0, "slips")) | (at(t, 0, "elements") > 2) << 1 |
             (at(t, 0, "reversals") > 2) << 2 |
             (fabs(at(t, 0, "friction_work") - at(t, 0, "dissipated")) > 1e-3) << 3;
    br_result_destroy(sweep), br_result_destroy(one);
  }
  assert_int_equal(apart, 15); /* each of them can be told from the one beside it */
}

/* Of many points the last are kept, in their order: once in a period of the drive, or of the motion itself.
 * */
static void points(void **state)
{
  static const struct {
    const char *options;
    size_t keep, have;
    double first, apart; /* s; NaN: the period of the motion */
  } CASES[] = {
      {"system=mass_spring;model=viscous;set=ks=4,sigma2=0.5;input=sine:1,1Hz;t-end=6.2;transient=2.5", 3, 3,
       4, 1},
      {"system=mass_spring;model=viscous;set=ks=4,sigma2=0.5;input=sine:1,1Hz;t-end=6.2;transient=2.5", 9, 4,
       3, 1},
      {"system=mass_spring;model=viscous;set=ks=4,sigma2=0.5;input=step:1;strobe=0.7;t-end=6.2;transient=2.5",
       4, 4, 3.5, 0.7},
      {"system=pulled_block;model=coulomb;set=Fc=1,Fs=1.5,vp=0.1,k=2;t-end=60", 3, 3, NAN, NAN}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    char options[400];
    (void)snprintf(options, sizeof options, "%s;list=m=1;engine=solver;points=%zu;measure=period,returns",
                   CASES[i].options, CASES[i].keep);
    br_result *r = ask("sweep", options);
    const br_result_table *t = br_result_table_find(r, "sweep");
    const double apart = isnan(CASES[i].apart) ? at(t, 0, "period") : CASES[i].apart;
    size_t seen = 0;
    for (size_t k = 0; k < t->rows; k++) {
      const double when = at(t, k, "t");
      if (isnan(when)) continue;
      if (!isnan(CASES[i].first) && !(fabs(when - CASES[i].first - apart * (double)seen) < 1e-9))
        fail_msg("%s: point %zu at %g", options, seen + 1, when);
      if (seen) assert_true(fabs(when - at(t, k - 1, "t") - apart) < 1e-5);
      seen++;
    }
    assert_int_equal(seen, CASES[i].have);
    if (isnan(CASES[i].apart))
      assert_true(fabs(at(t, 0, "returns") - 30 / apart) <= 1); /* in the second half */
    br_result_destroy(r);
  }
  br_result *r =
      ask("sweep", "system=pulled_block;model=coulomb;set=Fc=1,Fs=1.5,vp=0.1,k=2;t-end=60;list=m=1;"
                   "engine=solver;measure=period,returns"); /* counted where no points are kept, too */
  const br_result_table *t = br_result_table_find(r, "sweep");
  assert_true(fabs(at(t, 0, "returns") - 30 / at(t, 0, "period")) <= 1);
  br_result_destroy(r);
}

/* Every second value of an axis that is too long, its last one too; of what has no number there is no
 * picture. */
static void pictures(void **state)
{
  br_result *r =
      ask("sweep", "system=mass_spring;model=viscous;t-end=0.01;engine=solver;measure=x_max;input=step:1;"
                   "set=sigma2=0.5;grid=m=1:2:601,ks=4:5:2");
  const br_result_table *t = br_result_table_find(r, "map-1");
  (void)state;
  assert_int_equal(t->rows, 301 * 2);
  for (size_t i = 0; i < 301; i++)
    for (size_t k = 0; k < 2; k++) {
      assert_true(fabs(t->data[3 * (2 * i + k)] - (1 + (double)i / 300)) < 1e-12);
      assert_true(t->data[3 * (2 * i + k) + 1] == 4 + (double)k && t->data[3 * (2 * i + k) + 2] > 0);
    }
  br_result_destroy(r);
  r = ask("sweep", "system=mass_spring;model=viscous;t-end=0.01;engine=solver;measure=x_max;input=step:1;"
                   "set=sigma2=0.5;grid=ks=4:5:2,m=1:2:601");
  t = br_result_table_find(r, "map-1");
  assert_int_equal(t->rows, 2 * 301);
  for (size_t i = 0; i < 2; i++)
    for (size_t k = 0; k < 301; k++) { /* each kept cell is that of its own member */
      const double *cell = &t->data[3 * (301 * i + k)];
      assert_true(cell[0] == 4 + (double)i && fabs(cell[1] - (1 + (double)k / 300)) < 1e-12);
      assert_true(cell[2] == at(br_result_table_find(r, "sweep"), 601 * i + 2 * k, "x_max"));
    }
  br_result_destroy(r);
  static const char *const NONE[] = {"grid=m=1:2:3,ks=4:5:2", "set=m=1,sigma2=0.5;grid=ks=4:5:2"};
  for (int i = 0; i < 2; i++) { /* at rest there is no period */
    char options[300];
    (void)snprintf(options, sizeof options,
                   "system=mass_spring;model=viscous;t-end=1;engine=solver;measure=period;%s", NONE[i]);
    r = ask("sweep", options);
    assert_null(br_result_table_find(r, i ? "line-1" : "map-1"));
    assert_true(isnan(at(br_result_table_find(r, "sweep"), 0, "period")));
    br_result_destroy(r);
  }
}

/* A drawn share lies in the middle of one of 2^52 cells: never at an end, where laws are infinite. */
static void middles(void **state)
{
  (void)state;
  for (size_t axis = 0; axis < BRI_SOBOL_AXES; axis++)
    for (uint64_t k = 0; k < 2000; k += 1 + k / 64) {
      const double x = bri_sweep_draw(BRI_DRAW_SOBOL, 3, axis, k, 2000), cell = x * 0x1p52;
      assert_true(x > 0 && x < 1);
      if (x < 0.5) assert_true(cell - floor(cell) == 0.5);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_run), cmocka_unit_test(points),
                                     cmocka_unit_test(pictures), cmocka_unit_test(middles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
