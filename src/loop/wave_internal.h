/* SPDX-License-Identifier: Apache-2.0
 * wave_internal.h - shared by wave*.c and rate.c. */
#ifndef BRI_LOOP_WAVE_INTERNAL_H
#define BRI_LOOP_WAVE_INTERNAL_H
#include "../solve/fixpoint.h"
#include "bristle/wave.h"
#include "loop_internal.h"

struct br_wave {
  double *t, *u, *y;
  br_turning *turning;
  br_minor *minor;
  br_wave_result result;
};

br_status bri_wave_check(const br_model *m, const double *par, const br_signal *input,
                         const br_wave_settings *s, br_err *err);
br_status bri_wave_advance(const bri_arc_model *a, bri_wave *w, double t0, double t1, double *x, double *work,
                           br_err *err);
/* Direction in which u moves on that side of t, also where its rate is 0 there: 1, -1 or 0. */
double bri_wave_direction(const bri_wave *w, double t, int side);
double bri_wave_output(const bri_arc_model *a, const bri_wave *w, double t, int side, const double *x);

/* The model as switches have made it at t, seen from side (-1: before one that happens there); under the load
 * at t. */
bri_arc_model bri_wave_stage(const bri_arc_model *a, const bri_wave *w, double t, int side);
bri_arc_model bri_wave_loaded(const bri_arc_model *a, const bri_wave *w, double t, int side);
/* The next corner of the input or switch behind t. */
double bri_wave_corner(const bri_wave *w, double t);

/* wave_move.c: how a model is moved along a wave. */
typedef enum { BRI_WAVE_PATH, BRI_WAVE_MAP, BRI_WAVE_SOLVER, BRI_WAVE_FIELD } bri_wave_way;
bri_wave_way bri_wave_way_of(const bri_arc_model *a, const bri_wave *w);
/* A piece [t0, t1] without corner inside, as bri_wave_move(), and on (re, im) pairs (not for the solver). */
br_status bri_wave_go(const bri_arc_model *a, bri_wave *w, double t0, double t1, double *x, double *work,
                      br_err *err);
br_status bri_wave_go_pair(const bri_arc_model *a, bri_wave *w, double t0, double t1, double *x, br_err *err);

/* wave_steady.c: the state at t = 0 of the steady loop of a model that the solver moves, by the period-map
 * Newton with differences; the report as bri_fixpoint(). */
br_status bri_wave_steady(const bri_arc_model *a, bri_wave *w, size_t ns, double *x, bri_fix_report *report,
                          br_err *err);

/* wave_range.c: extremes of the force over the steady loop with state x at t = 0. */
br_status bri_wave_range(const bri_arc_model *a, bri_wave *w, const double *x, double *low, double *high,
                         br_err *err);

/* wave_tour.c: from state x at t = 0 once round (or result.n samples of several periods), filling *out. */
br_status bri_wave_tour(const bri_arc_model *a, bri_wave *w, size_t periods, double *x, br_wave *out,
                        br_err *err);

/* graph.c: two graphs over one motion, in pieces between corners. */
typedef struct {
  size_t n;
  double *u, *y, *limit; /* m, N, N */
  unsigned char *last;   /* 1: the last point of a piece */
  double width, height;  /* what counts as 1 along u and along y */
} bri_graph;
/* Hausdorff distance, axes in units of width and height; NaN where one of them is zero.  work: n numbers. */
double bri_graph_distance(const bri_graph *g, double *work);

#endif
