/* SPDX-License-Identifier: Apache-2.0
 * loop_internal.h - shared by the files of the room loop. */
#ifndef BRI_LOOP_INTERNAL_H
#define BRI_LOOP_INTERNAL_H
#include "../text/stop.h"
#include "bristle/loop.h"
#include "bristle/wave.h"

#define BR_LOOP_MAX_STATE 64 /* states of a model the loop accepts; modes come on top */
/* Speed that stands for "infinitely slow", m/s: below BR_QUASI_STATIC, so that laws over the speed take their
 * limit, while products with path / speed stay far inside the range of doubles. */
#define BRI_SLOW 1e-200
#define BRI_FADED 1e-100 /* N: less than this is left at that speed of a force that fades with it */

/* One state with dx/drho = s b - a x, s = direction: measured from the model's rate and force.
 * In terms of the elastic force Y (N): dY/drho = s sigma - a Y;  y = p Y + s q. */
typedef struct {
  double a;     /* 1/m */
  double sigma; /* N/m */
  double level; /* sigma / a, N: where Y settles */
  double p, q;  /* 1, N */
  double to_y;  /* Y = to_y x */
} bri_affine;

/* The path of one period. */
typedef struct {
  size_t n;     /* turning points */
  double *u;    /* [n + 1], u[n] = u[0] */
  double *rho;  /* [n + 1] */
  double total; /* rho[n] */
} bri_path;

struct br_loop {
  const br_model *model;
  double *par;        /* own copy of the block */
  double load, speed; /* speed: m/s along the path */
  double rtol;
  bri_path path;
  br_loop_summary sum;
  br_turning *turning;
  br_minor *minor;
  bri_affine affine; /* closed form */
  double *Y;         /* closed form: elastic force at the turning points, [n + 1] */
  double *z;         /* period map: states at the turning points, [n + 1][nz] */
  size_t nz;         /* state numbers in use, modes included */
  br_stop stop;
};

/* path.c */
BR_CHECKED br_status bri_path_create(size_t n, const double *u, bri_path *path, br_err *err);
void bri_path_destroy(bri_path *path);
static inline double bri_path_dir(const bri_path *p, size_t i) { return p->u[i + 1] > p->u[i] ? 1.0 : -1.0; }
size_t bri_path_arc(const bri_path *p, double rho, double *from,
                    int side); /* arc index; *from: length into it */
/* Nesting of reversals: fills start_reversal, parent, u_*, rho_* and the arc on which each loop ends. */
br_status bri_path_minors(const bri_path *p, br_minor **minor, size_t **end_arc, size_t *count);

/* closed.c */
int bri_affine_measure(const br_model *m, const double *par, double load, double speed, int slow,
                       bri_affine *f);
double bri_affine_move(const bri_affine *f, double Y, double s, double length); /* Y at the end of an arc */
br_status bri_closed_solve(br_loop *loop, const size_t *end_arc);

/* A motion in its own time: u(t) run `scale` times slower than given, the force optionally behind a
 * first-order filter tau dy/dt = F - y. */
typedef struct {
  const br_signal *input;
  double scale;                   /* gamma of document 0: physical time = scale * t */
  double tau;                     /* s; 0: no filter */
  double middle;                  /* of the piece under way: which side a corner at its end is seen from */
  const br_signal *load;          /* what drives the normal load; NULL: held */
  const br_wave_switch *switches; /* what changes at times of every period */
  size_t nswitch;
} bri_wave;

/* arc.c: any model along one arc */
typedef struct {
  const br_model *model;
  const double *par;      /* f64 block */
  const double *par_pair; /* the same as (re, im) pairs, prepared; NULL when not needed */
  double load, speed, rtol;
  size_t nz;
  const br_stop *stop; /* NULL: never; every arc and every step of a march asks */
} bri_arc_model;
/* Move state z (nz numbers) over `length` in direction s from position u; adds the work to *work when not
 * NULL. */
br_status bri_arc_move(const bri_arc_model *a, double u, double s, double length, double *z, double *work,
                       br_err *err);
/* The same on (re, im) pairs, without work. */
br_status bri_arc_move_pair(const bri_arc_model *a, double u, double s, double length, double *z,
                            br_err *err);
/* What an arc adds up to. */
typedef struct {
  double work;                     /* J */
  double lo, hi;                   /* N: range of the force, ends (one-sided limits) included */
  double error[BR_LOOP_MAX_STATE]; /* of the states at the end, as far as this arc adds to it */
} bri_arc_sums;
br_status bri_arc_tour(const bri_arc_model *a, double u, double s, double length, double *z,
                       bri_arc_sums *sums, br_err *err);
double bri_arc_force(const bri_arc_model *a, double u, double s, const double *z);
/* The same at velocity v.  The motion is given, and followed exactly: a stick band, which time-steppers need,
 * has no meaning here, and the sliding law goes on through it. */
double bri_arc_force_at(const bri_arc_model *a, double u, double v, const double *z);
/* Does the force at position u depend on state j? */
int bri_arc_force_depends(const bri_arc_model *a, double u, const double *z, size_t j);
/* A piece [t0, t1] of a wave without corner inside; x: states, then the filter output where there is one. */
br_status bri_wave_move(const bri_arc_model *a, bri_wave *w, double t0, double t1, double *x, double *work,
                        br_err *err);
br_status bri_wave_move_pair(const bri_arc_model *a, bri_wave *w, double t0, double t1, double *x,
                             br_err *err);
double *bri_arc_pairs(const br_model *m, const double *par); /* caller frees; NULL: none, or no memory */

/* error.c: the error of a loop's force, gathered arc by arc */
#define BRI_ERROR_STATES 8 /* with more, errors add up and nothing is forgotten */
typedef struct {
  size_t ns;
  int linear;                                    /* 1: M and d are followed; 0: d adds up */
  int differences;                               /* 1: M comes from differences */
  double contraction, contraction_error;         /* of a period */
  double loose[BR_LOOP_MAX_STATE];               /* how far a kept state may stand from where rest leads */
  double M[BRI_ERROR_STATES * BRI_ERROR_STATES]; /* derivative of the way so far */
  double d[BR_LOOP_MAX_STATE];                   /* error that the way so far has added */
  double reach[BR_LOOP_MAX_STATE], own;          /* N per unit of the start's error; N: of d alone */
  double size[BR_LOOP_MAX_STATE], top;           /* largest states, largest |F| */
} bri_error;
void bri_error_open(const bri_arc_model *a, const br_loop_summary *sum, bri_error *e);
void bri_error_arc(bri_error *e, const bri_arc_model *a, double u, double s, double length,
                   const double *from, const double *to, const bri_arc_sums *sums);
double bri_error_close(const bri_error *e, const double *first, const double *last); /* N */

/* steady.c */
/* The loop's model on its way, real numbers only. */
bri_arc_model bri_arc_of(const br_loop *loop);
/* bri_arc_force_depends for a model without complex instance: the state is moved a little. */
int bri_arc_force_moves(const bri_arc_model *a, double u, const double *z, size_t j);
br_status bri_steady_solve(br_loop *loop, double u0, const size_t *end_arc, br_err *err);

#endif
