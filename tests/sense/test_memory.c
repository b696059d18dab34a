/* SPDX-License-Identifier: Apache-2.0
 * test_memory.c - derivatives of answers to motions from memory: the question cannot be asked again beside a
 * parameter, which is said before anything is computed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "bristle/analysis.h"
#include "support/asked.h"

static void refused(void **state)
{
  static const double T[] = {0, 1, 2}, U[] = {0, 1e-3, 0};
  br_err err = {BR_OK, -1, ""};
  (void)state;
  for (int with = 0; with < 2; with++) {
    br_job *job = NULL;
    assert_int_equal(br_job_create(br_analysis_find("trace"), &job, &err), BR_OK);
    assert_int_equal(br_job_set(job, "model", "dahl", NULL, &err), BR_OK);
    assert_int_equal(br_job_set_array(job, "input", 3, T, U, BR_SIGNAL_LINEAR, 0, &err), BR_OK);
    if (with) assert_int_equal(br_job_set(job, "sensitivity", "Fc", NULL, &err), BR_OK);
    const br_status st = br_job_check(job, &err);
    assert_int_equal(st, with ? BR_E_UNSUPPORTED : BR_OK);
    if (with) assert_non_null(strstr(err.msg, "from memory"));
    br_job_destroy(job);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
