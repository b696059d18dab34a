/* SPDX-License-Identifier: Apache-2.0
 * test_corners.c - corners of the solver: an event function that grazes zero between the points of a step,
 * slopes of a map at the edge of where it is defined, sides of slips, what a cycle search refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "kit.h"
#include "solve/plant.h"
#include "support/near.h"

typedef struct {
  br_event ev[64];
  size_t n;
  double pace; /* 1/s */
  double depth;
} list;

static int note(void *ctx, const br_event *ev)
{
  list *l = ctx;
  if (l->n < 64) l->ev[l->n++] = *ev;
  return 0;
}

/* ---- grazing ---- */

/* Dips below zero once in a period, for a hundredth of it: so little that the polynomial of a step cannot
 * tell. */
static void dips(void *ctx, double t, const double *x, double *g)
{
  (void)x;
  *g = 1 - cos(((const list *)ctx)->pace * t) - ((const list *)ctx)->depth;
}

static void grazes_are_looked_at(void **state)
{
  (void)state;
  for (int i = 0; i < 8; i++) {
    kit k;
    list l = {.pace = 3 + 0.3 * (i % 4), .depth = i < 4 ? 1e-4 : 0.01};
    br_solve_settings set = br_solve_settings_default();
    const double v = 1;
    set.nuser = 1, set.user = dips, set.on_event = note, set.ctx = &l, set.h_max = 1;
    kit_plant(&k, "driven_block", "coulomb", "m=1,Fc=1e-9,Fs=1e-9,sigma2=0", NULL, NULL);
    kit_solver(&k, &set, &v);
    kit_to(&k, 20.5 * 2 * KIT_PI / l.pace, NULL);
    assert_int_equal(l.n, 41); /* in and out of twenty dips, and out of the one at the start */
    kit_end(&k);
  }
}

/* ---- slopes of maps ---- */

static int below_two(void *ctx, const double *x, double *out)
{
  (void)ctx;
  out[0] = x[0] < 1 ? 1.5 : 2 + 0.5 * (x[0] - 2);
  return x[0] > 2;
}

static int beside_nothing(void *ctx, const double *x, double *out)
{
  (void)ctx;
  out[0] = 2;
  return x[0] != 2 && fabs(x[0] - 2) < 1e-3;
}

static void slopes_at_an_edge(void **state)
{
  double x = 2, work[64], residual = 0, jac = 0;
  const double scale = 1;
  br_err err = {BR_OK, -1, ""};
  (void)state;
  assert_int_equal(br_map_newton(below_two, NULL, 1, &x, &scale, NULL, work, &jac, &residual, &err), BR_OK);
  near(x, 2, 1e-10);
  near(jac, 0.5, 1e-6); /* from the side where there is a map */
  x = 5;
  assert_int_equal(br_map_newton(beside_nothing, NULL, 1, &x, &scale, NULL, work, NULL, &residual, &err),
                   BR_OK);
  assert_int_equal(br_map_newton(beside_nothing, NULL, 1, &x, &scale, NULL, work, &jac, &residual, &err),
                   BR_E_CONVERGE);
}

/* Known to 1e-10 only: what cannot be met to 1e-11 is accepted, with its slopes. */
static int rough(void *ctx, const double *x, double *out)
{
  const double y[2] = {1 + 0.5 * x[0] - 3 * x[1], 0.25 * x[1]};
  (void)ctx;
  for (int i = 0; i < 2; i++) out[i] = 1e-10 * floor(y[i] / 1e-10) + 3e-11 * (floor(1e13 * x[i]) > 0);
  out[0] += 1e-10 * (x[0] < 2); /* no place maps to itself */
  return 0;
}

static void slopes_of_a_rough_map(void **state)
{
  double x[2] = {1, 0.5}, work[64], residual = 0, jac[4] = {7, 7, 7, 7};
  const double scale[2] = {1, 1}, is[4] = {0.5, -3, 0, 0.25};
  br_err err = {BR_OK, -1, ""};
  (void)state;
  if (br_map_newton(rough, NULL, 2, x, scale, NULL, work, jac, &residual, &err)) fail_msg("%s", err.msg);
  assert_true(residual > 1e-11 && residual < 1e-9); /* else this shows nothing */
  near(x[0], 2, 1e-9);
  for (int i = 0; i < 4; i++) near(jac[i], is[i], 1e-3);
}

/* ---- sides ---- */

static const br_event *first_of(const list *l, br_event_type type)
{
  for (size_t i = 0; i < l->n; i++)
    if (l->ev[i].type == type) return &l->ev[i];
  return NULL;
}

/* A block that rests is pushed to either side: by a jump of the force, by a ramp, by a level that falls. */
static void slips_go_with_the_load(void **state)
{
  (void)state;
  for (int side = -1; side <= 1; side += 2)
    for (int how = 0; how < 3; how++) {
      const char *specs[][2] = {
          {"step:-2,1", "step:2,1"}, {"pwl:0,0,2,-2,3,-2", "pwl:0,0,2,2,3,2"}, {NULL, NULL}};
      const double held = 0.8 * side, v0 = 0;
      double v = 0;
      kit k, other;
      list l = {.n = 0};
      br_err err = {BR_OK, -1, ""};
      br_solve_settings set = br_solve_settings_default();
      set.on_event = note, set.ctx = &l;
      kit_plant(&k, "driven_block", "coulomb", "m=1,Fc=1,Fs=1,sigma2=0", &specs[how][side > 0], &held);
      if (how == 2) {
        kit_plant(&other, "driven_block", "coulomb", "m=1,Fc=0.5,Fs=0.5,sigma2=0", NULL, &held);
        if (br_plant_switch(k.plant, 1, other.plant, &err)) fail_msg("%s", err.msg);
        other.plant = NULL; /* the first one owns it */
      }
      kit_solver(&k, &set, &v0);
      kit_to(&k, 0.9, &v);
      assert_true(v == 0);
      kit_to(&k, 3, &v);
      const br_event *slip = first_of(&l, BR_EVENT_SLIP);
      if (!slip) fail_msg("case %d to side %d: no slip", how, side);
      assert_int_equal(slip->direction, side);
      near(slip->t, 1, 1e-9);
      /* (2 - 1) 2 s; 0.5 s^2 and 1 s at (2 - 1); (0.8 - 0.5) 2 s */
      near(v, side * (how == 0 ? 2 : how == 1 ? 1.5 : 0.6), 1e-8);
      kit_end(&k);
      if (how == 2) kit_end(&other);
    }
}

static void shortly_behind(void *ctx, double t, const double *x, double *g)
{
  (void)ctx, (void)x;
  *g = t - (1 + 0.6 * BRI_RELEASE);
}

/* A contact is let go a little beyond its level, but the time told is that of the level: what happens in
 * between comes behind it. */
static void events_of_one_step_in_order(void **state)
{
  static const char *const RAMP[] = {"ramp:1"};
  kit k;
  list l = {.n = 0};
  br_solve_settings set = br_solve_settings_default();
  const double v0 = 0;
  (void)state;
  set.nuser = 1, set.user = shortly_behind, set.on_event = note, set.ctx = &l;
  kit_plant(&k, "driven_block", "coulomb", "m=1,Fc=1,Fs=1,sigma2=0", RAMP, NULL);
  kit_solver(&k, &set, &v0);
  kit_to(&k, 2, NULL);
  assert_int_equal(l.n, 2);
  assert_int_equal(l.ev[0].type, BR_EVENT_SLIP);
  assert_int_equal(l.ev[1].type, BR_EVENT_USER);
  assert_true(l.ev[0].t < l.ev[1].t && l.ev[1].direction == 1);
  near(l.ev[0].t, 1, 1e-2 * BRI_RELEASE);
  kit_end(&k);
}

/* A block that is thrown against a spring stops, holds, and says so; the way back it reverses. */
static void stops_and_turns(void **state)
{
  (void)state;
  for (int side = -1; side <= 1; side += 2)
    for (int holds = 0; holds < 2; holds++) {
      kit k;
      list l = {.n = 0};
      br_solve_settings set = br_solve_settings_default();
      const double x0[2] = {0, side * 1.0};
      double x[2];
      set.on_event = note, set.ctx = &l;
      kit_plant(&k, "mass_spring", "coulomb", holds ? "m=1,ks=1,Fc=1" : "m=1,ks=100,Fc=0.1", NULL, NULL);
      kit_solver(&k, &set, x0);
      kit_to(&k, holds ? 5 : 0.2, x);
      assert_int_equal(first_of(&l, BR_EVENT_STICK) != NULL, holds);
      assert_int_equal(first_of(&l, BR_EVENT_REVERSAL) != NULL, !holds);
      if (holds) assert_true(x[1] == 0);
      else assert_int_equal(first_of(&l, BR_EVENT_REVERSAL)->direction, -side);
      kit_end(&k);
    }
}

/* ---- cycles ---- */

static br_status searched(kit *k, const char *text)
{
  br_cycle c;
  br_err err = {BR_OK, -1, ""};
  const br_status st = br_cycle_find(k->plant, NULL, NULL, NULL, &c, NULL, NULL, NULL, &err);
  if (!strstr(err.msg, text)) fail_msg("'%s' lacks '%s'", err.msg, text);
  return st;
}

static void cycles_refused(void **state)
{
  static const char *const TWO[] = {"sine:1,1", "sine:0.1,1.3"}, *const ONCE[] = {"step:1", NULL};
  kit k, other;
  br_err err = {BR_OK, -1, ""};
  (void)state;
  kit_plant(&k, "chain", "lugre", "m=1,system.k=100,c=0,contact=1,against=0", TWO, NULL);
  assert_int_equal(searched(&k, "common period"), BR_E_UNSUPPORTED);
  kit_end(&k);
  kit_plant(&k, "mass_spring", "lugre", NULL, ONCE, NULL);
  assert_int_equal(searched(&k, "common period"), BR_E_UNSUPPORTED);
  kit_end(&k);
  kit_plant(&k, "mass_spring", "lugre", "m=1", NULL, NULL);
  kit_plant(&other, "mass_spring", "lugre", "m=2", NULL, NULL);
  if (br_plant_switch(k.plant, 1, other.plant, &err)) fail_msg("%s", err.msg);
  other.plant = NULL;
  assert_int_equal(searched(&k, "parameters that switch"), BR_E_UNSUPPORTED);
  kit_end(&k), kit_end(&other);
}

/* Switches come one behind the other. */
static void switches_ascend(void **state)
{
  kit k[3];
  br_err err = {BR_OK, -1, ""};
  (void)state;
  for (int late = 0; late < 2; late++) {
    for (int i = 0; i < 3; i++) kit_plant(&k[i], "mass_spring", "lugre", "m=1", NULL, NULL);
    assert_int_equal(br_plant_switch(k[1].plant, late ? 3 : 1, k[2].plant, &err), BR_OK);
    k[2].plant = NULL;
    assert_int_equal(br_plant_switch(k[0].plant, 2, k[1].plant, &err), late ? BR_OK : BR_E_ARG);
    k[1].plant = NULL; /* taken, or destroyed */
    for (int i = 0; i < 3; i++) kit_end(&k[i]);
  }
}

/* Which state is the displacement of a contact? */
static void places(void **state)
{
  static const struct {
    const char *system, *set;
    int at;
  } CASES[] = {{"mass_spring", NULL, 0},
               {"driven_block", NULL, -1},
               {"pulled_block", NULL, -1}, /* the spring is a state, the block's way is none */
               {"chain", "m=1,2,system.k=1,1,c=0,0,contact=2,against=0", 1},
               {"chain", "m=1,2,system.k=1,1,c=0,0,contact=2,against=1", -1}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    kit k;
    kit_plant(&k, CASES[i].system, "dahl", CASES[i].set, NULL, NULL);
    const int at = bri_plant_position(k.plant, 0);
    assert_int_equal(at, CASES[i].at);
    if (at > 0) assert_string_equal(br_plant_state(k.plant, (size_t)at), "x2");
    kit_end(&k);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grazes_are_looked_at),
      cmocka_unit_test(slopes_at_an_edge),
      cmocka_unit_test(slopes_of_a_rough_map),
      cmocka_unit_test(slips_go_with_the_load),
      cmocka_unit_test(stops_and_turns),
      cmocka_unit_test(events_of_one_step_in_order),
      cmocka_unit_test(cycles_refused),
      cmocka_unit_test(switches_ascend),
      cmocka_unit_test(places),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
