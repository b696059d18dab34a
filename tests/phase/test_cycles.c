/* SPDX-License-Identifier: Apache-2.0
 * test_cycles.c - cycles, folds and homoclinic orbits of random blocks, against plain integration. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "kit.h"
#include "support/near.h"
#include "support/rng.h"

/* Document 2's friction with random delta, force, damping, stiffness and mass. */
static void random_block(kit *k, rng *r, bri_plane *p)
{
  br_err err;
  kit_figure5(k);
  const double d = rng_unit(r);
  kit_set(k, "delta", d < 0.3 ? 1 : d < 0.7 ? 2 : rng_range(r, 0.7, 2.5));
  kit_set(k, "sigma2", rng_range(r, 0.6, 2.2));
  kit_set(k, "F", rng_range(r, 3, 7.5));
  kit_set(k, "sigma0", rng_range(r, 3, 8));
  kit_set(k, "m", rng_range(r, 0.6, 1.6));
  kit_ready(k);
  assert_int_equal(bri_plane_of(k->model, k->par, k->m, k->F, p, &err), BR_OK);
}

/* Run a while; then the extremes of v over some more steps.  0: came to rest or left v > 0. */
static int long_run(const bri_plane *p, bri_point y, double *v_min, double *v_max)
{
  bri_series s;
  *v_min = INFINITY, *v_max = -INFINITY;
  for (int step = 0; step < 1400; step++) {
    bri_series_orbit(p, y, &s);
    const double h = 0.5 * bri_series_reach(p, &s, 1);
    y = (bri_point){bri_series_at(s.z, h), bri_series_at(s.v, h)};
    if (!(y.v > 1e-5)) return 0;
    if (step < 900) continue;
    for (int i = 0; i < 8; i++) {
      const double v = bri_series_at(s.v, h * i / 8);
      *v_min = fmin(*v_min, v);
      *v_max = fmax(*v_max, v);
    }
  }
  return 1;
}

/* Every oscillation that plain integration settles on is in the list, and every stable cycle in the list
 * stays. */
static void attractors(void **state)
{
  rng r = {31};
  int oscillating = 0, listed = 0;
  for (int i = 0; i < 120; i++) {
    kit k;
    bri_plane p;
    bri_line l;
    br_phase *ph;
    br_err err;
    br_phase_cycle y[BR_PHASE_MOST_CYCLES];
    size_t n;
    random_block(&k, &r, &p);
    bri_line_of(&p, 0, BRI_COARSE, &l);
    double top = 0;
    for (int j = 0; j < l.e.n; j++) top = fmax(top, isnan(l.hopf[j].sigma1) ? 0 : l.hopf[j].sigma1);
    if (top == 0 || top > 25) continue;
    p.s1 = top * rng_range(&r, 0.9, 1.2);
    kit_set(&k, "sigma1", p.s1);
    kit_ready(&k);
    const br_phase_problem problem = kit_problem(&k);
    assert_int_equal(br_phase_create(&problem, "sigma1", 0.01, 2 * top, &ph, &err), BR_OK);
    assert_int_equal(br_phase_cycles(ph, p.s1, BR_PHASE_MOST_CYCLES, y, &n, &err), BR_OK);
    for (size_t c = 0; c < n; c++) {
      double lo, hi;
      if (!y[c].stable || y[c].multiplier > 0.9) continue;
      assert_true(long_run(&p, (bri_point){y[c].z_start, y[c].v_start}, &lo, &hi));
      assert_true(hi <= y[c].v_max + 1e-9 && hi > y[c].v_max - 0.02 * (y[c].v_max - y[c].v_min));
      assert_true(lo >= y[c].v_min - 1e-9);
      listed++;
    }
    for (int s = 0; s < 4; s++) {
      const int e = s % l.e.n;
      const bri_point from = {l.e.y[e].z, l.e.y[e].v * (s < l.e.n ? 1.02 : rng_range(&r, 0.3, 3))};
      double lo, hi;
      if (!long_run(&p, from, &lo, &hi) || hi - lo < 0.02 * hi) continue;
      int slow = 0; /* close to a Hopf point nothing settles within the run */
      for (int j = 0; j < l.e.n; j++) slow = slow || fabs(bri_linear_at(&p, l.e.y[j].v).a1) < 0.05;
      for (size_t c = 0; c < n; c++) slow = slow || (y[c].multiplier > 0.6 && y[c].multiplier < 1.6);
      if (slow) continue;
      double miss = INFINITY;
      for (size_t c = 0; c < n; c++) {
        if (y[c].stable) miss = fmin(miss, fabs(hi - y[c].v_max) / (y[c].v_max - y[c].v_min));
      }
      if (!(miss < 0.03)) {
        fail_msg("delta %.17g F %.17g sigma2 %.17g sigma0 %.17g m %.17g sigma1 %.17g: oscillation %g..%g not "
                 "listed (%zu cycles)",
                 p.delta, p.F, p.s2, p.s0, p.m, p.s1, lo, hi, n);
      }
      oscillating++;
    }
    br_phase_destroy(ph);
  }
  assert_true(oscillating > 40);
  assert_true(listed > 8);
}

/* Both halves of a cycle are one orbit of the model's own equations: classical Runge-Kutta once round comes
 * back. */
static void closes_by_the_model(void **state)
{
  kit k;
  br_phase *ph;
  br_err err;
  br_phase_cycle y[BR_PHASE_MOST_CYCLES];
  size_t n;
  kit_figure5(&k);
  kit_set(&k, "sigma1", 5.05);
  kit_ready(&k);
  const br_phase_problem problem = kit_problem(&k);
  assert_int_equal(br_phase_create(&problem, "sigma1", 0.1, 12, &ph, &err), BR_OK);
  assert_int_equal(br_phase_cycles(ph, 5.05, BR_PHASE_MOST_CYCLES, y, &n, &err), BR_OK);
  assert_int_equal(n, 1);
  const int steps = 20000;
  const double h = y[0].period / steps;
  double z = y[0].z_start, v = y[0].v_start, hi = v;
  for (int i = 0; i < steps; i++) {
    double a[2], b[2], c[2], d[2];
    kit_rhs(&k, z, v, a);
    kit_rhs(&k, z + h / 2 * a[0], v + h / 2 * a[1], b);
    kit_rhs(&k, z + h / 2 * b[0], v + h / 2 * b[1], c);
    kit_rhs(&k, z + h * c[0], v + h * c[1], d);
    z += h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0]);
    v += h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1]);
    hi = fmax(hi, v);
  }
  near(z, y[0].z_start, 1e-11);
  near(v, y[0].v_start, 1e-11);
  near(hi, y[0].v_max, 1e-6);
  br_phase_destroy(ph);
}

/* The slope of the branch changes sign at a fold and has the sign of stability elsewhere: sigma1 grows with t
 * where cycles are stable on LONE branches.  A check of I against finite differences of sigma1(t). */
static void folds_are_extremes(void **state)
{
  rng r = {33};
  int folds = 0;
  for (int i = 0; i < 60 && folds < 8; i++) {
    kit k;
    bri_plane p;
    bri_line l;
    random_block(&k, &r, &p);
    bri_line_of(&p, 0, BRI_FINE, &l);
    for (int b = 0; b < l.n; b++) {
      for (int f = 0; f < l.b[b].nfold; f++) {
        const bri_fold *fold = &l.b[b].fold[f];
        bri_closure c;
        bri_mode mode = BRI_HALVES;
        if (!(fold->t > 1e-3) || fold->sigma1 > 25) continue;
        const double s1 = bri_branch_sigma1(&l.b[b].s, 0.98 * fold->t, fold->sigma1, 1e3, &mode, &c),
                     s2 = bri_branch_sigma1(&l.b[b].s, fmin(1.02, 0.5 + 0.5 / fold->t) * fold->t,
                                            fold->sigma1, 1e3, &mode, &c);
        /* a minimum or maximum between two neighbours */
        assert_true((s1 - fold->sigma1) * (s2 - fold->sigma1) > -1e-20);
        folds++;
      }
    }
  }
  assert_true(folds >= 8);
}

/* Near a homoclinic orbit the period grows like -log(distance)/eigenvalue: its value is a limit of cycles. */
static void homoclinic_is_limit(void **state)
{
  rng r = {34};
  int loops = 0;
  for (int i = 0; i < 250 && loops < 25; i++) {
    kit k;
    bri_plane p;
    bri_line l;
    random_block(&k, &r, &p);
    bri_line_of(&p, 0, BRI_COARSE, &l);
    for (int b = 0; b < l.n; b++) {
      const bri_branch *y = &l.b[b];
      bri_closure c1, c2;
      bri_mode mode = BRI_HALVES;
      if (!isfinite(y->homoclinic) || y->homoclinic > 25 || y->n == 0) continue;
      const double scale = y->s.kind == BRI_UPPER || y->s.kind == BRI_LOWER ? 1 : y->s.base.v;
      const double a = bri_branch_sigma1(&y->s, 1e-4 * scale, y->homoclinic, 1e3, &mode, &c1),
                   b2 = bri_branch_sigma1(&y->s, 1e-5 * scale, y->homoclinic, 1e3, &mode, &c2);
      near(b2, y->homoclinic, 1e-4);
      assert_true(fabs(b2 - y->homoclinic) <= fabs(a - y->homoclinic) + 1e-12);
      p.s1 = y->homoclinic;
      const bri_linear lin = bri_linear_at(&p, y->s.base.v);
      near(c2.period - c1.period, log(10) * (1 / lin.re[1] - 1 / lin.re[0]), 0.02 * c2.period);
      loops++;
    }
  }
  if (loops < 8) fail_msg("only %d loops", loops);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(attractors),
      cmocka_unit_test(closes_by_the_model),
      cmocka_unit_test(folds_are_extremes),
      cmocka_unit_test(homoclinic_is_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
