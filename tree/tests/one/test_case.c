#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
int bri_one(void);
static void testing_build(void **state) { assert_int_equal(bri_one(), 7); }
int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(testing_build)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
