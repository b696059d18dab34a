/* SPDX-License-Identifier: Apache-2.0
 * phase_study.h - what the files of the analysis 'phase' share. */
#ifndef BRI_STUDY_PHASE_H
#define BRI_STUDY_PHASE_H
#include "analysis.h"
#include "bristle/phase.h"

enum {
  BRI_PHASE_MOST_AT = 16,
  BRI_PHASE_NAME = 32,
  BRI_PHASE_AT = 2,
  BRI_PHASE_MOST_GRID = 5000
}; /* AT: slot of the text 'at' */

typedef struct {
  char name[BRI_PHASE_NAME]; /* "": not given */
  const char *unit;
  double a, b;
} bri_range;

typedef struct {
  const bri_run *r;
  bri_sink *out;
  bri_arena *arena;
  br_phase_problem problem;
  br_phase *phase; /* NULL: events are not wanted */
  bri_range vary, vary2;
  double at[BRI_PHASE_MOST_AT];
  size_t nat;
  size_t grid; /* 0: the picture's own */
  int threads, diagram;
} bri_phase_job;

/* A whole table of `n` rows over columns of numbers. */
BR_CHECKED br_status bri_phase_table(bri_phase_job *b, const char *name, size_t ncol,
                                     const char *const *names, const char *const *units,
                                     const double *const *columns, size_t n, br_err *err);
/* Prepared block of the model with the varied parameter at a value; NULL when memory is short. */
const double *bri_phase_block(const bri_phase_job *b, double value);

/* Equilibria at a value of the varied parameter, BR_PHASE_MOST_EQUILIBRIA at most. */
BR_CHECKED br_status bri_phase_equilibria(bri_phase_job *b, double value, br_equilibrium *q, size_t *n,
                                          br_err *err);

/* Quantities of events, of an equilibrium and of a cycle. */
BR_CHECKED br_status bri_phase_put_events(bri_phase_job *b, const br_phase_event *e, size_t n, br_err *err);
void bri_phase_put_steady(bri_phase_job *b, size_t i, double at, const br_phase_steady *s);
void bri_phase_put_row(bri_phase_job *b, size_t i, const br_phase_row *r);

/* phase_general.c: mechanisms other than driven_block. */
BR_CHECKED br_status bri_phase_general(bri_phase_job *b, br_err *err);
/* phase_diagram.c: event i as a named point of the diagram at velocity v (NaN: none). */
BR_CHECKED br_status bri_phase_event_point(bri_phase_job *b, size_t i, const br_phase_event *e, double v,
                                           br_err *err);
/* phase_diagram.c: equilibria and cycles along the range, events as points. */
BR_CHECKED br_status bri_phase_diagram(bri_phase_job *b, br_err *err);
/* phase_portrait.c: the plane (z, v) at the first value of 'at'; friction along its stable cycle. */
BR_CHECKED br_status bri_phase_portrait(bri_phase_job *b, br_err *err);
BR_CHECKED br_status bri_phase_lag_loops(bri_phase_job *b, br_err *err);
BR_CHECKED br_status bri_phase_imposed(bri_phase_job *b, const double x[3], br_err *err);
/* phase_maps.c: over two parameters or over velocity and force. */
BR_CHECKED br_status bri_phase_map(bri_phase_job *b, br_err *err);
BR_CHECKED br_status bri_phase_curve_tables(bri_phase_job *b, br_err *err);
BR_CHECKED br_status bri_phase_levels(bri_phase_job *b, br_err *err);
BR_CHECKED br_status bri_phase_hopf(bri_phase_job *b, br_err *err);

#endif
