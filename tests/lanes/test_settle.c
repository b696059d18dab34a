/* SPDX-License-Identifier: Apache-2.0
 * test_settle.c - core/lane_settle.h by hand: turns, rests and returns on both sides of each bound, in both
 * directions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/lane_settle.h"

enum { LANE = 3 };
static br_lane_block b;

/* Speed is located to 1e-5 m/s; the lane moves to `side` since time 2, counted from 1 on. */
static void set_up(double side)
{
  memset(&b, 0, sizeof b);
  b.scale[1][LANE] = 1e-6;
  b.t[LANE] = 2, b.from[LANE] = 1, b.h[LANE] = 0.5;
  b.side[LANE] = side;
  b.peak[LANE] = 1;
  b.b[LANE] = -1; /* v' = c1 - F: to hold it takes c1 */
  b.most[LANE] = 1;
}

static void turns(void **state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    const double side = k ? -1 : 1, near = 1e-5;
    set_up(side);
    br_lane_turn(&b, LANE, 0);
    assert_true(b.side[LANE] == -side && b.reversals[LANE] == 1 && b.peak[LANE] == 0);
    set_up(side);
    b.peak[LANE] = 3 * near; /* noise of rounding around rest turns, and is no reversal */
    br_lane_turn(&b, LANE, 0);
    assert_true(b.side[LANE] == -side && b.reversals[LANE] == 0);
    b.peak[LANE] = 5 * near;
    br_lane_turn(&b, LANE, 0);
    assert_true(b.side[LANE] == side && b.reversals[LANE] == 1);
    set_up(side);
    b.t[LANE] = 0.999; /* before counting begins */
    br_lane_turn(&b, LANE, 0);
    assert_true(b.side[LANE] == -side && b.reversals[LANE] == 0);
    set_up(side);
    b.t[LANE] = 1; /* when it begins */
    br_lane_turn(&b, LANE, 0);
    assert_true(b.reversals[LANE] == 1);
  }
}

/* A step that ends where the velocity counts as zero is left aside, one that goes on is not. */
static void judged(void **state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    const double side = k ? -1 : 1, near = 1e-5;
    set_up(side);
    b.scale[0][LANE] = 1e-6, b.stop[LANE] = b.end[LANE] = 100, b.watched = 1e6, b.err[LANE] = 0.5;
    b.y[1][LANE] = side * 0.2, b.y1[1][LANE] = side * 0.1;
    br_lane_judge(&b, LANE, 2, BR_LANE_SMOOTH, 0);
    assert_true(b.rare[LANE] == 0 && b.go[LANE] == 1);
    b.y1[1][LANE] = side * 0.5 * near; /* not beyond, and yet at rest */
    br_lane_judge(&b, LANE, 2, BR_LANE_SMOOTH, 0);
    assert_true(b.rare[LANE] == 1 && b.go[LANE] == 0);
    b.y[1][LANE] = side * 0.5 * near; /* was at rest before: it leaves */
    br_lane_judge(&b, LANE, 2, BR_LANE_SMOOTH, 0);
    assert_true(b.rare[LANE] == 0 && b.go[LANE] == 1);
  }
}

static void true_stick(void **state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    const double side = k ? -1 : 1, push = -side; /* what stopped it */
    set_up(side);
    b.y[1][LANE] = 1e-7, b.c1[LANE] = 0.999 * push;
    br_lane_turn(&b, LANE, 1);
    assert_true(b.stuck[LANE] == 1 && b.sticks[LANE] == 1 && b.reversals[LANE] == 0 && b.y[1][LANE] == 0);
    assert_true(b.side[LANE] == side);
    set_up(side);
    b.c1[LANE] = 0.999 * push, b.peak[LANE] = 3e-5; /* it had hardly moved */
    br_lane_turn(&b, LANE, 1);
    assert_true(b.stuck[LANE] == 1 && b.sticks[LANE] == 0);
    set_up(side);
    b.c1[LANE] = 1.001 * push; /* more than it holds: on to the other side */
    br_lane_turn(&b, LANE, 1);
    assert_true(b.stuck[LANE] == 0 && b.sticks[LANE] == 0 && b.reversals[LANE] == 1 && b.side[LANE] == -side);
    set_up(side);
    b.c1[LANE] = -1.001 * push; /* pushed on as before: it only touched zero */
    br_lane_turn(&b, LANE, 1);
    assert_true(b.stuck[LANE] == 0 && b.reversals[LANE] == 0 && b.side[LANE] == side && b.peak[LANE] == 1);
  }
}

/* Velocity from v0 to v1, straight. */
static void move(double v0, double v1) { b.y[1][LANE] = v0, b.y1[1][LANE] = v1; }

static void rests(void **state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    const double side = k ? -1 : 1;
    set_up(side);
    b.slow[LANE] = 0.1;
    move(side * 0.3, side * 0.2);
    br_lane_rest(&b, LANE);
    assert_true(b.rested[LANE] == 0 && b.sticks[LANE] == 0);
    move(side * 0.05, side * 0.02);
    br_lane_rest(&b, LANE);
    assert_true(b.rested[LANE] == 0.5 && b.sticks[LANE] == 0);
    move(side * 0.3, side * 0.05); /* slow in the last fifth */
    br_lane_rest(&b, LANE);
    assert_true(fabs(b.rested[LANE] - 0.6) < 1e-6 && b.sticks[LANE] == 1);
    move(side * 0.05, side * 0.3); /* and in the first */
    br_lane_rest(&b, LANE);
    assert_true(fabs(b.rested[LANE] - 0.7) < 1e-6 && b.sticks[LANE] == 1);
    b.stuck[LANE] = 1;
    br_lane_rest(&b, LANE);
    assert_true(fabs(b.rested[LANE] - 1.2) < 1e-6);
    b.t[LANE] = 0.5; /* not counted yet */
    br_lane_rest(&b, LANE);
    assert_true(fabs(b.rested[LANE] - 1.2) < 1e-6);
  }
}

static void returns(void **state)
{
  (void)state;
  set_up(1);
  b.level[LANE] = 0.2;
  move(0.1, 0.3); /* upward, in the middle */
  br_lane_return(&b, LANE);
  assert_true(b.returns[LANE] == 1 && fabs(b.first[LANE] - 2.25) < 1e-9 && b.last[LANE] == b.first[LANE]);
  move(0.3, 0.1); /* downward */
  br_lane_return(&b, LANE);
  move(0.2, 0.3); /* from the level itself */
  br_lane_return(&b, LANE);
  assert_true(b.returns[LANE] == 1);
  b.t[LANE] = 4;
  move(0.1, 0.2); /* to it */
  br_lane_return(&b, LANE);
  assert_true(b.returns[LANE] == 2 && fabs(b.first[LANE] - 2.25) < 1e-9 && fabs(b.last[LANE] - 4.5) < 1e-9);
  assert_true(b.nearest[LANE] == b.farthest[LANE] && fabs(b.nearest[LANE] - 2.25) < 1e-9);
  b.t[LANE] = 5;
  br_lane_return(&b, LANE);
  assert_true(b.returns[LANE] == 3 && fabs(b.nearest[LANE] - 1) < 1e-9 &&
              fabs(b.farthest[LANE] - 2.25) < 1e-9);
  b.t[LANE] = 8; /* neither the last nor the first is the shortest then */
  br_lane_return(&b, LANE);
  assert_true(b.returns[LANE] == 4 && fabs(b.nearest[LANE] - 1) < 1e-9 && fabs(b.farthest[LANE] - 3) < 1e-9);
  b.t[LANE] = 0.5;
  br_lane_return(&b, LANE);
  b.t[LANE] = 6, b.level[LANE] = (double)NAN; /* none are counted */
  br_lane_return(&b, LANE);
  assert_true(b.returns[LANE] == 4);
}

static void taken(void **state)
{
  (void)state;
  set_up(1);
  b.lo[0][LANE] = -1, b.hi[0][LANE] = 1, b.lo[1][LANE] = -1, b.hi[1][LANE] = 1;
  b.y1[0][LANE] = 2, b.y1[1][LANE] = -3;
  b.t[LANE] = 2, b.h[LANE] = 0.5;
  br_lane_take(&b, LANE, 2, 0);
  assert_true(b.t[LANE] == 2.5 && b.steps[LANE] == 1 && b.peak[LANE] == 3);
  assert_true(b.lo[0][LANE] == -1 && b.hi[0][LANE] == 2 && b.lo[1][LANE] == -3 && b.hi[1][LANE] == 1);
  b.t[LANE] = 0.5; /* not counted yet */
  b.y1[0][LANE] = 5;
  b.stop[LANE] = 0.9; /* arrives there */
  br_lane_take(&b, LANE, 2, 1);
  assert_true(b.t[LANE] == 0.9 && b.hi[0][LANE] == 2 && b.y[0][LANE] == 5);
}

/* An error that is no number: whatever its sign, the next step is shorter, by the same factor. */
static void no_number(void **state)
{
  (void)state;
  const double f = br_lane_factor((double)NAN);
  assert_true(f > 0 && f < 1e-3);
  assert_true(br_lane_factor(-(double)NAN) == f && br_lane_factor((double)INFINITY) == f);
}

/* Two sliders: at the travel of the first limit one spring is left, and turning back both are. */
static void elements(void **state)
{
  (void)state;
  const double spring[] = {10, 3}, limit[] = {0.01, 0.04};
  double store[8] = {0};
  set_up(1);
  b.rtol = 1e-6, b.load[LANE] = 2; /* limits double with the load */
  b.count = 2, b.spring = spring, b.limit = limit, b.store = store, b.stride = 4;
  br_lane_elements(&b, LANE);
  assert_true(b.held[LANE] == 0 && b.stiff[LANE] == 13 && b.reach[LANE] == 0.02 && b.width[LANE] == 0.08);
  b.y[2][LANE] = 0.02 - 1e-9; /* there to the tolerance */
  br_lane_elements(&b, LANE);
  assert_true(store[LANE] == 0.02 && fabs(b.held[LANE] - 0.26) < 1e-8 && b.stiff[LANE] == 3 &&
              b.y[2][LANE] == 0);
  assert_true(fabs(b.reach[LANE] - 0.06) < 1e-8 && fabs(b.y[3][LANE] - 0.02) < 1e-8);
  b.y[2][LANE] = 0.1;
  br_lane_elements(&b, LANE);
  assert_true(b.stiff[LANE] == 0 && b.reach[LANE] > 1e300 && b.width[LANE] == 1e30 && b.held[LANE] == 0.44);
  b.side[LANE] = -1;
  br_lane_elements(&b, LANE);
  assert_true(b.stiff[LANE] == 13 && b.reach[LANE] == 0.04 && b.held[LANE] == 0.44);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(turns),      cmocka_unit_test(judged),
                                     cmocka_unit_test(true_stick), cmocka_unit_test(rests),
                                     cmocka_unit_test(returns),    cmocka_unit_test(taken),
                                     cmocka_unit_test(no_number),  cmocka_unit_test(elements)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
