/* SPDX-License-Identifier: Apache-2.0
 * test_eigen.c - eigenvalues of small matrices against matrices built from known ones: complex pairs, equal
 * eigenvalues, badly scaled states, triangular and zero matrices. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../src/solve/eigen.h"
#include "support/rng.h"

enum { MOST = 20 };

/* a := S a S^-1 for a random S made of shears, whose inverse is exact in form. */
static void disguise(rng *r, size_t n, double *a)
{
  for (size_t k = 0; k < 3 * n; k++) {
    const size_t i = (size_t)rng_range(r, 0, (double)n - 1e-9), j = (size_t)rng_range(r, 0, (double)n - 1e-9);
    const double f = rng_range(r, -0.7, 0.7);
    if (i == j) continue;
    for (size_t c = 0; c < n; c++) a[i * n + c] += f * a[j * n + c];
    for (size_t c = 0; c < n; c++) a[c * n + j] -= f * a[c * n + i];
  }
}

/* Every wanted eigenvalue is found once, within tol. */
static void same_set(size_t n, const double *re, const double *im, double *wr, double *wi, double tol)
{
  for (size_t i = 0; i < n; i++) {
    size_t best = i;
    for (size_t j = i; j < n; j++)
      if (hypot(wr[j] - re[i], wi[j] - im[i]) < hypot(wr[best] - re[i], wi[best] - im[i])) best = j;
    if (!(hypot(wr[best] - re[i], wi[best] - im[i]) <= tol))
      fail_msg("n %zu: %.15g %+.15gi is not wanted; nearest %.15g %+.15gi", n, re[i], im[i], wr[best],
               wi[best]);
    const double tr = wr[i], ti = wi[i];
    wr[i] = wr[best], wi[i] = wi[best], wr[best] = tr, wi[best] = ti;
  }
}

static void known(void **state)
{
  rng r = {11};
  (void)state;
  for (int round = 0; round < 2000; round++) {
    const size_t n = 1 + (size_t)round % 12;
    double a[MOST * MOST] = {0}, wr[MOST], wi[MOST], re[MOST], im[MOST];
    for (size_t i = 0; i < n; i++) {
      wr[i] = rng_range(&r, -1.5, 1.5), wi[i] = 0;
      a[i * n + i] = wr[i];
      if (i % 2 && rng_range(&r, 0, 1) < 0.6) { /* a complex pair */
        const double im0 = rng_range(&r, 0.1, 1);
        wr[i - 1] = wr[i], wi[i] = im0, wi[i - 1] = -im0;
        a[(i - 1) * n + i - 1] = wr[i], a[(i - 1) * n + i] = im0, a[i * n + i - 1] = -im0;
      }
    }
    disguise(&r, n, a);
    for (size_t i = 0; i < n; i++) { /* states in units of their own */
      const double f = round % 3 ? 1 : pow(10, rng_range(&r, -8, 8));
      for (size_t j = 0; j < n; j++) a[i * n + j] *= f, a[j * n + i] /= f;
    }
    assert_int_equal(bri_eigenvalues(n, a, re, im), 0);
    same_set(n, re, im, wr, wi, 2e-6);
  }
}

static void corners(void **state)
{
  double work[8], zero[9] = {0}, turn[4] = {0, 1, -1, 0}, jordan[9] = {0.5, 1, 0, 0, 0.5, 1, 0, 0, 0.5};
  double tiny[4] = {1e-200, 3e-200, -3e-200, 1e-200}, bad[4] = {1, NAN, 0, 1}, cycle[16] = {0};
  (void)state;
  assert_true(bri_spectral_radius(3, zero, work) == 0);
  assert_true(fabs(bri_spectral_radius(2, turn, work) - 1) < 1e-15);
  assert_true(fabs(bri_spectral_radius(3, jordan, work) - 0.5) < 1e-4);
  assert_true(fabs(bri_spectral_radius(2, tiny, work) / (sqrt(10) * 1e-200) - 1) < 1e-14);
  assert_true(isnan(bri_spectral_radius(2, bad, work)));
  for (size_t i = 0; i < 4; i++)
    cycle[i * 4 + (i + 1) % 4] = 1; /* a permutation: QR must not go round for ever */
  assert_true(fabs(bri_spectral_radius(4, cycle, work) - 1) < 1e-14);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(known), cmocka_unit_test(corners)};
  return cmocka_run_group_tests_name("solve/eigen", tests, NULL, NULL);
}
