/* SPDX-License-Identifier: Apache-2.0
 * test_duhem.c - users' own Duhem models: the Dahl, LuGre-like and Bouc-Wen equations given as functions
 * agree with the
 * built-in kernels; bad descriptions are refused with a reason. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bristle/duhem.h"
#include "support/near.h"
#include "support/sample.h"

/* Dahl, gamma = 1: f = [-s F/Fc + s, s F/Fc + s], g = [v+, v-]. */
static void dahl_f(const double *p, const double *x, double u, double *f)
{
  (void)u;
  f[0] = p[0] - p[0] / p[1] * x[0];
  f[1] = p[0] + p[0] / p[1] * x[0];
}
static void split_g(const double *p, double v, double *g) { (void)p, g[0] = fmax(v, 0), g[1] = fmin(v, 0); }
static double first_h(const double *p, const double *x, double u) { return (void)p, (void)u, x[0]; }
static double dahl_energy(const double *p, const double *x, double u)
{
  return (void)u, 0.5 * x[0] * x[0] / p[0];
}
static int always(const double *p) { return (void)p, 1; }

static const br_param dahl_rows[] = {{.name = "sigma0",
                                      .unit = "N/m",
                                      .doc = "rest stiffness",
                                      .def = 7.5,
                                      .lo_open = 1,
                                      .hi = INFINITY,
                                      .hi_open = 1,
                                      .slot = 0,
                                      .max_len = 1},
                                     {.name = "Fc",
                                      .unit = "N",
                                      .doc = "Coulomb level",
                                      .def = 0.75,
                                      .lo_open = 1,
                                      .hi = INFINITY,
                                      .hi_open = 1,
                                      .slot = 1,
                                      .max_len = 1}};
static const br_state force_row[] = {{"F", "N", "friction force", 1}};
static const br_duhem my_dahl = {.name = "my_dahl",
                                 .title = "Dahl by hand",
                                 .n = 1,
                                 .r = 2,
                                 .f = dahl_f,
                                 .g = split_g,
                                 .h = first_h,
                                 .energy = dahl_energy,
                                 .passive = always,
                                 .passive_text = "always",
                                 .params = dahl_rows,
                                 .nparam = 2,
                                 .slots = 2,
                                 .states = force_row,
                                 .nstates_rows = 1,
                                 .cls = {.continuity = BR_LIPSCHITZ},
                                 .substeps = 64};
BR_DUHEM_DEFINE(my_dahl)

static void test_dahl(void **state)
{
  motion built_in, own;
  br_model m;
  br_err err;
  rng r = {3};
  (void)state;
  assert_int_equal(my_dahl_model(&m, &err), BR_OK);
  motion_init(&built_in, "dahl");
  own = built_in;
  own.m = &m;
  m.defaults(own.par);
  motion_ready(&own);
  assert_int_equal(m.check(own.par, &err), BR_OK);
  assert_true(m.passive(own.par) && m.energy && (m.flags & BR_MODEL_ENERGY));
  assert_int_equal(br_duhem_homogeneous(&my_dahl, own.par), 1);
  for (int i = 0; i < 2000; i++) {
    const double v = rng_range(&r, -1, 1);
    motion_hold(&own, v, 0.05), motion_hold(&built_in, v, 0.05);
    near(own.z[0], built_in.z[0], 1e-9);
    near(m.energy(own.par, 2, own.u, own.z), 2 * 0.5 * own.z[0] * own.z[0] / 7.5, 1e-15);
  }
  own.par[1] = -1;
  assert_int_equal(m.check(own.par, &err), BR_E_RANGE);
  assert_non_null(strstr(err.msg, "Fc"));
  assert_non_null(strstr(err.msg, "my_dahl"));
}

/* LuGre's state equation: g is not homogeneous. */
static void lugre_f(const double *p, const double *x, double u, double *f)
{
  (void)p, (void)u, f[0] = 1, f[1] = x[0];
}
static void lugre_g(const double *p, double v, double *g)
{
  (void)p;
  g[0] = v;
  g[1] = -1e5 * fabs(v) / (1 + 0.5 * exp(-(v / 0.001) * (v / 0.001)));
}
static const br_duhem my_lugre = {.name = "my_lugre",
                                  .n = 1,
                                  .r = 2,
                                  .f = lugre_f,
                                  .g = lugre_g,
                                  .h = first_h,
                                  .cls = {.rate_dependent = 1, .continuity = BR_LIPSCHITZ}};
BR_DUHEM_DEFINE(my_lugre)

static void test_lugre(void **state)
{
  motion q;
  br_model m;
  br_class c;
  double z = 0, u = 0;
  (void)state;
  assert_int_equal(my_lugre_model(&m, NULL), BR_OK);
  assert_int_equal(br_duhem_homogeneous(&my_lugre, NULL), 0);
  m.classify(NULL, &c);
  assert_true(c.duhem == BR_DUHEM_GENERALIZED && c.rate_dependent && c.continuity == BR_LIPSCHITZ);
  assert_string_equal(m.states[0].name, "x"); /* names of its own */
  assert_true(!m.energy && m.slots == 0 && m.nmode(NULL) == 0 && !m.passive(NULL));
  motion_init(&q, "lugre");
  for (int i = 0; i < 2000; i++) {
    const double v = 0.002 * sin(0.01 * i);
    m.step(NULL, 1, &u, &v, 1e-4, &z);
    motion_hold(&q, v, 1e-4);
    near(z, q.z[0], 1e-12);
  }
}

/* The semilinear form of order 2 with a position in f: several states, two columns, against the exact step.
 * */
static void pair_f(const double *p, const double *x, double u, double *f)
{
  (void)p;
  f[0] = -3 * x[0] + 0.5 * x[1] + 2 * u + 1, f[1] = 4 * x[0] - 0.2 * x[1] - u + 1;
  f[2] = 0.3 * x[0] - 2 * x[1] + 0.7 * u - 1, f[3] = 0.1 * x[0] + 3 * x[1] + 0.4 * u + 2;
}
static double pair_h(const double *p, const double *x, double u)
{
  return (void)p, x[0] - 0.5 * x[1] + 0.25 * u;
}
static const br_duhem my_pair = {
    .name = "my_pair", .n = 2, .r = 2, .f = pair_f, .g = split_g, .h = pair_h, .substeps = 40};
BR_DUHEM_DEFINE(my_pair)

static void test_pair(void **state)
{
  static const double Ap[] = {-3, 0.5, 0.3, -2}, Am[] = {4, -0.2, 0.1, 3}, Bp[] = {2, 0.7}, Bm[] = {-1, 0.4};
  static const double Ep[] = {1, -1}, Em[] = {1, 2}, C[] = {1, -0.5};
  motion q;
  br_model m;
  double z[2] = {0, 0}, u = 0, F, G;
  (void)state;
  assert_int_equal(my_pair_model(&m, NULL), BR_OK);
  motion_init(&q, "semilinear_duhem");
  motion_set(&q, "n", 2), motion_set(&q, "D", 0.25);
  motion_set_vector(&q, "Ap", 4, Ap), motion_set_vector(&q, "Am", 4, Am);
  motion_set_vector(&q, "Bp", 2, Bp), motion_set_vector(&q, "Bm", 2, Bm);
  motion_set_vector(&q, "Ep", 2, Ep), motion_set_vector(&q, "Em", 2, Em), motion_set_vector(&q, "C", 2, C);
  motion_ready(&q);
  for (int i = 0; i < 200; i++) {
    const double v = cos(0.3 * i), vv[2] = {v, 0};
    m.step(NULL, 1, &u, &v, 0.2, z);
    u += v * 0.2;
    motion_hold(&q, v, 0.2);
    m.force(NULL, 1, &u, &v, z, NULL, &F);
    motion_force(&q, vv, &G);
    near(F, G, 1e-8);
  }
}

static void test_refusals(void **state)
{
  const br_duhem_hooks none = {0};
  static const br_state too_many[] = {{"a", "1", "first", 1}, {"b", "1", "second", 1}};
  static const br_param outside[] = {{.name = "k", .unit = "1", .doc = "stiffness", .slot = 7, .max_len = 1}};
  br_duhem d;
  br_model m;
  br_err err;
  (void)state;
#define REFUSED(change, word)                                        \
  do {                                                               \
    d = my_dahl;                                                     \
    change;                                                          \
    assert_int_equal(br_duhem_model(&d, &none, &m, &err), BR_E_ARG); \
    assert_int_equal(err.code, BR_E_ARG);                            \
    assert_non_null(strstr(err.msg, word));                          \
    assert_int_equal(br_duhem_model(&d, &none, &m, NULL), BR_E_ARG); \
  } while (0)
  REFUSED(d.name = NULL, "name");
  REFUSED(d.name = "", "name");
  REFUSED(d.n = 0, "n must");
  REFUSED(d.n = 17, "n must");
  REFUSED(d.r = 0, "r must");
  REFUSED(d.r = 9, "r must");
  REFUSED(d.f = NULL, "f, g and h");
  REFUSED(d.g = NULL, "f, g and h");
  REFUSED(d.h = NULL, "f, g and h");
  REFUSED(d.params = NULL, "params");
  REFUSED((d.params = outside, d.nparam = 1), "slots");
  REFUSED(d.slots = 1, "slots");
  static br_param vector[] = {{.name = "c", .unit = "1", .doc = "two numbers", .max_len = 2, .len_slot = 2}};
  REFUSED((d.params = vector, d.nparam = 1, d.slots = 2), "slots"); /* its length lies behind the block */
  vector[0].slot = 1, vector[0].len_slot = 0;
  REFUSED((d.params = vector, d.nparam = 1, d.slots = 2), "slots"); /* its last number does */
  d = my_dahl, d.params = vector, d.nparam = 1, d.slots = 3;
  assert_int_equal(br_duhem_model(&d, &none, &m, &err), BR_OK);
  REFUSED((d.states = too_many, d.nstates_rows = 2), "states");
  REFUSED(d.n = 2, "states"); /* one row of one state */
  REFUSED(d.substeps = -1, "substeps");
  REFUSED(d.substeps = 10001, "substeps");
  assert_int_equal(br_duhem_model(NULL, &none, &m, &err), BR_E_ARG);
  assert_int_equal(br_duhem_model(&my_dahl, NULL, &m, &err), BR_E_ARG);
  assert_int_equal(br_duhem_model(&my_dahl, &none, NULL, &err), BR_E_ARG);
}

/* Parameters without bounds must still be numbers. */
static void test_numbers(void **state)
{
  static const br_param any[] = {
      {.name = "c", .unit = "1", .doc = "any number", .lo = -INFINITY, .hi = INFINITY, .max_len = 1}};
  static const double wrong[] = {INFINITY, -INFINITY, NAN}, right[] = {0, -1e300, 1e300};
  br_duhem d = my_lugre;
  br_err err;
  (void)state;
  d.params = any, d.nparam = 1, d.slots = 1;
  for (int i = 0; i < 3; i++) {
    assert_int_equal(br_duhem_check(&d, &right[i], &err), BR_OK);
    assert_int_equal(br_duhem_check(&d, &wrong[i], &err), BR_E_RANGE);
    assert_non_null(strstr(err.msg, "parameter c "));
  }
}

/* Rate matters as soon as it does one way, and by a millionth. */
static void back_g(const double *p, double v, double *g)
{
  g[0] = v > 0 ? p[0] * v : v, g[1] = 0;
  if (v * p[1] > 0) g[1] = p[2] * v * fabs(v) / (1 + fabs(v));
}

/* The same on top of a number that is homogeneous. */
static void near_g(const double *p, double v, double *g)
{
  back_g(p, v, g);
  g[0] += g[1], g[1] = 0;
}

static void test_rates(void **state)
{
  static const struct {
    double p[3];
    int homogeneous;
  } rows[] = {{{1, 1, 0}, 1},  {{3, -1, 0}, 1},   {{1, 1, 1}, 0},
              {{1, -1, 1}, 0}, {{1, 1, 1e-6}, 0}, {{1, -1, 1e-6}, 0}};
  br_duhem d = my_lugre;
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    d.g = back_g;
    assert_int_equal(br_duhem_homogeneous(&d, rows[i].p), rows[i].homogeneous);
    d.g = near_g;
    assert_int_equal(br_duhem_homogeneous(&d, rows[i].p), rows[i].homogeneous);
  }
}

static void test_info(void **state)
{
  const br_model *m = br_duhem_info();
  br_class c;
  (void)state;
  assert_string_equal(m->name, "duhem");
  m->classify(NULL, &c);
  assert_int_equal(c.duhem, BR_DUHEM_GENERALIZED);
  m->defaults(NULL), m->prepare(NULL);
  assert_int_equal(m->check(NULL, NULL), BR_OK);
  assert_true(m->nparam == 0 && m->nstates_rows == 1 && m->nstate(NULL) == BR_DUHEM_MAX_N &&
              !m->passive(NULL));
  assert_true(!m->rate && !m->force && !m->step);
  assert_null(br_model_find("duhem")); /* not a kernel of the list */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_dahl),     cmocka_unit_test(test_lugre),   cmocka_unit_test(test_pair),
      cmocka_unit_test(test_refusals), cmocka_unit_test(test_numbers), cmocka_unit_test(test_rates),
      cmocka_unit_test(test_info),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
