/* SPDX-License-Identifier: Apache-2.0
 * test_param.c - parameters by name: grammar, units, choices, errors, all-or-nothing, memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/param.h"
#include "base/alloc.h"
#include "param/param.h"

/* A second table that shares a name with maxwell_slip (k), as a mechanism would, and has a choice. */
static const double DEFS[] = {1, 2};
static const br_param SYSTEM_ROWS[] = {
    {"m", "kg", "mass", NULL, 1, NULL, 0, 0, INFINITY, 1, 1, 0, 1, 0},
    {"k", "N/m", "spring", NULL, 2, NULL, 0, 0, INFINITY, 0, 1, 1, 1, 0},
    {"form", "1", "shape", "isotropic|printed", 0, NULL, 0, 0, 1e9, 0, 0, 2, 1, 0},
    {"w", "m", "widths", NULL, 0, DEFS, 2, 0, 10, 0, 0, 3, 3, 6},
};
static const br_param_table SYSTEM = {"system", "testbed", SYSTEM_ROWS, 4,    7,   0,
                                      NULL,     NULL,      NULL,        NULL, NULL};

static br_params *two_tables(const char *model)
{
  br_param_table t[2];
  br_params *p = NULL;
  br_err err;
  t[0] = br_param_table_of(br_model_find(model));
  t[1] = SYSTEM;
  assert_int_equal(br_params_create_tables(t, 2, &p, &err), BR_OK);
  return p;
}

static double get(const br_params *p, const char *name)
{
  double x[64] = {0};
  size_t n = 0;
  assert_int_equal(br_params_get(p, name, 64, x, &n, NULL), BR_OK);
  assert_int_equal(n, 1);
  return x[0];
}

static void scalars_and_defaults(void **state)
{
  br_params *p = NULL;
  br_err err;
  assert_int_equal(br_params_create(br_model_find("lugre"), &p, &err), BR_OK);
  assert_true(get(p, "delta") == 2.0);
  assert_int_equal(br_params_given(p, "delta"), 0);
  assert_int_equal(br_params_set_list(p, " sigma0 = 2900 , model.Fs\t=\t5.88\t,\tFc=2.94", &err), BR_OK);
  assert_true(get(p, "sigma0") == 2900.0 && get(p, "Fs") == 5.88 && get(p, "model.Fc") == 2.94);
  assert_int_equal(br_params_given(p, "Fs"), 1);
  assert_int_equal(br_params_given(p, "nonsense"), 0);
  assert_null(br_params_block(p, "model")); /* not yet checked */
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  const double *block = br_params_block(p, "model");
  assert_non_null(block);
  assert_true(block[br_model_param(br_model_find("lugre"), "sigma0")->slot] == 2900.0);
  assert_null(br_params_block(p, "system"));
  assert_int_equal(br_params_set_list(p, "", &err), BR_OK); /* nothing said, nothing changed */
  assert_non_null(br_params_block(p, "model"));
  const double x = 3000;
  assert_int_equal(br_params_set(p, "sigma0", &x, 1, &err), BR_OK);
  assert_null(br_params_block(p, "model"));
  br_params_destroy(p);
}

static void vectors(void **state)
{
  br_params *p = two_tables("maxwell_slip");
  br_err err;
  double x[64];
  size_t n = 0;
  assert_int_equal(br_params_set_list(p, "model.k=1,1.8,2.6,Delta=0.0015,2.4mm,3.3 mm,m=2", &err), BR_OK);
  assert_int_equal(br_params_get(p, "model.k", 64, x, &n, &err), BR_OK);
  assert_int_equal(n, 3);
  assert_true(x[0] == 1 && x[1] == 1.8 && x[2] == 2.6);
  assert_int_equal(br_params_get(p, "Delta", 64, x, &n, &err), BR_OK);
  assert_true(n == 3 && x[0] == 0.0015 && x[1] == 0.0024 && x[2] == 0.0033);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  const br_model *m = br_model_find("maxwell_slip");
  assert_int_equal(m->nstate(br_params_block(p, "model")), 3);
  /* one too many, and a rule between vectors */
  assert_int_equal(br_params_set_list(p, "w=1,2,3,4", &err), BR_E_SIZE);
  assert_non_null(strstr(err.msg, "at most 3"));
  assert_int_equal(br_params_set_list(p, "model.k=1,2", &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_E_RANGE);
  assert_non_null(strstr(err.msg, "Delta"));
  assert_null(br_params_block(p, "model"));
  assert_int_equal(br_params_set_list(p, "w=", &err), BR_OK);
  assert_int_equal(br_params_get(p, "w", 64, x, &n, &err), BR_OK);
  assert_int_equal(n, 0);
  br_params_destroy(p);
}

static void units(void **state)
{
  br_params *p = NULL;
  br_err err;
  assert_int_equal(br_params_create(br_model_find("bouc_wen"), &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, "uy=1inch,fp=2.5kN", &err), BR_OK);
  assert_true(get(p, "uy") == 0.0254 && get(p, "fp") == 2500.0);
  /* rotation: torque for force, angle for displacement; not beside translation */
  assert_int_equal(br_params_set_list(p, "uy=90deg", &err), BR_E_PARSE);
  assert_non_null(strstr(err.msg, "do not mix"));
  br_params_destroy(p);
  assert_int_equal(br_params_create(br_model_find("bouc_wen"), &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, "uy=90deg,fp=3N m", &err), BR_OK);
  assert_true(fabs(get(p, "uy") - acos(-1.0) / 2) < 1e-15 && get(p, "fp") == 3.0);
  assert_int_equal(br_params_set_list(p, "A=50%,uy=1rad", &err),
                   BR_OK); /* what has no way in it decides nothing */
  assert_true(get(p, "A") == 0.5);
  assert_int_equal(br_params_set_list(p, "uy=3N", &err), BR_E_PARSE);
  assert_non_null(strstr(err.msg, "uy"));
  assert_non_null(strstr(err.msg, "dimension"));
  assert_int_equal(br_params_set_list(p, "uy=3parsec", &err), BR_E_PARSE);
  assert_int_equal(br_params_set_list(p, "A=3m", &err), BR_E_PARSE);
  br_params_destroy(p);
  p = two_tables("dahl");
  assert_int_equal(br_params_set_list(p, "sigma0=7.5N m/deg", &err), BR_OK);
  assert_true(fabs(get(p, "sigma0") / (7.5 * 180 / acos(-1.0)) - 1) < 1e-15);
  assert_int_equal(br_params_set_list(p, "system.k=7.5N m/deg", &err),
                   BR_E_PARSE); /* that table is not rotary */
  br_params_destroy(p);
}

static void choices(void **state)
{
  br_params *p = two_tables("dahl");
  br_err err;
  size_t len = 0;
  assert_int_equal(br_params_set_list(p, "form=printed", &err), BR_OK);
  assert_true(get(p, "form") == 1.0);
  assert_int_equal(br_params_set_list(p, "form=isotropc", &err), BR_E_NAME);
  assert_non_null(strstr(err.msg, "'isotropic'"));
  assert_int_equal(br_params_set_list(p, "form=1", &err), BR_E_NAME);
  assert_true(get(p, "form") == 1.0);
  const double index[] = {0, 2, 0.5, NAN};
  assert_int_equal(br_params_set(p, "form", &index[0], 1, &err), BR_OK);
  assert_int_equal(br_params_set(p, "form", &index[1], 1, &err), BR_E_RANGE);
  assert_int_equal(br_params_set(p, "form", &index[2], 1, &err), BR_E_RANGE);
  assert_int_equal(br_params_set(p, "form", &index[3], 1, &err), BR_E_NAN);
  assert_int_equal(br_param_choices(&SYSTEM_ROWS[2]), 2);
  assert_int_equal(br_param_choices(&SYSTEM_ROWS[0]), 0);
  assert_memory_equal(br_param_choice(&SYSTEM_ROWS[2], 1, &len), "printed", 7);
  assert_int_equal(len, 7);
  assert_null(br_param_choice(&SYSTEM_ROWS[2], 2, NULL));
  br_params_destroy(p);
}

static void names(void **state)
{
  br_params *p = two_tables("maxwell_slip");
  br_err err;
  assert_int_equal(br_params_set_list(p, "k=3", &err), BR_E_NAME);
  assert_non_null(strstr(err.msg, "model.k (maxwell_slip)"));
  assert_non_null(strstr(err.msg, "system.k (testbed)"));
  assert_int_equal(br_params_set_list(p, "system.k=3", &err), BR_OK);
  assert_true(get(p, "system.k") == 3.0);
  assert_int_equal(br_params_set_list(p, "sistem.k=3", &err), BR_E_NAME);
  assert_non_null(strstr(err.msg, "'system'"));
  assert_int_equal(br_params_set_list(p, "delta=3", &err), BR_E_NAME); /* case matters, and is suggested */
  assert_non_null(strstr(err.msg, "'Delta'"));
  assert_int_equal(br_params_set_list(p, "zzzzzzzz=3", &err), BR_E_NAME);
  assert_non_null(strstr(err.msg, "it has"));
  br_params_destroy(p);
  assert_int_equal(br_params_create(br_model_find("lugre"), &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, "sigma_0=1", &err), BR_E_NAME);
  assert_non_null(strstr(err.msg, "'sigma0'"));
  br_params_destroy(p);
}

/* Each list must be refused with its code, and must leave everything as it was. */
static void refused(void **state)
{
  static const struct {
    const char *list;
    br_status code;
    const char *part;
  } CASES[] = {
      {"sigma0=-1", BR_E_RANGE, "sigma0 = -1 N/m is out of range: must be > 0"},
      {"sigma0=0", BR_E_RANGE, "must be > 0"},
      {"Fc=2,sigma0=-1", BR_E_RANGE, "sigma0"},
      {"sigma0=nan", BR_E_NAN, "sigma0"},
      {"sigma0=inf", BR_E_NAN, "sigma0"},
      {"sigma0=1e999", BR_E_NAN, "sigma0"},
      {"sigma0=", BR_E_PARSE, "no value"},
      {"sigma0", BR_E_PARSE, "NAME=VALUE"},
      {"=3", BR_E_PARSE, "no parameter name"},
      {"Fc=1,2", BR_E_PARSE, "not a vector"},
      {"Fc=1,", BR_E_PARSE, "empty item"},
      {",Fc=1", BR_E_PARSE, "NAME=VALUE"},
      {"Fc=1,,Fs=2", BR_E_PARSE, "empty item"},
      {"Fc=1,Fc=2", BR_E_PARSE, "twice"},
      {"Fc=1,model.Fc=2", BR_E_PARSE, "twice"},
      {"Fc=one", BR_E_PARSE, "not a number"},
      {"Fc=1=2", BR_E_PARSE, "Fc"},
      {"Fc=0x10", BR_E_PARSE, "Fc"},
      {"Fc=1 2", BR_E_PARSE, "Fc"},
      {"fc=1", BR_E_NAME, "'Fc'"},
  };
  br_params *p = NULL;
  br_err err;
  assert_int_equal(br_params_create(br_model_find("lugre"), &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, "Fc=1.25,Fs=3", &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    memset(&err, 0, sizeof err);
    assert_int_equal(br_params_set_list(p, CASES[i].list, &err), CASES[i].code);
    assert_int_equal(err.code, CASES[i].code);
    if (!strstr(err.msg, CASES[i].part))
      fail_msg("%s: message '%s' lacks '%s'", CASES[i].list, err.msg, CASES[i].part);
    assert_int_equal(br_params_set_list(p, CASES[i].list, NULL), CASES[i].code);
    assert_true(get(p, "Fc") == 1.25 && get(p, "sigma0") == 1e5);
    assert_non_null(br_params_block(p, "model"));
    assert_int_equal(br_params_given(p, "sigma0"), 0);
  }
  /* a rule between parameters is seen when finished */
  assert_int_equal(br_params_set_list(p, "Fs=1", &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_E_RANGE);
  assert_non_null(strstr(err.msg, "Fs"));
  br_params_destroy(p);
}

/* A table like another: prefixed names only, everything not given from there, and only what is given counts
 * in the list of all parameters. */
static void like_another(void **state)
{
  br_param_table t[4] = {SYSTEM, SYSTEM, SYSTEM, SYSTEM};
  br_params *p = NULL;
  br_err err;
  char name[32];
  size_t count = 0;
  t[1].prefix = "second", t[1].like = "system";
  t[2].prefix = "third", t[2].like = "system";
  assert_int_equal(br_params_create_tables(t, 3, &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, "m=3,w=1,2,3,second.k=7,third.w=9", &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  assert_true(get(p, "system.m") == 3 && get(p, "second.m") == 3 && get(p, "third.m") == 3);
  assert_true(get(p, "system.k") == 2 && get(p, "second.k") == 7 && get(p, "third.k") == 2);
  assert_true(br_params_block(p, "second")[6] == 3 && br_params_block(p, "second")[5] == 3);
  assert_true(br_params_block(p, "third")[6] == 1 && br_params_block(p, "third")[3] == 9);
  while (br_params_at(p, count, sizeof name, name)) count++;
  assert_int_equal(count, 4 + 2);
  assert_non_null(br_params_at(p, 4, sizeof name, name));
  assert_string_equal(name, "second.k");
  assert_null(br_params_at(p, 6, sizeof name, name));
  assert_null(br_params_at(NULL, 0, sizeof name, name));
  assert_int_equal(br_params_set_list(p, "m=5", &err), BR_OK); /* again, with what was taken over before */
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  assert_true(get(p, "second.m") == 5 && get(p, "second.k") == 7);
  br_params_destroy(p);
  t[1].like = "nobody";
  assert_int_equal(br_params_create_tables(t, 3, &p, &err), BR_E_ARG);
  static const br_param_table OTHER = {"other", "else", SYSTEM_ROWS, 3, 3, 0, NULL, NULL, NULL, NULL, NULL};
  br_param_table unlike[2] = {OTHER, SYSTEM};
  unlike[1].like = "other"; /* other slots */
  assert_int_equal(br_params_create_tables(unlike, 2, &p, &err), BR_E_ARG);
  unlike[0].slots = 7, unlike[0].rows = SYSTEM_ROWS + 1; /* other rows */
  assert_int_equal(br_params_create_tables(unlike, 2, &p, &err), BR_E_ARG);
  t[1].like = "system", t[3].prefix = "own";
  assert_int_equal(br_params_create_tables(t, 4, &p, &err), BR_E_ARG);
  assert_null(p);
}

/* A ground gives new defaults: not given by the caller, and the caller's own come on top, in either order of
 * finding. */
static void ground(void **state)
{
  br_params *p = two_tables("dahl");
  br_err err;
  assert_int_equal(br_params_ground(p, "m=3,Fc=2", &err), BR_OK);
  assert_true(get(p, "m") == 3 && get(p, "Fc") == 2);
  assert_true(!br_params_given(p, "m") && !br_params_given(p, "Fc"));
  assert_true(bri_params_own(p, "m") && !bri_params_own(p, "form"));
  assert_int_equal(br_params_set_list(p, "m=4", &err), BR_OK);
  assert_true(get(p, "m") == 4 && br_params_given(p, "m") && !br_params_given(p, "Fc"));
  br_params_destroy(p);
}

static void sevens(void *block)
{
  for (int i = 0; i < 7; i++) ((double *)block)[i] = 7;
}

/* Defaults: of a function, of a block, of the rows. */
static void defaults(void **state)
{
  static const double BLOCK[] = {5, 5, 1, 5, 5, 5, 2};
  br_param_table t[3] = {SYSTEM, SYSTEM, SYSTEM};
  br_params *p = NULL;
  br_err err;
  t[0].defaults = sevens;
  t[1].prefix = "second", t[1].initial = BLOCK;
  t[2].prefix = "third";
  assert_int_equal(br_params_create_tables(t, 3, &p, &err), BR_OK);
  assert_true(get(p, "system.m") == 7 && get(p, "second.m") == 5 && get(p, "third.m") == 1);
  assert_true(get(p, "system.k") == 7 && get(p, "second.k") == 5 && get(p, "third.k") == 2);
  br_params_destroy(p);
}

/* The default as it is typed; of many values the first two and the last. */
static void typed_defaults(void **state)
{
  static const double MANY[] = {1, 2.5, 3, 4, 5, 6e-3};
  br_param row = SYSTEM_ROWS[3];
  char buf[64];
  assert_string_equal(bri_param_default(&SYSTEM_ROWS[0], ", ", 4, sizeof buf, buf), "1");
  assert_string_equal(bri_param_default(&SYSTEM_ROWS[2], ", ", 4, sizeof buf, buf), "isotropic");
  assert_string_equal(bri_param_default(&row, ", ", 4, sizeof buf, buf), "1, 2");
  row.defs = MANY, row.ndef = 6;
  assert_string_equal(bri_param_default(&row, ", ", 6, sizeof buf, buf), "1, 2.5, 3, 4, 5, 0.006");
  assert_string_equal(bri_param_default(&row, ",", 4, sizeof buf, buf), "1,2.5,..,0.006");
  row.ndef = 0;
  assert_string_equal(bri_param_default(&row, ", ", 4, sizeof buf, buf), "");
}

static void bad_arguments(void **state)
{
  br_params *p = NULL;
  br_err err;
  br_param_table twice[2] = {SYSTEM, SYSTEM};
  const br_param_table nameless = {NULL, "x", SYSTEM_ROWS, 4, 7, 0, NULL, NULL, NULL, NULL, NULL};
  size_t n;
  double x = 1;
  char buf[8] = "?";
  assert_int_equal(br_params_create(NULL, &p, &err), BR_E_ARG);
  assert_int_equal(br_params_create(br_model_find("dahl"), NULL, &err), BR_E_ARG);
  assert_int_equal(br_params_create_tables(NULL, 1, &p, &err), BR_E_ARG);
  assert_int_equal(br_params_create_tables(twice, 2, &p, &err), BR_E_ARG);
  assert_int_equal(br_params_create_tables(&nameless, 1, &p, &err), BR_E_ARG);
  assert_null(p);
  assert_int_equal(br_params_set(NULL, "x", &x, 1, &err), BR_E_ARG);
  assert_int_equal(br_params_set_list(NULL, "x=1", &err), BR_E_ARG);
  assert_int_equal(br_params_get(NULL, "x", 1, &x, &n, &err), BR_E_ARG);
  assert_int_equal(br_params_finish(NULL, &err), BR_E_ARG);
  assert_null(br_params_block(NULL, "model"));
  br_params_destroy(NULL);
  assert_int_equal(br_params_create_tables(&SYSTEM, 1, &p, &err), BR_OK);
  const double many[4] = {1, 1, 1, 1};
  assert_int_equal(br_params_set(p, "m", many, 2, &err), BR_E_SIZE);
  assert_int_equal(br_params_set(p, "m", NULL, 0, &err), BR_E_SIZE);
  assert_int_equal(br_params_set(p, "w", many, 4, &err), BR_E_SIZE);
  assert_int_equal(br_params_set(p, "w", many, 3, &err), BR_OK);
  assert_int_equal(br_params_set(p, "q", many, 1, &err), BR_E_NAME);
  assert_int_equal(br_params_finish(p, &err), BR_OK); /* a table without functions of its own */
  br_params_destroy(p);
  assert_string_equal(br_param_range(&SYSTEM_ROWS[0], sizeof buf, buf), "> 0");
  assert_string_equal(br_param_range(NULL, sizeof buf, buf), "");
}

static void memory(void **state)
{
  const long before = bri_alloc_live();
  int done = 0;
  for (long n = 0; !done && n < 50; n++) {
    br_params *p = NULL;
    br_err err;
    bri_alloc_fail_after(n);
    const br_status st = br_params_create(br_model_find("lugre"), &p, &err);
    bri_alloc_fail_after(-1);
    done = st == BR_OK;
    if (!done) assert_int_equal(st, BR_E_NOMEM);
    if (!done) assert_null(p);
    br_params_destroy(p);
    assert_int_equal(bri_alloc_live(), before);
  }
  assert_true(done);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scalars_and_defaults),
      cmocka_unit_test(vectors),
      cmocka_unit_test(units),
      cmocka_unit_test(choices),
      cmocka_unit_test(names),
      cmocka_unit_test(refused),
      cmocka_unit_test(like_another),
      cmocka_unit_test(ground),
      cmocka_unit_test(defaults),
      cmocka_unit_test(typed_defaults),
      cmocka_unit_test(bad_arguments),
      cmocka_unit_test(memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
