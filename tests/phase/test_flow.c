/* SPDX-License-Identifier: Apache-2.0
 * test_flow.c - the power series say what the model says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "kit.h"
#include "phase/lyapunov.h"
#include "support/near.h"
#include "support/rng.h"

static void random_block(kit *k, rng *r, bri_plane *p)
{
  static const char *const NAMES[] = {"sigma0", "sigma1", "sigma2", "Fc", "vs", "m", "F"};
  br_err err;
  kit_init(k);
  for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) kit_set(k, NAMES[i], exp(rng_range(r, -1, 2)));
  kit_set(k, "Fs", k->par[br_model_param(k->model, "Fc")->slot] * rng_range(r, 1.1, 6));
  const double d = rng_unit(r);
  kit_set(k, "delta", d < 0.3 ? 1 : d < 0.6 ? 2 : rng_range(r, 0.5, 3));
  kit_ready(k);
  assert_int_equal(k->model->check(k->par, &err), BR_OK);
  assert_int_equal(bri_plane_of(k->model, k->par, k->m, k->F, p, &err), BR_OK);
}

/* Rates and divergence to rounding. */
static void same_equations(void **state)
{
  rng r = {11};
  for (int i = 0; i < 2000; i++) {
    kit k;
    bri_plane p;
    double f[2], J[4];
    random_block(&k, &r, &p);
    const bri_point y = {rng_range(&r, 0.01, 2), exp(rng_range(&r, -4, 2))};
    const double x[2] = {y.z, y.v};
    kit_rhs(&k, y.z, y.v, f);
    kit_jacobian(&k, x, J);
    const bri_point g = bri_flow(&p, y);
    const double size = fabs(k.F) + p.s0 * y.z * (1 + (p.s1 + p.m) * y.v / p.Fc) + (p.s1 + p.s2) * y.v;
    near(g.z, f[0], 1e-14 * (y.v + p.s0 * y.z * y.v / p.Fc));
    near(g.v, f[1], 1e-14 * size / p.m);
    near(bri_divergence(&p, y), J[0] + J[3], 1e-13 * (fabs(J[0]) + fabs(J[3]) + size / (p.m * y.v)));
  }
}

/* The coefficients satisfy the differential equation at a later time: series of order 24 against the model.
 * */
static void series_solves(void **state)
{
  rng r = {12};
  for (int i = 0; i < 300; i++) {
    kit k;
    bri_plane p;
    bri_series s, t;
    double f[2];
    random_block(&k, &r, &p);
    const bri_point y = {rng_range(&r, 0.05, 1), exp(rng_range(&r, -2, 1.5))};
    bri_series_of(&p, y, 0.3, &s);
    const double h = bri_series_reach(&p, &s, 1);
    const bri_point e = {bri_series_at(s.z, h), bri_series_at(s.v, h)};
    if (!(e.v > 0)) continue;
    kit_rhs(&k, e.z, e.v, f);
    const double sz = fabs(s.z[1]) + fabs(f[0]) + fabs(e.z) / h, sv = fabs(s.v[1]) + fabs(f[1]) + e.v / h;
    near(bri_series_rate(s.z, h), f[0], 1e-12 * sz);
    near(bri_series_rate(s.v, h), f[1], 1e-12 * sv);
    /* and back again */
    bri_series_orbit(&p, e, &t);
    const double back = bri_series_reach(&p, &t, -1);
    if (back < h) continue;
    near(bri_series_at(t.z, -h), y.z, 1e-13 * (y.z + e.z));
    near(bri_series_at(t.v, -h), y.v, 1e-13 * (y.v + e.v));
  }
}

/* M is the wedge of the flow with the shift of the end point per unit sigma1; I is the integral of the
 * divergence. */
static void shift_by_sigma1(void **state)
{
  kit k;
  bri_plane p;
  br_err err;
  bri_series s, a, b;
  const double d = 1e-5;
  kit_figure5(&k);
  assert_int_equal(bri_plane_of(k.model, k.par, k.m, k.F, &p, &err), BR_OK);
  const bri_point y = {0.5, 1.7};
  bri_series_of(&p, y, 0, &s);
  const double h = 0.7 * bri_series_reach(&p, &s, 1);
  p.s1 += d;
  bri_series_of(&p, y, 0, &b);
  p.s1 -= 2 * d;
  bri_series_of(&p, y, 0, &a);
  const double dz = (bri_series_at(b.z, h) - bri_series_at(a.z, h)) / (2 * d),
               dv = (bri_series_at(b.v, h) - bri_series_at(a.v, h)) / (2 * d);
  near(bri_series_at(s.M, h), bri_series_rate(s.z, h) * dv - bri_series_rate(s.v, h) * dz, 1e-9);
}

/* A saddle manifold is invariant: the flow at x is lambda x times its tangent. */
static void manifold_invariant(void **state)
{
  kit k;
  bri_plane p;
  bri_sliding e;
  br_err err;
  kit_figure5(&k);
  assert_int_equal(bri_plane_of(k.model, k.par, k.m, k.F, &p, &err), BR_OK);
  bri_sliding_of(&p, &e);
  assert_int_equal(e.n, 3);
  const bri_linear l = bri_linear_at(&p, e.y[1].v);
  for (int i = 0; i < 2; i++) {
    double az[BRI_ORDER + 1], av[BRI_ORDER + 1], f[2];
    const bri_point ev = bri_eigenvector(&p, e.y[1].v, l.re[i]);
    bri_manifold_series(&p, e.y[1], l.re[i], ev.z, ev.v, az, av);
    for (double x = -0.06; x < 0.07; x += 0.03) { /* of the larger of z and v */
      kit_rhs(&k, bri_series_at(az, x), bri_series_at(av, x), f);
      near(f[0], l.re[i] * x * bri_series_rate(az, x), 1e-13);
      near(f[1], l.re[i] * x * bri_series_rate(av, x), 1e-13);
    }
  }
}

/* What is not covered is refused by name. */
static void refused(void **state)
{
  kit k;
  bri_plane p;
  br_err err;
  kit_figure5(&k);
  assert_int_equal(bri_plane_of(br_model_find("dahl"), k.par, 1, 1, &p, &err), BR_E_UNSUPPORTED);
  assert_non_null(strstr(err.msg, "dahl"));
  assert_int_equal(bri_plane_of(NULL, k.par, 1, 1, &p, &err), BR_E_ARG);
  assert_int_equal(bri_plane_of(k.model, k.par, 0, 1, &p, &err), BR_E_RANGE);
  assert_int_equal(bri_plane_of(k.model, k.par, 1, NAN, &p, &err), BR_E_NAN);
  kit_set(&k, "vd", 0.1);
  assert_int_equal(bri_plane_of(k.model, k.par, 1, 1, &p, &err), BR_E_UNSUPPORTED);
  kit_set(&k, "vd", 0);
  kit_set(&k, "f_exp", 1.5);
  assert_int_equal(bri_plane_of(k.model, k.par, 1, 1, &p, &err), BR_E_UNSUPPORTED);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_equations),  cmocka_unit_test(series_solves),
      cmocka_unit_test(shift_by_sigma1), cmocka_unit_test(manifold_invariant),
      cmocka_unit_test(refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
