/* SPDX-License-Identifier: Apache-2.0
 * answer.h - what the files behind the analysis 'simulate' share. */
#ifndef BRI_SOLVE_ANSWER_H
#define BRI_SOLVE_ANSWER_H
#include "bristle/analysis.h"
#include "bristle/solve.h"
#include "signal/measured.h"

enum { BRI_ANSWER_NAME = 48, BRI_ANSWER_TYPES = 5 };

typedef struct {
  double t; /* s */
  br_event_type type;
  size_t contact; /* or number of the formula */
  size_t at;      /* of a formula: where its states begin in event_x */
  double F;       /* N, break-away level of a slip */
} bri_answer_event;

/* One question on its way.  Columns of a row: t, states, contact forces, inputs, what the mechanism shows (in
 * front where it stands for states, prescribed), work and energy where asked for. */
typedef struct {
  const br_job *job;
  br_sink *out;
  const br_plant *plant;
  const br_system *sys;
  br_solve_settings set;
  br_solver *solver;
  br_solve_stats stats;
  double t_end;                                       /* s of the run; 0: a cycle alone */
  size_t nshown, nlead, nstate, nforce, ninput, ncol; /* nlead: of those shown, in front of the states */
  size_t nenergy;                                     /* last columns: work and energy, or none */
  char (*names)[BRI_ANSWER_NAME];                     /* [ncol] */
  br_column *columns;                                 /* [ncol] */
  double *row;                                        /* [ncol] */
  double *lo, *hi, *x; /* [nstate + nforce], [nstate]: extremes, state at the start */
  double *shown_lo;    /* [nshown]: least of the rows */
  const double *held;  /* inputs that no signal drives */
  bri_answer_event *events;
  size_t nevent, room, most;    /* kept, room for them, most that are kept */
  struct bri_user_events *user; /* formulas whose zeros are events; NULL: none */
  double *event_x;              /* states at their zeros */
  size_t nx, xroom;
  size_t count[BRI_ANSWER_TYPES]; /* of all, by type */
  size_t seen;                    /* of all */
  int no_memory;
  struct bri_contacts *contacts; /* what the usual picture shows of them; NULL: nobody wants it */
  struct {                       /* a part of the run, by its rows; from > to: none */
    double from, to, threshold;
    double first, last, work, friction, slow; /* times of its rows, work over it, time below the threshold */
    size_t rows, before, reversals;
    br_energy start;
    double *lo, *hi; /* [nstate + nforce] */
  } window;
  struct { /* input and displacement of every stride-th row; at NULL: nobody wants them */
    double (*at)[2];
    size_t n, seen, stride, x, y; /* x, y: columns */
  } map;
  struct bri_measures *measures; /* [nforce]; NULL: nobody wants them */
  bri_measured measured;         /* what a record says of a quantity */
  struct {
    size_t column, drive; /* of the quantity; of the input that does work */
    int which;            /* of the pair of the energy: 0 the position, 1 the force, 2 neither */
  } compared;
  struct bri_slope *slope; /* numbers are derivatives; NULL: they are what they are */
} bri_answer;

/* First column of the states; forces stand behind them. */
static inline size_t bri_answer_first(const bri_answer *b) { return 1 + b->nlead; }
static inline size_t bri_answer_shown(const bri_answer *b)
{
  return b->nlead ? 1 : b->ncol - b->nenergy - b->nshown;
}

/* A number of column i, whose name takes the place of the star in the path.  A force that is a state too
 * stands in the records of studies under both names, in the JSON object once. */
void bri_answer_put(const bri_answer *b, size_t i, double x, const char *path);

/* What a part of the work cost, to the rest. */
static inline void bri_answer_cost(bri_answer *b, const br_solve_stats *s)
{
  b->stats.steps += s->steps, b->stats.rejected += s->rejected, b->stats.rounded += s->rounded;
  b->stats.rhs += s->rhs, b->stats.jacobians += s->jacobians, b->stats.seconds += s->seconds;
}

/* analysis.c: the question of a job; everything from its memory to its numbers, without the release. */
void bri_answer_ask(bri_answer *b, const br_job *job, br_sink *out);
BR_CHECKED br_status bri_answer_all(bri_answer *b, br_err *err);

/* analysis_run.c: memory, names; the motion from b->x over b->t_end with its table; release. */
br_status bri_answer_prepare(bri_answer *b, br_err *err);
br_status bri_answer_run(bri_answer *b, br_err *err);
void bri_answer_release(bri_answer *b);
/* Steps and rows that a run would need; BR_E_RANGE when they are too many. */
br_status bri_answer_rows(const br_job *job, double t_end, double *dt, double *rows, br_err *err);

/* analysis_contacts.c: open before the first row (rows are expected), one call per row, tables behind the
 * main one. */
br_status bri_contacts_open(bri_answer *b, size_t rows, br_err *err);
void bri_contacts_row(bri_answer *b);
br_status bri_contacts_put(const bri_answer *b, br_err *err);
void bri_contacts_free(bri_answer *b);
const double *bri_contacts_motion(
    const bri_answer *b); /* u of each contact in the last row; NULL: not kept */

/* analysis_cycle.c: the cycle that the motion settles on; b->x becomes a point of it, its period b->t_end
 * where there is no run of its own. */
br_status bri_answer_cycle(bri_answer *b, br_err *err);
/* Speed that counts as slow: as asked for, of the pulling velocity, of the Stribeck velocity; 0: none. */
double bri_answer_threshold(const br_job *job, double *level);

/* analysis_map.c: the hysteresis map of a driven mechanism as a table of its own. */
void bri_map_open(bri_answer *b);
/* Its columns: the displacement is returned, -1: there is none; *input: what drives the mechanism. */
int bri_map_columns(const bri_answer *b, size_t *input);
void bri_map_row(bri_answer *b);
BR_CHECKED br_status bri_map_put(bri_answer *b, br_err *err);

/* analysis_measured.c: the record of a quantity; after the names.  Rows follow its
 * samples, or those of a record that drives the mechanism, where nobody says otherwise. */
BR_CHECKED br_status bri_answer_measured(bri_answer *b, br_err *err);
double bri_answer_spacing(const bri_answer *b, double dt);
void bri_answer_compare(bri_answer *b);

/* analysis_measures.c: behind the names; one call per row; values behind the events. */
BR_CHECKED br_status bri_measures_open(bri_answer *b, br_err *err);
void bri_measures_row(bri_answer *b);
void bri_measures_put(bri_answer *b);

/* analysis_events.c: events that formulas ask for. */
BR_CHECKED br_status bri_user_events_read(const br_job *job, struct bri_user_events **out, br_err *err);
void bri_user_events_free(struct bri_user_events *u);
void bri_user_events_set(bri_answer *b); /* into the settings of the solver */
const char *bri_user_event_text(const bri_answer *b, size_t i);
/* Do contacts hold by themselves?  The force at which the contact of a slip broke away. */
int bri_is_true_stick(const br_plant *plant);
double bri_breakaway(const br_plant *plant, const br_event *ev);

/* analysis_window.c: what a part of the run says. */
BR_CHECKED br_status bri_window_read(const br_job *job, double t_end, double *from, double *to, br_err *err);
void bri_window_row(bri_answer *b);
void bri_window_put(bri_answer *b);

#endif
