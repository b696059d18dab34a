/* SPDX-License-Identifier: Apache-2.0
 * signal.h - inputs u(t): analytic, piecewise linear and recorded; their turning points, variation function
 * and normalised input.
 * Units: t in s, u in whatever the consumer expects (SI), rates in u per s.  Alloc: br_signal_parse() and the
 * br_signal_from_*() functions.  Threads: a br_signal never changes after creation and may be shared. */
#ifndef BR_SIGNAL_H
#define BR_SIGNAL_H
#include <stddef.h>

#include "bristle/status.h"
BR_C_BEGIN

typedef struct br_signal br_signal;

/* One line of the grammar, for help texts; i from 0, NULL behind the last. */
typedef struct {
  const char *name;    /* "sine" */
  const char *grammar; /* "sine:A,f[,phase,offset]" */
  const char *doc;
} br_signal_kind;
BR_API const br_signal_kind *br_signal_kinds(size_t i);

/* Create from text, e.g. "sine:1mm,0.5Hz", "bimodal:0,1,0.5,1.5", "csv:run.csv:t,x"; docs/signal.md has the
 * grammar.
 * Returns BR_OK; BR_E_PARSE naming the field, its value, what is expected and the nearest kind; BR_E_RANGE
 * for a value outside its range; BR_E_IO, BR_E_NAN and others from reading a file; BR_E_NOMEM.  *out is NULL
 * on error. */
BR_TRY br_status br_signal_parse(const char *spec, br_signal **out, br_err *err);

/* The same for a purpose: units in the text and in the columns of a file must fit, BR_E_PARSE where they do
 * not; without a unit numbers are taken as SI.  A file is read as a record (bristle/record.h): its column is
 * chosen by the unit, steps behind a bar are done ("csv:run.csv:t,x_mm|offset:-3mm|lowpass:20Hz"), and notes
 * say what was chosen and done. */
typedef struct {
  const char *unit; /* SI unit of u; NULL: any */
  const char *what; /* what messages call it: "motion u"; NULL: "the value" */
  int rotary;       /* 1: rad for m, N m for N are as good */
  char decimal;     /* of files: '.', ',' or 0: found */
  int along;        /* 1: what is given over time else is given over a position, in m or rad */
} br_signal_need;
BR_TRY br_status br_signal_parse_for(const char *spec, const br_signal_need *need, br_signal **out,
                                     br_err *err);
/* What was measured along with the motion `spec`, a record: text is "auto", the name or number of another
 * column of its file (the steps of the motion are done to it as well), or a spec of its own. */
BR_TRY br_status br_signal_beside(const char *spec, const br_signal_need *motion, const char *text,
                                  const br_signal_need *need, br_signal **out, br_err *err);
/* What was chosen of a file and done to it, one line each; NULL behind the last. */
BR_API const char *br_signal_note(const br_signal *signal, size_t i);
/* 1: a record without time, whose "times" count its rows from 0. */
BR_API int br_signal_timeless(const br_signal *signal);

typedef enum { BR_SIGNAL_LINEAR, BR_SIGNAL_PCHIP } br_signal_shape;

/* Recorded samples; the arrays are copied.  t strictly increasing, all finite, n >= 1.  Constant before t[0]
 * and behind t[n-1]. */
BR_TRY br_status br_signal_from_arrays(size_t n, const double *t, const double *u, br_signal **out,
                                       br_err *err);
/* The same with a choice: shape PCHIP is the monotone cubic (no overshoot, continuous rate, reversals at
 * samples); periodic 1 repeats [t[0], t[n-1]] and needs n >= 2 and u[n-1] == u[0]. */
BR_TRY br_status br_signal_from_samples(size_t n, const double *t, const double *u, br_signal_shape shape,
                                        int periodic, br_signal **out, br_err *err);
/* One period through turning points u[0..n-1] and back to u[0] at constant speed > 0 (1 is the normalised
 * input). Points need not be reversals; equal neighbours are merged; at least two must differ. */
BR_TRY br_status br_signal_from_turning(size_t n, const double *u, double speed, br_signal **out,
                                        br_err *err);
/* Sum of amplitude[i] sin(2 pi frequency[i] t + phase[i]); frequencies in Hz, >= 0.  Periodic when all
 * frequencies are multiples of one base (to 1e-12). */
BR_TRY br_status br_signal_from_sines(size_t n, const double *amplitude, const double *frequency,
                                      const double *phase, br_signal **out, br_err *err);
BR_API void br_signal_destroy(br_signal *signal); /* NULL is fine */

/* u(t).  NaN for a NaN t.  At a jump the value behind it. */
BR_API double br_signal_value(const br_signal *signal, double t);
/* u'(t).  Where u' jumps, side < 0 gives the left and side >= 0 the right limit; 0 exactly at a smooth
 * reversal. */
BR_API double br_signal_rate(const br_signal *signal, double t, int side);
/* u''(t), for laws that need the derivatives of a reference: zero for steps and straight lines (impulses at
 * their corners are left out), exact for sines, chirps and cubics.  Where it jumps, side chooses the
 * limit. */
BR_API double br_signal_curvature(const br_signal *signal, double t, int side);
/* Period in s; 0 when not periodic. */
BR_API double br_signal_period(const br_signal *signal);
/* Natural end in s: one period, the last sample, the end of the sweep, the jump; 0 when there is none. */
BR_API double br_signal_duration(const br_signal *signal);
/* First time > t where u' jumps or changes its sign (or u jumps; of trapezoid, scurve and filtered_step also
 * where u'' or the jerk jumps); INFINITY when there is none; NaN where a formula cannot be told from rounding
 * right behind t.  Times that equal t to rounding do not count, so t = next_corner(t) walks through all
 * corners. */
BR_API double br_signal_next_corner(const br_signal *signal, double t);
/* Cost of all questions: bounded, however large t or rho is.  A formula is evaluated at most 20000 times for
 * one (300000 times at creation, 100 more for each corner), a chirp goes by closed forms; a list of turning
 * points by its length. */
/* rho(t), the path length (total variation) of u from 0 to t, jumps included; negative for t < 0. */
BR_API double br_signal_variation(const br_signal *signal, double t);
/* psi(rho), the value of u where its path length is rho: psi(rho(t)) = u(t), |psi'| = 1.  Beyond the total
 * path of a signal that comes to rest: its last value. */
BR_API double br_signal_normalised(const br_signal *signal, double rho);
/* Path length of one period, 0 when not periodic. */
BR_API double br_signal_path(const br_signal *signal);

/* Turning points in order of time: of one period (cyclic, from the first one at t >= 0), or of [0, duration]
 * with its two end points.  t may be NULL.  *n is set to the number needed also when it exceeds max (then
 * BR_E_SIZE; max 0 asks for the number); of a chirp, counting stops at a million
 * or at max, whichever is more.
 * BR_E_UNSUPPORTED for a signal without period and end. */
BR_TRY br_status br_signal_turning(const br_signal *signal, size_t max, double *u, double *t, size_t *n,
                                   br_err *err);

/* Turning points among n values: points where the direction does not change and equal neighbours are dropped.
 * cyclic: the sequence closes, first and last follow each other; otherwise both ends stay.  keep (may be
 * NULL) receives indices into u, at most n of them.  A constant sequence gives 0 (cyclic) or 1 points.
 * Returns the number kept. */
BR_API size_t br_turning_points(size_t n, const double *u, int cyclic, size_t *keep);

BR_C_END
#endif
