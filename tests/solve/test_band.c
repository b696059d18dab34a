/* SPDX-License-Identifier: Apache-2.0
 * test_band.c - LU of banded matrices, real and complex: the answer is put back into the matrix it came from.
 * */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../src/solve/band.h"
#include "support/rng.h"

enum { MOST = 24, WIDEST = 4, ROOM = MOST * (3 * WIDEST + 1) };

typedef struct {
  bri_band b;
  size_t at[MOST], of[MOST], piv[3 * MOST];
  double re[ROOM], im[ROOM], dense_re[MOST][MOST], dense_im[MOST][MOST]; /* dense: by state, not by place */
} matrix;

/* Diagonals are small now and then, so that rows are exchanged. */
static void draw(matrix *m, rng *r, size_t n, size_t k)
{
  memset(m, 0, sizeof *m);
  m->b = (bri_band){.n = n, .k = k, .w = 3 * k + 1, .at = m->at, .of = m->of};
  for (size_t i = 0; i < n; i++) m->of[i] = (i * 7) % n, m->at[m->of[i]] = i;
  for (size_t i = 0; i < n; i++)
    for (size_t j = i > k ? i - k : 0; j < n && j <= i + k; j++) {
      const double size = i == j && rng_range(r, 0, 1) < 0.5 ? 1e-3 : 1;
      const int none = i != j && rng_range(r, 0, 1) < 0.2;
      const double x = none ? 0 : size * rng_range(r, -1, 1), y = none ? 0 : size * rng_range(r, -1, 1);
      m->re[i * m->b.w + (j + k - i)] = m->dense_re[m->of[i]][m->of[j]] = x;
      m->im[i * m->b.w + (j + k - i)] = m->dense_im[m->of[i]][m->of[j]] = y;
    }
}

static const size_t SIZES[][2] = {{1, 1}, {2, 1}, {5, 1}, {11, 2}, {23, 3}, {24, 4}, {5, 4}};

static void put_back(void **state)
{
  static matrix m;
  rng r = {3};
  (void)state;
  for (int draws = 0; draws < 140; draws++) {
    const size_t n = SIZES[draws % 7][0], k = SIZES[draws % 7][1];
    double x[MOST], y[MOST], b[MOST], c[MOST], tmp[2 * MOST], most = 1;
    draw(&m, &r, n, k);
    for (size_t i = 0; i < n; i++) x[i] = b[i] = rng_range(&r, -1, 1), y[i] = c[i] = rng_range(&r, -1, 1);
    const int complex = draws % 2;
    if (complex) {
      assert_int_equal(bri_band_lu_complex(&m.b, m.re, m.im, m.piv), 0);
      bri_band_solve_complex(&m.b, m.re, m.im, m.piv, x, y, tmp);
    } else {
      assert_int_equal(bri_band_lu(&m.b, m.re, m.piv), 0);
      bri_band_solve(&m.b, m.re, m.piv, x, tmp);
    }
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]) + (complex ? fabs(y[i]) : 0));
    for (size_t i = 0; i < n; i++) {
      double s = -b[i], t = complex ? -c[i] : 0;
      for (size_t j = 0; j < n; j++) {
        s += m.dense_re[i][j] * x[j] - (complex ? m.dense_im[i][j] * y[j] : 0);
        if (complex) t += m.dense_re[i][j] * y[j] + m.dense_im[i][j] * x[j];
      }
      if (!(hypot(s, t) <= 1e-12 * most))
        fail_msg("n %zu, k %zu: row %zu is off by %g", n, k, i, hypot(s, t));
    }
  }
}

static void refused(void **state)
{
  static matrix m;
  rng r = {4};
  (void)state;
  draw(&m, &r, 6, 2);
  for (size_t i = 3; i < 6; i++)
    m.re[i * m.b.w + (5 + 2 - i)] = m.im[i * m.b.w + (5 + 2 - i)] = 0; /* a column of zeros */
  matrix copy = m;
  copy.b.at = copy.at, copy.b.of = copy.of;
  assert_int_equal(bri_band_lu(&m.b, m.re, m.piv), 1);
  assert_int_equal(bri_band_lu_complex(&copy.b, copy.re, copy.im, copy.piv), 1);
  draw(&m, &r, 6, 2);
  m.re[2] = NAN;
  copy = m;
  copy.b.at = copy.at, copy.b.of = copy.of;
  assert_int_equal(bri_band_lu(&m.b, m.re, m.piv), 1);
  assert_int_equal(bri_band_lu_complex(&copy.b, copy.re, copy.im, copy.piv), 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(put_back), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
