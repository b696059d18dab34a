/* SPDX-License-Identifier: Apache-2.0
 * studies.c - study files from C: load, run, verdicts, pictures, pages. */
#include <stdio.h>

#include "bristle/bristle.h"

static const char TEXT[] =
    "title: A loop\nmodel: dahl\ninput: turning:0,1mm\nset: {sigma0: 1e5, Fc: 1}\nloop:\n"
    "check:\n  - {quantity: y_max, value: 2, tolerance: 1e-3, source: level of the slider}\n";

static void put(void *ctx, const char *text)
{
  (void)ctx;
  printf("%s", text);
}

int main(void)
{
  br_study *study = NULL, *file = NULL;
  br_err err = {BR_OK, -1, ""};
  size_t n = 0, keys = 0;
  const br_study_key *rows = br_study_keys(BR_KEYS_STUDY, &keys);
  printf("%zu keys, the first is %s: %s\n", keys, rows[0].name, rows[0].doc);
  const br_status st = br_study_load_memory(TEXT, sizeof TEXT - 1, "example.yaml", "Fc=2", &study, &err);
  if (st == BR_E_UNSUPPORTED) return printf("0 studies: %s\n", err.msg), 0; /* built without libyaml */
  if (st) {
    const br_note *notes = study ? br_study_notes(study, &n) : NULL;
    (void)fprintf(stderr, "%s%s\n", err.msg, n ? notes[0].text : "");
    br_study_destroy(study);
    return 1;
  }
  printf("%s: %s, %zu runs, %zu plots\n", br_study_name(study), br_study_title(study), br_study_runs(study),
         br_study_plots(study));
  br_study_options o = br_study_options_default();
  o.folder = "example_study";
  o.plots = 0;
  if (br_study_run(study, &o, &err)) return (void)fprintf(stderr, "%s\n", err.msg), 1;
  const br_verdict *v = br_study_verdicts(study, &n);
  printf("%zu checks%s\n", n, n && v[0].pass ? ", the first holds" : "");
  br_study *const all[] = {study};
  const char *const folders[] = {"example_study"}, *const paths[] = {"example.yaml"};
  if (br_study_report("example_report.html", "Report", all, folders, 1, &err) ||
      br_study_index("example_index.md", all, paths, 1, &err))
    return (void)fprintf(stderr, "%s\n", err.msg), 1;
  if (br_study_sketch(study, 40, 8, put, NULL, &err)) printf("no plot to sketch: %s\n", err.msg);
  if (br_study_picture(study, "loop", "example_picture.svg", &err)) printf("no picture: %s\n", err.msg);
  if (br_study_load("no_such_file.yaml", NULL, &file, &err)) printf("%s\n", err.msg);
  br_study_destroy(study), br_study_destroy(file);
  (void)remove("example_report.html"), (void)remove("example_index.md");
  return 0;
}
