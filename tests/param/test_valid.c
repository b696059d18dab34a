/* SPDX-License-Identifier: Apache-2.0
 * test_valid.c - models, mechanisms and blocks of users' programs: what is missing is named, nothing is
 * called that is not there, and a block that is not prepared or not allowed is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "bristle/classify.h"
#include "bristle/control.h"
#include "bristle/expr.h"
#include "bristle/loop.h"
#include "bristle/phase.h"
#include "bristle/solve.h"
#include "bristle/trace.h"
#include "bristle/wave.h"

enum { SLOTS = 8192 };
static const double TURNS[] = {-1e-3, 1e-3};

typedef struct {
  const br_model *m;
  const double *par;
  const br_system *sys;
  const double *spar;
  const br_signal *input;
} subject;

/* Every function that takes a model and its block. */
static br_status make_trace(const subject *s, br_err *err)
{
  br_trace *t = NULL;
  const br_status st = br_trace_create(s->m, s->par, &s->input, NULL, &t, err);
  br_trace_destroy(t);
  return st;
}
static br_status make_loop(const subject *s, br_err *err)
{
  br_loop *l = NULL;
  const br_status st = br_loop_create(s->m, s->par, 2, TURNS, 0, NULL, &l, err);
  br_loop_destroy(l);
  return st;
}
static br_status make_wave(const subject *s, br_err *err)
{
  br_wave *w = NULL;
  br_wave_settings set = br_wave_settings_default();
  set.samples = 8, set.periods = 1;
  const br_status st = br_wave_create(s->m, s->par, s->input, &set, &w, err);
  br_wave_destroy(w);
  return st;
}
static br_status make_class(const subject *s, br_err *err)
{
  br_class_report r;
  return br_classify(s->m, s->par, &r, err);
}
static br_status make_memory(const subject *s, br_err *err)
{
  br_memory_report r;
  return br_memory(s->m, s->par, 1e-4, &r, err);
}
static br_status make_plant(const subject *s, br_err *err)
{
  br_plant *p = NULL;
  const br_status st = br_plant_create(s->sys, s->spar, s->m, s->par, NULL, &p, err);
  br_plant_destroy(p);
  return st;
}
static br_status make_plant_each(const subject *s, br_err *err)
{
  br_plant *p = NULL;
  const br_status st = br_plant_create_each(s->sys, s->spar, s->m, &s->par, NULL, &p, err);
  br_plant_destroy(p);
  return st;
}
static br_status make_lag(const subject *s, br_err *err)
{
  br_lag lag;
  return br_phase_lag(s->m, s->par, 1, 0.5, 1e4, &lag, err);
}
static br_status make_steady(const subject *s, br_err *err)
{
  static const double held[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  const br_phase_plant p = {.system = s->sys, .spar = s->spar, .model = s->m, .mpar = s->par, .held = held};
  br_phase_steady out;
  return br_phase_steady_at(&p, BR_VARY_MODEL, -1, 0, &out, err);
}
static br_status make_controller(const subject *s, br_err *err)
{
  static br_controller c;
  static double pair[2 * SLOTS];
  const br_control_settings set = br_control_settings_default(BR_CONTROL_PID);
  return br_control_init(&c, &set, s->sys, s->spar, s->m, s->par, pair, 0, err);
}

typedef br_status maker(const subject *, br_err *);
static maker *const MAKERS[] = {make_trace, make_loop,       make_wave, make_class,  make_memory,
                                make_plant, make_plant_each, make_lag,  make_steady, make_controller};
enum { NMAKERS = sizeof MAKERS / sizeof MAKERS[0], FIRST_PLANT = 5 };
static const int WITH_SYSTEM[NMAKERS] = {0, 0, 0, 0, 0, 1, 1, 0, 1, 1};

static double par[SLOTS], spar[SLOTS];
static br_signal *input = NULL;

static subject good(const char *model, const char *system)
{
  br_err err;
  subject s = {br_model_find(model), par, br_system_find(system), spar, NULL};
  if (!input) assert_int_equal(br_signal_parse("sine:1mm,1Hz", &input, &err), BR_OK);
  s.input = input;
  memset(par, 0, sizeof par);
  memset(spar, 0, sizeof spar);
  s.m->defaults(par), s.m->prepare(par);
  s.sys->defaults(spar), s.sys->prepare(spar);
  return s;
}

/* A prepared block stays the same, bit for bit, when it is prepared again: so it can be told from others. */
static void prepare_twice(void **state)
{
  (void)state;
  static double again[SLOTS];
  const br_model *m = NULL;
  for (size_t i = 0; (m = br_all_models(i)) != NULL; i++) {
    assert_true(m->slots <= SLOTS);
    m->defaults(par), m->prepare(par);
    memcpy(again, par, sizeof again);
    m->prepare(again);
    assert_memory_equal(again, par, m->slots * sizeof *par);
  }
  size_t n = 0;
  const br_system *const *all = br_systems(&n);
  for (size_t i = 0; i < n; i++) {
    all[i]->defaults(spar), all[i]->prepare(spar);
    memcpy(again, spar, sizeof again);
    all[i]->prepare(again);
    assert_memory_equal(again, spar, all[i]->slots * sizeof *spar);
  }
}

static void blocks(void **state)
{
  (void)state;
  for (size_t k = 0; k < NMAKERS; k++) {
    br_err err = {BR_OK, -1, ""};
    subject s = good("lugre", "pulled_block");
    const br_status usual = MAKERS[k](&s, &err); /* some have no answer for this pair; none may refuse it */
    assert_true(usual == BR_OK || usual == BR_E_UNSUPPORTED || usual == BR_E_CONVERGE);
    par[br_model_param(s.m, "sigma0")->slot] = -1;
    s.m->prepare(par);
    assert_int_equal(MAKERS[k](&s, &err), BR_E_RANGE);
    assert_non_null(strstr(err.msg, "sigma0"));
    s = good("gms", "pulled_block");
    s.m->defaults(par); /* not prepared */
    assert_int_equal(MAKERS[k](&s, &err), BR_E_ARG);
    assert_non_null(strstr(err.msg, "prepare"));
    assert_non_null(strstr(err.msg, "gms"));
    s = good("lugre", "pulled_block");
    s.par = NULL;
    assert_int_equal(MAKERS[k](&s, &err), BR_E_ARG);
    if (!WITH_SYSTEM[k]) continue;
    s = good("lugre", "pulled_block");
    spar[s.sys->params[0].slot] = -1;
    assert_int_equal(MAKERS[k](&s, &err), BR_E_RANGE);
  }
}

/* Any one of the required functions missing: refused by name, by every maker. */
static void missing(void **state)
{
  (void)state;
  enum { PARTS = 4, SYSTEM_PARTS = 4 };
  static const char *const NAME[] = {"nstate", "nmode", "rate", "force"};
  static const char *const SYSTEM_NAME[] = {"nstate", "ncontact", "motion", "rate"};
  for (size_t k = 0; k < NMAKERS; k++) {
    br_err err = {BR_OK, -1, ""};
    for (int part = 0; part < PARTS; part++) {
      subject s = good("lugre", "pulled_block");
      br_model m = *s.m;
      m.rate_pair = NULL, m.force_pair = NULL, m.prepare_pair = NULL, m.step_pair = NULL;
      m.flags &= ~(unsigned)BR_MODEL_EXACT_STEP;
      if (part == 0) m.nstate = NULL;
      if (part == 1) m.nmode = NULL;
      if (part == 2) m.rate = NULL, m.step = NULL;
      if (part == 3) m.force = NULL;
      s.m = &m;
      assert_int_equal(MAKERS[k](&s, &err), BR_E_ARG);
      assert_non_null(strstr(err.msg, NAME[part]));
      assert_non_null(strstr(err.msg, "lugre"));
    }
    for (int part = 0; part < SYSTEM_PARTS && WITH_SYSTEM[k]; part++) {
      subject s = good("lugre", "pulled_block");
      br_system y = *s.sys;
      if (part == 0) y.nstate = NULL;
      if (part == 1) y.ncontact = NULL;
      if (part == 2) y.motion = NULL;
      if (part == 3) y.rate = NULL;
      s.sys = &y;
      assert_int_equal(MAKERS[k](&s, &err), BR_E_ARG);
      assert_non_null(strstr(err.msg, SYSTEM_NAME[part]));
    }
    subject s = good("lugre", "pulled_block");
    br_model m = *s.m;
    m.force_pair = NULL; /* of the functions of pairs all or none */
    s.m = &m;
    assert_int_equal(MAKERS[k](&s, &err), BR_E_ARG);
    assert_non_null(strstr(err.msg, "force_pair"));
    /* what may be missing is not called */
    m = *br_model_find("lugre");
    m.check = NULL, m.prepare = NULL, m.classify = NULL, m.passive = NULL, m.defaults = NULL, m.title = NULL;
    (void)MAKERS[k](&s, &err);
  }
}

/* Inputs set by name hold where no drives are given. */
static void inputs_by_name(void **state)
{
  (void)state;
  const br_system *sys = br_system_find("pulled_block");
  const br_model *m = br_model_find("lugre");
  br_param rows[8];
  br_param_table t[BR_PLANT_TABLES];
  br_params *p = NULL;
  br_plant *by_name = NULL, *by_drive = NULL;
  br_solver *one = NULL, *two = NULL;
  br_err err;
  double x[2][16] = {{0}};
  const size_t n = br_plant_tables(sys, m, rows, t);
  assert_int_equal(br_params_create_tables(t, n, &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, "vp=0.3", &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  br_drive drive = {0.3, NULL, NULL, 0, NULL};
  assert_int_equal(br_plant_of(sys, m, p, NULL, &by_name, &err), BR_OK);
  assert_int_equal(br_plant_of(sys, m, p, &drive, &by_drive, &err), BR_OK);
  assert_int_equal(br_solver_create(by_name, NULL, &one, &err), BR_OK);
  assert_int_equal(br_solver_create(by_drive, NULL, &two, &err), BR_OK);
  assert_true(br_plant_nstate(by_name) <= 16);
  assert_int_equal(br_solver_start(one, 0, x[0], &err), BR_OK);
  assert_int_equal(br_solver_start(two, 0, x[1], &err), BR_OK);
  assert_int_equal(br_solver_advance(one, 2, x[0], &err), BR_OK);
  assert_int_equal(br_solver_advance(two, 2, x[1], &err), BR_OK);
  const size_t bytes = br_plant_nstate(by_name) * sizeof(double);
  assert_memory_equal(x[0], x[1], bytes);
  int moves = 0;
  for (size_t i = 0; i < br_plant_nstate(by_name); i++) moves |= x[0][i] != 0;
  assert_true(moves); /* it stood still: the input was at its default */
  br_solver_destroy(one), br_solver_destroy(two);
  br_plant_destroy(by_name), br_plant_destroy(by_drive);
  br_params_destroy(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(prepare_twice), cmocka_unit_test(blocks),
                                     cmocka_unit_test(missing), cmocka_unit_test(inputs_by_name)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  br_signal_destroy(input);
  return failed;
}
