/* SPDX-License-Identifier: Apache-2.0
 * test_rt.c - the real-time stepper: bits of the scalar face, checks at init, sticky flags, last good
 * state. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka needs the four above first */
#include <cmocka.h>
#include <float.h>
#include <math.h>

#include "bristle/model.h"
#include "bristle/rt.h"

static double wobble(int t) { return 0.013 * sin(0.37 * t) + 0.004 * sin(2.1 * t + 1); }

static void test_same_bits_as_face(void **state)
{
  size_t n;
  const br_model *const *all = br_models(&n);
  for (size_t k = 0; k < n; k++) {
    const br_model *m = all[k];
    static double par[4096], values[4096];
    static br_rt_f64 rt;
    double z[512] = {0}, dz[512] = {0}, u[2] = {0, 0}, load = 1.25;
    assert_true(m->slots <= 4096 && m->nz <= 512);
    m->defaults(par);
    assert_int_equal(br_rt_defaults_f64(m->name, values, 4096), m->slots);
    assert_memory_equal(par, values, m->slots * sizeof(double));
    m->prepare(par);
    int bad = 99;
    assert_int_equal(br_rt_init_f64(&rt, m->name, values, &bad), BR_OK);
    assert_int_equal(bad, -1);
    assert_memory_equal(rt.par, par, m->slots * sizeof(double));
    rt.load = load;
    for (int t = 0; t < 300; t++) {
      double v[2] = {wobble(t), -0.7 * wobble(t + 9)}, F[2] = {0, 0}, G[2] = {0, 0};
      m->step(par, load, u, v, 2e-3, z);
      for (int a = 0; a < m->axes; a++) u[a] = u[a] + v[a] * 2e-3;
      m->rate(par, load, u, v, z, dz);
      m->force(par, load, u, v, z, dz, F);
      if (m->axes == 1) G[0] = br_rt_step_f64(&rt, rt.u[0], v[0], 2e-3);
      else br_rt_step2_f64(&rt, rt.u, v, 2e-3, G);
      assert_memory_equal(F, G, sizeof F);
    }
    const size_t used = m->nstate(par) + m->nmode(par);
    assert_int_equal(rt.nz, used);
    assert_memory_equal(rt.z, z, used * sizeof(double));
    assert_int_equal(br_rt_flags_f64(&rt, 0), 0);
  }
}

static void test_f32_is_near_f64(void **state)
{
  static br_rt_f64 a;
  static br_rt_f32 b;
  static double pa[BR_RT_SLOTS];
  static float pb[BR_RT_SLOTS];
  const char *names[] = {"dahl", "lugre", "maxwell_slip", "bouc_wen"};
  for (size_t k = 0; k < 4; k++) {
    br_rt_defaults_f64(names[k], pa, BR_RT_SLOTS);
    br_rt_defaults_f32(names[k], pb, BR_RT_SLOTS);
    assert_int_equal(br_rt_init_f64(&a, names[k], pa, NULL), BR_OK);
    assert_int_equal(br_rt_init_f32(&b, names[k], pb, NULL), BR_OK);
    double worst = 0, scale = 0;
    for (int t = 0; t < 300; t++) {
      const double F = br_rt_step_f64(&a, a.u[0], (float)wobble(t), 1e-2);
      const double G = (double)br_rt_step_f32(&b, b.u[0], (float)wobble(t), 1e-2f);
      worst = fmax(worst, fabs(F - G)), scale = fmax(scale, fabs(F));
    }
    assert_true(worst > 0 && worst < 2e-5 * scale); /* really another precision, and the same model */
  }
}

static void test_names_and_slots(void **state)
{
  const br_model *m = br_model_find("maxwell_slip");
  assert_int_equal(br_rt_slot("maxwell_slip", "Delta"), br_model_param(m, "Delta")->slot);
  assert_int_equal(br_rt_length("maxwell_slip", "Delta"), br_model_param(m, "Delta")->len_slot);
  assert_int_equal(br_rt_length("lugre", "sigma0"), -1);
  assert_int_equal(br_rt_slot("lugre", "sigma9"), -1);
  assert_int_equal(br_rt_slot("lugr", "sigma0"), -1);
  assert_int_equal(br_rt_slot(NULL, "sigma0"), -1);
  assert_int_equal(br_rt_slot("lugre", NULL), -1);
  double few[2] = {-7, -7};
  assert_int_equal(br_rt_defaults_f64("nothing", few, 2), 0);
  assert_int_equal(br_rt_defaults_f64("lugre", few, 2), br_model_find("lugre")->slots);
  assert_true(few[0] == -7); /* too small: untouched */
}

static void test_init_checks(void **state)
{
  static br_rt_f64 rt;
  static double p[BR_RT_SLOTS];
  int bad;
  const int s0 = br_rt_slot("lugre", "sigma0"), fs = br_rt_slot("lugre", "Fs");
  br_rt_defaults_f64("lugre", p, BR_RT_SLOTS);
  assert_int_equal(br_rt_init_f64(NULL, "lugre", p, &bad), BR_E_ARG);
  assert_int_equal(br_rt_init_f64(&rt, NULL, p, &bad), BR_E_ARG);
  assert_int_equal(br_rt_init_f64(&rt, "lugre", NULL, &bad), BR_E_ARG);
  assert_int_equal(br_rt_init_f64(&rt, "lugr", p, &bad), BR_E_NAME);
  const double wrong[] = {-1, 0, NAN, INFINITY, -INFINITY};
  for (size_t i = 0; i < 5; i++) {
    br_rt_defaults_f64("lugre", p, BR_RT_SLOTS);
    p[s0] = wrong[i];
    assert_int_equal(br_rt_init_f64(&rt, "lugre", p, &bad), BR_E_RANGE);
    assert_int_equal(bad, s0);
    assert_int_equal(rt.model, 0);
  }
  br_rt_defaults_f64("lugre", p, BR_RT_SLOTS);
  p[fs] = 0.5 * p[br_rt_slot("lugre", "Fc")]; /* a rule between two parameters */
  assert_int_equal(br_rt_init_f64(&rt, "lugre", p, &bad), BR_E_RANGE);
  assert_int_equal(bad, fs);
  const double lengths[] = {-1, 65, 2.5, NAN};
  for (size_t i = 0; i < 4; i++) {
    br_rt_defaults_f64("maxwell_slip", p, BR_RT_SLOTS);
    p[br_rt_length("maxwell_slip", "k")] = lengths[i];
    assert_int_equal(br_rt_init_f64(&rt, "maxwell_slip", p, &bad), BR_E_SIZE);
    assert_int_equal(bad, br_rt_slot("maxwell_slip", "k"));
  }
}

static void test_flags(void **state)
{
  static br_rt_f64 rt;
  static double p[BR_RT_SLOTS];
  memset(&rt, 0, sizeof rt);
  assert_true(br_rt_step_f64(&rt, 0, 1, 1e-3) == 0);
  assert_int_equal(br_rt_flags_f64(&rt, ~0u), BR_RT_UNREADY);
  br_rt_defaults_f64("lugre", p, BR_RT_SLOTS);
  assert_int_equal(br_rt_init_f64(&rt, "lugre", p, NULL), BR_OK);
  double F = 0;
  for (int t = 0; t < 5; t++) F = br_rt_step_f64(&rt, rt.u[0], 1e-3, 1e-4);
  const double z = rt.z[0], u = rt.u[0];
  assert_true(F > 0 && z > 0 && rt.flags == 0);
  const struct {
    double u, v, h;
    unsigned flag;
  } bad[] = {
      {0, NAN, 1e-4, BR_RT_NAN},        {NAN, 0, 1e-4, BR_RT_NAN},        {0, -INFINITY, 1e-4, BR_RT_NAN},
      {0, 1, 0, BR_RT_BAD_STEP},        {0, 1, -1e-4, BR_RT_BAD_STEP},    {0, 1, NAN, BR_RT_BAD_STEP},
      {0, 1, INFINITY, BR_RT_BAD_STEP}, {0, DBL_MAX, 1e300, BR_RT_LIMIT},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    assert_true(br_rt_step_f64(&rt, bad[i].u, bad[i].v, bad[i].h) == F); /* last good force */
    assert_true(rt.z[0] == z && rt.u[0] == u);
    assert_int_equal(br_rt_flags_f64(&rt, 0), bad[i].flag);
    assert_int_equal(br_rt_flags_f64(&rt, bad[i].flag), bad[i].flag); /* sticky until cleared */
    assert_int_equal(rt.flags, 0);
  }
  br_rt_step_f64(&rt, NAN, NAN, -1);
  br_rt_step_f64(&rt, rt.u[0], 1e-3, 1e-4); /* goes on afterwards, flags stay */
  assert_true(rt.z[0] > z);
  assert_int_equal(br_rt_flags_f64(&rt, BR_RT_NAN), BR_RT_NAN | BR_RT_BAD_STEP);
  assert_int_equal(rt.flags, BR_RT_BAD_STEP);
  /* a huge step is no trouble for an exact one: it settles at the level */
  assert_true(isfinite(br_rt_step_f64(&rt, 0, 1e-2, 1e6)));
  assert_int_equal(rt.flags & BR_RT_LIMIT, 0);
}

/* A step is taken whole or not at all: where the position alone has no number any more, though force and
 * states have, it is not taken, to either side, and the next one goes on from where the contact was. */
static void test_position_overflows(void **state)
{
  static br_rt_f64 d;
  static br_rt_f32 s;
  static double pd[BR_RT_SLOTS];
  static float ps[BR_RT_SLOTS];
  (void)state;
  br_rt_defaults_f64("viscous", pd, BR_RT_SLOTS);
  br_rt_defaults_f32("viscous", ps, BR_RT_SLOTS);
  pd[0] = 0.25, ps[0] = 0.25f;
  for (int side = -1; side <= 1; side += 2) {
    assert_int_equal(br_rt_init_f64(&d, "viscous", pd, NULL), BR_OK);
    assert_int_equal(br_rt_init_f32(&s, "viscous", ps, NULL), BR_OK);
    const double far = side * 0.75 * DBL_MAX, v = side * 0.5 * DBL_MAX;
    const float far_f = (float)side * 0.75f * FLT_MAX, v_f = (float)side * 0.5f * FLT_MAX;
    assert_true(br_rt_step_f64(&d, far, v, 0.25) == 0.25 * v && d.flags == 0); /* the last place there is */
    assert_true(br_rt_step_f32(&s, far_f, v_f, 0.25f) == 0.25f * v_f && s.flags == 0);
    const double u = d.u[0];
    const float u_f = s.u[0];
    assert_true(u == far + 0.25 * v && u_f == far_f + 0.25f * v_f);
    for (int again = 0; again < 2; again++) {
      assert_true(br_rt_step_f64(&d, u, 0.5 * v, 1) == 0.25 * v); /* the last good force */
      assert_true(br_rt_step_f32(&s, u_f, 0.5f * v_f, 1) == 0.25f * v_f);
      assert_true(d.u[0] == u && s.u[0] == u_f);
      assert_int_equal(br_rt_flags_f64(&d, ~0u), BR_RT_LIMIT);
      assert_int_equal(br_rt_flags_f32(&s, ~0u), BR_RT_LIMIT);
    }
    assert_true(br_rt_step_f64(&d, u, -v, 1) == -0.25 * v && d.u[0] == u - v && d.flags == 0);
    assert_true(br_rt_step_f32(&s, u_f, -v_f, 1) == -0.25f * v_f && s.u[0] == u_f - v_f && s.flags == 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_bits_as_face),
      cmocka_unit_test(test_f32_is_near_f64),
      cmocka_unit_test(test_names_and_slots),
      cmocka_unit_test(test_init_checks),
      cmocka_unit_test(test_flags),
      cmocka_unit_test(test_position_overflows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
