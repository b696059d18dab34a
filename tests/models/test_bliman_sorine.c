/* SPDX-License-Identifier: Apache-2.0
 * test_bliman_sorine.c - overshoot, settling and stored energy against closed forms. */
#include "kit.h"

typedef struct {
  double f1, f2, eps, eta, n;
} set;
static const set sets[] = {{3, 2, 1e-4, 0.2, 1}, {2.385, 0.71, 3.3e-5, 0.61, 1.7}, {5, 4.9, 0.02, 0.05, 0.4}};

static kit open_set(const set *s)
{
  kit k = kit_open("bliman_sorine");
  kit_put(&k, "f1", s->f1);
  kit_put(&k, "f2", s->f2);
  kit_put(&k, "eps", s->eps);
  kit_set(&k, "eta", s->eta);
  k.n = s->n;
  return k;
}

/* Path of the peak and height of the overshoot over the settled level after a start from rest (README). */
static double peak_path(const set *s)
{
  return s->eps * s->eta / (1 - s->eta) * log(s->f1 / (s->eta * s->f2));
}
static double overshoot(const set *s)
{
  return s->n * s->f2 * (1 - s->eta) * pow(s->eta * s->f2 / s->f1, s->eta / (1 - s->eta));
}

static void overshoot_matches_the_closed_form(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
    const set *s = &sets[i];
    const double sp = peak_path(s), level = s->n * (s->f1 - s->f2);
    kit k = open_set(s), before = k, after = k;
    const double peak = kit_step(&k, 0.01, sp / 0.01);
    assert_near(peak, level + overshoot(s), 1e-14 * s->f1 * s->n);
    /* it is the peak: lower a little before and after, flat in between */
    assert_true(kit_step(&before, 0.01, sp * 0.97 / 0.01) < peak &&
                kit_step(&after, 0.01, sp * 1.03 / 0.01) < peak);
    assert_near(kit_step(&k, 0.01, 60 * s->eps / 0.01), level, 1e-14 * s->f1 * s->n);
    /* a full reversal passes the same path to the peak and overshoots twice as much */
    assert_near(kit_step(&k, -3.0, sp / 3.0), -level - 2 * overshoot(s), 2e-14 * s->f1 * s->n);
  }
}

static void rest_stiffness(void **state)
{
  const set *s = &sets[1];
  kit k = open_set(s);
  const double du = 1e-9 * s->eps;
  (void)state;
  assert_near(kit_step(&k, 1, du) / du, s->n * (s->f1 / s->eta - s->f2) / s->eps, 1e-7 * s->f1 / s->eps);
}

/* Without the soft element it is Dahl with gamma = 1. */
static void without_soft_element_it_is_dahl(void **state)
{
  kit k = kit_open("bliman_sorine"), d = kit_open("dahl");
  uint64_t seed = 7;
  (void)state;
  kit_set(&k, "f2", 0);
  kit_put(&d, "Fc", 3);
  kit_set(&d, "sigma0", 3 / (0.2 * 1e-4));
  for (int i = 0; i < 500; i++) {
    const double v = kit_random(&seed, -1, 1), h = kit_random(&seed, 0, 1e-4);
    assert_near(kit_step(&k, v, h), kit_step(&d, v, h), 1e-13);
  }
}

static void rate_independent(void **state)
{
  kit slow = open_set(&sets[1]), fast = slow;
  uint64_t seed = 11;
  (void)state;
  for (int i = 0; i < 500; i++) {
    const double du = kit_random(&seed, -1e-4, 1e-4);
    assert_near(kit_step(&slow, du / 0.5, 0.5), kit_step(&fast, du / 1e-6, 1e-6), 1e-13);
  }
}

/* Work of a monotone piece: F = A + B1 exp(-s/eta eps) + B2 exp(-s/eps), integrated in closed form. */
static double piece_work(const kit *k, const set *s, double v, double h)
{
  const double dir = v > 0 ? 1 : -1, path = fabs(v) * h;
  const double c1 = s->eta * s->eps, c2 = s->eps, x1 = dir * k->z[0], x2 = dir * k->z[1];
  const double f1 = s->n * s->f1, f2 = s->n * s->f2;
  return (f1 - f2) * path - (x1 - f1) * c1 * expm1(-path / c1) - (x2 + f2) * c2 * expm1(-path / c2);
}

/* Loss = work - growth of the stored energy is never negative, and the energy is never negative. */
static void every_motion_loses_energy(void **state)
{
  uint64_t seed = 3;
  double least = 1;
  (void)state;
  for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
    kit k = open_set(&sets[i]);
    const double scale = sets[i].n * sets[i].f1 * sets[i].eps;
    for (int j = 0; j < 20000; j++) {
      const double v = kit_random(&seed, -1, 1), h = sets[i].eps * exp(kit_random(&seed, -6, 2)),
                   e0 = kit_energy(&k);
      const double work = piece_work(&k, &sets[i], v, h);
      kit_step(&k, v, h);
      const double loss = work - (kit_energy(&k) - e0);
      if (loss / scale < least) least = loss / scale;
      if (!(loss >= -1e-13 * scale && e0 >= 0)) fail_msg("set %zu: loss %g, energy %g", i, loss, e0);
    }
  }
  print_message("least loss of 60000 pieces: %.3g f1 eps\n", least);
}

/* The form is the smallest one: its rate of loss, a quadratic in x, touches zero in one direction of x. */
static void some_state_loses_nothing(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
    const set *s = &sets[i];
    double least = INFINITY, most = 0;
    for (int j = 0; j < 20000; j++) {
      const double angle = j * 3.141592653589793 / 20000, path = 1e-6 * s->eta * s->eps;
      kit k = open_set(s);
      k.z[0] = cos(angle) * s->f1, k.z[1] = sin(angle) * s->f1;
      const double e0 = kit_energy(&k), work = piece_work(&k, s, 1, path);
      kit_step(&k, 1, path);
      const double loss = (work - (kit_energy(&k) - e0)) / path;
      least = fmin(least, loss), most = fmax(most, loss);
    }
    print_message("set %zu: rate of loss from %.2g to %.2g N\n", i, least, most);
    assert_true(least < 2e-6 * most && least > -1e-7 * most);
  }
}

static void rules(void **state)
{
  kit k = kit_open("bliman_sorine");
  (void)state;
  kit_put(&k, "f2", 3);
  kit_refused(&k, "f2 < f1");
  kit_put(&k, "f2", 1);
  kit_put(&k, "eta", 1);
  kit_refused(&k, "eta");
  kit_put(&k, "eta", 0);
  kit_refused(&k, "eta");
  kit_put(&k, "eta", 0.5);
  kit_put(&k, "eps", 0);
  kit_refused(&k, "eps");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(overshoot_matches_the_closed_form),
      cmocka_unit_test(rest_stiffness),
      cmocka_unit_test(without_soft_element_it_is_dahl),
      cmocka_unit_test(rate_independent),
      cmocka_unit_test(every_motion_loses_energy),
      cmocka_unit_test(some_state_loses_nothing),
      cmocka_unit_test(rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
