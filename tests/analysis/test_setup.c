/* SPDX-License-Identifier: Apache-2.0
 * test_setup.c - what a job is made of: names with and without what stands in front, inputs, loads, starts,
 * sets of others; what is said of options; units of what turns; answers with odd names; several back ends. */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "analysis/job.h"
#include "analysis/result.h"
#include "bristle/analysis.h"
#include "kit.h"
#include "solve/plant.h"

static void write_file(const char *path, const char *text)
{
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  (void)fputs(text, f);
  assert_int_equal(fclose(f), 0);
}

static void good(br_job *job)
{
  br_err err = {BR_OK, -1, ""};
  if (br_job_check(job, &err)) fail_msg("%s", err.msg);
}

static void refused(br_job *job, const char *name, const char *value, br_status code, const char *text)
{
  br_err err = {BR_OK, -1, ""};
  br_status st = br_job_set(job, name, value, "here", &err);
  if (!st) st = br_job_check(job, &err);
  if (st != code) fail_msg("%s = %s: %d, not %d: %s", name, value, st, code, err.msg);
  if (!strstr(err.msg, text)) fail_msg("'%s' lacks '%s'", err.msg, text);
  br_job_destroy(job);
}

static br_job *block(const char *model)
{
  br_job *job = job_of("simulate");
  set(job, "system", "pulled_block"), set(job, "model", model), set(job, "t-end", "1");
  return job;
}

static double param(const br_job *job, const char *name)
{
  double x = NAN;
  size_t n = 0;
  assert_int_equal(br_params_get(br_job_params(job), name, 1, &x, &n, NULL), BR_OK);
  return x;
}

/* ---- names ---- */

/* A parameter by its bare name, or with its table in front; lists one behind the other are one list. */
static void names(void **state)
{
  (void)state;
  br_job *job = block("lugre");
  set(job, "system.m", "3"), set(job, "model.Fc", "0.5"), set(job, "sigma0", "7"), set(job, "k", "4");
  good(job);
  assert_true(param(job, "system.m") == 3 && param(job, "Fc") == 0.5 && param(job, "sigma0") == 7 &&
              param(job, "k") == 4);
  assert_string_equal(br_job_set_text(job), "system.m=3,model.Fc=0.5,sigma0=7,k=4");
  br_job_destroy(job);
  refused(block("lugre"), "q", "3", BR_E_NAME, "no option 'q'");
  /* inputs that are held; models whose laws are formulas, by their own name and by that of their kernel */
  job = block("lugre");
  set(job, "vp", "0.25");
  good(job);
  assert_true(br_job_plant(job)->drives[0].value == 0.25);
  br_job_destroy(job);
  static const char *const LAWS[] = {"lugre", "lugre_expr", "duhem"};
  for (size_t i = 0; i < sizeof LAWS / sizeof LAWS[0]; i++) {
    job = job_of("trace");
    set(job, "model", LAWS[i]), set(job, "input", "sine:1,1Hz");
    if (i < 2)
      set(job, "Fs", "4"), set(job, "Fc", "3"), set(job, "g", "c1 + 0*v"), set(job, "c", "2"),
          set(job, "sigma0", "7");
    else set(job, "h", "2*x");
    good(job);
    assert_string_equal(br_job_model(job)->name, LAWS[i < 2 ? 1 : 2]);
    if (i < 2) assert_true(param(job, "Fc") == 3 && param(job, "sigma0") == 7 && param(job, "c") == 2);
    br_job_destroy(job);
  }
  job = job_of("trace");
  set(job, "model", "lugre"), set(job, "input", "sine:1,1Hz");
  refused(job, "c", "2", BR_E_NAME, "no option 'c'"); /* numbers for formulas, and there is none */
  job = block("lugre");
  set(job, "set", "m=3,Fc=0.5"), set(job, "set", "k=4"), set(job, "set", "");
  good(job);
  assert_true(param(job, "m") == 3 && param(job, "Fc") == 0.5 && param(job, "k") == 4);
  assert_string_equal(br_job_set_text(job), "m=3,Fc=0.5,k=4");
  br_job_destroy(job);
  /* the value of one parameter is no way to another one */
  refused(block("lugre"), "set.Fc", "1,Fs=2", BR_E_PARSE, "'Fc' is '1,Fs=2'; expected a number");
  refused(block("lugre"), "m", "3,k=4", BR_E_PARSE, "'m' is '3,k=4'; expected a number");
  refused(block("lugre"), "Fc", "Fs=2", BR_E_PARSE, "expected a number");
  refused(block("maxwell_slip"), "set.Delta", "1,2,k=3", BR_E_PARSE, "expected a number");
  refused(block("lugre"), "set.Fc,Fs", "1", BR_E_NAME, "no comma and no '='");
  refused(block("lugre"), "set.Fc=1,Fs", "1", BR_E_NAME, "no comma and no '='");
  refused(block("lugre"), "init.l", "0.1,v=1", BR_E_PARSE, "expected a number");
  job = job_of("trace"); /* a formula may compare */
  set(job, "model", "lugre_expr"), set(job, "input", "sine:1,1Hz"), set(job, "set.g", "if(v >= 0, 1, 2)");
  good(job);
  br_job_destroy(job);
  /* values need a model to belong to, where an analysis does without */
  refused(job_of("classify"), "set", "Fc=2", BR_E_ARG, "set needs model NAME");
  refused(job_of("classify"), "set.Fc", "2", BR_E_ARG, "set needs model NAME");
  job = job_of("classify");
  set(job, "set", "Fc=2"), set(job, "model", "dahl");
  good(job);
  assert_true(param(job, "Fc") == 2);
  br_job_destroy(job);
  job = job_of("classify");
  good(job);
  assert_null(br_job_model(job));
  br_job_destroy(job);
}

/* What holds of an option that was not given: a count, a flag, a choice; whether anything was. */
static void what_holds(void **state)
{
  (void)state;
  br_job *job = job_of("classify");
  assert_true(br_job_flag(job, "energy")); /* unless it says no */
  set(job, "energy", "no");
  assert_false(br_job_flag(job, "energy"));
  br_job_destroy(job);
  job = job_of("loop");
  assert_int_equal(br_job_count(job, "samples"), (size_t)br_job_number(job, "samples"));
  set(job, "samples", "17");
  assert_int_equal(br_job_count(job, "samples"), 17);
  assert_false(br_job_given(job, "set"));
  set(job, "preset", "doc0");
  assert_true(br_job_given(job, "set") && br_job_given(job, "model")); /* its values were set */
  br_job_destroy(job);
  refused(job_of("rate"), "model", "dahl", BR_E_ARG, "'scales' is missing");
  job = job_of("trace");
  set(job, "model", "dahl"), set(job, "input", "sine:1mm,1Hz");
  refused(job, "sensitivity", "sigma9", BR_E_NAME, "sigma9"); /* before anything is computed */
}

/* ---- inputs, loads ---- */

static void inputs(void **state)
{
  (void)state;
  br_err err = {BR_OK, -1, ""};
  const double t[] = {0, 1}, u[] = {0, 1e-3};
  br_job *job = job_of("trace");
  set(job, "model", "bouc_wen_biaxial"), set(job, "input.x", "sine:1,1"), set(job, "input.y", "ramp:2");
  good(job);
  assert_string_equal(br_job_spec_name(job, 0), "x");
  assert_string_equal(br_job_spec_name(job, 1), "y");
  assert_string_equal(br_job_spec(job, 1), "ramp:2");
  br_job_destroy(job);
  job = block("lugre");
  assert_int_equal(br_job_set_array(job, "set", 2, t, u, BR_SIGNAL_LINEAR, 0, &err), BR_E_ARG);
  assert_non_null(strstr(err.msg, "only an input may be an array"));
  assert_int_equal(br_job_set_array(job, "inputs", 2, t, u, BR_SIGNAL_LINEAR, 0, &err), BR_E_ARG);
  assert_int_equal(br_job_set_array(job, "input.vp", 2, t, u, BR_SIGNAL_LINEAR, 0, &err), BR_OK);
  good(job);
  bri_buf key = {0}; /* of numbers in memory nobody can say whether they are the same */
  assert_int_equal(bri_job_key(job, &key, NULL, NULL, &err), BR_E_UNSUPPORTED);
  bri_buf_free(&key);
  br_job_destroy(job);
  job = job_of("trace");
  set(job, "model", "dahl"), set(job, "input", "sine:1mm,1Hz");
  refused(job, "input.u", "sine:2mm,1Hz", BR_E_ARG, "given twice");
}

/* The load of all contacts, that of one, and none that is held and driven. */
static void loads(void **state)
{
  (void)state;
  br_job *job = job_of("simulate");
  set(job, "system", "chain"), set(job, "model", "lugre"), set(job, "t-end", "1"),
      set(job, "set", "contact=1,2,against=0,1,load=1,1");
  set(job, "input.N", "expr:1 + t"), set(job, "input.N2", "expr:2");
  good(job);
  assert_non_null(br_job_load(job, 0));
  assert_true(br_job_load(job, 1) != br_job_load(job, 0) && br_job_load(job, 2) == br_job_load(job, 0));
  br_job_destroy(job);
  job = job_of("trace");
  set(job, "model", "dahl"), set(job, "input", "sine:1mm,1Hz"), set(job, "load", "2");
  refused(job, "input.N", "expr:1 + t", BR_E_ARG, "held by load and driven by N");
}

/* ---- starts ---- */

static void starts(void **state)
{
  (void)state;
  size_t n = 0;
  br_job *job = block("dahl"); /* its state is called F, as its force is */
  set(job, "init", "l=0.1,F=0.25");
  good(job);
  const double *x = br_job_start(job, &n);
  assert_int_equal(n, 3);
  assert_true(x[0] == 0.1 && x[2] == 0.25);
  br_job_destroy(job);
  job = block("lugre"); /* of an answer's 'final' all may be given: forces follow from the states */
  set(job, "init", "l=0.1,v=0.2,z=1e-6,F=7");
  good(job);
  x = br_job_start(job, &n);
  assert_true(n == 3 && x[0] == 0.1 && x[1] == 0.2 && x[2] == 1e-6);
  br_job_destroy(job);
  job = job_of("trace");
  set(job, "model", "coulomb"), set(job, "input", "sine:1mm,1Hz");
  refused(job, "init", "z=1", BR_E_ARG, "coulomb has no states");
  for (int k = 0; k < 5; k++) { /* settled is all that is said of a start, or nothing */
    static const char *const SAID[][2] = {{"init", "settled"},
                                          {"init", "z=1e-6"},
                                          {"init.z", "1e-6"},
                                          {"init.z", "settled"},
                                          {"init", "Settled"}};
    job = job_of("trace");
    set(job, "model", "lugre"), set(job, "input", "sine:1mm,1Hz");
    set(job, SAID[k][0], SAID[k][1]);
    assert_int_equal(br_job_settled(job), k == 0);
    for (int more = 0; more < 3 && k == 0; more++) { /* before it or behind it */
      br_job *both = job_of("trace");
      set(both, "model", "lugre"), set(both, "input", "sine:1mm,1Hz");
      if (more < 2) set(both, SAID[more + 1][0], SAID[more + 1][1]);
      if (more < 2) refused(both, "init", "settled", BR_E_PARSE, "settled");
      else set(both, "init", "settled"), refused(both, "init.z", "1e-6", BR_E_PARSE, "settled");
    }
    br_err err = {BR_OK, -1, ""};
    assert_int_equal(br_job_check(job, &err) == BR_OK, k < 3);
    br_job_destroy(job);
  }
  refused(block("lugre"), "init", "settled", BR_E_ARG, "simulate cannot start so; 'bristle trace' can");
}

/* ---- sets of others ---- */

static const char TEXT[] =
    "mechanism:\n  name: one\n  title: a block\n  parameters: {m: 2 kg}\n  inputs: {Fe: 0 N}\n  bodies:\n"
    "    wall: fixed\n    block: {mass: m, x: x, v: v}\n  connections:\n"
    "    - force: {on: block, value: Fe}\n  contacts:\n"
    "    - {between: [block, wall], model: lugre, set: {Fc: 3 N, Fs: 5 N}}\n";

/* Values of a published set hold for its own mechanism; those in the text of a mechanism for the model that
 * they name. */
static void other_sets(void **state)
{
  (void)state;
  br_job *job = job_of("simulate");
  set(job, "preset", "canudas1995_stickslip"), set(job, "t-end", "1"); /* pulled_block: m=1,k=2,vp=0.1 */
  good(job);
  assert_true(param(job, "k") == 2 && param(job, "sigma0") == 1e5);
  br_job_destroy(job);
  job = job_of("simulate"); /* the spring of another mechanism: m and ks, not k */
  set(job, "preset", "canudas1995_stickslip"), set(job, "system", "driven_block"), set(job, "t-end", "1");
  good(job);
  assert_true(param(job, "sigma0") == 1e5);
  br_job_destroy(job);
  job = job_of("simulate");
  set(job, "preset", "canudas1995_stickslip"), set(job, "t-end", "1");
  refused(job, "model", "dahl", BR_E_ARG, "is a set of the model lugre, not of 'dahl'");
  write_file("one.yaml", TEXT);
  for (int own = 0; own < 2; own++) {
    job = job_of("simulate");
    set(job, "system", "one.yaml"), set(job, "t-end", "1");
    if (!own) set(job, "model", "coulomb"); /* it has Fc and Fs too, but they were not said of it */
    good(job);
    assert_true(param(job, "Fc") == (own ? 3 : 1));
    br_job_destroy(job);
  }
  (void)remove("one.yaml");
}

static br_status note_file(void *ctx, bri_buf *out, const char *path, br_err *err)
{
  (void)ctx, (void)err;
  bri_buf_printf(out, "file %s\n", path);
  return BR_OK;
}

/* Files of a job: the text of its mechanism, and of a record the path without the steps behind it. */
static void files(void **state)
{
  (void)state;
  br_err err = {BR_OK, -1, ""};
  write_file("one.yaml", TEXT);
  br_job *job = job_of("simulate");
  set(job, "system", "one.yaml"), set(job, "t-end", "1");
  good(job);
  bri_buf key = {0};
  assert_int_equal(bri_job_key(job, &key, note_file, NULL, &err), BR_OK);
  if (!strstr(key.text, "file one.yaml\n")) fail_msg("%s", key.text);
  bri_buf_free(&key);
  bri_claims claims = {0};
  bri_job_claim(job, &claims, NULL);
  bri_claim_output(&claims, "one.yaml", "--csv");
  assert_int_equal(bri_claims_check(&claims, &err), BR_E_ARG);
  assert_non_null(strstr(err.msg, "system"));
  bri_claims_free(&claims);
  br_job_destroy(job);
  (void)remove("one.yaml");
  size_t n = 0;
  const br_analysis *fit = br_analysis_find("fit");
  assert_true(bri_option_file(fit, fit->operand, "run.csv|detrend|cut:1:2", &n) && n == 7);
  assert_true(bri_option_file(fit, fit->operand, "a.csv\nb.csv", &n) && n == 5);
  assert_false(bri_option_file(fit, fit->operand, "sample:dahl", &n));
}

/* ---- what is said of options ---- */

static void words_of_options(void **state)
{
  (void)state;
  static const char MANY[] = "alpha|bravo|charlie|delta|echo|foxtrot|golf|hotel|india|juliett|kilo|lima|mike|"
                             "november|oscar|papa|quebec";
  static const br_option OPTIONS[] = {
      {.name = "free", .kind = BR_OPTION_NUMBER, .unit = "m", .lo = 1, .hi = -1, .doc = "from 1 on"},
      {.name = "both", .kind = BR_OPTION_NUMBER, .unit = "m", .lo = 1, .hi = 2, .doc = "from 1 to 2"},
      {.name = "few", .kind = BR_OPTION_CHOICE, .choices = "alpha|bravo", .doc = "one of two"},
      {.name = "many", .kind = BR_OPTION_CHOICE, .choices = MANY, .doc = "one of many"},
      {.name = "span", .kind = BR_OPTION_RANGE, .unit = "m", .lo = 0, .hi = 5, .doc = "a range"},
      {.name = "flag", .kind = BR_OPTION_FLAG, .doc = "yes or no"},
      {.name = "list", .kind = BR_OPTION_LIST, .unit = "m", .lo = 0, .hi = 5, .doc = "numbers"}};
  static const br_analysis OWN = {.name = "own", .options = OPTIONS, .noptions = 7};
  static const struct {
    const char *name, *value, *said;
  } CASES[] = {{"free", "0", "here: free = 0 m is out of range: must be >= 1"},
               {"both", "0", "here: both = 0 m is out of range: must be >= 1 and <= 2"},
               {"few", "alhpa", "here: few = alhpa: did you mean 'alpha'? It must be one of alpha|bravo"},
               {"few", "xyzzy", "here: few = xyzzy: must be one of alpha|bravo"},
               {"many", "alhpa", "here: many = alhpa: did you mean 'alpha'?"},
               {"span", "1:9", "here: span = 9 m is out of range: must be >= 0 and <= 5"},
               {"span", "2:1", "here: span = 2:1: must be A:B with A < B"},
               {"flag", "perhaps", "here: flag = perhaps: must be one of no|yes"},
               {"list", "1,2,", "here: list = 1,2, is not a list of numbers: ''"},
               {"list", ",1,2", "here: list = ,1,2 is not a list of numbers: ''"},
               {"list", "1,,2", "here: list = 1,,2 is not a list of numbers: ''"},
               {"list", "", "here: list =  is not a list of numbers: ''"},
               {"list", "1,x", "here: list = 1,x is not a list of numbers: 'x'"},
               {"list", "1,2,6", "here: list = 6 m is out of range: must be >= 0 and <= 5"}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_job *job = NULL;
    br_err err = {BR_OK, -1, ""};
    assert_int_equal(br_job_create(&OWN, &job, NULL), BR_OK);
    assert_int_not_equal(br_job_set(job, CASES[i].name, CASES[i].value, "here", &err), BR_OK);
    assert_string_equal(err.msg, CASES[i].said);
    br_job_destroy(job);
  }
  br_job *job = NULL;
  size_t n = 0;
  assert_int_equal(br_job_create(&OWN, &job, NULL), BR_OK);
  assert_true(!br_job_list(job, "list", &n) && n == 0);
  set(job, "list", "1,2 mm, 5");
  const double *x = br_job_list(job, "list", &n);
  assert_true(n == 3 && x[0] == 1 && x[1] == 2e-3 && x[2] == 5);
  br_job_destroy(job);
  br_err err;
  assert_int_equal(bri_unknown("analysis", "qqqqqq", &err), BR_E_NAME);
  assert_non_null(strstr(err.msg, "'bristle analyses' lists them"));
  assert_int_equal(bri_unknown("model", "qqqqqq", &err), BR_E_NAME);
  assert_non_null(strstr(err.msg, "'bristle models' lists them"));
}

/* ---- what turns ---- */

static br_status two_columns(const br_job *job, br_sink *out, br_err *err)
{
  static const br_column COLUMNS[] = {{"u", "m", NULL}, {"F", "N", NULL}, {"t", "s", NULL}};
  static const double ROW[] = {1, 2, 3};
  const br_table_head head = {
      .name = "own", .shape = BR_TABLE_LIST, .ncol = 3, .columns = COLUMNS, .rows = 1};
  (void)job;
  br_put_number(out, "N/m", 5, "stiffness"), br_put_number(out, "J", 6, "work");
  br_put(out, BR_VALUE_TIME, 0.5, "seconds");
  br_status st = br_put_table(out, &head, err);
  if (!st) st = br_put_row(out, ROW, err);
  return st ? st : br_put_end(out, err);
}

/* Parameters in units of rotation: the answer is in angles and torques; the next one of the same sink is
 * not. */
static void rotation(void **state)
{
  (void)state;
  static const br_analysis OWN = {.name = "own", .needs = BR_NEEDS_MODEL, .run = two_columns};
  br_result *r = NULL;
  assert_int_equal(br_result_create(BR_TABLE_LIST, &r, NULL), BR_OK);
  br_sink out = br_result_sink(r);
  for (int turned = 1; turned >= 0; turned--) {
    br_job *job = NULL;
    br_result *own = NULL;
    const char *unit = "";
    double x = 0;
    assert_int_equal(br_job_create(&OWN, &job, NULL), BR_OK);
    set(job, "model", "bouc_wen"), set(job, "set", turned ? "uy=1rad,fp=2 N m" : "uy=1m,fp=2 N");
    good(job);
    assert_int_equal(br_result_create(BR_TABLE_LIST, &own, NULL), BR_OK);
    out.ctx = own;
    assert_int_equal(br_job_run(job, &out, NULL), BR_OK);
    assert_int_equal(out.rotary, 0);
    static const char *const WANT[][5] = {{"N/m", "J", "m", "N", "s"}, {"N m/rad", "J", "rad", "N m", "s"}};
    static const char *const PATHS[] = {"stiffness", "work", "own.0.u", "own.0.F", "own.0.t"};
    for (int i = 0; i < 5; i++) {
      assert_true(br_result_number(own, PATHS[i], &x, &unit));
      assert_string_equal(unit, WANT[turned][i]);
    }
    assert_true(br_result_number(own, "seconds", &x, &unit) && x == 0.5 && strcmp(unit, "s") == 0);
    br_result_destroy(own);
    br_job_destroy(job);
  }
  br_result_destroy(r);
}

/* What was done to each record is told, of one and of the other. */
static void records(void **state)
{
  (void)state;
  write_file("two.csv", "t,x,y\n0,0,0\n0.1,1,2\n0.2,2,1\n0.3,3,2\n0.4,4,5\n");
  br_result *one = NULL, *two = NULL;
  size_t n[2] = {0, 0};
  for (int k = 0; k < 2; k++) {
    br_result *r = NULL;
    br_job *job = job_of("trace");
    set(job, "model", "bouc_wen_biaxial"), set(job, "input.x", "csv:two.csv:t,x"),
        set(job, "input.y", k ? "csv:two.csv:t,y" : "ramp:1");
    good(job);
    assert_int_equal(br_result_create(0, &r, NULL), BR_OK);
    br_sink out = br_result_sink(r);
    assert_int_equal(br_job_run(job, &out, NULL), BR_OK);
    n[k] = br_result_length(r, "data");
    br_job_destroy(job);
    *(k ? &two : &one) = r;
  }
  assert_true(n[1] == 2 * n[0]);
  (void)remove("two.csv");
  br_result_destroy(one), br_result_destroy(two);
}

/* ---- answers ---- */

static void odd_answers(void **state)
{
  (void)state;
  br_result *r = NULL;
  br_err err;
  size_t length = 0;
  const char *unit = NULL;
  double x = 7;
  assert_int_equal(br_result_create(BR_TABLE_LIST, &r, NULL), BR_OK);
  br_sink out = br_result_sink(r);
  br_put_number(&out, "1", 3, "ratio"), br_put_number(&out, "m", 4, "final.'contact1.z'");
  br_put_text(&out, NULL, "nothing"), br_put_flag(&out, 2, "yes"), br_put_flag(&out, 0, "no");
  br_put(&out, BR_VALUE_OBJECT, 0, "empty"), br_put(&out, BR_VALUE_LIST, 0, "none"),
      br_put(&out, BR_VALUE_ASIDE, 9, "aside.one");
  for (int i = 0; i < 100; i++) br_put_number(&out, "1", i, "long.%d", i);
  static const br_column COLUMNS[] = {{"F", "N", NULL}};
  const br_table_head head = {.name = "loop", .shape = BR_TABLE_LIST, .ncol = 1, .columns = COLUMNS},
                      other = {.name = "looped", .shape = BR_TABLE_LIST, .ncol = 1, .columns = COLUMNS};
  const double low = 1, high = 5;
  assert_int_equal(br_put_table(&out, &head, &err), BR_OK);
  assert_int_equal(br_put_row(&out, &low, &err), BR_OK);
  assert_int_equal(br_put_table(&out, &other, &err), BR_OK);
  assert_int_equal(br_put_row(&out, &high, &err), BR_OK);
  assert_int_equal(br_put_row(&out, &high, &err), BR_OK);
  assert_int_equal(out.failed, BR_OK);
  assert_true(br_result_number(r, "ratio", &x, &unit) && x == 3 && unit[0] == '\0'); /* 1 is no unit */
  assert_true(br_result_number(r, "final.contact1.z", &x, &unit) && x == 4);
  x = 7;
  assert_false(br_result_number(r, "nothing", &x, &unit));
  assert_true(x == 7 && isnan(br_result_real(r, "nothing")));
  assert_true(br_result_real(r, "yes") == 1 && br_result_real(r, "no") == 0);
  assert_true(br_result_real(r, "looped.F.max") == 5 && br_result_real(r, "loop.F.max") == 1);
  assert_true(br_result_real(r, "long.99") == 99 && br_result_length(r, "long") == 100);
  assert_true(isnan(br_result_real(r, "long..")) && isnan(br_result_real(r, "long.x")));
  assert_int_equal(br_result_kind(r, "empty"), BR_NODE_OBJECT);
  const char *json = br_result_json(r, &length);
  assert_non_null(strstr(json, "\"empty\": {}"));
  assert_non_null(strstr(json, "\"none\": []"));
  assert_non_null(strstr(json, "\"nothing\": null"));
  assert_non_null(strstr(json, "\"yes\": true"));
  assert_null(strstr(json, "aside"));
  const char *last = strstr(json, "99"); /* also a list that fills no line */
  assert_non_null(last);
  for (size_t i = 0; br_node_member(br_result_root(r), i); i++) {
    const br_node_view v = br_node_look(r, br_node_member(br_result_root(r), i));
    if (v.table) assert_int_equal(v.length, strcmp(v.name, "looped") == 0 ? 2 : 1);
  }
  br_result_destroy(r);
  assert_true(bri_name_fits("minor3", "minor*") && bri_name_fits("minor", "minor*") &&
              !bri_name_fits("mino", "minor*"));
  assert_true(bri_name_fits("turning", "turning") && !bri_name_fits("turning2", "turning") &&
              bri_name_fits("a", "a|b"));
  /* a table of many columns whose rows are foreseen */
  static const br_column WIDE[] = {{"a", "1", NULL}, {"b", "1", NULL}, {"c", "1", NULL}, {"d", "1", NULL}};
  const br_table_head wide = {
      .name = "wide", .shape = BR_TABLE_LIST, .ncol = 4, .columns = WIDE, .rows = 1000};
  assert_int_equal(br_result_create(BR_TABLE_LIST, &r, NULL), BR_OK);
  out = br_result_sink(r);
  assert_int_equal(br_put_table(&out, &wide, &err), BR_OK);
  for (int i = 0; i < 1000; i++) {
    const double row[] = {i, 2.0 * i, 3.0 * i, 4.0 * i};
    assert_int_equal(br_put_row(&out, row, &err), BR_OK);
  }
  assert_true(br_result_real(r, "wide.999.d") == 4 * 999 && br_result_real(r, "wide.500.a") == 500);
  br_result_destroy(r);
}

/* Columns that stand as arrays, under paths of their own: their kinds, lengths and numbers. */
static void columns(void **state)
{
  (void)state;
  static const br_column COLUMNS[] = {{"t", "s", NULL}, {"u", "m", "motion.u"}, {"F", "N", "motion.F"}};
  const br_table_head head = {.name = "own", .shape = BR_TABLE_ARRAYS, .ncol = 3, .columns = COLUMNS};
  br_err err;
  for (int rows = 0; rows < 8; rows += 7) {
    br_result *r = NULL;
    size_t n = 0;
    assert_int_equal(br_result_create(BR_TABLE_ARRAYS, &r, NULL), BR_OK);
    br_sink out = br_result_sink(r);
    br_put(&out, BR_VALUE_LIST, 0, "none"), br_put_number(&out, "N", 3, "some.0"),
        br_put_number(&out, "N", 4, "some.1");
    assert_int_equal(br_put_table(&out, &head, &err), BR_OK);
    for (int i = 0; i < rows; i++) {
      const double row[] = {i, 2.0 * i, 3.0 * i};
      assert_int_equal(br_put_row(&out, row, &err), BR_OK);
    }
    assert_int_equal(br_put_end(&out, &err), BR_OK);
    static const char *const PATHS[] = {"t", "motion.u", "motion.F"};
    for (int k = 0; k < 3; k++) {
      assert_int_equal(br_result_kind(r, PATHS[k]), BR_NODE_ARRAY);
      assert_int_equal(br_result_length(r, PATHS[k]), rows);
    }
    assert_int_equal(br_result_kind(r, "motion"), BR_NODE_OBJECT);
    assert_int_equal(br_result_length(r, "motion"), 2); /* members */
    assert_int_equal(br_result_length(r, "none"), 0);
    assert_int_equal(br_result_length(r, "some"), 2);
    assert_int_equal(br_result_length(r, "motion.v"), 0);
    const char *json = br_result_json(r, &n);
    assert_true(json && n == strlen(json) && (rows > 0) == (strstr(json, "18") != NULL)); /* 3 times 6 */
    br_result_destroy(r);
  }
}

/* ---- several back ends ---- */

typedef struct {
  int tables, rows, ends, parts;
} counts;
static br_status count_table(void *ctx, const br_table_head *h, br_err *err)
{
  return (void)h, (void)err, ((counts *)ctx)->tables++, BR_OK;
}
static br_status count_row(void *ctx, const double *row, br_err *err)
{
  return (void)row, (void)err, ((counts *)ctx)->rows++, BR_OK;
}
static br_status count_end(void *ctx, br_err *err) { return (void)err, ((counts *)ctx)->ends++, BR_OK; }
static void count_part(void *ctx, double part) { (void)part, ((counts *)ctx)->parts++; }
static int always(void *ctx) { return (void)ctx, 1; }

static void tees(void **state)
{
  (void)state;
  static const br_column COLUMNS[] = {{"F", "N", NULL}};
  const br_table_head head = {.name = "own", .shape = BR_TABLE_LIST, .ncol = 1, .columns = COLUMNS};
  const double row = 1;
  counts c[3] = {{0}};
  br_sink to[3];
  br_tee tee = {{&to[0], &to[1], &to[2]}, 3};
  for (int i = 0; i < 3; i++)
    to[i] = (br_sink){
        .ctx = &c[i], .table = count_table, .row = count_row, .end = count_end, .progress = count_part};
  br_sink out = br_sink_tee(&tee);
  assert_int_equal(br_put_table(&out, &head, NULL), BR_OK);
  assert_int_equal(br_put_row(&out, &row, NULL), BR_OK);
  assert_int_equal(br_put_row(&out, &row, NULL), BR_OK);
  assert_int_equal(br_put_end(&out, NULL), BR_OK);
  assert_int_equal(br_sink_alive(&out, 0.5, NULL), BR_OK);
  for (int i = 0; i < 3; i++)
    assert_true(c[i].tables == 1 && c[i].rows == 2 && c[i].ends == 1 && c[i].parts == 1);
  out.stop.asked = always; /* heard where no row is put, too */
  assert_int_equal(br_sink_alive(&out, 0.5, NULL), BR_INTERRUPTED);
  assert_int_equal(br_put_row(&out, &row, NULL), BR_INTERRUPTED);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names),   cmocka_unit_test(what_holds),       cmocka_unit_test(inputs),
      cmocka_unit_test(loads),   cmocka_unit_test(starts),           cmocka_unit_test(other_sets),
      cmocka_unit_test(files),   cmocka_unit_test(words_of_options), cmocka_unit_test(rotation),
      cmocka_unit_test(records), cmocka_unit_test(odd_answers),      cmocka_unit_test(tees),
      cmocka_unit_test(columns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
