/* SPDX-License-Identifier: Apache-2.0
 * phase_pictures.c - the pictures of bristle phase.  They are those of the analysis 'phase' in study files:
 * a study is put together, run in a folder of its own, and its pictures drawn where they were asked for. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, opendir */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "amount.h"
#include "bristle/report.h"
#include "bristle/study.h"
#include "phase_job.h"
#include "progress.h"
#include "text/file.h"

enum { TEXT = 4096, MOST_PORTRAITS = 3 };

/* An option, the run it needs (keys of 'phase' besides vary), the kind of picture. */
static const struct {
  int option;
  const char *name, *keys, *kind;
} PICTURES[] = {
    {PHASE_O_PORTRAIT, "portrait", "portrait: 'yes', diagram: 'no'", "portrait"},
    {PHASE_O_DIAGRAM, "diagram", "diagram: 'yes'", "bifurcation"},
    {PHASE_O_MAP, "map", "map: 'yes', events: 'no'", "case-map"},
    {PHASE_O_HOPF, "hopf", "hopf: 'yes', events: 'no'", "hopf"},
    {PHASE_O_STRIBECK, "stribeck", "stribeck: 'yes', events: 'no'", "stribeck"},
};
enum { MOST_GRID = 5000 }; /* BRI_PHASE_MOST_GRID of the study */
enum { NPICTURES = sizeof PICTURES / sizeof PICTURES[0] };

static int asked(const phase_job *b, size_t i) { return phase_option(b, PICTURES[i].option)->given; }

static const char *folder_of_tables(void)
{
  const char *tmp = getenv("TMPDIR");
  return tmp && tmp[0] ? tmp : "/tmp";
}

static int no_folder(void)
{
  cli_say("bristle phase: cannot make a folder for tables in '%s': %s", folder_of_tables(), strerror(errno));
  return CLI_FAILED;
}

int phase_pictures_check(const phase_job *b)
{
  size_t n = 0;
  const cli_command *c = b->call->command;
  const int forces = strcmp(b->vary.name, "F") == 0 && b->vary.a >= 0, two = b->vary2.name[0] != '\0';
  br_err err;
  for (size_t i = 0; i < NPICTURES; i++) {
    if (!asked(b, i)) continue;
    n++;
    const int o = PICTURES[i].option;
    if (br_plot_check(phase_option(b, o)->text, &err))
      return err.code == BR_E_UNSUPPORTED ? cli_failed(c, &err) : cli_bad_input(c, &err);
    if (o == PHASE_O_MAP && !two) return cli_usage(c, "--map needs --vary2 NAME=A:B");
    if ((o == PHASE_O_HOPF || o == PHASE_O_STRIBECK) && !forces)
      return cli_usage(c, "--%s needs --vary F=A:B with A >= 0 (the range of forces)", PICTURES[i].name);
  }
  const opt_value *grid = phase_option(b, PHASE_O_GRID), *threads = phase_option(b, PHASE_O_THREADS);
  if (grid->given && !(grid->real >= 2 && grid->real <= MOST_GRID && floor(grid->real) == grid->real))
    return cli_usage(c, "--grid = %s is out of range: must be a whole number from 2 to %d", grid->text,
                     MOST_GRID);
  if (threads->given && !(threads->real >= 1 && threads->real <= 1024))
    return cli_usage(c, "--threads = %s is out of range: must be from 1 to 1024", threads->text);
  const double side = grid->given ? grid->real : 60;
  if (phase_option(b, PHASE_O_MAP)->given) amount_note(c, side * side, "cells", 5e-3);
  if (phase_option(b, PHASE_O_HOPF)->given && grid->given) amount_note(c, side * side, "points", 2e-5);
  if (n && access(folder_of_tables(), W_OK | X_OK) != 0) return no_folder();
  return CLI_OK;
}

/* ---- the study ---- */

typedef struct {
  char text[TEXT];
  size_t used;
} script;

static void say(script *s, const char *fmt, ...) CLI_PRINTF(2, 3);
static void say(script *s, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  const int n = vsnprintf(s->text + s->used, TEXT - s->used, fmt, args);
  va_end(args);
  s->used = n > 0 && s->used + (size_t)n < TEXT ? s->used + (size_t)n : TEXT - 1;
}

static void say_range(script *s, const char *key, const phase_range *r)
{
  if (r->name[0]) say(s, ", %s: '%s=%.17g:%.17g'", key, r->name, r->a, r->b);
}

static void say_run(script *s, const phase_job *b, size_t i, const char *name, const double *at, size_t nat)
{
  static const struct {
    int option;
    const char *key;
  } NUMBERS[] = {{PHASE_O_GRID, "grid"}, {PHASE_O_THREADS, "threads"}};
  say(s, "  %s: {phase: {%s", name, PICTURES[i].keys);
  say_range(s, "vary", &b->vary);
  if (PICTURES[i].option == PHASE_O_MAP || PICTURES[i].option == PHASE_O_DIAGRAM)
    say_range(s, "vary2", &b->vary2);
  for (size_t k = 0; k < nat; k++) {
    if (k == 0) say(s, ", at: '%s=", b->vary.name);
    say(s, "%s%.17g", k ? "," : "", at[k]);
    if (k + 1 == nat) say(s, "'");
  }
  for (size_t k = 0; k < 2; k++) {
    const opt_value *v = phase_option(b, NUMBERS[k].option);
    if (v->given) say(s, ", %s: %.17g", NUMBERS[k].key, v->real);
  }
  say(s, "}}\n");
}

static void say_study(script *s, const phase_job *b)
{
  const size_t portraits = b->nat < MOST_PORTRAITS ? b->nat : MOST_PORTRAITS;
  say(s, "title: %s on %s\nsystem: %s\nmodel: %s\nruns:\n", b->model->name, b->plant.sys->name,
      b->plant.sys->name, b->model->name);
  for (size_t i = 0; i < NPICTURES; i++) {
    char name[32];
    if (!asked(b, i)) continue;
    if (PICTURES[i].option != PHASE_O_PORTRAIT)
      say_run(s, b, i, PICTURES[i].name, b->at, b->nat < 16 ? b->nat : 16);
    for (size_t k = 0; k < portraits && PICTURES[i].option == PHASE_O_PORTRAIT; k++) {
      (void)snprintf(name, sizeof name, "portrait%zu", k);
      say_run(s, b, i, name, &b->at[k], 1);
    }
  }
  say(s, "plots:\n");
  for (size_t i = 0; i < NPICTURES; i++) {
    if (!asked(b, i)) continue;
    const int curves = PICTURES[i].option == PHASE_O_DIAGRAM && b->vary2.name[0];
    const char *kind = curves ? "curves" : PICTURES[i].kind;
    if (PICTURES[i].option != PHASE_O_PORTRAIT || portraits == 1) {
      say(s, "  %s: {kind: %s, run: %s%s}\n", PICTURES[i].name, kind, PICTURES[i].name,
          PICTURES[i].option == PHASE_O_PORTRAIT ? "0" : "");
      continue;
    }
    say(s, "  portrait:\n    panels:\n");
    for (size_t k = 0; k < portraits; k++)
      say(s, "      - {kind: portrait, run: portrait%zu, title: '%s = %.9g'}\n", k, b->vary.name, b->at[k]);
  }
}

/* ---- run it ---- */

typedef struct {
  const phase_job *b;
  progress bar;
} watch;

static void advance(void *ctx, double part, const char *at)
{
  watch *w = ctx;
  progress_show(&w->bar, part, "phase", at);
}

static void remove_folder(const char *folder)
{
  char path[1024];
  DIR *d = opendir(folder);
  for (const struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    (void)snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    (void)remove(path);
  }
  if (d) (void)closedir(d);
  (void)rmdir(folder);
}

static int run_study(const phase_job *b, br_study *study, const char *folder)
{
  const cli_command *c = b->call->command;
  br_study_options o = br_study_options_default();
  watch w = {b, {0}};
  br_err err;
  o.folder = folder;
  o.plots = 0;
  o.stop = cli_stop_asked;
  o.progress = advance;
  o.ctx = &w;
  progress_start(&w.bar, !phase_option(b, PHASE_O_QUIET)->given && !phase_option(b, PHASE_O_JSON)->given);
  br_status st = br_study_run(study, &o, &err);
  progress_end(&w.bar);
  bri_temps_count();
  if (st == BR_INTERRUPTED) return cli_interrupted(c);
  if (st == BR_E_IO) return cli_failed(c, &err); /* the disk, not what was asked */
  if (st) return cli_bad_input(c, &err);
  for (size_t i = 0; i < NPICTURES && !st; i++) {
    if (asked(b, i))
      st = br_study_picture(study, PICTURES[i].name, phase_option(b, PICTURES[i].option)->text, &err);
  }
  if (st == BR_E_NAME) return cli_usage(c, "%s", err.msg);
  return st ? cli_failed(c, &err) : CLI_OK;
}

int phase_pictures(phase_job *b)
{
  const cli_command *c = b->call->command;
  char folder[512];
  br_study *study = NULL;
  br_err err;
  size_t n = 0;
  for (size_t i = 0; i < NPICTURES; i++) {
    if (asked(b, i) && !b->phase && (PICTURES[i].option != PHASE_O_DIAGRAM || b->vary2.name[0]))
      return cli_usage(c, "without driven_block and plain lugre there is --diagram along one parameter only");
    n += (size_t)asked(b, i);
  }
  if (n == 0) return CLI_OK;
  int code = CLI_OK;
  script *s = calloc(1, sizeof *s);
  if (!s) return cli_no_memory(c);
  say_study(s, b);
  const opt_value *set = phase_option(b, PHASE_O_SET);
  br_status st =
      br_study_load_memory(s->text, s->used, "phase.yaml", set->given ? set->text : NULL, &study, &err);
  free(s);
  if (st) {
    br_study_destroy(study);
    return st == BR_E_UNSUPPORTED ? cli_failed(c, &err) : cli_bad_input(c, &err);
  }
  (void)snprintf(folder, sizeof folder, "%s/bristle-phase-XXXXXX", folder_of_tables());
  if (mkdtemp(folder)) {
    bri_temps_folder(folder);
    code = run_study(b, study, folder);
    remove_folder(folder);
    bri_temps_folder(NULL);
  } else {
    code = no_folder();
  }
  br_study_destroy(study);
  return code;
}
