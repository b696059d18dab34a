/* SPDX-License-Identifier: Apache-2.0
 * study.h - study files: what to compute, with which parameters, what to draw, which numbers to check.
 *
 * A study is read and checked as a whole before anything is computed; what is wrong comes as a list of notes
 * with file, line and column.  Running it leaves a folder of results: tables, pictures, a record per run, a
 * manifest.  The format is described in docs/study.md; everything about models, analyses and options in it is
 * derived from their tables.
 *
 * Units: SI.  Alloc: br_study_load*().  Threads: a br_study belongs to one thread at a time. */
#ifndef BR_STUDY_H
#define BR_STUDY_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/model.h"
#include "bristle/status.h"
#include "bristle/text.h"
BR_C_BEGIN

typedef struct br_study br_study;

/* Load a file, or n bytes of memory (name: what messages call it, and where relative files are looked for).
 * set: overrides "sigma0=3,loop.frequency=1" for every run, or NULL.
 * Returns BR_OK; BR_E_PARSE: *out holds the notes and nothing else can be done with it; BR_E_IO, BR_E_SIZE,
 * BR_E_NOMEM, BR_E_UNSUPPORTED (build without libyaml): *out is NULL. */
BR_TRY br_status br_study_load(const char *path, const char *set, br_study **out, br_err *err);
BR_TRY br_status br_study_load_memory(const char *text, size_t n, const char *name, const char *set,
                                      br_study **out, br_err *err);
BR_API void br_study_destroy(br_study *study); /* NULL is fine */

/* Findings, in the order of the file; *n of them; file "--set" for the overrides. */
BR_API const br_note *br_study_notes(const br_study *study, size_t *n);
BR_API const char *br_study_name(const br_study *study); /* file name without folder and ending */
BR_API const char *br_study_title(const br_study *study);
BR_API size_t br_study_runs(const br_study *study);
BR_API size_t br_study_plots(const br_study *study);

typedef struct {
  const char *folder; /* where the results go; made when missing */
  int resume;         /* 1: runs whose record and tables are complete and unchanged are not computed again */
  int hdf5;           /* 1: all tables also as one HDF5 file; -1 (default): when the study asks for it */
  int png;            /* 1: pictures also as png */
  int plots;          /* 0: no pictures; default 1 (and none where gnuplot is missing) */
  int (*stop)(void *ctx);                                   /* asked now and then; 1 stops; NULL: never */
  void (*progress)(void *ctx, double part, const char *at); /* part of the whole, 0..1; NULL: none */
  void *ctx;
} br_study_options;
BR_API br_study_options br_study_options_default(void);

/* Compute all runs and write the folder.  Everything is written beside its final name and renamed.  Results
 * that would replace a file the study reads are refused (BR_E_ARG) before anything is computed.  The folder
 * is this process's alone until br_study_destroy() or the next run; BR_E_IO names the process that has it.
 * Returns BR_OK; BR_INTERRUPTED (finished runs are kept for resume); the code of what failed, with the run in
 * err.  Failed checks are no error: see br_study_verdicts(). */
BR_TRY br_status br_study_run(br_study *study, const br_study_options *opt, br_err *err);

/* One checked quantity. */
typedef struct {
  const char *study, *document, *figure;       /* "" where the study does not say */
  const char *run, *quantity, *unit;           /* unit "": none */
  const char *source;                          /* where the reference comes from */
  const char *reference, *obtained;            /* as text */
  double value, result, difference, tolerance; /* numbers; NaN for texts */
  int pass;                                    /* 1 also where it does not apply */
  int overridden; /* 1: an override has changed its run, so that the reference is that of another question */
} br_verdict;
/* After a successful run: *n verdicts, in the order of the file. */
BR_API const br_verdict *br_study_verdicts(const br_study *study, size_t *n);

/* One-page reports of studies that have been run: HTML (pictures inside, light and dark) and Markdown.
 * path ends in .html or .md. folder: results folder of each study, relative to the report for the links. */
BR_TRY br_status br_study_report(const char *path, const char *title, br_study *const *studies,
                                 const char *const *folders, size_t n, br_err *err);

/* A Markdown list of studies that have been run: document, figure, file, and every check.  paths: their
 * files.  Numbers are rounded to what the tolerance allows, so that the list is the same on every machine. */
BR_TRY br_status br_study_index(const char *path, br_study *const *studies, const char *const *paths,
                                size_t n, br_err *err);

/* The pictures of a study that has been run as sketches of Braille dots, columns x rows characters each. */
BR_TRY br_status br_study_sketch(const br_study *study, size_t columns, size_t rows,
                                 void (*print)(void *ctx, const char *text), void *ctx, br_err *err);

/* One picture of a study that has been run, by its name, into a file (.svg, .png, .pdf, .tex; see
 * br_plot_write()).  Returns BR_OK, BR_E_NAME (no such picture, or nothing to draw in it), errors of
 * br_plot_write(). */
BR_TRY br_status br_study_picture(const br_study *study, const char *name, const char *path, br_err *err);

/* ---- the format itself, for help texts and schemas ---- */

typedef enum {
  BR_KEY_TEXT,
  BR_KEY_NUMBER,
  BR_KEY_CHOICE,
  BR_KEY_MAP,
  BR_KEY_LIST,
  BR_KEY_TEXT_OR_MAP
} br_key_kind;
typedef struct {
  const char *name;
  br_key_kind kind;
  const char *choices; /* "a|b" for a choice */
  const char *doc;
} br_study_key;
typedef enum {
  BR_KEYS_STUDY,
  BR_KEYS_RUN,
  BR_KEYS_SOURCE,
  BR_KEYS_PLOT,
  BR_KEYS_LINE,
  BR_KEYS_CHECK,
  BR_KEYS_OUTPUT
} br_keys;
/* The keys of a part of the file; *n of them.  The catalogue (analysis.h) adds the names of its analyses,
 * older ones included, to BR_KEYS_STUDY and BR_KEYS_RUN. */
BR_API const br_study_key *br_study_keys(br_keys part, size_t *n);

BR_C_END
#endif
