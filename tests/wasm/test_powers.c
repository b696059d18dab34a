/* SPDX-License-Identifier: Apache-2.0
 * The powers of ten that the WebAssembly module computes are those of the table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../targets/wasm/powers.h"

static void same_table(void **state)
{
  (void)state;
  static uint64_t mine[BRI_POWER_LAST - BRI_POWER_FIRST + 1][2];
  powers_fill(mine);
  for (int k = BRI_POWER_FIRST; k <= BRI_POWER_LAST; k++)
    for (int i = 0; i < 2; i++)
      if (mine[k - BRI_POWER_FIRST][i] != bri_powers[k - BRI_POWER_FIRST][i]) fail_msg("10^%d differs", k);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_table)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
