/* SPDX-License-Identifier: Apache-2.0
 * test_classify.c - Table I as measured, against its corrected cells and the models' own claims;
 * admissibility against the conditions the models state, over random parameters. */
#include <stdlib.h>

#include "loopkit.h"

#include "bristle/classify.h"
#include "support/motion.h"
#include "support/sample.h"

static br_class_report classified(const element *e)
{
  br_class_report r;
  br_err err;
  if (br_classify(e->m, e->par, &r, &err)) fail_msg("%s: %s", e->m->name, err.msg);
  return r;
}

static br_energy_report judged(const element *e)
{
  br_energy_report r;
  br_err err;
  if (br_admissible(e->m, e->par, &r, &err)) fail_msg("%s: %s", e->m->name, err.msg);
  return r;
}

/* Document 4, Table I, corrected by docs/corrections.md#004-8. */
static void table_one(void **state)
{
  static const struct {
    const char *model, *set, *row;
    br_duhem_class duhem;
    int rate_dependent;
    br_continuity continuity;
    int noted;
  } rows[] = {
      {"dahl", "gamma=0", "Dahl, 0 <= gamma < 1", BR_DUHEM_NONE, 0, BR_DISCONTINUOUS, 1},
      {"dahl", "gamma=0.3", "Dahl, 0 <= gamma < 1", BR_DUHEM_GENERALIZED, 0, BR_CONTINUOUS, 0},
      {"dahl", "gamma=0.5", "Dahl, 0 <= gamma < 1", BR_DUHEM_GENERALIZED, 0, BR_CONTINUOUS, 0},
      {"dahl", "gamma=1", "Dahl, gamma = 1", BR_DUHEM_SEMILINEAR, 0, BR_LIPSCHITZ, 0},
      {"dahl", "gamma=2", "Dahl, gamma > 1", BR_DUHEM_GENERALIZED, 0, BR_LIPSCHITZ, 0},
      {"lugre", "", "LuGre", BR_DUHEM_GENERALIZED, 1, BR_LIPSCHITZ, 1},
      {"maxwell_slip", "", "Maxwell-slip", BR_DUHEM_NONE, 0, BR_DISCONTINUOUS, 1},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    element e = element_open(rows[k].model);
    if (rows[k].set[0]) element_set(&e, rows[k].set);
    const br_class_report r = classified(&e);
    const br_table1_row *p = br_table1_printed(e.m, e.par);
    if (r.measured.duhem != rows[k].duhem || r.measured.rate_dependent != rows[k].rate_dependent ||
        r.measured.continuity != rows[k].continuity)
      fail_msg("%s %s: measured %d %d %d", rows[k].model, rows[k].set, r.measured.duhem,
               r.measured.rate_dependent, r.measured.continuity);
    assert_non_null(p);
    assert_string_equal(p->row, rows[k].row);
    assert_int_equal(p->note != NULL, rows[k].noted);
  }
  element e = element_open("dahl"); /* the exponent itself is measured */
  element_set(&e, "gamma=0.3");
  near(classified(&e).exponent, 0.3, 0.02);
  assert_int_equal(classified(&e).output_uses_rate, 0);
  e = element_open("lugre");
  assert_int_equal(classified(&e).output_uses_rate, 1);
  e = element_open("bouc_wen");
  assert_null(br_table1_printed(e.m, e.par));
}

/* What the models say of themselves is what is measured. */
static void claims(void **state)
{
  size_t n = 0;
  const br_model *const *all = br_models(&n);
  for (size_t i = 0; i < n; i++) {
    br_class claim;
    if (all[i]->axes != 1) continue;
    const element e = element_open(all[i]->name);
    const br_class_report r = classified(&e);
    e.m->classify(e.par, &claim);
    if (claim.duhem != r.measured.duhem || claim.rate_dependent != r.measured.rate_dependent ||
        claim.continuity != r.measured.continuity)
      fail_msg("%s claims %d %d %d, measured %d %d %d", e.m->name, claim.duhem, claim.rate_dependent,
               claim.continuity, r.measured.duhem, r.measured.rate_dependent, r.measured.continuity);
  }
}

/* ... at the edges of their parameters too, and with exponents close to 1. */
static void edges(void **state)
{
  static const struct {
    const char *model, *set;
    double exponent;
  } rows[] = {{"dahl", "gamma=0.98", 0.98},
              {"dahl", "gamma=0.999", 0.999},
              {"dahl", "gamma=0.9999", 0.9999},
              {"dahl", "gamma=0.01", 0.01},
              {"dahl", "gamma=1.001", 1},
              {"bouc_wen", "eta=0.98", 0.98},
              {"bouc_wen", "eta=0.999,beta=0.1,gamma=0.1", 0.999},
              {"bouc_wen", "eta=0.97,beta=0.5,gamma=-0.5", 0.97},
              {"bouc_wen", "eta=0.5,beta=0,gamma=0", 1},
              {"bouc_wen", "eta=1", 1},
              {"bouc_wen", "eta=1.01", 1},
              {"duhem_lugre", "eta=0.95", 0.95},
              {"duhem_lugre", "eta=1.5,beta=0,gamma=0,Ts=0", 1},
              {"lugre", "Fs=1,Fc=1,sigma1=0,sigma2=0", 1},
              {"lugre", "Fs=1,Fc=1", 1},
              {"lugre", "delta=0.3", 1},
              {"lugre_elastoplastic", "Fs=1,Fc=1,sigma1=0,sigma2=0", 1},
              {"lugre_elastoplastic", "Fs=1,Fc=1", 1},
              {"lugre_elastoplastic", "z_ba=9.99e-6", 1},
              {"coulomb", "Fs=1,Fc=1,sigma2=0", 1},
              {"coulomb", "delta=0.4", 1},
              {"gms", "Fs=1,Fc=1,sigma2=0", 0},
              {"gms", "Fs=1.05,Fc=1,sigma2=0", 0}};
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    br_class claim;
    element e = element_open(rows[k].model);
    element_set(&e, rows[k].set);
    const br_class_report r = classified(&e);
    e.m->classify(e.par, &claim);
    if (claim.duhem != r.measured.duhem || claim.rate_dependent != r.measured.rate_dependent ||
        claim.continuity != r.measured.continuity)
      fail_msg("%s %s claims %d %d %d, measured %d %d %d", rows[k].model, rows[k].set, claim.duhem,
               claim.rate_dependent, claim.continuity, r.measured.duhem, r.measured.rate_dependent,
               r.measured.continuity);
    near(r.exponent, rows[k].exponent, 1e-5);
  }
}

/* A force that goes back the way it came makes no hysteresis: the work of its loops is rounding. */
static void reversible(void **state)
{
  static const char *const none[] = {"beta=0,gamma=1",       "beta=0,gamma=1,eta=1",
                                     "beta=0,gamma=1,eta=5", "beta=0,gamma=3,uy=1e-3,eta=0.7",
                                     "beta=0,gamma=-1",      "beta=0,gamma=0"};
  element e = element_open("bouc_wen");
  for (size_t k = 0; k < sizeof none / sizeof none[0]; k++) {
    element_set(&e, "uy=1,eta=2");
    element_set(&e, none[k]);
    if (judged(&e).verdict != BR_REVERSIBLE) fail_msg("%s: verdict %d", none[k], judged(&e).verdict);
  }
  element_set(&e, "uy=1,eta=2,beta=1e-4,gamma=1");
  assert_int_equal(judged(&e).verdict, BR_PASSIVE_OTHER_ENERGY);
  element_set(&e, "beta=-1e-4,gamma=1");
  assert_int_equal(judged(&e).verdict, BR_ACTIVE);
  const element one = element_open("maxwell_slip");
  assert_int_equal(judged(&one).verdict, BR_ADMISSIBLE);
  assert_string_equal(br_admissibility_text(BR_REVERSIBLE), "reversible, no hysteresis");
}

/* gms with Fs > Fc: a crawl charges the spring to Fs for nothing, the way back returns it; at most
 * (Fs - Fc)^2 / 2k at either end.  The schedule found is marched. */
static void schedules(void **state)
{
  static const double ratio[] = {1.1, 1.5, 2};
  for (size_t c = 0; c < 3; c++) {
    const double k = pow(10, 3 + (double)c), one = 1;
    motion q;
    motion_init(&q, "gms");
    motion_set_vector(&q, "k", 1, &k);
    motion_set_vector(&q, "alpha", 1, &one);
    motion_set(&q, "Fs", ratio[c]);
    motion_set(&q, "sigma2", c == 1 ? 0.4 : 0.0);
    motion_ready(&q);
    element e = {.m = q.m};
    memcpy(e.par, q.par, q.m->slots * sizeof(double));
    const br_energy_report g = judged(&e);
    const double most = (ratio[c] - 1) * (ratio[c] - 1) / (2 * k);
    if (g.verdict != BR_ACTIVE) fail_msg("Fs = %.3g: verdict %d", ratio[c], g.verdict);
    assert_int_equal(g.cycle_is_speed, BR_CYCLE_SCHEDULE);
    assert_true(g.cycle_work < -0.5 * most && g.cycle_work > -2.001 * most);
    assert_true(g.searched_schedules > 100 && g.searched_loops == 33);
    double time = 0; /* of all its legs */
    for (size_t i = 0; i < g.n_legs; i++) time += fabs(g.leg_length[i]) / g.leg_speed[i];
    assert_true(g.n_legs > 1);
    near(g.cycle_time / time, 1, 1e-12);
    motion_hold(&q, g.leg_speed[0], 10 * ratio[c] / k / g.leg_speed[0]);
    for (int cycle = 0; cycle < 3; cycle++) {
      q.work = 0;
      for (size_t i = 0; i < g.n_legs; i++) {
        const double v = g.leg_length[i] < 0 ? -g.leg_speed[i] : g.leg_speed[i];
        motion_move(&q, v, 0, g.leg_length[i] / v);
      }
    }
    near(q.work, g.cycle_work, 1e-2 * fabs(g.cycle_work));
  }
}

/* docs/corrections.md#003-1: beta > 0 and |gamma| <= beta admissible, 0 < beta < |gamma| passive otherwise,
 * beta < 0 active. */
static void bouc_wen(void **state)
{
  rng r = {31};
  for (int k = 0; k < (getenv("CI") ? 24 : 9); k++) {
    element e = element_open("bouc_wen");
    const double beta = k < 4 ? -0.25 + 0.25 * k * 1.01 : rng_range(&r, -0.6, 1.4);
    if (fabs(beta) < 0.02 || fabs(beta - 0.5) < 0.02) continue;
    element_put(&e, "beta", beta);
    element_put(&e, "gamma", 1 - beta);
    element_put(&e, "eta", rng_range(&r, 1, 3));
    const br_energy_report q = judged(&e);
    const br_admissibility want = beta < 0 ? BR_ACTIVE : beta < 0.5 ? BR_PASSIVE_OTHER_ENERGY : BR_ADMISSIBLE;
    if (q.verdict != want) fail_msg("beta = %.4g: verdict %d, expected %d", beta, q.verdict, want);
    assert_int_equal(want == BR_ADMISSIBLE, e.m->passive(e.par));
    if (want == BR_ACTIVE) { /* the cycle shown does create energy */
      const double u[] = {q.cycle_a, -q.cycle_a};
      br_loop *loop = loop_open(&e, 2, u, 0);
      assert_true(br_loop_get(loop)->work < 0);
      near(br_loop_get(loop)->work, q.cycle_work, 1e-6 * fabs(q.cycle_work));
      br_loop_destroy(loop);
    } else {
      assert_true(q.cycle_work > -1e-12);
    }
    if (want == BR_PASSIVE_OTHER_ENERGY) assert_true(q.worst_rate < 0 && q.worst_v != 0);
  }
}

/* LuGre: sigma2 >= sigma1 (Fs - Fc) / Fc; the cycle found below it is run through once more, by marching. */
static void lugre(void **state)
{
  rng r = {32};
  for (int k = 0; k < 8; k++) {
    motion q;
    sample_element(&q, "lugre", &r);
    const double bound =
        motion_get(&q, "sigma1") * (motion_get(&q, "Fs") - motion_get(&q, "Fc")) / motion_get(&q, "Fc");
    motion_set(&q, "vd", 0); /* the condition is that of constant sigma1 and linear viscosity */
    motion_set(&q, "f_exp", 1);
    q.load = 1;
    motion_set(&q, "sigma2", bound * (k % 2 ? 1.05 : 0.05));
    motion_ready(&q);
    element e = {.m = q.m};
    memcpy(e.par, q.par, q.m->slots * sizeof(double));
    const br_energy_report g = judged(&e);
    assert_int_equal(e.m->passive(e.par), k % 2);
    if (k % 2) {
      if (g.verdict == BR_ACTIVE) fail_msg("run %d: active although sigma2 is large enough", k);
      continue;
    }
    if (g.verdict != BR_ACTIVE) {
      for (size_t i = 0; i < e.m->nparam; i++)
        printf("%s=%.6g,", e.m->params[i].name, e.par[e.m->params[i].slot]);
      fail_msg("run %d: verdict %d, least work %.3g", k, g.verdict, g.cycle_work);
    }
    assert_int_equal(g.cycle_is_speed, 1);
    motion_hold(&q, g.cycle_a, 100 * br_natural_amplitude(e.m, e.par) / g.cycle_a);
    for (int cycle = 0; cycle < 20000; cycle++) { /* settle, two exact steps a cycle */
      motion_hold(&q, g.cycle_a, (1 - g.cycle_part) * g.cycle_time);
      motion_hold(&q, g.cycle_b, g.cycle_part * g.cycle_time);
    }
    q.work = 0;
    motion_move(&q, g.cycle_a, 0, (1 - g.cycle_part) * g.cycle_time);
    motion_move(&q, g.cycle_b, 0, g.cycle_part * g.cycle_time);
    near(q.work, g.cycle_work, 1e-3 * fabs(g.cycle_work));
    assert_true(q.work < 0);
  }
}

/* Where a model's condition holds, no random draw may be called active. */
static void passive_models(void **state)
{
  static const char *const models[] = {"dahl",    "maxwell_slip", "bliman_sorine",
                                       "coulomb", "gms",          "duhem_lugre"};
  rng r = {33};
  for (size_t k = 0; k < sizeof models / sizeof models[0]; k++)
    for (int c = 0; c < (getenv("CI") ? 4 : 1); c++) {
      motion q;
      sample_element(&q, models[k], &r);
      element e = {.m = q.m};
      memcpy(e.par, q.par, q.m->slots * sizeof(double));
      const br_energy_report g = judged(&e);
      if (e.m->passive(e.par) && g.verdict == BR_ACTIVE)
        fail_msg("%s: called active, work %.3g", models[k], g.cycle_work);
    }
}

/* Unusual scales: tiny, huge, without a level. */
static void odd_scales(void **state)
{
  element e = element_open("dahl");
  element_set(&e, "sigma0=1e-9,Fc=1e6,gamma=1");
  assert_int_equal(classified(&e).measured.duhem, BR_DUHEM_SEMILINEAR);
  element_set(&e, "sigma0=1e12,Fc=1e-6,gamma=2");
  assert_int_equal(classified(&e).measured.duhem, BR_DUHEM_GENERALIZED);
  assert_int_equal(judged(&e).verdict, BR_ADMISSIBLE);
  e = element_open("bouc_wen");
  element_set(&e, "kappa=1"); /* a spring beside nothing: the force has no level */
  const br_class_report r = classified(&e);
  assert_int_equal(r.measured.rate_dependent, 0);
}

static void refuses(void **state)
{
  br_class_report r;
  br_energy_report g;
  br_err err;
  const element e = element_open("bouc_wen_biaxial"), d = element_open("dahl");
  assert_int_equal(br_classify(e.m, e.par, &r, &err), BR_E_UNSUPPORTED);
  assert_non_null(strstr(err.msg, "bouc_wen_biaxial"));
  assert_int_equal(br_admissible(e.m, e.par, &g, &err), BR_E_UNSUPPORTED);
  assert_int_equal(br_classify(d.m, NULL, &r, &err), BR_E_ARG);
  assert_int_equal(br_classify(NULL, d.par, &r, NULL), BR_E_ARG);
  assert_int_equal(br_admissible(NULL, NULL, &g, &err), BR_E_ARG);
}

/* Maps without state slide from the start: no length tells, and none of rounding's size is searched. */
static void amplitude_of_maps(void **state)
{
  static const char *const maps[] = {"coulomb", "karnopp"};
  br_energy_report r;
  br_err err;
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    const element e = element_open(maps[i]);
    assert_true(br_natural_amplitude(e.m, e.par) == 1);
    assert_int_equal(br_admissible(e.m, e.par, &r, &err), BR_OK);
    assert_true(r.searched_amplitude >= 0.1 && r.verdict == BR_ADMISSIBLE);
  }
  const element lugre = element_open("lugre");
  assert_true(br_natural_amplitude(lugre.m, lugre.par) < 1e-2);
}

/* A loop is left in the limit of slow motion, or it is not: a spring with a damper, Bouc-Wen with beta = 0.
 * */
static void hysteretic(void **state)
{
  static const struct {
    const char *model, *set;
    int yes;
  } rows[] = {{"dahl", "gamma=1", 1},
              {"lugre", "sigma1=300", 1},
              {"coulomb", "Fc=1", 1},
              {"bouc_wen", "beta=0.1,gamma=0.9", 1},
              {"bouc_wen", "beta=0,gamma=1", 0},
              {"duhem_lugre", "beta=0,gamma=0,Ts=0.05", 0},
              {"viscous", "", 0}};
  double share = 0;
  br_err err;
  (void)state;
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    element e = element_open(rows[k].model);
    element_set(&e, rows[k].set);
    assert_int_equal(br_hysteresis(e.m, e.par, NULL, &share, &err), BR_OK);
    if ((share > BR_HYSTERETIC_SHARE) != rows[k].yes)
      fail_msg("%s %s: %g", rows[k].model, rows[k].set, share);
  }
  element e = element_open("bouc_wen");
  element_set(&e, "inv_d0=0.1"); /* no steady loop */
  assert_int_equal(br_hysteresis(e.m, e.par, NULL, &share, &err), BR_OK);
  assert_true(isnan(share));
  const element two = element_open("bouc_wen_biaxial");
  assert_int_equal(br_hysteresis(two.m, two.par, NULL, &share, &err), BR_E_UNSUPPORTED);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(amplitude_of_maps), cmocka_unit_test(table_one), cmocka_unit_test(claims),
      cmocka_unit_test(bouc_wen),          cmocka_unit_test(lugre),     cmocka_unit_test(passive_models),
      cmocka_unit_test(odd_scales),        cmocka_unit_test(refuses),   cmocka_unit_test(edges),
      cmocka_unit_test(reversible),        cmocka_unit_test(schedules), cmocka_unit_test(hysteretic),
  };
  return cmocka_run_group_tests_name("loop/classify", tests, NULL, NULL);
}
