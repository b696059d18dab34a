/* SPDX-License-Identifier: Apache-2.0
 * questions.c - the analyses of the catalogue: a job set by name, its answer by path, node by node, as files
 * and picture. */
#include <stdio.h>

#include "bristle/bristle.h"

/* A question answered into memory and into a table on disk at once, there in millimetres. */
static br_result *answer(br_job *job, br_err *err)
{
  br_result *r = NULL;
  br_files *files = NULL;
  br_units *units = NULL;
  const br_analysis *a = br_job_analysis(job);
  if (br_job_check(job, err) || br_result_create(BR_TABLE_LIST | BR_TABLE_ARRAYS, &r, err) ||
      br_files_create("example_loop.csv", NULL, a->tables, NULL, NULL, &files, err))
    return NULL;
  br_picture_want(&a->picture, r);
  br_result_want(r, "loop");
  br_sink memory = br_result_sink(r), disk = br_files_sink(files);
  if (br_units_create("mm", &disk, &units, err)) return br_files_abort(files), br_result_destroy(r), NULL;
  br_sink converted = br_units_sink(units);
  const char *unit = "m";
  const double by = br_units_factor(units, &unit);
  printf("lengths on disk are divided by %g, in %s\n", by, unit);
  br_tee tee = {{&memory, &converted}, 2};
  br_sink both = br_sink_tee(&tee);
  const br_status st = br_job_run(job, &both, err);
  br_units_destroy(units);
  if (st) return br_files_abort(files), br_result_destroy(r), NULL;
  if (br_files_close(files, err)) return br_result_destroy(r), NULL;
  return r;
}

static void said(const br_job *job)
{
  size_t n = 0;
  (void)br_job_start(job, &n);
  printf("%s of %s: samples %zu (given: %d), load %g, waveform %d; set %s; input %s is %s; %zu states%s%s\n",
         br_job_analysis(job)->name, br_job_model(job)->name, br_job_count(job, "samples"),
         br_job_given(job, "samples"), br_job_number(job, "load"), br_job_flag(job, "waveform"),
         br_job_set_text(job), br_job_spec_name(job, 0), br_job_spec(job, 0), n,
         br_job_preset(job) ? ", a preset" : "", br_job_system(job) || br_job_plant(job) ? ", driven" : "");
  printf(
      "dashes '%s', filter as text %s, %zu inputs, first of period %g s; sigma0 given: %d, slot 0 holds %g\n",
      br_job_dash(job), br_job_text(job, "filter") ? br_job_text(job, "filter") : "-", br_job_inputs(job),
      br_signal_period(br_job_input(job, 0)), br_params_given(br_job_params(job), "sigma0"),
      br_job_par(job)[0]);
  if (br_job_load(job, 0)) printf("its load varies\n");
  (void)br_job_list(job, "scales", &n);
  printf("%zu scales; the input needs %s\n", n,
         br_job_need(job, 0).unit ? br_job_need(job, 0).unit : "no unit");
}

static void walk(const br_result *r, const br_node *node, int depth)
{
  const br_node *m = NULL;
  for (size_t i = 0; depth < 1 && (m = br_node_member(node, i)) != NULL; i++) {
    const br_node_view v = br_node_look(r, m);
    if (v.kind == BR_NODE_VALUE && v.value.kind == BR_VALUE_NUMBER)
      printf(" %s=%.6g", v.name, v.value.number);
    else if (v.table) printf(" %s[%zu]", v.name, v.length);
  }
  printf("\n");
}

/* An analysis of one's own writes through the same functions. */
static int own(br_err *err)
{
  static const br_column COLUMNS[] = {{"x", "m", NULL}, {"y", "N", NULL}};
  const br_table_head head = {"own", BR_TABLE_MAIN | BR_TABLE_FILE, 2, COLUMNS, 1, NULL, NULL, NULL, 0};
  const br_value text = {BR_VALUE_TEXT, 0, "hello", NULL};
  const double row[] = {1, 2};
  br_result *r = NULL;
  if (br_result_create(BR_TABLE_MAIN, &r, err)) return 1;
  br_sink out = br_result_sink(r);
  br_put_number(&out, "J", 3.5, "part.%d.work", 0);
  br_put_text(&out, "fine", "state");
  br_put_flag(&out, 1, "done");
  br_put(&out, BR_VALUE_LIST, 0, "empty");
  br_put_value(&out, &text, "word");
  br_sink_note(&out, "nobody listens"), br_sink_amount(&out, 1, "rows", 1e-6);
  printf("wants 'own': %d\n", br_sink_wants(&out, "own"));
  const int bad = br_put_table(&out, &head, err) || br_put_row(&out, row, err) || br_put_end(&out, err) ||
                  br_sink_alive(&out, 1, err);
  const br_result_table *t = br_result_tables(r, 0);
  printf("%s; part.0.work = %g, a list of %zu; table %s with %zu row\n", br_result_text(r, "word"),
         br_result_real(r, "part.0.work"), br_result_length(r, "part"), t->name, t->rows);
  br_result_destroy(r);
  return bad;
}

int main(void)
{
  static const double T[] = {0, 1, 2}, U[] = {0, 1e-3, 0};
  br_job *job = NULL, *array = NULL;
  br_params *copy = NULL;
  br_err err = {BR_OK, -1, ""};
  const char *unit = NULL;
  double gap = 0;
  size_t n = 0;
  char *catalogue = NULL;
  const br_analysis *a = br_analysis_find("loop");
  printf("first of the catalogue: %s; option samples is a %s; picture 'diagram': %s\n", br_catalogue(0)->name,
         br_option_kind_text(br_analysis_option(a, "samples")->kind),
         br_picture_find("diagram") ? "known" : "unknown");
  if (br_job_create(a, &job, &err) || br_job_set(job, "model", "lugre", NULL, &err) ||
      br_job_set(job, "set", "sigma0=6,sigma1=1,sigma2=0,Fc=1,Fs=2,vs=1,delta=1", NULL, &err) ||
      br_job_set(job, "input", "bimodal:0,1,0.5,1.5", NULL, &err) ||
      br_job_default(job, "samples", "20", &err)) {
    (void)fprintf(stderr, "%s\n", err.msg);
    return 1;
  }
  br_job_dashes(job, "--");
  br_result *r = answer(job, &err);
  if (!r || !br_result_number(r, "minor.0.gap", &gap, &unit)) return 1;
  said(job);
  printf("gap %.6g %s; '%s' is of kind %d; table of %zu rows; JSON of %zu bytes\n", gap, unit, "minor",
         (int)br_result_kind(r, "minor"), br_result_table_find(r, "loop")->rows,
         br_result_json(r, &n) ? n : 0);
  walk(r, br_result_root(r), 0);
  if (!br_plot_check("example_loop.svg", &err) &&
      br_picture_write("example_loop.svg", "a loop", &a->picture, r, &err))
    return 1;
  if (br_params_create(br_job_model(job), &copy, &err) || br_job_values(job, copy, &err)) return 1;

  /* A record from memory as the input. */
  if (br_job_create(br_analysis_find("trace"), &array, &err) ||
      br_job_set(array, "model", "dahl", NULL, &err) ||
      br_job_set_array(array, "input", 3, T, U, BR_SIGNAL_LINEAR, 0, &err) || br_job_check(array, &err))
    return 1;
  if (own(&err) || br_catalogue_json(BR_CATALOGUE_MODELS, "dahl", &catalogue, &n, &err)) return 1;
  printf("catalogue of one model: %zu bytes\n", n);
  br_catalogue_free(catalogue);
  br_params_destroy(copy);
  br_result_destroy(r);
  br_job_destroy(job), br_job_destroy(array);
  (void)remove("example_loop.csv"), (void)remove("example_loop.svg"), (void)remove("example_loop.gp");
  (void)remove("example_loop.dat");
  return 0;
}
