/* SPDX-License-Identifier: Apache-2.0
 * test_job.c - jobs set by name, what they refuse, their keys; answers in memory, by path and as JSON. */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "analysis/job.h"
#include "bristle/analysis.h"
#include "bristle/loop.h"
#include "base/alloc.h"
#include "kit.h"
#include "solve/plant.h"

static void refused(br_job *job, const char *name, const char *value, br_status code, const char *text)
{
  br_err err = {BR_OK, -1, ""};
  br_status st = br_job_set(job, name, value, "here", &err);
  if (!st) st = br_job_check(job, &err);
  assert_int_equal(st, code);
  if (!strstr(err.msg, text)) fail_msg("'%s' lacks '%s'", err.msg, text);
  br_job_destroy(job);
}

/* What an analysis refuses it does not offer; what it takes it does. */
static void what_is_offered_is_taken(void **state)
{
  static const char *const PARTS[] = {"model", "set", "input", "init", "system", "preset"},
                           *const SLIPS[] = {"modell", "sett", "inputt", "initt", "systemm", "presett"};
  static const char *const ANALYSES[] = {"loop", "trace", "simulate", "fit", "classify", "signal", "steady"};
  size_t taken = 0, refused_ones = 0;
  (void)state;
  for (size_t a = 0; a < sizeof ANALYSES / sizeof ANALYSES[0]; a++)
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) {
      br_err whole = {BR_OK, -1, ""}, slip = {BR_OK, -1, ""};
      char hint[64];
      br_job *job = job_of(ANALYSES[a]);
      const int known =
          br_job_set(job, PARTS[i], "x", "here", &whole) != BR_E_NAME || !strstr(whole.msg, "no option");
      br_job_destroy(job);
      job = job_of(ANALYSES[a]);
      assert_int_equal(br_job_set(job, SLIPS[i], "x", "here", &slip), BR_E_NAME);
      br_job_destroy(job);
      (void)snprintf(hint, sizeof hint, "did you mean '%s'?", PARTS[i]);
      if ((strstr(slip.msg, hint) != NULL) != known || (!known && strstr(whole.msg, hint)))
        fail_msg("%s %s: %s; %s", ANALYSES[a], PARTS[i], whole.msg, slip.msg);
      taken += (size_t)known, refused_ones += (size_t)!known;
    }
  assert_true(taken > 15 && refused_ones > 5);
}

static void what_is_wrong_is_named(void **state)
{
  br_job *job = NULL;
  (void)state;
  refused(lugre_loop(), "frequenzy", "1", BR_E_NAME, "did you mean 'frequency'?");
  refused(lugre_loop(), "frequency", "-1", BR_E_RANGE,
          "here: frequency = -1 Hz is out of range: must be >= 0");
  refused(lugre_loop(), "frequency", "3 m", BR_E_PARSE, "frequency is in Hz");
  refused(lugre_loop(), "samples", "2.5", BR_E_RANGE, "whole number");
  refused(lugre_loop(), "samples", "1000001", BR_E_RANGE, "<= 1000000");
  refused(lugre_loop(), "scales", "1,x", BR_E_PARSE, "list of numbers: 'x'");
  refused(lugre_loop(), "scales", "1,,2", BR_E_PARSE, "list of numbers");
  refused(lugre_loop(), "filter", "1", BR_E_ARG,
          "here: filter needs the time of the input: add waveform or scales");
  refused(lugre_loop(), "model", "dahl", BR_E_ARG, "given twice");
  job = job_of("loop");
  set(job, "input", "sine:1,1");
  refused(job, "model", "bouc_wen_biaxial", BR_E_ARG, "two axes, which loop cannot take");
  refused(lugre_loop(), "set.sigma2", "-1", BR_E_RANGE, "must be");
  refused(lugre_loop(), "input", "sine:1,1", BR_E_ARG, "given twice");
  refused(lugre_loop(), "init.z", "1", BR_E_ARG, "periods");
  refused(lugre_loop(), "system", "chain", BR_E_NAME, "no option");
  refused(job_of("loop"), "model", "lugree", BR_E_NAME, "did you mean 'lugre'?");
  refused(job_of("loop"), "model", "lugre", BR_E_ARG, "input SPEC is missing");
  refused(job_of("loop"), "input", "sine:1,1", BR_E_ARG, "model NAME is missing");
  refused(job_of("classify"), "energy", "maybe", BR_E_NAME, "one of no|yes");
  job = lugre_loop();
  set(job, "frequency", "1");
  refused(job, "waveform", "yes", BR_E_ARG, "exclude each other");
  job = lugre_loop();
  set(job, "frequency", "1");
  refused(job, "frequency", "2", BR_E_ARG, "given twice");
  job = lugre_loop();
  set(job, "frequency", "1");
  set(job, "waveform", "no"); /* a flag that says no is not in force */
  assert_int_equal(br_job_check(job, NULL), BR_OK);
  br_job_destroy(job);
}

static br_status nothing(const br_job *job, br_sink *out, br_err *err)
{
  return (void)job, (void)out, (void)err, BR_OK;
}

/* An analysis of one's own; an input that is held and driven. */
static void ranges_and_inputs(void **state)
{
  static const br_option OPTIONS[] = {{.name = "span",
                                       .kind = BR_OPTION_RANGE,
                                       .arg = "A:B",
                                       .unit = "m",
                                       .lo = 0,
                                       .hi = 5,
                                       .doc = "a range"}};
  static const br_analysis OWN = {.name = "own", .options = OPTIONS, .noptions = 1, .run = nothing};
  static const struct {
    const char *text;
    br_status code;
  } CASES[] = {{"1:2", BR_OK},     {"1mm:2 m", BR_OK},  {"2:1", BR_E_PARSE},    {"1:1", BR_E_PARSE},
               {"1", BR_E_PARSE},  {"1:6", BR_E_RANGE}, {"-1:2", BR_E_RANGE},   {"1:x", BR_E_PARSE},
               {":2", BR_E_PARSE}, {"1:", BR_E_PARSE},  {"1:2 kg", BR_E_PARSE}, {"nan:2", BR_E_NAN}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_job *job = NULL;
    br_err err = {BR_OK, -1, ""};
    assert_int_equal(br_job_create(&OWN, &job, &err), BR_OK);
    const br_status st = br_job_set(job, "span", CASES[i].text, NULL, &err);
    if (st != CASES[i].code) fail_msg("%s: %d, not %d: %s", CASES[i].text, st, CASES[i].code, err.msg);
    br_job_destroy(job);
  }
  br_job *job = job_of("simulate");
  set(job, "system", "pulled_block"), set(job, "model", "lugre"), set(job, "set.vp", "1"),
      set(job, "t-end", "1");
  assert_int_equal(br_job_check(job, NULL), BR_OK);
  assert_true(br_job_plant(job)->drives[0].value == 1);
  br_job_destroy(job);
  job = job_of("simulate");
  set(job, "system", "pulled_block"), set(job, "model", "lugre"), set(job, "set.vp", "1");
  refused(job, "input.vp", "sine:1,1", BR_E_ARG, "both held");
}

/* One line per fault: part, name, element, character, text. */
static void take_fault(void *ctx, const char *part, const char *name, int element, const br_err *why)
{
  bri_buf_printf(ctx, "%s.%s %d %d %s\n", part, name ? name : "", element, why->index, why->msg);
}

static void has(const bri_buf *b, const char *text)
{
  if (!b->text || !strstr(b->text, text)) fail_msg("'%s' lacks '%s'", b->text ? b->text : "", text);
}

/* A study tells all that is wrong at once, each at its place. */
static void all_faults_are_told(void **state)
{
  (void)state;
  br_job *job = job_of("trace");
  bri_buf b = {0};
  br_err err = {BR_OK, -1, ""};
  set(job, "model", "maxwell_slip");
  assert_int_equal(bri_job_add(job, "set", "k", "1,2 kg,3", NULL, &err), BR_OK);
  assert_int_equal(bri_job_add(job, "set", "Delte", "1", NULL, &err), BR_OK);
  assert_int_equal(bri_job_add(job, "set", "model.k", "2", NULL, &err), BR_OK);
  assert_int_equal(bri_job_add(job, "input", "w", "sine:1,1", NULL, &err), BR_OK);
  assert_int_equal(bri_job_add(job, "input", NULL, "expr:1+sni(t)", NULL, &err), BR_OK);
  bri_job_on_fault(job, take_fault, &b);
  assert_int_equal(br_job_check(job, &err), BR_E_ARG);
  has(&b, "set.k 1 -1 ");      /* the second element */
  has(&b, "set.Delte -2 -1 "); /* the name */
  has(&b, "input.w -2 -1 maxwell_slip has no input 'w'; it has 'u'");
  has(&b, "input. -1 7 formula: unknown name 'sni'"); /* the eighth character */
  assert_null(br_job_params(job) ? br_job_par(job) : NULL);
  bri_buf_free(&b);
  br_job_destroy(job);

  job = job_of("trace"); /* without somebody to tell: the first one, with its place */
  set(job, "model", "lugre");
  assert_int_equal(br_job_set(job, "set.Fc", "-1", "f.yaml:3:4", &err), BR_OK);
  assert_int_equal(br_job_set(job, "input", "sine:1,1", NULL, &err), BR_OK);
  assert_int_equal(br_job_check(job, &err), BR_E_RANGE);
  assert_non_null(strstr(err.msg, "f.yaml:3:4: lugre: parameter Fc = -1 N is out of range"));
  br_job_destroy(job);
  const char *const twice[][2] = {{"set", "set.sigma0"}, {"set.sigma0", "set"}, {"set", "set"}};
  for (size_t i = 0; i < 3; i++) { /* a name in a list and by itself */
    job = job_of("trace");
    set(job, "model", "lugre");
    set(job, "input", "sine:1,1");
    for (size_t k = 0; k < 2; k++) set(job, twice[i][k], strcmp(twice[i][k], "set") == 0 ? "sigma0=2" : "2");
    assert_int_not_equal(br_job_check(job, &err), BR_OK);
    assert_non_null(strstr(err.msg, "given twice"));
    br_job_destroy(job);
  }
}

/* Files behind inputs and behind options that may be signals. */
static void files_are_claimed(void **state)
{
  (void)state;
  br_job *job = job_of("trace");
  bri_claims files = {0};
  br_err err = {BR_OK, -1, ""};
  FILE *f = fopen("claimed.csv", "w");
  assert_non_null(f);
  (void)fputs("t,u\n0,0\n1,1\n", f);
  (void)fclose(f);
  set(job, "model", "dahl");
  set(job, "input", "csv:claimed.csv:t,u");
  assert_int_equal(br_job_check(job, &err), BR_OK);
  bri_job_claim(job, &files, NULL);
  bri_claim_output(&files, "./claimed.csv", "--csv");
  assert_int_equal(bri_claims_check(&files, &err), BR_E_ARG);
  assert_non_null(strstr(err.msg, "which is read (input)"));
  bri_claims_free(&files);
  br_job_destroy(job);
  (void)remove("claimed.csv");
}

static void answers_are_read_by_path(void **state)
{
  (void)state;
  br_job *job = lugre_loop();
  br_result *r = NULL;
  br_err err = {BR_OK, -1, ""};
  double x = 0;
  const char *unit = NULL;
  set(job, "transient", "3"); /* older name of 'periods' */
  assert_int_equal(br_job_check(job, &err), BR_OK);
  assert_int_equal(br_result_create(BR_TABLE_LIST, &r, &err), BR_OK);
  br_result_want(r, "loop");
  br_sink out = br_result_sink(r);
  assert_int_equal(br_job_run(job, &out, &err), BR_OK);

  br_loop *loop = NULL;
  br_loop_settings s = br_loop_settings_default();
  assert_int_equal(
      br_loop_of_signal(br_job_model(job), br_job_par(job), br_job_input(job, 0), &s, &loop, &err), BR_OK);
  assert_true(br_result_number(r, "minor.0.gap", &x, &unit));
  assert_true(x == br_loop_minors(loop)[0].gap && strcmp(unit, "N") == 0);
  assert_true(br_result_real(r, "work") == br_loop_get(loop)->work);
  assert_true(br_result_real(r, "turning.1.y") == br_loop_turnings(loop)[1].y);
  assert_int_equal(br_result_length(r, "turning"), br_loop_get(loop)->n_turning);
  assert_int_equal(br_result_length(r, "transient"), 3);
  assert_int_equal(br_result_length(r, "no.such"), 0);
  assert_string_equal(br_result_text(r, "method"), "closed-form");
  assert_int_equal(br_result_kind(r, "minor"), BR_NODE_LIST);
  assert_int_equal(br_result_kind(r, "minor.0"), BR_NODE_OBJECT);
  assert_int_equal(br_result_kind(r, "minor.0.gap"), BR_NODE_VALUE);
  assert_int_equal(br_result_kind(r, "minor.7.gap"), BR_NODE_NONE);
  assert_int_equal(br_result_kind(r, "minor.0.gapp"), BR_NODE_NONE);
  assert_false(br_result_number(r, "method", &x, NULL));
  assert_true(isnan(br_result_real(r, "nothing")));

  const br_result_table *t = br_result_table_find(r, "loop");
  assert_non_null(t);
  assert_non_null(t->data);
  assert_true(t->ncol == 4 && t->data[t->ncol * (t->rows - 1)] == br_loop_get(loop)->path_length);
  assert_true(br_result_real(r, "loop.rho.max") == br_loop_get(loop)->path_length);
  assert_null(br_result_table_find(r, "transient0")); /* nobody wanted it */
  size_t n = 0;
  const char *json = br_result_json(r, &n);
  assert_true(json && strlen(json) == n && strstr(json, "\"method\": \"closed-form\"") &&
              strstr(json, "\"minor\": [\n"));
  br_loop_destroy(loop);
  br_result_destroy(r);
  br_job_destroy(job);
}

/* ---- keys ---- */

static br_status no_file(void *ctx, bri_buf *out, const char *path, br_err *err)
{
  (void)ctx, (void)path, (void)err;
  bri_buf_text(out, "file\n");
  return BR_OK;
}

static void key_of(const char *name, const char *value, bri_buf *out)
{
  br_job *job = lugre_loop();
  if (name) set(job, name, value);
  if (name && strcmp(name, "init") == 0) set(job, "periods", "1");
  if (name && strcmp(name, "filter") == 0) set(job, "scales", "2");
  assert_int_equal(br_job_check(job, NULL), BR_OK);
  assert_int_equal(bri_job_key(job, out, no_file, NULL, NULL), BR_OK);
  br_job_destroy(job);
}

static void every_ingredient_changes_the_key(void **state)
{
  static const char *const CHANGES[][2] = {
      {"frequency", "1"}, {"waveform", "yes"}, {"scales", "2"}, {"scales", "3"},  {"filter", "0.1"},
      {"periods", "1"},   {"periods", "2"},    {"load", "2"},   {"samples", "9"}, {"scales", "3,4"},
      {"init", "z=0.1"},  {"sigma2", "0.1"},   {"delta", "1.5"}};
  enum { N = sizeof CHANGES / sizeof CHANGES[0] };
  bri_buf keys[N + 1] = {{0}};
  (void)state;
  for (size_t i = 0; i < N; i++) key_of(CHANGES[i][0], CHANGES[i][1], &keys[i]);
  key_of(NULL, NULL, &keys[N]);
  for (size_t i = 0; i <= N; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(keys[i].text, keys[k].text) == 0) fail_msg("change %zu and %zu have one key", i, k);
  has(&keys[N], "\nmodel lugre\n"); /* two models may have the same parameters */
  for (size_t i = 0; i <= N; i++) bri_buf_free(&keys[i]);
  br_job *job = job_of("phase");
  bri_buf key = {0};
  set(job, "system", "driven_block");
  set(job, "model", "lugre");
  set(job, "vary", "sigma1=1:2");
  assert_int_equal(br_job_check(job, NULL), BR_OK);
  assert_int_equal(bri_job_key(job, &key, no_file, NULL, NULL), BR_OK);
  has(&key, "\nsystem driven_block\n");
  bri_buf_free(&key);
  br_job_destroy(job);
}

/* The key of a simulation with one thing said otherwise. */
static char *simulation_key(const char *name, const char *value, bri_buf *key)
{
  static const char *const SAID[][2] = {{"system", "pulled_block"}, {"model", "lugre"}, {"set", "m=1,k=2"},
                                        {"input.vp", "sine:1,1"},   {"init", "l=0.1"},  {"t-end", "1"},
                                        {"event", "l=0.2"}};
  br_job *job = job_of("simulate");
  for (size_t i = 0; i < sizeof SAID / sizeof SAID[0]; i++)
    set(job, SAID[i][0], name && strcmp(name, SAID[i][0]) == 0 ? value : SAID[i][1]);
  if (name && strcmp(name, "set.vp") == 0) {
    br_job_destroy(job);
    job = job_of("simulate");
    set(job, "system", "pulled_block"), set(job, "model", "lugre"), set(job, "t-end", "1");
    set(job, name, value);
  }
  assert_int_equal(br_job_check(job, NULL), BR_OK);
  key->used = 0;
  assert_int_equal(bri_job_key(job, key, no_file, NULL, NULL), BR_OK);
  br_job_destroy(job);
  return key->text;
}

static void ingredients_of_a_simulation(void **state)
{
  static const char *const CHANGES[][2] = {{"model", "dahl"},  {"set", "m=2,k=2"},
                                           {"set", "m=1,k=3"}, {"input.vp", "sine:1,2"},
                                           {"init", "l=0.2"},  {"t-end", "2"},
                                           {"event", "l=0.3"}, {"set.vp", "1"},
                                           {"set.vp", "2"},    {"input.vp", "csv:key.csv:t,u"}};
  enum { N = sizeof CHANGES / sizeof CHANGES[0] };
  bri_buf keys[N + 1] = {{0}};
  FILE *f = fopen("key.csv", "w");
  (void)state;
  assert_non_null(f);
  (void)fputs("t,u\n0,0\n1,1\n", f);
  (void)fclose(f);
  for (size_t i = 0; i < N; i++) (void)simulation_key(CHANGES[i][0], CHANGES[i][1], &keys[i]);
  assert_null(strstr(simulation_key(NULL, NULL, &keys[N]), "\nfile\n"));
  has(&keys[N - 1], "\nfile\n"); /* what is in the record belongs to the key */
  for (size_t i = 0; i <= N; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(keys[i].text, keys[k].text) == 0) fail_msg("change %zu and %zu have one key", i, k);
  for (size_t i = 0; i <= N; i++) bri_buf_free(&keys[i]);
  (void)remove("key.csv");
}

/* ---- back ends ---- */

static br_status full(void *ctx, const char *path, const br_value *v, br_err *err)
{
  (void)ctx, (void)path, (void)v, (void)err;
  return BR_E_NOMEM;
}
static int none(void *ctx, const char *table) { return (void)ctx, (void)table, 0; }
static int only_loop(void *ctx, const char *table) { return (void)ctx, strcmp(table, "loop") == 0; }

static void back_ends(void **state)
{
  (void)state;
  br_sink dull = {.wants = none}, keen = {.wants = only_loop}, lost = {.value = full};
  br_tee tee = {{&dull, &keen}, 2};
  br_sink both = br_sink_tee(&tee);
  assert_true(br_sink_wants(&both, "loop") && !br_sink_wants(&both, "transient0"));

  br_job *job = lugre_loop(); /* an answer that a back end cannot hold is no answer */
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(br_job_check(job, &err), BR_OK);
  assert_int_equal(br_job_run(job, &lost, &err), BR_E_NOMEM);
  br_job_destroy(job);

  br_result *r = NULL;
  assert_int_equal(br_result_create(BR_TABLE_LIST, &r, &err), BR_OK);
  br_sink out = br_result_sink(r);
  const br_column columns[] = {{"t", "s", NULL}, {"F", "N", NULL}};
  const br_table_head head = {.name = "rows", .shape = BR_TABLE_LIST, .ncol = 2, .columns = columns};
  br_put_flag(&out, 1, "good");
  br_put_flag(&out, 0, "bad");
  br_put_number(&out, "N", NAN, "nothing");
  assert_int_equal(br_put_table(&out, &head, &err), BR_OK);
  for (int i = 0; i < 3; i++) {
    const double row[] = {i, 4 - (i - 1) * (i - 1)};
    assert_int_equal(br_put_row(&out, row, &err), BR_OK);
  }
  assert_int_equal(br_put_end(&out, &err), BR_OK);
  assert_true(br_result_real(r, "rows.F.last") == 3 && br_result_real(r, "rows.F.max") == 4 &&
              br_result_real(r, "rows.F.min") == 3 && br_result_real(r, "rows.t.max") == 2);
  assert_true(br_result_real(r, "rows.1.F") == 4 && br_result_real(r, "rows.2.t") == 2);
  assert_true(isnan(br_result_real(r, "rows.3.t")));
  const char *json = br_result_json(r, NULL);
  assert_non_null(json);
  assert_non_null(strstr(json, "\"good\": true"));
  assert_non_null(strstr(json, "\"bad\": false"));
  assert_non_null(strstr(json, "\"nothing\": null"));
  br_result_destroy(r);
}

/* Zero has no sign, a gap is no list, a column without numbers has extremes of none, rows that were not kept
 * no cells. */
static void corners_of_answers(void **state)
{
  (void)state;
  br_err err = {BR_OK, -1, ""};
  const br_column columns[] = {{"t", "s", NULL}, {"F", "N", NULL}};
  const br_table_head head = {.name = "rows", .shape = BR_TABLE_LIST, .ncol = 2, .columns = columns};
  const double rows[3][2] = {{0, 2}, {-0.0, -0.0}, {-0.0, NAN}};
  for (unsigned keep = 0; keep <= BR_TABLE_LIST; keep += BR_TABLE_LIST) {
    br_result *r = NULL;
    double x = 7;
    assert_int_equal(br_result_create(keep, &r, &err), BR_OK);
    br_sink out = br_result_sink(r);
    br_put_number(&out, "N", -0.0, "zero");
    assert_true(br_result_real(r, "zero") == 0 && !signbit(br_result_real(r, "zero")));
    assert_int_equal(br_put_table(&out, &head, &err), BR_OK);
    for (int i = 0; i < 3; i++) assert_int_equal(br_put_row(&out, rows[i], &err), BR_OK);
    assert_true(br_result_real(r, "rows.F.min") == 0 && br_result_real(r, "rows.F.max") == 2);
    assert_false(signbit(br_result_real(r, "rows.F.min")));
    assert_false(signbit(br_result_real(r, "rows.t.last")));
    assert_true(isnan(br_result_real(r, "rows.F.last")));
    assert_int_equal(br_result_number(r, "rows.0.F", &x, NULL), keep != 0);
    assert_true(x == (keep ? 2 : 7));
    assert_false(br_result_number(r, "rows.3.F", &x, NULL));
    assert_int_equal(br_result_length(r, "rows"), 3);
    assert_false(out.failed);
    br_put_number(&out, "1", 1, "list.1"); /* the first one is missing */
    assert_true(out.failed);
    br_result_destroy(r);
  }
}

/* ---- short of memory ---- */

static void memory_may_fail(void **state)
{
  (void)state;
  const long before = bri_alloc_live();
  br_status st = BR_E_NOMEM;
  for (long n = 0; n < 400 && st == BR_E_NOMEM; n++) {
    br_job *job = NULL;
    br_result *r = NULL;
    br_err err = {BR_OK, -1, ""};
    bri_alloc_fail_after(n);
    st = br_job_create(br_analysis_find("loop"), &job, &err);
    if (!st) st = br_job_set(job, "model", "dahl", NULL, &err);
    if (!st) st = br_job_set(job, "input", "turning:-1,1,0,0.5", NULL, &err);
    if (!st) st = br_job_check(job, &err);
    if (!st) st = br_result_create(BR_TABLE_LIST, &r, &err);
    br_sink out = {0};
    if (!st) out = br_result_sink(r);
    if (!st) st = br_job_run(job, &out, &err);
    bri_alloc_fail_after(-1);
    br_result_destroy(r);
    br_job_destroy(job);
    assert_int_equal(bri_alloc_live(), before);
  }
  assert_int_equal(st, BR_OK);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_offered_is_taken),
      cmocka_unit_test(what_is_wrong_is_named),
      cmocka_unit_test(ranges_and_inputs),
      cmocka_unit_test(all_faults_are_told),
      cmocka_unit_test(files_are_claimed),
      cmocka_unit_test(answers_are_read_by_path),
      cmocka_unit_test(every_ingredient_changes_the_key),
      cmocka_unit_test(ingredients_of_a_simulation),
      cmocka_unit_test(back_ends),
      cmocka_unit_test(corners_of_answers),
      cmocka_unit_test(memory_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
