/* SPDX-License-Identifier: Apache-2.0
 * test_algebra.c - small dense problems, each judged by what its answer must fulfil: the equations, an
 * orthonormal basis, the conditions of Karush, Kuhn and Tucker. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../src/base/algebra.h"
#include "support/rng.h"

enum { MOST = 9, ROWS = 21 };

/* Columns J[j * ROWS..] and their normal matrix. */
static void draw(rng *r, size_t n, double *J, double *A)
{
  for (size_t i = 0; i < n * ROWS; i++) J[i] = rng_range(r, -1, 1);
  bri_normal(n, ROWS, J, NULL, A, NULL);
}

static void sums(void **state)
{
  rng r = {1};
  double J[MOST * ROWS], A[MOST * MOST], right[ROWS], g[MOST];
  (void)state;
  for (size_t n = 1; n <= MOST; n++) {
    draw(&r, n, J, A);
    for (size_t i = 0; i < ROWS; i++) right[i] = rng_range(&r, -1, 1);
    bri_normal(n, ROWS, J, right, A, g);
    for (size_t i = 0; i < n; i++) {
      double part = 0;
      for (size_t k = 0; k < ROWS; k++) part += J[i * ROWS + k] * right[k];
      assert_true(fabs(part - g[i]) < 1e-13);
      for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t k = 0; k < ROWS; k++) sum += J[i * ROWS + k] * J[j * ROWS + k];
        assert_true(fabs(sum - A[i * n + j]) < 1e-13);
        assert_true(fabs(sum - bri_dot(ROWS, J + i * ROWS, J + j * ROWS)) < 1e-13);
      }
    }
  }
  assert_true(bri_dot(0, J, J) == 0 && bri_dot(1, J, J) == J[0] * J[0]);
}

static void cholesky(void **state)
{
  rng r = {2};
  double J[MOST * ROWS], A[MOST * MOST], factor[MOST * MOST], inverse[MOST * MOST], b[MOST], x[MOST];
  (void)state;
  for (size_t n = 1; n <= MOST; n++) {
    draw(&r, n, J, A);
    memcpy(factor, A, sizeof A);
    assert_int_equal(bri_cholesky(n, factor), 1);
    for (size_t i = 0; i < n; i++) x[i] = b[i] = rng_range(&r, -1, 1);
    bri_cholesky_solve(n, factor, x);
    bri_cholesky_inverse(n, factor, inverse);
    for (size_t i = 0; i < n; i++) {
      double left = 0;
      for (size_t j = 0; j < n; j++) left += A[i * n + j] * x[j];
      assert_true(fabs(left - b[i]) < 1e-11);
      for (size_t j = 0; j < n; j++) {
        double one = 0;
        for (size_t k = 0; k < n; k++) one += A[i * n + k] * inverse[k * n + j];
        assert_true(fabs(one - (i == j)) < 1e-11);
      }
    }
  }
  double saddle[4] = {1, 2, 2, 1}, none[1] = {0}, strange[1] = {NAN};
  assert_int_equal(bri_cholesky(2, saddle), 0);
  assert_int_equal(bri_cholesky(1, none), 0);
  assert_int_equal(bri_cholesky(1, strange), 0);
}

static void eigen(void **state)
{
  rng r = {3};
  double A[MOST * MOST], work[MOST * MOST], value[MOST], vector[MOST * MOST];
  (void)state;
  for (size_t n = 1; n <= MOST; n++) {
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j <= i; j++) A[i * n + j] = A[j * n + i] = rng_range(&r, -1, 1);
    memcpy(work, A, sizeof A);
    bri_symmetric_eigen(n, work, value, vector);
    for (size_t k = 0; k < n; k++) {
      assert_true(k == 0 || value[k] >= value[k - 1]);
      for (size_t i = 0; i < n; i++) {
        double left = 0, with = 0;
        for (size_t j = 0; j < n; j++) {
          left += A[i * n + j] * vector[k * n + j];
          with += vector[i * n + j] * vector[k * n + j];
        }
        assert_true(fabs(left - value[k] * vector[k * n + i]) < 1e-13);
        assert_true(fabs(with - (i == k)) < 1e-13);
      }
    }
  }
}

static void basis(void **state)
{
  rng r = {4};
  enum { Q = 5 };
  double X[Q * ROWS], was[Q * ROWS], part[Q * Q];
  (void)state;
  for (size_t i = 0; i < Q * ROWS; i++) X[i] = rng_range(&r, -1, 1);
  for (size_t k = 0; k < ROWS; k++) X[3 * ROWS + k] = 2 * X[k] - X[2 * ROWS + k]; /* depends on two others */
  memcpy(was, X, sizeof X);
  bri_orthonormal(ROWS, Q, X, part);
  for (size_t i = 0; i < Q; i++) {
    for (size_t j = 0; j < Q; j++)
      assert_true(fabs(bri_dot(ROWS, X + i * ROWS, X + j * ROWS) - (i == j && i != 3)) < 1e-14);
    for (size_t k = 0; k < ROWS; k++) {
      double sum = 0;
      for (size_t j = 0; j < Q; j++) sum += part[i * Q + j] * X[j * ROWS + k];
      assert_true(fabs(sum - was[i * ROWS + k]) < 1e-13);
    }
  }
}

/* The gradient vanishes along what is free or inside, and points outward at the bound. */
static void bounded(void **state)
{
  rng r = {5};
  double J[MOST * ROWS], A[MOST * MOST], b[MOST], x[MOST], right[ROWS];
  size_t at_bound = 0, inside = 0;
  (void)state;
  for (int draws = 0; draws < 3000; draws++) {
    const size_t n = 1 + (size_t)draws % MOST;
    unsigned char bound[MOST];
    draw(&r, n, J, A);
    for (size_t j = 1; j < n && draws % 2; j++) /* nearly alike: what one gives the next takes back */
      for (size_t k = 0; k < ROWS; k++) J[j * ROWS + k] = (j % 2 ? 1 : -1) * J[k] + 0.3 * J[j * ROWS + k];
    for (size_t j = 0; j < n; j++) bound[j] = rng_range(&r, 0, 1) < 0.8;
    for (size_t k = 0; k < ROWS; k++) right[k] = rng_range(&r, -1, 1);
    bri_normal(n, ROWS, J, right, A, b);
    assert_int_equal(bri_nnls(n, A, b, bound, x), 1);
    for (size_t j = 0; j < n; j++) {
      double g = b[j];
      for (size_t i = 0; i < n; i++) g -= A[j * n + i] * x[i];
      if (bound[j]) assert_true(x[j] >= 0);
      if (bound[j] && x[j] == 0) assert_true(g <= 1e-8), at_bound++;
      else assert_true(fabs(g) <= 1e-9), inside++;
    }
  }
  assert_true(at_bound > 200 && inside > 200);
}

/* Columns on which a way past the nearest of several bounds goes round for ever; in both orders, so that
 * neither the first nor the last may stand for the nearest.  What they leave, and no other choice, is known
 * from all choices. */
static void nearest_bound(void **state)
{
  static const struct {
    size_t n;
    double J[36], r[6];
  } CASES[] = {
      {4, {-1, 2, -4, -2, 0, -3, 3, 1, -4, -1, 4, -3, 4, -1, -4, 4}, {0, -1, -7, 2}},
      {5,
       {-2, -4, -4, 3, 5, 4, -8, -4, -9, 7, 5, 4, 4, 3, -5, -8, 5, -6, 3, -5, -5, 2, -5, -7, -2},
       {9, 2, -3, -5, 6}},
      {5,
       {3, 4, 3, 0, 3, -3, -3, -3, -4, 0, 1, 0, 1, 0, -1, -1, 3, -2, 3, -2, 4, -1, 4, -3, -4},
       {-9, 7, 3, 2, -4}},
      {6,
       {-2, 1,  1, 0,  -2, 0,  -2, -3, -3, -1, 0,  -1, -3, -1, -2, -1, 2, 1,
        2,  -1, 0, -2, -2, -3, 1,  0,  -1, 3,  -2, 0,  0,  0,  -1, 2,  2, 2},
       {-1, -2, -7, -9, -4, -4}},
      {6,
       {6,  0,  -4, -2, -1, 2,  -1, 2, -2, -2, 0,  0, 0,  -1, -2, -4, 2, 5,
        -2, -2, -5, -6, 1,  -6, 2,  5, -1, 0,  -2, 6, -6, 1,  5,  5,  5, -3},
       {8, 4, -9, -7, 8, -2}},
  };
  (void)state;
  for (size_t c = 0; c < sizeof CASES / sizeof CASES[0]; c++)
    for (int turned = 0; turned < 2; turned++) {
      const size_t n = CASES[c].n;
      double J[36], A[36], b[6], x[6], least = INFINITY;
      for (size_t j = 0; j < n; j++)
        memcpy(J + j * n, CASES[c].J + (turned ? n - 1 - j : j) * n, n * sizeof *J);
      bri_normal(n, n, J, CASES[c].r, A, b);
      assert_int_equal(bri_nnls(n, A, b, (const unsigned char *)"\1\1\1\1\1", x), 1);
      for (unsigned choice = 0; choice < 1u << n;
           choice++) { /* cost b.x over r.r, of those that keep the bounds */
        double a[36], y[6], cost = 0;
        size_t m = 0, at[6];
        for (size_t j = 0; j < n; j++)
          if (choice >> j & 1) at[m++] = j;
        for (size_t i = 0; i < m; i++)
          for (size_t j = 0; j < m; j++) y[i] = b[at[i]], a[i * m + j] = A[at[i] * n + at[j]];
        assert_int_equal(bri_cholesky(m, a), 1);
        bri_cholesky_solve(m, a, y);
        int inside = 1;
        for (size_t i = 0; i < m; i++) inside = inside && y[i] >= 0, cost -= y[i] * b[at[i]];
        if (inside) least = fmin(least, cost);
      }
      double got = 0;
      for (size_t i = 0; i < n; i++) {
        assert_true(x[i] >= 0);
        got -= 2 * x[i] * b[i];
        for (size_t j = 0; j < n; j++) got += x[i] * A[i * n + j] * x[j];
      }
      if (!(fabs(got - least) <= 1e-9 * fabs(least)))
        fail_msg("case %zu: %.12g, the least is %.12g", c, got, least);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums),    cmocka_unit_test(cholesky),
                                     cmocka_unit_test(eigen),   cmocka_unit_test(basis),
                                     cmocka_unit_test(bounded), cmocka_unit_test(nearest_bound)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
