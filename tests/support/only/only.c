/* SPDX-License-Identifier: Apache-2.0
 * only.c - BR_TEST_ONLY=CASE runs one case of a unit test ('*' and '?' as in a shell); linked into every one.
 * */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
/* cmocka needs the headers above first */
#include <cmocka.h>

__attribute__((constructor)) static void only(void)
{
  const char *name = getenv("BR_TEST_ONLY");
  if (name) cmocka_set_test_filter(name);
}
