/* SPDX-License-Identifier: Apache-2.0
 * signal_internal.h - how the kinds of signals are held.
 * Three forms cover all kinds: knots with straight or cubic lines between them (pwl.c), one sine of a phase
 * that is linear or quadratic in time (phase.c), a sum of sines with a table of its turning points (sines.c).
 * A formula (formula.c) has such a table too. */
#ifndef BRI_SIGNAL_INTERNAL_H
#define BRI_SIGNAL_INTERNAL_H
#include "bristle/signal.h"
#include "bristle/unit.h"

/* Points between which u is monotone.  Local time s = t - origin, s[0] = 0.  rho: path length from s[0].
 * All arrays live in one block. */
typedef struct {
  size_t n;      /* knots, >= 1 */
  double origin; /* time of knot 0, s */
  double *s, *u, *rho;
  size_t ncorner, *corner; /* knots where u' jumps or changes sign; of a period the last knot is left out */
  double period;           /* 0: not periodic; else s[n-1] */
  double rho_zero;         /* path length from knot 0 to t = 0 */
  double mean_step;        /* guess for the search: s[n-1] / (n-1) */
} bri_knots;

typedef struct {
  double (*value)(const br_signal *sig, double t);
  double (*rate)(const br_signal *sig, double t, int side);
  double (*next_corner)(const br_signal *sig, double t);
  double (*variation)(const br_signal *sig, double t);
  double (*normalised)(const br_signal *sig, double rho);
  double (*curvature)(const br_signal *sig, double t, int side); /* NULL: zero between corners */
} bri_signal_ops;

/* A move from 0 to height (profile.c). */
typedef struct {
  double height, t0;
  double Ta, Tj, Tv; /* s: rise of the velocity, of which constant jerk at each end; held velocity */
  double v, a, j;    /* reached velocity and acceleration, jerk; all >= 0 */
} bri_profile;

struct br_signal {
  const bri_signal_ops *ops;
  double period, duration;
  double path; /* of one period */
  bri_knots knots;
  /* pwl.c */
  double *slope; /* PCHIP: rate at each knot; NULL: straight lines */
  double speed;  /* > 0: |u'| is this everywhere; kept apart from the knots so that it has no rounding */
  double ramp;   /* slope of a ramp */
  /* phase.c: u = amplitude sin(2 pi p(t) + phase) + offset, p = f0 t + (f1-f0) t^2/(2T) in [0,T], straight
   * outside */
  double amplitude, f0, f1, sweep, phase, offset;
  bri_profile profile;
  /* sines.c */
  size_t nsines;
  double *sines; /* amplitude, frequency (or multiple of the base), phase of each */
  double base;   /* Hz; 0: not periodic */
  double m2, m3; /* bounds of |u''| and |u'''| */
  /* formula.c */
  double *code; /* tape of the formula of t */
  size_t ncode;
  double *sides;    /* rate before and behind each knot */
  br_signal *inner; /* integral.c: the rate; NULL: none */
  /* file.c */
  char *notes; /* lines, each with its terminator, an empty one behind the last; NULL: none */
  int timeless;
  int along; /* its "time" is a position */
};

/* knots.c */
BR_CHECKED br_status bri_knots_create(bri_knots *k, size_t n, br_err *err);
void bri_knots_release(bri_knots *k);
void bri_knots_measure(bri_knots *k); /* rho from u; mean_step from s */
/* Local time of t, and the number of whole periods before it. */
double bri_knots_local(const bri_knots *k, double t, double *periods);
/* Segment i with s[i] <= x <= s[i+1], clamped to the table; n >= 2. */
size_t bri_knots_segment(const bri_knots *k, double x);
/* Times closer than this are the same time. */
double bri_knots_tolerance(const bri_knots *k, double t);
double bri_knots_next_corner(const bri_knots *k, double t);
double bri_knots_variation(const bri_knots *k, double t, double u);
double bri_knots_normalised(const bri_knots *k, double rho);

/* pwl.c */
extern const bri_signal_ops bri_pwl_ops, bri_step_ops, bri_ramp_ops;
BR_CHECKED br_status bri_signal_triangle(double amplitude, double frequency, br_signal **out, br_err *err);
BR_CHECKED br_status bri_signal_step(double height, double t0, br_signal **out, br_err *err);
BR_CHECKED br_status bri_signal_ramp(double slope, br_signal **out, br_err *err);

/* phase.c */
BR_CHECKED br_status bri_signal_sine(double amplitude, double frequency, double phase, double offset,
                                     br_signal **out, br_err *err);
BR_CHECKED br_status bri_signal_chirp(double amplitude, double f0, double f1, double sweep, br_signal **out,
                                      br_err *err);

int bri_signal_is_sine(const br_signal *sig);

/* integral.c: the motion whose rate is given, 0 at the start of a record, else at t = 0; the rate becomes its
 * own, also on error. */
BR_CHECKED br_status bri_signal_integral(br_signal *rate, br_signal **out, br_err *err);

/* profile.c: limits > 0 */
BR_CHECKED br_status bri_signal_trapezoid(double height, double v, double a, double t0, br_signal **out,
                                          br_err *err);
BR_CHECKED br_status bri_signal_scurve(double height, double v, double a, double j, double t0,
                                       br_signal **out, br_err *err);
BR_CHECKED br_status bri_signal_filtered_step(double height, double tau, double t0, br_signal **out,
                                              br_err *err);

/* formula.c */
extern const bri_signal_ops bri_formula_ops;
BR_CHECKED br_status bri_signal_formula(const char *text, br_signal **out, br_err *err);
/* u on both sides of a corner at t; equal where it does not jump. */
void bri_formula_sides(const br_signal *sig, double t, double *before, double *behind);

/* signal.c */
BR_CHECKED br_status bri_signal_new(const bri_signal_ops *ops, br_signal **out, br_err *err);
/* The end of every *_create: the signal goes out, or away with the error that is the answer then. */
static inline br_status bri_signal_done(br_status st, br_signal *sig, br_signal **out)
{
  if (st) br_signal_destroy(sig);
  else *out = sig;
  return st;
}

/* file.c */
/* shape: how recorded samples are joined */
BR_CHECKED br_status bri_signal_csv(const char *spec, br_signal_shape shape, const br_signal_need *need,
                                    br_signal **out, br_err *err);
/* "FILE[:a,b][|steps]": the file with its steps, allocated, and the names of the columns behind it, NULL
 * where not given. */
BR_CHECKED br_status bri_signal_split(const char *spec, char **file, char **first, char **second,
                                      br_err *err);
BR_CHECKED br_status bri_signal_multisine(const char *path, const br_signal_need *need, br_signal **out,
                                          br_err *err);
/* parse.c: does a unit serve?  power: of time in the denominator, 1 for a rate.  `where` begins the message.
 * */
BR_CHECKED br_status bri_signal_fits(const br_signal_need *need, int power, const br_unit *unit,
                                     const char *where, br_err *err);

#endif
