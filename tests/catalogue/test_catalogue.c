/* SPDX-License-Identifier: Apache-2.0
 * test_catalogue.c - the catalogue as JSON without the program; inputs from memory; answers node by node. */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "analysis/job.h"
#include "base/alloc.h"
#include "bristle/bristle.h"
#include "text/json.h"

static char *text_of(br_catalogue_part part, const char *only)
{
  char *text = NULL;
  size_t n = 0;
  br_err err = {BR_OK, -1, ""};
  if (br_catalogue_json(part, only, &text, &n, &err)) fail_msg("%s", err.msg);
  assert_int_equal(strlen(text), n);
  assert_int_equal(text[n - 1], '\n');
  return text;
}

static void has(const char *text, const char *name)
{
  char wanted[96];
  (void)snprintf(wanted, sizeof wanted, "\"%s\"", name);
  if (!strstr(text, wanted)) fail_msg("the text lacks %s", wanted);
}

static void everything_is_in_it(void **state)
{
  const br_analysis *a = NULL;
  size_t n = 0;
  (void)state;
  char *whole = text_of(BR_CATALOGUE_WHOLE, NULL), *schema = text_of(BR_CATALOGUE_SCHEMA, NULL),
       *models = text_of(BR_CATALOGUE_MODELS, NULL), *systems = text_of(BR_CATALOGUE_SYSTEMS, NULL);
  for (size_t i = 0; (a = br_catalogue(i)) != NULL; i++) {
    has(schema, a->name);
    if (a->alias_of) continue;
    has(whole, a->name);
    for (size_t k = 0; k < a->noptions; k++) has(whole, a->options[k].name), has(schema, a->options[k].name);
  }
  const br_model *const *list = br_models(&n);
  for (size_t i = 0; i < n; i++)
    has(whole, list[i]->name), has(models, list[i]->name), has(schema, list[i]->name);
  const br_system *const *mechanisms = br_systems(&n);
  for (size_t i = 0; i < n; i++) has(whole, mechanisms[i]->name), has(systems, mechanisms[i]->name);
  br_catalogue_free(whole), br_catalogue_free(schema), br_catalogue_free(models), br_catalogue_free(systems);
}

static void one_of_them(void **state)
{
  char *text = text_of(BR_CATALOGUE_MODELS, "dahl");
  br_err err = {BR_OK, -1, ""};
  (void)state;
  has(text, "dahl");
  assert_null(strstr(text, "\"lugre\""));
  br_catalogue_free(text);
  text = text_of(BR_CATALOGUE_SYSTEMS, "chain");
  assert_null(strstr(text, "\"pulled_block\""));
  br_catalogue_free(text);
  text = text_of(BR_CATALOGUE_WHOLE, "loop");
  assert_non_null(strstr(text, "\"name\": \"loop\""));
  assert_null(strstr(text, "\"name\": \"phase\""));
  br_catalogue_free(text);
  text = (char *)"left";
  assert_int_equal(br_catalogue_json(BR_CATALOGUE_MODELS, "dall", &text, NULL, &err), BR_E_NAME);
  assert_non_null(strstr(err.msg, "'dall'"));
  assert_null(text);
  assert_int_equal(br_catalogue_json(BR_CATALOGUE_SCHEMA, "dahl", &text, NULL, &err), BR_E_NAME);
  assert_int_equal(br_catalogue_json((br_catalogue_part)9, NULL, &text, NULL, &err), BR_E_ARG);
  assert_int_equal(br_catalogue_json(BR_CATALOGUE_WHOLE, NULL, NULL, NULL, &err), BR_E_ARG);
  br_catalogue_free(NULL);
}

static void no_memory_is_said(void **state)
{
  const long before = bri_alloc_live();
  (void)state;
  for (br_catalogue_part part = BR_CATALOGUE_WHOLE; part <= BR_CATALOGUE_SCHEMA; part++) {
    int done = 0;
    for (long n = 0; !done; n += n < 40 ? 1 : 97) {
      char *text = NULL;
      br_err err = {BR_OK, -1, ""};
      bri_alloc_fail_after(n);
      const br_status st = br_catalogue_json(part, NULL, &text, NULL, &err);
      bri_alloc_fail_after(-1);
      done = st == BR_OK;
      assert_true(done || (st == BR_E_NOMEM && !text));
      br_catalogue_free(text);
      assert_int_equal(bri_alloc_live(), before);
    }
  }
}

/* ---- inputs from memory ---- */

static void set(br_job *job, const char *name, const char *value)
{
  br_err err = {BR_OK, -1, ""};
  if (br_job_set(job, name, value, NULL, &err)) fail_msg("%s = %s: %s", name, value, err.msg);
}

static br_job *job_of(const char *analysis, const char *model)
{
  br_job *job = NULL;
  assert_int_equal(br_job_create(br_analysis_find(analysis), &job, NULL), BR_OK);
  if (model) set(job, "model", model);
  return job;
}

static br_result *answer(br_job *job, unsigned keep)
{
  br_result *r = NULL;
  br_err err = {BR_OK, -1, ""};
  if (br_job_check(job, &err)) fail_msg("%s", err.msg);
  assert_int_equal(br_result_create(keep, &r, NULL), BR_OK);
  br_sink out = br_result_sink(r);
  if (br_job_run(job, &out, &err)) fail_msg("%s", err.msg);
  return r;
}

static const double TIME[] = {0, 0.1, 0.2, 0.35, 0.5, 0.7}, WAY[] = {0, 1e-4, 3e-4, 1e-4, -2e-4, 0};
enum { SAMPLES = 6 };

/* The same motion as a text: the bits of an array are those of the corners. */
static void array_and_text_agree(void **state)
{
  br_job *a = job_of("trace", "lugre"), *b = job_of("trace", "lugre");
  (void)state;
  assert_int_equal(br_job_set_array(a, "input", SAMPLES, TIME, WAY, BR_SIGNAL_LINEAR, 0, NULL), BR_OK);
  set(b, "input", "pwl:0,0,0.1,1e-4,0.2,3e-4,0.35,1e-4,0.5,-2e-4,0.7,0");
  set(a, "dt", "0.01"), set(b, "dt", "0.01");
  br_result *ra = answer(a, BR_TABLE_ARRAYS), *rb = answer(b, BR_TABLE_ARRAYS);
  const br_result_table *ta = br_result_table_find(ra, "trace"), *tb = br_result_table_find(rb, "trace");
  assert_int_equal(ta->rows, tb->rows);
  assert_memory_equal(ta->data, tb->data, ta->rows * ta->ncol * sizeof *ta->data);
  br_result_destroy(ra), br_result_destroy(rb);
  br_job_destroy(b);
  assert_int_equal(br_job_check(a, NULL), BR_OK); /* the signal outlives a second check */
  br_job_destroy(a);
  a = job_of("trace", "lugre"); /* its own samples where no step is given */
  assert_int_equal(br_job_set_array(a, "input.u", SAMPLES, TIME, WAY, BR_SIGNAL_LINEAR, 0, NULL), BR_OK);
  ra = answer(a, BR_TABLE_ARRAYS);
  ta = br_result_table_find(ra, "trace");
  assert_int_equal(ta->rows, SAMPLES);
  for (size_t i = 0; i < SAMPLES; i++)
    assert_true(ta->data[i * ta->ncol] == TIME[i] && ta->data[i * ta->ncol + 1] == WAY[i]);
  br_result_destroy(ra);
  br_job_destroy(a);
}

static void array_refused(const char *name, size_t n, const double *t, int periodic, const char *text)
{
  br_job *job = job_of("trace", "lugre");
  br_err err = {BR_OK, -1, ""};
  assert_int_not_equal(br_job_set_array(job, name, n, t, WAY, BR_SIGNAL_LINEAR, periodic, &err), BR_OK);
  if (!strstr(err.msg, text)) fail_msg("'%s' lacks '%s'", err.msg, text);
  br_job_destroy(job);
}

static void what_is_wrong_with_an_array(void **state)
{
  static const double BACK[] = {0, 0.1, 0.1};
  br_err err = {BR_OK, -1, ""};
  bri_buf key = {0};
  (void)state;
  array_refused("dt", SAMPLES, TIME, 0, "only an input may be an array");
  array_refused("inputs", SAMPLES, TIME, 0, "only an input");
  array_refused("input", 3, BACK, 0, "input: ");
  array_refused("input", 0, TIME, 0, "input: ");
  array_refused("input", 3, TIME, 1, "input: ");
  br_job *job = job_of("classify", NULL); /* takes no input */
  assert_int_equal(br_job_set_array(job, "input", SAMPLES, TIME, WAY, BR_SIGNAL_LINEAR, 0, &err), BR_E_NAME);
  br_job_destroy(job);
  job = job_of("trace", "lugre");
  assert_int_equal(br_job_set_array(job, "input", SAMPLES, TIME, WAY, BR_SIGNAL_LINEAR, 0, &err), BR_OK);
  set(job, "input", "sine:1,1");
  assert_int_equal(br_job_check(job, &err), BR_E_ARG);
  assert_non_null(strstr(err.msg, "given twice"));
  br_job_destroy(job);
  job = job_of("trace", "lugre"); /* no study can resume it */
  assert_int_equal(br_job_set_array(job, "input", SAMPLES, TIME, WAY, BR_SIGNAL_LINEAR, 0, &err), BR_OK);
  assert_int_equal(br_job_check(job, &err), BR_OK);
  assert_int_equal(bri_job_key(job, &key, NULL, NULL, &err), BR_E_UNSUPPORTED);
  bri_buf_free(&key);
  br_job_destroy(job);
}

/* ---- node by node ---- */

static void copy_node(bri_json *j, const br_result *r, const br_node *node)
{
  const br_node_view v = br_node_look(r, node);
  switch (v.kind) {
  case BR_NODE_NONE: return;
  case BR_NODE_VALUE:
    if (v.value.kind == BR_VALUE_TEXT) bri_json_text(j, v.name, v.value.text);
    else if (v.value.kind == BR_VALUE_FLAG) bri_json_bool(j, v.name, v.value.number != 0);
    else if (v.value.kind == BR_VALUE_NULL) bri_json_null(j, v.name);
    else bri_json_number(j, v.name, v.value.number);
    return;
  case BR_NODE_ARRAY: bri_json_strided(j, v.name, v.table->data + v.column, v.length, v.table->ncol); return;
  case BR_NODE_LIST: bri_json_array(j, v.name); break;
  case BR_NODE_OBJECT: bri_json_object(j, v.name); break;
  }
  for (size_t i = 0; v.table && i < v.length; i++) {
    bri_json_object(j, NULL);
    for (size_t k = 0; k < v.table->ncol; k++)
      bri_json_number(j, v.table->columns[k].name, v.table->data[i * v.table->ncol + k]);
    bri_json_end(j);
  }
  const br_node *m = NULL;
  for (size_t i = 0; (m = br_node_member(node, i)) != NULL; i++) copy_node(j, r, m);
  assert_null(br_node_member(node, v.table ? 0 : v.length));
  bri_json_end(j);
}

static void nodes_are_the_json(void **state)
{
  br_job *job = job_of("loop", "lugre");
  size_t n = 0, m = 0;
  bri_json j;
  (void)state;
  set(job, "input", "bimodal:0,1,0.5,1.5");
  br_result *r = answer(job, BR_TABLE_LIST | BR_TABLE_ARRAYS);
  bri_json_init(&j);
  copy_node(&j, r, br_result_root(r));
  const char *mine = bri_json_finish(&j, &n), *text = br_result_json(r, &m);
  assert_int_equal(n, m);
  assert_memory_equal(mine, text, n);
  bri_json_free(&j);
  br_result_destroy(r);
  br_job_destroy(job);
  job = job_of("trace", "lugre"); /* arrays, and numbers that the object does not have */
  assert_int_equal(br_job_set_array(job, "input", SAMPLES, TIME, WAY, BR_SIGNAL_LINEAR, 0, NULL), BR_OK);
  r = answer(job, BR_TABLE_LIST | BR_TABLE_ARRAYS);
  bri_json_init(&j);
  copy_node(&j, r, br_result_root(r));
  mine = bri_json_finish(&j, &n), text = br_result_json(r, &m);
  assert_int_equal(n, m);
  assert_memory_equal(mine, text, n);
  bri_json_free(&j);
  br_result_destroy(r);
  br_job_destroy(job);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_is_in_it),         cmocka_unit_test(one_of_them),
      cmocka_unit_test(no_memory_is_said),           cmocka_unit_test(array_and_text_agree),
      cmocka_unit_test(what_is_wrong_with_an_array), cmocka_unit_test(nodes_are_the_json),
  };
  return cmocka_run_group_tests_name("catalogue", tests, NULL, NULL);
}
