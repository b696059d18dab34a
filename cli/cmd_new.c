/* SPDX-License-Identifier: Apache-2.0
 * cmd_new.c - bristle new: a commented study to start from. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bristle/analysis.h"
#include "bristle/model.h"
#include "cli.h"
#include "param/param.h"
#include "tables.h"
#include "text/file.h"
#include "text/path.h"

enum { O_MODEL, OPTIONS };

static const opt_row options[OPTIONS] = {
    [O_MODEL] = {"model", "NAME", OPT_TEXT, "friction model; default lugre"},
};

static const cli_example examples[] = {
    {"bristle new start.yaml", "write it"},
    {"bristle new yielding.yaml --model bouc_wen", "for another model"},
    {NULL, NULL},
};

/* All parameters of the model at their defaults, so that one only has to change numbers. */
static void print_set(FILE *f, const br_model *m)
{
  (void)fprintf(f, "set:                              # values are SI, or carry a unit: 2900 N/m\n");
  for (size_t i = 0; i < m->nparam; i++) {
    const br_param *p = &m->params[i];
    char value[256], text[320];
    const int list = p->max_len > 1 && !p->choices, unit = !p->choices && !list && strcmp(p->unit, "1") != 0;
    if (p->max_len > 1 && p->ndef == 0) continue;
    (void)bri_param_default(p, ", ", p->ndef, sizeof value, value);
    (void)snprintf(text, sizeof text, "%s%s%s%s%s", list ? "[" : "", value, list ? "]" : "", unit ? " " : "",
                   unit ? p->unit : "");
    (void)fprintf(f, "  %s: %-*s # %s\n", p->name, (int)(28 - (int)strlen(p->name)), text, p->doc);
  }
}

static void print_study(FILE *f, const br_model *m)
{
  const int two = m->axes == 2;
  const br_analysis *a = NULL;
  (void)fprintf(f,
                "# A study: what to compute, what to draw, which numbers to check.  Run it with\n#   "
                "bristle run THIS_FILE\n# 'bristle schema' gives editors its keys; 'bristle help run' "
                "explains the results.\n\n"
                "title: %s under a slow sine\nabout: One or two sentences for the report.\n\n"
                "model: %s                        # 'bristle models' lists them\n",
                m->name, m->name);
  print_set(f, m);
  if (two)
    (void)fprintf(f, "input:                            # 'bristle help trace' lists the specs\n"
                     "  x: sine:1,0.1Hz\n  y: sine:1,0.1Hz,90deg\n");
  else (void)fprintf(f, "input: sine:1mm,0.5Hz             # 'bristle help trace' lists the specs\n");
  (void)fprintf(f, "\n# One analysis with its options.  Others:\n");
  for (size_t i = 0; (a = br_catalogue(i)) != NULL; i++)
    (void)fprintf(f, "#   %-10s %s\n", a->name, a->summary);
  (void)fprintf(f,
                "trace:\n  t-end: %s\n\n"
                "# Several runs in one study, each on top of what stands above:\n# runs:\n#   slow: {input: "
                "'sine:1mm,0.1Hz'}\n#   fast: {input: 'sine:1mm,10Hz', trace: {t-end: 0.2 s}}\n\n"
                "# Numbers to compare, with their source; NAME.json of a run lists its quantities:\n# "
                "check:\n#   - {quantity: trace.F.max, value: 1.5 N, tolerance: 1e-6, source: hand "
                "calculation}\n",
                two ? "20 s" : "4 s");
}

static int run(const cli_call *call)
{
  const cli_command *c = call->command;
  const br_model *m = NULL;
  const opt_value *model = &call->values[O_MODEL];
  if (call->nargs == 0) return cli_usage(c, "no name given, e.g. bristle new first.yaml");
  const int code = tables_model(c, model->given ? model->text : "lugre", &m);
  if (code) return code;
  const char *name = call->args[0], *dot = strrchr(name, '.');
  if (bri_path_is_stdout(name)) {
    print_study(stdout, m); /* main() sees whether it got out */
    return CLI_OK;
  }
  char path[1024];
  const int ended = dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
  if (strlen(name) + 8 >= sizeof path) return cli_usage(c, "the name is too long");
  (void)snprintf(path, sizeof path, "%s%s", name, ended ? "" : ".yaml");
  bri_file *f = NULL;
  br_err err;
  const br_status st = bri_file_open(path, BRI_FILE_NEW, &f, &err); /* never over another one */
  if (st) return st == BR_E_ARG ? cli_bad_input(c, &err) : cli_failed(c, &err);
  FILE *to = bri_file_stream(f);
  if (!to) {
    bri_file_abort(f);
    return cli_no_memory(c);
  }
  errno = 0;
  print_study(to, m);
  if (bri_file_flush(f, &err)) {
    bri_file_abort(f);
    return cli_failed(c, &err);
  }
  if (bri_file_commit(f, &err)) return cli_failed(c, &err);
  (void)printf("%s is written; now: bristle run %s\n", cli_shown(path), cli_shown(path));
  return CLI_OK;
}

const cli_command cli_new = {
    .name = "new",
    .args = "NAME.yaml",
    .summary = "write a commented study to start from",
    .text = "The file holds every parameter of the model at its default and runs as it is. An existing file "
            "is left alone; '-' is standard output.",
    .options = options,
    .noptions = OPTIONS,
    .max_args = 1,
    .examples = examples,
    .run = run,
};
