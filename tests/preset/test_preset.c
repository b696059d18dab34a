/* SPDX-License-Identifier: Apache-2.0
 * test_preset.c - every set of the list can be used as it stands, and a job takes it as a ground. */
#include <ctype.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bristle/bristle.h"
#include "preset/preset.h"

/* Names are words of a shell, each once; the source says where the numbers stand. */
static void test_rows(void **state)
{
  (void)state;
  size_t n = 0;
  for (const br_preset *p; (p = br_presets(n)) != NULL; n++) {
    for (const char *s = p->name; *s; s++) assert_true(isalnum((unsigned char)*s) || *s == '_');
    assert_ptr_equal(br_preset_find(p->name), p);
    assert_true(strlen(p->title) > 5 && strlen(p->source) > 10);
    assert_non_null(br_all_models_find(p->model));
    assert_true(!p->system == !p->system_set);
  }
  static const char *const NAMES[] = {
#define BRI_PRESET(name, ...) name,
#include "preset/presets.def"
#undef BRI_PRESET
  };
  assert_int_equal(n, sizeof NAMES / sizeof NAMES[0]);
  for (size_t i = 0; i < n; i++) assert_string_equal(br_presets(i)->name, NAMES[i]);
  assert_null(br_preset_find("doc"));
  assert_null(br_preset_find(NULL));
}

/* All values are read, in range, and complete: no parameter of the model is left to its default unsaid. */
static void test_values(void **state)
{
  (void)state;
  const br_preset *p = NULL;
  for (size_t i = 0; (p = br_presets(i)) != NULL; i++) {
    const br_model *m = br_all_models_find(p->model);
    br_params *q = NULL;
    br_err err = {BR_OK, -1, ""};
    assert_int_equal(br_params_create(m, &q, &err), BR_OK);
    assert_int_equal(br_params_set_list(q, p->model_set, &err), BR_OK);
    for (size_t k = 0; k < m->nparam; k++) {
      if (strcmp(m->params[k].name, "f_exp") == 0) break; /* behind these stand extensions, off by default */
      if (!br_params_given(q, m->params[k].name)) fail_msg("%s: %s is not said", p->name, m->params[k].name);
    }
    assert_int_equal(br_params_finish(q, &err), BR_OK);
    br_params_destroy(q);
  }
}

static br_job *ask(const char *analysis, const char *const *pairs)
{
  br_job *job = NULL;
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(br_job_create(br_analysis_find(analysis), &job, &err), BR_OK);
  for (; pairs[0]; pairs += 2)
    if (br_job_set(job, pairs[0], pairs[1], NULL, &err)) fail_msg("%s", err.msg);
  if (br_job_check(job, &err)) fail_msg("%s", err.msg);
  return job;
}

static double value(const br_job *job, const char *name)
{
  double x = -1;
  size_t n = 0;
  assert_int_equal(br_params_get(br_job_params(job), name, 1, &x, &n, NULL), BR_OK);
  return x;
}

/* Every parameter of both jobs has the same values. */
static void same_values(const br_job *a, const br_job *b, const char *preset)
{
  char name[96];
  for (size_t k = 0; br_params_at(br_job_params(a), k, sizeof name, name) != NULL; k++) {
    double x[64] = {0}, y[64] = {0};
    size_t nx = 0, ny = 0;
    assert_int_equal(br_params_get(br_job_params(a), name, 64, x, &nx, NULL), BR_OK);
    assert_int_equal(br_params_get(br_job_params(b), name, 64, y, &ny, NULL), BR_OK);
    if (nx != ny || nx > 64 || memcmp(x, y, nx * sizeof *x) != 0) fail_msg("%s: %s", preset, name);
  }
}

/* Every set with its mechanism is a job that passes the check, and has the values written out. */
static void test_plants(void **state)
{
  (void)state;
  const br_preset *p = NULL;
  for (size_t i = 0; (p = br_presets(i)) != NULL; i++) {
    if (!p->system) continue;
    br_job *job = ask("simulate", (const char *const[]){"preset", p->name, "t-end", "1", NULL});
    assert_string_equal(br_job_system(job)->name, p->system);
    assert_string_equal(br_job_model(job)->name, p->model);
    br_job *plain =
        ask("simulate", (const char *const[]){"model", p->model, "system", p->system, "set", p->model_set,
                                              "set", p->system_set, "t-end", "1", NULL});
    same_values(job, plain, p->name);
    br_job_destroy(plain);
    br_job_destroy(job);
  }
}

static void test_override(void **state)
{
  (void)state;
  br_job *job = ask("simulate", (const char *const[]){"preset", "doc1", "set", "model.Fs=7,k=3", "Fc", "3",
                                                      "t-end", "1", NULL});
  assert_true(value(job, "Fs") == 7 && value(job, "k") == 3 && value(job, "Fc") == 3 &&
              value(job, "sigma0") == 2900);
  br_job_destroy(job);
  /* another mechanism: the model's values alone; an input of the set gives way to one that is driven */
  job = ask("simulate", (const char *const[]){"preset", "doc1", "system", "mass_spring", "t-end", "1", NULL});
  assert_true(value(job, "ks") == 2 && value(job, "sigma1") == 107);
  br_job_destroy(job);
  job = ask("simulate", (const char *const[]){"preset", "doc2", "input", "sine:1,1", "t-end", "1", NULL});
  assert_non_null(br_job_input(job, 0));
  assert_true(value(job, "sigma1") == 8.25);
  br_job_destroy(job);
  /* the copy that a controller believes in has them too */
  job = ask("simulate", (const char *const[]){"preset", "doc1", "set", "Fs=7", "t-end", "1", NULL});
  br_params *copy = NULL;
  double x = 0;
  size_t n = 0;
  assert_int_equal(br_params_create(br_job_model(job), &copy, NULL), BR_OK);
  br_job_destroy(job);
  job = ask("trace", (const char *const[]){"preset", "doc1", "set", "Fs=7", "input", "sine:1,1", NULL});
  assert_int_equal(br_job_values(job, copy, NULL), BR_OK);
  assert_int_equal(br_params_get(copy, "sigma0", 1, &x, &n, NULL), BR_OK);
  assert_true(x == 2900);
  assert_int_equal(br_params_get(copy, "Fs", 1, &x, &n, NULL), BR_OK);
  assert_true(x == 7);
  assert_true(!br_params_given(copy, "sigma0") && br_params_given(copy, "Fs"));
  br_params_destroy(copy);
  br_job_destroy(job);
}

static void test_refused(void **state)
{
  (void)state;
  static const struct {
    const char *pairs[7], *says;
  } CASES[] = {
      {{"preset", "dok1", "t-end", "1", NULL}, "unknown preset 'dok1'; did you mean 'doc1'?"},
      {{"preset", "doc1", "model", "dahl", "t-end", "1", NULL},
       "preset doc1 is a set of the model lugre, not of 'dahl'"},
      {{"preset", "doc0", "t-end", "1", NULL}, "system NAME is missing"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_job *job = NULL;
    br_err err = {BR_OK, -1, ""};
    assert_int_equal(br_job_create(br_analysis_find("simulate"), &job, &err), BR_OK);
    for (const char *const *p = CASES[i].pairs; p[0]; p += 2)
      assert_int_equal(br_job_set(job, p[0], p[1], NULL, &err), BR_OK);
    assert_int_not_equal(br_job_check(job, &err), BR_OK);
    if (!strstr(err.msg, CASES[i].says)) fail_msg("said '%s'", err.msg);
    br_job_destroy(job);
  }
  br_job *job = NULL;
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(br_job_create(br_analysis_find("loop"), &job, &err), BR_OK);
  assert_int_equal(br_job_set(job, "preset", "doc0", NULL, &err), BR_OK);
  assert_int_equal(br_job_set(job, "preset", "doc1", NULL, &err), BR_E_ARG); /* given twice */
  br_job_destroy(job);
}

/* Found by words in any letters, of name, title, model, mechanism and source; all of them must fit. */
static void test_found(void **state)
{
  (void)state;
  static const char *const TEXT[] = {"canudas1995_stickslip", "CANUDAS",     "LuGre", "lugre pulled_block",
                                     "  lugre   STICK ",      "lugre xyzzy", "",      "   "};
  const br_preset *p = NULL;
  for (size_t i = 0; i < sizeof TEXT / sizeof TEXT[0]; i++) {
    const size_t n = bri_presets_found(TEXT[i]);
    if ((n > 0) != (i < 5)) fail_msg("'%s' finds %zu", TEXT[i], n);
  }
  assert_int_equal(bri_presets_found("canudas1995_stickslip"), 1);
  size_t all = 0;
  while (br_presets(all)) all++;
  assert_int_equal(bri_presets_found(NULL), all);
  for (size_t i = 0; (p = br_presets(i)) != NULL; i++) {
    size_t with = 0; /* every set is found by its model, and by its mechanism */
    for (size_t k = 0; k < all; k++) with += strcmp(br_presets(k)->model, p->model) == 0;
    if (!br_preset_find(p->model)) assert_true(bri_presets_found(p->model) >= with);
    if (p->system) assert_true(bri_presets_found(p->system) > 0);
    bri_json j;
    bri_buf text = {0};
    bri_json_init(&j);
    bri_json_object(&j, NULL);
    bri_presets_json(&j, p->name);
    bri_json_end(&j);
    const char *json = bri_json_finish(&j, NULL);
    const char *const keys[] = {"name",        p->name, "model_set", p->model_set, "system_set",
                                p->system_set, "model", p->model,    "system",     p->system};
    for (size_t k = 0; k < 10; k += 2) { /* each value under its own key */
      char pair[2048];
      (void)snprintf(pair, sizeof pair, keys[k + 1] ? "\"%s\": \"%s\"" : "\"%s\": null", keys[k],
                     keys[k + 1]);
      if (!strstr(json, pair)) fail_msg("%s is not in %s", pair, json);
    }
    bri_json_free(&j);
    bri_presets_text(&text, p->name); /* one alone: with values and source */
    assert_non_null(strstr(text.text, p->model_set));
    assert_non_null(strstr(text.text, p->source));
    bri_buf_free(&text);
  }
  bri_buf text = {0};
  bri_presets_text(&text, "lugre"); /* several: a line each */
  size_t lines = 0;
  for (const char *s = text.text; *s; s++) lines += *s == '\n';
  assert_int_equal(lines, bri_presets_found("lugre"));
  bri_buf_free(&text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows),    cmocka_unit_test(test_values),
                                     cmocka_unit_test(test_plants),  cmocka_unit_test(test_override),
                                     cmocka_unit_test(test_refused), cmocka_unit_test(test_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
