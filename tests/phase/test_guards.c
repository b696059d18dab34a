/* SPDX-License-Identifier: Apache-2.0
 * test_guards.c - corners of the plane by formulas of their own: how many folds the friction curve has,
 * eigenvalues far apart, what rounding makes of a Hopf point, orbits that are lost, manifolds of saddles
 * alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "phase/branch.h"
#include "phase/plane.h"
#include "phase/returns.h"
#include "support/rng.h"

/* s2 + g' = 0 with g' = -dF delta/vs u^(delta-1) exp(-u^delta), u = v/vs: one root below dF/vs for delta = 1,
 * two below the maximum dF/vs sqrt(2) exp(-1/2) for delta = 2, none above. */
static void folds_of_the_curve(void **state)
{
  (void)state;
  for (int delta = 1; delta <= 2; delta++) {
    const double dF = 4, vs = 2, most = dF / vs * (delta == 1 ? 1 : sqrt(2) * exp(-0.5));
    for (int k = 0; k < 2; k++) {
      double v[2] = {NAN, NAN};
      const bri_plane p = {1, 5, 5, 8, most * (k ? 1.001 : 0.999), 1, dF, vs, delta, NULL};
      const int n = bri_sliding_folds(&p, v);
      assert_int_equal(n, k ? 0 : delta);
      for (int i = 0; i < n; i++) {
        const double u = v[i] / vs;
        assert_true(fabs(p.s2 - dF * delta / vs * pow(u, delta - 1) * exp(-pow(u, delta))) < 1e-12);
        assert_true(i == 0 || v[1] > v[0]);
      }
    }
  }
}

/* Two real eigenvalues have the product a0 and the sum -a1, whatever their ratio. */
static void eigenvalues_far_apart(void **state)
{
  rng r = {5};
  int apart = 0;
  (void)state;
  for (int i = 0; i < 500; i++) {
    const bri_plane p = {pow(10, rng_range(&r, -2, 2)),
                         5,
                         pow(10, rng_range(&r, 0, 7)),
                         pow(10, rng_range(&r, 0, 5)),
                         pow(10, rng_range(&r, -3, 0)),
                         1,
                         0.5,
                         0.1,
                         2,
                         NULL};
    const bri_linear l = bri_linear_at(&p, pow(10, rng_range(&r, -2, 0.5)));
    if (l.im[1] != 0 || !(l.a0 > 0)) continue;
    const double small = fmin(fabs(l.re[0]), fabs(l.re[1])), big = fmax(fabs(l.re[0]), fabs(l.re[1]));
    assert_true(l.re[0] <= l.re[1]);
    assert_true(fabs(small * big / l.a0 - 1) < 1e-14);
    assert_true(fabs(l.re[0] + l.re[1] + l.a1) <= 1e-14 * fabs(l.a1));
    apart += big > 1e6 * small;
  }
  assert_true(apart > 20);
}

/* sigma1 = (m N_z - sigma2)/N_v in 19 digits at the equilibrium that these digits have: no further off than
 * is said. */
static void error_of_a_hopf_point(void **state)
{
  rng r = {9};
  int done = 0, off = 0;
  (void)state;
  for (int i = 0; i < 400; i++) {
    bri_plane p = {1, 0, 5, 1, rng_range(&r, 0.2, 1.5), 1, 4, 2, i % 2 ? 1 : 2, NULL};
    const double wanted = rng_range(&r, 0.2, 5);
    double g[4], ratio[4];
    bri_sliding e;
    bri_level_series(&p, wanted, g, ratio);
    p.F = g[0] + p.s2 * wanted;
    bri_sliding_of(&p, &e);
    for (int k = 0; k < e.n; k++) {
      long double v = e.y[k].v, level = 0, slope = 0;
      for (int j = 0; j < 5; j++) {
        const long double u = powl(v / p.vs, p.delta), x = p.dF * expl(-u);
        level = p.Fc + x, slope = -p.delta * u / v * x;
        v -= (level + p.s2 * v - p.F) / (slope + p.s2);
      }
      const bri_hopf h = bri_hopf_at(&p, e.y[k].v);
      const double error = bri_hopf_error(&p, e.y[k].v);
      if (!isfinite(h.sigma1) || fabsl(slope + p.s2) < 1e-3L) continue;
      const long double exact = (-p.m * p.s0 * v / level - p.s2) / (v * slope / level);
      if (!(fabsl(h.sigma1 - exact) <= error))
        fail_msg("sigma1 %.17g, exactly %.17Lg, error %.3g", h.sigma1, exact, error);
      assert_true(error < 1e-10 * fabs(h.sigma1));
      done++, off += h.sigma1 != (double)exact;
    }
  }
  assert_true(done > 100 && off > 20);
}

static int at_once(void *ctx)
{
  (void)ctx;
  return 1;
}

/* Who is stopped has lost its orbits, and does not say that there are no cycles. */
static void orbits_that_are_lost(void **state)
{
  const br_stop stop = {at_once, NULL};
  bri_plane p = {1, 5.704, 5, 8.45, 1.6, 1, 4, 2, 2, NULL};
  (void)state;
  bri_cycles *all = calloc(1, sizeof *all);
  assert_non_null(all);
  bri_cycles_of(&p, all);
  assert_true(all->complete && all->n > 0);
  p.stop = &stop;
  bri_cycles_of(&p, all);
  assert_false(all->complete);
  free(all);
}

/* A branch that ends in large stable cycles turns an odd number of times when it begins unstable, an even
 * number when it begins stable; folds beyond the least count where the branch was followed, and none is left
 * without its partner. */
static void names_of_cases(void **state)
{
  static const struct {
    double lyapunov;
    int followed, found;
    const char *name;
  } CASES[] = {{1, 1, 0, "Sub_F"}, {1, 1, 1, "Sub_F"},       {1, 1, 2, "Sub_F_F_F"}, {1, 1, 3, "Sub_F_F_F"},
               {1, 0, 3, "Sub_F"}, {-1, 1, 0, "Sup"},        {-1, 1, 1, "Sup_F_F"},  {-1, 1, 2, "Sup_F_F"},
               {-1, 0, 2, "Sup"},  {-1, 1, 4, "Sup_F_F_F_F"}};
  (void)state;
  bri_line *line = calloc(1, sizeof *line);
  assert_non_null(line);
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    char name[48], small[6];
    line->b[0].s.kind = BRI_LONE, line->b[0].s.saddle = -1;
    line->b[0].hopf.lyapunov = CASES[i].lyapunov;
    line->b[0].followed = CASES[i].followed, line->b[0].nfold = CASES[i].found;
    bri_case_name(line, 0, sizeof name, name);
    assert_string_equal(name, CASES[i].name);
    bri_case_name(line, 0, sizeof small, small); /* whole parts only */
    assert_true(strlen(small) == 3 || strlen(small) == 5);
  }
  free(line);
}

/* The cycle's largest velocity from guesses beside it: Newton's method finds it to rounding, whose size is
 * told.  Guesses from which it would leap beyond the cycle are refused, and so is a return whose slope has no
 * number. */
static void crest_of_a_cycle(void **state)
{
  const bri_plane p = {1, 5.704, 5, 8.45, 1.6, 1, 4, 2, 2, NULL};
  (void)state;
  bri_cycles *all = calloc(1, sizeof *all);
  assert_non_null(all);
  bri_cycles_of(&p, all);
  assert_int_equal(all->n, 2);
  for (int i = 0; i < all->n; i++) {
    const bri_closed *c = &all->c[i];
    const double crest = all->u.velocity * c->r.v_max, parts[] = {0.9, 0.96, 1, 1.02, 1.08};
    for (int k = 0; k < 5; k++) {
      bri_return r = {0};
      double error = NAN;
      assert_int_equal(bri_crest_place(&p, parts[k] * crest, c->dir, &error, &r), 1);
      assert_true(error > 0 && error < 1e-11 && fabs(r.v_max / crest - 1) < fmax(1e-14, 4 * error));
      assert_true(r.slope > 0 && r.slope < 1 && fabs(r.slope - exp(r.I)) < 1e-6 * r.slope);
    }
  }
  for (double v = 0.29; v < 0.78; v += 0.0025) { /* within the smaller cycle: around the equilibrium */
    bri_return r = {0};
    double error = NAN;
    if (bri_crest_place(&p, v, all->c[0].dir, &error, &r)) fail_msg("%g: %g, error %g", v, r.v_max, error);
  }
  free(all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(folds_of_the_curve),    cmocka_unit_test(eigenvalues_far_apart),
      cmocka_unit_test(error_of_a_hopf_point), cmocka_unit_test(orbits_that_are_lost),
      cmocka_unit_test(crest_of_a_cycle),      cmocka_unit_test(names_of_cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
