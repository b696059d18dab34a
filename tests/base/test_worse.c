/* SPDX-License-Identifier: Apache-2.0
 * The larger of two errors, where not a number is the largest of all; sizes that do not fit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/worse.h"

static void larger_of_two(void **state)
{
  (void)state;
  assert_true(bri_worse(1, 2) == 2 && bri_worse(2, 1) == 2 && bri_worse(-1, -2) == -1);
  assert_true(bri_worse(1, NAN) == INFINITY);
  double most = 0; /* once lost it stays so */
  const double errors[] = {1e-9, NAN, 3};
  for (size_t i = 0; i < 3; i++) most = bri_worse(most, errors[i]);
  assert_true(most == INFINITY);
}

static void sizes(void **state)
{
  (void)state;
  assert_null(bri_malloc_array(SIZE_MAX / 8 + 2, 8)); /* the product is 8 */
  for (size_t n = 0; n < 2; n++) {                    /* nothing is not out of memory */
    void *p = bri_malloc_array(n, 8);
    assert_non_null(p);
    bri_free(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(larger_of_two), cmocka_unit_test(sizes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
