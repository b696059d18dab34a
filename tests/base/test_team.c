/* SPDX-License-Identifier: Apache-2.0
 * Pieces of work on several threads: every one is done once, the error of the smallest is told and stops the
 * rest; random numbers of a piece depend on seed and piece alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

#include "../../src/base/team.h"

enum { N = 100 };

typedef struct {
  atomic_int called[N], reached; /* reached: another piece may go on */
  size_t fails;                  /* this piece and those behind it fail; N: none */
  int late;                      /* 1: piece 0 fails too, but after piece 1 */
  double latest;                 /* progress told last */
  int interrupt;                 /* 1: progress asks to stop */
} board;

static void nap(void)
{
  const struct timespec ms = {0, 1000000};
  (void)nanosleep(&ms, NULL);
}

static br_status one(void *ctx, size_t i, br_err *err)
{
  board *b = ctx;
  atomic_fetch_add(&b->called[i], 1);
  for (int k = 0; b->late && i == 0 && k < 2000 && !atomic_load(&b->reached); k++) nap();
  if (b->late && i == 0)
    for (int k = 0; k < 20; k++) nap(); /* what was reached is booked by now */
  if (b->late && i == 1) atomic_store(&b->reached, 1);
  if (i < b->fails && !(b->late == 1 && i == 0)) return BR_OK;
  err->code = BR_E_NAN;
  (void)snprintf(err->msg, sizeof err->msg, "piece %zu", i);
  return BR_E_NAN;
}

static int progress(void *ctx, double part)
{
  board *b = ctx;
  assert_true(part > b->latest && part <= 1);
  b->latest = part;
  return b->interrupt;
}

static br_status run(board *b, int threads, br_err *err)
{
  const bri_team team = {
      .one = one, .ctx = b, .n = N, .threads = threads, .progress = progress, .progress_ctx = b};
  *err = (br_err){BR_OK, -1, ""};
  return bri_team_run(&team, err);
}

static void all_are_done_once(void **state)
{
  (void)state;
  for (int threads = 0; threads < 5; threads++) {
    board b = {.fails = N};
    br_err err;
    assert_int_equal(run(&b, threads, &err), BR_OK);
    for (size_t i = 0; i < N; i++) assert_int_equal(atomic_load(&b.called[i]), 1);
    assert_true(b.latest == 1);
  }
}

/* However many threads are asked for, at most 64 work at once. */
typedef struct {
  atomic_int now, most;
} crowd;

static br_status slowly(void *ctx, size_t i, br_err *err)
{
  crowd *c = ctx;
  const int here = atomic_fetch_add(&c->now, 1) + 1;
  (void)i, (void)err;
  for (int most = atomic_load(&c->most);
       most < here && !atomic_compare_exchange_weak(&c->most, &most, here);) {}
  for (int k = 0; k < 20; k++) nap();
  (void)atomic_fetch_sub(&c->now, 1);
  return BR_OK;
}

static void not_too_many(void **state)
{
  (void)state;
  crowd c = {0};
  const bri_team team = {.n = 400, .threads = 400, .one = slowly, .ctx = &c};
  br_err err;
  assert_int_equal(bri_team_run(&team, &err), BR_OK);
  assert_true(atomic_load(&c.most) > 2 && atomic_load(&c.most) <= 64);
}

/* Later pieces are ready first: what is told of progress never goes back. */
static void progress_never_goes_back(void **state)
{
  (void)state;
  board b = {.fails = N, .late = 2};
  br_err err;
  assert_int_equal(run(&b, 2, &err), BR_OK);
  assert_true(b.latest == 1);
}

static void an_error_stops_the_rest(void **state)
{
  (void)state;
  board b = {.fails = 3};
  br_err err;
  assert_int_equal(run(&b, 1, &err), BR_E_NAN);
  assert_string_equal(err.msg, "piece 3");
  for (size_t i = 0; i < N; i++) assert_int_equal(atomic_load(&b.called[i]), i <= 3);
  b = (board){.fails = 0, .interrupt = 1}; /* an error is no progress */
  assert_int_equal(run(&b, 1, &err), BR_E_NAN);
  assert_string_equal(err.msg, "piece 0");
}

static void the_smallest_piece_is_told(void **state)
{
  (void)state;
  board b = {.fails = 1, .late = 1}; /* 1 fails first, then 0 */
  br_err err;
  assert_int_equal(run(&b, 2, &err), BR_E_NAN);
  assert_string_equal(err.msg, "piece 0");
}

static void an_interruption_stands(void **state)
{
  (void)state;
  board b = {.fails = N, .interrupt = 1};
  br_err err;
  assert_int_equal(run(&b, 1, &err), BR_INTERRUPTED);
  assert_int_equal(atomic_load(&b.called[1]), 0);
  b = (board){.fails = N, .late = 1, .interrupt = 1}; /* piece 0 fails after the word to stop */
  assert_int_equal(run(&b, 2, &err), BR_INTERRUPTED);
  assert_string_equal(err.msg, "interrupted");
}

static void random_numbers(void **state)
{
  (void)state;
  uint64_t s = 0; /* SplitMix64 of seed 0 begins with e220a8397b1dcdaf */
  assert_true(bri_uniform(&s) == ((double)(UINT64_C(0xe220a8397b1dcdaf) >> 11) + 0.5) / 9007199254740992.0);
  for (uint64_t i = 0; i < 100; i++)
    for (uint64_t k = 0; k < i; k++) assert_true(bri_stream(1, i) != bri_stream(1, k));
  assert_true(bri_stream(1, 7) != bri_stream(2, 7));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_are_done_once),
      cmocka_unit_test(not_too_many),
      cmocka_unit_test(progress_never_goes_back),
      cmocka_unit_test(an_error_stops_the_rest),
      cmocka_unit_test(the_smallest_piece_is_told),
      cmocka_unit_test(an_interruption_stands),
      cmocka_unit_test(random_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
