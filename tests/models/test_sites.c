/* SPDX-License-Identifier: Apache-2.0
 * test_sites.c - tomlinson and haessig_friedland, whose states jump from site to site: closed forms and
 * independent counts. */
#include "kit.h"

#define PI 3.14159265358979323846L

/* Root of t + eta sin t = w on [lo, hi], where the left side rises. */
static long double settle(long double eta, long double w, long double lo, long double hi)
{
  for (int i = 0; i < 120; i++) {
    const long double mid = (lo + hi) / 2;
    if (mid + eta * sinl(mid) < w) lo = mid;
    else hi = mid;
  }
  return (lo + hi) / 2;
}

static kit tip(double eta)
{
  kit k = kit_open("tomlinson");
  kit_put(&k, "a", 2), kit_put(&k, "k", 3);
  kit_set(&k, "V0", eta * 3 * 4 / (double)(4 * PI * PI));
  return k;
}

static const double ETAS[] = {1e-3, 0.3, 0.999, 1, 1.000001, 1.01, 1.3, 2, 4.6, 30, 1e4};

/* Force on the way up against bisection in long double, in the first well and after many jumps. */
static void test_force(void **state)
{
  (void)state;
  for (size_t e = 0; e < sizeof ETAS / sizeof *ETAS; e++) {
    kit k = tip(ETAS[e]);
    const long double eta = 4 * PI * PI * (long double)kit_get(&k, "V0") / 12;
    const long double tc = eta > 1 ? acosl(-1 / eta) : PI, wc = tc + eta * sinl(tc);
    double worst = 0;
    for (int i = 1; i <= 400; i++) {
      const double u = 0.0371 * i;
      k.u = 0;
      const double F = kit_step(&k, u, 1);
      const long double well = ceill((u - wc * 2 / (2 * PI)) / 2 - 1e-15L) * 2, w = (u - well) * PI;
      k.z[0] = 0, k.u = 0;
      if (well < 0 || (eta > 1 && fabsl(wc - fabsl(w)) < 1e-6))
        continue; /* at the fold itself rounding decides */
      const long double t = w < 0 ? -settle(eta, -w, 0, tc) : settle(eta, w, 0, tc);
      worst = fmax(worst, fabs((double)(F - (2 * PI * kit_get(&k, "V0") / 2) * sinl(t))) / (3 * ETAS[e]));
    }
    if (!(worst < 2e-12)) fail_msg("eta %g: force off by %.3g", ETAS[e], worst);
  }
}

/* Work of a period: nothing for eta <= 1, the closed form above. */
static void test_energy_of_a_period(void **state)
{
  (void)state;
  for (size_t e = 0; e < sizeof ETAS / sizeof *ETAS; e++) {
    kit k = tip(ETAS[e]);
    const long double eta = 4 * PI * PI * (long double)kit_get(&k, "V0") / 12;
    long double loss = 0;
    if (eta > 1) {
      const long double tc = acosl(-1 / eta), wc = tc + eta * sinl(tc);
      const long double tl = wc < 2 * PI ? -settle(eta, 2 * PI - wc, 0, tc) : settle(eta, wc - 2 * PI, 0, tc);
      const long double V0 = kit_get(&k, "V0");
      loss = V0 * (cosl(tl) - cosl(tc)) + V0 * eta / 2 * (sinl(tc) * sinl(tc) - sinl(tl) * sinl(tl));
    }
    /* midpoint rule over one period, long after the start; the jump costs at most a cell times its height */
    enum { CELLS = 20000 };
    const double h = 2.0 / CELLS, start = 64 + 2 * ceil(ETAS[e]),
                 top = 2 * (double)PI * kit_get(&k, "V0") / 2;
    double work = 0;
    (void)kit_step(&k, start, 1);
    for (int i = 0; i < CELLS; i++) work += kit_step(&k, (i ? 1 : 0.5) * h, 1) * h;
    if (!(fabs(work - (double)loss) < 2.5 * top * h + 1e-9 * top))
      fail_msg("eta %g: work of a period %.12g, closed form %.12Lg", ETAS[e], work, loss);
  }
}

/* Every bond by itself, from the definition: a list of sites, walked one by one. */
static void test_bristles_by_hand(void **state)
{
  (void)state;
  kit k = kit_open("haessig_friedland");
  const double ds = kit_get(&k, "ds"), gap = kit_get(&k, "spacing"), w = kit_get(&k, "scatter");
  uint64_t seed = 77;
  int at[64] = {0}, breaks = 0;
  enum { PROBES = 4000 };
  static double site[64][PROBES + 1];
  for (int j = 0; j <= PROBES; j++) { /* sites as a bond that comes by finds them: the first in reach */
    kit probe = kit_open("haessig_friedland");
    for (int i = 0; i < 20; i++) probe.z[i] = -1;
    probe.u = (j - PROBES / 2) * 0.1 * gap + ds, kit_step(&probe, 1, 0);
    for (int i = 0; i < 20; i++) site[i][j] = probe.z[i];
  }
  for (int i = 0; i < 20; i++) { /* distinct ones, in order */
    int n = 1;
    for (int j = 1; j <= PROBES; j++)
      if (site[i][j] > site[i][n - 1]) site[i][n++] = site[i][j];
    for (int j = 1; j < n; j++) assert_true(site[i][j] - site[i][j - 1] < gap * (1 + w) + 1e-15);
    at[i] = 0;
    while (site[i][at[i]] != 0) at[i]++;
  }
  for (int leg = 0; leg < 300; leg++) {
    const double to = kit_random(&seed, -150, 150) * gap * (leg % 3 ? 0.02 : 1);
    const double F = kit_step(&k, to > k.u ? 1 : -1, fabs(to - k.u));
    double sum = 0;
    for (int i = 0; i < 20; i++) {
      while (k.u - site[i][at[i]] > ds) at[i]++, breaks++;
      while (site[i][at[i]] - k.u > ds) at[i]--, breaks++;
      assert_true(k.z[i] == site[i][at[i]]);
      sum += k.u - site[i][at[i]];
    }
    assert_near(F, 5e3 * sum, 1e-12);
  }
  assert_true(breaks > 10000);
}

/* First peak and mean sliding force; what a period of the force-free pattern burns. */
static void test_bristles_levels(void **state)
{
  (void)state;
  kit k = kit_open("haessig_friedland");
  kit_set(&k, "N", 64);
  const double peak = kit_step(&k, 1, 2e-5 * (1 - 1e-9)), after = kit_step(&k, 1, 2e-5 * 1e-8);
  assert_near(peak, 64 * 5e3 * 2e-5, 1e-8);
  assert_true(after < 0.7 * peak);
  double mean = 0;
  enum { STEPS = 50000 };
  for (int i = 0; i < STEPS; i++) mean += kit_step(&k, 1, 0.2371 * 2e-5) / STEPS;
  /* 10000 sites of 64 bonds: a spread of 1e-3 in a mean */
  assert_near(mean, 64 * 5e3 * (2e-5 - 1e-5 * (1 + 0.64 / 6)), 5e-3);
  kit_set(&k, "scatter", 0);
  kit_set(&k, "spacing", 1e-5);
  kit s = kit_open("haessig_friedland");
  memcpy(s.par, k.par, sizeof s.par);
  assert_near(kit_step(&s, 1, 7.77e-5), 64 * 5e3 * 1.77e-5, 1e-9); /* sawtooth between 1e-5 and 2e-5 */
}

/* The places come again after 65536 of them, and are not even there; however far away, a bond holds where it
 * would near by. */
static void test_far_away(void **state)
{
  const br_model *m = br_model_find("haessig_friedland");
  static double par[1024];
  const double spacing = 0x1p-14, n = 1, h = 1;
  (void)state;
  m->defaults(par);
  par[br_model_param(m, "spacing")->slot] = spacing, par[br_model_param(m, "ds")->slot] = 1.5 * spacing;
  m->prepare(par);
  const size_t bonds = m->nstate(par);
  for (int times = -3; times <= 3; times++) {
    const double off = 65536 * spacing * times;
    double near[64] = {0}, far[64], u = 0;
    size_t uneven = 0;
    for (size_t i = 0; i < bonds; i++) far[i] = off;
    for (int k = 0; k < 60; k++) {
      const double v = spacing * (k < 40 ? 0.75 : -1.25), at = u + off;
      m->step(par, n, &u, &v, h, near), m->step(par, n, &at, &v, h, far);
      u += v;
      for (size_t i = 0; i < bonds; i++) {
        assert_true(fabs(far[i] - off - near[i]) <= 1e-12 * (1 + fabs(off)));
        uneven += fabs(far[i] / spacing - rint(far[i] / spacing)) > 0.01;
      }
    }
    assert_true(uneven > 20 * bonds);
  }
}

/* The force is the slope of the energy, also where a bond is asked about out of its reach. */
static void test_force_is_a_slope(void **state)
{
  const br_model *m = br_model_find("haessig_friedland");
  static double par[1024];
  (void)state;
  m->defaults(par), m->prepare(par);
  const double ds = par[br_model_param(m, "ds")->slot], step = 1e-4 * ds, load = 1.3, v = 0;
  for (int k = -30; k <= 30; k++) {
    double z[64], dz[64] = {0}, F = 0;
    const double u = 0.13 * k * ds, up = u + step, down = u - step;
    for (size_t i = 0; i < m->nstate(par); i++) z[i] = 0.07 * ds * (double)i;
    m->force(par, load, &u, &v, z, dz, &F);
    const double slope = (m->energy(par, load, &up, z) - m->energy(par, load, &down, z)) / (2 * step);
    assert_true(fabs(slope - F) <= 1e-3 * par[br_model_param(m, "sigma0")->slot] * ds);
  }
}

static void test_refusals(void **state)
{
  (void)state;
  kit k = kit_open("haessig_friedland");
  kit_put(&k, "N", 2.5), kit_refused(&k, "N");
  k = kit_open("haessig_friedland"), kit_put(&k, "seed", 0.5), kit_refused(&k, "seed");
  k = kit_open("haessig_friedland"), kit_put(&k, "spacing", 3e-5), kit_refused(&k, "spacing");
  k = kit_open("haessig_friedland"), kit_put(&k, "N", 65), kit_refused(&k, "N");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_force),
      cmocka_unit_test(test_energy_of_a_period),
      cmocka_unit_test(test_bristles_by_hand),
      cmocka_unit_test(test_bristles_levels),
      cmocka_unit_test(test_far_away),
      cmocka_unit_test(test_force_is_a_slope),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
