/* SPDX-License-Identifier: Apache-2.0
 * test_analysis.c - the analysis 'signal': how far it goes, rows at corners, turning points and where minor
 * loops end; what rooms that step along a signal ask of it; limits from either side where something jumps. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "../support/asked.h"
#include "bristle/signal.h"
#include "signal/measured.h"
#include "signal/reversals.h"
#include "signal/samples.h"

static br_signal *parse(const char *spec)
{
  br_signal *s = NULL;
  br_err err;
  if (br_signal_parse(spec, &s, &err)) fail_msg("%s: %s", spec, err.msg);
  return s;
}

static br_result *ask(const char *options)
{
  br_err err = {BR_OK, -1, ""};
  br_result *r = NULL;
  br_job *job = asked("signal", options, NULL, 0, &err);
  if (!job) fail_msg("%s: %s", options, err.msg);
  assert_int_equal(br_result_create(~0u, &r, &err), BR_OK);
  br_result_want(r, "mark*");
  br_sink out = br_result_sink(r);
  if (br_job_run(job, &out, &err)) fail_msg("%s: %s", options, err.msg);
  br_job_destroy(job);
  return r;
}

/* Rows of a table, and a number of one. */
static size_t length(const br_result *r, const char *table) { return br_result_table_find(r, table)->rows; }
static double at(const br_result *r, const char *table, size_t row, const char *column)
{
  const br_result_table *t = br_result_table_find(r, table);
  for (size_t k = 0; k < t->ncol; k++)
    if (strcmp(t->columns[k].name, column) == 0) return t->data[row * t->ncol + k];
  fail_msg("no %s", column);
  return NAN;
}

/* Marks of the picture: t1, t2, ... are the turning points behind t = 0, a period's first one at its end;
 * then where minor loops end. */
static void marks(void **state)
{
  static const struct {
    const char *options;
    size_t n;
    double t[6], u[6];
  } CASES[] = {{"input=turning:0,2,1,3", 5, {2, 3, 5, 8, 4}, {2, 1, 3, 0, 2}}, /* begins at a reversal */
               {"input=sine:2,1Hz", 2, {0.25, 0.75}, {2, -2}},
               {"input=bimodal:0,1,0.5,1.5", 5, {1, 1.5, 2.5, 4, 2}, {1, 0.5, 1.5, 0, 1}},
               {"input=ramp:1", 0, {0}, {0}}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_result *r = ask(CASES[i].options);
    char name[32];
    for (size_t k = 0; k <= CASES[i].n; k++) {
      (void)snprintf(name, sizeof name, "mark%zu", k + 1);
      const br_result_table *t = br_result_table_find(r, name);
      if ((t != NULL) != (k < CASES[i].n)) fail_msg("%s: %s", CASES[i].options, name);
      if (t && !(fabs(at(r, name, 0, "t") - CASES[i].t[k]) < 1e-12 &&
                 fabs(at(r, name, 0, "u") - CASES[i].u[k]) < 1e-12))
        fail_msg("%s: %s at %g, %g", CASES[i].options, name, at(r, name, 0, "t"), at(r, name, 0, "u"));
    }
    br_result_destroy(r);
  }
}

/* Two periods, or up to the natural end, or a second; the path of a period, or up to the end. */
static void how_far(void **state)
{
  static const struct {
    const char *options;
    double end, path;
  } CASES[] = {{"input=sine:1mm,2Hz", 1, 4e-3},
               {"input=ramp:2", 1, 2},
               {"input=ramp:-2;t-end=3", 3, 6},
               {"input=pwl:0,0,1,1,4,0", 4, 2},
               {"input=sine:1mm,2Hz;t-end=0.1", 0.1, 4e-3},
               {"input=filtered_step:2,0.5,3", 23, 2}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_result *r = ask(CASES[i].options);
    const size_t n = length(r, "signal");
    assert_true(n > 1 && at(r, "signal", 0, "t") == 0);
    if (!(fabs(at(r, "signal", n - 1, "t") - CASES[i].end) < 1e-12 &&
          fabs(br_result_real(r, "path_length") - CASES[i].path) < 1e-9))
      fail_msg("%s: ends at %g, path %g", CASES[i].options, at(r, "signal", n - 1, "t"),
               br_result_real(r, "path_length"));
    br_result_destroy(r);
  }
}

/* Corners stand between the samples, and once where they are one. */
static void rows(void **state)
{
  static const double EVEN[] = {0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1},
                      ODD[] = {0, 0.125, 1.0 / 3, 0.375, 0.625, 2.0 / 3, 0.875, 1};
  for (int odd = 0; odd < 2; odd++) {
    br_result *r = ask(odd ? "input=sine:1,2Hz;samples=3" : "input=sine:1,2Hz;samples=8");
    const size_t n = odd ? 8 : 9;
    assert_int_equal(length(r, "signal"), n);
    for (size_t i = 0; i < n; i++) {
      const double t = odd ? ODD[i] : EVEN[i];
      assert_true(fabs(at(r, "signal", i, "t") - t) < 1e-12 &&
                  fabs(at(r, "signal", i, "u") - sin(4 * acos(-1.0) * t)) < 1e-12);
    }
    br_result_destroy(r);
  }
}

/* Where a minor loop ends u is back where it started, and stayed on one side since; in a period also of those
 * that end in the next one. */
static void loops_end(void **state)
{
  static const char *const SPECS[] = {
      "expr:sin(2*pi*t)+0.6*sin(6*pi*t+0.4)", "expr:sin(2*pi*t)+0.6*sin(6*pi*t+3.4)",
      "expr:sin(2*pi*t+2)+0.7*sin(10*pi*t)", "pwl:0,0,1,1,2,0.4,3,2,4,0", "bimodal:0,1,0.5,1.5"};
  size_t found = 0, late = 0;
  for (size_t k = 0; k < sizeof SPECS / sizeof SPECS[0]; k++) {
    char options[120];
    (void)snprintf(options, sizeof options, "input=%s", SPECS[k]);
    br_result *r = ask(options);
    br_signal *s = parse(SPECS[k]);
    const size_t n = length(r, "turning");
    assert_true(n >= 4);
    for (size_t i = 0; i < n; i++) {
      const double t = at(r, "turning", i, "t"), back = at(r, "turning", i, "back"),
                   u = br_signal_value(s, t);
      if (isnan(back)) continue;
      found++, late += br_signal_period(s) > 0 && back > br_signal_period(s);
      assert_true(back > t && fabs(br_signal_value(s, back) - u) < 1e-9);
      const int side = br_signal_value(s, t + 1e-3 * (back - t)) > u;
      for (int j = 1; j < 100; j++) assert_int_equal(br_signal_value(s, t + 0.01 * j * (back - t)) > u, side);
    }
    br_signal_destroy(s);
    br_result_destroy(r);
  }
  assert_true(found >= 8 && late >= 1);
  br_result *r = ask("input=pwl:0,1,1,0,2,2,3,0.5"); /* a record ends before its last move comes back */
  assert_int_equal(length(r, "turning"), 4);
  for (size_t i = 0; i < 4; i++) assert_true(isnan(at(r, "turning", i, "back")));
  br_result_destroy(r);
}

/* Curvature and rate have a limit from each side where a sweep or a move begins and ends. */
static void sides(void **state)
{
  const double tau = 2 * acos(-1.0), A = 1.5, f0 = 1, f1 = 3, T = 4;
  br_signal *s = parse("chirp:1.5,1,3,4");
  for (int end = 0; end < 2; end++)
    for (int side = -1; side <= 1; side += 2) {
      const double w = tau * (end ? f1 : f0), theta = end ? tau * 0.5 * (f0 + f1) * T : 0;
      const double dw = (side < 0) == end ? tau * (f1 - f0) / T : 0;
      const double want = A * (dw * cos(theta) - w * w * sin(theta));
      assert_true(fabs(br_signal_curvature(s, end ? T : 0, side) - want) < 1e-9 * w * w);
    }
  assert_true(isnan(br_signal_curvature(s, NAN, 1)));
  br_signal_destroy(s);
  s = parse("trapezoid:1,1,2,3");
  assert_true(br_signal_curvature(s, 3, -1) == 0 && br_signal_curvature(s, 3, 1) == 2);
  assert_true(br_signal_curvature(s, 2.9, 1) == 0);
  br_signal_destroy(s);
  s = parse("filtered_step:2,0.5,3");
  assert_true(br_signal_curvature(s, 3, -1) == 0 && fabs(br_signal_curvature(s, 3, 1) - 8) < 1e-12);
  assert_true(br_signal_duration(s) == 23); /* 40 time constants behind its start */
  br_signal_destroy(s);
  static const double t[] = {0, 1, 3, 4},
                      u[] = {0, 2, -1, 0}; /* what repeats comes to its start from its end */
  br_err err;
  assert_int_equal(br_signal_from_samples(4, t, u, BR_SIGNAL_PCHIP, 1, &s, &err), BR_OK);
  assert_true(br_signal_curvature(s, 0, -1) == br_signal_curvature(s, 4, -1) &&
              br_signal_curvature(s, 4, -1) != 0);
  assert_true(br_signal_curvature(s, 4, 1) == br_signal_curvature(s, 0, 1) &&
              br_signal_curvature(s, 0, 1) != 0);
  assert_true(br_signal_curvature(s, 0, 1) != br_signal_curvature(s, 0, -1));
  br_signal_destroy(s);
  s = parse("sine:0,1,0,0.3"); /* goes nowhere */
  assert_true(br_signal_normalised(s, 0) == 0.3 && br_signal_path(s) == 0);
  br_signal_destroy(s);
}

/* What is a line, a jump, how often it turns, which times a record has. */
static void what_rooms_ask(void **state)
{
  static const struct {
    const char *spec;
    int straight, jumps;
    double turns;
  } CASES[] = {{"pwl:0,0,1,1,2,0", 1, 0, -1}, {"ramp:2", 1, 0, 0},          {"step:3,1", 1, 1, 0},
               {"sine:1,5", 0, 0, 20},        {"triangle:1,2.5", 1, 0, 10}, {"expr:if(t<1,0,2)", 0, 1, -1}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_signal *s = parse(CASES[i].spec);
    double before = NAN, behind = NAN;
    assert_int_equal(bri_signal_straight(s), CASES[i].straight);
    assert_int_equal(bri_signal_jump(s, 1, &before, &behind), CASES[i].jumps);
    assert_int_equal(before != behind, CASES[i].jumps);
    if (CASES[i].jumps) assert_true(before == 0 && behind > 1);
    for (int k = -3; k <= 9; k++) { /* nowhere else */
      const double t = 0.3 + 0.5 * k, u = br_signal_value(s, t);
      assert_int_equal(bri_signal_jump(s, t, &before, &behind), 0);
      assert_true(before == u && behind == u);
    }
    const double turns = bri_signal_reversals(s, 2);
    if (CASES[i].turns >= 0 && !(fabs(turns - CASES[i].turns) < 1e-9))
      fail_msg("%s: %g", CASES[i].spec, turns);
    br_signal_destroy(s);
  }
  static const double t[] = {1, 2, 4}, u[] = {0, 3, 1};
  for (int smooth = 0; smooth < 2; smooth++) {
    br_signal *s = NULL;
    br_err err;
    size_t n = 0;
    double origin = 0;
    assert_int_equal(
        br_signal_from_samples(3, t, u, smooth ? BR_SIGNAL_PCHIP : BR_SIGNAL_LINEAR, 0, &s, &err), BR_OK);
    const double *at = bri_signal_samples(s, &n, &origin);
    assert_true(at && n == 3 && origin + at[2] == 4 && bri_signal_straight(s) == !smooth);
    br_signal_destroy(s);
  }
  br_signal *s = parse("turning:0,1,0.2,2"); /* which repeats: it has no samples */
  size_t n = 0;
  double origin = 0;
  assert_null(bri_signal_samples(s, &n, &origin));
  br_signal_destroy(s);
}

/* Beside a motion of a record stands what was measured with it: from when to when, how far apart; the
 * measured one of a pair takes its place in the work. */
static void measured_beside(void **state)
{
  FILE *f = fopen("rec.csv", "w");
  br_err err = {BR_OK, -1, ""};
  br_job *job = asked("signal", "input=ramp:1", NULL, 0, &err);
  const br_signal_need motion = {.unit = "m", .what = "motion"};
  const bri_measured_kind kind = {.name = "F", .what = "force", .unit = "N"};
  assert_non_null(f);
  (void)fputs("t_s,x_mm,F_N\n1,0,5\n1.5,1,6\n2,3,7\n3,2,9\n", f);
  (void)fclose(f);
  for (int which = 0; which < 3; which++) {
    bri_measured m;
    bri_comparison c;
    if (bri_measured_beside(job, "csv:rec.csv:t,x", &motion, NULL, "F", &kind, &m, &err))
      fail_msg("%s", err.msg);
    assert_true(m.from == 1 && m.to == 3 && fabs(m.step - 2.0 / 3) < 1e-15);
    for (int k = 0; k <= 8; k++) { /* where nothing was measured nothing is compared */
      const double t = 0.5 * k, pair[2] = {t * t, 10 - t};
      bri_measured_row(&m, t, which == 0 ? pair[0] : pair[1], pair, which, t);
    }
    double work = 0; /* the trapezoid's, of 5, 6, 7, 8, 9 N at t = 1, 1.5, .. 3 */
    for (int k = 0; k < 4; k++) {
      const double t = 1 + 0.5 * k, s = t + 0.5, F = 5 + k;
      work += which == 0   ? 0.5 * (20 - t - s) * 1
              : which == 1 ? 0.5 * (2 * F + 1) * (s * s - t * t)
                           : 0.5 * (20 - t - s) * (s * s - t * t);
    }
    assert_int_equal(bri_compare_end(&m.sums, &c, &err), BR_OK);
    assert_int_equal(c.samples, 5);
    if (!(fabs(c.work_measured - work) < 1e-12)) fail_msg("%d: %g, not %g", which, c.work_measured, work);
    bri_measured_close(&m);
  }
  br_job_destroy(job);
}

/* The answer names each number by what it is of: ellipses of another area for model and measured force, of
 * another work up to the end of the record; energies only where motion and force have a product. */
static void measured_numbers(void **state)
{
  enum { EACH = 500, N = 5 * EACH / 2 };
  const double pi = acos(-1.0), model = 2, measured = 3;
  const br_signal_need motion = {.unit = "m", .what = "motion"};
  br_err err = {BR_OK, -1, ""};
  br_job *job = asked("signal", "input=ramp:1", NULL, 0, &err);
  FILE *f = fopen("ellipse.csv", "w");
  assert_non_null(f);
  (void)fputs("t_s,x_m,F_N\n", f);
  for (int i = 0; i <= N; i++) {
    const double phase = 2 * pi * i / EACH - 0.8;
    (void)fprintf(f, "%.17g,%.17g,%.17g\n", 0.01 * i, sin(phase), measured * cos(phase) + 0.25);
  }
  assert_int_equal(fclose(f), 0);
  for (int energies = 0; energies < 2; energies++) {
    const bri_measured_kind kind = {
        .name = "F", .what = "force", .unit = "N", .along = "m", .energy = energies ? "J" : NULL};
    bri_measured m;
    br_result *r = NULL;
    if (bri_measured_beside(job, "csv:ellipse.csv:t,x", &motion, NULL, "F", &kind, &m, &err))
      fail_msg("%s", err.msg);
    double first = 0, last = 0; /* integral of F du is that of cos^2 of the phase */
    for (int i = 0; i <= N; i++) {
      const double phase = 2 * pi * i / EACH - 0.8, pair[2] = {sin(phase), model * cos(phase)};
      bri_measured_row(&m, 0.01 * i, pair[1], pair, 1, pair[0]);
      last = phase / 2 + sin(2 * phase) / 4;
      if (i == 0) first = last;
    }
    assert_int_equal(br_result_create(~0u, &r, &err), BR_OK);
    br_sink out = br_result_sink(r);
    assert_int_equal(bri_measured_put(&m, 0, &out, &err), BR_OK);
    const double rise = sin(2 * pi * N / EACH - 0.8) - sin(-0.8), work = last - first;
    const struct {
      const char *path;
      double want;
    } NUMBERS[] = {{"measured.work.model", model * work},
                   {"measured.work.measured", measured * work + 0.25 * rise},
                   {"measured.cycle.model", model * pi},
                   {"measured.cycle.measured", measured * pi}};
    for (int i = 0; i < 4; i++) {
      const double got = br_result_real(r, NUMBERS[i].path);
      if (energies ? !(fabs(got / NUMBERS[i].want - 1) < 1e-3) : !isnan(got))
        fail_msg("%s: %g, not %g", NUMBERS[i].path, got, NUMBERS[i].want);
    }
    assert_true(br_result_real(r, "measured.cycle.count") == 2);
    assert_true(br_result_real(r, "measured.samples") == N + 1);
    assert_true(br_result_real(r, "measured.bias") < 0);
    br_result_destroy(r);
    bri_measured_close(&m);
  }
  br_job_destroy(job);
}

/* What goes along a position is known as such. */
static void along_a_position(void **state)
{
  const br_signal_need need = {.unit = "1", .what = "load"};
  br_signal *s = NULL;
  br_err err;
  assert_int_equal(bri_signal_along("expr:1+0.1*u", &need, &s, &err), BR_OK);
  assert_true(bri_signal_is_along(s) && br_signal_value(s, 2) == 1.2);
  br_signal_destroy(s);
  s = parse("expr:1+0.1*t");
  assert_false(bri_signal_is_along(s));
  br_signal_destroy(s);
  static const struct {
    const char *head;
    int good;
  } UNITS[] = {{"u,n", 1},     {"u [mm],n", 1},     {"u [deg],n", 1},  {"u [m],n [%]", 1},
               {"u [s],n", 0}, {"u [counts],n", 0}, {"u [m],n [N]", 0}};
  for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++) { /* lengths and angles alone are positions */
    FILE *f = fopen("along.csv", "w");
    assert_true(f && fprintf(f, "%s\n0,1\n1000,3\n", UNITS[i].head) > 0 && fclose(f) == 0);
    s = NULL;
    if ((bri_signal_along("csv:along.csv", &need, &s, &err) == BR_OK) != UNITS[i].good)
      fail_msg("%s", UNITS[i].head);
    assert_int_equal(s != NULL, UNITS[i].good);
    br_signal_destroy(s);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(marks),
                                     cmocka_unit_test(how_far),
                                     cmocka_unit_test(rows),
                                     cmocka_unit_test(loops_end),
                                     cmocka_unit_test(sides),
                                     cmocka_unit_test(what_rooms_ask),
                                     cmocka_unit_test(measured_beside),
                                     cmocka_unit_test(along_a_position),
                                     cmocka_unit_test(measured_numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
