/* SPDX-License-Identifier: Apache-2.0
 * newton.h - the one period-map Newton: x = P(x) for a map given as a function.  Internal; br_map_newton()
 * (cycles) and bri_fixpoint() (loops) say what they know of their map and what they accept. */
#ifndef BRI_SOLVE_NEWTON_H
#define BRI_SOLVE_NEWTON_H
#include <stddef.h>

#include "bristle/status.h"

#define BRI_NEWTON_MAX 64 /* numbers of x that take part */

typedef enum {
  BRI_NEWTON_FOUND,
  BRI_NEWTON_OPEN,     /* out of iterations: residual says how far */
  BRI_NEWTON_NO_MAP,   /* map or slopes failed; status says with what */
  BRI_NEWTON_SINGULAR, /* 1 - dP/dx has no inverse: not isolated */
  BRI_NEWTON_NAN       /* the map gave numbers that are not finite */
} bri_newton_end;

typedef struct {
  void *ctx;
  size_t n;            /* of these numbers; further ones behind them are the map's own business */
  size_t nx;           /* numbers of x, >= n */
  const double *scale; /* size of each number; NULL: all are measured by the largest of x and P(x) */
  br_status (*map)(void *ctx, const double *x, double *out);
  /* dP/dx at x, row major n*n; skip[i] = 1: number i is left as it is.  NULL: by one-sided differences. */
  br_status (*slopes)(void *ctx, const double *x, const double *px, double *J, char *skip);
  double tol;        /* done when |P(x) - x| <= tol * scale */
  double stall;      /* done also when it no longer halves and is below this; 0: no such end */
  double repeat_tol; /* a repetition that changes less than this is the end; 0: tol */
  double step;       /* of differences, relative to scale */
  double
      least_pivot; /* below it 1 - dP/dx counts as singular; 0: only exactly, and then it repeats instead */
  int repeats;     /* plain repetitions first */
  int max_iter;    /* Newton iterations behind them */
  int keep_slopes; /* 1: they are used again while the residual falls quickly */
  int shorten;     /* 1: shorter steps where the map fails or the residual grows */
} bri_newton_problem;

typedef struct {
  br_status status;
  double residual; /* largest |P(x) - x| / scale */
  double before;   /* of the repetition before the last */
  double size;     /* what the residual is relative to, without scale */
  int iterations;  /* maps looked at: repetitions and Newton */
  int repeated;    /* 1: the repetitions were enough, J is not there */
} bri_newton_report;

/* Scratch for nx numbers, the first n in Newton. */
size_t bri_newton_work(size_t n, size_t nx);

/* x: start in, last iterate out; behind a find its slopes are at work[0..n*n-1] unless `repeated`. */
bri_newton_end bri_newton(const bri_newton_problem *p, double *x, double *work, char *skip,
                          bri_newton_report *r);

#endif
