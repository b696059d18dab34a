/* SPDX-License-Identifier: Apache-2.0
 * test_guards.c - what a run has said it says again behind --resume, or when memory ran out on the way; one
 * file for one table; what a run with a model of its own leaves behind; runs times values. */
#define _POSIX_C_SOURCE 200809L /* mkdir */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bri_config.h"
#include "bristle/study.h"
#include "study/study.h"
#include "base/alloc.h"
#include "text/buf.h"

static br_study *load(const char *text)
{
  br_study *s = NULL;
  br_err err = {BR_OK, -1, ""};
  if (br_study_load_memory(text, strlen(text), "test.yaml", NULL, &s, &err)) fail_msg("%s", err.msg);
  return s;
}

static br_status run(br_study *s, const char *folder, int resume, br_err *err)
{
  br_study_options o = br_study_options_default();
  o.folder = folder, o.plots = 0, o.resume = resume;
  return br_study_run(s, &o, err);
}

static int same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

/* Every quantity of every run: name, unit, bits, text, and whether pages show it. */
static void same_answers(const br_study *a, const br_study *b)
{
  assert_int_equal(a->nruns, b->nruns);
  for (size_t i = 0; i < a->nruns; i++) {
    const bri_result *x = &a->runs[i].res, *y = &b->runs[i].res;
    assert_int_equal(x->nquantities, y->nquantities);
    assert_int_equal(x->ntables, y->ntables);
    for (size_t k = 0; k < x->nquantities; k++) {
      const bri_quantity *p = &x->quantities[k], *q = &y->quantities[k];
      if (!same_text(p->name, q->name) || !same_text(p->unit, q->unit) || !same_text(p->text, q->text) ||
          p->shown != q->shown || (p->value != q->value && !(isnan(p->value) && isnan(q->value))))
        fail_msg("%s: %g, shown %d; %s: %g, shown %d", p->name, p->value, p->shown, q->name, q->value,
                 q->shown);
    }
  }
}

/* A position that leaves the band again: its settling time is no number. */
static const char SERVO[] =
    "title: t\nsystem: mass_spring\nmodel: lugre\nset: {m: 1, ks: 0}\n"
    "control: {track: x, controller: pi, reference: step:1, gains: {kp: 30, ki: 4}, t-end: 0.5}\n"
    "check:\n  - {quantity: error_end, value: 1, tolerance: 1e-9, source: wrong}\n"
    "  - {quantity: error_max, value: 1, tolerance: 1, source: the step}\n";

static void said_again(void **state)
{
  (void)state;
  if (!BR_WITH_YAML) skip();
  br_err err = {BR_OK, -1, ""};
  br_study *s = load(SERVO), *again = load(SERVO);
  if (run(s, "guards", 0, &err) || run(again, "guards", 1, &err)) fail_msg("%s", err.msg);
  same_answers(s, again);
  const bri_quantity *q = bri_result_find(&again->runs[0].res, "settling_time");
  assert_true(q && isnan(q->value));
  size_t hidden = 0;
  for (size_t k = 0; k < s->runs[0].res.nquantities; k++) hidden += !s->runs[0].res.quantities[k].shown;
  assert_true(hidden > 0); /* extremes of columns */
  bri_buf text = {0};
  assert_int_equal(bri_buf_load(&text, "guards/manifest.json", 1 << 20, &err), BR_OK);
  assert_non_null(strstr(text.text, "\"checks_failed\": 1,"));
  bri_buf_free(&text);
  br_study_destroy(again);
  br_study_destroy(s);
}

/* The n-th request fails, with all later ones or alone: an error, or the whole answer. */
static void whole_or_none(void **state)
{
  (void)state;
  if (!BR_WITH_YAML) skip();
  static const char TEXT[] = "model: dahl\nset: {sigma0: 3, Fc: 1}\ninput: \"turning:-1,1\"\nloop: {}\n";
  br_err err = {BR_OK, -1, ""};
  br_study *s = load(TEXT);
  if (run(s, "whole", 0, &err)) fail_msg("%s", err.msg);
  long requests = 3000;
  for (int once = 0; once < 2; once++)
    for (long n = 0; n < requests; n++) {
      br_study *other = load(TEXT);
      if (once) bri_alloc_fail_once(n);
      else bri_alloc_fail_after(n);
      const br_status st = run(other, "half", 0, &err);
      bri_alloc_fail_after(-1);
      if (!st) same_answers(s, other);
      if (!st && !once) requests = n;
      br_study_destroy(other);
    }
  assert_true(requests > 20 && requests < 3000);
  br_study_destroy(s);
}

static void one_file_for_one_table(void **state)
{
  (void)state;
  if (!BR_WITH_YAML) skip();
  br_err err = {BR_OK, -1, ""};
  br_study *s = load("model: dahl\nset: {sigma0: 3, Fc: 1}\ninput: bimodal:0,1,0.5,1.5\n"
                     "runs: {a: {loop: {}}, a-minor0: {loop: {}}}\n");
  assert_int_equal(run(s, "one_file", 0, &err), BR_E_NAME);
  assert_non_null(strstr(err.msg, "both write the table 'a-minor0.csv'"));
  br_study_destroy(s);
}

/* A record that the study reads is none of its results: main and side tables, the run's record, what
 * describes the folder. */
static void what_is_read_stays(void **state)
{
  (void)state;
  if (!BR_WITH_YAML) skip();
  static const char RECORD[] = "t,vp\n0,0.1\n1,0.1\n2,0.2\n";
  static const struct {
    const char *name;
    int taken; /* by a result of run 'in' */
  } FILES[] = {{"in.csv", 1},        {"in-events.csv", 1}, {"in-a.b_c.csv", 1},    {"in.json", 1},
               {"manifest.json", 1}, {"study.yaml", 1},    {"report.md", 1},       {"inn.csv", 0},
               {"in_events.csv", 0}, {"in-events.dat", 0}, {"other-events.csv", 0}};
  br_err err = {BR_OK, -1, ""};
  (void)mkdir("stays", 0777);
  for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
    char path[64], text[512];
    bri_buf b = {0};
    (void)snprintf(path, sizeof path, "stays/%s", FILES[i].name);
    (void)snprintf(text, sizeof text,
                   "system: pulled_block\nmodel: lugre\nset: {m: 1, k: 2}\ninput: {vp: "
                   "'csv:%s:t,vp'}\nsimulate: {t-end: 1}\n"
                   "runs: {in: {}}\n",
                   path);
    bri_buf_text(&b, RECORD);
    assert_int_equal(bri_buf_save(&b, path, NULL), BR_OK);
    bri_buf_free(&b);
    br_study *s = load(text);
    const br_status st = run(s, "stays", 0, &err);
    if (st != (FILES[i].taken ? BR_E_ARG : BR_OK)) fail_msg("%s: %d: %s", path, st, st ? err.msg : "taken");
    if (st && !strstr(err.msg, "which is read")) fail_msg("%s", err.msg);
    br_study_destroy(s);
    bri_buf got = {0};
    assert_int_equal(bri_buf_load(&got, path, 1 << 20, &err), BR_OK);
    assert_string_equal(got.text, RECORD);
    bri_buf_free(&got);
    (void)remove(path);
  }
}

/* The start and the values of the study's model say nothing to another model. */
static void a_model_of_its_own(void **state)
{
  (void)state;
  if (!BR_WITH_YAML) skip();
  br_err err = {BR_OK, -1, ""};
  br_study *s =
      load("model: dahl\nset: {sigma0: 3, Fc: 1}\ninit: {F: 0.5}\ninput: sine:1,1Hz\n"
           "trace: {t-end: 0.1, dt: 0.01}\nruns: {a: {}, b: {model: lugre}, c: {trace: {t-end: 0.2}}}\n");
  if (run(s, "own_model", 0, &err)) fail_msg("%s", err.msg);
  assert_true(bri_result_find(&s->runs[2].res, "trace.t.last")->value == 0.2);
  br_study_destroy(s);
}

static void runs_times_values(void **state)
{
  (void)state;
  if (!BR_WITH_YAML) skip();
  enum { RUNS = 2500, VALUES = 1000 };
  br_study *s = NULL;
  br_err err = {BR_OK, -1, ""};
  bri_buf b = {0};
  bri_buf_text(&b, "model: dahl\ninput: sine:1,1\nloop: {}\nabout: [0");
  for (int i = 1; i < VALUES; i++) bri_buf_text(&b, ",0");
  bri_buf_text(&b, "]\nruns:\n");
  for (int i = 0; i < RUNS; i++) bri_buf_printf(&b, "  r%d: {}\n", i);
  assert_int_equal(br_study_load_memory(b.text, b.used, "s.yaml", NULL, &s, &err), BR_E_PARSE);
  size_t n = 0, told = 0;
  const br_note *notes = br_study_notes(s, &n);
  for (size_t i = 0; i < n; i++) told += strstr(notes[i].text, "at most 2000000 values in all") != NULL;
  assert_int_equal(told, 1);
  br_study_destroy(s);
  bri_buf_free(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(said_again),
                                     cmocka_unit_test(whole_or_none),
                                     cmocka_unit_test(one_file_for_one_table),
                                     cmocka_unit_test(a_model_of_its_own),
                                     cmocka_unit_test(runs_times_values),
                                     cmocka_unit_test(what_is_read_stays)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
