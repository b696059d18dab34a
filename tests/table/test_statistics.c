/* SPDX-License-Identifier: Apache-2.0
 * test_statistics.c - what a table says about its times (usual, smallest and largest interval, gaps anywhere,
 * jumps back), decimal commas, headings, and every unit with every prefix. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/table.h"
#include "bristle/unit.h"

static char text[65536];

/* A table of times only. */
static br_table_report times(size_t n, const double *t)
{
  br_table_report r;
  br_table *out = NULL;
  br_err err = {BR_OK, -1, ""};
  size_t used = (size_t)snprintf(text, sizeof text, "t\n");
  for (size_t i = 0; i < n; i++) used += (size_t)snprintf(text + used, sizeof text - used, "%.17g\n", t[i]);
  if (br_table_load_memory(text, used, "mem", NULL, &out, &r, &err)) fail_msg("%s", err.msg);
  br_table_destroy(out);
  return r;
}

/* The middle one of the intervals by size, whatever their order; of an even number the larger of the two. */
static void usual_interval(void **state)
{
  const double odd[] = {0, 5, 6, 8}, even[] = {0, 1, 6, 8, 11}, one[] = {3, 3.5}, none[] = {7};
  br_table_report r = times(4, odd); /* 5 1 2 */
  assert_true(r.dt_usual == 2 && r.dt_min == 1 && r.dt_max == 5 && r.t_first == 0 && r.t_last == 8);
  r = times(5, even); /* 1 5 2 3: the upper of the two in the middle, an interval that occurs */
  assert_true(r.dt_usual == 3 && r.dt_min == 1 && r.dt_max == 5 && r.time_gaps.count == 0);
  r = times(2, one);
  assert_true(r.dt_usual == 0.5 && r.dt_min == 0.5 && r.dt_max == 0.5);
  r = times(1, none);
  assert_true(r.dt_usual == 0 && r.dt_min == 0 && r.dt_max == 0 && r.t_first == 7 && r.t_last == 7);
}

/* 101 intervals decide what is usual; gaps before and behind that are found, with their rows. */
static void gaps_anywhere(void **state)
{
  static double t[400];
  static const size_t AT[] = {3, 99, 100, 101, 102, 103, 104, 250, 399};
  for (size_t k = 0; k < sizeof AT / sizeof *AT; k++) {
    for (size_t i = 1; i < 400; i++) t[i] = t[i - 1] + (i == AT[k] ? 3.5 : 1);
    const br_table_report r = times(400, t);
    assert_true(r.dt_usual == 1 && r.dt_max == 3.5);
    if (r.time_gaps.count != 1 || r.time_gaps.row != AT[k] || r.time_gaps.line != AT[k] + 2)
      fail_msg("gap at row %zu: %zu found, row %zu", AT[k], r.time_gaps.count, r.time_gaps.row);
  }
  for (size_t i = 1; i < 400; i++) t[i] = t[i - 1] + (i == 200 ? 3 : 1); /* just the factor: no gap */
  assert_int_equal(times(400, t).time_gaps.count, 0);
  for (size_t i = 1; i < 400; i++) t[i] = t[i - 1] + (i <= 101 ? 1 : 2); /* what comes later does not count */
  assert_true(times(400, t).dt_usual == 1);
}

/* After a jump back, times up to the latest one are backward; behind it intervals count from there. */
static void jumps_back(void **state)
{
  const double t[] = {0, 1, 2, 3, 1, 1.5, 2.5, 3, 4, 4, 5};
  const br_table_report r = times(11, t);
  assert_true(r.backward.count == 3 && r.backward.row == 4);
  assert_true(r.duplicate.count == 1 && r.duplicate.row == 9);
  assert_true(r.dt_min == 1 && r.dt_max == 1 && r.dt_usual == 1 && r.time_gaps.count == 0);
}

static void decimal_commas(void **state)
{
  static const char *const SAME[] = {"t;x\n0,5;1,25\n", "t\tx\n0,5\t1,25\n", "0,5 1,25\n", "t\n0,5\n"};
  br_table_options o = br_table_options_default();
  o.decimal = ',';
  for (size_t k = 0; k < sizeof SAME / sizeof *SAME; k++) {
    br_table *t = NULL;
    br_err err = {BR_OK, -1, ""};
    if (br_table_load_memory(SAME[k], strlen(SAME[k]), "mem", &o, &t, NULL, &err)) fail_msg("%s", err.msg);
    assert_int_equal(br_table_columns(t), k < 3 ? 2 : 1);
    assert_true(br_table_data(t, 0)[0] == 0.5 && (k == 3 || br_table_data(t, 1)[0] == 1.25));
    br_table_destroy(t);
  }
}

/* The decimal mark that is found: the first cell that only one of both can read decides; without a separator
 * that is a comma, a column of "0,5" is one column of numbers. */
static void found_marks(void **state)
{
  static const struct {
    const char *text;
    char separator, decimal;
    size_t columns;
    double first;
  } CASES[] = {{"t;x\n0,5;1\n1;2.5x\n", ';', ',', 2, 0.5},
               {"t;x\n0.5;1\n1;2,5\n", ';', '.', 2, 0.5},
               {"t;x\n1;2\n3;4\n", ';', '.', 2, 1}};
  br_table_options o = br_table_options_default();
  o.text_as_gap = 1;
  for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
    br_table *t = NULL;
    br_table_report r;
    br_err err = {BR_OK, -1, ""};
    if (br_table_load_memory(CASES[k].text, strlen(CASES[k].text), "mem", &o, &t, &r, &err))
      fail_msg("%s", err.msg);
    assert_true(r.separator == CASES[k].separator && r.decimal == CASES[k].decimal);
    assert_true(br_table_columns(t) == CASES[k].columns && br_table_data(t, 0)[0] == CASES[k].first);
    br_table_destroy(t);
  }
  br_table *t = NULL;
  br_table_report r;
  o.decimal = ',';
  assert_int_equal(br_table_load_memory("0,5\n1,25\n", 9, "mem", &o, &t, &r, NULL), BR_OK);
  assert_true(br_table_columns(t) == 1 && br_table_rows(t) == 2 && br_table_data(t, 0)[1] == 1.25);
  br_table_destroy(t);
}

static void headings(void **state)
{
  br_table *t = NULL;
  br_err err = {BR_OK, -1, ""};
  const char bell[] = "t,x\ay\n0,1\n", c1[] = "t,x\xc2\x9b\n0,1\n";
  assert_int_equal(br_table_load_memory(bell, strlen(bell), "mem", NULL, &t, NULL, &err), BR_E_PARSE);
  assert_non_null(strstr(err.msg, "column 2 has a control character"));
  assert_int_equal(br_table_load_memory(c1, strlen(c1), "mem", NULL, &t, NULL, &err), BR_E_PARSE);
}

static br_unit unit(const char *name)
{
  br_unit u = {0, {0}};
  br_err err = {BR_OK, -1, ""};
  if (br_unit_parse(name, strlen(name), &u, &err)) fail_msg("%s: %s", name, err.msg);
  return u;
}

/* Every symbol in base units, by hand, and with every prefix where it takes one. */
static void all_units(void **state)
{
  static const struct {
    const char *name, *base;
    double factor;
    int prefix;
  } ROWS[] = {
      {"m", "m", 1, 1},
      {"s", "s", 1, 1},
      {"N", "kg m/s^2", 1, 1},
      {"Nm", "kg m^2/s^2", 1, 1},
      {"Pa", "kg/(m s^2)", 1, 1},
      {"bar", "Pa", 1e5, 1},
      {"A", "A", 1, 1},
      {"V", "kg m^2/(s^3 A)", 1, 1},
      {"W", "kg m^2/s^3", 1, 1},
      {"J", "kg m^2/s^2", 1, 1},
      {"K", "K", 1, 1},
      {"Hz", "1/s", 1, 1},
      {"rad", "rad", 1, 1},
      {"kg", "kg", 1, 0},
      {"gram", "kg", 1e-3, 0},
      {"g", "m/s^2", 9.80665, 0},
      {"in", "m", 0.0254, 0},
      {"inch", "m", 0.0254, 0},
      {"ft", "m", 0.3048, 0},
      {"lbf", "N", 4.4482216152605, 0},
      {"psi", "Pa", 6894.757293168361, 0},
      {"min", "s", 60, 0},
      {"h", "s", 3600, 0},
      {"sec", "s", 1, 0},
      {"deg", "rad", 0.017453292519943295, 0},
      {"rev", "rad", 6.283185307179586, 0},
      {"rpm", "rad/s", 0.10471975511965977, 0},
      {"%", "1", 0.01, 0},
  };
  static const struct {
    const char *name;
    double factor;
  } PREFIXES[] = {{"n", 1e-9}, {"u", 1e-6}, {"\xc2\xb5", 1e-6}, {"\xce\xbc", 1e-6}, {"m", 1e-3}, {"c", 1e-2},
                  {"d", 0.1},  {"h", 100},  {"k", 1e3},         {"M", 1e6},         {"G", 1e9}};
  static const char *const OTHERS[] = {"min", "cd",  "hh",
                                       "ft",  "rad", "mrad"}; /* words that are units of their own */
  size_t tried = 0;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    const br_unit u = unit(ROWS[i].name), base = unit(ROWS[i].base);
    assert_true(br_unit_same(&u, &base));
    assert_true(fabs(u.factor / (ROWS[i].factor * base.factor) - 1) < 1e-15);
    for (size_t k = 0; k < sizeof PREFIXES / sizeof *PREFIXES; k++) {
      char name[32];
      br_unit with = {0, {0}};
      (void)snprintf(name, sizeof name, "%s%s", PREFIXES[k].name, ROWS[i].name);
      int own = 0;
      for (size_t j = 0; j < sizeof OTHERS / sizeof *OTHERS; j++) own |= strcmp(name, OTHERS[j]) == 0;
      for (size_t j = 0; j < sizeof ROWS / sizeof *ROWS; j++) own |= strcmp(name, ROWS[j].name) == 0;
      if (own) continue;
      const br_status st = br_unit_parse(name, strlen(name), &with, NULL);
      tried++;
      if (!ROWS[i].prefix) {
        if (st == BR_OK && br_unit_same(&with, &base)) fail_msg("%s is taken", name);
        continue;
      }
      if (st || !br_unit_same(&with, &base) ||
          !(fabs(with.factor / (PREFIXES[k].factor * ROWS[i].factor * base.factor) - 1) < 1e-15))
        fail_msg("%s: factor %.17g", name, with.factor);
    }
  }
  assert_true(tried > 250);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(usual_interval), cmocka_unit_test(gaps_anywhere),
                                     cmocka_unit_test(jumps_back),     cmocka_unit_test(decimal_commas),
                                     cmocka_unit_test(headings),       cmocka_unit_test(found_marks),
                                     cmocka_unit_test(all_units)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
