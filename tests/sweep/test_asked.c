/* SPDX-License-Identifier: Apache-2.0
 * test_asked.c - what is asked of an ensemble is what is done: units of what is swept and measured, inputs by
 * name, members that fail or have no points, measures alone, thresholds in lanes, files by pieces and of one
 * kind. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "../support/asked.h"
#include "bri_config.h"
#include "sweep/output.h"

#define SPRING "system=mass_spring;model=viscous;t-end=1;engine=solver;"

static br_result *ask(const char *options, const char *picture)
{
  br_err err = {BR_OK, -1, ""};
  br_result *r = NULL;
  br_job *job = asked("sweep", options, NULL, 0, &err);
  if (!job) fail_msg("%s: %s", options, err.msg);
  assert_int_equal(br_result_create(BR_TABLE_MAIN, &r, &err), BR_OK);
  br_result_want(r, "sweep");
  if (picture) br_result_want(r, "map-1"), br_result_want(r, picture);
  br_sink out = br_result_sink(r);
  if (br_job_run(job, &out, &err)) fail_msg("%s: %s", options, err.msg);
  br_job_destroy(job);
  return r;
}

static size_t column(const br_result_table *t, const char *name)
{
  for (size_t k = 0; k < t->ncol; k++)
    if (strcmp(t->columns[k].name, name) == 0) return k;
  fail_msg("no column %s", name);
  return 0;
}

static double at(const br_result_table *t, size_t row, const char *name)
{
  return t->data[row * t->ncol + column(t, name)];
}

static void refused(const char *analysis, const char *options, br_status st, const char *says)
{
  br_err err = {BR_OK, -1, ""};
  br_job *job = asked(analysis, options, NULL, 0, &err);
  if (job) { /* some is seen when it runs */
    br_result *r = NULL;
    assert_int_equal(br_result_create(BR_TABLE_MAIN, &r, &err), BR_OK);
    br_sink out = br_result_sink(r);
    if (!br_job_run(job, &out, &err)) fail_msg("%s is taken", options);
    br_result_destroy(r);
    br_job_destroy(job);
  }
  if (err.code != st || !strstr(err.msg, says)) fail_msg("%s: %d '%s'", options, (int)err.code, err.msg);
}

/* Numbers with a unit are of the quantity that is swept, whatever it is: parameter, state, held or driven
 * input, drawn or listed; N m stands for N only where the mechanism turns. */
static void units_of_what_is_swept(void **state)
{
  static const struct {
    const char *options, *swept, *good, *bad;
  } CASES[] = {
      {SPRING "set=sigma2=1;measure=x_end;", "list=ks=", "1 N/m,2000 mN/m", "1 kg,2 kg"},
      {SPRING "set=sigma2=1;measure=x_end;", "list=ks=", "1,2", "1 N,2 N"},
      {SPRING "set=sigma2=1;measure=x_end;", "list=init.v=", "1 mm/s,2 m/s", "1 kg,2 kg"},
      {SPRING "set=sigma2=1;measure=x_end;", "list=init.x=", "1 mm,2 m", "1 m/s,2 m/s"},
      {SPRING "set=sigma2=1;measure=x_end;", "grid=m=", "1 kg:2 kg:2", "1 m:2 m:2"},
      {SPRING "set=sigma2=1;measure=x_end;input=sine:2,1Hz;", "list=input.A=", "1 N,2 kN", "1 m,2 m"},
      {SPRING "set=sigma2=1;measure=x_end;input=sine:2,1Hz;", "list=input.f=", "1 Hz,2 kHz", "1 s,2 s"},
      {"system=pulled_block;model=lugre;t-end=0.01;engine=solver;measure=v_end;", "list=vp=", "1 mm/s,2",
       "1 kg,2 kg"},
      {"system=pulled_block;model=lugre;t-end=0.01;engine=solver;measure=v_end;set=vp=0.1;",
       "list=Fs=", "2 N,3 N", "2 N m,3 N m"},
      {"system=dc_motor;model=lugre;t-end=0.001;engine=solver;measure=omega_end;", "list=Fs=", "2 N m,3 N m",
       "2 kg,3 kg"}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    char options[300];
    (void)snprintf(options, sizeof options, "%s%s%s", CASES[i].options, CASES[i].swept, CASES[i].good);
    br_result_destroy(ask(options, NULL));
    (void)snprintf(options, sizeof options, "%s%s%s", CASES[i].options, CASES[i].swept, CASES[i].bad);
    refused("sweep", options, BR_E_PARSE, "is swept over numbers of dimension");
  }
}

/* A number of "the" input needs one that is driven; of several it is named, and the others stay as they are.
 * */
static void inputs_by_name(void **state)
{
#define PLANE "system=two_axis;model=bouc_wen_biaxial;t-end=1;engine=solver;measure=x_max,y_max;"
  static const char *const NAMES[] = {"Fx", "Fy"};
  (void)state;
  refused("sweep", PLANE "input=Fx:sine:1,1Hz;input=Fy:sine:1,1Hz;list=input.f=1,2", BR_E_NAME, "input.f");
  for (int k = 0; k < 2; k++) {
    char options[300];
    (void)snprintf(options, sizeof options,
                   PLANE "input=Fx:sine:1,1Hz;input=Fy:sine:1,1Hz;list=input.%s.f=1,2", NAMES[k]);
    br_result *r = ask(options, NULL);
    const br_result_table *t = br_result_table_find(r, "sweep");
    const char *moves = k ? "y_max" : "x_max", *stays = k ? "x_max" : "y_max";
    assert_true(at(t, 1, moves) < 0.6 * at(t, 0, moves));
    assert_true(fabs(at(t, 1, stays) / at(t, 0, stays) - 1) < 0.05);
    br_result_destroy(r);
    (void)snprintf(options, sizeof options, PLANE "input=%s:sine:1,1Hz;list=input.f=1,2", NAMES[k]);
    r = ask(options, NULL); /* one alone needs no name */
    t = br_result_table_find(r, "sweep");
    assert_true(at(t, 1, moves) < 0.6 * at(t, 0, moves) && at(t, 1, stays) == 0);
    br_result_destroy(r);
  }
}

/* Members that fail are told by their number in the ensemble, however it is cut into blocks, with status and
 * reason. */
static void failures(void **state)
{
  static const int BLOCKS[] = {1, 2, 3, 4, 16};
  (void)state;
  for (int i = 0; i < 5; i++) {
    char options[200];
    (void)snprintf(options, sizeof options,
                   SPRING "set=sigma2=1;measure=x_end;list=m=1,2,-3,4,-5,6,7,-8;block=%d", BLOCKS[i]);
    br_result *r = ask(options, NULL);
    for (int k = 0; k < 3; k++) {
      static const double MEMBER[] = {2, 4, 7}, MASS[] = {-3, -5, -8};
      char path[40], mass[40];
      (void)snprintf(path, sizeof path, "failures.%d.member", k);
      if (br_result_real(r, path) != MEMBER[k]) fail_msg("blocks of %d: %s", BLOCKS[i], path);
      (void)snprintf(path, sizeof path, "failures.%d.status", k);
      assert_string_equal(br_result_text(r, path), "range");
      (void)snprintf(path, sizeof path, "failures.%d.why", k);
      (void)snprintf(mass, sizeof mass, "m = %g", MASS[k]);
      if (!strstr(br_result_text(r, path), mass)) fail_msg("%s: %s", path, br_result_text(r, path));
    }
    assert_true(isnan(br_result_real(r, "failures.3.member")));
    assert_true(br_result_real(r, "by_status.range") == 3 && br_result_real(r, "by_status.ok") == 5);
    br_result_destroy(r);
  }
}

/* A measure that is the same in all members stands in one bar about its value. */
static void one_bar(void **state)
{
  static const struct {
    const char *measure, *table;
    double value;
  } CASES[] = {{"x_max", "histogram-1", 0},
               {"x_max,c=3+0*x_max", "histogram-2", 3},
               {"x_max,c=0*x_max-2e5", "histogram-2", -2e5}};
  (void)state;
  for (int i = 0; i < 3; i++) {
    char options[200];
    (void)snprintf(options, sizeof options,
                   SPRING "set=sigma2=1,m=1;random=ks=uniform:4:6;members=7;measure=%s", CASES[i].measure);
    br_result *r = ask(options, CASES[i].table);
    const br_result_table *t = br_result_table_find(r, CASES[i].table);
    if (!t) fail_msg("%s: no histogram", CASES[i].measure);
    double sum = 0, most = 0, lo = INFINITY, hi = -INFINITY;
    for (size_t k = 1; k + 1 < t->rows; k += 2) /* two rows for each bar, one in front */
      sum += t->data[2 * k + 1], most = fmax(most, t->data[2 * k + 1]);
    for (size_t k = 0; k < t->rows; k++) lo = fmin(lo, t->data[2 * k]), hi = fmax(hi, t->data[2 * k]);
    assert_true(sum == 7 && most == 7 && lo < CASES[i].value && CASES[i].value < hi);
    assert_true(hi - lo <= 0.01 * fabs(CASES[i].value) + 1e-11);
    br_result_destroy(r);
  }
}

/* Who has no points has one row, numbered 0, without time and state, whoever stands before. */
static void without_points(void **state)
{
  static const struct {
    const char *list;
    size_t rows;
    double member[8], point[8];
  } CASES[] = {{"m=1,-1,2", 7, {0, 0, 0, 1, 2, 2, 2}, {1, 2, 3, 0, 1, 2, 3}},
               {"m=-1,-2,1", 5, {0, 1, 2, 2, 2}, {0, 0, 1, 2, 3}},
               {"m=1,-1", 4, {0, 0, 0, 1}, {1, 2, 3, 0}}};
  (void)state;
  for (int i = 0; i < 3; i++) {
    char options[300];
    (void)snprintf(options, sizeof options,
                   "system=mass_spring;model=viscous;t-end=20;strobe=1;points=3;engine=solver;measure=x_max;"
                   "input=sine:1,1Hz;set=sigma2=0.5;list=%s",
                   CASES[i].list);
    br_result *r = ask(options, NULL);
    const br_result_table *t = br_result_table_find(r, "sweep");
    assert_int_equal(t->rows, CASES[i].rows);
    for (size_t k = 0; k < t->rows; k++) {
      const int none = CASES[i].point[k] == 0;
      assert_true(at(t, k, "member") == CASES[i].member[k]);
      assert_true(t->data[k * t->ncol + 2] == CASES[i].point[k]);
      assert_int_equal(isnan(at(t, k, "t")) != 0, none);
      assert_int_equal(isnan(at(t, k, "at.x")) != 0, none);
      assert_int_equal(isnan(at(t, k, "at.v")) != 0, none);
      assert_int_equal(isnan(at(t, k, "x_max")) != 0, none);
    }
    br_result_destroy(r);
  }
}

/* Forces of contacts are in N, in N m where the mechanism turns; states in their own units. */
static void units_of_measures(void **state)
{
  static const struct {
    const char *options, *names, *units[4];
  } CASES[] = {
      {SPRING "input=step:1;set=sigma2=1;list=m=1,2", "F_min,F_max,F_end,v_max", {"N", "N", "N", "m/s"}},
      {"system=dc_motor;model=viscous;t-end=0.01;engine=solver;input=step:1;list=sigma2=1e-3,2e-3",
       "F_min,F_max,F_end,omega_max",
       {"N m", "N m", "N m", "rad/s"}},
      {SPRING "input=step:1;set=sigma2=1;list=m=1,2",
       "work_in,stick_fraction,x_end,period",
       {"J", "", "m", "s"}}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    char options[300];
    (void)snprintf(options, sizeof options, "%s;measure=%s", CASES[i].options, CASES[i].names);
    br_result *r = ask(options, NULL);
    const br_result_table *t = br_result_table_find(r, "sweep");
    for (size_t k = 0; k < 4; k++)
      if (strcmp(t->columns[2 + k].unit, CASES[i].units[k]) != 0)
        fail_msg("%s: %s in '%s'", CASES[i].names, t->columns[2 + k].name, t->columns[2 + k].unit);
    br_result_destroy(r);
  }
}

/* What is measured alone is what is measured beside all others. */
static void measures_alone(void **state)
{
#define DRIVEN                                                                                            \
  "system=mass_spring;model=dahl;t-end=3.7;set=ks=4,sigma0=30,Fc=1;input=sine:2,0.7Hz;list=m=1,2;engine=" \
  "solver;"
  static const char *const NAMES[] = {"dissipated", "friction_work", "work_in", "x_max",   "v_min", "F_end",
                                      "reversals",  "events",        "period",  "returns", "steps"};
  enum { N = sizeof NAMES / sizeof NAMES[0] };
  char options[400] = DRIVEN "measure=";
  (void)state;
  for (size_t k = 0; k < N; k++) (void)strcat(strcat(options, k ? "," : ""), NAMES[k]);
  br_result *all = ask(options, NULL);
  for (size_t k = 0; k < N; k++) {
    if (strcmp(NAMES[k], "steps") == 0) continue; /* energies have a say in them */
    (void)snprintf(options, sizeof options, DRIVEN "measure=%s", NAMES[k]);
    br_result *one = ask(options, NULL);
    for (size_t m = 0; m < 2; m++) {
      const double got = at(br_result_table_find(one, "sweep"), m, NAMES[k]),
                   want = at(br_result_table_find(all, "sweep"), m, NAMES[k]);
      const int none = isnan(got) && isnan(want); /* as the period of what does not come back */
      if ((!none && !(fabs(got - want) <= 1e-4 * (1 + fabs(want)))) || (k < 3 && !(fabs(got) > 0.1)))
        fail_msg("%s alone: %g, beside others %g", NAMES[k], got, want);
    }
    br_result_destroy(one);
  }
  br_result_destroy(all);
}

/* Lanes and the solver take the same speed for slow: a part of vs, of vp, or what was given, swept or not. */
static void thresholds(void **state)
{
#define WAVE "system=mass_spring;model=coulomb;input=sine:3,0.7Hz;set=ks=4,Fc=1,Fs=1.5"
#define BELT "system=pulled_block;model=coulomb;set=m=1,k=2,Fc=1,Fs=1.5,"
  static const char *const CASES[] = {WAVE ";list=vs=1e-2,0.3,1",    WAVE ";list=model.vs=1,0.3,1e-2",
                                      WAVE ",vs=0.5;list=m=1,2,3",   WAVE ";list=vs=1e-2,0.3,1;threshold=0.2",
                                      BELT "vs=0.1;list=vp=0.1,1,5", BELT "vp=1;list=vs=0.01,0.1,1"};
  double first = 0;
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_result *r[2];
    const br_result_table *t[2];
    for (int k = 0; k < 2; k++) {
      char options[300];
      (void)snprintf(options, sizeof options, "%s;t-end=8;measure=stick_fraction;engine=%s", CASES[i],
                     k ? "solver" : "lanes");
      r[k] = ask(options, NULL), t[k] = br_result_table_find(r[k], "sweep");
    }
    for (size_t m = 0; m < 3; m++) {
      const double x = at(t[0], m, "stick_fraction"), y = at(t[1], m, "stick_fraction");
      if (!(fabs(x - y) <= 2e-3 * (1 + y))) fail_msg("%s: member %zu %g, %g", CASES[i], m, x, y);
    }
    if (i == 0) first = at(t[1], 2, "stick_fraction");
    if (i == 0) assert_true(first > 0.1 && at(t[1], 0, "stick_fraction") < 0.01);
    br_result_destroy(r[0]), br_result_destroy(r[1]);
  }
}

/* Rows of a file come back in pieces of any length, each once and in order. */
static void by_pieces(void **state)
{
  enum { ROWS = 9000, MOST = 10000 };
  static const size_t PIECES[] = {1000, 4095, 4096, 4097, MOST};
  static const char *const NAMES[] = {"member", "y"}, *const UNITS[] = {"1", "m"};
  static double rows[2 * MOST];
  const bri_sweep_about about = {"q", "s", "r", ROWS, 0, ROWS, 1};
  (void)state;
  for (int h5 = 0; h5 < 1 + (BR_WITH_HDF5 ? 1 : 0); h5++) {
    const char *path = h5 ? "pieces.h5" : "pieces.csv";
    bri_output *to = NULL;
    br_err err = {BR_OK, -1, ""};
    if (bri_output_create(path, 2, NAMES, UNITS, &about, &to, &err)) fail_msg("%s", err.msg);
    for (int i = 0; i < ROWS; i++) {
      const double row[2] = {i, 0.25 * i - 7};
      assert_int_equal(bri_output_row(to, row, &err), BR_OK);
    }
    assert_int_equal(bri_output_close(to, &err), BR_OK);
    for (size_t k = 0; k < sizeof PIECES / sizeof PIECES[0]; k++) {
      bri_input *in = NULL;
      size_t got = 1, seen = 0;
      if (bri_input_open(path, &in, &err)) fail_msg("%s", err.msg);
      while (got) {
        assert_int_equal(bri_input_next(in, PIECES[k], rows, &got, &err), BR_OK);
        assert_true(got <= PIECES[k]);
        for (size_t i = 0; i < got; i++, seen++)
          if (rows[2 * i] != (double)seen || rows[2 * i + 1] != 0.25 * (double)seen - 7)
            fail_msg("%s by %zu: row %zu is %g", path, PIECES[k], seen, rows[2 * i]);
      }
      assert_int_equal(seen, ROWS);
      bri_input_close(in);
    }
    (void)remove(path);
  }
}

/* Parts and what is made of them are of one kind; that is seen before anything is read. */
static void merged_kinds(void **state)
{
  static const char *const MIXED[] = {"files=m.csv p.h5",         "files=m.csv p.csv q.h5",
                                      "files=m.csv p.hdf5 q.csv", "files=m.h5 p.csv",
                                      "files=m.h5 p.h5 q.csv",    "files=m.hdf5 p.csv"};
  static const char *const SAME[] = {"files=m.csv p.csv q.csv", "files=m.h5 p.h5 q.hdf5"};
  (void)state;
  for (int i = 0; i < (BR_WITH_HDF5 ? 6 : 3); i++)
    refused("merge", MIXED[i], BR_E_ARG, "are of different kinds");
  for (int i = 0; i < (BR_WITH_HDF5 ? 2 : 1); i++) {
    br_err err = {BR_OK, -1, ""};
    br_job *job = asked("merge", SAME[i], NULL, 0, &err);
    if (!job) fail_msg("%s: %s", SAME[i], err.msg);
    br_job_destroy(job);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(units_of_what_is_swept),
                                     cmocka_unit_test(inputs_by_name),
                                     cmocka_unit_test(failures),
                                     cmocka_unit_test(one_bar),
                                     cmocka_unit_test(without_points),
                                     cmocka_unit_test(units_of_measures),
                                     cmocka_unit_test(measures_alone),
                                     cmocka_unit_test(thresholds),
                                     cmocka_unit_test(by_pieces),
                                     cmocka_unit_test(merged_kinds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
