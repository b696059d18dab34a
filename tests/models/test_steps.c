/* SPDX-License-Identifier: Apache-2.0
 * test_steps.c - what every exact step must do, for all built-in one-axis models that claim one: agree with
 * an integration of rate(), compose, hold at rest, keep the odd symmetry, survive extreme input.
 * Also: the complex-step derivative of rate() against central differences, for every one-axis model. */
#include "kit.h"

static void random_start(kit *k, uint64_t *seed, double length)
{
  k->n = kit_random(seed, 0.4, 2.5);
  for (int i = 0; i < 6; i++)
    kit_step(k, kit_random(seed, -2e-3, 2e-3), length * exp(kit_random(seed, -3, 2)) / 1e-3);
}

/* Largest state number: what rounding is measured against. */
static double largest(const kit *k, double so_far)
{
  for (size_t i = 0; i < k->m->nstate(k->par); i++) so_far = fmax(so_far, fabs(k->z[i]));
  return so_far;
}

typedef void check_fn(kit *k, uint64_t *seed, double length);

/* Run a check from random states of every one-axis model with an exact step. */
static void for_all(check_fn *check, int rounds)
{
  size_t count, ran = 0;
  const br_model *const *all = br_models(&count);
  for (size_t i = 0; i < count; i++) {
    uint64_t seed = 1234567 + i;
    if (all[i]->axes != 1 || !(all[i]->flags & BR_MODEL_EXACT_STEP)) continue;
    ran++;
    const kit fresh = kit_open(all[i]->name);
    const double length = kit_length(&fresh);
    for (int r = 0; r < rounds; r++) {
      kit k = fresh;
      random_start(&k, &seed, length);
      check(&k, &seed, length);
    }
  }
  assert_true(ran >= 8);
}

static size_t in_use(const kit *k) { return k->m->nstate(k->par) + k->m->nmode(k->par); }

static void near_states(const kit *a, const kit *b, double tol, const char *what)
{
  for (size_t i = 0; i < a->m->nstate(a->par); i++)
    if (!(fabs(a->z[i] - b->z[i]) <= tol))
      fail_msg("%s, %s: state %zu is %.17g and %.17g", a->m->name, what, i, a->z[i], b->z[i]);
}

static void composes(kit *k, uint64_t *seed, double length)
{
  kit two = *k;
  const double v = kit_random(seed, -2e-3, 2e-3), h = length * exp(kit_random(seed, -4, 3)) / 1e-3;
  const double before = largest(k, 0);
  kit_step(k, v, h);
  kit_step(&two, v, h / 2);
  kit_step(&two, v, h / 2);
  near_states(k, &two, 1e-14 * largest(k, before), "halves against whole");
}

/* Classical Runge-Kutta on rate().  Where the rate jumps in z (elements that start to slip) the integrator is
 * off by up to a step's travel, so that much is granted there. */
static void matches_rate(kit *k, uint64_t *seed, double length)
{
  enum { STEPS = 3000 };
  const double v = kit_random(seed, -2e-3, 2e-3), h = length * exp(kit_random(seed, -4, 1)) / 1e-3,
               dt = h / STEPS;
  const size_t nz = in_use(k);
  const double before = largest(k, 0);
  kit rk = *k;
  br_class c;
  for (int s = 0; s < STEPS; s++) {
    double d1[KIT_STATES], d2[KIT_STATES], d3[KIT_STATES], d4[KIT_STATES], z[KIT_STATES];
    const double um = rk.u + dt / 2 * v, ue = rk.u + dt * v;
    rk.m->rate(rk.par, rk.n, &rk.u, &v, rk.z, d1);
    for (size_t i = 0; i < nz; i++) z[i] = rk.z[i] + dt / 2 * d1[i];
    rk.m->rate(rk.par, rk.n, &um, &v, z, d2);
    for (size_t i = 0; i < nz; i++) z[i] = rk.z[i] + dt / 2 * d2[i];
    rk.m->rate(rk.par, rk.n, &um, &v, z, d3);
    for (size_t i = 0; i < nz; i++) z[i] = rk.z[i] + dt * d3[i];
    rk.m->rate(rk.par, rk.n, &ue, &v, z, d4);
    for (size_t i = 0; i < nz; i++) rk.z[i] += dt / 6 * (d1[i] + 2 * (d2[i] + d3[i]) + d4[i]);
    rk.u = ue;
    rk.m->step(rk.par, rk.n, &rk.u, &v, 0, rk.z); /* modes, where there are any, keep up */
  }
  k->m->classify(k->par, &c);
  kit_step(k, v, h);
  const double travel = c.continuity == BR_DISCONTINUOUS ? 2 * fabs(v) * dt : 0;
  near_states(k, &rk, 1e-9 * largest(k, before) + travel, "integrated rate against step");
}

static void symmetric(kit *k, uint64_t *seed, double length)
{
  kit mirror = *k;
  if (br_model_param(k->m, "phi")) return; /* leans to one side */
  mirror.u = -mirror.u;
  for (size_t i = 0; i < k->m->nstate(k->par); i++) mirror.z[i] = -mirror.z[i];
  for (int i = 0; i < 4; i++) {
    const double v = kit_random(seed, -2e-3, 2e-3), h = length * exp(kit_random(seed, -4, 3)) / 1e-3;
    const double F = kit_step(k, v, h), G = kit_step(&mirror, -v, h);
    if (F != -G) fail_msg("%s: F = %.17g, mirrored %.17g", k->m->name, F, G);
  }
}

static void same_states(const kit *a, const kit *b, const char *what)
{
  for (size_t i = 0; i < a->m->nstate(a->par); i++)
    if (a->z[i] != b->z[i])
      fail_msg("%s, %s: state %zu %.17g -> %.17g", a->m->name, what, i, a->z[i], b->z[i]);
}

static void rest_and_no_time_change_nothing(kit *k, uint64_t *seed, double length)
{
  kit after = *k;
  double dz[KIT_STATES] = {0};
  const double rest = 0;
  (void)length;
  k->m->rate(k->par, k->n, &k->u, &rest, k->z, dz);
  for (size_t i = 0; i < in_use(k); i++) assert_true(dz[i] == 0);
  kit_step(&after, 0.0, 10);
  same_states(k, &after, "v = 0");
  kit_step(&after, -0.0, 1e9);
  same_states(k, &after, "v = -0");
  after = *k;
  kit_step(&after, kit_random(seed, -2e-3, 2e-3), 0);
  same_states(k, &after, "h = 0");
}

static void huge_input_stays_finite(kit *k, uint64_t *seed, double length)
{
  const double speeds[] = {1e-300, 1e-30, 1e-3, 1, 1e30}, times[] = {1e-300, 1, 1e30, 1e200};
  (void)length;
  for (size_t i = 0; i < 5; i++)
    for (size_t j = 0; j < 4; j++) {
      kit t = *k;
      const double v = kit_random(seed, 0, 1) < 0.5 ? speeds[i] : -speeds[i], F = kit_step(&t, v, times[j]);
      if (!isfinite(F)) fail_msg("%s: v = %g, h = %g gives F = %g", k->m->name, v, times[j], F);
    }
}

/* NOLINTNEXTLINE(readability-non-const-parameter): a check_fn */
static void nan_shows(kit *k, uint64_t *seed, double length)
{
  kit t = *k;
  (void)seed, (void)length;
  assert_true(isnan(kit_step(&t, NAN, 1e-3)));
  if (k->m->nstate(k->par) == 0) return;
  t = *k;
  assert_true(isnan(kit_step(&t, 1e-3, NAN)));
  t = *k;
  t.z[0] = NAN;
  assert_true(isnan(kit_step(&t, 1e-3, 1e-3)));
}

static void exact_steps_compose(void **state) { (void)state, for_all(composes, 500); }
static void exact_steps_match_rate(void **state) { (void)state, for_all(matches_rate, 12); }
static void odd_symmetry(void **state) { (void)state, for_all(symmetric, 100); }
static void rest_holds(void **state) { (void)state, for_all(rest_and_no_time_change_nothing, 100); }
static void huge_input(void **state) { (void)state, for_all(huge_input_stays_finite, 20); }
static void nan_propagates(void **state) { (void)state, for_all(nan_shows, 20); }

/* d rate_i / d z_j by complex step against a central difference, away from the switching surfaces. */
static void complex_step_derivatives(void **state)
{
  size_t count;
  const br_model *const *all = br_models(&count);
  (void)state;
  for (size_t m = 0; m < count; m++) {
    uint64_t seed = 99 + m;
    if (all[m]->axes != 1 || !all[m]->rate_pair || all[m]->nz == 0 || all[m]->flags & BR_MODEL_JUMPS)
      continue;
    size_t compared = 0;
    for (int r = 0; r < 50; r++) {
      kit k = kit_open(all[m]->name);
      const double length = (all[m]->flags & BR_MODEL_EXACT_STEP) ? kit_length(&k) : 1e-3;
      random_start(&k, &seed, length);
      const size_t nz = in_use(&k), ns = k.m->nstate(k.par), j = (size_t)kit_random(&seed, 0, (double)ns);
      const double v = kit_random(&seed, -2e-3, 2e-3), tiny = 1e-150;
      double par[2 * KIT_SLOTS] = {0}, z[2 * KIT_STATES] = {0}, dz[2 * KIT_STATES], n[2], u[2],
                     vv[2] = {v, 0};
      double up[KIT_STATES], down[KIT_STATES];
      kit a = k, b = k;
      for (size_t i = 0; i < k.m->slots; i++) par[2 * i] = k.par[i];
      for (size_t i = 0; i < nz; i++) z[2 * i] = k.z[i];
      n[0] = k.n, n[1] = 0, u[0] = k.u, u[1] = 0;
      k.m->prepare_pair(par);
      z[2 * j + 1] = tiny;
      k.m->rate_pair(par, n, u, vv, z, dz);
      const double step = 1e-6 * fmax(fabs(k.z[j]), 1e-3 * largest(&k, 0));
      a.z[j] += step, b.z[j] -= step;
      a.m->rate(a.par, a.n, &a.u, &v, a.z, up);
      b.m->rate(b.par, b.n, &b.u, &v, b.z, down);
      for (size_t i = 0; i < ns; i++) {
        const double exact = dz[2 * i + 1] / tiny, diff = (up[i] - down[i]) / (2 * step);
        const double noise = 1e-15 * fmax(fabs(up[i]), fabs(v)) / step;
        if (fabs(up[i] - down[i]) > 1e-3 * fabs(up[i]) && fabs(exact) < 0.1 * fabs(diff))
          continue; /* a jump between */
        compared++;
        if (!(fabs(exact - diff) <= 1e-5 * fabs(exact) + 20 * noise))
          fail_msg("%s: d rate%zu / d z%zu = %.12g by complex step, %.12g by difference", k.m->name, i, j,
                   exact, diff);
      }
    }
    assert_true(compared >= 40);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_steps_compose),
      cmocka_unit_test(exact_steps_match_rate),
      cmocka_unit_test(odd_symmetry),
      cmocka_unit_test(rest_holds),
      cmocka_unit_test(huge_input),
      cmocka_unit_test(nan_propagates),
      cmocka_unit_test(complex_step_derivatives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
