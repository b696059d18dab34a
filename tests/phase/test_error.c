/* SPDX-License-Identifier: Apache-2.0
 * test_error.c - the error that an event states covers its true one and is of its size, against 34 digits of
 * tests/phase/quad.c (each number is its output for the parameters beside it). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "kit.h"
#include "support/near.h"

/* The rest of the true value, beyond its double, does not matter here: it is below its last digit. */
typedef struct {
  double F, Fs, vs, delta, sigma0, sigma2; /* m = Fc = 1 */
  bri_kind kind;
  double sigma1;
} known;

static void set_plane(const known *k, bri_plane *p)
{
  *p = (bri_plane){1, k->F, k->sigma0, 0, k->sigma2, 1, k->Fs - 1, k->vs, k->delta, NULL};
}

/* Stated and true error of a value. */
static void honest(double value, double error, double exact)
{
  const double off = fabs(value - exact), last = 5e-15 * exact;
  if (!(error >= off && error <= 100 * fmax(off, last)))
    fail_msg("%.17g for %.17g: off by %.2g, states %.2g", value, exact, off, error);
}

/* Ordinary orbits; the fourth passes a canard, the fifth comes in along a line of constant velocity, where
 * the eigenvector has no part in v. */
static void homoclinic(void **state)
{
  static const known ALL[] = {
      {5.704, 5, 2, 2, 5, 1.6, BRI_UPPER, 5.124489900221491383063692256},
      {5.704, 5, 2, 2, 5, 1.6, BRI_LOWER, 8.379683637409524365178278861},
      {5.704, 5, 2, 2, 5, 1.6, BRI_LARGE, 8.205328101594537057705175917},
      {8.1091726957426964, 7.6980261098496108, 1, 2, 16.694555704727801, 3.2652462824647244, BRI_LOWER,
       32.97804539972056133379266967},
      {5.5751067550505455, 6.0930916633173933, 1, 1, 2.8169873012940143, 2.7854432702225314, BRI_UPPER,
       13.78152733701122128300465094},
      {1.7958409244175035, 1.7001432207634557, 1, 2, 0.044145674042975973, 0.5386731124813704, BRI_UPPER,
       1.419220172881187730143330145},
  };
  bri_line *l = test_calloc(1, sizeof *l);
  for (size_t i = 0; i < sizeof ALL / sizeof ALL[0]; i++) {
    bri_plane p;
    int found = 0;
    set_plane(&ALL[i], &p);
    bri_line_of(&p, 0, BRI_LOOPS, l);
    for (int k = 0; k < l->n; k++) {
      const bri_branch *b = &l->b[k];
      if (b->s.kind != ALL[i].kind) continue;
      honest(b->homoclinic, b->homoclinic_error, ALL[i].sigma1);
      found++;
    }
    assert_int_equal(found, 1);
  }
  test_free(l);
}

/* Folds of canards: sigma1(t) has a tip there. */
static void folds(void **state)
{
  static const known ALL[] = {
      {1.8296405565440623, 1.6522258619998436, 1, 2.124090028845727, 0.75890379758817184, 0.76943309765535228,
       BRI_LONE, 15.43107975422677},
  };
  bri_line *l = test_calloc(1, sizeof *l);
  for (size_t i = 0; i < sizeof ALL / sizeof ALL[0]; i++) {
    bri_plane p;
    set_plane(&ALL[i], &p);
    bri_line_of(&p, 0, BRI_FINE, l);
    const bri_branch *b = &l->b[0];
    assert_int_equal(b->s.kind, ALL[i].kind);
    assert_int_equal(b->nfold, 1);
    honest(b->fold[0].sigma1, b->fold[0].error, ALL[i].sigma1);
  }
  test_free(l);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(homoclinic), cmocka_unit_test(folds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
