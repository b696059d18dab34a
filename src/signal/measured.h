/* SPDX-License-Identifier: Apache-2.0
 * measured.h - what was measured beside what a model gives, for every analysis that walks along a record:
 * option, results, table, numbers.  Errors and energies themselves: record/compare.h. */
#ifndef BRI_SIGNAL_MEASURED_H
#define BRI_SIGNAL_MEASURED_H
#include "bristle/analysis.h"
#include "record/compare.h"

/* What is compared. */
typedef struct {
  const char *name, *unit; /* of the quantity; unit also of the record's column */
  const char *what;        /* "the measured force" */
  const char *along;       /* unit of the coordinate that goes into the table; NULL: none does */
  const char *energy;      /* unit of the integral; NULL: there is none */
  int rotary;
  unsigned shape; /* of the table, BR_TABLE_* */
} bri_measured_kind;

typedef struct {
  br_signal *record; /* NULL: nobody asked */
  bri_measured_kind kind;
  double from, to, step; /* s: where there is a record of it, mean spacing of its samples */
  bri_compare sums;
  double *rows; /* t, along, measured, model, residual */
  size_t n, room;
  int failed; /* no memory */
} bri_measured;

/* text: what --measured says ("auto", a column, a spec); input: the one whose record it stands in. */
BR_CHECKED br_status bri_measured_open(const br_job *job, size_t input, const char *text,
                                       const bri_measured_kind *kind, bri_measured *m, br_err *err);
/* The same beside another record than an input: its spec and need, and the signal it became. */
BR_CHECKED br_status bri_measured_beside(const br_job *job, const char *spec, const br_signal_need *motion,
                                         const br_signal *driven, const char *text,
                                         const bri_measured_kind *kind, bri_measured *m, br_err *err);
/* The model at a sample; nothing where nothing was measured.  pair: coordinate and force whose product is the
 * energy; the quantity is one of the two (`which`), so that the measured one takes its place; `which` 2: it
 * is none of them.  along:
 * what cycles are counted by. */
void bri_measured_row(bri_measured *m, double t, double model, const double pair[2], int which, double along);
/* Table and numbers into the answer.  path: there is no time. */
BR_CHECKED br_status bri_measured_put(bri_measured *m, int path, br_sink *out, br_err *err);
void bri_measured_close(bri_measured *m);

#define BRI_MEASURED_RESULTS                                                                                 \
  {"measured.samples", "1", "rows with a measured value (--measured; the rest too)"},                        \
      {"measured.rms", "", "root of the mean square of model - measured"},                                   \
      {"measured.relative", "1", "the same by that of the measured value about its mean"},                   \
      {"measured.bias", "", "mean of model - measured"}, {"measured.max", "", "largest |model - measured|"}, \
      {"measured.work.*", "J", "integral of F du: model, measured; null where there is no such pair"},       \
      {"measured.cycle.count", "1", "whole cycles of the motion"},                                           \
      {"measured.cycle.*", "J", "energy of a cycle on the mean: model, measured; null without a cycle"},     \
  {                                                                                                          \
    "measured.data.*", "", "what was chosen of its file and done to it"                                      \
  }

#endif
