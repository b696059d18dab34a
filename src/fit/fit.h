/* SPDX-License-Identifier: Apache-2.0
 * fit.h - what the files of this room share: data ready for models, coordinates of parameters, one fit.
 * Internal. */
#ifndef BRI_FIT_FIT_H
#define BRI_FIT_FIT_H
#include <stdint.h>

#include "base/algebra.h"
#include "bristle/fit.h"
#include "sense/walk.h"
#include "text/fail.h"

enum { BRI_FIT_SLOTS = 1024, BRI_FIT_OWN = 2, BRI_FIT_AXES = 2 };
/* Sample and axis of number k where each sample has `axes` of them; a division costs more than most of what
 * is done there. */
static inline size_t bri_fit_row(size_t k, size_t axes) { return axes == 1 ? k : k / axes; }
static inline size_t bri_fit_axis(size_t k, size_t axes) { return axes == 1 ? 0 : k % axes; }

/* ---- data.c: a record made ready: motion between samples, forces, scales ---- */
typedef struct {
  size_t n, axes; /* rows; 2: those of an x and of a y for each sample, one after the other; h and load have
                     one a sample */
  double *store;  /* all columns */
  double *t, *u, *v, *h, *F, *load, *speed, *accel, *raw; /* raw: the load column less its mean; NULL: none */
  double *raw_u, *vm, *work;                              /* position as measured; room */
  const double *measured;                                 /* velocity as measured; NULL: none */
  int timed;
  size_t train[2], test[2]; /* samples [from, to) */
  double level, middle;     /* half of the range of the force and the middle of it, N */
  double scatter;           /* of single forces about their neighbours, N */
  double stroke, fast;      /* range of u, m; speed that nine tenths stay below, m/s */
  double bandwidth;         /* of the differentiator, Hz; 0: none */
  size_t window;            /* its samples; 1: none */
  int flipped;              /* 1: the force was turned round */
  double gap;               /* m; motion that is lost at a reversal; 0: none */
  double gap_low, gap_high; /* its interval */
  const char *judge;        /* the model that leaves least with it */
  int clear;                /* 1: it is crossed where the force changes its sign, 0: at reversals */
  double mean_load;
  int failed; /* 1: out of memory in a glance, so choices made by it are none */
} bri_fit_data;
BR_CHECKED br_status bri_fit_data_make(const br_fit_record *r, const br_fit_options *o, bri_fit_data *d,
                                       br_err *err);
void bri_fit_data_free(bri_fit_data *d);
/* The number that stands at place k of n when they are sorted; they are rearranged. */
double bri_fit_place(double *x, size_t n, size_t k);
enum { BRI_FIT_WINDOWS = 8 };
size_t bri_fit_windows(const bri_fit_data *d, double asked, size_t *windows, double *work);
/* Position by a local parabola over so many samples (1: as measured), velocity and acceleration from it. */
void bri_fit_smooth(bri_fit_data *d, size_t window, double *work);

/* ---- gap.c: a gap between what was measured and the element ---- */
void bri_gap_cross(bri_fit_data *d); /* the motion d->u behind d->gap */
/* The gap of d, and the sum of squares that d->judge leaves with it, of the least that is left without. */
double bri_gap_choose(bri_fit_data *d, const br_fit_options *o);

/* ---- space.c: coordinates that the search moves, and the parameters they stand for ---- */
typedef enum {
  BRI_COORD_LOG,   /* parameter = exp(x) */
  BRI_COORD_LIN,   /* parameter = scale x */
  BRI_COORD_ABOVE, /* parameter = another one + scale x, x >= 0 */
  BRI_COORD_RATIO, /* parameter = x times one over another, 0 < x < 1 */
  BRI_COORD_SHARE, /* exp(x) against 1 of the first: shares that add up to 1 */
  BRI_COORD_REST   /* 1 minus another one: no x of its own; stands last */
} bri_coord_kind;
typedef struct {
  bri_coord_kind kind;
  size_t slot, ref, over; /* over: SIZE_MAX where there is none */
  double scale, lo, hi;   /* bounds of x */
  const br_param *row;
  size_t element;
} bri_coord;
typedef struct {
  const br_model *m;
  double base[BRI_FIT_SLOTS];
  bri_coord c[BRI_FIT_MOST];
  size_t n, all;   /* n: with an x of their own; all: with what depends on them */
  size_t elements; /* as it was made for */
} bri_space;
/* Scales from which a search starts. */
typedef struct {
  double level, way, speed; /* N, m, m/s */
  size_t elements;
} bri_fit_scales;
/* The coordinates of a model: all parameters that force data can tell, without those of `fix`, with those of
 * `extra`. */
BR_CHECKED br_status bri_space_make(const br_model *m, const bri_fit_data *d, const br_fit_options *o,
                                    size_t elements, bri_space *s, br_err *err);
void bri_space_start(const bri_space *s, const bri_fit_scales *at, double *x);
/* Block of the model at x with the numbers of terms.c behind it, bri_space_width() in all, and the slope of
 * each by each coordinate (G[j*width..]; may be NULL). */
void bri_space_block(const bri_space *s, const double *x, double *block, double *G);
/* The value that a block has for a parameter, as a coordinate. */
double bri_space_coordinate(const bri_coord *c, const double *block);
/* Do the values of "NAME=VALUE,..." (names of the model) contradict each other? */
BR_CHECKED br_status bri_space_clash(const br_model *m, const char *fix, br_err *err);
/* Why --model all does not try this model on a record of so many axes; NULL: it does. */
const char *bri_space_unusual(const br_model *m, size_t axes);

/* ---- search.c: Levenberg-Marquardt with the additive extras solved inside ---- */
enum { BRI_FIT_EXTRAS = 8 };
typedef struct {
  const bri_space *s;
  const bri_fit_data *d;
  size_t from, to;    /* samples that count */
  size_t q, rows;     /* additive columns; to - from */
  double *basis;      /* [q*rows] orthonormal */
  double *fitted, *J; /* [d->n], [s->n*d->n] */
  double *room;       /* [d->n] force of the model alone at known_at */
  double *states;     /* there, for slopes */
  double known_at[BRI_FIT_MOST];
  int known;
  double *rest;                               /* [rows] residual */
  double part[BRI_FIT_MOST * BRI_FIT_EXTRAS]; /* of each projected slope along the basis */
  int fresh; /* 1: J is where the last run ended, but for steps that gained next to nothing */
  /* may end where the slopes of a place before see nothing left, if they gained no more than this part; 0:
   * never */
  double hasty;
  double cost; /* at known_at, where w->rest belongs to it; else NAN */
  double least,
      small; /* of the sum of squares: a promise that is not worth a trial, a gain behind which a run ends */
  /* a number of the block that is held: what it is to be and the spring that holds it (0: none); how far it
   * is off, slopes */
  size_t pin;
  double target, stiff, off, by[BRI_FIT_MOST];
  size_t evaluations;
  int failed; /* 1: out of memory on the way */
  br_stop stop;
} bri_search;
BR_CHECKED br_status bri_search_make(bri_search *w, const bri_space *s, const bri_fit_data *d, size_t from,
                                     size_t to, const double *const *columns, size_t q, br_err *err);
void bri_search_free(bri_search *w);
/* Sum of squares of the residual at x; infinite where the model gives no number. */
double bri_search_cost(bri_search *w, const double *x);
/* The slopes of the fitted force at x in w->J, one of w->rows after the other, without what the extras
 * explain. */
void bri_search_slopes(bri_search *w, const double *x);
/* Gives them back what the extras explain. */
void bri_search_whole(bri_search *w);
/* Goes down from x, at most so many rounds; returns the cost. */
double bri_search_run(bri_search *w, double *x, int rounds);

/* ---- slip.c: elements of Maxwell-slip by non-negative least squares on a grid of dead bands ---- */
BR_CHECKED br_status bri_slip_start(const bri_fit_data *d, const double *const *columns, size_t q,
                                    size_t elements, double *k, double *Delta, br_err *err);
/* Moves each dead band on a fine grid around it, as long as the rest falls; began: the way gone before. */
BR_CHECKED br_status bri_slip_polish(const bri_fit_data *d, const double *const *columns, size_t q,
                                     size_t elements, double began, double *k, double *Delta, br_err *err);

/* ---- one.c: one model ---- */
enum { BRI_FIT_VALUES = 72, BRI_FIT_WARNINGS = 16, BRI_FIT_LINE = 240, BRI_FIT_CURVE = 1 + BRI_WALK_STATES };
typedef struct {
  br_fit_model out;
  bri_space space;
  double block[BRI_FIT_SLOTS], x[BRI_FIT_MOST];
  br_fit_value values[BRI_FIT_VALUES];
  const char *extra[BRI_FIT_EXTRAS]; /* names of the columns */
  const double *column[BRI_FIT_EXTRAS];
  double c[BRI_FIT_EXTRAS];
  size_t q;
  double *ones, *fitted;     /* BRI_FIT_AXES*[n]; BRI_FIT_CURVE*[n]: states of the model behind it */
  char *own_fix, *own_guess; /* what --fix and --guess say about this model; NULL: nothing */
  double cost;               /* of the train part */
  int held;                  /* of bouc_wen: 1 or 2, where eta stayed; 0: free */
  double *seen;              /* the force as a robust loss sees it; NULL: squares */
  double var;                /* of one independent sample, as the intervals take it */
  double spread;             /* by which a robust loss widens intervals */
  char warnings[BRI_FIT_WARNINGS][BRI_FIT_LINE];
  size_t nwarnings;
  br_status st;
  br_err err;
} bri_fit_one;

/* gap.c: the gap of d again, near the one it has, by what a model that was fitted leaves; its interval: where
 * the sum of squares has risen by what chance allows, by halving. */
void bri_gap_refine(bri_fit_one *f, bri_fit_data *d, const br_fit_options *o);
void bri_gap_bound(bri_fit_one *f, bri_fit_data *d, const br_fit_options *o);
/* What a model, of one element, leaves on a short piece of the train part: how well this motion explains the
 * force. */
double bri_fit_glance(bri_fit_data *d, const br_fit_options *o, const char *model);
void bri_fit_one_run(bri_fit_one *f, const br_model *m, const bri_fit_data *d, const br_fit_options *o);
void bri_fit_one_free(bri_fit_one *f);
/* Block, force along the whole record, terms and errors of f->x; w (may be NULL) may know the force already.
 * */
void bri_fit_judge(bri_fit_one *f, const bri_fit_data *d, const bri_search *w);
/* Its last part: errors of f->fitted on both parts. */
void bri_fit_errors(bri_fit_one *f, const bri_fit_data *d);
/* On from f->x. */
BR_CHECKED br_status bri_fit_descend(bri_fit_one *f, const bri_fit_data *d, const br_fit_options *o,
                                     int rounds);
/* create.c: the recommended one of a finished fit, and its data. */
const bri_fit_one *bri_fit_best(const br_fit *fit, const bri_fit_data **d);
double bri_fit_now(void); /* s, of a clock that only rises */
void bri_fit_warn(bri_fit_one *f, const char *fmt, ...) BRI_PRINTF(2, 3);

/* ---- keep.c: where a model was found, for a fit that goes on after a stop ---- */
BR_CHECKED br_status bri_fit_keep(const bri_fit_one *f, const br_fit_options *o, br_err *err);
/* 1: f is where it was kept, and the long part of its search need not be done again. */
int bri_fit_kept(bri_fit_one *f, const bri_fit_data *d, const br_fit_options *o);
/* The next number of a line; 0: there is none that is finite. */
int bri_next_number(const char **s, double *x);
/* one.c: the options with eta held as that number says, in room[512], and what is told of it. */
br_fit_options bri_fit_hold_eta(const br_fit_options *o, int held, char *room);
void bri_fit_tell_eta(bri_fit_one *f);

/* ---- terms.c: what is fitted beside the parameters of the model ---- */
int bri_fit_listed(const char *list, const char *name); /* is NAME in "a,b=1,c"?  NULL: no */
/* Does the list of extras name it?  Without a list: is it usual? */
int bri_fit_wants(const br_fit_options *o, const char *name, int usual);
size_t bri_space_width(const bri_space *s);
BR_CHECKED br_status bri_terms_add(bri_space *s, const bri_fit_data *d, const br_fit_options *o, br_err *err);
int bri_terms_own(const br_param *row); /* is it one of its coordinates? */
double bri_terms_start(const bri_space *s, const double *x);
/* Force at the first `to` samples for a block: F (NULL: none) with the asymmetry, plain[to] without, states
 * for slopes (NULL:
 * none; plain and states of models with few states alone). */
void bri_terms_force(const bri_space *s, const bri_fit_data *d, size_t to, const double *block, double *F,
                     double *plain, double *states);
/* Its slopes by all coordinates, G of bri_space_block(), in columns of `to`. */
void bri_terms_slopes(const bri_space *s, const bri_fit_data *d, size_t to, const double *block,
                      const double *G, const double *plain, const double *states, double *D);
/* The value of --extras that has one more term than f. */
const char *bri_terms_with(const bri_fit_one *f, const bri_fit_data *d, const char *name, size_t size,
                           char *text);
void bri_terms_choose(bri_fit_one *f, const bri_fit_data *d, const br_fit_options *o);
void bri_terms_solve(bri_fit_one *f, const bri_fit_data *d);

/* ---- known.c: names of parameters that the user gave ---- */
BR_CHECKED br_status bri_known_check(const br_fit_options *o, const br_model *const *models, size_t n,
                                     br_err *err);
/* The pairs of --fix and --guess that this model has; others of --fix are told. */
BR_CHECKED br_status bri_known_own(bri_fit_one *f, const br_model *m, const br_fit_options *o, br_err *err);

/* Elements that the guess has; coordinates f->x that it names. */
BR_CHECKED br_status bri_guess_elements(const br_model *m, const br_fit_options *o, size_t *n, br_err *err);
BR_CHECKED br_status bri_guess_take(bri_fit_one *f, const br_fit_options *o, br_err *err);

/* ---- robust.c: losses that bound outliers ---- */
BR_CHECKED br_status bri_robust_check(const br_fit_options *o, br_err *err);
/* Goes on with the loss of the options; *seen: the data with the force as it sees it, those of d for squares.
 * */
BR_CHECKED br_status bri_robust_run(bri_fit_one *f, const bri_fit_data *d, const br_fit_options *o,
                                    bri_fit_data *seen);

/* ---- trust.c: intervals, what the data cannot separate, what the residual looks like ---- */
void bri_fit_trust(bri_fit_one *f, bri_search *w);
/* profile.c: the intervals again, by profile likelihood. */
BR_CHECKED br_status bri_fit_profile(bri_fit_one *f, const bri_fit_data *d, const br_stop *stop, br_err *err);
const char *bri_fit_extra_unit(const char *name);
/* 95 % around a value with this standard deviation, of its logarithm where positive, within its range (NULL:
 * any). */
void bri_fit_interval(br_fit_value *v, double sd, int positive, const br_param *row);
/* verdict.c: warnings about what is left; a gap is tried in d and taken back. */
BR_CHECKED br_status bri_fit_verdict(bri_fit_one *f, bri_fit_data *d, const br_fit_options *o, br_err *err);
/* How many samples count as one: 1 + 2 sum of the autocorrelation; unsure: its relative standard error
 * (Sokal). */
double bri_fit_redundancy(const double *r, size_t n, double *unsure);

#endif
