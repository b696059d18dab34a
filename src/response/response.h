/* SPDX-License-Identifier: Apache-2.0
 * response.h - periodic answers of a plant to a sine in one of its inputs, and curves of them.  Internal. */
#ifndef BRI_RESPONSE_H
#define BRI_RESPONSE_H
#include <stddef.h>

#include "bristle/solve.h"

/* What drives the plant; the plant's drive points to it. */
typedef struct {
  double amplitude, frequency, offset; /* of the input, Hz, of the input */
} bri_sine;
br_drive bri_sine_drive(const bri_sine *sine);

/* One periodic answer. */
typedef struct {
  double frequency, amplitude_in;
  double amplitude; /* half the way from least to most of what is watched */
  double phase;     /* rad: of its first harmonic against the input */
  double work;      /* J that the inputs do in a period */
  double stiffness,
      loss_factor; /* of the contact force against the contact's displacement, first harmonics */
  double radius;   /* largest size of a multiplier */
  double tests[3]; /* zero at a fold, a period doubling, a torus point */
} bri_point;
enum { BRI_FOLD, BRI_DOUBLING, BRI_TORUS, BRI_TESTS, BRI_PEAK = BRI_TESTS };

typedef struct {
  const br_plant *plant;
  bri_sine *sine;
  double *vary;    /* &sine->frequency or &sine->amplitude */
  double from, to; /* its range */
  size_t points;   /* about so many on the way */
  int watched;     /* state whose amplitude is told; -1: the input itself */
  int position;    /* state that is the displacement of contact 0; -1: its velocity serves, or the input */
  int given;       /* 1: the input is the displacement of contact 0 */
  size_t driven;   /* which input; for nothing but messages */
  double rtol;
  br_stop stop;
  /* In the order of the curve: a point; an event with its kind. */
  br_status (*point)(void *ctx, const bri_point *p, br_err *err);
  br_status (*event)(void *ctx, int kind, const bri_point *p, br_err *err);
  void *ctx;
} bri_response;

/* The curve from `from` until it leaves the range, x: state to start from (NULL: zero).  *end: the last value
 * reached.
 * BR_E_CONVERGE: nothing periodic found at the start, or the curve could not be followed on. */
BR_CHECKED br_status bri_response_follow(const bri_response *r, const double *x, double *end, br_err *err);

/* ---- map.c ---- */
typedef struct {
  const bri_response *r;
  br_solver *fast, *book; /* without and with energies and extremes */
  size_t n;               /* states */
  double *scale;          /* [n] size of each */
  double *lo, *hi;        /* [n + forces] */
  double *a, *b;          /* [n] scratch of slopes and of the book */
  double *force;          /* [forces] */
} bri_period;

/* out = state after one period from x, in units of nothing. */
BR_CHECKED br_status bri_period_map(bri_period *m, const double *x, double *out, br_err *err);
/* J[n*n] = dP/dx - 1 and L[n] = dP/dvary (per span), both relative to scale; px = P(x). */
BR_CHECKED br_status bri_period_slopes(bri_period *m, const double *x, const double *px, double *J, double *L,
                                       br_err *err);
/* Everything but the multipliers, and the scales. */
BR_CHECKED br_status bri_period_measure(bri_period *m, const double *x, bri_point *p, br_err *err);
#endif
