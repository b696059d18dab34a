/* SPDX-License-Identifier: Apache-2.0
 * test_died.c - the end of a child that reads foreign files: done, with a message, with an exit code, by a
 * signal. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "table/foreign.h"

/* How a child ends that says `said` (NULL: nothing; cut: half of it). */
static br_status end_of(const br_err *said, int cut, int code, int sig, br_err *err)
{
  bri_foreign f = {0};
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  f.child = fork();
  assert_true(f.child >= 0);
  if (f.child == 0) {
    if (said) (void)!write(ends[1], said, cut ? sizeof *said / 2 : sizeof *said);
    if (sig) (void)signal(sig, SIG_DFL), (void)raise(sig);
    _exit(code);
  }
  (void)close(ends[1]);
  f.messages = ends[0];
  memset(err, 0, sizeof *err);
  const br_status st = bri_foreign_end(&f, "run.mat", err);
  assert_int_equal(f.child, 0);
  br_err again;
  assert_int_equal(bri_foreign_end(&f, "run.mat", &again), BR_OK); /* once */
  bri_foreign_stop(&f);
  return st;
}

static void ends(void **state)
{
  br_err err, said = {BR_E_NAME, -1, "no column"};
  (void)state;
  assert_int_equal(end_of(NULL, 0, 0, 0, &err), BR_OK);
  assert_int_equal(end_of(NULL, 0, 1, 0, &err), BR_E_PARSE);
  assert_non_null(strstr(err.msg, "'run.mat' is damaged"));
  assert_int_equal(end_of(NULL, 0, 0, SIGKILL, &err), BR_E_PARSE);
  assert_non_null(strstr(err.msg, "'run.mat' is damaged"));
  assert_int_equal(end_of(&said, 0, 1, 0, &err), BR_E_NAME);
  assert_string_equal(err.msg, "no column");
  assert_int_equal(end_of(&said, 1, 1, 0, &err), BR_E_PARSE); /* died while speaking */
  assert_non_null(strstr(err.msg, "'run.mat' is damaged"));
  said.code = (br_status)3; /* what is no error code must not pass for success */
  assert_int_equal(end_of(&said, 0, 0, 0, &err), BR_E_PARSE);
  memset(said.msg, 'x', sizeof said.msg); /* and a text without an end is no text */
  said.code = BR_E_PARSE;
  assert_int_equal(end_of(&said, 0, 0, 0, &err), BR_E_PARSE);
  assert_true(strlen(err.msg) < sizeof err.msg);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
