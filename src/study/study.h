/* SPDX-License-Identifier: Apache-2.0
 * study.h - what the files of this room share: a loaded study, its runs, their results. */
#ifndef BRI_STUDY_H
#define BRI_STUDY_H
#include "bristle/analysis.h"
#include "bristle/report.h"
#include "bristle/study.h"
#include "yaml/node.h"
#include "text/fail.h"
#include "text/lock.h"
#include "text/sha256.h"

enum { BRI_STUDY_PATH = 1024 };

/* ---- results of a run ---- */
typedef struct {
  const char *name, *unit; /* unit "" for none */
  const char *text;        /* NULL: a number */
  double value;
  int shown; /* 0: only for checks and pictures (extremes of columns, labels) */
} bri_quantity;

typedef struct {
  const char *name, *file; /* file: within the folder of the study */
  size_t ncol, rows;
  int outside; /* file is a path of its own: no result */
  const char **names, **units;
  char sha[BRI_SHA_TEXT];
} bri_table;

typedef struct {
  bri_quantity *quantities;
  size_t nquantities, quantity_room;
  bri_table *tables;
  size_t ntables, table_room;
} bri_result;

typedef struct bri_run {
  const char *name, *label;
  bri_node *node; /* the run's own keys over those of the study */
  const br_analysis *an;
  struct br_job *job; /* the question, checked */
  const br_model *m;  /* NULL: the analysis takes none, or every one */
  int good;           /* 1: the job has been checked */
  int overridden;     /* 1: not the run of the file, --set has changed it */
  bri_result res;
} bri_run;

/* A file the study was read from: its own, those it extends. */
typedef struct bri_study_file {
  const struct bri_study_file *next;
  const char *path;
} bri_study_file;

struct br_study {
  bri_arena *arena;
  bri_notes notes;
  const char *path, *name, *title;
  bri_node *root; /* with extends and overrides applied */
  bri_run *runs;
  size_t nruns;
  br_verdict *verdicts;
  size_t nverdicts;
  const bri_study_file *files;
  br_units *units;    /* of tables and pictures; NULL: SI */
  const char *folder; /* of the last run */
  bri_lock lock;      /* on it, until the next run or the end: reports are made from it */
};

static inline br_status bri_study_no_memory(const br_study *s, br_err *err)
{
  return bri_no_memory(err, s->path);
}

/* ---- load ---- */
BR_CHECKED br_status bri_study_extend(br_study *s, bri_node **root, int depth, br_err *err);
/* Walk over the tree: keys, runs, models, parameters, inputs, options; findings go to notes. */
BR_CHECKED br_status bri_study_walk(br_study *s, br_err *err);
/* Unknown keys and wrong kinds in a map; `extra` more names are allowed as well. */
void bri_study_check_map(br_study *s, const bri_node *map, const char *what, br_keys part, int with_analyses);
/* Names that become file names: letters, digits and `signs`.  0 after a note. */
int bri_study_good_name(br_study *s, const bri_node *entry, const char *what, const char *signs);
/* A number of a node, unit allowed.  0 after a note. */
int bri_study_number(br_study *s, const bri_node *n, const char *what, double *x);
/* A note where it is none of the choices of a key. */
void bri_study_choice(br_study *s, const bri_node *n, const br_study_key *key);
/* "A:B" with A < B, plain numbers; 0: it is not. */
int bri_range_parse(const char *text, double *a, double *b);
const br_study_key *bri_study_key_of(br_keys part, const char *name);
void bri_study_check_outputs(br_study *s); /* plots, checks, source, output */
bri_run *bri_study_run_named(const br_study *s, const char *name);
/* A path seen from the file in which it is written. */
const char *bri_study_beside(bri_arena *arena, const char *file, const char *path, size_t n);

/* ---- results on disk ---- */
/* Text that changes when the run would give other results: parameters, options, input file, version. */
BR_CHECKED br_status bri_run_key(const br_study *s, const bri_run *r, char key[BRI_SHA_TEXT], br_err *err);
/* Does this run of another study, which may not be good, ask the same question? */
int bri_run_same(const bri_run *a, const bri_run *b);
/* Name of its model; "" where the analysis has none. */
const char *bri_run_model(const bri_run *r);
BR_CHECKED br_status bri_record_save(const br_study *s, const bri_run *r, const char *key, br_err *err);
/* 1: record and tables are there, complete, and belong to this key; the result is filled. */
int bri_record_load(br_study *s, bri_run *r, const char *key);
/* study.yaml in the folder: extends and overrides applied, paths as seen from there. */
BR_CHECKED br_status bri_study_save_as_run(br_study *s, br_err *err);
BR_CHECKED br_status bri_manifest_save(const br_study *s, const br_study_options *opt, br_err *err);
BR_CHECKED br_status bri_study_draw(const br_study *s, const br_study_options *opt, br_err *err);
/* Is one of the runs of this analysis? */
int bri_study_uses(const br_study *s, const br_analysis *a);
BR_CHECKED br_status bri_study_judge(br_study *s, br_err *err);
void bri_study_path(const br_study *s, const char *file, char path[BRI_STUDY_PATH]);
const bri_quantity *bri_result_find(const bri_result *res, const char *name);
bri_quantity *bri_result_add(bri_arena *arena, bri_result *res, const char *name, const char *unit);
bri_table *bri_result_table(bri_result *res);
/* Heads of a table: places for them, then one after the other.  0: out of memory. */
int bri_table_room(bri_arena *arena, bri_table *t, size_t ncol);
int bri_table_head(bri_arena *arena, bri_table *t, size_t i, const char *name, const char *unit);
/* Compute a run: values into its result, tables into CSV files.  from, to: part of the whole study. */
BR_CHECKED br_status bri_run_answer(br_study *s, bri_run *r, const br_study_options *opt, double from,
                                    double to, br_err *err);

#endif
