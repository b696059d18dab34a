/* SPDX-License-Identifier: Apache-2.0
 * test_guards.c - loops at their corners: models with too many states, contraction where the rate has died
 * down, the slightest hysteresis, a search for gained energy that goes downhill. */
#include "loopkit.h"

#include "bristle/classify.h"

/* ---- a model of a user: many states that all follow u, and modes that nothing depends on ---- */

static size_t nstate_of, nmode_of;
static size_t many_states(const void *par) { return (void)par, nstate_of; }
static size_t many_modes(const void *par) { return (void)par, nmode_of; }

static void lag_rate(const void *par, double n, const double *u, const double *v, const double *z, double *dz)
{
  (void)par, (void)n, (void)u;
  for (size_t i = 0; i < nstate_of; i++) dz[i] = v[0] - fabs(v[0]) * z[i];
  for (size_t i = 0; i < nmode_of; i++) dz[nstate_of + i] = 0;
}

static void sum_force(const void *par, double n, const double *u, const double *v, const double *z,
                      const double *dz, double *F)
{
  (void)par, (void)n, (void)u, (void)v, (void)dz;
  F[0] = 0;
  for (size_t i = 0; i < nstate_of; i++) F[0] += z[i];
}

static void lag_step(const void *par, double n, const double *u, const double *v, double h, double *z)
{
  (void)par, (void)n, (void)u;
  const double end = copysign(1, v[0]);
  for (size_t i = 0; i < nstate_of; i++) z[i] = end + (z[i] - end) * exp(-fabs(v[0]) * h);
}

/* Either the right loop, n times that of one state, or a refusal that says why. */
static void many(void **state)
{
  static const double turns[] = {-1, 1};
  static const size_t COUNTS[][2] = {{1, 0},   {30, 0},  {64, 0},  {30, 30}, {35, 36},
                                     {36, 36}, {60, 60}, {64, 64}, {65, 0}};
  br_model m;
  double one = 0;
  int refused = 0;
  (void)state;
  memset(&m, 0, sizeof m);
  m.name = "many", m.axes = 1, m.nstate = many_states, m.nmode = many_modes, m.rate = lag_rate,
  m.force = sum_force;
  m.step = lag_step, m.nz = 512;
  for (size_t k = 0; k < sizeof COUNTS / sizeof *COUNTS; k++) {
    br_loop *loop = NULL;
    br_err err = {BR_OK, -1, ""};
    nstate_of = COUNTS[k][0], nmode_of = COUNTS[k][1];
    const br_status st = br_loop_create(&m, NULL, 2, turns, 0, NULL, &loop, &err);
    if (st) {
      if (!strstr(err.msg, "states")) fail_msg("%zu states, %zu modes: %s", nstate_of, nmode_of, err.msg);
      refused++;
      continue;
    }
    const double work = br_loop_get(loop)->work / (double)nstate_of;
    if (nstate_of == 1) one = work;
    near(work, one, 1e-9 * fabs(one));
    assert_true(nstate_of <= 64 && nstate_of + nmode_of < 72);
    br_loop_destroy(loop);
  }
  assert_true(one > 0 && refused >= 3);
}

/* duhem_lugre, eta = 1: dz/du = 1 - z/2 on the way out, 1 on the way back, so that a half period of 40
 * shrinks by exp(-(40 - z)/2) with z = 2 - 2 exp(-(40 - z)/2) at its end.  The rate has died down to 1e-8 of
 * itself there: what it is made of must not be taken for a ratio. */
static void contraction(void **state)
{
  static const double turns[] = {-20, 20};
  (void)state;
  element e = element_open("duhem_lugre");
  br_loop *loop = loop_open(&e, 2, turns, 0);
  double z = 2;
  for (int k = 0; k < 50; k++) z = 2 - 2 * exp(-(40 - z) / 2);
  const double exact = exp(-(40 - z));
  near(br_loop_get(loop)->contraction, exact, 2e-8 * exact);
  br_loop_destroy(loop);
}

/* A spring of which a millionth yields is hysteretic; the spring alone is not. */
static void slightest_hysteresis(void **state)
{
  static const double kappa[] = {1, 0.9999999, 0.99999};
  (void)state;
  for (int i = 0; i < 3; i++) {
    element e = element_open("bouc_wen");
    br_energy_report r;
    br_err err;
    element_put(&e, "kappa", kappa[i]);
    assert_int_equal(br_admissible(e.m, e.par, &r, &err), BR_OK);
    assert_int_equal(r.verdict, i ? BR_ADMISSIBLE : BR_REVERSIBLE);
  }
}

/* One element sticks in every small loop and slips in a large one: hysteretic all the same. */
static void only_large_loops_slip(void **state)
{
  element e = element_open("maxwell_slip");
  br_energy_report r;
  br_err err;
  (void)state;
  for (int i = 0; i < 2; i++) {
    const br_param *row = br_model_param(e.m, i ? "Delta" : "k");
    e.par[row->slot] = 1, e.par[row->len_slot] = 1;
  }
  e.m->prepare(e.par);
  assert_int_equal(br_admissible(e.m, e.par, &r, &err), BR_OK);
  assert_int_equal(r.verdict, BR_ADMISSIBLE);
}

/* The cycle shown is the best of a descent, not of a scatter: that alone gains 1.002e-6 J with gms. */
static void descent(void **state)
{
  element e = element_open("gms");
  br_energy_report r;
  br_err err;
  (void)state;
  assert_int_equal(br_admissible(e.m, e.par, &r, &err), BR_OK);
  assert_int_equal(r.verdict, BR_ACTIVE);
  assert_true(r.cycle_work < -1.015e-6);
}

/* A map with folds jumps, one without is as steep as it may be and does not. */
static void steep_is_no_jump(void **state)
{
  (void)state;
  for (int folds = 0; folds < 2; folds++) {
    element e = element_open("tomlinson");
    br_class_report r;
    br_err err;
    element_put(&e, "k", folds ? 1 : 4.5); /* 4 pi^2 V0 / (k a^2) = 4.39 / k */
    assert_int_equal(br_classify(e.m, e.par, &r, &err), BR_OK);
    assert_int_equal(r.measured.continuity, folds ? BR_DISCONTINUOUS : BR_LIPSCHITZ);
  }
}

/* The share of a loop in its box, of the loop that has most of it: in a wide one a spring beside the friction
 * hides it. */
static void fullest_loop(void **state)
{
  element e = element_open("bouc_wen");
  double share = 0, most = 0, last = 0;
  br_err err;
  (void)state;
  element_put(&e, "kappa", 0.5);
  assert_int_equal(br_hysteresis(e.m, e.par, NULL, &share, &err), BR_OK);
  for (int k = -2; k <= 2; k++) {
    const double U = pow(10, k) * br_natural_amplitude(e.m, e.par), turns[] = {-U, U};
    br_loop *loop = loop_open(&e, 2, turns, 0);
    const br_loop_summary *s = br_loop_get(loop);
    last = fabs(s->work) / (2 * U * (s->y_max - s->y_min));
    most = fmax(most, last);
    br_loop_destroy(loop);
  }
  assert_true(most > 2 * last);
  near(share, most, 1e-9 * most);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(many),
                                     cmocka_unit_test(contraction),
                                     cmocka_unit_test(slightest_hysteresis),
                                     cmocka_unit_test(only_large_loops_slip),
                                     cmocka_unit_test(descent),
                                     cmocka_unit_test(steep_is_no_jump),
                                     cmocka_unit_test(fullest_loop)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
