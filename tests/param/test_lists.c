/* SPDX-License-Identifier: Apache-2.0
 * test_lists.c - lists of parameters over several tables and formulas: what follows a formula, where it goes
 * wrong, whose name is the nearest, who decides between rotation and translation, what is looked at when all
 * is finished. */
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

static const br_param ROWS[] = {
    {"stiff", "N/m", "a stiffness, of either kind", NULL, 1, NULL, 0, 0, INFINITY, 1, 1, 0, 1, 0},
    {"level", "N", "a force, or a torque", NULL, 1, NULL, 0, 0, INFINITY, 1, 1, 1, 1, 0},
    {"rate", "1/s", "the same for both", NULL, 1, NULL, 0, 0, INFINITY, 1, 1, 2, 1, 0},
};
static const br_param OTHERS[] = {
    {"width", "m", "of another table", NULL, 1, NULL, 0, 0, 10, 0, 0, 0, 1, 0},
};
enum { TABLES = 3 };

/* model, a contact like it, and a mechanism's table between them */
static br_params *tables(br_err *err)
{
  const br_param_table t[TABLES] = {
      {"model", "own", ROWS, 3, 3, 1, NULL, NULL, NULL, NULL, NULL},
      {"system", "testbed", OTHERS, 1, 1, 1, NULL, NULL, NULL, NULL, NULL},
      {"contact2", "own at contact 2", ROWS, 3, 3, 1, NULL, NULL, NULL, "model", NULL}};
  br_params *p = NULL;
  assert_int_equal(br_params_create_tables(t, TABLES, &p, err), BR_OK);
  return p;
}

static void rotation(void **state)
{
  static const struct {
    const char *list;
    br_status st;
  } CASES[] = {{"stiff=2 N/m,level=3 N", BR_OK},
               {"stiff=2 N m/rad,level=3 N m", BR_OK},
               {"stiff=2 N m/rad,level=3 N", BR_E_PARSE},
               {"stiff=2 N/m,level=3 N m", BR_E_PARSE},
               {"stiff=2,level=3 N m", BR_OK}, /* a number alone is of both */
               {"rate=3 Hz,level=3 N m", BR_OK},
               {"level=3 N m,contact2.level=4 N m", BR_OK},
               {"level=3 N m,contact2.level=4 N", BR_E_PARSE}, /* contacts are of one kind */
               {"contact2.level=3 N,contact2.stiff=2 N m/rad", BR_E_PARSE},
               {"level=3 N m,width=2 m", BR_OK}}; /* a mechanism may have both */
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_err err = {BR_OK, -1, ""};
    br_params *p = tables(&err);
    const br_status st = br_params_set_list(p, CASES[i].list, &err);
    if (st != CASES[i].st) fail_msg("%s: %d %s", CASES[i].list, (int)st, err.msg);
    if (st) assert_non_null(strstr(err.msg, "do not mix"));
    br_params_destroy(p);
  }
}

/* The nearest name is one of the table that was meant. */
static void nearest(void **state)
{
  static const char *const CASES[][3] = {{"model.widht=1", "", "width"}, {"system.leve=1", "", "level"},
                                         {"model.leve=1", "level", ""},  {"system.widht=1", "width", ""},
                                         {"widht=1", "width", ""},       {"leve=1", "level", ""}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_err err = {BR_OK, -1, ""};
    br_params *p = tables(&err);
    char hint[64];
    assert_int_equal(br_params_set_list(p, CASES[i][0], &err), BR_E_NAME);
    (void)snprintf(hint, sizeof hint, "did you mean '%s'", CASES[i][1]);
    if (CASES[i][1][0] && !strstr(err.msg, hint)) fail_msg("%s: %s", CASES[i][0], err.msg);
    (void)snprintf(hint, sizeof hint, "'%s'", CASES[i][2]);
    if (CASES[i][2][0] && strstr(err.msg, hint)) fail_msg("%s: %s", CASES[i][0], err.msg);
    br_params_destroy(p);
  }
}

/* A block that is handed in may hold anything: its numbers are looked at when all is finished. */
static void handed_in(void **state)
{
  static const double GOOD[] = {1, 2, 3}, BAD[] = {1, -2, 3}, NONE[] = {1, 2, NAN};
  const double *const blocks[] = {GOOD, BAD, NONE};
  const br_status want[] = {BR_OK, BR_E_RANGE, BR_E_RANGE};
  (void)state;
  for (int i = 0; i < 3; i++) {
    const br_param_table t = {"model", "own", ROWS, 3, 3, 1, NULL, NULL, NULL, NULL, blocks[i]};
    br_params *p = NULL;
    br_err err = {BR_OK, -1, ""};
    assert_int_equal(br_params_create_tables(&t, 1, &p, &err), BR_OK);
    assert_int_equal(br_params_finish(p, &err), want[i]);
    if (i) assert_non_null(strstr(err.msg, i == 1 ? "level" : "rate"));
    assert_int_equal(br_params_block(p, "model") != NULL, i == 0);
    br_params_destroy(p);
  }
}

static size_t length(const br_params *p, const char *name)
{
  size_t n = 99;
  assert_int_equal(br_params_get(p, name, 0, NULL, &n, NULL), BR_OK);
  return n;
}

static void formulas(void **state)
{
  const br_model *m = br_all_models_find("lugre_expr");
  br_params *p = NULL;
  br_err err = {BR_OK, -1, ""};
  double x = 0;
  size_t n = 0;
  (void)state;
  assert_int_equal(br_params_create(m, &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, "g=max(1, (2 - abs(v))),sigma0=6,f=min(v, 2*v)", &err), BR_OK);
  assert_int_equal(br_params_get(p, "sigma0", 1, &x, &n, &err), BR_OK);
  assert_true(x == 6 && length(p, "g") > 5 && length(p, "f") > 3);
  /* the column of a mistake is that of the formula, counted from 1 */
  static const char *const WRONG[][2] = {
      {"g=w", "g:1:1:"}, {"g=1 + vv", "g:1:5:"}, {"sigma0=1,f=2*(v", "f:1:5:"}, {"f=v v", "f:1:3:"}};
  for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
    assert_int_not_equal(br_params_set_list(p, WRONG[i][0], &err), BR_OK);
    if (!strstr(err.msg, WRONG[i][1])) fail_msg("%s: %s", WRONG[i][0], err.msg);
  }
  assert_int_equal(br_params_set(p, "g", NULL, 0, &err), BR_OK); /* none, by no numbers and by no text */
  assert_int_equal(length(p, "g"), 0);
  assert_int_equal(br_params_set_list(p, "f=", &err), BR_OK);
  assert_int_equal(length(p, "f"), 0);
  br_params_destroy(p);
}

/* By number or by text: what the caller has said counts as given, and nothing else. */
static void given(void **state)
{
  static const char *const NAMES[] = {"model.stiff", "model.level", "system.width", "contact2.stiff"};
  (void)state;
  for (int said = 0; said < 4; said++)
    for (int by_text = 0; by_text < 2; by_text++) {
      br_err err = {BR_OK, -1, ""};
      br_params *p = tables(&err);
      const double two = 2;
      char list[40];
      (void)snprintf(list, sizeof list, "%s=2", NAMES[said]);
      assert_int_equal(
          by_text ? br_params_set_list(p, list, &err) : br_params_set(p, NAMES[said], &two, 1, &err), BR_OK);
      assert_int_equal(br_params_finish(p, &err), BR_OK);
      for (int k = 0; k < 4; k++) assert_int_equal(br_params_given(p, NAMES[k]), k == said);
      br_params_destroy(p);
    }
}

/* Every choice of every model by its name: its place. */
static void choices_by_name(void **state)
{
  const br_model *m = NULL;
  size_t seen = 0;
  (void)state;
  for (size_t i = 0; (m = br_all_models(i)) != NULL; i++)
    for (size_t k = 0; k < m->nparam; k++) {
      const br_param *row = &m->params[k];
      for (size_t c = 0, len = 0; br_param_choice(row, c, &len); c++, seen++) {
        br_params *p = NULL;
        br_err err = {BR_OK, -1, ""};
        char list[80];
        double x = -1;
        size_t n = 0;
        (void)snprintf(list, sizeof list, "%s=%.*s", row->name, (int)len, br_param_choice(row, c, NULL));
        assert_int_equal(br_params_create(m, &p, &err), BR_OK);
        if (br_params_set_list(p, list, &err)) fail_msg("%s: %s", list, err.msg);
        assert_int_equal(br_params_get(p, row->name, 1, &x, &n, &err), BR_OK);
        assert_true(x == (double)c);
        br_params_destroy(p);
      }
    }
  assert_true(seen >= 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(rotation),  cmocka_unit_test(nearest),
                                     cmocka_unit_test(handed_in), cmocka_unit_test(formulas),
                                     cmocka_unit_test(given),     cmocka_unit_test(choices_by_name)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
