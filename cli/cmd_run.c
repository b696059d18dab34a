/* SPDX-License-Identifier: Apache-2.0
 * cmd_run.c - bristle run: compute study files, compare with their references, write reports. */
#define _POSIX_C_SOURCE 200809L /* opendir, stat, strdup */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/team.h"
#include "bristle/report.h"
#include "bristle/study.h"
#include "cli.h"
#include "progress.h"
#include "study/claims.h"
#include "text/file.h"
#include "text/lock.h"
#include "text/path.h"
#include "verdicts.h"

enum {
  O_SET,
  O_OUT,
  O_RESUME,
  O_CHECK,
  O_HDF5,
  O_PNG,
  O_NO_PLOTS,
  O_TERM,
  O_INDEX,
  O_JSON,
  O_QUIET,
  OPTIONS
};
enum { PATH = 1024 };

static const opt_row options[OPTIONS] = {
    [O_SET] = {"set", "NAME=VALUE,...", OPT_LIST,
               "override parameters, or options of an analysis (loop.frequency=1), in every run"},
    [O_OUT] = {"out", "FOLDER", OPT_TEXT,
               "where the results go; default results/NAME, for a folder results/FOLDER/NAME"},
    [O_RESUME] = {"resume", NULL, OPT_FLAG, "keep runs that are finished and unchanged, compute the rest"},
    [O_CHECK] = {"check", NULL, OPT_FLAG, "only read and check the files; compute nothing"},
    [O_HDF5] = {"hdf5", NULL, OPT_FLAG, "write all tables into results.h5 as well"},
    [O_PNG] = {"png", NULL, OPT_FLAG, "draw pictures as png as well as svg"},
    [O_NO_PLOTS] = {"no-plots", NULL, OPT_FLAG, "draw no pictures"},
    [O_TERM] = {"term", NULL, OPT_FLAG, "sketch the pictures in the terminal"},
    [O_INDEX] = {"index", "FILE.md", OPT_FILE,
                 "write a list of all studies and checks, e.g. studies/README.md; '-' is standard output"},
    [O_JSON] = {OPT_ROW_JSON},
    [O_QUIET] = {OPT_ROW_QUIET},
};

static const cli_example examples[] = {
    {"bristle new first.yaml && bristle run first.yaml", "write a study, run it"},
    {"bristle run first.yaml --set sigma0=2e5 --out results/stiff --term",
     "another stiffness, with a sketch in the terminal"},
    {"bristle run --check studies/", "read and check all studies of a folder; without --check, run them all"},
    {NULL, NULL},
};

typedef struct {
  const cli_call *call;
  br_study **studies;
  char **paths, **folders; /* study files; results folder of each */
  size_t n, room;
  char base[PATH]; /* results folder of a whole folder, or of the one study */
  char title[PATH];
  int many; /* a folder or several files */
  progress bar;
  pthread_mutex_t showing; /* several studies are run at a time */
  double done;             /* studies, and parts of those under way */
  bri_lock lock;           /* on base */
} job;

static int given(const job *b, int k) { return b->call->values[k].given; }

static int index_to_stdout(const job *b)
{
  return given(b, O_INDEX) && bri_path_is_stdout(b->call->values[O_INDEX].text);
}

/* ---- which files ---- */

static int ends_with(const char *s, const char *end)
{
  const size_t n = strlen(s), k = strlen(end);
  return n > k && strcmp(s + n - k, end) == 0;
}

static int add_path(job *b, const char *path)
{
  if (b->n == b->room) {
    const size_t room = b->room ? 2 * b->room : 32;
    char **p = realloc(b->paths, room * sizeof *p);
    if (!p) return 0;
    b->paths = p;
    b->room = room;
  }
  b->paths[b->n] = strdup(path);
  return b->paths[b->n] ? (int)++b->n : 0;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Every .yaml of a folder that is no part of another ("_" in front), by name. */
static int add_folder(job *b, const char *folder)
{
  const cli_command *c = b->call->command;
  const size_t first = b->n;
  DIR *d = opendir(folder);
  if (!d) return cli_usage(c, "cannot read folder '%s'", folder);
  int good = 1;
  for (const struct dirent *e = readdir(d); e && good; e = readdir(d)) {
    char path[PATH];
    if (e->d_name[0] == '_' || e->d_name[0] == '.') continue;
    if (!ends_with(e->d_name, ".yaml") && !ends_with(e->d_name, ".yml")) continue;
    const size_t n = strlen(folder);
    (void)snprintf(path, sizeof path, "%s%s%s", folder, n && folder[n - 1] == '/' ? "" : "/", e->d_name);
    good = add_path(b, path);
  }
  (void)closedir(d);
  if (!good) return cli_no_memory(c);
  if (b->n == first) return cli_usage(c, "folder '%s' has no study files (*.yaml)", folder);
  qsort(b->paths + first, b->n - first, sizeof *b->paths, by_text);
  return CLI_OK;
}

/* Last part of a path without slashes and without ending: "studies/" -> "studies". */
static void stem(const char *path, size_t size, char *out)
{
  size_t n = strlen(path);
  while (n > 1 && path[n - 1] == '/') n--;
  size_t from = n;
  while (from && path[from - 1] != '/') from--;
  (void)snprintf(out, size, "%.*s", (int)(n - from), path + from);
  char *dot = strrchr(out, '.');
  if (dot && dot > out && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0)) *dot = '\0';
  if (!out[0] || strcmp(out, ".") == 0 || strcmp(out, "..") == 0) (void)snprintf(out, size, "studies");
}

static int find_files(job *b)
{
  const cli_command *c = b->call->command;
  if (b->call->nargs == 0) return cli_usage(c, "no study given; 'bristle new NAME.yaml' writes one");
  if (given(b, O_OUT) && bri_path_is_stdout(b->call->values[O_OUT].text))
    return cli_usage(c, "--out %s: results need a folder, standard output is none",
                     b->call->values[O_OUT].text);
  if (index_to_stdout(b) && (given(b, O_JSON) || given(b, O_TERM)))
    return cli_usage(c, "--index %s and --%s both want standard output", b->call->values[O_INDEX].text,
                     given(b, O_JSON) ? "json" : "term");
  b->many = b->call->nargs > 1;
  for (size_t i = 0; i < b->call->nargs; i++) {
    struct stat info;
    const char *arg = b->call->args[i];
    if (stat(arg, &info) == 0 && S_ISDIR(info.st_mode)) {
      const int code = add_folder(b, arg);
      if (code) return code;
      b->many = 1;
    } else if (!add_path(b, arg)) {
      return cli_no_memory(c);
    }
  }
  char name[256];
  stem(b->call->args[0], sizeof name, name);
  if (b->call->nargs > 1) (void)snprintf(name, sizeof name, "studies");
  (void)snprintf(b->title, sizeof b->title, "%s", name);
  if (given(b, O_OUT)) (void)snprintf(b->base, sizeof b->base, "%.800s", b->call->values[O_OUT].text);
  else (void)snprintf(b->base, sizeof b->base, "results/%s", name);
  return CLI_OK;
}

/* ---- load: all files are read before the first is computed ---- */

static int load_all(job *b)
{
  const cli_command *c = b->call->command;
  int code = CLI_OK;
  b->studies = calloc(b->n + 1, sizeof(br_study *));
  b->folders = calloc(b->n + 1, sizeof(char *));
  if (!b->studies || !b->folders) return cli_no_memory(c);
  for (size_t i = 0; i < b->n; i++) {
    br_err err = {BR_OK, -1, ""};
    const br_status st = br_study_load(b->paths[i], b->call->values[O_SET].text, &b->studies[i], &err);
    if (st == BR_E_PARSE && b->studies[i]) {
      size_t n = 0;
      const br_note *note = br_study_notes(b->studies[i], &n);
      for (size_t k = 0; k < n; k++)
        cli_say("%s:%zu:%zu: %s", note[k].file, note[k].line, note[k].column, note[k].text);
      code = CLI_USAGE;
    } else if (st) {
      const int bad = st == BR_E_UNSUPPORTED ? cli_failed(c, &err) : cli_bad_input(c, &err);
      if (!code) code = bad;
    }
    if (!b->studies[i] || code) continue;
    char folder[2 * PATH];
    if (b->many) (void)snprintf(folder, sizeof folder, "%s/%s", b->base, br_study_name(b->studies[i]));
    else (void)snprintf(folder, sizeof folder, "%s", b->base);
    b->folders[i] = strdup(folder);
    if (!b->folders[i]) return cli_no_memory(c);
    for (size_t k = 0; k < i; k++)
      if (b->folders[k] && strcmp(b->folders[k], folder) == 0)
        return cli_usage(c, "'%s' and '%s' have the same name: their results would go to one folder",
                         b->paths[k], b->paths[i]);
  }
  return code;
}

/* ---- run ---- */

static br_study_options options_of(const job *b, size_t i)
{
  br_study_options o = br_study_options_default();
  o.folder = b->folders[i];
  o.resume = given(b, O_RESUME);
  if (given(b, O_HDF5)) o.hdf5 = 1;
  if (given(b, O_PNG)) o.png = 1;
  o.plots = !given(b, O_NO_PLOTS);
  return o;
}

/* No result of any study may replace a file that one of them reads, or a result of another. */
static int check_files(const job *b)
{
  static const char *const END[] = {"html", "md"};
  const opt_value *index = &b->call->values[O_INDEX];
  char path[2 * PATH];
  bri_claims set = {0};
  br_err err;
  for (size_t i = 0; i < b->n; i++) {
    const br_study_options o = options_of(b, i);
    bri_study_claim(b->studies[i], b->folders[i], &o, &set);
  }
  for (size_t e = 0; e < 2 && b->many; e++) {
    (void)snprintf(path, sizeof path, "%s/report.%s", b->base, END[e]);
    bri_claim_output(&set, path, "the report");
  }
  if (index->given && !bri_path_is_stdout(index->text)) bri_claim_output(&set, index->text, "--index");
  const br_status st = bri_claims_check(&set, &err);
  bri_claims_free(&set);
  return st ? cli_bad_input(b->call->command, &err) : CLI_OK;
}

/* Nobody else writes there until the reports are done. */
static int take_folder(job *b)
{
  br_err err = {BR_OK, -1, ""};
  const int why = bri_path_make(b->base);
  if (why) (void)snprintf(err.msg, sizeof err.msg, "cannot make folder '%.160s': %s", b->base, strerror(why));
  if (why || bri_lock_take(b->base, &b->lock, &err)) return cli_failed(b->call->command, &err);
  bri_temps_sweep(b->base);
  return CLI_OK;
}

/* A study under way, and how much of it is done. */
typedef struct {
  job *b;
  size_t at;
  double part;
} place;

static void advance(void *ctx, double part, const char *what)
{
  place *p = ctx;
  job *b = p->b;
  (void)pthread_mutex_lock(&b->showing);
  b->done += part - p->part;
  p->part = part;
  progress_show(&b->bar, b->done / (double)b->n, br_study_name(b->studies[p->at]), what);
  (void)pthread_mutex_unlock(&b->showing);
}

static br_status run_one(void *ctx, size_t i, br_err *err)
{
  job *b = ctx;
  place here = {b, i, 0};
  br_study_options o = options_of(b, i);
  o.stop = cli_stop_asked;
  o.progress = advance;
  o.ctx = &here;
  return br_study_run(b->studies[i], &o, err);
}

/* Studies side by side, one per processor; one at a time where HDF5, which knows no threads, is asked for. */
static int run_all(job *b)
{
  br_err err = {BR_OK, -1, ""};
  bri_team team = {.n = b->n, .one = run_one, .ctx = b};
  for (size_t i = 0; i < b->n; i++)
    if (bri_study_wants(b->studies[i], "hdf5", options_of(b, i).hdf5)) team.threads = 1;
  progress_start(&b->bar, !given(b, O_QUIET) && !given(b, O_JSON));
  const br_status st = bri_team_run(&team, &err);
  progress_end(&b->bar);
  if (st == BR_INTERRUPTED || (st && cli_stop)) {
    (void)fprintf(stderr, "bristle run: %s, --resume goes on\n", cli_interrupted_text());
    return CLI_INTERRUPTED;
  }
  return st ? cli_failed(b->call->command, &err) : CLI_OK;
}

static int write_reports(job *b)
{
  const cli_command *c = b->call->command;
  static const char *const END[] = {"html", "md"};
  br_err err = {BR_OK, -1, ""};
  char path[2 * PATH];
  for (size_t e = 0; e < 2; e++) {
    for (size_t i = 0; i < b->n && b->many; i++) {
      const char *here = "";
      (void)snprintf(path, sizeof path, "%s/report.%s", b->folders[i], END[e]);
      if (br_study_report(path, br_study_title(b->studies[i]), &b->studies[i], &here, 1, &err))
        return cli_failed(c, &err);
    }
    (void)snprintf(path, sizeof path, "%s/report.%s", b->base, END[e]);
    const char **within = calloc(b->n + 1, sizeof *within);
    if (!within) return cli_no_memory(c);
    for (size_t i = 0; i < b->n; i++) within[i] = b->many ? br_study_name(b->studies[i]) : "";
    const char *title = b->many ? b->title : br_study_title(b->studies[0]);
    const br_status st = br_study_report(path, title, b->studies, within, b->n, &err);
    free((void *)within);
    if (st) return cli_failed(c, &err);
  }
  return CLI_OK;
}

static int write_index(job *b)
{
  const char *path = index_to_stdout(b) ? "/dev/stdout" : b->call->values[O_INDEX].text;
  br_err err = {BR_OK, -1, ""};
  if (br_study_index(path, b->studies, (const char *const *)b->paths, b->n, &err))
    return cli_failed(b->call->command, &err);
  return CLI_OK;
}

/* ---- what is printed ---- */

static void to_stdout(void *ctx, const char *text)
{
  (void)ctx;
  (void)fputs(text, stdout);
}

static int show(job *b)
{
  const cli_command *c = b->call->command;
  const int differ = verdicts_differ(b->studies, b->n) ? CLI_FAILED : CLI_OK;
  if (given(b, O_JSON)) return verdicts_json(b->studies, b->n, b->base) ? CLI_FAILED : differ;
  for (size_t i = 0; i < b->n && given(b, O_TERM); i++) {
    br_err err = {BR_OK, -1, ""};
    if (br_study_sketch(b->studies[i], 64, 16, to_stdout, NULL, &err)) return cli_failed(c, &err);
  }
  if (!given(b, O_QUIET) && !index_to_stdout(b)) {
    verdicts_print(b->studies, b->n);
    (void)printf("report: %s/report.html\n", cli_shown(b->base));
  }
  return differ;
}

/* Before anything is computed: what the results will lack. */
static void note_pictures(void)
{
  br_err err = {BR_OK, -1, ""};
  if (br_plot_check("x.svg", &err)) cli_say("bristle run: no pictures: %s", err.msg);
}

static int work(job *b)
{
  int code = find_files(b);
  if (!code) code = load_all(b);
  if (code) return code;
  if (given(b, O_CHECK)) {
    if (!given(b, O_QUIET)) (void)printf("%zu study file(s) without errors\n", b->n);
    return CLI_OK;
  }
  code = check_files(b);
  if (!code && !given(b, O_NO_PLOTS)) note_pictures();
  if (!code) code = take_folder(b);
  if (!code) code = run_all(b);
  if (!code) code = write_reports(b);
  if (!code && given(b, O_INDEX)) code = write_index(b);
  return code ? code : show(b);
}

static int run(const cli_call *call)
{
  job b;
  memset(&b, 0, sizeof b);
  b.call = call;
  b.lock.fd = -1;
  (void)pthread_mutex_init(&b.showing, NULL);
  const int code = work(&b);
  for (size_t i = 0; i < b.n; i++) {
    if (b.studies) br_study_destroy(b.studies[i]);
    if (b.folders) free(b.folders[i]);
    free(b.paths[i]);
  }
  bri_lock_release(&b.lock);
  free((void *)b.studies);
  free((void *)b.folders);
  free((void *)b.paths);
  return code;
}

const cli_command cli_run = {
    .name = "run",
    .args = "STUDY.yaml|FOLDER ...",
    .summary = "compute study files and write their reports",
    .text =
        "Reads the studies, says everything that is wrong with them (file:line:column) before anything is "
        "computed, then computes their runs. The results folder holds tables (CSV), pictures (svg, with "
        "script and data), a record of each run (JSON), a manifest with checksums, report.html and "
        "report.md. A folder stands for all its *.yaml files; files that start with '_' are parts of "
        "others and left out.\n\n"
        "Quantities with a reference ('check' in the file) are compared; the table of verdicts comes at "
        "the end. Exit code 1 when one of them differs. Where --set changes what a check's run computes, "
        "the reference is that of another question: the check is 'not applicable: overridden' and no "
        "reason for exit code 1.\n\n"
        "Every file appears under its name only when it is complete. After Ctrl-C or a crash --resume "
        "computes what is missing; the results have the same bits as without the break.",
    .options = options,
    .noptions = OPTIONS,
    .max_args = 256,
    .examples = examples,
    .run = run,
};
