/* SPDX-License-Identifier: Apache-2.0
 * test_gms.c - generalised Maxwell-slip: stick, slip, limits, energy. */
#include "kit.h"

enum { N = 3 };
static const double stiff[N] = {3.1e4, 1.7e4, 0.6e4}, share[N] = {0.17, 0.36, 0.47};

static kit open_set(void)
{
  kit k = kit_open("gms");
  kit_put_vector(&k, "k", N, stiff);
  kit_put_vector(&k, "alpha", N, share);
  kit_put(&k, "Fc", 2.385);
  kit_put(&k, "Fs", 3.71);
  kit_put(&k, "vs", 0.013);
  kit_put(&k, "sigma2", 0.77);
  kit_set(&k, "C", 51);
  k.n = 1.4;
  return k;
}

static double level(const kit *k, double v)
{
  const double w = v / kit_get(k, "vs"), Fc = kit_get(k, "Fc");
  return k->n * (Fc + (kit_get(k, "Fs") - Fc) * exp(-w * w));
}

static void layout(void **state)
{
  kit k = open_set();
  br_class c;
  (void)state;
  assert_true(k.m->nstate(k.par) == N && k.m->nmode(k.par) == N &&
              k.m->nz == 2 * kit_param(&k, "k")->max_len);
  assert_true(k.m->nstates_rows == 1 && strcmp(k.m->states[0].name, "z") == 0);
  k.m->classify(k.par, &c);
  assert_true(c.duhem == BR_DUHEM_NONE && c.rate_dependent && c.continuity == BR_DISCONTINUOUS);
  kit_put(&k, "sigma2", 0);
  kit_set(&k, "Fs", kit_get(&k, "Fc"));
  k.m->classify(k.par, &c);
  assert_true(!c.rate_dependent && k.m->passive(k.par));
}

/* Slow motion sees g = Fs and never leaves it: Maxwell-slip with Delta = n alpha Fs / k, to rounding. */
static void quasi_static_limit_is_maxwell_slip(void **state)
{
  kit g = open_set(), m = kit_open("maxwell_slip");
  double Delta[N];
  uint64_t seed = 2;
  (void)state;
  kit_set(&g, "sigma2", 0);
  for (int i = 0; i < N; i++) Delta[i] = share[i] * 3.71 / stiff[i];
  kit_put_vector(&m, "k", N, stiff);
  kit_put_vector(&m, "Delta", N, Delta);
  kit_ready(&m);
  m.n = g.n;
  for (int i = 0; i < 3000; i++) {
    const double du = kit_random(&seed, -4e-4, 4e-4), v = du > 0 ? 1e-11 : -1e-11;
    assert_near(kit_step(&g, v, du / v), kit_step(&m, v, du / v), 2e-14 * 3.71);
  }
}

static void steady_state_is_the_stribeck_curve(void **state)
{
  kit k = open_set();
  uint64_t seed = 4;
  (void)state;
  for (int i = 0; i < 200; i++) { /* any speed after any other, same or opposite direction */
    const double v = exp(kit_random(&seed, -9, 0)) * (i % 3 ? 1 : -1), F = level(&k, v) + 0.77 * fabs(v);
    assert_near(kit_step(&k, v, 1e-2 / fabs(v) + 100), copysign(F, v), 1e-13 * F);
    for (int e = 0; e < N; e++) assert_true(k.z[N + e] == 1);
  }
}

static void presliding_stiffness(void **state)
{
  kit k = open_set();
  (void)state;
  kit_step(&k, 1e-3, 1e-6);
  assert_near(kit_force(&k, 0) / 1e-9, stiff[0] + stiff[1] + stiff[2], 1e-9);
  for (int e = 0; e < N; e++) assert_true(k.z[N + e] == 0);
}

/* A slipping element follows a sudden change of speed with the rate C / (n g): one exponential. */
static void slip_relaxes_exponentially(void **state)
{
  kit k = open_set();
  const double v1 = 0.002, v2 = 0.02, h = 0.013;
  (void)state;
  kit_step(&k, v1, 10);
  const double keep = exp(-51 * h / level(&k, v2));
  const double expect = level(&k, v2) + (level(&k, v1) - level(&k, v2)) * keep;
  assert_near(kit_step(&k, v2, h), expect + 0.77 * v2, 1e-13);
  /* and upwards again */
  const double now = expect, up = level(&k, v1) + (now - level(&k, v1)) * exp(-51 * h / level(&k, v1));
  assert_near(kit_step(&k, v1, h), up + 0.77 * v1, 1e-13);
}

/* Reversal makes every element stick: the first motion back is elastic. */
static void reversal_sticks(void **state)
{
  kit k = open_set();
  (void)state;
  kit_step(&k, 0.002, 10);
  const double F0 = kit_force(&k, 0), du = 1e-7;
  kit_step(&k, -1e-3, du / 1e-3);
  assert_near(F0 - kit_force(&k, 0), (stiff[0] + stiff[1] + stiff[2]) * du, 1e-12);
  for (int e = 0; e < N; e++) assert_true(k.z[N + e] == 0);
  /* a stop as well: at v = 0 the force holds and the elements stick */
  kit_step(&k, 0.02, 10);
  const double held = kit_force(&k, 0);
  kit_step(&k, 0, 5);
  assert_true(kit_force(&k, 0) == held);
  for (int e = 0; e < N; e++) assert_true(k.z[N + e] == 0);
  /* restart at low speed: elastic up to the higher level, no relaxation in between */
  kit_step(&k, 1e-6, 1e-9 / 1e-6);
  assert_near(kit_force(&k, 0) - held, (stiff[0] + stiff[1] + stiff[2]) * 1e-9, 1e-12);
}

/* rate() sees what step() does: held v, small explicit steps, modes as they stand. */
static void rate_agrees_with_step(void **state)
{
  uint64_t seed = 8;
  (void)state;
  for (int i = 0; i < 200; i++) {
    kit k = open_set();
    for (int j = 0; j < 5; j++) kit_step(&k, kit_random(&seed, -0.03, 0.03), kit_random(&seed, 0, 0.02));
    const double v = kit_random(&seed, -0.03, 0.03), h = 1e-9;
    kit after = k;
    double dz[2 * N];
    k.m->rate(k.par, k.n, &k.u, &v, k.z, dz);
    kit_step(&after, v, h);
    for (int e = 0; e < N; e++) {
      const int switches =
          k.z[N + e] < 0.5 && after.z[N + e] > 0.5 && dz[e] == v; /* reached its level in h */
      if (!switches) assert_near((after.z[e] - k.z[e]) / h, dz[e], 1e-5 * fabs(v) + 1e-8);
      assert_true(dz[N + e] == 0);
    }
  }
}

/* Charge fast (level Fc) until one element slips, crawl so that its spring climbs to the static level for
 * nothing, move back.  Returns work less growth of the stored energy: below 0, energy was created. */
static double crawl_cycle_loss(double Fs)
{
  kit k = open_set();
  const int pieces = 20000;
  kit_put(&k, "sigma2", 0);
  kit_set(&k, "Fs", Fs);
  const double first = 1.001 * k.n * share[0] * kit_get(&k, "Fc") / stiff[0], crawl = 1e-13;
  const double plan[3][2] = {
      {1.0, first}, {1e-14, crawl}, {-1e-3, -first - crawl}}; /* speed m/s, distance m */
  double work = 0;
  for (int s = 0; s < 3; s++)
    for (int i = 0; i < pieces; i++) {
      const double du = plan[s][1] / pieces, F0 = kit_force(&k, 0);
      kit_step(&k, plan[s][0], du / plan[s][0]);
      work += du * (F0 + kit_force(&k, 0)) / 2;
    }
  return work - kit_energy(&k);
}

static void passive_exactly_without_stribeck_effect(void **state)
{
  kit k = open_set();
  uint64_t seed = 6;
  const double flat = crawl_cycle_loss(2.385), peaked = crawl_cycle_loss(1.02 * 2.385);
  (void)state;
  print_message("crawl cycle loses %.4g J with Fs = Fc and %.4g J with Fs = 1.02 Fc\n", flat, peaked);
  assert_true(flat > 0 && peaked < 0);
  /* the gain is the climb of one spring, less the little slip before the crawl */
  const double E = 0.5 * pow(k.n * share[0] * 2.385, 2) / stiff[0];
  assert_near(peaked, flat - E * (1.02 * 1.02 - 1), 1e-3 * E);
  assert_false(k.m->passive(k.par));
  /* Fs = Fc: random motion, work of each piece against the stored energy */
  kit p = open_set();
  kit_put(&p, "sigma2", 0);
  kit_set(&p, "Fs", 2.385);
  for (int i = 0; i < 20000; i++) {
    const double v = kit_random(&seed, -0.1, 0.1), e0 = kit_energy(&p), F0 = kit_force(&p, 0);
    const double du = kit_random(&seed, 0, 3e-7), F1 = kit_step(&p, v, du / fabs(v));
    const double work = copysign(du, v) * (F0 + F1) / 2,
                 bend = 5.4e4 * du * du / 4; /* piecewise-linear F(u) */
    assert_true(work - (kit_energy(&p) - e0) > -bend);
  }
}

static void rules(void **state)
{
  kit k = open_set();
  const double off[N] = {0.17, 0.36, 0.47 + 2e-9}, near[N] = {0.17, 0.36, 0.47 + 5e-10};
  (void)state;
  kit_put_vector(&k, "alpha", N, near);
  kit_ready(&k);
  kit_put_vector(&k, "alpha", N, off);
  kit_refused(&k, "add up to 1");
  kit_put_vector(&k, "alpha", 2, share);
  kit_refused(&k, "as many shares");
  kit_put_vector(&k, "alpha", 0, share);
  kit_put_vector(&k, "k", 0, stiff);
  kit_refused(&k, "at least one");
  k = open_set();
  kit_put(&k, "C", 0);
  kit_refused(&k, "C");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(layout),
      cmocka_unit_test(quasi_static_limit_is_maxwell_slip),
      cmocka_unit_test(steady_state_is_the_stribeck_curve),
      cmocka_unit_test(presliding_stiffness),
      cmocka_unit_test(slip_relaxes_exponentially),
      cmocka_unit_test(reversal_sticks),
      cmocka_unit_test(rate_agrees_with_step),
      cmocka_unit_test(passive_exactly_without_stribeck_effect),
      cmocka_unit_test(rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
