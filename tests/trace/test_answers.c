/* SPDX-License-Identifier: Apache-2.0
 * test_answers.c - the analyses 'trace', 'field' and 'steady' asked by name: cycles, starts, columns, ranges,
 * switches, files without time; against closed forms. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "bristle/trace.h"
#include "support/answer.h"
#include "support/near.h"

#define CURVE "model=coulomb;set=Fc=1,Fs=1.5,vs=0.1,sigma2=0.4;"

/* ---- steady ---- */

static double curve(double v, int side)
{
  return (v != 0 ? copysign(1, v) : side) * (1 + 0.5 * exp(-v * v / 0.01)) + 0.4 * v;
}

static void stribeck_map(void **state)
{
  static const struct {
    const char *range;
    size_t n, rest; /* rows; the one at rest that comes first */
    int sides;
  } CASE[] = {{"from=-0.1;to=0.2;points=31", 32, 10, 2},
              {"from=-0.3;to=0.6;points=4", 5, 1, 2},
              {"from=-0.3;to=0;points=4", 4, 3, -1},
              {"to=0.3;points=4", 4, 0, 1}};
  (void)state;
  for (int k = 0; k < 4; k++) {
    char text[200];
    (void)snprintf(text, sizeof text, CURVE "%s", CASE[k].range);
    br_result *r = answer("steady", text, NULL);
    const br_result_table *t = br_result_table_find(r, "steady");
    assert_int_equal(t->rows, CASE[k].n);
    for (size_t i = 0; i < t->rows; i++) {
      const int side = CASE[k].sides == 2 ? (i <= CASE[k].rest ? -1 : 1) : CASE[k].sides;
      near(cell(t, i, 1), curve(cell(t, i, 0), side), 1e-14);
    }
    assert_true(cell(t, CASE[k].rest, 0) == 0 && (CASE[k].sides != 2 || cell(t, CASE[k].rest + 1, 0) == 0));
    assert_true(real(r, "first") == cell(t, 0, 1) && real(r, "last") == cell(t, t->rows - 1, 1));
    br_result_destroy(r);
  }
  /* no number of points: as many as the curve asks for, so that its chords are the curve */
  br_result *r = answer("steady", "model=coulomb;set=Fc=1,Fs=1.5,vs=1e-3,sigma2=0.4;from=-1;to=1", NULL);
  const br_result_table *t = br_result_table_find(r, "steady");
  assert_true(t->rows > 203);
  for (size_t i = 0; i + 1 < t->rows; i++) {
    const double a = cell(t, i, 0), b = cell(t, i + 1, 0), v = 0.5 * (a + b), u = v / 1e-3;
    assert_true(b >= a);
    if (a == b) continue;
    near(0.5 * (cell(t, i, 1) + cell(t, i + 1, 1)), copysign(1 + 0.5 * exp(-u * u), v) + 0.4 * v, 5e-3);
  }
  br_result_destroy(r);
  /* seen from both sides of rest: a range below zero is the mirror of the one above, row by row */
  br_result *sides[2];
  for (int k = 0; k < 2; k++) {
    char text[120];
    (void)snprintf(text, sizeof text, "model=coulomb;set=Fc=1,Fs=1.5,vs=1e-3,sigma2=0.4;from=%d;to=%d", k - 1,
                   k);
    sides[k] = answer("steady", text, NULL);
  }
  const br_result_table *below = br_result_table_find(sides[0], "steady"),
                        *above = br_result_table_find(sides[1], "steady");
  assert_true(above->rows > 203);
  assert_int_equal(below->rows, above->rows);
  for (size_t i = 0; i < above->rows; i++)
    for (size_t c = 0; c < 2; c++) near(cell(below, above->rows - 1 - i, c), -cell(above, i, c), 1e-12);
  br_result_destroy(sides[0]), br_result_destroy(sides[1]);
  r = answer("steady", CURVE "from=0.05;to=0.1;points=2;load=2", NULL);
  near(real(r, "first"), 2 * curve(0.05, 1) - 0.4 * 0.05, 1e-14);
  br_result_destroy(r);
  /* of a model whose states must settle first: both ways */
  r = answer("steady", "model=lugre;set=Fc=1,Fs=1.5,vs=0.1,delta=2,sigma2=0.4;from=-0.15;to=0.15;points=4",
             NULL);
  t = br_result_table_find(r, "steady");
  for (size_t i = 0; i < t->rows; i++) near(cell(t, i, 1), curve(cell(t, i, 0), 0), 1e-12);
  br_result_destroy(r);
  refused("steady", CURVE "from=0.1;to=0.1", "must be below");
}

/* ---- field ---- */

/* Dahl's force rises with sigma0 (1 - F / (load Fc)) forward, sigma0 (1 + F / (load Fc)) backward. */
static void slopes(void **state)
{
  (void)state;
  br_result *r = answer(
      "field", "model=dahl;set=sigma0=2,Fc=1,gamma=1;z-from=-1;z-to=0.5;u-from=-2;u-to=3;nz=4;nu=6;load=2",
      "back");
  near(real(r, "field.slope_min"), 2 * (1 - 0.25), 1e-14);
  near(real(r, "field.slope_max"), 2 * (1 + 0.5), 1e-14);
  near(real(r, "back.slope_min"), 2 * (1 - 0.5), 1e-14);
  near(real(r, "back.slope_max"), 2 * (1 + 0.25), 1e-14);
  for (int back = 0; back < 2; back++) {
    const br_result_table *t = br_result_table_find(r, back ? "back" : "field");
    assert_int_equal(t->rows, 2 * 4 * 6);
    assert_true(cell(t, 0, 0) == -2 && cell(t, 0, 1) == -1 && cell(t, 46, 0) == 3 && cell(t, 46, 1) == 0.5);
    for (size_t i = 0; i < t->rows; i += 2) { /* arrows go with the motion, by less than half a cell */
      const double du = cell(t, i + 1, 0) - cell(t, i, 0), dz = cell(t, i + 1, 1) - cell(t, i, 1);
      near(hypot(du / 1, dz / 0.5), 0.45, 1e-13);
      near(dz / du, cell(t, i, 2), 1e-12);
      assert_true((du > 0) == !back);
    }
  }
  br_result_destroy(r);
  refused("field", "model=dahl;z-from=1;z-to=-1", "must be below");
  refused("field", "model=dahl;z-from=1;z-to=1", "must be below");
  refused("field", "model=dahl;u-from=1;u-to=1", "must be below");
  refused("field", "model=dahl;z-from=1mm;z-to=2", "the state is in N");
  refused("field", "model=dahl;nz=1001;nu=1000", "at most 1e6");
  refused("field", "model=coulomb", "has no state");
}

/* ---- trace ---- */

/* A spring that slips at Delta = 1 mm: a cycle of 3 mm burns 4 k Delta (A - Delta), the first one from rest
 * less. */
static void whole_periods(void **state)
{
  static const double F[] = {0.7, 1.3, 1.7, 2.3, 2.9, 3.1};
  char text[300];
  (void)state;
  for (size_t i = 0; i < sizeof F / sizeof *F; i++) {
    (void)snprintf(text, sizeof text,
                   "model=maxwell_slip;set=k=1000,Delta=1mm;input=triangle:3mm,%.17g;t-end=%.17g;dt=%.17g",
                   F[i], 7 / F[i], 1 / F[i] / 100);
    br_result *r = answer("trace", text, NULL);
    near(real(r, "cycle.count"), 7, 0);
    near(real(r, "cycle.work"), 4 * 1000 * 1e-3 * 2e-3, 2e-4);
    near(real(r, "cycle.change"), 0, 1e-12);
    br_result_destroy(r);
  }
  double work[2];
  for (int k = 1; k <= 2; k++) {
    (void)snprintf(text, sizeof text, "model=maxwell_slip;set=k=1000,Delta=1mm;input=triangle:3mm,1;t-end=%d",
                   k);
    br_result *r = answer("trace", text, NULL);
    work[k - 1] = real(r, "cycle.work");
    if (k == 2) near(real(r, "cycle.change"), (work[1] - work[0]) / work[1], 1e-9);
    br_result_destroy(r);
  }
  assert_true(fabs(work[1] - work[0]) > 0.01 * work[1]);
  br_result *r = answer("trace", "model=bouc_wen_biaxial;input=x:sine:1,1;input=y:sine:1,2;t-end=2", NULL);
  assert_true(br_result_kind(r, "cycle.count") == BR_NODE_NONE);
  br_result_destroy(r);
  refused("trace", "model=bouc_wen_biaxial;input=x:sine:1,1;input=y:sine:1,2;measured=auto", "one axis only");
}

static void columns_and_starts(void **state)
{
  (void)state;
  br_result *r = answer(
      "trace", "model=dahl;set=sigma0=1e4,Fc=1;input=sine:1mm,1;init=F=0.5;measures=yes;dt=0.01", NULL);
  const br_result_table *t = br_result_table_find(r, "trace");
  assert_string_equal(t->columns[0].name, "t");
  assert_string_equal(t->columns[3].name, "F");
  assert_string_equal(t->columns[4].name, "F_state"); /* no two columns of one name */
  for (size_t i = 0; i < t->rows; i++) { /* work less what is stored beyond the start, F^2 / (2 sigma0) */
    near(cell(t, i, 6), cell(t, i, 3) * cell(t, i, 3) / 2e4, 1e-15);
    near(cell(t, i, 7), cell(t, i, 5) - (cell(t, i, 6) - cell(t, 0, 6)), 1e-15);
  }
  assert_true(cell(t, 0, 6) > 0 && cell(t, 0, 7) == 0);
  br_result_destroy(r);
  r = answer("trace", "model=lugre;set=sigma0=1e5,sigma1=3000,Fc=1,Fs=1;input=sine:1mm,1", NULL);
  assert_non_null(strstr(answer_notes, "a spike of the states at zero"));
  br_result_destroy(r);
  r = answer("trace", "model=lugre;set=sigma0=1e5,sigma1=3000,Fc=1,Fs=1;input=sine:1mm,1;init=settled", NULL);
  assert_string_equal(answer_notes, "");
  assert_non_null(strstr(br_result_text(r, "start"), "states of the loop"));
  t = br_result_table_find(r, "trace");
  for (size_t i = 0; i < 1000; i += 50)
    near(cell(t, i, 4), cell(t, i + 1000, 4), 1e-12); /* it repeats at once */
  br_result_destroy(r);
  /* the loop under a load that goes with it, or is another one than 1 */
  static const char *const LOADS[] = {"input=N:expr:1+0.5*sin(2*pi*t)", "input=N:expr:3+0*t", "load=3"};
  double ends[3];
  for (int k = 0; k < 3; k++) {
    char text[250];
    (void)snprintf(
        text, sizeof text,
        "model=lugre;set=sigma0=1e5,sigma1=300,Fc=1,Fs=1.5,sigma2=0;input=u:sine:1mm,1;%s;init=settled",
        LOADS[k]);
    r = answer("trace", text, NULL);
    t = br_result_table_find(r, "trace");
    assert_int_equal(t->rows, 2001);
    for (size_t i = 0; i <= 1000; i += 50)
      for (size_t c = 3; c < 5; c++) near(cell(t, i, c), cell(t, i + 1000, c), 1e-9);
    ends[k] = cell(t, 0, 3);
    br_result_destroy(r);
  }
  assert_true(fabs(ends[0]) < 0.6 * fabs(ends[1]));
  near(ends[1], ends[2], 1e-9);
  /* slower and slower: what is settled is no spike */
  r = answer("trace", "model=lugre;set=Fc=1,Fs=1,sigma2=9;input=expr:1-exp(-9*t);t-end=1;init=settled", NULL);
  t = br_result_table_find(r, "trace");
  assert_true(cell(t, 0, 3) > 2 * cell(t, t->rows / 2, 3));
  assert_string_equal(answer_notes, "");
  br_result_destroy(r);
  r = answer("trace", "model=lugre;input=pwl:0,0,1,0,2,1mm;init=settled", NULL);
  assert_non_null(strstr(br_result_text(r, "start"), "at rest"));
  br_result_destroy(r);
  r = answer("trace",
             "model=lugre;set=Fc=1,Fs=1,sigma2=0,sigma1=0;input=u:ramp:1mm/"
             "s;input=N:expr:2+0*t;init=settled;t-end=1",
             NULL);
  t = br_result_table_find(r, "trace");
  near(cell(t, 0, 3), 2, 1e-9); /* sliding under the load of then */
  near(cell(t, t->rows - 1, 3), 2, 1e-9);
  br_result_destroy(r);
  refused("trace", "model=bouc_wen_biaxial;input=x:sine:1,1;input=y:sine:1,1;init=settled", "one axis only");
  /* more of a spring is more of its stretch */
  r = answer("trace", "model=maxwell_slip;set=k=3,Delta=1;input=sine:0.5,1;dt=0.1;sensitivity=k", NULL);
  for (size_t i = 0; i < 10; i++) {
    char path[60];
    (void)snprintf(path, sizeof path, "sensitivity.k1.F.%zu", i);
    near(real(r, "%s", path), cell(br_result_table_find(r, "trace"), i, 4), 1e-14);
  }
  br_result_destroy(r);
}

/* Friction that slides: the level that holds, by its time. */
static void switches(void **state)
{
  static const char *const ASKED[] = {
      "model=lugre;set=sigma0=1e6,sigma1=0,sigma2=0,Fc=1,Fs=1.1,vs=1e-9;input=sine:1mm,0.1;t-end=1;dt=0.05;"
      "switch=0.33:"
      "Fc=2,Fs=2,0.63:Fc=3,Fs=3",
      "model=coulomb;set=Fc=1,Fs=1,sigma2=0;input=ramp:1mm/s;t-end=1;dt=0.05;switch=0.33:load=2,0.63:load=3"};
  (void)state;
  for (int k = 0; k < 2; k++) {
    br_result *r = answer("trace", ASKED[k], NULL);
    const br_result_table *t = br_result_table_find(r, "trace");
    for (size_t i = 1; i < t->rows; i++) {
      const double at = cell(t, i, 0);
      near(cell(t, i, 3),
           at < 0.33   ? 1
           : at < 0.63 ? 2
                       : 3,
           i == 7 || i == 13 ? 3e-2 : 1e-5); /* short behind */
    }
    br_result_destroy(r);
  }
}

/* A model that knows nothing of time does the work of a slow way over a jump, too. */
static void work_of_jumps(void **state)
{
  static const char *const MODELS[] = {"bouc_wen;set=fp=1,uy=1e-3,beta=0.5,gamma=0.5",
                                       "bouc_wen;set=fp=2,uy=1e-5,beta=0.3,gamma=0.6,eta=1.5",
                                       "dahl;set=sigma0=1e3,Fc=1",
                                       "bliman_sorine",
                                       "bouc_wen_baber_noori",
                                       "lugre;set=sigma0=1e3,Fc=1,Fs=1,sigma1=0,sigma2=0"};
  static const char *const WAYS[] = {"ramp:5mm/s", "step:5mm,0.5", "expr:5e-3*(t>0.5)+0*t"};
  (void)state;
  for (size_t m = 0; m < sizeof MODELS / sizeof *MODELS; m++)
    for (int loaded = 0; loaded < 2; loaded++) {
      double work[3], left[3];
      for (int k = 0; k < 3; k++) {
        char text[300];
        (void)snprintf(text, sizeof text, "model=%s;input=u:%s;t-end=1;dt=0.25;measures=yes%s", MODELS[m],
                       WAYS[k], loaded ? ";input=N:expr:1+0*t" : "");
        br_result *r = answer("trace", text, NULL);
        const br_result_table *t = br_result_table_find(r, "trace");
        work[k] = cell(t, t->rows - 1, t->ncol - 3), left[k] = cell(t, t->rows - 1, t->ncol - 1);
        near(cell(t, 1, t->ncol - 3) * (k > 0), 0, 0);
        if (k) near(work[k] / work[0], 1, 1e-8);
        if (k && isfinite(left[0])) near(left[k] / left[0], 1, 1e-8);
        br_result_destroy(r);
      }
      assert_true(work[0] > 0);
    }
}

/* A jump is crossed under the load of its time, however far apart rows are; behind it nothing moves. */
static void jumps_under_loads(void **state)
{
  static const char *const MODELS[] = {"dahl;set=sigma0=1e6,Fc=1",
                                       "lugre;set=sigma0=1e6,sigma1=0,sigma2=0,Fc=1,Fs=1"};
  (void)state;
  for (int m = 0; m < 2; m++)
    for (int k = 1; k <= 4; k++) { /* rows a quarter of the time apart, down to one at the jump itself */
      char text[250];
      (void)snprintf(text, sizeof text,
                     "model=%s;input=u:step:%d,0.5;input=N:expr:1+2*t;t-end=1;dt=%g;measures=yes", MODELS[m],
                     k % 2 ? 1 : -1, 1.0 / k);
      br_result *r = answer("trace", text, NULL);
      const br_result_table *t = br_result_table_find(r, "trace");
      for (size_t i = 0; i < t->rows; i++) {
        if (fabs(cell(t, i, 0) - 0.5) < 1e-9) continue;
        const double side = cell(t, i, 0) < 0.5 ? 0 : k % 2 ? 1 : -1;
        near(cell(t, i, 3), 2 * side, 1e-5);
        near(cell(t, i, 5), 2 * fabs(side), 1e-4); /* and does its work: a level of 2 N over 1 m */
      }
      br_result_destroy(r);
    }
}

/* Both axes do work: a jump across the plane does that of the slow way along the same line. */
static void work_of_two_axes(void **state)
{
  static const double WAYS[][2] = {{3e-3, -4e-3}, {3e-3, 0}, {0, -4e-3}, {-1e-3, -5e-3}};
  (void)state;
  for (size_t w = 0; w < 4; w++) {
    double work[3];
    for (int k = 0; k < 3; k++) {
      char text[300];
      (void)snprintf(text, sizeof text,
                     k == 2
                         ? "model=bouc_wen_biaxial;set=fp=1,uy=1e-3,beta=0.6,gamma=0.4;input=x:step:%.3g,0.5;"
                           "input=y:step:%.3g,0.5;t-end=1;dt=0.25;measures=yes"
                         : "model=bouc_wen_biaxial;set=fp=1,uy=1e-3,beta=0.6,gamma=0.4;input=x:ramp:%.3g;"
                           "input=y:ramp:%.3g;t-end=1;dt=0.002;measures=%s",
                     WAYS[w][0], WAYS[w][1], k ? "yes" : "no");
      br_result *r = answer("trace", text, NULL);
      const br_result_table *t = br_result_table_find(r, "trace");
      if (k) work[k] = cell(t, t->rows - 1, t->ncol - 3);
      else work[k] = real(r, "work"); /* of the rows, by the trapezoidal rule */
      br_result_destroy(r);
    }
    assert_true(work[0] > 0);
    near(work[1] / work[0], 1, 1e-4);
    near(work[2] / work[1], 1, 1e-7);
  }
}

static void write_file(const char *name, const char *text)
{
  FILE *f = fopen(name, "w");
  assert_non_null(f);
  (void)fputs(text, f);
  assert_int_equal(fclose(f), 0);
}

static void times_and_files(void **state)
{
  (void)state;
  write_file("late.csv", "t [s],u [m]\n5,0\n6,1e-3\n7,0\n8,1e-3\n9,0\n");
  br_result *r = answer("trace", "model=dahl;input=csv:late.csv;t-end=7", NULL);
  const br_result_table *t = br_result_table_find(r, "trace");
  assert_true(t->rows == 3 && cell(t, 0, 0) == 5 && cell(t, 2, 0) == 7);
  br_result_destroy(r);
  /* rows without time are a path; a column alone are turning points, joined at 1 m/s */
  refused("trace", "model=dahl;input=csv:late.csv;t-end=5.5", "at least 2 are needed");
  write_file("path.csv", "u [m],F [N]\n0,0\n1e-3,1\n0.5e-3,0.2\n");
  r = answer("trace", "model=dahl;input=csv:path.csv", NULL);
  t = br_result_table_find(r, "path");
  assert_true(t && t->rows == 3 && cell(t, 2, 1) == 0.5e-3);
  assert_string_equal(t->columns[0].name, "row");
  assert_string_equal(t->columns[2].unit, "m");
  br_result_destroy(r);
  write_file("turns.csv", "u [m]\n0\n1e-3\n0.5e-3\n");
  r = answer("trace", "model=dahl;input=csv:turns.csv", NULL);
  t = br_result_table_find(r, "trace");
  assert_true(t && t->rows > 100 && cell(t, 1, 2) == 1);
  br_result_destroy(r);
  r = answer("trace", "model=dahl;input=step:1mm,0.5s", NULL); /* what a step leaves is seen behind it */
  t = br_result_table_find(r, "trace");
  near(cell(t, t->rows - 1, 0), 1, 1e-12);
  br_result_destroy(r);
  refused("trace", "model=dahl;input=sine:1mm,1;t-end=1;dt=2", "longer than the motion");
}

/* Rows say how their time is reached: the rate before a corner; a load that vanishes leaves numbers. */
static void corners_and_no_load(void **state)
{
  (void)state;
  br_result *r = answer("trace", "model=lugre;input=expr:1e-3*abs(sin(2*pi*t));dt=0.25;t-end=1", NULL);
  const br_result_table *t = br_result_table_find(r, "trace");
  for (size_t i = 0; i < 5; i++)
    near(cell(t, i, 2), 2e-3 * 3.14159265358979323846 * (i == 0 ? 1 : i % 2 ? 0 : -1), 1e-12);
  br_result_destroy(r);
  r = answer("trace",
             "model=lugre;set=sigma1=300;input=u:sine:1mm,1;input=N:expr:max(0,1-2*t);dt=0.1;t-end=1", NULL);
  t = br_result_table_find(r, "trace");
  for (size_t i = 6; i < t->rows; i++) assert_true(fabs(cell(t, i, 3)) < 0.1);
  br_result_destroy(r);
}

/* Rows of two axes column by column; what was counted before a jump of the motion stays counted. */
static void by_the_library(void **state)
{
  br_err err;
  br_signal *in[2] = {NULL, NULL};
  double par[1024], u[2 * 8], F[2 * 8];
  size_t n = 0, before = 0;
  (void)state;
  const br_model *m = br_model_find("bouc_wen_biaxial");
  br_trace_options o = br_trace_options_default();
  br_trace *tr = NULL;
  m->defaults(par), m->prepare(par);
  assert_int_equal(br_signal_parse("ramp:1", &in[0], &err), BR_OK);
  assert_int_equal(br_signal_parse("ramp:-3", &in[1], &err), BR_OK);
  o.t_end = 0.7, o.dt = 0.1;
  assert_int_equal(br_trace_create(m, par, (const br_signal *const *)in, &o, &tr, &err), BR_OK);
  assert_int_equal(br_trace_fill(tr, 8, NULL, u, NULL, F, NULL, &n, &err), BR_OK);
  assert_int_equal(n, 8);
  for (size_t k = 1; k < 8; k++) { /* isotropic: the force points along the way */
    near(u[8 + k], -3 * u[k], 1e-12);
    near(F[8 + k], -3 * F[k], 1e-9 * fabs(F[k]));
    assert_true(F[k] > 0);
  }
  br_trace_destroy(tr);
  br_signal_destroy(in[0]), br_signal_destroy(in[1]);
  m = br_model_find("lugre");
  m->defaults(par);
  par[br_model_param(m, "sigma1")->slot] = par[br_model_param(m, "sigma2")->slot] = 0;
  par[br_model_param(m, "vs")->slot] = 1e-9; /* it knows the speed, which is always far above */
  m->prepare(par);
  assert_int_equal(br_signal_parse("expr:1e-3*sin(t)+1e-3*(t>0.5)", &in[0], &err), BR_OK);
  o = br_trace_options_default();
  o.t_end = 1, o.dt = 0.1, o.work = 1;
  assert_int_equal(br_trace_create(m, par, (const br_signal *const *)in, &o, &tr, &err), BR_OK);
  double done = 0;
  for (const br_trace_row *row = NULL; br_trace_next(tr, &row, &err) == BR_OK && row; n++) {
    const size_t steps = br_trace_statistics(tr).steps;
    assert_true(steps >= before);
    assert_true(row->work >= done - 1e-12); /* it slides on: work grows */
    before = steps, done = row->work;
  }
  near(done, 1e-3 * (1 + sin(1)) * par[br_model_param(m, "Fc")->slot],
       0.1e-3 * par[br_model_param(m, "Fc")->slot]);
  br_trace_destroy(tr);
  br_signal_destroy(in[0]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(stribeck_map),
                                     cmocka_unit_test(slopes),
                                     cmocka_unit_test(whole_periods),
                                     cmocka_unit_test(columns_and_starts),
                                     cmocka_unit_test(switches),
                                     cmocka_unit_test(work_of_jumps),
                                     cmocka_unit_test(jumps_under_loads),
                                     cmocka_unit_test(work_of_two_axes),
                                     cmocka_unit_test(corners_and_no_load),
                                     cmocka_unit_test(times_and_files),
                                     cmocka_unit_test(by_the_library)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
