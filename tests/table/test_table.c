/* SPDX-License-Identifier: Apache-2.0
 * test_table.c - reading CSV: what is accepted, what is reported, what is refused and where. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../src/base/alloc.h"
#include "bristle/table.h"
#include "bristle/text.h"
#include "support/paths.h"

static br_table *load(const char *text, const br_table_options *opt, br_table_report *report)
{
  br_table *t = NULL;
  br_err err = {BR_OK, -1, ""};
  if (br_table_load_memory(text, strlen(text), "mem", opt, &t, report, &err)) fail_msg("%s", err.msg);
  return t;
}

static void refuse(const char *text, const br_table_options *opt, br_status code, const char *needle)
{
  br_table *t = (br_table *)1;
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(br_table_load_memory(text, strlen(text), "mem", opt, &t, NULL, &err), code);
  assert_null(t);
  if (!strstr(err.msg, needle)) fail_msg("message '%s' lacks '%s'", err.msg, needle);
}

static void reads_the_usual_forms(void **state)
{
  (void)state;
  static const char *const SAME[] = {
      "t,x\n0,1\n1,2.5\n",
      "t;x\n0;1\n1;2.5",
      "t\tx\r\n0\t1\r\n1\t2.5\r\n",
      "\xef\xbb\xbft,x\n0,1\n1,2.5\n",
      "# a remark\n\n  # another\nt , x\n 0 , 1 \n\n1,2.5\n# end\n",
      "\"t\",\"x\"\n\"0\",\"1\"\n1,\"2.5\"\n",
      "t,x\n0,1,\n1,2.5,\n",
      "t,x\n+0,1e0\n10e-1,+.25e1\n",
  };
  for (size_t k = 0; k < sizeof SAME / sizeof SAME[0]; k++) {
    br_table_report report;
    br_table *t = load(SAME[k], NULL, &report);
    assert_int_equal(br_table_columns(t), 2);
    assert_int_equal(br_table_rows(t), 2);
    assert_string_equal(br_table_name(t, 0), "t");
    assert_string_equal(br_table_name(t, 1), "x");
    assert_true(br_table_data(t, 0)[1] == 1.0 && br_table_data(t, 1)[0] == 1.0 &&
                br_table_data(t, 1)[1] == 2.5);
    assert_int_equal(report.rows, 2);
    assert_int_equal(report.time_column, 0);
    assert_int_equal(
        report.gaps.count + report.duplicate.count + report.backward.count + report.time_gaps.count, 0);
    br_table_destroy(t);
  }
}

static void names_columns_without_header(void **state)
{
  (void)state;
  br_table *t = load("1,2,3\n4,5,6\n", NULL, NULL);
  assert_int_equal(br_table_rows(t), 2);
  assert_string_equal(br_table_name(t, 2), "c3");
  assert_true(br_table_data(t, 2)[0] == 3.0);
  br_table_destroy(t);
  t = load("1 2   3\n4  5 6 \n", NULL, NULL); /* blanks, when all pieces are numbers */
  assert_int_equal(br_table_columns(t), 3);
  assert_true(br_table_data(t, 2)[1] == 6.0);
  br_table_destroy(t);
  br_table_options opt = br_table_options_default();
  opt.decimal = ',';
  t = load("t;x\n0,5;-1,25e1\n", &opt, NULL);
  assert_true(br_table_data(t, 0)[0] == 0.5 && br_table_data(t, 1)[0] == -12.5);
  br_table_destroy(t);
  opt = br_table_options_default();
  opt.header = 1;
  t = load("1,2\n3,4\n", &opt, NULL);
  assert_int_equal(br_table_rows(t), 1);
  assert_string_equal(br_table_name(t, 1), "2");
  br_table_destroy(t);
  t = load("a\n1\n\n2\n", NULL, NULL);
  assert_int_equal(br_table_columns(t), 1);
  assert_int_equal(br_table_rows(t), 2);
  br_table_destroy(t);
  t = load("a,,b\n1,2,3\n", NULL, NULL);
  assert_string_equal(br_table_name(t, 1), "c2");
  br_table_destroy(t);
}

static void units_of_the_header(void **state)
{
  (void)state;
  static const struct {
    const char *heading, *name, *unit;
  } CASES[] = {{"t [s]", "t", "s"},
               {"x (mm)", "x", "mm"},
               {"F_N", "F", "N"},
               {"N_N", "N", "N"},
               {"acc_g", "acc", "g"},
               {"rho_per_mm", "rho", "1/mm"},
               {"Kx_N_s_per_mm", "Kx", "N s/mm"},
               {"v_m_s", "v_m_s", ""},
               {"x_min", "x_min", ""},
               {"v_in", "v_in", ""},
               {"x_foo", "x_foo", ""},
               {"mm", "mm", ""},
               {"_mm", "_mm", ""},
               {"x_", "x_", ""},
               {"x (left)", "x (left)", ""},
               {"x [counts]", "x", "counts"},
               {"k (N/(m s))", "k", "N/(m s)"},
               {"s_per_m", "s", "1/m"},
               {"x]", "x]", ""},
               {"x []", "x", ""},
               {"c_per_per_m", "c_per", "1/m"},
               {"per_m", "per", "m"},
               {"a_m_per_s_mm", "a_m_per_s_mm", ""}};
  for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; k++) {
    char text[128];
    (void)snprintf(text, sizeof text, "%s;y\n1;2\n", CASES[k].heading);
    br_table *t = load(text, NULL, NULL);
    if (strcmp(br_table_name(t, 0), CASES[k].name) != 0 ||
        strcmp(br_table_unit_of(t, 0), CASES[k].unit) != 0) {
      fail_msg("'%s' was read as '%s' in '%s'", CASES[k].heading, br_table_name(t, 0),
               br_table_unit_of(t, 0));
    }
    assert_true(br_table_data(t, 0)[0] == 1.0); /* not scaled unless asked */
    br_table_destroy(t);
  }
}

static void scales_to_si_on_demand(void **state)
{
  (void)state;
  br_table_options opt = br_table_options_default();
  const br_table_unit units[] = {{"y", "deg"}};
  opt.to_si = 1;
  opt.units = units;
  opt.nunits = 1;
  br_table *t = load("t_ms,x [mm],y,z\n1,0.3,180,7\n", &opt, NULL);
  assert_true(br_table_data(t, 0)[0] == 0.001);
  assert_true(br_table_data(t, 1)[0] == 0.0003);
  assert_true(fabs(br_table_data(t, 2)[0] - acos(-1.0)) < 1e-15);
  assert_true(br_table_data(t, 3)[0] == 7.0);
  br_table_destroy(t);
  opt.nunits = 0;
  refuse("x [furlong]\n1\n", &opt, BR_E_PARSE, "column 'x': unknown unit 'furlong'");
  opt.to_si = 2; /* units that are not known may stay */
  t = load("t_ms,x [furlong]\n1,3\n", &opt, NULL);
  assert_true(br_table_data(t, 0)[0] == 0.001 && br_table_data(t, 1)[0] == 3);
  assert_string_equal(br_table_unit_of(t, 1), "furlong");
  br_table_destroy(t);
  opt.to_si = 1;
  opt.nunits = 1;
  refuse("t,yy\n1,2\n", &opt, BR_E_NAME, "did you mean 'yy'");
}

static void reports_odd_rows(void **state)
{
  (void)state;
  br_table_report r;
  br_table *t =
      load("# c\nt_s,x\n0,1\n0.1,\n0.2,nan\n0.2,3\n0.15,4\n0.3,inf\n0.4,1\n1.4,1e999\n,5\n", NULL, &r);
  assert_int_equal(r.rows, 9);
  assert_int_equal(r.comments, 1);
  assert_int_equal(r.gaps.count, 3);
  assert_int_equal(r.gaps.row, 1);
  assert_int_equal(r.gaps.line, 4);
  assert_int_equal(r.infinite.count, 2);
  assert_int_equal(r.infinite.row, 5);
  assert_int_equal(r.duplicate.count, 1);
  assert_int_equal(r.duplicate.row, 3);
  assert_int_equal(r.backward.count, 1);
  assert_int_equal(r.backward.row, 4);
  assert_int_equal(r.time_gaps.count, 1);
  assert_int_equal(r.time_gaps.row, 7);
  assert_int_equal(r.time_gaps.line, 10);
  assert_true(r.t_first == 0.0 && r.t_last == 1.4 && r.dt_max > 0.99);
  assert_true(isnan(br_table_data(t, 1)[1]) && isinf(br_table_data(t, 1)[5]));
  br_table_destroy(t);
  br_table_options opt = br_table_options_default();
  opt.text_as_gap = 1;
  t = load("v,k\n0V,1\n5,x\n", &opt, &r);
  assert_int_equal(r.text.count, 2);
  assert_true(isnan(br_table_data(t, 0)[0]) && br_table_data(t, 0)[1] == 5.0);
  br_table_mark mark;
  assert_string_equal(br_table_text_of(t, 1, &mark), "x");
  assert_true(mark.count == 1 && mark.row == 1 && mark.line == 3);
  br_table_destroy(t);
  t = load("v,k\n0,1\n1,first\n2V,then\n3W,last\n", &opt, &r); /* the first of each column, at its place */
  assert_string_equal(br_table_text_of(t, 1, &mark), "first");
  assert_true(mark.count == 3 && mark.row == 1 && mark.line == 3);
  assert_string_equal(br_table_text_of(t, 0, &mark), "2V");
  assert_true(mark.count == 2 && mark.row == 2 && mark.line == 4);
  assert_true(r.text.count == 5 && r.text.row == 1 && r.text.line == 3);
  br_table_destroy(t);
  t = load("v,k\n0,1\n", &opt, &r); /* none: no text, and a mark that says so */
  assert_null(br_table_text_of(t, 0, &mark));
  assert_true(mark.count == 0 && mark.row == 0);
  br_table_destroy(t);
}

static void errors_name_the_place(void **state)
{
  (void)state;
  refuse("t,x\n0,1\n1,abc\n", NULL, BR_E_PARSE, "mem:3:3: column 'x': 'abc' is not a number");
  refuse("t,x\n0,1\n1\n", NULL, BR_E_PARSE, "mem:3:2: row has 1 cell, expected 2");
  refuse("t,x\n0,1,2\n", NULL, BR_E_PARSE, "mem:2:5: row has more cells than the 2 expected");
  refuse("t,x\n0,\"1\n", NULL, BR_E_PARSE, "mem:2:3: quote");
  refuse("t,\"x\n0,1\n", NULL, BR_E_PARSE, "mem:1:3: quote");
  refuse("t,x\n\"0\"5,1\n", NULL, BR_E_PARSE, "mem:2:1: quote is not closed, or text follows it");
  refuse("t;x\n0;\"1\" 2\n", NULL, BR_E_PARSE, "mem:2:3: quote is not closed, or text follows it");
  refuse("t,\"x\"y\n0,1\n", NULL, BR_E_PARSE, "mem:1:3: quote");
  refuse("t,x\n0,1 2\n", NULL, BR_E_PARSE, "'1 2' is not a number");
  br_table_options point = br_table_options_default();
  point.decimal = '.';
  refuse("t;x\n0;1,5\n", &point, BR_E_PARSE, "decimal mark");
  refuse("", NULL, BR_E_PARSE, "no header");
  refuse("# only\n\n", NULL, BR_E_PARSE, "no header");
  br_table_options opt = br_table_options_default();
  opt.time_column = "tyme";
  refuse("time,x\n0,1\n", &opt, BR_E_NAME, "did you mean 'time'?");
  opt = br_table_options_default();
  opt.separator = 'x';
  refuse("t,x\n", &opt, BR_E_ARG, "separator");
  opt = br_table_options_default();
  opt.decimal = ':';
  refuse("t,x\n", &opt, BR_E_ARG, "decimal");
  opt = br_table_options_default();
  opt.separator = opt.decimal = ',';
  refuse("t,x\n0,1\n", &opt, BR_E_ARG, "separator and decimal mark are both ','");
  opt.separator = ';'; /* either alone is good */
  br_table_destroy(load("t;x\n0,5;1\n", &opt, NULL));
  opt.separator = ',', opt.decimal = '.';
  br_table_destroy(load("t,x\n0.5,1\n", &opt, NULL));
  opt = br_table_options_default();
  opt.gap_factor = NAN;
  refuse("t,x\n", &opt, BR_E_RANGE, "gap_factor");
  opt.gap_factor = 1; /* then every longer interval would be one */
  refuse("t,x\n", &opt, BR_E_RANGE, "gap_factor");
  br_table *t = NULL;
  br_err err = {BR_OK, -1, ""};
  br_table_report report = {.time_column = 3, .rows = 5};
  assert_int_equal(br_table_load("/nonexistent/file.csv", NULL, &t, &report, &err), BR_E_IO);
  assert_true(report.time_column == -1 && report.rows == 0);
  assert_non_null(strstr(err.msg, "/nonexistent/file.csv"));
  assert_int_equal(br_table_load(".", NULL, &t, NULL, &err), BR_E_IO); /* a folder opens but does not read */
  assert_int_equal(br_table_load(NULL, NULL, &t, NULL, &err), BR_E_ARG);
  t = load("time,x\n0,1\n", NULL, NULL);
  assert_int_equal(br_table_find(t, "x", &err), 1);
  assert_int_equal(br_table_find(t, "tme", &err), -1);
  assert_non_null(strstr(err.msg, "'time'"));
  assert_null(br_table_data(t, 2));
  br_table_destroy(t);
}

/* A column by its name, or by its whole heading; the name of another comes first. */
static void columns_are_found(void **state)
{
  (void)state;
  br_table *t = load("t_s,x [mm],x_mm,F\n0,1,2,3\n", NULL, NULL);
  assert_int_equal(br_table_find(t, "t", NULL), 0);
  assert_int_equal(br_table_find(t, "t_s", NULL), 0);
  assert_int_equal(br_table_find(t, "x [mm]", NULL), 1);
  assert_int_equal(br_table_find(t, "x_mm", NULL), 2);
  assert_int_equal(br_table_find(t, "F", NULL), 3);
  br_table_destroy(t);
}

/* Which column is time: one that is called so, else the first whose unit is one of time, else none. */
static void column_of_times(void **state)
{
  (void)state;
  static const struct {
    const char *heading;
    int time;
  } CASES[] = {{"x_mm,t", 1}, {"x_mm,F_N,clock_ms", 2}, {"x_mm,F_N,k", -1}, {"w_s,time", 1}, {"TIME,t", 1}};
  for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; k++) {
    char text[64];
    br_table_report r;
    const int three = strchr(CASES[k].heading, ',') != strrchr(CASES[k].heading, ',');
    (void)snprintf(text, sizeof text, "%s\n1,2%s\n", CASES[k].heading, three ? ",3" : "");
    br_table_destroy(load(text, NULL, &r));
    assert_int_equal(r.time_column, CASES[k].time);
  }
}

/* Behind an error nothing more is read. */
static void reading_stops_at_an_error(void **state)
{
  (void)state;
  static const char TEXT[] = "t,x\n0,1\n1,abc\n2,3\n";
  br_table_reader *r = NULL;
  br_err err = {BR_OK, -1, ""};
  double rows[8];
  size_t got = 0;
  assert_int_equal(br_table_reader_create_memory(TEXT, strlen(TEXT), "mem", NULL, &r, &err), BR_OK);
  assert_int_equal(br_table_reader_next(r, 4, rows, &got, &err), BR_E_PARSE);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(br_table_reader_next(r, 4, rows, &got, &err), BR_E_PARSE);
    assert_int_equal(got, 0);
    assert_non_null(strstr(err.msg, "an error before"));
  }
  br_table_reader_destroy(r);
}

static void every_allocation_may_fail(void **state)
{
  (void)state;
#ifdef BR_TESTING
  const char text[] = "t_s,x [mm]\n0,1\n1,2\n";
  br_table_options opt = br_table_options_default();
  const br_table_unit units[] = {{"x", "um"}};
  opt.to_si = 1;
  opt.units = units;
  opt.nunits = 1;
  const long live = bri_alloc_live();
  int done = 0;
  for (long n = 0; n < 100 && !done; n++) {
    br_table *t = NULL;
    bri_alloc_fail_after(n);
    const br_status st = br_table_load_memory(text, strlen(text), "mem", &opt, &t, NULL, NULL);
    bri_alloc_fail_after(-1);
    if (st == BR_OK) {
      done = n > 5;
    } else {
      assert_int_equal(st, BR_E_NOMEM);
      assert_null(t);
    }
    br_table_destroy(t);
    assert_int_equal(bri_alloc_live(), live);
  }
  assert_true(done);
#else
  print_message("SKIP: library built without BR_TESTING\n");
  skip();
#endif
}

/* Measured files, where the shared folder is at hand. */
static void reads_measured_files(void **state)
{
  (void)state;
  const char *shared = getenv("BR_SHARED");
  char path[512];
  br_table *t = NULL;
  br_table_report r;
  br_err err = {BR_OK, -1, ""};
  if (!shared) shared = "../shared";
  (void)snprintf(path, sizeof path, "%s/data/pneumatic_seal/O-ring257_1bar.csv", shared);
  if (access(path, R_OK) != 0) {
    print_message("SKIP: %s is not there (set BR_SHARED)\n", path);
    skip();
  }
  br_table_options opt = br_table_options_default();
  opt.to_si = 1;
  if (br_table_load(path, &opt, &t, &r, &err)) fail_msg("%s", err.msg);
  assert_int_equal(br_table_find(t, "p", &err), 2);
  assert_true(fabs(br_table_data(t, 2)[0] - 0.995e5) < 1e-9);
  assert_int_equal(r.gaps.count, 0);
  assert_true(r.time_gaps.count >= 1 && r.time_gaps.row == 1); /* 0.276 s after the first row, 0.01 s usual */
  br_table_destroy(t);
  (void)snprintf(path, sizeof path, "%s/data/mr_damper/published_dahl.csv", shared);
  assert_int_equal(br_table_load(path, NULL, &t, &r, &err), BR_E_PARSE);
  opt.text_as_gap = 1;
  if (br_table_load(path, &opt, &t, &r, &err)) fail_msg("%s", err.msg);
  assert_string_equal(br_table_unit_of(t, 2), "N s/mm");
  assert_true(fabs(br_table_data(t, 2)[0] - 768.205) < 1e-9);
  br_table_destroy(t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_the_usual_forms),     cmocka_unit_test(names_columns_without_header),
      cmocka_unit_test(units_of_the_header),       cmocka_unit_test(scales_to_si_on_demand),
      cmocka_unit_test(reports_odd_rows),          cmocka_unit_test(errors_name_the_place),
      cmocka_unit_test(columns_are_found),         cmocka_unit_test(column_of_times),
      cmocka_unit_test(reading_stops_at_an_error), cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(reads_measured_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
