/* SPDX-License-Identifier: Apache-2.0
 * test_rooms.c - objects belong to one thread each and the library keeps no state between them: several
 * threads, each with its own objects and all over the same models, input and tables, get the bits that one
 * thread gets.  In the tsan build the thread sanitizer watches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../phase/kit.h"
#include "base/team.h"
#include "bristle/analysis.h"
#include "bristle/batch.h"
#include "bristle/loop.h"
#include "bristle/param.h"
#include "bristle/study.h"
#include "bristle/trace.h"

enum { THREADS = 4, LANES = 70, STEPS = 40, ROWS = 101, CELLS = 3 };

/* Everything a thread computes, as plain numbers. */
typedef struct {
  double batch[STEPS * LANES], trace[ROWS], force[ROWS], top, work;
  unsigned char map[CELLS * CELLS];
  size_t cases;
  br_status worst; /* BR_OK, or the first failure */
  char model[32];
} result;

static void keep(result *r, br_status st)
{
  if (!r->worst) r->worst = st;
}

/* A batch of LuGre lanes at different speeds; the first call also finds the instruction set. */
static void batch(result *r)
{
  const br_model *m = br_model_find(r->model);
  br_params *p = NULL;
  br_batch b;
  br_err err;
  double v[STEPS * LANES];
  const size_t size = br_batch_size(m, BR_F64, LANES, 1);
  void *mem = NULL;
  for (size_t i = 0; i < STEPS * LANES; i++) v[i] = 1e-3 * ((double)(i % 17) - 8);
  keep(r, posix_memalign(&mem, 64, size) ? BR_E_NOMEM : BR_OK);
  if (!r->worst) keep(r, br_params_create(m, &p, &err));
  if (!r->worst) keep(r, br_params_finish(p, &err));
  if (!r->worst)
    keep(r, br_batch_init(&b, m, BR_F64, LANES, 1, br_params_block(p, "model"), NULL, mem, size));
  if (!r->worst) keep(r, br_batch_run_f64(&b, BR_STRICT, STEPS, 1e-3, v, r->batch));
  br_params_destroy(p);
  free(mem);
}

/* Text to signal to trace, and the steady loop under the same input. */
static void trace(result *r)
{
  const br_model *m = br_model_find("dahl");
  br_params *p = NULL;
  br_signal *input = NULL;
  br_trace *tr = NULL;
  br_loop *loop = NULL;
  br_err err;
  br_trace_options o = br_trace_options_default();
  const br_loop_settings set = br_loop_settings_default();
  double t[ROWS], u[ROWS], v[ROWS];
  size_t n = 0;
  o.t_end = 1, o.dt = 0.01;
  keep(r, br_params_create(m, &p, &err));
  if (!r->worst) keep(r, br_params_set_list(p, "sigma0=2,Fc=1", &err));
  if (!r->worst) keep(r, br_params_finish(p, &err));
  if (!r->worst) keep(r, br_signal_parse("triangle:1.5,1", &input, &err));
  const br_signal *inputs[] = {input};
  if (!r->worst) keep(r, br_trace_create(m, br_params_block(p, "model"), inputs, &o, &tr, &err));
  if (!r->worst) keep(r, br_trace_fill(tr, ROWS, t, u, v, r->force, r->trace, &n, &err));
  if (!r->worst) keep(r, br_loop_of_signal(m, br_params_block(p, "model"), input, &set, &loop, &err));
  if (!r->worst) r->top = br_loop_get(loop)->y_max, r->work = br_loop_get(loop)->work;
  br_loop_destroy(loop);
  br_trace_destroy(tr);
  br_signal_destroy(input);
  br_params_destroy(p);
}

/* The case map starts threads of its own. */
static void map(result *r, int threads)
{
  kit k;
  br_err err;
  char names[BR_CASE_NAMES][BR_CASE_NAME];
  kit_figure5(&k);
  const br_phase_problem p = kit_problem(&k);
  const br_case_map_settings s = {"F", "sigma2", 4, 6.5, 0.8, 2, CELLS, CELLS, threads, NULL, NULL};
  keep(r, br_phase_case_map(&p, &s, r->map, names, &r->cases, &err));
}

static void *all(void *ctx)
{
  batch(ctx);
  trace(ctx);
  return NULL;
}

static void threads_get_the_same_bits(void **state)
{
  static result one, many[THREADS];
  pthread_t thread[THREADS];
  static const char *const MODELS[] = {"lugre", "maxwell_slip", "bouc_wen", "gms"};
  for (size_t m = 0; m < sizeof MODELS / sizeof MODELS[0]; m++) {
    assert_int_equal(br_isa_limit(NULL),
                     BR_OK); /* forget the instruction set, so that the threads look for it at once */
    for (int i = 0; i < THREADS; i++) {
      memset(&many[i], 0, sizeof many[i]);
      strcpy(many[i].model, MODELS[m]);
      assert_int_equal(pthread_create(&thread[i], NULL, all, &many[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
    memset(&one, 0, sizeof one);
    strcpy(one.model, MODELS[m]);
    (void)all(&one);
    assert_int_equal(one.worst, BR_OK);
    assert_true(one.batch[STEPS * LANES - 1] != 0 && one.force[ROWS - 1] != 0 && one.work > 0);
    for (int i = 0; i < THREADS; i++) assert_memory_equal(&many[i], &one, sizeof one);
  }
}

static void case_map_in_threads(void **state)
{
  static result one, four;
  map(&one, 1);
  map(&four, THREADS);
  assert_int_equal(one.worst, BR_OK);
  assert_true(one.cases > 1);
  assert_memory_equal(&four, &one, sizeof one);
}

/* Members of an ensemble, by the solver and in lanes, kept in memory and in a journal. */
static size_t sweep(const char *engine, const char *threads, const char *out, double *rows)
{
  const char *const options[][2] = {{"preset", "doc1"}, {"grid", "sigma1=50:150:3,vp=1:3:4"},
                                    {"t-end", "4"},     {"measure", "v_max,l_end,period"},
                                    {"engine", engine}, {"threads", threads},
                                    {"block", "1"},     {"out", out}};
  const br_result_table *t = NULL;
  br_job *job = NULL;
  br_result *answer = NULL;
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(br_job_create(br_analysis_find("sweep"), &job, &err), BR_OK);
  for (size_t i = 0; i < sizeof options / sizeof options[0] && options[i][1]; i++)
    assert_int_equal(br_job_set(job, options[i][0], options[i][1], NULL, &err), BR_OK);
  assert_int_equal(br_job_check(job, &err), BR_OK);
  assert_int_equal(br_result_create(BR_TABLE_MAIN, &answer, &err), BR_OK);
  br_result_want(answer, "sweep");
  br_sink sink = br_result_sink(answer);
  assert_int_equal(br_job_run(job, &sink, &err), BR_OK);
  t = br_result_table_find(answer, "sweep");
  assert_true(t && t->data && t->rows == 12);
  const size_t n = t->rows * t->ncol;
  memcpy(rows, t->data, n * sizeof *rows);
  br_result_destroy(answer);
  br_job_destroy(job);
  return n;
}

static void members_in_threads(void **state)
{
  static const char *const ENGINES[] = {"solver", "lanes"};
  double one[256], four[256];
  for (size_t i = 0; i < 2; i++) {
    const size_t n = sweep(ENGINES[i], "1", NULL, one);
    assert_int_equal(sweep(ENGINES[i], "4", NULL, four), n);
    assert_memory_equal(four, one, n * sizeof *one);
    assert_int_equal(sweep(ENGINES[i], "4", "threads.csv", four), n);
    assert_memory_equal(four, one, n * sizeof *one);
  }
}

/* Studies side by side, as `bristle run` has them: computed, drawn, written, each into a folder of its own.
 * */
enum { STUDIES = 3 };
static br_status study(void *ctx, size_t i, br_err *err)
{
  static const char TEXT[] =
      "model: lugre\ninput: \"turning:0,1mm\"\nruns:\n  a: {loop: {transient: 2}}\n"
      "  b: {input: \"sine:1mm,1Hz\", trace: {dt: 1ms}}\nplots:\n  p: {x: t, y: F, lines: [{run: b}]}\n";
  char name[64], folder[64];
  br_study *s = NULL;
  (void)snprintf(name, sizeof name, "study%zu.yaml", i);
  (void)snprintf(folder, sizeof folder, "%s%zu", (const char *)ctx, i);
  br_status st = br_study_load_memory(TEXT, sizeof TEXT - 1, name, NULL, &s, err);
  br_study_options o = br_study_options_default();
  o.folder = folder;
  if (!st) st = br_study_run(s, &o, err);
  br_study_destroy(s);
  return st;
}

static size_t bytes(const char *folder, size_t i, const char *file, size_t size, char *to)
{
  char path[128];
  (void)snprintf(path, sizeof path, "%s%zu/%s", folder, i, file);
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  const size_t n = fread(to, 1, size, f);
  (void)fclose(f);
  return n;
}

static void studies_side_by_side(void **state)
{
  static const char *const FILES[] = {"a.csv", "b.csv", "a.json"};
  static char one[1 << 20], many[1 << 20];
  br_err err = {BR_OK, -1, ""};
  const br_status st = bri_team_run(&(bri_team){.n = 1, .threads = 1, .one = study, .ctx = "alone"}, &err);
  if (st == BR_E_UNSUPPORTED) skip(); /* no libyaml */
  assert_int_equal(st, BR_OK);
  assert_int_equal(
      bri_team_run(&(bri_team){.n = STUDIES, .threads = STUDIES, .one = study, .ctx = "beside"}, &err),
      BR_OK);
  for (size_t i = 0; i < STUDIES; i++)
    for (size_t k = 0; k < sizeof FILES / sizeof FILES[0]; k++) {
      const size_t n = bytes("alone", 0, FILES[k], sizeof one, one);
      assert_true(n > 100);
      assert_int_equal(bytes("beside", i, FILES[k], sizeof many, many), n);
      assert_memory_equal(many, one, n);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_get_the_same_bits),
      cmocka_unit_test(case_map_in_threads),
      cmocka_unit_test(members_in_threads),
      cmocka_unit_test(studies_side_by_side),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
