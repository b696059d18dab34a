/* SPDX-License-Identifier: Apache-2.0
 * test_parts.c - what 'simulate' tells beside the motion, against what the motion says: maps, contacts,
 * windows, where a contact broke away, one period of a cycle; inputs held and contacts of their own by name.
 * */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../support/asked.h"
#include "bristle/param.h"
#include "bristle/solve.h"
#include "kit.h"

static br_result *ask(const char *options, const char *table)
{
  br_err err = {BR_OK, -1, ""};
  br_result *r = NULL;
  br_job *job = asked("simulate", options, NULL, 0, &err);
  if (!job) fail_msg("%s: %s", options, err.msg);
  assert_int_equal(br_result_create(BR_TABLE_MAIN, &r, &err), BR_OK);
  if (table) br_result_want(r, table);
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

/* A contact that an input moves has the speed of the input. */
static void moved_contacts(void **state)
{
  br_result *r =
      ask("system=filtered;model=lugre;input=sine:0.01,1Hz;t-end=1;output-dt=0.05;rtol=1e-6", "contact1");
  const br_result_table *t = br_result_table_find(r, "contact1");
  const double w = 2 * 3.14159265358979323846;
  (void)state;
  assert_true(t && t->data && t->rows == 21);
  const size_t v = column(t, "v");
  for (size_t i = 0; i < t->rows; i++)
    assert_true(fabs(t->data[i * t->ncol + v] - 0.01 * w * cos(w * 0.05 * (double)i)) < 1e-9);
  br_result_destroy(r);
}

static void keep_note(void *ctx, const char *text)
{
  char *to = ctx;
  (void)snprintf(to, 240, "%s", text);
}

/* Many events early in a run are worth a word, with how many there will be about; few are not. */
static void many_events(void **state)
{
  static const char *const ENDS[] = {"20", "1"};
  (void)state;
  for (int i = 0; i < 2; i++) {
    char options[200], said[240] = "";
    br_err err = {BR_OK, -1, ""};
    (void)snprintf(options, sizeof options,
                   "system=driven_block;model=coulomb;set=m=1,Fc=1,Fs=1;input=sine:3,50Hz;t-end=%s", ENDS[i]);
    br_job *job = asked("simulate", options, NULL, 0, &err);
    if (!job) fail_msg("%s", err.msg);
    br_sink out = {.ctx = said, .note = keep_note};
    if (br_job_run(job, &out, &err)) fail_msg("%s", err.msg);
    if (i) assert_string_equal(said, "");
    else if (!strstr(said, "500 events")) fail_msg("'%s'", said);
    br_job_destroy(job);
  }
}

/* Of a long run every 2nd, 4th, .. row, evenly; of a mechanism that turns the angle. */
static void maps(void **state)
{
  br_result *r = ask("system=mass_spring;model=lugre;input=ramp:1;t-end=2;output-dt=1e-4;rtol=1e-6", "map");
  const br_result_table *t = br_result_table_find(r, "map");
  (void)state;
  assert_true(t && t->data && t->ncol == 2 && t->rows == 5001); /* of 20001 */
  for (size_t i = 0; i < t->rows; i++) assert_true(fabs(t->data[2 * i] - 4e-4 * (double)i) < 1e-9);
  const br_result_table *all = br_result_table_find(r, "simulate");
  const size_t x = column(all, "x");
  for (size_t i = 0; i < t->rows; i++) assert_true(t->data[2 * i + 1] == all->data[4 * i * all->ncol + x]);
  br_result_destroy(r);
  r = ask("system=dc_motor;model=lugre;input=sine:0.1,2Hz;t-end=0.5;rtol=1e-6", "map");
  t = br_result_table_find(r, "map");
  assert_non_null(t);
  assert_string_equal(t->columns[1].name, "theta");
  br_result_destroy(r);
}

/* Motion, force and state of the contact, the spring that pulls it. */
static void contacts(void **state)
{
  br_result *r =
      ask("system=pulled_block;model=lugre;set=vp=0.01;t-end=1;output-dt=0.1;rtol=1e-8", "contact1");
  const br_result_table *t = br_result_table_find(r, "contact1"), *all = br_result_table_find(r, "simulate");
  static const char *const SAME[][2] = {{"v", "v"}, {"F", "F"}, {"z", "z"}, {"l", "l"}, {"t", "t"}};
  (void)state;
  assert_true(t && t->data && t->rows == 11 && all->rows == 11);
  for (size_t k = 0; k < 5; k++) {
    const size_t a = column(t, SAME[k][0]), b = column(all, SAME[k][1]);
    assert_string_equal(t->columns[a].unit, all->columns[b].unit);
    for (size_t i = 0; i < t->rows; i++)
      assert_true(t->data[i * t->ncol + a] == all->data[i * all->ncol + b]);
  }
  assert_true(t->data[10 * t->ncol + column(t, "l")] != 0);
  br_result_destroy(r);
}

/* A window counts what is within it: reversals, extremes, work; there are as many in all as before, in and
 * behind it. */
static void windows(void **state)
{
#define RUN                                                                                                  \
  "system=mass_spring;model=lugre;set=m=1,ks=100,Fc=0.1,Fs=0.15;input=sine:50,1Hz;t-end=4;rtol=1e-8;output-" \
  "dt=1e-3;"
  static const char *const PARTS[] = {RUN "window=0:1.3", RUN "window=1.3:2.9", RUN "window=2.9:4"};
  double reversals = 0, work = 0;
  (void)state;
  br_result *r = NULL;
  for (int i = 0; i < 3; i++) {
    r = ask(PARTS[i], NULL);
    const br_result_table *all = br_result_table_find(r, "simulate");
    const size_t v = column(all, "v"), x = column(all, "x");
    const double from = br_result_real(r, "window.from"), to = br_result_real(r, "window.to");
    double lo = INFINITY, hi = -INFINITY;
    for (size_t k = 0; k < all->rows; k++) {
      const double t = all->data[k * all->ncol];
      if (t < from - 1e-9 || t > to + 1e-9) continue;
      lo = fmin(lo, all->data[k * all->ncol + v]), hi = fmax(hi, all->data[k * all->ncol + v]);
    }
    (void)x;
    assert_true(br_result_real(r, "window.v_min") == lo && br_result_real(r, "window.v_max") == hi);
    reversals += br_result_real(r, "window.reversals"), work += br_result_real(r, "window.friction_work");
    if (i == 2) {
      assert_true(reversals == br_result_real(r, "event_types.reversal") && reversals >= 8);
      assert_true(fabs(work - br_result_real(r, "energy.friction_work")) < 1e-6 * work);
    }
    br_result_destroy(r);
  }
  /* a speed that stays above zero has its minimum above zero */
  r = ask("system=driven_block;model=viscous;set=m=1,sigma2=1;input=step:1;init=v=5;t-end=1;window=0.5:1",
          NULL);
  assert_true(br_result_real(r, "window.v_min") > 2.4);
  br_result_destroy(r);
}

/* Pushed either way a block breaks away at its static level, and a push below that never moves it. */
static void break_away(void **state)
{
  (void)state;
  for (int side = -1; side <= 1; side += 2)
    for (int stick = 0; stick < 2; stick++) {
      char options[200];
      (void)snprintf(options, sizeof options,
                     "system=driven_block;model=%s;set=m=1,Fc=1,Fs=1.5%s;input=ramp:%d;t-end=3;measures=yes;"
                     "output-dt=1e-4;rtol=1e-8",
                     stick ? "coulomb" : "lugre", stick ? "" : ",sigma0=1e5,sigma1=300,vs=0.01", side);
      br_result *r = ask(options, NULL);
      const double F = br_result_real(r, "contacts.0.breakaway"),
                   t = br_result_real(r, "contacts.0.breakaway_time");
      if (!(fabs(F - 1.5) < 0.03 && fabs(t - 1.5) < 0.05)) fail_msg("%s: %g N at %g s", options, F, t);
      br_result_destroy(r);
    }
  br_result *r = ask(
      "system=driven_block;model=coulomb;set=m=1,Fc=1,Fs=1.5;input=sine:1.4,1Hz;t-end=2;measures=yes", NULL);
  assert_true(br_result_real(r, "contacts.0.sticks") == 1 && br_result_real(r, "contacts.0.stick_time") == 2);
  assert_true(isnan(br_result_real(r, "contacts.0.breakaway")));
  br_result_destroy(r);
}

/* A cycle alone is shown over one period of it; steps are those of the whole search. */
static void one_period(void **state)
{
  (void)state;
#define CYCLE                                                                                           \
  "system=pulled_block;model=lugre;set=m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1," \
  "delta=1,vp=2;cycle=yes"
  br_result *r = ask(CYCLE, NULL);
  const br_result_table *all = br_result_table_find(r, "simulate");
  const double T = br_result_real(r, "cycle.period"), last = all->data[(all->rows - 1) * all->ncol];
  assert_true(T > 0 && fabs(last - T) < 1e-12 * T);
  for (size_t k = 1; k < all->ncol; k++) { /* and ends where it starts */
    if (strcmp(all->columns[k].name, "v") != 0 && strcmp(all->columns[k].name, "l") != 0) continue;
    assert_true(fabs(all->data[k] - all->data[(all->rows - 1) * all->ncol + k]) < 1e-6);
  }
  double before = INFINITY;
  for (size_t i = 0; i < br_result_length(r, "cycle.multipliers"); i++) { /* the largest first */
    char path[64];
    (void)snprintf(path, sizeof path, "cycle.multipliers.%zu.0", i);
    const double re = br_result_real(r, path);
    (void)snprintf(path, sizeof path, "cycle.multipliers.%zu.1", i);
    const double size = hypot(re, br_result_real(r, path));
    assert_true(size <= before);
    before = size;
  }
  assert_true(br_result_real(r, "cycle.stick_fraction") > 0 && br_result_real(r, "cycle.stick_fraction") < 1);
  br_result_destroy(r);
}

/* By name: inputs are held at what was set, a contact has its own numbers, one that is not there is refused.
 * */
static void plants_by_name(void **state)
{
  br_param_table tables[BR_PLANT_TABLES];
  br_param inputs[8];
  br_params *p = NULL;
  br_plant *plant = NULL;
  br_solver *s = NULL;
  br_err err = {BR_OK, -1, ""};
  double dx[16];
  (void)state;
  const br_system *sys = br_system_find("pulled_block");
  const br_model *m = br_model_find("lugre");
  size_t n = br_plant_tables(sys, m, inputs, tables);
  assert_int_equal(br_params_create_tables(tables, n, &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, "vp=0.3", &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  assert_int_equal(br_plant_of(sys, m, p, NULL, &plant, &err), BR_OK);
  assert_int_equal(br_solver_create(plant, NULL, &s, &err), BR_OK);
  assert_int_equal(br_solver_start(s, 0, NULL, &err), BR_OK);
  br_solver_rate(s, dx);
  assert_true(dx[br_plant_index(plant, "l")] == 0.3); /* drawn by vp, the block at rest */
  br_solver_destroy(s);
  br_plant_destroy(plant);
  br_params_destroy(p);
  sys = br_system_find("chain");
  for (int more = 0; more < 2; more++) {
    n = br_plant_tables(sys, m, inputs, tables);
    assert_int_equal(br_params_create_tables(tables, n, &p, &err), BR_OK);
    assert_int_equal(
        br_params_set_list(p, "m=1,2,k=100,50,system.c=1,1,contact=1,2,against=0,1,load=1,1", &err), BR_OK);
    assert_int_equal(br_params_set_list(p, more ? "contact3.Fc=1" : "contact2.Fc=1", &err), BR_OK);
    assert_int_equal(br_params_finish(p, &err), BR_OK);
    assert_int_equal(br_plant_of(sys, m, p, NULL, &plant, &err), more ? BR_E_NAME : BR_OK);
    if (more) assert_non_null(strstr(err.msg, "contact3.Fc is set"));
    br_plant_destroy(plant);
    br_params_destroy(p);
  }
}

/* An oscillator without losses keeps its energy, and its speed and place stay within what the energy allows:
 * extremes lie between the points of its steps, minima as maxima. */
static void extremes(void **state)
{
  static const char *const RTOL[] = {"1e-4", "1e-7", "1e-9"};
  (void)state;
  for (int i = 0; i < 3; i++) {
    char options[300];
    (void)snprintf(options, sizeof options,
                   "system=mass_spring;model=viscous;set=m=1,ks=4,sigma2=0;init=x=0.3,v=0.8;t-end=10;rtol=%s",
                   RTOL[i]);
    br_result *r = ask(options, NULL);
    const double top = hypot(0.3, 0.4), near = 30 * atof(RTOL[i]);
    assert_true(fabs(br_result_real(r, "extremes.x.max") - top) < near * top);
    assert_true(fabs(br_result_real(r, "extremes.x.min") + top) < near * top);
    assert_true(fabs(br_result_real(r, "extremes.v.max") - 2 * top) < near * 2 * top);
    assert_true(fabs(br_result_real(r, "extremes.v.min") + 2 * top) < near * 2 * top);
    assert_true(fabs(br_result_real(r, "energy.stored")) < near * 0.5);
    br_result_destroy(r);
  }
}

/* x(t) of m = 1, ks = 4, sigma2 = 0.5 at x = 0.3 under sin(wt), w = 2 pi 0.7 Hz: a sin wt + b cos wt +
 * exp(-dt) (e cos qt + f sin qt). */
static double place(double t)
{
  const double w = 2 * 3.14159265358979323846 * 0.7, d = 0.25, q = sqrt(4 - d * d);
  const double u = 4 - w * w, v = 0.5 * w, a = u / (u * u + v * v), b = -v / (u * u + v * v);
  const double e = 0.3 - b, f = (d * e - a * w) / q;
  return a * sin(w * t) + b * cos(w * t) + exp(-d * t) * (e * cos(q * t) + f * sin(q * t));
}

typedef struct {
  double t[20];
  size_t n;
} falls;

static void through_zero(void *ctx, double t, const double *x, double *g)
{
  (void)ctx, (void)t;
  g[0] = x[0];
}

static int note_fall(void *ctx, const br_event *ev)
{
  falls *l = ctx;
  if (ev->type == BR_EVENT_USER && l->n < 20) l->t[l->n++] = ev->t;
  return 0;
}

/* Fast steps: a force that changes along them, their tolerance, and where a state goes through zero within
 * them. */
static void fast_steps(void **state)
{
  static const char *const SPECS[] = {"sine:1,0.7Hz"};
  double error[2], steps[2];
  (void)state;
  for (int i = 0; i < 2; i++) {
    kit k;
    falls l = {{0}, 0};
    double x[8] = {0}, start[8] = {0};
    br_solve_settings set = br_solve_settings_default();
    set.kind = BR_SOLVER_RODAS, set.rtol = i ? 1e-7 : 1e-4, set.atol = 1e-3 * set.rtol;
    set.nuser = 1, set.user = through_zero, set.on_event = note_fall, set.ctx = &l;
    kit_plant(&k, "mass_spring", "viscous", "m=1,ks=4,sigma2=0.5", SPECS, NULL);
    assert_true(br_plant_index(k.plant, "x") == 0);
    start[0] = 0.3;
    kit_solver(&k, &set, start);
    kit_to(&k, 6, x);
    error[i] = fabs(x[0] - place(6)), steps[i] = (double)br_solver_stats(k.solver).steps;
    assert_true(l.n >= 3);
    for (size_t e = 0; e < l.n; e++)
      if (!(fabs(place(l.t[e])) < 20 * set.rtol)) fail_msg("%g at %g", place(l.t[e]), l.t[e]);
    kit_end(&k);
  }
  print_message("fast steps: %g in %g steps, %g in %g\n", error[0], steps[0], error[1], steps[1]);
  assert_true(error[0] < 1e-5 && error[1] < 1e-7);
  assert_true(steps[0] < 100 && steps[1] < 300);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(maps),           cmocka_unit_test(contacts),
                                     cmocka_unit_test(windows),        cmocka_unit_test(break_away),
                                     cmocka_unit_test(one_period),     cmocka_unit_test(plants_by_name),
                                     cmocka_unit_test(extremes),       cmocka_unit_test(fast_steps),
                                     cmocka_unit_test(moved_contacts), cmocka_unit_test(many_events)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
