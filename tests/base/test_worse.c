/* SPDX-License-Identifier: Apache-2.0
 * The larger of two errors, where not a number is the largest of all; sizes that do not fit; texts that are
 * not there; lists that grow; numbers in order; a derivative from values beside. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/differences.h"
#include "base/order.h"
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

/* A text that is not there has no copy; an empty one has. */
static void copies(void **state)
{
  (void)state;
  assert_null(bri_copy(NULL));
  const char *const texts[] = {"", "a", "some words"};
  for (size_t i = 0; i < 3; i++) {
    char *all = bri_copy(texts[i]), *part = bri_copy_n("some words, cut", strlen(texts[i]));
    assert_true(all && part && all != texts[i]);
    assert_string_equal(all, texts[i]);
    assert_true(strlen(part) == strlen(texts[i]) && strncmp(part, "some words, cut", strlen(part)) == 0);
    bri_free(all), bri_free(part);
  }
}

/* However near or far apart: neighbours, signs, zeros, infinities. */
static void order(void **state)
{
  (void)state;
  double x[] = {0.3,       -0.2, 1e300, 0.25, -1e300, nextafter(0.3, 0), 0, INFINITY, 0.1,
                -INFINITY, 3e9,  -3e9,  0.25, 5e-324};
  enum { N = sizeof x / sizeof x[0] };
  double sum = 0;
  bri_sort(N, x);
  for (size_t i = 1; i < N; i++) assert_true(x[i - 1] <= x[i]);
  for (size_t i = 1; i + 1 < N; i++) sum += fabs(x[i]) < 1 ? x[i] : 0;
  assert_true(isinf(x[0]) && isinf(x[N - 1]) && fabs(sum - 1) < 1e-15); /* all are still there */
  bri_sort(0, x);
  assert_true(isinf(x[0]) && x[0] < 0);
}

/* A list grows where it is full, by doubling, and keeps what is in it. */
static void lists(void **state)
{
  (void)state;
  size_t *list = NULL, room = 0, grown = 0;
  for (size_t n = 0; n < 1000; n++) {
    const size_t before = room;
    list = bri_grown(list, n, &room, sizeof *list);
    assert_non_null(list);
    assert_true(room > n && (room == before || room == (before ? 2 * before : 16)));
    grown += room != before;
    list[n] = n;
  }
  assert_int_equal(grown, 7); /* 16 to 1024 */
  for (size_t n = 0; n < 1000; n++) assert_int_equal(list[n], n);
  size_t many = SIZE_MAX / 8;
  assert_null(bri_grown(list, many, &many, 8)); /* twice as many do not fit */
  bri_free(list);
}

/* Exact up to the sixth degree: (f(h) - f(-h)) / 2h of x + 3 x^3 + 5 x^5 at h = 1, 1/2, 1/4 gives 1, the
 * slope at 0. The last stage takes h^4 out: what it changes is 5 h1^2 h2^2 for the smaller two distances,
 * whatever its sign. */
static void derivative(void **state)
{
  (void)state;
  for (int sign = -1; sign < 2; sign += 2) {
    double D[3], off = -1;
    for (int k = 0; k < 3; k++) {
      const double h = 1.0 / (1 << k);
      D[k] = sign * (1 + 3 * h * h + 5 * h * h * h * h);
    }
    assert_true(fabs(bri_differences(D, &off) - sign) <= 1e-14);
    assert_true(fabs(off - 5.0 / 64) <= 1e-14);
    assert_true(fabs(bri_differences(D, NULL) - sign) <= 1e-14);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(larger_of_two), cmocka_unit_test(sizes),
                                     cmocka_unit_test(copies),        cmocka_unit_test(order),
                                     cmocka_unit_test(lists),         cmocka_unit_test(derivative)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
