/* SPDX-License-Identifier: Apache-2.0
 * test_guards.c - corners of parameters by name: closed and open upper bounds, vectors and formulas by number
 * and by text, names with dots, what messages call an element, models with modes, the sliding law inside a
 * stick band. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/expr.h"
#include "bristle/param.h"
#include "bristle/trace.h"
#include "param/slide.h"
#include "param/turns.h"
#include "param/valid.h"
#include "base/alloc.h"

static const double DEFS[] = {1, 2};
/* name, unit, doc, choices, def, defs, ndef, lo, hi, lo_open, hi_open, slot, max_len, len_slot */
static const br_param ROWS[] = {
    {"share", "1", "closed above", NULL, 0.5, NULL, 0, 0, 1, 0, 0, 0, 1, 0},
    {"ratio", "1", "open above", NULL, 0.5, NULL, 0, 0, 1, 0, 1, 1, 1, 0},
    {"contact1.z", "m", "a dot in its own name", NULL, 0, NULL, 0, -1, 1, 0, 0, 2, 1, 0},
    {"w", "m", "widths", NULL, 0, DEFS, 2, 0, 10, 0, 0, 3, 3, 6},
};
static const br_param_table TABLE = {"state", "testbed", ROWS, 4, 7, 0, NULL, NULL, NULL, NULL, NULL};

static void upper_bounds(void **state)
{
  br_params *p = NULL;
  br_err err;
  const double one = 1, below = nextafter(1, 0), above = nextafter(1, 2);
  assert_int_equal(br_params_create_tables(&TABLE, 1, &p, &err), BR_OK);
  assert_int_equal(br_params_set(p, "share", &one, 1, &err), BR_OK);
  assert_int_equal(br_params_set(p, "share", &above, 1, &err), BR_E_RANGE);
  assert_non_null(strstr(err.msg, "<= 1"));
  assert_int_equal(br_params_set(p, "ratio", &below, 1, &err), BR_OK);
  assert_int_equal(br_params_set(p, "ratio", &one, 1, &err), BR_E_RANGE);
  assert_non_null(strstr(err.msg, "< 1"));
  assert_int_equal(br_params_set_list(p, "share=1.5", &err), BR_E_RANGE);
  assert_int_equal(br_params_set_list(p, "ratio=1", &err), BR_E_RANGE);
  br_params_destroy(p);
}

/* A vector by number: its values and its length; an element out of range is named by its place, counted from
 * 1. */
static void vectors(void **state)
{
  br_params *p = NULL;
  br_err err;
  double x[8];
  size_t n = 0;
  const double values[] = {3, 4, 5}, bad[] = {3, 11};
  assert_int_equal(br_params_create_tables(&TABLE, 1, &p, &err), BR_OK);
  assert_int_equal(br_params_set(p, "w", values, 3, &err), BR_OK);
  assert_int_equal(br_params_get(p, "w", 8, x, &n, &err), BR_OK);
  assert_true(n == 3 && x[0] == 3 && x[1] == 4 && x[2] == 5);
  assert_int_equal(br_params_set(p, "w", values, 1, &err), BR_OK);
  assert_int_equal(br_params_get(p, "w", 8, x, &n, &err), BR_OK);
  assert_true(n == 1 && x[0] == 3);
  assert_int_equal(br_params_set(p, "w", bad, 2, &err), BR_E_RANGE);
  assert_non_null(strstr(err.msg, "w[2] = 11"));
  assert_int_equal(br_params_set_list(p, "w=1,2,-3", &err), BR_E_RANGE);
  assert_non_null(strstr(err.msg, "w[3] = -3"));
  assert_int_equal(br_params_set(p, "w", NULL, 0, &err), BR_OK); /* emptied */
  assert_int_equal(br_params_get(p, "w", 8, x, &n, &err), BR_OK);
  assert_int_equal(n, 0);
  br_params_destroy(p);
}

static void dotted_names(void **state)
{
  br_params *p = NULL;
  br_err err;
  double x = 0;
  size_t n = 0;
  assert_int_equal(br_params_create_tables(&TABLE, 1, &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, "contact1.z=0.25", &err), BR_OK);
  assert_int_equal(br_params_get(p, "contact1.z", 1, &x, &n, &err), BR_OK);
  assert_true(x == 0.25);
  assert_int_equal(br_params_set_list(p, "contact2.z=0.25", &err), BR_E_NAME); /* compared as a whole */
  assert_non_null(strstr(err.msg, "'contact1.z'"));
  br_params_destroy(p);
}

static void formulas(void **state)
{
  const br_model *m = NULL;
  const br_param *law = NULL;
  for (size_t i = 0; !law && (m = br_all_models(i)) != NULL; i++)
    for (size_t k = 0; k < m->nparam && !law; k++)
      if (br_param_formula(&m->params[k])) law = &m->params[k];
  assert_non_null(law);
  br_params *p = NULL;
  br_err err;
  char text[128];
  size_t n = 0, again = 0;
  const double number = 1;
  const size_t var = strcspn(br_param_formula(law), ",");
  assert_int_equal(br_params_create(m, &p, &err), BR_OK);
  (void)snprintf(text, sizeof text, "%s=max(1, 2 - abs(%.*s))", law->name, (int)var, br_param_formula(law));
  assert_int_equal(br_params_set_list(p, text, &err), BR_OK);
  assert_int_equal(br_params_get(p, law->name, 0, NULL, &n, &err), BR_OK);
  assert_true(n > 5);                                                        /* the tape */
  assert_int_equal(br_params_set(p, law->name, &number, 1, &err), BR_E_ARG); /* no number */
  assert_non_null(strstr(err.msg, "formula"));
  (void)snprintf(text, sizeof text, "%s=1,2", law->name);
  assert_int_equal(br_params_set_list(p, text, &err), BR_E_PARSE); /* no list */
  assert_non_null(strstr(err.msg, "no list behind it"));
  assert_int_equal(br_params_get(p, law->name, 0, NULL, &again, &err), BR_OK);
  assert_int_equal(again, n);
  br_params_destroy(p);
}

/* Long lists of names are cut at a name; two tables of one owner are named once; rows by name; small buffers.
 * */
static void messages(void **state)
{
  static const char *const NAMES[] = {
      "a_rather_long_name_of_a_parameter_1", "a_rather_long_name_of_a_parameter_2",
      "a_rather_long_name_of_a_parameter_3", "a_rather_long_name_of_a_parameter_4"};
  br_param rows[4];
  br_param_table t[2] = {TABLE, TABLE};
  br_params *p = NULL;
  br_err err;
  for (int i = 0; i < 4; i++) rows[i] = ROWS[0], rows[i].name = NAMES[i], rows[i].slot = (size_t)i;
  t[0].rows = rows, t[0].prefix = "system";
  assert_int_equal(br_params_create_tables(t, 2, &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, "q=3", &err), BR_E_NAME);
  assert_non_null(strstr(err.msg, "testbed has no parameter 'q'; it has a_rather"));
  assert_null(strstr(err.msg, " or testbed"));
  assert_string_equal(err.msg + strlen(err.msg) - strlen(NAMES[2]), NAMES[2]); /* whole names only */
  assert_ptr_equal(br_params_row(p, "share"), &ROWS[0]);
  assert_null(br_params_row(p, "shares"));
  assert_null(br_params_row(NULL, "share"));
  assert_null(br_params_row(p, NULL));
  char buf[4] = "???";
  assert_string_equal(br_param_range(&ROWS[0], 0, buf), "");
  assert_string_equal(buf, "???");
  assert_string_equal(br_param_range(&ROWS[0], sizeof buf, NULL), "");
  br_params_destroy(p);
  p = (br_params *)&err;
  assert_int_equal(br_params_create(NULL, &p, &err), BR_E_ARG);
  assert_null(p);
}

static size_t one_mode(const void *par) { return (void)par, 1; }

static void models_of_users(void **state)
{
  static double par[4096];
  br_err err = {BR_OK, -1, ""};
  br_model m = *br_model_find("gms");
  m.defaults(par), m.prepare(par);
  assert_int_equal(bri_model_ready(&m, par, "test", &err), BR_OK);
  bri_alloc_fail_after(0);
  const br_status st = bri_model_ready(&m, par, "test", &err);
  bri_alloc_fail_after(-1);
  assert_int_equal(st, BR_E_NOMEM);
  m.step = NULL, m.step_pair = NULL, m.flags &= ~(unsigned)BR_MODEL_EXACT_STEP, m.nmode = one_mode;
  assert_int_equal(bri_model_ready(&m, par, "test", &err), BR_E_ARG);
  assert_non_null(strstr(err.msg, "has modes, but no step()"));
  m = *br_model_find("gms"), m.rate = NULL,
  m.rate_pair = NULL; /* of steps alone: where nothing is integrated */
  m.force_pair = NULL, m.prepare_pair = NULL, m.step_pair = NULL;
  assert_int_equal(bri_model_steps(&m, par, "test", &err), BR_OK);
  assert_int_equal(bri_model_ready(&m, par, "test", &err), BR_E_ARG);
  assert_non_null(strstr(err.msg, "rate()"));
  m.step = NULL, m.flags &= ~(unsigned)BR_MODEL_EXACT_STEP;
  assert_int_equal(bri_model_steps(&m, par, "test", &err), BR_E_ARG);
  m.name = NULL;
  assert_int_equal(bri_model_ready(&m, par, "test", &err), BR_E_ARG);
  assert_int_equal(bri_model_ready(NULL, par, "test", &err), BR_E_ARG);
  assert_int_equal(bri_system_ready(NULL, par, "test", &err), BR_E_ARG);
  br_system s = *br_system_find("pulled_block");
  s.name = NULL;
  assert_int_equal(bri_system_ready(&s, par, "test", &err), BR_E_ARG);
}

static br_status no_pair(br_model *m, br_err *err)
{
  m->step_pair = NULL;
  return bri_model_valid(m, "test", err);
}

/* What flags and counts promise must be there, in models and mechanisms alike; so many axes and no others. */
static void promises(void **state)
{
  br_err err = {BR_OK, -1, ""};
  static const unsigned FLAGS[] = {BR_MODEL_EXACT_STEP, BR_MODEL_ENERGY, BR_MODEL_TRUE_STICK,
                                   BR_MODEL_ELEMENTS};
  static const char *const WORDS[] = {"step()", "energy()", "breakaway()", "classify()"};
  for (size_t i = 0; i < sizeof FLAGS / sizeof FLAGS[0]; i++) {
    br_model m = *br_model_find("dahl");
    m.step = NULL, m.energy = NULL, m.breakaway = NULL, m.classify = NULL, m.step_pair = NULL;
    m.flags = 0;
    assert_int_equal(bri_model_valid(&m, "test", &err), BR_OK);
    m.flags = FLAGS[i];
    assert_int_equal(bri_model_valid(&m, "test", &err), BR_E_ARG);
    assert_non_null(strstr(err.msg, WORDS[i]));
  }
  br_model m = *br_model_find("dahl");
  assert_int_equal(bri_model_valid(&m, "test", &err), BR_OK);
  assert_int_equal(no_pair(&m, &err), BR_E_ARG); /* steps exactly, and so must its pairs */
  assert_non_null(strstr(err.msg, "step_pair()"));
  m.flags &= ~(unsigned)BR_MODEL_EXACT_STEP;
  assert_int_equal(no_pair(&m, &err), BR_OK);
  for (int axes = -1; axes < 5; axes++) {
    br_system s = *br_system_find("pulled_block");
    m.axes = s.axes = axes;
    const br_status st = axes == 1 || axes == 2 ? BR_OK : BR_E_ARG;
    assert_int_equal(bri_model_valid(&m, "test", &err), st);
    assert_int_equal(bri_system_valid(&s, "test", &err), st);
  }
  m = *br_model_find("dahl"), m.params = NULL;
  assert_int_equal(bri_model_valid(&m, "test", &err), BR_E_ARG);
  m = *br_model_find("dahl"), m.states = NULL;
  assert_int_equal(bri_model_valid(&m, "test", &err), BR_E_ARG);
  for (int part = 0; part < 4; part++) {
    br_system s = *br_system_find("pulled_block");
    if (part == 0) s.nshown = 1, s.show = NULL;
    if (part == 1) s.params = NULL;
    if (part == 2) s.inputs = NULL;
    if (part == 3) s.nrows = 1, s.states = NULL;
    assert_int_equal(bri_system_valid(&s, "test", &err), BR_E_ARG);
  }
}

/* Contacts that turn, each for itself; behind the list, and without one, as the mechanism. */
static void turning_contacts(void **state)
{
  static const unsigned char TURN[] = {0, 1};
  br_system s = {.turns = TURN, .max_contact = 2};
  assert_string_equal(bri_force_unit(&s, 0), "N");
  assert_string_equal(bri_force_unit(&s, 1), "N m");
  assert_string_equal(bri_force_unit(&s, 2), "N");
  s.flags = BR_SYSTEM_ROTARY;
  assert_string_equal(bri_force_unit(&s, 0), "N");
  assert_string_equal(bri_force_unit(&s, 2), "N m");
  s.turns = NULL;
  assert_string_equal(bri_force_unit(&s, 0), "N m");
}

/* Outside its band a true-stick model is taken as it is; inside, the law goes on along the tangent at the
 * edge. */
static void stick_band(void **state)
{
  static double par[64];
  const br_model *m = br_model_find("karnopp");
  m->defaults(par), m->prepare(par);
  const double edge = bri_stick_band(m, par), u = 0, none = 0;
  assert_true(edge > 0 && edge == par[br_model_param(m, "dv")->slot]);
  double at[3], F[3];
  for (int i = 0; i < 3; i++) {
    at[i] = (1 + i) * edge;
    m->force(par, 1.5, &u, &at[i], &none, &none, &F[i]);
    assert_true(bri_slide_law(m, par, 1.5, &u, 1, at[i], edge) == F[i]);
  }
  assert_true(F[2] != F[0]);
  const double inside = bri_slide_law(m, par, 1.5, &u, 1, 0.5 * edge, edge);
  assert_true(fabs(inside - (F[0] - 0.5 * (F[1] - F[0]))) <= 1e-14 * fabs(F[0]));
  assert_true(bri_slide_law(m, par, 1.5, &u, -1, 0.5 * edge, edge) == -inside);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(upper_bounds), cmocka_unit_test(vectors),  cmocka_unit_test(dotted_names),
      cmocka_unit_test(formulas),     cmocka_unit_test(messages), cmocka_unit_test(models_of_users),
      cmocka_unit_test(stick_band),   cmocka_unit_test(promises), cmocka_unit_test(turning_contacts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
