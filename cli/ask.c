/* SPDX-License-Identifier: Apache-2.0
 * ask.c - an analysis as a command: option rows to a job, its answer to files, picture, JSON or a summary. */
#include "ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/report.h"
#include "bristle/table.h"
#include "json.h"
#include "outputs.h"
#include "progress.h"
#include "signal/spec_file.h"
#include "text/escape.h"
#include "text/buf.h"

enum { COMMON = 12, FILES = 65536 }; /* rows that add_rows() knows by itself; operands */

static const struct {
  const char *name;
  say_fn *say;
} SUMMARIES[] = {{"trace", say_trace},       {"loop", say_loop},       {"classify", say_classify},
                 {"simulate", say_simulate}, {"steady", say_steady},   {"field", say_field},
                 {"signal", say_signal},     {"control", say_control}, {"phase", say_phase},
                 {"fit", say_fit},           {"sweep", say_sweep},     {"merge", say_merge}};

/* ---- the command of an analysis ---- */

typedef struct {
  cli_command command;
  opt_row *rows;
} entry;

static int run(const cli_call *call);

static void add(entry *e, opt_row row) { e->rows[e->command.noptions++] = row; }

/* Zeroed, for as long as the program runs. */
static void *lasting(size_t n, size_t size)
{
  void *p = calloc(n, size);
  if (!p) (void)fputs("bristle: out of memory\n", stderr), exit(CLI_FAILED);
  return p;
}

/* The picture that a flag asks for; NULL: none. */
static const br_picture *picture_of(const br_analysis *a, const char *option)
{
  for (size_t i = 0; i < a->npictures; i++)
    if (a->pictures[i].option && strcmp(a->pictures[i].option, option) == 0) return &a->pictures[i];
  return NULL;
}

opt_row ask_row(const br_analysis *a, const br_option *o)
{
  const int picture = picture_of(a, o->name) != NULL;
  const opt_kind kind = picture                      ? OPT_PICTURE
                        : o->file == BR_FILE_WRITTEN ? OPT_FILE
                        : o->kind == BR_OPTION_FLAG  ? OPT_FLAG
                        : o->kind == BR_OPTION_PAIRS ? OPT_LIST
                                                     : OPT_TEXT;
  const char *file = picture && picture_of(a, o->name)->moves ? "FILE.html" : "FILE.svg|png|pdf|tex";
  return (opt_row){o->name, picture ? file : o->arg, kind, o->doc};
}

static void add_rows(entry *e, const br_analysis *a)
{
  static const opt_row MODEL = {OPT_ROW_MODEL}, SET = {OPT_ROW_SET}, CSV = {OPT_ROW_CSV},
                       HDF5 = {OPT_ROW_HDF5}, PRESET = {OPT_ROW_PRESET}, PLOT = {OPT_ROW_PLOT},
                       UNITS = {OPT_ROW_UNITS}, JSON = {OPT_ROW_JSON}, QUIET = {OPT_ROW_QUIET};
  opt_row system = {"system", "NAME", OPT_TEXT, "mechanism; see 'bristle systems'"}, model = MODEL;
  opt_row input = {"input", "[NAME:]SPEC", OPT_MANY,
                   a->input_doc ? a->input_doc : "the motion, or an input of the mechanism"};
  opt_row init = {"init", "NAME=VALUE,...", OPT_LIST,
                  a->init_doc ? a->init_doc : "states at the start; zero where not given"};
  if (a->needs & BR_TAKES_MODEL)
    model.help = "one model; without it the whole of Table I and every other model";
  if (a->needs & BR_NEEDS_SYSTEM) add(e, system);
  if (a->needs & (BR_NEEDS_MODEL | BR_TAKES_MODEL)) add(e, model), add(e, PRESET), add(e, SET);
  if (a->needs & BR_NEEDS_INPUT) add(e, input);
  for (size_t i = 0; i < a->noptions; i++) add(e, ask_row(a, &a->options[i]));
  if (a->needs & BR_TAKES_INIT) add(e, init);
  if (a->tables) add(e, CSV), add(e, HDF5);
  if (a->picture.npanels) add(e, PLOT);
  if (a->tables || a->picture.npanels) add(e, UNITS);
  add(e, JSON), add(e, QUIET);
  for (size_t i = 0; i < a->noptions; i++) { /* older names: taken, but not told */
    opt_row row = {a->options[i].alias, a->options[i].arg, OPT_TEXT, NULL};
    if (row.name) add(e, row);
  }
}

static const cli_command *make(entry *e, const br_analysis *a)
{
  cli_command *c = &e->command;
  size_t n = 0;
  while (a->examples && a->examples[n].line) n++;
  cli_example *examples = lasting(n + 1, sizeof *examples);
  for (size_t i = 0; i < n; i++) examples[i] = (cli_example){a->examples[i].line, a->examples[i].what};
  e->rows = lasting(2 * a->noptions + COMMON, sizeof *e->rows);
  c->name = a->name;
  c->args = a->operand && !a->needs        ? "OUT SHARD..."
            : a->operand                   ? "FILE... --model NAME|all"
            : !(a->needs & BR_NEEDS_MODEL) ? a->needs & BR_NEEDS_INPUT ? "--input SPEC" : ""
            : a->needs & BR_NEEDS_SYSTEM   ? "--system NAME --model NAME"
            : a->needs & BR_NEEDS_INPUT    ? "--model NAME --input SPEC"
                                           : "--model NAME";
  c->summary = a->summary;
  c->text = a->text ? a->text : a->summary;
  add_rows(e, a);
  c->options = e->rows;
  c->examples = examples;
  c->shows_inputs = (a->needs & BR_NEEDS_INPUT) != 0;
  c->run = run;
  c->max_args = a->operand ? FILES : 0;
  return c;
}

const cli_command *ask_command(size_t index)
{
  static entry *entries = NULL;
  const br_analysis *a = NULL;
  size_t all = 0;
  while (!entries && br_catalogue(all)) all++;
  if (!entries) entries = lasting(all, sizeof *entries);
  for (size_t i = 0, k = 0; (a = br_catalogue(i)) != NULL; i++) {
    if (a->alias_of || k++ != index) continue;
    return entries[index].command.name ? &entries[index].command : make(&entries[index], a);
  }
  return NULL;
}

/* ---- a call ---- */

/* Everything a call owns. */
typedef struct {
  const cli_call *call;
  const br_analysis *an;
  br_job *job;
  br_result *result, *drawn; /* drawn: tables of pictures and standard output, where they have other units */
  br_files *files;
  br_units *units[2];
  outputs to;
  progress bar;
} question;

static const opt_value *option(const cli_call *call, const char *name)
{
  static const opt_value NONE;
  const cli_command *c = call->command;
  for (size_t i = 0; i < c->noptions; i++)
    if (strcmp(c->options[i].name, name) == 0) return &call->values[i];
  return &NONE;
}

/* What the caller can mend is bad input, the rest a failed computation. */
static int complain(const question *q, const br_err *err)
{
  const int mend = err->code == BR_E_ARG || err->code == BR_E_RANGE || err->code == BR_E_SIZE ||
                   err->code == BR_E_UNSUPPORTED || err->code == BR_E_NAME || err->code == BR_E_PARSE;
  return mend ? cli_bad_input(q->call->command, err) : cli_failed(q->call->command, err);
}

static int is_output(const char *name)
{
  static const char *const OWN[] = {"csv", "hdf5", "plot", "units", "json", "quiet"};
  for (size_t i = 0; i < sizeof OWN / sizeof OWN[0]; i++)
    if (strcmp(OWN[i], name) == 0) return 1;
  return 0;
}

int ask_set(const cli_call *call, size_t i, br_job *job)
{
  const cli_command *c = call->command;
  const opt_row *row = &c->options[i];
  const opt_value *v = &call->values[i];
  const int flag = row->kind == OPT_FLAG || row->kind == OPT_PICTURE;
  char where[80];
  br_err err;
  if (!v->given) return CLI_OK;
  (void)snprintf(where, sizeof where, "--%s", row->name);
  for (size_t k = 0; k < v->nmany; k++)
    if (br_job_set(job, row->name, v->many[k], where, &err)) return cli_bad_input(c, &err);
  if (row->kind == OPT_MANY) return CLI_OK;
  return br_job_set(job, row->name, flag ? "yes" : v->text, where, &err) ? cli_bad_input(c, &err) : CLI_OK;
}

static int set_all(question *q)
{
  const cli_command *c = q->call->command;
  int code = CLI_OK;
  br_job_dashes(q->job, "--");
  for (size_t i = 0; i < c->noptions && !code; i++)
    if (!is_output(c->options[i].name)) code = ask_set(q->call, i, q->job);
  br_err err;
  bri_buf files = {0}; /* one a line */
  for (size_t k = 0; k < q->call->nargs; k++) bri_buf_printf(&files, "%s%s", k ? "\n" : "", q->call->args[k]);
  if (!code && files.failed) code = cli_no_memory(c);
  if (!code && files.used && br_job_set(q->job, q->an->operand, files.text, NULL, &err))
    code = cli_bad_input(c, &err);
  bri_buf_free(&files);
  return code;
}

/* Call fn for each picture that was asked for, with its file, until one returns nonzero. */
static int each_picture(question *q, int (*fn)(question *q, const br_picture *p, const char *path))
{
  int code = q->to.plot->given ? fn(q, &q->an->picture, q->to.plot->text) : CLI_OK;
  for (size_t i = 0; i < q->an->npictures && !code; i++) {
    const br_picture *p = &q->an->pictures[i];
    const opt_value *v = p->option ? option(q->call, p->option) : NULL;
    if (v && v->given) code = fn(q, p, v->text);
  }
  return code;
}

static int check_picture(question *q, const br_picture *p, const char *path)
{
  br_err err;
  (void)p;
  return (p->moves ? br_animation_check(path, &err) : br_plot_check(path, &err))
             ? outputs_refused(q->call->command, &err)
             : CLI_OK;
}

static int prepare(question *q)
{
  const cli_command *c = q->call->command;
  br_err err;
  q->to = (outputs){option(q->call, "csv"), option(q->call, "hdf5"), option(q->call, "plot"),
                    option(q->call, "json"), option(q->call, "quiet")};
  if (br_job_create(q->an, &q->job, &err)) return cli_bad_input(c, &err);
  int code = set_all(q);
  if (!code) code = outputs_check(c, &q->to);
  if (!code) code = each_picture(q, check_picture);
  const opt_value *units = option(q->call, "units");
  br_units *check = NULL; /* the list alone, before anything is computed */
  if (!code && units->given && br_units_create(units->text, NULL, &check, &err))
    code = cli_bad_input(c, &err);
  br_units_destroy(check);
  return !code && br_job_check(q->job, &err) ? cli_bad_input(c, &err) : code;
}

/* ---- running it ---- */

static br_status attributes(void *ctx, br_hdf5 *file, br_err *err)
{
  const question *q = ctx;
  return outputs_attributes(q->call, br_job_params(q->job), file, err);
}

static const cli_command *asking; /* for the notes below: one command a process */
static progress *bar_of;
static void note(void *ctx, const char *text)
{
  (void)ctx;
  cli_say("bristle %s: %s", asking->name, text);
}

/* Work that takes longer than a minute or so is named before it begins. */
static void amount(void *ctx, double count, const char *what, double seconds_each)
{
  const double minute = 60;
  (void)ctx;
  bar_of->count = count, bar_of->what = what;
  if (count * seconds_each > minute)
    (void)fprintf(stderr, "bristle %s: note: about %.2g %s: this takes long, Ctrl-C ends it\n", asking->name,
                  count, what);
}

static void show(void *ctx, double part)
{
  question *q = ctx;
  progress_show(&q->bar, part, q->an->name, "");
}

static int wants_nothing(void *ctx, const char *table)
{
  (void)ctx, (void)table;
  return 0;
}

static int want_picture(question *q, const br_picture *p, const char *path)
{
  (void)path;
  br_picture_want(p, q->drawn ? q->drawn : q->result);
  return CLI_OK;
}

/* Tables whose rows must stay: of pictures, of standard output; what only the JSON object has. */
static void want(question *q)
{
  (void)each_picture(q, want_picture);
  for (const char *s = outputs_to_stdout(&q->to) ? q->an->tables : ""; *s;
       s += strcspn(s, "|"), s += *s == '|')
    br_result_want(q->drawn ? q->drawn : q->result, s);
  for (size_t i = 0; q->to.json->given && i < q->an->nresults; i++)
    if (q->an->results[i].kind == BR_RESULT_DETAIL) br_result_want(q->result, q->an->results[i].name);
}

static int answer(question *q)
{
  const int csv = q->to.csv->given && !outputs_to_stdout(&q->to);
  const unsigned keep = BR_TABLE_LIST | (q->to.json->given ? BR_TABLE_ARRAYS : 0u) |
                        (outputs_to_stdout(&q->to) ? BR_TABLE_MAIN : 0u);
  br_err err;
  if (br_result_create(keep, &q->result, &err) ||
      br_files_create(csv ? q->to.csv->text : NULL, q->to.hdf5->given ? q->to.hdf5->text : NULL,
                      q->an->tables, attributes, q, &q->files, &err))
    return cli_failed(q->call->command, &err);
  const opt_value *units = option(q->call, "units");
  if (units->given && br_result_create(outputs_to_stdout(&q->to) ? BR_TABLE_MAIN : 0u, &q->drawn, &err))
    return cli_failed(q->call->command, &err);
  want(q);
  br_sink memory = br_result_sink(q->result), files = br_files_sink(q->files),
          drawn = br_result_sink(q->drawn);
  br_sink other[2];
  for (int i = 0; units->given && i < 2; i++) {
    if (br_units_create(units->text, i ? &drawn : &files, &q->units[i], &err))
      return cli_failed(q->call->command, &err);
    other[i] = br_units_sink(q->units[i]);
  }
  br_tee tee = {{&memory, units->given ? &other[0] : &files}, 2};
  if (units->given) tee.to[tee.n++] = &other[1];
  br_sink out = br_sink_tee(&tee);
  out.stop.asked = cli_stop_asked;
  out.note = note;
  out.amount = amount;
  br_sink bar = {.ctx = q, .wants = wants_nothing, .progress = show};
  tee.to[tee.n++] = &bar;
  progress_start(&q->bar, !q->to.quiet->given && !q->to.json->given);
  asking = q->call->command, bar_of = &q->bar;
  err = (br_err){BR_OK, -1, ""};
  const br_status st = br_job_run(q->job, &out, &err);
  progress_end(&q->bar);
  if (st == BR_INTERRUPTED) return cli_interrupted(q->call->command);
  return st ? complain(q, &err) : CLI_OK;
}

/* ---- its outputs: complete before they get their names; standard output comes last ---- */

/* The first of the files, without its folders, as it may be shown; "and others" behind it. */
static const char *record_title(const char *files, size_t size, char *out)
{
  char first[512];
  const size_t n = strcspn(files, "\n");
  (void)snprintf(first, sizeof first, "%.*s", (int)(n < sizeof first ? n : sizeof first - 1), files);
  const char *slash = strrchr(first, '/');
  (void)bri_escape(slash ? slash + 1 : first, size - 12, out);
  if (files[n]) (void)strcat(out, " and others");
  return out;
}

static int draw(question *q, const br_picture *p, const char *path)
{
  char title[256], record[96];
  br_err err;
  size_t n = 0;
  const char *spec = br_job_spec(q->job, 0) ? bri_signal_title(br_job_spec(q->job, 0), &n) : NULL;
  const br_model *m = br_job_model(q->job);
  const br_system *sys = br_job_system(q->job);
  const char *what = p->title ? p->title : q->an->name, *file = br_job_text(q->job, "file");
  if (!sys && !m && file) /* a fit: the model is its answer */
    (void)snprintf(title, sizeof title, "%s: %s, %s", what, br_result_text(q->result, "model"),
                   record_title(file, sizeof record, record));
  else
    (void)snprintf(title, sizeof title, "%s%s%.*s%s%.*s%s%.*s", what, sys || m ? ": " : "",
                   sys ? (int)strcspn(sys->title, ":") : 0, sys ? sys->title : "", sys && m ? ", " : "",
                   m ? (int)strcspn(m->title, ":") : 0, m ? m->title : "", !sys && spec ? ", " : "",
                   n < 120 ? (int)n : 120, !sys && spec ? spec : "");
  const char *spring = sys && br_params_row(br_job_params(q->job), "system.ks") ? "wall" : NULL;
  const br_status st = p->moves ? br_animation_write(path, title, spring, q->result, &err)
                                : br_picture_write(path, title, p, q->drawn ? q->drawn : q->result, &err);
  return st ? complain(q, &err) : CLI_OK;
}

static const br_result_table *main_table(const br_result *r)
{
  const br_result_table *t = NULL;
  for (size_t i = 0; (t = br_result_tables(r, i)) != NULL; i++)
    if (t->shape & BR_TABLE_MAIN) return t;
  return NULL;
}

static int print_table(const question *q)
{
  const br_result_table *t = main_table(q->drawn ? q->drawn : q->result);
  br_table_writer *w = NULL;
  br_err err;
  if (!t) return CLI_OK;
  const char **names = calloc(2 * t->ncol + 1, sizeof *names);
  if (!names) return cli_no_memory(q->call->command);
  for (size_t i = 0; i < t->ncol; i++) names[i] = t->columns[i].name, names[t->ncol + i] = t->columns[i].unit;
  br_status st = br_table_writer_create("-", t->ncol, names, names + t->ncol, &w, &err);
  free((void *)names);
  for (size_t k = 0; k < t->rows && !st; k++) st = br_table_writer_row(w, t->data + k * t->ncol, &err);
  if (st) br_table_writer_abort(w);
  else st = br_table_writer_close(w, &err);
  return st ? cli_failed(q->call->command, &err) : CLI_OK;
}

void say_table(const br_job *job, const br_result *r)
{
  const br_result_table *t = main_table(r);
  int width = 8;
  (void)job;
  for (size_t i = 0; t && i < t->ncol; i++)
    width = (int)strlen(t->columns[i].name) > width ? (int)strlen(t->columns[i].name) : width;
  if (t) (void)printf("  %-*s  %-5s  %14s  %14s  %14s\n", width, "quantity", "unit", "min", "max", "last");
  for (size_t i = 0; t && i < t->ncol; i++) {
    const char *unit = t->columns[i].unit;
    const double f = say_factor(&unit);
    (void)printf("  %-*s  %-5s  %14.7g  %14.7g  %14.7g\n", width, t->columns[i].name, unit, t->min[i] / f,
                 t->max[i] / f, t->last[i] / f);
  }
}

static int print(const question *q)
{
  size_t n = 0;
  if (outputs_to_stdout(&q->to)) return print_table(q);
  if (q->to.json->given) {
    const char *text = br_result_json(q->result, &n);
    return json_print_text(text, n) ? CLI_OK : CLI_FAILED;
  }
  if (q->to.quiet->given) return CLI_OK;
  say_units(q->units[1]);
  for (size_t i = 0; i < sizeof SUMMARIES / sizeof SUMMARIES[0]; i++) {
    if (strcmp(SUMMARIES[i].name, q->an->name) != 0) continue;
    SUMMARIES[i].say(q->job, q->result);
    for (size_t k = 0; say_text(q->result, "data.%zu", k)[0]; k++)
      (void)printf("%s%s\n", k ? "  " : "data: ", cli_shown(say_text(q->result, "data.%zu", k)));
    return CLI_OK;
  }
  say_tree(q->job, q->result);
  say_table(q->job, q->result);
  return CLI_OK;
}

static int work(question *q)
{
  br_err err;
  int code = prepare(q);
  if (!code) code = answer(q);
  if (!code && br_result_real(q->result, "helps") == 1) return CLI_OK; /* another process tells */
  if (!code) code = each_picture(q, draw);
  if (!code && cli_stop) code = cli_interrupted(q->call->command);
  if (code) return code;
  br_files *files = q->files;
  q->files = NULL;
  if (br_files_close(files, &err)) return cli_failed(q->call->command, &err);
  return print(q);
}

static int run(const cli_call *call)
{
  question q = {.call = call, .an = br_analysis_find(call->command->name)};
  const int code = work(&q);
  br_files_abort(q.files);
  br_units_destroy(q.units[0]), br_units_destroy(q.units[1]);
  br_result_destroy(q.drawn);
  br_result_destroy(q.result);
  br_job_destroy(q.job);
  return code;
}
