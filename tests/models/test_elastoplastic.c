/* SPDX-License-Identifier: Apache-2.0
 * test_elastoplastic.c - lugre_elastoplastic: zones, exact step, no drift. */
#include "kit.h"

static kit open_set(double z_ba_share, double n)
{
  kit k = kit_open("lugre_elastoplastic");
  kit_put(&k, "sigma0", 1.3e4);
  kit_put(&k, "sigma1", 87);
  kit_put(&k, "sigma2", 0.77);
  kit_put(&k, "Fc", 2.385);
  kit_put(&k, "Fs", 3.71);
  kit_put(&k, "vs", 0.013);
  kit_set(&k, "z_ba", z_ba_share * 2.385 / 1.3e4);
  k.n = n;
  return k;
}

static double level(const kit *k, double v)
{
  const double w = v / kit_get(k, "vs"), Fc = kit_get(k, "Fc");
  return k->n * (Fc + (kit_get(k, "Fs") - Fc) * exp(-w * w));
}

/* The model as published: alpha with the sine of the mid-zone argument, straight from libm. */
static long double published_rate(const kit *k, long double v, long double z)
{
  const long double pi = acosl(-1.0L), zm = (long double)level(k, (double)v) / kit_get(k, "sigma0");
  const long double zb = k->n * kit_get(k, "z_ba"), a = fabsl(z);
  long double alpha = 0;
  if (z * v > 0 && a >= zm) alpha = 1;
  else if (z * v > 0 && a > zb) alpha = (1 + sinl(pi * (a - (zm + zb) / 2) / (zm - zb))) / 2;
  return v * (1 - alpha * (v > 0 ? 1 : -1) * z / zm);
}

static void rate_is_the_published_one(void **state)
{
  kit k = open_set(0.7, 1.4);
  uint64_t seed = 5;
  (void)state;
  for (int i = 0; i < 20000; i++) {
    const double v = kit_random(&seed, -0.05, 0.05), zs = 1.4 * 3.71 / 1.3e4;
    double dz;
    k.z[0] = kit_random(&seed, -1.3 * zs, 1.3 * zs);
    k.m->rate(k.par, k.n, &k.u, &v, k.z, &dz);
    assert_near(dz, (double)published_rate(&k, v, k.z[0]), 1e-14 * fabs(v));
  }
}

static void elastic_below_break_away(void **state)
{
  kit k = open_set(0.7, 1.4);
  const double zb = k.n * kit_get(&k, "z_ba");
  uint64_t seed = 9;
  (void)state;
  for (int i = 0; i < 5000; i++) { /* state = displacement to rounding, whatever the speed */
    const double target = kit_random(&seed, -zb, zb), h = exp(kit_random(&seed, -9, 1));
    kit_step(&k, (target - k.z[0]) / h, h);
    assert_near(k.z[0], target, 4e-16 * zb);
  }
}

static void steady_state_is_the_stribeck_curve(void **state)
{
  (void)state;
  for (double share = 0.05; share < 1; share += 0.13)
    for (double v = 1e-4; v < 1; v *= 2.7) {
      kit k = open_set(share, 1.4);
      const double F = level(&k, v) + 0.77 * v;
      assert_near(kit_step(&k, v, 200 * 3.71 / 1.3e4 / v / (1 - share)), F, 3e-13 * F);
      assert_near(kit_step(&k, -v, 200 * 3.71 / 1.3e4 / v / (1 - share)), -F, 3e-13 * F);
    }
}

static void presliding_stiffness(void **state)
{
  kit k = open_set(0.7, 1);
  const double du = 1e-8;
  (void)state;
  kit_step(&k, 1e-9, du / 1e-9);
  assert_near(kit_force(&k, 0) / du, 1.3e4, 1e-9);
}

/* Runge-Kutta of the published rate in long double; the transition is smooth, the zone borders are C1. */
static double integrate(const kit *k, double v, double h, int n)
{
  long double z = k->z[0];
  const long double dt = (long double)h / n;
  for (int i = 0; i < n; i++) {
    const long double k1 = published_rate(k, v, z), k2 = published_rate(k, v, z + dt / 2 * k1);
    const long double k3 = published_rate(k, v, z + dt / 2 * k2), k4 = published_rate(k, v, z + dt * k3);
    z += dt / 6 * (k1 + 2 * (k2 + k3) + k4);
  }
  return (double)z;
}

/* From every zone, through every border, for wide and very narrow transitions; the narrow ones are entered
 * from just below and followed over a few of their widths, so that the integrator resolves them. */
static void step_is_exact(void **state)
{
  const double shares[] = {0.02, 0.3, 0.7, 0.9, 0.99, 0.9999, 0.999998};
  uint64_t seed = 21;
  (void)state;
  for (size_t s = 0; s < sizeof shares / sizeof shares[0]; s++) {
    double worst = 0;
    for (int i = 0; i < 60; i++) {
      kit k = open_set(shares[s], 1.4);
      const int narrow = shares[s] > 0.95;
      const double v = narrow ? -0.2 : kit_random(&seed, -0.05, 0.05), zm = level(&k, v) / 1.3e4;
      const double zb = 1.4 * kit_get(&k, "z_ba"), scale = narrow ? zm - zb : zm;
      const double path = scale * exp(kit_random(&seed, -5, 2));
      k.z[0] = narrow ? -zb + kit_random(&seed, -0.5, 0.5) * scale
                      : kit_random(&seed, -1.1, 1.1) * 1.4 * 3.71 / 1.3e4;
      const double h = path / fabs(v), z = integrate(&k, v, h, 4000);
      kit_step(&k, v, h);
      worst = fmax(worst, fabs(k.z[0] - z) / scale);
    }
    print_message("z_ba = %g Fc/sigma0: step against integration, worst %.2g of the %s\n", shares[s], worst,
                  shares[s] > 0.95 ? "transition's width" : "settled deflection");
    assert_true(worst < 1e-9); /* what the integrator loses at the zone border, where the rate is only C1 */
  }
}

/* Two halves equal the whole: the step's own accuracy, free of the integrator's. */
static void step_composes(void **state)
{
  const double shares[] = {0.02, 0.3, 0.7, 0.9, 0.99, 0.9999, 0.999999};
  uint64_t seed = 23;
  (void)state;
  for (size_t s = 0; s < sizeof shares / sizeof shares[0]; s++) {
    double worst = 0;
    for (int i = 0; i < 20000; i++) {
      kit one = open_set(shares[s], 1.4), two;
      const double v = kit_random(&seed, -0.05, 0.05), zm = level(&one, v) / 1.3e4;
      const double h = zm * exp(kit_random(&seed, -6, 4)) / fabs(v), part = kit_random(&seed, 0.01, 0.99);
      one.z[0] = kit_random(&seed, -1.1, 1.1) * 1.4 * 3.71 / 1.3e4;
      two = one;
      kit_step(&one, v, h);
      kit_step(&two, v, h * part);
      kit_step(&two, v, h * (1 - part));
      worst = fmax(worst, fabs(one.z[0] - two.z[0]) / zm);
    }
    print_message("z_ba = %g Fc/sigma0: halves against whole, worst %.2g of the settled deflection\n",
                  shares[s], worst);
    assert_true(worst < 3e-13);
  }
}

/* Move slowly until the bristle force is `force`; returns the displacement.  Load control by bisection. */
static double load_to(kit *k, double force)
{
  const double v = kit_force(k, 0) < force ? 1e-9 : -1e-9;
  double lo = 0, hi = 1e-3 / 1e-9;
  for (int i = 0; i < 200 && hi - lo > 1e-12 * hi; i++) {
    kit trial = *k;
    const double mid = (lo + hi) / 2;
    kit_step(&trial, v, mid);
    if ((kit_force(&trial, 0) < force) == (v > 0)) lo = mid;
    else hi = mid;
  }
  kit_step(k, v, (lo + hi) / 2);
  return v * (lo + hi) / 2;
}

/* A small oscillating load about a bias below break-away: LuGre creeps every cycle, this model does not. */
static void no_drift_under_small_oscillating_load(void **state)
{
  kit ep = open_set(0.7, 1), lu = kit_open("lugre");
  const char *same[] = {"sigma0", "sigma1", "sigma2", "Fc", "Fs", "vs", "delta"};
  double drift_ep = 0, drift_lu = 0;
  (void)state;
  for (size_t i = 0; i < 7; i++) kit_put(&lu, same[i], kit_get(&ep, same[i]));
  kit_ready(&lu);
  load_to(&ep, 1.5), load_to(&lu, 1.5); /* bias; break-away is at 0.7 Fc = 1.67 N */
  for (int i = 0; i < 100; i++) {
    drift_ep += load_to(&ep, 0.9) + load_to(&ep, 1.5);
    drift_lu += load_to(&lu, 0.9) + load_to(&lu, 1.5);
  }
  print_message("100 load cycles: elastoplastic %.3g m, LuGre %.3g m, bristle deflection %.3g m\n", drift_ep,
                drift_lu, ep.z[0]);
  assert_true(fabs(drift_ep) < 1e-9 * ep.z[0]);
  assert_true(drift_lu > 5 * lu.z[0]);
  /* LuGre's creep per cycle in closed form: the two branches of du = dz / (1 -+ F/Fs) */
  const double Fs = 3.71, s0 = 1.3e4;
  const double creep =
      Fs / s0 * (log((1 - 0.9 / Fs) / (1 - 1.5 / Fs)) - log((1 + 1.5 / Fs) / (1 + 0.9 / Fs)));
  assert_near(drift_lu, 100 * creep, 1e-6 * drift_lu);
}

static void load_scales_the_levels(void **state)
{
  kit one = open_set(0.6, 1), two = open_set(0.6, 2.5);
  uint64_t seed = 31;
  (void)state;
  for (int i = 0; i < 1000; i++) { /* n times the path gives n times the deflection at the same speed */
    const double v = kit_random(&seed, -0.02, 0.02), h = 1e-4 / fabs(v);
    kit_step(&one, v, h);
    kit_step(&two, v, 2.5 * h);
    assert_near(two.z[0], 2.5 * one.z[0], 1e-15);
  }
}

static void rules(void **state)
{
  kit k = open_set(0.5, 1);
  (void)state;
  kit_put(&k, "z_ba", 2.385 / 1.3e4);
  kit_refused(&k, "z_ba < Fc / sigma0");
  kit_put(&k, "z_ba", 0);
  kit_refused(&k, "z_ba");
  assert_true(k.m->passive(k.par) == 0);
  kit_put(&k, "sigma1", 0);
  assert_true(k.m->passive(k.par) == 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rate_is_the_published_one),
      cmocka_unit_test(elastic_below_break_away),
      cmocka_unit_test(steady_state_is_the_stribeck_curve),
      cmocka_unit_test(presliding_stiffness),
      cmocka_unit_test(step_is_exact),
      cmocka_unit_test(step_composes),
      cmocka_unit_test(no_drift_under_small_oscillating_load),
      cmocka_unit_test(load_scales_the_levels),
      cmocka_unit_test(rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
