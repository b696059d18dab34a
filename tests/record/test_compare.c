/* SPDX-License-Identifier: Apache-2.0
 * test_compare.c - a computed quantity beside the measured one, against sums by hand: errors, work, whole
 * cycles. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../src/record/compare.h"

static bri_comparison compare(size_t n, const bri_compare_row *rows)
{
  bri_compare c = {0};
  bri_comparison out;
  br_err err;
  for (size_t i = 0; i < n; i++) bri_compare_add(&c, &rows[i]);
  assert_int_equal(bri_compare_end(&c, &out, &err), BR_OK);
  return out;
}

/* Four rows: errors -1, -3, 1, -1 of measured values 2, 6, 4, 8 about their mean 5. */
static void errors_by_hand(void **state)
{
  const bri_compare_row rows[] = {{{1, 2}, {0, 0}, {1, 2}, 0},
                                  {{3, 6}, {1, 1}, {3, 6}, 1},
                                  {{5, 4}, {3, 3}, {5, 4}, 3},
                                  {{7, 8}, {2, 2}, {7, 8}, 2}};
  const bri_comparison c = compare(4, rows);
  (void)state;
  assert_int_equal(c.samples, 4);
  assert_true(fabs(c.bias + 1) < 1e-15 && c.largest == 3);
  assert_true(fabs(c.rms - sqrt(3)) < 1e-15);
  assert_true(fabs(c.relative - sqrt(12.0 / 20)) < 1e-15); /* squares 9 + 1 + 1 + 9 */
  assert_true(fabs(c.work_model - (2 * 1 + 4 * 2 - 6 * 1)) < 1e-14);
  assert_true(fabs(c.work_measured - (4 * 1 + 5 * 2 - 6 * 1)) < 1e-14);
  assert_int_equal(c.cycles, 0);
  assert_true(isnan(c.cycle_model) && isnan(c.cycle_measured));
  assert_true(isnan(compare(1, rows).relative)); /* one value has no spread */
}

/* F = A cos along x = sin: an ellipse of area pi A in every cycle; three of them whole within three and a
 * half. */
static void whole_cycles(void **state)
{
  enum { EACH = 2000, N = 7 * EACH / 2 + 1 };
  static bri_compare_row rows[N];
  (void)state;
  for (int i = 0; i < N; i++) {
    const double phase = 6.283185307179586 * i / EACH, x = sin(phase - 1.2);
    rows[i] = (bri_compare_row){{2 * cos(phase - 1.2), 3 * cos(phase - 1.2)},
                                {x, x},
                                {2 * cos(phase - 1.2), 3 * cos(phase - 1.2)},
                                x};
  }
  const bri_comparison c = compare(N, rows);
  assert_int_equal(c.cycles, 3);
  assert_true(fabs(c.cycle_model / (2 * acos(-1.0)) - 1) < 1e-4);
  assert_true(fabs(c.cycle_measured / (3 * acos(-1.0)) - 1) < 1e-4);
}

/* Noise about the middle of the motion makes no cycles of one passage: those of the same motion without it
 * are counted. */
static void noisy_passages(void **state)
{
  enum { EACH = 400, N = 5 * EACH / 2 + 1 };
  static bri_compare_row rows[N];
  (void)state;
  for (int noisy = 0; noisy < 2; noisy++) {
    for (int i = 0; i < N; i++) {
      const double x = sin(6.283185307179586 * i / EACH - 1.2) + (noisy ? (i % 2 ? 0.06 : -0.06) : 0);
      rows[i] = (bri_compare_row){{0, 0}, {x, x}, {0, 0}, x};
    }
    assert_int_equal(compare(N, rows).cycles, 2);
  }
  /* what comes back just behind the middle has not passed it */
  static const double SHORT[] = {-1, 1, -1, 0.15, -1, 1, -0.15, 1, -1, 1, -1};
  for (int i = 0; i < 11; i++) rows[i] = (bri_compare_row){{0, 0}, {0, 0}, {0, 0}, SHORT[i]};
  assert_int_equal(compare(11, rows).cycles, 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(errors_by_hand), cmocka_unit_test(whole_cycles),
                                     cmocka_unit_test(noisy_passages)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
