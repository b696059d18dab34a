/* SPDX-License-Identifier: Apache-2.0
 * test_closed_forms.c - single models away from their defaults against closed forms: asymmetric Bouc-Wen
 * with eta = 2, bonds that rest behind their slide, a tip without folds, what elastic elements store;
 * which parameters make a model passive, and LuGre a Dahl model. */
#include "bristle/rt.h"
#include "kit.h"

/* dz/dx = A - c z^2 from z0 over x, where A and c are > 0: up to sqrt(A / c), and down without bound for
 * z0 < 0. */
static double approach(double A, double c, double z0, double x)
{
  const double top = sqrt(A / c), t = tanh(sqrt(A * c) * x);
  return top * (z0 / top + t) / (1 + z0 / top * t);
}

/* eta = 2: loading to either side bends by its own weight, beta + gamma +- 2 phi; unloading by gamma -
 * beta, whatever phi is; D grows by what is not elastic. */
static void asymmetric(void **state)
{
  static const double PHI[] = {0.2, -0.35, 0}, UY = 0.01, BETA = 0.6;
  static const double GAMMA[] = {0.4, 0.6, 0.9}; /* unloading is stiffer than A, A, softer */
  (void)state;
  for (int p = 0; p < 3; p++)
    for (int g = 0; g < 3; g++)
      for (int side = -1; side <= 1; side += 2)
        for (double A = 0.8; A < 2; A += 0.9) {
          kit k = kit_open("bouc_wen_asymmetric");
          const double phi = PHI[p], load = BETA + GAMMA[g] + 2 * side * phi, unload = GAMMA[g] - BETA;
          kit_put(&k, "A", A), kit_put(&k, "beta", BETA), kit_put(&k, "gamma", GAMMA[g]);
          kit_put(&k, "phi", phi), kit_put(&k, "eta", 2), kit_put(&k, "uy", UY), kit_put(&k, "inv_d0", 0);
          kit_ready(&k);
          for (int i = 1; i <= 4; i++) { /* from rest, in steps of several lengths */
            const double x = 0.1 * i * i;
            kit from = k;
            (void)kit_step(&from, side * x * UY / 0.5, 0.5);
            const double z = approach(A, load, 0, x);
            assert_near(from.z[0], side * z, 1e-12);
            assert_near(from.z[1], A * x - z, 1e-12 * (1 + A * x));
            /* back, but not through zero: z falls from where it is */
            const double back = 0.3 * z / A;
            const double w = unload == 0  ? z - A * back
                             : unload > 0 ? -approach(A, unload, -z, back)
                                          : sqrt(A / -unload) *
                                                tan(atan(z / sqrt(A / -unload)) - sqrt(A * -unload) * back);
            (void)kit_step(&from, -side * back * UY / 0.25, 0.25);
            assert_near(from.z[0], side * w, 1e-12);
            assert_near(from.z[1], A * x - z + fabs(A * back - (z - w)), 1e-12 * (1 + A * x));
          }
          kit far = k;
          (void)kit_step(&far, side * 1e6 * UY, 1);
          assert_near(far.z[0], side * sqrt(A / load), 1e-12);
        }
}

/* A bond that slid goes on sliding while the motion rests and when it goes on the same way, at the force
 * of sliding; it takes hold when the motion turns. One that holds does so at rest, too. */
static void rest_behind_a_slide(void **state)
{
  (void)state;
  for (int side = -1; side <= 1; side += 2)
    for (int slid = 0; slid < 2; slid++) {
      kit k = kit_open("reset_integrator");
      kit_put(&k, "sigma0", 1e5), kit_put(&k, "sigma1", 0), kit_put(&k, "a", 0.5), kit_put(&k, "z0", 1e-5);
      kit_ready(&k);
      const double way = slid ? 3e-5 : 0.6e-5, z = slid ? 1e-5 : 0.6e-5,
                   force = side * (slid ? 1 : 1.5) * 1e5 * z;
      assert_near(kit_step(&k, side * way, 1), force, 1e-12);
      for (int i = 0; i < 3; i++) { /* at v = 0, before a step and behind it */
        assert_near(kit_force(&k, 0), force, 1e-12);
        assert_near(kit_step(&k, 0, 0.7), force, 1e-12);
        assert_near(k.z[0], side * z, 1e-18);
        double dz[2] = {9, 9};
        k.m->rate(k.par, k.n, &k.u, &(double){side * 2.0}, k.z, dz);
        assert_true(dz[0] == (slid ? 0 : side * 2.0) && dz[1] == 0);
      }
      kit on = k;
      assert_near(kit_step(&on, side * 1e-6, 1), slid ? force : side * 1.5 * 1e5 * 0.7e-5, 1e-12);
      assert_near(kit_step(&k, -side * 1e-6, 1), side * 1.5e5 * (z - 1e-6), 1e-12); /* it has taken hold */
      assert_near(kit_step(&k, 0, 1), side * 1.5e5 * (z - 1e-6), 1e-12);
      assert_near(kit_step(&k, side * 0.5e-6, 1), side * 1.5e5 * (z - 0.5e-6), 1e-12);
    }
}

/* No fold, no memory: the force is a function of the position alone, F = 2 pi V0 / a sin t with t + eta
 * sin t = 2 pi u / a, on any way through many wells, behind the crests as before them. */
static void tip_without_folds(void **state)
{
  static const double ETA[] = {0.05, 0.5, 0.95, 1};
  const double a = 2, k0 = 3, turn = 2 * 3.14159265358979323846;
  uint64_t seed = 11;
  (void)state;
  for (int e = 0; e < 4; e++) {
    const double V0 = ETA[e] * a * a * k0 / (turn * turn);
    kit k = kit_open("tomlinson");
    int behind = 0;
    kit_put(&k, "V0", V0 * (1 - 1e-15)), kit_put(&k, "a", a), kit_put(&k, "k", k0);
    kit_ready(&k);
    for (int i = 0; i < 600; i++) {
      const double way = i < 400 ? (i < 200 ? 0.05 : -0.05) : kit_random(&seed, -3, 3);
      const double F = kit_step(&k, way, 1), w = turn * (k.u / a - round(k.u / a));
      double lo = -0.5 * turn, hi = 0.5 * turn;
      for (int n = 0; n < 70; n++) {
        const double t = 0.5 * (lo + hi);
        if (t + ETA[e] * sin(t) < w) lo = t;
        else hi = t;
      }
      const double tol = ETA[e] == 1 ? 1e-5 : 1e-9; /* at eta = 1 the curve is vertical at the crest */
      assert_near(F, turn * V0 / a * sin(hi), tol * turn * V0 / a);
      behind += fabs(k.u - k.z[0]) > 0.5 * a;
    }
    assert_true(behind > 10); /* seen from the well on the other side */
  }
}

/* Without losses the work done is what is stored, whatever the slope A and the share of hardening; an
 * element that has become softer by 1 + delta_eta e stores more at the same force. */
static void stored_energy(void **state)
{
  static const char *const MODELS[] = {"bouc_wen", "bouc_wen_asymmetric", "bouc_wen_baber_noori"};
  (void)state;
  for (int i = 0; i < 3; i++)
    for (double A = 0.5; A < 3; A += 1.1)
      for (double kappa = 0; kappa < 1; kappa += 0.4)
        for (double eta = 1; eta <= 3; eta++) {
          kit k = kit_open(MODELS[i]);
          double work = 0, before = 0;
          kit_put(&k, "A", A), kit_put(&k, "beta", 0), kit_put(&k, "gamma", 0), kit_put(&k, "eta", eta);
          kit_put(&k, "kappa", kappa), kit_put(&k, "uy", 0.02), kit_put(&k, "fp", 3);
          if (i == 1) kit_put(&k, "phi", 0);
          kit_ready(&k);
          k.n = 1.7;
          for (int s = 0; s < 50; s++) { /* there and back */
            const double v = s < 30 ? 1e-3 : -1e-3, F = kit_step(&k, v, 1);
            work += 0.5 * (F + before) * v;
            before = F;
            assert_near(kit_energy(&k), work, 1e-9 * fabs(work));
          }
          const double x = k.u / 0.02, want = 1.7 * 3 * 0.02 * 0.5 * ((1 - kappa) * A + kappa) * x * x;
          assert_near(work, want, 1e-9 * want);
          if (i < 2) continue;
          kit_put(&k, "delta_eta", 0.6);
          kit_ready(&k);
          k.z[0] = 0.4, k.z[1] = 2.5;
          double dz[2];
          k.m->rate(k.par, k.n, &k.u, &(double){0.02}, k.z, dz); /* dz/dx: the slope that is left */
          assert_near(dz[0], A / (1 + 0.6 * 2.5), 1e-12);
          const double left = 1.7 * 3 * 0.02 * 0.5 * ((1 - kappa) * 0.16 / dz[0] + kappa * x * x);
          assert_near(kit_energy(&k), left, 1e-12 * left);
        }
}

/* Passive exactly where the model's text says so. */
static void passive_where_it_says(void **state)
{
  static const struct {
    const char *model, *names[3];
    double at[3];
    int passive;
  } ROWS[] = {
      {"duhem_lugre", {"Ts"}, {0}, 1},
      {"duhem_lugre", {"Ts"}, {1e-9}, 0},
      {"duhem_lugre", {"Ts", "beta", "gamma"}, {0, 0.4, -0.4}, 1},
      {"duhem_lugre", {"Ts", "beta", "gamma"}, {0, 0.4, 0.4}, 1},
      {"duhem_lugre", {"Ts", "beta", "gamma"}, {0, 0.4, 0.41}, 0},
      {"duhem_lugre", {"Ts", "beta", "gamma"}, {0, 0.4, -0.41}, 0},
      {"duhem_lugre", {"Ts", "beta", "gamma"}, {0, 0, 0}, 0},
      {"bouc_wen_asymmetric", {"phi", "beta", "gamma"}, {0.5, 0.6, 0.4}, 1},
      {"bouc_wen_asymmetric", {"phi", "beta", "gamma"}, {-0.5, 0.6, 0.4}, 1},
      {"bouc_wen_asymmetric", {"phi", "beta", "gamma"}, {-0.51, 0.6, 0.4}, 0},
      {"bouc_wen_asymmetric", {"phi", "beta", "gamma"}, {0.51, 0.6, 0.4}, 0},
      {"bouc_wen_asymmetric", {"phi", "beta", "gamma"}, {0, 0.4, 0.6}, 0},
      {"bouc_wen_baber_noori", {"delta_A", "beta", "gamma"}, {0, 0.5, -0.5}, 1},
      {"bouc_wen_baber_noori", {"delta_A", "beta", "gamma"}, {0, 0.5, -0.51}, 0},
      {"bouc_wen_baber_noori", {"delta_A", "beta", "gamma"}, {0.01, 0.5, 0.5}, 0},
      {"bouc_wen_baber_noori", {"delta_eta", "beta", "gamma"}, {0.01, 0.5, 0.5}, 0},
      {"bouc_wen_baber_noori", {"zeta_s", "beta", "gamma"}, {0.01, 0.5, 0.5}, 0},
      {"bouc_wen_baber_noori", {"delta_nu", "beta", "gamma"}, {0.01, 0.5, 0.5}, 1},
  };
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
    kit k = kit_open(ROWS[i].model);
    for (int p = 0; p < 3 && ROWS[i].names[p]; p++) kit_put(&k, ROWS[i].names[p], ROWS[i].at[p]);
    kit_ready(&k);
    if (k.m->passive(k.par) != ROWS[i].passive) fail_msg("row %zu: %s", i, ROWS[i].model);
  }
}

/* LuGre is Dahl's model, semilinear and independent of rates, where nothing depends on the speed: any of
 * its five parts that do takes that away. */
static void lugre_that_is_dahl(void **state)
{
  static const double SPEEDS[] = {0, 1}, FORCES[] = {0, 2}, LEVELS[] = {1, 0.5};
  (void)state;
  for (int part = 0; part < 6; part++) {
    kit k = kit_open("lugre");
    br_class c;
    kit_put(&k, "Fc", 1), kit_put(&k, "Fs", part == 1 ? 1.1 : 1);
    kit_put(&k, "sigma1", part == 2 ? 0.1 : 0), kit_put(&k, "sigma2", part == 3 ? 0.1 : 0);
    if (part == 4) kit_put_vector(&k, "g_v", 2, SPEEDS), kit_put_vector(&k, "g_F", 2, LEVELS);
    if (part == 5) kit_put_vector(&k, "f_v", 2, SPEEDS), kit_put_vector(&k, "f_F", 2, FORCES);
    kit_ready(&k);
    k.m->classify(k.par, &c);
    assert_int_equal(c.duhem, part ? BR_DUHEM_GENERALIZED : BR_DUHEM_SEMILINEAR);
    assert_int_equal(c.rate_dependent, part != 0);
    /* and so it behaves: the same way in a tenth of the time */
    kit fast = k;
    double gap = 0;
    for (int i = 0; i < 30; i++) {
      const double v = (i / 5 % 2 ? -1 : 1) * 2e-6;
      gap = fmax(gap, fabs(kit_step(&k, v, 1) - kit_step(&fast, 1e5 * v, 1e-5)));
    }
    assert_true(part ? gap > 1e-3 : gap < 1e-9);
  }
}

/* Room for defaults is taken as it is: one number less than there are and nothing is written; never more
 * than there are. */
static void room_for_defaults(void **state)
{
  size_t count;
  const br_model *const *all = br_models(&count);
  (void)state;
  for (size_t i = 0; i < count; i++) {
    double d[KIT_SLOTS + 1];
    float f[KIT_SLOTS + 1];
    const size_t n = all[i]->slots;
    assert_true(n > 0 && n <= KIT_SLOTS);
    for (size_t room = n - 1; room <= n; room++) {
      for (size_t s = 0; s <= n; s++) d[s] = -77, f[s] = -77;
      assert_int_equal(br_rt_defaults_f64(all[i]->name, d, room), n);
      assert_int_equal(br_rt_defaults_f32(all[i]->name, f, room), n);
      for (size_t s = room == n ? n : 0; s <= n; s++) assert_true(d[s] == -77 && f[s] == -77);
      for (size_t s = 0; s < room && room == n; s++) assert_true(d[s] != -77 && f[s] != -77);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(asymmetric),         cmocka_unit_test(rest_behind_a_slide),
      cmocka_unit_test(tip_without_folds),  cmocka_unit_test(stored_energy),
      cmocka_unit_test(lugre_that_is_dahl), cmocka_unit_test(passive_where_it_says),
      cmocka_unit_test(room_for_defaults)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
