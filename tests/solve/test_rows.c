/* SPDX-License-Identifier: Apache-2.0
 * test_rows.c - what 'simulate' tells in rows and over parts of the run: times of a record, energies by
 * their names, states of a contact with two axes, windows between rows, loads and levels behind a switch,
 * derivatives of all that. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
/* cmocka needs the headers above first */
#include <cmocka.h>

#include "support/answer.h"
#include "support/near.h"

static size_t column(const br_result_table *t, const char *name)
{
  for (size_t i = 0; t && i < t->ncol; i++)
    if (strcmp(t->columns[i].name, name) == 0) return i;
  fail_msg("no column %s", name);
  return 0;
}

static double at(const br_result_table *t, size_t row, const char *name)
{
  return cell(t, row, column(t, name));
}

/* A record that is finer than a thousandth of the run gives the rows, sample by sample; a coarse one does
 * not, nor where a distance is asked for. */
static void rows_of_a_record(void **state)
{
  static const struct {
    int samples, rows;
    const char *more;
  } CASES[] = {{1601, 1601, ""}, {1101, 1101, ""}, {101, 1001, ""}, {1601, 21, ";output-dt=0.1"}};
  (void)state;
  for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
    const int n = CASES[c].samples;
    char text[200];
    FILE *f = fopen("force.csv", "w");
    assert_non_null(f);
    (void)fputs("t [s],F [N]\n", f);
    for (int i = 0; i < n; i++) (void)fprintf(f, "%.17g,%d\n", 2.0 * i / (n - 1), i % 3);
    assert_int_equal(fclose(f), 0);
    (void)snprintf(text, sizeof text,
                   "system=driven_block;model=viscous;set=sigma2=0.1;input=F:csv:force.csv;t-end=2%s",
                   CASES[c].more);
    br_result *r = answer("simulate", text, "simulate");
    const br_result_table *t = br_result_table_find(r, "simulate");
    assert_int_equal(t->rows, CASES[c].rows);
    for (int i = 0; i < CASES[c].rows; i++) {
      near(at(t, (size_t)i, "t"), 2.0 * i / (CASES[c].rows - 1), 1e-12);
      if (CASES[c].rows == n) near(at(t, (size_t)i, "F_in"), i % 3, 1e-9);
    }
    br_result_destroy(r);
  }
}

/* The books of a chain with dampers and a brush: each column is what its name says, row by row, and ends
 * at the sum. */
static void energies_by_name(void **state)
{
  static const char *const LAST[][2] = {{"work_in", "energy.work_in"},
                                        {"stored", "energy.stored"},
                                        {"dissipated", "energy.dissipated"},
                                        {"friction_work", "energy.friction_work"}};
  (void)state;
  br_result *r = answer(
      "simulate",
      "system=chain;model=lugre;set=m=1,1,system.k=40,60,c=2,3,sigma0=50,sigma1=1,sigma2=0.2,Fc=1,Fs=1.5;"
      "input=Fe:sine:9,0.7;t-end=3;output-dt=0.002;measures=yes",
      "simulate");
  const br_result_table *t = br_result_table_find(r, "simulate");
  double work = 0, lost = 0, rubbed = 0;
  for (size_t i = 0; i < t->rows; i++) {
    const double v1 = at(t, i, "v1"), v2 = at(t, i, "v2"), F = at(t, i, "F"), z = at(t, i, "z");
    static double power[3];
    const double now[3] = {at(t, i, "Fe") * v2, 2 * v1 * v1 + 3 * (v2 - v1) * (v2 - v1), F * v1},
                 x1 = at(t, i, "x1"), x2 = at(t, i, "x2"),
                 alone = 0.5 * (v1 * v1 + v2 * v2 + 40 * x1 * x1 + 60 * (x2 - x1) * (x2 - x1)),
                 stored = alone + 0.5 * 50 * z * z;
    if (i) {
      work += 0.001 * (power[0] + now[0]), lost += 0.001 * (power[1] + now[1]);
      rubbed += 0.001 * (power[2] + now[2]);
    }
    memcpy(power, now, sizeof power);
    near(at(t, i, "work_in"), work, 2e-3);
    near(at(t, i, "friction_work"), rubbed, 2e-3);
    near(at(t, i, "stored"), stored, 1e-9);
    near(at(t, i, "dissipated"), lost + rubbed - (stored - alone), 2e-3); /* what bristles hold is not lost */
  }
  for (int k = 0; k < 4; k++) {
    near(at(t, t->rows - 1, LAST[k][0]), real(r, "%s", LAST[k][1]), 1e-9);
    for (int l = 0; l < k; l++)
      assert_true(fabs(real(r, "%s", LAST[k][1]) - real(r, "%s", LAST[l][1])) > 0.02);
  }
  br_result_destroy(r);
}

/* Both axes of a contact: motion, force and the first state of their own. */
static void contacts_of_two_axes(void **state)
{
  (void)state;
  br_result *r = answer("simulate",
                        "system=two_axis;model=bouc_wen_biaxial;set=m=1,kx=3,fp=1,uy=1e-2,beta=0.6,gamma=0.4;"
                        "input=Fx:sine:3,0.7;input=Fy:sine:2,0.9;t-end=2;output-dt=0.05",
                        "simulate contact1 contact2");
  static const char *const OF[2][4] = {{"x", "vx", "F1", "zx"}, {"y", "vy", "F2", "zy"}};
  const br_result_table *t = br_result_table_find(r, "simulate");
  for (int a = 0; a < 2; a++) {
    const br_result_table *c = br_result_table_find(r, a ? "contact2" : "contact1");
    assert_int_equal(c->rows, t->rows);
    for (size_t i = 0; i < t->rows; i++) {
      near(at(c, i, "t"), at(t, i, "t"), 0);
      near(at(c, i, "u"), at(t, i, OF[a][0]), 1e-15);
      near(at(c, i, "v"), at(t, i, OF[a][1]), 1e-15);
      near(at(c, i, "F"), at(t, i, OF[a][2]), 1e-15);
      near(at(c, i, "z"), at(t, i, OF[a][3]), 1e-15);
    }
    assert_true(fabs(at(t, t->rows - 1, "zx") - at(t, t->rows - 1, "zy")) > 0.01);
  }
  br_result_destroy(r);
}

#define PUSHED "system=driven_block;model=coulomb;set=m=2,Fc=1,Fs=1.1,vs=1e-7,sigma2=0,F=3;t-end=5;"

/* Ends between rows: from the first row inside to the last one, and parts of that length. */
static void windows_between_rows(void **state)
{
  (void)state;
  for (int k = 0; k < 3; k++) {
    char text[250];
    (void)snprintf(text, sizeof text, PUSHED "output-dt=0.1;window=%s;threshold=%s",
                   k == 1 ? "1.01:1.99" : "0.95:2.04", k == 2 ? "1.55" : "100");
    br_result *r = answer("simulate", text, NULL);
    const double from = k == 1 ? 1.1 : 1, to = k == 1 ? 1.9 : 2;
    near(real(r, "window.from"), from, 1e-12);
    near(real(r, "window.to"), to, 1e-12);
    near(real(r, "window.stick_fraction"), k == 2 ? 0.5 : 1, 1e-9);
    near(real(r, "window.v_min"), from, 1e-6);
    near(real(r, "window.v_max"), to, 1e-6);
    near(real(r, "window.work_in"), 1.5 * (to * to - from * from), 1e-5);
    br_result_destroy(r);
  }
}

/* Numbers of a window have derivatives by differences: v = (F - Fc) t / m, friction Fc (F - Fc) (b^2 -
 * a^2) / 2 m. */
static void derivatives_of_a_window(void **state)
{
  (void)state;
  br_result *r = answer("simulate", PUSHED "output-dt=0.1;window=1:2;sensitivity=Fc,m", NULL);
  assert_string_equal(br_result_text(r, "sensitivity_method"), "central differences, extrapolated twice");
  near(real(r, "sensitivity.Fc.window.v_max"), -2.0 / 2, 1e-6);
  near(real(r, "sensitivity.Fc.window.v_min"), -1.0 / 2, 1e-6);
  near(real(r, "sensitivity.Fc.window.friction_work"), (3 - 2) * 3.0 / 4, 1e-5);
  near(real(r, "sensitivity.m.window.v_max"), -2 * 2.0 / 4, 1e-6);
  near(real(r, "sensitivity.Fc.window.from"), 0, 0);
  br_result_destroy(r);
  r = answer("simulate", PUSHED "sensitivity=Fc,m", NULL); /* without it they are exact */
  assert_int_equal(strncmp(br_result_text(r, "sensitivity_method"), "exact", 5), 0);
  near(real(r, "sensitivity.Fc.final.v"), -5.0 / 2, 1e-6);
  near(real(r, "sensitivity.m.final.v"), -2 * 5.0 / 4, 1e-6);
  br_result_destroy(r);
}

/* What a mechanism holds at its start depends on its stiffness, and so does what is lost of it: a block
 * let go at 1 m slides one way, x = d + (1 - d) cos w t with d = Fc / ks. */
static double let_go(double ks, double Fc, double m, double t, int what)
{
  const double w = sqrt(ks / m), d = Fc / ks, x = d + (1 - d) * cos(w * t), v = -(1 - d) * w * sin(w * t);
  return what == 0 ? Fc * (1 - x) : 0.5 * (ks * (x * x - 1) + m * v * v);
}

static void derivatives_of_energies(void **state)
{
  (void)state;
  br_result *r =
      answer("simulate",
             "system=mass_spring;model=coulomb;set=m=2,ks=8,Fc=1,Fs=1.000001,vs=1e-7,sigma2=0;init=x=1;"
             "input=Fe:expr:0*t;t-end=0.9;sensitivity=ks,m",
             NULL);
  assert_int_equal(strncmp(br_result_text(r, "sensitivity_method"), "exact", 5), 0);
  const double h = 1e-4;
  for (int by = 0; by < 2; by++) {
    const char *name = by ? "m" : "ks";
    double d[2];
    for (int what = 0; what < 2; what++)
      d[what] =
          (let_go(8 + h * !by, 1, 2 + h * by, 0.9, what) - let_go(8 - h * !by, 1, 2 - h * by, 0.9, what)) /
          (2 * h);
    near(real(r, "sensitivity.%s.energy.dissipated", name), d[0], 1e-5);
    near(real(r, "sensitivity.%s.energy.friction_work", name), d[0], 1e-5);
    near(real(r, "sensitivity.%s.energy.stored", name), d[1], 1e-5);
    near(real(r, "sensitivity.%s.energy.work_in", name), 0, 1e-9);
  }
  near(real(r, "energy.dissipated"), let_go(8, 1, 2, 0.9, 0), 1e-5);
  near(real(r, "energy.stored"), let_go(8, 1, 2, 0.9, 1), 1e-5);
  br_result_destroy(r);
}

/* Two blocks that slide on an accelerated base: loads behind a switch, of all contacts or of one. */
static void switched_loads(void **state)
{
  static const struct {
    const char *said;
    double n[2];
  } CASES[] = {{"load=3", {3, 3}},   {"N=3", {3, 3}},       {"N1=3", {3, 1}},
               {"N2=0.5", {1, 0.5}}, {"N1=2,N2=4", {2, 4}}, {"N=3,N2=5", {3, 5}}};
  (void)state;
  for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
    char text[300];
    (void)snprintf(
        text, sizeof text,
        "system=chain;model=coulomb;set=m=1,1,system.k=0,0,contact=1,2,against=0,0,system.load=1,1,Fc=1,"
        "Fs=1,sigma2=0,base=-10;t-end=1;output-dt=0.25;switch=0.6:%s",
        CASES[c].said);
    if (strncmp(CASES[c].said, "load", 4) == 0) /* the mechanism's own parameter of that name is a list */
      (void)snprintf(strstr(text, "switch="), 40, "switch=0.6:load=3,3");
    br_result *r = answer("simulate", text, "simulate");
    const br_result_table *t = br_result_table_find(r, "simulate");
    for (size_t i = 1; i < t->rows; i++)
      for (int k = 0; k < 2; k++) {
        const double n = at(t, i, "t") < 0.6 ? 1 : CASES[c].n[k];
        near(at(t, i, k ? "F2" : "F1"), n, 1e-9);
        if (i + 1 == t->rows) near(at(t, i, k ? "v2" : "v1"), 9 * 0.6 + (10 - n) * 0.4, 1e-9);
      }
    br_result_destroy(r);
  }
}

/* A pulled block breaks away at the level that holds then: of the parameters, and of the load. */
static void levels_behind_a_switch(void **state)
{
  static const struct {
    const char *said;
    double level;
  } CASES[] = {{"5:Fs=3", 3},     {"5:Fs=3,7:Fs=4", 4},     {"5:Fs=3,16:Fs=9", 3}, {"12:Fs=3", 2},
               {"5:load=1.5", 3}, {"5:Fs=2.5,6:load=2", 5}, {"5:m=3", 2},          {"5:k=1", 2}};
  (void)state;
  for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++)
    for (int back = 0; back < 2; back++) {
      const double l = CASES[c].level, k = strcmp(CASES[c].said, "5:k=1") == 0 ? 1 : 2;
      char text[250];
      (void)snprintf(
          text, sizeof text,
          "system=pulled_block;model=coulomb;set=m=1,k=2,Fc=1,Fs=2,sigma2=0.1,vp=%s0.1;t-end=30;switch=%s",
          back ? "-" : "", CASES[c].said);
      br_result *r = answer("simulate", text, NULL);
      near(real(r, "sticks.0.breakaway"), back ? -l : l, 1e-9);
      near(real(r, "sticks.0.to"), l / (0.1 * k), 1e-8);
      br_result_destroy(r);
    }
}

/* A cycle is one of the input and of the load: both must have one period. */
static void periods_of_loads(void **state)
{
#define SHAKEN \
  "system=mass_spring;model=lugre;set=sigma0=100,sigma1=10,Fc=0.1,Fs=0.15,ks=2,sigma2=0.1;cycle=yes;"
  (void)state;
  refused("simulate", SHAKEN "input=Fe:sine:1,0.3;input=N:sine:0.2,0.5,0,1", "no common period");
  refused("simulate", SHAKEN "input=Fe:sine:1,0.3;input=N:sine:0.2,0.6,0,1", "no common period");
  refused("simulate", SHAKEN "input=Fe:sine:1,0.3;input=N:expr:1+0.1*exp(-t)", "no common period");
  br_result *r = answer("simulate", SHAKEN "input=Fe:sine:1,0.3;input=N:sine:0.2,0.3,0,1", NULL);
  near(real(r, "cycle.period"), 1 / 0.3, 1e-12);
  br_result_destroy(r);
  r = answer("simulate", SHAKEN "input=Fe:sine:1,0.3;input=N:2", NULL); /* one that stays has any */
  near(real(r, "cycle.period"), 1 / 0.3, 1e-12);
  br_result_destroy(r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_of_a_record),        cmocka_unit_test(energies_by_name),
      cmocka_unit_test(contacts_of_two_axes),    cmocka_unit_test(windows_between_rows),
      cmocka_unit_test(derivatives_of_a_window), cmocka_unit_test(derivatives_of_energies),
      cmocka_unit_test(switched_loads),          cmocka_unit_test(levels_behind_a_switch),
      cmocka_unit_test(periods_of_loads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
