/* SPDX-License-Identifier: Apache-2.0
 * test_options.c - every option of the catalogue: bounds, rules, defaults. */
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

/* ---- rows of the catalogue, each tried ---- */

/* A text that an option of this kind takes. */
static const char *sample_of(const br_option *o, char text[64])
{
  const double inside = o->kind == BR_OPTION_COUNT ? o->lo + 1
                        : o->hi > o->lo            ? 0.5 * (o->lo + o->hi)
                                                   : o->lo + 1;
  switch (o->kind) {
  case BR_OPTION_NUMBER:
  case BR_OPTION_COUNT: (void)snprintf(text, 64, "%.17g", inside); break;
  case BR_OPTION_CHOICE: (void)snprintf(text, 64, "%.*s", (int)strcspn(o->choices, "|"), o->choices); break;
  case BR_OPTION_FLAG: return "yes";
  case BR_OPTION_LIST: (void)snprintf(text, 64, "%.17g", inside); break;
  case BR_OPTION_RANGE: (void)snprintf(text, 64, "%.17g:%.17g", inside, inside + 1); break;
  case BR_OPTION_TEXT:
  case BR_OPTION_PAIRS:
  case BR_OPTION_SIGNAL: return "a=1";
  }
  return text;
}

static void try(const br_analysis *a, const br_option *o, double x, int good)
{
  br_job *job = job_of(a->name);
  char text[40];
  (void)snprintf(text, sizeof text, "%.17g", x);
  if ((br_job_set(job, o->name, text, NULL, NULL) == BR_OK) != good)
    fail_msg("%s: %s = %s is %s", a->name, o->name, text, good ? "refused" : "taken");
  br_job_destroy(job);
}

static void bounds_of_every_option(void **state)
{
  const br_analysis *a = NULL;
  (void)state;
  for (size_t i = 0; (a = br_catalogue(i)) != NULL; i++)
    for (size_t k = 0; k < a->noptions; k++) {
      const br_option *o = &a->options[k];
      const int free = o->lo == 0 && o->hi == 0 && o->kind == BR_OPTION_NUMBER;
      if (o->kind != BR_OPTION_NUMBER && o->kind != BR_OPTION_COUNT) continue;
      try(a, o, o->lo, free || !o->lo_open);
      try(a, o, o->lo - 1, free);
      if (!(o->hi > o->lo) || isinf(o->hi)) continue;
      try(a, o, o->hi, 1);
      try(a, o, o->kind == BR_OPTION_COUNT ? o->hi + 1 : o->hi * (1 + 1e-12), 0);
    }
}

/* `first` and, where it is not NULL, `second` are given: what the rules say. */
static br_status rules(const br_analysis *a, const br_option *first, const char *second, size_t n,
                       const char *flag, br_err *err)
{
  char text[64], name[64];
  br_job *job = job_of(a->name);
  br_job_dashes(job, "--");
  set(job, first->name, sample_of(first, text));
  (void)snprintf(name, sizeof name, "%.*s", (int)n, second ? second : "");
  const br_option *other = second ? br_analysis_option(a, name) : NULL;
  if (other) set(job, name, flag && other->kind == BR_OPTION_FLAG ? flag : sample_of(other, text));
  *err = (br_err){BR_OK, -1, ""};
  const br_status st = bri_option_rules(job, err);
  br_job_destroy(job);
  return st;
}

static void rules_between_options(void **state)
{
  const br_analysis *a = NULL;
  br_err err;
  size_t needs = 0, clashes = 0;
  (void)state;
  for (size_t i = 0; (a = br_catalogue(i)) != NULL; i++)
    for (size_t k = 0; k < a->noptions && !a->alias_of; k++) {
      const br_option *o = &a->options[k];
      for (const char *s = o->excludes ? o->excludes : ""; *s;
           s += strcspn(s, "|"), s += *s == '|', clashes++) {
        assert_int_equal(rules(a, o, s, strcspn(s, "|"), NULL, &err), BR_E_ARG);
        if (!strstr(err.msg, "exclude each other")) fail_msg("%s: %s", o->name, err.msg);
      }
      if (o->needs) assert_int_equal(rules(a, o, NULL, 0, NULL, &err), BR_E_ARG);
      for (const char *s = o->needs ? o->needs : ""; *s; s += strcspn(s, "|"), s += *s == '|', needs++) {
        if (!strstr(err.msg, ": add --")) fail_msg("%s: %s", o->name, err.msg);
        char name[64];
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(s, "|"), s);
        const br_option *other = br_analysis_option(a, name);
        assert_non_null(other);
        br_err why; /* each of them does alone */
        if (rules(a, o, s, strcspn(s, "|"), NULL, &why)) fail_msg("%s with %s: %s", o->name, name, why.msg);
        if (other->kind == BR_OPTION_FLAG) /* but not where it says no */
          assert_int_equal(rules(a, o, s, strcspn(s, "|"), "no", &why), BR_E_ARG);
      }
    }
  assert_true(needs > 5 && clashes > 2);
}

/* A choice or number that is not given is what its row says. */
static void defaults_of_every_option(void **state)
{
  const br_analysis *a = NULL;
  (void)state;
  for (size_t i = 0; (a = br_catalogue(i)) != NULL; i++)
    for (size_t k = 0; k < a->noptions; k++) {
      const br_option *o = &a->options[k];
      br_job *none = job_of(a->name), *said = job_of(a->name);
      if (o->def && !br_job_given(said, o->name)) {
        set(said, o->name, o->def);
        assert_true(br_job_number(none, o->name) == br_job_number(said, o->name) ||
                    o->kind == BR_OPTION_FLAG);
        assert_true(br_job_flag(none, o->name) == br_job_flag(said, o->name) || o->kind != BR_OPTION_FLAG);
        assert_string_equal(br_job_text(none, o->name), br_job_text(said, o->name));
        assert_true(br_job_given(said, o->name) && !br_job_given(none, o->name));
      }
      br_job_destroy(none);
      br_job_destroy(said);
    }
  br_job *job = lugre_loop(); /* what was given stays */
  set(job, "samples", "9");
  assert_int_equal(br_job_default(job, "samples", "7", NULL), BR_OK);
  assert_int_equal(br_job_default(job, "model", "dahl", NULL), BR_OK);
  assert_int_equal(br_job_default(job, "load", "2", NULL), BR_OK);
  assert_true(br_job_count(job, "samples") == 9 && br_job_number(job, "load") == 2);
  assert_int_equal(br_job_check(job, NULL), BR_OK);
  assert_string_equal(br_job_model(job)->name, "lugre");
  br_job_destroy(job);
}

static void every_entry_is_complete(void **state)
{
  const br_analysis *a = NULL;
  (void)state;
  for (size_t i = 0; (a = br_catalogue(i)) != NULL; i++) {
    assert_true(a->name && a->summary && a->run && br_analysis_find(a->name) == a);
    assert_true(a->alias_of ? br_analysis_find(a->alias_of) != NULL : a->text && a->nresults && a->examples);
    for (size_t k = 0; k < a->noptions; k++) {
      const br_option *o = &a->options[k];
      assert_true(o->doc && (o->kind == BR_OPTION_FLAG) == (o->arg == NULL));
      assert_true(!o->needs || o->why);
      assert_true(!o->excludes || o->clash);
      assert_ptr_equal(br_analysis_option(a, o->name), o);
      if (o->alias) assert_ptr_equal(br_analysis_option(a, o->alias), o);
    }
  }
  const char *names[BRI_NAMES]; /* older sections of studies are not offered */
  const size_t n = bri_names_of("analysis", names);
  assert_true(n > 5);
  for (size_t i = 0; i < n; i++) assert_null(br_analysis_find(names[i])->alias_of);
}

/* What the catalogue calls a kind of options: bindings and pages go by it. */
static void kinds_have_names(void **state)
{
  static const struct {
    br_option_kind kind;
    const char *name;
  } KINDS[] = {{BR_OPTION_NUMBER, "number"}, {BR_OPTION_COUNT, "count"},   {BR_OPTION_CHOICE, "choice"},
               {BR_OPTION_FLAG, "flag"},     {BR_OPTION_TEXT, "text"},     {BR_OPTION_LIST, "list"},
               {BR_OPTION_PAIRS, "pairs"},   {BR_OPTION_SIGNAL, "signal"}, {BR_OPTION_RANGE, "range"}};
  (void)state;
  for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++)
    assert_string_equal(br_option_kind_text(KINDS[i].kind), KINDS[i].name);
  assert_string_equal(br_option_kind_text((br_option_kind)99), "text");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinds_have_names),        cmocka_unit_test(bounds_of_every_option),
      cmocka_unit_test(rules_between_options),   cmocka_unit_test(defaults_of_every_option),
      cmocka_unit_test(every_entry_is_complete),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
