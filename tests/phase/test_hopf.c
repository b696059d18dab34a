/* SPDX-License-Identifier: Apache-2.0
 * test_hopf.c - equilibria, Hopf points and the Lyapunov coefficient, each a second way. */
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

/* A block with a Hopf point at a velocity of our choice: F and sigma1 follow. */
static int random_hopf(kit *k, rng *r, bri_plane *p, double *v, bri_hopf *h)
{
  br_err err;
  kit_init(k);
  const double Fc = exp(rng_range(r, -0.5, 0.5)), vs = exp(rng_range(r, -0.5, 1));
  const double d = rng_unit(r);
  kit_set(k, "Fc", Fc);
  kit_set(k, "Fs", Fc * rng_range(r, 1.5, 6));
  kit_set(k, "vs", vs);
  kit_set(k, "delta", d < 0.3 ? 1 : d < 0.6 ? 2 : rng_range(r, 0.6, 3));
  kit_set(k, "sigma0", exp(rng_range(r, 0, 3)));
  kit_set(k, "sigma2", exp(rng_range(r, -2, 1)));
  kit_set(k, "m", exp(rng_range(r, -1, 1)));
  kit_ready(k);
  *v = vs * exp(rng_range(r, -1, 0.7));
  double z = 0, u = 0, one = 1, dz, dz1, F, zero = 0;
  /* steady state by the model: rate is linear in z */
  k->model->rate(k->par, 1, &u, v, &z, &dz);
  k->model->rate(k->par, 1, &u, v, &one, &dz1);
  z = dz / (dz - dz1);
  k->model->force(k->par, 1, &u, v, &z, &zero, &F);
  k->F = F;
  assert_int_equal(bri_plane_of(k->model, k->par, k->m, k->F, p, &err), BR_OK);
  *h = bri_hopf_at(p, *v);
  if (isnan(h->sigma1) || h->sigma1 > 200) return 0;
  p->s1 = h->sigma1;
  kit_set(k, "sigma1", h->sigma1);
  kit_ready(k);
  return 1;
}

/* At the Hopf point the complex-step Jacobian has eigenvalues +- i omega, and the multilinear form agrees. */
static void closed_form(void **state)
{
  rng r = {21};
  int done = 0;
  for (int i = 0; i < 3000 && done < 400; i++) {
    kit k;
    bri_plane p;
    bri_hopf h;
    double v, J[4];
    if (!random_hopf(&k, &r, &p, &v, &h)) continue;
    double g[4], ratio[4];
    bri_level_series(&p, v, g, ratio);
    const double x[2] = {g[0] / p.s0, v}, step[2] = {0.01 * x[0], 0.01 * fmin(v, p.vs)};
    kit_jacobian(&k, x, J);
    near(J[0] + J[3], 0, 1e-12 * (fabs(J[0]) + fabs(J[3]) + 1));
    near(J[0] * J[3] - J[1] * J[2], h.omega * h.omega, 1e-11 * (fabs(J[0] * J[3]) + fabs(J[1] * J[2])));
    const double other = bri_lyapunov(2, kit_jacobian, &k, x, h.omega, 1, step);
    near(other, h.lyapunov, 2e-6 * (fabs(h.lyapunov) + h.omega / (v * v)));
    done++;
  }
  assert_int_equal(done, 400);
}

/* Amplitude law: near the Hopf point r^2 = -alpha'(sigma1 - sigma1_Hopf)/lyapunov on the branch of cycles. */
static void amplitude_law(void **state)
{
  rng r = {22};
  int done = 0;
  for (int i = 0; i < 400 && done < 25; i++) {
    kit k;
    bri_plane p;
    bri_hopf h;
    bri_sliding e;
    double v;
    if (!random_hopf(&k, &r, &p, &v, &h) || h.sigma1 > 40) continue;
    bri_sliding_of(&p, &e);
    int at = 0;
    while (at < e.n && fabs(e.y[at].v - v) > 1e-9 * v) at++;
    assert_in_range(at, 0, e.n - 1);
    const bri_kind kind = e.n == 1 ? BRI_LONE : at == e.n - 1 ? BRI_UPPER : BRI_LOWER;
    bri_section s;
    assert_true(bri_section_of(&p, &e, kind, &s));
    const double scale = kind == BRI_LONE ? fmin(v, p.vs) : 1;
    double ratio[2];
    int found = 1;
    for (int j = 0; j < 2 && found; j++) {
      const double small = (j ? 0.003 : 0.006) * scale, t = kind == BRI_LONE ? small : 1 - small;
      bri_closure c;
      bri_mode mode = BRI_HALVES;
      const bri_watch watch = {NULL, NULL};
      const double s1 = bri_branch_sigma1(&s, t, h.sigma1, 1e3, &mode, &c);
      if (!isfinite(s1)) found = 0;
      if (!found) break;
      bri_closure_at(&s, t, s1, mode, &watch, &c);
      const double amp = 0.5 * (c.v_max - c.v_min);
      bri_plane q = p;
      q.s1 = h.sigma1 + 1e-4;
      const double alpha1 = -0.5 * bri_linear_at(&q, v).a1 / 1e-4; /* a1 is linear in sigma1 */
      ratio[j] = -(s1 - h.sigma1) * alpha1 / (amp * amp * h.lyapunov) - 1;
    }
    if (!found || fabs(h.lyapunov) < 0.01 * h.omega / (v * v)) continue;
    /* the deviation falls with the square of the amplitude */
    assert_true(fabs(ratio[0]) < 0.2);
    assert_true(fabs(ratio[1]) < 0.35 * fabs(ratio[0]) + 1e-4);
    done++;
  }
  assert_int_equal(done, 25);
}

/* Every equilibrium found is one of the model, and a fine scan of the steady curve finds no other. */
static void all_equilibria(void **state)
{
  rng r = {23};
  int seen[4] = {0};
  for (int i = 0; i < 1500; i++) {
    kit k;
    bri_plane p;
    bri_sliding e;
    br_err err;
    kit_figure5(&k);
    const double d = rng_unit(&r);
    kit_set(&k, "delta", d < 0.3 ? 1 : d < 0.6 ? 2 : rng_range(&r, 0.5, 3));
    kit_set(&k, "sigma2", rng_unit(&r) < 0.1 ? 0 : rng_range(&r, 0, 2.5));
    kit_set(&k, "F", rng_range(&r, -1, 8));
    kit_ready(&k);
    assert_int_equal(bri_plane_of(k.model, k.par, k.m, k.F, &p, &err), BR_OK);
    bri_sliding_of(&p, &e);
    int count = 0;
    double before = p.Fc + p.dF - p.F;
    for (int j = 1; j < 4000; j++) {
      double g[4], ratio[4];
      const double v = 12.0 * j / 4000;
      bri_level_series(&p, v, g, ratio);
      const double now = g[0] + p.s2 * v - p.F;
      count += (now > 0) != (before > 0);
      before = now;
    }
    int below = 0;
    for (int j = 0; j < e.n; j++) {
      double f[2];
      kit_rhs(&k, e.y[j].z, e.y[j].v, f);
      near(f[0], 0, 1e-13 * (1 + e.y[j].v));
      near(f[1], 0, 1e-12);
      below += e.y[j].v < 12;
    }
    if (k.F > 0) assert_int_equal(below, count);
    else assert_int_equal(e.n, 0);
    seen[e.n]++;
  }
  for (int n = 0; n < 4; n++) assert_true(seen[n] > 5);
}

/* The coefficient of stiff blocks is a small difference of large terms.  The values are from 80 digits, by
 * the general multilinear form: the stated error covers, signs beyond it are right, and noise makes no event.
 * */
static void rounding(void **state)
{
  static const struct {
    double delta, v, lyapunov;
  } CASES[] = {
      {1, 0.0002, -3125056262425.5633}, {1, 0.0003, -1388927790023.0353}, {1, 0.001, -125012261989.56162},
      {1, 0.01, -1251259411.2935462},   {1, 0.1, -12637099.764388711},    {1, 1, -151599.3570463279},
      {1, 1.1, -128941.68973188028},    {1, 3.8, -23809.059984043256},    {1, 3.9, -22920.387032005123},
      {1, 7.6, -82.264644106606308},    {1, 7.7, 293.00759809192454},     {2, 0.0002, 23124.999330374997},
      {2, 0.0003, 21666.665192666653},  {2, 0.001, 19624.984145373429},   {2, 0.01, 18835.935173773983},
      {2, 0.1, 18602.323744084258},     {2, 1, 1643.9705217386876},       {2, 1.1, -2302.2847967750628},
      {2, 3.8, -10812.965203818029},    {2, 3.9, 8342.246855406036},      {2, 7.6, 746269.24176662378},
      {2, 7.7, 770179.53307296056},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    bri_plane p = {1, 1, 5, 1, 1e6, 1, 4, 2, CASES[i].delta, NULL};
    const bri_hopf h = bri_hopf_at(&p, CASES[i].v);
    assert_true(fabs(h.lyapunov - CASES[i].lyapunov) <= h.lyapunov_error);
    assert_true(h.lyapunov_error <= 1e-5 * fabs(h.lyapunov) || CASES[i].v < 0.05);
    if (bri_hopf_signed(&h)) assert_true((h.lyapunov > 0) == (CASES[i].lyapunov > 0));
  }
  for (int delta = 1; delta <= 2; delta++) {
    static const double AT[2][2] = {{7.62165971827146161, NAN}, {1.04317752962786287, 3.85686412222837781}};
    kit k;
    br_phase_event e[8];
    br_err err;
    size_t n;
    kit_figure5(&k);
    kit_set(&k, "delta", delta);
    kit_set(&k, "sigma2", 1e6);
    kit_ready(&k);
    const br_phase_problem p = kit_problem(&k);
    assert_int_equal(br_phase_generalized_hopf(&p, 1, 1e8, 8, e, &n, &err), BR_OK);
    assert_int_equal(n, delta);
    for (size_t i = 0; i < n; i++) near(e[i].v, AT[delta - 1][i], e[i].error / 1e6 + 1e-15 * e[i].v);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closed_form),
      cmocka_unit_test(amplitude_law),
      cmocka_unit_test(all_equilibria),
      cmocka_unit_test(rounding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
