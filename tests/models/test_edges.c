/* SPDX-License-Identifier: Apache-2.0
 * test_edges.c - edges of single models: where a bristle is passive, forces beyond their level, classes by
 * parameter, numbers that are refused; the same from the controller's stepper; rest and far ways. */
#include "bristle/rt.h"
#include "kit.h"

/* sigma2 Fc against sigma1 (Fs - Fc): on the edge it is, a little below not. */
static void passive(void **state)
{
  kit k = kit_open("lugre");
  (void)state;
  kit_put(&k, "Fc", 1), kit_put(&k, "Fs", 2), kit_put(&k, "sigma1", 10), kit_put(&k, "sigma2", 10);
  assert_int_equal(k.m->passive(k.par), 1);
  kit_put(&k, "sigma2", 9.9);
  assert_int_equal(k.m->passive(k.par), 0);
}

/* A force beyond its level falls back to it, as fast as one below it rises. */
static void beyond_the_level(void **state)
{
  (void)state;
  for (int i = 0; i < 3; i++) {
    kit k = kit_open("dahl");
    const double gamma[] = {1, 2, 0.5}, Fc = kit_get(&k, "Fc"), stiff = kit_get(&k, "sigma0");
    kit_put(&k, "gamma", gamma[i]);
    kit_ready(&k);
    for (int side = -1; side <= 1; side += 2)
      for (int above = 0; above < 2; above++) {
        const double v = 0.3 * side, z = side * (above ? 1.5 : 0.5) * Fc;
        double dz = 0;
        k.m->rate(k.par, 1, &k.u, &v, &z, &dz);
        const double want = (above ? -1 : 1) * stiff * pow(0.5, gamma[i]) * v;
        assert_true(fabs(dz - want) < 1e-12 * fabs(want));
      }
  }
}

static br_class class_of(kit *k)
{
  br_class c;
  kit_ready(k);
  k->m->classify(k->par, &c);
  return c;
}

static void classes(void **state)
{
  static const struct {
    double gamma;
    br_duhem_class duhem;
    br_continuity continuity;
  } DAHL[] = {{0, BR_DUHEM_NONE, BR_DISCONTINUOUS},
              {0.5, BR_DUHEM_GENERALIZED, BR_CONTINUOUS},
              {1, BR_DUHEM_SEMILINEAR, BR_LIPSCHITZ},
              {1.5, BR_DUHEM_GENERALIZED, BR_LIPSCHITZ}};
  (void)state;
  for (size_t i = 0; i < sizeof DAHL / sizeof DAHL[0]; i++) {
    kit k = kit_open("dahl");
    kit_put(&k, "gamma", DAHL[i].gamma);
    const br_class c = class_of(&k);
    assert_true(c.duhem == DAHL[i].duhem && c.continuity == DAHL[i].continuity && !c.rate_dependent);
  }
  kit k = kit_open("lugre_elastoplastic");
  kit_put(&k, "Fs", 1.5 * kit_get(&k, "Fc"));
  br_class c = class_of(&k);
  assert_true(c.duhem == BR_DUHEM_NONE && c.rate_dependent);
  kit_put(&k, "Fs", kit_get(&k, "Fc")), kit_put(&k, "sigma1", 0), kit_put(&k, "sigma2", 0);
  c = class_of(&k);
  assert_true(c.duhem == BR_DUHEM_GENERALIZED && !c.rate_dependent);
}

static void refused(void **state)
{
  (void)state;
  kit k = kit_open("semilinear_duhem");
  kit_put(&k, "n", 1.5);
  kit_refused(&k, "a whole number");
  kit_put(&k, "n", 1);
  for (int side = -1; side <= 1; side += 2) { /* no bounds, but a number it must be */
    kit_put(&k, "D", side * INFINITY);
    kit_refused(&k, "D");
  }
  k = kit_open("lugre");
  kit_put(&k, "sigma2", INFINITY);
  kit_refused(&k, "sigma2");
  kit_put(&k, "sigma2", NAN);
  kit_refused(&k, "sigma2");
}

/* Slower than any number that means a speed, the Stribeck curve stands at Fs however small its exponent is.
 * */
static void quasi_static(void **state)
{
  kit k = kit_open("lugre");
  (void)state;
  kit_put(&k, "Fc", 1), kit_put(&k, "Fs", 2), kit_put(&k, "sigma1", 0), kit_put(&k, "sigma2", 0);
  kit_put(&k, "vs", 1e-3), kit_put(&k, "delta", 0.02);
  kit_ready(&k);
  for (int side = -1; side <= 1; side += 2) {
    const double z = side * 2 / kit_get(&k, "sigma0"), slow = side * 1e-200, fast = side * 1e-100;
    double dz = 0;
    k.m->rate(k.par, 1, &k.u, &slow, &z, &dz);
    assert_near(dz / slow, 0, 1e-14);
    k.m->rate(k.par, 1, &k.u, &fast, &z, &dz); /* a speed: below Fs by the curve */
    assert_near(dz / fast, 1 - 2 / (1 + exp(-pow(1e-97, 0.02))), 1e-12);
  }
}

/* Ways beyond all memory: what is left is the ramp that the state follows, whichever way it goes. */
static void far_ways(void **state)
{
  (void)state;
  for (int side = -1; side <= 1; side += 2) {
    kit k = kit_open("semilinear_duhem"); /* dx/du = -10 side x + B u + E */
    const double B = 2, E = 7.5, a = 10 * side;
    kit_put_vector(&k, "Bp", 1, &B), kit_put_vector(&k, "Bm", 1, &B);
    kit_ready(&k);
    k.u = 3, k.z[0] = -4;
    k.m->step(k.par, 1, &k.u, &(double){1e9 * side}, 1, k.z);
    const double u = 3 + 1e9 * side, want = (B * u + E) / a - B / (a * a);
    assert_near(k.z[0], want, 1e-9 * fabs(want));
  }
}

/* What a biaxial element has slipped, and its damage with it, never shrinks, whatever it does: also where the
 * shape outweighs the losses (gamma > beta). */
static void damage_grows(void **state)
{
  const br_model *m = br_model_find("bouc_wen_biaxial");
  double par[KIT_SLOTS], u[2] = {0, 0}, most = 0;
  uint64_t seed = 5;
  (void)state;
  assert_non_null(m);
  assert_true(m->slots <= KIT_SLOTS && m->nz == 3);
  m->defaults(par), m->prepare(par);
  for (int i = 0; i < 1000; i++) {
    if (i == 500) {
      par[br_model_param(m, "beta")->slot] = 0.2, par[br_model_param(m, "gamma")->slot] = 0.8;
      assert_int_equal(m->check(par, NULL), BR_OK);
      m->prepare(par);
    }
    double v[2], z[3], dz[3];
    for (int k = 0; k < 2; k++) v[k] = kit_random(&seed, -1, 1), z[k] = kit_random(&seed, -1, 1);
    z[2] = kit_random(&seed, 0, 1);
    m->rate(par, 1, u, v, z, dz);
    assert_true(dz[2] >= 0);
    most = fmax(most, dz[2]);
  }
  assert_true(most > 0);
}

/* The stepper of a controller names the same slots, and takes and refuses the same numbers, as the model
 * itself. */
static void on_the_controller(void **state)
{
  static const double FACTORS[] = {-1, 0, 0.5, 1, 2};
  static br_rt_f64 rt;
  size_t count, refused = 0, by_rule = 0;
  uint64_t seed = 9;
  const br_model *const *all = br_models(&count);
  (void)state;
  for (size_t i = 0; i < count; i++) {
    const br_model *m = all[i];
    double par[KIT_SLOTS];
    for (size_t k = 0; k < m->nparam; k++) {
      const br_param *p = &m->params[k];
      assert_int_equal(br_rt_slot(m->name, p->name), p->slot);
      assert_int_equal(br_rt_length(m->name, p->name), p->max_len > 1 ? (int)p->len_slot : -1);
    }
    for (int trial = 0; trial < 200 && m->nparam; trial++) {
      br_err err = {BR_OK, -1, ""};
      int bad = -1;
      m->defaults(par);
      for (int twice = 0; twice < 2; twice++) {
        const br_param *to = &m->params[(size_t)kit_random(&seed, 0, (double)m->nparam)],
                       *from = &m->params[(size_t)kit_random(&seed, 0, (double)m->nparam)];
        par[to->slot] = par[from->slot] * FACTORS[(size_t)kit_random(&seed, 0, 5)];
      }
      const br_status want = m->check(par, &err), got = br_rt_init_f64(&rt, m->name, par, &bad);
      assert_int_equal(got, want);
      assert_int_equal(bad, want ? err.index : -1);
      refused += want != BR_OK, by_rule += want && strstr(err.msg, "breaks the rule");
    }
  }
  assert_true(refused > 100 && by_rule > 20);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(passive),      cmocka_unit_test(beyond_the_level),
                                     cmocka_unit_test(classes),      cmocka_unit_test(refused),
                                     cmocka_unit_test(quasi_static), cmocka_unit_test(far_ways),
                                     cmocka_unit_test(damage_grows), cmocka_unit_test(on_the_controller)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
