/* SPDX-License-Identifier: Apache-2.0
 * analysis.h - an analysis of the catalogue as a section of a study, and where its answer goes. */
#ifndef BRI_STUDY_ANALYSIS_H
#define BRI_STUDY_ANALYSIS_H
#include <math.h>

#include "bristle/analysis.h"
#include "study.h"

typedef struct bri_sink bri_sink;

typedef struct bri_analysis {
  br_section face; /* its name */
  br_status (*run)(const bri_run *r, bri_sink *out, br_err *err);
} bri_analysis;

/* Its entry of the catalogue. */
const br_analysis *bri_asks(const bri_analysis *an);

/* All analyses, ended by NULL. */
extern const bri_analysis *const bri_analyses[];

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
