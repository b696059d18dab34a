/* SPDX-License-Identifier: Apache-2.0
 * question.h - what the files of the analysis 'phase' share. */
#ifndef BRI_PHASE_QUESTION_H
#define BRI_PHASE_QUESTION_H
#include "bristle/analysis.h"
#include "bristle/phase.h"
#include "text/fail.h"

enum { BRI_PHASE_MOST_AT = 64, BRI_PHASE_NAME = 64, BRI_PHASE_MOST_GRID = 5000 };

/* What of the work along 'vary' is wanted ('only', 'events'). */
enum {
  BRI_PART_EQUILIBRIA = 1,
  BRI_PART_HOPF = 2,
  BRI_PART_FOLD = 4,
  BRI_PART_CYCLES = 8, /* with the events of cycles */
  BRI_PART_ALL = 15
};

/* A number that varies: name, unit, range, and where it lives. */
typedef struct {
  char name[BRI_PHASE_NAME]; /* as given; "": not */
  const char *bare;          /* without "model." or "system." in front */
  const char *unit;
  double a, b;
  br_vary_where where;
  int slot;
} bri_vary;

typedef struct bri_question {
  const br_job *job;
  br_sink *out;
  const br_model *m;
  const br_system *sys;
  const double *par, *spar, *held;
  br_phase_problem problem; /* the plane of driven_block with plain LuGre */
  br_phase *phase;          /* NULL: events are not wanted, or the mechanism is another */
  bri_vary vary, vary2;
  double at[BRI_PHASE_MOST_AT];
  size_t nat;
  double lag[3], lag_force[3]; /* m/s, m/s, Hz; N, N, Hz */
  int has_lag, has_lag_force;
  unsigned parts; /* BRI_PART_.. */
  size_t grid;    /* 0: the table's own */
  int threads;
  struct bri_block *blocks; /* memory that lasts as long as the question */
} bri_question;

/* Options that are texts; errors name them as the job shows them. */
BR_CHECKED br_status bri_phase_read(bri_question *q, const br_job *job, br_err *err);

int bri_phase_row(const br_job *job, const char *option); /* its index, for errors */

/* Zeroed memory of the question; NULL: there is none. */
void *bri_phase_get(bri_question *q, size_t size);
void bri_phase_free(bri_question *q);
BR_CHECKED br_status bri_phase_no_memory(br_err *err);
/* Is the diagram asked for: by its flag, or (flag not given) because somebody takes one of its tables? */
int bri_phase_draws(const bri_question *q, const char *table);
/* Shape of a table that --csv takes where it is the one: "map", "criticality", else "phase". */
unsigned bri_phase_shape(const bri_question *q, const char *table);

/* A table of `n` rows over columns of numbers, one file. */
BR_CHECKED br_status bri_phase_table(bri_question *q, const char *name, const char *label, size_t ncol,
                                     const br_column *head, const double *const *columns, size_t n,
                                     br_err *err);
BR_CHECKED br_status bri_phase_open(bri_question *q, const char *name, size_t ncol, const br_column *head,
                                    br_err *err);
/* Prepared block of the model with the varied parameter at a value; NULL: no memory. */
const double *bri_phase_block(bri_question *q, double value);

/* ---- analysis_put.c: values of the answer ---- */
BR_CHECKED br_status bri_put_events(bri_question *q, const br_phase_event *e, size_t n, br_err *err);
void bri_put_equilibrium(bri_question *q, size_t i, double at, const br_equilibrium *e);
void bri_put_steady(bri_question *q, size_t i, double at, const br_phase_steady *s);
void bri_put_cycle(bri_question *q, size_t i, const br_phase_cycle *c);
void bri_put_counts(bri_question *q, size_t equilibria, size_t events, size_t cycles);
/* Sorted into a list of `room` by ascending value; what does not fit is left out. */
void bri_events_merge(br_phase_event *list, size_t *n, size_t room, const br_phase_event *e, size_t more);

/* ---- the main table along one parameter: equilibria, then cycles ---- */
enum { BRI_DIAGRAM_COLUMNS = 9 };
BR_CHECKED br_status bri_diagram_open(bri_question *q, br_err *err);
typedef struct {
  double value;
  int cycle, stable;
  size_t branch;
  double v_min, v_max, z_min, z_max, period; /* NaN: not known */
} bri_diagram_row;
BR_CHECKED br_status bri_diagram_put(bri_question *q, const bri_diagram_row *r, br_err *err);
/* Event i as a named point of the diagram at velocity v (NaN: none). */
BR_CHECKED br_status bri_event_point(bri_question *q, size_t i, const br_phase_event *e, double v,
                                     br_err *err);

/* Is that kind of event among the parts? */
int bri_phase_lists(const bri_question *q, br_phase_event_type type);
/* analysis_plane.c: driven_block with plain LuGre.  BR_E_UNSUPPORTED before anything is put: it is another.
 * */
BR_CHECKED br_status bri_phase_plane(bri_question *q, br_err *err);
BR_CHECKED br_status bri_plane_equilibria(bri_question *q, double value, br_equilibrium *e, size_t *n,
                                          br_err *err);
/* analysis_general.c: everything else. */
BR_CHECKED br_status bri_phase_general(bri_question *q, br_err *err);
/* analysis_diagram.c: equilibria and cycles of the plane along the range, events as points. */
BR_CHECKED br_status bri_phase_diagram(bri_question *q, br_err *err);
/* analysis_portrait.c: the plane (z, v) at the values of 'at'. */
BR_CHECKED br_status bri_phase_portraits(bri_question *q, br_err *err);
/* analysis_lag.c: friction against velocity, along stable cycles and under an imposed one. */
BR_CHECKED br_status bri_phase_lag_loops(bri_question *q, br_err *err);
BR_CHECKED br_status bri_phase_imposed(bri_question *q, br_err *err);
/* analysis_forced.c: the same under a periodic force. */
BR_CHECKED br_status bri_phase_forced(bri_question *q, br_err *err);
/* analysis_scale.c: dimensionless groups, and the block of unit mass that moves alike. */
void bri_phase_scale(bri_question *q);
/* analysis_curves.c: curves of events over two parameters. */
BR_CHECKED br_status bri_phase_curve_tables(bri_question *q, br_err *err);
/* analysis_maps.c: over two parameters. */
BR_CHECKED br_status bri_phase_map(bri_question *q, br_err *err);
/* analysis_levels.c: over velocity and force. */
BR_CHECKED br_status bri_phase_levels(bri_question *q, br_err *err);
/* analysis_hopf.c: which way stability is lost over velocity and force. */
BR_CHECKED br_status bri_phase_hopf(bri_question *q, br_err *err);

/* analysis_pictures.c */
enum { BRI_PHASE_PICTURES = 9 };
extern const br_picture bri_phase_pictures[BRI_PHASE_PICTURES];
extern const br_picture_panel bri_phase_usual[2];

#endif
