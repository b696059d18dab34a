/* SPDX-License-Identifier: Apache-2.0
 * motion.h - what the files of the fit of a motion share: its data, its unknowns, runs of the mechanism.
 * Internal. */
#ifndef BRI_FIT_MOTION_H
#define BRI_FIT_MOTION_H
#include "bristle/fit.h"
#include "bristle/solve.h"
#include "fit.h"

enum { BRI_MOTION_INPUTS = 8, BRI_MOTION_LOCALS = 17 };

/* ---- motion_space.c: unknowns of model and mechanism, and a bias of the first driven input ---- */
typedef struct {
  size_t slot, element;
  int log; /* parameter = exp(x), else scale x */
  double scale, lo, hi, start;
  int given; /* the start is the user's */
  const br_param *row;
} bri_motion_coord;
typedef struct {
  const br_system *sys;
  const br_model *m;
  bri_space model;
  double from[BRI_FIT_SLOTS]; /* block of the model with the user's starts */
  unsigned char given[BRI_FIT_MOST];
  double spar[BRI_FIT_SLOTS], held[BRI_MOTION_INPUTS];
  bri_motion_coord mech[BRI_FIT_MOST];
  size_t nmech;
  int bias;       /* input with an unknown bias; -1: none */
  double swing;   /* scale of that bias */
  size_t p;       /* unknowns: model, mechanism, bias */
  size_t nq;      /* states of the mechanism */
  int at_u, at_v; /* the ones that are position and velocity of the first contact; -1: none */
  size_t locals;  /* start values of a piece: those, and the position where no state has it */
} bri_motion_space;
typedef struct {
  double mpar[BRI_FIT_SLOTS], spar[BRI_FIT_SLOTS], bias;
} bri_motion_blocks;
BR_CHECKED br_status bri_motion_space_make(bri_motion_space *s, const br_motion_record *r,
                                           const br_motion_options *o, const br_model *m, br_err *err);
void bri_motion_space_blocks(const bri_motion_space *s, const double *g, bri_motion_blocks *b);
/* The model's coordinates once its scales are known; the user's values replace starts. */
BR_CHECKED br_status bri_motion_space_scale(bri_motion_space *s, const br_motion_options *o, double level,
                                            double stroke, double speed, br_err *err);
void bri_motion_space_start(const bri_motion_space *s, const bri_fit_scales *at, double *g);
/* Values with intervals of the covariance C[p*p] of the unknowns (NULL: none); returns how many. */
size_t bri_motion_space_values(const bri_motion_space *s, const double *g, const double *C,
                               br_fit_value *values, size_t most);
void bri_motion_space_bounds(const bri_motion_space *s, size_t j, double *lo, double *hi);
const char *bri_motion_space_name(const bri_motion_space *s, size_t j, size_t size, char *text);

/* ---- motion_run.c: the mechanism run over pieces of the record ---- */
typedef enum { BRI_SEEN_POSITION, BRI_SEEN_INTEGRAL, BRI_SEEN_VELOCITY, BRI_SEEN_STATE } bri_seen;
typedef struct {
  const char *name, *unit;
  const double *y;
  bri_seen kind;
  size_t index;  /* of the state */
  double weight; /* one over what it scatters by */
} bri_motion_channel;
typedef struct {
  size_t n, ninput, nchannel;
  const double *t, *inputs[BRI_MOTION_INPUTS];
  bri_motion_channel channel[BR_MOTION_CHANNELS];
  double rtol;
  int hold;          /* inputs are held until the next sample */
  size_t most_steps; /* of the solver between two starts; 0: as many as it takes */
  double *own;       /* of bri_motion_thin() */
} bri_motion_data;
/* Channels of a record over the plant of these unknowns; the states that stand for them. */
BR_CHECKED br_status bri_motion_channels(const br_motion_record *r, bri_motion_space *s, bri_motion_data *d,
                                         br_err *err);

/* Pieces [edge[i], edge[i+1]) of the record, each with start values of its own. */
typedef struct {
  size_t n;
  size_t *edge;
} bri_motion_pieces;
/* Runs piece `first` to `last` - 1: locals[i*s->locals..]; states of the model go on from piece to piece,
 * kept in z[i*BRI_MOTION_STATES..] at the start of each (in: that of `first`; NULL: zero).  y[c*d->n + k].
 * Any failure of the solver but a lack of memory is BR_E_CONVERGE.  *rates (may be NULL) rises by the
 * evaluations of the equations. */
enum { BRI_MOTION_STATES = 64 };
BR_CHECKED br_status bri_motion_run(const bri_motion_space *s, const bri_motion_data *d, const double *g,
                                    const bri_motion_pieces *pieces, size_t first, size_t last,
                                    const double *locals, double *z, double *y, size_t *rates,
                                    const br_stop *stop, br_err *err);
/* ---- motion_thin.c: every `stride`th sample of a part; inputs are means over what is left out.  Free
 * out->own. ---- */
BR_CHECKED br_status bri_motion_thin(const bri_motion_data *d, const size_t part[2], size_t stride,
                                     bri_motion_data *out, br_err *err);

/* ---- motion_start.c: unknowns from the equation of motion, without solving it ---- */
enum { BRI_MOTION_STARTS = 4 };
/* *found places to start from, best first, g[i*BRI_FIT_MOST..]; 0: the record does not have what is needed,
 * and g has given and default values. */
BR_CHECKED br_status bri_motion_start(bri_motion_space *s, const bri_motion_data *d,
                                      const br_motion_options *o, const size_t part[2], double *g, int *found,
                                      size_t *evaluations, br_err *err);
/* Value and slope of a local parabola over `window` samples around k. */
void bri_motion_parabola(const double *t, const double *y, size_t n, size_t k, size_t window, double *value,
                         double *slope);

/* ---- motion_noise.c: what an input with noise leaves of a residual ---- */
enum { BRI_MOTION_TANGENTS = 12 };
typedef struct {
  size_t n; /* states of mechanism and model, and the position where no state has it */
  double *store, *step, *push, *H, *gain, *root; /* per sample: [n*n] to the next, [n] by the input,
                                                    [channels*n] seen (weighted); of the filter */
  unsigned char fresh[BRI_MOTION_TANGENTS];      /* a start value of every piece */
  double unit;                                   /* square of the swing of the input */
} bri_motion_filter;
/* States that are followed, 0: too many, or they jump. */
size_t bri_motion_tangent_states(const bri_motion_space *s);
BR_CHECKED br_status bri_motion_tangents(const bri_motion_space *s, const bri_motion_data *d, const double *g,
                                         const bri_motion_pieces *pieces, const double *locals,
                                         bri_motion_filter *f, const br_stop *stop, br_err *err);

/* ---- motion_search.c: least squares over unknowns and start values ---- */
typedef struct {
  const bri_motion_space *s;
  const bri_motion_data *d;
  bri_motion_pieces pieces;
  size_t rows;        /* channels times samples */
  double *g, *locals; /* where it is */
  double *store;
  double *y, *z; /* prediction there [nchannel*n]; states of the model where pieces begin */
  double *J, *K; /* slopes by the unknowns [p*rows], by start values [locals*rows] */
  double *rest;  /* [rows], weighted */
  double *A;     /* [p*p] normal matrix without what the start values explain */
  double cost;
  int threads, frozen; /* frozen: unknowns stay */
  size_t evaluations, round;
  size_t spent, budget; /* evaluations of the equations; 0 or where rounds end */
  double lambda;
  br_stop stop;
  const br_fit_memory *memory;     /* NULL: none */
  size_t *step;                    /* number of the next run of a search, over all of a fit */
  const bri_motion_filter *filter; /* what is compared; NULL: the residual itself */
} bri_motion_search;
/* The filter of where w stands; *sd: standard deviation of the noise of the input, 0: none is likely. */
BR_CHECKED br_status bri_motion_filter_make(bri_motion_search *w, bri_motion_filter *f, double *sd,
                                            br_err *err);
void bri_motion_filter_free(bri_motion_filter *f);
/* What a filter does not expect, of a column of w, pieces first .. last - 1. */
void bri_motion_whiten(const bri_motion_filter *f, const bri_motion_search *w, size_t first, size_t last,
                       double *column);
BR_CHECKED br_status bri_motion_search_make(bri_motion_search *w, const bri_motion_space *s,
                                            const bri_motion_data *d, size_t from, size_t to, size_t pieces,
                                            br_err *err);
void bri_motion_search_free(bri_motion_search *w);
/* Start values of every piece from the record. */
void bri_motion_search_seed(bri_motion_search *w);
BR_CHECKED br_status bri_motion_search_run(bri_motion_search *w, int rounds, br_err *err);
/* Slopes, residual and normal matrix where it is. */
BR_CHECKED br_status bri_motion_search_slopes(bri_motion_search *w, br_err *err);

/* ---- motion_starts.c ---- */
/* A few rounds from each of n places g[i*BRI_FIT_MOST..]; stands at the one that leaves least. */
BR_CHECKED br_status bri_motion_choose(bri_motion_search *w, const double *g, size_t n, br_err *err);
/* The same from where it is with other Stribeck curves, none among them; speed: of the record. */
BR_CHECKED br_status bri_motion_reshape(bri_motion_search *w, double speed, br_err *err);

/* ---- motion_trust.c ---- */
enum { BRI_MOTION_NOTES = 10 };
typedef struct {
  br_motion_model out;
  bri_motion_space space;
  bri_motion_blocks blocks;
  br_fit_value values[BRI_FIT_VALUES];
  double start[BRI_MOTION_LOCALS];
  double *curve; /* [nchannel*n] */
  char notes[BRI_MOTION_NOTES][BRI_FIT_LINE], warnings[BRI_MOTION_NOTES][BRI_FIT_LINE];
  size_t nnotes, nwarnings;
  double cost, rows;
  int found;     /* starts from the equation of motion */
  size_t stride; /* of the long part of the search */
  double left;   /* of the first channel, there */
} bri_motion_one;

void bri_motion_tell(char (*lines)[BRI_FIT_LINE], size_t *n, const char *fmt, ...) BRI_PRINTF(3, 4);
#define BRI_MOTION_NOTE(f, ...) bri_motion_tell((f)->notes, &(f)->nnotes, __VA_ARGS__)
#define BRI_MOTION_WARN(f, ...) bri_motion_tell((f)->warnings, &(f)->nwarnings, __VA_ARGS__)
/* Values with intervals from the normal matrix, warnings. */
void bri_motion_trust(bri_motion_one *m, const bri_motion_search *w);

/* ---- motion.c: one model ---- */
enum { BRI_MOTION_MODELS = 32, BRI_MOTION_LEAST = 20 }; /* models at once; samples of a part or piece */
struct br_motion_fit {
  br_motion_options o;
  bri_motion_data data;
  size_t train[2], test[2];
  bri_motion_one *one;
  size_t n, order[BRI_MOTION_MODELS], step;
  struct {
    const br_model *model;
    char why[BRI_FIT_LINE];
  } lost[BRI_MOTION_MODELS];
  size_t nlost;
};
/* quick: one of many, on a thinned record; budget: evaluations of the equations after which rounds end, 0:
 * none. */
BR_CHECKED br_status bri_motion_fit_one(br_motion_fit *f, bri_motion_one *m, const br_motion_record *r,
                                        const br_model *model, int quick, size_t budget, br_err *err);

#endif
