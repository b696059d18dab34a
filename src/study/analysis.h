/* SPDX-License-Identifier: Apache-2.0
 * analysis.h - what an analysis is to a study: a table of options, a function, a picture.
 * Those of the catalogue come from there (ask.c); the others have a file each (an_NAME.c) and a line in analyses.c. */
#ifndef BRI_STUDY_ANALYSIS_H
#define BRI_STUDY_ANALYSIS_H
#include <math.h>

#include "bristle/analysis.h"
#include "study.h"

typedef struct bri_sink bri_sink;

typedef struct bri_analysis {
  br_section face;  /* name; summary, options where it is not in the catalogue */
  size_t slots;     /* numbers in the option block */
  int axes;         /* most axes of a model it can take */
  const char *plot; /* pictures when the study names none: YAML as under 'plots', without 'run' */
  br_status (*run)(const bri_run *r, bri_sink *out, br_err *err);
} bri_analysis;

/* Its entry of the catalogue; NULL: an analysis of this room alone. */
const br_analysis *bri_asks(const bri_analysis *an);

/* All analyses, ended by NULL. */
extern const bri_analysis *const bri_analyses[];

/* Rows of option tables: SLOT is the index into bri_run.opt. */
#define BRI_OPT_REAL(slot, name, unit, def, lo, lo_open, doc)                 \
  {                                                                           \
    name, unit, doc, NULL, def, NULL, 0, lo, INFINITY, lo_open, 0, slot, 1, 0 \
  }
#define BRI_OPT_CHOICE(slot, name, choices, last, def, doc)          \
  {                                                                  \
    name, "1", doc, choices, def, NULL, 0, 0, last, 0, 0, slot, 1, 0 \
  }
/* A text; these stand last in a table, and SLOT is the index into bri_run.text (NULL where not given). */
#define BRI_OPT_TEXT(slot, name, doc)                           \
  {                                                             \
    name, "text", doc, NULL, 0, NULL, 0, 0, 0, 0, 0, slot, 1, 0 \
  }
#define BRI_OPT_ANY(slot, name, unit, def, doc)                                \
  {                                                                            \
    name, unit, doc, NULL, def, NULL, 0, -INFINITY, INFINITY, 0, 0, slot, 1, 0 \
  }

/* ---- where results go ---- */
/* A number or a text under a name such as "minor.0.gap"; unit "1" or NULL: none. */
void bri_sink_number(bri_sink *out, const char *unit, double x, const char *name, ...) BRI_PRINTF(4, 5);
void bri_sink_text(bri_sink *out, const char *text, const char *name, ...) BRI_PRINTF(3, 4);
/* The quantity just given is for checks, not for pages. */
void bri_sink_hide(bri_sink *out);
/* A text that only pictures show: "TABLE.label", "TABLE.name.3". */
void bri_sink_label(bri_sink *out, const char *text, const char *name, ...) BRI_PRINTF(3, 4);
/* A table: open, rows, end.  One at a time.  Extremes and last values of its columns become quantities
 * NAME.COLUMN.min, .max, .last. */
BR_CHECKED br_status bri_sink_table(bri_sink *out, const char *name, size_t ncol, const char *const *names,
                                    const char *const *units, br_err *err);
BR_CHECKED br_status bri_sink_row(bri_sink *out, const double *row, br_err *err);
BR_CHECKED br_status bri_sink_end(bri_sink *out, br_err *err);
/* Between two pieces of work: BR_INTERRUPTED when the user wants to stop.  part: of this run, 0..1. */
BR_CHECKED br_status bri_sink_alive(bri_sink *out, double part);
/* The same wish, for functions of the library that ask by themselves. */
br_stop bri_sink_stop(const bri_sink *out);

/* ---- sink.c, for the runner ---- */
bri_sink *bri_sink_create(br_study *s, bri_run *r, const br_study_options *opt, double from, double to);
BR_CHECKED br_status bri_sink_finish(bri_sink *out, br_err *err); /* NOMEM that was swallowed on the way */
void bri_sink_destroy(bri_sink *out);

#endif
